import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { check } from '@placemarkio/check-geojson'
import ICAL from 'ical.js'
import { parse } from 'yaml'
import { nothingKnown } from '../../server/domain/flights/fields.ts'
import { open } from '../../server/door/open.ts'
import { exportFlights } from '../../server/operations/sharing/export.ts'
import { insertFlight, insertPassenger, noteFlightsChanged } from '../../server/store/flights/writes.ts'
import { SYSTEM } from '../../server/store/history/rows.ts'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestApp, type TestPerson, testOnSqlite } from '../harness.ts'

const path = '/api/v1/flights/export'

onBothEngines('exports', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  test('export-flights: every field that v1 can store about a flight is exported', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    await app().person()
    await defineFields(app())
    const flight = await logFullFlight(app(), ada, bob)
    const key = await ada.key()
    const reply = await app().request('GET', path, { key })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(reply.headers['content-disposition'], 'attachment; filename="contrail.json"')
    assert.equal(reply.headers['cache-control'], 'private, no-store')
    const backup = JSON.parse(reply.text)
    assert.equal(reply.text, `${JSON.stringify(backup, null, 2)}\n`)

    const name = ({ id, displayName, username }: TestPerson) => ({ id, displayName, username })
    assert.deepEqual(backup.users, [name(ada), name(bob)])
    const [kept] = backup.flights
    const track = (await app().request('GET', `/api/v1/flights/${flight.id}/track`, { key })).json.data
    assert.deepEqual(asV1(kept, flight, track), flight)
    assert.deepEqual(Object.keys(kept).slice(0, 4), ['date', 'departure', 'arrival', 'duration'])
    assert.deepEqual(kept.track, {
      coordinates: track.coordinates,
      times: track.times,
      sourceFormat: 'gpx',
      sourceName: 'a.gpx',
    })
    const { id: _id, latitude: lat, longitude: lon, timezone: tz, ...rest } = flight.from
    assert.deepEqual(kept.from, { ...rest, lat, lon, tz })
    assert.deepEqual(
      kept.customFields.diverted_to,
      kept.from,
      'a record instead of an id that means nothing elsewhere',
    )
    assert.equal(kept.customFields.lost, 2_000_000_000, 'an id of a deleted record stays')
    assert.ok(!('id' in kept) && !('flightId' in kept.passengers[0]) && !('id' in kept.passengers[0]))
    assert.ok(!('customFields' in kept.passengers[2]))
  })

  sqliteTest('the YAML export equals the JSON export', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const empty = await app().request('GET', `${path}?format=yaml`, { key })
    assert.equal(empty.text, 'users:\n  []\nflights:\n  []\n')
    assert.equal((await app().request('GET', path, { key })).text, '{\n  "users": [],\n  "flights": []\n}\n')
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    const note = 'a "quoted" note:\n- \u0085\u2028 #no comment, émigré 🛫 \\'
    await logFlight(app(), ada, {
      date: '2026-02-20',
      fromId,
      toId,
      note,
      duration: 5400,
      track: {
        coordinates: [
          [12.6, 55.6],
          [-73.7, 40.6, 1e-7],
        ],
        sourceFormat: 'kml',
      },
    })
    await logFlight(app(), ada, { date: '2026-02-21', fromId: toId, toId: fromId })
    const json = await app().request('GET', path, { key })
    for (const format of ['yaml', 'yml']) {
      const yaml = await app().request('GET', `${path}?format=${format}`, { key })
      assert.equal(yaml.headers['content-type'], 'application/yaml; charset=utf-8')
      assert.equal(yaml.headers['content-disposition'], 'attachment; filename="contrail.yaml"')
      assert.deepEqual(parse(yaml.text), JSON.parse(json.text))
      assert.ok(
        yaml.text.startsWith(`users:\n  -\n    id: "${ada.id}"\n    displayName: "${ada.displayName}"\n`),
        yaml.text.slice(0, 200),
      )
      assert.ok(yaml.text.includes('\n    duration: 5400\n'))
      assert.ok(
        yaml.text.includes(
          '\n    track:\n      coordinates:\n        -\n          - 12.6\n          - 55.6\n',
        ),
      )
    }
  })

  test('only the requested flights and the people on them are exported', async () => {
    const [ada, bob, eve] = [await app().person(), await app().person(), await app().person()]
    const admin = await app().person('role-administrator')
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    await logFlight(app(), ada, { date: '2026-01-01', fromId, toId })
    await logFlight(app(), bob, {
      date: '2026-01-02',
      fromId,
      toId,
      passengers: [{ userId: bob.id }, { userId: eve.id }],
    })
    const read = async (who: TestPerson, query = '') =>
      JSON.parse((await app().request('GET', path + query, { key: await who.key() })).text)
    assert.deepEqual(
      (await read(ada)).users.map((user: { id: string }) => user.id),
      [ada.id],
    )
    const bobs = await read(admin, `?scope=user&userId=${bob.id}`)
    assert.deepEqual(bobs.users.map((user: { id: string }) => user.id).sort(), [bob.id, eve.id].sort())
    assert.equal(bobs.flights.length, 1)
    const all = await read(admin, '?scope=all')
    assert.ok(all.flights.length >= 2)

    const key = await ada.key()
    assertError(await app().request('GET', `${path}?scope=all`, { key }), 403, 'forbidden')
    assertError(await app().request('GET', `${path}?scope=user&userId=${bob.id}`, { key }), 403, 'forbidden')
    const own = await admin.key(['flight.export.own'])
    assertError(await app().request('GET', `${path}?scope=all`, { key: own }), 403, 'insufficient_scope')
    assertError(await app().request('GET', `${path}?format=xml&scope=x`, { key }), 400, 'bad_request')
    assert.equal(
      (await app().request('GET', `${path}?format=xml&scope=x`, { key })).json.error.message,
      'Invalid format',
    )
    assertError(await app().request('GET', `${path}?format=`, { key }), 400, 'bad_request')
    assertError(await app().request('GET', `${path}?scope=user`, { key }), 400, 'bad_request')
  })

  test('each record has its version, its times and the caller’s external ids', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    const passengers = [{ userId: ada.id }, { userId: bob.id }]
    const { id } = await logFlight(app(), ada, { date: '2026-02-20', fromId, toId, passengers })
    await app().store.transaction(async (tx) => {
      for (const [who, value] of [
        [ada, '77'],
        [bob, '88'],
      ] as const)
        await tx.query(
          `insert into external_id (user_id, source, value, flight_id) values ('${who.id}', 'tripit', '${value}', ${id})`,
          [],
        )
    })
    const { json } = await app().request('GET', `/api/v1/flights/${id}`, { key: await ada.key() })
    const { version, createdAt, updatedAt } = json.data
    for (const [who, value] of [
      [ada, '77'],
      [bob, '88'],
    ] as const) {
      const { text } = await app().request('GET', path, { key: await who.key() })
      const meta = { id, version, createdAt, updatedAt, importId: null, externalIds: { tripit: value } }
      assert.deepEqual(JSON.parse(text).flights[0].meta, meta)
    }
  })

  sqliteTest(
    'the CSV export has a row for each flight and passenger, and another reader reads it',
    async () => {
      const [ada, bob] = [await app().person(), await app().person()]
      const flight = await logFullFlight(app(), ada, bob)
      const [fromId, toId] = await airportIds(app(), 'AKL', 'LAX')
      const odd = `=HYPERLINK("x"),\r\n"two";\tthree 'x' 🛫`
      const alone = await logFlight(app(), ada, {
        date: '2026-01-01',
        datePrecision: 'year',
        fromId,
        toId,
        note: odd,
        flightNumber: "'-1",
        aircraftReg: '@SUM(A1)',
        arrivalGate: "'t Hof",
        outcome: 'diverted',
        plannedToId: fromId,
        bookingReference: '+AB12',
        price: { amount: '129.90', currency: 'EUR' },
      })
      const reply = await app().request('GET', `${path}?format=csv`, { key: await ada.key() })
      assert.equal(reply.status, 200, reply.text)
      assert.equal(reply.headers['content-type'], 'text/csv; charset=utf-8; header=present')
      assert.equal(reply.headers['content-disposition'], 'attachment; filename="contrail.csv"')
      const rows = readCsv(reply.text)
      assert.deepEqual(
        rows.map((row) => [row['flight'], row['passenger']]),
        [
          [String(flight.id), ada.username],
          [String(flight.id), bob.username],
          [String(flight.id), 'Grace'],
          [String(alone.id), ada.username],
        ],
      )
      // The importer recognises the file by these columns.
      for (const name of ['date', 'datePrecision', 'from', 'to', 'departureScheduled', 'seatClass'])
        assert.ok(name in rows[0]!, name)
      const [first] = rows as [Record<string, string>]
      const names = [...Object.keys(first)]
      for (const name of ['date', 'departure', 'landingActual', 'departureGate', 'flightNumber', 'note'])
        assert.equal(first[name], flight[name], name)
      assert.equal(first['from'], flight.from.icao)
      assert.equal(first['fromName'], flight.from.name)
      assert.equal(first['airlineName'], flight.airline.name)
      assert.equal(first['seatNumber'], '12A')
      assert.equal(first['duration'], '12345')
      assert.equal(JSON.parse(first['customFields']!).meal, 'fish')
      assert.deepEqual(JSON.parse(first['passengerCustomFields']!), { tags: ['b', 'a'] })
      assert.equal(first['version'], String(flight.version))
      const last = rows.at(-1)!
      assert.equal(last['note'], odd)
      assert.equal(last['flightNumber'], "'-1")
      assert.equal(last['aircraftReg'], '@SUM(A1)')
      assert.equal(last['arrivalGate'], "'t Hof")
      assert.equal(last['bookingReference'], '+AB12')
      assert.equal(last['priceAmount'], '129.90')
      assert.equal(last['plannedTo'], alone.from.icao)
      assert.equal(last['departure'], '')
      assert.equal(new Set(names).size, names.length)
      // No cell starts like a formula.
      for (const cell of cellsOf(reply.text).flat()) assert.ok(!/^[=+\-@\t\r]/.test(cell), cell)
    },
  )

  sqliteTest('flights are exported as a calendar and as GeoJSON', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const flight = await logFullFlight(app(), ada, bob)
    const [fromId, toId] = await airportIds(app(), 'AKL', 'LAX')
    const cancelled = await logFlight(app(), ada, { date: '2026-01-01', fromId, toId, outcome: 'cancelled' })
    const month = await logFlight(app(), ada, { date: '2026-01-01', datePrecision: 'month', fromId, toId })
    const key = await ada.key()
    const calendar = await app().request('GET', `${path}?format=ics`, { key })
    assert.equal(calendar.headers['content-type'], 'text/calendar; charset=utf-8')
    assert.equal(calendar.headers['content-disposition'], 'attachment; filename="contrail.ics"')
    const events = new ICAL.Component(ICAL.parse(calendar.text)).getAllSubcomponents('vevent')
    assert.deepEqual(
      events.map((event) => [event.getFirstPropertyValue('uid'), event.getFirstPropertyValue('status')]),
      [
        [`flight-${flight.id}@localhost`, 'CONFIRMED'],
        [`flight-${cancelled.id}@localhost`, 'CANCELLED'],
      ],
    )
    const map = await app().request('GET', `${path}?format=geojson`, { key })
    assert.equal(map.headers['content-type'], 'application/geo+json; charset=utf-8')
    assert.equal(map.headers['content-disposition'], 'attachment; filename="contrail.geojson"')
    const { features } = check(map.text) as unknown as {
      features: { id: number; geometry: { type: string } }[]
    }
    assert.deepEqual(
      features.map(({ id, geometry }) => [id, geometry.type]),
      [
        [flight.id, 'LineString'],
        [month.id, 'MultiLineString'],
        [cancelled.id, 'MultiLineString'],
      ],
    )
    for (const format of ['ics', 'geojson', 'csv']) {
      const empty = await app().request('GET', `${path}?format=${format}`, {
        key: await bob.key(['flight.export.own']),
      })
      assert.equal(empty.status, 200)
    }
  })

  test('a long log is exported completely, each flight once, and leaves no file', async () => {
    const ada = await app().person()
    await logMany(app(), ada, 500)
    const key = await ada.key()
    const replies = await Promise.all([1, 2, 3].map(() => app().request('GET', path, { key })))
    for (const reply of replies) {
      const { flights } = JSON.parse(reply.text)
      assert.equal(flights.length, 500)
      assert.equal(new Set(flights.map((flight: { note: string }) => flight.note)).size, 500)
    }
    const head = await app().request('HEAD', path, { key })
    assert.equal(head.headers['content-length'], String(Buffer.byteLength(replies[0]!.text)))
    assert.deepEqual(
      readdirSync(tmpdir()).filter((name) => name.startsWith(`contrail-response-${process.pid}-`)),
      [],
    )
  })

  test('a failure part-way is an error, never an incomplete document', async () => {
    const ada = await app().person()
    await logMany(app(), ada, 30)
    const [flight] = (await app().request('GET', '/api/v1/flights?limit=1', { key: await ada.key() })).json
      .data
    await app().request('PUT', `/api/v1/flights/${flight.id}/track`, {
      key: await ada.key(),
      body: {
        coordinates: [
          [0, 0],
          [1, 1],
        ],
        sourceFormat: 'gpx',
      },
    })
    const broken = app().engine === 'sqlite' ? "x'00ff'" : "'\\x00ff'"
    await app().store.transaction(async (tx) => {
      await tx.query(`update track set body = ${broken} where flight_id = ${flight.id}`, [])
    })
    const reply = await app().request('GET', path, { key: await ada.key() })
    assertError(reply, 500, 'internal_error')
    assert.equal(reply.headers['content-disposition'], undefined)
  })

  sqliteTest('internal callers get the document as a value, unless it is too large', async () => {
    const ada = await app().person()
    await logMany(app(), ada, 3)
    const { principal } = await principalOf(app(), ada)
    const opened = await open(exportFlights, app().services, principal, { query: {} })
    const value = await opened.value()
    assert.equal(value.flights.length, 3)
    await logMany(app(), ada, 600)
    const later = await principalOf(app(), ada)
    const larger = await open(exportFlights, app().services, later.principal, { query: {} })
    await assert.rejects(larger.value(), { code: 'bad_request' })
  })
})

