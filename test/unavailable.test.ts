// The database is unavailable or the disk is full: every API returns 503 with Retry-After in its own shape, and requests that need
// no database still work.
import assert from 'node:assert/strict'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Unavailable } from '../server/base/errors.ts'
import { messageOf } from '../server/domain/reasons.ts'
import { toUnavailable } from '../server/store/engine/dialect.ts'
import { airportIds, logFlight } from './fixtures.ts'
import {
  endConnections,
  engines,
  freshDatabase,
  type Reply,
  runSql,
  startTestApp,
  type TestApp,
} from './harness.ts'
import { modern } from './mcp/clients.ts'
import {
  authorizePath,
  createFlow,
  fromManyAddresses,
  postForm,
  registerClient,
  requestOf,
} from './oauth/browser.ts'
import { startProxy, type TcpProxy } from './running/proxy.ts'

const legacyFlight = { from: 'EKCH', to: 'ENGM', departure: '2026-05-01', note: 'x'.repeat(1_000) }
const reached = messageOf('database_unreachable')

for (const engine of engines) {
  describe(`an unreachable database: ${engine}`, () => {
    const unavailable = engine === 'sqlite' ? 'server_stopping' : 'database_unreachable'
    const reason = messageOf(unavailable)
    let app: TestApp & { close(): Promise<void> }
    let proxy: TcpProxy | undefined
    let drop: () => Promise<void>
    let doors: Record<string, () => Promise<Reply>>
    let key: string
    let cookie: string

    before(async () => {
      const fresh = await freshDatabase(engine)
      drop = fresh.drop
      let { databaseUrl } = fresh
      if (databaseUrl) {
        const url = new URL(databaseUrl)
        proxy = await startProxy(Number(url.port))
        url.port = String(proxy.port)
        databaseUrl = url.href
      }
      app = await startTestApp(engine, { databaseUrl, dataDir: fresh.dataDir, ...fromManyAddresses })
      const owner = await app.person('owner')
      key = await owner.key()
      cookie = await owner.session()
      const { slug } = (await app.request('POST', '/api/v1/shares', { key, body: {} })).json.data
      const flow = createFlow(app, await registerClient(app))
      const body = { username: 'someone', password: 'correct horse' }
      const headers = { 'sec-fetch-site': 'same-origin' }
      doors = {
        'v1 read': () => app.request('GET', '/api/v1/flights', { key }),
        'v1 write': () => app.request('POST', '/api/v1/flights', { key, body: {} }),
        'v1 export': () => app.request('GET', '/api/v1/flights/export', { key }),
        'web app read': () => app.request('GET', '/app/api/session', { cookie }),
        'web app sign-in': () => app.request('POST', '/app/api/sign-in', { body, headers }),
        'legacy list': () => app.request('GET', '/api/flight/list', { key }),
        'legacy save': () => app.request('POST', '/api/flight/save', { key, body: {} }),
        'legacy statistics': () => app.request('GET', '/api/stats', { key }),
        mcp: () => modern(app, key, 'tools/list'),
        'oauth token': () =>
          postForm(app, '/oauth/token', {
            grant_type: 'refresh_token',
            refresh_token: 'ctr_x',
            client_id: flow.client.client_id,
          }),
        'oauth registration': () =>
          app.request('POST', '/oauth/register', {
            body: { client_name: 'App', redirect_uris: ['https://client.example/'] },
          }),
        'oauth revocation': () =>
          postForm(app, '/oauth/revoke', { token: 'ctr_x', client_id: flow.client.client_id }),
        'oauth page': () => app.request('GET', authorizePath(requestOf(flow))),
        'sign-in page': () => app.request('GET', '/sign-in'),
        'share page': () => app.request('GET', `/share/${slug}`),
        'share data': () => app.request('GET', `/share/${slug}/data`),
      }
      for (const [name, ask] of Object.entries(doors)) assert.ok((await ask()).status < 500, name)
      if (proxy) {
        proxy.isShut = true
        proxy.cut()
      } else await app.store.close()
    })
    after(async () => {
      await app?.close()
      await proxy?.close()
      await drop?.()
    })

    test('every interface reports it, with Retry-After and the id of the request', async () => {
      for (const [name, ask] of Object.entries(doors)) {
        const reply = await ask()
        assert.equal(reply.status, 503, `${name}: ${reply.text}`)
        assert.match(String(reply.headers['retry-after']), /^[1-9]\d*$/, name)
        assert.ok(reply.headers['x-request-id'], name)
        assert.match(String(reply.headers['cache-control']), /no-store/, name)
        assert.doesNotMatch(reply.text, /127\.0|ECONN|sqlite|pool/i, name)
        if (name.endsWith('page')) {
          assert.match(String(reply.headers['content-type']), /^text\/html/, name)
          assert.ok(reply.text.includes(`${reason}. Please try again in a moment.`), name)
        } else if (name.startsWith('oauth')) {
          const expected = { error: 'temporarily_unavailable', error_description: reason }
          assert.deepEqual(reply.json, expected, name)
        } else if (name.startsWith('legacy')) {
          assert.deepEqual(reply.json, { success: false, message: reason }, name)
          assert.ok(reply.headers['deprecation'], name)
        } else {
          const expected = { code: 'unavailable', reason: unavailable, message: reason }
          assert.deepEqual(reply.json, { error: expected }, name)
        }
      }
    })

    test('an outage is logged once, with its first request', async () => {
      const lines = app.logged.map((line) => JSON.parse(line))
      const outages = lines.filter(
        ({ message, level }) => message === 'storage unavailable' && level === 'error',
      )
      assert.equal(outages.length, 1, JSON.stringify(outages))
      assert.deepEqual([outages[0].reason, outages[0].path], [reason, '/api/v1/flights'])
      assert.ok(outages[0].request && outages[0].error.message)
      assert.deepEqual(
        lines.filter(({ message }) => message === 'request failed'),
        [],
      )
    })

    test('discovery, documents and liveness work without the database, also with a credential', async () => {
      const paths = [
        '/api',
        '/api/v1',
        '/app/api/',
        '/api/v1/openapi.yaml',
        '/api/mcp',
        '/.well-known/oauth-authorization-server',
        '/.well-known/oauth-protected-resource/api/v1',
        '/healthz',
        '/',
      ]
      for (const path of paths) {
        for (const who of [{}, { key }, { cookie }]) {
          assert.equal((await app.request('GET', path, who)).status, 200, path)
        }
      }
      assert.equal((await app.request('GET', '/readyz')).status, 503)
    })
  })
}

