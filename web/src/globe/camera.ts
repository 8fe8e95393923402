// The camera: projects arrays of points, converts pixels back to coordinates, limits movement, and fits a log.

import { liftedBy } from '../../../server/domain/geo/arc-height.ts'
import {
  angleBetween,
  bestSide,
  RAD,
  type Vector,
  vectorOf,
  weightedCentre,
} from '../../../server/domain/geo/sphere.ts'
import type { Scene } from './scene.ts'
import { equalEarthLat, equalEarthX, equalEarthY, pushTrack, STRIDE } from './sphere.ts'
import type { Camera, View, Viewport } from './types.ts'

const EDGE_Y = equalEarthY(Math.PI / 2)
const EDGE_X = equalEarthX(0) * Math.PI

export function centreOf(viewport: Viewport): [number, number] {
  const { width, height, insets, shift } = viewport
  const [x, y] = [(insets.left + width - insets.right) / 2, (insets.top + height - insets.bottom) / 2]
  return shift ? [x + shift[0], y + shift[1]] : [x, y]
}

function roomOf(viewport: Viewport): [number, number] {
  const { width, height, insets } = viewport
  return [Math.max(80, width - insets.left - insets.right), Math.max(80, height - insets.top - insets.bottom)]
}

/** Scale at which the whole world is visible. */
export function worldScale(view: View, viewport: Viewport): number {
  const [w, h] = roomOf(viewport)
  if (view === 'globe') return Math.min(w, h) * 0.475
  return Math.min(w / (2 * EDGE_X), h / (2 * EDGE_Y)) * 0.97
}

/** Pixels per radian where the coast of the finest land file becomes straight edges: there is nothing more to see. */
const CLOSEST_SCALE = 4500

export function clampCamera(camera: Camera, viewport: Viewport): Camera {
  const world = worldScale(camera.view, viewport)
  const scale = Math.max(world * 0.75, Math.min(camera.scale, CLOSEST_SCALE))
  const lon = ((((camera.lon + 180) % 360) + 360) % 360) - 180
  return { ...camera, lon, scale, lat: clampLat(camera, viewport, scale) }
}

function clampLat(camera: Camera, viewport: Viewport, scale: number): number {
  if (camera.view === 'globe') return Math.max(-85, Math.min(85, camera.lat))
  // A flat map smaller than the screen is centred; a larger one stops at its edges.
  const slack = Math.max(0, EDGE_Y - roomOf(viewport)[1] / (2 * scale))
  const y = Math.max(-slack, Math.min(slack, equalEarthY(camera.lat * RAD)))
  return equalEarthLat(y) / RAD
}

/** Screen positions of every point of a scene, and the depth of the ground under it (1 facing the viewer, below 0 behind the globe). */
export interface Projected {
  x: Float32Array
  y: Float32Array
  depth: Float32Array
}

export function makeProjected(count: number): Projected {
  return { x: new Float32Array(count), y: new Float32Array(count), depth: new Float32Array(count) }
}

export function projectPoints(
  points: Float32Array,
  camera: Camera,
  viewport: Viewport,
  out: Projected,
): void {
  if (camera.view === 'globe') projectGlobe(points, camera, viewport, out)
  else projectFlat(points, camera, viewport, out)
}

function projectGlobe(points: Float32Array, camera: Camera, viewport: Viewport, out: Projected): void {
  const [cx, cy] = centreOf(viewport)
  const sl = Math.sin(camera.lon * RAD)
  const cl = Math.cos(camera.lon * RAD)
  const sp = Math.sin(camera.lat * RAD)
  const cp = Math.cos(camera.lat * RAD)
  const r = camera.scale
  for (let i = 0, p = 0; p < points.length; i++, p += STRIDE) {
    const x = points[p]!
    const y = points[p + 1]!
    const z = points[p + 2]!
    const along = x * cl + y * sl
    const depth = along * cp + z * sp
    const height = points[p + 6]!
    const s = height === 0 ? r : r * liftedBy(height, depth)
    out.x[i] = cx + s * (y * cl - x * sl)
    out.y[i] = cy - s * (z * cp - along * sp)
    out.depth[i] = depth
  }
}

