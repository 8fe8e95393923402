// Connections to PostgreSQL: to the one of several servers with the wanted role, directly or through a pooler. If that server
// goes away, only requests in flight fail: broken connections are removed and the next request opens a new one.
import { hash } from 'node:crypto'
import pg from 'pg'
import { placesIn, serversOf } from '../../base/database-url.ts'
import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import {
  acceptsNoWrites,
  isAbortedForOther,
  NO_STANDBY,
  NOTHING_WRITABLE,
  statementNamesFail,
} from './dialect.ts'
import type { PoolUse } from './engine.ts'

/** Also how long a request waits for a connection when all are in use. */
const CONNECT_TIMEOUT_MS = 5_000
/** If there is another server to try. */
const NEXT_SERVER_AFTER_MS = 2_000
const STATEMENT_TIMEOUT_MS = 30_000

const INT8 = 20
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

interface PoolOptions {
  /** May name several servers. */
  url: string
  connections: number
  /** Whether statements get names, so that a connection keeps them prepared. */
  prepare: 'auto' | 'true' | 'false'
  /** Which of several servers to use: the one that accepts writes, or a standby. */
  wants: 'primary' | 'standby'
  log: Logger
}

export interface Pool {
  /** A connection to the server in use; release it with an error if it must not be used again. */
  connect(): Promise<Connection>
  /** Reacts to a failure: stops naming statements, or switches to another server. */
  learnFrom(error: unknown): void
  /** Stops using the open connections, and switches to another server if there is one. */
  leave(): void
  /** Changes when another server is used. */
  readonly generation: number
  use(): PoolUse
  end(): Promise<void>
}

export type Statement = pg.QueryConfig & { query_timeout?: number }

