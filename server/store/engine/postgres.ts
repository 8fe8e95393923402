// PostgreSQL: reads, transactions and the start-up lock, over a pool of connections (postgres-pool.ts). They may go through a
// pooler such as PgBouncer in transaction mode: nothing here relies on two transactions having the same connection.
import type { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../../base/log.ts'
import { HOUR } from '../../domain/time/durations.ts'
import {
  connectionLost,
  isAbortedForOther,
  mayRetry,
  toUnavailable,
  UnknownOutcome,
  withoutTimeouts,
} from './dialect.ts'
import type { Engine, LastStatement, ReadSide, Transaction } from './engine.ts'
import { createTogether } from './joint-writes.ts'
import { type Connection, openPool, type Pool, queryOnce, type Statement } from './postgres-pool.ts'
import { createReplica } from './replica.ts'

/** A migration may rebuild an index of a large table. */
const MIGRATION_TIMEOUT_MS = HOUR
const ATTEMPTS = 4
/**
 * How long, beyond those attempts, is repeated what the server aborted in favour of another transaction. Where transactions are
 * serializable, of all writers that wait for a row one goes on and the others are aborted.
 */
const CONFLICTS_FOR_MS = 10_000
const LONGEST_PAUSE_MS = 50
/** The key of our advisory lock; no other program may use it in this database. */
const STARTUP_LOCK = 727_351_001
const LOCK_RETRY_MS = 200
/** Poolers end transactions that are idle for too long. */
const LOCK_KEPT_EVERY_MS = 5_000

interface PostgresOptions {
  url: string
  connections: number
  prepare?: 'auto' | 'true' | 'false' | undefined
  /** The URL of a read replica. */
  readUrl?: string | undefined
}

export function openPostgres(options: PostgresOptions, log: Logger): Engine {
  const { url, readUrl, connections, prepare = 'auto' } = options
  const pool = openPool({ url, connections, prepare, wants: 'primary', log })
  const primary = readSide(pool)
  const readPool =
    readUrl === undefined
      ? undefined
      : openPool({ url: readUrl, connections, prepare, wants: 'standby', log })
  const together = createTogether(executorFor((query) => runAlone(pool, query)).query)
  /** Set while `exclusively` runs. */
  let startupLock: StartupLock | undefined

  return {
    kind: 'postgres',
    pool: () => [pool, readPool].flatMap((one) => one?.use() ?? []).reduce(sumOfUse),
    ...primary,
    ...(readPool ? { replica: createReplica({ pool: readPool, primary, readSide, log }) } : {}),
    transaction(work) {
      const unlessLockLost = async (tx: Transaction) => {
        const result = await work(tx)
        if (startupLock?.lost) throw startupLock.lost
        return result
      }
      return repeated(
        pool,
        () => runTransaction(pool, unlessLockLost, together),
        (error) => !startupLock?.lost && mayRetry(error),
      )
    },
    async exclusively(work) {
      const lock = await takeLock(pool).catch(throwUnavailable)
      startupLock = lock
      try {
        return await work()
      } catch (error) {
        throw toUnavailable(error)
      } finally {
        startupLock = undefined
        await lock.release()
      }
    },
    async close() {
      await Promise.all([pool.end(), readPool?.end()])
    },
  }
}

const sumOfUse = (a: ReturnType<Pool['use']>, b: ReturnType<Pool['use']>) => ({
  inUse: a.inUse + b.inUse,
  idle: a.idle + b.idle,
  waiting: a.waiting + b.waiting,
})

/** The only place that repeats reads and transactions. Throws an `Unavailable` where the last error is of that kind. */
async function repeated<Result>(
  { learnFrom }: Pick<Pool, 'learnFrom'>,
  attempt: () => Promise<Result>,
  mayRepeat: MayRepeat,
): Promise<Result> {
  const startedAt = performance.now()
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      learnFrom(error)
      const isConflict = isAbortedForOther(error)
      const isLong = !isConflict || performance.now() - startedAt > CONFLICTS_FOR_MS
      if ((isLong && attempts >= ATTEMPTS) || !mayRepeat(error)) throw toUnavailable(error)
      // At different times, or all would be aborted again but one.
      if (isConflict) await pause(Math.random() * Math.min(2 ** attempts, LONGEST_PAUSE_MS))
    }
  }
}

