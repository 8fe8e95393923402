// What was flown most: airports, routes, airlines and so on. On a tie, the first occurrence wins.
import { compute, type Figure } from './figure.ts'
import type { Named, Place, StatFlight } from './flights.ts'
import { leading } from './leading.ts'
import { type Amount, add, addAmount, directionNumber, registrationOf, routeNumber, settle } from './sums.ts'

export interface Ranked<T> extends Amount {
  item: T
}

/** The ranking of a share, by flights only. */
export interface Counted<T> {
  item: T
  count: number
  distanceKm?: number
}

export type Measure = 'count' | 'distanceKm'

/** By the measure, then by flights, the largest first. */
export const ranked = <T extends { count: number; distanceKm?: number }>(
  list: readonly T[],
  measure: Measure,
): T[] => list.toSorted((x, y) => (y[measure] ?? 0) - (x[measure] ?? 0) || y.count - x.count)

interface Occurrence<T> extends Amount {
  item: T
  /** The first occurrence: the flight's id, and the position among the items of that flight. */
  flightId: number
  place: number
}
export type RankState<T> = Map<string | number, Occurrence<T>>

const isEarlier = <T>(a: Occurrence<T>, b: Occurrence<T>): boolean =>
  a.flightId === b.flightId ? a.place < b.place : a.flightId < b.flightId

function count<T>(
  state: RankState<T>,
  key: string | number,
  item: T,
  flight: StatFlight,
  place: number,
): void {
  let entry = state.get(key)
  if (!entry) {
    entry = { item, flightId: flight.id, place, count: 0, distanceKm: 0, seconds: 0 }
    state.set(key, entry)
  } else if (flight.id < entry.flightId) {
    entry.flightId = flight.id
    entry.place = place
  }
  add(entry, flight)
}

type ItemOf<T> = (flight: StatFlight) => T | null | undefined

/** A flight has one item, or two: one per end. */
const rankFigure = <T>(
  keyOf: (item: T) => string | number,
  itemOf: ItemOf<T>,
  otherOf?: ItemOf<T>,
): Figure<RankState<T>, Ranked<T>[]> => ({
  start: () => new Map(),
  add(state, flight) {
    const item = itemOf(flight)
    if (item !== null && item !== undefined) count(state, keyOf(item), item, flight, 0)
    const other = otherOf?.(flight)
    if (other !== null && other !== undefined) count(state, keyOf(other), other, flight, 1)
  },
  merge(state, part) {
    for (const [key, more] of part) {
      const entry = state.get(key)
      if (!entry) state.set(key, { ...more })
      else {
        if (isEarlier(more, entry)) [entry.flightId, entry.place] = [more.flightId, more.place]
        addAmount(entry, more)
      }
    }
  },
  result: (state) =>
    [...state.values()]
      .sort((a, b) => (isEarlier(a, b) ? -1 : 1))
      .map(({ item, count, distanceKm, seconds }) => settle({ item, count, distanceKm, seconds })),
})

/** The most flown ones; on a tie, the first to occur. */
export const topOf = <T>(state: RankState<T>, most: number): Counted<T>[] =>
  leading(state.values(), (a, b) => b.count - a.count || a.flightId - b.flightId || a.place - b.place, most)

const itself = (code: string) => code
const idOf = ({ id }: { id: number }) => id
const fromOf = ({ from }: StatFlight) => from
const toOf = ({ to }: StatFlight) => to

/** Each end counts: a round flight A to A adds two. */
export const visitsFigure = rankFigure<Place>(idOf, fromOf, toOf)
export const rankVisits = (flights: readonly StatFlight[]): Ranked<Place>[] => compute(visitsFigure, flights)

/** By flights: a round flight counts once for its airport, as in the list of its flights. */
const airportsFigure = rankFigure<Place>(idOf, fromOf, ({ from, to }) => (from?.id === to?.id ? null : to))
export const rankAirports = (flights: readonly StatFlight[]): Ranked<Place>[] =>
  compute(airportsFigure, flights)

export const airlinesFigure = rankFigure<Named>(idOf, ({ airline }) => airline)
export const rankAirlines = (flights: readonly StatFlight[]): Ranked<Named>[] =>
  compute(airlinesFigure, flights)

export const aircraftFigure = rankFigure<Named>(idOf, ({ aircraft }) => aircraft)
export const rankAircraft = (flights: readonly StatFlight[]): Ranked<Named>[] =>
  compute(aircraftFigure, flights)

export const registrationsFigure = rankFigure<string>(itself, registrationOf)
export const rankRegistrations = (flights: readonly StatFlight[]): Ranked<string>[] =>
  compute(registrationsFigure, flights)

/** Once per flight, even if both ends are in the place. */
const rankPlaces = (codeOf: (place: Place) => string) =>
  rankFigure<string>(
    itself,
    ({ from }) => from && codeOf(from),
    ({ from, to }) => (from && to && codeOf(from) === codeOf(to) ? null : to && codeOf(to)),
  )

export const countriesFigure = rankPlaces(({ country }) => country)
export const rankCountries = (flights: readonly StatFlight[]): Ranked<string>[] =>
  compute(countriesFigure, flights)

export const continentsFigure = rankPlaces(({ continent }) => continent)
export const rankContinents = (flights: readonly StatFlight[]): Ranked<string>[] =>
  compute(continentsFigure, flights)

/** The two airports of a route, the one with the smaller id first. */
export interface Pair {
  a: Place
  b: Place
}

export const pairOf = ({ from, to }: StatFlight): Pair[] =>
  from && to ? [from.id < to.id ? { a: from, b: to } : { a: to, b: from }] : []

/** Both directions count as one route. */
export const routesFigure = rankFigure<Pair>(
  ({ a, b }) => routeNumber(a, b),
  (flight) => pairOf(flight)[0],
)
export const rankRoutes = (flights: readonly StatFlight[]): Ranked<Pair>[] => compute(routesFigure, flights)

export interface Direction {
  from: Place
  to: Place
}

/** Each direction counts separately. */
export const directionsFigure = rankFigure<Direction>(
  ({ from, to }) => directionNumber(from, to),
  ({ from, to }) => (from && to ? { from, to } : null),
)