/** RFC 4180, written independently of the writer: cells as they are, then without the mark before formulas. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        assert.ok(at < text.length, 'a quoted cell ends')
        if (text[at] === '"') at++
        cell += text[at]
      }
      at++
    } else while (at < text.length && text[at] !== ',' && text[at] !== '\r') cell += text[at++]
    rows.at(-1)!.push(cell)
    if (text[at] === ',') at++
    else {
      assert.equal(text.slice(at, at + 2), '\r\n')
      at += 2
      if (at < text.length) rows.push([])
    }
  }
  return rows
}

function readCsv(text: string): Record<string, string>[] {
  const [heading, ...rows] = cellsOf(text)
  return rows.map((row) => {
    assert.equal(row.length, heading!.length)
    return Object.fromEntries(row.map((cell, i) => [heading![i]!, cell.replace(/^'(?='*[=+\-@\t\r])/, '')]))
  })
}

/** The exported flight in the format of v1, with only the ids and times that v1 itself returns added. */
// biome-ignore lint/suspicious/noExplicitAny: two shapes side by side
function asV1(kept: any, flight: any, track: any) {
  const { fromId, toId, airlineId, aircraftId, track: _track, meta, ...more } = kept
  const { plannedToId: _planned, operatingAirlineId: _operating, ...rest } = more
  const { externalIds, ...record } = meta
  const airport = (record: Record<string, unknown>, id: number) => {
    const { lat: latitude, lon: longitude, tz: timezone, ...same } = record
    return { id, latitude, longitude, timezone, ...same }
  }
  const { sourceId: _source, ...airline } = kept.airline
  const { sourceId: _sourceId, ...aircraft } = kept.aircraft
  return {
    ...rest,
    id: flight.id,
    from: airport(kept.from, fromId),
    to: airport(kept.to, toId),
    // The export has only the names and codes of a record; an import looks up the rest.
    airline: { ...flight.airline, id: airlineId, ...airline },
    aircraft: { id: aircraftId, class: flight.aircraft.class, ...aircraft },
    customFields: { ...kept.customFields, diverted_to: fromId },
    passengers: kept.passengers.map((passenger: Record<string, unknown>, i: number) => {
      const { userId: _userId, ...same } = passenger
      return { id: flight.passengers[i].id, customFields: {}, ...same }
    }),
    track: {
      pointCount: kept.track.coordinates.length,
      updatedAt: track.updatedAt,
      sourceFormat: kept.track.sourceFormat,
      sourceName: kept.track.sourceName,
    },
    distanceKm: flight.distanceKm,
    ...record,
    ...('externalIds' in flight ? { externalIds } : {}),
  }
}