function projectFlat(points: Float32Array, camera: Camera, viewport: Viewport, out: Projected): void {
  const [cx, cy] = centreOf(viewport)
  const lon0 = camera.lon * RAD
  const y0 = equalEarthY(camera.lat * RAD)
  const s = camera.scale
  for (let i = 0, p = 0; p < points.length; i++, p += STRIDE) {
    let lon = points[p + 3]! - lon0
    if (lon > Math.PI) lon -= 2 * Math.PI
    else if (lon < -Math.PI) lon += 2 * Math.PI
    out.x[i] = cx + s * points[p + 4]! * lon
    out.y[i] = cy - s * (points[p + 5]! - y0)
    out.depth[i] = 1
  }
}

/** A longer step between two points of a line means that it crosses from one edge of the flat map to the other. */
export function wrapJump(camera: Camera): number {
  return camera.view === 'globe' ? Infinity : camera.scale * 1.61
}

/** Longitude and latitude under a pixel, or undefined outside the world. */
export function unproject(
  px: number,
  py: number,
  camera: Camera,
  viewport: Viewport,
): [number, number] | undefined {
  const [cx, cy] = centreOf(viewport)
  const x = (px - cx) / camera.scale
  const y = (cy - py) / camera.scale
  return camera.view === 'globe' ? unprojectGlobe(x, y, camera) : unprojectFlat(x, y, camera)
}

function unprojectGlobe(x: number, y: number, camera: Camera): [number, number] | undefined {
  const rho2 = x * x + y * y
  if (rho2 > 1) return undefined
  const depth = Math.sqrt(1 - rho2)
  const sp = Math.sin(camera.lat * RAD)
  const cp = Math.cos(camera.lat * RAD)
  const lat = Math.asin(depth * sp + y * cp)
  const lon = camera.lon * RAD + Math.atan2(x, depth * cp - y * sp)
  return [lon / RAD, lat / RAD]
}

function unprojectFlat(x: number, y: number, camera: Camera): [number, number] | undefined {
  const yy = y + equalEarthY(camera.lat * RAD)
  if (Math.abs(yy) > EDGE_Y) return undefined
  const lat = equalEarthLat(yy)
  const lon = x / equalEarthX(lat)
  return Math.abs(lon) > Math.PI ? undefined : [camera.lon + lon / RAD, lat / RAD]
}

/** On a sphere the first correction is only near: each further one halves what is left. */
const CORRECTIONS = 3

/** Zooms while keeping the place under the pixel fixed, as far as possible. */
export function zoomAt(camera: Camera, viewport: Viewport, px: number, py: number, scale: number): Camera {
  const placeIn = (of: Camera) => unproject(px, py, of, { ...viewport, shift: of.shift })
  const before = placeIn(camera)
  let zoomed = clampCamera({ ...camera, scale, shift: shiftAt(camera, scale, viewport) }, viewport)
  for (let i = 0; before && i < CORRECTIONS; i++) {
    const after = placeIn(zoomed)
    if (!after) break
    const moved = { lon: zoomed.lon + before[0] - after[0], lat: zoomed.lat + before[1] - after[1] }
    zoomed = clampCamera({ ...zoomed, ...moved }, viewport)
  }
  return zoomed
}

/** Moves the camera by a drag in pixels. */
export function panBy(camera: Camera, viewport: Viewport, dx: number, dy: number): Camera {
  const slow = camera.view === 'globe' ? 1 : 1 / equalEarthX(camera.lat * RAD)
  const lon = camera.lon - (dx / camera.scale / RAD) * slow
  if (camera.view === 'globe')
    return clampCamera({ ...camera, lon, lat: camera.lat + dy / camera.scale / RAD }, viewport)
  const y = Math.max(-EDGE_Y, Math.min(EDGE_Y, equalEarthY(camera.lat * RAD) + dy / camera.scale))
  return clampCamera({ ...camera, lon, lat: equalEarthLat(y) / RAD }, viewport)
}

/** Switches between globe and flat map at the same place and size on screen. */
export function withView(camera: Camera, view: View, viewport: Viewport): Camera {
  if (camera.view === view) return camera
  const wasWorld = camera.scale <= worldScale(camera.view, viewport) * 1.15
  const scale = wasWorld ? worldScale(view, viewport) : camera.scale
  return clampCamera({ ...camera, view, scale, shift: undefined }, viewport)
}

/** A camera that fits the log: busy airports near the centre, all others visible if possible. */
export function fitScene(scene: Scene, view: View, viewport: Viewport): Camera {
  const world = worldScale(view, viewport)
  if (view === 'globe') return fitGlobe(scene, viewport, world)
  if (scene.spots.length === 0) return clampCamera({ view, lon: 10, lat: 0, scale: world }, viewport)
  return fitFlat(scene, viewport, world)
}

