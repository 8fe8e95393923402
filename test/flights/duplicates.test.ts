// When two records on one route are one flight (docs/decisions/021).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Likeness, likeness, type OnRoute } from '../../server/domain/flights/duplicates.ts'

const flight = (date: string, flightNumber: string | null = null, clock?: string): OnRoute => ({
  date: date.length === 10 ? date : `${date}-01-01`.slice(0, 10),
  datePrecision: date.length === 10 ? 'day' : date.length === 7 ? 'month' : 'year',
  flightNumber,
  airlineId: null,
  departure: clock === undefined ? null : `${date}T${clock}:00+01:00`,
  departureScheduled: null,
})

const table: [string, OnRoute, OnRoute, Likeness][] = [
  [
    'same number, any times',
    flight('2024-05-01', 'SK1416', '08:00'),
    flight('2024-05-01', 'sk 01416', '14:00'),
    'duplicate',
  ],
  [
    'one without number and times',
    flight('2024-05-01', 'SK1416', '08:00'),
    flight('2024-05-01'),
    'duplicate',
  ],
  [
    'neither has a number, times near',
    flight('2024-05-01', null, '08:00'),
    flight('2024-05-01', null, '09:29'),
    'duplicate',
  ],
  [
    'one without number, times far',
    flight('2024-05-01', 'SK1416', '08:00'),
    flight('2024-05-01', null, '09:30'),
    'other',
  ],
  ['digits alone', flight('2024-05-01', 'SK1416'), flight('2024-05-01', '1416'), 'duplicate'],
  ['codeshare', flight('2024-05-01', 'SK1416', '08:00'), flight('2024-05-01', 'LH6151', '08:10'), 'similar'],
  [
    'other number, one without time',
    flight('2024-05-01', 'SK1416', '08:00'),
    flight('2024-05-01', 'LH6151'),
    'similar',
  ],
  ['shuttle', flight('2024-05-01', 'SK1416', '08:00'), flight('2024-05-01', 'SK1420', '09:30'), 'other'],
  [
    'the same digits of two airlines',
    flight('2024-05-01', 'SK1416', '08:00'),
    flight('2024-05-01', 'LH1416', '10:00'),
    'other',
  ],
  [
    'same number a day later',
    flight('2024-05-01', 'SK1416', '08:00'),
    flight('2024-05-02', 'SK1416', '08:00'),
    'similar',
  ],
  ['same number two days earlier', flight('2024-05-03', 'SK1416'), flight('2024-05-01', 'SK1416'), 'similar'],
  ['same number three days later', flight('2024-05-01', 'SK1416'), flight('2024-05-04', 'SK1416'), 'other'],
  ['a day later, nothing known', flight('2024-05-01', 'SK1416', '08:00'), flight('2024-05-02'), 'similar'],
  [
    'a day later, a time is known',
    flight('2024-05-01', 'SK1416', '08:00'),
    flight('2024-05-02', null, '08:00'),
    'other',
  ],
  ['two days later, nothing known', flight('2024-05-01', 'SK1416'), flight('2024-05-03'), 'other'],
  ['its month', flight('2024-05-21', 'SK1416'), flight('2024-05'), 'similar'],
  ['its year', flight('2024'), flight('2024-05-21'), 'similar'],
  ['a month of its year', flight('2024'), flight('2024-05'), 'similar'],
  ['another month', flight('2024-06-01'), flight('2024-05'), 'other'],
  ['the same month, both without day', flight('2024-05'), flight('2024-05'), 'duplicate'],
  ['months next to each other', flight('2024-05'), flight('2024-06'), 'other'],
]

for (const [name, a, b, expected] of table) {
  test(`duplicates: ${name}`, () => {
    assert.equal(likeness(a, b), expected)
    assert.equal(likeness(b, a), expected, 'the other way round')
  })
}

test('duplicates: the scheduled departure is compared too', () => {
  const late = { ...flight('2024-05-01', 'SK1416', '12:00'), departureScheduled: '2024-05-01T08:00:00+01:00' }
  assert.equal(likeness(late, flight('2024-05-01', 'LH6151', '08:05')), 'similar')
})

test('duplicates: two codes of one airline are the same airline', () => {
  const [a, b] = [flight('2024-05-01', 'SK1416', '08:00'), flight('2024-05-01', 'SAS1416', '12:00')]
  assert.equal(likeness(a, b), 'other')
  assert.equal(likeness({ ...a, airlineId: 7 }, { ...b, airlineId: 7 }), 'duplicate')
})
