// PostgreSQL becomes unavailable and recovers, in every way we know, during writes. The process keeps running, every request gets
// a response, no confirmed write is lost or stored twice, and writing continues automatically.
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { createLogger } from '../../server/base/log.ts'
import { seedRoles } from '../../server/process/seed.ts'
import { shippedManifest } from '../../server/services/reference/shipped.ts'
import { writeSetting } from '../../server/store/instance/settings.ts'
import { openStore } from '../../server/store/store.ts'
import { createRandom, startTestApp, type TestApp, type TestPerson } from '../harness.ts'
import { isLong } from '../rounds.ts'
import { until } from '../until.ts'
import { type OwnPostgres, startOwnPostgres, type WayToStop } from './own-postgres.ts'
import { type ServerProcess, startServer } from './processes.ts'
import { startProxy, type TcpProxy } from './proxy.ts'

const TERMINATIONS = isLong ? 400 : 5
const CUTS = isLong ? 200 : 3
const RESTARTS: WayToStop[] = isLong
  ? Array.from({ length: 30 }, (_, i) => (['fast', 'immediate', 'killed'] as const)[i % 3]!)
  : ['fast', 'killed']
const CLIENTS = 8
/** Fewer than clients, so that some are always queued. */
const CONNECTIONS = 4
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000)

const IN_DOUBT =
  'The connection to the database was lost while saving; it is not known whether this was saved'

/** Sent with every new flight, in a separate statement that commits, unless the request has an idempotency key. */
const NEW_FLIGHT = '"viewers":'

let postgres: OwnPostgres
let key: string
let flight: Record<string, unknown>

before(async () => {
  postgres = await startOwnPostgres('away')
  const place = { databaseUrl: postgres.url, dataDir: postgres.folder }
  const store = await openStore(place, createLogger('silent'))
  await seedRoles(store, new Date())
  // A server would load the shipped airports, which this suite does not need.
  await store.transaction((tx) =>
    writeSetting(tx, { name: 'referenceVersion', value: shippedManifest().version }),
  )
  await store.close()
  const app = await startTestApp('postgres', place)
  const ada = await app.person('owner')
  key = await ada.key()
  flight = { date: '2026-05-01', ...(await ownAirports(app, ada)), passengers: [{ userId: ada.id }] }
  await app.close()
})
after(() => postgres?.close())

async function ownAirports(app: TestApp, owner: TestPerson): Promise<{ fromId: number; toId: number }> {
  const cookie = await owner.session()
  const add = async (icao: string): Promise<number> => {
    const place = {
      latitude: 55,
      longitude: 12,
      timezone: 'Europe/Copenhagen',
      continent: 'EU',
      country: 'DK',
    }
    const body = { icao, name: `Meadow ${icao}`, ...place }
    const reply = await app.request('POST', '/app/api/airports', { cookie, body })
    assert.equal(reply.status, 201, reply.text)
    return reply.json.data.id
  }
  return { fromId: await add('X-1'), toId: await add('X-2') }
}

const through = (proxy: TcpProxy): string => postgres.url.replace(String(postgres.port), String(proxy.port))

/** Clients that write and read, and the responses they got. */
class Load {
  readonly acknowledged = new Set<string>()
  readonly refused = new Set<string>()
  readonly inDoubt = new Set<string>()
  readonly reasons = new Map<string, number>()
  worked = 0
  failed = 0
  slowestRecoveryMs = 0
  #number = 0
  #stopped = false
  readonly #url: string
  readonly #clients: Promise<unknown>

  constructor(url: string) {
    this.#url = url
    this.#clients = Promise.all(Array.from({ length: CLIENTS }, () => this.#work()))
    // Reported to the next caller of `until`.
    this.#clients.catch(() => {})
  }

