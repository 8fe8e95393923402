import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoverSeconds as layover } from '../../../server/domain/layover.ts'
import type { Flight } from '../api/log.ts'
import type { Airport } from '../api/types.ts'
import { movedBy, offsetsOf, rowAt, rowsOf } from './rows.ts'

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
    departs: start,
    arrives: start + hours * hour,
    distanceKm: 100,
    completed,
  } as Flight
}

test('a connection is a layover of at most a day, and a trip straight back is none', () => {
  const out = flight(1, 1, 2, '2024-05-01T08:00Z', 2)
  assert.equal(layover(out, flight(2, 2, 3, '2024-05-01T12:00Z', 1)), 2 * 3600)
  assert.equal(layover(out, flight(2, 2, 3, '2024-05-02T10:00Z', 1)), 24 * 3600)
  assert.equal(layover(out, flight(2, 2, 3, '2024-05-02T10:01Z', 1)), null, 'too long')
  assert.equal(layover(out, flight(2, 2, 1, '2024-05-01T12:00Z', 1)), null, 'back home')
  assert.equal(layover(out, flight(2, 3, 4, '2024-05-01T12:00Z', 1)), null, 'from elsewhere')
  assert.equal(layover(out, flight(2, 2, 3, '2024-05-01T09:00Z', 1)), null, 'before it arrived')
  assert.equal(
    layover({ ...out, arrives: null }, flight(2, 2, 3, '2024-05-01T12:00Z', 1)),
    null,
    'unknown time',
  )
})

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
  assert.ok(last?.kind === 'layover' && last.journey?.map((leg) => leg.id).join() === '2,3,4')
  assert.ok(first?.kind === 'layover' && first.journey === null, 'once per journey')
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
