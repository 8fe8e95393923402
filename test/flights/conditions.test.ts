// Versions of a flight as ETags, and requests that run only on one version.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../server/domain/access/access.ts'
import { assertError, logFlight } from '../fixtures.ts'
import { type Ask, onBothEngines, type Reply, type TestApp } from '../harness.ts'
import { modern } from '../mcp/clients.ts'

const track = (lat = 55) => ({
  coordinates: [
    [12, lat],
    [13, lat + 1],
  ],
  sourceFormat: 'gpx',
})

const routeOf = async (app: TestApp) => ({
  date: '2026-02-20',
  fromId: await app.airportId('CPH'),
  toId: await app.airportId('JFK'),
})

onBothEngines('conditional requests', (app) => {
  const send = (key: string, method: string, path: string, headers = {}, ask: Ask = {}) =>
    app().request(method, `/api/v1${path}`, { key, headers, ...ask })
  const flightOf = async (key: string, id: number) => (await send(key, 'GET', `/flights/${id}`)).json.data

  async function setUp(scopes?: readonly Scope[]) {
    const ada = await app().person()
    const key = await ada.key(scopes)
    const body = await routeOf(app())
    const flight = await logFlight(app(), ada, body)
    return { ada, key, body, flight, path: `/flights/${flight.id}` }
  }

  /** A refused write: the current tag, one detail, and nothing of the flight. */
  function assertChanged(reply: Reply, id: number, version: number): void {
    assertError(reply, 412, 'precondition_failed')
    const [found, ...others] = reply.json.error.details
    assert.deepEqual([found.code, found.path, others], ['version', [], []])
    assert.ok(found.message.length > 0)
    assert.equal(reply.headers.etag, `"f${id}-${version}"`)
    assert.equal(reply.json.data, undefined)
  }

  test('every response about one flight has the tag of its version, equal for every reader', async () => {
    const { ada, key, body } = await setUp()
    const eve = await app().person()
    const both = { ...body, passengers: [{ userId: ada.id }, { userId: eve.id }] }
    const created = await send(key, 'POST', '/flights', {}, { body: both })
    const { id } = created.json.data
    const path = `/flights/${id}`
    const tag = (version: number) => `"f${id}-${version}"`
    assert.equal(created.status, 201, created.text)
    assert.equal(created.headers.etag, tag(1))
    const etagOf = async (method: string, where: string, ask: Ask = {}) => {
      const reply = await send(key, method, where, {}, ask)
      assert.ok(reply.status < 300, reply.text)
      return reply.headers.etag
    }
    assert.equal(await etagOf('GET', path), tag(1))
    assert.equal(await etagOf('GET', `${path}/track`), tag(1), 'also while there is no track')
    assert.equal(await etagOf('PUT', path, { body: { ...body, note: 'a' } }), tag(2))
    assert.equal(await etagOf('PATCH', path, { body: { note: 'b' } }), tag(3))
    assert.equal(await etagOf('PUT', `${path}/track`, { body: track() }), tag(4))
    assert.equal(await etagOf('GET', `${path}/track`), tag(4))
    assert.equal(await etagOf('DELETE', `${path}/track`), undefined)
    assert.equal(await etagOf('GET', path), tag(5))
    const other = await send(await eve.key(), 'GET', path)
    assert.equal(other.headers.etag, tag(5))
    const owner = await app().person(['flight.read.any', 'flight.read.own'])
    assert.equal((await send(await owner.key(), 'GET', path)).headers.etag, tag(5))
    // Also in the web app, and strong whatever the content coding.
    const session = await app().request('GET', `/app/api${path}`, { cookie: await ada.session() })
    assert.equal(session.headers.etag, tag(5))
    const zipped = await fetch(`${app().url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' },
    })
    assert.equal(zipped.headers.get('etag'), tag(5))
    assert.equal(((await zipped.json()) as { data: { version: number } }).data.version, 5)
    const head = await send(key, 'HEAD', path)
    assert.equal(head.headers.etag, tag(5))
  })

  test('a read with a current tag has no body', async () => {
    const { key, flight, path, body } = await setUp()
    const tag = `"f${flight.id}-1"`
    for (const where of [path, `${path}/track`]) {
      const read = (known: string) => send(key, 'GET', where, { 'if-none-match': known })
      for (const known of [tag, `W/${tag}`, '*', `"x", ${tag}`, `W/"a",${tag} , "b"`]) {
        const reply = await read(known)
        assert.equal(reply.status, 304, known)
        assert.equal(reply.text, '')
        assert.equal(reply.headers.etag, tag)
      }
      for (const other of ['"x"', `f${flight.id}-1`, `"f${flight.id}-11"`, `"f${flight.id}-1`, '', ',']) {
        assert.equal((await read(other)).status, 200, other)
      }
    }
    await send(key, 'PUT', path, {}, { body: { ...body, note: 'later' } })
    const changed = await send(key, 'GET', path, { 'if-none-match': tag })
    assert.equal(changed.status, 200)
    assert.equal(changed.json.data.note, 'later')
    assert.equal((await send(key, 'GET', `${path}/track`, { 'if-none-match': tag })).status, 200)
    // A missing or hidden flight is reported first.
    assertError(await send(key, 'GET', '/flights/999999', { 'if-none-match': '*' }), 404, 'not_found')
    const bob = await (await app().person()).key()
    for (const where of [path, `${path}/track`]) {
      assertError(await send(bob, 'GET', where, { 'if-none-match': `"f${flight.id}-2"` }), 404, 'not_found')
    }
  })

  test('a renamed person or record keeps the tag, but makes a client’s copy incomplete', async () => {
    const { ada, key, flight, path, body } = await setUp()
    const tag = `"f${flight.id}-1"`
    const read = () => send(key, 'GET', path, { 'if-none-match': tag })
    assert.equal((await read()).status, 304)
    const cookie = await ada.session()
    const renamed = await app().request('PUT', '/app/api/me', {
      cookie,
      body: { displayName: 'Ada Renamed', username: ada.username },
    })
    assert.ok(renamed.status < 300, renamed.text)
    const after = await read()
    assert.equal(after.status, 200)
    assert.equal(after.headers.etag, tag, 'the flight itself has not changed')
    assert.equal(after.json.data.passengers[0].user.displayName, 'Ada Renamed')
    assert.equal(after.json.data.version, 1)
    // The track shows no person.
    assert.equal((await send(key, 'GET', `${path}/track`, { 'if-none-match': tag })).status, 304)
    const written = await send(key, 'PUT', path, {}, { body: { ...body, note: 'x' } })
    const known = { 'if-none-match': written.headers.etag! }
    assert.equal((await send(key, 'GET', path, known)).status, 304)

    const owner = await (await app().person('owner')).session()
    const made = await app().request('POST', '/app/api/custom-fields', {
      cookie: owner,
      body: { key: `mood_${app().engine}`, label: 'Mood', entityType: 'flight', fieldType: 'text' },
    })
    assert.equal(made.status, 201, made.text)
    assert.equal((await send(key, 'GET', path, known)).status, 200)
  })

  test('a write with a tag is applied only to that version', async () => {
    const { key, flight, path, body } = await setUp()
    const { id } = flight
    const writes: [string, string, Ask][] = [
      ['PUT', path, { body: { ...body, note: 'put' } }],
      ['PATCH', path, { body: { note: 'patch' } }],
      ['PUT', `${path}/track`, { body: track() }],
      ['DELETE', `${path}/track`, {}],
      ['DELETE', path, {}],
    ]
    const refused = ['"x"', `"f${id}-0"`, `f${id}-1`, `"f${id + 1}-1"`, '', '""', `"f${id}-1x", "y"`]
    let version = 1
    for (const [method, where, ask] of writes) {
      const tag = `"f${id}-${version}"`
      for (const wrong of [...refused, `W/${tag}`, `W/${tag}, "z"`]) {
        assertChanged(await send(key, method, where, { 'if-match': wrong }, ask), id, version)
      }
      for (const known of ['*', tag, `W/${tag}`]) {
        assertChanged(await send(key, method, where, { 'if-none-match': known }, ask), id, version)
      }
      assert.equal((await flightOf(key, id)).version, version, `${method} ${where} wrote nothing`)
      const reply = await send(key, method, where, { 'if-match': `"x",W/"y" , ${tag}` }, ask)
      assert.ok(reply.status < 300, reply.text)
      version++
    }
    assertError(await send(key, 'GET', path), 404, 'not_found')
    const listed = await app().request('GET', '/api/v1/flights/deleted', { key })
    assert.equal(listed.json.data.length, 1)
  })

  test('If-Match: * matches any version of an existing flight', async () => {
    const { key, path, body } = await setUp()
    const any = { 'if-match': '*' }
    assert.equal((await send(key, 'PUT', path, any, { body: { ...body, note: 'a' } })).status, 200)
    assert.equal((await send(key, 'PATCH', path, any, { body: { note: 'b' } })).status, 200)
    assert.equal((await send(key, 'PUT', `${path}/track`, any, { body: track() })).status, 200)
    assert.equal((await send(key, 'DELETE', `${path}/track`, any)).status, 204)
    assert.equal((await send(key, 'DELETE', path, any)).status, 204)
    for (const [method, where] of [
      ['PUT', path],
      ['PATCH', path],
      ['PUT', `${path}/track`],
      ['DELETE', `${path}/track`],
      ['DELETE', path],
      ['DELETE', `${path}?permanently=true`],
    ] as const) {
      assertError(await send(key, method, where, any, { body: {} }), 404, 'not_found')
    }
    assert.equal((await send(key, 'DELETE', `${path}?permanently=true`)).status, 204)
  })

  test('with a condition the order is credential, scope, 404, 412, 422; without one 422 comes before', async () => {
    const { ada, key, flight, path } = await setUp()
    const bad = { body: { date: 'never', coordinates: 'none' } }
    const stale = { 'if-match': '"x"' }
    const current = { 'if-match': `"f${flight.id}-1"` }
    const bob = await (await app().person()).key()
    const reader = await ada.key(['flight.read.own', 'tracks.read'])
    for (const [method, where] of [
      ['PUT', path],
      ['PATCH', path],
      ['PUT', `${path}/track`],
    ] as const) {
      const absent = where.replace(String(flight.id), '999999')
      assertError(
        await app().request(method, `/api/v1${where}`, { headers: stale, ...bad }),
        401,
        'unauthorized',
      )
      assertError(await send(reader, method, absent, stale, bad), 403, 'insufficient_scope')
      assertError(
        await send(key, method, where.replace(String(flight.id), '0'), stale, bad),
        400,
        'bad_request',
      )
      for (const headers of [stale, { 'if-match': '*' }, { 'if-none-match': '*' }]) {
        assertError(await send(key, method, absent, headers, bad), 404, 'not_found')
        assertError(await send(bob, method, where, headers, bad), 404, 'not_found')
        assertError(await send(bob, method, where, headers, { raw: '{"broken' }), 404, 'not_found')
      }
      assertChanged(await send(key, method, where, stale, bad), flight.id, 1)
      assertChanged(await send(key, method, where, stale, { raw: '{"broken' }), flight.id, 1)
      assertError(await send(key, method, where, current, bad), 422, 'validation_failed')
      for (const who of [key, bob]) {
        assertError(await send(who, method, where, {}, bad), 422, 'validation_failed')
        assertError(await send(who, method, absent, {}, bad), 422, 'validation_failed')
      }
    }
    // Missing records are reported by validation too.
    const unknown = { body: { ...(await routeOf(app())), toId: 2_000_000_000 } }
    assertChanged(await send(key, 'PUT', path, stale, unknown), flight.id, 1)
    assertError(await send(key, 'PUT', path, current, unknown), 422, 'validation_failed', ['toId'])
    assertError(await send(bob, 'PUT', path, {}, unknown), 422, 'validation_failed', ['toId'])
  })

  test('a caller who may change but not read a flight gets only its version', async () => {
    const { ada, flight, path } = await setUp()
    const writer = await ada.key(['flight.update.own'])
    const reply = await send(writer, 'PATCH', path, { 'if-match': '"x"' }, { body: { note: 'x' } })
    assertChanged(reply, flight.id, 1)
    assert.ok(!reply.text.includes('CPH') && !reply.text.includes(ada.id))
  })

  test('one of twenty concurrent writes with the same tag succeeds', async () => {
    const { key, body } = await setUp()
    const races: [string, string, (i: number) => Ask][] = [
      ['PUT', '', (i) => ({ body: { ...body, note: `writer ${i}` } })],
      ['PATCH', '', (i) => ({ body: { note: `patcher ${i}` } })],
      ['PUT', '/track', (i) => ({ body: track(i) })],
      ['DELETE', '', () => ({})],
    ]
    for (const [method, below, askOf] of races) {
      const made = await send(key, 'POST', '/flights', {}, { body })
      const { id } = made.json.data
      const headers = { 'if-match': made.headers.etag! }
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, i) => send(key, method, `/flights/${id}${below}`, headers, askOf(i))),
      )
      const winners = replies.filter((reply) => reply.status < 300)
      assert.equal(winners.length, 1, `${method}${below}`)
      if (method === 'DELETE') continue
      for (const reply of replies) if (reply !== winners[0]) assertChanged(reply, id, 2)
      const now = await flightOf(key, id)
      assert.equal(now.version, 2)
      if (below === '') assert.equal(now.note, winners[0]!.json.data.note)
    }
  })

  test('twenty concurrent patches without a condition are all merged', async () => {
    const { key, flight, path } = await setUp()
    const names = ['note', 'flightNumber', 'aircraftReg', 'departureGate', 'arrivalGate', 'arrivalTerminal']
    const replies = await Promise.all(
      names.map((name) => send(key, 'PATCH', path, {}, { body: { [name]: `new ${name}` } })),
    )
    for (const reply of replies) assert.equal(reply.status, 200, reply.text)
    const now = await flightOf(key, flight.id)
    assert.equal(now.version, 1 + names.length)
    for (const name of names) assert.equal(now[name], `new ${name}`)
  })

  test('the deprecated API saves an unchanged flight without a new version', async () => {
    const { ada, key, flight } = await setUp()
    const legacyKey = await ada.key(undefined, 'objects')
    const got = await app().request('GET', `/api/flight/get/${flight.id}`, { key: legacyKey })
    const saved = await app().request('POST', '/api/flight/save', { key: legacyKey, body: got.json.flight })
    assert.equal(saved.status, 200, saved.text)
    const now = await flightOf(key, flight.id)
    assert.equal(now.updatedAt, flight.updatedAt)
    assert.deepEqual(now, flight)
  })
})

