// The explanation of a figure adds up to the figure, and its links lead to the same flights.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupings } from '../../../server/domain/enums.ts'
import type { Flight } from '../api/flights-of-log.ts'
import { apply, noFilters } from '../log/filters.ts'
import {
  basisOf,
  countedBy,
  type ExplainedFigure,
  figureIn,
  filtersOf,
  flightsBehind,
  groupsOf,
} from './explained.ts'
import { countedFlights, pageFigures, pageInsights } from './page-figures.ts'

const ME = 'ada'
const airport = (id: number, country = 'DK') => ({
  id,
  iata: `A${id}X`,
  icao: `XX0${id}`,
  name: `Airport ${id}`,
  country,
  latitude: 50 + id,
  longitude: 10 * id,
})
const airline = (id: number) => ({ id, name: `Airline ${id}`, iata: null, icao: null })

/** Some lack an airport, an airline, times or a precise date; some are not counted. */
const flights = Array.from({ length: 60 }, (_, i) => {
  const isUpcoming = i % 13 === 12
  return {
    id: i + 1,
    date: `${2015 + (i % 7)}-${String((i % 12) + 1).padStart(2, '0')}-01`,
    datePrecision: i % 11 === 0 ? 'year' : i % 5 === 0 ? 'month' : 'day',
    year: 2015 + (i % 7),
    from: i % 17 === 5 ? null : airport((i % 4) + 1, i % 4 === 3 ? 'SE' : 'DK'),
    to: airport((i % 5) + 2, i % 5 === 4 ? 'NO' : 'DK'),
    distanceKm: i % 17 === 5 ? null : 100 + i * 7.25,
    duration: i % 19 === 4 ? null : 3600 + i * 60,
    durationEstimated: i % 6 === 0,
    airline: i % 4 === 0 ? null : airline(i % 3),
    aircraft: i % 3 === 0 ? null : airline(i % 5),
    aircraftReg: i % 8 === 0 ? 'OY-KAL' : null,
    ...(i % 3 === 1 ? { arrivalDelay: (i % 10) * 4 - 6 } : {}),
    departure: i % 5 === 1 ? `2024-01-01T${String(i % 24).padStart(2, '0')}:10:00Z` : null,
    arrival: '2024-01-02T00:00:00Z',
    outcome: i % 23 === 7 ? 'cancelled' : 'flown',
    completed: !isUpcoming,
    passengers: [
      {
        user: ME,
        guest: null,
        seat: null,
        seatClass: i % 2 ? 'economy' : null,
        reason: i % 3 ? 'leisure' : null,
      },
      ...(i % 4 === 1 ? [{ user: null, guest: 'Joan', seat: null, seatClass: null, reason: null }] : []),
      ...(i % 6 === 1 ? [{ user: 'bob', guest: null, seat: null, seatClass: null, reason: null }] : []),
    ],
  }
}) as unknown as Flight[]

const { totals } = pageFigures(flights, { scope: 'mine' }, ME)
const insights = pageInsights(flights, Date.UTC(2026, 5, 15))
const basis = basisOf(flights)

test('what is counted and what is left out is every flight', () => {
  assert.equal(basis.flights.length, totals.flights)
  assert.equal(basis.flights.length + basis.upcoming + basis.cancelled, flights.length)
  assert.ok(basis.upcoming > 0 && basis.cancelled > 0 && basis.withoutDistance > 0)
  assert.equal(basis.estimatedSeconds, totals.estimatedSeconds)
  assert.ok(basis.unknownFlights > 0)
})

test('the groups of a sum add up to it', () => {
  const adding: ExplainedFigure[] = ['flights', 'distance', 'time', 'night']
  for (const figure of adding) {
    for (const groupBy of ['year', 'month', 'airline', 'aircraft', 'registration', 'route'] as const) {
      const groups = groupsOf(basis.flights, figure, groupBy, ME)
      const sum = groups.reduce((total, { size }) => total + size, 0)
      // Distances of groups are whole kilometres.
      const slack = figure === 'distance' ? groups.length : 0
      assert.ok(
        Math.abs(sum - figureIn(figure, totals, insights)) <= slack,
        `${figure} by ${groupBy}: ${sum}`,
      )
    }
  }
})

test('the share on time of each group is that of its flights', () => {
  const timed = flightsBehind(basis.flights, 'onTime')
  assert.ok(timed.length > 5 && timed.length < basis.flights.length)
  const groups = groupsOf(basis.flights, 'onTime', 'year', ME)
  const punctual = groups.reduce((sum, { size, count }) => sum + (size * count) / 100, 0)
  const { arrivals } = insights.punctuality
  assert.deepEqual([Math.round(punctual), timed.length], [arrivals.onTime, arrivals.flights])
  assert.equal(figureIn('onTime', totals, insights), (100 * arrivals.onTime) / arrivals.flights)
  assert.ok(arrivals.onTime > 0 && arrivals.onTime < arrivals.flights)
  const late = apply(flights, { ...noFilters, arrivals: ['late'] })
  assert.equal(countedFlights(late).length, arrivals.flights - arrivals.onTime)
})

test('an average is that of the flights with a distance, of each group too', () => {
  const measured = flightsBehind(basis.flights, 'average')
  assert.equal(measured.length, basis.flights.length - basis.withoutDistance)
  const sum = measured.reduce((total, { distanceKm }) => total + distanceKm!, 0)
  assert.ok(Math.abs(figureIn('average', totals, insights) - sum / measured.length) < 1e-6)
  const groups = groupsOf(basis.flights, 'average', 'year', ME)
  assert.equal(
    groups.reduce((total, { count }) => total + count, 0),
    measured.length,
  )
})

test('a figure that counts values has one group for each', () => {
  for (const [figure, groupBy] of Object.entries(countedBy)) {
    const known = groupsOf(basis.flights, figure as ExplainedFigure, groupBy, ME).filter(
      ({ key }) => key !== null,
    )
    assert.equal(known.length, figureIn(figure as ExplainedFigure, totals, insights), figure)
  }
})

test('years are newest first, everything else largest first, and what is not recorded is last', () => {
  const years = groupsOf(basis.flights, 'flights', 'year', ME).map(({ key }) => key)
  assert.deepEqual(years, years.toSorted().reverse())
  const airlines = groupsOf(basis.flights, 'distance', 'airline', ME)
  assert.equal(airlines.at(-1)?.key, null)
  const sizes = airlines.slice(0, -1).map(({ size }) => size)
  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => b - a),
  )
})

test('the link of a group leads to its flights', () => {
  const routes = new Map<string, string>()
  for (const { from, to } of flights) {
    if (!from || !to) continue
    const [a, b] = from.id < to.id ? [from, to] : [to, from]
    routes.set(`${a.iata}-${b.iata}`, `${a.id}-${b.id}`)
  }
  for (const groupBy of groupings) {
    for (const group of groupsOf(basis.flights, 'flights', groupBy, ME)) {
      const filters = filtersOf(group, groupBy, routes)
      assert.ok(filters, `${groupBy} ${group.key}`)
      const isCounted = ({ user }: { user: string | null }) => user === ME
      const found = basisOf(apply(flights, { ...noFilters, ...filters }, undefined, isCounted)).flights
      assert.equal(found.length, group.count, `${groupBy} ${group.key}`)
    }
  }
})
