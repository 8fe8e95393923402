// Many processes act as one server: several workers on one port, and several servers on one PostgreSQL. A client cannot
// tell which process responds.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { after, before, describe, test } from 'node:test'
import { freshDatabase } from '../harness.ts'
import { until } from '../until.ts'
import { ask, contrail, type ServerProcess, startServer } from './processes.ts'

type Fresh = Awaited<ReturnType<typeof freshDatabase>>

const WORKERS = 2

/** An owner with a key with every scope. */
async function setUp(database: Fresh): Promise<string> {
  const words = 'setup --username ada --password - --display-name Ada'.split(' ')
  assert.equal((await contrail(database, words, 'correct horse')).code, 0)
  const key = await contrail(database, 'key create --user ada --name test --scopes all'.split(' '))
  return key.out.toString().trim()
}

const flight = (userId: string, note: string) => ({
  date: '2026-01-01',
  fromId: 2542,
  toId: 3622,
  note,
  passengers: [{ userId }],
})

/** A write through one process is visible in the next read through another, regardless of caches. */
async function requireCoherence(ports: readonly number[], key: string): Promise<void> {
  const next = (i: number) => ports[i % ports.length]!
  const userId = (await ask(next(0), 'GET', '/api/v1/me', { key })).json.data.id
  const before = (await ask(next(0), 'GET', '/api/v1/stats', { key })).json.data.flights
  for (let i = 0; i < 12; i++) {
    const body = flight(userId, `note ${i}`)
    const made = await ask(next(i), 'POST', '/api/v1/flights', { key, body })
    assert.equal(made.status, 201, made.text)
    const listed = await ask(next(i + 1), 'GET', '/api/v1/flights', { key })
    assert.equal(listed.json.data[0].note, `note ${i}`)
    const { id } = made.json.data
    const edited = await ask(next(i + 2), 'PUT', `/api/v1/flights/${id}`, {
      key,
      body: flight(userId, `edited ${i}`),
    })
    assert.equal(edited.status, 200)
    const headers = { 'if-none-match': listed.headers.etag as string }
    const again = await ask(next(i), 'GET', '/api/v1/flights', { key, headers })
    assert.equal(again.status, 200)
    assert.equal(again.json.data[0].note, `edited ${i}`)
    const stats = await ask(next(i + 1), 'GET', '/api/v1/stats', { key })
    assert.equal(stats.json.data.flights, before + i + 1, stats.text)
  }
  const replies = await Promise.all(
    Array.from({ length: 2 * WORKERS }, (_, i) => ask(next(i), 'GET', '/api/v1/flights', { key })),
  )
  for (const { text, headers } of replies) {
    assert.equal(text, replies[0]!.text)
    assert.equal(headers.etag, replies[0]!.headers.etag)
  }
}

