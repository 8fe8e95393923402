// A read replica that follows the primary by streaming replication. Large reads use it, and clients notice no difference:
// every earlier write is in a response, whether the replica is behind, stopped or promoted.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createLogger } from '../../server/base/log.ts'
import { seed } from '../../server/process/seed.ts'
import { openPostgres } from '../../server/store/engine/postgres.ts'
import { openStore } from '../../server/store/store.ts'
import { airportIds } from '../fixtures.ts'
import { startTestApp, type TestApp, type TestPerson } from '../harness.ts'
import { contrail } from '../running/processes.ts'
import { startProxy } from '../running/proxy.ts'
import { until } from '../until.ts'
import { type PostgresPair, type PostgresServer, startPostgresPair } from './postgres-pair.ts'

describe('a read replica', () => {
  let pair: PostgresPair
  let app: TestApp & { close(): Promise<void> }
  let ada: TestPerson
  let key: string
  let ends: number[]
  let changes = 0

  before(async () => {
    pair = await startPostgresPair('replica', seeded, { isSynchronous: false })
    app = await startTestApp('postgres', {
      databaseUrl: pair.primary.url,
      databaseReadUrl: pair.standby.url,
      dataDir: pair.folder,
    })
    ada = await app.person('owner')
    key = await ada.key()
    ends = await airportIds(app, 'CPH', 'OSL')
  })
  after(async () => {
    await app?.close()
    await pair?.close()
  })

  const flight = (note: string) => ({
    date: '2026-05-01',
    fromId: ends[0],
    toId: ends[1],
    note,
    passengers: [{ userId: ada.id }],
  })
  const write = async (note: string) => {
    const reply = await app.request('POST', '/api/v1/flights', { key, body: flight(note) })
    assert.equal(reply.status, 201, reply.text)
  }
  /** Makes the cached log outdated. */
  const change = async () => {
    const [{ id }] = (await app.request('GET', '/api/v1/flights', { key })).json.data
    const body = { ...flight('first'), aircraftReg: `N${++changes}` }
    const reply = await app.request('PUT', `/api/v1/flights/${id}`, { key, body })
    assert.equal(reply.status, 200, reply.text)
  }
  const exported = async (): Promise<string[]> => {
    const reply = await app.request('GET', '/api/v1/flights/export', { key })
    assert.equal(reply.status, 200, reply.text)
    return reply.json.flights.map(({ note }: { note: string }) => note)
  }
  const counted = async (): Promise<number> => {
    const reply = await app.request('GET', '/api/v1/stats?scope=all', { key })
    assert.equal(reply.status, 200, reply.text)
    return reply.json.data.flights
  }
  /** The last statement of each connection to the replica. */
  const lastOnReplica = async (): Promise<string[]> =>
    (await pair.standby.query("select query from pg_stat_activity where application_name = 'contrail'")).map(
      ({ query }) => query,
    )
  /** Makes the replica used again: it was not used for a while after a failure. */
  const untilUsed = () => until('the replica is used', () => app.store.replica!())

  test('the replica serves exports, everyone’s statistics, feeds and shares', async () => {
    await write('first')
    await untilUsed()
    assert.deepEqual(
      (await lastOnReplica()).filter((sql) => sql === 'commit'),
      [],
    )
    // A snapshot is a transaction. On a busy machine the replica may be behind for a moment: the next change checks it
    // again.
    await until('an export comes from the replica', async () => {
      await change()
      assert.deepEqual(await exported(), ['first'])
      return (await lastOnReplica()).includes('commit')
    })
    await until('statistics come from the replica', async () => {
      await change()
      assert.equal(await counted(), 1)
      return (await lastOnReplica()).some((sql) => sql.includes('"flight"'))
    })
    const feed = await app.request('POST', '/app/api/feeds', {
      cookie: await ada.session(),
      body: { name: 'Mine', kind: 'json' },
    })
    assert.equal(feed.status, 201, feed.text)
    const path = new URL(feed.json.data.url).pathname
    assert.match((await app.request('GET', path)).text, /first/)
  })

  test('a lagging replica hides no write, because the primary serves', async () => {
    await untilUsed()
    await pair.standby.query('select pg_wal_replay_pause()')
    try {
      for (const [i, note] of ['second', 'third'].entries()) {
        await write(note)
        assert.equal((await exported()).length, i + 2)
        assert.equal(await counted(), i + 2)
      }
      assert.equal(await app.store.replica!(), undefined)
      // How far it is behind depends on PostgreSQL's own writes.
      assert.match((await doctor()).out, /(ok\s+replica\s+follows|warn\s+replica\s+it is .* behind)/)
    } finally {
      await pair.standby.query('select pg_wal_replay_resume()')
    }
    await untilUsed()
    assert.deepEqual((await exported()).sort(), ['first', 'second', 'third'])
  })

  test('a replica stopped under load causes no error, and is used again later', async () => {
    await untilUsed()
    let isOver = false
    const reading = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const reply = await app.request('GET', '/api/v1/flights/export', { key })
        // Reads in progress on the replica are aborted; the client may repeat them.
        assert.ok(reply.status === 200 ? reply.json.flights.length === 3 : reply.status === 503, reply.text)
      }
    })
    await pair.standby.stop('SIGKILL')
    await exported()
    isOver = true
    await Promise.all(reading)
    assert.equal(await counted(), 3)
    const lines = app.logged.filter((line) => /the read replica is not used/.test(line))
    assert.equal(lines.length, 1, lines.join(''))
    assert.match((await doctor()).out, /warn\s+replica\s+cannot use PostgreSQL at .*connection refused/)
    await pair.standby.start()
    await untilUsed()
    assert.ok(app.logged.some((line) => /the read replica is used again/.test(line)))
    assert.equal((await exported()).length, 3)
  })

  test('a promoted replica is another database and is not read', async () => {
    await untilUsed()
    await pair.standby.query('select pg_promote()')
    await write('fourth')
    assert.equal((await exported()).length, 4)
    assert.equal(await counted(), 4)
    assert.equal(await app.store.replica!(), undefined)
    assert.match((await doctor()).out, /warn\s+replica\s+.*is not a standby/)
  })

  test('a silent primary is replaced by the promoted one without an error', async () => {
    const { primary, standby } = pair
    const proxy = await startProxy(Number(new URL(primary.url).port))
    const databaseUrl = primary.url.replace(primary.place, `127.0.0.1:${proxy.port},${standby.place}`)
    const other = await startTestApp('postgres', { databaseUrl, dataDir: pair.folder })
    const send = (note: string) => other.request('POST', '/api/v1/flights', { key, body: flight(note) })
    try {
      assert.equal((await send('fifth')).status, 201)
      proxy.isStalled = true
      const reply = await send('sixth')
      assert.equal(reply.status, 201, reply.text)
      const rows = await standby.query("select count(*)::int as n from flight where note = 'sixth'")
      assert.equal(rows[0].n, 1)
    } finally {
      await other.close()
      await proxy.close()
    }
  })

  const doctor = async () => {
    const place = { databaseUrl: pair.primary.url, dataDir: pair.folder }
    const { out } = await contrail(place, ['doctor'], '', { DATABASE_READ_URL: pair.standby.url })
    assert.doesNotMatch(out.toString(), /postgres:postgres/)
    return { out: out.toString() }
  }
})

