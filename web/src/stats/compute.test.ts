import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Airport } from '../api/types.ts'
import {
  byMonth,
  byWeekday,
  byYear,
  cabin,
  continentMatrix,
  rankAirports,
  rankRoutes,
  records,
  type StatFlight,
  top,
  totalCo2Kg,
  totals,
} from './compute.ts'

const airport = (
  id: number,
  country: string,
  continent: Airport['continent'],
  latitude: number,
): Airport => ({
  id,
  icao: `X${id}`,
  iata: null,
  name: `A${id}`,
  municipality: null,
  latitude,
  longitude: 0,
  timezone: 'UTC',
  type: 'large_airport',
  continent,
  country,
  custom: false,
})
const fra = airport(1, 'DE', 'EU', 50)
const muc = airport(2, 'DE', 'EU', 48)
const jfk = airport(3, 'US', 'NA', 40)

const flight = (
  id: number,
  from: Airport,
  to: Airport,
  date: string,
  more: Partial<StatFlight> = {},
): StatFlight => ({
  id,
  from,
  to,
  date,
  datePrecision: 'day',
  distanceKm: 100 * id,
  duration: 3600 * id,
  durationEstimated: false,
  ...more,
})

// Newest first, as the log is.
const flights = [
  flight(4, jfk, fra, '2024-05-04', { durationEstimated: true }),
  flight(3, fra, jfk, '2024-05-03'),
  flight(2, muc, fra, '2022-01-01', { datePrecision: 'year' }),
  flight(1, fra, muc, '2022-02-08'),
]

test('totals add up, and an estimate is named as one', () => {
  const sum = totals(flights)
  assert.equal(sum.flights, 4)
  assert.equal(sum.distanceKm, 1000)
  assert.equal(sum.seconds, 36_000)
  assert.equal(sum.estimatedSeconds, 14_400)
  assert.deepEqual([sum.airports, sum.countries, sum.routes], [3, 2, 2])
  assert.deepEqual([sum.domestic, sum.international], [2, 2])
})

test('quiet years are kept between the first and the last', () => {
  assert.deepEqual(
    byYear(flights).map(({ year, count }) => [year, count]),
    [
      [2022, 2],
      [2023, 0],
      [2024, 2],
    ],
  )
  assert.deepEqual(byYear([]), [])
})

test('a flight known by its year only has no month and no weekday', () => {
  assert.equal(byMonth(flights)[0]!.count, 0)
  assert.equal(byMonth(flights)[4]!.count, 2)
  assert.equal(
    byWeekday(flights).reduce((sum, day) => sum + day.count, 0),
    3,
  )
  assert.equal(byWeekday(flights)[5]!.count, 1)
})

test('routes merge both directions and rank by count or by distance', () => {
  const routes = rankRoutes(flights)
  assert.equal(routes.length, 2)
  assert.equal(top(routes, 'distanceKm', 1)[0]!.item.b.id, 3)
  assert.equal(top(rankAirports(flights), 'count', 1)[0]!.count, 4)
})

test('records leave estimates and round flights out', () => {
  const round = flight(9, fra, fra, '2024-05-03', { distanceKm: 0 })
  const found = records([...flights, round])
  assert.equal(found.longest?.id, 4)
  assert.equal(found.shortest?.id, 1)
  assert.equal(found.slowest?.id, 9)
  assert.equal(found.first?.id, 1)
  assert.deepEqual(found.busiestDay, { date: '2024-05-03', count: 2 })
  assert.equal(found.longestGap?.from, '2022-02-08')
  assert.equal(found.northernmost?.id, 1)
})

test('the continent matrix holds only continents that were flown to', () => {
  assert.deepEqual(continentMatrix(flights), {
    names: ['EU', 'NA'],
    cells: [
      [2, 1],
      [1, 0],
    ],
    most: 2,
  })
})

test("the cabin is the person's own seat", () => {
  const seat = (user: string, seatClass: 'economy' | 'first') => ({
    user,
    guest: null,
    seat: null,
    seatNumber: null,
    seatClass,
    reason: null,
  })
  const shared = [
    flight(1, fra, jfk, '2024-01-01', { passengers: [seat('bob', 'first'), seat('ann', 'economy')] }),
  ]
  assert.deepEqual([...cabin(shared, 'ann').classes], [['economy', 1]])
  const far = shared.map((one) => ({ ...one, distanceKm: 6000 }))
  assert.ok(totalCo2Kg(far, 'bob') > 3 * totalCo2Kg(far, 'ann'))
})
