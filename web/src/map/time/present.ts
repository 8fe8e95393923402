// The flight of the moment: a white trail over its arc, and its plane.
import type { Frame } from '../draw.ts'
import type { Line } from '../scene.ts'
import { Lines, tipOf } from '../trace.ts'

const DISC = 12

/** The way that was flown so far, as a line of its own. */
function flownPart({ start, count, weight }: Line, isReversed: boolean, share: number): Line {
  const steps = Math.max(1, Math.round((count - 1) * share))
  return { start: isReversed ? start + count - 1 - steps : start, count: steps + 1, weight }
}

export function drawPresent(
  frame: Frame,
  line: Line,
  isReversed: boolean,
  share: number,
  plane: boolean,
): void {
  const { ctx, theme } = frame
  const path = new Lines(frame)
  path.add(flownPart(line, isReversed, plane ? share : 1), 1)
  ctx.lineCap = 'round'
  ctx.lineJoin = 'round'
  // White on light ground has a dark casing.
  const casing = theme.dark ? [['rgba(255,255,255,0.16)', 9] as const] : [[theme.label, 5.5] as const]
  for (const [colour, width] of [...casing, ['#ffffff', 2.8] as const]) {
    ctx.strokeStyle = colour
    ctx.lineWidth = width
    path.stroke(ctx)
  }
  if (plane) drawPlane(frame, line, isReversed ? 1 - share : share, isReversed)
}

function drawPlane(frame: Frame, line: Line, along: number, isReversed: boolean): void {
  const { ctx, at } = frame
  const nearest = line.start + Math.round((line.count - 1) * along)
  if (at.depth[nearest]! < 0) return
  const [x, y] = tipOf(at, line, along)
  const back = tipOf(at, line, Math.max(0, along - 0.02))
  const ahead = tipOf(at, line, Math.min(1, along + 0.02))
  const heading = Math.atan2(ahead[1] - back[1], ahead[0] - back[0]) + (isReversed ? Math.PI : 0)
  ctx.save()
  ctx.translate(x, y)
  ctx.beginPath()
  ctx.arc(0, 0, DISC, 0, 2 * Math.PI)
  ctx.fillStyle = '#070a11'
  ctx.fill()
  ctx.lineWidth = 1.8
  ctx.strokeStyle = '#ffffff'
  ctx.stroke()
  ctx.rotate(heading)
  tracePlane(ctx)
  ctx.fillStyle = '#ffffff'
  ctx.fill()
  ctx.restore()
}

/** A plane that flies towards positive x, about 15 px long. */
const outline: readonly (readonly [number, number])[] = [
  [7.5, 0],
  [6.6, -1.1],
  [2.2, -1.2],
  [-1.9, -7],
  [-3.4, -7],
  [-1.6, -1.2],
  [-5, -1],
  [-6.4, -2.9],
  [-7.5, -2.9],
  [-6.7, 0],
]

function tracePlane(ctx: CanvasRenderingContext2D): void {
  ctx.beginPath()
  for (const [x, y] of outline) ctx.lineTo(x, y)
  for (const [x, y] of outline.toReversed()) ctx.lineTo(x, -y)
  ctx.closePath()
}
