// Turns a log into what is drawn: one line per pair of airports however often it was flown, one dot per airport.

import { liftOf } from '../../../server/domain/lift.ts'
import { airportWeight, routeWeight, type Vector, vectorOf } from '../../../server/domain/sphere.ts'
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
  /** By the position of a flight in the list that the scene was built from. */
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
  const counted = new Counted(flights.length)
  for (let start = 0; start < flights.length; start += FLIGHTS_A_STEP) {
    counted.add(flights, start, Math.min(flights.length, start + FLIGHTS_A_STEP), tracks)
    yield
  }
  const [routes, spots] = [counted.routes(), counted.spots()]
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
  const lines = { routes, routeOf: counted.routeOf, tracks: drawn }
  return { ...lines, spots, points: new Float32Array(points), totalVisits }
}

/** No flights yet: one contrail that ends at a longitude. */
export function invitingScene(longitude: number): Scene {
  const points: number[] = []
  const count = pushArc(points, vectorOf(longitude - 58, 12), vectorOf(longitude + 8, 54), ARC_STEP)
  const contrail = { start: 0, count, weight: 1, longitude }
  return { ...buildScene([]), points: new Float32Array(points), contrail }
}

/** How often each pair of airports was flown and each airport visited. */
class Counted {
  readonly routeOf: (Route | undefined)[]
  private readonly byPair = new Map<number, Map<number, Route>>()
  private readonly byAirport = new Map<number, Spot>()

  constructor(flights: number) {
    this.routeOf = new Array(flights)
  }

  add(
    flights: readonly MapFlight[],
    start: number,
    end: number,
    tracks: ReadonlyMap<number, TrackPoints>,
  ): void {
    for (let position = start; position < end; position++) {
      const flight = flights[position]!
      const { from, to, count = 1 } = flight
      if (from) this.visit(from, count)
      if (to) this.visit(to, count)
      if (!from || !to || from.id === to.id || tracks.has(flight.id)) continue
      const route = from.id < to.id ? this.routeFor(from, to) : this.routeFor(to, from)
      if (flight.completed) route.flown += count
      else route.planned += count
      this.routeOf[position] = route
    }
  }

  private visit(airport: Airport, count: number): void {
    const spot = this.byAirport.get(airport.id)
    if (spot) {
      spot.visits += count
      return
    }
    const vector = vectorOf(airport.longitude, airport.latitude)
    this.byAirport.set(airport.id, { airport, vector, start: 0, visits: count, weight: 0 })
  }

  private routeFor(a: Airport, b: Airport): Route {
    let others = this.byPair.get(a.id)
    if (!others) {
      others = new Map()
      this.byPair.set(a.id, others)
    }
    let route = others.get(b.id)
    if (!route) {
      route = { a, b, flown: 0, planned: 0, start: 0, count: 0, weight: 0 }
      others.set(b.id, route)
    }
    return route
  }

  routes(): Route[] {
    const routes = [...this.byPair.values()]
      .flatMap((others) => [...others.values()])
      .sort((x, y) => x.flown - y.flown)
    const most = routes.at(-1)?.flown ?? 0
    for (const route of routes) route.weight = routeWeight(route.flown, most)
    return routes
  }

  spots(): Spot[] {
    const spots = [...this.byAirport.values()].sort(
      (x, y) => y.visits - x.visits || x.airport.id - y.airport.id,
    )
    const most = spots[0]?.visits ?? 1
    for (const spot of spots) spot.weight = airportWeight(spot.visits, most)
    return spots
  }
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
