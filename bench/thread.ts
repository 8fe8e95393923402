// The work of a page's main thread, from a trace of Chromium. CPU time of the thread, not elapsed time: other processes do
// not change it.
import type { Browser, Page } from 'playwright-core'

export interface Work {
  /** CPU time of each task, in milliseconds, in their order. */
  tasks: number[]
  /** The same, for tasks that began after the first paint. */
  afterPaint: number[]
  frames: number
  seconds: number
}

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  dur?: number
  tdur?: number
}

const CATEGORIES = ['toplevel', 'devtools.timeline', 'loading', 'blink.user_timing']

/** Traces the action and reads what the main thread of the page did meanwhile. */
export async function workOf(browser: Browser, page: Page, act: () => Promise<void>): Promise<Work> {
  await browser.startTracing(page, { categories: CATEGORIES })
  const began = performance.now()
  await act()
  const seconds = (performance.now() - began) / 1000
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  return { ...readWork(traceEvents), seconds }
}

function readWork(events: readonly TraceEvent[]): Omit<Work, 'seconds'> {
  const callbacks = events.filter(({ name }) => name === 'FireAnimationFrame')
  const thread = callbacks[0] ?? events.find(({ name }) => name === 'firstPaint')
  const isMain = ({ pid, tid }: TraceEvent) => pid === thread?.pid && tid === thread.tid
  const tasks = events.filter(
    (event) => event.ph === 'X' && event.name === 'ThreadControllerImpl::RunTask' && isMain(event),
  )
  const paint = events.find((event) => event.name === 'firstPaint' && isMain(event))?.ts ?? Infinity
  const ms = ({ tdur = 0 }: TraceEvent) => tdur / 1000
  // A frame may have several callbacks: all of them are in one task.
  const own = callbacks.filter(isMain)
  const isFrame = ({ ts, dur = 0 }: TraceEvent) => own.some((one) => one.ts >= ts && one.ts <= ts + dur)
  return {
    tasks: tasks.map(ms),
    afterPaint: tasks.filter(({ ts }) => ts > paint).map(ms),
    frames: tasks.filter(isFrame).length,
  }
}

export const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
export const most = (numbers: readonly number[]): number => Math.max(0, ...numbers)
