// Webhooks as their owner manages them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Scope } from '../../server/domain/access/access.ts'
import { assertError } from '../fixtures.ts'
import { onBothEngines, onSqlite, testOnSqlite } from '../harness.ts'
import { createHook, createTestDeliveries, type Receiver, startReceiver, withStatus } from './receiver.ts'

const URL_OF = 'https://receiver.example/path/s3cret-of-the-receiver?token=abc'

onBothEngines('webhooks', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  const send = (method: string, path: string, key: string, body?: unknown) =>
    app().request(method, `/api/v1${path}`, body === undefined ? { key } : { key, body })

  test('create-webhook, get-webhook, list-webhooks: the secret is shown once', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const body = {
      url: URL_OF,
      events: ['flight.created', 'flight.updated', 'flight.removed', 'ping'],
      scope: 'mine',
      payload: 'thin',
      description: 'Home Assistant',
    }
    const made = await send('POST', '/webhooks', key, body)
    assert.equal(made.status, 201, made.text)
    const { secret, id, ...shown } = made.json.data
    assert.equal(made.headers.location, `/api/v1/webhooks/${id}`)
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/)
    assert.equal(Buffer.from(secret.slice(6), 'base64').length, 24)
    const { url, events, scope, payload, description, status, lastDelivery } = shown
    assert.deepEqual({ url, events, scope, payload, description }, body)
    assert.deepEqual([status, lastDelivery], ['active', null])

    const read = await send('GET', `/webhooks/${id}`, key)
    assert.deepEqual(read.json.data, { id, ...shown })
    const all = await send('GET', '/webhooks', key)
    assert.deepEqual(all.json, { data: [{ id, ...shown }], page: { nextCursor: null } })
    assert.ok(!(read.text + all.text).includes('whsec_'))
    const [row] = await app().store.read.query(`select secret from webhook where id = ${id}`, [])
    assert.ok(!String(row!['secret']).includes(secret.slice(6)), 'the secret is stored in clear text')
    assert.ok(!app().logged.join('\n').includes(secret.slice(6)))
    // Receivers have secrets in their addresses.
    assert.ok(!app().logged.join('\n').includes('s3cret-of-the-receiver'))
  })

  test('create-webhook: defaults apply, and bad bodies and addresses are refused', async () => {
    const key = await (await app().person()).key()
    const { events, scope, payload, description } = await createHook(app(), key, {
      url: 'https://a.example/',
    })
    assert.deepEqual(
      [events, scope, payload, description],
      [['flight.created', 'flight.updated', 'flight.removed', 'ping'], 'mine', 'full', ''],
    )
    const bad: [object, string[]][] = [
      [{}, ['url']],
      [{ url: '' }, ['url']],
      [{ url: URL_OF, events: [] }, ['events']],
      [{ url: URL_OF, events: ['flight.eaten'] }, ['events', '0']],
      [{ url: URL_OF, scope: 'user' }, ['scope']],
      [{ url: URL_OF, payload: 'fat' }, ['payload']],
      [{ url: URL_OF, description: 'x'.repeat(201) }, ['description']],
      [{ url: `https://a.example/${'x'.repeat(2000)}` }, ['url']],
      [{ url: URL_OF, secret: 'whsec_mine' }, ['secret']],
    ]
    for (const [body, path] of bad)
      assertError(await send('POST', '/webhooks', key, body), 422, 'validation_failed', path)
    assertError(await app().request('POST', '/api/v1/webhooks', { key, raw: '{' }), 400, 'invalid_json')
    assertError(await send('GET', '/webhooks?limit=3', key), 400, 'bad_request')
  })

  const refused = [
    'not a url',
    'ftp://a.example/',
    'http://a.example/',
    'https://user:pass@a.example/',
    'https://user@a.example/',
    'https://a.example/#part',
    'https://10.0.0.1/',
    'https://172.16.3.4/',
    'https://192.168.1.1/hook',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0.0.0.0/',
    'http://0.0.0.0:3000/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://[ff02::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[2002:0a00:0001::]/',
    // Other notations of 127.0.0.1 and 10.0.0.1
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'https://167772161/',
    'https://0xa.0.0.1/',
    'https://012.0.0.1/',
    'https://１０.0.0.1/',
  ]
  sqliteTest('private addresses are refused in every notation', async () => {
    const key = await (await app().person()).key()
    for (const url of refused) {
      const reply = await send('POST', '/webhooks', key, { url })
      assert.equal(reply.status, 422, url)
      assertError(reply, 422, 'validation_failed', ['url'])
    }
    const { id } = await createHook(app(), key, { url: URL_OF })
    assertError(
      await send('PUT', `/webhooks/${id}`, key, { url: 'https://10.1.2.3/' }),
      422,
      'validation_failed',
      ['url'],
    )
    assert.equal((await send('GET', `/webhooks/${id}`, key)).json.data.url, URL_OF)
    // This instance is on loopback itself, so a receiver may be on the same machine.
    await createHook(app(), key, { url: 'http://127.0.0.1:9/' })
    await createHook(app(), key, { url: 'http://localhost:9/' })
    await createHook(app(), key, { url: 'http://[::1]:9/' })
  })

  test('webhooks need the scopes for managing and reading, and all flights the any scope', async () => {
    const ada = await app().person()
    const create = async (scopes: Scope[], scope: string) =>
      send('POST', '/webhooks', await ada.key(scopes), { url: URL_OF, scope })
    assertError(await create(['webhooks.manage'], 'mine'), 403, 'insufficient_scope')
    assertError(await create(['flight.read.own'], 'mine'), 403, 'insufficient_scope')
    assertError(await create(['webhooks.manage', 'flight.read.own'], 'all'), 403, 'insufficient_scope')
    // Her role does not include everyone's flights.
    assertError(await create(['webhooks.manage', 'flight.read.any'], 'all'), 403, 'forbidden')
    assert.equal((await create(['webhooks.manage', 'flight.read.own'], 'mine')).status, 201)
    const admin = await app().person('role-administrator')
    const wide = await admin.key(['webhooks.manage', 'flight.read.any'])
    const { id } = await createHook(app(), wide, { url: URL_OF, scope: 'all' })
    const narrow = await admin.key(['webhooks.manage', 'flight.read.own'])
    assertError(
      await send('PUT', `/webhooks/${id}`, narrow, { url: URL_OF, scope: 'all' }),
      403,
      'insufficient_scope',
    )
  })

  test('a person may have five webhooks, also with concurrent requests', async () => {
    const key = await (await app().person()).key()
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => send('POST', '/webhooks', key, { url: URL_OF })),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 201, 201, 201, 201, 409, 409, 409])
    const full = replies.find(({ status }) => status === 409)!
    assert.equal(full.json.error.reason, 'too_many_webhooks')
  })

  test('update-webhook, delete-webhook: changes are in the audit trail', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const cookie = await ada.session()
    const { id } = await createHook(app(), key, { url: URL_OF, description: 'One' })
    app().clock.advance(1000)
    const changed = await send('PUT', `/webhooks/${id}`, key, {
      url: 'https://other.example/x',
      events: ['ping', 'ping'],
    })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(
      [changed.json.data.url, changed.json.data.events, changed.json.data.description],
      ['https://other.example/x', ['ping'], ''],
    )
    assert.notEqual(changed.json.data.updatedAt, changed.json.data.createdAt)
    assert.equal((await send('POST', `/webhooks/${id}/rotate-secret`, key)).status, 200)
    assert.equal((await send('DELETE', `/webhooks/${id}`, key)).status, 204)
    assertError(await send('GET', `/webhooks/${id}`, key), 404, 'not_found')
    const trail = await app().request('GET', '/app/api/audit/mine', { cookie })
    assert.deepEqual(
      trail.json.data.map(({ kind }: { kind: string }) => kind),
      ['webhook.deleted', 'webhook.secret-rotated', 'webhook.updated', 'webhook.created'],
    )
    assert.deepEqual(trail.json.data[3].details, {
      webhook: id,
      name: 'One',
      host: 'receiver.example',
      scope: 'mine',
    })
    assert.ok(!trail.text.includes('whsec_'))
  })

  test('another person’s webhook is not found', async () => {
    const { id } = await createHook(app(), await (await app().person()).key(), { url: URL_OF })
    const key = await (await app().person('owner')).key()
    const calls: [string, string, object?][] = [
      ['GET', ''],
      ['PUT', '', { url: URL_OF }],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/ping'],
      ['GET', '/deliveries'],
      ['POST', '/deliveries/1/retry'],
    ]
    for (const [method, path, body] of calls) {
      assertError(await send(method, `/webhooks/${id}${path}`, key, body), 404, 'not_found')
      assertError(await send(method, `/webhooks/x${path}`, key, body), 400, 'bad_request')
      assertError(await send(method, `/webhooks/${id}${path}?near=miss`, key, body), 400, 'bad_request')
    }
  })

  let receiver: Receiver & { close(): Promise<void> }
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  test('ping-webhook, list-webhook-deliveries, retry-webhook-delivery: deliveries are sent, listed and repeated', async () => {
    const key = await (await app().person()).key()
    const { id } = await createHook(app(), key, { url: receiver.url, events: ['flight.created'] })
    const deliveries = createTestDeliveries(app())
    receiver.respond = withStatus(200, `Thanks\u0000 ü${'x'.repeat(2000)}`)
    const ping = await send('POST', `/webhooks/${id}/ping`, key)
    assert.equal(ping.status, 200, ping.text)
    assert.deepEqual(
      [ping.json.data.state, ping.json.data.event, ping.json.data.attempts],
      ['waiting', 'ping', []],
    )
    await deliveries.deliverDue()
    const [got] = receiver.take()
    assert.deepEqual([got!.json.type, got!.json.data, got!.path], ['ping', { webhookId: id }, '/hook'])
    const listed = await send('GET', `/webhooks/${id}/deliveries`, key)
    const [first] = listed.json.data
    assert.deepEqual(
      [first.state, first.status, first.error, first.nextAttemptAt],
      ['delivered', 200, null, null],
    )
    assert.equal(first.messageId, got!.headers['webhook-id'])
    assert.equal(first.response, `Thanks ü${'x'.repeat(1024 - 10)}`)
    assert.equal(typeof first.ms, 'number')
    assert.deepEqual(
      first.attempts.map(({ status }: { status: number }) => status),
      [200],
    )
    const shown = (await send('GET', `/webhooks/${id}`, key)).json.data.lastDelivery
    assert.deepEqual([shown.id, shown.status], [first.id, 200])

    // Sent again on request, with the same id.
    const again = await send('POST', `/webhooks/${id}/deliveries/${first.id}/retry`, key)
    assert.deepEqual([again.status, again.json.data.state], [200, 'waiting'])
    await deliveries.deliverDue()
    assert.equal(receiver.take()[0]!.headers['webhook-id'], first.messageId)
    assertError(await send('POST', `/webhooks/${id}/deliveries/999999/retry`, key), 404, 'not_found')

    // A failed ping is not repeated and does not count against the webhook.
    receiver.respond = withStatus(500)
    await send('POST', `/webhooks/${id}/ping`, key)
    await deliveries.deliverDue()
    const page = await send('GET', `/webhooks/${id}/deliveries?limit=1`, key)
    assert.deepEqual([page.json.data[0].state, page.json.data[0].status], ['failed', 500])
    assert.equal((await send('GET', `/webhooks/${id}`, key)).json.data.failingSince, null)
    const next = await send(
      'GET',
      `/webhooks/${id}/deliveries?limit=1&cursor=${page.json.page.nextCursor}`,
      key,
    )
    assert.deepEqual([next.json.data[0].id, next.json.page.nextCursor], [first.id, null])
    assertError(await send('GET', `/webhooks/${id}/deliveries?cursor=nonsense`, key), 400, 'bad_request')
  })
})

