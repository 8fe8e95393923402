// One flight on the map: its way in colours of its own, the ground under it, and the plane at a share of it.
import type { Rgb } from '../../../server/domain/colour.ts'
import { makeProjected, projectPoints } from './camera.ts'
import type { Frame } from './frame.ts'
import type { Line } from './scene.ts'
import { STRIDE } from './sphere.ts'
import { rgba } from './theme.ts'
import { Lines, tipOf } from './trace.ts'

/** A line in the direction in which it was flown. */
export interface Way {
  line: Line
  isBackward: boolean
}

export interface Plane {
  flightId: number
  /** Of the way, 0 to 1. */
  share: number
}

export interface Coloured {
  flightId: number
  /** From the start of the way to its end, in equal steps. */
  colours: readonly Rgb[]
}

const shareOn = ({ isBackward }: Way, share: number): number => {
  const within = Math.max(0, Math.min(1, share))
  return isBackward ? 1 - within : within
}

/** The way as a dotted line on the ground and as an arc over it whose colour changes. */
export function drawColoured(frame: Frame, way: Way, colours: readonly Rgb[]): void {
  const { ctx, theme } = frame
  if (frame.camera.view === 'globe') drawGround(frame, way.line)
  ctx.lineCap = 'round'
  ctx.lineJoin = 'round'
  const whole = new Lines(frame)
  whole.add(way.line, 1)
  ctx.lineWidth = theme.dark ? 8 : 5
  ctx.strokeStyle = theme.dark ? rgba(colours[0] ?? theme.airportRgb, 0.12) : 'rgba(255,255,255,0.85)'
  whole.stroke(ctx)
  ctx.lineCap = 'butt'
  ctx.lineWidth = 3
  for (const part of partsOf(way, colours)) {
    const lines = new Lines(frame)
    lines.add(part.line, 1)
    ctx.strokeStyle = rgba(part.color, 1)
    lines.stroke(ctx)
  }
}

/** Stretches of one colour. */
function partsOf({ line, isBackward }: Way, colours: readonly Rgb[]): { line: Line; color: Rgb }[] {
  const parts: { line: Line; color: Rgb }[] = []
  for (let i = 0; i < line.count - 1; i++) {
    const share = (i + 0.5) / (line.count - 1)
    const at = Math.floor((isBackward ? 1 - share : share) * colours.length)
    const color = colours[Math.min(at, colours.length - 1)]!
    const last = parts.at(-1)
    if (last && last.color.join() === color.join()) last.line.count++
    else parts.push({ line: { start: line.start + i, count: 2, weight: 1 }, color })
  }
  return parts
}

function drawGround(frame: Frame, line: Line): void {
  const { ctx, scene, camera, viewport, theme } = frame
  const points = scene.points.slice(line.start * STRIDE, (line.start + line.count) * STRIDE)
  for (let p = 6; p < points.length; p += STRIDE) points[p] = 0
  const at = makeProjected(line.count)
  projectPoints(points, camera, viewport, at)
  const lines = new Lines({ ...frame, scene: { ...scene, points }, at })
  lines.add({ ...line, start: 0 }, 1)
  ctx.setLineDash([1.2, 4])
  ctx.lineWidth = 1.2
  ctx.strokeStyle = rgba(theme.airportRgb, 0.6)
  lines.stroke(ctx)
  ctx.setLineDash([])
}

/** The part that was flown, brighter than everything else. */
export function drawFlown(frame: Frame, way: Way, share: number): void {
  const { ctx, theme } = frame
  const until = shareOn(way, share)
  const lines = new Lines(frame)
  if (way.isBackward) lines.add({ ...way.line, ...endOf(way.line, until) }, 1)
  else lines.add(way.line, 1, until)
  ctx.lineCap = 'round'
  for (const [width, alpha] of [
    [7, 0.14],
    [2.6, 1],
  ] as const) {
    ctx.lineWidth = width
    ctx.strokeStyle = rgba(theme.airportRgb, alpha)
    lines.stroke(ctx)
  }
}

/** The rest of a line, from the point that follows a share of it. */
function endOf(line: Line, from: number): { start: number; count: number } {
  const passed = Math.ceil((line.count - 1) * from)
  return { start: line.start + passed, count: line.count - passed }
}

interface Place {
  x: number
  y: number
  /** In radians, as it is seen. */
  course: number
  /** False behind the globe. */
  isSeen: boolean
}

/** Where the plane stands. */
export function planeAt(frame: Pick<Frame, 'at'>, way: Way, share: number): Place {
  const t = shareOn(way, share)
  const [x, y] = tipOf(frame.at, way.line, t)
  const ahead = way.isBackward ? -0.01 : 0.01
  const [fromX, fromY] = tipOf(frame.at, way.line, Math.max(0, Math.min(1, t - ahead)))
  const [toX, toY] = tipOf(frame.at, way.line, Math.max(0, Math.min(1, t + ahead)))
  const nearest = way.line.start + Math.round((way.line.count - 1) * t)
  return { x, y, course: Math.atan2(toY - fromY, toX - fromX), isSeen: frame.at.depth[nearest]! >= 0 }
}

/** Seen from above, its nose to the right, about 16 wide. */
const PLANE =
  'M8 0C8 .7 7 1.1 6 1.1L2.6 1.1-.6 7.2-2.2 7.2-.8 1.1-4.4 1.1-5.7 2.9-7 2.9-6.2 0-7-2.9-5.7-2.9-4.4-1.1-.8-1.1-2.2-7.2-.6-7.2 2.6-1.1 6-1.1C7-1.1 8-.7 8 0Z'

export function drawPlane(frame: Frame, { x, y, course, isSeen }: Place, rim: Rgb | null): void {
  if (!isSeen) return
  const { ctx, theme } = frame
  ctx.save()
  ctx.translate(x, y)
  ctx.beginPath()
  ctx.arc(0, 0, 12, 0, 2 * Math.PI)
  ctx.fillStyle = theme.labelHalo
  ctx.fill()
  ctx.lineWidth = 1.6
  ctx.strokeStyle = rgba(rim ?? theme.airportRgb, 1)
  ctx.stroke()
  ctx.rotate(course)
  ctx.fillStyle = theme.airport
  ctx.fill(new Path2D(PLANE))
  ctx.restore()
}
