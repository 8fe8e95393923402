// Badges: how far a log has come towards each, and the flight that reached it.

import { angleBetween, RAD, type Vector, vectorOf } from '../geo/sphere.ts'
import { aircraftFamily } from '../reference/aircraft-family.ts'
import { compute, type Figure } from './figure.ts'
import { type FirstsState, firstsFigure, inOrderOfTime } from './firsts.ts'
import type { Place, StatFlight } from './flights.ts'
import { inTime } from './in-order.ts'
import { routeNumber, settled } from './sums.ts'

/** Well-known distances to compare with. */
export const EARTH_KM = 40_075.017
export const MOON_KM = 384_400
/** Where the sun does not set at midsummer. */
export const POLAR_CIRCLE = 66.56

export const badgeKinds = [
  'distance',
  'countries',
  'continents',
  'families',
  'equator',
  'dateLine',
  'north',
  'south',
] as const
export type BadgeKind = (typeof badgeKinds)[number]

/** Kilometres, numbers and degrees of latitude. */
export const badgeLevels: Record<BadgeKind, readonly number[]> = {
  distance: [EARTH_KM, 5 * EARTH_KM, MOON_KM, 2 * MOON_KM],
  countries: [5, 10, 25, 50, 100],
  continents: [3, 5, 6, 7],
  families: [5, 10, 20, 30],
  equator: [1, 10, 50],
  dateLine: [1, 10, 50],
  north: [POLAR_CIRCLE, 75, 85],
  south: [40, 55, POLAR_CIRCLE],
}

interface Earned {
  level: number
  flight: StatFlight
}
export interface Badge {
  kind: BadgeKind
  value: number
  /** Lowest first. */
  earned: Earned[]
  /** Null if all are earned. */
  next: number | null
}

/** The northernmost and southernmost latitude of the shortest way between two airports, in degrees. */
export function latitudesOf(from: Place, to: Place): { north: number; south: number } {
  const [a, b] = [vectorOf(from.longitude, from.latitude), vectorOf(to.longitude, to.latitude)]
  const ends = [from.latitude, to.latitude]
  const vertex = vertexOf(a, b)
  const reached = vertex ? [...ends, vertex] : ends
  return { north: Math.max(...reached), south: Math.min(...reached) }
}

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

/** The latitude at which a great circle turns back, if that is between the two airports. */
function vertexOf(a: Vector, b: Vector): number | null {
  const angle = angleBetween(a, b)
  if (angle < 1e-9 || Math.PI - angle < 1e-6) return null
  const normal = cross(a, b).map((part) => part / Math.sin(angle)) as unknown as Vector
  // The point of the circle closest to the north pole, and its antipode.
  const top: Vector = [-normal[2] * normal[0], -normal[2] * normal[1], 1 - normal[2] ** 2]
  const isBetween = (sign: 1 | -1) =>
    sign * dot(cross(a, top), normal) > 0 && sign * dot(cross(top, b), normal) > 0
  const latitude = Math.acos(Math.min(1, Math.abs(normal[2]))) / RAD
  return isBetween(1) ? latitude : isBetween(-1) ? -latitude : null
}

export const crossesEquator = (from: Place, to: Place): boolean => from.latitude * to.latitude < 0

/** The 180th meridian; the date line is close to it. */
export const crossesDateLine = (from: Place, to: Place): boolean =>
  Math.abs(from.longitude - to.longitude) > 180

/** Kilometres in time order. */
interface Distance {
  km: number
  first: StatFlight | null
  /** In time order once they have been requested. */
  flights: StatFlight[]
  isSorted: boolean
  /** Replaces `flights`: one part per year, so that none overlap. */
  parts: Distance[]
}

/** Badges for which every flight counts, unlike those for something new. */
interface MarksState {
  distance: Distance
  families: Map<string, StatFlight>
  /** The first flights that crossed it, up to the highest level, and the total count. */
  equator: { count: number; first: StatFlight[] }
  dateLine: { count: number; first: StatFlight[] }
  /** The latitude reached, and the first flight that reached each level. */
  north: { latitude: number; first: (StatFlight | null)[] }
  south: { latitude: number; first: (StatFlight | null)[] }
  familyOf: Map<number, string>
  latitudes: Map<number, { north: number; south: number }>
}

const earlier = (a: StatFlight | null, b: StatFlight | null): StatFlight | null =>
  a && b ? (inTime(a, b) <= 0 ? a : b) : (a ?? b)

const known = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}

const crossings = ['equator', 'dateLine'] as const
const crosses = { equator: crossesEquator, dateLine: crossesDateLine }

function takeCrossing(first: StatFlight[], kind: BadgeKind, flight: StatFlight): void {
  const wanted = badgeLevels[kind].at(-1)!
  if (first.length === wanted && inTime(flight, first.at(-1)!) > 0) return
  const at = first.findLastIndex((one) => inTime(one, flight) < 0)
  first.splice(at + 1, 0, flight)
  if (first.length > wanted) first.pop()
}

