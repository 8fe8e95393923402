// Takes up imports that a killed process left unread, and removes files that no import names: at the start, and now and
// then. Every process that serves requests does it; a lease decides which of them works on an import.
import type { Logger } from '../base/log.ts'
import type { Imports } from '../imports/runner.ts'

const LOOK_EVERY_MS = 15_000
const LEFT_FILES_EVERY = 240

/** The returned function ends it; evaluations that are under way end with the server. */
export function startResuming(imports: Imports, log: Logger): () => void {
  let looks = 0
  let isIdle = true
  async function look(): Promise<void> {
    if (looks++ % LEFT_FILES_EVERY === 0) await imports.removeLeftFiles()
    await imports.resumeAbandoned()
  }
  function start(): void {
    if (!isIdle) return
    isIdle = false
    look()
      .catch((error) =>
        log.warn('could not look for imports', {
          reason: error instanceof Error ? error.message : String(error),
        }),
      )
      .finally(() => {
        isIdle = true
      })
  }
  const timer = setInterval(start, LOOK_EVERY_MS)
  timer.unref()
  start()
  return () => clearInterval(timer)
}
