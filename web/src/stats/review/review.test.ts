import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flight } from '../../api/log.ts'
import { reviewOf } from './review.ts'

const airport = (id: number, country: string) => ({
  id,
  country,
  name: `A${id}`,
  latitude: id,
  longitude: id,
})
const [cph, lhr, syd, akl] = [airport(1, 'DK'), airport(2, 'GB'), airport(3, 'AU'), airport(4, 'NZ')]

let ids = 0
const flight = (year: number, from: object, to: object) =>
  ({
    id: ++ids,
    year,
    date: `${year}-05-01`,
    datePrecision: 'day',
    from,
    to,
    distanceKm: 100,
    duration: 60,
    passengers: [],
  }) as unknown as Flight

/** At home in Copenhagen, with one year in Sydney. */
const log = [
  ...[2023, 2023, 2023, 2023, 2023, 2023, 2025].map((year) => flight(year, cph!, lhr!)),
  flight(2024, syd!, akl!),
  flight(2024, akl!, syd!),
  flight(2024, syd!, akl!),
  flight(2024, akl!, syd!),
  flight(2024, syd!, lhr!),
]

test('home is that of the whole log, not of the year', () => {
  const { home, airport: most } = reviewOf(log, 2024, null)
  assert.equal(home, lhr!.id, 'the busiest of all')
  assert.deepEqual([most?.item.id, most?.count], [syd!.id, 5], 'the busiest of the year is no home')
})

test('home is where the person says it is, if the log knows the place', () => {
  assert.equal(reviewOf(log, 2024, cph!.id).home, cph!.id)
  assert.equal(reviewOf(log, 2023, cph!.id).airport?.item.id, lhr!.id)
  assert.equal(reviewOf(log, 2023, 99).home, lhr!.id)
  assert.deepEqual([reviewOf([], null, null).home, reviewOf([], null, null).airport], [null, null])
})

test('a favourite says of how many flights, and there is none in a year of one flight', () => {
  const { route, airport: most, longest } = reviewOf(log, 2024, null)
  assert.deepEqual([route?.count, route?.of, most?.count, most?.of], [4, 5, 5, 5])
  assert.equal(longest?.id, 8)
  const one = reviewOf(log, 2025, null)
  assert.deepEqual([one.route, one.airport, one.airline, one.longest], [null, null, null, null])
  const sas = { id: 1, name: 'SAS' }
  const named = (flights: number) =>
    log.map((entry, i) => (i < flights ? ({ ...entry, airline: sas } as Flight) : entry))
  assert.equal(reviewOf(named(4), null, null).airline, null, 'known of four flights')
  assert.deepEqual(reviewOf(named(5), null, null).airline, { item: sas, count: 5, of: 5 })
})

test('countries are new in the first year that went there', () => {
  assert.deepEqual(reviewOf(log, 2024, null).newCountries, ['AU', 'NZ'])
  assert.deepEqual(reviewOf(log, 2025, null).newCountries, [])
})
