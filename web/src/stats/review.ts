// What the year-in-review card says: chosen from the statistics of one year, or of all.
import type { Flight } from '../api/log.ts'
import {
  EARTH_KM,
  type Pair,
  type Place,
  rankAirlines,
  rankAirports,
  rankRoutes,
  records,
  type Totals,
  top,
  totals,
} from './compute.ts'

export interface Review {
  year: number | null
  flights: Flight[]
  sum: Totals
  laps: number
  route: { item: Pair; count: number } | null
  airline: { name: string; count: number } | null
  airport: { item: Place; count: number } | null
  longest: Flight | null
  /** Countries never flown to before that year. */
  newCountries: string[]
}

const countriesOf = (flights: readonly Flight[]): Set<string> =>
  new Set(flights.flatMap((f) => [f.from?.country, f.to?.country].filter((code) => code !== undefined)))

/** The busiest airport after the busiest: home is no news. */
function secondHome(flights: readonly Flight[]): Review['airport'] {
  const second = top(rankAirports(flights), 'count', 2)[1]
  return second ? { item: second.item, count: second.count } : null
}

export function reviewOf(completed: readonly Flight[], year: number | null): Review {
  const flights = completed.filter((flight) => year === null || flight.year === year)
  const earlier = countriesOf(completed.filter((flight) => year !== null && flight.year < year))
  const sum = totals(flights)
  const route = top(rankRoutes(flights), 'count', 1)[0]
  const airline = top(rankAirlines(flights), 'count', 1)[0]
  const longest = records(flights).longest
  return {
    year,
    flights,
    sum,
    laps: sum.distanceKm / EARTH_KM,
    route: route ? { item: route.item, count: route.count } : null,
    airline: airline ? { name: airline.item.name, count: airline.count } : null,
    airport: secondHome(flights),
    longest: flights.find((flight) => flight.id === longest?.id) ?? null,
    newCountries: year === null ? [] : [...countriesOf(flights)].filter((code) => !earlier.has(code)).sort(),
  }
}