describe('a full disk and a read-only database', () => {
  for (const engine of engines) {
    test(`${engine}: every interface refuses writes with the reason, reads work, and writes recover`, async (t) => {
      const { databaseUrl, dataDir, drop } = await freshDatabase(engine)
      const app = await startTestApp(engine, { databaseUrl, dataDir })
      t.after(() => app.close().then(drop))
      const ada = await app.person()
      const key = await ada.key()
      const [fromId, toId] = await airportIds(app, 'CPH', 'OSL')
      // Too long for the room left in existing pages.
      const flight = {
        date: '2026-05-01',
        fromId,
        toId,
        note: 'x'.repeat(9_000),
        passengers: [{ userId: ada.id }],
      }
      const write = () => app.request('POST', '/api/v1/flights', { key, body: flight })
      const { id } = (await write()).json.data
      const admin = process.env['TEST_POSTGRES']!
      const name = databaseUrl && new URL(databaseUrl).pathname.slice(1)
      const limit = (pages: number) =>
        app.store.transaction((tx) => tx.execute(`pragma max_page_count = ${pages}`))
      const setReadOnly = async (state: 'on' | 'off') => {
        await runSql(admin, `alter database ${name} set default_transaction_read_only = ${state}`)
        await endConnections(databaseUrl!)
      }
      try {
        if (engine === 'sqlite') await limit(1)
        else await setReadOnly('on')
        const full = engine === 'sqlite' ? 'disk_full' : 'data_read_only'
        const reason = messageOf(full)
        const refused = await write()
        assert.deepEqual(
          [refused.status, refused.json],
          [503, { error: { code: 'unavailable', reason: full, message: reason } }],
        )
        assert.ok(refused.headers['retry-after'])
        // Notes are shorter here, and fit until the last page is full.
        let saved: Reply
        const body = { ...legacyFlight, seats: [{ userId: ada.id }] }
        do saved = await app.request('POST', '/api/flight/save', { key, body })
        while (saved.status === 200)
        assert.deepEqual([saved.status, saved.json], [503, { success: false, message: reason }])
        const tool = await modern(app, key, 'tools/call', { name: 'create_flight', arguments: flight })
        assert.equal(tool.json.result.isError, true)
        assert.equal(tool.json.result.content[0].text, reason)
        assert.equal((await app.request('GET', `/api/v1/flights/${id}`, { key })).status, 200)
      } finally {
        if (engine === 'sqlite') await limit(1_000_000)
        else await setReadOnly('off')
      }
      assert.equal((await write()).status, 201)
    })
  }

  test('an unreadable resource names the same reason', async (t) => {
    const { databaseUrl, dataDir, drop } = await freshDatabase('postgres')
    const url = new URL(databaseUrl!)
    const proxy = await startProxy(Number(url.port))
    url.port = String(proxy.port)
    const app = await startTestApp('postgres', { databaseUrl: url.href, dataDir })
    t.after(async () => {
      proxy.onRequest = undefined
      await app.close()
      await proxy.close()
      await drop()
    })
    const ada = await app.person()
    const key = await ada.key()
    const [fromId, toId] = await airportIds(app, 'CPH', 'OSL')
    await logFlight(app, ada, { date: '2026-05-01', fromId, toId })
    // New connections prepare their statements, so that the text is sent.
    proxy.cut()
    // Until the pool has noticed it: otherwise reading the credential would fail.
    while ((await app.request('GET', '/api/v1/me', { key })).status !== 200);
    proxy.onRequest = (bytes) => (bytes.includes('"flight_passenger"') ? 'cut' : 'pass')
    const read = await modern(app, key, 'resources/read', { uri: 'contrail://flights/recent' })
    assert.equal(read.json.error.message, reached)
    assert.equal(read.json.error.code, -32_603)
    assert.equal(read.json.error.data.reason, 'database_unreachable')
    const tool = await modern(app, key, 'tools/call', { name: 'list_flights', arguments: {} })
    assert.deepEqual([tool.json.result.isError, tool.json.result.content[0].text], [true, reached])
  })
})

