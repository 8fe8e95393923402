import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onBothEngines, type TestApp, type TestPerson } from '../harness.ts'

const me = [{ userId: '<USER_ID>' }]

onBothEngines('legacy save', (app) => {
  const save = (key: string, body: unknown) => app().request('POST', '/api/flight/save', { key, body })
  const v1 = async (key: string, id: number) =>
    (await app().request('GET', `/api/v1/flights/${id}`, { key })).json.data

  /** Saves a valid flight and reads it through v1. */
  async function saved(key: string, body: Record<string, unknown>) {
    const reply = await save(key, {
      from: 'CPH',
      to: 'JFK',
      departure: '2026-02-20',
      passengers: me,
      ...body,
    })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.json.success, true)
    return v1(key, reply.json.id ?? body['id'])
  }

  test('a flight is saved by codes and local times, and its id returned', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const reply = await save(key, {
      from: 'cph',
      to: 'KJFK',
      departure: '2026-02-20',
      departureTime: '12:30',
      arrival: '2026-02-20',
      arrivalTime: '3:05 pm',
      departureScheduled: '2026-02-20T00:00:00.000Z',
      departureScheduledTime: '1225',
      takeoffActual: '2026-02-20T00:00:00.000Z',
      takeoffActualTime: '12.41',
      airline: 'SK',
      aircraft: '320',
      flightNumber: 'SK909',
      aircraftReg: 'OY-KBO',
      departureTerminal: '3',
      departureGate: 'C28',
      note: 'Window shade stuck',
      passengers: [
        { userId: '<USER_ID>', seat: 'window', seatNumber: '12A', seatClass: 'economy' },
        { userId: null, guestName: 'Bob', flightReason: 'crew' },
      ],
      flightReason: 'business',
      somethingUnknown: { is: 'ignored' },
    })
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(Object.keys(reply.json), ['success', 'id'])
    const flight = await v1(key, reply.json.id)
    assert.equal(flight.date, '2026-02-20')
    assert.equal(flight.departure, '2026-02-20T11:30:00.000+00:00')
    assert.equal(flight.arrival, '2026-02-20T20:05:00.000+00:00')
    assert.equal(flight.departureScheduled, '2026-02-20T11:25:00.000+00:00')
    assert.equal(flight.takeoffActual, '2026-02-20T11:41:00.000+00:00')
    assert.equal(flight.duration, 8 * 3600 + 35 * 60)
    assert.equal(flight.from.icao, 'EKCH')
    assert.equal(flight.to.iata, 'JFK')
    assert.equal(flight.airline.icao, 'SAS')
    assert.equal(flight.aircraft.icao, 'A320')
    assert.equal(flight.departureGate, 'C28')
    assert.equal(flight.note, 'Window shade stuck')
    assert.equal(flight.passengers[0].user.id, ada.id)
    assert.equal(flight.passengers[0].flightReason, 'business')
    assert.equal(flight.passengers[1].flightReason, 'crew')
  })

  test('an update returns no id and replaces everything but the track and custom values', async () => {
    const key = await (await app().person()).key()
    const track = {
      coordinates: [
        [12.6, 55.6],
        [-73.7, 40.6],
      ],
      sourceFormat: 'gpx',
    }
    const { id } = await saved(key, { note: 'first', flightNumber: 'SK909', track })
    const reply = await save(key, { id, from: 'CPH', to: 'LHR', departure: '2026-02-21', passengers: me })
    assert.deepEqual(reply.json, { success: true })
    const flight = await v1(key, id)
    assert.equal(flight.to.iata, 'LHR')
    assert.equal(flight.date, '2026-02-21')
    assert.equal(flight.note, null)
    assert.equal(flight.track.pointCount, 2)
    await saved(key, { id, track: null })
    assert.equal((await v1(key, id)).track, null)
  })

  test('seats is accepted for passengers, and notes for note', async () => {
    const key = await (await app().person()).key()
    const flight = await saved(key, {
      passengers: undefined,
      seats: [{ userId: '<USER_ID>', seatNumber: '4C' }],
      notes: 'plural',
    })
    assert.equal(flight.passengers[0].seatNumber, '4C')
    assert.equal(flight.note, 'plural')
  })

  test('an unknown duration is estimated from the distance, except for a round trip', async () => {
    const key = await (await app().person()).key()
    const { duration } = await saved(key, {})
    assert.ok(duration > 28_000 && duration < 31_000, String(duration))
    assert.equal((await saved(key, { to: 'CPH' })).duration, null)
  })

  test('unknown codes are refused in the original wording', async () => {
    const key = await (await app().person()).key()
    const good = { from: 'CPH', to: 'JFK', departure: '2026-02-20', passengers: me }
    const cases: [object, string][] = [
      [{ from: 'QQQQ' }, 'Invalid departure airport'],
      [{ from: '%' }, 'Invalid departure airport'],
      [{ from: '' }, 'Invalid departure airport'],
      [{ from: 'C\\H' }, 'Invalid departure airport'],
      [{ to: '___' }, 'Invalid arrival airport'],
      [{ to: { icao: 'QQQQ', iata: null } }, 'Invalid arrival airport'],
      [{ airline: '!!!' }, 'Invalid airline'],
      [{ airline: 'QQ%' }, 'Invalid airline'],
      [{ aircraft: 'Q9Q9' }, 'Invalid aircraft'],
      [{ aircraft: '____' }, 'Invalid aircraft'],
    ]
    for (const [change, message] of cases) {
      const reply = await save(key, { ...good, ...change })
      assert.equal(reply.status, 400, JSON.stringify(change))
      assert.deepEqual(reply.json, { success: false, message })
    }
  })

  test('an airport is also found by a former code', async () => {
    const key = await (await app().person()).key()
    assert.match((await saved(key, { from: 'TXL' })).from.name, /Tegel/)
  })

  test('unreadable bodies are refused with the faulty fields', async () => {
    const key = await (await app().person()).key()
    const good = { from: 'CPH', to: 'JFK', departure: '2026-02-20', passengers: me }
    const cases: [object, (string | number)[]][] = [
      [{ from: undefined }, ['from']],
      [{ to: null }, ['to']],
      [{ to: 17 }, ['to']],
      [{ id: 'x' }, ['id']],
      [{ id: 1.5 }, ['id']],
      [{ id: null }, ['id']],
      [{ departure: 'yesterday' }, ['departure']],
      [{ departure: '2026-02-30' }, ['departure']],
      [{ departure: '' }, ['departure']],
      [{ departure: '2026-02-20T10:00:00' }, ['departure']],
      [{ departure: undefined }, ['departure']],
      [{ departure: null, departureScheduled: null }, ['departure']],
      [{ departureTime: '25:00' }, ['departureTime']],
      [{ departureTime: '13:00 pm' }, ['departureTime']],
      [{ departureTime: 'noon' }, ['departureTime']],
      [{ arrivalTime: 1200 }, ['arrivalTime']],
      [{ datePrecision: 'week' }, ['datePrecision']],
      [{ flightNumber: 'SK123456789' }, ['flightNumber']],
      [{ note: 'x'.repeat(1001) }, ['note']],
      [{ note: '🛫'.repeat(1001) }, ['note']],
      [{ arrivalGate: 'x'.repeat(11) }, ['arrivalGate']],
      [{ passengers: [] }, ['passengers']],
      [{ passengers: undefined }, ['passengers']],
      [{ passengers: 'me' }, ['passengers']],
      [{ passengers: [null] }, ['passengers', 0]],
      [{ passengers: [...me, { userId: null, guestName: '' }] }, ['passengers', 1]],
      [{ passengers: [{ guestName: 'Only a guest' }] }, ['passengers']],
      [{ passengers: [...me, { guestName: 'x'.repeat(51) }] }, ['passengers', 1, 'guestName']],
      [{ passengers: [{ userId: '<USER_ID>', seatNumber: '123456' }] }, ['passengers', 0, 'seatNumber']],
      [{ passengers: [{ userId: '<USER_ID>', seat: 'roof' }] }, ['passengers', 0, 'seat']],
      [{ track: {} }, ['track', 'coordinates']],
      [{ customFields: [] }, ['customFields']],
    ]
    for (const [change, path] of cases) {
      const reply = await save(key, { ...good, ...change })
      assert.equal(reply.status, 400, `${JSON.stringify(change)} ${reply.text}`)
      assert.equal(reply.json.success, false)
      assert.ok(reply.json.message, reply.text)
      const [issue] = reply.json.errors
      assert.deepEqual(issue.path, path, reply.text)
      assert.ok(issue.message && issue.code, reply.text)
    }
    const longest = { note: '🛫'.repeat(1000), flightNumber: '🛫'.repeat(10) }
    assert.equal((await save(key, { ...good, ...longest })).status, 200, 'characters are counted')
  })

  test('broken JSON and odd values cause only 4xx', async () => {
    const key = await (await app().person()).key()
    for (const raw of ['', '{', 'null', '[]', '1', '"x"', '\ufeff{}', '{"a":'.repeat(50)]) {
      const reply = await app().request('POST', '/api/flight/save', { key, raw })
      assert.equal(reply.status, 400, raw)
      assert.equal(reply.json.success, false)
    }
    const good = { from: 'CPH', to: 'JFK', departure: '2026-02-20', passengers: me }
    const extremes = [
      { from: 'C\u0000H' },
      { departure: '9999-12-31T23:59:00-12:00' },
      { departure: '9999-12-31', departureTime: '23:59', arrival: '9999-12-31', arrivalTime: '23:59' },
      { departure: '0001-01-01', departureTime: '00:00' },
      { departure: '0001-01-01T00:00:00+23:00', arrivalTime: '00:00' },
      { id: 2_147_483_648 },
      { id: 99_999_999_999 },
      { passengers: [{ userId: 'nobody' }] },
      { passengers: [me[0], me[0]] },
      { passengers: [{ userId: '<USER_ID>' }, { userId: '<USER_ID>' }] },
      { passengers: [{ userId: '<USER_ID>', id: 3_000_000_000 }] },
      {
        track: {
          coordinates: [
            [500, 0],
            [0, 0],
          ],
          sourceFormat: 'gpx',
        },
      },
    ]
    for (const change of extremes) {
      const reply = await save(key, { ...good, ...change })
      assert.ok(reply.status < 500, `${JSON.stringify(change)}: ${reply.text}`)
      assert.equal(typeof reply.json.success, 'boolean')
    }
  })

  test('impossible dates get 400 with a message', async () => {
    const key = await (await app().person()).key()
    const base = { from: 'CPH', to: 'JFK', departure: '2026-02-20', departureTime: '12:00', passengers: me }
    const cases: [object, RegExp][] = [
      [{ arrival: '2026-02-20' }, /no time/],
      [{ arrival: '2026-02-20', arrivalTime: null }, /no time/],
      [{ arrival: '2026-02-20', arrivalTime: '02:00' }, /^Arrival must be after departure$/],
      [{ arrivalTime: '02:00' }, /^Arrival must be after departure$/],
      [
        {
          takeoffActual: '2026-02-20',
          takeoffActualTime: '12:30',
          landingActual: '2026-02-20',
          landingActualTime: '05:00',
        },
        /^Actual landing must be after actual takeoff$/,
      ],
    ]
    for (const [change, message] of cases) {
      const reply = await save(key, { ...base, ...change })
      assert.equal(reply.status, 400, reply.text)
      assert.equal(reply.json.success, false)
      assert.match(reply.json.message, message)
    }
  })

  test('a flight from get can be sent back without changes', async () => {
    const ada = await app().person()
    const bob = await app().person()
    for (const format of ['codes', 'objects'] as const) {
      const key = await ada.key(undefined, format)
      for (const [name, body] of Object.entries(await oddFlights(app(), ada, bob))) {
        const created = await app().request('POST', '/api/v1/flights', { key, body })
        assert.equal(created.status, 201, created.text)
        const before = created.json.data
        const get = async () =>
          (await app().request('GET', `/api/flight/get/${before.id}`, { key })).json.flight
        const legacy = await get()
        app().clock.advance(1000)
        const reply = await save(key, legacy)
        assert.equal(reply.status, 200, `${name}: ${reply.text}`)
        const after = await v1(key, before.id)
        assert.deepEqual({ ...after, updatedAt: null }, { ...before, updatedAt: null }, name)
        assert.deepEqual(await get(), legacy)
      }
    }
  })

  test('another spelling of the same time keeps the stored text', async () => {
    const key = await (await app().person()).key()
    const flight = await saved(key, { departure: '2026-02-20T12:30:00+01:00' })
    assert.equal(flight.departure, '2026-02-20T11:30:00.000+00:00')
    assert.equal(flight.date, '2026-02-20')
    for (const same of ['2026-02-20T11:30:00Z', '2026-02-20T06:30:00.000-05:00']) {
      assert.equal((await saved(key, { id: flight.id, departure: same })).departure, flight.departure)
    }
    const other = await saved(key, { id: flight.id, departure: '2026-02-20T11:31:00Z' })
    assert.equal(other.departure, '2026-02-20T11:31:00.000+00:00')
  })

  test('a null time of day clears the time, an absent one keeps the instant', async () => {
    const key = await (await app().person()).key()
    const instant = '2026-02-21T02:30:00.000+00:00'
    const kept = await saved(key, { from: 'LAX', departure: instant })
    assert.equal(kept.departure, instant)
    assert.equal(kept.date, '2026-02-20', 'the local day, not the day in Greenwich')
    const blank = await saved(key, { from: 'LAX', departure: instant, departureTime: '' })
    assert.equal(blank.departure, instant)
    // Only the time differs from the instant that was read: the day stays the local one.
    const moved = await saved(key, { id: kept.id, from: 'LAX', departure: instant, departureTime: '19:00' })
    assert.equal(moved.date, '2026-02-20')
    assert.equal(moved.departure, '2026-02-21T03:00:00.000+00:00')
    const cleared = await saved(key, {
      id: kept.id,
      from: 'LAX',
      departure: '2026-02-20',
      departureTime: null,
    })
    assert.equal(cleared.departure, null)
    assert.equal(cleared.date, '2026-02-20')
    // The date next to a null clock, as sent by TREK.
    const carrier = '2026-02-20T00:00:00.000Z'
    const untimed = await saved(key, {
      id: kept.id,
      departure: carrier,
      departureTime: null,
      departureScheduled: carrier,
      departureScheduledTime: null,
      landingActual: carrier,
      landingActualTime: null,
    })
    assert.deepEqual(
      [untimed.date, untimed.departure, untimed.departureScheduled, untimed.landingActual],
      ['2026-02-20', null, null, null],
    )
    const sameDay = await saved(key, {
      departure: '2026-02-20',
      departureTime: '09:00',
      arrivalTime: '15:05',
    })
    assert.equal(sameDay.arrival, '2026-02-20T20:05:00.000+00:00', 'an arrival without a date is on that day')
  })

  test('the placeholder for the key’s user is accepted for the first passenger', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const body = { from: 'CPH', to: 'JFK', departure: '2026-02-20' }
    const first = await saved(key, { passengers: [{ userId: '<USER_ID>' }, { guestName: 'Bob' }] })
    assert.equal(first.passengers[0].user.id, ada.id)
    const second = await save(key, {
      ...body,
      passengers: [{ guestName: 'Bob' }, { userId: '<USER_ID>' }],
    })
    assert.equal(second.status, 422, second.text)
    assert.match(second.json.message, /no such user/)
  })

  test('the caller’s reason is not copied to others when a flight is sent back', async () => {
    const key = await (await app().person()).key()
    const { id } = await saved(key, {
      passengers: [{ userId: '<USER_ID>', flightReason: 'business' }, { guestName: 'Bob' }],
    })
    const { flight } = (await app().request('GET', `/api/flight/get/${id}`, { key })).json
    assert.equal(flight.flightReason, 'business')
    assert.equal((await save(key, flight)).status, 200)
    assert.equal((await v1(key, id)).passengers[1].flightReason, null)
  })

  test('a reassigned code, or a name alone, keeps meaning the stored record', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const airline = (id: number, name: string, iata: string | null, active: 0 | 1) =>
      app().store.transaction((tx) =>
        tx.query(
          `insert into airline (id, name, iata, active, custom, search) values (${id}, '${name}', ${iata ? `'${iata}'` : 'null'}, ${active}, 1, '')`,
          [],
        ),
      )
    await airline(1_500_000_001, 'Former Line', '!1', 0)
    await airline(1_500_000_002, 'Line of Today', '!1', 1)
    await airline(1_500_000_003, 'Line without Codes', null, 1)
    assert.equal((await saved(key, { airline: '!1' })).airline.name, 'Line of Today')
    const body = {
      date: '1999-05-01',
      fromId: await app().airportId('CPH'),
      toId: await app().airportId('JFK'),
      passengers: [{ userId: ada.id }],
    }
    for (const [airlineId, airline] of [
      [1_500_000_001, '!1'],
      [1_500_000_003, 'Line without Codes'],
    ] as const) {
      const created = await app().request('POST', '/api/v1/flights', { key, body: { ...body, airlineId } })
      const { id } = created.json.data
      const { flight } = (await app().request('GET', `/api/flight/get/${id}`, { key })).json
      assert.equal(flight.airline, airline)
      assert.equal((await saved(key, { id, departure: '1999-05-01', airline })).airline.id, airlineId)
    }
    // The code takes precedence over an id of another instance.
    const foreign = await saved(key, { airline: { id: 1_500_000_001, icao: 'SAS', iata: 'SK', name: 'SAS' } })
    assert.equal(foreign.airline.icao, 'SAS')
  })

  test('custom values are written by key, and kept if absent', async () => {
    const key = await (await app().person()).key()
    await app().store.transaction(async (tx) => {
      await tx.query(
        `insert into custom_field (entity_type, key, label, field_type, required, position, active, created_at, updated_at)
         values ('flight', 'pnr', 'PNR', 'text', 0, 1, 1, '', '')`,
        [],
      )
      await tx.query(`update revision set value = value + 1 where name = 'reference'`, [])
    })
    const flight = await saved(key, { customFields: { pnr: 'ABC123', unknown: 1 } })
    assert.deepEqual(flight.customFields, { pnr: 'ABC123' })
    assert.deepEqual((await saved(key, { id: flight.id })).customFields, { pnr: 'ABC123' })
    const refused = await save(key, {
      from: 'CPH',
      to: 'JFK',
      departure: '2026-02-20',
      passengers: me,
      customFields: { pnr: 7 },
    })
    assert.equal(refused.status, 422)
    assert.match(refused.json.message, /PNR/)
  })
})

