// Many writes in one request: each gives the result of its single call, in chunks or all together, as a dry run, and
// repeated after an interruption.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestApp } from '../harness.ts'
import { until } from '../until.ts'

const path = '/api/v1/flights'

// biome-ignore lint/suspicious/noExplicitAny: looked into by the tests
type Item = any

async function route(app: TestApp, more: object = {}) {
  const [fromId, toId] = await airportIds(app, 'CPH', 'OSL')
  return { date: '2026-02-20', fromId, toId, ...more }
}

const send = (app: TestApp, key: string, body: object, headers: Record<string, string> = {}) =>
  app.request('POST', `${path}/bulk`, { key, body, headers })

async function run(app: TestApp, key: string, operations: object[], more: object = {}) {
  const reply = await send(app, key, { operations, ...more })
  assert.equal(reply.status, 200, reply.text)
  return reply.json as { data: Item[]; summary: Record<string, number> }
}

const none = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 }

async function listed(app: TestApp, key: string) {
  const flights: Item[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await app.request('GET', `${path}?limit=100${cursor && `&cursor=${cursor}`}`, { key })
    flights.push(...page.json.data)
    cursor = page.json.page.nextCursor
  }
  return flights
}

const statuses = (data: Item[]) => data.map(({ status }) => status)

onBothEngines('bulk operations', (app) => {
  test('every kind of operation gives the result of its single call', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const body = await route(app())
    const old = await logFlight(app(), ada, { ...body, note: 'Old' })
    const gone = await logFlight(app(), ada, body)
    const { data, summary } = await run(app(), key, [
      { op: 'create', flight: { ...body, note: 'New' }, ref: 'row 1' },
      { op: 'create', externalId: { source: 'app', value: '1' }, flight: body },
      { op: 'upsert', externalId: { source: 'app', value: '2' }, flight: body },
      { op: 'upsert', externalId: { source: 'app', value: '1' }, flight: { ...body, note: 'Again' } },
      { op: 'patch', externalId: { source: 'app', value: '2' }, flight: { note: 'Patched' } },
      { op: 'replace', id: old.id, flight: { ...body, note: 'Replaced' } },
      { op: 'replace', id: old.id, flight: { ...body, note: 'Replaced' } },
      { op: 'delete', id: gone.id },
      { op: 'delete', id: gone.id },
      { op: 'patch', id: 2_147_483_648, flight: { note: 'Nowhere' } },
    ])
    assert.deepEqual(statuses(data), [201, 201, 201, 200, 200, 200, 200, 204, 404, 404])
    assert.deepEqual(summary, { created: 3, updated: 3, unchanged: 1, deleted: 1, failed: 2 })
    assert.deepEqual(data[0], {
      index: 0,
      ref: 'row 1',
      status: 201,
      id: data[0].id,
      etag: `"f${data[0].id}-1"`,
      location: `${path}/${data[0].id}`,
    })
    assert.deepEqual(data[3], {
      index: 3,
      ref: null,
      status: 200,
      id: data[1].id,
      etag: `"f${data[1].id}-2"`,
    })
    assert.deepEqual(data[7], { index: 7, ref: null, status: 204, id: gone.id })
    const single = await app().request('DELETE', `${path}/${gone.id}`, { key })
    assert.deepEqual(data[8].error, single.json.error)
    const notes = (await listed(app(), key)).map(({ note }) => note).sort()
    assert.deepEqual(notes, ['Again', 'New', 'Patched', 'Replaced'])
    const named = await app().request('GET', `${path}/by-external-id/app/2`, { key })
    assert.deepEqual([named.json.data.note, named.json.data.version], ['Patched', 2])
  })

  test('a failed operation does not affect the others of its chunk', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const body = await route(app())
    const operations = Array.from({ length: 120 }, (_, i) => {
      if (i % 10 === 3) return { op: 'create', flight: { ...body, date: 'never' } }
      if (i % 10 === 5) return { op: 'create', flight: { ...body, fromId: 999_999_999 } }
      if (i % 10 === 7) return { op: 'replace', id: 999_999_999, flight: body }
      return { op: 'create', flight: { ...body, note: `n${i}` }, ref: String(i) }
    })
    const { data, summary } = await run(app(), key, operations)
    assert.deepEqual(summary, { ...none, created: 84, failed: 36 })
    assert.deepEqual(
      data.map(({ index }) => index),
      operations.map((_, i) => i),
    )
    const single = await app().request('POST', path, { key, body: { ...body, date: 'never' } })
    assert.deepEqual(data[3].error, single.json.error)
    assert.deepEqual(data[5].error.details[0].path, ['fromId'])
    const flights = await listed(app(), key)
    assert.equal(flights.length, 84)
    for (const item of data.filter(({ status }) => status === 201)) {
      assert.equal(flights.find(({ id }) => id === item.id).note, `n${item.index}`)
    }
  })

  test('with atomic, one failure stores nothing and the details have every item', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const body = await route(app())
    const kept = await logFlight(app(), ada, body)
    const changesBefore = await app().store.read.query(
      "select value from revision where name = 'changes'",
      [],
    )
    const operations = [
      { op: 'create', flight: body, ref: 'a' },
      { op: 'delete', id: kept.id },
      { op: 'create', flight: { ...body, date: 'never' }, ref: 'bad' },
      ...Array.from({ length: 60 }, () => ({ op: 'create', flight: body })),
    ]
    const reply = await send(app(), key, { atomic: true, operations })
    assertError(reply, 409, 'conflict')
    const { details } = reply.json.error
    assert.equal(details.length, 63)
    assert.deepEqual(
      [details[0].index, details[0].ref, details[0].status, details[0].id],
      [0, 'a', 201, undefined],
    )
    assert.deepEqual([details[2].ref, details[2].status, details[2].code], ['bad', 422, 'validation_failed'])
    assert.deepEqual(details[2].error.details[0].path, ['date'])
    assert.deepEqual(
      (await listed(app(), key)).map(({ id }) => id),
      [kept.id],
    )
    assert.deepEqual(
      await app().store.read.query("select value from revision where name = 'changes'", []),
      changesBefore,
    )
    const good = await run(
      app(),
      key,
      operations.filter((operation) => !('ref' in operation && operation.ref === 'bad')),
      {
        atomic: true,
      },
    )
    assert.deepEqual(good.summary, { ...none, created: 61, deleted: 1 })
    assert.equal((await listed(app(), key)).length, 61)
  })

  test('a dry run reports the same results, warns of likely duplicates and writes nothing', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const body = await route(app())
    const stored = await logFlight(app(), ada, body)
    const operations = [
      { op: 'create', flight: body },
      { op: 'create', flight: { ...body, date: '2026-03-01' } },
      { op: 'create', flight: { ...body, date: '2026-03-01' } },
      { op: 'replace', id: stored.id, flight: { ...body, note: 'x' } },
      { op: 'delete', id: stored.id },
      { op: 'create', flight: {} },
    ]
    const before = await snapshot(app())
    const { data, summary } = await run(app(), key, operations, { dryRun: true })
    assert.deepEqual(summary, { ...none, created: 3, updated: 1, deleted: 1, failed: 1 })
    assert.match(data[0].warnings[0], new RegExp(`duplicate of Flight ${stored.id}: 2026-02-20 CPH–OSL`))
    assert.equal(data[1].warnings, undefined)
    assert.match(data[2].warnings[0], /duplicate of operation 1/)
    assert.deepEqual([data[0].id, data[0].etag, data[0].location], [undefined, undefined, undefined])
    assert.deepEqual(await snapshot(app()), before)
    const both = await send(app(), key, { dryRun: true, atomic: true, operations })
    assertError(both, 409, 'conflict')
    assert.deepEqual(await snapshot(app()), before)
  })

  test('codes mean what they meant on the date; a code of the stored record keeps it', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const flight = { date: '2019-06-01', from: 'txl', to: 'EKCH', airline: 'SK', aircraft: 'A20N' }
    const { data } = await run(app(), key, [
      { op: 'create', flight },
      { op: 'create', flight: { ...flight, from: 'ZZZZZ' } },
      { op: 'create', flight: { ...flight, to: 'LON' } },
      { op: 'create', flight: { ...flight, airline: 'no such' } },
    ])
    assert.deepEqual(statuses(data), [201, 422, 422, 422])
    assert.deepEqual(
      data.slice(1).map(({ error }) => [error.reason, error.details[0].path]),
      [
        ['no_airport_matches', ['from']],
        ['ambiguous', ['to']],
        ['no_airline_matches', ['airline']],
      ],
    )
    const [stored] = await listed(app(), key)
    assert.deepEqual(
      [stored.from.icao, stored.to.iata, stored.airline.icao, stored.aircraft.icao],
      ['EDDT', 'CPH', 'SAS', 'A20N'],
    )
    // Today the code belongs to another airport.
    const moved = await run(app(), key, [
      { op: 'patch', id: stored.id, flight: { date: '2026-01-01', from: 'TXL', airline: null } },
      { op: 'replace', id: stored.id, flight: { date: '2026-01-01', from: 'TXL', to: 'OSL' } },
    ])
    assert.deepEqual(statuses(moved.data), [200, 200], JSON.stringify(moved.data))
    const after = (await listed(app(), key))[0]
    assert.deepEqual([after.from.icao, after.to.iata, after.airline], ['EDDT', 'OSL', null])
  })

  test('an operation with an outdated version is refused', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const body = await route(app())
    const { id } = await logFlight(app(), ada, body)
    const { data } = await run(app(), key, [
      { op: 'patch', id, ifMatch: `"f${id}-1"`, flight: { note: 'Two' } },
      { op: 'replace', id, ifMatch: `"f${id}-1"`, flight: {} },
      { op: 'delete', id, ifMatch: `W/"f${id}-2"` },
      { op: 'upsert', externalId: { source: 'app', value: 'none' }, ifMatch: '*', flight: body },
      { op: 'delete', id, ifMatch: `"f${id}-2"` },
    ])
    assert.deepEqual(statuses(data), [200, 412, 412, 404, 204])
    assert.equal(data[1].etag, `"f${id}-2"`)
    assert.equal(data[1].error.code, 'precondition_failed')
  })

  test('an external id in use is refused, also one from the same request', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const body = await route(app())
    const named = (value: string, op = 'create') => ({
      op,
      externalId: { source: 'app', value },
      flight: body,
    })
    const first = await run(app(), key, [named('1')])
    const { data } = await run(app(), key, [
      named('2'),
      named('1'),
      named('2'),
      named('2', 'upsert'),
      { op: 'create', flight: { ...body, externalIds: { app: '2' } } },
      {
        op: 'create',
        externalId: { source: 'app', value: '3' },
        flight: { ...body, externalIds: { app: '4' } },
      },
      { op: 'delete', externalId: { source: 'app', value: '2' } },
      named('2'),
    ])
    assert.deepEqual(statuses(data), [201, 409, 409, 200, 409, 422, 204, 201])
    assert.equal(data[1].location, first.data[0].location)
    assert.equal(data[2].location, data[0].location)
    assert.deepEqual(data[1].error.details[0].path, ['externalIds', 'app'])
    assert.equal((await listed(app(), key)).length, 2)
  })

  test('twenty concurrent requests upserting the same twelve ids create twelve flights', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const body = await route(app())
    const order = (i: number) => (i % 2 ? [...Array(12).keys()] : [...Array(12).keys()].reverse())
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        run(
          app(),
          key,
          order(i).map((n) => ({
            op: 'upsert',
            externalId: { source: 'race', value: String(n) },
            flight: { ...body, note: `writer ${i}` },
          })),
        ),
      ),
    )
    const created = replies.reduce((sum, { summary }) => sum + summary['created']!, 0)
    const failed = replies.reduce((sum, { summary }) => sum + summary['failed']!, 0)
    assert.deepEqual([created, failed], [12, 0])
    assert.equal((await listed(app(), key)).length, 12)
  })

  test('a faulty request is refused as a whole, with the path of the fault', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const flight = await route(app())
    const bad: [object, string[]][] = [
      [{ operations: [] }, ['operations']],
      [{ operations: Array(501).fill({ op: 'create', flight }) }, ['operations']],
      [{}, ['operations']],
      [{ operations: [{ op: 'create', flight }], atomc: true }, ['atomc']],
      [
        {
          operations: [
            { op: 'create', flight },
            { op: 'make', flight },
          ],
        },
        ['operations', '1', 'op'],
      ],
      [{ operations: [{ op: 'create', flight, nots: 'x' }] }, ['operations', '0', 'nots']],
      [{ operations: [{ op: 'create', id: 1, flight }] }, ['operations', '0', 'id']],
      [{ operations: [{ op: 'create' }] }, ['operations', '0', 'flight']],
      [{ operations: [{ op: 'upsert', flight }] }, ['operations', '0', 'externalId']],
      [{ operations: [{ op: 'delete' }] }, ['operations', '0', 'id']],
      [
        { operations: [{ op: 'delete', id: 1, externalId: { source: 'a', value: '1' } }] },
        ['operations', '0', 'id'],
      ],
      [{ operations: [{ op: 'delete', id: 0 }] }, ['operations', '0', 'id']],
      [
        { operations: [{ op: 'delete', externalId: { source: 'A', value: '1' } }] },
        ['operations', '0', 'externalId', 'source'],
      ],
    ]
    for (const [body, at] of bad) {
      assertError(await send(app(), key, body), 422, 'validation_failed', at)
    }
    assert.deepEqual(await listed(app(), key), [])
  })

  test('a request needs the scopes of all its operations', async () => {
    const ada = await app().person()
    const flight = await route(app())
    const key = await ada.key(['flight.create.own', 'flight.read.own'])
    const mixed = await send(app(), key, {
      operations: [
        { op: 'create', flight },
        { op: 'delete', id: 1 },
      ],
    })
    assertError(mixed, 403, 'insufficient_scope')
    assert.deepEqual(await listed(app(), key), [])
    const upsert = { op: 'upsert', externalId: { source: 'a', value: '1' }, flight }
    assertError(await send(app(), key, { operations: [upsert] }), 403, 'insufficient_scope')
    assert.deepEqual((await run(app(), key, [{ op: 'create', flight }])).summary['created'], 1)
    const reader = await ada.key(['flight.read.own'])
    assertError(await send(app(), reader, {}), 403, 'insufficient_scope')
    // Nothing is revealed of another person's flight.
    const bob = await app().person()
    const other = await logFlight(app(), bob, flight)
    const all = await ada.key()
    const { data } = await run(app(), all, [
      { op: 'patch', id: other.id, flight: { note: 'x' } },
      { op: 'create', flight: { ...flight, passengers: [{ userId: 'nobody' }] } },
      { op: 'create', flight: { ...flight, passengers: [{ userId: bob.id }] } },
      { op: 'create', flight: { ...flight, passengers: [{ userId: ada.id }, { userId: bob.id }] } },
    ])
    assert.deepEqual(statuses(data), [404, 422, 403, 201])
    const notices = await app().request('GET', '/app/api/notices', { cookie: await bob.session() })
    assert.equal(notices.json.data[0].data.flightId, data[3].id)
  })

  test('with an idempotency key, a repeat gets the same results and changes nothing', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const flight = await route(app())
    const body = { operations: Array.from({ length: 120 }, () => ({ op: 'create', flight })) }
    const headers = { 'idempotency-key': 'import 1' }
    const settled = () =>
      until('the first request has its response', async () => {
        const reply = await send(app(), key, body, headers)
        if (reply.status !== 409) return reply
        assert.equal(reply.headers['retry-after'], '1')
        return undefined
      })
    const replies = await Promise.all(Array.from({ length: 20 }, settled))
    assert.equal(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1)
    assert.equal(replies[0]!.status, 200, replies[0]!.text)
    assert.equal((await listed(app(), key)).length, 120)
    const atomic = { ...body, atomic: true }
    const twice = [
      await send(app(), key, atomic, headers),
      await send(app(), key, atomic, { 'idempotency-key': '2' }),
    ]
    assertError(twice[0]!, 422, 'validation_failed')
    assert.equal((await send(app(), key, atomic, { 'idempotency-key': '2' })).text, twice[1]!.text)
    assert.equal((await listed(app(), key)).length, 240)
  })

  test('its changes are numbered, one for each flight', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const flight = await route(app())
    const entries = async () =>
      app().store.read.query(
        `select item_id, version, removed, number from change where viewer = '${ada.id}' order by number`,
        [],
      )
    const { data } = await run(app(), key, [
      { op: 'create', externalId: { source: 'a', value: '1' }, flight },
      { op: 'create', flight },
      { op: 'patch', externalId: { source: 'a', value: '1' }, flight: { note: 'x' } },
      { op: 'create', externalId: { source: 'a', value: '2' }, flight },
      { op: 'delete', externalId: { source: 'a', value: '2' } },
    ])
    const found = await entries()
    assert.deepEqual(
      found.map((row) => [row['item_id'], row['version'], row['removed']]),
      [
        [data[1].id, 1, null],
        [data[0].id, 2, null],
        [data[3].id, 2, 'deleted'],
      ],
    )
    const numbers = found.map((row) => Number(row['number']))
    assert.deepEqual(numbers, [numbers[0], numbers[0]! + 1, numbers[0]! + 2])
  })
})

/** Every table that a dry run could change. */
async function snapshot(app: TestApp) {
  const tables = ['flight', 'flight_passenger', 'external_id', 'change', 'deleted_flight', 'notice']
  const rows = []
  for (const table of tables) rows.push((await app.store.read.query(`select * from ${table}`, [])).length)
  rows.push(await app.store.read.query("select value from revision where name = 'changes'", []))
  return rows
}