  async #work(): Promise<void> {
    while (!this.#stopped) {
      const isOk = this.#number++ % 3 === 0 ? await this.#read() : await this.#write()
      if (isOk) this.worked++
      else {
        this.failed++
        await wait(20)
      }
    }
  }

  async #read(): Promise<boolean> {
    const reply = await this.#send('GET', '/api/v1/flights?limit=5')
    return reply.status === 200 || this.#requireUnavailable(reply) === undefined
  }

  async #write(): Promise<boolean> {
    const note = `flight ${this.#number++}`
    const reply = await this.#send('POST', '/api/v1/flights', { ...flight, note })
    if (reply.status === 201) {
      this.acknowledged.add(note)
      return true
    }
    const message = this.#requireUnavailable(reply)
    ;(message === IN_DOUBT ? this.inDoubt : this.refused).add(note)
    return false
  }

  async #send(method: string, path: string, body?: object) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const reply = await fetch(this.#url + path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: reply.status, headers: reply.headers, text: await reply.text() }
  }

  #requireUnavailable({ status, headers, text }: { status: number; headers: Headers; text: string }): string {
    assert.equal(status, 503, text)
    assert.match(headers.get('retry-after') ?? '', /^\d+$/)
    const { code, message } = JSON.parse(text).error
    assert.equal(code, 'unavailable', text)
    this.reasons.set(message, (this.reasons.get(message) ?? 0) + 1)
    return message
  }

  /** Fails if a client fails. */
  async until(what: string, done: () => boolean): Promise<void> {
    await Promise.race([until(what, done), this.#clients])
  }

  /** Waits until requests succeed again. */
  async recovered(): Promise<void> {
    const began = performance.now()
    const before = this.acknowledged.size
    await this.until('writes are confirmed again', () => this.acknowledged.size > before + CLIENTS)
    this.slowestRecoveryMs = Math.max(this.slowestRecoveryMs, performance.now() - began)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#clients
  }

  async requireTruth(t: TestContext): Promise<void> {
    const stored: string[] = (await postgres.query('select note from flight where note is not null')).map(
      (row) => row.note,
    )
    const found = new Set(stored)
    assert.equal(found.size, stored.length, 'stored twice')
    const missing = [...this.acknowledged].filter((note) => !found.has(note))
    assert.deepEqual(missing, [], 'acknowledged and lost')
    const unwanted = [...this.refused].filter((note) => found.has(note))
    assert.deepEqual(unwanted, [], 'refused for certain and stored')
    const unknown = stored.filter((note) => !this.acknowledged.has(note) && !this.inDoubt.has(note))
    assert.deepEqual(unknown, [], 'stored out of nowhere')
    const kept = [...this.inDoubt].filter((note) => found.has(note)).length
    t.diagnostic(
      `${this.acknowledged.size} acknowledged, ${this.refused.size} refused, ${this.inDoubt.size} in doubt (${kept} stored); slowest recovery ${Math.round(this.slowestRecoveryMs)} ms; ${JSON.stringify([...this.reasons])}`,
    )
  }
}

describe('PostgreSQL fails under load', () => {
  let proxy: TcpProxy
  let server: ServerProcess
  let load: Load
  const random = createRandom(SEED)

  before(async () => {
    proxy = await startProxy(postgres.port)
    server = await startServer(
      { databaseUrl: through(proxy), dataDir: postgres.folder },
      { DATABASE_CONNECTIONS: String(CONNECTIONS) },
    )
  })
  after(async () => {
    await server?.stop('SIGKILL')
    await proxy?.close()
  })

  /** Runs one kind of failure under load, then compares the stored data with the responses. */
  const underLoad = (name: string, trouble: () => Promise<void>) =>
    test(`${name} (seed ${SEED})`, async (t) => {
      await postgres.query('delete from flight')
      load = new Load(server.url)
      await load.recovered()
      await trouble()
      await load.recovered()
      await load.stop()
      assert.equal(server.child.exitCode, null, server.output())
      await load.requireTruth(t)
      await requireWholePool()
    })

  /** All connections of the pool are in use, and there are no more than the pool allows. */
  async function requireWholePool(): Promise<void> {
    const headers = { authorization: `Bearer ${key}` }
    const burst = await Promise.all(
      Array.from({ length: 4 * CONNECTIONS }, async () => {
        const reply = await fetch(`${server.url}/api/v1/me`, { headers })
        await reply.arrayBuffer()
        return reply.status
      }),
    )
    assert.deepEqual(new Set(burst), new Set([200]))
    const [open] = await postgres.query(
      "select count(*)::int as count, count(*) filter (where state <> 'idle')::int as busy from pg_stat_activity where application_name = 'contrail'",
    )
    assert.ok(open.count <= CONNECTIONS && open.busy === 0, JSON.stringify(open))
  }

  underLoad(`connections terminated ${TERMINATIONS} times`, async () => {
    for (let i = 0; i < TERMINATIONS; i++) {
      await postgres.terminate()
      await wait(random.below(30))
      if (i % 5 === 4) await load.recovered()
    }
  })

  underLoad(`the network cut ${CUTS} times and slow in between`, async () => {
    for (let i = 0; i < CUTS; i++) {
      proxy.delayMs = random.below(3) === 0 ? random.below(60) : 0
      await wait(random.below(120))
      proxy.cut()
      if (i % 5 === 4) {
        proxy.delayMs = 0
        await load.recovered()
      }
    }
    proxy.delayMs = 0
  })

  underLoad(`commits whose response is lost, ${CUTS} times`, async () => {
    for (let i = 0; i < CUTS; i++) {
      const verdict = random.pick(['cut', 'cut after'] as const)
      const before = load.inDoubt.size
      proxy.onRequest = (bytes) => {
        if (!bytes.includes(NEW_FLIGHT)) return 'pass'
        proxy.onRequest = undefined
        return verdict
      }
      await load.until('a write is in doubt', () => load.inDoubt.size > before)
    }
  })

  underLoad('all connections in use', async () => {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query('begin; lock table flight in access exclusive mode')
    const before = load.failed
    await load.until('requests are refused', () => load.failed > before + CLIENTS)
    await client.query('commit')
    await client.end()
    assert.ok(
      load.reasons.has('The database of this server is overloaded'),
      JSON.stringify([...load.reasons]),
    )
  })

  underLoad(`restarts: ${RESTARTS.length}`, async () => {
    for (const how of RESTARTS) {
      const before = load.failed
      await postgres.stop(how)
      await load.until('requests are refused', () => load.failed > before + CLIENTS)
      await postgres.start()
      await load.recovered()
    }
  })

  const stall = async () => {
    proxy.isStalled = true
    const before = load.failed
    await load.until('requests are refused', () => load.failed > before + 2 * CLIENTS)
    proxy.isStalled = false
    // Data on a silent network never arrives; those connections end by their timeout.
    await load.until('a statement takes too long', () =>
      load.reasons.has('The database of this server takes too long'),
    )
  }
  // Takes as long as the statement timeout.
  if (isLong) underLoad('an unresponsive network', stall)

  test('an outage is logged once, with the id of the first request that failed', () => {
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.includes('"storage unavailable"'))
      .map((line) => JSON.parse(line))
    assert.ok(lines.length > 0)
    assert.ok(lines.length < 40 + TERMINATIONS, `${lines.length} lines`)
    for (const line of lines) {
      assert.equal(line.level, 'error')
      assert.ok(line.request && line.reason && line.error.message)
    }
  })
})

