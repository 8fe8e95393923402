// The logs that are kept for statistics: the most recently used ones, up to a total number of flights.
import type { Reference } from '../reference/reference.ts'
import { createKeptLog, type KeptLog } from './kept-log.ts'
import type { Measures } from './stat-flight.ts'

export interface KeptLogs {
  /** The log of a person, or everyone's if `audience` is null. A request gets it once and reads it as often as needed. */
  get(audience: string | null, measures: Measures): KeptLog
}

/** About half a kilobyte each. A longer log is read again by every request without a cached response. */
const FLIGHTS_AT_MOST = 150_000
/** The overhead of a log, in flights. */
const FLIGHTS_A_LOG = 200

export function createKeptLogs(reference: Reference, flightsAtMost = FLIGHTS_AT_MOST): KeptLogs {
  const logs = new Map<string, KeptLog>()
  const weightOf = ({ size }: KeptLog): number => size + FLIGHTS_A_LOG

  const dropOldest = (): void => {
    let total = 0
    for (const log of logs.values()) total += weightOf(log)
    for (const [key, log] of logs) {
      if (total <= flightsAtMost) return
      logs.delete(key)
      total -= weightOf(log)
    }
  }

  /** The size of a log is known after reading. A log that is too large on its own does not evict others. */
  const bounded = (key: string, log: KeptLog): KeptLog => ({
    get size() {
      return log.size
    },
    async read(at, reader) {
      const result = await log.read(at, reader)
      if (weightOf(log) > flightsAtMost) logs.delete(key)
      else dropOldest()
      return result
    },
  })

  return {
    get(audience, measures) {
      const key = `${measures.name} ${audience ?? '*'}`
      const log = logs.get(key) ?? bounded(key, createKeptLog(reference, audience, measures))
      // A Map keeps insertion order: inserting it again makes it the most recently used.
      logs.delete(key)
      logs.set(key, log)
      return log
    },
  }
}
