// The ordinal of a flight in the log: the nth on its route, in its aircraft type and in its aircraft, and what was new with it.
// Cancelled flights are not counted.

import type { Outcome } from '../enums.ts'
import { takesPlace } from '../flights/outcome.ts'
import { routeKey } from './sums.ts'

interface Place {
  id: number
  country: string
}

/** The fields that are used here. */
interface LoggedFlight {
  id: number
  from: Place | null
  to: Place | null
  airline: { id: number } | null
  aircraft: { id: number } | null
  aircraftReg: string | null
  outcome?: Outcome | undefined
}

interface Rank<Flight> {
  /** 1 for the first; null for a flight that is not counted. */
  nth: number | null
  /** All counted flights, including upcoming ones, in time order. */
  all: Flight[]
}

type First = 'country' | 'airport' | 'airline'

export interface FlightStanding<Flight> {
  /** In both directions. */
  route: Rank<Flight> | null
  type: Rank<Flight> | null
  airframe: Rank<Flight> | null
  /** New with this flight: the country, or otherwise the airport, at the destination; the airline. */
  firsts: First[]
}

/** `inOrder`: the flights of the log from the earliest to the latest, including this one. */
export function flightStanding<Flight extends LoggedFlight>(
  flight: Flight,
  inOrder: readonly Flight[],
): FlightStanding<Flight> {
  const counted = inOrder.filter(takesPlace)
  const rankBy = (keyOf: (one: Flight) => unknown): Rank<Flight> | null => {
    const key = keyOf(flight)
    if (key === null) return null
    const all = counted.filter((one) => keyOf(one) === key)
    const index = all.findIndex(({ id }) => id === flight.id)
    return { nth: index < 0 ? null : index + 1, all }
  }
  return {
    route: rankBy(({ from, to }) => (from && to ? routeKey(from, to) : null)),
    type: rankBy(({ aircraft }) => aircraft?.id ?? null),
    airframe: rankBy(({ aircraftReg }) => (aircraftReg ? lettersOf(aircraftReg) : null)),
    firsts: firstsOf(flight, counted),
  }
}

/** A registration is the same with and without its hyphen. */
const lettersOf = (registration: string): string => registration.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** The first flight of a log has no firsts, because everything is new. */
function firstsOf<Flight extends LoggedFlight>(flight: Flight, counted: readonly Flight[]): First[] {
  const index = counted.findIndex(({ id }) => id === flight.id)
  if (index < 1) return []
  const { from, to, airline } = flight
  const earlier = counted.slice(0, index)
  const wasAt = (is: (place: Place) => boolean) =>
    (from !== null && is(from)) ||
    earlier.some((one) => [one.from, one.to].some((place) => place && is(place)))
  const firsts: First[] = []
  if (to && !wasAt(({ country }) => country === to.country)) firsts.push('country')
  else if (to && !wasAt(({ id }) => id === to.id)) firsts.push('airport')
  if (airline && !earlier.some((one) => one.airline?.id === airline.id)) firsts.push('airline')
  return firsts
}

/** The number of flights in each year from the first to the last, for when there are too many to list. */
export function countsByYear(flights: readonly { date: string }[]): { year: number; count: number }[] {
  const years = flights.map(({ date }) => Number(date.slice(0, 4)))
  if (years.length === 0) return []
  const first = Math.min(...years)
  const counts = Array.from({ length: Math.max(...years) - first + 1 }, (_, i) => ({
    year: first + i,
    count: 0,
  }))
  for (const year of years) counts[year - first]!.count++
  return counts
}
