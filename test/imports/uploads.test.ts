// Files on their way in: written to disk as they arrive, so many at a time, and given up only when they stop moving.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { incomingFolder } from '../../server/base/request/incoming-files.ts'
import { defaultTimeouts } from '../../server/http/connections.ts'
import { onSqlite, startTestApp, type TestApp } from '../harness.ts'
import { until } from '../until.ts'

/** Nothing is given up while a test looks at it. */
const patient = { ...defaultTimeouts, progressMs: 300_000 }
/** At the least a byte in two seconds. */
const impatient = { ...defaultTimeouts, requestMs: 1000, progressMs: 2000, progressBytes: 1 }
const csv = 'Date,Flight number,From,To\n2026-02-20,SK915,CPH,EWR\n'

async function open(app: TestApp): Promise<Socket> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** The head of an upload, without its body. */
async function begin(app: TestApp, key: string, length: string): Promise<Socket> {
  const socket = await open(app)
  socket.write(
    `POST /api/v1/imports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: text/csv\r\n${length}\r\n\r\n`,
  )
  return socket
}
const announcing = (bytes: number) => `Content-Length: ${bytes}`

/** What the server answers; the connection may stay open. */
async function answered(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk
    const end = text.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
    if (end > 0 && text.length >= end + 4 + length) break
  }
  return text
}
const errorIn = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)).error

const arriving = async (app: TestApp) => {
  const folder = incomingFolder(app.config.dataDir)
  const names = await readdir(folder).catch(() => [])
  // One may be gone by now.
  const sizes = names.map((name) =>
    stat(join(folder, name)).then(
      ({ size }) => [size],
      () => [],
    ),
  )
  return (await Promise.all(sizes)).flat()
}
/** Until so many files are on their way in. */
const untilArriving = (app: TestApp, count: number) =>
  until(`${count} files are arriving`, async () => (await arriving(app)).length === count)

onSqlite(
  'uploads',
  (app) => {
    const newKey = async () => (await app().person()).key()
    const none = () => untilArriving(app(), 0)

    test('a large file is refused by its declared length, or by its bytes if it declares none', async () => {
      const key = await newKey()
      const told = await begin(app(), key, announcing(3_000_000))
      const refusal = await answered(told)
      assert.match(refusal, /^HTTP\/1\.1 413 /)
      assert.deepEqual(errorIn(refusal).params, { max: 2_000_000 })
      told.destroy()
      const untold = await begin(app(), key, 'Transfer-Encoding: chunked')
      const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`
      for (let i = 0; i < 40; i++) untold.write(piece)
      assert.match(await answered(untold), /^HTTP\/1\.1 413 /)
      untold.destroy()
      await none()
    })

    test('a file is on disk while it arrives, and deleted if the upload breaks off', async () => {
      const key = await newKey()
      const socket = await begin(app(), key, announcing(1_500_000))
      socket.write('x'.repeat(1_000_000))
      await until('all that was sent is on disk', async () => (await arriving(app())).includes(1_000_000))
      socket.destroy()
      await none()
    })

    test('one person may send three files concurrently, all people eight; the next succeeds afterwards', async () => {
      const keys = [await newKey(), await newKey(), await newKey()]
      const sockets: Socket[] = []
      const stall = async (key: string) => {
        const socket = await begin(app(), key, announcing(1_500_000))
        socket.write('x'.repeat(100_000))
        sockets.push(socket)
        return socket
      }
      for (const key of [keys[0]!, keys[0]!, keys[0]!]) await stall(key)
      await untilArriving(app(), 3)
      for (let i = 0; i < 9; i++) {
        const refusal = await answered(await stall(keys[0]!))
        assert.match(refusal, /^HTTP\/1\.1 429 [\s\S]*\r\nretry-after: 10\r\n/i)
        assert.deepEqual(
          [errorIn(refusal).code, errorIn(refusal).reason],
          ['too_many_requests', 'too_many_uploads'],
        )
      }
      assert.equal((await arriving(app())).length, 3)
      for (const key of [keys[1]!, keys[1]!, keys[1]!, keys[2]!, keys[2]!]) await stall(key)
      await untilArriving(app(), 8)
      const busy = await answered(await stall(keys[2]!))
      assert.match(busy, /^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 5\r\n/i)
      assert.equal(errorIn(busy).reason, 'server_busy')
      for (const socket of sockets) socket.destroy()
      await none()
      const headers = { 'content-type': 'text/csv' }
      const reply = await app().request('POST', '/api/v1/imports', { key: keys[0]!, raw: csv, headers })
      assert.equal(reply.status, 201)
      assert.deepEqual(await arriving(app()), [])
    })

    test('with a key the same file is uploaded once, and another file is another request', async () => {
      const key = await newKey()
      const send = (raw: string) =>
        app().request('POST', '/api/v1/imports', {
          key,
          raw,
          headers: { 'content-type': 'text/csv', 'idempotency-key': 'file-1' },
        })
      const [first, second] = [await send(csv), await send(csv)]
      assert.deepEqual([first.status, second.status], [201, 201])
      assert.equal(second.headers['idempotency-replayed'], 'true')
      assert.equal((await send(`${csv}2026-02-21,SK916,EWR,CPH\n`)).status, 422)
      assert.deepEqual(await arriving(app()), [])
    })
  },
  { importSizeLimit: 2_000_000 },
  { timeouts: patient },
)

onSqlite(
  'slow uploads',
  (app) => {
    test('a progressing upload may take longer than other requests; a stalled one is aborted', async () => {
      const key = await (await app().person()).key()
      const slow = await begin(app(), key, announcing(csv.length))
      const reply = answered(slow)
      const began = Date.now()
      for (let at = 0; at < csv.length; at += 3) {
        slow.write(csv.slice(at, at + 3))
        await wait(100)
      }
      assert.ok(Date.now() - began > impatient.requestMs, 'it took longer than any other request may')
      assert.match(await reply, /^HTTP\/1\.1 201 /)
      slow.destroy()
      const stalled = await begin(app(), key, announcing(1000))
      stalled.write('x')
      assert.match(await answered(stalled), /^HTTP\/1\.1 408 /)
      await untilArriving(app(), 0)
    })
  },
  {},
  { timeouts: impatient },
)

test('a start deletes files of a killed process, and none that another process is receiving', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'contrail-left-'))
  const folder = incomingFolder(dataDir)
  await mkdir(folder, { recursive: true })
  for (const name of ['old', 'young']) await writeFile(join(folder, name), 'x')
  const anHourAgo = new Date(Date.now() - 3_600_000)
  await utimes(join(folder, 'old'), anHourAgo, anHourAgo)
  const app = await startTestApp('sqlite', { dataDir })
  await app.close()
  assert.deepEqual(await readdir(folder), ['young'])
  await rm(dataDir, { recursive: true })
})