export interface Connection {
  readonly generation: number
  query(query: Statement): Promise<pg.QueryResult>
  release(broken?: Error): void
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

export function openPool({ url, connections, prepare, wants, log }: PoolOptions): Pool {
  const servers = createServers(url)
  const names = createNames(prepare, log)
  const state = createStateLog(wants === 'primary' ? log : undefined)
  const clients: Clients = new Set()
  const options: pg.PoolConfig & { parts: Parts } = {
    Client: Client as unknown as new () => pg.ClientBase,
    parts: { servers, names, state, wants, clients },
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    // A statement is sent without waiting for the previous one: see `runTransaction`.
    pipeline: true,
    application_name: 'contrail',
    types,
  }
  const pool = new pg.Pool(options)
  // The pool repeats the errors of its idle connections, which have already reported them.
  pool.on('error', () => {})
  const stopWatching = watchForSilence({ servers, clients, wants })

  return {
    connect: () => connectOver(pool, servers),
    learnFrom(error) {
      if (statementNamesFail(error)) names.stop(error)
      if (acceptsNoWrites(error)) servers.leave()
    },
    leave() {
      servers.passOver(servers.used)
      servers.leave()
    },
    get generation() {
      return servers.generation
    },
    use: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    end() {
      stopWatching()
      return pool.end()
    },
  }
}

/** A connection to the server in use. If that server cannot be reached, the others are tried once. */
async function connectOver(pool: pg.Pool, servers: Servers): Promise<Connection> {
  let reason: Error | undefined
  for (let failed = 0; failed < servers.addresses.length; ) {
    const client = await (pool.connect() as unknown as Promise<Connection>).catch((error) => {
      // No connection is free, which says nothing about the server.
      if (/^timeout exceeded/.test(error.message)) throw error
      if (reason === undefined || weightOf(error) > weightOf(reason)) reason = error
      failed++
    })
    if (client?.generation === servers.generation) return client
    client?.release(new Error('switched to another server'))
  }
  throw reason
}

/** Which error to report: one from a server is more useful than that a server is a standby, or that it does not respond. */
const weightOf = (error: Error): number =>
  error instanceof pg.DatabaseError ? 2 : error.message === NOTHING_WRITABLE ? 1 : 0

/** Runs one statement on any connection. */
export async function queryOnce(
  { connect }: Pick<Pool, 'connect'>,
  query: Statement,
): Promise<pg.QueryResult> {
  const client = await connect()
  try {
    const result = await client.query(query)
    client.release()
    return result
  } catch (error) {
    client.release(isAbortedForOther(error) ? undefined : (error as Error))
    throw error
  }
}

type Servers = ReturnType<typeof createServers>

/** Which of the servers is used, and which is tried next. */
function createServers(url: string) {
  const addresses = serversOf(url)
  let [next, used, generation] = [0, 0, 0]
  return {
    addresses,
    get next() {
      return next
    },
    get used() {
      return used
    },
    get generation() {
      return generation
    },
    /** Several connections may fail together; the first one switches to the next server. */
    passOver(server: number) {
      if (next === server) next = (server + 1) % addresses.length
    },
    settleOn(server: number): number {
      next = server
      if (used !== server) generation++
      used = server
      return generation
    },
    /** Open connections are not used again: the server's role has changed, or another server now has the wanted role. */
    leave(): number {
      return ++generation
    },
  }
}

type Names = ReturnType<typeof createNames>

/** A connection keeps its prepared statements. Filters produce many, so only this many are prepared. */
const NAMES_AT_MOST = 1500

/**
 * Names are derived from the text, so that all processes agree: poolers that support prepared statements share them. Other
 * poolers may use a different connection for each transaction, which does not know names from the last one.
 */
function createNames(prepare: PoolOptions['prepare'], log: Logger) {
  const known = new Map<string, string>()
  let isOn = prepare !== 'false'
  return {
    dependOnPooler: prepare === 'auto',
    of(text: string): string | undefined {
      if (!isOn) return undefined
      let name = known.get(text)
      if (!name && known.size < NAMES_AT_MOST) {
        name = hash('sha1', text, 'base64url')
        known.set(text, name)
      }
      return name
    },
    stop(error: unknown) {
      if (isOn)
        log.warn('statements are no longer prepared: is there a pooler?', { reason: errorMessage(error) })
      isOn = false
    },
  }
}

/** Losses closer together than this belong to one outage. */
const OUTAGE_GAP_MS = 30_000

/** Logs one line per outage and one for its end, however many connections there are; repetitions are at debug level. */
function createStateLog(log: Logger | undefined) {
  let isAway = false
  let isLogged = false
  let lastLoss = Number.NEGATIVE_INFINITY
  let place: string | undefined
  return {
    lost(error: Error) {
      const now = performance.now()
      if (!isAway) {
        isLogged = now - lastLoss > OUTAGE_GAP_MS
        log?.[isLogged ? 'warn' : 'debug']('lost the connection to PostgreSQL', { reason: error.message })
      }
      lastLoss = now
      isAway = true
    },
    found(address: string) {
      const now = placesIn(address)
      if (isAway) log?.[isLogged ? 'info' : 'debug']('connected to PostgreSQL again', { at: now })
      else if (place !== undefined && place !== now) log?.info('uses another PostgreSQL server', { at: now })
      isAway = false
      place = now
    },
  }
}

/** Open connections, with the time since which their statement has been waiting for a response. */
type Clients = Set<{ generation: number; waitsSince: number | undefined; cut(): void }>

const SILENT_AFTER_MS = 3_000
const WATCHED_EVERY_MS = 1_000

/**
 * A machine that crashed does not close its connections, so statements would wait for their timeout. If a statement is slow,
 * the server is probed. If it does not respond, its connections are closed once another server has taken over; those of a
 * replica are closed in any case.
 */
function watchForSilence({ servers, clients, wants }: Watched): () => void {
  if (servers.addresses.length === 1 && wants === 'primary') return () => {}
  let isLooking = false
  const isSilent = (since: number | undefined) =>
    since !== undefined && performance.now() - since > SILENT_AFTER_MS

  async function look(): Promise<void> {
    const { used, addresses } = servers
    if (await isAsWanted(addresses[used]!, wants)) return
    let other = -1
    for (const [server, address] of addresses.entries())
      if (other < 0 && server !== used && (await isAsWanted(address, wants))) other = server
    if (other < 0 && wants === 'primary') return
    const generation = other < 0 ? servers.leave() : servers.settleOn(other)
    for (const client of clients) if (client.generation !== generation) client.cut()
  }

  const timer = setInterval(() => {
    if (isLooking || ![...clients].some(({ waitsSince }) => isSilent(waitsSince))) return
    isLooking = true
    void look().finally(() => {
      isLooking = false
    })
  }, WATCHED_EVERY_MS).unref()
  return () => clearInterval(timer)
}

async function isAsWanted(connectionString: string, wants: PoolOptions['wants']): Promise<boolean> {
  const limits = { connectionTimeoutMillis: NEXT_SERVER_AFTER_MS, query_timeout: NEXT_SERVER_AFTER_MS }
  const client = new pg.Client({ connectionString, ...limits, application_name: 'contrail' })
  // If the connection breaks, the query fails.
  client.on('error', () => {})
  try {
    await client.connect()
    return suits((await client.query(LOOK)).rows[0], wants)
  } catch {
    return false
  } finally {
    void client.end()
  }
}

const suits = ({ isStandby, isReadOnly }: Seen, wants: PoolOptions['wants']): boolean =>
  wants === 'standby' ? isStandby : !isReadOnly

interface Watched {
  clients: Clients
  servers: Servers
  wants: PoolOptions['wants']
}

interface Parts extends Watched {
  names: Names
  state: ReturnType<typeof createStateLog>
}

/** Sent over every new connection. */
const LOOK = `select pg_backend_pid() as pid, pg_is_in_recovery() as "isStandby",
  current_setting('transaction_read_only') = 'on' as "isReadOnly"`

interface Seen {
  pid: number
  isStandby: boolean
  isReadOnly: boolean
}

/** The driver's client as the pool creates it; it counts as connected once it has reached a server with the wanted role. */
class Client extends pg.Client {
  generation = 0
  waitsSince: number | undefined
  #waiting = 0
  #isNamed = true
  readonly #parts: Parts
  readonly #server: number
  /** With a single server there is no choice: it is used even if it is read-only, and then still serves reads. */
  readonly #isOnlyPrimary: boolean

