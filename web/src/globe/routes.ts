// Draws the routes: one path per colour, so that lines of one colour do not get brighter where they cross.
import type { Rgb } from '../../../server/domain/colour.ts'
import type { Frame } from './frame.ts'
import { traceSphere } from './land/land.ts'
import type { LinePicture } from './line-picture.ts'
import type { Ink } from './raster.ts'
import type { Line, Route } from './scene.ts'
import { type MapTheme, RAMP_STEPS, rgba } from './theme.ts'
import { Lines } from './trace.ts'

interface Pen {
  color: Rgb
  alpha: number
  width: number
}

/** Beside what is selected or found the rest has this part of its strength. */
export const DIMMED = 0.22

/** From here on, lines that are flown once would cover the land. */
const THOUSANDS = 1500

export function penFor(weight: number, crowd: number, theme: MapTheme): Pen {
  // The more lines there are, the fainter each is, so that a thousand remain readable.
  const floor = theme.dark ? 0.2 : 0.3
  const most = theme.dark ? 0.88 : 0.95
  const some = Math.max(floor, Math.min(most, 1.12 + 2.5 * (floor - 0.2) - 0.125 * Math.log(crowd + 1)))
  const faint = some * Math.min(1, (THOUSANDS / crowd) ** 0.4)
  const color = theme.ramp[Math.round(weight * (RAMP_STEPS - 1))]!
  const wide = crowd < 60 ? 1.5 : theme.dark || crowd > 500 ? 0.85 : 1.15
  return { color, alpha: faint + (0.95 - faint) * weight ** 1.4, width: wide + 1.5 * weight }
}

/** How crowded the map is: a small screen or a low zoom counts like more lines. */
function crowdOf(frame: RoutesFrame): number {
  return frame.scene.routes.length * Math.max(0.4, Math.min(3, (340 / frame.camera.scale) ** 1.5))
}

const isPlanned = (route: DrawnRoute): boolean => route.flown === 0

const stepOf = ({ weight }: Line): number => Math.round(weight * (RAMP_STEPS - 1))
const GROUP = 160

/** Consecutive routes that look the same. */
function* groupsOf(routes: readonly DrawnRoute[]): Generator<DrawnRoute[]> {
  let group: DrawnRoute[] = []
  for (const route of routes) {
    const [first] = group
    const isOther = first && (stepOf(route) !== stepOf(first) || isPlanned(route) !== isPlanned(first))
    if (isOther || group.length >= GROUP) {
      yield group
      group = []
    }
    group.push(route)
  }
  if (group.length > 0) yield group
}

/** Angle between points that keeps the polygon within `tolerance` pixels of the arc, as a stride over 1.5 degree steps. */
export function strideFor(scale: number, tolerance: number): number {
  const angle = Math.sqrt((8 * tolerance) / scale)
  return Math.max(1, Math.min(8, Math.floor(angle / ((1.5 * Math.PI) / 180))))
}

const MANY = 700
const MOST_PROMINENT = 150

/** What drawing routes needs of a frame: a worker has no airports. */
type DrawnRoute = Pick<Route, 'start' | 'count' | 'weight' | 'flown'>
export interface RoutesFrame extends Omit<Frame, 'scene'> {
  scene: { points: Float32Array; routes: DrawnRoute[] }
}

export function startLines(ctx: CanvasRenderingContext2D): void {
  ctx.lineCap = 'butt'
  ctx.lineJoin = 'round'
}

/** From here on a moving frame has thin lines, and a still one is painted beside the page. */
export const MANY_WHEN_MOVING = 120

export function drawRoutes(frame: RoutesFrame, picture: LinePicture): void {
  const { routes } = frame.scene
  if (frame.moving && routes.length > MANY_WHEN_MOVING) {
    drawThin(frame, picture, routes, 0.9)
    return
  }
  if (routes.length > MANY) {
    // Of thousands of faint lines each is a pixel wide anyway; the busiest are drawn over them.
    drawThin(frame, picture, routes.slice(0, -MOST_PROMINENT), 0.2)
    drawStrong(frame, routes.slice(-MOST_PROMINENT))
    return
  }
  drawStrong(frame, routes)
}

