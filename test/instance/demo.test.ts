import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines } from '../harness.ts'

const path = '/app/api/demo'

onBothEngines('the demo log', (app) => {
  test('load-demo creates a plausible log, remove-demo removes exactly that', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const cookie = await ada.session()
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    const own = await logFlight(app(), ada, { date: '2026-01-01', fromId, toId })
    const loaded = await app().request('POST', path, { cookie })
    assert.equal(loaded.status, 201, loaded.text)
    const log = async () => (await app().request('GET', '/app/api/log', { cookie })).json.data
    const { flights, airports, airlines, aircraft } = await log()
    assert.equal(flights.length, loaded.json.data.flights + 1)
    assert.ok(flights.length > 110 && flights.length < 140)
    assert.ok(Object.keys(airports).length >= 18 && Object.keys(airlines).length >= 9)
    assert.ok(Object.keys(aircraft).length >= 8)
    const planned = flights.filter((flight: { completesAt: number | null }) => flight.completesAt !== null)
    assert.equal(planned.length, 6)
    for (const flight of flights) {
      assert.ok(flight.from && flight.to, 'every airport is known')
      if (flight.datePrecision === 'day' && flight.id !== own.id) {
        assert.ok(
          flight.airline && flight.aircraft && flight.departure && flight.arrival,
          flight.flightNumber,
        )
        assert.ok(flight.duration > 1800 && flight.duration < 17 * 3600)
      }
    }
    requireConnected(flights.filter((flight: { id: number }) => flight.id !== own.id))
    assertError(await app().request('POST', path, { cookie }), 409, 'conflict')

    // One flight is changed and one deleted before the demo log is removed.
    const key = await ada.key()
    await app().request('DELETE', `/api/v1/flights/${planned[0].id}`, { key })
    const changed = await app().request('PUT', `/api/v1/flights/${planned[1].id}`, {
      key,
      body: { date: '2026-01-01', fromId, toId, passengers: [{ userId: ada.id }] },
    })
    assert.equal(changed.status, 200)
    assert.equal((await app().request('DELETE', path, { cookie: await bob.session() })).status, 204)
    assert.equal((await log()).flights.length, flights.length - 1, 'another’s demo stays')
    assert.equal((await app().request('DELETE', path, { cookie })).status, 204)
    assert.deepEqual(
      (await log()).flights.map((flight: { id: number }) => flight.id),
      [own.id],
    )
    assert.equal((await app().request('DELETE', path, { cookie })).status, 204)
    assert.equal((await app().request('POST', path, { cookie })).status, 201, 'and it can come again')
  })

  test('the demo log has trips, which are removed unless the person added flights of their own', async () => {
    const ada = await app().person()
    const [cookie, key] = [await ada.session(), await ada.key()]
    const trips = async () => (await app().request('GET', '/api/v1/trips', { key })).json.data
    await app().request('POST', path, { cookie })
    const [australia, tokyo] = await trips()
    assert.deepEqual([tokyo.flightIds.length, australia.flightIds.length], [2, 4])
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    const own = await logFlight(app(), ada, { date: '2026-01-01', fromId, toId })
    const body = { addFlightIds: [own.id] }
    await app().request('PATCH', `/api/v1/trips/${tokyo.id}`, { key, body })
    assert.equal((await app().request('DELETE', path, { cookie })).status, 204)
    const left = await trips()
    assert.deepEqual(
      left.map(({ id, flightIds }: typeof tokyo) => [id, flightIds]),
      [[tokyo.id, [own.id]]],
    )
  })

  test('two concurrent loads create one demo log', async () => {
    const ada = await app().person()
    const cookie = await ada.session()
    const replies = await Promise.all([1, 2, 3].map(() => app().request('POST', path, { cookie })))
    assert.deepEqual(replies.map((reply) => reply.status).sort(), [201, 409, 409])
  })

  test('the demo log needs the web app and the permission', async () => {
    const ada = await app().person()
    assertError(
      await app().request('POST', '/api/v1/demo', { key: await ada.key(), body: {} }),
      404,
      'not_found',
    )
    const headers = { origin: app().config.origin }
    assertError(await app().request('POST', path, { headers }), 401, 'unauthorized')
    const reader = await (await app().person(['flight.read.own'])).session()
    assertError(await app().request('POST', path, { cookie: reader }), 403, 'forbidden')
    assertError(await app().request('DELETE', path, { cookie: reader }), 403, 'forbidden')
  })
})

interface Leg {
  date: string
  datePrecision: string
  departure: string
  arrival: string
  from: number
  to: number
  flightNumber: string
}

/** Each flight departs from the airport where the previous one arrived, after its arrival. */
function requireConnected(flights: Leg[]): void {
  const legs = flights
    .filter((flight) => flight.datePrecision === 'day')
    .sort((a, b) => Date.parse(a.departure) - Date.parse(b.departure))
  for (const [i, leg] of legs.entries()) {
    const before = legs[i - 1]
    if (!before) continue
    assert.equal(before.to, leg.from, `${before.flightNumber} then ${leg.flightNumber}`)
    assert.ok(Date.parse(before.arrival) < Date.parse(leg.departure), `${before.date} ${leg.flightNumber}`)
  }
}
