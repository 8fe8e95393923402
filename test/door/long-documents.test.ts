// Long lists, logs and exports are made once, sent while they are made, stored on disk, and never look complete when they
// are not.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { createApp } from '../../server/app.ts'
import type { Services } from '../../server/door/services.ts'
import { readWebFiles } from '../../server/http/web.ts'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestApp, type TestPerson, testOnSqlite } from '../harness.ts'
import { until } from '../until.ts'

/** No page is requested in this suite. */
const webFiles = readWebFiles('/nowhere')
const LIST = '/api/flight/list'
const EXPORT = '/api/v1/flights/export'
const LOG = '/app/api/log'
const GZIP = { 'accept-encoding': 'gzip' }

interface Got {
  status: number
  headers: http.IncomingHttpHeaders
  bytes: Buffer
  /** The connection did not break before the end. */
  isWhole: boolean
}

/** `onHead` may keep the client from reading further. */
const get = (
  url: string,
  headers: Record<string, string>,
  onHead: (response: http.IncomingMessage) => Promise<void> = async () => {},
): Promise<Got> =>
  new Promise((resolve) => {
    const request = http.get(url, { headers, agent: false }, async (response) => {
      const chunks: Buffer[] = []
      await onHead(response)
      response.resume()
      response.on('data', (chunk: Buffer) => void chunks.push(chunk))
      response.on('error', () => undefined)
      response.on('close', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
          isWhole: response.complete,
        }),
      )
    })
    // A connection may break before the head of the response is read.
    request.on('error', () => resolve({ status: 0, headers: {}, bytes: Buffer.alloc(0), isWhole: false }))
  })

/** Over HTTP/1.0 a response without a length ends when its connection is closed. */
const getOld = (url: string, headers: Record<string, string>): Promise<Omit<Got, 'isWhole'>> =>
  new Promise((resolve, reject) => {
    const { hostname, port, pathname, search } = new URL(url)
    const chunks: Buffer[] = []
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const socket = connect(Number(port), hostname)
    socket.write(`GET ${pathname}${search} HTTP/1.0\r\n${lines.join('')}\r\n`)
    socket.on('data', (chunk) => void chunks.push(chunk as Buffer))
    socket.on('error', reject)
    socket.on('end', () => {
      const all = Buffer.concat(chunks)
      const end = all.indexOf('\r\n\r\n')
      const [first, ...named] = all.toString('latin1', 0, end).split('\r\n')
      const pairs = named.map((line) => line.split(': '))
      resolve({
        status: Number(first!.split(' ')[1]),
        headers: Object.fromEntries(pairs.map(([name, value]) => [name!.toLowerCase(), value])),
        bytes: all.subarray(end + 4),
      })
    })
  })

const head = (url: string, headers: Record<string, string>): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'HEAD', headers, agent: false }, (response) => {
      response.resume()
      resolve(response)
    })
    request.setTimeout(20_000, () => request.destroy(new Error('no response')))
    request.on('error', reject)
    request.end()
  })

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const cookieOf = (cookie: string) => ({ cookie, 'sec-fetch-site': 'same-origin' })

/** Counts database reads for long documents, and how many of them are running. */
function watchSnapshots(services: Services) {
  const { store } = services
  const seen = { begun: 0, open: 0, statements: 0 }
  services.store = {
    ...store,
    async snapshot(work) {
      seen.begun++
      seen.open++
      try {
        return await store.snapshot((db) =>
          work({
            ...db,
            query(sql, parameters) {
              seen.statements++
              return db.query(sql, parameters)
            },
          }),
        )
      } finally {
        seen.open--
      }
    },
  }
  return seen
}

/** The producer is as far ahead of a client as permitted, and stops reading. */
async function untilStill(seen: ReturnType<typeof watchSnapshots>): Promise<void> {
  let [last, times] = [-1, 0]
  await until('the maker waits for its client', () => {
    times = seen.statements === last ? times + 1 : 0
    last = seen.statements
    return last > 0 && times === 10
  })
}

/** The same instance after a restart, or as another process of it. */
async function startAgain(app: TestApp, settings: Partial<TestApp['config']> = {}) {
  const config = { ...app.config, ...settings }
  const { store, clock } = app
  const { server, services } = createApp({ store, config, clock, log: app.services.log, webFiles })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    services,
    snapshots: watchSnapshots(services),
    close: () => server.close(),
  }
}

