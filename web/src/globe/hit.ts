// Hit testing: the nearest airport, else the nearest recorded track, else the nearest route.

import { spotRadius } from '../../../server/domain/geo/labels.ts'
import type { Projected } from './camera.ts'
import type { Line, Scene } from './scene.ts'
import type { Selection } from './types.ts'

export function hitTest(
  scene: Scene,
  at: Projected,
  x: number,
  y: number,
  reach: number,
  wrapJump: number,
): Selection | null {
  const spot = nearestSpot(scene, at, x, y, reach)
  if (spot !== null) return { kind: 'airport', id: spot }
  const width = reach * 0.7
  const track = nearestLine(scene.tracks, at, x, y, width, wrapJump)
  if (track) return { kind: 'flight', id: track.flightId }
  const route = nearestLine(scene.routes, at, x, y, width, wrapJump)
  return route ? { kind: 'route', a: route.a.id, b: route.b.id } : null
}

function nearestSpot(scene: Scene, at: Projected, x: number, y: number, reach: number): number | null {
  const few = scene.spots.length < 40
  let best = Infinity
  let id: number | null = null
  for (const spot of scene.spots) {
    if (at.depth[spot.start]! < 0.05) continue
    const away = Math.hypot(at.x[spot.start]! - x, at.y[spot.start]! - y) - spotRadius(spot, few)
    // Busier airports are preferred slightly, so that among many dots the labelled one is selected.
    const cost = away - spot.weight * 3
    if (away < reach && cost < best) {
      best = cost
      id = spot.airport.id
    }
  }
  return id
}

function nearestLine<L extends Line>(
  lines: readonly L[],
  at: Projected,
  x: number,
  y: number,
  reach: number,
  wrapJump: number,
): L | undefined {
  let best = reach
  let found: L | undefined
  for (const line of lines) {
    const away = distanceTo(line, at, x, y, wrapJump)
    if (away <= best) {
      best = away
      found = line
    }
  }
  return found
}

function distanceTo(line: Line, at: Projected, x: number, y: number, wrapJump: number): number {
  let best = Infinity
  const end = line.start + line.count
  for (let i = line.start + 1; i < end; i++) {
    if (at.depth[i]! < 0 || at.depth[i - 1]! < 0) continue
    const ax = at.x[i - 1]!
    const bx = at.x[i]!
    // On the flat map a line may cross from one edge to the other: that segment is not drawn.
    if (Math.abs(bx - ax) > wrapJump) continue
    best = Math.min(best, toSegment(x, y, ax, at.y[i - 1]!, bx, at.y[i]!))
  }
  return best
}

function toSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax
  const dy = by - ay
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length))
  return Math.hypot(x - ax - t * dx, y - ay - t * dy)
}
