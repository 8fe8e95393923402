// Which flight is next and how far away it is, at any time and in three languages.
import { HOUR } from '../../../server/domain/time/durations.ts'
import '../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysBetween } from '../../../server/domain/time/calendar.ts'
import { localDate, localMinute, offsetMinutes } from '../../../server/domain/time/time.ts'
import type { Flight } from '../api/log.ts'
import { airports, createRandom, zoneOf } from '../testing/flights.ts'

const { newestFirst } = await import('../api/compact-log.ts')
const { setLocale } = await import('../i18n/i18n.svelte.ts')
const { flightTimes } = await import('../lib/format.ts')
const { aheadOf, dayIn, nextFlight } = await import('./next.ts')
const { aheadWords } = await import('./next-words.ts')

const [copenhagen, newYork, , tokyo] = airports
const at = (text: string) => Date.parse(text)

interface Given {
  departs?: string
  arrives?: string
  date?: string
  more?: Partial<Flight>
}
/** From Copenhagen to New York; as in the log, an estimated flight takes eight hours. */
function flight(id: number, { departs, arrives, date, more = {} }: Given): Flight {
  const [start, end] = [departs ? at(departs) : null, arrives ? at(arrives) : null]
  const [from, to] = [more.from ?? copenhagen!, more.to ?? newYork!]
  const lands = end ?? (start === null ? null : start + 8 * HOUR)
  return {
    id,
    date: date ?? localDate(start!, zoneOf(from)),
    datePrecision: 'day',
    from,
    to,
    departs: start,
    arrives: end,
    departureLocal: start === null ? null : localMinute(start, zoneOf(from)),
    arrivalLocal: end === null ? null : localMinute(end, zoneOf(to)),
    departureOffset: start === null ? null : offsetMinutes(start, zoneOf(from)),
    arrivalOffset: lands === null ? null : offsetMinutes(lands, zoneOf(to)),
    duration: 8 * 3600,
    ...more,
  } as Flight
}

const idOfNext = (flights: Flight[], now: string) => nextFlight(flights.toSorted(newestFirst), at(now))?.id

test('what flies comes first, then what departs first; what landed, is cancelled or has no day is not next', () => {
  const redEye = flight(1, { departs: '2026-11-17T23:00Z', arrives: '2026-11-18T02:00Z' })
  const untimed = flight(2, { date: '2026-11-18' })
  const later = flight(3, { departs: '2026-11-18T12:30Z', arrives: '2026-11-18T20:30Z' })
  const cancelled = flight(4, { departs: '2026-11-18T06:00Z', more: { outcome: 'cancelled' } })
  const vague = flight(5, { date: '2026-11-01', more: { datePrecision: 'month' } })
  const all = [redEye, untimed, later, cancelled, vague]
  assert.equal(idOfNext(all, '2026-11-17T22:59Z'), 1)
  assert.equal(idOfNext(all, '2026-11-17T23:20Z'), 1, 'in the air')
  assert.equal(idOfNext(all, '2026-11-18T02:00Z'), 3, 'landed; one without a time may leave in the evening')
  assert.equal(idOfNext(all, '2026-11-18T20:30Z'), 2, 'still today in Copenhagen')
  assert.equal(idOfNext(all, '2026-11-18T23:00Z'), undefined, 'its day is over')
  assert.equal(idOfNext([], '2026-11-18T23:00Z'), undefined)
})

test('of two in the air the one that lands first; one without an arrival flies as long as it is estimated to', () => {
  const long = flight(1, { departs: '2026-11-17T12:00Z', arrives: '2026-11-18T01:00Z' })
  const open = flight(2, { departs: '2026-11-17T15:00Z', more: { completed: true } })
  assert.equal(idOfNext([long, open], '2026-11-17T20:00Z'), 2)
  assert.equal(idOfNext([long, open], '2026-11-17T23:00Z'), 1)
})

test('days are those of the departure airport, through every change of clocks', () => {
  const random = createRandom(7)
  for (let i = 0; i < 2000; i++) {
    const from = random.pick(airports)
    const now = at('2026-01-01T00:00Z') + random.below(365 * 24) * HOUR
    const departs = now + 60_000 + random.below(96 * 60) * 60_000
    const zone = zoneOf(from)
    assert.equal(dayIn(zone, now), localDate(now, zone), zone)
    const timed = aheadOf(flight(1, { departs: new Date(departs).toISOString(), more: { from } }), now)
    assert.ok(timed?.kind === 'departs')
    assert.equal(timed.days, daysBetween(localDate(now, zone), localDate(departs, zone)))
    const untimed = aheadOf(flight(1, { date: localDate(departs, zone), more: { from } }), now)
    assert.deepEqual(untimed, { ...timed, seconds: null })
  }
  assert.equal(
    dayIn('Mars/Olympus', at('2026-11-18T23:00Z')),
    '2026-11-18',
    'a zone that the browser does not know',
  )
})

const wordsOf = (one: Flight, now: string) => {
  const words = aheadWords(one, flightTimes(one), at(now))
  return words && [words.when, words.countdown].filter(Boolean).join(' | ').replaceAll('\u00a0', ' ')
}

test('in words', async () => {
  const timed = flight(1, { departs: '2026-11-18T11:30Z', arrives: '2026-11-18T20:00Z' })
  const untimed = flight(2, { date: '2026-11-18' })
  const open = flight(3, { departs: '2026-11-18T09:50Z' })
  const east = flight(4, { departs: '2026-11-18T16:00Z', more: { from: tokyo! } })
  const said = async (locale: 'en' | 'de' | 'fr') => {
    await setLocale(locale)
    return [
      wordsOf(timed, '2026-07-24T11:30Z'),
      wordsOf(timed, '2026-11-15T11:30Z'),
      wordsOf(timed, '2026-11-17T10:30Z'),
      wordsOf(timed, '2026-11-17T20:00Z'),
      wordsOf(timed, '2026-11-18T08:10:30Z'),
      wordsOf(timed, '2026-11-18T11:30Z'),
      wordsOf(timed, '2026-11-18T20:00Z'),
      wordsOf(untimed, '2026-11-17T20:00Z'),
      wordsOf(untimed, '2026-11-18T20:00Z'),
      wordsOf(open, '2026-11-18T10:00Z'),
      wordsOf(east, '2026-11-17T14:00Z'),
    ]
  }
  const en = [
    '18 Nov 2026 12:30 | in 117 days',
    'Wednesday 12:30 | in 3 days',
    'Tomorrow 12:30',
    'Tomorrow 12:30 | in 15 h 30 min',
    'Today 12:30 | in 3 h 20 min',
    'In the air | lands 15:00',
    null,
    'Tomorrow',
    'Today',
    'In the air | lands ≈ 12:50',
    'Thursday 01:00 | in 2 days',
  ]
  assert.deepEqual(await said('en'), en)
  const [, , tomorrow, , today, air] = await said('de')
  assert.deepEqual(
    [tomorrow, today, air],
    ['Morgen 12:30', 'Heute 12:30 | in 3 h 20 min', 'In der Luft | landet 15:00'],
  )
  const [date, , demain, , dans, vol] = await said('fr')
  assert.deepEqual(
    [date, demain, dans, vol],
    [
      '18 nov. 2026 12:30 | dans 117 jours',
      'Demain 12:30',
      'Aujourd’hui 12:30 | dans 3 h 20 min',
      'En vol | arrivée 15:00',
    ],
  )
})
