// Monitoring: health, readiness, metrics, request ids, the log.
import assert from 'node:assert/strict'
import { cpSync, readFileSync, renameSync } from 'node:fs'
import { connect as connectTo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { type TOTP, URI } from 'otpauth'
import packageJson from '../../package.json' with { type: 'json' }
import { operations } from '../../server/operations/index.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import { Authenticator } from '../authenticator.ts'
import {
  endConnections,
  engines,
  freshDatabase,
  onBothEngines,
  onSqlite,
  startTestApp,
  type TestApp,
  testOnSqlite,
} from '../harness.ts'
import { until } from '../until.ts'

const guide = readFileSync('docs/monitoring.md', 'utf8')

const readSeries = (text: string, series: string): number | undefined => {
  const found = text.split('\n').find((line) => line.startsWith(`${series} `))
  return found === undefined ? undefined : Number(found.slice(series.length + 1))
}

onBothEngines('a running instance', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  test('the health checks report liveness and readiness, and nothing more', async () => {
    for (const [path, status] of [
      ['/healthz', 'alive'],
      ['/readyz', 'ready'],
    ] as const) {
      const reply = await app().request('GET', path)
      assert.equal(reply.status, 200)
      assert.deepEqual(reply.json, { status })
      assert.equal(reply.headers['cache-control'], 'no-store')
      assert.equal((await app().request('HEAD', path)).status, 200)
      assert.equal((await app().request('POST', path)).status, 405)
    }
  })

  test('metrics count requests by group of operations and class of status, transactions and the cache', async () => {
    const person = await app().person()
    const key = await person.key()
    const read = async () => (await app().request('GET', '/metrics')).text
    const before = await read()
    const counted = (text: string, group: string, status: string) =>
      readSeries(text, `contrail_requests_total{group="${group}",status="${status}"}`) ?? 0

    // Pages are cached from their second request on.
    for (let i = 0; i < 4; i++) await app().request('GET', '/api/v1/flights', { key })
    await app().request('GET', '/api/v1/flights')
    await app().request('GET', '/api/flight/list', { key })
    await app().request('PATCH', '/api/v1/flights', { key })
    await app().request('GET', '/no/such/place')
    await app().request('POST', '/api/v1/flights', {
      key,
      body: { date: '2026-01-01', fromId: 1, toId: 2, passengers: [] },
    })
    const after = await read()
    const grown = (group: string, status: string) =>
      counted(after, group, status) - counted(before, group, status)
    assert.equal(grown('flights', '2xx'), 4)
    assert.equal(grown('flights', '4xx'), 2)
    assert.equal(grown('legacy', '2xx'), 1)
    assert.equal(grown('not-found', '4xx'), 2, 'a wrong method too')
    assert.equal(grown('monitoring', '2xx'), 1)
    const durations = 'contrail_request_duration_seconds'
    assert.equal(readSeries(after, `${durations}_bucket{group="flights",le="+Inf"}`), 6)
    assert.equal(readSeries(after, `${durations}_count{group="flights"}`), 6)
    assert.ok(readSeries(after, 'contrail_cache_hits_total')! >= 2)
    assert.ok(readSeries(after, 'contrail_cache_bytes')! > 0)
    // That the key was used is written after the response.
    await until('a transaction is counted', async () =>
      Boolean(readSeries(await read(), 'contrail_store_transaction_seconds_count')),
    )
    assert.ok(readSeries(after, 'process_resident_memory_bytes')! > 1e7)
    assert.notEqual(readSeries(after, 'contrail_event_loop_lag_seconds{quantile="0.99"}'), undefined)
    // The names that dashboards for Node use.
    assert.ok(readSeries(after, 'nodejs_heap_size_used_bytes')! > 1e6)
    assert.match(after, new RegExp(`^nodejs_version_info\\{version="${process.version}",`, 'm'))
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'nodejs_gc_duration_seconds'])
      assert.match(after, new RegExp(`^# TYPE ${name} `, 'm'))
    // Listing these can end the process.
    assert.doesNotMatch(after, /nodejs_active_(?:handles|requests)/)
    for (const line of after.trim().split('\n')) {
      assert.match(line, /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? [\d.e+-]+)$/)
    }
  })

  test('metrics have every series from the start, and count refused sign-ins', async () => {
    const read = async () => (await app().request('GET', '/metrics')).text
    const before = await read()
    for (const series of [
      'contrail_requests_total{group="personal-data",status="5xx"}',
      'contrail_request_duration_seconds_count{group="personal-data"}',
      'contrail_sign_in_failures_total',
      'contrail_database_waiting',
      'contrail_store_transactions_failed_total',
      'contrail_backups_failed_total',
      'contrail_mails_taken_total{way="mail"}',
      'contrail_mails_refused_total{reason="failed"}',
      'contrail_intake_readings_total{source="calendar"}',
      'contrail_intake_readings_failed_total{source="mailbox",problem="login_refused"}',
    ])
      assert.equal(readSeries(before, series), 0, series)
    const build = `version="${packageJson.version}",node="${process.versions.node}",engine="${app().engine}"`
    assert.equal(readSeries(before, `contrail_build_info{${build}}`), 1)
    assert.ok(readSeries(before, 'contrail_data_free_bytes')! > 0)
    const isSqlite = app().engine === 'sqlite'
    assert.equal(readSeries(before, 'contrail_wal_bytes')! > 0, isSqlite)
    assert.equal(readSeries(before, 'contrail_database_connections_idle')! > 0, !isSqlite)
    const body = { username: 'nobody-here', password: 'wrong word' }
    const headers = { 'sec-fetch-site': 'same-origin' }
    assert.equal((await app().request('POST', '/app/api/sign-in', { body, headers })).status, 401)
    const failures = async () => readSeries(await read(), 'contrail_sign_in_failures_total')
    assert.equal(await failures(), 1)
    const who = await app().person()
    const password = 'kitty hawk'
    const hash = await hashPassword(password)
    await app().store.transaction((tx) => updatePassword(tx, who.id, hash))
    const session = await who.session()
    const send = (path: string, sent: object, cookie?: string) =>
      app().request('POST', `/app/api${path}`, { body: sent, headers, cookie })
    const started = await send('/second-factor', {}, session)
    const totp = URI.parse(started.json.data.uri) as TOTP
    const code = totp.generate({ timestamp: app().clock.now() })
    assert.equal((await send('/second-factor/enable', { code }, session)).status, 200)
    const asked = await send('/sign-in', { username: who.username, password })
    assert.equal(asked.json.error.reason, 'second_factor_required')
    assert.equal(await failures(), 1, 'the password was right')
    const pending = asked.headers['set-cookie']!.find((one) => one.includes('pending='))!.split(';')[0]!
    assert.equal((await send('/sign-in/second-factor', { code }, pending)).status, 401)
    assert.equal(await failures(), 2, 'the code was used before')
    const device = new Authenticator(app().config.origin)
    const { challenge, rpId } = (await send('/sign-in/passkey/options', {})).json.data
    const { credential } = device.create({ challenge, rp: { id: rpId }, user: { id: 'eA' } })
    const response = device.get({ challenge, rpId }, credential)
    assert.equal((await send('/sign-in/passkey', { response })).status, 401)
    assert.equal(await failures(), 3, 'a passkey of nobody')
  })

  sqliteTest('metrics are visible to this machine only, and not to clients behind a proxy', async () => {
    const strangers = [
      { host: 'flights.example.org' },
      { host: 'localhost.evil.example' },
      { 'x-forwarded-for': '203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
      { 'x-real-ip': '203.0.113.9' },
      { via: '1.1 proxy' },
    ]
    for (const headers of strangers) {
      const reply = await app().request('GET', '/metrics', { headers: headers as Record<string, string> })
      assert.equal(reply.status, 404, JSON.stringify(headers))
    }
  })

  sqliteTest('an error has the id of the request, and is logged with the same id', async () => {
    const given = await app().request('GET', '/api/v1/me', { headers: { 'x-request-id': 'proxy-7f3a.1' } })
    assert.equal(given.status, 401)
    assert.equal(given.headers['x-request-id'], 'proxy-7f3a.1')
    assert.match(given.headers['access-control-expose-headers'] as string, /X-Request-Id/)
    const seen = new Set<string>()
    for (const bad of ['a b', 'x'.repeat(101), '"quoted"', 'a;b', '<script>']) {
      const reply = await app().request('GET', '/nowhere', { headers: { 'x-request-id': bad } })
      const id = reply.headers['x-request-id'] as string
      assert.match(id, /^[\w-]{10,20}$/)
      seen.add(id)
    }
    assert.equal(seen.size, 5)
    for (const path of ['/api/flight/list', '/oauth/consent', '/no/page']) {
      const reply = await app().request('GET', path, { headers: { 'x-request-id': 'mine' } })
      if (reply.status >= 400) assert.equal(reply.headers['x-request-id'], 'mine', path)
    }
    const token = await app().request('POST', '/oauth/token', {
      raw: '',
      headers: { 'x-request-id': 'mine' },
    })
    assert.equal(token.headers['x-request-id'], 'mine')
  })

  sqliteTest('every response has the id of the request', async () => {
    const headers = { 'x-request-id': 'mine' }
    const paths = ['/api', '/api/v1', '/api/v1/openapi.yaml', '/health', '/sign-in', '/', '/oauth/authorize']
    for (const path of paths) {
      const reply = await app().request('GET', path, { headers })
      assert.equal(reply.headers['x-request-id'], 'mine', path)
    }
    const preflight = await app().request('OPTIONS', '/api/v1/flights', { headers })
    assert.deepEqual([preflight.status, preflight.headers['x-request-id']], [204, 'mine'])
    const mcp = await app().request('POST', '/api/mcp', { headers, body: {} })
    assert.equal(mcp.headers['x-request-id'], 'mine')
  })
})

