// Paints one frame. While the map moves, frames have less detail: coarse land, thinner lines, no glow.
import { mixColours, parseColour, type Rgb } from '../../../server/domain/colour.ts'
import { type Label, placeLabels, spotRadius } from '../../../server/domain/labels.ts'
import { centreOf, type Projected } from './camera.ts'
import { drawLand, type Land, traceSphere } from './land.ts'
import type { Line, Route, Scene, Spot } from './scene.ts'
import { type MapTheme, RAMP_STEPS, rgba } from './theme.ts'
import { Lines } from './trace.ts'
import type { Camera, Viewport } from './types.ts'

export interface Frame {
  ctx: CanvasRenderingContext2D
  scene: Scene
  at: Projected
  camera: Camera
  viewport: Viewport
  theme: MapTheme
  land: Land | null
  moving: boolean
  /** Something is selected, so everything else is dimmed. */
  dimmed: boolean
  /** Of a drawing that is no canvas. */
  newPath?: () => Path2D
}

export function drawFrame(frame: Frame, labels: readonly Label[]): void {
  drawGround(frame)
  if (frame.moving && frame.scene.routes.length > COLOURED_WHEN_MOVING) drawRoutesFast(frame)
  else drawRoutes(frame)
  drawTracks(frame)
  if (frame.scene.contrail) drawContrail(frame, frame.scene.contrail)
  drawMarks(frame, labels)
}

/** The world without flights. */
export function drawGround(frame: Frame): void {
  const { ctx, viewport } = frame
  ctx.clearRect(0, 0, viewport.width, viewport.height)
  drawSphere(frame)
  if (frame.land) drawWorld(frame, frame.land)
  ctx.lineCap = 'butt'
  ctx.lineJoin = 'round'
}

/** What stands over the routes: the haze at the limb, airports and labels. */
export function drawMarks(frame: Frame, labels: readonly Label[]): void {
  if (frame.camera.view === 'globe') drawLimb(frame)
  drawSpots(frame)
  drawLabels(frame, labels)
}

function drawSphere(frame: Frame): void {
  const { ctx, camera, viewport, theme } = frame
  const [cx, cy] = centreOf(viewport)
  const r = camera.scale
  if (camera.view === 'globe' && r < viewport.width * 1.5) {
    const reach = r * 1.16
    const halo = ctx.createRadialGradient(cx, cy, r * 0.97, cx, cy, reach)
    halo.addColorStop(0, rgba(theme.halo, theme.dark ? 0.75 : 0.7))
    halo.addColorStop(0.3, rgba(theme.halo, theme.dark ? 0.25 : 0.26))
    halo.addColorStop(1, rgba(theme.halo, 0))
    ctx.fillStyle = halo
    ctx.fillRect(cx - reach, cy - reach, 2 * reach, 2 * reach)
  }
  traceSphere(ctx, camera, viewport)
  ctx.fillStyle = camera.view === 'globe' ? oceanShade(frame, cx, cy, r) : theme.ocean
  ctx.fill()
}

/** Shades the globe with light from the upper left. */
function oceanShade(frame: Frame, cx: number, cy: number, r: number): CanvasGradient {
  const { ctx, theme } = frame
  const shade = ctx.createRadialGradient(cx - r * 0.35, cy - r * 0.4, r * 0.05, cx, cy, r)
  const bright: Rgb = theme.dark ? [64, 104, 170] : [255, 255, 255]
  shade.addColorStop(0, rgba(mixColours(theme.oceanRgb, bright, theme.dark ? 0.035 : 0.55), 1))
  shade.addColorStop(1, theme.ocean)
  return shade
}

function drawWorld(frame: Frame, land: Land): void {
  const { ctx, camera, viewport, theme, moving } = frame
  const paint = { fill: theme.land, border: moving ? null : theme.border, precision: moving ? 0 : 0.5 }
  drawLand(ctx, land, camera, viewport, paint)
}

/** Fades everything at the edge of the globe, for depth without drawing the lines twice. */
function drawLimb(frame: Frame): void {
  const { ctx, camera, viewport, theme } = frame
  const [cx, cy] = centreOf(viewport)
  const r = camera.scale
  if (r > viewport.width * 1.5) return
  const haze = mixColours(theme.oceanRgb, theme.halo, theme.dark ? 0.35 : 0.5)
  const limb = ctx.createRadialGradient(cx, cy, r * 0.62, cx, cy, r)
  limb.addColorStop(0, rgba(haze, 0))
  limb.addColorStop(0.6, rgba(haze, theme.dark ? 0.14 : 0.3))
  limb.addColorStop(0.92, rgba(haze, theme.dark ? 0.5 : 0.72))
  limb.addColorStop(1, rgba(haze, theme.dark ? 0.8 : 0.9))
  ctx.beginPath()
  ctx.arc(cx, cy, r + 0.5, 0, 2 * Math.PI)
  ctx.fillStyle = limb
  ctx.fill()
}

