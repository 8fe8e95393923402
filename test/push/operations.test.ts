// Settings and devices: what is accepted, who sees what, and what ends a device.
import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { DAY, HOUR } from '../../server/domain/time/durations.ts'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { assertError } from '../fixtures.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'

let endpoints = 0
function device(more: object = {}) {
  const browser = createECDH('prime256v1')
  return {
    endpoint: `https://push.example.net/${endpoints++}`,
    keys: { p256dh: browser.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') },
    ...more,
  }
}

onBothEngines('notification settings and devices', (app) => {
  let ada: TestPerson
  let cookie: string
  let key: string
  beforeEach(async () => {
    ada = await app().person()
    cookie = await ada.session()
    key = await ada.key()
  })
  const send = (method: string, path: string, body?: unknown, as: object = { cookie }) =>
    app().request(method, 'cookie' in as ? `/app/api${path}` : `/api/v1${path}`, {
      ...as,
      ...(body === undefined ? {} : { body }),
    })
  const register = (body: object = device(), as?: object) => send('POST', '/push-subscriptions', body, as)
  const listed = async (as?: object) => (await send('GET', '/push-subscriptions', undefined, as)).json.data

  test('what is omitted stays, and the defaults are those of the documentation', async () => {
    const before = (await send('GET', '/notification-settings')).json.data
    assert.deepEqual(before, {
      kinds: { reminder: 'push', status: 'push', intake: 'push', imports: 'none', security: 'push' },
      reminderMinutes: [1440, 180],
      quietHours: null,
      timeZone: null,
      discreet: false,
      leaveMinutes: null,
    })
    const changed = await send('PUT', '/notification-settings', {
      kinds: { imports: 'mail' },
      reminderMinutes: [60, 240, 60],
      timeZone: 'europe/berlin',
      quietHours: { from: '22:00', to: '07:00' },
    })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.json.data, {
      ...before,
      kinds: { ...before.kinds, imports: 'mail' },
      reminderMinutes: [240, 60],
      timeZone: 'Europe/Berlin',
      quietHours: { from: '22:00', to: '07:00' },
    })
    const off = await send('PUT', '/notification-settings', { quietHours: null, reminderMinutes: [] })
    assert.deepEqual([off.json.data.quietHours, off.json.data.reminderMinutes], [null, []])
    assert.equal((await send('GET', '/notification-settings')).json.data.kinds.imports, 'mail')
  })

  test('invalid settings are refused by field', async () => {
    const refused = async (body: object, ...path: string[]) =>
      assertError(await send('PUT', '/notification-settings', body), 422, 'validation_failed', path)
    await refused({ kinds: { security: 'none' } }, 'kinds', 'security')
    await refused({ kinds: { checkin: 'push' } }, 'kinds', 'checkin')
    for (const minutes of [14, 4321, 15.5])
      await refused({ reminderMinutes: [minutes] }, 'reminderMinutes', '0')
    for (const leaveMinutes of [14, 1441]) await refused({ leaveMinutes }, 'leaveMinutes')
    const widest = { reminderMinutes: [4320, 60, 30, 15], leaveMinutes: 1440 }
    assert.equal((await send('PUT', '/notification-settings', widest)).status, 200)
    assert.equal((await send('PUT', '/notification-settings', { leaveMinutes: 15 })).status, 200)
    await refused({ reminderMinutes: [15, 30, 45, 60, 75] }, 'reminderMinutes')
    await refused({ quietHours: { from: '24:00', to: '07:00' } }, 'quietHours', 'from')
    await refused({ timeZone: 'Europe/Atlantis' }, 'timeZone')
  })

  test('twenty concurrent changes are all stored', async () => {
    const kinds = ['reminder', 'status', 'intake', 'imports']
    const changes = kinds.map((kind) => ({ kinds: { [kind]: 'both' } }))
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => send('PUT', '/notification-settings', changes[i % 4])),
    )
    const { data } = (await send('GET', '/notification-settings')).json
    assert.deepEqual(
      kinds.map((kind) => data.kinds[kind]),
      ['both', 'both', 'both', 'both'],
    )
  })

  test('a device is registered once, and shows neither endpoint nor keys', async () => {
    const body = device({ label: 'Phone', language: 'de-CH' })
    const first = await register(body)
    assert.equal(first.status, 201, first.text)
    assert.equal(first.headers.location, `/app/api/push-subscriptions/${first.json.data.id}`)
    const again = await register({ ...body, label: 'My phone' })
    assert.equal(again.status, 200, again.text)
    assert.equal(again.json.data.id, first.json.data.id)
    const [shown, ...others] = await listed()
    assert.equal(others.length, 0)
    assert.deepEqual(shown, {
      id: first.json.data.id,
      label: 'My phone',
      host: 'push.example.net',
      createdAt: new Date(app().clock.now()).toISOString(),
      lastSuccessAt: null,
      status: 'active',
      isThisCredential: true,
    })
    assert.equal((await listed({ key }))[0].isThisCredential, false)
    const rows = await app().store.read.query('select * from push_subscription', [])
    const row = rows.find(({ user_id: id }) => id === ada.id)!
    const stored = JSON.stringify(row)
    for (const secret of [body.endpoint, body.keys.p256dh, body.keys.auth])
      assert.ok(!stored.includes(secret))
    assert.equal(row['language'], 'de')
    assert.ok(!app().logged.some((line) => line.includes(body.endpoint)))
  })

  test('an endpoint belongs to the person who registered it last', async () => {
    const body = device()
    await register(body)
    const bob = await app().person()
    const bobs = { cookie: await bob.session() }
    assert.equal((await register(body, bobs)).status, 201)
    assert.equal((await listed()).length, 0)
    assert.equal((await listed(bobs)).length, 1)
    const events = (await send('GET', '/events/mine')).json?.data ?? []
    assert.ok(!JSON.stringify(events).includes(body.endpoint))
  })

  test('another person’s device cannot be seen, tested or deleted', async () => {
    const { id } = (await register()).json.data
    const bob = { cookie: await (await app().person()).session() }
    assertError(await send('DELETE', `/push-subscriptions/${id}`, undefined, bob), 404, 'not_found')
    assertError(await send('POST', `/push-subscriptions/${id}/test`, undefined, bob), 404, 'not_found')
    assert.equal((await send('DELETE', `/push-subscriptions/${id}`)).status, 204)
    assert.deepEqual(await listed(), [])
  })

  test('ten devices are permitted, also if they register simultaneously', async () => {
    const replies = await Promise.all(Array.from({ length: 13 }, () => register()))
    assert.equal(replies.filter(({ status }) => status === 201).length, 10)
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      assertError(reply, 409, 'conflict')
      assert.equal(reply.json.error.reason, 'too_many_devices')
    }
  })

  test('keys must be a point of the curve and 16 bytes', async () => {
    const { p256dh, auth } = device().keys
    const offCurve = Buffer.from(p256dh, 'base64url')
    offCurve[64]! ^= 1
    for (const keys of [
      { p256dh, auth: 'c2hvcnQ' },
      { p256dh: p256dh.slice(0, 40), auth },
      { p256dh: offCurve.toString('base64url'), auth },
      { p256dh: randomBytes(65).toString('base64url'), auth },
      { p256dh: '!'.repeat(87), auth },
    ]) {
      const reply = await register(device({ keys }))
      assertError(reply, 422, 'validation_failed', ['keys'])
      assert.equal(reply.json.error.details[0].reason, 'push_keys_form')
    }
  })

  test('a parameter that does not exist is refused', async () => {
    for (const path of ['/push-key?all=true', '/push-subscriptions?all=true'])
      assertError(await send('GET', path), 400, 'bad_request')
  })

  test('the key of the instance is one, also if several requests make it simultaneously', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => send('GET', '/push-key')))
    const keys = new Set(replies.map(({ json }) => json.data.publicKey))
    assert.equal(keys.size, 1)
    assert.equal(Buffer.from([...keys][0]!, 'base64url').length, 65)
    const { rows } = {
      rows: await app().store.read.query("select value from setting where name = 'pushKeys'", []),
    }
    assert.doesNotMatch(JSON.stringify(rows), /"d"|\\"d\\"/, 'the private key is sealed')
  })

  test('a device ends with the session, key or app that registered it', async () => {
    await register()
    const sessions = (await send('GET', '/sessions')).json.data
    const other = { cookie: await ada.session() }
    await register(device(), other)
    const byKey = await register(device(), { key })
    assert.equal(byKey.status, 201, byKey.text)
    assert.equal((await listed()).length, 3)
    await send('DELETE', `/sessions/${sessions[0].id}`, undefined, other)
    assert.equal((await listed(other)).length, 2)
    const keys = (await send('GET', '/api-keys', undefined, other)).json.data
    for (const { id } of keys) await send('DELETE', `/api-keys/${id}`, undefined, other)
    assert.equal((await listed(other)).length, 1)
    await send('POST', '/sign-out', undefined, other)
    assert.deepEqual(await listed({ cookie: await ada.session() }), [])
  })

  test('ending everything ends all devices', async () => {
    await register()
    await register(device(), { key })
    assert.equal((await send('POST', '/sign-out-everywhere')).status, 200)
    assert.deepEqual(await listed({ cookie: await ada.session() }), [])
  })

  test('ending everything, or a new password, also ends devices whose session has expired', async () => {
    const endings = [
      () => send('PUT', '/me/password', { newPassword: 'correct horse battery' }),
      () => send('POST', '/sign-out-everywhere', {}),
    ]
    for (const end of endings) {
      await register()
      app().clock.advance(400 * DAY)
      await deleteExpired(app().store, app().clock.now())
      cookie = await ada.session()
      assert.equal((await listed()).length, 1)
      const reply = await end()
      assert.ok(reply.status < 300, reply.text)
      cookie = await ada.session()
      assert.deepEqual(await listed(), [])
    }
  })

  test('a device outlives a session that merely expires', async () => {
    await register()
    app().clock.advance(400 * DAY)
    await deleteExpired(app().store, app().clock.now())
    const [shown] = await listed({ cookie: await ada.session() })
    assert.equal(shown.isThisCredential, false)
    app().clock.advance(HOUR)
  })

  test('devices and settings are deleted with the account', async () => {
    await register()
    await send('PUT', '/notification-settings', { discreet: true })
    const owner = await app().person('role-administrator')
    const session = { cookie: await owner.session() }
    const gone = await send('DELETE', `/users/${ada.id}`, undefined, session)
    assert.ok([200, 204].includes(gone.status), gone.text)
    for (const table of ['push_subscription', 'notification_settings']) {
      const rows = await app().store.read.query(`select user_id from ${table}`, [])
      assert.ok(!rows.some((row) => row['user_id'] === ada.id), table)
    }
  })
})

