// SQLite never shrinks its write-ahead log: after loading the reference data, the log keeps tens of megabytes. When nothing
// has been written for a while, it is copied into the database and truncated.
import { stat } from 'node:fs/promises'
import Database from 'better-sqlite3'
import { every } from '../../base/every.ts'
import type { Logger } from '../../base/log.ts'

const CHECK_EVERY_MS = 30_000
/** Smaller files are left alone: SQLite reuses them. */
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
 * Truncates the log. Uses its own connection and does not wait for locks: while another connection writes, or reads an
 * older state, it copies what it can. False if something is left.
 */
export function emptyWal(databaseFile: string): boolean {
  const connection = new Database(databaseFile, { timeout: 0, fileMustExist: true })
  try {
    // As on every other connection: confirmed writes survive a power failure.
    connection.pragma('synchronous = full')
    const [result] = connection.pragma('wal_checkpoint(truncate)') as { busy: number }[]
    return result?.busy === 0
  } finally {
    connection.close()
  }
}

/** Truncates the log whenever no process has written to it since the last check. Returns a function that stops it. */
export function keepWalSmall(databaseFile: string, log: Logger): () => Promise<void> {
  let seen: number | undefined
  const check = async () => {
    const wal = await statWal(databaseFile)
    const isIdle = wal !== undefined && wal.mtimeMs === seen
    seen = wal?.mtimeMs
    if (isIdle && wal.size > WORTHWHILE_BYTES) emptyWal(databaseFile)
  }
  return every(CHECK_EVERY_MS, check, { log, what: 'empty the write-ahead log' })
}
