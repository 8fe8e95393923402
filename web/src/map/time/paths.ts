// Which line and which airports of a scene belong to each flight of a timeline, computed once per scene.
import { routeKey } from '../../../../server/domain/statistics/sums.ts'
import type { Line, Scene } from '../../globe/scene.ts'
import type { Timeline } from './timeline.ts'

const NONE = -1

export interface Paths {
  scene: Scene
  /** The routes, then the recorded tracks. */
  lines: readonly Line[]
  /** Per flight: its line, or -1 if it has none. */
  lineOf: Int32Array
  /** Per flight: 1 if it goes from the end of the line to its start. */
  isReversed: Uint8Array
  /** Per flight: the airports at its two ends, or -1. */
  ends: Int32Array
}

export function pathsIn(scene: Scene, { flights }: Timeline): Paths {
  const routes = new Map(scene.routes.map((route, i) => [routeKey(route.a, route.b), i]))
  const tracks = new Map(scene.tracks.map((track, i) => [track.flightId, scene.routes.length + i]))
  const spots = new Map(scene.spots.map((spot, i) => [spot.airport.id, i]))
  const paths: Paths = {
    scene,
    lines: [...scene.routes, ...scene.tracks],
    lineOf: new Int32Array(flights.length).fill(NONE),
    isReversed: new Uint8Array(flights.length),
    ends: new Int32Array(flights.length * 2).fill(NONE),
  }
  for (const [i, { id, from, to }] of flights.entries()) {
    const track = tracks.get(id)
    const route = from && to ? routes.get(routeKey(from, to)) : undefined
    paths.lineOf[i] = track ?? route ?? NONE
    if (track === undefined && route !== undefined && scene.routes[route]!.a.id !== from?.id)
      paths.isReversed[i] = 1
    if (from) paths.ends[2 * i] = spots.get(from.id) ?? NONE
    if (to) paths.ends[2 * i + 1] = spots.get(to.id) ?? NONE
  }
  return paths
}

/** The lines that were flown in a range, by the period of their latest flight, oldest first. */
export function linesByPeriod(
  paths: Paths,
  { moments }: Timeline,
  [low, high]: readonly [number, number],
  periodOf: (moment: number) => number,
): Map<number, Line[]> {
  const seen = new Uint8Array(paths.lines.length)
  const groups = new Map<number, Line[]>()
  for (let i = high - 1; i >= low; i--) {
    const line = paths.lineOf[i]!
    if (line < 0 || seen[line]) continue
    seen[line] = 1
    const period = periodOf(moments[i]!)
    const group = groups.get(period)
    if (group) group.push(paths.lines[line]!)
    else groups.set(period, [paths.lines[line]!])
  }
  return new Map([...groups].reverse())
}

/** How often each line was flown in a range. */
export function timesFlown(paths: Paths, low: number, high: number): Uint32Array {
  const times = new Uint32Array(paths.lines.length)
  for (let i = low; i < high; i++) {
    const line = paths.lineOf[i]!
    if (line >= 0) times[line]!++
  }
  return times
}

/** Visits of each airport in a range. */
export function visitsOf(paths: Paths, low: number, high: number): Uint32Array {
  const visits = new Uint32Array(paths.scene.spots.length)
  for (let i = 2 * low; i < 2 * high; i++) {
    const spot = paths.ends[i]!
    if (spot >= 0) visits[spot]!++
  }
  return visits
}
