// Lines on the unit sphere as flat arrays that both projections read without trigonometry per frame.
// The ellipsoid would move an arc by less than a pixel, so the drawn line is a great circle; distances are not taken from here.

import { liftAt } from '../../../server/domain/geo/arc-height.ts'
import { angleBetween, type Vector, vectorOf } from '../../../server/domain/geo/sphere.ts'

const A1 = 1.340264
const A2 = -0.081106
const A3 = 0.000893
const A4 = 0.003796
const M = Math.sqrt(3) / 2

/** Numbers kept per point: unit vector, longitude (radians), Equal Earth x factor and y, height over the ground. */
export const STRIDE = 7

export const equalEarthY = (latRad: number): number => yOf(Math.asin(M * Math.sin(latRad)))
export const equalEarthX = (latRad: number): number => xOf(Math.asin(M * Math.sin(latRad)))

function yOf(t: number): number {
  const t2 = t * t
  const t6 = t2 * t2 * t2
  return t * (A1 + A2 * t2 + t6 * (A3 + A4 * t2))
}

function xOf(t: number): number {
  const t2 = t * t
  const t6 = t2 * t2 * t2
  return Math.cos(t) / (M * (A1 + 3 * A2 * t2 + t6 * (7 * A3 + 9 * A4 * t2)))
}

/** Inverse of `equalEarthY`, by Newton's method. */
export function equalEarthLat(y: number): number {
  let t = y
  for (let i = 0; i < 10; i++) {
    const t2 = t * t
    const t6 = t2 * t2 * t2
    const f = t * (A1 + A2 * t2 + t6 * (A3 + A4 * t2)) - y
    t -= f / (A1 + 3 * A2 * t2 + t6 * (7 * A3 + 9 * A4 * t2))
  }
  return Math.asin(Math.max(-1, Math.min(1, Math.sin(t) / M)))
}

function pushPoint(out: number[], x: number, y: number, z: number, height: number): void {
  const t = Math.asin(M * Math.max(-1, Math.min(1, z)))
  out.push(x, y, z, Math.atan2(y, x), xOf(t), yOf(t), height)
}

/** Appends a place on the ground. */
export function pushVector(out: number[], [x, y, z]: Vector): void {
  pushPoint(out, x, y, z, 0)
}

/** Also a short arc is round. */
const LEAST_STEPS = 8

/** Appends the great circle from a to b, lifted off the ground, and returns its number of points. */
export function pushArc(out: number[], a: Vector, b: Vector, stepRad: number, lift = 1): number {
  const angle = angleBetween(a, b)
  const steps = Math.max(LEAST_STEPS, Math.ceil(angle / stepRad))
  const sin = Math.sin(angle)
  for (let i = 0; i <= steps; i++) {
    const t = i / steps
    // Antipodes and identical points have no unique arc; linear interpolation avoids a division by zero.
    const ka = sin < 1e-9 ? 1 - t : Math.sin((1 - t) * angle) / sin
    const kb = sin < 1e-9 ? t : Math.sin(t * angle) / sin
    const height = lift * liftAt(t, angle)
    pushPoint(out, ka * a[0] + kb * b[0], ka * a[1] + kb * b[1], ka * a[2] + kb * b[2], height)
  }
  return steps + 1
}

/** Appends a recorded track, thinned to at most `limit` points. It lies on the ground: what was recorded is the way over it. */
export function pushTrack(out: number[], track: readonly (readonly number[])[], limit: number): number {
  const every = Math.max(1, Math.ceil(track.length / limit))
  let count = 0
  for (let i = 0; i < track.length; i++) {
    if (i % every !== 0 && i !== track.length - 1) continue
    const v = vectorOf(track[i]![0]!, track[i]![1]!)
    pushPoint(out, v[0], v[1], v[2], 0)
    count++
  }
  return count
}

const RING_STEPS = 180

/** Appends the circle of points at an angle (radians) from a place and returns its number of points. */
export function pushRing(out: number[], centre: Vector, angle: number): number {
  const level = Math.hypot(centre[0], centre[1]) || 1
  const east: Vector = [-centre[1] / level, centre[0] / level, 0]
  const north: Vector = [-centre[2] * east[1], centre[2] * east[0], centre[0] * east[1] - centre[1] * east[0]]
  for (let i = 0; i <= RING_STEPS; i++) {
    const turn = (2 * Math.PI * i) / RING_STEPS
    const [near, e, n] = [Math.cos(angle), Math.sin(angle) * Math.cos(turn), Math.sin(angle) * Math.sin(turn)]
    const along = (k: 0 | 1 | 2) => near * centre[k] + e * east[k] + n * north[k]
    pushPoint(out, along(0), along(1), along(2), 0)
  }
  return RING_STEPS + 1
}