describe('a failover that the replica did not follow', () => {
  let pair: PostgresPair
  let promoted: PostgresServer
  let follower: PostgresServer
  let cookie: string
  let shareId: number
  const apps: { close(): Promise<void> }[] = []

  const open = async (primary: PostgresServer, replica: PostgresServer) => {
    const place = { databaseUrl: primary.url, databaseReadUrl: replica.url, dataDir: pair.folder }
    const app = await startTestApp('postgres', place)
    apps.push(app)
    return app
  }
  before(async () => {
    pair = await startPostgresPair('timeline', seeded, { isSynchronous: false })
    await pair.primary.query("create role plain login password 'plain'")
    const app = await open(pair.primary, pair.standby)
    const ada = await app.person('owner')
    cookie = await ada.session()
    const body = { slug: 'of-ada', showMap: true, showStats: true, showFlightList: true }
    const share = await app.request('POST', '/app/api/shares', { cookie, body })
    assert.equal(share.status, 201, share.text)
    shareId = share.json.data.id
    const servers = await pair.failOver()
    promoted = servers.promoted
    follower = servers.follower
    // Data that only the old primary and its replica have: the replica is ahead of the new primary.
    await getAhead(pair.primary, pair.standby, 8_000_000)
  })
  after(async () => {
    for (const app of apps) await app.close()
    await pair?.close()
  })

  async function getAhead(primary: PostgresServer, replica: PostgresServer, bytes: number): Promise<void> {
    await primary.query(`select pg_logical_emit_message(false, 'ahead', repeat('x', ${bytes}))`)
    const [{ lsn }] = await primary.query('select pg_current_wal_flush_lsn()::text as lsn')
    const isThere = `select 1 where pg_last_wal_replay_lsn() >= '${lsn}'`
    await until('the replica has it', async () => (await replica.query(isThere)).length > 0)
  }

  /** Whether the replica is used for the superuser or an ordinary role; it may be behind for a moment. */
  async function verdictOn(primary: PostgresServer, replica: PostgresServer, role: string) {
    const as = ({ url }: PostgresServer) => url.replace('postgres:postgres@', `${role}:${role}@`)
    const lines: string[] = []
    const log = createLogger('debug', (line) => void lines.push(line))
    const engine = openPostgres({ url: as(primary), readUrl: as(replica), connections: 1 }, log)
    const side = await engine.replica!()
    await engine.close()
    if (side) return 'used'
    return lines.some((line) => /not on the timeline of the primary/.test(line)) ? 'refused' : undefined
  }
  const requireUsed = (...who: Parameters<typeof verdictOn>) =>
    until('the replica is used', async () => (await verdictOn(...who)) === 'used')
  const requireRefused = async (...who: Parameters<typeof verdictOn>) =>
    assert.equal(await until('the replica is used or refused', () => verdictOn(...who)), 'refused')

  test('a revoked share is not served, even if the replica has it and is ahead', async () => {
    const app = await open(promoted, pair.standby)
    assert.equal((await app.request('GET', '/share/of-ada/data')).status, 200)
    const revoked = await app.request('DELETE', `/app/api/shares/${shareId}`, { cookie })
    assert.equal(revoked.status, 204, revoked.text)
    assert.equal((await app.request('GET', '/share/of-ada/data')).status, 404)
    assert.equal(await app.store.replica!(), undefined)
    assert.ok(app.logged.some((line) => /not on the timeline of the primary/.test(line)))
    const place = { databaseUrl: promoted.url, dataDir: pair.folder }
    const { out } = await contrail(place, ['doctor'], '', { DATABASE_READ_URL: pair.standby.url })
    assert.match(out.toString(), /warn\s+replica\s+it is not on the timeline/)
  })

  test('a replica of another primary is not used, for an ordinary role or the superuser', async () => {
    await requireRefused(promoted, pair.standby, 'plain')
    await requireUsed(pair.primary, pair.standby, 'plain')
    await getAhead(promoted, follower, 24_000_000)
    await requireRefused(pair.primary, follower, 'postgres')
  })

  test('a replica that followed is used once the role can verify it', async () => {
    await requireUsed(promoted, follower, 'postgres')
    await promoted.query('grant pg_read_all_stats to plain')
    await requireUsed(promoted, follower, 'plain')
    await promoted.query('revoke pg_read_all_stats from plain')
    await promoted.query('checkpoint')
    await getAhead(promoted, follower, 1)
    await follower.query('checkpoint')
    await requireUsed(promoted, follower, 'plain')
  })
})

async function seeded(databaseUrl: string): Promise<void> {
  const log = createLogger('silent')
  const store = await openStore({ databaseUrl, dataDir: process.env['TEST_SCRATCH']! }, log)
  await seed(store, log, new Date())
  await store.close()
}