function fitGlobe(scene: Scene, viewport: Viewport, world: number): Camera {
  if (scene.contrail) {
    // On a narrow screen it is wider than the screen, like a horizon.
    const zoom = viewport.width < 600 ? 1.22 : 1
    const at = { lon: scene.contrail.longitude - 14, lat: 32, scale: world * zoom }
    return clampCamera({ view: 'globe', ...at }, viewport)
  }
  if (scene.routes.length === 1 && scene.spots.length === 2) return fitFirstRoute(scene, viewport, world)
  const { longitude, latitude, zoom } = bestSide(scene.spots)
  const vectors = scene.spots.map(({ vector }) => vector)
  // A narrow window shows less of a globe that is larger than it.
  const scale =
    zoom > 1
      ? Math.max(world, Math.min(world * zoom, widest(vectors, longitude, latitude, viewport)))
      : world * zoom
  return clampCamera({ view: 'globe', lon: longitude, lat: latitude, scale }, viewport)
}

/** From the edge of the window, in pixels. */
const MARGIN = 32

/** The largest scale at which all places are within the window. */
function widest(places: readonly Vector[], lon: number, lat: number, viewport: Viewport): number {
  const [width, height] = roomOf(viewport)
  const [sinLon, cosLon] = [Math.sin(lon * RAD), Math.cos(lon * RAD)]
  const [sinLat, cosLat] = [Math.sin(lat * RAD), Math.cos(lat * RAD)]
  let scale = Number.POSITIVE_INFINITY
  for (const [x, y, z] of places) {
    const across = Math.abs(y * cosLon - x * sinLon)
    const up = Math.abs(z * cosLat - (x * cosLon + y * sinLon) * sinLat)
    scale = Math.min(scale, (width / 2 - MARGIN) / across, (height / 2 - MARGIN) / up)
  }
  return scale
}

/** How far from its middle, in degrees and towards the equator, the camera stands so that a single arc bows. */
const BOW = 27

/** The only route of a log on the whole globe. */
function fitFirstRoute(scene: Scene, viewport: Viewport, world: number): Camera {
  const { lon, lat } = middleOf(scene.spots.map(({ vector }) => vector))
  const aside = lat < 0 ? lat + BOW : lat - BOW
  return clampCamera({ view: 'globe', lon, lat: aside, scale: world }, viewport)
}

function middleOf(places: readonly Vector[]): { lon: number; lat: number } {
  const along = (axis: 0 | 1 | 2) => places.reduce((sum, place) => sum + place[axis], 0)
  const [x, y, z] = [along(0), along(1), along(2)]
  return { lon: Math.atan2(y, x) / RAD, lat: Math.atan2(z, Math.hypot(x, y)) / RAD }
}

function fitFlat(scene: Scene, viewport: Viewport, world: number): Camera {
  const lon = middleLongitude(scene)
  const [w, h] = roomOf(viewport)
  let left = Infinity
  let right = -Infinity
  let top = -Infinity
  let bottom = Infinity
  for (const spot of scene.spots) {
    const latRad = spot.airport.latitude * RAD
    const x = equalEarthX(latRad) * RAD * (((((spot.airport.longitude - lon + 180) % 360) + 360) % 360) - 180)
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.max(top, equalEarthY(latRad))
    bottom = Math.min(bottom, equalEarthY(latRad))
  }
  const scale = Math.min((w * 0.84) / Math.max(0.12, right - left), (h * 0.8) / Math.max(0.12, top - bottom))
  const mid = equalEarthLat((top + bottom) / 2)
  const shift = (left + right) / 2 / equalEarthX(mid) / RAD
  // On a portrait screen the whole world would be very small, so the busier half is shown.
  if (h > 1.3 * w && scale < world * 1.8) {
    const centre = weightedCentre(scene.spots)
    const at = { lon: Math.atan2(centre[1], centre[0]) / RAD, lat: Math.asin(centre[2]) / RAD }
    return clampCamera({ view: 'flat', ...at, scale: world * 2 }, viewport)
  }
  return clampCamera(
    { view: 'flat', lon: lon + shift, lat: mid / RAD, scale: Math.max(world, scale) },
    viewport,
  )
}