type MayRepeat = (error: unknown) => boolean
type ReadPool = Pick<Pool, 'connect' | 'learnFrom'>

const readSide = (pool: ReadPool, mayRepeat: MayRepeat = mayRetry): ReadSide => ({
  read: executorFor((query) => repeated(pool, () => queryOnce(pool, query), mayRepeat)),
  snapshot: (work) => runSnapshot(pool, work, mayRepeat).catch(throwUnavailable),
})

function throwUnavailable(error: unknown): never {
  throw toUnavailable(error)
}

interface StartupLock {
  /** Another process may hold the lock now, so nothing more is committed here. */
  lost?: Error
  release(): Promise<void>
}

/**
 * An open transaction holds the lock, because it keeps its connection even behind a pooler. Polls while another process holds
 * the lock: a blocking statement would time out, and a waiting transaction would occupy a connection that the holder needs.
 */
async function takeLock(pool: Pool): Promise<StartupLock> {
  for (;;) {
    const client = await pool.connect()
    const lock = holdLock(client)
    try {
      await client.query({ text: ['begin', ...withoutTimeouts.postgres].join('; ') })
      const text = `select pg_try_advisory_xact_lock(${STARTUP_LOCK}) as taken`
      if ((await client.query({ text })).rows[0].taken) return lock
    } catch (error) {
      lock.lost = error as Error
    }
    await lock.release()
    if (lock.lost) throw lock.lost
    await pause(LOCK_RETRY_MS)
  }
}

function holdLock(client: Connection): StartupLock {
  const onError = (error: Error) => {
    lock.lost ??= error
  }
  client.on('error', onError)
  let sign: Promise<unknown> = Promise.resolve()
  const signs = setInterval(() => {
    sign = client.query({ text: 'select 1' }).catch(onError)
  }, LOCK_KEPT_EVERY_MS)
  const lock: StartupLock = {
    async release() {
      clearInterval(signs)
      await sign
      if (!lock.lost) await client.query({ text: 'rollback' }).catch(onError)
      client.off('error', onError)
      client.release(lock.lost)
    },
  }
  return lock
}

/** Only its first statement is repeated: the others must see the same state, and `work` may have sent what it has read. */
async function runSnapshot<Result>(
  pool: ReadPool,
  work: (db: Transaction) => Promise<Result>,
  mayRepeat: MayRepeat,
): Promise<Result> {
  let opened: Promise<OneTransaction> | undefined
  const send: Run = async (query) => {
    if (opened) return (await opened).send(query)
    const first = repeated(pool, () => openSnapshot(pool, query), mayRepeat)
    opened = first.then(({ transaction }) => transaction)
    // Its failure is that of the statement.
    opened.catch(() => {})
    return (await first).rows
  }
  try {
    const result = await work(executorFor(send))
    await (await opened)?.commit()
    return result
  } catch (error) {
    await (await openedIn(opened))?.rollBack()
    throw error
  } finally {
    ;(await openedIn(opened))?.release()
  }
}

/** Undefined if it could not be opened. */
const openedIn = (opened: Promise<OneTransaction> | undefined) => opened?.catch(() => undefined)

/** A snapshot sees the state of its first statement. */
async function openSnapshot(pool: ReadPool, query: Statement) {
  const transaction = new OneTransaction(pool, 'begin isolation level repeatable read read only')
  try {
    return { transaction, rows: await transaction.send(query) }
  } catch (error) {
    await transaction.rollBack()
    transaction.release()
    throw error
  }
}

async function runTransaction<Result>(
  pool: Pick<Pool, 'connect'>,
  work: (tx: Transaction) => Promise<Result>,
  together: LastStatement['together'],
): Promise<Result> {
  const transaction = new OneTransaction(pool, 'begin')
  const end = transaction.end(together)
  try {
    const result = await work({ ...executorFor(transaction.send), end })
    await transaction.commit()
    return result
  } catch (error) {
    await transaction.rollBack()
    throw error
  } finally {
    transaction.release()
  }
}

/**
 * `begin` is sent together with the first statement, and the commit together with a statement that is known to be the last.
 * The connection is only acquired for the first statement.
 */