// An instance that requires conditions

/** Every way to change one flight through v1, with its body. */
const writesTo = (path: string, body: object): [string, string, Ask][] => [
  ['PUT', path, { body: { ...body, note: 'put' } }],
  ['PATCH', path, { body: { note: 'patch' } }],
  ['PUT', `${path}/track`, { body: track() }],
  ['DELETE', `${path}/track`, {}],
  ['DELETE', path, {}],
]

onBothEngines('an instance where If-Match is optional', (app) => {
  test('the owner can require If-Match, and only programs are affected', async () => {
    const owner = await app().person('owner')
    const cookie = await owner.session()
    const settings = (method: string, body?: unknown, as = cookie) =>
      app().request(method, '/app/api/instance/settings', {
        cookie: as,
        ...(body === undefined ? {} : { body }),
      })
    const off = { requireIfMatch: false, isFixed: false, updateCheck: false, updateAddress: null }
    assert.deepEqual((await settings('GET')).json.data, off)
    const admin = await (await app().person('role-administrator')).session()
    for (const reply of [
      await settings('GET', undefined, admin),
      await settings('PUT', { requireIfMatch: true }, admin),
    ]) {
      assertError(reply, 403, 'forbidden')
    }
    for (const bad of [[], { requireIfMatch: 'yes' }, { requireIfMatch: true, isFixed: true }]) {
      assertError(await settings('PUT', bad), 422, 'validation_failed')
    }
    const body = await routeOf(app())
    const key = await owner.key()
    const { id } = await logFlight(app(), owner, body)
    const path = `/flights/${id}`
    const send = (method: string, where: string, headers = {}, ask: Ask = {}) =>
      app().request(method, `/api/v1${where}`, { key, headers, ...ask })
    assert.equal((await send('PATCH', path, {}, { body: { note: 'free' } })).status, 200)

    const on = await settings('PUT', { requireIfMatch: true })
    assert.deepEqual(on.json.data, { ...off, requireIfMatch: true })
    let version = 2
    for (const [method, where, ask] of writesTo(path, body)) {
      assertError(await send(method, where, {}, ask), 428, 'precondition_required')
      const other = where.replace(String(id), '999999')
      assertError(await send(method, other, {}, ask), 404, 'not_found')
      const bad = { body: { date: 'never' } }
      if (ask.body) assertError(await send(method, where, {}, bad), 428, 'precondition_required')
      const created = { 'if-none-match': '"x"' }
      assertError(await send(method, where, created, ask), 428, 'precondition_required')
      assertError(await send(method, where, { 'if-match': '"x"' }, ask), 412, 'precondition_failed')
      const done = await send(method, where, { 'if-match': `"f${id}-${version}"` }, ask)
      assert.ok(done.status < 300, done.text)
      version++
    }
    // A deleted flight has no version, so erasing it needs none, and neither does creating one.
    assert.equal((await send('DELETE', `${path}?permanently=true`)).status, 204)
    const made = await send('POST', '/flights', {}, { body })
    assert.equal(made.status, 201)
    const again = `/flights/${made.json.data.id}`
    // The deprecated API cannot send conditions, and the web app always sends them.
    const legacy = await app().request('GET', `/api/flight/get/${made.json.data.id}`, { key })
    const saved = await app().request('POST', '/api/flight/save', {
      key,
      body: { ...legacy.json.flight, note: 'legacy' },
    })
    assert.equal(saved.status, 200, saved.text)
    const web = await app().request('PATCH', `/app/api${again}`, { cookie, body: { note: 'web' } })
    assert.equal(web.status, 200, web.text)
    const removed = await app().request('POST', '/api/flight/delete', {
      key,
      body: { id: made.json.data.id },
    })
    assert.equal(removed.status, 200, removed.text)

    await settings('PUT', { requireIfMatch: false })
    const free = await send('POST', '/flights', {}, { body })
    assert.equal((await send('DELETE', `/flights/${free.json.data.id}`)).status, 204)
  })
})

