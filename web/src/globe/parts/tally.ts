// How often flights go from one airport to another: a large log is passed through once, everything else is read from the few hundred pairs.
import type { Airport, MapFlight } from '../types.ts'

export interface Leg {
  from: Airport | null
  to: Airport | null
  flown: number
  planned: number
  /** Of those that were flown. */
  distanceKm: number
}

interface Counted extends Pick<MapFlight, 'from' | 'to' | 'completed' | 'count'> {
  distanceKm?: number | null
}

type Ends = Map<Airport | null, Leg>

export class Tally {
  readonly legs: Leg[] = []
  private readonly byEnds = new Map<Airport | null, Ends>()

  add({ from, to, completed, count = 1, distanceKm }: Counted): void {
    const leg = this.legOf(from, to)
    if (!completed) {
      leg.planned += count
      return
    }
    leg.flown += count
    leg.distanceKm += distanceKm ?? 0
  }

  /** By the airports themselves: numbers of this size would be slower as keys. One airport may be two objects, and have two legs. */
  private legOf(from: Airport | null, to: Airport | null): Leg {
    let ends = this.byEnds.get(from)
    if (!ends) {
      ends = new Map()
      this.byEnds.set(from, ends)
    }
    let leg = ends.get(to)
    if (!leg) {
      leg = { from, to, flown: 0, planned: 0, distanceKm: 0 }
      ends.set(to, leg)
      this.legs.push(leg)
    }
    return leg
  }
}

const known = new WeakMap<readonly Counted[], Tally>()

/** Counted once for one list: figures and scene have the same. */
export function tallyOf(flights: readonly Counted[]): Tally {
  let tally = known.get(flights)
  if (!tally) {
    tally = new Tally()
    for (const flight of flights) tally.add(flight)
    known.set(flights, tally)
  }
  return tally
}

/** If they were counted before. */
export const tallyKnown = (flights: readonly Counted[]): Tally | undefined => known.get(flights)

interface Glance {
  flights: number
  distanceKm: number
  airports: number
  countries: number
  top: Airport | null
}

/** Of the flights that were flown. */
export function glance({ legs }: Tally): Glance {
  const visits = new Map<number, number>()
  const countries = new Set<string>()
  const seen = { flights: 0, distanceKm: 0, top: null as Airport | null }
  for (const { from, to, flown, distanceKm } of legs) {
    if (flown === 0) continue
    seen.flights += flown
    seen.distanceKm += distanceKm
    for (const airport of [from, to]) {
      if (!airport) continue
      countries.add(airport.country)
      visits.set(airport.id, (visits.get(airport.id) ?? 0) + flown)
    }
  }
  const most = Math.max(0, ...visits.values())
  for (const { from, to } of legs)
    seen.top ??= [from, to].find((airport) => airport && visits.get(airport.id) === most) ?? null
  return { ...seen, airports: visits.size, countries: countries.size }
}

/** More than there are airports: a pair of ids as one number. */
const IDS = 2 ** 26

/** Of two airports, in either direction. */
export const pairOf = (a: number, b: number): number => Math.min(a, b) * IDS + Math.max(a, b)

/** How often the most flown pair of airports was flown, for the legend. */
export function mostFlown({ legs }: Tally): number {
  const pairs = new Map<number, number>()
  for (const { from, to, flown } of legs) {
    if (!from || !to || from.id === to.id) continue
    const key = pairOf(from.id, to.id)
    pairs.set(key, (pairs.get(key) ?? 0) + flown)
  }
  return Math.max(0, ...pairs.values())
}
