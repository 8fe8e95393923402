// How the lines of time on the map are drawn: by the year of their latest flight, or by how often they were flown.
import type { Rgb } from '../../../../server/domain/colour.ts'
import { routeWeight } from '../../../../server/domain/geo/sphere.ts'
import type { Frame } from '../../globe/frame.ts'
import { penFor, strideFor, strokeCasing } from '../../globe/routes.ts'
import type { Line } from '../../globe/scene.ts'
import { RAMP_STEPS, rgba } from '../../globe/theme.ts'
import { Lines } from '../../globe/trace.ts'
import { linesByPeriod, type Paths, timesFlown } from './paths.ts'
import type { Timeline } from './timeline.ts'

interface Pen {
  color: Rgb
  alpha: number
  width: number
}

export interface Group {
  lines: readonly Line[]
  pen: Pen
}
interface PeriodGroup extends Group {
  period: number
}

/** Lines of earlier periods keep this much of their strength. */
export const FADED = 0.5

/** Few lines are broad and glow, thousands are thin, so that they remain readable. */
export function yearPen(color: Rgb, crowd: number): Pen {
  if (crowd < 80) return { color, alpha: 0.95, width: 2 }
  if (crowd < 400) return { color, alpha: 0.92, width: 1.5 }
  if (crowd < 1500) return { color, alpha: 0.8, width: 1.1 }
  return { color, alpha: 0.62, width: 0.8 }
}

const GLOWS_BELOW = 400

export function strokeLines(frame: Frame, { lines, pen }: Group): void {
  const { ctx, camera, theme, moving } = frame
  const path = new Lines(frame)
  const stride = strideFor(camera.scale, moving ? 0.9 : 0.12)
  for (const line of lines) path.add(line, stride)
  ctx.lineCap = 'butt'
  ctx.lineJoin = 'round'
  if (frame.scene.routes.length < GLOWS_BELOW) {
    if (!theme.dark) strokeCasing(ctx, path, pen)
    else if (!moving) {
      ctx.lineWidth = pen.width * 4
      ctx.strokeStyle = rgba(pen.color, 0.14)
      path.stroke(ctx)
    }
  }
  ctx.lineWidth = pen.width
  ctx.strokeStyle = rgba(pen.color, pen.alpha)
  path.stroke(ctx)
}

/** Flights on the busiest line of the whole log. */
export const mostFlownIn = (paths: Paths): number =>
  timesFlown(paths, 0, paths.lineOf.length).reduce((most, times) => Math.max(most, times), 0)

export const toneOf = (times: number, most: number): number =>
  Math.round(routeWeight(times, most) * (RAMP_STEPS - 1))

export const frequencyPen = (frame: Frame, tone: number): Pen =>
  penFor(tone / (RAMP_STEPS - 1), frame.scene.routes.length, frame.theme)

/** The least flown first, so that the busiest are on top. */
export function groupsByFrequency(frame: Frame, paths: Paths, range: readonly [number, number]): Group[] {
  const times = timesFlown(paths, ...range)
  const most = mostFlownIn(paths)
  const groups = Array.from({ length: RAMP_STEPS }, (): Line[] => [])
  for (const [i, number] of times.entries()) {
    if (number > 0) groups[toneOf(number, most)]!.push(paths.lines[i]!)
  }
  return groups
    .map((lines, tone) => ({ lines, pen: frequencyPen(frame, tone) }))
    .filter(({ lines }) => lines.length > 0)
}

/** Oldest first, so that the newest are on top; `strength` of a period is 0.5 to 1. */
export function groupsByPeriod(
  paths: Paths,
  timeline: Timeline,
  range: readonly [number, number],
  periods: { of: (moment: number) => number; ramp: readonly Rgb[] },
  strength: (period: number) => number,
): PeriodGroup[] {
  return [...linesByPeriod(paths, timeline, range, periods.of)].map(([period, lines]) => {
    const pen = yearPen(periods.ramp[period]!, paths.scene.routes.length)
    return { lines, period, pen: { ...pen, alpha: pen.alpha * strength(period) } }
  })
}