describe('workers', () => {
  let database: Fresh
  let server: ServerProcess
  let key: string
  before(async () => {
    database = await freshDatabase('sqlite')
    // Reachable from other machines, so that a visit through a proxy requires the token.
    server = await startServer(database, { WORKERS: String(WORKERS), HOST: '0.0.0.0' })
  })
  after(async () => {
    server.child.kill('SIGKILL')
    await database.drop()
  })

  test('workers share one set-up token, which each of them accepts', async () => {
    const tokens = server.lines.filter((line) => line.setupToken)
    assert.equal(tokens.length, 1)
    const account = { username: 'ada', displayName: 'Ada', password: 'correct horse' }
    const headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '203.0.113.7' }
    for (let i = 0; i < WORKERS; i++) {
      const body = { ...account, token: 'wrong' }
      const refused = await ask(server.port, 'POST', '/app/api/setup', { body, headers })
      assert.equal(refused.status, 403, refused.text)
    }
    const body = { ...account, token: tokens[0].setupToken }
    const made = await ask(server.port, 'POST', '/app/api/setup', { body, headers })
    assert.ok(made.status < 300, made.text)
    const words = 'key create --user ada --name test --scopes all'.split(' ')
    key = (await contrail(database, words)).out.toString().trim()
  })

  test('a write through one worker is in the next read through any other', async () => {
    await requireCoherence([server.port], key)
    const metrics = (await ask(server.port, 'GET', '/metrics')).text
    for (let worker = 1; worker <= WORKERS; worker++) {
      const served = new RegExp(
        `^contrail_requests_total\\{worker="${worker}",group="flights",status="2xx"\\} (\\d+)$`,
        'm',
      ).exec(metrics)
      assert.ok(Number(served?.[1]) > 0, `worker ${worker} served`)
    }
    for (const [name, type] of [
      ['contrail_requests_total', 'counter'],
      ['nodejs_heap_size_used_bytes', 'gauge'],
      ['process_start_time_seconds', 'gauge'],
    ] as const) {
      assert.equal(metrics.match(new RegExp(`^# TYPE ${name} ${type}$`, 'gm'))?.length, 1, name)
      const workers = metrics.match(new RegExp(`^${name}\\{worker="\\d"`, 'gm'))
      assert.equal(new Set(workers).size, WORKERS, `${name} of every worker`)
    }
  })

  test('concurrent writes through all workers are all stored', async () => {
    const me = (await ask(server.port, 'GET', '/api/v1/me', { key })).json.data
    const count = async () => (await ask(server.port, 'GET', '/api/v1/stats', { key })).json.data.flights
    const before = await count()
    const writes = Array.from({ length: 90 }, (_, i) =>
      ask(server.port, 'POST', '/api/v1/flights', { key, body: flight(me.id, `at once ${i}`) }),
    )
    for (const { status } of await Promise.all(writes)) assert.equal(status, 201)
    assert.equal(await count(), before + 90)
  })

  test('crashed workers are replaced, and the others serve meanwhile', async () => {
    const pids = server.lines.filter((line) => line.message === 'worker ready').map((line) => line.pid)
    assert.equal(pids.length, WORKERS)
    process.kill(pids[0], 'SIGKILL')
    const crash = () => server.lines.find((line) => line.level === 'error')
    await until('the crash is logged', crash)
    for (let i = 0; i < 10; i++) assert.equal((await ask(server.port, 'GET', '/healthz')).status, 200)
    const ready = () => server.lines.filter((line) => line.message === 'worker ready')
    await until('another worker is ready', () => ready().length > WORKERS)
    assert.deepEqual([crash().signal, crash().worker], ['SIGKILL', ready().at(-1).worker])
    await requireCoherence([server.port], key)
  })

  test('workers finish current requests on SIGTERM and exit cleanly', async () => {
    const me = (await ask(server.port, 'GET', '/api/v1/me', { key })).json.data
    const body = JSON.stringify(flight(me.id, 'in flight'))
    const agent = new http.Agent({ keepAlive: true })
    await ask(server.port, 'GET', '/healthz', { agent })
    const slow = Array.from({ length: 2 * WORKERS }, () => {
      const request = http.request({
        host: '127.0.0.1',
        port: server.port,
        method: 'POST',
        path: '/api/v1/flights',
        agent: new http.Agent({ keepAlive: true }),
        headers: {
          authorization: `Bearer ${key}`,
          'content-length': body.length,
          expect: '100-continue',
        },
      })
      request.write(body.slice(0, 10))
      return request
    })
    // A worker reports when it has read the head, so the request counts as current.
    await Promise.all(slow.map((request) => once(request, 'continue')))
    const responses = slow.map((request) => once(request, 'response'))
    const stopped = server.stop()
    const refusesConnections = () =>
      ask(server.port, 'GET', '/healthz').then(
        () => false,
        () => true,
      )
    await until('no worker takes new connections', refusesConnections)
    assert.equal(server.child.exitCode, null, 'it finishes current requests first')
    for (const request of slow) request.end(body.slice(10))
    for (const [response] of await Promise.all(responses)) {
      assert.equal((response as http.IncomingMessage).statusCode, 201)
      ;(response as http.IncomingMessage).resume()
    }
    assert.equal(await stopped, 0)
    const cut = server.lines.filter(({ message }) => /still in use/.test(message))
    assert.deepEqual(cut, [], 'idle connections are not waited for')
    await assert.rejects(ask(server.port, 'GET', '/healthz'))
  })
})

test('several servers on one PostgreSQL, with and without workers, act as one', async () => {
  const database = await freshDatabase('postgres')
  const key = await setUp(database)
  const servers = await Promise.all([startServer(database), startServer(database, { WORKERS: '2' })])
  try {
    await requireCoherence(
      servers.map(({ port }) => port),
      key,
    )
  } finally {
    for (const server of servers) assert.equal(await server.stop(), 0)
    await database.drop()
  }
})
