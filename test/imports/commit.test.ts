// An import becomes flights once, and can be undone: completely, in parts, by one process at a time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../server/domain/access/access.ts'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { type Ask, onBothEngines, type TestApp, type TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { draftOf, passenger, type SeedRow, seedImport } from './seed.ts'

const dayOf = (n: number) => new Date(Date.UTC(2000, 0, 1 + n)).toISOString().slice(0, 10)

const track = {
  coordinates: [
    [12, 55, 1000],
    [13, 56, 2000],
  ],
  sourceFormat: 'gpx',
  sourceName: 'flight.gpx',
}

onBothEngines('commit and undo of imports', (app) => {
  interface Scene {
    ada: TestPerson
    key: string
    from: number
    to: number
    draft(fields: object, userId?: string): ReturnType<typeof draftOf>
    seed(rows: readonly SeedRow[], options?: object): Promise<number>
    send(method: string, path: string, body?: unknown, as?: string): ReturnType<TestApp['request']>
    commit(id: number, body?: object, as?: string): ReturnType<TestApp['request']>
    undo(id: number, body?: object, as?: string): ReturnType<TestApp['request']>
    row(id: number, number: number): Promise<Record<string, unknown>>
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    flights(): Promise<any[]>
  }

  async function setUp(role?: Parameters<TestApp['person']>[0]): Promise<Scene> {
    const ada = await app().person(role)
    const key = await ada.key()
    const [from, to] = (await airportIds(app(), 'CPH', 'JFK')) as [number, number]
    const send: Scene['send'] = (method, path, body, as = key) =>
      app().request(method, `/api/v1${path}`, { key: as, ...(body === undefined ? {} : { body }) })
    return {
      ada,
      key,
      from,
      to,
      send,
      draft: (fields, userId = ada.id) => draftOf(userId, { fromId: from, toId: to, ...fields }),
      seed: (rows, options = {}) =>
        seedImport(app().store, ada.id, { rows, options, now: app().clock.now() }),
      commit: (id, body, as) => send('POST', `/imports/${id}/commit`, body, as),
      undo: (id, body, as) => send('POST', `/imports/${id}/undo`, body, as),
      row: async (id, number) =>
        (
          await app().store.read.query(
            `select * from import_row where import_id = ${id} and number = ${number}`,
            [],
          )
        )[0]!,
      flights: async () => (await send('GET', '/flights?limit=100')).json.data,
    }
  }

  /** Everything that a person can read about their log. */
  async function everything({ send }: Scene) {
    const exported = JSON.parse((await send('GET', '/flights/export')).text)
    const stats = (await send('GET', '/stats')).json
    return { flights: exported.flights, users: exported.users, stats }
  }

  /** Removed from the statistics: the time of their computation. */
  const rows = (scene: Scene, count: number): SeedRow[] =>
    Array.from({ length: count }, (_, n) => ({
      draft: scene.draft({
        date: dayOf(n),
        flightNumber: `SK${n + 1}`,
        externalIds: { fr24: `id-${n + 1}` },
      }),
    }))

  async function finished(scene: Scene, id: number, status: string) {
    return until(`the import is ${status}`, async () => {
      const { data } = (await scene.send('GET', `/imports/${id}`)).json
      if (data.status === status) return data
      assert.ok(['committing', 'undoing'].includes(data.status), data.status)
    })
  }

  test('rows become flights, and a second commit changes nothing', async () => {
    const scene = await setUp()
    const { ada, send, commit, draft, seed } = scene
    const id = await seed([
      {
        draft: draft({
          date: '2024-05-01',
          departure: '2024-05-01T12:30:00+02:00',
          arrival: '2024-05-01T15:05:00-04:00',
          flightNumber: 'SK915',
          note: 'window',
          price: { amount: '129.90', currency: 'EUR' },
          externalIds: { fr24: '77' },
          track,
          passengers: [
            passenger(ada.id, { seat: 'window', seatNumber: '2A' }),
            passenger(null, { guestName: 'Bob' }),
          ],
        }),
      },
      { draft: draft({ date: '2024-05-02', outcome: 'cancelled' }), verdict: 'skipped', code: 'cancelled' },
      {
        draft: draft({ date: '2024-05-03', outcome: 'cancelled' }),
        verdict: 'skipped',
        code: 'cancelled',
        choice: { include: true },
      },
      { draft: draft({ date: '2024-05-04' }), verdict: 'question', code: 'which_user' },
      { draft: null, verdict: 'error', code: 'unreadable_row' },
      { draft: draft({ date: '2024-05-05' }), verdict: 'similar', code: 'similar_in_log' },
      {
        draft: draft({ date: '2024-05-06' }),
        verdict: 'similar',
        code: 'similar_in_log',
        choice: { accept: 'new' },
      },
      { draft: draft({ date: '2024-05-07' }), verdict: 'duplicate', code: 'duplicate_in_log' },
      { draft: draft({ date: '2024-05-08' }), choice: { include: false } },
    ])
    const reply = await commit(id)
    assert.equal(reply.status, 200, reply.text)
    const { status, committed, counts, committedAt, expiresAt } = reply.json.data
    assert.deepEqual([status, committed], ['committed', { created: 3, updated: 0 }])
    assert.equal(counts.rows, 9)
    assert.equal(committedAt, '2026-06-15T12:00:00.000Z')
    assert.equal(expiresAt, '2026-07-15T12:00:00.000Z')
    const read = await scene.flights()
    assert.deepEqual(
      read.map(({ date, importId }) => [date, importId]),
      [
        ['2024-05-06', id],
        ['2024-05-03', id],
        ['2024-05-01', id],
      ],
    )
    const first = read[2]
    assert.deepEqual(
      [
        first.flightNumber,
        first.duration,
        first.price,
        first.externalIds,
        first.track.pointCount,
        first.version,
      ],
      ['SK915', 30_900, { amount: '129.90', currency: 'EUR' }, { fr24: '77' }, 2, 1],
    )
    assert.deepEqual(
      first.passengers.map((one: { user: { id: string } | null; guestName: string; seat: string }) => [
        one.user?.id,
        one.guestName,
        one.seat,
      ]),
      [
        [ada.id, null, 'window'],
        [undefined, 'Bob', null],
      ],
    )
    assert.equal((await send('GET', `/flights?importId=${id}`)).json.data.length, 3)
    const before = await everything(scene)
    const again = await commit(id, {})
    assert.deepEqual(again.json.data.committed, { created: 3, updated: 0 })
    assert.deepEqual(await everything(scene), before)
    assert.equal(reply.headers.etag === undefined, false)
  })

  test('importId is read-only, and the legacy API does not have it', async () => {
    const scene = await setUp()
    const { send, key } = scene
    const id = await scene.seed([{ draft: scene.draft({ date: '2024-05-01' }) }])
    await scene.commit(id)
    const [flight] = await scene.flights()
    for (const method of ['PUT', 'PATCH']) {
      const kept = await send(method, `/flights/${flight.id}`, { ...flight, importId: 999_999 })
      assert.deepEqual(
        [kept.status, kept.json.data.importId, kept.json.data.version],
        [200, id, 1],
        kept.text,
      )
    }
    const made = await send('POST', '/flights', {
      date: '2024-06-01',
      fromId: scene.from,
      toId: scene.to,
      importId: id,
    })
    assert.equal(made.json.data.importId, null)
    const legacy = await app().request('GET', `/api/flight/get/${flight.id}`, { key })
    assert.equal(legacy.status, 200, legacy.text)
    assert.equal(legacy.text.includes('importId'), false)
  })

  test('part of the rows can be committed first, and the rest later', async () => {
    const scene = await setUp()
    const id = await scene.seed(rows(scene, 5))
    const part = await scene.commit(id, { rows: [4, 2, 2, 400] })
    assert.deepEqual(part.json.data.committed, { created: 2, updated: 0 })
    assert.deepEqual(
      (await scene.flights()).map(({ flightNumber }) => flightNumber),
      ['SK4', 'SK2'],
    )
    const same = (await scene.commit(id, { rows: [2, 4] })).json.data
    assert.deepEqual([same.committed, same.counts], [part.json.data.committed, part.json.data.counts])
    const rest = await scene.commit(id)
    assert.deepEqual([rest.json.data.status, rest.json.data.committed.created], ['committed', 5])
    for (const body of [{ rows: ['x'] }, { rows: [0] }, { row: 1 }])
      assertError(await scene.commit(id, body), 422, 'validation_failed')
    assertError(
      await app().request('POST', `/api/v1/imports/${id}/commit`, { key: scene.key, raw: '{' }),
      400,
      'invalid_json',
    )
  })

  test('undo restores the log, and another commit restores the same flights', async () => {
    const scene = await setUp()
    const { ada, send, draft, commit, undo } = scene
    const kept = await logFlight(app(), ada, {
      date: '2024-01-01',
      fromId: scene.from,
      toId: scene.to,
      note: 'mine',
      departure: '2024-01-01T10:00:00+01:00',
    })
    const before = await everything(scene)
    const { json } = await send('GET', '/changes')
    const id = await scene.seed(
      [
        ...rows(scene, 3),
        {
          draft: draft({ date: '2024-01-01', track, externalIds: { fr24: 'old' } }),
          verdict: 'duplicate',
          code: 'duplicate_in_log',
          of: { flightId: kept.id },
          updates: [
            { field: 'note', from: null, to: 'never' },
            { field: 'flightNumber', from: null, to: 'SK1' },
            { field: 'arrival', from: null, to: '2024-01-01T13:00:00-05:00' },
            { field: 'seatNumber', from: null, to: '11A' },
            { field: 'track', from: null, to: 'track' },
          ],
          choice: { accept: 'same' },
        },
      ],
      {},
    )
    assert.deepEqual((await commit(id)).json.data.committed, { created: 3, updated: 1 })
    const updated = (await send('GET', `/flights/${kept.id}`)).json.data
    assert.deepEqual(
      [
        updated.note,
        updated.flightNumber,
        updated.arrival,
        updated.duration,
        updated.passengers[0].seatNumber,
      ],
      ['mine', 'SK1', '2024-01-01T13:00:00-05:00', 32_400, '11A'],
    )
    assert.deepEqual(
      [updated.track.pointCount, updated.externalIds, updated.importId, updated.version],
      [2, { fr24: 'old' }, null, 2],
    )
    const made = await scene.flights()

    const undone = await undo(id)
    assert.equal(undone.status, 200, undone.text)
    assert.deepEqual(
      [undone.json.data.status, undone.json.data.committed, undone.json.data.edited],
      ['undone', { created: 0, updated: 0 }, []],
    )
    const after = await everything(scene)
    const withoutVersions = (all: Awaited<ReturnType<typeof everything>>) =>
      all.flights.map(({ meta, ...flight }: { meta: object }) => ({
        ...flight,
        meta: { ...meta, version: 0, updatedAt: '' },
      }))
    assert.deepEqual(withoutVersions(after), withoutVersions(before))
    assert.deepEqual(after.stats, before.stats)
    const { data: changes } = (await send('GET', `/changes?since=${json.sync.token}`)).json
    const removed = changes.filter(({ change }: { change: string }) => change === 'removed')
    assert.equal(removed.length, 3, JSON.stringify(changes))
    assert.deepEqual(removed.map(({ externalIds }: { externalIds: object }) => externalIds).length, 3)

    const redone = await commit(id)
    assert.deepEqual(
      [redone.json.data.status, redone.json.data.committed],
      ['committed', { created: 3, updated: 1 }],
    )
    assert.equal(redone.json.data.undoneAt, null)
    const back = await scene.flights()
    const plain = (flights: typeof back) =>
      flights.map(({ version: _v, updatedAt: _u, track: _t, ...flight }) => flight)
    assert.deepEqual(plain(back), plain(made))
    assert.deepEqual((await undo(id)).json.data.edited, [])
    assert.deepEqual(withoutVersions(await everything(scene)), withoutVersions(before))
  })

  test('flights changed since are kept and listed, unless their undo is requested too', async () => {
    const scene = await setUp()
    const { ada, send, commit, undo } = scene
    const old = await logFlight(app(), ada, { date: '2001-01-01', fromId: scene.from, toId: scene.to })
    const id = await scene.seed(
      [
        ...rows(scene, 3),
        {
          draft: scene.draft({ date: '2001-01-01' }),
          verdict: 'duplicate',
          code: 'duplicate_in_log',
          of: { flightId: old.id },
          updates: [
            { field: 'note', from: null, to: 'from the file' },
            { field: 'aircraftReg', from: null, to: 'OY-KBA' },
          ],
        },
      ],
      { duplicates: 'update' },
    )
    await commit(id)
    const [, third, second] = await scene.flights()
    await send('PATCH', `/flights/${second.id}`, { note: 'typed' })
    await send('PATCH', `/flights/${old.id}`, { note: 'typed too' })
    await send('DELETE', `/flights/${third.id}`)
    const undone = (await undo(id)).json.data
    assert.deepEqual(
      undone.edited.map((one: { flightId: number; row: number; from: string; date: string }) => [
        one.flightId,
        one.row,
        one.from,
        one.date,
      ]),
      [
        [second.id, 2, 'CPH', '2000-01-02'],
        [old.id, 4, 'CPH', '2001-01-01'],
      ],
    )
    assert.deepEqual([undone.status, undone.committed], ['undone', { created: 2, updated: 1 }])
    assert.deepEqual(
      (await scene.flights()).map(({ id: one }) => one),
      [old.id, second.id],
    )
    const all = (await undo(id, { includeEdited: true })).json.data
    assert.equal(all.edited.length, 2)
    const [only, ...others] = await scene.flights()
    assert.deepEqual([only.id, only.note, only.aircraftReg, others.length], [old.id, 'typed too', null, 0])
    // A flight that the person deleted before the undo stays deleted.
    await commit(id)
    const ids = (await scene.flights()).map(({ id: one }) => one)
    assert.equal(ids.includes(third.id), false)
    assert.equal(ids.includes(second.id), true)
    assertError(await undo(id, { includeEdited: 'yes' }), 422, 'validation_failed')
  })

  test('a derived duration follows from the times that an undo keeps', async () => {
    const scene = await setUp()
    const times = { departure: '2001-01-01T10:00:00+01:00' }
    const given = { date: '2001-01-01', fromId: scene.from, toId: scene.to, ...times }
    const old = await logFlight(app(), scene.ada, given)
    const id = await scene.seed(
      [
        {
          draft: scene.draft({ date: '2001-01-01' }),
          verdict: 'duplicate',
          code: 'duplicate_in_log',
          of: { flightId: old.id },
          updates: [{ field: 'arrival', from: null, to: '2001-01-01T13:00:00-05:00' }],
        },
      ],
      { duplicates: 'update' },
    )
    await scene.commit(id)
    assert.equal((await scene.flights())[0].duration, 32_400)
    await scene.send('PATCH', `/flights/${old.id}`, { departure: '2001-01-01T11:00:00+01:00' })
    assert.equal((await scene.flights())[0].duration, 28_800)
    await scene.undo(id, { includeEdited: true })
    const [{ departure, arrival, duration }] = await scene.flights()
    assert.deepEqual([departure, arrival, duration], ['2001-01-01T11:00:00+01:00', null, null])
  })

  test('an update fills fields unchanged since the preview, of flights that the person may change', async () => {
    const scene = await setUp()
    const { ada, draft } = scene
    const one = await logFlight(app(), ada, { date: '2001-01-01', fromId: scene.from, toId: scene.to })
    const updates = [{ field: 'note', from: null, to: 'from the file' }]
    const duplicate: SeedRow = {
      draft: draft({ date: '2001-01-01' }),
      verdict: 'duplicate',
      code: 'duplicate_in_log',
      of: { flightId: one.id },
      updates,
    }
    const skipped = await scene.seed([duplicate])
    assert.deepEqual((await scene.commit(skipped)).json.data.committed, { created: 0, updated: 0 })
    const id = await scene.seed([duplicate], { duplicates: 'update' })
    await scene.send('PATCH', `/flights/${one.id}`, { note: 'typed meanwhile' })
    assert.deepEqual((await scene.commit(id)).json.data.committed, { created: 0, updated: 0 })
    assert.equal((await scene.flights())[0].note, 'typed meanwhile')

    const reader = await setUp(['flight.read.own', 'flight.create.own', 'flight.import.own'])
    const own = await logFlight(app(), reader.ada, { date: '2001-01-01', fromId: scene.from, toId: scene.to })
    const left = await reader.seed(
      [{ ...duplicate, draft: reader.draft({ date: '2001-01-01' }), of: { flightId: own.id } }],
      {
        duplicates: 'update',
      },
    )
    const reply = await reader.commit(left)
    assert.deepEqual([reply.status, reply.json.data.committed], [200, { created: 0, updated: 0 }], reply.text)
    assert.equal((await reader.flights())[0].version, 1)
  })

  test('a later row adds to the flight of an earlier one, and one undo reverses both', async () => {
    const scene = await setUp()
    const { draft } = scene
    const repeat = (updates: SeedRow['updates'], of: number): SeedRow => ({
      draft: draft({ date: dayOf(0) }),
      verdict: 'duplicate',
      code: 'duplicate_in_file',
      of: { row: of },
      updates: updates!,
      choice: { accept: 'same' },
    })
    const id = await scene.seed([
      { draft: draft({ date: dayOf(0) }) },
      repeat([{ field: 'note', from: null, to: 'a' }], 1),
      repeat([{ field: 'flightNumber', from: null, to: 'SK9' }], 1),
    ])
    assert.deepEqual((await scene.commit(id)).json.data.committed, { created: 1, updated: 2 })
    const [flight] = await scene.flights()
    assert.deepEqual([flight.note, flight.flightNumber], ['a', 'SK9'])
    const undone = (await scene.undo(id)).json.data
    assert.deepEqual([undone.edited, undone.committed], [[], { created: 0, updated: 0 }])
    assert.deepEqual(await scene.flights(), [])
  })

  test('a row sees the flights that rows far above it made in the same batch', async () => {
    const scene = await setUp()
    const { draft } = scene
    const note = { field: 'note', from: null, to: 'a' }
    const id = await scene.seed([
      ...rows(scene, 400),
      {
        draft: draft({ date: dayOf(2) }),
        verdict: 'duplicate',
        code: 'duplicate_in_file',
        of: { row: 3 },
        updates: [note],
        choice: { accept: 'same' },
      },
      { draft: draft({ date: dayOf(500), externalIds: { fr24: 'id-3' } }) },
    ])
    assert.deepEqual((await scene.commit(id)).json.data.committed, { created: 400, updated: 1 })
    const { flight_id: third } = await scene.row(id, 3)
    const flight = (await scene.send('GET', `/flights/${third}`)).json.data
    assert.deepEqual([flight.note, flight.flightNumber], ['a', 'SK3'])
    const last = await scene.row(id, 402)
    assert.deepEqual([last['verdict'], last['of_flight_id']], ['duplicate', third])
    const entries = await app().store.read.query(
      `select appeared, number from change where type = 'flight' and item_id = ${third}`,
      [],
    )
    assert.equal(entries.length, 2)
    for (const { appeared, number } of entries) assert.equal(appeared, number)
    const undone = (await scene.undo(id)).json.data
    assert.deepEqual([undone.edited, undone.committed], [[], { created: 0, updated: 0 }])
    assert.deepEqual(await scene.flights(), [])
  })

  test('a record deleted since the preview makes its row pending, and the others are created', async () => {
    const scene = await setUp()
    const { ada, draft } = scene
    const manager = await (await app().person('role-administrator')).session()
    const made = async (kind: string, body: object) =>
      (await app().request('POST', `/app/api/${kind}`, { cookie: manager, body })).json.data
    const airport = await made('airports', {
      icao: 'X-GONE',
      name: 'Field',
      latitude: 50,
      longitude: 10,
      timezone: 'Europe/Berlin',
      type: 'small_airport',
      continent: 'EU',
      country: 'DE',
    })
    const airline = await made('airlines', { name: 'Gone Air' })
    assert.ok(airport?.id && airline?.id)
    const bob = await app().person()
    const id = await scene.seed([
      { draft: draft({ date: dayOf(0), toId: airport.id }) },
      { draft: draft({ date: dayOf(1), airlineId: airline.id }) },
      { draft: draft({ date: dayOf(2), passengers: [passenger(ada.id), passenger(bob.id)] }) },
      { draft: draft({ date: dayOf(3), customFields: { nowhere: 1 } }) },
      { draft: draft({ date: dayOf(4), departure: 'yesterday' }) },
      { draft: draft({ date: dayOf(5) }) },
    ])
    await app().request('DELETE', `/app/api/airports/${airport.id}`, { cookie: manager })
    await app().request('DELETE', `/app/api/airlines/${airline.id}`, { cookie: manager })
    assert.equal((await app().request('DELETE', `/app/api/users/${bob.id}`, { cookie: manager })).status, 204)
    const { status, committed, counts } = (await scene.commit(id)).json.data
    assert.deepEqual([status, committed], ['committed', { created: 2, updated: 0 }])
    assert.deepEqual(counts, {
      rows: 6,
      new: 2,
      question: 3,
      duplicate: 0,
      similar: 0,
      skipped: 0,
      error: 1,
      remarks: 1,
    })
    const codes = await Promise.all([1, 2, 3, 4, 5, 6].map(async (n) => (await scene.row(id, n))['code']))
    assert.deepEqual(codes, [
      'missing_airport',
      null,
      'which_user',
      'unknown_custom_field',
      'unreadable_row',
      null,
    ])
    const [, second] = await scene.flights()
    assert.deepEqual([second.date, second.airline], [dayOf(1), null])
    assert.match(String((await scene.row(id, 2))['warnings']), /airline_unknown/)
  })

  test('a row with an external id in use is a duplicate', async () => {
    const scene = await setUp()
    const { ada, draft } = scene
    const holder = await logFlight(app(), ada, {
      date: '2001-01-01',
      fromId: scene.from,
      toId: scene.to,
      externalIds: { fr24: 'taken' },
    })
    const ids = (value: string) => ({ externalIds: { fr24: value } })
    const given: SeedRow[] = [
      { draft: draft({ date: dayOf(0), ...ids('taken') }) },
      { draft: draft({ date: dayOf(1), ...ids('new') }) },
      { draft: draft({ date: dayOf(2), ...ids('new') }) },
      { draft: draft({ date: dayOf(3), externalIds: { other: 'taken' } }) },
      { draft: draft({ date: dayOf(4), ...ids('taken') }), choice: { accept: 'new' } },
    ]
    const id = await scene.seed(given)
    const { committed, counts } = (await scene.commit(id)).json.data
    assert.deepEqual([committed.created, counts.duplicate], [3, 2])
    const [first, third] = [await scene.row(id, 1), await scene.row(id, 3)]
    assert.deepEqual(
      [first['verdict'], first['code'], first['of_flight_id']],
      ['duplicate', 'duplicate_in_log', holder.id],
    )
    assert.deepEqual(
      [third['verdict'], third['code'], third['of_row']],
      ['duplicate', 'duplicate_in_file', 2],
    )
    const found = (await scene.flights()).map(({ date, externalIds }) => [date, externalIds])
    assert.deepEqual(found, [
      ['2001-01-01', { fr24: 'taken' }],
      [dayOf(4), {}],
      [dayOf(3), { other: 'taken' }],
      [dayOf(1), { fr24: 'new' }],
    ])
  })

  test('scopes are checked before anything is written', async () => {
    const scene = await setUp('role-administrator')
    const { ada, draft } = scene
    const bob = await app().person()
    const key = (...scopes: Scope[]) => ada.key(['flight.import.own', 'flight.read.own', ...scopes])
    const cases: [SeedRow[], object, Scope[]][] = [
      [[{ draft: draft({ date: dayOf(1), track }) }], {}, ['tracks.write']],
      [
        [
          {
            draft: draft({
              date: dayOf(1),
              passengers: [passenger(ada.id), passenger(null, { guestName: 'X' })],
            }),
          },
        ],
        {},
        ['flight.passengers.manage.own'],
      ],
      [
        [{ draft: draft({ date: dayOf(1) }) }],
        { mode: 'restore' },
        ['flight.import.any', 'users.directory.read'],
      ],
      [
        [{ draft: draft({ date: dayOf(1), passengers: [passenger(bob.id)] }) }],
        { mode: 'restore' },
        ['flight.import.any', 'users.directory.read', 'flight.passengers.manage.any'],
      ],
    ]
    for (const [special, options, needed] of cases) {
      const id = await scene.seed([{ draft: draft({ date: dayOf(0) }) }, ...special], options)
      for (const left of needed) {
        const scopes = needed.filter((scope) => scope !== left)
        const refused = await scene.commit(id, undefined, await key(...scopes))
        assertError(refused, 403, 'insufficient_scope')
        if (left !== 'flight.import.any')
          for (const scope of needed) assert.ok(refused.headers['www-authenticate']!.includes(scope), scope)
        const { status, committed } = (await scene.send('GET', `/imports/${id}`)).json.data
        assert.deepEqual([status, committed.created], ['ready', 0])
      }
      const reply = await scene.commit(id, undefined, await key(...needed))
      assert.deepEqual([reply.status, reply.json.data?.committed.created], [200, 2], reply.text)
    }
    const shared = (await app().request('GET', '/api/v1/flights', { key: await bob.key() })).json.data
    assert.deepEqual(
      shared.map(({ date }: { date: string }) => date),
      [dayOf(1)],
    )

    // Without the wider scope, flights include the importer too.
    const plain = await setUp(['flight.read.own', 'flight.import.own', 'flight.passengers.manage.own'])
    const id = await plain.seed([{ draft: plain.draft({ date: dayOf(1), passengers: [passenger(bob.id)] }) }])
    assert.equal((await plain.commit(id)).json.data.committed.created, 1)
    assert.equal((await plain.flights()).length, 1)
    const weak = await setUp(['flight.read.own', 'flight.import.own'])
    const refused = await weak.seed([
      { draft: weak.draft({ date: dayOf(1), passengers: [passenger(weak.ada.id), passenger(bob.id)] }) },
    ])
    assertError(await weak.commit(refused), 403, 'forbidden')
    for (const path of ['commit', 'undo', 'stop']) {
      const without = await ada.key(['flight.read.own', 'flight.create.own'])
      assertError(await scene.send('POST', `/imports/${id}/${path}`, {}, without), 403, 'insufficient_scope')
      assertError(await app().request('POST', `/api/v1/imports/${id}/${path}`), 401, 'unauthorized')
    }
    const reader = await setUp(['flight.read.own'])
    assertError(await reader.commit(id), 403, 'forbidden')
  })

  test('another person’s import is not found, and a wrong state is refused', async () => {
    const [scene, other] = [await setUp(), await setUp('owner')]
    const id = await scene.seed(rows(scene, 2))
    for (const path of ['commit', 'undo', 'stop']) {
      assertError(await other.send('POST', `/imports/${id}/${path}`, {}), 404, 'not_found')
    }
    const undo = await scene.undo(id)
    assertError(undo, 409, 'conflict')
    assert.equal(undo.json.error.reason, 'import_not_committed')
    const state = (text: string) =>
      app().store.transaction(
        async (tx) => void (await tx.query(`update import set ${text} where id = ${id}`, [])),
      )
    for (const [status, reason] of [
      ['reading', 'import_reading'],
      ['failed', 'import_unusable'],
      ['expired', 'import_unusable'],
    ]) {
      await state(`status = '${status}'`)
      const refused = await scene.commit(id)
      assertError(refused, 409, 'conflict')
      assert.equal(refused.json.error.reason, reason)
    }
    // A killed process left its lease.
    await state(`status = 'committing', lease = 'x', lease_until = '2026-06-15T12:00:20.000Z'`)
    for (const reply of [await scene.commit(id), await scene.undo(id)]) {
      assertError(reply, 409, 'conflict')
      assert.equal(reply.json.error.reason, 'import_busy')
    }
    await state(`lease_until = '2026-06-15T12:00:00.000Z'`)
    assert.deepEqual((await scene.commit(id)).json.data.committed, { created: 2, updated: 0 })
    const idle = await scene.send('POST', `/imports/${id}/stop`)
    assert.deepEqual([idle.status, idle.json.data.status], [200, 'committed'])
  })

  test('one of two concurrent commits is refused, and nothing is imported twice', async () => {
    const scene = await setUp()
    const id = await scene.seed(rows(scene, 1500))
    const replies = await Promise.all([scene.commit(id), scene.commit(id), scene.undo(id)])
    const statuses = replies.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, 409, 409])
    const data = await finished(scene, id, 'committed')
    assert.equal(data.committed.created, 1500)
    const stats = (await scene.send('GET', '/stats')).json
    assert.equal(stats.data.flights ?? stats.data.totals?.flights, 1500, JSON.stringify(stats).slice(0, 200))
  })

  test('a large import continues after the response, and can be stopped, continued and undone', async () => {
    const scene = await setUp()
    const id = await scene.seed(rows(scene, 2600))
    const ended = workEnds()
    const started = (await scene.commit(id)).json.data
    assert.equal(started.status, 'committing')
    const stopped = (await scene.send('POST', `/imports/${id}/stop`)).json.data
    assert.ok(['committed', 'ready'].includes(stopped.status), stopped.status)
    const count = async () => (await scene.send('GET', `/imports/${id}`)).json.data.committed.created
    const inLog = await count()
    // On a busy machine the commit may end before the request to stop arrives.
    assert.ok(inLog < 2600 || stopped.status === 'committed', `${inLog} after ${stopped.status}`)
    await ended
    assert.equal(await count(), inLog)
    await scene.commit(id)
    assert.equal((await finished(scene, id, 'committed')).committed.created, 2600)
    const undoing = (await scene.undo(id)).json.data
    assert.equal(undoing.status, 'undoing')
    const undone = await finished(scene, id, 'undone')
    assert.deepEqual(undone.committed, { created: 0, updated: 0 })
    assert.deepEqual(await scene.flights(), [])
    await scene.commit(id)
    assert.equal((await finished(scene, id, 'committed')).committed.created, 2600)
  })

  /** The credential of a commit of many rows, and the event that ends its rights. */
  const endings: Record<string, (scene: Scene) => Promise<{ as: Ask; end(): Promise<unknown> }>> = {
    'the key was deleted': async ({ ada }) => {
      const as = { key: await ada.key() }
      return { as, end: () => run(`delete from api_key where id = (select max(id) from api_key)`) }
    },
    'the session was ended': async ({ ada }) => {
      const cookie = await ada.session()
      const end = () => app().request('POST', '/app/api/sign-out', { cookie })
      return { as: { cookie }, end }
    },
    'the role was emptied': async ({ ada, key }) => ({
      as: { key },
      end: () =>
        run(
          `update role set permissions = '["flight.read.own"]' where id = (select role_id from person where id = '${ada.id}')`,
        ),
    }),
  }
  const run = (text: string) => app().store.transaction(async (tx) => void (await tx.query(text, [])))

  /** Read from the tables, because the caller may have lost access. */
  async function untilStopped(id: number) {
    return until('the import has stopped', async () => {
      const [found] = await app().store.read.query(`select * from import where id = ${id}`, [])
      return found!['status'] !== 'committing' && found!['status'] !== 'undoing' && found
    })
  }

  for (const [why, begin] of Object.entries(endings)) {
    test(`an import stops after ${why}, and reports it`, async () => {
      const scene = await setUp(['flight.read.own', 'flight.create.own', 'flight.import.own'])
      const id = await scene.seed(rows(scene, 5000))
      const { as, end } = await begin(scene)
      const path = 'cookie' in as ? '/app/api' : '/api/v1'
      const started = await app().request('POST', `${path}/imports/${id}/commit`, as)
      assert.equal(started.json.data.status, 'committing', started.text)
      await end()
      const after = await untilStopped(id)
      assert.match(String(after['problem']), /access_lost/)
      assert.ok(['committed', 'ready'].includes(String(after['status'])))
      const created = Number(after['created_count'])
      const [flights] = await app().store.read.query(
        `select count(*) as count from flight where import_id = ${id}`,
        [],
      )
      assert.equal(Number(flights!['count']), created)
      assert.ok(created < 5000, `${created}`)
    })
  }

  /** Resolves when the next background work has ended. */
  const workEnds = () =>
    new Promise<void>((resolve) => {
      const { background } = app().services
      const { start } = background
      background.start = (name, work) => {
        background.start = start
        start(name, (signal) => work(signal).finally(resolve))
      }
    })

  test('an import ends with its person’s account, and nothing of it remains', async () => {
    const scene = await setUp()
    const chief = await (await app().person('role-administrator')).session()
    const id = await scene.seed(rows(scene, 5000))
    const ended = workEnds()
    assert.equal((await scene.commit(id)).json.data.status, 'committing')
    const removed = await app().request('DELETE', `/app/api/users/${scene.ada.id}`, {
      cookie: chief,
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(removed.status, 204, removed.text)
    await ended
    for (const table of ['flight', 'import'])
      assert.deepEqual(
        await app().store.read.query(
          `select id from ${table} where ${table === 'flight' ? 'import_id' : 'id'} = ${id}`,
          [],
        ),
        [],
        table,
      )
    const failures = app().logged.filter((line) => line.includes(`import ${id}`))
    assert.deepEqual(failures, [])
  })

  test('an undo stops when its credential ends, and continues with another', async () => {
    const scene = await setUp()
    const id = await scene.seed(rows(scene, 3500))
    await scene.commit(id)
    await finished(scene, id, 'committed')
    const key = await scene.ada.key()
    assert.equal((await scene.undo(id, {}, key)).json.data.status, 'undoing')
    await run('delete from api_key where id = (select max(id) from api_key)')
    await untilStopped(id)
    const { data } = (await scene.send('GET', `/imports/${id}`)).json
    assert.deepEqual([data.status, data.problem.code], ['committed', 'access_lost'])
    assert.ok(data.committed.created > 0)
    await scene.undo(id)
    assert.equal((await finished(scene, id, 'undone')).problem, null)
  })

  test('people added by an import get one notice, and keep or leave all its flights together', async () => {
    const scene = await setUp()
    const { ada, draft } = scene
    const [bob, eve] = [await app().person(), await app().person()]
    const id = await scene.seed(
      Array.from({ length: 600 }, (_, n) => ({
        draft: draft({
          date: dayOf(n),
          flightNumber: `SK${n}`,
          passengers: [passenger(ada.id), passenger(bob.id), ...(n < 3 ? [passenger(eve.id)] : [])],
        }),
      })),
    )
    assert.equal((await scene.commit(id)).json.data.committed.created, 600)
    const noticesOf = async (who: TestPerson) => {
      const cookie = await who.session()
      const all = (await app().request('GET', '/app/api/notices', { cookie })).json.data
      const data = all.filter(({ kind }: { kind: string }) => kind === 'flight.added')
      const act = (name: string) =>
        app().request('POST', `/app/api/notices/${data[0].id}/${name}`, { cookie })
      return { data, act }
    }
    const own = await noticesOf(ada)
    assert.deepEqual(own.data, [])
    const [bobs, eves] = [await noticesOf(bob), await noticesOf(eve)]
    assert.equal(bobs.data.length, 1)
    assert.deepEqual(
      [bobs.data[0].data.importId, bobs.data[0].data.more, bobs.data[0].data.from, bobs.data[0].data.state],
      [id, 599, 'CPH', 'open'],
    )
    assert.equal(eves.data[0].data.more, 2)
    assert.equal((await eves.act('leave')).status, 204)
    assert.deepEqual((await app().request('GET', '/api/v1/flights', { key: await eve.key() })).json.data, [])
    assert.equal((await bobs.act('keep')).status, 204)
    const pending = await app().store.read.query(
      `select count(*) as n from flight_passenger where user_id = '${bob.id}' and kept_at is null`,
      [],
    )
    assert.equal(Number(pending[0]!['n']), 0)
    assert.equal((await noticesOf(bob)).data[0].data.state, 'kept')
    // Eve left three of them, so these count as changed.
    assert.equal((await scene.undo(id, { includeEdited: true })).json.data.edited.length, 3)
    assert.deepEqual((await noticesOf(bob)).data, [])
    assert.deepEqual((await app().request('GET', '/api/v1/flights', { key: await bob.key() })).json.data, [])
    const binned = (await app().request('GET', '/api/v1/flights/deleted?limit=1', { key: scene.key })).json
    assert.equal(binned.data?.length, 1, JSON.stringify(binned))
  })

  test('uncommitted imports expire after 30 days, and so do files and texts of committed ones', async () => {
    const scene = await setUp()
    const [open, done, undone] = [
      await scene.seed(rows(scene, 1100)),
      await scene.seed(rows(scene, 2).slice(1)),
      await scene.seed([{ draft: scene.draft({ date: '1999-01-01' }) }]),
    ]
    app().clock.advance(86_400_000)
    await scene.commit(done)
    await scene.commit(undone)
    await scene.undo(undone)
    const start = app().clock.now()
    const read = async (id: number) => (await scene.send('GET', `/imports/${id}`)).json.data
    const rowsOf = async (id: number) => (await scene.send('GET', `/imports/${id}/rows?limit=1`)).json.data
    const at = async (days: number) => {
      app().clock.set(start + days * 86_400_000)
      await deleteExpired(app().store, app().clock.now())
    }
    await at(28.9)
    assert.equal((await read(open)).status, 'ready')
    await at(29)
    assert.deepEqual([(await read(open)).status, await rowsOf(open)], ['expired', []])
    assertError(await scene.commit(open), 409, 'conflict')
    assert.deepEqual((await rowsOf(done))[0].raw, ['cell'])
    await at(30)
    for (const [id, status] of [
      [done, 'committed'],
      [undone, 'undone'],
    ] as const) {
      const [row] = await rowsOf(id)
      assert.deepEqual([(await read(id)).status, row.raw], [status, null])
    }
    const files = await app().store.read.query(`select count(*) as n from import where file is not null`, [])
    assert.equal(Number(files[0]!['n']), 0)
    assert.equal((await scene.undo(done)).json.data.status, 'undone')
    app().clock.set('2026-06-15T12:00:00Z')
  })

  test('two people’s concurrent commits both succeed', async () => {
    const scenes = [await setUp(), await setUp()]
    const ids = await Promise.all(scenes.map((scene) => scene.seed(rows(scene, 800))))
    const replies = await Promise.all(scenes.map((scene, i) => scene.commit(ids[i]!)))
    for (const [i, scene] of scenes.entries()) {
      assert.equal(replies[i]!.json.data.committed.created, 800)
      const listed = (await scene.send('GET', '/flights?limit=100')).json.data
      assert.ok(listed.every(({ importId }: { importId: number }) => importId === ids[i]))
    }
    const undone = await Promise.all(scenes.map((scene, i) => scene.undo(ids[i]!)))
    assert.deepEqual(
      undone.map(({ json }) => [json.data.status, json.data.committed.created]),
      [
        ['undone', 0],
        ['undone', 0],
      ],
    )
  })

  test('a flight erased from the bin is created again, and a restored one stays', async () => {
    const scene = await setUp()
    const { send } = scene
    const id = await scene.seed(rows(scene, 3))
    await scene.commit(id)
    const [third, second] = await scene.flights()
    await scene.undo(id)
    await send('DELETE', `/flights/${third.id}?permanently=true`)
    assert.equal((await send('POST', `/flights/${second.id}/restore`)).status < 300, true)
    assert.equal((await scene.commit(id)).json.data.committed.created, 3)
    const [again, restored] = await scene.flights()
    assert.notEqual(again.id, third.id)
    assert.deepEqual(
      [again.flightNumber, again.externalIds, restored.id],
      ['SK3', { fr24: 'id-3' }, second.id],
    )
    assert.deepEqual((await scene.undo(id)).json.data.edited, [])
    assert.deepEqual(await scene.flights(), [])
  })
})
