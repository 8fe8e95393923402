// Through PgBouncer in transaction mode, where two transactions of one client may use different connections: many
// concurrent requests of two processes, several concurrent starts, an import and a backup, without any setting.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { airportIds } from '../fixtures.ts'
import { endConnections, freshDatabase, type Reply, runSql, startTestApp, type TestApp } from '../harness.ts'
import { ask, contrail, spawnContrail, startServer } from '../running/processes.ts'
import { startProxy } from '../running/proxy.ts'
import { until } from '../until.ts'
import { type Pgbouncer, startPgbouncer, withoutPgbouncer } from './pgbouncer.ts'

const admin = process.env['TEST_POSTGRES']!
/** Fewer than the clients have connections, so that they share them. */
const SIZE = 4

type Opened = TestApp & { close(): Promise<void> }

describe('through PgBouncer in transaction mode', { skip: withoutPgbouncer }, () => {
  let pooler: Pgbouncer
  let database: Awaited<ReturnType<typeof freshDatabase>>
  before(async () => {
    pooler = await startPgbouncer(admin, SIZE)
    database = await freshDatabase('postgres')
  })
  after(async () => {
    await database?.drop()
    await pooler?.stop()
  })

  const open = (settings = {}): Promise<Opened> =>
    startTestApp('postgres', {
      databaseUrl: pooler.through(database.databaseUrl!),
      dataDir: database.dataDir,
      ...settings,
    })

  /** Concurrent requests of two processes that read and write; returns all responses. */
  async function load(apps: readonly Opened[]): Promise<Reply[]> {
    const ada = await apps[0]!.person()
    const key = await ada.key()
    const [fromId, toId] = await airportIds(apps[0]!, 'CPH', 'OSL')
    const body = { date: '2026-05-01', fromId, toId, passengers: [{ userId: ada.id }] }
    const ways = [
      (app: Opened) => app.request('GET', '/api/v1/me', { key }),
      (app: Opened, i: number) => app.request('GET', `/api/v1/flights?limit=${1 + (i % 90)}`, { key }),
      (app: Opened, i: number) =>
        app.request('POST', '/api/v1/flights', { key, body: { ...body, note: `flight ${i}` } }),
    ]
    const replies = await Promise.all(
      Array.from({ length: 600 }, (_, i) => ways[i % 3]!(apps[i % apps.length]!, i)),
    )
    const notes = (await apps[0]!.request('GET', '/api/v1/flights/export', { key })).json.flights
    assert.equal(new Set(notes.map(({ note }: { note: string }) => note)).size, 200)
    return replies
  }

  const failures = (replies: readonly Reply[]) =>
    replies.filter(({ status }) => status >= 300).map(({ text }) => text)

  test('600 requests of two processes succeed, and no statement is prepared', async () => {
    const apps = await Promise.all([open(), open()])
    try {
      assert.deepEqual(failures(await load(apps)), [])
      const [row] = await apps[0]!.store.read.query(
        `/* test */ select count(*)::int as "count" from pg_prepared_statements where name <> ''`,
        [],
      )
      assert.equal(row!['count'], 0)
    } finally {
      await Promise.all(apps.map((app) => app.close()))
    }
  })

  test('with prepared statements configured, a failure switches them off and no request fails', async () => {
    const apps = await Promise.all([open({ databasePrepare: 'true' }), open({ databasePrepare: 'true' })])
    try {
      assert.deepEqual(failures(await load(apps)), [])
      const said = apps.map(({ logged }) => logged.filter((line) => /no longer prepared/.test(line)).length)
      assert.ok(Math.max(...said) === 1, `warned ${said.join(' and ')} times`)
    } finally {
      await Promise.all(apps.map((app) => app.close()))
      // PgBouncer keeps connections that know statement names of other clients.
      await endConnections(database.databaseUrl!)
    }
  })

  test('a connection lost during a commit leaves its outcome unknown', async () => {
    const proxy = await startProxy(Number(new URL(admin).port))
    const behind = new URL(admin)
    behind.host = `127.0.0.1:${proxy.port}`
    const other = await startPgbouncer(behind.href, SIZE)
    const app = await open({ databaseUrl: other.through(database.databaseUrl!) })
    try {
      const ada = await app.person()
      const key = await ada.key()
      const [fromId, toId] = await airportIds(app, 'CPH', 'OSL')
      const send = (note: string, headers = {}) => {
        const body = { date: '2026-05-01', fromId, toId, note, passengers: [{ userId: ada.id }] }
        return app.request('POST', '/api/v1/flights', { key, body, headers })
      }
      // A statement with an automatic commit, and a commit after others, which an idempotency key needs.
      for (const [note, last, headers] of [
        ['alone', '"viewers":', {}],
        ['after others', 'commit', { 'idempotency-key': 'once' }],
      ] as const) {
        proxy.onRequest = (bytes) => {
          if (!bytes.includes(last)) return 'pass'
          proxy.onRequest = undefined
          return 'cut after'
        }
        const reply = await send(note, headers)
        assert.equal(proxy.onRequest, undefined, 'the connection was cut')
        assert.equal(reply.status, 503, reply.text)
        assert.equal(reply.json.error.reason, 'outcome_unknown', reply.text)
      }
    } finally {
      await app.close()
      await other.stop()
      await proxy.close()
    }
  })

  test('an import is read and committed', async () => {
    const app = await open()
    try {
      const key = await (await app.person()).key()
      const dayOf = (i: number) => new Date(Date.UTC(1990, 0, 1 + i)).toISOString().slice(0, 10)
      const lines = Array.from({ length: 300 }, (_, i) => `${dayOf(i)},CPH,OSL,SK${i + 1}`)
      const raw = ['date,from,to,flightNumber', ...lines].join('\n')
      const headers = { 'content-type': 'text/csv' }
      const begun = await app.request('POST', '/api/v1/imports', { key, raw, headers })
      assert.equal(begun.status, 201, begun.text)
      const at = `/api/v1/imports/${begun.json.data.id}`
      const state = async () => (await app.request('GET', at, { key })).json.data
      await until('the import is read', async () => (await state()).status !== 'reading')
      const committed = await app.request('POST', `${at}/commit`, { key })
      assert.ok(committed.status < 300, committed.text)
      await until('the import is committed', async () => (await state()).status !== 'committing')
      assert.deepEqual((await state()).committed, { created: 300, updated: 0 })
    } finally {
      await app.close()
    }
  })

  test('three processes prepare an empty database concurrently', async () => {
    const name = `pooled_${process.pid}`
    await runSql(admin, `create database ${name}`)
    const direct = new URL(admin)
    direct.pathname = `/${name}`
    const place = { databaseUrl: pooler.through(direct.href), dataDir: database.dataDir }
    const runs = await Promise.all([1, 2, 3].map(() => spawnContrail(place, ['reference', 'status'])))
    await runSql(admin, `drop database ${name} with (force)`)
    assert.deepEqual(
      runs.map(({ code, err }) => [code, err]),
      runs.map(() => [0, '']),
    )
  })

  test('a server starts, a backup is made, and doctor names the pooler', async () => {
    const place = { databaseUrl: pooler.through(database.databaseUrl!), dataDir: database.dataDir }
    const server = await startServer(place)
    try {
      assert.equal((await ask(server.port, 'GET', '/readyz')).status, 200)
      const backup = await contrail(place, ['backup', join(database.dataDir, 'all.gz')])
      assert.equal(backup.code, 0, backup.err)
      const doctor = await contrail(place, ['doctor'])
      assert.match(doctor.out.toString(), /ok\s+pooler\s+.*not prepared/)
    } finally {
      await server.stop()
    }
  })
})
