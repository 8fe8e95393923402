// owenvoke/hass-airtrail (Home Assistant): requests list and statistics every half hour; if either is refused, the user has to
// enter the key again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onSqlite } from '../harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a program reads from JSON
type Json = any

/** The attributes of its sensors and its calendar. */
const flightSensor = (flight: Json) => ({
  uid: String(flight.id),
  precision: flight.datePrecision,
  start: flight.departure && new Date(flight.departure).toISOString(),
  end: flight.arrival && new Date(flight.arrival).toISOString(),
  seconds: flight.duration,
  route: [flight.from, flight.to].map((end: Json) => end.iata ?? end.icao).join('-'),
  place: [flight.from.name, flight.from.municipality, flight.from.country, flight.from.tz],
  position: [flight.from.lat, flight.from.lon],
  airline: typeof flight.airline === 'string' ? flight.airline : flight.airline?.name,
  aircraft: typeof flight.aircraft === 'string' ? flight.aircraft : flight.aircraft?.name,
  passengers: flight.passengers.map((passenger: Json) => passenger.user?.displayName ?? passenger.guestName),
})

/** It infers the key's user: the one who is on every flight. */
const ownerOf = (flights: Json[]): string[] =>
  flights
    .map((flight) => flight.passengers.flatMap((passenger: Json) => passenger.userId ?? []) as string[])
    .reduce((common, users) => common.filter((user) => users.includes(user)))

onSqlite('hass-airtrail', (app) => {
  test('hass-airtrail reads flights, the owner and statistics with a key that may only read flights', async () => {
    const ada = await app().person()
    const all = await ada.key()
    for (const [departure, to] of [
      ['2026-02-20', 'JFK'],
      ['2026-03-20', 'LHR'],
    ] as const) {
      const saved = await app().request('POST', '/api/flight/save', {
        key: all,
        body: {
          from: 'CPH',
          to,
          departure,
          departureTime: '12:30',
          arrival: departure,
          arrivalTime: '15:05',
          airline: 'SK',
          aircraft: 'A320',
          passengers: [{ userId: '<USER_ID>', seat: 'window' }, { guestName: `Guest to ${to}` }],
        },
      })
      assert.equal(saved.status, 200, saved.text)
    }
    for (const format of ['codes', 'objects'] as const) {
      const key = await ada.key(['flight.read.own'], format)
      const list = await app().request('GET', '/api/flight/list', { key })
      assert.equal(list.status, 200)
      assert.equal(list.headers['content-type'], 'application/json')
      assert.deepEqual(ownerOf(list.json.flights), [ada.id])
      const [last] = list.json.flights.map(flightSensor)
      assert.equal(last.route, 'CPH-LHR')
      assert.equal(last.start, '2026-03-20T11:30:00.000Z')
      assert.equal(last.seconds, 3 * 3600 + 35 * 60)
      assert.deepEqual(last.place.slice(1), ['Copenhagen', 'DK', 'Europe/Copenhagen'])
      assert.ok(last.position.every(Number.isFinite))
      assert.ok(last.airline && last.aircraft)
      assert.deepEqual(last.passengers, [ada.displayName, 'Guest to LHR'])

      const { status, headers, json } = await app().request('GET', '/api/stats', { key })
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'application/json')
      const { stats } = json
      assert.equal(stats.flights, 2)
      assert.equal(stats.airports, 3)
      assert.ok(stats.distanceKm > 7000)
      assert.equal(stats.durationSeconds, (8 * 60 + 35 + 3 * 60 + 35) * 60)
      assert.match(stats.topAirline.name, /Scandinavian/)
      assert.equal(stats.topAirport.iata, 'CPH')
      assert.equal(stats.topAircraft.name, 'Airbus A320')
      assert.equal(stats.topRoute.from.iata, 'CPH')
    }
  })

  test('hass-airtrail reads an empty log without an error', async () => {
    const key = await (await app().person()).key(['flight.read.own', 'stats.read'])
    assert.deepEqual((await app().request('GET', '/api/flight/list', { key })).json.flights, [])
    const { stats } = (await app().request('GET', '/api/stats', { key })).json
    assert.deepEqual([stats.flights, stats.distanceKm, stats.topAirline, stats.topRoute], [0, 0, null, null])
  })

  test('hass-airtrail gets 401 for a deleted key on both calls', async () => {
    for (const path of ['/api/flight/list', '/api/stats']) {
      assert.equal((await app().request('GET', path, { key: 'gone' })).status, 401)
    }
  })
})
