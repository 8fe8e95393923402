// Single-statement writes that queue for the same counter. Pending ones are sent as one statement, so that they share the
// round trip, the counter and the sync to disk (docs/decisions/005).
import { isRefusedWrite } from './dialect.ts'
import type { Row, Value } from './engine.ts'

/** The only parameter is a JSON list of documents; returns one row per document, in the same order. */
type Send = (sql: string, parameters: readonly Value[]) => Promise<Row[]>

interface Job {
  sql: string
  document: string
  /** The timeout of the wait. */
  timer: NodeJS.Timeout
  resolve(row: Row): void
  reject(error: unknown): void
}

/** The same as the timeout for a connection. */
const WAIT_AT_MOST_MS = 5_000
/** In a larger group, the first job would wait too long for the others. */
const TOGETHER_AT_MOST = 32
/** One is executed while the other waits for the disk. */
const GROUPS_AT_ONCE = 2

export function createTogether(send: Send) {
  let waiting: Job[] = []
  let groups = 0

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const { sql } = waiting[0]!
      const jobs = waiting.filter((job) => job.sql === sql).slice(0, TOGETHER_AT_MOST)
      waiting = waiting.filter((job) => !jobs.includes(job))
      for (const { timer } of jobs) clearTimeout(timer)
      await sendTogether(sql, jobs)
    }
    groups--
  }

  async function sendTogether(sql: string, jobs: readonly Job[]): Promise<void> {
    try {
      const rows = await send(sql, [`[${jobs.map(({ document }) => document).join(',')}]`])
      for (const [i, job] of jobs.entries()) job.resolve(rows[i]!)
    } catch (error) {
      // A bad write must not cause the others to be rejected.
      if (jobs.length > 1 && isRefusedWrite(error)) for (const job of jobs) await sendTogether(sql, [job])
      else for (const job of jobs) job.reject(error)
    }
  }

  function giveUp(job: Job): void {
    waiting = waiting.filter((other) => other !== job)
    job.reject(new Error('timeout exceeded while others were written'))
  }

  return (sql: string, document: object): Promise<Row> =>
    new Promise<Row>((resolve, reject) => {
      const timer = setTimeout(() => giveUp(job), WAIT_AT_MOST_MS)
      const job: Job = { sql, document: JSON.stringify(document), timer, resolve, reject }
      waiting.push(job)
      if (groups === GROUPS_AT_ONCE) return
      groups++
      // Deferred, so that requests that were read from their sockets together form one group.
      setImmediate(() => void sendAll())
    })
}