onBothEngines(
  'an instance without notifications',
  (app) => {
    test('refuses devices and says why', async () => {
      const key = await (await app().person()).key()
      for (const [method, path, body] of [
        ['GET', '/push-key'],
        ['POST', '/push-subscriptions', device()],
      ] as const) {
        const reply = await app().request(method, `/api/v1${path}`, body ? { key, body } : { key })
        assertError(reply, 403, 'forbidden')
        assert.equal(reply.json.error.reason, 'push_off')
      }
    })
  },
  { push: false },
)

onBothEngines(
  'endpoints on an instance for a network',
  (app) => {
    const register = async (body: object) =>
      app().request('POST', '/api/v1/push-subscriptions', { key: await (await app().person()).key(), body })

    test('an endpoint must be https on the public internet', async () => {
      for (const endpoint of [
        'http://push.example.net/1',
        'https://127.0.0.1/1',
        'https://[::1]/1',
        'https://localhost/1',
        'https://10.0.0.1/1',
        'https://192.168.1.5:8443/1',
        'https://169.254.169.254/latest/meta-data',
        'https://[fe80::1]/1',
        'https://[::ffff:10.0.0.1]/1',
        'https://2130706433/1',
        'https://0x7f.1/1',
        'https://ada:secret@push.example.net/1',
        'https://push.example.net/1#x',
        'ftp://push.example.net/1',
        'push',
      ]) {
        const reply = await register(device({ endpoint }))
        assertError(reply, 422, 'validation_failed', ['endpoint'])
        assert.equal(reply.json.error.details[0].reason, 'push_address_refused', endpoint)
      }
      assertError(
        await register(device({ endpoint: `https://a.example/${'a'.repeat(2000)}` })),
        422,
        'validation_failed',
      )
    })
  },
  { host: '0.0.0.0' },
)

onBothEngines(
  'endpoints on an instance that permits private addresses',
  (app) => {
    test('they may be private and without encryption', async () => {
      const key = await (await app().person()).key()
      for (const endpoint of ['http://192.168.1.5:8080/up', 'https://10.0.0.1/1', 'http://localhost/1']) {
        const reply = await app().request('POST', '/api/v1/push-subscriptions', {
          key,
          body: device({ endpoint }),
        })
        assert.equal(reply.status, 201, reply.text)
      }
    })
  },
  { host: '0.0.0.0', pushPrivateAddresses: true },
)