onSqlite(
  'webhooks of a server on the internet',
  (app) => {
    test('loopback addresses and plain http are refused', async () => {
      const key = await (await app().person()).key()
      for (const url of [
        'http://127.0.0.1/',
        'https://127.0.0.1/',
        'https://localhost/',
        'https://[::1]/',
        'http://localhost/',
        'https://x.localhost/',
      ]) {
        const reply = await app().request('POST', '/api/v1/webhooks', { key, body: { url } })
        assertError(reply, 422, 'validation_failed', ['url'])
      }
    })

    test('the instance may have fifty webhooks', async () => {
      for (let i = 0; i < 10; i++) {
        const key = await (await app().person()).key()
        for (let n = 0; n < 5; n++) await createHook(app(), key, { url: URL_OF })
      }
      const key = await (await app().person()).key()
      const reply = await app().request('POST', '/api/v1/webhooks', { key, body: { url: URL_OF } })
      assertError(reply, 409, 'conflict')
      assert.equal(reply.json.error.reason, 'too_many_webhooks_here')
    })
  },
  { origin: 'https://flights.example.org' },
)

onSqlite(
  'webhooks of a server that other machines reach, at a local address',
  (app) => {
    test('loopback addresses are refused, and the error names the setting', async () => {
      const key = await (await app().person()).key()
      for (const url of [
        'http://localhost:1/',
        'http://127.0.0.1:1/',
        'https://[::1]/',
        'http://x.localhost/',
      ]) {
        const reply = await app().request('POST', '/api/v1/webhooks', { key, body: { url } })
        assertError(reply, 422, 'validation_failed', ['url'])
        const [detail] = reply.json.error.details
        assert.equal(detail.reason, 'webhook_url_private', url)
        assert.match(detail.message, /WEBHOOK_PRIVATE_ADDRESSES/)
      }
    })
  },
  { host: '0.0.0.0' },
)

