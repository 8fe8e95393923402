// Concurrent large JSON bodies: limited per person and in total, over every interface. Small ones always pass.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { onSqlite, type TestApp, type TestPerson } from '../harness.ts'

const LARGE = 1_100_000

interface Sent {
  socket: Socket
  response: Promise<string>
}

/** Opens a request and sends this many bytes of its body. */
async function begin(app: TestApp, path: string, credential: string, framing: string, body: string) {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    credential,
    'Sec-Fetch-Site: same-origin',
    'Content-Type: application/json',
    framing,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  return { socket, response: responseOn(socket) } satisfies Sent
}

/** Waits until it is complete; the connection may stay open. */
async function responseOn(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk
    const end = text.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
    if (end > 0 && text.length >= end + 4 + length) break
  }
  return text
}

const ends = (sent: Sent[]) => {
  for (const { socket } of sent) socket.destroy()
}
onSqlite('large JSON bodies', (app) => {
  const bearer = async (person: TestPerson) => `Authorization: Bearer ${await person.key()}`
  /** A large body that has begun to arrive. */
  const stall = (path: string, credential: string) =>
    begin(app(), path, credential, `Content-Length: ${LARGE}`, '{"a":')
  const flight = async (size: number) => {
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('OSL')]
    return JSON.stringify({ date: '2026-02-20', fromId, toId }).padEnd(size)
  }
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

  test('a person may send three large bodies at the same time over all interfaces; small ones pass', async () => {
    const ada = await app().person()
    const key = await bearer(ada)
    const sent = await Promise.all([
      stall('/api/v1/flights/bulk', key),
      stall('/api/mcp', key),
      stall('/api/flight/save', key),
      stall('/app/api/flights', `Cookie: ${await ada.session()}`),
    ])
    // The order of the four does not matter.
    const refusal = await Promise.race(sent.map(({ response }) => response))
    assert.match(refusal, /^HTTP\/1\.1 429 [\s\S]*\r\nretry-after: 10\r\n/i)

    const small = await flight(0)
    const whole = await begin(app(), '/api/v1/flights', key, `Content-Length: ${small.length}`, small)
    assert.match(await whole.response, /^HTTP\/1\.1 201 /)
    const untold = 'Transfer-Encoding: chunked'
    const inChunks = await begin(app(), '/api/v1/flights', key, untold, `${chunk(small)}0\r\n\r\n`)
    assert.match(await inChunks.response, /^HTTP\/1\.1 201 /)
    const growing = await begin(app(), '/api/v1/flights', key, untold, chunk(await flight(LARGE)))
    assert.match(await growing.response, /^HTTP\/1\.1 429 [\s\S]*too_many_at_once/)

    for (const { socket } of sent) socket.write(' '.repeat(LARGE))
    const statuses = await Promise.all(
      sent.map(async ({ response }) => (await response).slice('HTTP/1.1 '.length, 12)),
    )
    assert.deepEqual(statuses.sort(), ['400', '400', '400', '429'], 'the other three were read')
    ends([...sent, whole, inChunks, growing])
    const large = await flight(LARGE)
    const last = async () => app().request('POST', '/api/v1/flights', { key: await ada.key(), raw: large })
    // The server learns a moment later that the connections are closed.
    let reply = await last()
    while (reply.status === 429) reply = await last()
    assert.equal(reply.status, 201, reply.text)
  })

  test('all people together may send eight large bodies at the same time', async () => {
    const people = [await app().person(), await app().person(), await app().person()]
    const keys = await Promise.all(people.map(bearer))
    const sent = await Promise.all(
      keys.flatMap((key) => [1, 2, 3].map(() => stall('/api/v1/flights/bulk', key))),
    )
    const refusal = await Promise.race(sent.map(({ response }) => response))
    assert.match(refusal, /^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 5\r\n[\s\S]*server_busy/i)
    ends(sent)
  })
})
