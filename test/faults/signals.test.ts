// On SIGTERM the server finishes current requests, accepts no new ones, waits for no client indefinitely, and exits with 0.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { freshDatabase, startTestApp } from '../harness.ts'
import { ask, type Place, startServer } from './process.ts'

describe('stopping', { concurrency: true }, () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    test(`on ${engine}: current responses are finished, idle clients are not waited for`, async () => {
      const { databaseUrl, dataDir, drop } = await freshDatabase(engine)
      const place: Place = { databaseUrl, dataDir }
      const app = await startTestApp(engine, place)
      const ada = await app.person()
      const key = await ada.key()
      const [fromId, toId] = [await app.airportId('CPH'), await app.airportId('OSL')]
      await app.close()

      const server = await startServer(place)
      const open = async (): Promise<Socket> => {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
        socket.on('error', () => undefined)
        await once(socket, 'connect')
        return socket
      }
      const flight = { date: '2026-05-01', fromId, toId, note: 'last one', passengers: [{ userId: ada.id }] }
      const body = JSON.stringify(flight)
      const head = `POST /api/v1/flights HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${body.length}\r\n\r\n`
      const [idle, halfway, stalled] = [await open(), await open(), await open()]
      idle.resume()
      // Incomplete headers are no request; an incomplete body may still arrive.
      stalled.write(head + body.slice(0, 5))
      halfway.write(head + body.slice(0, 20))
      assert.equal((await ask(server.url, 'GET', '/api/v1/me', key))?.status, 200)

      const exit = server.end('SIGTERM')
      await once(idle, 'close')
      assert.equal(await ask(server.url, 'GET', '/api/v1/me', key), undefined, 'takes no new connection')
      let answer = ''
      halfway.on('data', (chunk) => {
        answer += chunk
      })
      halfway.write(body.slice(20))
      await once(halfway, 'close')
      assert.match(answer, /^HTTP\/1\.1 201 /)
      assert.equal(await exit, 0, server.output())
      stalled.destroy()

      const again = await startServer(place)
      const list = await ask(again.url, 'GET', '/api/v1/flights', key)
      assert.deepEqual(
        JSON.parse(list!.text).data.map((row: { note: string }) => row.note),
        ['last one'],
      )
      assert.equal(await again.end('SIGINT'), 0)
      await drop()
    })
  }

  test('stopping npm stops the server', async () => {
    const { databaseUrl, dataDir } = await freshDatabase('sqlite')
    const server = await startServer({ databaseUrl, dataDir }, {}, ['npm', 'start', '--silent'])
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
    // The shell between npm and the server may end immediately, and npm with it; the server finishes current requests.
    const closed = once(server.child, 'close')
    await server.end('SIGTERM')
    await closed
    assert.match(server.output(), /"message":"stopping","signal":"SIGTERM"/)
    await assert.rejects(fetch(`${server.url}/healthz`))
  })
})
