// Dawarich (Freika/dawarich): reads the whole list once a day and deletes flights that are missing from it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airportIds, logFlight } from '../fixtures.ts'
import { onSqlite, type Reply } from '../harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a program reads from JSON
type Json = any

/** The fields of a flight that Dawarich stores. */
const imported = (flight: Json) => ({
  externalId: flight.id,
  date: flight.date,
  departure:
    flight.departure ?? flight.takeoffActual ?? flight.takeoffScheduled ?? flight.departureScheduled ?? null,
  arrival:
    flight.arrival ?? flight.landingActual ?? flight.landingScheduled ?? flight.arrivalScheduled ?? null,
  from: [flight.from.icao, flight.from.name, flight.from.lat, flight.from.lon],
  airline: [flight.airline?.name, flight.airline?.iata],
  aircraft: flight.aircraft?.name,
  seat: [flight.seats[0]?.seat, flight.seats[0]?.seatNumber, flight.seats[0]?.seatClass],
  note: flight.note,
})

const flightsOf = (reply: Reply): Json[] => {
  assert.ok(reply.status >= 200 && reply.status < 300 && reply.json.success, reply.text)
  return reply.json.flights ?? []
}

onSqlite('Dawarich', (app) => {
  const sync = (key: string, path = '/api/flight/list?scope=mine') =>
    app().request('GET', path, { key, headers: { accept: 'application/json', connection: 'close' } })

  test('Dawarich imports names, best known times and seats, also through two slashes', async () => {
    const ada = await app().person()
    const key = await ada.key(['flight.read.own'], 'objects')
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    await logFlight(app(), ada, {
      date: '2026-02-20',
      fromId,
      toId,
      departureScheduled: '2026-02-20T12:30:00+01:00',
      landingActual: '2026-02-20T20:01:00Z',
      airlineId: 4319,
      aircraftId: 44,
      note: 'Snow',
      passengers: [{ userId: ada.id, seat: 'aisle', seatNumber: '4C', seatClass: 'business' }],
    })
    for (const path of ['/api/flight/list?scope=mine', '//api/flight/list?scope=mine']) {
      const [flight] = flightsOf(await sync(key, path)).map(imported)
      assert.ok(flight)
      assert.equal(flight.departure, '2026-02-20T11:30:00.000+00:00')
      assert.equal(flight.arrival, '2026-02-20T20:01:00.000+00:00')
      assert.equal(flight.from[0], 'EKCH')
      assert.equal(typeof flight.from[2], 'number')
      assert.equal(flight.airline[1], 'SK')
      assert.match(flight.airline[0], /Scandinavian/)
      assert.equal(flight.aircraft, 'Airbus A320')
      assert.deepEqual(flight.seat, ['aisle', '4C', 'business'])
    }
  })

  test('Dawarich gets every flight of a long list', async () => {
    const ada = await app().person()
    const key = await ada.key(['flight.read.own'], 'objects')
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    const flights = await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        logFlight(app(), ada, { date: `2025-0${1 + (i % 9)}-1${i % 10}`, fromId, toId }),
      ),
    )
    const kept = new Set(flightsOf(await sync(key)).map((flight) => imported(flight).externalId))
    assert.deepEqual([...kept].sort(), flights.map((flight) => flight.id).sort())
  })

  test('Dawarich gets an error for a bad key', async () => {
    const reply = await sync('wrong')
    assert.equal(reply.status, 401)
    assert.equal(reply.json.success, false)
  })
})