function drawStrong(frame: RoutesFrame, routes: readonly DrawnRoute[]): void {
  const { ctx, camera } = frame
  const stride = strideFor(camera.scale, frame.moving ? 0.9 : 0.12)
  ctx.save()
  if (camera.view === 'flat' && !frame.moving) {
    traceSphere(ctx, camera, frame.viewport)
    ctx.clip()
  }
  for (const group of groupsOf(routes)) {
    const lines = new Lines(frame)
    for (const route of group) lines.add(route, stride)
    strokeGroup(frame, group[0]!, lines)
  }
  ctx.restore()
}

/** Lines that all look like this one. */
function strokeGroup(frame: RoutesFrame, sample: DrawnRoute, lines: Lines): void {
  const { ctx, theme, dimmed, moving } = frame
  const crowd = crowdOf(frame)
  const pen = penFor(sample.weight, crowd, theme)
  const alpha = dimmed ? pen.alpha * DIMMED : pen.alpha
  if (isPlanned(sample)) {
    strokePlanned(ctx, lines, theme, alpha)
    return
  }
  if (theme.dark && !dimmed && !moving && (sample.weight > 0.3 || crowd < 60))
    strokeGlow(ctx, lines, pen, crowd < 200)
  if (!theme.dark && !dimmed && crowd < CASED_ROUTES) strokeCasing(ctx, lines, pen)
  ctx.lineWidth = pen.width
  ctx.strokeStyle = rgba(pen.color, alpha)
  lines.stroke(ctx)
}

/** With more routes there would be more casing than line. */
const CASED_ROUTES = 160

/** On a light globe white parts lines from the coast and from each other. */
export function strokeCasing(ctx: CanvasRenderingContext2D, lines: Lines, { width }: Pen): void {
  ctx.lineWidth = width + 2
  ctx.strokeStyle = 'rgba(255,255,255,0.7)'
  lines.stroke(ctx)
}

function strokePlanned(ctx: CanvasRenderingContext2D, lines: Lines, theme: MapTheme, alpha: number): void {
  ctx.setLineDash([5, 4])
  ctx.lineWidth = 1.2
  ctx.strokeStyle = rgba(theme.upcoming, Math.max(alpha, 0.6))
  lines.stroke(ctx)
  ctx.setLineDash([])
}

const GLOW = 0.22

function strokeGlow(ctx: CanvasRenderingContext2D, lines: Lines, pen: Pen, fine: boolean): void {
  const rings = fine ? [7, 5, 3.4, 2.2] : [5, 2.6]
  ctx.strokeStyle = rgba(pen.color, GLOW / rings.length)
  for (const ring of rings) {
    ctx.lineWidth = pen.width * ring + 1
    lines.stroke(ctx, true)
  }
}

/** One pixel wide, in the same colours. */
function drawThin(
  frame: RoutesFrame,
  picture: LinePicture,
  routes: readonly DrawnRoute[],
  tolerance: number,
): void {
  const { theme, dimmed, camera } = frame
  const crowd = crowdOf(frame)
  const inks = Array.from({ length: RAMP_STEPS }, (_, i) =>
    inkOf(penFor(i / (RAMP_STEPS - 1), crowd, theme), dimmed),
  )
  picture.draw(frame, routes, (route) => inks[stepOf(route)]!, strideFor(camera.scale, tolerance))
}

/** A wider line is a stronger one. */
function inkOf({ color, alpha, width }: Pen, dimmed: boolean): Ink {
  const strength = 255 * Math.min(1, alpha * 0.8 * Math.max(1, width)) * (dimmed ? DIMMED : 1)
  return { word: (color[2] << 16) | (color[1] << 8) | color[0], strength }
}