onBothEngines(
  'metrics of an instance that served every route',
  (app) => {
    test('metrics stay at most 600 series after every route was requested', async () => {
      const key = await (await app().person('owner')).key()
      const read = async () => {
        const { text } = await app().request('GET', '/metrics')
        return text.split('\n').flatMap((line) => /^(\w+(?:\{.*\})?) /.exec(line)?.[1] ?? [])
      }
      const before = await read()
      const routes = app().routes()
      assert.ok(routes.length > operations.length)
      for (const route of routes) {
        const [method, path] = route.split(' ') as [string, string]
        const address = path.replace(/^\*$/, '/*').replaceAll(/:\w+|\*$/g, '1')
        await app().request(method, address, { key, ...(/^(?:GET|HEAD)$/.test(method) ? {} : { body: {} }) })
      }
      const after = await read()
      assert.ok(after.length <= 600, `${after.length} series`)
      const ofContrail = (series: string[]) => series.filter((one) => one.startsWith('contrail_'))
      assert.deepEqual(ofContrail(after), ofContrail(before), 'requests add no series')
      const groups = after.flatMap((one) => /_count\{group="(.+)"\}$/.exec(one)?.[1] ?? [])
      for (const group of groups) assert.ok(guide.includes(`\`${group}\``), group)
    })
  },
  {},
  { getsRandomRequests: true },
)

