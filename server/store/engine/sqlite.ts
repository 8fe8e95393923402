// SQLite in one file: a writing connection with group commit, and a concurrent reading connection (WAL).
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { Unavailable } from '../../base/errors.ts'
import { toUnavailable } from './dialect.ts'
import type { Engine, Row, Transaction, Value } from './engine.ts'
import { createGroupCommit } from './group-commit.ts'

const PREPARED_AT_MOST = 500
/** How long to wait for writes of other processes. */
const BUSY_MS = 10_000
const ATTEMPTS_AT_MOST = 12
/**
 * How much of the file the reader maps into memory instead of copying: in a long log, the rows of one page are spread over a
 * hundred pages of the file, and the reader's own cache holds few of them.
 */
const MAPPED_BYTES = 2 ** 30
/** Of a copy, between which the process serves requests. */
const PAGES_AT_A_TIME = 1_000

export function openSqlite(file: string): Engine {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  requireWritable(dirname(file))
  if (existsSync(file)) requireWritable(file)
  // The file contains password hashes. SQLite creates its other files with the same mode.
  else closeSync(openSync(file, 'a', 0o600))
  const writer = connect(file)
  writer.pragma('busy_timeout = 0')
  const reader = connect(file)
  reader.pragma('query_only = on')
  reader.pragma(`mmap_size = ${MAPPED_BYTES}`)
  const writing = executorFor(writer)
  const requirePresent = createPresenceCheck(file)
  const writeInTurn = createGroupCommit(writer, () => {
    requirePresent()
    return begin(writer)
  })
  const reading = executorFor(reader)
  const dataVersion = reader.prepare<[], number>('pragma data_version').pluck()

  return {
    kind: 'sqlite',
    read: {
      kind: 'sqlite',
      query: (sql, parameters) => reading.query(sql, parameters).catch(throwUnavailable),
    },
    // The reader never writes, so every commit is another connection's.
    state() {
      try {
        return dataVersion.get()!
      } catch (error) {
        throw toUnavailable(error)
      }
    },
    requirePresent,
    // Begins again when another process writes, so the caller holds the lock in a transaction.
    async copyTo(target) {
      const connection = new Database(file, { readonly: true })
      try {
        await connection.backup(target, { progress: () => PAGES_AT_A_TIME })
      } finally {
        connection.close()
      }
    },
    transaction: (work) => writeInTurn(() => work(writing)).catch(throwUnavailable),
    // On its own connection: an open read transaction keeps seeing the same state.
    async snapshot(work) {
      let connection: Database.Database | undefined
      try {
        requirePresent()
        connection = connect(file)
        connection.pragma('query_only = on')
        connection.exec('begin')
        return await work(executorFor(connection))
      } catch (error) {
        throw toUnavailable(error)
      } finally {
        connection?.close()
      }
    },
    // `begin immediate` already excludes other processes, and every step first checks whether it is still necessary. On a slow
    // machine, another process may load reference data for longer than the busy timeout: then this retries.
    async exclusively(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await work()
        } catch (error) {
          if (attempt === ATTEMPTS_AT_MOST || !isBusy(error)) throw error
        }
      }
    },
    async close() {
      reader.close()
      writer.close()
    },
  }
}

/** Also recognises the error inside an `Unavailable`, in which transactions wrap it. */
function isBusy(error: unknown): boolean {
  if (error instanceof Unavailable) return isBusy(error.cause)
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

function throwUnavailable(error: unknown): never {
  throw toUnavailable(error)
}

/**
 * A file that was deleted or replaced stays open in this process, and everything written to it would be lost when the
 * process ends. In WAL mode SQLite does not notice, so we check before each write.
 */
function createPresenceCheck(file: string): () => void {
  const opened = statSync(file)
  return () => {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.ino === opened.ino && found.dev === opened.dev) return
    throw toUnavailable(
      new Database.SqliteError('the database file was moved, deleted or replaced', 'SQLITE_READONLY_DBMOVED'),
    )
  }
}

/** SQLite opens a read-only file without an error, and every write would fail later. */
const requireWritable = (path: string) => accessSync(path, constants.R_OK | constants.W_OK)

function connect(file: string): Database.Database {
  const connection = new Database(file, { timeout: BUSY_MS })
  connection.pragma('journal_mode = wal')
  // FULL: confirmed writes survive a power failure.
  connection.pragma('synchronous = full')
  connection.pragma('foreign_keys = on')
  connection.pragma('cache_size = -4000')
  connection.pragma('temp_store = memory')
  return connection
}

/** SQLite's own busy wait would block the thread; retrying lets this process serve other requests meanwhile. */
async function begin(writer: Database.Database): Promise<void> {
  const until = performance.now() + BUSY_MS
  for (;;) {
    try {
      writer.exec('begin immediate')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 4))
  }
}

function executorFor(connection: Database.Database): Transaction {
  const prepared = new Map<string, Database.Statement<Value[], Row>>()
  const prepare = (sql: string) => {
    let statement = prepared.get(sql)
    if (!statement) {
      if (prepared.size >= PREPARED_AT_MOST) prepared.clear()
      statement = connection.prepare<Value[], Row>(sql)
      prepared.set(sql, statement)
    }
    return statement
  }
  return {
    kind: 'sqlite',
    async query(sql, parameters) {
      const statement = prepare(sql)
      if (statement.reader) return statement.all(...parameters)
      statement.run(...parameters)
      return []
    },
    async execute(sql) {
      connection.exec(sql)
    },
  }
}
