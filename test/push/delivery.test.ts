// What devices get: reminders and notices, once, at the right time, saying no more than they may, and what follows from each
// response of a push service.
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { createInstanceSecret } from '../../server/base/secret/instance-secret.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../server/domain/time/durations.ts'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { createPush, type Push } from '../../server/services/push/push.ts'
import { insertNotice } from '../../server/store/people/notices.ts'
import { keepsConnections } from '../external-host.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { createTestTravel, type Pushed, type PushService, startPushService, withStatus } from './service.ts'

const texts = (pushed: readonly Pushed[]) =>
  pushed.map(({ json }) => `${json.notification.title} | ${json.notification.body}`)

/** Every text that the suite decrypted. */
const everything: Pushed[] = []

onBothEngines('notifications', (app) => {
  let service: PushService
  let ada: TestPerson
  let key: string
  let airports: { CPH: number; EWR: number; AKL: number; HNL: number }
  let travel: ReturnType<typeof createTestTravel>
  before(async () => {
    service = await startPushService(() => app().clock.now())
    const [CPH, EWR, AKL, HNL] = await airportIds(app(), 'CPH', 'EWR', 'AKL', 'HNL')
    airports = { CPH: CPH!, EWR: EWR!, AKL: AKL!, HNL: HNL! }
  })
  after(() => service.close())
  beforeEach(async () => {
    for (const table of ['notification', 'push_subscription', 'notification_settings'])
      await app().store.transaction((tx) => tx.execute(`delete from ${table}`))
    app().clock.set('2026-02-01T12:00:00Z')
    service.respond = withStatus(201)
    service.take()
    ada = await app().person()
    key = await ada.key()
    travel = createTestTravel(app())
  })

  const send = (method: string, path: string, body?: unknown, as = key) =>
    app().request(method, `/api/v1${path}`, body === undefined ? { key: as } : { key: as, body })
  const register = async (as = key, more: object = {}) => {
    const reply = await send('POST', '/push-subscriptions', { ...service.subscribe(), ...more }, as)
    assert.equal(reply.status, 201, reply.text)
    return reply.json.data.id as number
  }
  const choose = async (body: object, as = key) => {
    const reply = await send('PUT', '/notification-settings', body, as)
    assert.equal(reply.status, 200, reply.text)
  }
  const toNewark = () => ({
    date: '2026-02-20',
    fromId: airports.CPH,
    toId: airports.EWR,
    departure: '2026-02-20T12:30:00+01:00',
    flightNumber: 'SK909',
    departureTerminal: '3',
  })
  const log = (more: object = {}, who = ada) => logFlight(app(), who, { ...toNewark(), ...more })
  const edit = async (id: number, body: object) => {
    const reply = await send('PATCH', `/flights/${id}`, body)
    assert.equal(reply.status, 200, reply.text)
  }
  /** Keeps the flight of the newest notice. */
  const keepNewest = async (person: TestPerson) => {
    const cookie = await person.session()
    const { data } = (await app().request('GET', '/app/api/notices', { cookie })).json
    const kept = await app().request('POST', `/app/api/notices/${data[0].id}/keep`, { cookie })
    assert.ok(kept.status < 300, kept.text)
  }
  /** The messages that were sent at this time. */
  const at = async (time: string) => {
    app().clock.set(time)
    await travel.run()
    const pushed = service.take()
    everything.push(...pushed)
    return texts(pushed)
  }
  const listed = async (as = key) => (await send('GET', '/push-subscriptions', undefined, as)).json.data
  const count = async (table: string) =>
    Number((await app().store.read.query(`select count(*) as n from ${table}`, []))[0]!['n'])

  // Reminders

  test('a flight is reminded of a day and three hours before departure', async () => {
    await register()
    const { id } = await log()
    assert.deepEqual(await at('2026-02-19T11:29:59Z'), [])
    app().clock.set('2026-02-19T11:30:00Z')
    await travel.run()
    const [first] = service.received
    assert.deepEqual(await at('2026-02-19T11:30:30Z'), [
      'SK909 to Newark tomorrow 12:30 | Copenhagen, terminal 3',
    ])
    assert.equal(first!.json.notification.tag, `flight-${id}`)
    assert.equal(first!.json.notification.navigate, `${app().config.origin}/today?flight=${id}`)
    assert.equal(first!.headers['urgency'], 'normal')
    assert.equal(first!.headers['ttl'], String(DAY / SECOND))
    assert.equal(first!.headers['content-encoding'], 'aes128gcm')
    assert.equal(first!.headers['content-type'], 'application/notification+json')
    assert.match(String(first!.headers['topic']), /^[\w-]{24}$/)
    assert.deepEqual(await at('2026-02-20T08:30:00Z'), [
      'SK909 to Newark today 12:30 | Copenhagen, terminal 3',
    ])
    assert.deepEqual(await at('2026-02-20T08:31:00Z'), [])
    assert.deepEqual(await at('2026-02-20T11:31:00Z'), [])
    assert.equal((await listed())[0].lastSuccessAt, '2026-02-20T08:30:00.000Z')
  })

  test('each device gets it in its language, with the clock of the person', async () => {
    await register(key, { language: 'de' })
    await register(key, { language: 'fr' })
    await log()
    await send('PUT', '/preferences', { timeFormat: '12h' })
    assert.deepEqual((await at('2026-02-20T08:30:00Z')).sort(), [
      'SK909 nach Newark heute 12:30 PM | Kopenhagen, Terminal 3',
      'SK909 vers Newark aujourd’hui 12:30 PM | Copenhague, terminal 3',
    ])
    await send('PUT', '/preferences', { language: 'it' })
    await log({ flightNumber: 'SK910', departure: '2026-02-20T18:30:00+01:00' })
    assert.match((await at('2026-02-20T14:30:00Z'))[0]!, /^SK910 per Newark oggi 6:30 PM/)
  })

  test('reminders are those that the person chose', async () => {
    await register()
    await choose({ reminderMinutes: [4320, 60] })
    await log()
    assert.deepEqual(await at('2026-02-17T11:30:00Z'), [
      'SK909 to Newark Friday 12:30 | Copenhagen, terminal 3',
    ])
    assert.deepEqual(await at('2026-02-20T08:30:00Z'), [])
    assert.equal((await at('2026-02-20T10:30:00Z')).length, 1)
    await choose({ kinds: { reminder: 'none' } })
    await log({ departure: '2026-02-20T13:40:00+01:00' })
    assert.deepEqual(await at('2026-02-20T11:40:00Z'), [])
  })

  test('a clock change moves nothing, and the date line is no obstacle', async () => {
    await register()
    await log({ date: '2026-03-29', departure: '2026-03-29T12:30:00+02:00' })
    assert.deepEqual(await at('2026-03-28T10:29:00Z'), [])
    assert.match((await at('2026-03-28T10:30:00Z'))[0]!, /tomorrow 12:30/)
    await log({ date: '2026-10-25', departure: '2026-10-25T12:30:00+01:00' })
    assert.match((await at('2026-10-24T11:30:00Z'))[0]!, /tomorrow 12:30/)
    const line = { date: '2026-11-02', fromId: airports.AKL, toId: airports.HNL, flightNumber: 'NZ10' }
    await log({ ...line, departure: '2026-11-02T00:30:00+13:00' })
    assert.match((await at('2026-10-31T11:30:00Z'))[0]!, /^NZ10 to Honolulu tomorrow 00:30/)
  })

  test('moved by minutes no second one, moved to another day again', async () => {
    await register()
    const { id } = await log()
    assert.equal((await at('2026-02-19T11:30:00Z')).length, 1)
    await edit(id, { departure: '2026-02-20T12:50:00+01:00' })
    assert.deepEqual(await at('2026-02-19T11:50:00Z'), [])
    await edit(id, { date: '2026-02-22', departure: '2026-02-22T12:30:00+01:00' })
    assert.deepEqual(await at('2026-02-20T09:00:00Z'), [])
    assert.equal((await at('2026-02-21T11:30:00Z')).length, 1)
    assert.equal((await at('2026-02-22T08:30:00Z')).length, 1)
  })

  test('a flight that is cancelled, deleted, left or not kept is not reminded of', async () => {
    await register()
    const bob = await app().person()
    const bobs = await bob.key()
    await register(bobs)
    const cancelled = await log()
    await edit(cancelled.id, { outcome: 'cancelled' })
    const deleted = await log({ flightNumber: 'SK910', departure: '2026-02-20T12:40:00+01:00' })
    await send('DELETE', `/flights/${deleted.id}`)
    const passengers = [{ userId: ada.id }, { userId: bob.id }]
    const shared = await log({ flightNumber: 'SK911', departure: '2026-02-20T12:30:00+01:00', passengers })
    assert.deepEqual(await at('2026-02-01T12:00:01Z'), [
      'You were added to a flight | SK911, CPH–EWR, 2026-02-20',
    ])
    assert.deepEqual(
      await at('2026-02-19T11:30:00Z'),
      ['SK911 to Newark tomorrow 12:30 | Copenhagen, terminal 3'],
      'only Ada: Bob has not kept it',
    )
    await keepNewest(bob)
    await edit(shared.id, { passengers: [{ userId: bob.id }] })
    assert.equal((await at('2026-02-20T08:30:00Z')).length, 1, 'only Bob: Ada has left it')
    assert.ok((await listed(bobs))[0].lastSuccessAt.startsWith('2026-02-20T08:30'))
  })

  test('a change between the due time and the sending is noticed', async () => {
    await register()
    const { id } = await log()
    app().clock.set('2026-02-19T11:30:00Z')
    await travel.reminders.look()
    await send('DELETE', `/flights/${id}`)
    assert.deepEqual(await at('2026-02-19T11:30:30Z'), [])
    assert.equal(await count('notification_delivery'), 0)
  })

  test('a message that waits for its push service is not sent once the flight is another', async () => {
    await register()
    const bob = await app().person()
    const leave = async (id: number) => {
      await edit(id, { passengers: [{ userId: ada.id }, { userId: bob.id }] })
      await keepNewest(bob)
      await edit(id, { passengers: [{ userId: bob.id }] })
    }
    const changes: [string, (id: number, date: string) => Promise<unknown>][] = [
      ['cancelled', (id) => edit(id, { outcome: 'cancelled' })],
      ['deleted', (id) => send('DELETE', `/flights/${id}`)],
      ['left', leave],
      ['departed earlier', (id, date) => edit(id, { departure: `${date}T10:00:00+01:00` })],
      ['another day', (id) => edit(id, { date: '2026-05-20', departure: '2026-05-20T12:30:00+02:00' })],
      ['unchanged', async () => {}],
    ]
    for (const [i, [what, change]] of changes.entries()) {
      const date = `2026-03-1${i}`
      const { id } = await log({ date, departure: `${date}T12:30:00+01:00` })
      service.respond = withStatus(500)
      assert.equal((await at(`${date}T08:31:00Z`)).length, 1, what)
      await change(id, date)
      service.respond = withStatus(201)
      assert.equal((await at(`${date}T09:30:00Z`)).length, what === 'unchanged' ? 1 : 0, what)
      assert.equal(await count('notification_delivery'), 0, what)
    }
  })

  test('it is late by up to half of its lead time, and never sent after departure', async () => {
    await register()
    await log()
    assert.equal((await at('2026-02-19T16:30:00Z')).length, 1, 'five hours late')
    assert.deepEqual(await at('2026-02-20T10:00:01Z'), [], 'more than 90 minutes late')
    await log({ flightNumber: 'SK912', departure: '2026-02-25T12:30:00+01:00', date: '2026-02-25' })
    assert.deepEqual(await at('2026-02-24T23:31:00Z'), [], 'more than twelve hours late')
    service.respond = withStatus(500)
    assert.equal((await at('2026-02-25T08:30:00Z')).length, 1)
    service.respond = withStatus(201)
    assert.deepEqual(await at('2026-02-25T11:30:00Z'), [], 'a retry after departure')
  })

  test('a clock that is wrong by a day never sends twice', async () => {
    await register()
    await log()
    assert.equal((await at('2026-02-19T11:30:00Z')).length, 1)
    assert.deepEqual(await at('2026-02-18T11:30:00Z'), [])
    travel = createTestTravel(app())
    assert.deepEqual(await at('2026-02-19T11:30:00Z'), [], 'after a restart too')
    assert.deepEqual(await at('2026-02-20T11:30:00Z'), [], 'the clock is a day ahead: after departure')
    assert.equal((await at('2026-02-20T08:30:00Z')).length, 1)
    assert.deepEqual(await at('2026-02-19T11:30:00Z'), [])
  })

  test('quiet hours delay a message until they end, or drop it', async () => {
    await register()
    await choose({ quietHours: { from: '22:00', to: '07:00' } })
    await log({ departure: '2026-02-20T08:00:00+01:00' })
    assert.match((await at('2026-02-19T07:00:00Z'))[0]!, /tomorrow 08:00/)
    assert.deepEqual(await at('2026-02-20T04:00:00Z'), [], 'three hours before is five in the morning')
    assert.deepEqual(await at('2026-02-20T05:59:59Z'), [])
    assert.match((await at('2026-02-20T06:00:00Z'))[0]!, /today 08:00/)
    await log({ date: '2026-02-21', departure: '2026-02-21T06:30:00+01:00', flightNumber: 'SK913' })
    assert.match((await at('2026-02-20T06:00:30Z'))[0]!, /SK913 to Newark tomorrow/)
    assert.deepEqual(await at('2026-02-21T03:30:00Z'), [])
    assert.deepEqual(await at('2026-02-21T06:00:00Z'), [], 'it has departed')
  })

  test('reminders that waited for the end of quiet hours are one message', async () => {
    await register()
    await choose({ quietHours: { from: '22:00', to: '07:00' }, reminderMinutes: [240, 180] })
    await log({ departure: '2026-02-20T08:00:00+01:00' })
    assert.deepEqual(await at('2026-02-20T03:00:00Z'), [])
    assert.deepEqual(await at('2026-02-20T04:00:00Z'), [])
    assert.equal((await at('2026-02-20T06:00:00Z')).length, 1)
  })

  test('security passes quiet hours, other notices wait', async () => {
    await register()
    await choose({ quietHours: { from: '22:00', to: '07:00' }, timeZone: 'Europe/Copenhagen' })
    app().clock.set('2026-02-20T02:00:00Z')
    await notice('session.new', { userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0', address: null })
    await notice('intake.stopped', { what: 'mailbox', id: 1, name: 'ada', because: 'login_refused' })
    assert.deepEqual(await at('2026-02-20T02:00:00Z'), [
      'New sign-in | Firefox on Linux. If this was not you, report it in Contrail.',
    ])
    assert.deepEqual(await at('2026-02-20T06:00:00Z'), [
      'Can’t read ada any more | Check it in the settings.',
    ])
  })

  test('discreet messages say only that there is news', async () => {
    await register()
    await choose({ discreet: true })
    await log()
    await notice('session.new', { userAgent: null, address: '192.0.2.1' })
    assert.deepEqual((await at('2026-02-01T12:00:00Z')).sort(), [
      'Contrail | There is news about your account',
    ])
    assert.deepEqual(await at('2026-02-19T11:30:00Z'), ['Contrail | There is news about a flight'])
  })

  // Notices

  const notice = (kind: Parameters<typeof insertNotice>[1]['kind'], data: object, userId = ada.id) =>
    app().store.transaction((tx) =>
      insertNotice(tx, {
        userId,
        kind,
        at: new Date(app().clock.now()).toISOString(),
        data: data as never,
        flightId: null,
      }),
    )

  test('a notice is sent only to people with a device, and not if it was read by then', async () => {
    await notice('session.new', { userAgent: null, address: null })
    assert.equal(await count('notification'), 0)
    await register()
    await notice('release.available', { version: '2.0.0', security: false })
    assert.equal(await count('notification'), 0)
    await choose({ kinds: { imports: 'push' } })
    const waiting = { importId: 1, filename: 'Booking QX7RTZ Grimhilde.pdf', questions: 2 }
    await notice('import.waiting', waiting)
    assert.deepEqual(await at('2026-02-01T12:00:01Z'), [
      'An import needs your review | Open it to answer its questions.',
    ])
    await notice('import.waiting', waiting)
    const cookie = await ada.session()
    const { data } = (await app().request('GET', '/app/api/notices', { cookie })).json
    await app().request('POST', '/app/api/notices/read', { cookie, body: { upTo: data[0].id } })
    assert.deepEqual(await at('2026-02-01T12:00:02Z'), [])
  })

  test('a role that no longer reads flights gets no reminders', async () => {
    const eve = await app().person(['flight.create.own', 'flight.read.own'])
    await register(await eve.key())
    await log({}, eve)
    await app().store.transaction((tx) =>
      tx.execute(
        `update role set permissions = '["flight.create.own"]' where id = (select role_id from person where id = '${eve.id}')`,
      ),
    )
    assert.deepEqual(await at('2026-02-19T11:30:00Z'), [])
  })

  test('no message contains more than it may', async () => {
    await register()
    const secrets = {
      bookingReference: 'QX7RTZ',
      note: 'Fenster nehmen',
      priceAmount: '417.53',
      priceCurrency: 'DKK',
    }
    const passengers = [{ userId: ada.id, seatNumber: '31K', seat: 'window' }, { guestName: 'Grimhilde' }]
    await log({ ...secrets, passengers })
    assert.equal((await at('2026-02-19T11:30:00Z')).length, 1)
    const sizes = new Set(everything.map(({ body }) => body.length))
    assert.equal(sizes.size, 1)
    for (const { json } of everything)
      for (const secret of [...Object.values(secrets), '31K', 'Grimhilde', 'Person', ada.id, 'ctk_', 'cts_'])
        assert.ok(!JSON.stringify(json).includes(secret), `${secret} is in ${JSON.stringify(json)}`)
  })

  // Responses

  const remind = async (departure = '2026-02-20T12:30:00+01:00') => {
    await log({ departure, date: departure.slice(0, 10) })
    return at(new Date(Date.parse(departure) - 3 * HOUR).toISOString())
  }
  const later = async (ms: number) => at(new Date(app().clock.now() + ms).toISOString())

  test('404 and 410 delete the device, without a notice', async () => {
    for (const status of [404, 410]) {
      await register()
      service.respond = withStatus(status)
      assert.equal((await remind(status === 404 ? undefined : '2026-02-21T12:30:00+01:00')).length, 1)
      assert.deepEqual(await listed(), [])
    }
    assert.equal(await count('notification_delivery'), 0)
  })

  test('failures are retried while the message is of use', async () => {
    await register()
    service.respond = withStatus(500)
    assert.equal((await remind()).length, 1)
    assert.equal((await listed())[0].status, 'failing')
    for (const wait of [10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 15 * MINUTE]) {
      assert.deepEqual(await later(wait - SECOND), [])
      assert.equal((await later(SECOND)).length, 1)
    }
    service.respond = withStatus(201)
    assert.equal((await later(15 * MINUTE)).length, 1)
    assert.equal((await listed())[0].status, 'active')
    assert.deepEqual(await later(15 * MINUTE), [])
  })

  test('a redirect is a failure and is not followed', async () => {
    await register()
    const other = service.subscribe('/elsewhere')
    service.respond = (response, { path }) =>
      path === '/elsewhere'
        ? response.writeHead(201).end()
        : response.writeHead(307, { location: other.endpoint }).end()
    assert.equal((await remind()).length, 1)
    assert.equal((await listed())[0].status, 'failing')
  })

  test('413 drops the message and is logged as an error, with the host only', async () => {
    const id = await register()
    service.respond = withStatus(413)
    assert.equal((await remind()).length, 1)
    assert.equal(await count('notification_delivery'), 0)
    assert.equal((await listed())[0].id, id)
    assert.ok(app().logged.some((line) => line.includes('too large') && line.includes('127.0.0.1')))
    assert.ok(!app().logged.some((line) => line.includes('/send/')))
  })

  test('a service that refuses this instance is tried four times, then the device is removed', async () => {
    await register()
    await choose({ kinds: { intake: 'push' } })
    const statuses = [400, 401, 403, 403]
    service.respond = (response) => response.writeHead(statuses.shift() ?? 201).end()
    await notice('intake.stopped', { what: 'mailbox', id: 1, name: 'ada', because: 'login_refused' })
    assert.equal((await later(SECOND)).length, 1)
    for (let i = 0; i < 3; i++) {
      assert.deepEqual(await later(59 * MINUTE), [])
      assert.equal((await later(MINUTE)).length, 1)
    }
    assert.deepEqual(await listed(), [])
  })

  test('429 pauses one host for as long as it says, and no attempt is counted', async () => {
    await register()
    const other = await startPushService(() => app().clock.now())
    try {
      service.respond = withStatus(429, { 'retry-after': '600' })
      await remind()
      assert.equal((await send('POST', '/push-subscriptions', other.subscribe())).status, 201)
      await notice('session.new', { userAgent: null, address: null })
      await notice('backup.failed', { reason: 'disk_full' })
      assert.deepEqual(await later(MINUTE), [], 'its messages wait')
      assert.equal(other.take().length, 2, 'the other service gets its messages')
      service.respond = withStatus(201)
      assert.deepEqual(await later(8 * MINUTE), [])
      assert.equal((await later(2 * MINUTE)).length, 3)
      assert.equal((await listed())[0].status, 'active')
    } finally {
      await other.close()
    }
  })

  test('a pause lasts as long as the service says, a second to an hour', async () => {
    const pauses = [
      [429, '86400', HOUR],
      [429, '0', SECOND],
      [429, undefined, MINUTE],
      [503, '120', 2 * MINUTE],
      [503, undefined, 10 * SECOND],
    ] as const
    await register()
    for (const [status, retryAfter, wait] of pauses) {
      const what = `${status} ${retryAfter}`
      travel = createTestTravel(app())
      service.respond = withStatus(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
      await notice('session.new', { userAgent: null, address: null })
      assert.equal((await later(SECOND)).length, 1, what)
      const isFailure = status === 503 && retryAfter === undefined
      assert.equal((await listed())[0].status, isFailure ? 'failing' : 'active', what)
      service.respond = withStatus(201)
      assert.deepEqual(await later(wait - 1), [], what)
      assert.equal((await later(1)).length, 1, what)
    }
  })

  test('a device without success for 30 days and ten failures is removed', async () => {
    await register()
    app().clock.advance(31 * DAY)
    service.respond = withStatus(500)
    await notice('session.new', { userAgent: null, address: null })
    let attempts = (await later(SECOND)).length
    for (let i = 0; i < 12; i++) attempts += (await later(15 * MINUTE)).length
    assert.equal(attempts, 10)
    assert.deepEqual(await listed(), [])
  })

  test('a slow service delays no other', async () => {
    const held: (() => void)[] = []
    service.respond = (response) => void held.push(() => response.writeHead(201).end())
    const other = await startPushService(() => app().clock.now())
    const people = await Promise.all(Array.from({ length: 40 }, () => app().person()))
    await Promise.all(
      people.map(async (person) => {
        await register(await person.key())
        await notice('session.new', { userAgent: null, address: null }, person.id)
      }),
    )
    assert.equal((await send('POST', '/push-subscriptions', other.subscribe())).status, 201)
    app().clock.advance(SECOND)
    await notice('session.new', { userAgent: null, address: null })
    app().clock.advance(SECOND)
    const sending = travel.sender.sendDue()
    try {
      await until('the other service gets its message', () => other.received.length > 0)
      assert.ok(held.length <= 16, 'at most 16 requests to one service')
    } finally {
      service.respond = withStatus(201)
      for (const release of held) release()
      await sending
      await other.close()
    }
    assert.equal(service.take().length, 40)
  })

  test('a device that ended while its message waited gets nothing more', async () => {
    const held: (() => void)[] = []
    service.respond = (response) => void held.push(() => response.writeHead(201).end())
    const devices = new Map<string, () => Promise<unknown>>()
    for (let i = 0; i < 20; i++) {
      const person = await app().person()
      const cookie = await person.session()
      const { endpoint, keys } = service.subscribe()
      const as = { cookie, body: { endpoint, keys } }
      assert.equal((await app().request('POST', '/app/api/push-subscriptions', as)).status, 201)
      devices.set(new URL(endpoint).pathname, () => app().request('POST', '/app/api/sign-out', { cookie }))
      await notice('session.new', { userAgent: null, address: null }, person.id)
    }
    app().clock.advance(SECOND)
    const sending = travel.sender.sendDue()
    try {
      await until('the service has as many requests as it may', () => held.length === 16)
      const begun = new Set(service.received.map(({ path }) => path))
      for (const [path, signOut] of devices) if (!begun.has(path)) await signOut()
    } finally {
      service.respond = withStatus(201)
      for (const release of held) release()
      await sending
    }
    assert.equal(service.take().length, 16)
  })

  test('what was queued is not sent once notifications are turned off', async () => {
    await register()
    service.respond = withStatus(500)
    await notice('session.new', { userAgent: null, address: null })
    assert.equal((await later(SECOND)).length, 1)
    service.respond = withStatus(201)
    const smtp = { url: 'smtp://127.0.0.1:1', from: 'contrail@localhost' }
    travel = createTestTravel({ ...app(), config: { ...app().config, push: false, smtp } })
    assert.deepEqual(await later(MINUTE), [])
  })

  /** Requests stay open until they are aborted. */
  const hanging = (): Push => ({
    ...app().services.push,
    send: (_db, _device, _message, signal) =>
      new Promise((_resolve, reject) => signal!.addEventListener('abort', reject)),
  })

  test('a process that stops leaves its messages to the next one, without delay', async () => {
    await register()
    await notice('session.new', { userAgent: null, address: null })
    app().clock.advance(SECOND)
    const { sender: stopped } = createTestTravel(app(), () => {}, hanging())
    const sending = stopped.sendDue()
    const leased = () => count('notification_delivery where lease is not null')
    await until('the message is claimed', async () => (await leased()) > 0)
    await stopped.stop()
    await sending
    await travel.sender.sendDue()
    assert.equal(service.take().length, 1)
  })

  test('two senders send each message once, and a killed one loses nothing', async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => app().person()))
    for (const person of people) {
      await register(await person.key())
      await notice('session.new', { userAgent: null, address: null }, person.id)
    }
    app().clock.advance(SECOND)
    const others = [createTestTravel(app()), createTestTravel(app()), travel]
    await Promise.all(others.map(({ sender }) => sender.sendDue()))
    assert.equal(service.take().length, 30)
    assert.equal(await count('notification_delivery'), 0)

    for (const person of people) await notice('session.new', { userAgent: null, address: null }, person.id)
    app().clock.advance(SECOND)
    // Claims and never responds, as if killed: its requests stay open.
    const { sender: killed } = createTestTravel(app(), () => {}, hanging())
    const sending = killed.sendDue()
    await until(
      'messages are claimed',
      async () => (await count('notification_delivery where lease is not null')) > 0,
    )
    assert.deepEqual(await later(SECOND), [])
    assert.equal((await later(2 * MINUTE)).length, 30)
    await later(2 * MINUTE)
    assert.equal(await count('notification_delivery'), 0)
    await killed.stop()
    await sending
  })

  test('a result that comes after the lease has ended does not take the message from its next sender', async () => {
    await register()
    await notice('session.new', { userAgent: null, address: null })
    app().clock.advance(SECOND)
    const failed = { status: 500, problem: null, retryAfterMs: null }
    let [isAsked, fail] = [false, () => {}]
    const slow = createTestTravel(app(), () => {}, {
      ...app().services.push,
      send: () =>
        new Promise((resolve) => {
          ;[isAsked, fail] = [true, () => resolve(failed)]
        }),
    })
    const first = slow.sender.sendDue()
    await until('the first sender has begun', () => isAsked)
    app().clock.advance(2 * MINUTE)
    let release = () => {}
    service.respond = (response) => {
      release = () => response.writeHead(201).end()
    }
    const second = travel.sender.sendDue()
    await until('the second sender has begun', () => service.received.length === 1)
    fail()
    await first
    app().clock.advance(MINUTE)
    await createTestTravel(app()).sender.sendDue()
    release()
    await second
    assert.equal(service.take().length, 1)
    assert.equal(await count('notification_delivery'), 0)
  })

  // Addresses and secrets

  test('a name that leads to a private address is refused, also if it does so only later', async () => {
    const { config, clock, services } = app()
    let addresses = ['203.0.113.9']
    const parts = { config: { ...config, host: '0.0.0.0' }, secret: services.secret, clock, version: 'test' }
    const push = createPush({ ...parts, resolve: async () => addresses, timeoutMs: 300 })
    await register()
    const [row] = await app().store.read.query('select * from push_subscription', [])
    const userId = String(row!['user_id'])
    const endpoint = services.secret.seal(`push of ${userId}`, 'https://push.example.net/x')
    const device = { id: 1, userId, endpoint, keys: String(row!['keys']) }
    const shown = { title: 't', body: 'b', lang: 'en', tag: 't', navigate: 'https://x.example/' } as const
    const message = { shown, urgency: 'low', expiresAt: clock.now() + HOUR } as const
    for (const refused of [
      '127.0.0.1',
      '10.0.0.7',
      '169.254.169.254',
      '::1',
      'fe80::1',
      '::ffff:192.168.0.1',
    ]) {
      for (const found of [[refused], ['203.0.113.9', refused]]) {
        addresses = found
        const { status, problem } = await push.send(app().store.read, device, message)
        assert.deepEqual([status, problem], [null, 'address_refused'], String(found))
      }
    }
    addresses = []
    assert.equal((await push.send(app().store.read, device, message)).problem, 'name_not_found')
  })

  test('the connection goes to the address that was checked, whatever the name leads to later', async () => {
    const hosts: (string | undefined)[] = []
    const server = http.createServer(keepsConnections, (request, response) => {
      hosts.push(request.headers.host)
      request.resume().on('end', () => response.writeHead(201).end())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { config, clock, services } = app()
    const answers = [['127.0.0.1'], ['192.0.2.1']]
    const push = createPush({
      config: { ...config, pushPrivateAddresses: true },
      secret: services.secret,
      clock,
      version: 'test',
      resolve: async () => answers.shift() ?? [],
    })
    try {
      await register()
      const [row] = await app().store.read.query('select * from push_subscription', [])
      const userId = String(row!['user_id'])
      const endpoint = services.secret.seal(`push of ${userId}`, `http://push.invalid:${port}/x`)
      const device = { id: 1, userId, endpoint, keys: String(row!['keys']) }
      const shown = { title: 't', body: 'b', lang: 'en', tag: 't', navigate: 'https://x.example/' } as const
      const message = { shown, urgency: 'low', expiresAt: clock.now() + HOUR } as const
      for (let i = 0; i < 2; i++)
        assert.equal((await push.send(app().store.read, device, message)).status, 201)
      assert.deepEqual(hosts, [`push.invalid:${port}`, `push.invalid:${port}`])
      assert.equal(answers.length, 1, 'the name is looked up once a minute')
    } finally {
      push.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  test('without the secret nothing is sent and no device is lost', async () => {
    await register()
    const { config, clock } = app()
    const secret = createInstanceSecret({ secretKey: 'x'.repeat(40), dataDir: config.dataDir })
    const push = createPush({ config, secret, clock, version: 'test' })
    await notice('session.new', { userAgent: null, address: null })
    app().clock.advance(SECOND)
    const { sender } = createTestTravel(app(), () => {}, push)
    await sender.sendDue()
    assert.equal(service.take().length, 0)
    assert.equal((await listed())[0].status, 'active')
    assert.ok(app().logged.some((line) => line.includes('contrail push reset')))
    await assert.rejects(
      app().store.transaction((tx) => push.publicKey(tx)),
      /push reset/,
    )
    assert.equal((await later(15 * MINUTE)).length, 1, 'the right secret is back')
  })

  test('a test of a device reports what the push service said', async () => {
    const id = await register()
    const tested = async () => (await send('POST', `/push-subscriptions/${id}/test`)).json.data
    assert.deepEqual(await tested(), { delivered: true, status: 201, reason: null })
    assert.deepEqual(texts(service.take()), ['Notifications work | This device gets your notifications.'])
    service.respond = withStatus(403, {}, 'x'.repeat(100_000))
    assert.deepEqual(await tested(), { delivered: false, status: 403, reason: null })
    assert.equal((await listed())[0].status, 'failing')
    service.respond = (response) => response.destroy()
    assert.deepEqual(await tested(), { delivered: false, status: null, reason: 'connection_broken' })
  })

  test('an update replaces the earlier message of the same flight at the push service', async () => {
    await register()
    await log()
    await at('2026-02-19T11:30:00Z')
    await at('2026-02-20T08:30:00Z')
    const [first, second] = everything.slice(-2)
    assert.equal(first!.headers['topic'], second!.headers['topic'])
    assert.notEqual(first!.headers['topic'], first!.json.notification.tag)
  })

  test('what is old is deleted', async () => {
    await register()
    service.respond = withStatus(500)
    await remind()
    assert.deepEqual([await count('notification'), await count('notification_delivery')], [1, 1])
    app().clock.advance(6 * DAY)
    await deleteExpired(app().store, app().clock.now())
    assert.deepEqual([await count('notification'), await count('notification_delivery')], [1, 0])
    app().clock.advance(2 * DAY)
    await deleteExpired(app().store, app().clock.now())
    assert.equal(await count('notification'), 0)
  })
})

onBothEngines('a fresh instance', (app) => {
  test('opens no connection on a day of travel and hardly reads', async () => {
    const ada = await app().person()
    const [fromId, toId] = await airportIds(app(), 'CPH', 'EWR')
    await logFlight(app(), ada, { date: '2026-06-16', fromId, toId, departure: '2026-06-16T12:00:00Z' })
    const travel = createTestTravel(app())
    await travel.run()
    for (let i = 0; i < 96; i++) {
      app().clock.advance(15 * MINUTE)
      await travel.run()
    }
    for (const table of ['notification', 'notification_delivery', 'push_subscription'])
      assert.deepEqual(await app().store.read.query(`select * from ${table}`, []), [])
    assert.deepEqual(await app().store.read.query("select * from setting where name = 'pushKeys'", []), [])
  })
})
