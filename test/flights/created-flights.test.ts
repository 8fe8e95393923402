// A new flight is not read back: its response is built from the written values, and equals a read byte for byte, whatever
// fields the flight has.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onBothEngines, type TestPerson } from '../harness.ts'

const path = '/api/v1/flights'

onBothEngines('created flights', (app) => {
  let owner: TestPerson
  let grace: TestPerson
  let key: string
  let bare: { date: string; fromId: number; toId: number }

  before(async () => {
    owner = await app().person('owner')
    grace = await app().person()
    key = await owner.key()
    bare = { date: '2026-02-20', fromId: await app().airportId('CPH'), toId: await app().airportId('OSL') }
    const cookie = await owner.session()
    for (const [entityType, field] of [
      ['flight', 'meal'],
      ['flight', 'lounge'],
      ['flight_passenger', 'bags'],
    ] as const) {
      const body = { entityType, key: field, label: field, fieldType: field === 'bags' ? 'number' : 'text' }
      const made = await app().request('POST', '/app/api/custom-fields', { cookie, body })
      assert.equal(made.status, 201, made.text)
    }
  })

  const seat = { seat: 'window', seatNumber: '12A', seatClass: 'economy', flightReason: 'leisure' }
  const track = {
    sourceFormat: 'gpx',
    coordinates: [
      [12.6, 55.6, 0],
      [11.5, 58.1, 10_000],
      [11.1, 60.2, 200],
    ],
  }
  const times = {
    departure: '2026-02-20T08:15:00+01:00',
    arrival: '2026-02-20T09:25:00+01:00',
    departureScheduled: '2026-02-20T08:10:00+01:00',
    takeoffActual: '2026-02-20T08:31:00+01:00',
    landingActual: '2026-02-20T09:20:00+01:00',
  }
  const words = { note: 'Ünïcode ✈ "quoted" \\ and\nlines', flightNumber: 'SK1467', aircraftReg: 'OY-KBO' }

  const kinds = (): Record<string, object> => ({
    'only a route': {},
    'all about the time': times,
    words,
    'gates, booking and price': {
      departureTerminal: '2',
      departureGate: 'B4',
      arrivalGate: '31',
      bookingReference: 'ABC123',
      price: { amount: '129.90', currency: 'EUR' },
    },
    'a month': { date: '2026-02-01', datePrecision: 'month' },
    diverted: { outcome: 'diverted', plannedToId: bare.fromId },
    cancelled: { outcome: 'cancelled' },
    'the caller with a seat': { passengers: [{ userId: owner.id, ...seat }] },
    'guests around the caller': {
      passengers: [
        { guestName: 'Zoë' },
        { userId: owner.id, ...seat },
        { guestName: 'Amelia', seat: 'aisle' },
      ],
    },
    'guests alone': { passengers: [{ guestName: 'Zoë' }, { guestName: 'Amelia' }] },
    'another person': { passengers: [{ userId: owner.id }, { userId: grace.id, ...seat }] },
    'another person alone': { passengers: [{ userId: grace.id }] },
    'custom fields': {
      customFields: { lounge: 'B', meal: 'Späti' },
      passengers: [{ userId: owner.id, customFields: { bags: 2.5 } }, { guestName: 'Zoë' }],
    },
    'external ids': { externalIds: { tripit: '79', apple: 'a', '10': 'ten', '9': 'nine' } },
    'no external ids': { externalIds: {} },
    'a track': { track },
    everything: {
      ...times,
      ...words,
      passengers: [
        { userId: grace.id },
        { guestName: 'Zoë' },
        { userId: owner.id, customFields: { bags: 1 } },
      ],
      customFields: { meal: 'fish' },
      externalIds: { tripit: '80', flighty: 'x' },
      track: { ...track, sourceFormat: 'kml', sourceName: 'down.kml' },
    },
  })

  const read = (id: number) => app().request('GET', `${path}/${id}`, { key })

  async function assertAsRead(made: Awaited<ReturnType<typeof read>>, what: string): Promise<void> {
    assert.equal(made.status, 201, `${what}: ${made.text}`)
    const found = await read(made.json.data.id)
    assert.equal(made.text, found.text, what)
    assert.equal(made.headers.etag, found.headers.etag, what)
  }

  test('a created flight is returned exactly as a read returns it', async () => {
    for (const [what, more] of Object.entries(kinds()))
      await assertAsRead(await app().request('POST', path, { key, body: { ...bare, ...more } }), what)
  })

  test('a list contains created flights byte for byte as a read returns them', async () => {
    for (const address of [
      `${path}?limit=7`,
      `${path}?scope=all&limit=100`,
      `${path}?order=oldest&limit=100`,
    ]) {
      const page = await app().request('GET', address, { key })
      assert.equal(page.status, 200, page.text)
      const flights: string[] = []
      for (const { id } of page.json.data) flights.push((await read(id)).text.slice('{"data":'.length, -1))
      const nextCursor = JSON.stringify(page.json.page.nextCursor)
      assert.equal(page.text, `{"data":[${flights}],"page":{"nextCursor":${nextCursor}}}`)
      assert.ok(flights.length >= 7)
    }
    const nothing = await app().request('GET', `${path}?dateTo=1950-01-01`, { key })
    assert.equal(nothing.text, '{"data":[],"page":{"nextCursor":null}}')
  })

  test('a flight created with an idempotency key or external id is returned as a read returns it', async () => {
    for (const [what, { externalIds: _, ...more }] of Object.entries(kinds()) as [
      string,
      { externalIds?: unknown },
    ][]) {
      const body = { ...bare, ...more }
      const headers = { 'idempotency-key': `once ${what}` }
      await assertAsRead(await app().request('POST', path, { key, body, headers }), `${what}, with a key`)
      const address = `${path}/by-external-id/test/${encodeURIComponent(what)}`
      await assertAsRead(await app().request('PUT', address, { key, body }), `${what}, by external id`)
    }
  })

  test('a flight logged by text is returned as a read returns it', async () => {
    const body = {
      flightNumber: 'SK 1419',
      from: 'CPH',
      to: 'ARN',
      date: '2026-03-02',
      departureTime: '07:40',
    }
    const made = await app().request('POST', `${path}/log`, { key, body })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.json.data, (await read(made.json.data.id)).json.data)
    const undone = await app().request('POST', '/api/v1/history/undo', {
      key,
      body: { changeId: made.json.changeId },
    })
    assert.equal(undone.status, 200, undone.text)
  })

  test('concurrent creations get their own change numbers and one feed entry each', async () => {
    const begin = (await app().request('GET', '/api/v1/changes?types=flight', { key })).json
    const made = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        app().request('POST', path, { key, body: { ...bare, note: `No. ${i}` } }),
      ),
    )
    for (const one of made) assert.equal(one.status, 201, one.text)
    let token = begin.sync.token as string
    const seen: number[] = []
    for (let more = true; more; ) {
      const { json } = await app().request('GET', `/api/v1/changes?types=flight&since=${token}`, { key })
      seen.push(...json.data.map((item: { id: number }) => item.id))
      token = json.sync.token
      more = json.sync.hasMore
    }
    for (const one of made) assert.equal(seen.filter((id) => id === one.json.data.id).length, 1)
    const numbers = await app().store.read.query(
      "select change_id from flight_history where kind = 'added'",
      [],
    )
    assert.equal(new Set(numbers.map((row) => row['change_id'])).size, numbers.length)
  })

  test('creations while their person is deleted are refused or deleted, and all get a response', async () => {
    for (let round = 0; round < 5; round++) {
      const ann = await app().person('role-administrator')
      const hers = await ann.key()
      const cookie = await owner.session()
      const writes = Array.from({ length: 6 }, () => app().request('POST', path, { key: hers, body: bare }))
      const removal = app().request('DELETE', `/app/api/users/${ann.id}`, { cookie })
      const replies = await Promise.all([...writes, removal])
      for (const { status, text } of replies.slice(0, -1))
        assert.ok([201, 401, 409, 422].includes(status), `${status} ${text}`)
      const [left] = await app().store.read.query(
        app().engine === 'postgres'
          ? 'select count(*) as n from flight_passenger where user_id = $1'
          : 'select count(*) as n from flight_passenger where user_id = ?',
        [ann.id],
      )
      const isGone = replies.at(-1)!.status === 204
      if (isGone) assert.equal(Number(left!['n']), 0)
    }
  })

  test('a flight logged while its airport changes gets a response and is read in the current state', async () => {
    const cookie = await owner.session()
    const place = {
      icao: 'QQ7Z',
      name: 'Own strip',
      latitude: 50,
      longitude: 8,
      timezone: 'Europe/Berlin',
      continent: 'EU',
      country: 'DE',
    }
    const strip = (await app().request('POST', '/app/api/airports', { cookie, body: place })).json.data
    const body = { ...bare, fromId: strip.id }
    for (let round = 0; round < 3; round++) {
      const renamed = { ...place, name: `Own strip ${round}` }
      const [changed, ...made] = await Promise.all([
        app().request('PUT', `/app/api/airports/${strip.id}`, { cookie, body: renamed }),
        ...Array.from({ length: 4 }, () => app().request('POST', path, { key, body })),
      ])
      for (const { status, text } of [changed, ...made]) assert.ok(status < 300, text)
      const later = await app().request('POST', path, { key, body })
      assert.equal(later.json.data.from.name, renamed.name)
      await assertAsRead(later, 'after the change')
    }
  })
})
