// Content of the year-in-review card, from the statistics of one year or of all years.

import { EARTH_KM } from '../../../server/domain/statistics/badges.ts'
import { byId, figuresOf } from '../../../server/domain/statistics/figures.ts'
import type { Place } from '../../../server/domain/statistics/flights.ts'
import { type Pair, rankAirports, ranked } from '../../../server/domain/statistics/rankings.ts'
import type { Totals } from '../../../server/domain/statistics/sums.ts'
import type { Flight } from '../api/log.ts'

export interface Review {
  year: number | null
  flights: Flight[]
  sum: Totals
  laps: number
  route: { item: Pair; count: number } | null
  airline: { name: string; count: number } | null
  /** The most visited airport that is not home. */
  airport: { item: Place; count: number } | null
  home: number | null
  longest: Flight | null
  /** Countries never flown to before that year. */
  newCountries: string[]
}

const countriesOf = (flights: readonly Flight[]): Set<string> =>
  new Set(flights.flatMap((f) => [f.from?.country, f.to?.country].filter((code) => code !== undefined)))

/** Where the person lives: as they say, else the busiest airport of the whole log. One year may have been spent elsewhere. */
function homeOf(completed: readonly Flight[], preferred: number | null): number | null {
  const airports = ranked(rankAirports(byId(completed)), 'count')
  return (airports.find(({ item }) => item.id === preferred) ?? airports[0])?.item.id ?? null
}

/** `preferredHome` is the id of an airport. */
export function reviewOf(
  completed: readonly Flight[],
  year: number | null,
  preferredHome: number | null,
): Review {
  const flights = completed.filter((flight) => year === null || flight.year === year)
  const earlier = countriesOf(completed.filter((flight) => year !== null && flight.year < year))
  const figures = figuresOf(flights, null)
  const { totals: sum, records } = figures
  const [route] = ranked(figures.routes, 'count')
  const [airline] = ranked(figures.airlines, 'count')
  const home = homeOf(completed, preferredHome)
  const away = ranked(figures.airports, 'count').find(({ item }) => item.id !== home)
  return {
    year,
    flights,
    sum,
    laps: sum.distanceKm / EARTH_KM,
    route: route ? { item: route.item, count: route.count } : null,
    airline: airline ? { name: airline.item.name, count: airline.count } : null,
    airport: away ? { item: away.item, count: away.count } : null,
    home,
    longest: flights.find((flight) => flight.id === records.longest?.id) ?? null,
    newCountries: year === null ? [] : [...countriesOf(flights)].filter((code) => !earlier.has(code)).sort(),
  }
}
