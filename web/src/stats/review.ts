// Content of the year-in-review card, from the statistics of one year or of all years.

import { EARTH_KM } from '../../../server/domain/statistics/badges.ts'
import { type Figures, figuresOf } from '../../../server/domain/statistics/figures.ts'
import type { Place } from '../../../server/domain/statistics/flights.ts'
import { type Pair, ranked } from '../../../server/domain/statistics/rankings.ts'
import type { Totals } from '../../../server/domain/statistics/sums.ts'
import type { Flight } from '../api/log.ts'

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

/** The second busiest airport: the busiest is usually home. */
function secondHome({ airports }: Figures): Review['airport'] {
  const second = ranked(airports, 'count')[1]
  return second ? { item: second.item, count: second.count } : null
}

export function reviewOf(completed: readonly Flight[], year: number | null): Review {
  const flights = completed.filter((flight) => year === null || flight.year === year)
  const earlier = countriesOf(completed.filter((flight) => year !== null && flight.year < year))
  const figures = figuresOf(flights, null)
  const { totals: sum, records } = figures
  const [route] = ranked(figures.routes, 'count')
  const [airline] = ranked(figures.airlines, 'count')
  return {
    year,
    flights,
    sum,
    laps: sum.distanceKm / EARTH_KM,
    route: route ? { item: route.item, count: route.count } : null,
    airline: airline ? { name: airline.item.name, count: airline.count } : null,
    airport: secondHome(figures),
    longest: flights.find((flight) => flight.id === records.longest?.id) ?? null,
    newCountries: year === null ? [] : [...countriesOf(flights)].filter((code) => !earlier.has(code)).sort(),
  }
}