test('writes are refused while the database file is missing, because they would be lost', async (t) => {
  const app = await startTestApp('sqlite')
  t.after(() => app.close())
  const ada = await app.person()
  const key = await ada.key()
  const [fromId, toId] = await airportIds(app, 'CPH', 'OSL')
  const write = () =>
    app.request('POST', '/api/v1/flights', {
      key,
      body: { date: '2026-05-01', fromId, toId, passengers: [{ userId: ada.id }] },
    })
  assert.equal((await write()).status, 201)
  const file = join(app.config.dataDir, 'contrail.sqlite')
  renameSync(file, `${file}.away`)
  const refused = await write()
  assert.deepEqual(
    [refused.status, refused.json.error],
    [
      503,
      {
        code: 'unavailable',
        reason: 'database_file_gone',
        message: 'The database file of this server is gone. Restart the server.',
      },
    ],
  )
  assert.equal(existsSync(file), false)
  renameSync(`${file}.away`, file)
  assert.equal((await write()).status, 201)
})

test('errors of each engine are recognised as unreachable or full', () => {
  const problems: Record<string, string[]> = {
    disk_full: ['SQLITE_FULL', '53100', 'ENOSPC', 'EDQUOT'],
    data_read_only: ['SQLITE_READONLY', '25006', 'EROFS', 'EACCES'],
    database_damaged: ['SQLITE_CORRUPT_VTAB', 'SQLITE_NOTADB', 'XX001'],
    database_unreadable: ['SQLITE_IOERR_WRITE', 'SQLITE_CANTOPEN', '58030'],
    database_locked: ['SQLITE_BUSY', 'SQLITE_LOCKED'],
    database_overloaded: ['53300', '53200'],
    database_too_slow: ['57014', '55P03'],
    database_unreachable: [
      '57P01',
      '57P02',
      '57P03',
      '08006',
      'ECONNREFUSED',
      'ECONNRESET',
      'EPIPE',
      'ETIMEDOUT',
      '28P01',
      '3D000',
    ],
  }
  for (const [reason, codes] of Object.entries(problems)) {
    for (const code of codes) {
      const error = toUnavailable(Object.assign(new Error('as the driver says it'), { code }))
      assert.ok(error instanceof Unavailable, code)
      assert.equal(error.problem.reason, reason, code)
    }
  }
  // Internal errors stay internal errors.
  for (const code of ['23505', '42P01', '22P02', 'SQLITE_ERROR', 'SQLITE_CONSTRAINT_UNIQUE', 'ENOENT']) {
    const error = Object.assign(new Error('as the driver says it'), { code })
    assert.equal(toUnavailable(error), error)
  }
})
