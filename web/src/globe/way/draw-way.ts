/** Draws a flight above the globe: its way in the colours of the light, the other legs of its journey, ends, the aircraft. */

import type { Light } from '../../../../server/domain/geo/sun.ts'
import { makeProjected, type Projected, projectPoints } from '../camera.ts'
import type { Frame } from '../frame.ts'
import { STRIDE } from '../sphere.ts'
import { rgba } from '../theme.ts'
import type { FlownWay } from './flown-way.ts'

export interface Named {
  code: string
  /** One point, for the projection. */
  point: Float32Array
}

export interface WayPicture {
  way: FlownWay | null
  /** Arcs of the journey's other flights. */
  legs: Float32Array[]
  ends: Named[]
  stops: Named[]
  isPlanned: boolean
  /** Under way: solid up to the aircraft, dashed after it. */
  isFlying?: boolean
  /** Instant at which the aircraft is drawn. */
  at: number | null
}

/** Where the aircraft is on the canvas. */
export interface PlaneSpot {
  x: number
  y: number
  depth: number
  /** There is more room for text to the left of the way than to the right. */
  isFreeLeft: boolean
}

type Pencil = Pick<Frame, 'ctx' | 'camera' | 'viewport' | 'theme'>

const ARC_WIDTH = 3
/** Drawn below the lines in the light theme. */
const CASING = '#ffffff'
/** Points close to the limb fade. */
const FADE_DEPTH = 0.27
/** Points with less depth are at or behind the limb. */
const FAR_SIDE = 0.02

const fadeAt = (depth: number): number => (depth <= 0 ? 0 : Math.min(1, depth / FADE_DEPTH))

function projected(points: Float32Array, { camera, viewport }: Pencil): Projected {
  const at = makeProjected(points.length / STRIDE)
  projectPoints(points, camera, viewport, at)
  return at
}

/** `share` of the way is drawn; the aircraft is drawn on a whole one. */
export function drawWay(pencil: Pencil, picture: WayPicture, share: number): PlaneSpot | null {
  const { ctx } = pencil
  ctx.lineCap = 'round'
  ctx.lineJoin = 'round'
  ctx.textBaseline = 'alphabetic'
  ctx.strokeStyle = pencil.theme.labelHalo
  for (const leg of picture.legs) drawLine(pencil, projected(leg, pencil), 1.4, pencil.theme.leg)
  const { way } = picture
  const at = way && projected(way.points, pencil)
  if (way && at) {
    if (way.ground) drawGround(pencil, way.ground)
    drawArc(pencil, way, at, picture, share)
  }
  drawPlaces(pencil, picture.ends, picture.stops)
  return way && at && share === 1 && picture.at !== null ? drawPlane(pencil, way, at, picture.at) : null
}

function drawLine({ ctx }: Pencil, at: Projected, width: number, colour: string): void {
  ctx.lineWidth = width
  ctx.strokeStyle = colour
  for (let i = 1; i < at.x.length; i++) {
    ctx.globalAlpha = fadeAt(Math.min(at.depth[i]!, at.depth[i - 1]!))
    if (ctx.globalAlpha > 0) segment(ctx, at, i)
  }
  ctx.globalAlpha = 1
}

function segment(ctx: CanvasRenderingContext2D, at: Projected, i: number): void {
  ctx.beginPath()
  ctx.moveTo(at.x[i - 1]!, at.y[i - 1]!)
  ctx.lineTo(at.x[i]!, at.y[i]!)
  ctx.stroke()
}

function drawGround(pencil: Pencil, ground: Float32Array): void {
  const { ctx, theme } = pencil
  const at = projected(ground, pencil)
  ctx.setLineDash([0.1, 5])
  ctx.lineWidth = 1.4
  ctx.strokeStyle = theme.ground
  ctx.beginPath()
  for (let i = 0; i < at.x.length; i++) {
    if (i === 0 || at.depth[i]! < 0) ctx.moveTo(at.x[i]!, at.y[i]!)
    else ctx.lineTo(at.x[i]!, at.y[i]!)
  }
  ctx.stroke()
  ctx.setLineDash([])
}

interface Stretch {
  light: Light | null
  isPlanned: boolean
  indices: number[]
}

/** Stretches of one colour, as one path each, so that dashes continue across points. */
function stretches(
  way: FlownWay,
  at: Projected,
  until: number,
  /** From this point on it is still to come. */
  planned: number,
): Stretch[] {
  const found: Stretch[] = []
  const last = Math.round((at.x.length - 1) * until)
  for (let i = 0; i <= last; i++) {
    const light = way.marks?.[i]?.light ?? null
    const isPlanned = i > planned
    const current = found.at(-1)
    if (current && current.light === light && current.isPlanned === isPlanned) current.indices.push(i)
    else found.push({ light, isPlanned, indices: current ? [current.indices.at(-1)!, i] : [i] })
  }
  return found
}

