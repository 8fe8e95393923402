import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR } from '../../../../server/domain/time/durations.ts'
import type { Flight } from '../../api/log.ts'
import type { Airport } from '../../api/types.ts'
import { movedBy as movedByKey, offsetsOf, rowAt } from '../../lib/virtual.ts'
import { journeysOf } from '../../log/journeys.ts'
import { type Order, type Row, rowsOf, sectionAt } from './rows.ts'

type Layout = Parameters<typeof movedByKey<Row>>[0]
const movedBy = (was: Layout, is: Layout, y: number) => movedByKey(was, is, y, ({ key }) => key)

const airport = (id: number) => ({ id, iata: `A${id}` }) as unknown as Airport

function flight(
  id: number,
  from: number,
  to: number,
  departs: string,
  hours: number,
  completed = true,
): Flight {
  const start = Date.parse(departs)
  return {
    id,
    from: airport(from),
    to: airport(to),
    date: departs.slice(0, 10),
    year: Number(departs.slice(0, 4)),
    datePrecision: 'day',
    departs: start,
    arrives: start + hours * HOUR,
    departureLocal: null,
    arrivalLocal: null,
    duration: hours * 3600,
    distanceKm: 100,
    completed,
    passengers: [{ user: 'me' }],
  } as Flight
}

const journeys = (flights: Flight[]) =>
  journeysOf(flights, { scope: { scope: 'mine' }, me: 'me', homes: new Map(), today: '2025-01-01' })
const listOf = (flights: Flight[], order: Order = 'newest', stops = false) =>
  rowsOf(flights, journeys(flights), { order, stops, airborne: new Set() })
const newest = { order: 'newest', stops: false, airborne: new Set<number>() } as const
const keys = (flights: Flight[], order?: Order, stops?: boolean) =>
  listOf(flights, order, stops).rows.map(({ key }) => key)

/** One upcoming flight, a journey of three legs, and one of the previous year; newest first. */
const log = () => [
  flight(5, 1, 2, '2027-01-05T08:00Z', 2, false),
  flight(4, 3, 4, '2024-05-01T14:00Z', 2),
  flight(3, 2, 3, '2024-05-01T11:00Z', 1),
  flight(2, 1, 2, '2024-05-01T08:00Z', 2),
  flight(1, 1, 2, '2023-02-01T08:00Z', 2),
]

test('upcoming first, then years; a journey is a block whose legs are in travel order', () => {
  const list = listOf(log())
  assert.deepEqual(
    list.rows.map(({ key }) => key),
    [
      'upcoming',
      'flight-5',
      'year-2024',
      'journey-2',
      'flight-2',
      'flight-3',
      'flight-4',
      'year-2023',
      'flight-1',
    ],
  )
  const [year, first, last] = [list.rows[2], list.rows[4], list.rows[6]]
  assert.ok(year?.kind === 'heading')
  const { count, distanceKm, seconds } = year.section
  assert.deepEqual([count, distanceKm, seconds], [3, 300, 5 * 3600])
  assert.ok(first?.kind === 'flight' && first.leg === 'inner' && !first.gapBelow)
  assert.ok(last?.kind === 'flight' && last.leg === 'last' && last.gapBelow)
  assert.deepEqual(
    list.flights.map(({ id }) => id),
    [5, 2, 3, 4, 1],
  )
  assert.deepEqual(
    list.rowOf.map((row) => list.rows[row]!.key),
    ['flight-5', 'flight-2', 'flight-3', 'flight-4', 'flight-1'],
  )
  assert.deepEqual(
    list.sections.map(({ section, row, flight }) => [section.key, row, flight]),
    [
      ['upcoming', 0, 0],
      ['year-2024', 2, 1],
      ['year-2023', 7, 4],
    ],
  )
})

