// A log whose ids no longer fit into 32 bits: everything that people and programs do works as with small ones, on both
// engines.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { restoreBackup, writeBackup } from '../server/services/backup/backup.ts'
import { setLastIdGiven } from '../server/store/engine/dialect.ts'
import { tables } from '../server/store/instance/backup.ts'
import { readFeed } from './feed.ts'
import { airportIds, assertError, withoutAirports } from './fixtures.ts'
import { engines, onBothEngines, startTestApp, type TestApp } from './harness.ts'
import { callTool } from './mcp/clients.ts'
import { until } from './until.ts'
import { createHook, createTestDeliveries, startReceiver } from './webhooks/receiver.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Any = any

/** Each table starts elsewhere, so that an id of one is never an id of another. */
const FIRST = 5_000_000_000
const FAR = 1_000_000

async function growOld({ store, engine }: TestApp): Promise<void> {
  const counted = tables.flatMap(({ name, counted }) => (counted ? [name as string] : []))
  await store.transaction(async (tx) => {
    for (const [i, name] of [...counted, 'webhook_delivery', 'account_link'].entries())
      for (const sql of setLastIdGiven[engine](name, FIRST + i * FAR)) await tx.query(sql, [])
  })
}

const isLarge = (id: unknown) => assert.ok(Number.isSafeInteger(id) && (id as number) > FIRST, String(id))

/** Calls the interface of programs with the key, or the web app's with a cookie. */
function caller(app: TestApp, who: { key: string } | { cookie: string }) {
  const root = 'key' in who ? '/api/v1' : '/app/api'
  return async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const reply = await app.request(method, root + path, {
      ...who,
      ...(body === undefined ? {} : { body }),
      ...(headers ? { headers } : {}),
    })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
    return reply.json
  }
}

/** All flights of a list, one per page. */
async function readPages(send: ReturnType<typeof caller>, path: string): Promise<number[]> {
  const found: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, page }: Any = await send('GET', `${path}limit=1${cursor && `&cursor=${cursor}`}`)
    found.push(...data.map(({ id }: { id: number }) => id))
    cursor = page.nextCursor
  }
  return found
}

const csv = (...numbers: string[]) =>
  ['Date,Flight number,From,To', ...numbers.map((number, i) => `2019-03-0${i + 1},${number},CPH,JFK`)].join(
    '\n',
  )

