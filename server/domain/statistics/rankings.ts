// What was flown most: airports, routes, airlines and so on. Ties keep the order of first occurrence.
import type { Named, Place, StatFlight } from './flights.ts'
import { present } from './flights.ts'
import { type Amount, add, registrationOf, routeKey, settle, zero } from './sums.ts'

export interface Ranked<T> extends Amount {
  item: T
}

/** What a share ranks by flights alone. */
export interface Counted<T> {
  item: T
  count: number
  distanceKm?: number
}

export type Measure = 'count' | 'distanceKm'

/** Most first by the measure, then by flights. */
export const ranked = <T extends { count: number; distanceKm?: number }>(
  list: readonly T[],
  measure: Measure,
): T[] => list.toSorted((x, y) => (y[measure] ?? 0) - (x[measure] ?? 0) || y.count - x.count)

function rank<T>(
  flights: readonly StatFlight[],
  itemsOf: (flight: StatFlight) => readonly T[],
  keyOf: (item: T) => string | number,
): Ranked<T>[] {
  const byKey = new Map<string | number, Ranked<T>>()
  for (const flight of flights) {
    for (const item of itemsOf(flight)) {
      const key = keyOf(item)
      let entry = byKey.get(key)
      if (!entry) {
        entry = { item, ...zero() }
        byKey.set(key, entry)
      }
      add(entry, flight)
    }
  }
  return [...byKey.values()].map(settle)
}

const itself = (code: string) => code
const idOf = ({ id }: { id: number }) => id

/** Each end counts by itself: a round flight A to A adds two. */
export const rankVisits = (flights: readonly StatFlight[]): Ranked<Place>[] =>
  rank(flights, ({ from, to }) => present(from, to), idOf)

/** By flights: a round flight is one of its airport, as in the list behind it. */
export const rankAirports = (flights: readonly StatFlight[]): Ranked<Place>[] =>
  rank(flights, ({ from, to }) => (from?.id === to?.id ? present(from) : present(from, to)), idOf)

export const rankAirlines = (flights: readonly StatFlight[]): Ranked<Named>[] =>
  rank(flights, ({ airline }) => present(airline), idOf)

export const rankAircraft = (flights: readonly StatFlight[]): Ranked<Named>[] =>
  rank(flights, ({ aircraft }) => present(aircraft), idOf)

export const rankRegistrations = (flights: readonly StatFlight[]): Ranked<string>[] =>
  rank(flights, (flight) => present(registrationOf(flight)), itself)

/** Once each for a flight, however many of its ends are there. */
const distinct = (a: string | undefined, b: string | undefined): string[] =>
  a === b ? present(a) : present(a, b)

export const rankCountries = (flights: readonly StatFlight[]): Ranked<string>[] =>
  rank(flights, ({ from, to }) => distinct(from?.country, to?.country), itself)

export const rankContinents = (flights: readonly StatFlight[]): Ranked<string>[] =>
  rank(flights, ({ from, to }) => distinct(from?.continent, to?.continent), itself)

/** The two airports of a route, the one with the smaller id first. */
export interface Pair {
  a: Place
  b: Place
}

export const pairOf = ({ from, to }: StatFlight): Pair[] =>
  from && to ? [from.id < to.id ? { a: from, b: to } : { a: to, b: from }] : []

/** Both directions together. */
export const rankRoutes = (flights: readonly StatFlight[]): Ranked<Pair>[] =>
  rank(flights, pairOf, ({ a, b }) => routeKey(a, b))

export interface Direction {
  from: Place
  to: Place
}

/** There and back are two. */
export const rankDirections = (flights: readonly StatFlight[]): Ranked<Direction>[] =>
  rank(
    flights,
    ({ from, to }): Direction[] => (from && to ? [{ from, to }] : []),
    ({ from, to }) => `${from.id}-${to.id}`,
  )
