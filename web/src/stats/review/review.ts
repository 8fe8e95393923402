// Content of the year-in-review card, from the statistics of one year or of all years.

import { EARTH_KM } from '../../../../server/domain/statistics/badges.ts'
import { isEnough } from '../../../../server/domain/statistics/enough.ts'
import { byId, figuresOf } from '../../../../server/domain/statistics/figures.ts'
import type { Named, Place } from '../../../../server/domain/statistics/flights.ts'
import {
  type Counted,
  type Pair,
  rankAirports,
  ranked,
} from '../../../../server/domain/statistics/rankings.ts'
import type { Totals } from '../../../../server/domain/statistics/sums.ts'
import type { Flight } from '../../api/log.ts'

export interface Review {
  year: number | null
  flights: Flight[]
  sum: Totals
  laps: number
  /** The favourites, if there are any. */
  route: Favourite<Pair> | null
  airline: Favourite<Named> | null
  /** The most visited airport that is not home. */
  airport: Favourite<Place> | null
  home: number | null
  longest: Flight | null
  /** Countries with no flight before that year. */
  newCountries: string[]
}

export interface Favourite<Item> {
  item: Item
  count: number
  /** Flights with a known value. */
  of: number
}

/** The most flown value, unless it was flown only once or is known for too few flights. */
const favourite = <Item>(top: Counted<Item> | undefined, of: number): Favourite<Item> | null =>
  top && top.count > 1 && isEnough(of) ? { item: top.item, count: top.count, of } : null

const countriesOf = (flights: readonly Flight[]): Set<string> =>
  new Set(flights.flatMap((f) => [f.from?.country, f.to?.country].filter((code) => code !== undefined)))

/** Home: what the person set, otherwise the busiest airport of the whole log; one year may have been spent elsewhere. */
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
  const known = (has: (flight: Flight) => unknown) => flights.filter(has).length
  const home = homeOf(completed, preferredHome)
  const away = ranked(figures.airports, 'count').find(({ item }) => item.id !== home)
  return {
    year,
    flights,
    sum,
    laps: sum.distanceKm / EARTH_KM,
    route: favourite(
      ranked(figures.routes, 'count')[0],
      known(({ from, to }) => from && to),
    ),
    airline: favourite(
      ranked(figures.airlines, 'count')[0],
      known(({ airline }) => airline),
    ),
    airport: favourite(
      away,
      known(({ from, to }) => from ?? to),
    ),
    home,
    longest: flights.find((flight) => flight.id === records.longest?.id) ?? null,
    newCountries: year === null ? [] : [...countriesOf(flights)].filter((code) => !earlier.has(code)).sort(),
  }
}
