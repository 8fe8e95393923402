// Limits for requests without a credential and for request bodies: refused early, with the error shape of the endpoint.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { before, test } from 'node:test'
import { onBothEngines, onSqlite, type TestApp, type TestPerson } from '../harness.ts'

const AT_MOST = 16 * 1024
const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const withBody = ['POST', 'PUT', 'PATCH', 'DELETE']

/** Every route that accepts a body, and a path that does not exist. */
const bodyRoutes = (app: TestApp) =>
  [...app.routes(), 'POST /nowhere', 'POST /api/nowhere', 'PUT /app/api/nowhere']
    .map((route) => route.split(' ') as [string, string])
    .filter(([method]) => withBody.includes(method))
    .map(([method, path]) => [method, path.replace(/:\w+/g, '1').replace('*', 'nowhere')] as const)

/** Everything that a client receives until the connection closes. */
async function readAll(
  app: TestApp,
  send: (socket: Socket) => void,
  onEnd = (socket: Socket): unknown => socket.end(),
): Promise<string> {
  const { port } = new URL(app.url)
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'connect')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.once('end', () => onEnd(socket))
  const failed = new Promise<never>((_, reject) => socket.once('error', reject))
  send(socket)
  await Promise.race([once(socket, 'close'), failed])
  return text
}

const isOpenTo = (status: number) => ![401, 403, 405].includes(status)

