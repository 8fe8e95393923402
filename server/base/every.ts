// Tasks that a process repeats while it runs.
import { errorMessage } from './errors.ts'
import type { Logger } from './log.ts'

interface Options {
  log: Pick<Logger, 'warn'>
  /** Completes "could not …" in the log. */
  what: string
  /** Time before the first run, if it is not the interval. */
  firstMs?: number
}

/**
 * Runs `look` every `ms`, but never twice at the same time. A failure is logged unless the previous run failed with the
 * same message. The returned function stops the repetition and resolves when the current run has ended.
 */
export function every(
  ms: number,
  look: () => unknown,
  { log, what, firstMs = ms }: Options,
): () => Promise<void> {
  let looking: Promise<void> | undefined
  let lastReason: string | undefined
  const run = async () => {
    try {
      await look()
      lastReason = undefined
    } catch (error) {
      const reason = errorMessage(error)
      if (reason !== lastReason) log.warn(`could not ${what}`, { reason })
      lastReason = reason
    }
  }
  const start = () => {
    looking ??= run().finally(() => {
      looking = undefined
    })
  }
  const first = firstMs === ms ? undefined : setTimeout(start, firstMs).unref()
  const timer = setInterval(start, ms).unref()
  return async () => {
    clearTimeout(first)
    clearInterval(timer)
    await looking
  }
}
