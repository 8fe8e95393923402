// Long work in steps, between which other requests are served. The rule: nothing blocks the event loop for much longer than
// SLICE_MS. Steps are measured in time, not in items: the first use of a function or a time zone takes a hundred times as
// long as the next.
import { setImmediate } from 'node:timers/promises'
import type { Steps } from '../domain/steps.ts'
import type { MaybeLater } from './maybe-later.ts'

const SLICE_MS = 8
/** The clock is read once per so many items: reading it after every item could cost more than the item. */
const ITEMS_A_STEP = 32

/** The short periods into which long work is divided. One `Slices` may be shared by all parts of the work. */
export interface Slices {
  isOver(): boolean
  /** If the current slice is over, lets other requests run and begins the next one. */
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
  /** Items per step; choose a small number if one item takes long. */
  size?: number
  slices?: Slices
}

/** Handles some items at a time, with the index of the first, and pauses when a slice is over, except after the last items. */
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

/** Runs a computation that can pause (domain/steps.ts), and pauses it when a slice is over. */
export async function runSteps<Result>(steps: Steps<Result>, slices = createSlices()): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (slices.isOver()) await slices.next()
  }
}