onBothEngines(
  'an instance with REQUIRE_IF_MATCH',
  (app) => {
    test('conditions are required, and the owner cannot switch that off', async () => {
      const owner = await app().person('owner')
      const cookie = await owner.session()
      const fixed = { requireIfMatch: true, isFixed: true, updateCheck: false, updateAddress: null }
      const read = await app().request('GET', '/app/api/instance/settings', { cookie })
      assert.deepEqual(read.json.data, fixed)
      const written = await app().request('PUT', '/app/api/instance/settings', {
        cookie,
        body: { requireIfMatch: false },
      })
      assert.deepEqual(written.json.data, fixed)
      const { id } = await logFlight(app(), owner, await routeOf(app()))
      const key = await owner.key()
      const refused = await app().request('PATCH', `/api/v1/flights/${id}`, { key, body: { note: 'x' } })
      assertError(refused, 428, 'precondition_required')
    })

    test('assistants must send the version that they read', async () => {
      const ada = await app().person()
      const key = await ada.key()
      const body = await routeOf(app())
      const { id } = await logFlight(app(), ada, body)
      const call = async (name: string, given: object) => {
        const reply = await modern(app(), key, 'tools/call', { name, arguments: given })
        const { isError, content, _meta, structuredContent } = reply.json.result
        return isError
          ? { text: content[0].text as string, code: _meta['contrail/error'].code as string }
          : { data: structuredContent.data }
      }
      const update = (more: object) => call('update_flight', { id, ...body, ...more })
      assert.equal((await update({ note: 'blind' })).code, 'precondition_required')
      const stale = await update({ note: 'stale', ifVersion: 7 })
      assert.equal(stale.code, 'precondition_failed')
      assert.match(stale.text!, /changed since it was read/)
      for (const ifVersion of [0, -1, 1.5, '1', true]) {
        const wrong = await update({ note: 'wrong', ifVersion })
        assert.equal(wrong.code, 'bad_request')
        assert.match(wrong.text!, /ifVersion/)
      }
      const done = await update({ note: 'read first', ifVersion: 1 })
      assert.equal(done.data.note, 'read first')
      assert.equal((await call('delete_flight', { id })).code, 'precondition_required')
      assert.equal((await call('delete_flight', { id, ifVersion: 1 })).code, 'precondition_failed')
      assert.equal((await call('delete_flight', { id, ifVersion: 2 })).code, undefined)
    })

    test('all tool descriptions are under 42 kB, and those that change a flight accept ifVersion', async () => {
      const owner = await app().person('role-administrator')
      const key = await owner.key()
      const { text } = await modern(app(), key, 'tools/list')
      assert.ok(Buffer.byteLength(text) < 42_000, `${Buffer.byteLength(text)} bytes`)
      const { json } = await modern(app(), key, 'tools/list', {}, {}, '/api/mcp?tools=all')
      const takers = json.result.tools
        .filter((tool: { inputSchema: { properties: object } }) => 'ifVersion' in tool.inputSchema.properties)
        .map((tool: { name: string }) => tool.name)
      assert.deepEqual(takers.sort(), [
        'delete_flight',
        'delete_flight_track',
        'edit_flight',
        'set_flight_track',
        'update_flight',
      ])
    })
  },
  { requireIfMatch: true },
)