onSqlite(
  'metrics without a token on a public address',
  (app) => {
    test('metrics are refused, even if a request looks local', async () => {
      const reply = await app().request('GET', '/metrics', { headers: { host: 'localhost' } })
      assert.equal(reply.status, 404)
    })
  },
  { origin: 'https://flights.example.org' },
)

onSqlite(
  'metrics with a token',
  (app) => {
    test('metrics are returned to every client with the token', async () => {
      const scrape = (headers: Record<string, string>) => app().request('GET', '/metrics', { headers })
      const far = { 'x-forwarded-for': '203.0.113.9', host: 'flights.example.org' }
      assert.equal((await scrape({ ...far, authorization: 'Bearer scrape-me-if-you-can' })).status, 200)
      for (const wrong of [
        {},
        { authorization: 'Bearer scrape-me-if-you-caN' },
        { authorization: 'Bearer ' },
      ]) {
        const reply = await scrape({ ...wrong })
        assert.equal(reply.status, 401)
        assert.equal(reply.headers['www-authenticate'], 'Bearer realm="metrics"')
      }
    })
  },
  { metricsToken: 'scrape-me-if-you-can' },
)

onSqlite(
  'the log at level debug',
  (app) => {
    test('every request is logged, without secrets', async () => {
      const person = await app().person('owner')
      const key = await person.key()
      const cookie = await person.session()
      await app().request('GET', `/api/v1/flights?limit=1&_token=${key}`, { key })
      await app().request('GET', '/app/api/me', { cookie })
      await app().request('GET', '/share/a-secret-slug/data')
      await app().request('GET', `/oauth/consent?id=${key}`)
      const lines = await requestLines(app(), 4)
      assert.deepEqual(
        lines.map(({ operation, method, path, status }) => [operation, method, path, status]),
        [
          ['list-flights', 'GET', '/api/v1/flights', 200],
          ['get-me', 'GET', '/app/api/me', 200],
          ['GET /share/:slug/data', 'GET', '/share/…/data', 404],
          ['GET /oauth/consent', 'GET', '/oauth/consent', 303],
        ],
      )
      assert.ok(lines.every(({ request, ms }) => typeof request === 'string' && typeof ms === 'number'))
      const all = app().logged.join('')
      for (const secret of [key, cookie.split('=')[1]!, 'a-secret-slug']) assert.ok(!all.includes(secret))
    })
  },
  { logLevel: 'debug' },
)

