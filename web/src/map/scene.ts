// Turns a log into what is drawn: one line per pair of airports however often it was flown, one dot per airport.

import { liftOf } from '../../../server/domain/lift.ts'
import { airportWeight, routeWeight, type Vector, vectorOf } from '../../../server/domain/sphere.ts'
import { pushArc, pushTrack, STRIDE } from './sphere.ts'
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
  /** Positions of its flights in the list that the scene was built from, in its order. */
  flights: number[]
  /** How many of them are revealed. */
  shown: number
}

interface Track extends Line {
  flightId: number
  /** Position of its flight in the list. */
  position: number
}

export interface Spot {
  airport: Airport
  vector: Vector
  /** Index of its only point in `Scene.points`. */
  start: number
  visits: number
  weight: number
  /** Position of its first flight in the list. */
  first: number
}

export interface Scene {
  /** Least flown first, so that the busiest are painted on top. */
  routes: Route[]
  tracks: Track[]
  /** Most visited first. */
  spots: Spot[]
  points: Float32Array
  totalVisits: number
  /** How many of the flights are shown. */
  revealed: number
  /** By the position of a flight. */
  routeOf: (Route | undefined)[]
  /** Of an empty log, and the longitude where it ends. */
  contrail?: Line & { longitude: number }
}

const ARC_STEP = (1.5 * Math.PI) / 180
const TRACK_LIMIT = 600

export function buildScene(
  flights: readonly MapFlight[],
  tracks: ReadonlyMap<number, TrackPoints> = new Map(),
): Scene {
  const routeOf: (Route | undefined)[] = new Array(flights.length)
  const routes = mergeRoutes(flights, tracks, routeOf)
  const spots = countVisits(flights)
  const points: number[] = []
  layRoutes(routes, points)
  const drawn = layTracks(flights, tracks, points)
  for (const spot of spots) {
    spot.start = points.length / STRIDE
    pushTrack(points, [[spot.airport.longitude, spot.airport.latitude]], 1)
  }
  const totalVisits = spots.reduce((sum, spot) => sum + spot.visits, 0)
  const lines = { routes, routeOf, tracks: drawn, revealed: flights.length }
  return { ...lines, spots, points: new Float32Array(points), totalVisits }
}

/** No flights yet: one contrail that ends at a longitude. */
export function invitingScene(longitude: number): Scene {
  const points: number[] = []
  const count = pushArc(points, vectorOf(longitude - 58, 12), vectorOf(longitude + 8, 54), ARC_STEP)
  const contrail = { start: 0, count, weight: 1, longitude }
  return { ...buildScene([]), points: new Float32Array(points), contrail }
}

/** Shows the scene as it stood after so many of its flights. Returns the routes that changed; nothing is built again. */
export function revealFlights(scene: Scene, count: number): Set<Route> {
  const until = Math.max(0, Math.min(count, scene.routeOf.length))
  const changed = new Set<Route>()
  const [low, high] = [Math.min(until, scene.revealed), Math.max(until, scene.revealed)]
  for (let position = low; position < high; position++) {
    const route = scene.routeOf[position]
    if (!route) continue
    route.shown += until > scene.revealed ? 1 : -1
    changed.add(route)
  }
  scene.revealed = until
  return changed
}

export const isSpotShown = (scene: Scene, spot: Spot): boolean => spot.first < scene.revealed

/** Position of the latest flight of a route that is shown. */
export const latestOf = (route: Route): number => route.flights[route.shown - 1] ?? -1

function mergeRoutes(
  flights: readonly MapFlight[],
  tracks: ReadonlyMap<number, TrackPoints>,
  routeOf: (Route | undefined)[],
): Route[] {
  const byPair = new Map<string, Route>()
  for (const [position, flight] of flights.entries()) {
    const { from, to } = flight
    if (!from || !to || from.id === to.id || tracks.has(flight.id)) continue
    const [a, b] = from.id < to.id ? [from, to] : [to, from]
    const key = `${a.id}-${b.id}`
    let route = byPair.get(key)
    if (!route) {
      route = { a, b, flown: 0, planned: 0, flights: [], shown: 0, start: 0, count: 0, weight: 0 }
      byPair.set(key, route)
    }
    const count = flight.count ?? 1
    if (flight.completed) route.flown += count
    else route.planned += count
    route.shown = route.flights.push(position)
    routeOf[position] = route
  }
  const routes = [...byPair.values()].sort((x, y) => x.flown - y.flown)
  const most = routes.at(-1)?.flown ?? 0
  for (const route of routes) route.weight = routeWeight(route.flown, most)
  return routes
}

function countVisits(flights: readonly MapFlight[]): Spot[] {
  const byId = new Map<number, Spot>()
  for (const [first, { from, to, count = 1 }] of flights.entries()) {
    for (const airport of [from, to]) {
      if (!airport) continue
      const spot = byId.get(airport.id)
      if (spot) spot.visits += count
      else {
        const vector = vectorOf(airport.longitude, airport.latitude)
        byId.set(airport.id, { airport, vector, start: 0, visits: count, weight: 0, first })
      }
    }
  }
  const spots = [...byId.values()].sort((x, y) => y.visits - x.visits || x.airport.id - y.airport.id)
  const most = spots[0]?.visits ?? 1
  for (const spot of spots) spot.weight = airportWeight(spot.visits, most)
  return spots
}

function layRoutes(routes: Route[], points: number[]): void {
  const lift = liftOf(routes.length)
  for (const route of routes) {
    route.start = points.length / STRIDE
    const a = vectorOf(route.a.longitude, route.a.latitude)
    const b = vectorOf(route.b.longitude, route.b.latitude)
    route.count = pushArc(points, a, b, ARC_STEP, lift)
  }
}

function layTracks(
  flights: readonly MapFlight[],
  tracks: ReadonlyMap<number, TrackPoints>,
  points: number[],
): Track[] {
  const out: Track[] = []
  for (const [position, flight] of flights.entries()) {
    const track = tracks.get(flight.id)
    if (!track || track.length < 2) continue
    const start = points.length / STRIDE
    const count = pushTrack(points, track, TRACK_LIMIT)
    out.push({ flightId: flight.id, position, start, count, weight: 0.5 })
  }
  return out
}
