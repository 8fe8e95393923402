// SQLite in one file: one connection that writes, for all who wait together at once, and one that reads beside it (WAL).
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { Unavailable } from '../base/errors.ts'
import { toUnavailable } from './dialect.ts'
import type { Engine, Row, Transaction, Value } from './engine.ts'
import { createGroupCommit } from './group-commit.ts'

const PREPARED_AT_MOST = 500
/** How long to wait for other processes that write. */
const BUSY_MS = 10_000
const STARTS_WAITED_FOR = 12

export function openSqlite(file: string): Engine {
  mkdirSync(dirname(file), { recursive: true })
  requireWritable(dirname(file))
  if (existsSync(file)) requireWritable(file)
  const writer = connect(file)
  writer.pragma('busy_timeout = 0')
  const reader = connect(file)
  reader.pragma('query_only = on')
  const writing = executorFor(writer)
  const requirePresent = createPresenceCheck(file)
  const writeInTurn = createGroupCommit(writer, () => {
    requirePresent()
    return begin(writer)
  })
  const reading = executorFor(reader)

  return {
    kind: 'sqlite',
    read: {
      kind: 'sqlite',
      query: (sql, parameters) => reading.query(sql, parameters).catch(throwUnavailable),
    },
    transaction: (work) => writeInTurn(() => work(writing)).catch(throwUnavailable),
    // A connection of its own: what it has read stays as it was until it is closed.
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
    // `begin immediate` already keeps other processes out, and every step checks what is done before doing it. A slow
    // machine may load reference data for longer than a connection waits.
    async exclusively(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await work()
        } catch (error) {
          if (attempt === STARTS_WAITED_FOR || !isBusy(error)) throw error
        }
      }
    },
    async close() {
      reader.close()
      writer.close()
    },
  }
}

/** Also inside an `Unavailable`, which is what a transaction makes of it. */
function isBusy(error: unknown): boolean {
  if (error instanceof Unavailable) return isBusy(error.cause)
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

function throwUnavailable(error: unknown): never {
  throw toUnavailable(error)
}

/**
 * A file that was deleted or replaced stays open here, and everything written to it would be gone with the process.
 * In WAL mode SQLite does not notice; we compare before each write.
 */
function createPresenceCheck(file: string): () => void {
  const opened = statSync(file)
  return () => {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.ino === opened.ino && found.dev === opened.dev) return
    throw new Database.SqliteError(
      'the database file was moved, deleted or replaced',
      'SQLITE_READONLY_DBMOVED',
    )
  }
}

/** SQLite opens what it may only read without a word, and every write would fail later. */
const requireWritable = (path: string) => accessSync(path, constants.R_OK | constants.W_OK)

function connect(file: string): Database.Database {
  const connection = new Database(file, { timeout: BUSY_MS })
  connection.pragma('journal_mode = wal')
  // FULL: a write that was answered survives a power cut.
  connection.pragma('synchronous = full')
  connection.pragma('foreign_keys = on')
  connection.pragma('cache_size = -4000')
  connection.pragma('temp_store = memory')
  return connection
}

/** SQLite would wait for another process with the thread asleep; asking again lets this one serve meanwhile. */
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