describe('a write over a failing network', () => {
  let proxy: TcpProxy
  let app: TestApp & { close(): Promise<void> }
  before(async () => {
    proxy = await startProxy(postgres.port)
    app = await startTestApp('postgres', { databaseUrl: through(proxy), dataDir: postgres.folder })
  })
  after(async () => {
    await app?.close()
    await proxy?.close()
  })

  const count = async (note: string) =>
    (await postgres.query(`select count(*)::int as n from flight where note = '${note}'`))[0].n
  const write = (note: string, headers = {}) =>
    app.request('POST', '/api/v1/flights', { key, body: { ...flight, note }, headers })
  /** A transaction of several statements: the response is kept. */
  const writeOnce = (note: string) => write(note, { 'idempotency-key': note })
  const once = (text: string, verdict: 'cut' | 'cut after') => {
    proxy.onRequest = (bytes) => {
      if (!bytes.includes(text)) return 'pass'
      proxy.onRequest = undefined
      return verdict
    }
  }

  test('a write lost before its commit is repeated and stored once', async () => {
    for (const [text, verdict] of [
      ['begin\0', 'cut'],
      [NEW_FLIGHT, 'cut'],
      [NEW_FLIGHT, 'cut after'],
    ] as const) {
      const note = `lost at ${verdict} ${text.length}`
      once(text, verdict)
      assert.equal((await writeOnce(note)).status, 201)
      assert.equal(proxy.onRequest, undefined, 'nothing was cut')
      assert.equal(await count(note), 1)
    }
  })

  test('a write lost after its commit is reported as unknown and never repeated', async () => {
    for (const [verdict, stored] of [
      ['cut', 0],
      ['cut after', 1],
    ] as const) {
      for (const [text, send] of [
        ['commit\0', writeOnce],
        [NEW_FLIGHT, write],
      ] as const) {
        const note = `doubt ${verdict} ${text.length}`
        once(text, verdict)
        const reply = await send(note)
        assert.deepEqual([reply.status, reply.json.error.message], [503, IN_DOUBT])
        assert.equal(await count(note), stored)
      }
    }
  })

  test('a read is repeated once', async () => {
    await app.request('GET', '/api/v1/me', { key })
    proxy.cut()
    assert.equal((await app.request('GET', '/api/v1/me', { key })).status, 200)
  })

  test('work under the start-up lock commits nothing once the lock is lost', async () => {
    const attempt = app.store.exclusively(async () => {
      await app.store.transaction((tx) => tx.execute('create table before_loss (id integer)'))
      await postgres.terminate()
      await until('its connections are closed', () => proxy.openConnections() === 0)
      await app.store.transaction((tx) => tx.execute('create table after_loss (id integer)'))
    })
    await assert.rejects(attempt, { code: 'unavailable' })
    const tables = await postgres.query("select tablename from pg_tables where tablename like '%_loss'")
    assert.deepEqual(tables, [{ tablename: 'before_loss' }])
    assert.equal(await app.store.exclusively(async () => 'free again'), 'free again')
  })

  test('two processes hold the start-up lock one after the other', async () => {
    const other = await openStore(app.config, createLogger('silent'))
    let asked = 0
    proxy.onRequest = (bytes) => {
      if (bytes.includes('pg_try_advisory_xact_lock')) asked++
      return 'pass'
    }
    const order: string[] = []
    const work = (name: string) => async () => {
      order.push(`${name} begins`)
      const askedBefore = asked
      if (order.length === 1) await until('the other one asks for the lock', () => asked > askedBefore)
      order.push(`${name} ends`)
    }
    await Promise.all([app.store.exclusively(work('one')), other.exclusively(work('other'))])
    proxy.onRequest = undefined
    await other.close()
    assert.equal(order.length, 4)
    assert.equal(order[0]!.split(' ')[0], order[1]!.split(' ')[0])
  })
})
