// Every read can be sent back as a write, and changes nothing if it is unchanged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERYONE } from '../../server/store/engine/revisions.ts'
import { listChanges } from '../../server/store/history/changes.ts'
import { assertError } from '../fixtures.ts'
import { onBothEngines } from '../harness.ts'

const track = {
  coordinates: [
    [12, 55, 1000],
    [13, 56, 2000],
  ],
  times: [1_700_000_000, 1_700_000_060],
  sourceFormat: 'gpx',
  sourceName: 'flight.gpx',
}

onBothEngines('round trip', (app) => {
  const newestChange = async () =>
    (await listChanges(app().store.read, EVERYONE, 'flight', 0, 10_000)).at(-1)?.number

  /** A flight with something in every field that a request can send. */
  async function setUp() {
    const [ada, eve] = [await app().person(), await app().person()]
    const key = await ada.key()
    const send = (method: string, path: string, body?: unknown, as = key) =>
      app().request(method, `/api/v1${path}`, { key: as, ...(body === undefined ? {} : { body }) })
    const owner = await (await app().person(['custom_fields.manage'])).session()
    for (const [name, entityType] of [
      ['meal', 'flight'],
      ['bag', 'flight_passenger'],
    ]) {
      const body = { key: `${name}_${app().engine}`, label: name, entityType, fieldType: 'text' }
      await app().request('POST', '/app/api/custom-fields', { cookie: owner, body })
    }
    const created = await send('POST', '/flights', {
      date: '2026-02-20',
      fromId: await app().airportId('CPH'),
      toId: await app().airportId('JFK'),
      airlineId: (await send('GET', '/airlines?query=SAS')).json.data[0].id,
      aircraftId: (await send('GET', '/aircraft?query=A320')).json.data[0].id,
      departure: '2026-02-20T12:30:00+01:00',
      arrival: '2026-02-20T15:05:00-05:00',
      departureScheduled: '2026-02-20T12:25:00.500+01:00',
      duration: 30_000,
      outcome: 'diverted',
      plannedToId: await app().airportId('EWR'),
      bookingReference: 'ABC123',
      operatingAirlineId: (await send('GET', '/airlines?query=Finnair')).json.data[0].id,
      operatingFlightNumber: 'AY5909',
      price: { amount: '129.90', currency: 'EUR' },
      departureGate: 'B4',
      flightNumber: 'SK909',
      note: ' with blanks ',
      track,
      customFields: { [`meal_${app().engine}`]: 'fish' },
      passengers: [
        { userId: ada.id, seat: 'window', customFields: { [`bag_${app().engine}`]: 'red' } },
        { userId: eve.id, flightReason: 'leisure' },
        { guestName: 'Bob', seatNumber: '2B', seatClass: 'business' },
      ],
    })
    assert.equal(created.status, 201, created.text)
    const path = `/flights/${created.json.data.id}`
    return { ada, eve, key, send, path, flight: created.json.data }
  }

  test('a flight sent back unchanged keeps its version and makes no change', async () => {
    const { ada, send, path, flight } = await setUp()
    app().clock.advance(60_000)
    const before = await newestChange()
    const read = (await send('GET', path)).json.data
    assert.deepEqual(read, flight)
    // Nothing changes, so nothing but the update itself needs a scope.
    const plain = await ada.key(['flight.read.own', 'flight.update.own'])
    for (const method of ['PUT', 'PATCH']) {
      const reply = await send(method, path, read, plain)
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual(reply.json.data, flight, method)
      assert.equal(reply.headers.etag, `"f${flight.id}-1"`)
    }
    const listed = (await send('GET', '/flights')).json.data[0]
    assert.equal((await send('PUT', path, listed, plain)).json.data.version, 1)
    assert.equal(await newestChange(), before)
  })

  test('a flight read, changed in one field and sent back changes only there', async () => {
    const { send, path, flight, eve } = await setUp()
    const jfk = flight.to
    const put = async (body: object) => {
      const reply = await send('PUT', path, body)
      assert.equal(reply.status, 200, reply.text)
      return reply.json.data
    }
    const noted = await put({ ...flight, note: 'changed' })
    assert.deepEqual({ ...noted, updatedAt: '' }, { ...flight, note: 'changed', version: 2, updatedAt: '' })
    const read = (await send('GET', path)).json.data
    const moved = read.passengers.map((one: { id: number }, i: number) =>
      i === 2 ? { ...one, seat: 'aisle' } : one,
    )
    const seated = await put({ ...read, passengers: moved })
    assert.deepEqual(seated.passengers, moved)
    // If both are given the id is used, and null for an object clears an optional field.
    const swapped = await put({ ...seated, fromId: jfk.id, toId: seated.from.id })
    assert.equal(swapped.from.id, jfk.id)
    const cleared = await put({
      ...seated,
      airline: null,
      aircraft: null,
      plannedTo: null,
      operatingAirline: null,
    })
    const { airline, aircraft, plannedTo, operatingAirline } = cleared
    assert.deepEqual([airline, aircraft, plannedTo, operatingAirline], [null, null, null, null])
    const byObject = await put({ ...seated, airline: { id: seated.airline.id } })
    assert.equal(byObject.airline.id, seated.airline.id)
    const [own, , guest] = seated.passengers
    const replaced = await put({
      ...seated,
      passengers: [own, { ...guest, user: { id: eve.id }, userId: null }],
    })
    assert.equal(replaced.passengers[1].guestName, 'Bob', 'userId counts, not user')
  })

  test('PATCH accepts objects in place of ids too', async () => {
    const { send, path, flight } = await setUp()
    const patch = async (body: object) => {
      const reply = await send('PATCH', path, body)
      assert.equal(reply.status, 200, reply.text)
      return reply.json.data
    }
    assert.equal((await patch({ to: flight.from, from: flight.to })).to.id, flight.from.id)
    assert.equal((await patch({ airline: null })).airline, null)
    assert.equal((await patch({ airline: flight.airline })).airline.id, flight.airline.id)
    const changed = await patch({ ...flight, note: 'x', version: 99, distanceKm: 1, createdAt: 'then' })
    assert.equal(changed.note, 'x')
    assert.equal(changed.createdAt, flight.createdAt)
    assert.equal(changed.version, 5)
  })

  test('an object without an id is refused and does not clear the stored value', async () => {
    const { send, path, flight } = await setUp()
    for (const method of ['PUT', 'PATCH']) {
      const reply = await send(method, path, { ...flight, airline: { icao: 'SAS' } })
      assertError(reply, 422, 'validation_failed', ['airlineId'])
      assertError(await send(method, path, { ...flight, from: null }), 422, 'validation_failed', ['fromId'])
      const wrong = { ...flight, to: { id: 2_000_000_000 } }
      assertError(await send(method, path, wrong), 422, 'validation_failed', ['toId'])
    }
    assert.deepEqual((await send('GET', path)).json.data, flight)
  })

  test('a copy of a flight makes a new flight', async () => {
    const { send, flight } = await setUp()
    const { track: _summary, passengers, ...rest } = flight
    const copied = await send('POST', '/flights', { ...rest, passengers, track: null })
    assert.equal(copied.status, 201, copied.text)
    const { id, version, from, note } = copied.json.data
    assert.notEqual(id, flight.id)
    assert.deepEqual([version, from.id, note], [1, flight.from.id, flight.note])
  })

  test('a track that is already stored makes no new version, alone or with its flight', async () => {
    const { ada, send, path, flight } = await setUp()
    app().clock.advance(60_000)
    const before = await newestChange()
    const stored = (await send('GET', `${path}/track`)).json.data
    for (const same of [track, stored]) {
      const reply = await send('PUT', `${path}/track`, same)
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual(reply.json.data, stored)
      assert.equal(reply.headers.etag, `"f${flight.id}-1"`)
    }
    for (const method of ['PUT', 'PATCH']) {
      const reply = await send(method, path, { ...flight, track })
      assert.deepEqual(reply.json.data, flight)
      const plain = await ada.key(['flight.update.own'])
      assertError(await send(method, path, { ...flight, track }, plain), 403, 'insufficient_scope')
    }
    assert.equal(await newestChange(), before)
    const other = { ...track, times: [1_700_000_000, 1_700_000_061] }
    const changed = await send('PUT', `${path}/track`, other)
    assert.equal(changed.headers.etag, `"f${flight.id}-2"`)
    assert.equal(
      (await send('PUT', path, { ...flight, track: { ...other, sourceName: null } })).json.data.version,
      3,
    )
    const named = (await send('GET', path)).json.data
    assert.equal(named.track.sourceName, null)

    // Without a track, a read returns null.
    assert.equal((await send('DELETE', `${path}/track`)).status, 204)
    const without = (await send('GET', path)).json.data
    assert.equal(without.track, null)
    assert.equal(without.version, 4)
    const plain = await ada.key(['flight.read.own', 'flight.update.own'])
    assert.equal((await send('PUT', path, without, plain)).json.data.version, 4)
    assert.equal((await send('DELETE', `${path}/track`)).status, 204)
    assert.equal((await send('GET', path)).json.data.version, 4, 'there was none to delete')
  })
})
