// Turns a log into what is drawn: one line per pair of airports however often it was flown, one dot per airport.

import { liftOf } from '../../../server/domain/geo/arc-height.ts'
import { airportWeight, routeWeight, type Vector, vectorOf } from '../../../server/domain/geo/sphere.ts'
import { type Leg, pairOf, Tally, tallyKnown } from './parts/tally.ts'
import { pushArc, pushTrack, pushVector, STRIDE } from './sphere.ts'
import type { Airport, MapFlight, TrackPoints } from './types.ts'

export interface Line {
  /** First point in `Scene.points` and how many there are. */
  start: number
  count: number
  /** Prominence, 0 to 1. */
  weight: number
}

export interface Route extends Line {
  a: Airport
  b: Airport
  flown: number
  planned: number
}

interface Track extends Line {
  flightId: number
}

export interface Spot {
  airport: Airport
  vector: Vector
  /** Index of its only point in `Scene.points`. */
  start: number
  visits: number
  weight: number
}

export interface Scene {
  /** Least flown first, so that the busiest are painted on top. */
  routes: Route[]
  tracks: Track[]
  /** Most visited first. */
  spots: Spot[]
  points: Float32Array
  totalVisits: number
  /** Of an empty log, and the longitude where it ends. */
  contrail?: Line & { longitude: number }
}

const ARC_STEP = (1.5 * Math.PI) / 180
const TRACK_LIMIT = 600

export function buildScene(
  flights: readonly MapFlight[],
  tracks: ReadonlyMap<number, TrackPoints> = new Map(),
): Scene {
  const steps = buildInSteps(flights, tracks)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Flights and routes of one step: about two milliseconds. */
const FLIGHTS_A_STEP = 2000
const ROUTES_A_STEP = 50

/** The same in short steps, so that a large log does not keep the browser busy. */
export function* buildInSteps(
  flights: readonly MapFlight[],
  tracks: ReadonlyMap<number, TrackPoints>,
): Generator<void, Scene> {
  const [lines, tracked] = yield* countInSteps(flights, tracks)
  const [routes, spots] = [routesOf(lines.legs), spotsOf([...lines.legs, ...tracked.legs])]
  const points: number[] = []
  const lift = liftOf(routes.length)
  for (const [i, route] of routes.entries()) {
    layRoute(route, lift, points)
    if (i % ROUTES_A_STEP === ROUTES_A_STEP - 1) yield
  }
  const drawn = layTracks(flights, tracks, points)
  for (const spot of spots) {
    spot.start = points.length / STRIDE
    pushVector(points, spot.vector)
  }
  const totalVisits = spots.reduce((sum, spot) => sum + spot.visits, 0)
  return { routes, tracks: drawn, spots, points: new Float32Array(points), totalVisits }
}

/** Those that are drawn as lines between their airports, and those with a track. */
function* countInSteps(
  flights: readonly MapFlight[],
  tracks: ReadonlyMap<number, TrackPoints>,
): Generator<void, [Tally, Tally]> {
  const known = tracks.size === 0 ? tallyKnown(flights) : undefined
  if (known) return [known, new Tally()]
  const [lines, tracked] = [new Tally(), new Tally()]
  for (const [i, flight] of flights.entries()) {
    const tally = tracks.has(flight.id) ? tracked : lines
    tally.add(flight)
    if (i % FLIGHTS_A_STEP === FLIGHTS_A_STEP - 1) yield
  }
  return [lines, tracked]
}

/** No flights yet: one contrail that ends at a longitude. */
export function invitingScene(longitude: number): Scene {
  const points: number[] = []
  const count = pushArc(points, vectorOf(longitude - 58, 12), vectorOf(longitude + 8, 54), ARC_STEP)
  const contrail = { start: 0, count, weight: 1, longitude }
  return { ...buildScene([]), points: new Float32Array(points), contrail }
}

function routesOf(legs: readonly Leg[]): Route[] {
  const byPair = new Map<number, Route>()
  for (const { from, to, flown, planned } of legs) {
    if (!from || !to || from.id === to.id) continue
    const key = pairOf(from.id, to.id)
    const [a, b] = from.id < to.id ? [from, to] : [to, from]
    const route = byPair.get(key) ?? { a, b, flown: 0, planned: 0, start: 0, count: 0, weight: 0 }
    route.flown += flown
    route.planned += planned
    byPair.set(key, route)
  }
  const routes = [...byPair.values()].sort((x, y) => x.flown - y.flown)
  const most = routes.at(-1)?.flown ?? 0
  for (const route of routes) route.weight = routeWeight(route.flown, most)
  return routes
}

function spotsOf(legs: readonly Leg[]): Spot[] {
  const byAirport = new Map<number, Spot>()
  for (const { from, to, flown, planned } of legs)
    for (const airport of [from, to]) if (airport) visit(byAirport, airport, flown + planned)
  const spots = [...byAirport.values()].sort((x, y) => y.visits - x.visits || x.airport.id - y.airport.id)
  const most = spots[0]?.visits ?? 1
  for (const spot of spots) spot.weight = airportWeight(spot.visits, most)
  return spots
}

function visit(byAirport: Map<number, Spot>, airport: Airport, count: number): void {
  const spot = byAirport.get(airport.id)
  if (spot) {
    spot.visits += count
    return
  }
  const vector = vectorOf(airport.longitude, airport.latitude)
  byAirport.set(airport.id, { airport, vector, start: 0, visits: count, weight: 0 })
}

function layRoute(route: Route, lift: number, points: number[]): void {
  route.start = points.length / STRIDE
  const a = vectorOf(route.a.longitude, route.a.latitude)
  const b = vectorOf(route.b.longitude, route.b.latitude)
  route.count = pushArc(points, a, b, ARC_STEP, lift)
}

function layTracks(
  flights: readonly MapFlight[],
  tracks: ReadonlyMap<number, TrackPoints>,
  points: number[],
): Track[] {
  if (tracks.size === 0) return []
  const out: Track[] = []
  for (const flight of flights) {
    const track = tracks.get(flight.id)
    if (!track || track.length < 2) continue
    const start = points.length / STRIDE
    const count = pushTrack(points, track, TRACK_LIMIT)
    out.push({ flightId: flight.id, start, count, weight: 0.5 })
  }
  return out
}
