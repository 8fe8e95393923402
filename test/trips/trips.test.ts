// Trips: their changes, their flights when these are deleted or restored, and their privacy.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { parse } from 'yaml'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type Reply, type TestPerson } from '../harness.ts'

const path = '/api/v1/trips'

onBothEngines('trips', (app) => {
  let places: { cph: number; ewr: number; osl: number }
  let owner: TestPerson
  before(async () => {
    owner = await app().person('owner')
    const [cph, ewr, osl] = (await airportIds(app(), 'CPH', 'EWR', 'OSL')) as [number, number, number]
    places = { cph, ewr, osl }
  })

  const ask = async (who: TestPerson, method: string, at: string, body?: object): Promise<Reply> =>
    app().request(method, at, { key: await who.key(), ...(body && { body }) })
  const must = async (who: TestPerson, method: string, at: string, body?: object) => {
    const reply = await ask(who, method, at, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.json?.data
  }
  const fly = async (who: TestPerson, date: string, more: object = {}): Promise<number> =>
    (await logFlight(app(), who, { date, fromId: places.cph, toId: places.ewr, ...more })).id
  const flightsOf = async (who: TestPerson, id: number): Promise<number[]> =>
    (await must(who, 'GET', `${path}/${id}`)).flightIds

  test('list-trips, create-trip, get-trip, update-trip, delete-trip: a trip is created, read, changed and deleted', async () => {
    const ada = await app().person()
    const [later, first] = [await fly(ada, '2026-02-22'), await fly(ada, '2026-02-20')]
    const created = await ask(ada, 'POST', path, {
      name: '  Newark  ',
      colour: 'teal',
      flightIds: [later, first, later],
    })
    assert.equal(created.status, 201, created.text)
    const trip = created.json.data
    assert.equal(created.headers.location, `${path}/${trip.id}`)
    const now = new Date(app().clock.now()).toISOString()
    const expected = { name: 'Newark', note: null, colour: 'teal', flightIds: [first, later] }
    assert.deepEqual(trip, { id: trip.id, ...expected, createdAt: now, updatedAt: now })
    assert.deepEqual(await must(ada, 'GET', `${path}/${trip.id}`), trip)

    app().clock.advance(1000)
    const empty = await must(ada, 'POST', path, { name: 'Some day', note: ' ' })
    assert.deepEqual([empty.flightIds, empty.colour, empty.note], [[], 'blue', null])
    const listed = await ask(ada, 'GET', path)
    assert.deepEqual(listed.json, { data: [empty, trip], page: { nextCursor: null } })

    const patched = await must(ada, 'PATCH', `${path}/${trip.id}`, { note: 'Snow', colour: 'pink' })
    const at = new Date(app().clock.now()).toISOString()
    assert.deepEqual(patched, { ...trip, note: 'Snow', colour: 'pink', updatedAt: at })
    assert.deepEqual((await must(ada, 'PATCH', `${path}/${trip.id}`, { note: null })).note, null)
    assert.equal((await ask(ada, 'DELETE', `${path}/${trip.id}`)).status, 204)
    assertError(await ask(ada, 'GET', `${path}/${trip.id}`), 404, 'not_found')
    assertError(await ask(ada, 'DELETE', `${path}/${trip.id}`), 404, 'not_found')
    assertError(await ask(ada, 'PATCH', `${path}/${trip.id}`, { name: 'x' }), 404, 'not_found')
    assert.equal((await ask(ada, 'GET', `/api/v1/flights/${first}`)).status, 200, 'its flights stay')
  })

  test('flights are added, removed and replaced, and move from one trip to another', async () => {
    const ada = await app().person()
    const [a, b, c] = [
      await fly(ada, '2026-03-01'),
      await fly(ada, '2026-03-02'),
      await fly(ada, '2026-03-03'),
    ]
    const one = await must(ada, 'POST', path, { name: 'One', flightIds: [a] })
    const two = await must(ada, 'POST', path, { name: 'Two' })
    const change = (id: number, body: object) => must(ada, 'PATCH', `${path}/${id}`, body)
    assert.deepEqual((await change(one.id, { addFlightIds: [c, b] })).flightIds, [a, b, c])
    assert.deepEqual((await change(one.id, { addFlightIds: [a], removeFlightIds: [b] })).flightIds, [a, c])
    app().clock.advance(5000)
    assert.deepEqual((await change(two.id, { addFlightIds: [c] })).flightIds, [c])
    assert.deepEqual(await flightsOf(ada, one.id), [a], 'a flight is in one trip')
    const lost = await must(ada, 'GET', `${path}/${one.id}`)
    assert.equal(Date.parse(lost.updatedAt), app().clock.now(), 'the other one changed too')
    assert.deepEqual((await change(one.id, { flightIds: [b, c] })).flightIds, [b, c])
    assert.deepEqual(await flightsOf(ada, two.id), [])
    assert.deepEqual((await change(one.id, { flightIds: [] })).flightIds, [])
    app().clock.advance(5000)
    const same = await change(one.id, { name: 'One', removeFlightIds: [a] })
    assert.notEqual(same.updatedAt, new Date(app().clock.now()).toISOString(), 'nothing changed')
  })

  test('flights of one day are ordered by departure', async () => {
    const ada = await app().person()
    const day = '2026-02-10'
    const second = await fly(ada, day, { departure: `${day}T15:00:00+01:00` })
    const untimed = await fly(ada, day)
    const early = await fly(ada, day, { departure: `${day}T09:00:00+01:00` })
    const trip = await must(ada, 'POST', path, { name: 'A day', flightIds: [untimed, second, early] })
    assert.deepEqual(trip.flightIds, [early, second, untimed])
  })

  test('a deleted flight leaves the trip, and returns when it is restored', async () => {
    const ada = await app().person()
    const [a, b] = [await fly(ada, '2026-03-01'), await fly(ada, '2026-03-02')]
    const trip = await must(ada, 'POST', path, { name: 'Kept', note: 'Still here', flightIds: [a, b] })
    for (const id of [a, b]) await must(ada, 'DELETE', `/api/v1/flights/${id}`)
    const left = await must(ada, 'GET', `${path}/${trip.id}`)
    assert.deepEqual([left.name, left.note, left.flightIds], ['Kept', 'Still here', []])
    await must(ada, 'POST', `/api/v1/flights/${b}/restore`)
    assert.deepEqual(await flightsOf(ada, trip.id), [b])
    await must(ada, 'PATCH', `/api/v1/flights/${b}`, { flightNumber: 'SK909' })
    assert.deepEqual(await flightsOf(ada, trip.id), [b], 'a changed flight stays')
    await must(ada, 'DELETE', `${path}/${trip.id}`)
    await must(ada, 'POST', `/api/v1/flights/${a}/restore`)
    assert.deepEqual((await ask(ada, 'GET', path)).json.data, [], 'its trip is gone, the flight is back')
    const other = await must(ada, 'POST', path, { name: 'Again', flightIds: [a] })
    assert.deepEqual(other.flightIds, [a])
  })

  test('a person who leaves a flight loses it from the trip', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const both = [{ userId: ada.id }, { userId: bob.id }]
    const flight = { date: '2026-03-05', fromId: places.cph, toId: places.ewr }
    const { id } = await logFlight(app(), ada, { ...flight, passengers: both })
    const adas = await must(ada, 'POST', path, { name: 'Ada’s', flightIds: [id] })
    const bobs = await must(bob, 'POST', path, { name: 'Bob’s', flightIds: [id] })
    assert.deepEqual([await flightsOf(ada, adas.id), await flightsOf(bob, bobs.id)], [[id], [id]])
    const put = (passengers: object[]) => must(ada, 'PUT', `/api/v1/flights/${id}`, { ...flight, passengers })
    await put([{ userId: ada.id }])
    assert.deepEqual([await flightsOf(ada, adas.id), await flightsOf(bob, bobs.id)], [[id], []])
  })

  test('other people’s trips are not found, and their flights get the error of missing ones', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const [own, foreign] = [await fly(ada, '2026-03-01'), await fly(bob, '2026-03-01')]
    const trip = await must(ada, 'POST', path, { name: 'Mine', flightIds: [own] })
    for (const stranger of [bob, owner]) {
      assertError(await ask(stranger, 'GET', `${path}/${trip.id}`), 404, 'not_found')
      assertError(await ask(stranger, 'PATCH', `${path}/${trip.id}`, { name: 'x' }), 404, 'not_found')
      assertError(await ask(stranger, 'DELETE', `${path}/${trip.id}`), 404, 'not_found')
      assert.deepEqual((await ask(stranger, 'GET', path)).json.data, [])
    }
    const none = 2_000_000_000
    for (const [method, at, field] of [
      ['POST', path, 'flightIds'],
      ['PATCH', `${path}/${trip.id}`, 'flightIds'],
      ['PATCH', `${path}/${trip.id}`, 'addFlightIds'],
    ] as const) {
      const reply = await ask(ada, method, at, { name: 'x', [field]: [foreign, own, none, 2 ** 40] })
      assertError(reply, 422, 'validation_failed')
      assert.deepEqual(
        reply.json.error.details.map(({ path: where, reason }: { path: string[]; reason: string }) => [
          where.join('.'),
          reason,
        ]),
        [0, 2, 3].map((i) => [`${field}.${i}`, 'flight_not_found']),
        'all of them, another’s like one that does not exist',
      )
    }
    assert.deepEqual(await flightsOf(ada, trip.id), [own])
  })

  test('bad fields are reported together, and scopes are required', async () => {
    const ada = await app().person()
    const bad = { name: ' ', note: 'x'.repeat(5001), colour: 'plaid', flightIds: ['a'], extra: 1 }
    const trip = await must(ada, 'POST', path, { name: 'Fine' })
    for (const [method, at] of [
      ['POST', path],
      ['PATCH', `${path}/${trip.id}`],
    ] as const) {
      const reply = await ask(ada, method, at, bad)
      for (const field of ['name', 'note', 'colour']) assertError(reply, 422, 'validation_failed', [field])
      assertError(reply, 422, 'validation_failed', ['flightIds', '0'])
      assertError(await ask(ada, method, at, { name: 'x'.repeat(101) }), 422, 'validation_failed', ['name'])
      for (const name of ['two\nlines', 'Lisbon\u202efdp', '\u200b'])
        assertError(await ask(ada, method, at, { name }), 422, 'validation_failed', ['name'])
      const many = Array(501).fill(1)
      assertError(await ask(ada, method, at, { name: 'x', flightIds: many }), 422, 'validation_failed')
    }
    const both = { flightIds: [], addFlightIds: [] }
    assertError(await ask(ada, 'PATCH', `${path}/${trip.id}`, both), 422, 'validation_failed', ['flightIds'])
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const reply = await ask(ada, method, `${path}/0`, method === 'PATCH' ? {} : undefined)
      assertError(reply, 400, 'bad_request')
    }
    const reader = await ada.key(['flight.read.own'])
    assert.equal((await app().request('GET', path, { key: reader })).status, 200)
    const refused = await app().request('POST', path, { key: reader, body: { name: 'x' } })
    assertError(refused, 403, 'insufficient_scope')
  })

  test('a trip has 500 flights at most, added in any number of steps', async () => {
    const ada = await app().person()
    const ids: number[] = []
    for (const part of [300, 202]) {
      const operations = Array.from({ length: part }, () => ({
        op: 'create',
        flight: { date: '2026-03-01', fromId: places.cph, toId: places.osl },
      }))
      const reply = await must(ada, 'POST', '/api/v1/flights/bulk?allowDuplicates=true', { operations })
      ids.push(...reply.map(({ id }: { id: number }) => id))
    }
    const trip = await must(ada, 'POST', path, { name: 'Long', flightIds: ids.slice(0, 300) })
    const at = `${path}/${trip.id}`
    assertError(await ask(ada, 'PATCH', at, { addFlightIds: ids.slice(300) }), 422, 'validation_failed')
    const filled = await must(ada, 'PATCH', at, { addFlightIds: ids.slice(300, 500) })
    assert.equal(filled.flightIds.length, 500)
  })

  test('flights moved by concurrent requests are each in one trip', async () => {
    const ada = await app().person()
    const flights: number[] = []
    for (let day = 10; day < 22; day++) flights.push(await fly(ada, `2026-03-${day}`))
    const made = await Promise.all([1, 2, 3, 4].map((name) => must(ada, 'POST', path, { name: `${name}` })))
    const some = (i: number) => [i, i * 7, i * 5 + 3].map((n) => flights[n % flights.length]!)
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        must(ada, 'PATCH', `${path}/${made[i % 4].id}`, { addFlightIds: some(i) }),
      ),
    )
    const listed: { flightIds: number[] }[] = await must(ada, 'GET', path)
    assert.deepEqual(
      listed.flatMap(({ flightIds }) => flightIds).sort((x, y) => x - y),
      flights,
    )
  })

  test('trips are exported, and their flights are found again', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const [a, b] = [await fly(ada, '2026-03-01'), await fly(ada, '2026-03-02', { flightNumber: 'SK909' })]
    const one = await must(ada, 'POST', path, {
      name: 'One',
      note: 'Kept',
      colour: 'pink',
      flightIds: [a, b],
    })
    const empty = await must(ada, 'POST', path, { name: 'Empty' })
    const exported = async (who: TestPerson, query = '') =>
      (await ask(who, 'GET', `/api/v1/flights/export${query}`)).text
    const backup = JSON.parse(await exported(ada))
    const ofAda = { userId: ada.id }
    assert.deepEqual(backup.trips, [
      { ...empty, ...ofAda },
      { ...one, ...ofAda },
    ])
    const ids = backup.flights.map(({ meta }: { meta: { id: number } }) => meta.id)
    assert.deepEqual(ids.sort(), [a, b])
    assert.deepEqual(parse(await exported(ada, '?format=yaml')).trips, backup.trips)
    const some = JSON.parse(await exported(ada, '?flightNumber=SK909'))
    assert.deepEqual(some.trips, [{ ...one, ...ofAda, flightIds: [b] }])
    const others = await exported(owner, `?scope=user&userId=${ada.id}`)
    assert.equal(JSON.parse(others).trips, undefined, 'a trip is for its owner alone')
    assert.equal(JSON.parse(await exported(bob)).trips, undefined)
  })

  test('trips are in the change feed, and are deleted with the account', async () => {
    const ada = await app().person()
    const id = await fly(ada, '2026-03-01')
    const feed = async (since = '') =>
      (await ask(ada, 'GET', `/api/v1/changes?types=trip${since && `&since=${since}`}`)).json
    const { sync } = await feed()
    const trip = await must(ada, 'POST', path, { name: 'Fed', flightIds: [id] })
    const other = await must(ada, 'POST', path, { name: 'Taker', flightIds: [id] })
    const told = await feed(sync.token)
    assert.deepEqual(
      told.data.map((entry: { trip: object }) => entry.trip),
      [{ ...trip, flightIds: [] }, other],
    )
    await must(ada, 'DELETE', `${path}/${trip.id}`)
    const gone = await feed(told.sync.token)
    assert.deepEqual(
      gone.data.map((entry: { id: number; change: string }) => [entry.id, entry.change]),
      [[trip.id, 'removed']],
    )
    await must(ada, 'DELETE', `/api/v1/flights/${id}`)
    const cookie = await owner.session()
    assert.equal((await app().request('DELETE', `/app/api/users/${ada.id}`, { cookie })).status, 204)
    for (const table of ['trip', 'trip_flight', 'deleted_flight_row']) {
      const rows = await app().store.read.query(`select user_id from ${table}`, [])
      assert.ok(!rows.some((row) => row['user_id'] === ada.id), table)
    }
  })
})
