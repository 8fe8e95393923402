import '../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { airports, startServer } from '../testing/flights.ts'

const { guessArrivalDate, localAt, resolveLocal } = await import('./moments.ts')
const idOf = (zone: string): number => airports.find(({ timezone }) => timezone === zone)!.id
const [copenhagen, newYork, tokyo, auckland, lordHowe] = [
  'Europe/Copenhagen',
  'America/New_York',
  'Asia/Tokyo',
  'Pacific/Auckland',
  'Australia/Lord_Howe',
].map(idOf) as [number, number, number, number, number]

let server: ReturnType<typeof startServer>
beforeEach(() => {
  server = startServer()
})

test('a local time is looked up once', async () => {
  const first = await resolveLocal(copenhagen, '2031-05-01T10:00')
  assert.equal(first.instant, '2031-05-01T10:00:00+02:00')
  assert.equal(await resolveLocal(copenhagen, '2031-05-01T10:00'), first)
  assert.deepEqual(server.lookedUp, [`${copenhagen} 2031-05-01T10:00`])
  await resolveLocal(newYork, '2031-05-01T10:00')
  await resolveLocal(copenhagen, '2031-05-01T10:01')
  assert.equal(server.lookedUp.length, 3)
})

test('a look-up that failed is tried again', async () => {
  server.setOffline(true)
  await assert.rejects(resolveLocal(copenhagen, '2031-06-01T10:00'))
  server.setOffline(false)
  assert.equal((await resolveLocal(copenhagen, '2031-06-01T10:00')).offsetMinutes, 120)
})

test('the local time of an instant, on both sides of clock changes', async () => {
  for (const [airport, iso, local, offset] of [
    [copenhagen, '2031-01-01T12:00:00Z', '2031-01-01T13:00', 60],
    [tokyo, '2031-01-01T20:00:00Z', '2031-01-02T05:00', 540],
    [newYork, '2031-01-01T20:00:00+09:00', '2031-01-01T06:00', -300],
    [copenhagen, '2026-03-29T00:59:59Z', '2026-03-29T01:59', 60],
    [copenhagen, '2026-03-29T01:00:00Z', '2026-03-29T03:00', 120],
    [copenhagen, '2026-10-25T00:30:00Z', '2026-10-25T02:30', 120],
    [copenhagen, '2026-10-25T01:30:00Z', '2026-10-25T02:30', 60],
    [copenhagen, '2026-10-25T02:30:00Z', '2026-10-25T03:30', 60],
    [newYork, '2026-03-08T07:30:00Z', '2026-03-08T03:30', -240],
    [newYork, '2026-03-08T06:30:00Z', '2026-03-08T01:30', -300],
    [newYork, '2026-11-01T06:30:00Z', '2026-11-01T01:30', -300],
    // Written in the local time of a place where the clock change is over.
    [newYork, '2026-03-08T12:15:00+05:45', '2026-03-08T01:30', -300],
    [lordHowe, '2026-10-04T05:15:00+14:00', '2026-10-04T01:45', 630],
  ] as const)
    assert.deepEqual(await localAt(airport, iso), { local, offsetMinutes: offset }, iso)
})

test('the day of an arrival is the one whose flight time is closest to the expected', async () => {
  const hours = (count: number) => count * 3600
  for (const [from, departs, to, arrives, seconds, day] of [
    [copenhagen, '2026-05-01T10:00', copenhagen, '12:00', hours(2), '2026-05-01'],
    [copenhagen, '2026-05-01T23:00', copenhagen, '01:00', hours(2), '2026-05-02'],
    [copenhagen, '2026-05-01T10:00', copenhagen, '10:00', hours(2), '2026-05-02'],
    [copenhagen, '2026-05-01T15:45', tokyo, '11:10', hours(12), '2026-05-02'],
    [tokyo, '2026-05-01T16:45', newYork, '16:20', hours(12), '2026-05-01'],
    [auckland, '2026-05-01T00:30', newYork, '18:00', hours(16), '2026-04-30'],
    [newYork, '2026-05-01T23:00', auckland, '06:00', hours(15), '2026-05-03'],
    [copenhagen, '2026-05-01T10:00', copenhagen, '11:00', hours(24), '2026-05-02'],
  ] as const) {
    const guessed = await guessArrivalDate(
      { airportId: from, local: departs },
      { airportId: to, time: arrives },
      seconds,
    )
    assert.equal(guessed, day, `${departs} ${arrives}`)
  }
})