async function defineFields(app: TestApp): Promise<void> {
  const cookie = await (await app.person('role-administrator')).session()
  const fields = [
    { entityType: 'flight', key: 'meal', label: 'Meal', fieldType: 'text' },
    { entityType: 'flight', key: 'diverted_to', label: 'Diverted to', fieldType: 'airport' },
    { entityType: 'flight', key: 'lost', label: 'Lost', fieldType: 'airline' },
    {
      entityType: 'flight_passenger',
      key: 'tags',
      label: 'Tags',
      fieldType: 'multi-select',
      options: ['a', 'b'],
    },
  ]
  for (const body of fields) {
    const reply = await app.request('POST', '/app/api/custom-fields', { cookie, body })
    assert.equal(reply.status, 201, reply.text)
  }
}

async function logFullFlight(app: TestApp, ada: TestPerson, bob: TestPerson) {
  const [fromId, toId] = await airportIds(app, 'CPH', 'JFK')
  const id = async (table: string) =>
    (await app.store.read.query(`select id from ${table} order by id limit 1`, []))[0]!['id']
  const at = (hour: number) => `2026-02-20T${String(hour).padStart(2, '0')}:05:00.123456+01:00`
  const seat = { seat: 'window', seatNumber: '12A', seatClass: 'economy+', flightReason: 'leisure' }
  return logFlight(app, ada, {
    date: '2026-02-20',
    datePrecision: 'day',
    departure: at(9),
    arrival: at(17),
    departureScheduled: at(8),
    arrivalScheduled: at(16),
    takeoffScheduled: at(10),
    takeoffActual: at(11),
    landingScheduled: at(12),
    landingActual: at(13),
    duration: 12_345,
    departureTerminal: '2',
    departureGate: 'B7',
    arrivalTerminal: '',
    arrivalGate: 'x'.repeat(500),
    flightNumber: 'SK909',
    aircraftReg: 'OY-KBO',
    note: 'n'.repeat(10_000),
    fromId,
    toId,
    airlineId: await id('airline'),
    aircraftId: await id('aircraft'),
    passengers: [
      { userId: ada.id, ...seat, customFields: { tags: ['b', 'a'] } },
      { userId: bob.id },
      { guestName: 'Grace' },
    ],
    customFields: { meal: 'fish', diverted_to: fromId, lost: 2_000_000_000 },
    track: {
      coordinates: [
        [12.6, 55.6, 10],
        [-73.7, 40.6],
      ],
      times: [1, 2],
      sourceFormat: 'gpx',
      sourceName: 'a.gpx',
    },
  })
}

