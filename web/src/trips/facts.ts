/** The facts of a trip: its flights in travel order, and the figures calculated from them. */

import { takesPlace } from '../../../server/domain/flights/outcome.ts'
import { distanceKm } from '../../../server/domain/geo/geo.ts'
import { TRIP_NAME_AT_MOST } from '../../../server/domain/limits.ts'
import { daysBetween } from '../../../server/domain/time/calendar.ts'
import { byDeparture } from '../../../server/domain/trips/journey.ts'
import type { Flight } from '../api/log.ts'
import type { Airport } from '../api/types.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { airportCity, airportCode, formatDate } from '../lib/format.ts'
import type { Trip } from './trips.svelte.ts'

export interface TripFacts {
  /** In the order in which they are flown. */
  flights: Flight[]
  /** `CPH → EWR → CPH`. */
  routes: string[]
  distanceKm: number
  /** In the air, estimates included. */
  seconds: number
  countries: number
  /** From the first departure to the last, both included; null if a day is not known. */
  days: number | null
}

/** Only flights that are in this browser's copy of the log. */
export function factsOf(
  { flightIds }: Pick<Trip, 'flightIds'>,
  find: (id: number) => Flight | undefined,
): TripFacts {
  const flights = flightIds
    .map(find)
    .filter((flight) => flight !== undefined)
    .sort(byDeparture)
  const counted = flights.filter(takesPlace)
  const sum = (value: (flight: Flight) => number | null) =>
    counted.reduce((total, flight) => total + (value(flight) ?? 0), 0)
  const countries = counted.flatMap(({ from, to }) => [from?.country, to?.country]).filter(Boolean)
  return {
    flights,
    routes: routesOf(counted),
    distanceKm: sum((flight) => flight.distanceKm),
    seconds: sum((flight) => flight.duration),
    countries: new Set(countries).size,
    days: daysOf(counted),
  }
}

/** One route for each part of the trip without a gap on the ground. */
export function routesOf(flights: readonly Flight[]): string[] {
  const routes: string[][] = []
  let at: number | undefined
  for (const { from, to } of flights) {
    if (from?.id === undefined || from.id !== at) routes.push([airportCode(from)])
    routes.at(-1)!.push(airportCode(to))
    at = to?.id
  }
  return routes.map((codes) => codes.join(' → '))
}

function daysOf(flights: readonly Flight[]): number | null {
  const [first, last] = [flights[0], flights.at(-1)]
  if (!first || !last || flights.some(({ datePrecision }) => datePrecision !== 'day')) return null
  return daysBetween(first.date, last.date) + 1
}

/** `20 Feb 2026 – 28 Feb 2026`, or one of them; empty without flights. */
export function spanOf(flights: readonly Flight[]): string {
  const days = [flights[0], flights.at(-1)].flatMap((flight) =>
    flight ? [formatDate(flight.date, flight.datePrecision)] : [],
  )
  return [...new Set(days)].join(' – ')
}

/** The destination of a trip: the airport farthest from its first one. */
export function farthest(flights: readonly Flight[]): Airport | null {
  const start = flights[0]?.from ?? null
  const places = flights.flatMap(({ to }) => (to ? [to] : []))
  if (!start) return places[0] ?? null
  return places.reduce<Airport | null>(
    (best, place) => (best && distanceKm(start, best) >= distanceKm(start, place) ? best : place),
    null,
  )
}

/** `Newark, March 2025`; empty if no place is known. */
export function suggestedName(inOrder: readonly Flight[]): string {
  const [place, first] = [farthest(inOrder), inOrder[0]]
  if (!place || !first) return ''
  const month = formatDate(first.date, first.datePrecision === 'year' ? 'year' : 'month')
  return t('trips.suggested', { city: airportCity(place), month }).slice(0, TRIP_NAME_AT_MOST)
}

/** The latest first. Trips without flights come before all others, because they still need flights. */
export const byLatest = (a: { facts: TripFacts }, b: { facts: TripFacts }): number => {
  const [x, y] = [a, b].map(({ facts }) => facts.flights.at(-1)?.date ?? '9999') as [string, string]
  return x === y ? 0 : x < y ? 1 : -1
}

/** Whether the flight is on the server. One that is not synced yet has a negative id and cannot be in a trip. */
export const isStored = ({ id }: { id: number }): boolean => id > 0

/** Flights outside the trip that match the search, nearest in time first. */
export function candidates(log: readonly Flight[], inTrip: readonly Flight[], search: string): Flight[] {
  const taken = new Set(inTrip.map(({ id }) => id))
  const [first, last] = [inTrip[0]?.date, inTrip.at(-1)?.date]
  const away = ({ date }: Flight): number => {
    if (first === undefined || last === undefined) return 0
    return date < first ? daysBetween(date, first) : date > last ? daysBetween(last, date) : 0
  }
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return log
    .filter(isStored)
    .filter((flight) => !taken.has(flight.id) && words.every((word) => textOf(flight).includes(word)))
    .map((flight) => ({ flight, away: away(flight) }))
    .sort((a, b) => a.away - b.away)
    .map(({ flight }) => flight)
}

const textOf = ({ date, datePrecision, from, to, flightNumber, airline }: Flight): string =>
  [date, formatDate(date, datePrecision), flightNumber, airline?.name]
    .concat(
      [from, to].flatMap((place) => [
        place?.iata,
        place?.icao,
        place?.name,
        place?.municipality,
        place && airportCity(place),
      ]),
    )
    .join(' ')
    .toLowerCase()
