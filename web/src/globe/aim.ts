// Where the camera has to stand to show some airports.
import { angleBetween, RAD, vectorOf } from '../../../server/domain/geo/sphere.ts'
import { type Projected, worldScale } from './camera.ts'
import type { Spot } from './scene.ts'
import type { Camera, Viewport } from './types.ts'

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
  return { ...camera, ...place, scale: scaleFor(spots, camera, viewport) }
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