test('what flies has a heading of its own; of what is to come the soonest is first, whichever way the list is turned', () => {
  const ahead = [
    flight(9, 1, 2, '2027-03-14T08:00Z', 2, false),
    { ...flight(8, 5, 6, '2026-11-18T00:00Z', 2, false), departs: null, arrives: null },
    flight(7, 3, 4, '2026-11-18T12:30Z', 2, false),
    // Landed, although it departed after the one still in the air.
    flight(6, 7, 8, '2026-11-17T23:30Z', 0.5),
    flight(5, 9, 1, '2026-11-17T22:00Z', 3, false),
  ]
  const listed = (order: Order) =>
    rowsOf(ahead, { of: new Map() }, { order, stops: false, airborne: new Set([5]) }).rows.map(
      ({ key }) => key,
    )
  const present = ['air', 'flight-5', 'upcoming', 'flight-7', 'flight-8', 'flight-9']
  assert.deepEqual(listed('newest'), [...present, 'year-2026', 'flight-6'])
  assert.deepEqual(listed('oldest'), ['year-2026', 'flight-6', ...present])
})

test('the oldest first: blocks turn round, legs do not', () => {
  assert.deepEqual(keys(log(), 'oldest'), [
    'year-2023',
    'flight-1',
    'year-2024',
    'journey-2',
    'flight-2',
    'flight-3',
    'flight-4',
    'upcoming',
    'flight-5',
  ])
})

test('by distance or delay blocks dissolve, and each leg names its journey', () => {
  const flights = log().map((one, i) => ({ ...one, distanceKm: [10, 50, null, 40, 30][i]! }))
  const list = listOf(flights, 'distance')
  assert.deepEqual(
    list.rows.map(({ key }) => key),
    ['sorted', 'flight-4', 'flight-2', 'flight-1', 'flight-5', 'flight-3'],
  )
  const [heading, leg, , alone] = list.rows
  assert.ok(heading?.kind === 'heading' && heading.section.count === 5)
  assert.ok(leg?.kind === 'flight' && leg.partOf?.flights.length === 3 && leg.year === 2024)
  assert.ok(alone?.kind === 'flight' && alone.partOf === null)
  const late = log().map((one, i) => ({ ...one, ...(i > 2 ? { arrivalDelay: i === 3 ? -5 : 40 } : {}) }))
  assert.deepEqual(keys(late, 'delay').slice(1, 4), ['flight-1', 'flight-2', 'flight-5'])
})

test('on a phone stops are rows between the legs', () => {
  const list = listOf(log(), 'newest', true)
  assert.deepEqual(
    list.rows.slice(3, 9).map(({ key }) => key),
    ['journey-2', 'flight-2', 'layover-3', 'flight-3', 'layover-4', 'flight-4'],
  )
  const stop = list.rows[5]
  assert.ok(stop?.kind === 'layover' && stop.ground === 3600 && stop.airport?.id === 2)
})

test('two journeys in a row share one gap', () => {
  const again = [
    flight(12, 2, 3, '2024-06-01T11:00Z', 1),
    flight(11, 1, 2, '2024-06-01T08:00Z', 2),
    flight(3, 2, 3, '2024-05-01T11:00Z', 1),
    flight(2, 1, 2, '2024-05-01T08:00Z', 2),
  ]
  const legs = listOf(again).rows.filter((row) => row.kind === 'flight')
  assert.deepEqual(
    legs.map(({ gapBelow }) => gapBelow),
    [false, false, false, true],
  )
})

test('a cancelled flight has a row, is not counted and joins no journey', () => {
  const cancelled = { ...flight(2, 2, 3, '2024-05-01T11:00Z', 1), outcome: 'cancelled' as const }
  const flights = [cancelled, flight(1, 1, 2, '2024-05-01T08:00Z', 2)]
  const counted = flights.filter(({ outcome }) => outcome === undefined)
  const { rows } = rowsOf(flights, journeys(counted), newest)
  assert.deepEqual(
    rows.map((row) => row.key),
    ['year-2024', 'flight-2', 'flight-1'],
  )
  assert.ok(rows[0]?.kind === 'heading' && rows[0].section.count === 1)
})