/** The line is written after the last byte was sent, which may be shortly after the client received it. */
async function requestLines({ logged }: TestApp, count: number) {
  const read = () => logged.map((line) => JSON.parse(line)).filter(({ message }) => message === 'request')
  await until(`${count} requests are logged`, () => read().length >= count)
  return read()
}

const onPostgres = { skip: !engines.includes('postgres') }

test('the instance is alive but not ready while the database does not respond', onPostgres, async () => {
  const database = await freshDatabase('postgres')
  const url = new URL(database.databaseUrl!)
  const gate = await openValve(new URL(url.href))
  url.host = `127.0.0.1:${gate.port}`
  const app = await startTestApp('postgres', { databaseUrl: url.href })
  try {
    assert.equal((await app.request('GET', '/readyz')).status, 200)
    gate.hold()
    const replies = await Promise.all(Array.from({ length: 20 }, () => app.request('GET', '/readyz')))
    for (const reply of replies) {
      assert.equal(reply.status, 503)
      assert.deepEqual(reply.json, { status: 'unavailable', reason: 'The database is not responding' })
    }
    assert.equal((await app.request('GET', '/healthz')).status, 200)
    gate.release()
    await until('it is ready again', async () => (await app.request('GET', '/readyz')).status === 200)
  } finally {
    await app.close()
    await database.drop()
    await gate.close()
  }
})

test('the instance is alive but not ready while the database file is missing', async () => {
  const app = await startTestApp('sqlite')
  const file = join(app.config.dataDir, 'contrail.sqlite')
  const ready = async () => {
    const { status, json } = await app.request('GET', '/readyz')
    return [status, json]
  }
  renameSync(file, `${file}.away`)
  const gone = {
    status: 'unavailable',
    reason: 'The database file of this server is gone. Restart the server.',
  }
  assert.deepEqual(await ready(), [503, gone])
  assert.equal((await app.request('GET', '/healthz')).status, 200)
  cpSync(`${file}.away`, file)
  assert.deepEqual(await ready(), [503, gone], 'another file is not the database')
  renameSync(`${file}.away`, file)
  assert.deepEqual(await ready(), [200, { status: 'ready' }])
  await app.close()
})

const linesAboutPostgres = ({ logged }: TestApp) =>
  logged.map((line) => JSON.parse(line)).filter(({ message }) => / PostgreSQL/.test(message))

test('consecutive closed connections to PostgreSQL are one outage in the log', onPostgres, async () => {
  const app = await startTestApp('postgres')
  const key = await (await app.person()).key()
  // A connection opened during the statement is not ended, and then there is no outage: they are ended again.
  for (let i = 1; i <= 4; i++)
    await until(`outage ${i} is logged with its end`, async () => {
      await endConnections(app.config.databaseUrl!)
      await app.request('GET', '/api/v1/me', { key })
      return linesAboutPostgres(app).length >= 2 * i
    })
  assert.deepEqual(
    linesAboutPostgres(app)
      .filter(({ level }) => level !== 'debug')
      .map(({ level, message }) => [level, message]),
    [
      ['warn', 'lost the connection to PostgreSQL'],
      ['info', 'connected to PostgreSQL again'],
    ],
  )
  await app.close()
})

test('a closed connection to PostgreSQL is not an outage while another is open', onPostgres, async () => {
  const app = await startTestApp('postgres')
  const key = await (await app.person()).key()
  const idle = async () =>
    readSeries((await app.request('GET', '/metrics')).text, 'contrail_database_connections_idle')!
  await until('several connections are open', async () => {
    await Promise.all(Array.from({ length: 5 }, () => app.request('GET', '/api/v1/me', { key })))
    return (await idle()) > 1
  })
  const open = await idle()
  await endConnections(app.config.databaseUrl!, 1)
  await until('it is noticed', async () => (await idle()) < open)
  assert.deepEqual(linesAboutPostgres(app), [])
  await app.close()
})

/** A proxy between the application and PostgreSQL: while held, it passes no data and closes no connection. */
async function openValve(target: URL) {
  const sockets = new Set<Socket>()
  let held = false
  const server = createServer((inner) => {
    const outer = connectTo(Number(target.port), target.hostname)
    for (const socket of [inner, outer]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    inner.pipe(outer).pipe(inner)
    inner.on('close', () => outer.destroy())
    outer.on('close', () => inner.destroy())
    if (held) inner.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    hold() {
      held = true
      for (const socket of sockets) socket.pause()
    },
    release() {
      held = false
      for (const socket of sockets) socket.resume()
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