/** The same instance where neither the folder nor the temporary one can be written. */
async function withoutDisk(
  app: TestApp,
  work: (again: Awaited<ReturnType<typeof startAgain>>) => Promise<void>,
): Promise<void> {
  const again = await startAgain(app, { responseCacheDisk: 0 })
  try {
    await withTemporary('/nowhere', () => work(again))
  } finally {
    await again.close()
  }
}

/** The folder for temporary files is replaced meanwhile. */
async function withTemporary(folder: string, work: () => Promise<void>): Promise<void> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    await work()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

const filesOf = ({ config }: Pick<TestApp, 'config'>): string[] => {
  try {
    return readdirSync(join(config.dataDir, 'cache')).sort()
  } catch {
    return []
  }
}

const isUnfinished = (name: string) => name.endsWith('.part')
/** Documents are stored once they are complete. */
const untilKept = (place: Pick<TestApp, 'config'>) =>
  until('every document is kept', () => !filesOf(place).some(isUnfinished))

const FLIGHTS = 300
/** Seven megabytes, compressed five: more than a document without a file may have unread. */
const MANY = 1200
/** No random note contains it. */
const ADAS = 'of Ada: '
/** Different in each flight and long enough that a list does not stay in memory, even compressed. */
const longNote = (start: string) => start + randomBytes(4500).toString('base64')

/** A person with a long log, whose last flight is known to the change feed. */
async function withLongLog(app: TestApp, count = FLIGHTS, note = ADAS) {
  const ada = await app.person()
  const [fromId, toId] = await airportIds(app, 'CPH', 'JFK')
  await app.store.transaction(async (tx) => {
    for (let start = 0; start < count; start += 100) {
      const dates = Array.from({ length: Math.min(100, count - start) }, (_, i) =>
        new Date(Date.UTC(2005, 0, 1 + start + i)).toISOString().slice(0, 10),
      )
      const flights = await tx.query(
        `insert into flight (date, date_precision, from_id, to_id, note, created_at, updated_at) values ${dates
          .map((date) => `('${date}', 'day', ${fromId}, ${toId}, '${longNote(note)}', '', '')`)
          .join()} returning id, date`,
        [],
      )
      await tx.query(
        `insert into flight_passenger (flight_id, flight_date, user_id) values ${flights
          .map((row) => `(${row['id']}, '${row['date']}', '${ada.id}')`)
          .join()}`,
        [],
      )
    }
  })
  const key = await ada.key()
  await logFlight(app, ada, { date: '2004-01-01', fromId, toId, note: 'the oldest' })
  return {
    ada,
    key,
    credential: bearer(key),
    add: (date: string) => logFlight(app, ada, { date, fromId, toId }),
  }
}

/** The last flight of an export is unreadable until it is repaired. */
async function breakOldest(app: TestApp, ada: TestPerson): Promise<() => Promise<void>> {
  const key = await ada.key()
  const { json } = await app.request('GET', '/api/v1/flights/search?dateTo=2004-12-31', { key })
  const { id } = json.data[0]
  const coordinates = [
    [0, 0],
    [1, 1],
  ]
  const body = { coordinates, sourceFormat: 'gpx' }
  assert.ok((await app.request('PUT', `/api/v1/flights/${id}/track`, { key, body })).status < 300)
  const broken = app.engine === 'sqlite' ? "x'00ff'" : "'\\x00ff'"
  const change = (statement: string) =>
    app.store.transaction(async (tx) => void (await tx.query(`${statement} where flight_id = ${id}`, [])))
  await change(`update track set body = ${broken}`)
  return () => change('delete from track')
}

const listed = ({ bytes }: Pick<Got, 'bytes'>): { note: string; date: string }[] =>
  JSON.parse(bytes.toString()).flights

