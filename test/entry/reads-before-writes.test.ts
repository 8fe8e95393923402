// A flight in people's words is read before its transaction, which blocks all other writers of SQLite: inside are only the
// reads of a flight by ids, and the search for duplicates.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestApp } from '../harness.ts'

const path = '/api/v1/flights'

/** The statements of transactions during `work`, without those that record the use of a credential. */
async function insideOf(app: TestApp, work: () => Promise<unknown>): Promise<string[]> {
  const { transaction } = app.store
  const statements: string[] = []
  const traced = mock.method(app.store, 'transaction', (run: Parameters<typeof transaction>[0]) =>
    transaction((tx) =>
      run({
        ...tx,
        query(sql, parameters) {
          statements.push(sql)
          return tx.query(sql, parameters)
        },
      }),
    ),
  )
  try {
    await work()
  } finally {
    traced.mock.restore()
  }
  return statements.filter((sql) => !/^update "api_key"/.test(sql))
}

const reads = (statements: readonly string[]) => new Set(statements.filter((sql) => /^select/i.test(sql)))

const isRecordById = (sql: string) => /from "(airport|airline|aircraft)" where "id" in/.test(sql)

/** Reads inside the first's transaction that the second lacks; both read uncached single records. */
async function besides(app: TestApp, one: () => Promise<unknown>, other: () => Promise<unknown>) {
  const inOther = reads(await insideOf(app, other))
  return [...reads(await insideOf(app, one))].filter((sql) => !inOther.has(sql) && !isRecordById(sql))
}

/** By route and days: `from_id` and `to_id` limit it. */
const isDuplicateSearch = (sql: string) => /"from_id" (=|in)/.test(sql) && /"to_id" (=|in)/.test(sql)

async function must(app: TestApp, method: string, address: string, key: string, body: object) {
  const reply = await app.request(method, address, { key, body })
  assert.ok(reply.status < 300, reply.text)
  return reply.json
}

async function setUp(app: TestApp) {
  const [ada, grace] = [await app.person(), await app.person()]
  const [fromId, toId] = await airportIds(app, 'CPH', 'JFK')
  const flight = { date: '2025-02-20', fromId, toId, flightNumber: 'SK909' }
  await logFlight(app, ada, { ...flight, passengers: [{ userId: ada.id }, { userId: grace.id }] })
  return { key: await ada.key(), ada, grace, flight }
}

onBothEngines('reads before a write', (app) => {
  test('a line is read before its transaction', async () => {
    const { key, ada, grace, flight } = await setUp(app())
    const byIds = { ...flight, passengers: [{ userId: ada.id }, { userId: grace.id }] }
    const line = { text: `SK909 copenhagen new york jfk 3 mar 2025 12a with ${grace.displayName}` }
    const others = await besides(
      app(),
      () => must(app(), 'POST', `${path}/log`, key, line),
      () => must(app(), 'POST', path, key, { ...byIds, date: '2025-04-01' }),
    )
    assert.deepEqual(
      others.filter((sql) => !isDuplicateSearch(sql)),
      [],
    )
    assert.ok(others.length > 0, 'duplicates are looked for inside')
  })

  test('a line is read before its transaction after reference data and custom fields changed', async () => {
    const { key, flight } = await setUp(app())
    const cookie = await (await app().person('role-administrator')).session()
    const field = { entityType: 'flight', key: 'fare', label: 'Fare', fieldType: 'text' }
    await app().request('POST', '/app/api/custom-fields', { cookie, body: field })
    const others = await besides(
      app(),
      () => must(app(), 'POST', `${path}/log`, key, { text: 'SK909 5 mar 2025' }),
      () => must(app(), 'POST', path, key, { ...flight, date: '2025-04-02' }),
    )
    assert.deepEqual(
      others.filter((sql) => !isDuplicateSearch(sql)),
      [],
    )
  })

  test('an edit finds its flight, names and people before its transaction', async () => {
    const { key, grace, flight } = await setUp(app())
    const { data } = await must(app(), 'POST', path, key, { ...flight, date: '2025-05-01' })
    const second = (await must(app(), 'POST', path, key, { ...flight, date: '2025-06-01' })).data
    const [osl] = await airportIds(app(), 'OSL')
    const match = { date: '2025-05-01' }
    const people = [{ name: grace.displayName, seatNumber: '12B' }]
    const passengers = { new: [{ userId: grace.id, seatNumber: '12B' }] }
    const others = await besides(
      app(),
      () => must(app(), 'POST', `${path}/edit`, key, { match, to: 'Oslo Gardermoen', people }),
      () => must(app(), 'PATCH', `${path}/${second.id}`, key, { toId: osl, passengers }),
    )
    assert.deepEqual(
      others.filter((sql) => !isDuplicateSearch(sql)),
      [],
    )
    const edited = (await app().request('GET', `${path}/${data.id}`, { key })).json.data
    assert.equal(edited.to.id, osl)
  })

  test('results are correct if the data changes between reading and the transaction', async () => {
    const { key, flight } = await setUp(app())
    const cookie = await (await app().person('role-administrator')).session()
    const meadow = { icao: 'X-77', name: 'Zoetermeadow', latitude: 55, longitude: 12, continent: 'EU' }
    const body = { ...meadow, timezone: 'Europe/Copenhagen', country: 'DK' }
    const airport = (await app().request('POST', '/app/api/airports', { cookie, body })).json.data
    const { data } = await must(app(), 'POST', path, key, { ...flight, date: '2025-07-01' })
    const { transaction } = app().store
    /** Runs once, between the reads and the transaction of the request. */
    const meanwhile = (work: () => Promise<unknown>) => {
      const stopped = mock.method(
        app().store,
        'transaction',
        async (run: Parameters<typeof transaction>[0]) => {
          stopped.mock.restore()
          await work()
          return app().store.transaction(run)
        },
      )
    }

    meanwhile(() => app().request('DELETE', `/app/api/airports/${airport.id}`, { cookie }))
    const line = { from: 'X-77', to: 'CPH', date: '2025-07-02' }
    const refused = await app().request('POST', `${path}/log`, { key, body: line })
    assertError(refused, 422, 'validation_failed', ['from'])

    meanwhile(() => app().request('PATCH', `${path}/${data.id}`, { key, body: { note: 'Meanwhile' } }))
    const seat = { id: data.id, seatNumber: '7C', note: 'Later' }
    const edited = await must(app(), 'POST', `${path}/edit`, key, seat)
    assert.deepEqual(edited.changed.note, ['Meanwhile', 'Later'])

    meanwhile(() => app().request('PATCH', `${path}/${data.id}`, { key, body: { note: 'Again' } }))
    const versioned = { id: data.id, ifVersion: edited.data.version, note: 'Mine' }
    assertError(
      await app().request('POST', `${path}/edit`, { key, body: versioned }),
      412,
      'precondition_failed',
    )

    meanwhile(() => app().request('DELETE', `${path}/${data.id}`, { key }))
    assertError(
      await app().request('POST', `${path}/edit`, { key, body: { id: data.id, note: 'Gone' } }),
      404,
      'not_found',
    )
  })
})