/** Most flights reach no level. */
function takeLatitude(
  state: MarksState['north'],
  kind: 'north' | 'south',
  latitude: number,
  flight: StatFlight,
) {
  if (latitude > state.latitude) state.latitude = latitude
  const levels = badgeLevels[kind]
  for (let level = 0; level < levels.length && latitude >= levels[level]!; level++)
    state.first[level] = earlier(state.first[level] ?? null, flight)
}

export const marksFigure: Figure<MarksState, MarksState> = {
  start: () => ({
    distance: { km: 0, first: null, flights: [], isSorted: true, parts: [] },
    families: new Map(),
    equator: { count: 0, first: [] },
    dateLine: { count: 0, first: [] },
    north: { latitude: 0, first: [] },
    south: { latitude: 0, first: [] },
    familyOf: new Map(),
    latitudes: new Map(),
  }),
  add(state, flight) {
    if (!flight.date) return
    const { from, to, aircraft } = flight
    takeDistance(state.distance, flight)
    if (aircraft) {
      const family = known(state.familyOf, aircraft.id, () => aircraftFamily(aircraft))
      state.families.set(family, earlier(state.families.get(family) ?? null, flight)!)
    }
    if (!from || !to) return
    for (const kind of crossings) {
      if (!crosses[kind](from, to)) continue
      state[kind].count++
      takeCrossing(state[kind].first, kind, flight)
    }
    const way = known(state.latitudes, routeNumber(from, to), () => latitudesOf(from, to))
    takeLatitude(state.north, 'north', way.north, flight)
    takeLatitude(state.south, 'south', -way.south, flight)
  },
  merge(state, part) {
    state.distance.parts.push(...(part.distance.parts.length > 0 ? part.distance.parts : [part.distance]))
    state.distance.km += part.distance.km
    state.distance.first = earlier(state.distance.first, part.distance.first)
    for (const [family, at] of part.families)
      state.families.set(family, earlier(state.families.get(family) ?? null, at)!)
    for (const kind of crossings) {
      state[kind].count += part[kind].count
      for (const flight of part[kind].first) takeCrossing(state[kind].first, kind, flight)
    }
    for (const kind of ['north', 'south'] as const) {
      state[kind].latitude = Math.max(state[kind].latitude, part[kind].latitude)
      for (const [level, flight] of part[kind].first.entries())
        state[kind].first[level] = earlier(state[kind].first[level] ?? null, flight)
    }
  },
  result: (state) => state,
}

function takeDistance(distance: Distance, flight: StatFlight): void {
  distance.km += flight.distanceKm ?? 0
  distance.first = earlier(distance.first, flight)
  // When parts are merged, the part of the flight has it already.
  if (distance.parts.length > 0) return
  distance.flights.push(flight)
  distance.isSorted = false
}

/** The flight with which the sum, starting from `before`, reaches a number of kilometres. */
function reaches(distance: Distance, level: number, before = 0): StatFlight | null {
  if (before + distance.km < level) return null
  let km = before
  const parts = distance.parts.filter(({ first }) => first).sort((x, y) => inTime(x.first!, y.first!))
  for (const part of parts) {
    const found = km + part.km >= level ? reaches(part, level, km) : null
    if (found) return found
    km += part.km
  }
  if (!distance.isSorted) distance.flights.sort(inTime)
  distance.isSorted = true
  for (const flight of distance.flights) {
    km += flight.distanceKm ?? 0
    if (km >= level) return flight
  }
  return null
}

/** The progress of each kind, and the flight that reached a level, if any. */
function reachedBy(
  news: FirstsState,
  marks: MarksState,
): Record<BadgeKind, { value: number; at: (level: number, index: number) => StatFlight | null }> {
  const nth = (list: readonly StatFlight[]) => ({
    value: list.length,
    at: (level: number) => list[level - 1] ?? null,
  })
  const crossed = ({ count, first }: MarksState['equator']) => ({ ...nth(first), value: count })
  const latitude = ({ latitude: value, first }: MarksState['north']) => ({
    value,
    at: (_: number, index: number) => first[index] ?? null,
  })
  return {
    distance: { value: settled(marks.distance.km), at: (level) => reaches(marks.distance, level) },
    countries: nth(inOrderOfTime(news.country).map(({ flight }) => flight)),
    continents: nth(inOrderOfTime(news.continent).map(({ flight }) => flight)),
    families: nth([...marks.families.values()].sort(inTime)),
    equator: crossed(marks.equator),
    dateLine: crossed(marks.dateLine),
    north: latitude(marks.north),
    south: latitude(marks.south),
  }
}

/** The flight that reaches a level earns the badge. */
export function badgesOf(news: FirstsState, marks: MarksState): Badge[] {
  const reached = reachedBy(news, marks)
  return badgeKinds.map((kind) => {
    const { value, at } = reached[kind]
    const earned = badgeLevels[kind].flatMap((level, index) => {
      const found = at(level, index)
      return found ? [{ level, flight: found }] : []
    })
    return { kind, value, earned, next: badgeLevels[kind][earned.length] ?? null }
  })
}

export function badges(flights: readonly StatFlight[]): Badge[] {
  const news = firstsFigure.start()
  for (const flight of flights) firstsFigure.add(news, flight)
  return badgesOf(news, compute(marksFigure, flights))
}
