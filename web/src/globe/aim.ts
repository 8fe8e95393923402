// Where the camera has to stand to show some airports, or a way.
import { angleBetween, RAD, type Vector, vectorOf } from '../../../server/domain/geo/sphere.ts'
import { centreOf, clampCamera, makeProjected, type Projected, projectPoints, worldScale } from './camera.ts'
import type { Scene, Spot } from './scene.ts'
import { STRIDE } from './sphere.ts'
import type { Camera, Insets, Viewport } from './types.ts'

const MARGIN = 20

/** In the part of the window that nothing covers, and on the near side. */
export function isInSight({ start }: Spot, at: Projected, { width, height, insets }: Viewport): boolean {
  const [x, y] = [at.x[start]!, at.y[start]!]
  return (
    at.depth[start]! > 0.1 &&
    x > insets.left + MARGIN &&
    y > insets.top + MARGIN &&
    x < width - insets.right - MARGIN &&
    y < height - insets.bottom - MARGIN
  )
}

/** Angles from the middle of the globe up to which an airport is seen well. */
const SEEN_WITHIN = 1.2

/** The least movement that shows them all; null if they are seen already. */
export function turnedTo(
  spots: readonly Spot[],
  camera: Camera,
  viewport: Viewport,
  at: Projected,
): Camera | null {
  const eye = vectorOf(camera.lon, camera.lat)
  const isSeen = (spot: Spot) => isInSight(spot, at, viewport) && angleBetween(eye, spot.vector) < SEEN_WITHIN
  if (spots.every(isSeen)) return null
  const along = (axis: 0 | 1 | 2) => spots.reduce((sum, { vector }) => sum + vector[axis], 0)
  const [x, y, z] = [along(0), along(1), along(2)]
  const place = { lon: Math.atan2(y, x) / RAD, lat: Math.atan2(z, Math.hypot(x, y)) / RAD }
  return { ...camera, ...place, scale: scaleFor(spots, camera, viewport), shift: undefined }
}

function scaleFor([a, b]: readonly Spot[], camera: Camera, viewport: Viewport): number {
  const spread = a && b ? angleBetween(a.vector, b.vector) / 2 : 0
  if (spread <= 0.1) return camera.scale
  const room = worldScale(camera.view, viewport) * 0.8
  return Math.min(camera.scale, room / Math.sin(Math.min(spread, 1.5)))
}

/** A place in the middle, at least as large as on the whole globe. */
export function centredOn(
  { longitude, latitude }: { longitude: number; latitude: number },
  { view, scale }: Camera,
  viewport: Viewport,
): Camera {
  return { view, lon: longitude, lat: latitude, scale: Math.max(scale, worldScale(view, viewport)) }
}

/** The part of the stage that is free for the globe. */
interface Stage {
  width: number
  height: number
  insets: Insets
  /** Text covers the globe below this line. */
  clearUntil: number
}

export interface Framing {
  camera: Camera
  /** For the engine: they place the centre of the globe, which may be out of sight. */
  insets: Insets
}

/** Degrees from the middle of the way, so that the arc bows. */
const ASIDE = 27
/** Closer, the shapes of the land would be coarse. */
const CLOSEST = 2200
/** The camera moves closer only if that enlarges the way by this factor. */
const CLOSE = 1.5
/** Around the ends of the way, for their names. */
const AIR = 28
/** The whole globe is a little larger than elsewhere. */
const WHOLE = 1.014

const scaled = ([x, y, z]: Vector, by: number): Vector => [x * by, y * by, z * by]
const sum = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const unit = (vector: Vector, otherwise: Vector): Vector => {
  const length = Math.hypot(...vector)
  return length < 1e-6 ? otherwise : scaled(vector, 1 / length)
}

/**
 * Beside the middle of the way: towards the equator, and the more to the side the more the way leads north or south.
 * Seen from straight ahead it would be a bar.
 */
function asideOf(vectors: readonly Vector[]): { lon: number; lat: number } {
  const middle = unit(vectors.reduce(sum), vectors[0]!)
  const east = unit(cross([0, 0, 1], middle), [0, 1, 0])
  const north = cross(middle, east)
  const normal = unit(cross(vectors[0]!, vectors.at(-1)!), north)
  const northward = dot(normal, north)
  const across = Math.max(0, Math.min(1, (Math.abs(northward) - 0.15) / 0.35))
  const equator = scaled(north, middle[2] < 0 ? 1 : -1)
  const sideways = scaled(normal, northward > 0 === middle[2] < 0 ? 1 : -1)
  const aside = unit(sum(scaled(equator, across), scaled(sideways, 1 - across)), equator)
  const [x, y, z] = sum(scaled(middle, Math.cos(ASIDE * RAD)), scaled(aside, Math.sin(ASIDE * RAD)))
  return { lon: Math.atan2(y, x) / RAD, lat: Math.asin(Math.max(-1, Math.min(1, z))) / RAD }
}

