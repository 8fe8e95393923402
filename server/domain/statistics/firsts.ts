// When something was new: the first flight to a country, with an airline and so on.
import { compute, type Figure } from './figure.ts'
import type { Named, Place, StatFlight } from './flights.ts'
import { inTime } from './in-order.ts'
import { leading } from './leading.ts'

export const firstKinds = ['continent', 'country', 'airport', 'airline', 'aircraft'] as const

type FirstItem =
  | { kind: 'continent' | 'country'; code: string }
  | { kind: 'airport'; airport: Place }
  | { kind: 'airline' | 'aircraft'; item: Named }
export type First = FirstItem & { flight: StatFlight }
type FirstKind = (typeof firstKinds)[number]

/** The first flight, and the position of the item among items of its kind on that flight. */
interface Occurrence {
  item: FirstItem
  flight: StatFlight
  place: number
}
export type FirstsState = Record<FirstKind, Seen>

type Seen = Map<string | number, Occurrence>

const isNew = (seen: Seen, identity: string | number, flight: StatFlight): boolean => {
  const known = seen.get(identity)
  return !known || (known.flight !== flight && inTime(flight, known.flight) < 0)
}

function addPlace(state: FirstsState, flight: StatFlight, airport: Place, place: number): void {
  for (const kind of ['continent', 'country'] as const) {
    const code = airport[kind]
    if (isNew(state[kind], code, flight)) state[kind].set(code, { item: { kind, code }, flight, place })
  }
  if (isNew(state.airport, airport.id, flight))
    state.airport.set(airport.id, { item: { kind: 'airport', airport }, flight, place })
}

function addNamed(state: FirstsState, flight: StatFlight, kind: 'airline' | 'aircraft'): void {
  const item = flight[kind]
  if (item && isNew(state[kind], item.id, flight))
    state[kind].set(item.id, { item: { kind, item }, flight, place: 0 })
}

/** Flights without a date are left out. */
export const firstsFigure: Figure<FirstsState, First[]> = {
  start: () => Object.fromEntries(firstKinds.map((kind) => [kind, new Map()])) as FirstsState,
  add(state, flight) {
    if (!flight.date) return
    if (flight.from) addPlace(state, flight, flight.from, 0)
    if (flight.to) addPlace(state, flight, flight.to, 1)
    addNamed(state, flight, 'airline')
    addNamed(state, flight, 'aircraft')
  },
  merge(state, part) {
    for (const kind of firstKinds)
      for (const [identity, found] of part[kind])
        if (isNew(state[kind], identity, found.flight)) state[kind].set(identity, found)
  },
  /** In time order; for one flight, the greatest novelty first. */
  result: (state) =>
    firstKinds
      .flatMap((kind, novelty) => inOrderOfTime(state[kind]).map((found) => ({ ...found, novelty })))
      .sort((x, y) => inTime(x.flight, y.flight) || x.novelty - y.novelty || x.place - y.place)
      .map(({ item, flight }) => ({ ...item, flight })),
}

const noveltyOf = ({ item }: Occurrence): number => firstKinds.indexOf(item.kind)

/** The last ones, newest first. */
export const newestFirsts = (state: FirstsState, most: number): First[] =>
  leading(
    firstKinds.flatMap((kind) => [...state[kind].values()]),
    (x, y) => inTime(y.flight, x.flight) || noveltyOf(y) - noveltyOf(x) || y.place - x.place,
    most,
  ).map(({ item, flight }) => ({ ...item, flight }))

/** The new items of a kind, in time order. */
export const inOrderOfTime = (seen: ReadonlyMap<unknown, Occurrence>): Occurrence[] =>
  [...seen.values()].sort((x, y) => inTime(x.flight, y.flight) || x.place - y.place)

export const firsts = (flights: readonly StatFlight[]): First[] => compute(firstsFigure, flights)