  constructor({ parts, ...options }: pg.ClientConfig & { parts: Parts }) {
    const { addresses, next } = parts.servers
    const isAlone = addresses.length === 1
    super({
      ...options,
      connectionString: addresses[next],
      connectionTimeoutMillis: isAlone ? CONNECT_TIMEOUT_MS : NEXT_SERVER_AFTER_MS,
    })
    this.#parts = parts
    this.#server = next
    this.#isOnlyPrimary = isAlone && parts.wants === 'primary'
    // A connection can break at any time, even while idle. Without a listener, that would end the process.
    this.on('error', (error) => this.#lose(error))
    this.once('end', () => parts.clients.delete(this))
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver declares it once for promises and once for callbacks
  override connect(callback?: any): any {
    const reached = this.#reach()
    return callback ? void reached.then(() => callback(null, this), callback) : reached
  }

  async #reach(): Promise<void> {
    const { servers, state, clients } = this.#parts
    try {
      await super.connect()
      await this.#look()
    } catch (error) {
      servers.passOver(this.#server)
      this.end().catch((failure) => this.#lose(failure))
      throw error
    }
    this.generation = servers.settleOn(this.#server)
    clients.add(this)
    state.found(servers.addresses[this.#server]!)
  }

  /**
   * Only the loss of the last connection is an outage: its end is logged when a connection is opened, which may not happen
   * while others are open.
   */
  #lose(error: Error): void {
    const { clients, state } = this.#parts
    clients.delete(this)
    if (clients.size === 0) state.lost(error)
  }

  async #look(): Promise<void> {
    const { names, wants } = this.#parts
    if (this.#isOnlyPrimary && !names.dependOnPooler) return
    const look = { text: LOOK, query_timeout: NEXT_SERVER_AFTER_MS }
    const seen: Seen = (await super.query(look)).rows[0]
    if (!this.#isOnlyPrimary && !suits(seen, wants))
      throw new Error(wants === 'standby' ? NO_STANDBY : NOTHING_WRITABLE)
    // A pooler names itself, not the process that runs the statement.
    const { processID } = this as unknown as { processID: number }
    if (names.dependOnPooler) this.#isNamed = seen.pid === processID
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver declares it for every form of a query
  override query(query: any): any {
    const name = this.#isNamed && query.values ? this.#parts.names.of(query.text) : undefined
    const response = super.query(name === undefined ? query : { ...query, name })
    if (!this.#isOnlyPrimary) this.#watch(response)
    return response
  }

  /** Closes immediately: `end` would wait for pending responses. */
  cut(): void {
    this.connection.stream.destroy()
  }

  #watch(response: Promise<unknown>): void {
    this.#waiting++
    this.waitsSince ??= performance.now()
    const done = () => {
      this.waitsSince = --this.#waiting > 0 ? performance.now() : undefined
    }
    response.then(done, done)
  }
}
