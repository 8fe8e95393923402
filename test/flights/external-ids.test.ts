// Ids that programs give to flights: private to the person who set them, unique for that person, and a path for writes that
// can be repeated.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestApp, type TestPerson } from '../harness.ts'

const path = '/api/v1/flights'
const at = (source: string, value: string) => `${path}/by-external-id/${source}/${encodeURIComponent(value)}`

async function route(app: TestApp, more: object = {}) {
  const [fromId, toId] = await airportIds(app, 'CPH', 'OSL')
  return { date: '2026-02-20', fromId, toId, ...more }
}

const read = async (app: TestApp, key: string, address: string) => {
  const reply = await app.request('GET', address, { key })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

const eight = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`source-${i}`, `id ${i}`]))

onBothEngines('external ids', (app) => {
  let owner: Promise<TestPerson> | undefined
  /** An instance has one owner. */
  const theOwner = () => {
    owner ??= app().person('owner')
    return owner
  }

  test('PUT creates on the first request and replaces later', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const first = await app().request('PUT', at('tripit', 'a/77 ü'), { key, body: await route(app()) })
    assert.equal(first.status, 201, first.text)
    const { id } = first.json.data
    assert.equal(first.headers.location, `${path}/${id}`)
    assert.deepEqual(first.json.data.externalIds, { tripit: 'a/77 ü' })
    const again = await app().request('PUT', at('tripit', 'a/77 ü'), { key, body: await route(app()) })
    assert.equal(again.status, 200)
    assert.equal(again.headers.location, undefined)
    assert.equal(again.json.data.id, id)
    assert.equal(again.json.data.version, 1, 'a repeat changes nothing')
    const changed = await app().request('PUT', at('tripit', 'a/77 ü'), {
      key,
      body: await route(app(), { note: 'New' }),
    })
    assert.deepEqual([changed.status, changed.json.data.version], [200, 2])
    assert.equal((await read(app(), key, at('tripit', 'a/77 ü'))).note, 'New')
  })

  test('of twenty concurrent PUTs one creates the flight and the others replace it', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const body = await route(app())
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        app().request('PUT', at('race', '1'), { key, body: { ...body, note: `Writer ${i}` } }),
      ),
    )
    const statuses = replies.map((reply) => reply.status).sort()
    assert.deepEqual(statuses, [...Array.from({ length: 19 }, () => 200), 201])
    assert.equal((await read(app(), key, path)).length, 1)
    const posts = await Promise.all(
      Array.from({ length: 20 }, () =>
        app().request('POST', path, { key, body: { ...body, externalIds: { race: '2' } } }),
      ),
    )
    assert.deepEqual(posts.map((reply) => reply.status).sort(), [
      201,
      ...Array.from({ length: 19 }, () => 409),
    ])
  })

  test('an id in use is a conflict that names its flight', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const flight = await logFlight(app(), ada, await route(app(), { externalIds: { mail: 'x' } }))
    const body = await route(app(), { externalIds: { other: 'y', mail: 'x' } })
    for (const reply of [
      await app().request('POST', path, { key, body }),
      await app().request('PUT', `${path}/${(await logFlight(app(), ada, await route(app()))).id}`, {
        key,
        body,
      }),
      await app().request('PUT', at('other', 'y'), { key, body }),
    ]) {
      assertError(reply, 409, 'conflict', ['externalIds', 'mail'])
      assert.equal(reply.json.error.details[0].code, 'external_id')
      assert.equal(reply.headers.location, `${path}/${flight.id}`)
    }
    const missing = await app().request('GET', at('other', 'y'), { key })
    assertError(missing, 404, 'not_found')
  })

  test('two people may use the same source and value, also for one flight, and see only their own', async () => {
    const [ada, bob, owner] = [await app().person(), await app().person(), await theOwner()]
    const keys = { ada: await ada.key(), bob: await bob.key(), owner: await owner.key() }
    const both = await route(app(), { passengers: [{ userId: ada.id }, { userId: bob.id }] })
    const shared = await app().request('PUT', at('app', '1'), { key: keys.ada, body: both })
    assert.equal(shared.status, 201, shared.text)
    const { id } = shared.json.data
    const own = await app().request('PUT', at('app', '1'), { key: keys.bob, body: await route(app()) })
    assert.equal(own.status, 201, 'the id of another person is free')
    assert.notEqual(own.json.data.id, id)
    const named = await app().request('PUT', `${path}/${id}`, {
      key: keys.owner,
      body: { ...both, passengers: undefined, externalIds: { app: '1' } },
    })
    assert.equal(named.status, 200, named.text)
    assert.deepEqual(named.json.data.externalIds, { app: '1' })
    assert.equal(named.json.data.version, 2, 'setting an id is a change')
    assert.deepEqual((await read(app(), keys.bob, `${path}/${id}`)).externalIds, {})
    assertError(await app().request('GET', at('app', '2'), { key: keys.bob }), 404, 'not_found')
    // The same list of everyone's flights, read by people with different ids.
    const boss = await app().person('role-administrator')
    const bossKey = await boss.key()
    for (let round = 0; round < 3; round++) {
      for (const [key, ids] of [
        [keys.owner, { app: '1' }],
        [bossKey, {}],
      ] as const) {
        const listed = await read(app(), key, `${path}?scope=user&userId=${ada.id}`)
        assert.deepEqual(listed.find((flight: { id: number }) => flight.id === id).externalIds, ids)
        const all = await app().request('GET', `${path}?scope=all&limit=100`, { key })
        const found = all.json.data.find((flight: { id: number }) => flight.id === id)
        assert.deepEqual(found.externalIds, ids)
      }
    }
    for (const [key, ids] of [
      [keys.owner, { app: '1' }],
      [bossKey, {}],
    ] as const) {
      const exported = await app().request('GET', `${path}/export?scope=user&userId=${ada.id}`, { key })
      assert.deepEqual(exported.json.flights[0].meta.externalIds, ids)
      assert.deepEqual([exported.json.flights[0].meta.id, exported.json.flights[0].meta.version], [id, 2])
    }
  })

  test('a ninth id, and sources and values of the wrong form, are refused', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const send = async (externalIds: unknown) =>
      app().request('POST', path, { key, body: await route(app(), { externalIds }) })
    const good = await send(eight)
    assert.equal(good.status, 201, good.text)
    assert.deepEqual(good.json.data.externalIds, eight)
    assertError(await send({ ...eight, ninth: '9' }), 422, 'validation_failed', ['externalIds'])
    for (const source of ['Upper', '-dash', '', 'a b', 'x'.repeat(33)]) {
      assertError(await send({ [source]: '1' }), 422, 'validation_failed', ['externalIds', source])
    }
    for (const value of ['', 'x'.repeat(201), 'line\nbreak', 1, null, ['a']]) {
      assertError(await send({ ok: value }), 422, 'validation_failed', ['externalIds', 'ok'])
    }
    const long = await send({ ok: '😀'.repeat(200), 'a.b_c-1': '~' })
    assert.equal(long.status, 201, long.text)
    assert.equal((await read(app(), key, at('ok', '😀'.repeat(200)))).id, long.json.data.id)
    for (const bad of ['Upper/1', 'ok/%0A', `ok/${'x'.repeat(201)}`]) {
      const reply = await app().request('GET', `${path}/by-external-id/${bad}`, { key })
      assertError(reply, 400, 'bad_request')
    }
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { body: await route(app()) } : {}
      const reply = await app().request(method, `${at('ok', '1')}?permanently=true`, { key, ...body })
      assertError(reply, 400, 'bad_request')
    }
    assertError(await app().request('PUT', at('ok', '1'), { key, body: {} }), 422, 'validation_failed')
  })

  test('a PUT keeps absent ids, replaces given ones and deletes them with null', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const { id } = await logFlight(app(), ada, await route(app(), { externalIds: { a: '1', b: '2' } }))
    const put = async (more: object, address = `${path}/${id}`) =>
      (await app().request('PUT', address, { key, body: await route(app(), more) })).json.data
    assert.deepEqual((await put({ note: 'Kept' })).externalIds, { a: '1', b: '2' })
    const same = await put({ note: 'Kept', externalIds: { b: '2', a: '1' } })
    assert.equal(same.version, 2, 'the same ids change nothing')
    assert.deepEqual((await put({ externalIds: { b: '3' } })).externalIds, { b: '3' })
    assert.deepEqual((await put({}, at('b', '3'))).externalIds, { b: '3' })
    const swapped = await put({ externalIds: { b: '3', c: '4' } }, at('b', '3'))
    assert.deepEqual(swapped.externalIds, { b: '3', c: '4' })
    const other = await app().request('PUT', at('b', '3'), {
      key,
      body: await route(app(), { externalIds: { b: 'other' } }),
    })
    assertError(other, 422, 'validation_failed', ['externalIds', 'b'])
    assert.deepEqual((await put({ externalIds: null })).externalIds, {})
    assertError(await app().request('GET', at('b', '3'), { key }), 404, 'not_found')
  })

  test('conditions allow create only, replace only, or only the version that was read', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const put = (headers: Record<string, string>, body: object) =>
      app().request('PUT', at('cond', '1'), { key, headers, body })
    const body = await route(app())
    assertError(await put({ 'if-match': '*' }, body), 404, 'not_found')
    assertError(await put({ 'if-match': '"f1-1"' }, {}), 404, 'not_found')
    const created = await put({ 'if-none-match': '*' }, body)
    assert.equal(created.status, 201, created.text)
    const { id } = created.json.data
    assert.equal(created.headers.etag, `"f${id}-1"`)
    const exists = await put({ 'if-none-match': '*' }, {})
    assertError(exists, 412, 'precondition_failed')
    assert.equal(exists.headers.etag, `"f${id}-1"`)
    assertError(await put({ 'if-match': '"f1-99"' }, {}), 412, 'precondition_failed')
    const replaced = await put({ 'if-match': `"f${id}-1"` }, { ...body, note: 'Two' })
    assert.deepEqual([replaced.status, replaced.headers.etag], [200, `"f${id}-2"`])
    const known = await app().request('GET', at('cond', '1'), {
      key,
      headers: { 'if-none-match': `"f${id}-2"` },
    })
    assert.equal(known.status, 304)
    const headers = { 'if-match': `"f${id}-1"` }
    const patched = await app().request('PATCH', at('cond', '1'), { key, headers, body: { note: 'No' } })
    assertError(patched, 412, 'precondition_failed')
    const kept = await app().request('DELETE', at('cond', '1'), { key, headers })
    assertError(kept, 412, 'precondition_failed')
    const gone = await app().request('DELETE', at('cond', '1'), {
      key,
      headers: { 'if-match': `"f${id}-2"` },
    })
    assert.equal(gone.status, 204)
  })

  test('PATCH changes single ids and keeps the others', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const { id } = await logFlight(app(), ada, await route(app(), { externalIds: { a: '1', b: '2' } }))
    const patch = async (address: string, body: object) => app().request('PATCH', address, { key, body })
    const byId = await patch(`${path}/${id}`, { externalIds: { a: null, c: '3' } })
    assert.deepEqual(byId.json.data?.externalIds, { b: '2', c: '3' }, byId.text)
    const same = await patch(at('b', '2'), { externalIds: { c: '3' }, note: null })
    assert.deepEqual([same.status, same.json.data.version], [200, byId.json.data.version])
    const noted = await patch(at('b', '2'), { note: 'Patched' })
    assert.deepEqual([noted.json.data.note, noted.json.data.externalIds], ['Patched', { b: '2', c: '3' }])
    const many = await patch(at('b', '2'), { externalIds: eight })
    assertError(many, 422, 'validation_failed', ['externalIds'])
    await logFlight(app(), ada, await route(app(), { externalIds: { d: '4' } }))
    assertError(await patch(at('b', '2'), { externalIds: { d: '4' } }), 409, 'conflict', ['externalIds', 'd'])
    assertError(await patch(at('none', '2'), { note: 'x' }), 404, 'not_found')
    assertError(await patch(at('b', '2'), { nothing: 1 }), 422, 'validation_failed', ['nothing'])
    const query = await app().request('PATCH', `${at('b', '2')}?x=1`, { key, body: {} })
    assertError(query, 400, 'bad_request')
    assert.deepEqual((await patch(at('b', '2'), { externalIds: null })).json.data.externalIds, {})
  })

  test('a PUT needs the scope for creating or updating, depending on whether the flight exists', async () => {
    const ada = await app().person()
    const body = await route(app())
    const [creator, updater, reader] = [
      await ada.key(['flight.create.own']),
      await ada.key(['flight.update.own']),
      await ada.key(['flight.read.own']),
    ]
    const put = (key: string) => app().request('PUT', at('scoped', '1'), { key, body })
    assertError(await put(reader), 403, 'insufficient_scope')
    assertError(await put(updater), 403, 'insufficient_scope')
    assert.equal((await put(creator)).status, 201)
    assertError(await put(creator), 403, 'insufficient_scope')
    assert.equal((await put(updater)).status, 200)
    const powerless = await app().person(['flight.read.own'])
    const refused = await app().request('PUT', at('scoped', '1'), { key: await powerless.key(), body })
    assertError(refused, 403, 'forbidden')
  })

  test('deletion frees ids; a restored flight gets back those still free', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const old = await logFlight(app(), ada, await route(app(), { externalIds: { a: '1', b: '2' } }))
    const gone = await app().request('DELETE', at('a', '1'), { key })
    assert.equal(gone.status, 204, gone.text)
    assertError(await app().request('DELETE', at('a', '1'), { key }), 404, 'not_found')
    const next = await app().request('PUT', at('a', '1'), { key, body: await route(app()) })
    assert.equal(next.status, 201)
    assert.notEqual(next.json.data.id, old.id)
    const back = await app().request('POST', `${path}/${old.id}/restore`, { key })
    assert.equal(back.status, 200, back.text)
    assert.deepEqual(back.json.data.externalIds, { b: '2' })
    assert.equal((await read(app(), key, at('a', '1'))).id, next.json.data.id)
    assert.equal((await read(app(), key, at('b', '2'))).id, old.id)
  })

  test('a person who leaves a flight or is removed loses their ids on it, others keep theirs', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const [adaKey, bobKey] = [await ada.key(), await bob.key()]
    const passengers = [{ userId: ada.id }, { userId: bob.id }]
    const flight = async () =>
      (await logFlight(app(), ada, await route(app(), { passengers, externalIds: {} }))).id
    const name = async (id: number, who: string, value: string) => {
      const body = await route(app(), { externalIds: { app: value } })
      const reply = await app().request('PUT', `${path}/${id}`, { key: who, body })
      assert.equal(reply.status, 200, reply.text)
    }
    const left = await flight()
    await name(left, adaKey, 'left')
    await name(left, bobKey, 'left')
    const cookie = await bob.session()
    const notices = await app().request('GET', '/app/api/notices', { cookie })
    const { id: notice } = notices.json.data.find(
      (found: { data: { flightId: number } }) => found.data.flightId === left,
    )
    const leave = await app().request('POST', `/app/api/notices/${notice}/leave`, { cookie })
    assert.ok(leave.status < 300, leave.text)
    const removed = await flight()
    await name(removed, bobKey, 'removed')
    const without = await app().request('PUT', `${path}/${removed}`, {
      key: adaKey,
      body: await route(app(), { passengers: [{ userId: ada.id }] }),
    })
    assert.equal(without.status, 200, without.text)
    for (const value of ['left', 'removed']) {
      const again = await app().request('PUT', at('app', value), { key: bobKey, body: await route(app()) })
      assert.equal(again.status, 201, 'the id is free')
    }
    assert.equal((await read(app(), adaKey, at('app', 'left'))).id, left)
  })

  test('an id on a flight outside the role’s reach can be used again', async () => {
    const [ada, boss] = [await app().person(), await app().person('role-administrator')]
    const flight = await logFlight(app(), ada, await route(app()))
    const key = await boss.key()
    const named = await app().request('PUT', `${path}/${flight.id}`, {
      key,
      body: await route(app(), { externalIds: { app: 'far' } }),
    })
    assert.equal(named.status, 200, named.text)
    const owner = await theOwner()
    const demoted = await app().request('PUT', `/app/api/users/${boss.id}/role`, {
      cookie: await owner.session(),
      body: { roleId: 'role-user' },
    })
    assert.ok(demoted.status < 300, demoted.text)
    assertError(await app().request('GET', at('app', 'far'), { key }), 404, 'not_found')
    const mine = await app().request('PUT', at('app', 'far'), { key, body: await route(app()) })
    assert.equal(mine.status, 201, mine.text)
    assert.notEqual(mine.json.data.id, flight.id)
  })
})
