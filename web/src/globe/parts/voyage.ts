// One flight on the map: the part of its way that was flown, and the plane at its end.
import type { Frame } from '../frame.ts'
import type { Line } from '../scene.ts'
import { rgba } from '../theme.ts'
import { Lines, tipOf } from '../trace.ts'

/** A line in the direction in which it was flown. */
export interface Way {
  line: Line
  isBackward: boolean
}

const shareOn = ({ isBackward }: Way, share: number): number => {
  const within = Math.max(0, Math.min(1, share))
  return isBackward ? 1 - within : within
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

/** Half of it, seen from above with the nose to the right, about 16 wide. */
const PLANE: readonly (readonly [number, number])[] = [
  [8, 0],
  [7.3, 0.9],
  [6, 1.1],
  [2.6, 1.1],
  [-0.6, 7.2],
  [-2.2, 7.2],
  [-0.8, 1.1],
  [-4.4, 1.1],
  [-5.7, 2.9],
  [-7, 2.9],
  [-6.2, 0],
]

function tracePlane(ctx: CanvasRenderingContext2D): void {
  ctx.beginPath()
  for (const [x, y] of PLANE) ctx.lineTo(x, y)
  for (const [x, y] of PLANE.toReversed()) ctx.lineTo(x, -y)
  ctx.closePath()
}

export function drawPlane(frame: Frame, { x, y, course, isSeen }: Place): void {
  if (!isSeen) return
  const { ctx, theme } = frame
  ctx.save()
  ctx.translate(x, y)
  ctx.beginPath()
  ctx.arc(0, 0, 12, 0, 2 * Math.PI)
  ctx.fillStyle = theme.labelHalo
  ctx.fill()
  ctx.lineWidth = 1.6
  ctx.strokeStyle = rgba(theme.airportRgb, 1)
  ctx.stroke()
  ctx.rotate(course)
  tracePlane(ctx)
  ctx.fillStyle = theme.airport
  ctx.fill()
  ctx.restore()
}
