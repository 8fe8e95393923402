// What a receiver gets: which events, how often, in which order, signed with which secret, and when sending ends.
import assert from 'node:assert/strict'
import http from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import { createInstanceSecret } from '../../server/base/secret/instance-secret.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../server/domain/time/durations.ts'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestPerson, testOnSqlite } from '../harness.ts'
import {
  createHook,
  createTestDeliveries,
  type Received,
  type Receiver,
  startReceiver,
  verify,
  withStatus,
} from './receiver.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Any = any

onBothEngines('webhook deliveries', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  let receiver: Receiver & { close(): Promise<void> }
  let ada: TestPerson
  let key: string
  let flightBody: { date: string; fromId: number; toId: number }

  before(async () => {
    receiver = await startReceiver()
    const [fromId, toId] = await airportIds(app(), 'CPH', 'EWR')
    flightBody = { date: '2026-02-20', fromId: fromId!, toId: toId! }
  })
  after(() => receiver.close())
  beforeEach(async () => {
    await receiver.close()
    await receiver.open()
    receiver.take()
    receiver.respond = withStatus(204)
    // Only the webhooks of one test are active.
    await app().store.transaction((tx) => tx.execute('delete from webhook'))
    ada = await app().person()
    key = await ada.key()
  })

  const send = (method: string, path: string, body?: unknown, as = key) =>
    app().request(method, `/api/v1${path}`, body === undefined ? { key: as } : { key: as, body })
  const deliver = () => createTestDeliveries(app()).deliverDue()
  const hook = async (id: number, as = key) => (await send('GET', `/webhooks/${id}`, undefined, as)).json.data
  const deliveriesOf = async (id: number) => (await send('GET', `/webhooks/${id}/deliveries`)).json.data
  const brief = (received: Received[]) =>
    received.map(({ json }) => [json.type, json.data.id, json.data.version])
  const log = (who = ada) => logFlight(app(), who, flightBody)
  const note = (id: number, text: string) => send('PUT', `/flights/${id}`, { ...flightBody, note: text })

  test('created, updated and removed flights are sent signed, as their owner reads them', async () => {
    const { id, secret } = await createHook(app(), key, { url: receiver.url })
    const flight = await log()
    await deliver()
    await note(flight.id, 'window seat')
    await deliver()
    const read = (await send('GET', `/flights/${flight.id}`)).json.data
    await send('DELETE', `/flights/${flight.id}`)
    await deliver()
    await deliver()

    const got = receiver.take()
    assert.deepEqual(brief(got), [
      ['flight.created', flight.id, 1],
      ['flight.updated', flight.id, 2],
      ['flight.removed', flight.id, 3],
    ])
    for (const each of got) {
      verify(secret, each, app().clock.now())
      assert.match(String(each.headers['webhook-id']), new RegExp(`^msg_\\d+_${id}$`))
      assert.equal(each.headers['webhook-timestamp'], String(Math.floor(app().clock.now() / 1000)))
      assert.equal(each.headers['user-agent'], 'Contrail/test')
      assert.equal(each.headers['content-type'], 'application/json')
      assert.throws(() => verify(secret, { ...each, text: `${each.text} ` }, app().clock.now()))
    }
    assert.equal(new Set(got.map(({ headers }) => headers['webhook-id'])).size, 3)
    const [, updated, removed] = got.map(({ json }) => json)
    assert.deepEqual(updated.data.flight, read)
    assert.equal(updated.data.change, 'upserted')
    assert.equal(updated.timestamp, updated.data.at)
    assert.deepEqual(removed.data, {
      type: 'flight',
      id: flight.id,
      change: 'removed',
      reason: 'deleted',
      version: 3,
      at: removed.timestamp,
      externalIds: {},
    })
    assert.deepEqual(
      [(await hook(id)).status, (await hook(id)).lastDelivery.event],
      ['active', 'flight.removed'],
    )
  })

  test('earlier changes, other people’s flights and other events are not sent', async () => {
    const before = await log()
    await createHook(app(), key, { url: receiver.url, events: ['flight.updated'], payload: 'thin' })
    const other = await app().person()
    await log(other)
    const unheard = await log()
    await deliver()
    assert.deepEqual(receiver.take(), [])
    await note(before.id, 'a')
    await note(unheard.id, 'b')
    await deliver()
    const got = receiver.take()
    assert.deepEqual(brief(got), [
      ['flight.updated', before.id, 2],
      ['flight.updated', unheard.id, 2],
    ])
    assert.ok(
      got.every(({ json }) => !('flight' in json.data)),
      'a thin payload has the flight',
    )
  })

  test('a removed passenger gets one last message about the flight', async () => {
    const bob = await app().person()
    const bobsKey = await bob.key()
    await createHook(app(), bobsKey, { url: receiver.url })
    const owner = await app().person('owner')
    const ownersKey = await owner.key()
    const both = [{ userId: owner.id }, { userId: bob.id }]
    const flight = (await send('POST', '/flights', { ...flightBody, passengers: both }, ownersKey)).json.data
    await deliver()
    const put = (body: object) => send('PUT', `/flights/${flight.id}`, { ...flightBody, ...body }, ownersKey)
    assert.equal((await put({ passengers: both.slice(0, 1) })).status, 200)
    await put({ note: 'private' })
    await deliver()
    const got = receiver.take()
    assert.deepEqual(
      got.map(({ json }) => [json.type, json.data.reason]),
      [
        ['flight.created', undefined],
        ['flight.removed', 'unlisted'],
      ],
    )
    assert.ok(!JSON.stringify(got).includes('private'))
  })

  test('all flights of the instance are sent for people who may read them', async () => {
    const admin = await app().person('role-administrator')
    const adminsKey = await admin.key()
    await createHook(app(), adminsKey, { url: receiver.url, scope: 'all', payload: 'thin' })
    const [one, two] = [await log(), await log(await app().person())]
    await deliver()
    assert.deepEqual(brief(receiver.take()), [
      ['flight.created', one.id, 1],
      ['flight.created', two.id, 1],
    ])
  })

  test('queued changes are sent once, with the flight’s current state', async () => {
    await createHook(app(), key, { url: receiver.url })
    const flight = await log()
    for (const text of ['a', 'b', 'c']) await note(flight.id, text)
    await deliver()
    const got = receiver.take()
    assert.deepEqual(brief(got), [['flight.created', flight.id, 4]])
    assert.equal(got[0]!.json.data.flight.note, 'c')
  })

  test('after an hour of failures the receiver gets each message once', async () => {
    const { id, secret } = await createHook(app(), key, { url: receiver.url })
    await receiver.shut()
    const flights = [await log(), await log(), await log()]
    await deliver()
    await note(flights[0].id, 'changed while it was down')
    await send('DELETE', `/flights/${flights[1].id}`)
    for (let waited = 0; waited < HOUR; waited += 5 * MINUTE) {
      app().clock.advance(5 * MINUTE)
      await deliver()
    }
    const failing = await hook(id)
    assert.deepEqual([failing.status, failing.lastDelivery.error], ['active', 'no_connection'])
    assert.notEqual(failing.failingSince, null)
    await receiver.open()
    app().clock.advance(3 * HOUR)
    await deliver()
    await deliver()
    const got = receiver.take()
    const byFlight = brief(got).sort(([, a], [, b]) => a - b)
    assert.deepEqual(byFlight, [
      ['flight.created', flights[0].id, 2],
      ['flight.removed', flights[1].id, 2],
      ['flight.created', flights[2].id, 1],
    ])
    const ids = got.map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, ids.length)
    for (const each of got) verify(secret, each, app().clock.now())
    assert.equal((await hook(id)).failingSince, null)
  })

  test('retries keep the id and follow the schedule; the webhook fails, and is disabled after five days', async () => {
    const { id } = await createHook(app(), key, { url: receiver.url })
    receiver.respond = withStatus(503, 'try later')
    await log()
    const started = app().clock.now()
    const times: number[] = []
    const attempt = async () => {
      const before = receiver.received.length
      await deliver()
      if (receiver.received.length > before) times.push(app().clock.now() - started)
    }
    await attempt()
    while (times.length < 10) {
      const [{ nextAttemptAt }] = await deliveriesOf(id)
      app().clock.set(Date.parse(nextAttemptAt) - 1)
      await attempt()
      app().clock.set(nextAttemptAt)
      await attempt()
    }
    const expected = [
      0,
      5 * SECOND,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      14 * HOUR,
      20 * HOUR,
      24 * HOUR,
    ]
    times.forEach((time, i) => {
      assert.ok(
        time >= expected[i]! && time <= expected[i]! * 1.1 + 1,
        `attempt ${i + 1} came after ${time} ms`,
      )
    })
    assert.equal(new Set(receiver.take().map(({ headers }) => headers['webhook-id'])).size, 1)
    const failing = await hook(id)
    assert.equal(failing.status, 'failing')
    assert.equal(Date.parse(failing.disabledAt), Date.parse(failing.failingSince) + 5 * DAY)
    const [delivery] = await deliveriesOf(id)
    assert.deepEqual([delivery.state, delivery.status, delivery.response], ['waiting', 503, 'try later'])
    assert.equal(delivery.attempts.length, 10)

    for (let day = 0; day < 6; day++) {
      app().clock.advance(1.2 * DAY)
      await deliver()
    }
    const disabled = await hook(id)
    assert.deepEqual([disabled.status, disabled.stoppedBecause], ['disabled', 'no_success'])
    const notices = await app().request('GET', '/app/api/notices', { cookie: await ada.session() })
    const told = notices.json.data.filter(({ kind }: { kind: string }) => kind === 'webhook.stopped')
    assert.deepEqual(
      told.map(({ data }: { data: object }) => data),
      [{ webhookId: id, name: new URL(receiver.url).host, status: 'disabled', because: 'no_success' }],
    )

    // A disabled webhook stays so until it is saved again: then missed messages are sent.
    const missed = await log()
    receiver.take()
    receiver.respond = withStatus(200)
    app().clock.advance(DAY)
    await deliver()
    assert.deepEqual(receiver.take(), [])
    assertError(await send('POST', `/webhooks/${id}/ping`), 409, 'conflict')
    assertError(await send('POST', `/webhooks/${id}/deliveries/${delivery.id}/retry`), 409, 'conflict')
    const on = await send('PUT', `/webhooks/${id}`, { url: receiver.url })
    assert.deepEqual([on.json.data.status, on.json.data.stoppedBecause], ['active', null])
    await deliver()
    assert.ok(brief(receiver.take()).some(([, flight]) => flight === missed.id))
  })

  test('a failing webhook is active again after a success', async () => {
    const { id } = await createHook(app(), key, { url: receiver.url })
    receiver.respond = withStatus(500)
    await log()
    for (let i = 0; i < 12; i++) {
      await deliver()
      app().clock.advance(5 * HOUR)
    }
    assert.equal((await hook(id)).status, 'failing')
    receiver.respond = withStatus(200)
    app().clock.advance(2 * DAY)
    await deliver()
    const { status, failingSince, disabledAt } = await hook(id)
    assert.deepEqual([status, failingSince, disabledAt], ['active', null, null])
  })

  test('one permanently refused flight does not block the others', async () => {
    const { id } = await createHook(app(), key, { url: receiver.url })
    const poison = await log()
    receiver.respond = (response, { json }) =>
      response.writeHead(json.data.id === poison.id ? 500 : 200).end()
    for (let hour = 0; hour < 40; hour++) {
      if (hour % 10 === 1) await log()
      await deliver()
      app().clock.advance(HOUR)
    }
    const { status, stoppedBecause } = await hook(id)
    assert.deepEqual([status, stoppedBecause], ['active', null])
    const failed = (await deliveriesOf(id)).filter(({ state }: { state: string }) => state === 'failed')
    assert.deepEqual(
      failed.map(({ flightId, attempts }: { flightId: number; attempts: object[] }) => [
        flightId,
        attempts.length,
      ]),
      [[poison.id, 10]],
    )
  })

  test('a message that cannot be built counts as an attempt, others are sent, and the owner is notified', async () => {
    const { id } = await createHook(app(), key, { url: receiver.url })
    const [poison, other] = [await log(), await log()]
    const damage = (flight: number) =>
      app().store.transaction((tx) =>
        tx.execute(`update flight set custom_fields = '{' where id = ${flight}`),
      )
    const passHours = async () => {
      for (let hour = 0; hour < 40; hour++) {
        app().clock.advance(HOUR)
        await deliver()
      }
    }
    await damage(poison.id)
    await deliver()
    assert.deepEqual(
      receiver.take().map(({ json }) => json.data.id),
      [other.id],
    )
    const ofPoison = async () => (await deliveriesOf(id)).find((one: Any) => one.flightId === poison.id)
    const first = await ofPoison()
    assert.deepEqual(
      [first.state, first.status, first.error, first.attempts.length],
      ['waiting', null, 'message_failed', 1],
    )
    assert.ok(app().logged.some((line) => line.includes('could not make the message of a webhook')))

    await passHours()
    const last = await ofPoison()
    assert.deepEqual([last.state, last.attempts.length], ['failed', 10])
    assert.equal((await hook(id)).status, 'active')

    // If nothing else succeeds, the webhook stops as for every other failure.
    const alone = await log()
    await damage(alone.id)
    await passHours()
    for (let day = 0; day < 6; day++) {
      app().clock.advance(1.2 * DAY)
      await deliver()
    }
    const { status, stoppedBecause } = await hook(id)
    assert.deepEqual([status, stoppedBecause], ['disabled', 'no_success'])
    const notices = await app().request('GET', '/app/api/notices', { cookie: await ada.session() })
    assert.ok(notices.json.data.some(({ kind }: { kind: string }) => kind === 'webhook.stopped'))
    await app().store.transaction((tx) => tx.execute('update flight set custom_fields = null'))
  })

  test('410 disables the webhook immediately', async () => {
    const { id } = await createHook(app(), key, { url: receiver.url })
    receiver.respond = withStatus(410)
    await log()
    await log()
    await deliver()
    assert.equal(receiver.take().length, 1)
    const { status, stoppedBecause } = await hook(id)
    assert.deepEqual([status, stoppedBecause], ['disabled', 'receiver_gone'])
  })

  sqliteTest('a redirect is a failure and is not followed', async () => {
    const { id } = await createHook(app(), key, { url: receiver.url })
    receiver.respond = withStatus(307, '', { location: `${new URL(receiver.url).origin}/elsewhere` })
    await log()
    await deliver()
    assert.deepEqual(
      receiver.take().map(({ path }) => path),
      ['/hook'],
    )
    const [{ status, state }] = await deliveriesOf(id)
    assert.deepEqual([status, state], [307, 'waiting'])
  })

  sqliteTest('slow, endless and broken responses are cut', async () => {
    const { id } = await createHook(app(), key, { url: receiver.url })
    // On a busy machine a status can take longer than the timeout of this test.
    const outcome = async (respond: Receiver['respond'], timeoutMs = 1_500) => {
      receiver.respond = respond
      await send('POST', `/webhooks/${id}/ping`)
      await createTestDeliveries(app(), { timeoutMs }).deliverDue()
      const [{ status, error, response }] = await deliveriesOf(id)
      return { status, error, length: response?.length ?? null }
    }
    assert.deepEqual(await outcome(() => {}, 300), { status: null, error: 'timeout', length: null })
    assert.deepEqual(await outcome((response) => response.destroy()), {
      status: null,
      error: 'connection_broken',
      length: null,
    })
    let closed: Promise<unknown> | undefined
    const endless = await outcome((response) => {
      closed = new Promise((resolve) => response.on('close', resolve))
      response.writeHead(200)
      const pour = () => {
        while (response.write('x'.repeat(64_000))) {}
      }
      response.on('drain', pour)
      pour()
    })
    assert.deepEqual(endless, { status: 200, error: null, length: 1024 })
    await closed
    // The status is used, even if the body never ends.
    const trickle = await outcome((response) => void response.writeHead(202).write('.'))
    assert.deepEqual(trickle, { status: 202, error: null, length: 1 })
  })

  sqliteTest('names with private addresses are refused on use, and resolved only once', async () => {
    const { id } = await createHook(app(), key, { url: 'https://rebinding.example/' })
    const asked: string[] = []
    const outcome = async (addresses: string[] | Error) => {
      await send('POST', `/webhooks/${id}/ping`)
      const resolve = async (name: string) => {
        asked.push(name)
        if (addresses instanceof Error) throw addresses
        return addresses
      }
      await createTestDeliveries(app(), { resolve }).deliverDue()
      return (await deliveriesOf(id))[0].error
    }
    for (const address of [
      '10.0.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '::1',
      'fe80::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
      '0.0.0.0',
      '224.0.0.1',
    ])
      assert.equal(await outcome([address]), 'address_refused', address)
    assert.equal(await outcome(['93.184.215.14', '10.0.0.1']), 'address_refused', 'one of several')
    assert.equal(await outcome(new Error('no such name')), 'name_not_found')
    assert.equal(await outcome([]), 'name_not_found')
    assert.deepEqual(new Set(asked), new Set(['rebinding.example']))
    assert.equal(asked.length, 12)

    // The connection goes to the address that was checked.
    await send('PUT', `/webhooks/${id}`, { url: receiver.url.replace('127.0.0.1', 'localhost') })
    assert.equal(await outcome(['127.0.0.1']), null)
    assert.equal(
      receiver.take()[0]!.headers.host,
      new URL(receiver.url).host.replace('127.0.0.1', 'localhost'),
    )
  })

  sqliteTest('a proxy in the environment is not used', async () => {
    const proxy = http.createServer((_request, response) => response.writeHead(200).end())
    let visits = 0
    proxy.on('connection', () => visits++)
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`
    const proxies = {
      http_proxy: address,
      HTTP_PROXY: address,
      https_proxy: address,
      NODE_USE_ENV_PROXY: '1',
    }
    const before = { ...process.env }
    Object.assign(process.env, proxies)
    try {
      const { id } = await createHook(app(), key, { url: receiver.url })
      await send('POST', `/webhooks/${id}/ping`)
      await deliver()
      assert.deepEqual([visits, receiver.take().length], [0, 1])
    } finally {
      for (const name of Object.keys(proxies))
        if (before[name] === undefined) delete process.env[name]
        else process.env[name] = before[name]
      proxy.close()
    }
  })

  test('rotate-webhook-secret: both secrets sign for a day', async () => {
    const made = await createHook(app(), key, { url: receiver.url })
    const rotated = (await send('POST', `/webhooks/${made.id}/rotate-secret`)).json.data
    assert.notEqual(rotated.secret, made.secret)
    assert.equal(Date.parse(rotated.oldSecretUntil), app().clock.now() + DAY)
    await log()
    await deliver()
    const [both] = receiver.take()
    assert.equal(String(both!.headers['webhook-signature']).split(' ').length, 2)
    for (const secret of [made.secret, rotated.secret]) verify(secret, both!, app().clock.now())

    app().clock.advance(DAY)
    await log()
    await deliver()
    const [later] = receiver.take()
    verify(rotated.secret, later!, app().clock.now())
    assert.throws(() => verify(made.secret, later!, app().clock.now()))
    await deleteExpired(app().store, app().clock.now())
    assert.equal((await hook(made.id)).oldSecretUntil, null)
    const [row] = await app().store.read.query(`select old_secret from webhook where id = ${made.id}`, [])
    assert.equal(row!['old_secret'], null)
  })

  const suspendedBecause = async (id: number) => {
    const { status, stoppedBecause } = await hook(id)
    return [status, stoppedBecause]
  }

  test('a lost permission suspends the webhook, and nothing is sent', async () => {
    const admin = await app().person('role-administrator')
    const adminsKey = await admin.key()
    const wide = await createHook(app(), adminsKey, { url: receiver.url, scope: 'all' })
    const own = await createHook(app(), adminsKey, { url: receiver.url })
    await app().store.transaction(async (tx) => {
      await tx.execute(`update person set role_id = 'role-user' where id = '${admin.id}'`)
    })
    await log()
    await deliver()
    assert.deepEqual(receiver.take(), [])
    const shown = await hook(wide.id, adminsKey)
    assert.deepEqual([shown.status, shown.stoppedBecause], ['suspended', 'access_lost'])
    // What the new role still permits continues.
    await logFlight(app(), admin, flightBody)
    await deliver()
    assert.equal((await hook(own.id, adminsKey)).status, 'active')
    assert.equal(receiver.take().length, 1)
    const notices = await app().request('GET', '/app/api/notices', { cookie: await admin.session() })
    assert.deepEqual(notices.json.data[0].data.because, 'access_lost')
  })

  test('a webhook ends with the API key that created it', async () => {
    const cookie = await ada.session()
    const made = await app().request('POST', '/app/api/api-keys', {
      cookie,
      body: { name: 'sync', scopes: ['webhooks.manage', 'flight.read.own'] },
    })
    const { id } = await createHook(app(), made.json.data.key, { url: receiver.url })
    const lasting = await app().request('POST', '/app/api/webhooks', { cookie, body: { url: receiver.url } })
    await log()
    await deliver()
    assert.equal(receiver.take().length, 2)
    await app().request('DELETE', `/app/api/api-keys/${made.json.data.id}`, { cookie })
    await log()
    await deliver()
    assert.deepEqual(await suspendedBecause(id), ['suspended', 'credential_ended'])
    assert.deepEqual(await suspendedBecause(lasting.json.data.id), ['active', null])
    assert.equal(receiver.take().length, 1)
    // Saved with another credential, it depends on that one.
    await send('PUT', `/webhooks/${id}`, { url: receiver.url })
    await deliver()
    assert.deepEqual(await suspendedBecause(id), ['active', null])
    assert.equal(receiver.take().length, 1)
  })

  test('an unreadable secret suspends the webhook until it is rotated', async () => {
    const { id } = await createHook(app(), key, { url: receiver.url })
    const flight = await log()
    const other = createInstanceSecret({
      secretKey: 'another-secret-of-enough-characters',
      dataDir: '/nowhere',
    })
    await createTestDeliveries(app(), { secret: other }).deliverDue()
    assert.deepEqual(receiver.take(), [])
    assert.deepEqual(await suspendedBecause(id), ['suspended', 'secret_unreadable'])
    const { secret } = (await send('POST', `/webhooks/${id}/rotate-secret`)).json.data
    await deliver()
    const got = receiver.take()
    assert.deepEqual(brief(got), [['flight.created', flight.id, 1]])
    verify(secret, got[0]!, app().clock.now())
  })

  test('two workers deliver each message once', async () => {
    const hooks = []
    for (let i = 0; i < 4; i++)
      hooks.push(await createHook(app(), key, { url: receiver.url, payload: 'thin' }))
    const flights = []
    for (let i = 0; i < 10; i++) flights.push(await log())
    await Promise.all([deliver(), deliver(), deliver()])
    const got = receiver.take()
    const ids = got.map(({ headers }) => String(headers['webhook-id']))
    assert.equal(ids.length, 40)
    assert.equal(new Set(ids).size, 40)
    // Each webhook got the flights in the order of their changes.
    for (const { id } of hooks) {
      const own = got.filter(({ headers }) => String(headers['webhook-id']).endsWith(`_${id}`))
      assert.deepEqual(
        own.map(({ json }) => json.data.id),
        flights.map((flight) => flight.id),
      )
    }
  })

  test('an unreleased claim expires, and the message keeps its id', async () => {
    await createHook(app(), key, { url: receiver.url })
    await log()
    const stuck = createTestDeliveries(app())
    let arrived: () => void = () => {}
    const first = new Promise<void>((resolve) => {
      arrived = resolve
    })
    receiver.respond = () => arrived()
    await stuck.startDue()
    await first
    const [lost] = receiver.take()
    // For the others, that process is still working.
    receiver.respond = withStatus(200)
    await deliver()
    assert.deepEqual(receiver.take(), [])
    app().clock.advance(2 * MINUTE)
    await deliver()
    const [again] = receiver.take()
    assert.equal(again!.headers['webhook-id'], lost!.headers['webhook-id'])
    // The first one continues and changes nothing.
    await stuck.stop()
    await deliver()
    assert.deepEqual(receiver.take(), [])
  })

  test('stopping aborts a request, and the message is sent later', async () => {
    const { id } = await createHook(app(), key, { url: receiver.url })
    await log()
    const deliveries = createTestDeliveries(app())
    let arrived: () => void = () => {}
    const first = new Promise<void>((resolve) => {
      arrived = resolve
    })
    receiver.respond = () => arrived()
    await deliveries.startDue()
    await first
    await deliveries.stop()
    assert.deepEqual((await deliveriesOf(id))[0].attempts, [])
    receiver.respond = withStatus(200)
    await deliver()
    assert.equal(receiver.take().length, 2)
  })

  test('deliveries are kept for 30 days', async () => {
    const { id } = await createHook(app(), key, { url: receiver.url })
    await log()
    await deliver()
    app().clock.advance(30 * DAY - MINUTE)
    await deleteExpired(app().store, app().clock.now())
    assert.equal((await deliveriesOf(id)).length, 1)
    app().clock.advance(2 * MINUTE)
    await deleteExpired(app().store, app().clock.now())
    assert.deepEqual(await deliveriesOf(id), [])
  })

  test('a deleted webhook gets no more messages', async () => {
    const { id } = await createHook(app(), key, { url: receiver.url })
    await log()
    await send('DELETE', `/webhooks/${id}`)
    await deliver()
    assert.deepEqual(receiver.take(), [])
  })
})