interface Extent {
  left: number
  right: number
  top: number
  bottom: number
}

/** What the points cover at scale 1 around the centre of the globe. */
function extentOf(points: Float32Array, camera: Camera): Extent {
  const at = makeProjected(points.length / STRIDE)
  const none = { top: 0, right: 0, bottom: 0, left: 0 }
  projectPoints(points, { ...camera, scale: 1 }, { width: 0, height: 0, insets: none }, at)
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity }
  for (let i = 0; i < at.x.length; i++) {
    box.left = Math.min(box.left, at.x[i]!)
    box.right = Math.max(box.right, at.x[i]!)
    box.top = Math.min(box.top, at.y[i]!)
    box.bottom = Math.max(box.bottom, at.y[i]!)
  }
  return box
}

/**
 * A long way on the whole globe; a shorter one from closer, with the centre of the globe moved so that the way stands in
 * the free part of the stage.
 */
export function frameWay(points: Float32Array, vectors: readonly Vector[], stage: Stage): Framing {
  const viewport: Viewport = stage
  const whole = worldScale('globe', viewport) * WHOLE
  const camera: Camera = { view: 'globe', ...asideOf(vectors), scale: whole }
  const box = extentOf(points, camera)
  const free = {
    width: stage.width - stage.insets.left - stage.insets.right,
    height: Math.min(stage.clearUntil, stage.height - stage.insets.bottom) - stage.insets.top,
  }
  const close = Math.min(
    CLOSEST,
    (free.width * 0.6) / Math.max(1e-3, box.right - box.left),
    (free.height * 0.5) / Math.max(1e-3, box.bottom - box.top),
  )
  if (close > whole * CLOSE) return { camera: { ...camera, scale: close }, insets: moved(stage, box, close) }
  const scale = Math.min(whole, (free.height - 2 * AIR) / (box.bottom - box.top))
  const looking = clampCamera({ ...camera, scale }, viewport)
  return { camera: looking, insets: lifted(stage, box, looking.scale) }
}

/** Insets that lift the globe so far that both ends of the way are in sight, as from Auckland to Los Angeles. */
function lifted({ height, insets, clearUntil }: Stage, box: Extent, scale: number): Insets {
  const centre = (insets.top + height - insets.bottom) / 2
  const hidden = centre + scale * box.bottom - (clearUntil - AIR)
  const room = centre + scale * box.top - (insets.top + AIR)
  const up = Math.max(0, Math.min(hidden, room))
  return { ...insets, top: insets.top - up, bottom: insets.bottom + up }
}

/** Insets that put the middle of the box in the middle of the free part, a little above. */
function moved({ width, height, insets, clearUntil }: Stage, box: Extent, scale: number): Insets {
  const wanted = {
    x: (insets.left + width - insets.right) / 2,
    y: insets.top + (Math.min(clearUntil, height - insets.bottom) - insets.top) * 0.46,
  }
  const x = wanted.x - (scale * (box.left + box.right)) / 2
  const y = wanted.y - (scale * (box.top + box.bottom)) / 2
  return { left: 2 * x - width, right: 0, top: 2 * y - height, bottom: 0 }
}

/**
 * A short trip from as close as a flight on its own page; null where the whole globe is better. The centre of the globe is
 * shifted then, so that what was flown is in the middle of the window.
 */
export function closeUp({ routes, spots, points }: Scene, viewport: Viewport): Camera | null {
  if (routes.length === 0) return null
  const unshifted = { ...viewport, shift: undefined }
  const stage = { ...unshifted, clearUntil: viewport.height - viewport.insets.bottom }
  const { camera, insets } = frameWay(points, fromEndToEnd(spots), stage)
  if (camera.scale < worldScale('globe', unshifted) * CLOSE) return null
  const [x, y] = centreOf({ ...unshifted, insets })
  const [fromX, fromY] = centreOf(unshifted)
  return { ...camera, shift: [x - fromX, y - fromY] }
}

/** The places, the two that are farthest apart at the ends. */
function fromEndToEnd(spots: readonly Spot[]): Vector[] {
  const vectors = spots.map(({ vector }) => vector)
  const from = farthest(vectors, vectors[0]!)
  const to = farthest(vectors, from)
  return [from, ...vectors.filter((vector) => vector !== from && vector !== to), to]
}

const farthest = (vectors: readonly Vector[], from: Vector): Vector =>
  vectors.reduce((best, one) => (dot(one, from) < dot(best, from) ? one : best))
