// The bin: a deleted flight disappears from every read, can be restored completely for 30 days, and is then erased.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '../../server/domain/time/durations.ts'
import type { Operation } from '../../server/door/operation.ts'
import { operations } from '../../server/operations/index.ts'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { foreignKeys } from '../../server/store/engine/dialect.ts'
import { belongings } from '../../server/store/flights/bin.ts'
import { tables } from '../../server/store/instance/backup.ts'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestApp, type TestPerson } from '../harness.ts'
import { callTool } from '../mcp/clients.ts'

const path = '/api/v1/flights'

const track = {
  coordinates: [
    [12.65, 55.61, 5],
    [-73.77, 40.63],
  ],
  times: [1_771_500_000, 1_771_520_000],
  sourceFormat: 'gpx',
  sourceName: 'flight.gpx',
}

/** The body of a flight between two airports. */
async function route(app: TestApp, more: object = {}) {
  const [fromId, toId] = await airportIds(app, 'CPH', 'JFK')
  return { date: '2026-02-20', fromId, toId, ...more }
}

const remove = async (app: TestApp, key: string, id: number, query = '') => {
  const reply = await app.request('DELETE', `${path}/${id}${query}`, { key })
  assert.equal(reply.status, 204, reply.text)
}
const restore = (app: TestApp, key: string, id: number) =>
  app.request('POST', `${path}/${id}/restore`, { key })
async function binOf(app: TestApp, key: string, query = '') {
  const reply = await app.request('GET', `${path}/deleted${query}`, { key })
  assert.equal(reply.status, 200, reply.text)
  // biome-ignore lint/suspicious/noExplicitAny: looked into by the tests
  return reply.json as { data: any[]; page: { nextCursor: string | null } }
}
const idsIn = (flights: { id: number }[]) => flights.map(({ id }) => id)

async function send(app: TestApp, cookie: string, method: string, address: string, body?: object) {
  const reply = await app.request(method, `/app/api${address}`, { cookie, ...(body ? { body } : {}) })
  assert.ok(reply.status < 300, reply.text)
  return reply.json?.data
}

/** The parameters of each read besides its path; a read named twice is made twice. */
const queries: Record<string, string[]> = {
  'flight-lookup': ['?number=SK909&date=2026-02-20'],
  'list-flights': ['', '?scope=all'],
  'find-flights': ['?text=SK909', '?airport=CPH', '?scope=all&text=Oddly'],
  'export-flights': ['', '?scope=all', '?format=yaml'],
  'get-stats': ['', '?scope=all'],
  'get-log': ['', '?scope=all'],
  'compare-people': ['?b={companion}'],
  'search-airports': ['?query=CPH'],
  'search-airlines': ['?query=SAS'],
  'search-aircraft': ['?query=A320'],
  'read-local-time': ['?airportId=2542&local=2026-02-20T12:30'],
}

/** The bin itself, credentials made by the tests, and reads that need more than an id. */
const others = [
  'list-deleted-flights',
  // Their entries show that a flight was deleted and restored.
  'list-history',
  'get-flight-history',
  'list-audit-events',
  'list-my-audit-events',
  'list-api-keys',
  'list-sessions',
  // Not about flights, or by a code instead of an id.
  'get-airport-by-code',
  'get-airline-by-code',
  'get-aircraft-by-code',
  // A file with everything, including the bin.
  'download-backup',
  'get-feed',
  'get-webhook',
  'list-webhook-deliveries',
  // They show a file's contents, which the log does not change.
  'get-import',
  'list-import-rows',
  'get-import-overview',
  'pick-import-rows',
  // Tested with external ids.
  'get-flight-by-external-id',
]

