// Long work in steps, between which other requests are served. The rule: nothing holds the event loop for much more than SLICE_MS at a
// time. Time decides, not a number of items: the first use of a function or of a time zone takes a hundred times as long as the next.
import { setImmediate } from 'node:timers/promises'
import type { Steps } from '../domain/steps.ts'
import type { MaybeLater } from './maybe-later.ts'

const SLICE_MS = 8
/** The clock is read after so many items: after each, that would take longer than what is done with some of them. */
const ITEMS_A_STEP = 32

/** Short periods of a long work. Those of one work may be passed to its parts. */
export interface Slices {
  isOver(): boolean
  /** If this one is over, lets other requests be served and begins the next one. */
  next(): Promise<void>
}

export function createSlices(sliceMs = SLICE_MS): Slices {
  let began = performance.now()
  const isOver = () => performance.now() - began > sliceMs
  return {
    isOver,
    async next() {
      if (!isOver()) return
      await setImmediate()
      began = performance.now()
    },
  }
}

interface StepOptions {
  /** Items that are taken at once; choose few if one of them takes long. */
  size?: number
  slices?: Slices
}

/** Takes some items at a time, with the index of the first, and ends a slice where it is over; not after the last items. */
export async function inSteps<Item>(
  items: readonly Item[],
  take: (some: readonly Item[], start: number) => MaybeLater<void>,
  { size = ITEMS_A_STEP, slices = createSlices() }: StepOptions = {},
): Promise<void> {
  for (let start = 0; start < items.length; start += size) {
    await slices.next()
    await take(items.slice(start, start + size), start)
  }
}

/** Runs a computation that can be left (domain/steps.ts), and leaves it where a slice is over. */
export async function runSteps<Result>(steps: Steps<Result>, slices = createSlices()): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (slices.isOver()) await slices.next()
  }
}