/** The point from which the flight is still to come. */
function plannedFrom({ marks }: FlownWay, { isPlanned, isFlying, at }: WayPicture): number {
  if (isFlying && marks && at !== null) return placeAt(marks, at).index
  return isPlanned ? -1 : Number.POSITIVE_INFINITY
}

function drawArc(pencil: Pencil, way: FlownWay, at: Projected, picture: WayPicture, share: number): void {
  const { ctx, theme } = pencil
  const parts = stretches(way, at, share, plannedFrom(way, picture))
  const colourOf = (light: Light | null) => (light ? theme.light[light] : rgba(theme.ramp[0]!, 1))
  if (!theme.dark) for (const { indices } of parts) strokeAlong(pencil, at, indices, CASING, ARC_WIDTH + 2, 1)
  else
    for (const { light, indices, isPlanned } of parts)
      if (!isPlanned) strokeAlong(pencil, at, indices, colourOf(light), ARC_WIDTH * 4, 0.14)
  for (const { light, indices, isPlanned } of parts) {
    ctx.setLineDash(isPlanned ? [7, 7] : [])
    strokeAlong(pencil, at, indices, colourOf(light), ARC_WIDTH, 1)
  }
  ctx.setLineDash([])
}

function strokeAlong(
  { ctx }: Pencil,
  at: Projected,
  indices: readonly number[],
  colour: string,
  width: number,
  alpha: number,
): void {
  ctx.strokeStyle = colour
  ctx.lineWidth = width
  const isWhole = indices.every((i) => at.depth[i]! >= FADE_DEPTH)
  if (!isWhole) {
    for (const i of indices.slice(1)) {
      ctx.globalAlpha = alpha * fadeAt(Math.min(at.depth[i]!, at.depth[i - 1]!))
      if (ctx.globalAlpha > 0) segment(ctx, at, i)
    }
  } else {
    ctx.globalAlpha = alpha
    ctx.beginPath()
    for (const [k, i] of indices.entries()) {
      if (k === 0) ctx.moveTo(at.x[i]!, at.y[i]!)
      else ctx.lineTo(at.x[i]!, at.y[i]!)
    }
    ctx.stroke()
  }
  ctx.globalAlpha = 1
}

type Side = 'left' | 'right' | 'below' | 'above'
const sides: readonly Side[] = ['right', 'left', 'above', 'below']

interface Dot extends Named {
  x: number
  y: number
  depth: number
  radius: number
  size: number
}

function dotOf(named: Named, radius: number, size: number, pencil: Pencil): Dot {
  const at = projected(named.point, pencil)
  return { ...named, x: at.x[0]!, y: at.y[0]!, depth: at.depth[0]!, radius, size }
}

/** Both ends with their names, and other airports of the journey where there is room. */
function drawPlaces(pencil: Pencil, ends: readonly Named[], stops: readonly Named[]): void {
  const shownEnds = ends.map((end) => dotOf(end, 6, 15, pencil))
  const names = shownEnds.map((end, i) => ({
    dot: end,
    name: nameAt(pencil, end, sideOfEnd(end, shownEnds[1 - i])),
  }))
  const shownStops = stops.map((stop) => dotOf(stop, 4, 12, pencil)).filter(({ depth }) => depth >= FAR_SIDE)
  const taken: Box[] = [...names.map(({ name }) => name.box), ...[...shownEnds, ...shownStops].map(boxOf)]
  for (const stop of shownStops) {
    const name = sides
      .map((side) => nameAt(pencil, stop, side))
      .find(({ box }) => !taken.some((other) => overlap(box, other)))
    if (name) taken.push(name.box)
    drawPlace(pencil, stop, name)
  }
  for (const { dot, name } of names) drawPlace(pencil, dot, name)
}

/** The name of the lower end is below it, that of the other one next to it, away from the way. */
function sideOfEnd(here: Dot, other: Dot | undefined): Side {
  if (!other || other.y < here.y - 24) return 'below'
  return other.x > here.x ? 'left' : 'right'
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}
interface Name {
  x: number
  y: number
  align: CanvasTextAlign
  box: Box
}

const boxOf = ({ x, y, radius }: Dot): Box => ({
  left: x - radius,
  top: y - radius,
  right: x + radius,
  bottom: y + radius,
})
const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