/** Every read of the registry and of the other APIs, as the owner of the instance sees it. */
async function everyRead(
  app: TestApp,
  who: { key: string; cookie: string; companion: string },
  flightId: number,
) {
  const seen: Record<string, string> = {}
  const read = async (address: string, ask: object) => {
    const { status, text } = await app.request('GET', address, ask)
    assert.ok(status === 200 || (status === 404 && address.includes(`/${flightId}`)), `${address}: ${text}`)
    // Deleting and restoring are changes themselves: versions increase, and so do tokens that name a change.
    seen[address] =
      `${status} ${text.replaceAll(/"?(?:version|updatedAt|token|startsInSeconds|now)"?: ?"?[^\s",}]+"?/g, '')}`
  }
  const reads = operations.filter(
    (op) => op.method === 'GET' && op.door !== 'page' && !others.includes(op.id),
  )
  for (const op of reads) {
    for (const one of await addressesOf(app, op, flightId)) {
      const address = one.replace('{companion}', who.companion)
      await read(`/app/api${address}`, { cookie: who.cookie })
      if (op.door !== 'app') await read(`/api/v1${address}`, { key: who.key })
    }
  }
  for (const legacy of [
    'flight/list',
    'flight/list?scope=all',
    `flight/get/${flightId}`,
    'flight/export',
    'stats',
  ])
    await read(`/api/${legacy}`, { key: who.key })
  for (const shared of ['/share/ada/data', '/share/ada/picture.png']) {
    const { status, text } = await app.request('GET', shared)
    seen[shared] = `${status} ${text}`
  }
  const found = await callTool(app, who.key, 'find_flights', { text: 'SK909' })
  return { ...seen, 'MCP find_flights': JSON.stringify(found) }
}

