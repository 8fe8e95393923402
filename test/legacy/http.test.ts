import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Scope } from '../../server/domain/access/access.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import { onBothEngines, type Reply, type TestPerson } from '../harness.ts'
import { connect } from '../oauth/browser.ts'

const endpoints = [
  { method: 'GET', path: '/api/flight/list', scope: 'flight.read.own', successor: '/api/v1/flights' },
  { method: 'GET', path: '/api/flight/get/1', scope: 'flight.read.own', successor: '/api/v1/flights/1' },
  { method: 'POST', path: '/api/flight/save', scope: 'flight.create.own', successor: '/api/v1/flights' },
  { method: 'POST', path: '/api/flight/delete', scope: 'flight.delete.own', successor: '/api/v1/flights' },
  {
    method: 'GET',
    path: '/api/flight/export',
    scope: 'flight.export.own',
    successor: '/api/v1/flights/export',
  },
  { method: 'GET', path: '/api/stats', scope: 'stats.read', successor: '/api/v1/stats' },
] as const satisfies { method: string; path: string; scope: Scope; successor: string }[]

function requireLegacy(reply: Reply, status: number, successor?: string) {
  assert.equal(reply.status, status, reply.text)
  assert.equal(reply.headers['content-type'], 'application/json')
  assert.equal(reply.json.success, status === 200)
  assert.match(String(reply.headers['deprecation']), /^@\d+$/)
  assert.ok(!Number.isNaN(Date.parse(String(reply.headers['sunset']))))
  assert.match(String(reply.headers['link']), /^<\/api\/v1\/[^>]+>; rel="successor-version"$/)
  if (successor) assert.ok(reply.headers['link']!.includes(`<${successor}>`))
  assert.equal(reply.headers['access-control-allow-origin'], undefined)
}

