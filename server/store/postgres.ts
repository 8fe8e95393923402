// PostgreSQL through a pool. If the server goes away, only the requests in flight fail: broken connections are removed
// from the pool and the next request opens a new one.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../base/log.ts'
import { connectionLost, mayRetry, toUnavailable, UnknownOutcome } from './dialect.ts'
import type { Engine, Transaction } from './engine.ts'

/** Also how long a request waits for a connection when all are in use. */
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000
/** A migration may rebuild an index of a large table. */
const MIGRATION_TIMEOUT_MS = 3_600_000
const ATTEMPTS = 4
/** The key of our advisory lock; no other program may use it in this database. */
const STARTUP_LOCK = 727_351_001
const LOCK_RETRY_MS = 200

const INT8 = 20
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export function openPostgres(url: string, connections: number, log: Logger): Engine {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'contrail',
    types,
  })
  listenToConnections(pool, log)
  /** Set while `exclusively` runs. */
  let startupLock: { lost?: Error } | undefined

  return {
    kind: 'postgres',
    pool: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    read: executorFor((query) => readQuery(pool, query)),
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runTransaction(pool, async (tx) => {
            const result = await work(tx)
            if (startupLock?.lost) throw startupLock.lost
            return result
          })
        } catch (error) {
          if (attempt === ATTEMPTS || startupLock?.lost || !mayRetry(error)) throw toUnavailable(error)
        }
      }
    },
    snapshot: (work) =>
      runTransaction(pool, work, 'begin isolation level repeatable read read only').catch(throwUnavailable),
    // The lock ends with its connection. Another process may hold it then, so nothing more is committed here.
    async exclusively(work) {
      const client = await pool.connect().catch(throwUnavailable)
      const lock: { lost?: Error } = {}
      const onError = (error: Error) => {
        lock.lost = error
      }
      client.on('error', onError)
      try {
        await takeLock(client)
        startupLock = lock
        return await work()
      } catch (error) {
        throw toUnavailable(error)
      } finally {
        startupLock = undefined
        await client.query('select pg_advisory_unlock($1)', [STARTUP_LOCK]).catch(onError)
        client.off('error', onError)
        client.release(lock.lost)
      }
    },
    close: () => pool.end(),
  }
}

function throwUnavailable(error: unknown): never {
  throw toUnavailable(error)
}

/**
 * A connection can break at any moment, also between two uses. An `error` event without a listener would end
 * the process, so every connection has a listener as long as it is open.
 */
function listenToConnections(pool: pg.Pool, log: Logger): void {
  let isAway = false
  const noteLoss = (error: Error) => {
    if (!isAway) log.warn('lost the connection to PostgreSQL', { reason: error.message })
    isAway = true
  }
  pool.on('connect', (client) => {
    client.on('error', noteLoss)
    if (isAway) log.info('connected to PostgreSQL again')
    isAway = false
  })
  // The pool emits the errors of its idle connections again.
  pool.on('error', noteLoss)
}

/** Waits while another process holds the lock, by polling: a blocking statement would run into the timeout. */
async function takeLock(client: pg.PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [STARTUP_LOCK])
    if (rows[0].taken) return
    await pause(LOCK_RETRY_MS)
  }
}

/** A read changes nothing, so one whose connection was lost is sent once more. */
async function readQuery(pool: pg.Pool, query: pg.QueryConfig): Promise<pg.QueryResult> {
  try {
    return await pool.query(query)
  } catch (error) {
    if (!connectionLost(error)) throw toUnavailable(error)
    return await pool.query(query).catch(throwUnavailable)
  }
}

async function runTransaction<Result>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<Result>,
  begin = 'begin',
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  const run: Run = async (query) => {
    try {
      return await client.query(query)
    } catch (error) {
      // A statement that timed out still runs on this connection, so it cannot be reused either.
      if (!(error instanceof pg.DatabaseError) || connectionLost(error)) broken = error as Error
      throw error
    }
  }
  try {
    await run({ text: begin })
    const result = await work(executorFor(run))
    await commit(run)
    return result
  } catch (error) {
    if (!broken) {
      await run({ text: 'rollback' }).catch((failure: Error) => {
        broken = failure
      })
    }
    throw error
  } finally {
    client.release(broken)
  }
}

async function commit(run: Run): Promise<void> {
  let result: pg.QueryResult
  try {
    result = await run({ text: 'commit' })
  } catch (error) {
    const isRefused = error instanceof pg.DatabaseError && !connectionLost(error)
    if (isRefused || isUnsent(error)) throw error
    throw new UnknownOutcome(error)
  }
  // For the commit of a failed transaction PostgreSQL reports a rollback, not an error.
  if (result.command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back')
}

/** The driver refuses to send anything over a connection that it knows to be broken. */
const isUnsent = (error: unknown): boolean =>
  error instanceof Error && error.message.endsWith('not queryable')

type Run = (query: pg.QueryConfig & { query_timeout?: number }) => Promise<pg.QueryResult>

function executorFor(run: Run): Transaction {
  return {
    kind: 'postgres',
    async query(sql, parameters) {
      if (parameters.length === 0) return (await run({ text: sql })).rows
      const name = statementName(sql)
      const config: pg.QueryConfig = { text: sql, values: parameters as unknown[] }
      return (await run(name === undefined ? config : { ...config, name })).rows
    },
    async execute(sql) {
      await run({ text: sql, query_timeout: MIGRATION_TIMEOUT_MS })
    },
  }
}

const names = new Map<string, string>()
/** A connection keeps what it has prepared. Filters make many texts, so that later ones are not kept. */
const NAMES_AT_MOST = 1500

/** The same text always has the same name, so each connection prepares it once. */
function statementName(sql: string): string | undefined {
  let name = names.get(sql)
  if (!name && names.size < NAMES_AT_MOST) {
    name = `q${names.size}`
    names.set(sql, name)
  }
  return name
}