const offsets: Record<Side, [number, number]> = {
  left: [-1, 0.35],
  right: [1, 0.35],
  below: [0, 1.5],
  above: [0, -0.8],
}
const fontOf = ({ theme }: Pencil, size: number): string => `650 ${size}px ${theme.font}`

function nameAt(pencil: Pencil, dot: Dot, side: Side): Name {
  const { ctx } = pencil
  const [dx, dy] = offsets[side]
  const x = dot.x + dx * (dot.radius + 6)
  const y = dot.y + dy * dot.size + Math.sign(dy) * (dx ? 0 : 3)
  ctx.font = fontOf(pencil, dot.size)
  const { width } = ctx.measureText(dot.code)
  const left = dx < 0 ? x - width : dx > 0 ? x : x - width / 2
  const align = dx < 0 ? 'right' : dx > 0 ? 'left' : 'center'
  return { x, y, align, box: { left, top: y - dot.size, right: left + width, bottom: y + 2 } }
}

function drawPlace(pencil: Pencil, { x, y, depth, radius, size, code }: Dot, name: Name | undefined): void {
  const { ctx, theme } = pencil
  if (depth < FAR_SIDE) return
  ctx.globalAlpha = fadeAt(depth)
  ctx.beginPath()
  ctx.arc(x, y, radius, 0, 2 * Math.PI)
  ctx.fillStyle = theme.airport
  ctx.strokeStyle = theme.labelHalo
  ctx.lineWidth = 2
  ctx.fill()
  ctx.stroke()
  if (name) {
    ctx.font = fontOf(pencil, size)
    ctx.textAlign = name.align
    ctx.lineWidth = 3
    ctx.fillStyle = theme.label
    ctx.strokeText(code, name.x, name.y)
    ctx.fillText(code, name.x, name.y)
  }
  ctx.globalAlpha = 1
}

/** Nose to the right, about 15 px long. */
const planeShape =
  'M8 0 C8 .8 6.500 1.200 5 1.200 L1.800 1.200 L-1.600 6.400 L-3.200 6.400 L-1.500 1.200 L-4.400 1 L-5.700 2.900 L-7 2.900 L-6.200 0 L-7 -2.900 L-5.700 -2.900 L-4.400 -1 L-1.500 -1.200 L-3.200 -6.400 L-1.600 -6.400 L1.800 -1.200 L5 -1.200 C6.500 -1.200 8 -.8 8 0Z'

/** Index of the last mark that is not after the instant, and the share of the way to the next one. */
function placeAt(marks: NonNullable<FlownWay['marks']>, instant: number): { index: number; share: number } {
  const next = marks.findIndex(({ at }) => at > instant)
  if (next < 0) return { index: marks.length - 1, share: 0 }
  if (next === 0) return { index: 0, share: 0 }
  const [a, b] = [marks[next - 1]!.at, marks[next]!.at]
  return { index: next - 1, share: (instant - a) / (b - a) }
}

/** How much of the way runs through the area where text would be, above that side of a place. */
function pointsBeside({ x: xs, y: ys }: Projected, x: number, y: number, side: 1 | -1): number {
  let count = 0
  for (let i = 0; i < xs.length; i++) {
    const [dx, dy] = [(xs[i]! - x) * side, ys[i]! - y]
    if (dx > 14 && dx < 230 && dy > -66 && dy < 10) count++
  }
  return count
}

function drawPlane(pencil: Pencil, way: FlownWay, at: Projected, instant: number): PlaneSpot | null {
  if (!way.marks) return null
  const { ctx, theme } = pencil
  const { index, share } = placeAt(way.marks, instant)
  const next = Math.min(index + 1, at.x.length - 1)
  const mixed = (values: Float32Array) => values[index]! + share * (values[next]! - values[index]!)
  const [x, y, depth] = [mixed(at.x), mixed(at.y), mixed(at.depth)]
  if (depth < FAR_SIDE) return null
  const before = next === index ? index - 1 : index
  ctx.save()
  ctx.globalAlpha = fadeAt(depth)
  ctx.translate(x, y)
  ctx.beginPath()
  ctx.arc(0, 0, 13, 0, 2 * Math.PI)
  ctx.fillStyle = theme.labelHalo
  ctx.strokeStyle = theme.light[way.marks[index]!.light]
  ctx.lineWidth = 1.8
  ctx.fill()
  ctx.stroke()
  ctx.rotate(Math.atan2(at.y[next]! - at.y[before]!, at.x[next]! - at.x[before]!))
  ctx.fillStyle = theme.label
  ctx.fill(new Path2D(planeShape))
  ctx.restore()
  return { x, y, depth, isFreeLeft: pointsBeside(at, x, y, -1) < pointsBeside(at, x, y, 1) }
}
