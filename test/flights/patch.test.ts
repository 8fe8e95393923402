// PATCH of a flight: a JSON merge patch over its request body.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../server/domain/access/access.ts'
import { assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'

const track = {
  coordinates: [
    [12, 55],
    [13, 56],
  ],
  sourceFormat: 'gpx',
}

onBothEngines('patch', (app) => {
  const patchAs = (key: string, id: number, body: unknown, headers = {}) =>
    app().request('PATCH', `/api/v1/flights/${id}`, { key, body, headers })

  async function setUp(more: object = {}) {
    const ada = await app().person()
    const key = await ada.key()
    const flight = await logFlight(app(), ada, {
      date: '2026-02-20',
      fromId: await app().airportId('CPH'),
      toId: await app().airportId('JFK'),
      departure: '2026-02-20T12:30:00+01:00',
      arrival: '2026-02-20T15:05:00-05:00',
      flightNumber: 'SK909',
      note: 'as it was',
      passengers: [
        { userId: ada.id, seat: 'window' },
        { guestName: 'Bob', seatNumber: '2B' },
      ],
      ...more,
    })
    const patch = async (body: unknown) => {
      const reply = await patchAs(key, flight.id, body)
      assert.equal(reply.status, 200, reply.text)
      return reply.json.data
    }
    return { ada, key, flight, patch }
  }

  test('an omitted field keeps its value, null clears it, and one version is written', async () => {
    const { ada, flight, key, patch } = await setUp()
    const changed = await patch({
      note: null,
      flightNumber: 'SK1',
      datePrecision: 'month',
      date: '2026-02-01',
    })
    const { updatedAt: _before, ...before } = flight
    const { updatedAt: _after, ...after } = changed
    assert.deepEqual(after, {
      ...before,
      note: null,
      flightNumber: 'SK1',
      datePrecision: 'month',
      date: '2026-02-01',
      version: 2,
    })
    assert.equal((await patch({ datePrecision: null })).datePrecision, 'day', 'the usual value')
    assert.equal((await patch({})).version, 3, 'an empty patch changes nothing')
    assert.equal((await patch({ note: null, flightNumber: 'SK1' })).version, 3, 'nor do unchanged values')
    const read = await app().request('GET', `/api/v1/flights/${flight.id}`, { key })
    assert.equal(read.json.data.version, 3)
    // Also in the web app.
    const cookie = await ada.session()
    const own = await app().request('PATCH', `/app/api/flights/${flight.id}`, {
      cookie,
      body: { note: 'web' },
    })
    assert.equal(own.json.data.note, 'web')
  })

  test('a body is read as a merge patch under any JSON media type, and refused under others', async () => {
    const { key, flight } = await setUp()
    for (const [i, type] of ['application/merge-patch+json', 'application/json'].entries()) {
      const reply = await patchAs(key, flight.id, { note: `note ${i}` }, { 'content-type': type })
      assert.equal(reply.status, 200, reply.text)
      assert.equal(reply.json.data.note, `note ${i}`)
    }
    const form = await patchAs(key, flight.id, { note: 'x' }, { 'content-type': 'text/plain' })
    assertError(form, 400, 'invalid_json')
    const jsonPatch = [{ op: 'replace', path: '/note', value: 'x' }]
    assertError(await patchAs(key, flight.id, jsonPatch), 422, 'validation_failed')
    for (const body of [null, 'note', 5])
      assertError(await patchAs(key, flight.id, body), 422, 'validation_failed')
    assertError(await app().request('PATCH', `/api/v1/flights/${flight.id}`, { key }), 400, 'invalid_json')
  })

  test('new times give a new duration, unless it was given', async () => {
    const { flight, patch } = await setUp()
    assert.equal(flight.duration, 30_900)
    assert.equal((await patch({ departure: '2026-02-20T12:00:00+01:00' })).duration, 32_700)
    assert.equal((await patch({ arrival: null })).duration, null)
    assert.equal((await patch({ arrival: '2026-02-20T15:00:00-05:00' })).duration, 32_400)
    assert.equal((await patch({ note: 'x' })).duration, 32_400)
    assert.equal((await patch({ duration: 30_000 })).duration, 30_000)
    assert.equal((await patch({ departure: '2026-02-20T12:10:00+01:00' })).duration, 30_000, 'it was given')
    const both = { departure: '2026-02-20T12:20:00+01:00', duration: 31_000 }
    assert.equal((await patch(both)).duration, 31_000)
    assert.equal((await patch({ duration: null })).duration, 31_200, 'cleared: computed again')
  })

  test('optional fields can be patched, and a price merges member by member', async () => {
    const { key, flight, patch } = await setUp()
    const ewr = await app().airportId('EWR')
    const diverted = await patch({ outcome: 'diverted', plannedToId: ewr, bookingReference: 'ABC' })
    assert.deepEqual([diverted.outcome, diverted.plannedTo.id], ['diverted', ewr])
    const priced = await patch({ price: { amount: '100', currency: 'EUR' } })
    assert.deepEqual([priced.outcome, priced.bookingReference], ['diverted', 'ABC'])
    assert.deepEqual((await patch({ price: { amount: '120.50' } })).price, {
      amount: '120.50',
      currency: 'EUR',
    })
    const refused: [object, string[]][] = [
      [{ price: { currency: 'XXQ' } }, ['price', 'currency']],
      [{ price: { amout: '5' } }, ['price', 'amout']],
      [{ price: 5 }, ['price']],
      [{ outcome: 'flown', plannedToId: ewr }, ['plannedToId']],
    ]
    for (const [body, path] of refused) {
      assertError(await patchAs(key, flight.id, body), 422, 'validation_failed', path)
    }
    assert.equal((await patch({ price: null })).price, null)
    assertError(await patchAs(key, flight.id, { price: { amount: '5' } }), 422, 'validation_failed', [
      'price',
      'currency',
    ])
    const flown = await patch({ outcome: null, bookingReference: null })
    assert.deepEqual([flown.outcome, flown.plannedTo, flown.bookingReference], ['flown', null, null])
  })

  test('passengers are changed, removed and added by id, the others stay', async () => {
    const { ada, key, flight, patch } = await setUp()
    const [own, bob] = flight.passengers.map((passenger: { id: number }) => passenger.id)
    const eve = await app().person()
    const seated = await patch({ passengers: { [own]: { seat: 'aisle', seatNumber: '1C' } } })
    assert.deepEqual(seated.passengers, [
      { ...flight.passengers[0], seat: 'aisle', seatNumber: '1C' },
      flight.passengers[1],
    ])
    const changed = await patch({
      passengers: { [bob]: null, new: [{ guestName: 'Bo' }, { userId: eve.id, seat: 'middle' }] },
    })
    const names = (passengers: { id: number; user: TestPerson | null; guestName: string | null }[]) =>
      passengers.map(({ user, guestName }) => user?.id ?? guestName)
    assert.deepEqual(names(changed.passengers), [ada.id, 'Bo', eve.id])
    assert.equal(changed.passengers[0].id, own)
    assert.equal(changed.passengers[0].seat, 'aisle')
    const guest = changed.passengers[1].id
    const named = await patch({ passengers: { [guest]: { guestName: 'Carl', seatClass: 'first' } } })
    assert.deepEqual([named.passengers[1].id, named.passengers[1].guestName], [guest, 'Carl'])
    assert.equal(
      (await patch({ passengers: { [guest]: { seatClass: null } } })).passengers[1].seatClass,
      null,
    )
    assert.equal(
      (await patch({ passengers: {} })).version,
      named.version + 1,
      'nothing named, nothing changed',
    )
    const whole = await patch({ passengers: [{ id: own, userId: ada.id }] })
    assert.deepEqual(names(whole.passengers), [ada.id], 'a list replaces the whole list')
    assert.equal(whole.passengers[0].seat, null)

    const refused: [unknown, string[]][] = [
      [{ 99999: { seat: 'aisle' } }, ['passengers', '99999']],
      [{ 99999: null }, ['passengers', '99999']],
      [{ [own]: { seat: 'roof' } }, ['passengers', String(own), 'seat']],
      [{ [own]: { sea: 'aisle' } }, ['passengers', String(own), 'sea']],
      [{ [own]: { guestName: 'Two at once' } }, ['passengers', String(own)]],
      [{ [own]: { userId: 'no-such-user' } }, ['passengers', String(own), 'userId']],
      [{ new: [{ guestName: 'A' }, { guestName: 'A' }] }, ['passengers', 'new', '1']],
      [{ new: [{ userId: ada.id }] }, ['passengers', 'new', '0']],
      [{ new: [{}] }, ['passengers', 'new', '0']],
      [{ new: { guestName: 'A' } }, ['passengers', 'new']],
      [{ [own]: { customFields: { nothing: 1 } } }, ['passengers', String(own), 'customFields', 'nothing']],
      [{ [own]: null }, ['passengers']],
      [[], ['passengers']],
      [
        [{ userId: ada.id }, {}],
        ['passengers', '1'],
      ],
      [null, ['passengers']],
      ['everyone', ['passengers']],
      [Array.from({ length: 1001 }, (_, i) => ({ guestName: `G${i}` })), ['passengers']],
    ]
    for (const [passengers, path] of refused) {
      assertError(await patchAs(key, flight.id, { passengers }), 422, 'validation_failed', path)
    }
    // A person who was added and has not kept the flight cannot be left alone on it.
    const added = await patch({ passengers: { new: [{ userId: eve.id }] } })
    const left = await patchAs(key, flight.id, { passengers: { [own]: null } })
    assertError(left, 403, 'forbidden', ['passengers', String(added.passengers[1].id)])
    const now = await app().request('GET', `/api/v1/flights/${flight.id}`, { key })
    assert.deepEqual(now.json.data, added)
  })

  test('custom fields of the flight and its passengers merge by key', async () => {
    const owner = await (await app().person('owner')).session()
    const keys = { meal: `meal_${app().engine}`, mood: `mood_${app().engine}`, bag: `bag_${app().engine}` }
    for (const [key, entityType] of [
      [keys.meal, 'flight'],
      [keys.mood, 'flight'],
      [keys.bag, 'flight_passenger'],
    ]) {
      const body = { key, label: key, entityType, fieldType: 'text' }
      const made = await app().request('POST', '/app/api/custom-fields', { cookie: owner, body })
      assert.equal(made.status, 201, made.text)
    }
    const { key, flight, patch } = await setUp()
    const [own] = flight.passengers
    const values = async (customFields: unknown) => (await patch({ customFields })).customFields
    assert.deepEqual(await values({ [keys.meal]: 'fish' }), { [keys.meal]: 'fish' })
    assert.deepEqual(await values({ [keys.mood]: 'good' }), { [keys.meal]: 'fish', [keys.mood]: 'good' })
    assert.deepEqual(await values({ [keys.meal]: null }), { [keys.mood]: 'good' })
    assert.deepEqual(await values(null), {})
    const bags = async (customFields: unknown) =>
      (await patch({ passengers: { [own.id]: { customFields } } })).passengers[0].customFields
    assert.deepEqual(await bags({ [keys.bag]: 'red' }), { [keys.bag]: 'red' })
    assert.deepEqual(await bags({}), { [keys.bag]: 'red' })
    assert.deepEqual(await bags(null), {})
    const unknown = await patchAs(key, flight.id, { customFields: { nothing: 1 } })
    assertError(unknown, 422, 'validation_failed', ['customFields', 'nothing'])
    const wrong = await patchAs(key, flight.id, { customFields: { [keys.meal]: 5 } })
    assertError(wrong, 422, 'validation_failed', ['customFields', keys.meal])
  })

  test('the merged result is validated, and errors point into the patch', async () => {
    const { key, flight } = await setUp()
    const none = 2_000_000_000
    const refused: [object, string[]][] = [
      [{ arrival: '2026-02-20T10:00:00+01:00' }, ['arrival']],
      [{ departure: '2026-02-21T22:00:00+01:00' }, ['departure']],
      [{ date: null }, ['date']],
      [{ date: '2026-02-30' }, ['date']],
      [{ fromId: null }, ['fromId']],
      [{ toId: none, airlineId: none }, ['airlineId']],
      [{ duration: -1 }, ['duration']],
      [{ note: 5 }, ['note']],
      [{ datePrecision: 'week' }, ['datePrecision']],
      [{ track: { coordinates: [[1, 2]], sourceFormat: 'gpx' } }, ['track', 'coordinates']],
      [{ track: 'none' }, ['track']],
      [{ customFields: 'none' }, ['customFields']],
    ]
    for (const [body, path] of refused) {
      assertError(await patchAs(key, flight.id, body), 422, 'validation_failed', path)
    }
    const misspelt = await patchAs(key, flight.id, { flightNumer: 'SK1', seat: 'window' })
    assertError(misspelt, 422, 'validation_failed', ['flightNumer'])
    const codes = misspelt.json.error.details.map((found: { code: string }) => found.code)
    assert.deepEqual(codes, ['unrecognized_keys', 'unrecognized_keys'])
    assert.match(misspelt.json.error.details[0].message, /flightNumber/)
    const now = await app().request('GET', `/api/v1/flights/${flight.id}`, { key })
    assert.deepEqual(now.json.data, flight)
  })

  test('scopes are needed only for what changes', async () => {
    const { ada, flight } = await setUp()
    const plain = await ada.key(['flight.update.own'])
    const statusOf = async (body: object, key = plain) => {
      const reply = await patchAs(key, flight.id, body)
      return reply.status === 200 ? 200 : `${reply.status} ${reply.json.error.code}`
    }
    const lacks = '403 insufficient_scope'
    assert.equal(await statusOf({ note: 'mine' }), 200)
    const [own, bob] = flight.passengers
    assert.equal(await statusOf({ passengers: { [own.id]: { seat: 'window' } } }), 200, 'as it was')
    assert.equal(await statusOf({ passengers: flight.passengers }), 200, 'as it was')
    assert.equal(await statusOf({ passengers: { [own.id]: { seat: 'aisle' } } }), lacks)
    assert.equal(await statusOf({ passengers: { [bob.id]: null } }), lacks)
    assert.equal(await statusOf({ passengers: { new: [{ guestName: 'Bo' }] } }), lacks)
    assert.equal(await statusOf({ track: null }), 200, 'no track exists')
    assert.equal(await statusOf({ track }), lacks)
    const tracker = await ada.key(['flight.update.own', 'tracks.write'])
    assert.equal(await statusOf({ track }, tracker), 200)
    assert.equal(await statusOf({ track: null }), lacks)
    assert.equal(await statusOf({ track: { pointCount: 2, sourceFormat: 'gpx' } }), 200, 'a summary')
    const withPeople: Scope[] = ['flight.update.own', 'flight.passengers.manage.own']
    assert.equal(await statusOf({ passengers: { [bob.id]: null } }, await ada.key(withPeople)), 200)
    assert.equal(await statusOf({ track: null }, tracker), 200)
  })

  test('a missing or hidden flight is not found, whatever the patch contains', async () => {
    const { flight } = await setUp({ track })
    const bob = await (await app().person()).key(['flight.update.own'])
    // Once merged, the first would be refused for its times and the second for a scope.
    for (const body of [
      { arrival: '2026-02-20T10:00:00+01:00' },
      { track: null },
      { passengers: { 1: null } },
      {},
    ]) {
      for (const id of [flight.id, 999_999]) assertError(await patchAs(bob, id, body), 404, 'not_found')
    }
    const reader = await (await app().person()).key(['flight.read.own'])
    assertError(await patchAs(reader, flight.id, {}), 403, 'insufficient_scope')
    const hidden = await app().request('PUT', `/api/v1/flights/${flight.id}`, {
      key: bob,
      body: { date: '2026-02-20', fromId: flight.from.id, toId: flight.to.id, track: null },
    })
    assertError(hidden, 404, 'not_found')
  })

  test('an id in the body is not used to find the flight', async () => {
    const { key, flight } = await setUp()
    const other = await setUp()
    const reply = await patchAs(key, flight.id, { id: other.flight.id, note: 'mine' })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.json.data.id, flight.id)
    const untouched = await app().request('GET', `/api/v1/flights/${other.flight.id}`, { key: other.key })
    assert.equal(untouched.json.data.note, 'as it was')
  })
})