onBothEngines('ids beyond 32 bits', (app) => {
  let key: string
  let userId: string
  let send: ReturnType<typeof caller>
  let web: ReturnType<typeof caller>
  let flight: { date: string; fromId: number; toId: number }

  before(async () => {
    await growOld(app())
    const ada = await app().person('owner')
    ;[key, userId] = [await ada.key(), ada.id]
    send = caller(app(), { key })
    web = caller(app(), { cookie: await ada.session() })
    const [fromId, toId] = (await airportIds(app(), 'CPH', 'JFK')) as [number, number]
    flight = { date: '2026-02-20', fromId, toId }
  })
  const create = async (more: object = {}): Promise<Any> =>
    (await send('POST', '/flights', { ...flight, ...more })).data

  test('a flight is created, read, changed with a condition, given a track and deleted', async () => {
    const { id, version, passengers } = await create()
    isLarge(id)
    isLarge(passengers[0].id)
    const { data: patched } = await send(
      'PATCH',
      `/flights/${id}`,
      { note: 'x' },
      {
        'if-match': `"f${id}-${version}"`,
      },
    )
    assert.deepEqual([patched.id, patched.note], [id, 'x'])
    const seated = { passengers: { [passengers[0].id]: { seat: 'aisle' } } }
    assert.equal((await send('PATCH', `/flights/${id}`, seated)).data.passengers[0].seat, 'aisle')
    const body = { ...flight, note: 'y', passengers: [{ id: passengers[0].id, userId, seat: 'window' }] }
    const { data: replaced } = await send('PUT', `/flights/${id}`, body)
    assert.deepEqual([replaced.note, replaced.passengers[0].id], ['y', passengers[0].id])
    const track = {
      coordinates: [
        [12, 55, 0],
        [13, 56, 0],
      ],
      sourceFormat: 'gpx',
      sourceName: null,
    }
    await send('PUT', `/flights/${id}/track`, track)
    assert.equal((await send('GET', `/flights/${id}/track`)).data.flightId, id)
    await send('DELETE', `/flights/${id}`)
    assertError(await app().request('GET', `/api/v1/flights/${id}`, { key }), 404, 'not_found')
    assert.ok((await send('GET', '/flights/deleted')).data.some((one: Any) => one.id === id))
    assert.equal((await send('POST', `/flights/${id}/restore`)).data.passengers[0].id, passengers[0].id)
    await web('POST', '/flight-deletions', { ids: [id] })
    assert.deepEqual((await web('POST', '/flight-restorations', { ids: [id] })).data.ids, [id])
  })

  test('bulk requests, plain words and the older programs take such ids', async () => {
    const bulk = async (operations: object[]): Promise<Any[]> =>
      (await send('POST', '/flights/bulk', { operations })).data
    const [first, second] = await bulk([
      { op: 'create', flight },
      { op: 'create', flight: { ...flight, date: '2026-02-21' } },
    ])
    for (const { id } of [first, second]) isLarge(id)
    const done = await bulk([
      { op: 'patch', id: first.id, flight: { note: 'bulk' } },
      { op: 'delete', id: second.id },
    ])
    assert.deepEqual(
      done.map(({ id, status }) => [id, status]),
      [
        [first.id, 200],
        [second.id, 204],
      ],
    )
    const edited = await send('POST', '/flights/edit', { id: first.id, note: 'edited' })
    assert.deepEqual([edited.data.id, edited.data.note], [first.id, 'edited'])

    const legacy = async (method: string, path: string, body?: object): Promise<Any> => {
      const reply = await app().request(method, `/api/flight/${path}`, { key, ...(body && { body }) })
      assert.equal(reply.json.success, true, reply.text)
      return reply.json
    }
    const old = { from: 'EKCH', to: 'KJFK', date: '2026-05-01', departure: '2026-05-01', passengers: [] }
    const passengers = [{ userId, guestName: null, seat: null, seatNumber: null, seatClass: null }]
    const { id } = await legacy('POST', 'save', { ...old, passengers })
    isLarge(id)
    assert.equal((await legacy('GET', `get/${id}`)).flight.id, id)
    assert.ok((await legacy('GET', 'list')).flights.some((one: Any) => one.id === id))
    await legacy('POST', 'save', { ...old, id, passengers })
    await legacy('POST', 'delete', { id })
  })

  test('every list is read to its end with cursors', async () => {
    const ids = [await create(), await create(), await create()].map(({ id }) => id as number)
    for (const order of ['newest', 'oldest', 'updated']) {
      const found = await readPages(send, `/flights?order=${order}&`)
      assert.equal(new Set(found).size, found.length, order)
      for (const id of ids) assert.ok(found.includes(id), `${order} ${id}`)
    }
    const searched = await readPages(send, '/flights/search?from=CPH&')
    for (const id of ids) assert.ok(searched.includes(id))
    await web('POST', '/flight-deletions', { ids })
    const deleted = await readPages(send, '/flights/deleted?')
    for (const id of ids) assert.ok(deleted.includes(id))
    await web('POST', '/api-keys', { name: 'far', scopes: ['profile.read'] })
    const events = await readPages(web, '/audit?')
    assert.ok(events.length > 0)
    for (const id of events) isLarge(id)
  })

  test('the feed of changes, the history and undo', async () => {
    const { sync } = await readFeed(app(), key)
    const { id } = await create({ note: 'before' })
    await send('PATCH', `/flights/${id}`, { note: 'after' })
    const since = await readFeed(app(), key, { since: sync.token })
    assert.deepEqual(
      since.data.map((one) => one.id),
      [id],
    )
    const whole: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const read: Any = await readFeed(app(), key, { limit: 1, types: 'flight', ...(cursor && { cursor }) })
      whole.push(...read.data.map((one: Any) => one.id))
      cursor = read.page.nextCursor
    }
    assert.ok(whole.includes(id))
    const [newest] = (await send('GET', `/flights/${id}/history`)).data
    const undone = await send('POST', '/history/undo', { changeId: newest.changeId })
    assert.deepEqual([undone.data[0].flightId, undone.summary.undone], [id, 1])
    assert.equal((await send('GET', `/flights/${id}`)).data.note, 'before')
  })

  test('an import is read, committed, filtered by and undone', async () => {
    const reply = await app().request('POST', '/api/v1/imports?filename=a.csv', {
      key,
      raw: csv('SK901', 'SK902', 'SK903'),
      headers: { 'content-type': 'text/csv' },
    })
    assert.equal(reply.status, 201, reply.text)
    const { id } = reply.json.data
    isLarge(id)
    await until('the file has been read', async () => {
      const { status } = (await send('GET', `/imports/${id}`)).data
      return status === 'ready'
    })
    const { data: rows, page } = await send('GET', `/imports/${id}/rows?limit=2`)
    const more = await send('GET', `/imports/${id}/rows?limit=2&cursor=${page.nextCursor}`)
    assert.deepEqual([rows.length, more.data.length], [2, 1])
    await send('PATCH', `/imports/${id}/rows/3`, { include: false })
    for (const path of [`/imports/${id}/rows/9007199254740991`, `/imports/${id}/rows/99999999999999999999`])
      assertError(
        await app().request('PATCH', `/api/v1${path}`, { key, body: { include: false } }),
        404,
        'not_found',
      )
    assert.equal((await send('POST', `/imports/${id}/commit`)).data.committed.created, 2)
    const flights = (await send('GET', `/flights?importId=${id}`)).data
    assert.equal(flights.length, 2)
    for (const one of flights) {
      isLarge(one.id)
      assert.equal(one.importId, id)
    }
    assert.ok(
      (await send('GET', `/imports/${id}/rows`)).data.some((row: Any) => row.flightId === flights[0].id),
    )
    await send('POST', `/imports/${id}/undo`)
    assert.equal((await send('GET', `/flights?importId=${id}`)).data.length, 0)
    const beyond = Buffer.from('ir1.9007199254740991').toString('base64url')
    assert.deepEqual((await send('GET', `/imports/${id}/rows?cursor=${beyond}`)).data, [])
  })

  test('trips, shares, exports and statistics name them', async () => {
    const { id } = await create({ note: 'shared' })
    const { data: trip } = await send('POST', '/trips', { name: 'Far', flightIds: [id] })
    isLarge(trip.id)
    assert.deepEqual((await send('GET', `/trips/${trip.id}`)).data.flightIds, [id])
    for (const subject of [{ flightId: id }, { tripId: trip.id }]) {
      const { data: share } = await send('POST', '/shares', { ...subject, showFlightList: true })
      isLarge(share.id)
      assert.deepEqual([share.flightId, share.tripId], [subject.flightId ?? null, subject.tripId ?? null])
      const shown = await app().request('GET', `/share/${share.slug}/data`)
      assert.equal(shown.status, 200, shown.text)
    }
    const exported = await send('GET', '/flights/export')
    assert.ok(exported.flights.some(({ note }: Any) => note === 'shared'))
    const counted = (await send('GET', '/stats?from=CPH')).data.flights
    assert.equal((await send('GET', '/stats')).data.flights, counted)
    const { data: journeys } = await send('GET', '/journeys?from=CPH')
    assert.ok(journeys.some((one: Any) => one.flightIds.includes(id)))
    isLarge((await web('GET', '/sessions')).data[0].id)
    const { data: field } = await web('POST', '/custom-fields', {
      entityType: 'flight',
      key: 'far',
      label: 'Far',
      fieldType: 'text',
    })
    isLarge(field.id)
    const { data: valued } = await send('PATCH', `/flights/${id}`, { customFields: { [field.key]: 'value' } })
    assert.deepEqual(Object.values(valued.customFields), ['value'])
    await web('DELETE', `/custom-fields/${field.id}`)
    assert.deepEqual((await send('GET', `/flights/${id}`)).data.customFields, {})
  })

  test('a webhook reports them and lists its deliveries', async (t) => {
    const receiver = await startReceiver()
    t.after(() => receiver.close())
    const hook = await createHook(app(), key, { url: receiver.url })
    isLarge(hook.id)
    const { id } = await create()
    await createTestDeliveries(app()).deliverDue()
    assert.equal(receiver.take()[0]!.json.data.id, id)
    const [delivery] = (await send('GET', `/webhooks/${hook.id}/deliveries`)).data
    isLarge(delivery.id)
    assert.equal(delivery.flightId, id)
    await send('POST', `/webhooks/${hook.id}/deliveries/${delivery.id}/retry`)
    await send('DELETE', `/webhooks/${hook.id}`)
  })

  test('an assistant finds, reads and changes them', async () => {
    const { id } = await create({ flightNumber: 'SK977' })
    const call = async (name: string, args: Record<string, unknown>): Promise<Any> => {
      const result = await callTool(app(), key, name, args)
      assert.ok(!result.isError, JSON.stringify(result))
      return result.structuredContent
    }
    assert.deepEqual(
      (await call('find_flights', { flightNumber: 'SK977' })).data.map((one: Any) => one.id),
      [id],
    )
    assert.equal((await call('get_flight', { id })).data.id, id)
    assert.equal((await call('edit_flight', { id, note: 'by an assistant' })).data.note, 'by an assistant')
  })

  test('the web app’s copy of the log has them', async () => {
    const { id } = await create()
    assert.ok((await web('GET', '/log')).data.flights.some((one: Any) => one.id === id))
  })
})

for (const to of engines) {
  describe(`a backup with ids beyond 32 bits, restored on ${to}`, () => {
    test('keeps the ids and continues after them', async (t) => {
      const from = await startTestApp('sqlite')
      t.after(() => from.close())
      await growOld(from)
      const key = await (await from.person('owner')).key()
      const [fromId, toId] = await airportIds(from, 'CPH', 'JFK')
      const flight = { date: '2026-02-20', fromId, toId }
      const { id } = (await caller(from, { key })('POST', '/flights', flight)).data
      const file = join(process.env['TEST_SCRATCH']!, `large-ids-${process.pid}-${to}.gz`)
      const partsOf = (app: TestApp) => ({ store: app.store, uploads: app.services.uploads, now: new Date() })
      await writeBackup(partsOf(from), file)
      const app = await startTestApp(to)
      t.after(() => app.close())
      await restoreBackup(partsOf(app), file, { replace: false, partial: false, set: withoutAirports() })
      const send = caller(app, { key })
      assert.equal((await send('GET', `/flights/${id}`)).data.id, id)
      assert.equal((await send('POST', '/flights', flight)).data.id, id + 1)
    })
  })
}
