import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flight } from '../api/log.ts'
import type { Airport } from '../api/types.ts'
import { journeysOf } from '../log/journeys.ts'
import { movedBy, offsetsOf, rowAt, rowsOf as rowsWith } from './rows.ts'

const airport = (id: number) => ({ id, iata: `A${id}` }) as unknown as Airport
const hour = 3_600_000

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
    arrives: start + hours * hour,
    departureLocal: null,
    arrivalLocal: null,
    duration: hours * 3600,
    distanceKm: 100,
    completed,
    passengers: [{ user: 'me' }],
  } as Flight
}

const rowsOf = (flights: Flight[]) =>
  rowsWith(flights, journeysOf(flights, { scope: 'mine' }, 'me', new Map(), '2025-01-01'))

test('rows: upcoming first, then years, legs of a journey joined by layovers', () => {
  const flights = [
    flight(5, 1, 2, '2027-01-05T08:00Z', 2, false),
    flight(4, 3, 4, '2024-05-01T14:00Z', 2),
    flight(3, 2, 3, '2024-05-01T11:00Z', 1),
    flight(2, 1, 2, '2024-05-01T08:00Z', 2),
    flight(1, 1, 2, '2023-02-01T08:00Z', 2),
  ]
  const rows = rowsOf(flights)
  assert.deepEqual(
    rows.map((row) => row.key),
    [
      'upcoming',
      'flight-5',
      'year-2024',
      'flight-4',
      'layover-4',
      'flight-3',
      'layover-3',
      'flight-2',
      'year-2023',
      'flight-1',
    ],
  )
  const year = rows[2]
  assert.ok(year?.kind === 'year' && year.count === 3 && year.distanceKm === 300)
  const [last, first] = [rows[4], rows[6]]
  assert.ok(last?.kind === 'layover' && last.journey?.flights.map((leg) => leg.id).join() === '2,3,4')
  assert.ok(first?.kind === 'layover' && first.journey === null, 'once per journey')
})

test('a cancelled flight has a row, counts nowhere and joins nothing', () => {
  const cancelled = { ...flight(2, 2, 3, '2024-05-01T11:00Z', 1), outcome: 'cancelled' as const }
  const flights = [cancelled, flight(1, 1, 2, '2024-05-01T08:00Z', 2)]
  const counted = flights.filter(({ outcome }) => outcome === undefined)
  const rows = rowsWith(flights, journeysOf(counted, { scope: 'mine' }, 'me', new Map(), '2025-01-01'))
  assert.deepEqual(
    rows.map((row) => row.key),
    ['year-2024', 'flight-2', 'flight-1'],
  )
  assert.ok(rows[0]?.kind === 'year' && rows[0].count === 1 && rows[0].distanceKm === 100)
})

test('legs that are not next to each other in the list are not joined there', () => {
  const [first, between, second] = [
    flight(1, 1, 2, '2024-05-01T08:00Z', 2),
    flight(2, 7, 8, '2024-05-01T09:00Z', 2),
    flight(3, 2, 3, '2024-05-01T12:00Z', 1),
  ]
  assert.ok(!rowsOf([second!, between!, first!]).some(({ kind }) => kind === 'layover'))
})

test('a journey over New Year is not split', () => {
  const rows = rowsOf([flight(2, 2, 3, '2024-01-01T01:00Z', 1), flight(1, 1, 2, '2023-12-31T20:00Z', 2)])
  assert.deepEqual(
    rows.map((row) => row.key),
    ['year-2024', 'flight-2', 'layover-2', 'flight-1'],
  )
})

test('the row at a height is found among ten thousand', () => {
  const rows = rowsOf(
    Array.from({ length: 10_000 }, (_, index) => flight(index, 1, 2, '2024-05-01T08:00Z', 2)),
  )
  const offsets = offsetsOf(rows, (row) => (row.kind === 'year' ? 50 : 60))
  assert.equal(rowAt(offsets, -100), 0)
  assert.equal(rowAt(offsets, 49), 0)
  assert.equal(rowAt(offsets, 50), 1)
  assert.equal(rowAt(offsets, 50 + 60 * 5000), 5001)
  assert.equal(rowAt(offsets, 1e9), rows.length - 1)
  assert.equal(
    rowAt(
      offsetsOf([], () => 0),
      10,
    ),
    0,
  )
})

test('rows that come or go above the reader move what is read by their height', () => {
  const of = (...ids: number[]) => {
    const rows = rowsOf(ids.map((id) => flight(id, 1, 2, `2024-05-0${id}T08:00Z`, 1)))
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
