// Marks on the way: how far a log has come towards each, and the flight that reached it.
import { aircraftFamily } from '../aircraft-family.ts'
import { angleBetween, RAD, type Vector, vectorOf } from '../sphere.ts'
import type { Place, StatFlight } from './flights.ts'
import { present } from './flights.ts'
import { routeKey } from './sums.ts'

/** Well-known lengths to compare a distance with. */
export const EARTH_KM = 40_075.017
export const MOON_KM = 384_400
/** Where the sun does not set in midsummer. */
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
  /** From the lowest. */
  earned: Earned[]
  /** Null when all are earned. */
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

/** The latitude at which a great circle turns back, if it does so between the two. */
function vertexOf(a: Vector, b: Vector): number | null {
  const angle = angleBetween(a, b)
  if (angle < 1e-9 || Math.PI - angle < 1e-6) return null
  const normal = cross(a, b).map((part) => part / Math.sin(angle)) as unknown as Vector
  // The point of the circle nearest to the north pole, and its antipode.
  const top: Vector = [-normal[2] * normal[0], -normal[2] * normal[1], 1 - normal[2] ** 2]
  const isBetween = (sign: 1 | -1) =>
    sign * dot(cross(a, top), normal) > 0 && sign * dot(cross(top, b), normal) > 0
  const latitude = Math.acos(Math.min(1, Math.abs(normal[2]))) / RAD
  return isBetween(1) ? latitude : isBetween(-1) ? -latitude : null
}

export const crossesEquator = (from: Place, to: Place): boolean => from.latitude * to.latitude < 0

/** The 180th meridian, beside which the date line runs. */
export const crossesDateLine = (from: Place, to: Place): boolean =>
  Math.abs(from.longitude - to.longitude) > 180

type Values = Record<BadgeKind, number>

/** Adds a flight to the values; sets and routes are kept between calls. */
function createValues(): { values: Values; take(flight: StatFlight): void } {
  const values = Object.fromEntries(badgeKinds.map((kind) => [kind, 0])) as Values
  const [countries, continents, families] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const routes = new Map<string, { north: number; south: number }>()
  const types = new Set<number>()
  const takeWay = (from: Place, to: Place) => {
    const key = routeKey(from, to)
    let way = routes.get(key)
    if (!way) {
      way = latitudesOf(from, to)
      routes.set(key, way)
    }
    values.north = Math.max(values.north, way.north)
    values.south = Math.max(values.south, -way.south)
    if (crossesEquator(from, to)) values.equator++
    if (crossesDateLine(from, to)) values.dateLine++
  }
  return {
    values,
    take({ from, to, distanceKm, aircraft }) {
      for (const { country, continent } of present(from, to)) {
        countries.add(country)
        continents.add(continent)
      }
      if (aircraft && !types.has(aircraft.id)) {
        types.add(aircraft.id)
        families.add(aircraftFamily(aircraft))
      }
      values.distance += distanceKm ?? 0
      values.countries = countries.size
      values.continents = continents.size
      values.families = families.size
      if (from && to) takeWay(from, to)
    },
  }
}

/** `flights` must be in the order of time (`inOrder`): the flight that reaches a mark has earned it. */
export function badges(flights: readonly StatFlight[]): Badge[] {
  const { values, take } = createValues()
  const earned = Object.fromEntries(badgeKinds.map((kind) => [kind, [] as Earned[]])) as Record<
    BadgeKind,
    Earned[]
  >
  /** Those with a level still to be reached. */
  let open: readonly BadgeKind[] = badgeKinds
  for (const flight of flights) {
    take(flight)
    for (const kind of open) {
      const [levels, got] = [badgeLevels[kind], earned[kind]]
      while (got.length < levels.length && values[kind] >= levels[got.length]!)
        got.push({ level: levels[got.length]!, flight })
      if (got.length === levels.length) open = open.filter((other) => other !== kind)
    }
  }
  return badgeKinds.map((kind) => ({
    kind,
    value: values[kind],
    earned: earned[kind],
    next: badgeLevels[kind][earned[kind].length] ?? null,
  }))
}