onBothEngines('long documents', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  const at = (path: string) => app().url + path
  let made: ReturnType<typeof withLongLog> | undefined
  /** A log that several tests read and none changes. */
  const longLog = () => {
    made ??= withLongLog(app(), MANY)
    return made
  }

  test('concurrent equal requests share one production, and later ones its file', async () => {
    const { credential, add } = await withLongLog(app())
    const seen = watchSnapshots(app().services)
    for (const path of [LIST, EXPORT, `${EXPORT}?format=yaml`, `${EXPORT}?format=geojson`]) {
      seen.begun = 0
      const before = filesOf(app()).length
      const got = await Promise.all(Array.from({ length: 5 }, () => get(at(path), credential)))
      assert.equal(seen.begun, 1, path)
      for (const { status, isWhole, bytes } of got) {
        assert.deepEqual([status, isWhole], [200, true])
        assert.ok(bytes.equals(got[0]!.bytes))
      }
      const isKept = () => filesOf(app()).filter((name) => !isUnfinished(name)).length === before + 1
      await until(`${path} is kept`, isKept)
      const again = await get(at(path), credential)
      assert.equal(seen.begun, 1, 'it is not made again')
      assert.equal(again.headers['content-length'], String(got[0]!.bytes.byteLength))
      assert.ok(again.bytes.equals(got[0]!.bytes))
      assert.ok(again.bytes.includes('the oldest'), 'it is whole')
    }
    const { mode } = statSync(join(app().config.dataDir, 'cache'))
    assert.equal(mode & 0o777, 0o700)
    for (const name of filesOf(app()))
      assert.equal(statSync(join(app().config.dataDir, 'cache', name)).mode & 0o777, 0o600)

    await add('2026-06-01')
    const [list, json] = [await get(at(LIST), credential), await get(at(EXPORT), credential)]
    for (const changed of [list, json]) {
      assert.equal(listed(changed).length, FLIGHTS + 2)
      assert.equal(listed(changed)[0]!.date, '2026-06-01')
    }
  })

  sqliteTest('a zipped document has the same content, whichever form was requested first', async () => {
    for (const forms of [
      [{}, GZIP],
      [GZIP, {}],
    ]) {
      const { credential } = await withLongLog(app())
      const seen = watchSnapshots(app().services)
      const got: Buffer[] = []
      for (const form of forms) {
        const { bytes, headers, isWhole } = await get(at(LIST), { ...credential, ...form })
        assert.ok(isWhole)
        assert.equal(headers['content-encoding'], 'accept-encoding' in form ? 'gzip' : undefined)
        got.push('accept-encoding' in form ? gunzipSync(bytes) : bytes)
      }
      assert.ok(got[0]!.equals(got[1]!))
      assert.equal(seen.begun, 1, 'one form is made of the other')
    }
  })

  test('the web app’s whole log is sent zipped, plain, by its tag and after a change', async () => {
    const { ada, add } = await withLongLog(app(), 1500, '')
    const session = cookieOf(await ada.session())
    const seen = watchSnapshots(app().services)
    const zipped = await get(at(LOG), { ...session, ...GZIP })
    const plain = await get(at(LOG), session)
    assert.equal(gunzipSync(zipped.bytes).toString(), plain.bytes.toString())
    const { data } = JSON.parse(plain.bytes.toString())
    assert.deepEqual([data.partial, data.flights.length, data.removed], [false, 1501, []])
    const dates = data.flights.map((flight: { date: string }) => flight.date)
    assert.deepEqual(dates, dates.toSorted().reverse())
    assert.deepEqual(Object.keys(data.users), [ada.id])
    assert.equal(Object.keys(data.airports).length, 2)
    assert.equal(seen.begun, 1)

    const etag = plain.headers.etag!
    assert.equal(zipped.headers.etag, `W/${etag}`)
    for (const tag of [etag, `W/${etag}`]) {
      const known = await get(at(LOG), { ...session, 'if-none-match': tag })
      assert.deepEqual([known.status, known.bytes.byteLength], [304, 0])
    }
    await add('2026-06-01')
    const changes = await get(at(`${LOG}?since=${data.token}`), session)
    const step = JSON.parse(changes.bytes.toString()).data
    assert.deepEqual([step.partial, step.flights.length], [true, 1], 'only the changes')
    assert.equal(seen.begun, 1)
    const changed = await get(at(LOG), { ...session, 'if-none-match': etag })
    assert.equal(JSON.parse(changed.bytes.toString()).data.flights.length, 1502)
  })

  test('a slow client occupies no database connection and gets the document of its start', async () => {
    const { credential, add } = await withLongLog(app(), 2000)
    const seen = watchSnapshots(app().services)
    const slow = await get(at(LIST), credential, async (response) => {
      response.pause()
      await until('the list is made', () => seen.begun === 1 && seen.open === 0)
      await add('2026-06-01')
      assert.equal(listed(await get(at(LIST), credential)).length, 2002)
    })
    assert.ok(slow.isWhole)
    assert.equal(listed(slow).length, 2001)
  })

  test('a failure part-way breaks every connection, and no file is kept', async () => {
    const { ada, credential } = await withLongLog(app())
    const repair = await breakOldest(app(), ada)
    const before = filesOf(app())
    const got = await Promise.all([1, 2, 3].map(() => get(at(EXPORT), credential)))
    for (const { isWhole, headers } of got) {
      assert.equal(isWhole, false)
      assert.equal(headers['content-length'], undefined)
    }
    assert.ok(app().logged.some((line) => line.includes('a response broke off')))
    await until('nothing of it is left', () => filesOf(app()).length === before.length)
    assert.deepEqual(filesOf(app()), before)
    assertError(
      await app().request('GET', `${EXPORT}?dateTo=2004-12-31`, { key: await ada.key() }),
      500,
      'internal_error',
    )
    await repair()
    assert.equal(listed(await get(at(EXPORT), credential)).length, FLIGHTS + 1)
  })

  test('a stored document is used after a restart and by other processes until the log changes', async () => {
    const { credential, add } = await withLongLog(app())
    const first = await get(at(LIST), credential)
    await untilKept(app())
    const again = await startAgain(app())
    const second = await get(again.url + LIST, credential)
    assert.equal(again.snapshots.begun, 0)
    assert.ok(second.bytes.equals(first.bytes))
    assert.equal(second.headers.etag, first.headers.etag)
    await add('2026-06-01')
    assert.equal(listed(await get(again.url + LIST, credential)).length, FLIGHTS + 2)
    assert.equal(again.snapshots.begun, 1)
    await again.close()
  })

  test('documents newer than the database are deleted at start, not when it reaches their state', async () => {
    const { credential, add } = await withLongLog(app())
    await get(at(LIST), credential)
    await untilKept(app())
    const folder = join(app().config.dataDir, 'cache')
    const [name] = filesOf(app())
    const state = Math.max(...filesOf(app()).map((file) => Number(file.split('.')[1])))
    const later = `${name!.split('.')[0]}.${state + 1}`
    copyFileSync(join(folder, name!), join(folder, later))
    const again = await startAgain(app())
    for (const date of ['2026-06-02', '2026-06-03']) await add(date)
    assert.equal(listed(await get(again.url + LIST, credential)).length, FLIGHTS + 3)
    await again.close()
    assert.ok(!filesOf(app()).includes(later))
  })

  test('at start, documents of another version, unfinished ones and newer ones are deleted', async () => {
    const { credential } = await withLongLog(app())
    const first = await get(at(LIST), credential)
    await untilKept(app())
    const folder = join(app().config.dataDir, 'cache')
    const [name] = filesOf(app())
    const later = `${name!.split('.')[0]}.9007199254740991`
    copyFileSync(join(folder, name!), join(folder, later))
    writeFileSync(join(folder, 'ffffffff-other.1'), '{}')
    for (const part of ['old.part', 'new.part']) writeFileSync(join(folder, part), '{')
    utimesSync(join(folder, 'old.part'), 1, 1)
    const again = await startAgain(app())
    assert.ok((await get(again.url + LIST, credential)).bytes.equals(first.bytes))
    await again.close()
    const left = filesOf(app())
    assert.ok(!left.includes(later) && !left.includes('ffffffff-other.1') && !left.includes('old.part'))
    assert.ok(left.includes('new.part'), 'another process may be writing it')
  })

  sqliteTest('the least recently used documents are deleted first, and a full disk stores none', async () => {
    const dataDir = join(app().config.dataDir, 'small')
    mkdirSync(dataDir)
    const people = [await withLongLog(app()), await withLongLog(app())]
    const small = await startAgain(app(), { dataDir, responseCacheDisk: 2 * 1024 * 1024 })
    for (const { credential } of people) {
      assert.equal(listed(await get(small.url + LIST, credential)).length, FLIGHTS + 1)
      await untilKept({ config: { ...app().config, dataDir } })
    }
    assert.equal(small.snapshots.begun, 2)
    assert.ok((await get(small.url + LIST, people[1]!.credential)).isWhole)
    assert.equal(small.snapshots.begun, 2)
    assert.ok((await get(small.url + LIST, people[0]!.credential)).isWhole)
    assert.equal(small.snapshots.begun, 3, 'the first was dropped')
    await small.close()

    const without = join(app().config.dataDir, 'without')
    mkdirSync(without)
    const none = await startAgain(app(), { dataDir: without, responseCacheDisk: 0 })
    for (let i = 0; i < 2; i++)
      assert.equal(listed(await get(none.url + LIST, people[0]!.credential)).length, FLIGHTS + 1)
    assert.equal(none.snapshots.begun, 2)
    await none.close()
    assert.deepEqual(readdirSync(without), [])
  })

  sqliteTest('without a folder or any disk, the document is still sent', async () => {
    const { credential } = await longLog()
    const dataDir = join(app().config.dataDir, 'unusable')
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'cache'), 'a file')
    const logged = () => app().logged.filter((line) => line.includes('long responses')).length
    const before = logged()
    const again = await startAgain(app(), { dataDir })
    for (const place of [tmpdir(), '/nowhere'])
      await withTemporary(place, async () => {
        for (const form of [{}, GZIP]) {
          const { bytes, isWhole } = await get(again.url + LIST, { ...credential, ...form })
          assert.ok(isWhole)
          const text = 'accept-encoding' in form ? gunzipSync(bytes) : bytes
          assert.equal(JSON.parse(text.toString()).flights.length, MANY + 1)
        }
      })
    assert.equal(logged() - before, 2, 'once for the folder, once for the disk')
    await again.close()
  })

  sqliteTest('without any disk, a HEAD request blocks nothing', async () => {
    const { credential } = await longLog()
    await withoutDisk(app(), async ({ url, snapshots }) => {
      for (const [path, form] of [
        [EXPORT, {}],
        [LIST, {}],
        [LIST, GZIP],
      ] as const) {
        const { statusCode, headers } = await head(url + path, { ...credential, ...form })
        assert.equal(statusCode, 200, path)
        assert.ok(headers['content-type']!.startsWith('application/json'))
        await until('the database is no longer read', () => snapshots.open === 0)
      }
      assert.equal(listed(await get(url + EXPORT, credential)).length, MANY + 1)
      assert.ok(
        !app().logged.some((line) => line.includes('all clients have disconnected')),
        'no response broke off',
      )
    })
  })

  test('without any disk, a client that stops reading does not delay shutdown', async () => {
    const { credential } = await withLongLog(app(), 4000)
    await withoutDisk(app(), async ({ url, services, snapshots }) => {
      const got = await get(url + EXPORT, credential, async (response) => {
        response.pause()
        await untilStill(snapshots)
        assert.equal(snapshots.open, 1)
        await services.spool.stop()
        assert.equal(snapshots.open, 0)
      })
      assert.equal(got.isWhole, false)
    })
  })

  sqliteTest('over HTTP/1.0 a document has its length, and a failed one is an error', async () => {
    const { ada, credential } = await withLongLog(app())
    const repair = await breakOldest(app(), ada)
    const failed = await getOld(at(EXPORT), credential)
    assert.equal(failed.status, 500)
    assert.equal(failed.headers['content-disposition'], undefined)
    assert.equal(JSON.parse(failed.bytes.toString()).error.code, 'internal_error')
    await repair()
    const whole = await getOld(at(EXPORT), credential)
    assert.equal(whole.status, 200)
    assert.equal(whole.headers['content-length'], String(whole.bytes.byteLength))
    assert.equal(listed(whole).length, FLIGHTS + 1)
  })

  sqliteTest('over HTTP/1.0 without any disk, a document larger than memory allows is refused', async () => {
    const [short, long] = [await withLongLog(app()), await longLog()]
    await withoutDisk(app(), async ({ url, snapshots }) => {
      const whole = await getOld(url + EXPORT, short.credential)
      assert.equal(whole.headers['content-length'], String(whole.bytes.byteLength))
      assert.equal(listed(whole).length, FLIGHTS + 1)
      const { status, headers, bytes } = await getOld(url + EXPORT, long.credential)
      assert.deepEqual([status, headers['retry-after']], [503, '5'])
      assert.equal(JSON.parse(bytes.toString()).error.reason, 'files_unreadable')
      await until('the database is no longer read', () => snapshots.open === 0)
    })
  })

  test('a document is never sent to another person', async () => {
    const [ada, bob] = [await withLongLog(app()), await withLongLog(app(), FLIGHTS, 'of Bob: ')]
    const admin: TestPerson = await app().person('role-administrator')
    const first = await get(at(EXPORT), ada.credential)
    assert.ok(!(await get(at(EXPORT), bob.credential)).bytes.includes(ADAS))
    const tag = (await get(at(LIST), ada.credential)).headers.etag!
    const other = await get(at(LIST), { ...bob.credential, 'if-none-match': tag })
    assert.equal(other.status, 200)
    assert.ok(!other.bytes.includes(ADAS))
    const query = `?scope=user&userId=${ada.ada.id}`
    assert.equal((await get(at(EXPORT + query), bob.credential)).status, 403)
    const read = await get(at(EXPORT + query), bearer(await admin.key()))
    assert.equal(listed(read).length, listed(first).length)
  })
})
