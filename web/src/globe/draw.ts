// Paints one frame. While the map moves, frames have less detail: coarse land, no coast, no glow.

import { parseColour } from '../../../server/domain/colour.ts'
import { type Label, placeLabels, spotRadius } from '../../../server/domain/geo/labels.ts'
import { cityName } from '../../../server/domain/reference/cities.ts'
import { i18n } from '../i18n/i18n.svelte.ts'
import { type Backdrop, drawPicture } from './backdrop.ts'
import type { Frame } from './frame.ts'
import { HALO } from './land/world.ts'
import type { LinePicture } from './line-picture.ts'
import type { Night } from './night.ts'
import { DIMMED, drawRoutes, startLines } from './routes.ts'
import type { Line, Spot } from './scene.ts'
import { type MapTheme, RAMP_STEPS, rgba } from './theme.ts'
import { Lines } from './trace.ts'
import type { Airport } from './types.ts'

/** What keeps pictures between frames. */
interface Layers {
  backdrop: Backdrop
  night: Night | null
  lines: LinePicture
  /** The routes as they were painted beside the page; null while that is awaited. */
  routes?: ImageBitmap | null | undefined
}

export function drawFrame(frame: Frame, labels: readonly Label[], layers: Layers): void {
  const { ctx, viewport } = frame
  ctx.clearRect(0, 0, viewport.width, viewport.height)
  layers.backdrop.drawWorld(frame)
  if (frame.night !== null) layers.night?.draw(frame, frame.night)
  layers.backdrop.drawLimb(frame)
  startLines(ctx)
  const { routes } = layers
  if (routes) drawPicture(frame, routes, HALO)
  else drawRoutes(routes === null ? { ...frame, moving: true } : frame, layers.lines)
  drawTracks(frame)
  if (frame.scene.contrail) drawContrail(frame, frame.scene.contrail)
  drawMarks(frame, labels)
}

/** The airports and their labels. */
export function drawMarks(frame: Frame, labels: readonly Label[]): void {
  drawSpots(frame)
  drawLabels(frame, labels)
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
  const { ctx, scene, at, theme, dimmed } = frame
  const few = scene.spots.length < 40
  if (frame.moving) {
    drawDotsAtOnce(frame, scene.spots.slice(0, MOVING_SPOTS), few)
    return
  }
  for (let i = scene.spots.length - 1; i >= 0; i--) {
    const spot = scene.spots[i]!
    const alpha = strengthOf(frame, spot)
    if (alpha === 0) continue
    // Its rim fades as well: a disc in the colour of the halo would be a hole in the globe.
    const seen = nearness(at.depth[spot.start]!)
    ctx.globalAlpha = seen
    const fill = rgba(theme.airportRgb, alpha / seen)
    drawDot(ctx, at.x[spot.start]!, at.y[spot.start]!, spotRadius(spot, few), fill, theme.labelHalo)
  }
  ctx.globalAlpha = 1
  const [home, next] = scene.spots
  // On a trip each airport may be there once: then none of them is home.
  const isHome = home && next && home.visits > next.visits && scene.spots.length > 3
  if (isHome && !dimmed) drawHome(frame, home, few)
}

/** Towards the limb airports fade. */
const nearness = (depth: number): number => Math.min(1, depth * 3)

/** 0 if it is out of sight. */
function strengthOf({ at, viewport, dimmed }: Frame, { start, weight }: Spot): number {
  const depth = at.depth[start]!
  const [x, y] = [at.x[start]!, at.y[start]!]
  if (depth <= 0 || x < -9 || y < -9 || x > viewport.width + 9 || y > viewport.height + 9) return 0
  return nearness(depth) * (dimmed ? DIMMED : 0.6 + 0.4 * Math.min(1, weight * 2.5))
}

const MOVING_SPOTS = 250
const STRENGTHS = 6

/** In a few strengths, each as one path: a fill of its own for every dot would take longer than the land. */
function drawDotsAtOnce(frame: Frame, spots: readonly Spot[], few: boolean): void {
  const { ctx, at, theme } = frame
  const paths: (Path2D | undefined)[] = []
  for (const spot of spots) {
    const strength = Math.ceil(strengthOf(frame, spot) * STRENGTHS)
    if (strength === 0) continue
    const [x, y, r] = [at.x[spot.start]!, at.y[spot.start]!, spotRadius(spot, few)]
    const path = paths[strength] ?? new Path2D()
    paths[strength] = path
    path.moveTo(x + r, y)
    path.arc(x, y, r, 0, 2 * Math.PI)
  }
  for (const [strength, path] of paths.entries()) {
    if (!path) continue
    ctx.fillStyle = rgba(theme.airportRgb, strength / STRENGTHS)
    ctx.fill(path)
  }
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

/** From this scale on, airports have the names of their cities. */
const CITIES_FROM = 1500

/** The codes of airports that fit, the first ones first. */
export function labelsIn(frame: Frame, spots: readonly Spot[]): Label[] {
  const { ctx, at, camera, scene, theme, viewport } = frame
  const { width, height } = viewport
  const most = Math.round(Math.max(16, Math.min(70, (width * height) / 14_000)))
  const measure = (text: string, size: number) => {
    ctx.font = labelFont(theme, size)
    return ctx.measureText(text).width
  }
  const isNear = camera.scale >= CITIES_FROM
  const cityOf = isNear ? (airport: Airport) => cityName(airport, i18n.cities) : undefined
  const room = { width, height, measure, limit: Math.min(most, spots.length), cityOf }
  return placeLabels(spots, at, room, scene.spots.length < 40)
}

export function labelFont(theme: MapTheme, size: number): string {
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
    if (depth < (label === labels[0] ? 0.05 : 0.12)) continue
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
