// What stands on an exported picture beside the globe: the date, the flight, the figures and the bars of time.
import type { Rgb } from '../../../../server/domain/colour.ts'
import type { Frame } from '../../globe/frame.ts'
import { type MapTheme, rgba } from '../../globe/theme.ts'
import type { Insets, Viewport } from '../../globe/types.ts'
import type { Bar, Tick } from './histogram.ts'

export interface Caption {
  title: string
  subtitle: string
  /** Value, unit, name. */
  figures: readonly (readonly [string, string, string])[]
  bars: readonly Bar[]
  ticks: readonly { x: Tick['x']; text: string }[]
  /** The colour of each bar, null for those that are not shown. */
  colours: readonly (Rgb | null)[]
  /** Places of the start and of the moment on the axis. */
  from: number
  until: number
}

/** Pixels at the foot that the caption takes. */
const FOOT = 132
const MARGIN = 32
const BARS = 44

const isNarrow = ({ width }: Viewport): boolean => width < 600

/** The room for the globe above the caption. */
export function captionInsets(width: number): Insets {
  const narrow = width < 600
  return { top: 24, right: 0, bottom: FOOT + (narrow ? 84 : 0), left: 0 }
}

type Context = CanvasRenderingContext2D

export function drawCaption({ ctx, viewport, theme }: Frame, caption: Caption): void {
  const margin = isNarrow(viewport) ? 16 : MARGIN
  ctx.textBaseline = 'alphabetic'
  drawTitle(ctx, viewport, theme, caption, margin)
  drawFigures(ctx, viewport, theme, caption, margin)
  drawBars(ctx, viewport, theme, caption, margin)
}

function write(
  ctx: Context,
  theme: MapTheme,
  text: string,
  at: readonly [number, number],
  look: string,
): number {
  ctx.font = `${look} ${theme.font}`
  ctx.textAlign = 'left'
  ctx.lineJoin = 'round'
  ctx.lineWidth = 4
  ctx.strokeStyle = theme.space
  ctx.strokeText(text, ...at)
  ctx.fillText(text, ...at)
  return ctx.measureText(text).width
}

function drawTitle(
  ctx: Context,
  { height }: Viewport,
  theme: MapTheme,
  { title, subtitle }: Caption,
  margin: number,
): void {
  const y = height - FOOT + 20
  ctx.fillStyle = theme.label
  const width = write(ctx, theme, title, [margin, y], '640 20px')
  if (subtitle) write(ctx, theme, subtitle, [margin + width + 14, y], '450 14px')
}

function drawFigures(
  ctx: Context,
  viewport: Viewport,
  theme: MapTheme,
  { figures }: Caption,
  margin: number,
): void {
  const narrow = isNarrow(viewport)
  const each = narrow ? (viewport.width - 2 * margin) / figures.length : 60
  const bottom = viewport.height - FOOT - (narrow ? 28 : 34)
  for (const [i, [value, unit, name]] of figures.entries()) {
    const x = narrow ? margin + i * each : margin
    const y = narrow ? bottom : bottom - (figures.length - 1 - i) * each
    ctx.fillStyle = theme.label
    const width = write(ctx, theme, value, [x, y - 18], narrow ? '650 17px' : '650 24px')
    if (unit) write(ctx, theme, unit, [x + width + 5, y - 18], '500 12px')
    write(ctx, theme, name, [x, y], '450 12px')
  }
}

function drawBars(
  ctx: Context,
  { width, height }: Viewport,
  theme: MapTheme,
  caption: Caption,
  margin: number,
): void {
  const room = width - 2 * margin
  const base = height - 38
  for (const [i, bar] of caption.bars.entries()) {
    if (bar.height === 0) continue
    const tall = Math.max(2, bar.height * BARS)
    const gap = Math.min(1.5, bar.width * room * 0.2)
    const colour = caption.colours[i]
    ctx.fillStyle = colour ? rgba(colour, 1) : rgba(theme.upcoming, 0.38)
    ctx.fillRect(margin + bar.x * room, base - tall, bar.width * room - gap, tall)
  }
  ctx.fillStyle = rgba(theme.upcoming, 0.5)
  ctx.fillRect(margin, base, room, 1)
  ctx.fillStyle = theme.label
  ctx.fillRect(margin + caption.from * room, base - 0.5, (caption.until - caption.from) * room, 2)
  ctx.fillRect(margin + caption.until * room - 1, base - BARS - 6, 2, BARS + 8)
  ctx.font = `450 12px ${theme.font}`
  ctx.textAlign = 'center'
  for (const { x, text } of caption.ticks) ctx.fillText(text, margin + x * room, height - 16)
}
