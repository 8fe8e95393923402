/** Which hours a time axis labels between the times at its two ends. */

import { HOUR } from '../../../../server/domain/time/durations.ts'

interface Widths {
  /** Width of the axis. */
  width: number
  /** Widths of the labels at its ends. */
  ends: readonly [number, number]
  /** Width of the widest hour label, which is centred on its hour; 0 until measured. */
  hour: number
}

const GAP = 8
const STEPS = [1, 2, 3, 4, 6, 12]

/** Full hours in UTC, as many as fit next to each other and between the labels at the ends. */
export function hoursThatFit(
  { departs, arrives }: { departs: number; arrives: number },
  { width, ends: [first, last], hour }: Widths,
): number[] {
  if (hour === 0) return []
  const perMs = width / (arrives - departs)
  const step = (STEPS.find((hours) => hours * HOUR * perMs >= hour + GAP) ?? 24) * HOUR
  const [from, to] = [first + GAP + hour / 2, width - last - GAP - hour / 2]
  const hours: number[] = []
  for (let ms = Math.ceil(departs / step) * step; ms < arrives; ms += step) {
    const x = (ms - departs) * perMs
    if (x >= from && x <= to) hours.push(ms)
  }
  return hours
}
