// One writer at a time, and one sync to disk for all that wait together: what arrived while others were written becomes
// one transaction, each piece of work in a savepoint of its own. Nobody hears of success before the commit.

/** The connection that writes. */
interface Connection {
  readonly inTransaction: boolean
  exec(sql: string): unknown
}

interface Job {
  work(): Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** With more, the first would wait too long for the others. */
const TOGETHER_AT_MOST = 32

class NotUndone extends Error {
  constructor(cause: unknown) {
    super('a piece of work could not be taken back', { cause })
  }
}

export function createGroupCommit(connection: Connection, begin: () => Promise<void>) {
  const waiting: Job[] = []
  let isAtWork = false

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) await writeTogether(waiting.splice(0, TOGETHER_AT_MOST))
    isAtWork = false
  }

  async function writeTogether(jobs: Job[]): Promise<void> {
    const done: (() => void)[] = []
    try {
      // Left over from a turn whose rollback failed as well.
      if (connection.inTransaction) connection.exec('rollback')
      await begin()
      for (const job of jobs) {
        try {
          const result = await inSavepoint(job.work)
          done.push(() => job.resolve(result))
        } catch (error) {
          // Out of space, SQLite ends the whole transaction: then nothing is left of anybody's work.
          if (!connection.inTransaction || error instanceof NotUndone) throw error
          job.reject(error)
        }
      }
      connection.exec('commit')
    } catch (error) {
      const reason = error instanceof NotUndone ? error.cause : error
      for (const job of jobs) job.reject(reason)
      rollBack()
      return
    }
    for (const tell of done) tell()
  }

  async function inSavepoint(work: () => Promise<unknown>): Promise<unknown> {
    connection.exec('savepoint work')
    try {
      const result = await work()
      connection.exec('release work')
      return result
    } catch (error) {
      undo(error)
      throw error
    }
  }

  /** Takes back one piece of work; where that fails, nothing of the whole turn may be committed. */
  function undo(reason: unknown): void {
    if (!connection.inTransaction) return
    try {
      connection.exec('rollback to work; release work')
    } catch {
      throw new NotUndone(reason)
    }
  }

  /** A failing disk may refuse this too. Everybody has heard why by then, and the next turn begins with it. */
  function rollBack(): void {
    try {
      if (connection.inTransaction) connection.exec('rollback')
    } catch {
      return
    }
  }

  return <Result>(work: () => Promise<Result>): Promise<Result> =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as Job['resolve'], reject })
      if (isAtWork) return
      isAtWork = true
      // Not at once: requests that were read from their sockets together meet here.
      setImmediate(() => void writeAll())
    })
}
