// On SIGTERM the server finishes current requests, accepts no new ones, waits for no client indefinitely, and exits with 0.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { freshDatabase, startTestApp } from '../harness.ts'
import { until } from '../until.ts'
import { type Database, startServer, tryAsking } from './processes.ts'

async function setUp(place: Database) {
  const app = await startTestApp('sqlite', place)
  const ada = await app.person()
  const key = await ada.key()
  const [fromId, toId] = [await app.airportId('CPH'), await app.airportId('OSL')]
  await app.close()
  return {
    key,
    flight: { date: '2026-05-01', fromId, toId, note: 'last one', passengers: [{ userId: ada.id }] },
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

describe('stopping', { concurrency: true }, () => {
  test('a stop finishes current responses, cuts endless ones and closes idle connections', async () => {
    const place = await freshDatabase('sqlite')
    const { key, flight } = await setUp(place)
    const server = await startServer(place)
    const body = JSON.stringify(flight)
    const head = `POST /api/v1/flights HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${body.length}\r\n\r\n`
    const [idle, halfway, stalled] = [
      await open(server.port),
      await open(server.port),
      await open(server.port),
    ]
    idle.resume()
    // Incomplete headers are not a request; an incomplete body may still arrive.
    stalled.write(head + body.slice(0, 5))
    halfway.write(head + body.slice(0, 20))
    assert.equal((await tryAsking(server.url, 'GET', '/api/v1/me', key))?.status, 200)

    const cut = once(stalled, 'close')
    const exit = server.stop()
    await once(idle, 'close')
    assert.equal(await tryAsking(server.url, 'GET', '/api/v1/me', key), undefined, 'takes no new connection')
    let answer = ''
    halfway.on('data', (chunk) => {
      answer += chunk
    })
    halfway.write(body.slice(20))
    await once(halfway, 'close')
    assert.match(answer, /^HTTP\/1\.1 201 /)
    await cut
    assert.equal(await exit, 0, server.output())
    assert.ok(server.lines.some(({ message }) => message === 'closed connections that were still in use'))

    const app = await startTestApp('sqlite', place)
    const { data } = (await app.request('GET', '/api/v1/flights', { key })).json
    await app.close()
    assert.deepEqual(
      data.map((row: { note: string }) => row.note),
      ['last one'],
    )
  })

  test('stopping npm stops the server', async () => {
    const server = await startServer(await freshDatabase('sqlite'), {}, ['npm', 'start', '--silent'])
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
    const unowned = server.lines.find(({ message }) => message === 'this instance has no owner yet')
    assert.ok(!('setupToken' in unowned), 'on this computer alone no token is needed')
    // The shell between npm and the server may end immediately, and npm with it; the server finishes current requests.
    const closed = once(server.child, 'close')
    server.child.kill('SIGTERM')
    await closed
    assert.match(server.output(), /"message":"stopping","signal":"SIGTERM"/)
    assert.match(server.spoken(), /\nCreate your account at http:\/\/localhost:\d+\/setup\n$/)
    await assert.rejects(fetch(`${server.url}/healthz`))
  })
})

describe('limits of the machine', () => {
  test('exhausted file descriptors are logged once, and the server recovers', async () => {
    const limited = ['sh', '-c', 'ulimit -n 80 && exec "$0" server/run.js', process.execPath] as const
    const server = await startServer(await freshDatabase('sqlite'), {}, limited)
    const sockets = Array.from({ length: 100 }, () => connect(server.port, '127.0.0.1').on('error', () => {}))
    const logged = () =>
      server.output().match(/"level":"error","message":"cannot accept connections: [^}]*"EMFILE"/g)
    await until('it is logged', logged)
    for (const socket of sockets) socket.destroy()
    await until(
      'it serves again',
      async () => (await fetch(`${server.url}/healthz`).catch(() => undefined))?.ok,
    )
    assert.equal(logged()!.length, 1)
    assert.equal(await server.stop(), 0)
  })
})
