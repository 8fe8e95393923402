// SQLite's write-ahead log never shrinks by itself: after the reference data were loaded it keeps tens of megabytes. It
// is copied into the database and cut to nothing when nothing has been written for a while.
import { stat } from 'node:fs/promises'
import Database from 'better-sqlite3'

const LOOK_EVERY_MS = 30_000
/** Below this it is not worth the work: SQLite itself reuses the file. */
const WORTHWHILE_BYTES = 1024 * 1024

/** 0 if there is none. */
export async function walBytes(databaseFile: string): Promise<number> {
  return (await statWal(databaseFile))?.size ?? 0
}

const statWal = (databaseFile: string) =>
  stat(`${databaseFile}-wal`).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

/**
 * Empties the log. A connection of its own, which waits for nobody: while somebody writes or reads an older state it
 * does what it can and leaves the rest. False if something is left.
 */
export function emptyWal(databaseFile: string): boolean {
  const connection = new Database(databaseFile, { timeout: 0, fileMustExist: true })
  try {
    // As in every other connection: what was acknowledged survives a power cut.
    connection.pragma('synchronous = full')
    const [result] = connection.pragma('wal_checkpoint(truncate)') as { busy: number }[]
    return result?.busy === 0
  } finally {
    connection.close()
  }
}

/** Empties the log whenever no process has written to it since the last look; returns what stops it. */
export function keepWalSmall(databaseFile: string, onProblem: (error: unknown) => void): () => void {
  let seen: number | undefined
  const look = async () => {
    const wal = await statWal(databaseFile)
    const isIdle = wal !== undefined && wal.mtimeMs === seen
    seen = wal?.mtimeMs
    if (isIdle && wal.size > WORTHWHILE_BYTES) emptyWal(databaseFile)
  }
  const timer = setInterval(() => void look().catch(onProblem), LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
