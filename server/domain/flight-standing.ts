// Where a flight stands in its log: the how many-th on its route, in its type of aircraft and in this very aircraft, and
// what was new with it. Cancelled flights count nowhere.

import type { Outcome } from './enums.ts'
import { takesPlace } from './outcome.ts'
import { routeKey } from './statistics/sums.ts'

interface Place {
  id: number
  country: string
}

/** What is counted. */
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
  /** 1 for the first; null for a flight that does not count. */
  nth: number | null
  /** All that count, also those still to come, in the order of time. */
  all: Flight[]
}

type First = 'country' | 'airport' | 'airline'

export interface FlightStanding<Flight> {
  /** In both directions. */
  route: Rank<Flight> | null
  type: Rank<Flight> | null
  airframe: Rank<Flight> | null
  /** New with this flight: the country or else the airport it leads to, the airline. */
  firsts: First[]
}

/** `inOrder` are the flights of the log from the earliest to the latest, the flight among them. */
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

/** The first flight of a log has no firsts: everything about it is new. */
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

/** How many of them each year from the first to the last has, for more than fit side by side. */
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
