// Resumes imports that a killed process left unread, and removes files that belong to no import: at the start and at
// intervals. Every process that serves requests does this; a lease decides which of them works on an import.
import { every } from '../base/every.ts'
import type { Logger } from '../base/log.ts'
import type { Imports } from '../services/imports/verdicts/runner.ts'

const LOOK_EVERY_MS = 15_000
const LEFT_FILES_EVERY = 240

/** The returned function stops it. It waits for running evaluations, which end when `imports` stops. */
export function startResuming(imports: Imports, log: Logger): () => Promise<void> {
  let looks = 0
  const look = async () => {
    if (looks++ % LEFT_FILES_EVERY === 0) await imports.removeLeftFiles()
    await imports.resumeAbandoned()
  }
  return every(LOOK_EVERY_MS, look, { log, what: 'look for imports', firstMs: 0 })
}