/** Angle between points that keeps the polygon within `tolerance` pixels of the arc, as a stride over 1.5 degree steps. */
export function strideFor(scale: number, tolerance: number): number {
  const angle = Math.sqrt((8 * tolerance) / scale)
  return Math.max(1, Math.min(8, Math.floor(angle / ((1.5 * Math.PI) / 180))))
}

interface Pen {
  color: Rgb
  alpha: number
  width: number
}

export function penFor(weight: number, crowd: number, theme: MapTheme): Pen {
  // The more lines there are, the fainter each is, so that a thousand remain readable.
  const floor = theme.dark ? 0.2 : 0.24
  const faint = Math.max(floor, Math.min(0.88, 1.12 + (floor - 0.2) - 0.125 * Math.log(crowd + 1)))
  const color = theme.ramp[Math.round(weight * (RAMP_STEPS - 1))]!
  const wide = crowd < 60 ? 1.5 : 0.85
  return { color, alpha: faint + (0.95 - faint) * weight ** 1.4, width: wide + 1.5 * weight }
}

/** How crowded the map is: a small screen or a low zoom counts like more lines. */
function crowdOf(frame: Frame): number {
  return frame.scene.routes.length * Math.max(0.4, Math.min(3, (340 / frame.camera.scale) ** 1.5))
}

function bucketOf(weight: number): number {
  return Math.round(weight * (RAMP_STEPS - 1))
}

/** Consecutive routes of one colour: one path each, so that lines of one colour do not get brighter where they cross. */
function* buckets(routes: readonly Route[]): Generator<Route[]> {
  let from = 0
  for (let i = 1; i <= routes.length; i++) {
    const isEnd =
      i === routes.length ||
      bucketOf(routes[i]!.weight) !== bucketOf(routes[from]!.weight) ||
      isPlanned(routes[i]!) !== isPlanned(routes[from]!)
    if (!isEnd && i - from < 160) continue
    yield routes.slice(from, i)
    from = i
  }
}

function isPlanned(route: Route): boolean {
  return route.flown === 0
}

function drawRoutes(frame: Frame): void {
  const { ctx, scene, camera } = frame
  const stride = strideFor(camera.scale, frame.moving ? 0.9 : 0.12)
  ctx.save()
  if (camera.view === 'flat' && !frame.moving) {
    traceSphere(ctx, camera, frame.viewport)
    ctx.clip()
  }
  for (const group of buckets(scene.routes)) {
    const lines = new Lines(frame)
    for (const route of group) lines.add(route, stride)
    strokeGroup(frame, group[0]!, lines)
  }
  ctx.restore()
}

function strokeGroup(frame: Frame, sample: Route, lines: Lines): void {
  const { ctx, scene, theme, dimmed } = frame
  const pen = penFor(sample.weight, crowdOf(frame), theme)
  const alpha = dimmed ? pen.alpha * 0.22 : pen.alpha
  if (isPlanned(sample)) {
    strokePlanned(ctx, lines, theme, alpha)
    return
  }
  if (!dimmed && !frame.moving && (sample.weight > 0.3 || scene.routes.length < 60))
    strokeGlow(ctx, lines, pen, theme.dark, scene.routes.length < 200)
  ctx.lineWidth = pen.width
  ctx.strokeStyle = rgba(pen.color, alpha)
  lines.stroke(ctx)
}

function strokePlanned(ctx: CanvasRenderingContext2D, lines: Lines, theme: MapTheme, alpha: number): void {
  ctx.setLineDash([5, 4])
  ctx.lineWidth = 1.2
  ctx.strokeStyle = rgba(theme.upcoming, Math.max(alpha, 0.6))
  lines.stroke(ctx)
  ctx.setLineDash([])
}

function strokeGlow(
  ctx: CanvasRenderingContext2D,
  lines: Lines,
  pen: Pen,
  dark: boolean,
  fine: boolean,
): void {
  const rings = fine ? [7, 5, 3.4, 2.2] : [5, 2.6]
  const strength = (dark ? 0.22 : 0.13) / rings.length
  ctx.strokeStyle = rgba(pen.color, strength)
  for (const ring of rings) {
    ctx.lineWidth = pen.width * ring + 1
    lines.stroke(ctx)
  }
}

const COLOURED_WHEN_MOVING = 300
const MOVING_ROUTES = 1400

function drawRoutesFast(frame: Frame): void {
  const { ctx, scene, camera, theme } = frame
  const stride = strideFor(camera.scale, 0.9)
  const shown = scene.routes.slice(-MOVING_ROUTES)
  const pen = penFor(0.35, shown.length, theme)
  ctx.lineWidth = 1
  ctx.strokeStyle = rgba(pen.color, frame.dimmed ? 0.15 : pen.alpha)
  for (let from = 0; from < shown.length; from += 100) {
    const lines = new Lines(frame)
    for (const route of shown.slice(from, from + 100)) lines.add(route, stride)
    lines.stroke(ctx)
  }
}

