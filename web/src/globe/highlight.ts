// The highlight layer over the map: what is hovered or selected, and the arc of a flight that was just saved.

import type { Rgb } from '../../../server/domain/colour.ts'
import { type Label, spotRadius } from '../../../server/domain/geo/labels.ts'
import { drawText } from './draw.ts'
import type { Frame } from './frame.ts'
import type { Lit } from './lit.ts'
import { penFor, strokeCasing } from './routes.ts'
import type { Line } from './scene.ts'
import { RAMP_STEPS, rgba } from './theme.ts'
import { Lines, tipOf } from './trace.ts'

interface Manner {
  /** The airport that it is about. */
  subject: number | null
  strong: boolean
  /** Null takes the colour by how often a line was flown. */
  colourOf: (line: Line) => Rgb | null
}

export function drawLit(
  frame: Frame,
  lit: Lit,
  labels: readonly Label[],
  { subject, strong, colourOf }: Manner,
): void {
  const { ctx, theme } = frame
  if (lit.lines.length === 0 && lit.spots.length === 0) return
  const isOne = lit.lines.length === 1
  const crowd = lit.lines.length
  ctx.lineCap = 'round'
  ctx.lineJoin = 'round'
  if (strong && theme.dark) strokeHalo(frame, lit, isOne)
  for (const line of lit.lines) {
    const pen = penFor(isOne ? 1 : 0.25 + 0.75 * line.weight, crowd, theme)
    const lines = new Lines(frame)
    lines.add(line, 1)
    if (!theme.dark && crowd < 40) strokeCasing(ctx, lines, pen)
    ctx.lineWidth = pen.width * (strong ? 1 : 0.85)
    ctx.strokeStyle = rgba(colourOf(line) ?? pen.color, Math.max(0.7, pen.alpha))
    lines.stroke(ctx)
  }
  drawLitSpots(frame, lit, subject)
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  for (const { spot, text, dx, dy, size } of labels) {
    drawText(frame, text, frame.at.x[spot.start]! + dx, frame.at.y[spot.start]! + dy, size)
  }
}

function strokeHalo(frame: Frame, lit: Lit, isOne: boolean): void {
  const { ctx, theme } = frame
  const lines = new Lines(frame)
  for (const line of lit.lines) lines.add(line, 1)
  ctx.lineWidth = isOne ? 9 : 6
  ctx.strokeStyle = rgba(theme.ramp[RAMP_STEPS - 2]!, 0.14)
  lines.stroke(ctx)
}

function drawLitSpots(frame: Frame, lit: Lit, subject: number | null): void {
  const { ctx, at, theme } = frame
  const few = frame.scene.spots.length < 40
  for (const spot of lit.spots) {
    if (at.depth[spot.start]! <= 0) continue
    const isSubject = subject === spot.airport.id
    ctx.beginPath()
    const grown = isSubject ? 2.5 : lit.spots.length <= 2 ? 2 : 0.8
    ctx.arc(at.x[spot.start]!, at.y[spot.start]!, spotRadius(spot, few) + grown, 0, 2 * Math.PI)
    ctx.fillStyle = isSubject ? rgba(theme.ramp[RAMP_STEPS - 1]!, 1) : theme.airport
    ctx.lineWidth = 2
    ctx.strokeStyle = theme.labelHalo
    ctx.stroke()
    ctx.fill()
  }
}

/** The arc grows from its first airport, with a bright head. */
export function drawGrowing(frame: Frame, line: Line, share: number): void {
  const { ctx, at, theme } = frame
  const color = theme.ramp[RAMP_STEPS - 1]!
  ctx.lineCap = 'round'
  // A light globe has no glow.
  const glow = [
    [10, 0.12],
    [5, 0.25],
  ] as const
  for (const [width, alpha] of [...(theme.dark ? glow : []), [2.4, 1] as const]) {
    const lines = new Lines(frame)
    lines.add(line, 1, share)
    ctx.lineWidth = width
    ctx.strokeStyle = rgba(color, alpha)
    lines.stroke(ctx)
  }
  const head = line.start + Math.floor((line.count - 1) * share)
  if (at.depth[head]! < 0) return
  ctx.beginPath()
  ctx.arc(...tipOf(at, line, share), 4, 0, 2 * Math.PI)
  ctx.fillStyle = theme.airport
  ctx.fill()
}
