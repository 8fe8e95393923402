import '../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flight } from '../api/log.ts'

const { byLatest, candidates, factsOf, farthest } = await import('./facts.ts')

const airport = (id: number, iata: string, country: string, longitude: number) => ({
  ...{ id, iata, icao: `X${iata}`, country, name: iata, municipality: iata, longitude, latitude: 50 },
})
const cph = airport(1, 'CPH', 'DK', 12)
const osl = airport(2, 'OSL', 'NO', 11)
const ewr = airport(3, 'EWR', 'US', -74)

const flight = (id: number, date: string, from: object, to: object, more: object = {}): Flight =>
  ({
    ...{ id, date, datePrecision: 'day', from, to, departs: null, departureLocal: null, outcome: 'flown' },
    ...{ distanceKm: 100, duration: 3600, flightNumber: `SK${id}`, airline: null },
    ...more,
  }) as unknown as Flight

const out = flight(1, '2025-03-01', cph, osl)
const on = flight(2, '2025-03-02', osl, ewr)
const gap = flight(3, '2025-03-09', ewr, cph)
const cancelled = flight(4, '2025-03-20', cph, osl, { outcome: 'cancelled' })
const all = [gap, cancelled, out, on]
const find = (id: number) => all.find((one) => one.id === id)

test('the flights of a trip in travel order, and what they amount to', () => {
  const facts = factsOf({ flightIds: [3, 2, 1, 4, 99] }, find)
  assert.deepEqual(
    facts.flights.map(({ id }) => id),
    [1, 2, 3, 4],
  )
  assert.deepEqual(facts.routes, ['CPH → OSL → EWR → CPH'])
  // A cancelled flight counts nowhere.
  assert.deepEqual([facts.distanceKm, facts.seconds, facts.countries, facts.days], [300, 10_800, 3, 9])
})

test('a gap on the ground parts the route, and a date known by its month gives no days', () => {
  assert.deepEqual(factsOf({ flightIds: [1, 3] }, find).routes, ['CPH → OSL', 'EWR → CPH'])
  const vague = flight(5, '2025-03-01', cph, osl, { datePrecision: 'month' })
  assert.equal(factsOf({ flightIds: [5] }, () => vague).days, null)
  assert.equal(factsOf({ flightIds: [] }, find).days, null)
})

test('a trip is named after the farthest place from where it began', () => {
  assert.equal(farthest([out, on, gap])?.iata, 'EWR')
  assert.equal(farthest([]), null)
})

test('trips without flights come first, then the latest', () => {
  const of = (...flightIds: number[]) => ({ facts: factsOf({ flightIds }, find) })
  const sorted = [of(1), of(), of(3)].sort(byLatest)
  assert.deepEqual(
    sorted.map(({ facts }) => facts.flights.length && facts.flights[0]!.id),
    [0, 3, 1],
  )
})

test('flights for a trip: not those in it, the nearest first, and those that a search finds', () => {
  const far = flight(6, '2020-01-01', cph, osl, { flightNumber: 'LH7' })
  const log = [...all, far]
  const ids = (inTrip: Flight[], search = '') => candidates(log, inTrip, search).map(({ id }) => id)
  assert.deepEqual(ids([on]), [1, 3, 4, 6])
  assert.deepEqual(ids([on], 'lh7'), [6])
  assert.deepEqual(ids([on], 'cph nowhere'), [])
  const waiting = flight(-1, '2025-03-02', cph, osl)
  assert.deepEqual(candidates([waiting], [], ''), [], 'one that waits to be sent cannot be added')
})
