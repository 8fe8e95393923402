// One writer at a time, and one sync to disk per group: jobs that arrive during a write become the next transaction, in which
// each has its own savepoint. A job resolves or rejects only after the commit, because its error may refer to uncommitted
// writes of another job in the group.

/** The writing connection. */
interface Connection {
  readonly inTransaction: boolean
  exec(sql: string): unknown
}

interface Job {
  work(): Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** In a larger group, the first job would wait too long for the others. */
const TOGETHER_AT_MOST = 32

class RollbackFailed extends Error {
  constructor(cause: unknown) {
    super('the savepoint could not be rolled back', { cause })
  }
}

export function createGroupCommit(connection: Connection, begin: () => Promise<void>) {
  const waiting: Job[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) await writeTogether(waiting.splice(0, TOGETHER_AT_MOST))
    isWriting = false
  }

  async function writeTogether(jobs: Job[]): Promise<void> {
    const settled: (() => void)[] = []
    try {
      // Left over from a group whose rollback failed.
      if (connection.inTransaction) connection.exec('rollback')
      await begin()
      for (const job of jobs) {
        try {
          const result = await inSavepoint(job.work)
          settled.push(() => job.resolve(result))
        } catch (error) {
          // If the disk is full, SQLite rolls back the whole transaction, with all jobs.
          if (!connection.inTransaction || error instanceof RollbackFailed) throw error
          settled.push(() => job.reject(error))
        }
      }
      connection.exec('commit')
    } catch (error) {
      const reason = error instanceof RollbackFailed ? error.cause : error
      for (const job of jobs) job.reject(reason)
      rollBack()
      return
    }
    for (const settle of settled) settle()
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

  /** Rolls back one job; if that fails, the whole group must not be committed. */
  function undo(reason: unknown): void {
    if (!connection.inTransaction) return
    try {
      connection.exec('rollback to work; release work')
    } catch {
      throw new RollbackFailed(reason)
    }
  }

  /** May fail on a failing disk. All jobs have been rejected by then, and the next group retries the rollback. */
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
      if (isWriting) return
      isWriting = true
      // Deferred, so that requests that were read from their sockets together form one group.
      setImmediate(() => void writeAll())
    })
}
