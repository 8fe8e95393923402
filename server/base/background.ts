// Work that goes on after the response to its request, until it is done or the server stops.
import { errorMessage } from './errors.ts'
import type { Logger } from './log.ts'

export interface Background {
  /** The signal is aborted when the server stops; the work then ends as soon as it can. */
  start(name: string, work: (signal: AbortSignal) => Promise<void>): void
  /** Resolves when no work is running any more. */
  stop(): Promise<void>
}

export function createBackground(log: Logger): Background {
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  return {
    start(name, work) {
      const done: Promise<void> = work(stopping.signal)
        .catch((error) => log.error('background work failed', { work: name, reason: errorMessage(error) }))
        .finally(() => void running.delete(done))
      running.add(done)
    },
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
