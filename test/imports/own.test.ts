// Our own export and AirTrail's backups through the API: an export can be imported again, flights are assigned to people,
// and programs' drafts get verdicts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airportIds, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestApp, type TestPerson } from '../harness.ts'
import { imported, type Row, readImport, written } from './judged.ts'
import { fileOf } from './said.ts'

const path = '/api/v1/imports'

async function sent(
  app: TestApp,
  key: string,
  text: string,
  options: object = {},
  status = 201,
): Promise<Row> {
  const reply = await app.request('POST', path, { key, body: { text, options } })
  assert.equal(reply.status, status, reply.text)
  const given: Row = reply.json.data
  if (given['status'] !== 'reading') return given
  return { ...given, ...(await readImport(app, key, given['id'])).import }
}

async function rowsOf(app: TestApp, key: string, id: number): Promise<Row[]> {
  const reply = await app.request('GET', `${path}/${id}/rows?limit=100`, { key })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

async function committed(app: TestApp, key: string, id: number): Promise<Row> {
  const reply = await app.request('POST', `${path}/${id}/commit`, { key, body: {} })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

const exported = async (app: TestApp, key: string, format = 'json'): Promise<string> =>
  (await app.request('GET', `/api/v1/flights/export?format=${format}&order=oldest`, { key })).text

/** The flights of an export without record data, and with the owner's names removed. */
function comparable(text: string, owner: TestPerson): Row[] {
  const { flights } = JSON.parse(text) as { flights: Row[] }
  return flights.map(({ meta, ...flight }) => {
    const passengers = flight.passengers.map(({ userId, user, ...passenger }: Row) => ({
      ...passenger,
      who: userId === owner.id ? 'owner' : (user?.username ?? null),
    }))
    return { ...flight, passengers, externalIds: meta.externalIds }
  })
}

/** A table has no tracks; its cells are trimmed, and an empty one means no value. */
const asInCells = ({ track: _track, ...flight }: Row): Row =>
  JSON.parse(
    JSON.stringify(flight, (_key, value) => (typeof value === 'string' ? value.trim() || null : value)),
  )

onBothEngines('own exports', (app) => {
  const person = async () => {
    const who = await app().person()
    return { who, key: await who.key() }
  }

  /** A flight with every field, in people's spelling; and flights with few fields. */
  async function logEverything(ada: TestPerson): Promise<void> {
    const [fromId, toId, plannedToId] = await airportIds(app(), 'CPH', 'JFK', 'EWR')
    const first = async (table: string, icao: string) =>
      (
        await app().store.read.query(`select id from ${table} where icao = '${icao}' order by id limit 1`, [])
      )[0]!['id']
    const at = (hour: number) => `2026-02-20T${String(hour).padStart(2, '0')}:05:00.123456+01:00`
    await logFlight(app(), ada, {
      date: '2026-02-20',
      departure: at(9),
      arrival: '2026-02-20T17:05Z',
      departureScheduled: at(8),
      arrivalScheduled: at(16),
      takeoffScheduled: at(10),
      takeoffActual: at(11),
      landingScheduled: at(12),
      landingActual: at(13),
      duration: 12_345,
      departureTerminal: ' 2 ',
      departureGate: 'B7',
      arrivalTerminal: '',
      arrivalGate: 'x'.repeat(500),
      flightNumber: ' sk 0909',
      aircraftReg: 'oykbo',
      note: `  =1+1\r\n"quoted"; ${'n'.repeat(9000)} \u2028 🛫  `,
      outcome: 'diverted',
      bookingReference: '+AB12',
      operatingFlightNumber: 'WF 01',
      price: { amount: '1234.50', currency: 'EUR' },
      fromId,
      toId,
      plannedToId,
      airlineId: await first('airline', 'SAS'),
      operatingAirlineId: await first('airline', 'WIF'),
      aircraftId: await first('aircraft', 'A20N'),
      passengers: [
        { guestName: 'Grace' },
        {
          userId: ada.id,
          seat: 'window',
          seatNumber: '12A',
          seatClass: 'economy+',
          flightReason: 'leisure',
          customFields: { tags: ['b', 'a'] },
        },
        { guestName: 'Zoë  2', seat: 'other', seatNumber: '', flightReason: 'crew' },
      ],
      customFields: { meal: 'fish', diverted_to: fromId },
      externalIds: { tripit: '77', flighty: 'a-b' },
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
    const [away] = await airportIds(app(), 'AKL')
    await logFlight(app(), ada, {
      date: '1998-07-01',
      datePrecision: 'month',
      fromId,
      toId: away,
      duration: 0,
    })
    await logFlight(app(), ada, { date: '1971-01-01', datePrecision: 'year', fromId: away, toId: away })
    await logFlight(app(), ada, {
      date: '2025-05-01',
      fromId,
      toId,
      outcome: 'cancelled',
      flightNumber: '909',
    })
  }

  async function defineFields(): Promise<void> {
    const cookie = await (await app().person('role-administrator')).session()
    const fields = [
      { entityType: 'flight', key: 'meal', label: 'Meal', fieldType: 'text' },
      { entityType: 'flight', key: 'diverted_to', label: 'Diverted to', fieldType: 'airport' },
      {
        entityType: 'flight_passenger',
        key: 'tags',
        label: 'Tags',
        fieldType: 'multi-select',
        options: ['a', 'b'],
      },
    ]
    for (const body of fields) {
      const reply = await app().request('POST', '/app/api/custom-fields', { cookie, body })
      assert.equal(reply.status, 201, reply.text)
    }
  }

  test('an export imported into an empty log gives the same export', async () => {
    await defineFields()
    const ada = await person()
    await logEverything(ada.who)
    const original = await exported(app(), ada.key)
    for (const format of ['json', 'yaml', 'csv'] as const) {
      const eve = await person()
      const file = format === 'json' ? original : await exported(app(), ada.key, format)
      const given = await sent(app(), eve.key, file, { users: { [ada.who.id]: eve.who.id } })
      assert.equal(given.source, 'contrail', format)
      assert.deepEqual(given.counts, {
        rows: 4,
        new: 4,
        duplicate: 0,
        similar: 0,
        question: 0,
        skipped: 0,
        error: 0,
        remarks: 0,
      })
      const rows = await rowsOf(app(), eve.key, given.id)
      assert.deepEqual(
        rows.flatMap(({ warnings }) => warnings),
        [],
      )
      const done = await committed(app(), eve.key, given.id)
      assert.deepEqual(done.committed, { created: 4, updated: 0 })
      const [back, before] = [
        comparable(await exported(app(), eve.key), eve.who),
        comparable(original, ada.who),
      ]
      if (format === 'csv') assert.deepEqual(back.map(asInCells), before.map(asInCells))
      else assert.deepEqual(back, before, format)
    }
  })

  test('importing one’s own export again adds nothing', async () => {
    const ada = await person()
    await logEverything(ada.who)
    const before = await exported(app(), ada.key)
    const given = await sent(app(), ada.key, before)
    assert.deepEqual(given.counts, {
      rows: 4,
      new: 0,
      duplicate: 4,
      similar: 0,
      question: 0,
      skipped: 0,
      error: 0,
      remarks: 0,
    })
    const rows = await rowsOf(app(), ada.key, given.id)
    assert.deepEqual(
      rows.map(({ verdict, code, updates }) => [verdict, code, updates]),
      rows.map(() => ['duplicate', 'duplicate_in_log', []]),
    )
    await committed(app(), ada.key, given.id)
    assert.equal(await exported(app(), ada.key), before)
  })

  const accountIn = (document: Row, id: string, who: TestPerson): string =>
    JSON.stringify(document)
      .replaceAll(`"username":"${id}"`, `"username":"${who.username}"`)
      .replaceAll(`"displayName":"${id}"`, `"displayName":"${who.displayName}"`)

  /** Three flights: of Nora alone, of both, of Max alone. */
  const shared = {
    users: [
      { id: 'x-1', username: 'nora', displayName: 'nora' },
      { id: 'x-2', username: 'max', displayName: 'max' },
    ],
    flights: [
      {
        date: '2020-01-01',
        from: { code: 'EKCH' },
        to: { code: 'ESSA' },
        passengers: [{ userId: 'x-1', seat: 'window' }],
      },
      {
        date: '2020-01-02',
        from: { code: 'ESSA' },
        to: { code: 'EKCH' },
        passengers: [{ userId: 'x-1' }, { userId: 'x-2', seat: 'aisle' }, { guestName: 'Grace' }],
      },
      { date: '2020-01-03', from: { code: 'EKCH' }, to: { code: 'EGLL' }, passengers: [{ userId: 'x-2' }] },
    ],
  }

  test('a personal import has the importer’s flights, with the other users as guests', async () => {
    const nora = await person()
    const given = await sent(app(), nora.key, accountIn(shared, 'nora', nora.who))
    assert.equal(given.source, 'airtrail')
    assert.deepEqual(given.questions, [])
    const rows = await rowsOf(app(), nora.key, given.id)
    assert.deepEqual(
      rows.map(({ verdict, code }) => [verdict, code]),
      [
        ['new', null],
        ['new', null],
        ['skipped', 'not_mine'],
      ],
    )
    assert.deepEqual(
      rows[1]!.draft.passengers.map(({ user, guestName, seat }: Row) => [user?.id ?? null, guestName, seat]),
      [
        [nora.who.id, null, null],
        [null, 'max', 'aisle'],
        [null, 'Grace', null],
      ],
    )
    await committed(app(), nora.key, given.id)
    const list = await app().request('GET', '/api/v1/flights', { key: nora.key })
    assert.equal(list.json.data.length, 2)
  })

  test('a file without the importer’s account is asked about once', async () => {
    const eve = await person()
    const given = await sent(app(), eve.key, JSON.stringify(shared))
    assert.equal(given.status, 'questions')
    assert.deepEqual(
      given.questions.map(({ kind, value }: Row) => [kind, value]),
      [
        ['which_user', 'nora'],
        ['which_user', 'max'],
      ],
    )
    const reply = await app().request('PATCH', `${path}/${given.id}`, {
      key: eve.key,
      body: { options: { users: { 'x-2': eve.who.id } } },
    })
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(
      (await rowsOf(app(), eve.key, given.id)).map(({ verdict, code }) => code ?? verdict),
      ['not_mine', 'new', 'new'],
    )
  })

  test('one answer assigns the accounts, also in the next file', async () => {
    const eve = await person()
    const given = await sent(app(), eve.key, JSON.stringify(shared))
    const reply = await app().request('PATCH', `${path}/${given.id}`, {
      key: eve.key,
      body: { answers: [{ kind: 'which_user', value: 'max', id: 'self' }] },
    })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.json.data.status, 'ready')
    assert.deepEqual(
      reply.json.data.questions.map(({ value, answer }: Row) => [value, answer?.id]),
      [['max', 'self']],
    )
    const rows = await rowsOf(app(), eve.key, given.id)
    assert.deepEqual(
      rows.map(({ verdict, code }) => code ?? verdict),
      ['not_mine', 'new', 'new'],
    )
    assert.deepEqual(
      rows[1]!.draft.passengers.map(({ user, guestName }: Row) => user?.id ?? guestName),
      ['nora', eve.who.id, 'Grace'],
    )
    const later = await sent(app(), eve.key, JSON.stringify({ ...shared, exported: 'again' }))
    assert.deepEqual([later.status, later.counts.question], ['ready', 0])
  })

  test('restoring returns the flights of all users to them', async () => {
    const admin = await app().person('role-administrator')
    const key = await admin.key()
    const [nora, max] = [await person(), await person()]
    const names = accountIn(JSON.parse(accountIn(shared, 'nora', nora.who)), 'max', max.who)
    // Restoring compares with everyone's flights.
    const text = names.replaceAll('2020-', '2010-')
    const given = await sent(app(), key, text, { mode: 'restore' })
    assert.deepEqual(given.questions, [])
    assert.equal(given.counts.new, 3)
    const done = await committed(app(), key, given.id)
    assert.equal(done.committed.created, 3)
    const datesOf = async (as: string) =>
      (await app().request('GET', '/api/v1/flights?order=oldest', { key: as })).json.data.map(
        ({ date, passengers }: Row) => `${date} ${passengers.length}`,
      )
    assert.deepEqual(await datesOf(nora.key), ['2010-01-01 1', '2010-01-02 3'])
    assert.deepEqual(await datesOf(max.key), ['2010-01-02 3', '2010-01-03 1'])
    assert.deepEqual(await datesOf(key), [])
    const refused = await app().request('POST', path, {
      key: nora.key,
      body: { text: `${text} `, options: { mode: 'restore' } },
    })
    assert.equal(refused.status, 403, refused.text)
  })

  test('an unknown custom field is asked about once', async () => {
    const nora = await person()
    const flight = (date: string) => ({ ...shared.flights[0], date, customFields: { rating: 5 } })
    const document = { ...shared, flights: [flight('2021-01-01'), flight('2021-01-02')] }
    const given = await sent(app(), nora.key, accountIn(document, 'nora', nora.who))
    assert.deepEqual(
      given.questions.map(({ kind, value, rows }: Row) => [kind, value, rows]),
      [['unknown_custom_field', 'rating', 2]],
    )
    const reply = await app().request('PATCH', `${path}/${given.id}`, {
      key: nora.key,
      body: { answers: [{ kind: 'unknown_custom_field', value: 'rating', leaveEmpty: true }] },
    })
    assert.equal(reply.json.data.counts.new, 2, reply.text)
  })

  test('AirTrail’s files keep their instants', async () => {
    const nora = await person()
    const rows = async (file: string) => (await imported(app(), nora.key, file)).rows.map(written)
    assert.deepEqual(await rows('airtrail-csv/clean.csv'), [
      'new 2026-01-02 EKCH>ESSA SK1416 SAS A20N SE-ROH 2026-01-02T08:00Z 2026-01-02T09:30Z !airport_by_name !airport_by_name',
      'new 2024-07 EKCH>ESSA - - - - - - !airport_by_name !airport_by_name',
    ])
    assert.deepEqual(await rows('airtrail/no-users.json'), ['new 2022-08-15 EHAM>EGLL - - - - - -'])
  })

  test('an assistant’s drafts get verdicts like a file, and each wrong one a reason', async () => {
    const nora = await person()
    const { source, drafts } = JSON.parse(fileOf('drafts/codes.json').toString())
    const reply = await app().request('POST', path, { key: nora.key, body: { source, drafts } })
    assert.equal(reply.status, 201, reply.text)
    const rows = await rowsOf(app(), nora.key, reply.json.data.id)
    assert.deepEqual(rows.map(written), [
      'new 2025-09-01 LEMD>EGLL IB3170 IBE A320 - 2025-09-01T05:50Z 2025-09-01T08:20Z !airport_by_name',
      'new 2018-10-06 SBGR>LSZH - - - - 2018-10-06T21:25Z 2018-10-07T09:00Z !airport_by_name',
      'question:unknown_custom_field 1998-07 EDDT>LFPG - - - - - 0s',
    ])
    assert.equal(rows[1]!.draft.departure, '2018-10-06T18:25:00-03:00')
    assert.equal(rows[0]!.draft.passengers.length, 2)

    const bad = JSON.parse(fileOf('drafts/bad.json').toString())
    const wrong = await app().request('POST', path, { key: nora.key, body: bad })
    assert.equal(wrong.status, 201, wrong.text)
    assert.deepEqual(wrong.json.data.counts, {
      rows: 8,
      new: 1,
      duplicate: 0,
      similar: 0,
      question: 0,
      skipped: 0,
      error: 7,
      remarks: 4,
    })
    const [, , third] = await rowsOf(app(), nora.key, wrong.json.data.id)
    assert.deepEqual(
      third!.warnings.map(({ field, value }: Row) => [field, value]),
      [
        ['form', 'form: unknown field'],
        ['to', 'to: must be a code, a name or an object with icao, iata or name'],
        ['duration', 'duration: must be a whole number of seconds'],
        ['seat', 'seat: must be one of window, aisle, middle, pilot, copilot, jumpseat, other'],
      ],
    )
  })

  test('a returned draft can be sent again', async () => {
    const nora = await person()
    const first = await imported(app(), nora.key, 'airtrail-csv/clean.csv')
    const body = { source: 'drafts', drafts: first.rows.map(({ draft }) => draft) }
    const again = await app().request('POST', path, { key: nora.key, body })
    assert.equal(again.status, 201, again.text)
    const rows = await rowsOf(app(), nora.key, again.json.data.id)
    assert.deepEqual(rows.map(written), [
      'new 2026-01-02 EKCH>ESSA SK1416 SAS A20N SE-ROH 2026-01-02T08:00Z 2026-01-02T09:30Z',
      'new 2024-07 EKCH>ESSA - - - - - -',
    ])
  })
})