/** A part of the window in pixels, and how far its middle is above the centre of the map. */
export interface Room {
  width: number
  height: number
  above: number
}

const MOST_TILT = 36
const CLOSEST = 900

/**
 * A camera that shows these places in a part of the window. On the globe it stands towards the south of them, as far as
 * that part is above the centre, so that a long arc bows.
 */
export function framed(places: readonly Vector[], room: Room, view: View, viewport: Viewport): Camera {
  const middle = middleOf(places)
  const tilts = view === 'globe' ? Array.from({ length: MOST_TILT / 2 + 1 }, (_, i) => 2 * i) : [0]
  const found = tilts.map((tilt) => {
    const camera = { view, ...middle, lat: middle.lat - tilt, scale: 1 }
    const seen = extentOf(places, camera)
    const scale = Math.min(CLOSEST, (room.width * 0.74) / seen.width, (room.height * 0.5) / seen.height)
    return { camera: { ...camera, scale }, off: Math.abs(seen.above * scale - room.above) }
  })
  const best = found.reduce((a, b) => (b.off < a.off ? b : a))
  return clampCamera(best.camera, viewport)
}

/** How wide and high places look at scale 1, and how far above the centre they are. */
function extentOf(
  places: readonly Vector[],
  camera: Camera,
): { width: number; height: number; above: number } {
  const points: number[] = []
  for (const place of places)
    pushTrack(points, [[Math.atan2(place[1], place[0]) / RAD, Math.asin(place[2]) / RAD]], 1)
  const at = makeProjected(places.length)
  const none = { top: 0, right: 0, bottom: 0, left: 0 }
  projectPoints(new Float32Array(points), camera, { width: 0, height: 0, insets: none }, at)
  const [left, right] = [Math.min(...at.x), Math.max(...at.x)]
  const [top, bottom] = [Math.min(...at.y), Math.max(...at.y)]
  return {
    width: Math.max(0.05, right - left),
    height: Math.max(0.05, bottom - top),
    above: -(top + bottom) / 2,
  }
}

/** Opposite the widest range of longitude without flights, so that the edge of the map crosses no flight. */
function middleLongitude(scene: Scene): number {
  const lons = scene.spots.map((s) => s.airport.longitude).sort((a, b) => a - b)
  let gap = 360 - (lons.at(-1)! - lons[0]!)
  let end = lons[0]!
  for (let i = 1; i < lons.length; i++) {
    if (lons[i]! - lons[i - 1]! > gap) {
      gap = lons[i]! - lons[i - 1]!
      end = lons[i]!
    }
  }
  return end + (360 - gap) / 2
}

/** Interpolates between two cameras along the great circle, zooming out a little on long distances. */
export function between(from: Camera, to: Camera, t: number): Camera {
  const a = vectorOf(from.lon, from.lat)
  const b = vectorOf(to.lon, to.lat)
  const angle = angleBetween(a, b)
  const hop = 1 - Math.sin(Math.PI * t) * Math.min(0.45, angle * 0.3)
  const scale = Math.exp(Math.log(from.scale) * (1 - t) + Math.log(to.scale) * t) * hop
  const shift = shiftBetween(from, to, t)
  if (angle < 1e-4) return { ...to, scale, shift }
  const ka = Math.sin((1 - t) * angle) / Math.sin(angle)
  const kb = Math.sin(t * angle) / Math.sin(angle)
  const v = [0, 1, 2].map((k) => ka * a[k]! + kb * b[k]!)
  return {
    view: to.view,
    lon: Math.atan2(v[1]!, v[0]!) / RAD,
    lat: Math.asin(Math.max(-1, Math.min(1, v[2]!))) / RAD,
    scale,
    shift,
  }
}

function shiftBetween({ shift: from }: Camera, { shift: to }: Camera, t: number): Camera['shift'] {
  if (!from && !to) return undefined
  const along = (axis: 0 | 1) => (from?.[axis] ?? 0) * (1 - t) + (to?.[axis] ?? 0) * t
  return [along(0), along(1)]
}

/** A globe that becomes smaller comes back to its place; shown as a whole, it is there. */
function shiftAt({ view, scale, shift }: Camera, next: number, viewport: Viewport): Camera['shift'] {
  if (!shift || next >= scale) return shift
  const world = worldScale(view, viewport)
  const share = Math.max(0, (next - world) / (scale - world))
  return share > 0 ? [shift[0] * share, shift[1] * share] : undefined
}