test('a filter may leave one leg of a journey, which is then no block', () => {
  const all = log()
  const only = (...ids: number[]) =>
    rowsOf(
      all.filter(({ id }) => ids.includes(id)),
      journeys(all),
      newest,
    ).rows.map(({ key }) => key)
  assert.deepEqual(only(3), ['year-2024', 'flight-3'])
  assert.deepEqual(only(2, 4), ['year-2024', 'journey-2', 'flight-2', 'flight-4'])
})

test('flights of others in between do not part a journey', () => {
  const [first, between, second] = [
    flight(1, 1, 2, '2024-05-01T08:00Z', 2),
    flight(2, 7, 8, '2024-05-01T09:00Z', 2),
    flight(3, 2, 3, '2024-05-01T12:00Z', 1),
  ]
  assert.deepEqual(keys([second!, between!, first!]), [
    'year-2024',
    'flight-2',
    'journey-1',
    'flight-1',
    'flight-3',
  ])
})

test('a journey over New Year stays whole, in the year in which it began, and says the other', () => {
  const flights = [flight(2, 2, 3, '2024-01-01T01:00Z', 1), flight(1, 1, 2, '2023-12-31T20:00Z', 2)]
  const { rows } = listOf([flight(9, 1, 2, '2024-03-01T08:00Z', 1), ...flights])
  assert.deepEqual(
    rows.map(({ key }) => key),
    ['year-2024', 'flight-9', 'year-2023', 'journey-1', 'flight-1', 'flight-2'],
  )
  const [newYear, last] = [rows[0], rows[5]]
  assert.ok(newYear?.kind === 'heading' && newYear.section.count === 2, 'years count as statistics do')
  assert.ok(last?.kind === 'flight' && last.year === 2024)
})

test('the row and the section at a height are found among thirty thousand', () => {
  const flights = Array.from({ length: 30_000 }, (_, i) =>
    flight(i, 1, 2, `${2024 - Math.floor(i / 10_000)}-05-01T08:00Z`, 2),
  )
  const list = rowsOf(flights, { of: new Map() }, newest)
  const offsets = offsetsOf(list.rows, (row) => (row.kind === 'heading' ? 40 : 36))
  assert.equal(rowAt(offsets, -100), 0)
  assert.equal(rowAt(offsets, 39), 0)
  assert.equal(rowAt(offsets, 40), 1)
  assert.equal(rowAt(offsets, 40 + 36 * 5000), 5001)
  assert.equal(rowAt(offsets, 1e9), list.rows.length - 1)
  assert.equal(
    rowAt(
      offsetsOf([], () => 0),
      10,
    ),
    0,
  )
  const second = 40 + 36 * 10_000
  assert.equal(sectionAt(list, offsets, -5), 0)
  assert.equal(sectionAt(list, offsets, second - 1), 0)
  assert.equal(sectionAt(list, offsets, second), 1)
  assert.equal(sectionAt(list, offsets, 1e9), 2)
})

test('rows that come or go above the reader move what is read by their height', () => {
  const of = (...ids: number[]) => {
    const { rows } = listOf(ids.map((id) => flight(id, 1, 2, `2024-05-0${id}T08:00Z`, 1)))
    return { rows, offsets: offsetsOf(rows, (row) => (row.kind === 'flight' ? 10 : 5)) }
  }
  const was = of(8, 6, 4, 2)
  assert.equal(movedBy(was, was, 20), 0)
  assert.equal(movedBy(was, of(9, 8, 6, 4, 2), 20), 10, 'added above')
  assert.equal(movedBy(was, of(8, 6, 4, 3, 2), 20), 0, 'added below')
  assert.equal(movedBy(was, of(6, 4, 2), 20), -10, 'removed above')
  assert.equal(movedBy(was, of(8, 4, 2), 20), -10, 'what was at the top is gone: the next one stays')
  assert.equal(movedBy(was, of(9), 20), 0, 'nothing is left of it')
})