/** Fields of v1 that the legacy API does not have: each must survive a round trip through it. */
async function oddFlights(app: TestApp, ada: TestPerson, bob: TestPerson) {
  const [fromId, toId] = [await app.airportId('LAX'), await app.airportId('HND')]
  const base = { date: '2026-02-20', fromId, toId, passengers: [{ userId: ada.id }] }
  return {
    'full of everything': {
      ...base,
      departure: '2026-02-20T23:50:12.5-08:00',
      arrival: '2026-02-22T04:15:00+09:00',
      departureScheduled: '2026-02-20T23:45-08:00',
      arrivalScheduled: '2026-02-21T19:10:00Z',
      takeoffScheduled: '2026-02-21T08:00:00.123456Z',
      takeoffActual: '2026-02-21T08:05:00.000+00:00',
      landingScheduled: '2026-02-21T18:50:00Z',
      landingActual: '2026-02-21T18:55:30Z',
      duration: 12_345,
      note: 'n'.repeat(5000),
      flightNumber: 'SK 909 / NH 6001 (codeshare)',
      departureTerminal: 'Tom Bradley International',
      airlineId: 324,
      aircraftId: 334,
      passengers: [
        {
          userId: ada.id,
          seat: 'window',
          seatNumber: 'upper 81K',
          seatClass: 'first',
          flightReason: 'leisure',
        },
        { userId: bob.id, flightReason: null },
        { guestName: 'G'.repeat(80), seat: 'jumpseat' },
      ],
    },
    'date only': base,
    'only scheduled': { ...base, departureScheduled: '2026-02-21T07:45:00Z' },
    'date unlike its departure': { ...base, date: '2026-02-24', departure: '2026-02-20T23:50:00-08:00' },
    'month with a departure': { ...base, datePrecision: 'month', departure: '2026-02-01T00:00:00+09:00' },
    'year with landing': {
      ...base,
      date: '1961-01-01',
      datePrecision: 'year',
      landingActual: '1961-06-01T10:00Z',
    },
    'no duration': { ...base, departure: '2026-02-20T23:50:00-08:00' },
    'before 1970': { ...base, date: '1955-07-03', departure: '1955-07-03T09:00:00-07:00', duration: 0 },
  }
}