onBothEngines('bodies without a credential', (app) => {
  const ask = (method: string, path: string, raw: string, headers = {}) =>
    app().request(method, path, { raw, headers: { ...sameOrigin, ...headers } })

  test('every route that needs no credential accepts exactly 16 kB', async () => {
    const open: string[] = []
    for (const [method, path] of bodyRoutes(app())) {
      app().clock.advance(120_000)
      const small = await ask(method, path, '{}')
      const large = await ask(method, path, `"${'x'.repeat(AT_MOST - 1)}"`)
      if (!isOpenTo(small.status)) {
        assert.equal(large.status, small.status, `${method} ${path}: refused before it is read`)
        continue
      }
      open.push(`${method} ${path}`)
      assert.equal(large.status, 413, `${method} ${path} ${large.text.slice(0, 200)}`)
      const fits = await ask(method, path, `"${'x'.repeat(AT_MOST - 2)}"`)
      assert.notEqual(fits.status, 413, `${method} ${path}`)
    }
    for (const route of [
      'POST /app/api/sign-in',
      'POST /app/api/setup',
      'POST /app/api/sign-in/second-factor',
      'POST /app/api/sign-in/passkey',
      'POST /app/api/sign-in/passkey/options',
      'POST /sign-in',
      'POST /sign-in/forgot',
      'POST /sign-in/verify',
      'POST /sign-in/link',
      'POST /sign-in/oidc/backchannel-logout',
      'POST /invite/1',
      'POST /reset/1',
      'POST /setup',
      'POST /oauth/consent',
      'POST /oauth/token',
      'POST /oauth/register',
      'POST /oauth/revoke',
      'POST /nowhere',
    ]) {
      assert.ok(open.includes(route), `${route} was looked at as an open one`)
    }
  })

  test('a body that is too large gets the error format of its interface, also while it is being sent', async () => {
    const shapes = [
      ['/app/api/sign-in', /^HTTP\/1\.1 413 [\s\S]*\r\n\r\n\{"error":\{"code":"payload_too_large"/],
      ['/app/api/setup', /^HTTP\/1\.1 413 [\s\S]*\r\n\r\n\{"error":\{"code":"payload_too_large"/],
      ['/nowhere', /^HTTP\/1\.1 413 [\s\S]*\r\n\r\n\{"error":\{"code":"payload_too_large"/],
      [
        '/oauth/token',
        /^HTTP\/1\.1 413 [\s\S]*\r\n\r\n\{"error":"invalid_request","error_description":"The body/,
      ],
      ['/oauth/register', /^HTTP\/1\.1 413 [\s\S]*\r\n\r\n\{"error":"invalid_request"/],
      ['/oauth/revoke', /^HTTP\/1\.1 413 [\s\S]*\r\n\r\n\{"error":"invalid_request"/],
      ['/sign-in', /^HTTP\/1\.1 413 [\s\S]*text\/html[\s\S]*too large/],
      ['/oauth/consent', /^HTTP\/1\.1 413 [\s\S]*text\/html[\s\S]*too large/],
    ] as const
    const piece = 'x'.repeat(0x4000)
    for (const [path, shape] of shapes) {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\n`
      const announced = await readAll(app(), (socket) => {
        socket.write(`${head}Content-Length: ${200 * piece.length}\r\n\r\n`)
        for (let i = 0; i < 200; i++) socket.write(piece)
      })
      assert.match(announced, shape, `announced to ${path}`)
      const chunked = await readAll(app(), (socket) => {
        socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
        for (let i = 0; i < 200; i++) socket.write(`4000\r\n${piece}\r\n`)
        socket.write('0\r\n\r\n')
      })
      assert.match(chunked, shape, `in chunks to ${path}`)
    }
  })

  test('a client that never stops sending is disconnected', async () => {
    const send = (socket: Socket) => {
      socket.write('POST /app/api/sign-in HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n')
      socket.write('Sec-Fetch-Site: same-origin\r\n\r\n')
      const timer = setInterval(() => socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`), 10)
      socket.once('close', () => clearInterval(timer))
    }
    await assert.rejects(
      readAll(app(), send, () => {}),
      /ECONNRESET|EPIPE/,
    )
  })
})

onSqlite('limits of every body', (app) => {
  let owner: TestPerson
  let key: string
  let flight: string
  before(async () => {
    owner = await app().person('owner')
    key = await owner.key()
    const ids = { fromId: await app().airportId('CPH'), toId: await app().airportId('OSL') }
    flight = JSON.stringify({ date: '2026-05-01', ...ids, passengers: [{ userId: owner.id }] }).slice(0, -1)
  })
  const post = (raw: string, path = '/api/v1/flights') => app().request('POST', path, { key, raw })
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

  test('nesting is limited everywhere, also in inconspicuous values', async () => {
    for (const [levels, more] of [
      [101, ''],
      [100_000, ''],
      [101, ',"b":"\\u0000"'],
    ] as const) {
      const raw = `{"a":${nested(levels)}${more}}`
      for (const path of ['/api/v1/flights', '/api/v1/flights/log', '/app/api/sign-in', '/app/api/setup']) {
        const small = path.startsWith('/app')
          ? raw.replace(nested(levels), nested(Math.min(levels, 5000)))
          : raw
        const reply = await app().request('POST', path, {
          key: path.startsWith('/app') ? undefined : key,
          raw: small,
          headers: sameOrigin,
        })
        assert.equal(reply.status, 400, `${path} ${reply.text}`)
        assert.equal(reply.json.error.code, 'invalid_json')
        assert.match(reply.json.error.message, /nested more than 100 levels/)
      }
      const legacy = await post(raw, '/api/flight/save')
      assert.deepEqual([legacy.status, legacy.json.success], [400, false])
      assert.match(legacy.json.message, /nested more than 100 levels/)
      const registration = await app().request('POST', '/oauth/register', {
        raw: `{"a":${nested(Math.min(levels, 5000))}}`,
      })
      assert.equal(registration.status, 400)
      assert.match(registration.json.error_description, /nested more than 100 levels/)
      const mcp = await app().request('POST', '/api/mcp', {
        key,
        raw,
        headers: { host: 'localhost', accept: 'application/json, text/event-stream' },
      })
      assert.equal(mcp.status, 400)
      assert.equal(mcp.json.error.code, -32_700)
      assert.match(mcp.json.error.message, /nested more than 100 levels/)
    }
  })

  test('a body may have fifty thousand members', async () => {
    const members = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')
    const over = await post(`{${members(50_001)}}`)
    assert.deepEqual([over.status, over.json.error.code], [400, 'invalid_json'])
    assert.match(over.json.error.message, /more than 50000 members/)
    assert.equal((await post(`{${members(50_000)}}`)).status, 422)
  })

  test('a list that is too long is refused by its length alone', async () => {
    const list = Array(1001).fill('{}').join(',')
    for (const [path, body, at] of [
      ['/api/v1/flights', `${flight.replace(/"passengers":.*/, '')}"passengers":[${list}]}`, ['passengers']],
      ['/api/flight/save', `{"seats":[${list}]}`, ['passengers']],
    ] as const) {
      const reply = await post(body, path)
      const details = reply.json.errors ?? reply.json.error.details
      assert.deepEqual(
        details.map((issue: { code: string; path: string[] }) => [issue.code, issue.path]),
        [['too_big', at]],
        path,
      )
    }
  })

  test('brackets inside texts are not counted as nesting', async () => {
    const brackets = `${'['.repeat(500)}\\"${'{'.repeat(500)}\\\\`
    const reply = await post(`${flight},"note":"${brackets}"}`)
    assert.equal(reply.status, 201, reply.text)
    assert.equal(reply.json.data.note, JSON.parse(`"${brackets}"`))
    for (const raw of ['"never ends', '"ends in a backslash\\', '[[[[', ']]]]', '{"a":[}']) {
      assert.equal((await post(raw)).json.error.code, 'invalid_json', raw)
    }
  })

  test('values that are not valid text are named with their paths, up to fifty', async () => {
    const passengers = `"passengers":[{"userId":"${owner.id}"},{"guestName":"a\\u0000b"},{"guestName":"\\ud800"}]`
    const reply = await post(`${flight.replace(/"passengers":.*/, passengers)},"\\u0000":1}`)
    assert.equal(reply.status, 422, reply.text)
    assert.deepEqual(
      reply.json.error.details.map(({ path }: { path: string[] }) => path),
      [['passengers', '1', 'guestName'], ['passengers', '2', 'guestName'], []],
    )
    const many = await post(`{"a":[${Array(1000).fill('"\\u0000"').join(',')}]}`)
    assert.equal(many.json.error.details.length, 50)
    assert.deepEqual(many.json.error.details[49].path, ['a', '49'])
  })
})
