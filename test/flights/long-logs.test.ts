// A log longer than one statement reads: no flight is missed or counted twice at the end of a window.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Executor } from '../../server/store/engine/engine.ts'
import { listFilteredIds } from '../../server/store/flights/log.ts'
import { airportIds } from '../fixtures.ts'
import { onBothEngines, type TestApp } from '../harness.ts'

/** More than a window on one day, and windows on both sides of it. */
const ON_ONE_DAY = 1300
const BEFORE = 700
const AFTER = 600
const DAY = '2010-06-15'

const datesOf = (count: number, first: number): string[] =>
  Array.from({ length: count }, (_, i) => new Date(first + i * 86_400_000).toISOString().slice(0, 10))
const dates = [
  ...datesOf(BEFORE, Date.UTC(2001, 0, 1)),
  ...Array<string>(ON_ONE_DAY).fill(DAY),
  ...datesOf(AFTER, Date.UTC(2015, 0, 1)),
]
/** A rare value, so that most windows have none. */
const isRare = (index: number): boolean => index === 3 || index === 1500 || index === dates.length - 1

async function addFlights(app: TestApp, userId: string): Promise<void> {
  const [cph, jfk, osl] = await airportIds(app, 'CPH', 'JFK', 'OSL')
  const rows = dates.map((date, i) => `('${date}', 'day', ${cph}, ${isRare(i) ? osl : jfk}, '', '')`)
  await app.store.transaction(async (tx) => {
    const flights = await tx.query(
      `insert into flight (date, date_precision, from_id, to_id, created_at, updated_at) values ${rows.join()} returning id, date`,
      [],
    )
    const passengers = flights.map((row) => `(${row['id']}, '${row['date']}', '${userId}')`)
    await tx.query(
      `insert into flight_passenger (flight_id, flight_date, user_id) values ${passengers.join()}`,
      [],
    )
  })
}

onBothEngines('a log of several windows', (app) => {
  test('a log of several windows is counted completely, by every filter', async () => {
    const ada = await app().person()
    const bob = await app().person()
    await addFlights(app(), bob.id)
    await addFlights(app(), ada.id)
    const key = await ada.key()
    const counted = async (query: string): Promise<number> => {
      const reply = await app().request('GET', `/api/v1/stats${query}`, { key })
      assert.equal(reply.status, 200, reply.text)
      return reply.json.data.flights
    }
    assert.equal(await counted(''), dates.length)
    assert.equal(await counted(`?dateFrom=${DAY}&dateTo=${DAY}`), ON_ONE_DAY)
    assert.equal(await counted(`?dateFrom=${DAY}`), ON_ONE_DAY + AFTER)
    assert.equal(await counted(`?dateTo=${DAY}`), BEFORE + ON_ONE_DAY)
    assert.equal(await counted('?dateTo=2010-06-14'), BEFORE)
    assert.equal(await counted('?airport=OSL'), 3)
    assert.equal(await counted(`?airport=OSL&dateTo=${DAY}`), 2)
  })

  test('a log is read window by window: no statement returns all of it', async () => {
    const ada = await app().person()
    await addFlights(app(), ada.id)
    const { read } = app().store
    let most = 0
    const counting: Executor = {
      kind: read.kind,
      async query(sql, parameters) {
        const rows = await read.query(sql, parameters)
        most = Math.max(most, rows.length)
        return rows
      },
    }
    for (const audience of [ada.id, null]) {
      most = 0
      const found = await listFilteredIds(counting, audience, {})
      assert.ok(found.length >= dates.length)
      assert.ok(app().engine === 'sqlite' ? most === 1000 : most < found.length, String(most))
    }
  })
})
