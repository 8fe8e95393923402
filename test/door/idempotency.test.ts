// A POST with an idempotency key runs once: repeats get the first response, byte for byte.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR } from '../../server/domain/time/durations.ts'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { airportIds, assertError } from '../fixtures.ts'
import { onBothEngines, type Reply, type TestApp } from '../harness.ts'
import { connect, exchange, refreshExchange } from '../oauth/browser.ts'
import { until } from '../until.ts'

const path = '/api/v1/flights'

async function route(app: TestApp, more: object = {}) {
  const [fromId, toId] = await airportIds(app, 'CPH', 'OSL')
  return { date: '2026-02-20', fromId, toId, ...more }
}

const post = (app: TestApp, key: string, name: string, body: unknown, address = path): Promise<Reply> =>
  app.request('POST', address, { key, body, headers: { 'idempotency-key': name } })

const countOf = async (app: TestApp, key: string) =>
  (await app.request('GET', `${path}?limit=100`, { key })).json.data.length

const replayed = (reply: Reply) => reply.headers['idempotency-replayed']

onBothEngines('idempotency keys', (app) => {
  test('a repeat gets the first response and changes nothing', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const first = await post(app(), key, 'k 1', await route(app()))
    assert.equal(first.status, 201, first.text)
    assert.equal(replayed(first), undefined)
    // Later changes of the flight are not in the response.
    const { id } = first.json.data
    await app().request('PUT', `${path}/${id}`, { key, body: await route(app(), { note: 'Later' }) })
    const again = await post(app(), key, 'k 1', await route(app()))
    assert.deepEqual(
      [again.status, again.text, again.headers.location, again.headers.etag],
      [201, first.text, first.headers.location, first.headers.etag],
    )
    assert.equal(again.headers['content-type'], first.headers['content-type'])
    assert.equal(again.headers['cache-control'], 'private, no-store')
    assert.equal(replayed(again), 'true')
    assert.equal(await countOf(app(), key), 1)
    const other = await post(app(), key, 'k 2', await route(app()))
    assert.equal(other.status, 201)
    assert.equal(await countOf(app(), key), 2)
  })

  test('a repeat in the web app works after signing in again, and never as another person', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const body = await route(app())
    const send = async (cookie: string, as: { id: string }) =>
      app().request('POST', '/app/api/flights', {
        cookie,
        body,
        headers: { 'idempotency-key': 'offline 1', 'x-contrail-person': as.id },
      })
    const first = await send(await ada.session(), ada)
    assert.equal(first.status, 201, first.text)
    const again = await send(await ada.session(), ada)
    assert.deepEqual([again.status, again.text, replayed(again)], [201, first.text, 'true'])
    assert.equal(await countOf(app(), await ada.key()), 1)
    // Ada's change was pending in a browser where Bob has signed in since.
    assertError(await send(await bob.session(), ada), 401, 'unauthorized')
    assert.equal(await countOf(app(), await bob.key()), 0)
    assert.equal((await send(await bob.session(), bob)).status, 201, 'keys belong to a person')
  })

  test('twenty concurrent requests create one flight and get equal responses', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const body = await route(app())
    const settled = () =>
      until('the first request has its response', async () => {
        const reply = await post(app(), key, 'race', body)
        if (reply.status !== 409) return reply
        assert.equal(reply.headers['retry-after'], '1')
        return undefined
      })
    const replies = await Promise.all(Array.from({ length: 20 }, settled))
    assert.equal(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1)
    assert.equal(replies[0]!.status, 201)
    assert.equal(replies.filter((reply) => replayed(reply) === undefined).length, 1)
    assert.equal(await countOf(app(), key), 1)
  })

  test('a key with another body or query is refused; another address or credential is a new request', async () => {
    const ada = await app().person()
    const [key, otherKey] = [await ada.key(), await ada.key()]
    assert.equal((await post(app(), key, 'same', await route(app()))).status, 201)
    const different = await post(app(), key, 'same', await route(app(), { note: 'Other' }))
    assertError(different, 422, 'validation_failed')
    assert.equal(different.json.error.details[0].code, 'idempotency_mismatch')
    assert.equal(replayed(different), undefined)
    assertError(await post(app(), key, 'same', await route(app()), `${path}?a=1`), 422, 'validation_failed')
    const log = { from: 'CPH', to: 'OSL', date: '2026-02-20', confirmDuplicate: true }
    const logged = await post(app(), key, 'same', log, `${path}/log`)
    assert.equal(logged.status, 201, logged.text)
    assert.equal((await post(app(), key, 'same', log, `${path}/log/`)).text, logged.text)
    assert.equal((await post(app(), otherKey, 'same', await route(app()))).status, 201)
    assert.equal(await countOf(app(), key), 3)
  })

  test('an application keeps its keys when its token is renewed', async () => {
    const { flow, tokens } = await connect(app(), 'flight.create.own')
    const first = await post(app(), tokens.access_token, 'grant', await route(app()))
    assert.equal(first.status, 201, first.text)
    const renewed = await exchange(app(), refreshExchange(flow, tokens.refresh_token))
    const again = await post(app(), renewed.access_token, 'grant', await route(app()))
    assert.deepEqual([again.text, replayed(again)], [first.text, 'true'])
  })

  test('refusals of the request are stored, refusals of the caller are not', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const bad = await route(app(), { date: 'never' })
    const first = await post(app(), key, 'bad', bad)
    assertError(first, 422, 'validation_failed', ['date'])
    const again = await post(app(), key, 'bad', bad)
    assert.deepEqual([again.status, again.text, replayed(again)], [422, first.text, 'true'])
    assertError(await post(app(), key, 'bad', await route(app())), 422, 'validation_failed')

    const missing = await post(app(), key, 'missing', undefined, `${path}/2147483647/restore`)
    assertError(missing, 404, 'not_found')
    const still = await post(app(), key, 'missing', undefined, `${path}/2147483647/restore`)
    assert.deepEqual([still.text, replayed(still)], [missing.text, 'true'])

    const taken = await route(app(), { externalIds: { app: '1' } })
    assert.equal((await app().request('POST', path, { key, body: taken })).status, 201)
    const conflict = await post(app(), key, 'taken', taken)
    assertError(conflict, 409, 'conflict')
    const sameConflict = await post(app(), key, 'taken', taken)
    assert.deepEqual(
      [sameConflict.text, sameConflict.headers.location, replayed(sameConflict)],
      [conflict.text, conflict.headers.location, 'true'],
    )

    const broken = await app().request('POST', path, {
      key,
      raw: '{"date":',
      headers: { 'idempotency-key': 'broken' },
    })
    assertError(broken, 400, 'invalid_json')
    assert.equal((await post(app(), key, 'broken', await route(app()))).status, 201)

    const guest = await route(app(), { passengers: [{ guestName: 'Bo' }] })
    const refused = await post(app(), key, 'role', guest)
    assertError(refused, 403, 'forbidden')
    assert.equal(replayed(await post(app(), key, 'role', guest)), undefined)
    const none = await post(app(), 'ctk_nothing', 'none', await route(app()))
    assertError(none, 401, 'unauthorized')
  })

  test('keys of the wrong form are refused, and other methods ignore them', async () => {
    const ada = await app().person()
    const key = await ada.key()
    for (const name of ['', 'x'.repeat(201), 'tab\there', 'é']) {
      assertError(await post(app(), key, name, await route(app())), 400, 'bad_request')
    }
    assert.equal((await post(app(), key, 'x'.repeat(200), await route(app()))).status, 201)
    const headers = { 'idempotency-key': 'é' }
    assert.equal((await app().request('GET', path, { key, headers })).status, 200)
    const put = await app().request('PUT', `${path}/by-external-id/a/1`, {
      key,
      headers,
      body: await route(app()),
    })
    assert.equal(put.status, 201)
  })

  test('operations that return a secret refuse a key and store nothing', async () => {
    const key = await (await app().person()).key()
    const requests: [string, object][] = [
      ['/api/v1/webhooks', { url: 'https://example.org/hook' }],
      ['/api/v1/feeds', { kind: 'ical', name: 'Flights' }],
    ]
    for (const [address, body] of requests) {
      const refusal = await post(app(), key, 'secret', body, address)
      assertError(refusal, 400, 'bad_request')
      assert.equal(refusal.json.error.reason, 'idempotency_key_refused')
      const { json } = await app().request('GET', address, { key })
      assert.deepEqual(json.data, [])
    }
  })

  test('a key expires after 24 hours', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const first = await post(app(), key, 'daily', await route(app()))
    app().clock.advance(24 * HOUR - 1000)
    assert.equal((await post(app(), key, 'daily', await route(app()))).text, first.text)
    app().clock.advance(1000)
    const fresh = await post(app(), key, 'daily', await route(app(), { note: 'Next day' }))
    assert.equal(fresh.status, 201, 'a key that has expired is new, whatever its body was')
    assert.equal((await post(app(), key, 'daily', await route(app(), { note: 'Next day' }))).text, fresh.text)
    app().clock.advance(24 * HOUR)
    await deleteExpired(app().store, app().clock.now())
    assert.deepEqual(await app().store.read.query('select * from idempotency', []), [])
  })
})