function drawTracks(frame: Frame): void {
  const { ctx, scene, theme, dimmed, moving } = frame
  if (scene.tracks.length === 0) return
  const lines = new Lines(frame)
  for (const track of scene.tracks) lines.add(track, moving ? 6 : 1)
  ctx.lineWidth = 1.3
  ctx.strokeStyle = rgba(theme.ramp[RAMP_STEPS - 2]!, dimmed ? 0.2 : 0.8)
  lines.stroke(ctx)
}

/** Fades from nothing to a dot at its head. */
function drawContrail(frame: Frame, { start, count }: Line): void {
  const { ctx, at, theme } = frame
  const colour = parseColour(theme.accent)
  ctx.lineWidth = 3
  for (let i = start + 1; i < start + count; i++) {
    const lines = new Lines(frame)
    lines.add({ start: i - 1, count: 2, weight: 1 }, 1)
    ctx.strokeStyle = rgba(colour, ((i - start) / count) ** 1.6)
    lines.stroke(ctx)
  }
  const head = start + count - 1
  if (at.depth[head]! < 0) return
  drawDot(ctx, at.x[head]!, at.y[head]!, 11, rgba(colour, 0.2), null)
  drawDot(ctx, at.x[head]!, at.y[head]!, 5, rgba(colour, 1), null)
}

function drawSpots(frame: Frame): void {
  const { ctx, scene, at, theme, viewport, dimmed, moving } = frame
  const few = scene.spots.length < 40
  const shown = moving ? scene.spots.slice(0, 250) : scene.spots
  for (let i = shown.length - 1; i >= 0; i--) {
    const spot = shown[i]!
    const depth = at.depth[spot.start]!
    const x = at.x[spot.start]!
    const y = at.y[spot.start]!
    if (depth <= 0 || x < -9 || y < -9 || x > viewport.width + 9 || y > viewport.height + 9) continue
    const alpha = Math.min(1, depth * 3) * (dimmed ? 0.45 : 0.6 + 0.4 * Math.min(1, spot.weight * 2.5))
    drawDot(ctx, x, y, spotRadius(spot, few), rgba(theme.airportRgb, alpha), moving ? null : theme.labelHalo)
  }
  const home = scene.spots[0]
  if (home && scene.spots.length > 3 && !moving && !dimmed) drawHome(frame, home, few)
}

function drawDot(
  ctx: CanvasRenderingContext2D,
  x: number,
  y: number,
  r: number,
  fill: string,
  rim: string | null,
): void {
  if (rim && r > 2.6) {
    ctx.beginPath()
    ctx.arc(x, y, r + 1, 0, 2 * Math.PI)
    ctx.fillStyle = rim
    ctx.fill()
  }
  ctx.beginPath()
  ctx.arc(x, y, r, 0, 2 * Math.PI)
  ctx.fillStyle = fill
  ctx.fill()
}

function drawHome(frame: Frame, home: Spot, few: boolean): void {
  const { ctx, at, theme } = frame
  if (at.depth[home.start]! <= 0.05) return
  ctx.beginPath()
  ctx.arc(at.x[home.start]!, at.y[home.start]!, spotRadius(home, few) + 4, 0, 2 * Math.PI)
  ctx.lineWidth = 1.5
  ctx.strokeStyle = rgba(theme.ramp[RAMP_STEPS - 1]!, 0.85)
  ctx.stroke()
}

/** The codes of airports that fit, the first ones first. */
export function labelsIn(frame: Frame, spots: readonly Spot[]): Label[] {
  const { ctx, at, scene, theme, viewport } = frame
  const { width, height } = viewport
  const most = Math.round(Math.max(16, Math.min(70, (width * height) / 14_000)))
  const measure = (text: string, size: number) => {
    ctx.font = labelFont(theme, size)
    return ctx.measureText(text).width
  }
  const room = { width, height, measure, limit: Math.min(most, spots.length) }
  return placeLabels(spots, at, room, scene.spots.length < 40)
}

function labelFont(theme: MapTheme, size: number): string {
  return `${size > 12 ? 650 : 550} ${size}px ${theme.font}`
}

function drawLabels(frame: Frame, labels: readonly Label[]): void {
  const { ctx, at, moving, dimmed } = frame
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.lineJoin = 'round'
  ctx.globalAlpha = dimmed ? 0.4 : 1
  for (const label of moving ? labels.slice(0, 24) : labels) {
    const depth = at.depth[label.spot.start]!
    if (depth < 0.12) continue
    drawText(
      frame,
      label.text,
      at.x[label.spot.start]! + label.dx,
      at.y[label.spot.start]! + label.dy,
      label.size,
    )
  }
  ctx.globalAlpha = 1
}

export function drawText(frame: Frame, text: string, x: number, y: number, size: number): void {
  const { ctx, theme, moving } = frame
  ctx.font = labelFont(theme, size)
  if (!moving) {
    ctx.lineWidth = 3
    ctx.strokeStyle = theme.labelHalo
    ctx.strokeText(text, x, y)
  }
  ctx.fillStyle = theme.label
  ctx.fillText(text, x, y)
}