class OneTransaction {
  readonly #pool: Pick<Pool, 'connect'>
  readonly #begin: string
  #connecting: Promise<Connection> | undefined
  #client: Connection | undefined
  #broken: Error | undefined
  #state: 'new' | 'open' | 'ended' = 'new'

  constructor(pool: Pick<Pool, 'connect'>, begin: string) {
    this.#pool = pool
    this.#begin = begin
  }

  readonly #sendOne: Run = async (query) => {
    try {
      return await this.#client!.query(query)
    } catch (error) {
      // A statement that timed out still runs on this connection, so it cannot be reused either.
      if (!(error instanceof pg.DatabaseError) || connectionLost(error)) this.#broken = error as Error
      throw error
    }
  }

  readonly send: Run = async (query) => {
    this.#requireGoingOn()
    this.#connecting ??= this.#pool.connect()
    const client = await this.#connecting
    this.#client = client
    if (this.#state === 'open') return this.#sendOne(query)
    this.#state = 'open'
    const sent = inOneWrite(client, () => [this.#sendOne({ text: this.#begin }), this.#sendOne(query)])
    return (await Promise.all(sent))[1]!
  }

  readonly #runLast: Run = async (query) => {
    // Nothing was sent yet, so this begins the transaction.
    if (this.#state !== 'open') await this.send({ text: 'select' })
    this.#state = 'ended'
    const sent = inOneWrite(this.#client!, () => [decide(this.#sendOne(query)), commit(this.#sendOne)])
    const [done, committed] = await Promise.allSettled(sent)
    // After a failed statement the commit is a rollback.
    if (done!.status === 'rejected') throw done!.reason
    if (committed!.status === 'rejected') throw committed!.reason
    return done!.value
  }

  end(together: LastStatement['together']): LastStatement {
    const { query } = executorFor(this.#runLast)
    return {
      query,
      together: async (sql, document) => {
        this.#requireGoingOn()
        if (this.#state === 'open') return (await query(sql, [JSON.stringify([document])]))[0]!
        this.#state = 'ended'
        return together(sql, document)
      },
    }
  }

  #requireGoingOn(): void {
    if (this.#state === 'ended') throw new Error('the transaction has ended')
  }

  async commit(): Promise<void> {
    if (this.#state === 'open') await commit(this.#sendOne)
  }

  async rollBack(): Promise<void> {
    if (this.#broken || this.#state !== 'open') return
    await this.#sendOne({ text: 'rollback' }).catch((failure: Error) => {
      this.#broken = failure
    })
  }

  release(): void {
    this.#client?.release(this.#broken)
  }
}

/** A statement without an explicit transaction. */
async function runAlone(pool: Pick<Pool, 'connect'>, query: Statement): Promise<pg.QueryResult> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    return await decide(client.query(query))
  } catch (error) {
    if (error instanceof UnknownOutcome || isUnsent(error)) broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

/** Sends everything in one packet, because each write to a socket is a system call. */
function inOneWrite<Sent>(client: Connection, send: () => Sent): Sent {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}

async function commit(send: Run): Promise<pg.QueryResult> {
  const result = await decide(send({ text: 'commit' }))
  // For the commit of a failed transaction PostgreSQL reports a rollback, not an error.
  if (result.command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back')
  return result
}

/** For a commit: if the connection is lost after it was sent, its outcome is unknown. */
async function decide(sent: Promise<pg.QueryResult>): Promise<pg.QueryResult> {
  try {
    return await sent
  } catch (error) {
    if (isReportedByServer(error) || isUnsent(error)) throw error
    throw new UnknownOutcome(error)
  }
}

/** The server reports that the statement failed, so nothing was saved. */
const isReportedByServer = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !connectionLost(error)

/** The driver refuses to send over a connection that it knows to be broken. */
const isUnsent = (error: unknown): boolean =>
  error instanceof Error && error.message.endsWith('not queryable')

type Run = (query: Statement) => Promise<pg.QueryResult>

function executorFor(run: Run): Transaction {
  return {
    kind: 'postgres',
    async query(sql, parameters) {
      // Statements with values are prepared.
      if (parameters.length === 0) return (await run({ text: sql })).rows
      return (await run({ text: sql, values: parameters as unknown[] })).rows
    },
    async execute(sql) {
      await run({ text: sql, query_timeout: MIGRATION_TIMEOUT_MS })
    },
  }
}
