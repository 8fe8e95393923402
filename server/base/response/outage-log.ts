// One log line for each outage of the database or the disk, with its reason and the first request that failed. Further
// failures of the same outage are logged at debug level.
import type { Unavailable } from '../errors.ts'
import type { Logger } from '../log.ts'

export type OutageLog = (facts: Record<string, unknown>, error: Unavailable) => void

/** Failures that are closer together than this belong to one outage. */
const OUTAGE_GAP_MS = 30_000

export function createOutageLog(log: Logger): OutageLog {
  let last: { at: number; reason: string } | undefined
  return (facts, error) => {
    const reason = error.message
    const at = performance.now()
    const isNew = last?.reason !== reason || at - last.at > OUTAGE_GAP_MS
    last = { at, reason }
    if (isNew) log.error('storage unavailable', { ...facts, reason, error: error.cause })
    else log.debug('storage unavailable', { ...facts, reason })
  }
}
