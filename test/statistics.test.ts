// The figures of the statistics, on logs small enough to count manually.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cabin, footprint } from '../server/domain/statistics/cabin.ts'
import { statisticsDocument } from '../server/domain/statistics/document.ts'
import { continentMatrix } from '../server/domain/statistics/figures.ts'
import type { Place, StatFlight } from '../server/domain/statistics/flights.ts'
import { rankAirports, ranked, rankRoutes } from '../server/domain/statistics/rankings.ts'
import { records } from '../server/domain/statistics/records.ts'
import { byMonth, byWeekday, byYear, totals } from '../server/domain/statistics/sums.ts'

const airport = (id: number, country: string, continent: string, latitude: number): Place => ({
  id,
  icao: `X${id}`,
  iata: null,
  name: `A${id}`,
  municipality: null,
  latitude,
  longitude: 0,
  continent,
  country,
})
const fra = airport(1, 'DE', 'EU', 50)
const muc = airport(2, 'DE', 'EU', 48)
const jfk = airport(3, 'US', 'NA', 40)

const flight = (
  id: number,
  from: Place,
  to: Place,
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

test('totals add up, and an estimated total is marked', () => {
  const sum = totals(flights)
  assert.equal(sum.flights, 4)
  assert.equal(sum.distanceKm, 1000)
  assert.equal(sum.seconds, 36_000)
  assert.equal(sum.estimatedSeconds, 14_400)
  assert.deepEqual([sum.airports, sum.countries, sum.routes], [3, 2, 2])
  assert.deepEqual([sum.domestic, sum.international], [2, 2])
})

test('years without flights are kept between the first and the last', () => {
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

test('a flight known only by year has no month and no weekday', () => {
  assert.equal(byMonth(flights)[0]!.count, 0)
  assert.equal(byMonth(flights)[4]!.count, 2)
  assert.equal(
    byWeekday(flights).reduce((sum, day) => sum + day.count, 0),
    3,
  )
  assert.equal(byWeekday(flights)[4]!.count, 1, 'a Friday, Monday being the first')
})

test('routes merge both directions and are ranked by count or by distance', () => {
  const routes = rankRoutes(flights)
  assert.equal(routes.length, 2)
  assert.equal(ranked(routes, 'distanceKm')[0]!.item.b.id, 3)
  assert.equal(ranked(rankAirports(flights), 'count')[0]!.count, 4)
})

test('a round flight can only be the slowest', () => {
  const round = flight(9, fra, fra, '2024-05-03', { distanceKm: 0 })
  const circuit = flight(8, muc, muc, '2022-03-01', { distanceKm: 0, duration: 60 })
  const found = records([...flights, round, circuit])
  assert.equal(found.longest?.id, 4)
  assert.equal(found.shortest?.id, 1)
  assert.equal(found.quickest?.id, 1)
  assert.deepEqual([records([circuit]).shortest, records([circuit]).quickest], [null, null])
  assert.equal(found.slowest?.id, 9)
  assert.equal(found.first?.id, 1)
  assert.deepEqual(found.busiestDay, { date: '2024-05-03', count: 2 })
  assert.equal(found.longestGap?.from, '2022-03-01')
  assert.equal(found.northernmost?.id, 1)
})

test('the continent matrix has only visited continents', () => {
  assert.deepEqual(continentMatrix(flights), {
    names: ['EU', 'NA'],
    cells: [
      [2, 1],
      [1, 0],
    ],
    most: 2,
  })
})

test('the cabin statistics use the person’s own seat', () => {
  const seat = (user: string, seatClass: 'economy' | 'first') => ({
    user,
    seat: null,
    seatClass,
    reason: null,
  })
  const shared = [
    flight(1, fra, jfk, '2024-01-01', { passengers: [seat('bob', 'first'), seat('ann', 'economy')] }),
  ]
  assert.deepEqual([...cabin(shared, 'ann').classes], [['economy', 1]])
  const far = shared.map((one) => ({ ...one, distanceKm: 6000 }))
  assert.deepEqual(
    ['bob', 'ann', null].map((user) => footprint(far, user)),
    [
      { kilograms: 2619.78, passengers: 1, unknown: 0 },
      { kilograms: 654.96, passengers: 1, unknown: 0 },
      { kilograms: 3274.74, passengers: 2, unknown: 0 },
    ],
  )
  const nowhere = far.map((one) => ({ ...one, to: null, distanceKm: null }))
  assert.deepEqual(footprint([...far, ...nowhere], 'ann'), { kilograms: 654.96, passengers: 1, unknown: 1 })
  const bare = far.map(({ passengers: _, ...one }) => one)
  assert.deepEqual(footprint(bare, null), { kilograms: 855.18, passengers: 1, unknown: 0 }, 'as on a share')
})

test('a flight known by month or year is first or last only if that is certain', () => {
  const vague = (date: string, datePrecision: 'month' | 'year') =>
    flight(9, fra, muc, date, { datePrecision })
  const first = (one: StatFlight) => records([...flights, one]).first?.id
  const latest = (one: StatFlight) => records([...flights, one]).latest?.id
  assert.equal(first(vague('1999-01-01', 'year')), 9)
  assert.equal(first(vague('2022-01-01', 'month')), 9, 'January was over before the 8th of February')
  assert.equal(first(vague('2022-02-01', 'month')), 1)
  assert.equal(latest(vague('2025-01-01', 'year')), 9)
  assert.equal(latest(vague('2024-06-01', 'month')), 9)
  assert.equal(latest(vague('2024-01-01', 'year')), 4)
})

test('the first and the latest flight of one day are decided by departure', () => {
  const at = (id: number, departure: string | null) => flight(id, fra, muc, '2024-05-03', { departure })
  const day = [at(5, '2024-05-03T18:00:00+02:00'), at(6, '2024-05-03T08:00:00+02:00'), at(7, null)]
  assert.deepEqual([records(day).first?.id, records(day).latest?.id], [7, 5])
  const timed = day.slice(0, 2)
  assert.deepEqual([records(timed).first?.id, records(timed).latest?.id], [6, 5])
})

test('ties go to the lower id, in any order of flights', () => {
  const there = flight(1, jfk, fra, '2024-01-01', { distanceKm: 500 })
  const back = flight(2, fra, jfk, '2024-01-02', { distanceKm: 500 })
  for (const log of [
    [there, back],
    [back, there],
  ]) {
    const { topRoute, topAirport, routes, longest } = statisticsDocument(log, null, '2026-06-15')
    assert.deepEqual([topRoute?.from.id, topRoute?.count, topAirport?.id], [3, 1, 3])
    assert.deepEqual([routes.count, routes.top[0]?.count], [1, 2], 'there and back is one route')
    assert.equal(longest.byDistance?.id, 1)
    assert.equal(records(log).longest?.id, 1)
  }
})

test('sums are rounded after adding exactly', () => {
  // In floating point, fifteen times 0.7 is a little less than 10.5.
  const log = Array.from({ length: 15 }, (_, i) => flight(i + 1, fra, muc, '2024-01-01', { distanceKm: 0.7 }))
  const sums = [totals(log), byYear(log)[0]!, byMonth(log)[0]!, ranked(rankRoutes(log), 'count')[0]!]
  assert.deepEqual(
    sums.map(({ distanceKm }) => distanceKm),
    [10.5, 10.5, 10.5, 10.5],
  )
  assert.equal(statisticsDocument(log, null, '2026-06-15').distanceKm, 11)
})
