// PostgreSQL through a pool. A server that goes away costs the requests in flight an error and nothing else: broken
// connections leave the pool and the next request opens a new one.
import pg from 'pg'
import type { Log } from '../log.ts'
import { mayRetry } from './dialect.ts'
import type { Engine, Executor } from './engine.ts'

const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000
const ATTEMPTS = 4
/** Any number nobody else uses for advisory locks in this database. */
const STARTUP_LOCK = 727_351_001

const INT8 = 20
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export function openPostgres(url: string, connections: number, log: Log): Engine {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'contrail',
    types,
  })
  pool.on('error', (error) => log.warn('lost an idle connection to PostgreSQL', { reason: error.message }))

  return {
    kind: 'postgres',
    pool: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    read: executorFor((query) => pool.query(query)),
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runTransaction(pool, work)
        } catch (error) {
          if (attempt === ATTEMPTS || !mayRetry(error)) throw error
        }
      }
    },
    snapshot: (work) => runTransaction(pool, work, 'begin isolation level repeatable read read only'),
    async exclusively(work) {
      const client = await pool.connect()
      try {
        await client.query('select pg_advisory_lock($1)', [STARTUP_LOCK])
        return await work()
      } finally {
        await client.query('select pg_advisory_unlock($1)', [STARTUP_LOCK]).catch(() => undefined)
        client.release()
      }
    },
    async execute(tx, sql) {
      await tx.query(sql, [])
    },
    close: () => pool.end(),
  }
}

async function runTransaction<Result>(
  pool: pg.Pool,
  work: (tx: Executor) => Promise<Result>,
  begin = 'begin',
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  // Without a listener a connection that dies between two statements would end the process.
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  try {
    await client.query(begin)
    const result = await work(executorFor((query) => client.query(query)))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

type Run = (query: pg.QueryConfig) => Promise<pg.QueryResult>

function executorFor(run: Run): Executor {
  return {
    kind: 'postgres',
    async query(sql, parameters) {
      const named = parameters.length > 0
      const config: pg.QueryConfig = named
        ? { name: statementName(sql), text: sql, values: parameters as unknown[] }
        : { text: sql }
      return (await run(config)).rows
    },
  }
}

const names = new Map<string, string>()

/** The same text always has the same name, so each connection prepares it once. */
function statementName(sql: string): string {
  let name = names.get(sql)
  if (!name) {
    name = `q${names.size}`
    names.set(sql, name)
  }
  return name
}
