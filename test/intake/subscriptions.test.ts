// Subscriptions to calendars, through the API: which flights are created automatically, which are pending, what is never
// repeated, and what is refused from hosts.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createInstanceSecret } from '../../server/base/secret/instance-secret.ts'
import { SUBSCRIPTIONS_PER_PERSON } from '../../server/domain/intake/intake.ts'
import { DAY, HOUR } from '../../server/domain/time/durations.ts'
import { createIntake } from '../../server/process/intake.ts'
import { assertError } from '../fixtures.ts'
import {
  onBothEngines,
  onSqlite,
  type Reply,
  startTestApp,
  type TestPerson,
  testOnSqlite,
} from '../harness.ts'
import {
  type CalendarHost,
  calendar,
  home,
  plainCalendar,
  serving,
  startCalendarHost,
  toNewark,
} from './calendar-host.ts'

onBothEngines('subscriptions', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  let host: CalendarHost
  let ada: TestPerson
  let key: string
  let cookie: string
  before(async () => {
    host = await startCalendarHost()
  })
  after(() => host.close())
  beforeEach(async () => {
    host.requests.length = 0
    await app().store.transaction((tx) => tx.execute('delete from subscription'))
    ada = await app().person()
    key = await ada.key()
    cookie = await ada.session()
  })

  const send = (method: string, path: string, body?: unknown) =>
    app().request(method, `/api/v1${path}`, body === undefined ? { key } : { key, body })
  const subscribe = (body: object = { url: host.url, name: 'Trips' }) => send('POST', '/subscriptions', body)
  const subscribed = async (body?: object): Promise<Reply['json']> => {
    const reply = await subscribe(body)
    assert.equal(reply.status, 201, reply.text)
    return reply.json.data
  }
  const only = async (): Promise<Reply['json']> => (await send('GET', '/subscriptions')).json.data[0]
  const readDue = () => createIntake(app().services, app().services.log).readDue()
  const flights = async (): Promise<string[]> =>
    (await send('GET', '/flights')).json.data
      .map(
        ({ date, flightNumber, from, to }: Reply['json']) =>
          `${date} ${flightNumber} ${from.iata}-${to.iata}`,
      )
      .sort()
  const notices = async (): Promise<Reply['json'][]> =>
    (await app().request('GET', '/app/api/notices', { cookie })).json.data
  const imports = async (): Promise<Reply['json'][]> => (await send('GET', '/imports')).json.data

  test('flights of a calendar are imported immediately, with one notice and one undo', async () => {
    host.respond = serving(calendar(toNewark, home), '"1"')
    const made = await subscribed({ url: host.url.replace('http:', 'http:'), name: ' Trips ' })
    assert.deepEqual(
      [made.url, made.name, made.status, made.problem, made.httpStatus, made.missing],
      [host.url, 'Trips', 'active', null, 200, []],
    )
    assert.deepEqual(await flights(), ['2026-07-20 SK909 CPH-EWR', '2026-07-28 SK910 EWR-CPH'])
    const [notice, ...more] = await notices()
    assert.deepEqual(more, [])
    assert.equal(notice.kind, 'import.arrived')
    const { importId, ...said } = notice.data
    assert.deepEqual(said, {
      way: 'calendar',
      name: 'Trips',
      sender: null,
      created: 2,
      waiting: 0,
      status: 'committed',
    })
    assert.equal((await send('POST', `/imports/${importId}/undo`)).status, 200)
    assert.deepEqual(await flights(), [])
    assert.equal((await notices())[0].data.status, 'undone')
    // An undone flight stays undone, whatever the calendar sends next.
    host.respond = serving(calendar({ ...toNewark, more: ['LOCATION:Copenhagen'] }, home), '"2"')
    app().clock.advance(HOUR)
    await readDue()
    assert.equal((await only()).httpStatus, 200)
    assert.deepEqual(await flights(), [])
    assert.equal((await notices()).length, 1)
    assert.equal((await imports()).length, 1)
  })

  test('a calendar is read every hour with the last validators, and 304 changes nothing', async () => {
    host.respond = (response, headers) =>
      headers['if-none-match'] || headers['if-modified-since']
        ? void response.writeHead(304).end()
        : void response
            .writeHead(200, { etag: '"a"', 'last-modified': 'Mon, 01 Jun 2026 00:00:00 GMT' })
            .end(calendar(toNewark))
    await subscribed()
    await readDue()
    assert.equal(host.requests.length, 1, 'not before an hour has passed')
    app().clock.advance(HOUR)
    await readDue()
    await readDue()
    assert.equal(host.requests.length, 2)
    assert.equal(host.requests[1]!['if-none-match'], '"a"')
    assert.equal(host.requests[1]!['if-modified-since'], 'Mon, 01 Jun 2026 00:00:00 GMT')
    const after = await only()
    assert.deepEqual([after.status, after.httpStatus], ['active', 304])
    assert.ok(Date.parse(after.lastCheckedAt) - Date.parse(after.lastChangedAt) === HOUR)
    assert.equal((await notices()).length, 1)
  })

  test('a new event adds one flight, and known ones make neither notice nor import', async () => {
    host.respond = serving(calendar(toNewark))
    await subscribed()
    host.respond = serving(calendar({ ...toNewark, more: ['SEQUENCE:1'] }, home))
    app().clock.advance(HOUR)
    await readDue()
    assert.deepEqual(await flights(), ['2026-07-20 SK909 CPH-EWR', '2026-07-28 SK910 EWR-CPH'])
    assert.deepEqual(
      (await notices()).map(({ data }) => data.created),
      [1, 1],
    )
    host.respond = serving(calendar({ ...toNewark, more: ['SEQUENCE:2'] }, home))
    app().clock.advance(HOUR)
    await readDue()
    assert.equal((await notices()).length, 2)
    assert.equal((await imports()).length, 2)
  })

  test('uncertain events are pending, with one notice', async () => {
    const unknown = { ...home, uid: 'item-3@tripit.com', summary: 'SK910 QQX to CPH' }
    host.respond = serving(calendar(unknown))
    await subscribed()
    assert.deepEqual(await flights(), [])
    const [notice] = await notices()
    assert.deepEqual([notice.data.created, notice.data.waiting], [0, 1])
    const { importId } = notice.data
    host.respond = serving(calendar(unknown, { ...home, uid: 'item-4@tripit.com', summary: 'Dentist' }))
    app().clock.advance(HOUR)
    await readDue()
    assert.deepEqual(
      (await notices()).map(({ data }) => data.importId),
      [importId],
    )
  })

  sqliteTest('an event with a cancelled title adds nothing, and one in words is pending', async () => {
    const event = (uid: string, summary: string) => plainCalendar({ ...toNewark, uid, summary })
    for (const title of ['Canceled: SK909 CPH-EWR', 'Storniert: SK909 CPH-EWR', 'SK909 CPH-EWR (annulé)']) {
      host.respond = serving(event('off@example.org', title))
      await app().store.transaction((tx) => tx.execute('delete from subscription'))
      await subscribed()
      assert.deepEqual(await flights(), [], title)
      assert.deepEqual(await notices(), [], title)
    }
    host.respond = serving(event('words@example.org', 'SK909 Copenhagen to Oslo'))
    await app().store.transaction((tx) => tx.execute('delete from subscription'))
    await subscribed()
    assert.deepEqual(await flights(), [])
    const [{ data }] = await notices()
    assert.deepEqual([data.created, data.waiting], [0, 1])
  })

  test('a tentative event is pending until it is confirmed', async () => {
    const event = { ...toNewark, uid: 'one@example.org', summary: 'SK909 CPH-EWR' }
    host.respond = serving(plainCalendar({ ...event, more: ['STATUS:TENTATIVE'] }))
    await subscribed()
    assert.deepEqual(await flights(), [])
    assert.equal((await notices())[0].data.waiting, 1)
    host.respond = serving(plainCalendar({ ...event, more: ['STATUS:CONFIRMED'] }))
    app().clock.advance(HOUR)
    await readDue()
    assert.deepEqual(await flights(), ['2026-07-20 SK909 CPH-EWR'])
    assert.deepEqual(
      (await notices()).map(({ data }) => [data.created, data.waiting]),
      [
        [1, 0],
        [0, 1],
      ],
    )
  })

  test('a changed time is pending, and never changes the flight without consent', async () => {
    host.respond = serving(calendar(toNewark))
    await subscribed()
    const [before] = (await send('GET', '/flights')).json.data
    host.respond = serving(calendar({ ...toNewark, start: '20260720T111500Z', end: '20260720T195500Z' }))
    app().clock.advance(HOUR)
    await readDue()
    const [after] = (await send('GET', '/flights')).json.data
    assert.deepEqual(after, before)
    const [notice] = await notices()
    assert.deepEqual([notice.data.created, notice.data.waiting], [0, 1])
  })

  test('a missing event is shown, and its flight kept, until it returns or is past', async () => {
    host.respond = serving(calendar(toNewark, home))
    await subscribed()
    host.respond = serving(calendar(home))
    app().clock.advance(HOUR)
    await readDue()
    const { missing } = await only()
    assert.deepEqual(
      missing.map(({ flightId: _, ...facts }: Reply['json']) => facts),
      [{ date: '2026-07-20', from: 'CPH', to: 'EWR', flightNumber: 'SK909' }],
    )
    assert.equal((await flights()).length, 2)
    host.respond = serving(calendar(home, toNewark))
    app().clock.advance(HOUR)
    await readDue()
    assert.deepEqual((await only()).missing, [])
    assert.equal((await flights()).length, 2)
  })

  sqliteTest('faults of a host are reported, and nothing is stored', async () => {
    const cases: [string, CalendarHost['respond'], string, unknown?][] = [
      ['500', (response) => void response.writeHead(500).end(), 'intake_http_status', { status: 500 }],
      [
        'redirect',
        (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
        'intake_redirect_refused',
      ],
      ['page', serving('<html>sign in</html>'), 'intake_not_a_calendar'],
      ['empty', serving(''), 'intake_not_a_calendar'],
      [
        'huge',
        (response) => {
          response.writeHead(200)
          const more = () => {
            while (response.write(`BEGIN:VCALENDAR${' '.repeat(1_000_000)}`));
            response.once('drain', more)
          }
          more()
        },
        'intake_too_large',
        { max: 10_485_760 },
      ],
      ['broken', (response) => void response.socket?.destroy(), 'intake_connection_broken'],
    ]
    for (const [name, respond, reason, params] of cases) {
      host.respond = respond
      const reply = await subscribe()
      assert.equal(reply.status, 422, `${name}: ${reply.text}`)
      const [detail] = reply.json.error.details
      assert.deepEqual([detail.path, detail.reason, detail.params], [['url'], reason, params], name)
    }
    assert.deepEqual((await send('GET', '/subscriptions')).json.data, [])
    assert.deepEqual(await imports(), [])
  })

  sqliteTest('addresses must be https or webcal, public, and without credentials', async () => {
    const cases: [string, string][] = [
      ['http://example.org/a.ics', 'calendar_url_form'],
      ['ftp://example.org/a.ics', 'calendar_url_form'],
      ['https://ada:secret@example.org/a.ics', 'calendar_url_form'],
      ['not an address', 'calendar_url_form'],
      ['webcal://10.0.0.1/a.ics', 'intake_address_refused'],
      ['https://192.168.1.4/a.ics', 'intake_address_refused'],
      ['https://[fd00::1]/a.ics', 'intake_address_refused'],
      ['http://2130706433/a.ics', 'calendar_url_form'],
      ['https://nowhere.invalid/a.ics', 'intake_name_not_found'],
      ['webcal://localhost:1/a.ics', 'intake_no_connection'],
    ]
    for (const [url, reason] of cases) {
      const reply = await subscribe({ url, name: 'x' })
      assert.equal(reply.status, 422, `${url}: ${reply.text}`)
      assert.equal(reply.json.error.details[0].reason, reason, url)
    }
    assert.equal(host.requests.length, 0)
  })

  sqliteTest('requests to hosts are limited per person', async () => {
    host.respond = serving('<html>sign in</html>')
    const statuses: number[] = []
    for (let n = 0; n < 31; n++) statuses.push((await subscribe()).status)
    assert.deepEqual([statuses.indexOf(429), host.requests.length], [30, 30])
    const refused = await subscribe()
    assertError(refused, 429, 'too_many_requests')
    assert.ok(Number(refused.headers['retry-after']) > 0)
    app().clock.advance(60_001)
    host.respond = serving(calendar(toNewark))
    assert.equal((await subscribe()).status, 201)
  })

  test('bad requests are refused, unknown ids not found, and the address is private', async () => {
    host.respond = serving(calendar(toNewark))
    const { id } = await subscribed()
    for (const body of [
      {},
      { url: 5 },
      { url: '' },
      { url: host.url, name: 5 },
      { url: host.url, more: 1 },
    ]) {
      assert.equal((await subscribe(body)).status, 422, JSON.stringify(body))
    }
    assert.equal((await send('GET', '/subscriptions?x=1')).status, 400)
    assert.equal((await send('POST', '/subscriptions?x=1', { url: host.url })).status, 400)
    assert.equal((await send('POST', `/subscriptions/${id}/check?x=1`)).status, 400)
    assert.equal((await send('DELETE', `/subscriptions/${id}?x=1`)).status, 400)
    assertError(await send('POST', '/subscriptions', { url: host.url }), 409, 'conflict')
    assertError(await send('POST', '/subscriptions/999999/check'), 404, 'not_found')
    assertError(await send('DELETE', '/subscriptions/999999'), 404, 'not_found')
    const other = await (await app().person()).key()
    assert.deepEqual((await app().request('GET', '/api/v1/subscriptions', { key: other })).json.data, [])
    assert.equal((await app().request('DELETE', `/api/v1/subscriptions/${id}`, { key: other })).status, 404)
    const reader = await ada.key(['flight.read.own'])
    assert.equal((await app().request('GET', '/api/v1/subscriptions', { key: reader })).status, 403)
    const checked = await send('POST', `/subscriptions/${id}/check`)
    assert.equal(checked.status, 200, checked.text)
    assert.equal((await send('DELETE', `/subscriptions/${id}`)).status, 204)
    assert.deepEqual((await send('GET', '/subscriptions')).json.data, [])
    assert.equal((await flights()).length, 1, 'imported flights stay')
  })

  test('subscriptions per person are limited', async () => {
    host.respond = serving(calendar(toNewark))
    for (let n = 0; n < SUBSCRIPTIONS_PER_PERSON; n++) await subscribed({ url: `${host.url}?${n}` })
    const reply = await subscribe({ url: `${host.url}?more` })
    assertError(reply, 409, 'conflict')
    assert.equal(reply.json.error.reason, 'too_many_subscriptions')
    const { page } = (await send('GET', '/subscriptions')).json
    assert.deepEqual([page.available, page.max], [true, SUBSCRIPTIONS_PER_PERSON])
  })

  test('a failing host is read less and less often, and reported after two days', async () => {
    host.respond = serving(calendar(toNewark))
    await subscribed()
    host.respond = (response) => void response.writeHead(503).end()
    app().clock.advance(HOUR)
    await readDue()
    const failing = await only()
    assert.deepEqual([failing.status, failing.problem, failing.httpStatus], ['failing', 'http_status', 503])
    assert.equal(Date.parse(failing.nextCheckAt) - app().clock.now(), 2 * HOUR)
    for (let n = 0; n < 12; n++) {
      app().clock.advance(DAY / 2)
      await readDue()
    }
    const told = (await notices()).filter(({ kind }) => kind === 'intake.stopped')
    assert.deepEqual(
      told.map(({ data }) => [data.what, data.name, data.because]),
      [['subscription', 'Trips', 'http_status']],
    )
    host.respond = serving(calendar(toNewark))
    app().clock.advance(DAY)
    await readDue()
    assert.deepEqual([(await only()).status, (await only()).problem], ['active', null])
  })

  test('a failed reading is repeated whatever the validator, and a failed first one is reported', async (context) => {
    host.respond = serving(calendar(toNewark), '"1"')
    const lost = context.mock.method(app().services.importFiles, 'read', async () => undefined)
    const made = await subscribed()
    assert.deepEqual([made.status, made.problem, made.lastChangedAt], ['failing', 'failed', null])
    assert.deepEqual(await imports(), [])
    app().clock.advance(2 * HOUR)
    await readDue()
    assert.deepEqual([(await only()).status, (await only()).problem], ['failing', 'failed'])
    lost.mock.restore()
    app().clock.advance(DAY)
    await readDue()
    assert.deepEqual([(await only()).status, (await only()).problem], ['active', null])
    assert.deepEqual(await flights(), ['2026-07-20 SK909 CPH-EWR'])
    assert.deepEqual(
      (await notices()).map(({ data }) => data.created),
      [1],
    )
  })

  test('a calendar larger than the import limit is reported at each reading', async () => {
    const small = await startTestApp(engine, { importSizeLimit: 300 })
    try {
      const own = await (await small.person()).key()
      host.respond = serving(calendar(toNewark, home, { ...home, uid: 'item-4@tripit.com' }), '"1"')
      const reply = await small.request('POST', '/api/v1/subscriptions', {
        key: own,
        body: { url: host.url },
      })
      assert.equal(reply.status, 201, reply.text)
      const { id } = reply.json.data
      const again = await small.request('POST', `/api/v1/subscriptions/${id}/check`, { key: own })
      for (const { data } of [reply.json, again.json])
        assert.deepEqual([data.status, data.problem], ['failing', 'too_large'])
    } finally {
      await small.close()
    }
  })

  test('with another instance secret a subscription is suspended with a reason', async () => {
    host.respond = serving(calendar(toNewark))
    const { id } = await subscribed()
    const secret = createInstanceSecret({ secretKey: 'x'.repeat(40), dataDir: '/nowhere' })
    const services = { ...app().services, secret }
    app().clock.advance(HOUR)
    await createIntake(services, services.log).readDue()
    assert.deepEqual([(await only()).status, (await only()).problem], ['suspended', 'secret_unreadable'])
    assert.equal((await notices())[0].data.because, 'secret_unreadable')
    app().clock.advance(DAY)
    await readDue()
    assert.equal((await only()).status, 'suspended', 'it is not read any more')
    assert.equal((await send('DELETE', `/subscriptions/${id}`)).status, 204)
  })

  test('two processes read a calendar once, and a lost lease is taken over', async () => {
    host.respond = serving(calendar(toNewark))
    await subscribed()
    app().clock.advance(HOUR)
    host.requests.length = 0
    host.respond = serving(calendar(toNewark, home))
    await Promise.all([readDue(), readDue(), readDue()])
    assert.equal(host.requests.length, 1)
    assert.deepEqual(
      (await notices()).map(({ data }) => data.created),
      [1, 1],
    )
  })

  test('a killed process leaves a lease that expires, and a repeated reading makes no second notice', async () => {
    host.respond = serving(calendar(toNewark))
    await subscribed()
    app().clock.advance(HOUR)
    host.respond = serving(calendar(toNewark, home))
    const { store } = app()
    const until = new Date(app().clock.now() + 5 * 60_000).toISOString()
    await store.transaction((tx) =>
      tx.execute(`update subscription set lease = 'killed', lease_until = '${until}'`),
    )
    await readDue()
    assert.equal((await flights()).length, 1)
    assertError(await send('POST', `/subscriptions/${(await only()).id}/check`), 409, 'conflict')
    app().clock.advance(6 * 60_000)
    await readDue()
    assert.equal((await flights()).length, 2)
    assert.equal((await notices()).length, 2)
  })

  test('subscriptions are deleted with their person', async () => {
    host.respond = serving(calendar(toNewark))
    await subscribed()
    await app().store.transaction((tx) => tx.execute(`delete from person where id = '${ada.id}'`))
    const left = await app().store.read.query('select id from subscription', [])
    assert.deepEqual(left, [])
  })

  test('neither the address nor its contents are logged', async () => {
    host.respond = serving(calendar(toNewark))
    await subscribed({ url: `${host.url}?token=confidential`, name: 'Trips' })
    app().clock.advance(HOUR)
    host.respond = (response) => void response.writeHead(500).end()
    await readDue()
    assert.ok(!app().logged.some((line) => line.includes('confidential') || line.includes('SK909')))
    const rows = JSON.stringify(await app().store.read.query('select * from subscription', []))
    assert.ok(!rows.includes('confidential'))
  })

  test('switched off, nothing is read or created, and existing subscriptions can be deleted', async () => {
    host.respond = serving(calendar(toNewark))
    const off = await startTestApp(engine, { subscriptions: false })
    try {
      const bea = await off.person()
      const own = await bea.key()
      const reply = await off.request('POST', '/api/v1/subscriptions', { key: own, body: { url: host.url } })
      assertError(reply, 403, 'forbidden')
      assert.equal(reply.json.error.reason, 'subscriptions_off')
      const listed = await off.request('GET', '/api/v1/subscriptions', { key: own })
      assert.equal(listed.json.page.available, false)
    } finally {
      await off.close()
    }
  })
})

onSqlite(
  'calendars of a server at a local address that other machines reach',
  (app) => {
    test('loopback addresses are refused, and the error names the setting', async () => {
      const key = await (await app().person()).key()
      for (const url of ['http://localhost:1/a.ics', 'webcal://127.0.0.1:1/a.ics', 'https://[::1]:1/a.ics']) {
        const reply = await app().request('POST', '/api/v1/subscriptions', { key, body: { url, name: 'x' } })
        assert.equal(reply.status, 422, url)
        const [detail] = reply.json.error.details
        assert.equal(detail.reason, 'intake_address_refused', url)
        assert.match(detail.message, /INTAKE_PRIVATE_ADDRESSES/)
      }
    })
  },
  { host: '0.0.0.0' },
)

onSqlite(
  'calendars where private addresses are permitted',
  (app) => {
    test('loopback addresses are read, also over http', async () => {
      const key = await (await app().person()).key()
      const body = { url: 'http://localhost:1/a.ics', name: 'x' }
      const reply = await app().request('POST', '/api/v1/subscriptions', { key, body })
      assert.equal(reply.json.error.details[0].reason, 'intake_no_connection', reply.text)
    })
  },
  { host: '0.0.0.0', intakePrivateAddresses: true },
)
