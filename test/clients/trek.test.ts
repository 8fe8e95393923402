// TREK (liketrek/TREK): reads the list and single flights, writes whole objects back, both ways, every five minutes.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { logFlight } from '../fixtures.ts'
import { onSqlite } from '../harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a program reads from JSON
type Json = any

/** A local time at the airport, computed as a browser would, not by our rules. */
function localParts(instant: string | null, zone: string): { date: string | null; time: string | null } {
  if (!instant) return { date: null, time: null }
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(new Date(instant))
  const [date, time] = parts.split(' ')
  return { date: date!, time: time! }
}

/** TREK's save: a copy of the GET object, with codes, local dates and times replaced. */
function asSave(flight: Json, change: object = {}): Json {
  const departure = localParts(flight.departure, flight.from.tz)
  const arrival = localParts(flight.arrival, flight.to.tz)
  const departureScheduled = localParts(flight.departureScheduled, flight.from.tz)
  const arrivalScheduled = localParts(flight.arrivalScheduled, flight.to.tz)
  const carrier = (date: string | null) => date && `${date}T00:00:00.000Z`
  const passengers = (flight.passengers ?? flight.seats).map((passenger: Json) => ({ ...passenger }))
  return {
    ...flight,
    id: flight.id,
    from: flight.from.iata ?? flight.from.icao,
    to: flight.to.iata ?? flight.to.icao,
    airline: flight.airline?.icao ?? flight.airline?.iata ?? null,
    aircraft: flight.aircraft?.icao ?? null,
    departure: departure.date ?? flight.date,
    departureTime: departure.time,
    arrival: arrival.date,
    arrivalTime: arrival.time,
    departureScheduled: carrier(departureScheduled.date),
    departureScheduledTime: departureScheduled.time,
    arrivalScheduled: carrier(arrivalScheduled.date),
    arrivalScheduledTime: arrivalScheduled.time,
    passengers,
    seats: passengers,
    ...change,
  }
}

const hashOf = (flight: Json) => createHash('sha256').update(JSON.stringify(flight)).digest('hex')

onSqlite('TREK', (app) => {
  const list = async (key: string): Promise<Json[]> =>
    (await app().request('GET', '/api/flight/list', { key })).json.flights
  const save = (key: string, body: Json) => app().request('POST', '/api/flight/save', { key, body })

  test('TREK reads its fields, writes them back, and the next read has the same hash', async () => {
    const ada = await app().person()
    const key = await ada.key(undefined, 'objects')
    const v1 = await logFlight(app(), ada, {
      date: '2026-02-20',
      fromId: await app().airportId('LAX'),
      toId: await app().airportId('HND'),
      departure: '2026-02-20T23:50:00-08:00',
      arrival: '2026-02-22T04:15:00+09:00',
      departureScheduled: '2026-02-20T23:45:00-08:00',
      arrivalScheduled: '2026-02-22T04:30:00+09:00',
      takeoffActual: '2026-02-21T08:05:30Z',
      landingActual: '2026-02-21T18:55:30Z',
      airlineId: 324,
      aircraftId: 334,
      flightNumber: 'NH105',
      aircraftReg: 'JA795A',
      note: 'Red eye',
      departureTerminal: 'B',
      passengers: [
        { userId: ada.id, seat: 'window', seatNumber: '12A', seatClass: 'economy', flightReason: 'leisure' },
        { guestName: 'Bob' },
      ],
    })
    const [flight] = await list(key)
    assert.equal(typeof flight.from.lat, 'number')
    assert.equal(typeof flight.to.lon, 'number')
    assert.equal(flight.from.tz, 'America/Los_Angeles')
    assert.deepEqual([flight.airline.icao, flight.airline.iata], ['ANA', 'NH'])
    assert.equal(flight.aircraft.icao, 'B77W')
    assert.equal(flight.flightReason, 'leisure')
    assert.deepEqual(flight.seats, flight.passengers)
    const single = (await app().request('GET', `/api/flight/get/${flight.id}`, { key })).json.flight
    assert.equal(hashOf(single), hashOf(flight))

    const reply = await save(key, asSave(flight))
    assert.equal(reply.status, 200, reply.text)
    const [again] = await list(key)
    assert.equal(
      hashOf(again),
      hashOf(flight),
      'take-off and landing have no local time in this format and stay',
    )
    const { updatedAt: _, ...after } = (await app().request('GET', `/api/v1/flights/${v1.id}`, { key })).json
      .data
    const { updatedAt: __, ...before } = v1
    assert.deepEqual(after, before)
  })

  test('TREK changes exactly the edited fields', async () => {
    const ada = await app().person()
    const key = await ada.key(undefined, 'objects')
    await save(key, {
      from: 'JFK',
      to: 'LHR',
      departure: '2026-01-10',
      departureTime: '21:30',
      arrival: '2026-01-11',
      arrivalTime: '09:25',
      airline: 'BA',
      passengers: [{ userId: '<USER_ID>', seatNumber: '12A' }],
      seats: [{ userId: '<USER_ID>', seatNumber: '12A' }],
    })
    const [flight] = await list(key)
    const edited = asSave(flight, { departure: '2026-01-12', arrival: '2026-01-13', arrivalTime: '09:40' })
    assert.equal((await save(key, edited)).status, 200)
    const [moved] = await list(key)
    assert.equal(moved.date, '2026-01-12')
    assert.equal(moved.departure, '2026-01-13T02:30:00.000+00:00')
    assert.equal(moved.arrival, '2026-01-13T09:40:00.000+00:00')
    assert.equal(moved.duration, 430 * 60, 'the old duration that TREK sends along is not believed')
    assert.equal(moved.airline.icao, 'BAW')
    assert.deepEqual(moved.passengers, flight.passengers)

    await save(key, asSave(moved, { departureTime: null, arrival: null, arrivalTime: null }))
    const [dateOnly] = await list(key)
    assert.equal(dateOnly.date, '2026-01-12')
    assert.equal(dateOnly.departure, null)
    assert.equal(dateOnly.arrival, null)
    await save(key, asSave(dateOnly))
    assert.equal(hashOf((await list(key))[0]), hashOf(dateOnly))
  })

  test('TREK gets 404 for a deleted flight, and every refusal as JSON with a reason', async () => {
    const key = await (await app().person()).key(undefined, 'objects')
    const gone = await app().request('GET', '/api/flight/get/2147483647', { key })
    assert.equal(gone.status, 404)
    const refused = await save(key, { from: 'CPH' })
    assert.equal(refused.status, 400)
    assert.ok(refused.json.errors.length > 0)
    const wrong = await save(key, {
      from: 'CPH',
      to: 'QQQQ',
      departure: '2026-01-01',
      seats: [{ userId: '<USER_ID>' }],
    })
    assert.equal(wrong.json.message, 'Invalid arrival airport')
  })
})