async function logMany(app: TestApp, who: TestPerson, count: number): Promise<void> {
  const [fromId, toId] = await airportIds(app, 'CPH', 'JFK')
  const empty = { guestName: null, seat: null, seatNumber: null, seatClass: null, flightReason: null }
  await app.store.transaction(async (tx) => {
    let id = 0
    for (let i = 0; i < count; i++) {
      const date = new Date(Date.UTC(2010, 0, 1 + (i % 4000))).toISOString().slice(0, 10)
      const flight = {
        ...nothingKnown,
        date,
        note: `note ${i} `.padEnd(9000, '.'),
        fromId: fromId!,
        toId: toId!,
      }
      id = await insertFlight(tx, flight, {}, '2026-01-01T00:00:00.000Z')
      await insertPassenger(tx, { id, date }, { ...empty, userId: who.id }, {})
    }
    await noteFlightsChanged(tx, [id], '2026-01-01T00:00:00.000Z', { author: SYSTEM, edits: null })
  })
}

async function principalOf(app: TestApp, who: TestPerson) {
  const { createAuthenticator } = await import('../../server/services/access/authenticate.ts')
  const { store, clock, log } = app.services
  const authenticator = createAuthenticator({ store, clock, log } as never)
  return { principal: await authenticator.bearer(`Bearer ${await who.key()}`, 'v1') }
}
