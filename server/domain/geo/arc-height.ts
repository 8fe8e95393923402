// The height of an arc above the globe. Without height, a route through the middle of the picture would be a straight bar.
import { angleBetween, RAD, vectorOf } from './sphere.ts'

const HIGHEST = 0.3
/** For many routes, so that the arcs do not hide the world. */
const CROWDED = 0.8
const MANY_ROUTES = 24
/** From this depth on, an arc has its full height; towards the limb it gets flatter. */
const WHOLE_FROM_DEPTH = 0.72

/** Height of a point above the ground, in radii of the globe, at a fraction of an arc with this angle (radians). */
export function liftAt(share: number, angle: number): number {
  const top = Math.min(HIGHEST, 0.012 + 0.085 * angle ** 1.15)
  return top * Math.max(0, Math.sin(Math.PI * share)) ** 0.85
}

/** The height factor for this many routes on the globe. */
export const liftOf = (routes: number): number => (routes > MANY_ROUTES ? CROWDED : 1)

/** The height factor for a ground point of this depth: 1 faces the viewer, 0 is the limb. */
function seenAt(depth: number): number {
  if (depth <= 0) return 0
  if (depth >= WHOLE_FROM_DEPTH) return 1
  const t = depth / WHOLE_FROM_DEPTH
  return t * t * (3 - 2 * t)
}

/**
 * How much farther from the centre of the picture a point with this height is drawn than the ground below it, which has this
 * depth. Close to the limb the difference shrinks: otherwise a long arc would reach over the limb and hook back.
 */
export function liftedBy(height: number, depth: number): number {
  const lift = height * seenAt(depth)
  if (lift === 0) return 1
  const ground = Math.sqrt(1 - Math.min(1, depth * depth))
  const share = (ground * lift) / Math.max(1e-9, 1 - ground)
  return 1 + lift / Math.sqrt(1 + share * share)
}

/** Below this depth a line fades towards the limb. */
export const FADES_BELOW = 0.27
/** The opacity of a fading line, in equal steps of depth from the limb. */
export const RIM = [0.2, 0.46, 0.74]

/** 0 is the step at the limb; beyond the last step a line is drawn at full opacity. */
export const rimStep = (depth: number): number =>
  depth >= FADES_BELOW ? RIM.length : Math.floor((Math.max(0, depth) / FADES_BELOW) * RIM.length)

interface Place {
  longitude: number
  latitude: number
}

/** An orthographic projection. */
interface Globe {
  (place: [number, number]): [number, number] | null
  rotate(): [number, number, number]
  translate(): [number, number]
}

/** A canvas, or a text that becomes the path of an SVG. */
interface Pen {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
}

const STEP = 0.02
const LEAST_STEPS = 16

/**
 * Draws the arc between two places over a globe. Segments behind the globe are left out, and so are those whose depth is not
 * wanted.
 */
export function traceArc(
  pen: Pen,
  globe: Globe,
  a: Place,
  b: Place,
  lift: number,
  isWanted: (depth: number) => boolean = () => true,
): void {
  let last: Seen | null = null
  let isDown = false
  for (const next of pointsOf(globe, a, b, lift)) {
    const isDrawn = last !== null && next !== null && isWanted((last.depth + next.depth) / 2)
    if (isDrawn) {
      if (!isDown) pen.moveTo(last!.x, last!.y)
      pen.lineTo(next!.x, next!.y)
    }
    isDown = isDrawn
    last = next
  }
}

interface Seen {
  x: number
  y: number
  depth: number
}

/** Points of an arc; null for each that is behind the globe. */
function* pointsOf(globe: Globe, a: Place, b: Place, lift: number): Generator<Seen | null> {
  const [from, to] = [vectorOf(a.longitude, a.latitude), vectorOf(b.longitude, b.latitude)]
  const angle = angleBetween(from, to)
  const sin = Math.sin(angle)
  if (sin < 1e-9) return
  const [longitude, latitude] = globe.rotate()
  const [eye, centre] = [vectorOf(-longitude, -latitude), globe.translate()]
  const steps = Math.max(LEAST_STEPS, Math.ceil(angle / STEP))
  for (let i = 0; i <= steps; i++) {
    const t = i / steps
    const [s, e] = [Math.sin((1 - t) * angle) / sin, Math.sin(t * angle) / sin]
    const [x, y, z] = [0, 1, 2].map((k) => s * from[k]! + e * to[k]!) as [number, number, number]
    const depth = x * eye[0] + y * eye[1] + z * eye[2]
    const at = globe([Math.atan2(y, x) / RAD, Math.asin(Math.max(-1, Math.min(1, z))) / RAD])
    const high = liftedBy(lift * liftAt(t, angle), depth)
    const [left, top] = centre
    yield depth < 0 || !at ? null : { x: left + (at[0] - left) * high, y: top + (at[1] - top) * high, depth }
  }
}

/** The arc as an SVG path; empty if all of it is behind the globe. */
export function arcPath(
  globe: Globe,
  a: Place,
  b: Place,
  lift: number,
  isWanted?: (depth: number) => boolean,
): string {
  let d = ''
  const write = (command: string) => (x: number, y: number) => {
    d += `${command}${x.toFixed(1)},${y.toFixed(1)}`
  }
  traceArc({ moveTo: write('M'), lineTo: write('L') }, globe, a, b, lift, isWanted)
  return d
}