onSqlite(
  'webhooks where private addresses are permitted',
  (app) => {
    test('loopback addresses are accepted, also over http', async () => {
      const key = await (await app().person()).key()
      await createHook(app(), key, { url: 'http://localhost:8123/' })
    })

    test('a home network is accepted over https', async () => {
      const key = await (await app().person()).key()
      await createHook(app(), key, { url: 'https://192.168.1.20:8123/api/webhook/x' })
      const plain = { url: 'http://192.168.1.20:8123/' }
      assertError(
        await app().request('POST', '/api/v1/webhooks', { key, body: plain }),
        422,
        'validation_failed',
        ['url'],
      )
    })
  },
  { origin: 'https://flights.example.org', webhookPrivateAddresses: true },
)

onSqlite(
  'webhooks that are switched off',
  (app) => {
    test('operations that send are refused, reading and deleting still work', async () => {
      const ada = await app().person()
      const key = await ada.key()
      app().config.webhooks = true
      const { id } = await createHook(app(), key, { url: URL_OF })
      app().config.webhooks = false
      const call = (method: string, path: string, body?: object) =>
        app().request(method, `/api/v1/webhooks${path}`, body ? { key, body } : { key })
      for (const reply of [
        await call('POST', '', { url: URL_OF }),
        await call('PUT', `/${id}`, { url: URL_OF }),
        await call('POST', `/${id}/ping`),
        await call('POST', `/${id}/rotate-secret`),
        await call('POST', `/${id}/deliveries/1/retry`),
      ]) {
        assertError(reply, 403, 'forbidden')
        assert.equal(reply.json.error.reason, 'webhooks_off')
      }
      assert.equal((await call('GET', '')).json.data.length, 1)
      assert.equal((await call('DELETE', `/${id}`)).status, 204)
    })
  },
  { webhooks: false },
)