/** Without the values that every write changes: deleting and restoring a flight are two writes. */
const apartFromVersion = (seen: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(seen).map(([address, text]) => [
      address,
      text.replaceAll(/("?\b(?:version|updatedAt|at)\b\\?"?: ?)(?:\d+\b|\\?"?\d{4}-[\d:.TZ-]+)/g, '$1'),
    ]),
  )

async function addressesOf(app: TestApp, op: Operation, flightId: number): Promise<string[]> {
  const firstId = async (table: string) =>
    Number((await app.store.read.query(`/* test */ select min(id) as id from ${table}`, []))[0]!['id'])
  const ids: Record<string, number | string> = {
    airports: await app.airportId('CPH'),
    airlines: await firstId('airline'),
    aircraft: await firstId('aircraft'),
    roles: 'role-user',
    shares: 1,
    trips: 1,
    flights: flightId,
  }
  const noun = op.path.split('/')[1]!
  const address = op.path.replace(/\{\w+\}/, String(ids[noun]))
  return (queries[op.id] ?? ['']).map((query) => address + query)
}

/** An owner with a share, a trip and custom fields, and the values of the flight that will be deleted. */
async function furnish(app: TestApp) {
  const [ada, eve] = [await app.person('owner'), await app.person()]
  const [key, cookie] = [await ada.key(), await ada.session()]
  await send(app, cookie, 'POST', '/shares', {
    slug: 'ada',
    showStats: true,
    showFlightList: true,
    showMap: true,
  })
  await send(app, cookie, 'POST', '/trips', { name: 'To be flown' })
  for (const entityType of ['flight', 'flight_passenger']) {
    await send(app, cookie, 'POST', '/custom-fields', {
      entityType,
      key: 'meal',
      label: 'Meal',
      fieldType: 'text',
    })
  }
  const airport = await send(app, cookie, 'POST', '/airports', {
    icao: 'QQ0Z',
    name: 'Own strip',
    latitude: 50,
    longitude: 8,
    timezone: 'Europe/Berlin',
    type: 'small_airport',
    continent: 'EU',
    country: 'DE',
  })
  const body = await route(app, {
    toId: airport.id,
    flightNumber: 'SK909',
    aircraftReg: 'OY-KBA',
    note: 'Oddly quiet',
    departure: '2026-02-20T12:30:00+01:00',
    customFields: { meal: 'fish' },
    passengers: [
      { userId: ada.id, seat: 'window', seatNumber: '12A', customFields: { meal: 'rice' } },
      { userId: eve.id, flightReason: 'business' },
      { guestName: 'Bob' },
    ],
    track,
  })
  return { ada, eve, key, cookie, body, airportId: airport.id as number }
}

onBothEngines('a deleted flight', (app) => {
  test('a deleted flight is missing from every read, and a restore returns it byte for byte', async () => {
    const { ada, eve, key, cookie, body } = await furnish(app())
    const other = await logFlight(app(), ada, await route(app(), { date: '2025-01-01' }))
    const id = other.id + 1
    const who = { key, cookie, companion: eve.id }
    const never = await everyRead(app(), who, id)
    const flight = await logFlight(app(), ada, body)
    assert.equal(flight.id, id)
    assert.equal(flight.customFields.meal, 'fish')
    await send(app(), cookie, 'PATCH', '/trips/1', { addFlightIds: [id] })
    const before = await everyRead(app(), who, id)
    const listed = await app().request('GET', path, { key })
    for (const [address, text] of Object.entries(before)) {
      if (/flights(?!\/next)|log$|changes|stats|flight\/|share\/ada\/data|find_flights|trips/.test(address))
        assert.notEqual(text, never[address as keyof typeof never], address)
    }

    app().clock.advance(1000)
    await remove(app(), key, id)
    assert.deepEqual(await everyRead(app(), who, id), never)
    assert.deepEqual((await app().request('GET', path, { key: await eve.key() })).json.data, [])
    const known = { 'if-none-match': listed.headers.etag! }
    assert.equal((await app().request('GET', path, { key, headers: known })).status, 200)

    const { data } = await binOf(app(), key)
    const deletedAt = new Date(app().clock.now()).toISOString()
    const expiresAt = new Date(app().clock.now() + 30 * DAY).toISOString()
    const deletedBy = { id: ada.id, displayName: ada.displayName }
    assert.deepEqual(data, [{ ...flight, version: 2, deletedAt, deletedBy, expiresAt }])

    // Other flights are created and deleted meanwhile, and none of them gets its id.
    const newer = await logFlight(app(), ada, await route(app()))
    assert.ok(newer.id > id)
    await remove(app(), key, newer.id, '?permanently=true')
    const back = await restore(app(), key, id)
    assert.equal(back.status, 200, back.text)
    const restoredAt = new Date(app().clock.now()).toISOString()
    assert.deepEqual(back.json.data, { ...flight, version: 3, updatedAt: restoredAt })
    const after = await everyRead(app(), who, id)
    assert.deepEqual(apartFromVersion(after), apartFromVersion(before))
    assert.deepEqual(idsIn((await app().request('GET', path, { key: await eve.key() })).json.data), [id])
    assert.deepEqual((await binOf(app(), key)).data, [])
    assert.ok((await logFlight(app(), ada, await route(app()))).id > newer.id)
  })
})

onBothEngines('the bin', (app) => {
  test('the bin lists the latest deletion first, page by page, for people on the flight', async () => {
    const [ada, eve] = [await app().person(), await app().person()]
    const [key, eves] = [await ada.key(), await eve.key()]
    const deleted: number[] = []
    for (let i = 0; i < 5; i++) {
      const passengers = [{ userId: ada.id }, ...(i === 2 ? [{ userId: eve.id }] : [])]
      const { id } = await logFlight(
        app(),
        ada,
        await route(app(), { date: `2026-01-0${9 - i}`, passengers }),
      )
      await remove(app(), key, id)
      deleted.unshift(id)
      if (i % 2) app().clock.advance(1000)
    }
    const pages: number[][] = []
    let cursor: string | null = ''
    do {
      const page = await binOf(app(), key, `?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      pages.push(idsIn(page.data))
      cursor = page.page.nextCursor
      // A flight deleted between two pages sorts before them all.
      const { id } = await logFlight(app(), ada, await route(app()))
      app().clock.advance(1000)
      await remove(app(), key, id)
    } while (cursor)
    assert.deepEqual(pages, [deleted.slice(0, 2), deleted.slice(2, 4), deleted.slice(4)])
    assert.deepEqual(idsIn((await binOf(app(), eves)).data), [deleted[2]])
    assert.deepEqual((await binOf(app(), eves)).data[0].deletedBy.id, ada.id)
  })

  test('the bin of others needs the permission to delete any flight', async () => {
    const [ada, eve] = [await app().person(), await app().person()]
    const owner = await app().person('owner')
    const { id } = await logFlight(app(), ada, await route(app()))
    await remove(app(), await owner.key(), id)
    const [key, eves, all] = [await ada.key(), await eve.key(), await owner.key()]
    assert.deepEqual(idsIn((await binOf(app(), key)).data), [id], 'regardless of who deleted it')
    assert.deepEqual((await binOf(app(), eves)).data, [])
    assert.deepEqual((await binOf(app(), all)).data, [])
    assert.deepEqual(idsIn((await binOf(app(), all, `?scope=user&userId=${ada.id}`)).data), [id])
    assert.deepEqual((await binOf(app(), all, `?scope=user&userId=${eve.id}`)).data, [])
    assert.ok(idsIn((await binOf(app(), all, '?scope=all&limit=100')).data).includes(id))
    assert.deepEqual(idsIn((await binOf(app(), key, `?scope=user&userId=${ada.id}`)).data), [id])
    for (const query of ['?scope=all', `?scope=user&userId=${ada.id}`]) {
      assertError(await app().request('GET', `${path}/deleted${query}`, { key: eves }), 403, 'forbidden')
    }

    assertError(await restore(app(), eves, id), 404, 'not_found')
    assertError(
      await app().request('DELETE', `${path}/${id}?permanently=true`, { key: eves }),
      404,
      'not_found',
    )
    const narrow = await owner.key(['flight.delete.own'])
    assertError(await restore(app(), narrow, id), 403, 'insufficient_scope')
    assertError(
      await app().request('GET', `${path}/deleted?scope=all`, { key: narrow }),
      403,
      'insufficient_scope',
    )
    const reader = await ada.key(['flight.read.own', 'flight.read.any'])
    assertError(await restore(app(), reader, id), 403, 'insufficient_scope')
    assertError(await app().request('GET', `${path}/deleted`, { key: reader }), 403, 'insufficient_scope')
    assertError(await app().request('GET', `${path}/deleted`), 401, 'unauthorized')
    assert.equal((await restore(app(), all, id)).status, 200)
  })

  test('the bin refuses unknown parameters with an explanation', async () => {
    const ada = await app().person('role-administrator')
    const key = await ada.key()
    const get = (query: string) => app().request('GET', `${path}/deleted${query}`, { key })
    const list = await app().request('GET', `${path}?limit=1`, { key })
    assert.equal(list.status, 200)
    for (const query of [
      '?limit=0',
      '?limit=101',
      '?cursor=x',
      '?scope=some',
      '?scope=user',
      '?page=2',
      '?Limit=5',
    ])
      assertError(await get(query), 400, 'bad_request')
    const unknown = await get('?page=2&limit=5')
    assert.match(unknown.json.error.message, /page.*scope, userId, limit, cursor/)
    assertError(await get('?scope=user&userId=nobody'), 400, 'bad_request')
    assert.equal((await get('?utm_source=x&_=1')).status, 200)
    const foreign = Buffer.from('f1.2026-01-01.5').toString('base64url')
    assertError(await get(`?cursor=${foreign}`), 400, 'bad_request')
    const { id } = await logFlight(app(), ada, await route(app()))
    for (const query of ['?permanently=yes', '?permanently=', '?permanent=true', '?force=1'])
      assertError(await app().request('DELETE', `${path}/${id}${query}`, { key }), 400, 'bad_request')
    assertError(await app().request('POST', `${path}/${id}/restore?x=1`, { key }), 400, 'bad_request')
    assertError(await restore(app(), key, 0), 400, 'bad_request')
    assertError(await restore(app(), key, 99_999_999_999), 404, 'not_found')
    assertError(await app().request('POST', `${path}/x/restore`, { key }), 400, 'bad_request')
    assert.equal((await app().request('GET', `${path}/${id}`, { key })).status, 200)
  })

  test('a flight is restored once, and unavailable after 30 days even before cleanup', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [one, two] = [
      await logFlight(app(), ada, await route(app(), { track })),
      await logFlight(app(), ada, await route(app())),
    ]
    assertError(await restore(app(), key, one.id), 404, 'not_found')
    await remove(app(), key, one.id)
    assertError(await app().request('DELETE', `${path}/${one.id}`, { key }), 404, 'not_found')
    assert.equal((await restore(app(), key, one.id)).status, 200)
    assertError(await restore(app(), key, one.id), 404, 'not_found')
    await remove(app(), key, one.id)
    app().clock.advance(5 * DAY)
    await remove(app(), key, two.id)
    app().clock.advance(25 * DAY - 1)
    await deleteExpired(app().store, app().clock.now())
    assert.deepEqual(idsIn((await binOf(app(), key)).data), [two.id, one.id])
    app().clock.advance(1)
    assert.deepEqual(idsIn((await binOf(app(), key)).data), [two.id])
    assertError(await restore(app(), key, one.id), 404, 'not_found')
    const forGood = await app().request('DELETE', `${path}/${one.id}?permanently=true`, { key })
    assertError(forGood, 404, 'not_found')
    const cookie = await ada.session()
    assert.deepEqual(await send(app(), cookie, 'POST', '/flight-restorations', { ids: [one.id] }), {
      ids: [],
    })
    assert.equal(await rowsAbout(app(), one.id), 3, 'the flight, its passenger, its track')
    await deleteExpired(app().store, app().clock.now())
    assert.equal(await rowsAbout(app(), one.id), 0)
    assert.equal((await restore(app(), key, two.id)).status, 200)
  })

  test('permanent deletion skips the bin, and removes a flight from it', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [one, two] = [
      await logFlight(app(), ada, await route(app())),
      await logFlight(app(), ada, await route(app())),
    ]
    await remove(app(), key, one.id, '?permanently=true')
    await remove(app(), key, two.id, '?permanently=false')
    assert.deepEqual(idsIn((await binOf(app(), key)).data), [two.id])
    await remove(app(), key, two.id, '?permanently=true')
    for (const { id } of [one, two]) {
      assertError(await restore(app(), key, id), 404, 'not_found')
      assertError(await app().request('DELETE', `${path}/${id}?permanently=true`, { key }), 404, 'not_found')
      assert.equal(await rowsAbout(app(), id), 0)
    }
  })

  test('concurrent requests restore or erase a binned flight once', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const flight = await logFlight(app(), ada, await route(app(), { track }))
    for (let round = 0; round < 5; round++) {
      const gone = await Promise.all(
        Array.from({ length: 4 }, () => app().request('DELETE', `${path}/${flight.id}`, { key })),
      )
      assert.deepEqual(gone.map(({ status }) => status).sort(), [204, 404, 404, 404])
      const back = await Promise.all(Array.from({ length: 4 }, () => restore(app(), key, flight.id)))
      assert.deepEqual(back.map(({ status }) => status).sort(), [200, 404, 404, 404])
    }
    const body = await route(app(), {
      note: 'changed',
      passengers: [{ userId: ada.id }, { guestName: 'Late' }],
    })
    const [changed] = await Promise.all([
      app().request('PUT', `${path}/${flight.id}`, { key, body }),
      app().request('DELETE', `${path}/${flight.id}`, { key }),
    ])
    const [kept] = (await binOf(app(), key)).data
    assert.equal(kept.note, changed.status === 200 ? 'changed' : null)
    assert.equal(kept.passengers.length, changed.status === 200 ? 2 : 1)
  })
})

/** As if everyone on the flight had kept it: deleting removes a person who has not from the flight. */
const keptByAll = (app: TestApp, id: number) =>
  app.store.transaction((tx) =>
    tx.query(`update flight_passenger set added_by = null where flight_id = ${id}`, []),
  )

/** The rows of the bin about a flight. */
async function rowsAbout(app: TestApp, id: number): Promise<number> {
  const count = async (sql: string) => Number((await app.store.read.query(sql, []))[0]!['n'])
  return (
    (await count(`select count(*) as n from deleted_flight where id = ${id}`)) +
    (await count(`select count(*) as n from deleted_flight_row where flight_id = ${id}`))
  )
}

onBothEngines('changes while a flight is in the bin', (app) => {
  test('deleted records, fields and accounts are missing from a restored flight, the rest is kept', async () => {
    const { ada, eve, key, cookie, body, airportId } = await furnish(app())
    const flight = await logFlight(app(), ada, body)
    await keptByAll(app(), flight.id)
    await remove(app(), await eve.key(), flight.id)
    await send(app(), cookie, 'DELETE', `/airports/${airportId}`)
    const fields = await send(app(), cookie, 'GET', '/custom-fields/all')
    for (const { id } of fields) await send(app(), cookie, 'DELETE', `/custom-fields/${id}`)
    await send(app(), cookie, 'DELETE', `/users/${eve.id}`)
    const [kept] = (await binOf(app(), key)).data
    assert.equal(kept.deletedBy, null)
    const back = await restore(app(), key, flight.id)
    assert.equal(back.status, 200, back.text)
    const others = flight.passengers.filter((one: { user: { id: string } | null }) => one.user?.id !== eve.id)
    const expected = {
      ...flight,
      to: null,
      distanceKm: null,
      customFields: {},
      passengers: others.map((one: object) => ({ ...one, customFields: {} })),
    }
    assert.deepEqual(back.json.data, { ...expected, version: 3 })
    const { deletedAt: _at, deletedBy: _by, expiresAt: _until, ...shown } = kept
    assert.deepEqual(shown, { ...expected, version: 2 })
    const stored = await app().store.read.query('select custom_fields from flight', [])
    assert.deepEqual(stored, [{ custom_fields: null }], 'no value of a deleted field is left')
  })

  test('deleting an account deletes its bin and no other', async () => {
    const [ada, eve, chief] = [
      await app().person(),
      await app().person(),
      await app().person('role-administrator'),
    ]
    const [key, eves] = [await ada.key(), await eve.key()]
    const log = async (passengers: object[]) =>
      (await logFlight(app(), ada, await route(app(), { passengers }))).id as number
    const me = { userId: ada.id }
    const alone = await log([me])
    const withGuest = await log([me, { guestName: 'Bob' }])
    const withEve = await log([me, { userId: eve.id }, { guestName: 'Bob' }])
    for (const id of [alone, withGuest, withEve]) await remove(app(), key, id)
    await send(app(), await chief.session(), 'DELETE', `/users/${ada.id}`)
    assert.equal((await rowsAbout(app(), alone)) + (await rowsAbout(app(), withGuest)), 0)
    const [kept] = (await binOf(app(), eves)).data
    assert.equal(kept.id, withEve)
    assert.deepEqual(names(kept), [eve.id, 'Bob'])
    const back = await restore(app(), eves, withEve)
    assert.deepEqual(names(back.json.data), [eve.id, 'Bob'])
  })
})

const names = (flight: { passengers: { user: { id: string } | null; guestName: string | null }[] }) =>
  flight.passengers.map(({ user, guestName }) => user?.id ?? guestName)

onBothEngines('deletion through every interface', (app) => {
  test('legacy, MCP, the demo log and bulk deletion move flights to the bin', async () => {
    const ada = await app().person()
    const [key, cookie] = [await ada.key(), await ada.session()]
    const { id } = await logFlight(app(), ada, await route(app(), { flightNumber: 'SK909' }))
    const legacy = await app().request('POST', '/api/flight/delete', { key, body: { id } })
    assert.deepEqual(legacy.json, { success: true })
    const listed = await callTool(app(), key, 'list_deleted_flights')
    assert.deepEqual(idsIn(listed.structuredContent.data), [id])
    const back = await callTool(app(), key, 'restore_flight', { id })
    assert.equal(back.structuredContent.data.number, 'SK909')
    const deleted = await callTool(app(), key, 'delete_flight', { id })
    assert.equal(deleted.structuredContent.data.deleted, true)
    assert.match(deleted.structuredContent.data.message, /30 days/)
    const forGood = await callTool(app(), key, 'delete_flight', { id, permanently: true })
    assert.ok(forGood.isError, 'an assistant cannot pass the bin by')
    assert.deepEqual(idsIn((await binOf(app(), key)).data), [id])

    const { flights } = await send(app(), cookie, 'POST', '/demo')
    await send(app(), cookie, 'DELETE', '/demo')
    const binned = (await binOf(app(), key, '?limit=100')).data
    assert.equal(binned.length, 100)
    const demo = idsIn(binned).filter((one) => one !== id)
    const restored = await send(app(), cookie, 'POST', '/flight-restorations', { ids: demo })
    assert.equal(restored.ids.length, demo.length)
    assert.equal(
      (await app().request('POST', '/app/api/demo', { cookie })).status,
      409,
      'still known as a demo',
    )
    await send(app(), cookie, 'DELETE', '/demo')
    assert.deepEqual((await app().request('GET', path, { key })).json.data, [])
    const unknown = await app().request('DELETE', '/app/api/flights/deleted?userId=x', { cookie })
    assert.deepEqual([unknown.status, unknown.json.error.code], [400, 'bad_request'])
    assert.deepEqual(await send(app(), cookie, 'DELETE', '/flights/deleted'), {
      erased: flights + 1,
      kept: 0,
    })
    assert.deepEqual((await binOf(app(), key)).data, [])
  })

  test('bulk deletion takes own flights once, and others’ only with the permission', async () => {
    const [ada, eve, chief] = [
      await app().person(),
      await app().person(),
      await app().person('role-administrator'),
    ]
    const log = async (who: TestPerson) => (await logFlight(app(), who, await route(app()))).id as number
    const mine: number[] = []
    for (let i = 0; i < 70; i++) mine.push(await log(ada))
    const [theirs, absent] = [await log(eve), 999_999]
    const [cookie, key] = [await ada.session(), await ada.key()]
    const all = [...mine, theirs, absent]
    const byId = (one: number, other: number) => one - other
    const doomed = { ids: [...all, mine[0]!] }
    const gone = await send(app(), cookie, 'POST', '/flight-deletions', doomed)
    assert.deepEqual(gone.ids.sort(byId), mine)
    assert.deepEqual((await app().request('GET', path, { key })).json.data, [])
    assert.equal((await app().request('GET', `${path}/${theirs}`, { key: await eve.key() })).status, 200)
    assert.deepEqual((await send(app(), cookie, 'POST', '/flight-deletions', doomed)).ids, [])
    // Impossible ids.
    const beyond = { ids: [2_147_483_648, 1_000_000_000_000_000] }
    assert.deepEqual((await send(app(), cookie, 'POST', '/flight-deletions', beyond)).ids, [])
    assert.deepEqual((await send(app(), cookie, 'POST', '/flight-restorations', beyond)).ids, [])
    const stranger = await eve.session()
    assert.deepEqual((await send(app(), stranger, 'POST', '/flight-restorations', { ids: all })).ids, [])
    const back = await send(app(), await chief.session(), 'POST', '/flight-restorations', { ids: all })
    assert.deepEqual(back.ids.sort(byId), mine)
    const erased = { ids: all, permanently: true }
    assert.deepEqual((await send(app(), cookie, 'POST', '/flight-deletions', erased)).ids.sort(byId), mine)
    assert.deepEqual((await binOf(app(), key)).data, [])
    const reader = await (await app().person(['flight.read.own'])).session()
    for (const address of ['/flight-deletions', '/flight-restorations']) {
      const refused = await app().request('POST', `/app/api${address}`, {
        cookie: reader,
        body: { ids: [1] },
      })
      assertError(refused, 403, 'forbidden')
      for (const ids of [[], [0], ['1'], [1.5], Array(1001).fill(1)]) {
        const bad = await app().request('POST', `/app/api${address}`, { cookie, body: { ids } })
        assertError(bad, 422, 'validation_failed')
      }
    }
  })
})

onBothEngines('tables of later versions', (app) => {
  test('every table that belongs to a flight is covered by the bin', async () => {
    for (const { name } of tables) {
      const keys = await app().store.read.query(foreignKeys[app().store.kind](name), [])
      const pointsAtFlight = keys.some(({ target }) => target === 'flight')
      assert.equal(pointsAtFlight, (belongings as readonly string[]).includes(name), name)
    }
  })

  test('columns added later are moved too, with the rules of their foreign keys', async () => {
    const [ada, eve] = [await app().person(), await app().person()]
    const key = await ada.key()
    const { id } = await logFlight(app(), ada, await route(app()))
    const { id: early } = await logFlight(app(), ada, await route(app()))
    await remove(app(), key, early)
    const run = (sql: string) => app().store.transaction((tx) => tx.query(sql, []))
    await run("alter table flight add column later_text text not null default 'none'")
    await run(
      'alter table flight_passenger add column later_person text references person (id) on delete set null',
    )
    await run(`update flight set later_text = 'kept' where id = ${id}`)
    await run(`update flight_passenger set later_person = '${eve.id}' where flight_id = ${id}`)
    const stored = async (flight: number) => {
      const sql = `select later_text, later_person from flight join flight_passenger on flight_id = flight.id where flight.id = ${flight}`
      return { ...(await app().store.read.query(sql, []))[0] }
    }
    await remove(app(), key, id)
    const ids = [early, id]
    assert.deepEqual((await send(app(), await ada.session(), 'POST', '/flight-restorations', { ids })).ids, [
      id,
      early,
    ])
    assert.deepEqual(await stored(id), { later_text: 'kept', later_person: eve.id })
    assert.deepEqual(await stored(early), { later_text: 'none', later_person: null })
    await remove(app(), key, id)
    const chief = await app().person('role-administrator')
    await send(app(), await chief.session(), 'DELETE', `/users/${eve.id}`)
    assert.equal((await restore(app(), key, id)).status, 200)
    assert.deepEqual(await stored(id), { later_text: 'kept', later_person: null })
  })
})
