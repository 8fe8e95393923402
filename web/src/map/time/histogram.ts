// The bars of the slider: flights per quarter, half-year or month, and which years are named under them.
import { DAY } from '../../../../server/domain/time/durations.ts'
import { monthNumber, startOfMonth, type Timeline, yearOf } from './timeline.ts'

export interface Bar {
  /** Left edge and width as shares of the axis. */
  x: number
  width: number
  /** Share of the highest bar. */
  height: number
  /** When it begins. */
  moment: number
}

/** Equal widths: a quarter of 90 days is as wide as one of 92. */
export function barsOf(timeline: Timeline, monthsEach: 1 | 3 | 6): Bar[] {
  const first = monthNumber(timeline.start)
  const count = (timeline.perYear.length * 12) / monthsEach
  const flights = new Array<number>(count).fill(0)
  for (const moment of timeline.moments) flights[Math.floor((monthNumber(moment) - first) / monthsEach)]!++
  const most = Math.max(1, ...flights)
  return flights.map((number, i) => ({
    x: i / count,
    width: 1 / count,
    height: number / most,
    moment: startOfMonth(first + i * monthsEach),
  }))
}

/** The axis has months of equal width, as the bars have. */
export function shareOf(timeline: Timeline, moment: number): number {
  const month = monthNumber(moment)
  const begin = startOfMonth(month)
  const into = (moment - begin) / (startOfMonth(month + 1) - begin)
  const share = (month - monthNumber(timeline.start) + into) / (timeline.perYear.length * 12)
  return Math.min(1, Math.max(0, share))
}

/** The inverse, to a day. */
export function momentAt(timeline: Timeline, share: number): number {
  const months = timeline.perYear.length * 12 * Math.min(1, Math.max(0, share))
  const month = monthNumber(timeline.start) + Math.floor(months)
  const begin = startOfMonth(month)
  const days = (startOfMonth(month + 1) - begin) / DAY
  const moment = begin + Math.floor((months % 1) * days) * DAY
  return Math.min(timeline.last, Math.max(timeline.start, moment))
}

export interface Tick {
  x: number
  /** A year, or a month 1 to 12 of a log of one year. */
  value: number
}

/** The named years: the first and last, round ones between, as many as fit. */
export function ticksOf(timeline: Timeline, width: number, each: number): Tick[] {
  const first = yearOf(timeline.start)
  const years = timeline.perYear.length
  if (years === 1)
    return pick(1, 12, width, each, [1, 2, 3]).map((value) => ({ x: (value - 0.5) / 12, value }))
  return pick(first, years, width, each, [1, 2, 5, 10, 20, 50, 100]).map((value) => ({
    x: (value - first + 0.5) / years,
    value,
  }))
}

function pick(first: number, count: number, width: number, each: number, steps: readonly number[]): number[] {
  const room = Math.max(2, Math.floor(width / each))
  const by = steps.find((step) => count / step <= room) ?? steps.at(-1)!
  const last = first + count - 1
  if (by === 1) return Array.from({ length: count }, (_, i) => first + i)
  const apart = (count * each) / width
  const round = Array.from({ length: count }, (_, i) => first + i).filter(
    (value) => value % by === 0 && value - first >= apart && last - value >= apart,
  )
  return [first, ...round, last]
}
