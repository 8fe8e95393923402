// Clients that are slow, endless or silent, by accident or on purpose. They are disconnected; all others are served.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { connect as openSocket, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startTestApp, type TestApp } from '../harness.ts'
import { isLong } from '../rounds.ts'
import { until } from '../until.ts'

const timeouts = {
  headersMs: 1500,
  requestMs: 2500,
  progressMs: 1000,
  progressBytes: 1000,
  silenceMs: 2000,
  keepAliveMs: 1500,
  checkMs: 100,
}
const DRIBBLERS = isLong ? 1000 : 200
const IDLE = isLong ? 2000 : 300

describe('slow peers', () => {
  let app: TestApp & { close(): Promise<void> }
  let key: string
  before(async () => {
    app = await startTestApp('sqlite', { bodySizeLimit: 100_000 }, { timeouts })
    key = await (await app.person()).key()
  })
  after(() => app?.close())

  const open = async (): Promise<Socket> => {
    const socket = openSocket(Number(new URL(app.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  /** On a separate connection: a kept-alive one may be closed during the next request. */
  const serves = () =>
    new Promise<void>((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}`, connection: 'close' }
      const request = http.get(`${app.url}/api/v1/me`, { agent: false, headers }, (response) => {
        response.resume()
        if (response.statusCode === 200) response.on('end', resolve)
        else reject(new Error(`answered ${response.statusCode}`))
      })
      request.on('error', reject)
    })
  /** Everything received until the server closed the connection. */
  const untilClosed = async (socket: Socket): Promise<string> => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    if (!socket.closed) await new Promise((resolve) => socket.on('close', resolve))
    return text
  }
  const bodyOf = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))
  const dribble = (socket: Socket, piece: string, everyMs: number) => {
    const timer = setInterval(() => socket.write(piece), everyMs)
    socket.on('close', () => clearInterval(timer))
  }

  test(`${DRIBBLERS} connections with slow headers are closed`, async () => {
    const sockets = await Promise.all(Array.from({ length: DRIBBLERS }, open))
    const closings = sockets.map(untilClosed)
    for (const socket of sockets) {
      socket.write('GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n')
      dribble(socket, 'x-a: b\r\n', 100)
    }
    await serves()
    // A client that keeps writing after the end may not receive the response.
    for (const text of await Promise.all(closings)) assert.match(text, /^(HTTP\/1\.1 408 |$)/)
    await serves()
  })

  test('half a request gets 408', async () => {
    const socket = await open()
    socket.write('GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n')
    const text = await untilClosed(socket)
    assert.match(text, /^HTTP\/1\.1 408 /)
    assert.equal(bodyOf(text).error.code, 'bad_request')
  })

  test(`${IDLE} idle connections are closed`, async () => {
    const sockets: Socket[] = []
    for (let i = 0; i < IDLE; i += 100)
      sockets.push(...(await Promise.all(Array.from({ length: 100 }, open))))
    await serves()
    await Promise.all(sockets.map(untilClosed))
    await serves()
  })

  test('a body that never ends is aborted', async () => {
    const socket = await open()
    socket.write(
      `POST /api/v1/flights HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 50000\r\n\r\n{`,
    )
    dribble(socket, ' ', 100)
    const [text] = await Promise.all([untilClosed(socket), serves()])
    assert.match(text, /^(HTTP\/1\.1 408 |$)/)
  })

  test('an endless body is refused at the limit, and a stranger’s before it is read', async () => {
    for (const [authorization, status] of [
      [`Bearer ${key}`, 413],
      ['Bearer nobody', 401],
    ] as const) {
      const socket = await open()
      socket.write(
        `POST /api/v1/flights HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      )
      const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`
      dribble(socket, chunk, 5)
      const [text] = await Promise.all([untilClosed(socket), serves()])
      assert.match(text, new RegExp(`^(HTTP/1\\.1 ${status} |$)`))
    }
  })

  test('a body with too large a Content-Length is refused', async () => {
    const socket = await open()
    const closing = untilClosed(socket)
    socket.write(
      `POST /api/v1/flights HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 99999999999\r\n\r\n`,
    )
    const text = await closing
    assert.match(text, /^HTTP\/1\.1 413 /)
    assert.equal(bodyOf(text).error.code, 'payload_too_large')
  })

  test('a client that stops reading a response is disconnected', async () => {
    // The document is written for its first reader, and a busy machine reads no headers in time during that.
    await (await fetch(`${app.url}/api/v1/openapi.yaml`, { headers: { connection: 'close' } })).text()
    const pipelined = 'GET /api/v1/openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(60)
    const socket = await open()
    socket.pause()
    socket.write(pipelined)
    await serves()
    // This side reads nothing and does not notice the end; only the server knows its connections.
    const count = promisify(app.connections)
    await until('the server has no connections', async () => (await count()) === 0)
    socket.destroy()
    await serves()
  })

  test('malformed HTTP gets an error in the usual format', async () => {
    for (const [bytes, status] of [
      ['\u0016\u0003\u0001 this is TLS\r\n\r\n', 400],
      ['GET / HTTP/9.9\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
      ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
    ] as const) {
      const socket = await open()
      const closing = untilClosed(socket)
      socket.write(bytes)
      const text = await closing
      assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `), JSON.stringify(bytes.slice(0, 60)))
      assert.equal(bodyOf(text).error.code, 'bad_request')
    }
  })

  test('a kept-alive connection serves many requests, and its closing loses none', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    const get = () =>
      new Promise<number>((resolve, reject) => {
        const request = http.get(`${app.url}/api`, { agent }, (response) => {
          response.resume()
          response.on('end', () => resolve(response.statusCode!))
        })
        request.on('error', reject)
      })
    for (let i = 0; i < 300; i++) assert.equal(await get(), 200)
    const connections = () => Object.keys({ ...agent.sockets, ...agent.freeSockets })
    await until('the idle connection is closed', () => connections().length === 0)
    assert.equal(await get(), 200)
    agent.destroy()
  })
})