onBothEngines('legacy over HTTP', (app) => {
  const ask = (method: string, path: string, key?: string, body?: unknown) =>
    app().request(method, path, { key, ...(method === 'POST' ? { body: body ?? {} } : {}) })

  const save = async (key: string, more: object = {}): Promise<number> => {
    const body = {
      from: 'CPH',
      to: 'JFK',
      departure: '2026-02-20',
      departureTime: '12:30',
      arrival: '2026-02-20',
      arrivalTime: '15:05',
      airline: 'SAS',
      aircraft: 'A320',
      flightNumber: 'SK909',
      passengers: [{ userId: '<USER_ID>', seat: 'window', seatNumber: '12A', seatClass: 'economy' }],
      flightReason: 'leisure',
      ...more,
    }
    const reply = await ask('POST', '/api/flight/save', key, body)
    assert.equal(reply.status, 200, reply.text)
    return reply.json.id
  }

  const withFlight = async (person: TestPerson) => {
    const key = await person.key()
    return { key, id: await save(key) }
  }

  test('every endpoint returns 401 without a key and 403 without scope or permission, in one format', async () => {
    const stranger = await (await app().person()).key(['profile.read'])
    const guest = await (await app().person([])).key()
    for (const { method, path, successor } of endpoints) {
      const none = await ask(method, path)
      requireLegacy(none, 401, successor)
      assert.deepEqual(none.json, { success: false, message: 'Unauthorized' })
      for (const bad of ['nonsense', 'ctk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa']) {
        assert.equal((await ask(method, path, bad)).status, 401)
      }
      const narrow = await ask(method, path, stranger)
      requireLegacy(narrow, 403, successor)
      assert.match(narrow.json.message, /scope/)
      const barred = await ask(method, path, guest)
      requireLegacy(barred, 403, successor)
      assert.match(barred.json.message, /role/)
    }
  })

  test('a session cookie is not accepted as a key, and the scheme is case-insensitive', async () => {
    const ada = await app().person()
    const cookie = await ada.session()
    assert.equal((await app().request('GET', '/api/flight/list', { cookie })).status, 401)
    const authorization = `bearer ${await ada.key()}`
    assert.equal((await app().request('GET', '/api/flight/list', { headers: { authorization } })).status, 200)
  })

  test('an OAuth token is refused, whatever its scopes', async () => {
    const { tokens } = await connect(app(), 'flight.read.own')
    assert.equal((await app().request('GET', '/api/v1/flights', { key: tokens.access_token })).status, 200)
    requireLegacy(await ask('GET', '/api/flight/list', tokens.access_token), 401)
  })

  test('each scope permits its endpoint and no other', async () => {
    const ada = await app().person()
    const { id } = await withFlight(ada)
    for (const { scope } of endpoints) {
      const key = await ada.key([scope])
      for (const other of endpoints) {
        const reply = await ask(other.method, other.path, key)
        // A key that reads flights may read statistics too.
        const open = other.scope === scope || (other.path === '/api/stats' && scope === 'flight.read.own')
        assert.equal(reply.status === 403, !open, `${scope} on ${other.path}: ${reply.text}`)
      }
    }
    const update = await ada.key(['flight.update.own'])
    const body = { from: 'CPH', to: 'LHR', departure: '2026-02-20', passengers: [] }
    assert.equal((await ask('POST', '/api/flight/save', update, body)).status, 403, 'cannot create')
    assert.equal((await ask('POST', '/api/flight/save', update, { ...body, id })).status, 400, 'may update')
    const editor = await (await app().person(['flight.update.own'])).key()
    assert.equal((await ask('POST', '/api/flight/save', editor, body)).status, 403, 'the role cannot create')
    assert.equal((await ask('POST', '/api/flight/save', editor, { ...body, id })).status, 400, 'but update')
    const author = await (await app().person(['flight.create.own'])).key()
    assert.equal((await ask('POST', '/api/flight/save', author, body)).status, 400, 'may create')
    assert.equal((await ask('POST', '/api/flight/save', author, { ...body, id })).status, 403, 'not update')
  })

  test('a flight is returned with codes by default, and with objects if the key is set so', async () => {
    const ada = await app().person()
    const { key, id } = await withFlight(ada)
    const reply = await ask('GET', `/api/flight/get/${id}`, key)
    requireLegacy(reply, 200, `/api/v1/flights/${id}`)
    const { flight } = reply.json
    const passenger = flight.passengers[0]
    assert.deepEqual(flight, {
      id,
      date: '2026-02-20',
      datePrecision: 'day',
      departure: '2026-02-20T11:30:00.000+00:00',
      arrival: '2026-02-20T20:05:00.000+00:00',
      departureScheduled: null,
      arrivalScheduled: null,
      takeoffScheduled: null,
      takeoffActual: null,
      landingScheduled: null,
      landingActual: null,
      duration: 30_900,
      flightNumber: 'SK909',
      aircraftReg: null,
      note: null,
      departureTerminal: null,
      departureGate: null,
      arrivalTerminal: null,
      arrivalGate: null,
      fromId: flight.from.id,
      toId: flight.to.id,
      airlineId: flight.airlineId,
      outcome: 'flown',
      bookingReference: null,
      operatingFlightNumber: null,
      price: null,
      plannedTo: null,
      plannedToId: null,
      operatingAirline: null,
      operatingAirlineId: null,
      aircraftId: flight.aircraftId,
      from: {
        id: await app().airportId('CPH'),
        icao: 'EKCH',
        iata: 'CPH',
        name: 'Copenhagen Kastrup Airport',
        lat: flight.from.lat,
        lon: flight.from.lon,
        tz: 'Europe/Copenhagen',
        municipality: 'Copenhagen',
        type: 'large_airport',
        continent: 'EU',
        country: 'DK',
        custom: false,
      },
      to: flight.to,
      airline: 'SAS',
      aircraft: 'A320',
      flightReason: 'leisure',
      passengers: [
        {
          id: passenger.id,
          flightId: id,
          userId: ada.id,
          guestName: null,
          seat: 'window',
          seatNumber: '12A',
          seatClass: 'economy',
          flightReason: 'leisure',
          user: { id: ada.id, displayName: ada.displayName, username: ada.username },
        },
      ],
      seats: flight.passengers,
    })
    assert.equal(typeof flight.from.lat, 'number')
    const objects = await ask('GET', `/api/flight/get/${id}`, await ada.key(undefined, 'objects'))
    const { airline, aircraft, ...rest } = objects.json.flight
    assert.deepEqual(airline, {
      id: flight.airlineId,
      name: airline.name,
      icao: 'SAS',
      iata: 'SK',
      iconPath: null,
      sourceId: null,
    })
    assert.deepEqual(aircraft, { id: flight.aircraftId, name: aircraft.name, icao: 'A320', sourceId: null })
    const { airline: _, aircraft: __, ...same } = flight
    assert.deepEqual(rest, same)
    const listed = await ask('GET', '/api/flight/list', key)
    assert.deepEqual(listed.json, { success: true, flights: [flight] })
  })

  test('times sent to v1 with any offset are returned in UTC', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const body = {
      date: '2026-02-20',
      fromId: await app().airportId('CPH'),
      toId: await app().airportId('JFK'),
      departure: '2026-02-20T12:30+01:00',
      landingActual: '2026-02-20T15:05:09.5-05:00',
      passengers: [{ userId: ada.id }],
    }
    const { id } = (await app().request('POST', '/api/v1/flights', { key, body })).json.data
    const { flight } = (await ask('GET', `/api/flight/get/${id}`, key)).json
    assert.equal(flight.departure, '2026-02-20T11:30:00.000+00:00')
    assert.equal(flight.landingActual, '2026-02-20T20:05:09.500+00:00')
  })

  test('get: ids that are not numbers get 400, missing and foreign flights are not found', async () => {
    const ada = await app().person()
    const { id } = await withFlight(await app().person())
    const key = await ada.key()
    for (const bad of ['abc', '0', '-1', '1.5', '0x10', '%201', '1e3', 'Infinity']) {
      const reply = await ask('GET', `/api/flight/get/${bad}`, key)
      requireLegacy(reply, 400)
      assert.equal(reply.json.message, 'Flight id is not a number')
    }
    for (const absent of [id, 2_147_483_647, 99_999_999_999]) {
      const reply = await ask('GET', `/api/flight/get/${absent}`, key)
      requireLegacy(reply, 404)
      assert.equal(reply.json.message, 'Flight not found')
    }
    const admin = await app().person('role-administrator')
    assert.equal((await ask('GET', `/api/flight/get/${id}`, await admin.key())).status, 200)
    const narrow = await ask('GET', `/api/flight/get/${id}`, await admin.key(['flight.read.own']))
    requireLegacy(narrow, 403)
  })

  test('delete: an own flight is deleted once, others are not found', async () => {
    const { key, id } = await withFlight(await app().person())
    const stranger = await (await app().person()).key()
    for (const body of [{}, { id: 'x' }, { id: '1' }, { id: 1.5 }, { id: -1 }, { id: null }, []]) {
      const reply = await ask('POST', '/api/flight/delete', key, body)
      requireLegacy(reply, 400)
      assert.ok(reply.json.errors[0].message)
    }
    const foreign = await ask('POST', '/api/flight/delete', stranger, { id })
    requireLegacy(foreign, 404)
    assert.match(foreign.json.message, /not found/)
    const done = await ask('POST', '/api/flight/delete', key, { id })
    requireLegacy(done, 200)
    assert.deepEqual(done.json, { success: true })
    for (const gone of [id, 99_999_999_999]) {
      const reply = await ask('POST', '/api/flight/delete', key, { id: gone })
      requireLegacy(reply, 404)
      assert.match(reply.json.message, /not found/)
    }
  })

  test('save: another person’s flight is not found, and passengers change only if sent', async () => {
    const bob = await app().person()
    const { id } = await withFlight(bob)
    const key = await (await app().person()).key()
    const body = { from: 'CPH', to: 'LHR', departure: '2026-02-20', passengers: [{ userId: '<USER_ID>' }] }
    for (const target of [id, 2_147_483_647]) {
      const reply = await ask('POST', '/api/flight/save', key, { ...body, id: target, airline: '!!' })
      requireLegacy(reply, 404)
      assert.match(reply.json.message, /not found/)
    }
    const planted = await ask('POST', '/api/flight/save', key, { ...body, passengers: [{ userId: bob.id }] })
    requireLegacy(planted, 403)
    const unknown = await ask('POST', '/api/flight/save', key, {
      ...body,
      passengers: [{ userId: '<USER_ID>' }, { userId: 'nobody' }],
    })
    requireLegacy(unknown, 422)
    assert.deepEqual(unknown.json.errors[0].path, ['passengers', '1', 'userId'])
    const own = ['flight.create.own', 'flight.update.own'] as const
    const narrow = await (await app().person()).key(own)
    const many = { ...body, passengers: [{ userId: '<USER_ID>' }, { guestName: 'Bob' }] }
    requireLegacy(await ask('POST', '/api/flight/save', narrow, many), 403)
    requireLegacy(await ask('POST', '/api/flight/save', narrow, { ...body, track: null }), 403)
    requireLegacy(await ask('POST', '/api/flight/save', narrow, body), 200)
  })

  test('list: the default is mine; user and all need the any scope, also for one’s own id', async () => {
    const ada = await app().person()
    const { key, id } = await withFlight(ada)
    const admin = await app().person('role-administrator')
    const any = await admin.key(['flight.read.any'])
    const ids = async (path: string, with_ = any) =>
      (await ask('GET', path, with_)).json.flights.map((flight: { id: number }) => flight.id)
    assert.deepEqual(await ids('/api/flight/list', key), [id])
    assert.deepEqual(await ids('/api/flight/list?scope=mine', key), [id])
    assert.deepEqual(await ids('/api/flight/list'), [])
    assert.deepEqual(await ids(`/api/flight/list?scope=user&userId=${ada.id}`), [id])
    assert.deepEqual(await ids('/api/flight/list?scope=user&userId=nobody'), [])
    assert.ok((await ids('/api/flight/list?scope=all')).includes(id))
    const own = await admin.key(['flight.read.own'])
    for (const query of ['scope=all', `scope=user&userId=${ada.id}`, `scope=user&userId=${admin.id}`]) {
      const reply = await ask('GET', `/api/flight/list?${query}`, own)
      requireLegacy(reply, 403)
      assert.match(reply.json.message, /flight\.read\.any/)
      const role = await ask('GET', `/api/flight/list?${query}`, await ada.key(['flight.read.any']))
      requireLegacy(role, 403)
    }
    for (const [query, message] of [
      ['scope=everything', /Invalid scope/],
      ['scope=', /Invalid scope/],
      ['scope=user', /userId/],
      ['scope=user&userId=', /userId/],
      ['scope=user&userId=%00', /userId/],
    ] as const) {
      const reply = await ask('GET', `/api/flight/list?${query}`, any)
      requireLegacy(reply, 400)
      assert.match(reply.json.message, message)
    }
  })

  test('list: a flight has the caller’s reason, others see their own or none', async () => {
    const [ada, bob] = [await app().person('role-administrator'), await app().person()]
    const key = await ada.key()
    const passengers = [
      { userId: '<USER_ID>', flightReason: 'business' },
      { userId: bob.id, flightReason: 'leisure' },
    ]
    await save(key, { passengers, flightReason: undefined })
    const reason = async (with_: string, query = '') =>
      (await ask('GET', `/api/flight/list${query}`, with_)).json.flights[0].flightReason
    assert.equal(await reason(key), 'business')
    assert.equal(await reason(await bob.key()), 'leisure')
    assert.equal(await reason(key, `?scope=user&userId=${bob.id}`), 'business')
  })

  test('an unchanged list is a 304, and any change is visible immediately', async () => {
    const ada = await app().person()
    const { key, id } = await withFlight(ada)
    const poll = (etag?: string, with_ = key) =>
      app().request('GET', '/api/flight/list', {
        key: with_,
        headers: etag ? { 'if-none-match': etag } : {},
      })
    const first = await poll()
    const etag = String(first.headers.etag)
    const again = await poll(etag)
    assert.equal(again.status, 304)
    assert.equal(again.text, '')
    assert.match(String(again.headers['deprecation']), /^@\d+$/)
    assert.equal((await poll('"other", *')).status, 304)
    assert.equal((await poll('"other"')).status, 200)
    assert.equal((await poll(etag, await ada.key(undefined, 'objects'))).status, 200, 'another format')
    assert.equal((await poll(etag, await (await app().person()).key())).status, 200, 'another person')

    await ask('POST', '/api/flight/save', key, {
      id,
      from: 'CPH',
      to: 'LHR',
      departure: '2026-02-21',
      passengers: [{ userId: '<USER_ID>' }],
    })
    const changed = await poll(etag)
    assert.equal(changed.status, 200)
    assert.equal(changed.json.flights[0].to.iata, 'LHR')
    const next = String(changed.headers.etag)
    assert.equal((await poll(next)).status, 304)
    await ask('POST', '/api/flight/delete', key, { id })
    assert.deepEqual((await poll(next)).json, { success: true, flights: [] })
  })

  test('clients that accept gzip get the same list in fewer bytes', async () => {
    const { key } = await withFlight(await app().person())
    const plain = await ask('GET', '/api/flight/list', key)
    assert.equal(plain.headers['content-encoding'], undefined)
    for (const encoding of ['gzip, deflate, br', 'br;q=1.0, gzip;q=0.5', 'GZIP']) {
      const reply = await fetchRaw(`${app().url}/api/flight/list`, key, encoding)
      assert.equal(reply.encoding, 'gzip', encoding)
      assert.equal(gunzipSync(reply.bytes).toString(), plain.text)
    }
    for (const encoding of ['identity', 'gzip;q=0', 'gzip;q=0.0, br', 'br']) {
      const reply = await fetchRaw(`${app().url}/api/flight/list`, key, encoding)
      assert.equal(reply.encoding, null, encoding)
      assert.equal(reply.bytes.toString(), plain.text)
    }
  })

  test('a long list is complete and in order despite concurrent edits', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const total = 700
    await app().store.transaction(async (tx) => {
      for (let i = 0; i < total; i++) {
        const date = `20${String(10 + (i % 15)).padStart(2, '0')}-03-${String(1 + (i % 28)).padStart(2, '0')}`
        const [row] = await tx.query(
          `insert into flight (date, date_precision, created_at, updated_at) values ('${date}', 'day', '', '') returning id`,
          [],
        )
        await tx.query(
          `insert into flight_passenger (flight_id, flight_date, user_id) values (${row!['id']}, '${date}', '${ada.id}')`,
          [],
        )
      }
    })
    const { flights } = (await ask('GET', '/api/flight/list', key)).json
    assert.equal(flights.length, total)
    assert.equal(new Set(flights.map((flight: { id: number }) => flight.id)).size, total)
    const order = flights.map((flight: { date: string; id: number }) => [flight.date, flight.id])
    const sorted = order.toSorted((a: [string, number], b: [string, number]) =>
      a[0] === b[0] ? b[1] - a[1] : a[0] < b[0] ? 1 : -1,
    )
    assert.deepEqual(order, sorted)
    // Clients delete what a list lacks: a flight whose date moves while the list is created must not be missing.
    for (let round = 0; round < 5; round++) {
      const move = app().store.transaction(async (tx) => {
        const moved = flights.slice(-50).map((flight: { id: number }) => flight.id)
        const date = round % 2 ? '2009-01-01' : '2039-01-01'
        await tx.query(`update flight set date = '${date}' where id in (${moved})`, [])
        await tx.query(
          `update flight_passenger set flight_date = '${date}' where flight_id in (${moved})`,
          [],
        )
        await tx.query(
          `update revision set value = value + 1 where name in ('flights', 'flights:${ada.id}')`,
          [],
        )
      })
      const readers = Array.from({ length: 4 }, () => ask('GET', '/api/flight/list', key))
      for (const reply of await Promise.all(readers)) {
        const seen = new Set(reply.json.flights.map((flight: { id: number }) => flight.id))
        assert.deepEqual([seen.size, reply.json.flights.length], [total, total])
      }
      await move
    }
  })

  test('every path under the API returns JSON: unknown, wrong method, too long, undecodable', async () => {
    const key = await (await app().person()).key()
    for (const path of [
      '/api/flight',
      '/api/flight/',
      '/api/flight/nothing',
      '/api/flight/get',
      '/api/flight/list/x',
    ]) {
      requireLegacy(await ask('GET', path, key), 404)
    }
    for (const { method, path } of endpoints) {
      const wrong = method === 'GET' ? 'DELETE' : 'GET'
      const reply = await ask(wrong, path, key)
      requireLegacy(reply, 405)
      assert.ok(String(reply.headers.allow).includes(method))
    }
    requireLegacy(await ask('OPTIONS', '/api/flight/list', key), 405)
    requireLegacy(await ask('GET', '/api/flight/get/%E0%A4%A', key), 400)
    requireLegacy(await ask('GET', `/api/flight/get/${'9'.repeat(300)}`, key), 404)
    requireLegacy(await ask('GET', `/api/flight/get/${'9'.repeat(3000)}`, key), 404)
    const head = await app().request('HEAD', '/api/flight/list', { key })
    assert.equal(head.status, 200)
    assert.equal(head.text, '')
  })

  test('two slashes, a trailing slash and a GET with a content type are accepted', async () => {
    const { key, id } = await withFlight(await app().person())
    for (const path of [
      '//api/flight/list',
      '/api//flight/list',
      '/api/flight/list/',
      `//api/flight/get/${id}/`,
    ]) {
      requireLegacy(await ask('GET', path, key), 200)
    }
    requireLegacy(await ask('GET', '//api/flight/list'), 401)
    requireLegacy(await ask('GET', '//api/flight/nothing', key), 404)
    const headers = { 'content-type': 'application/json' }
    requireLegacy(await app().request('GET', '/api/flight/list', { key, headers }), 200)
  })

  test('export: the bytes and headers equal v1’s; user and all need the any scope', async () => {
    const ada = await app().person()
    await withFlight(ada)
    const key = await ada.key(['flight.export.own'])
    for (const query of ['', '?format=json', '?format=yaml', '?format=yml&scope=mine']) {
      const [v1, legacy] = [
        await ask('GET', `/api/v1/flights/export${query}`, key),
        await ask('GET', `/api/flight/export${query}`, key),
      ]
      assert.equal(legacy.status, 200)
      assert.equal(legacy.text, v1.text)
      for (const name of ['content-type', 'content-disposition']) {
        assert.equal(legacy.headers[name], v1.headers[name])
      }
      assert.match(String(legacy.headers['deprecation']), /^@\d+$/)
    }
    const admin = await app().person('role-administrator')
    const own = await admin.key(['flight.export.own'])
    const any = await admin.key(['flight.export.any'])
    for (const query of ['scope=all', `scope=user&userId=${ada.id}`, `scope=user&userId=${admin.id}`]) {
      requireLegacy(await ask('GET', `/api/flight/export?${query}`, own), 403)
      requireLegacy(await ask('GET', `/api/flight/export?${query}`, await ada.key()), 403)
      assert.equal((await ask('GET', `/api/flight/export?${query}`, any)).status, 200)
    }
    for (const query of ['format=xml', 'format=', 'scope=some', 'scope=user']) {
      requireLegacy(await ask('GET', `/api/flight/export?${query}`, any), 400)
    }
  })

  test('stats: figures equal v1’s, with spherical distances; stats.read or reading flights permits them', async () => {
    const ada = await app().person()
    const { key } = await withFlight(ada)
    const v1 = (await ask('GET', '/api/v1/stats', key)).json.data
    assert.equal(v1.flights, 1)
    const onSphere = onTheSphere(v1, { distanceKm: 6189, kilograms: 676 })
    onSphere.badges.find(({ kind }: { kind: string }) => kind === 'distance').value = 6189
    assert.deepEqual([v1.distanceKm, v1.co2.kilograms], [6206, 677], 'on the ellipsoid')
    for (const scope of ['stats.read', 'flight.read.own', 'flight.read.any'] as const) {
      const reply = await ask('GET', '/api/stats', await ada.key([scope]))
      requireLegacy(reply, 200, '/api/v1/stats')
      assert.deepEqual(reply.json, { success: true, stats: onSphere }, scope)
    }
    requireLegacy(await ask('GET', '/api/stats', await ada.key(['flight.export.any'])), 403)
    const admin = await app().person('role-administrator')
    const any = await admin.key(['flight.read.any'])
    const stats = await admin.key(['stats.read'])
    for (const query of ['scope=all', `scope=user&userId=${ada.id}`, `scope=user&userId=${admin.id}`]) {
      requireLegacy(await ask('GET', `/api/stats?${query}`, stats), 403)
      requireLegacy(await ask('GET', `/api/stats?${query}`, key), 403)
      requireLegacy(await ask('GET', `/api/stats?${query}`, any), 200)
    }
    requireLegacy(await ask('GET', '/api/stats?scope=some', any), 400)
    requireLegacy(await ask('GET', '/api/stats?scope=user', any), 400)
    const { etag } = (await ask('GET', '/api/stats', key)).headers
    const poll = () => app().request('GET', '/api/stats', { key, headers: { 'if-none-match': String(etag) } })
    assert.equal((await poll()).status, 304)
    await save(key, { flightNumber: 'SK1' })
    assert.equal((await poll()).json.stats.flights, 2)
  })

  test('stats: an unknown duration is estimated from each API’s distance', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    await logFlight(app(), ada, { date: '2026-02-20', fromId, toId })
    const { data } = (await ask('GET', '/api/v1/stats', key)).json
    const { stats } = (await ask('GET', '/api/stats', key)).json
    const hours = ({ durationEstimatedSeconds }: typeof stats) => durationEstimatedSeconds / 3600
    assert.ok(Math.abs(hours(stats) - (stats.distanceKm / 805 + 0.5)) < 0.001)
    assert.ok(Math.abs(hours(data) - (48 / 60 + 4000 / 790 + (data.distanceKm - 4000) / 905)) < 0.001)
  })

  test('ping returns pong as plain text', async () => {
    const reply = await app().request('GET', '/api/ping')
    assert.equal(reply.status, 200)
    assert.equal(reply.text, 'pong')
    assert.match(String(reply.headers['content-type']), /^text\/plain/)
  })
})

/** The statistics of a single flight, with these figures in place of those that are not zero. */
const onTheSphere = (stats: object, figures: Record<string, number>) =>
  JSON.parse(JSON.stringify(stats), (name, value) => (value ? (figures[name] ?? value) : value))

async function fetchRaw(url: string, key: string, encoding: string) {
  const { request } = await import('node:http')
  return new Promise<{ encoding: string | null; bytes: Buffer }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': encoding }
    request(url, { headers }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      resolve({ encoding: response.headers['content-encoding'] ?? null, bytes: Buffer.concat(chunks) })
    })
      .on('error', reject)
      .end()
  })
}
