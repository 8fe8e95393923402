import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onBothEngines } from '../harness.ts'

onBothEngines('flights', (app) => {
  test('a flight is logged, read, listed, replaced and deleted', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('JFK')]
    const body = {
      date: '2026-02-20',
      fromId,
      toId,
      departure: '2026-02-20T12:30:00+01:00',
      arrival: '2026-02-20T15:05:00-05:00',
      flightNumber: 'SK909',
      passengers: [{ userId: ada.id, seat: 'window', seatNumber: '12A' }, { guestName: 'Bob' }],
    }
    const created = await app().request('POST', '/api/v1/flights', { key, body })
    assert.equal(created.status, 201, created.text)
    const flight = created.json.data
    assert.equal(created.headers.location, `/api/v1/flights/${flight.id}`)
    assert.equal(flight.from.iata, 'CPH')
    assert.equal(flight.duration, 30900)
    assert.equal(flight.departure, body.departure)
    assert.equal(flight.passengers[0].user.id, ada.id)
    assert.ok(flight.distanceKm > 6100 && flight.distanceKm < 6250)

    const read = await app().request('GET', `/api/v1/flights/${flight.id}`, { key })
    assert.deepEqual(read.json.data, flight)
    const listed = await app().request('GET', '/api/v1/flights', { key })
    assert.deepEqual(listed.json, { data: [flight], page: { nextCursor: null } })

    const again = await app().request('PUT', `/api/v1/flights/${flight.id}`, {
      key,
      body: { ...body, date: '2026-02-21', departure: null, arrival: null, passengers: [{ userId: ada.id }] },
    })
    assert.equal(again.status, 200, again.text)
    assert.equal(again.json.data.date, '2026-02-21')
    assert.equal(again.json.data.duration, null)
    assert.equal(again.json.data.passengers[0].id, flight.passengers[0].id)
    assert.equal(again.json.data.passengers.length, 1)

    assert.equal((await app().request('DELETE', `/api/v1/flights/${flight.id}`, { key })).status, 204)
    assert.equal((await app().request('GET', `/api/v1/flights/${flight.id}`, { key })).status, 404)
    assert.deepEqual((await app().request('GET', '/api/v1/flights', { key })).json.data, [])
  })

  test('missing records and people are named, in a new flight and in an update', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('JFK')]
    const body = { date: '2026-02-20', fromId, toId }
    const { id } = (await app().request('POST', '/api/v1/flights', { key, body })).json.data
    const before = (await app().request('GET', `/api/v1/flights/${id}`, { key })).json.data
    const none = 2_000_000_000
    const unknown = { fromId: none, toId: none, airlineId: none, aircraftId: none }
    const wrong = { ...body, ...unknown, passengers: [{ userId: ada.id }, { userId: 'no-such-user' }] }
    for (const [method, path] of [
      ['POST', '/api/v1/flights'],
      ['PUT', `/api/v1/flights/${id}`],
    ] as const) {
      const reply = await app().request(method, path, { key, body: wrong })
      assert.equal(reply.status, 422, reply.text)
      const found = reply.json.error.details.map(
        (detail: { path: string[]; reason: string }) => `${detail.path.join('.')}: ${detail.reason}`,
      )
      assert.deepEqual(found.sort(), [
        'aircraftId: no_such_aircraft',
        'airlineId: no_such_airline',
        'fromId: no_such_departure_airport',
        'passengers.1.userId: no_such_user',
        'toId: no_such_arrival_airport',
      ])
    }
    assert.deepEqual((await app().request('GET', `/api/v1/flights/${id}`, { key })).json.data, before)
  })

  test('a body without passengers means the caller, and on an update the present passengers', async () => {
    const ada = await app().person()
    const key = await ada.key(['flight.read.own', 'flight.create.own', 'flight.update.own'])
    const body = {
      date: '2026-02-20',
      fromId: await app().airportId('CPH'),
      toId: await app().airportId('JFK'),
    }
    const created = await app().request('POST', '/api/v1/flights', { key, body })
    assert.equal(created.status, 201, created.text)
    const { id, passengers } = created.json.data
    assert.deepEqual(
      passengers.map((passenger: { user: { id: string } }) => passenger.user.id),
      [ada.id],
    )

    const withGuest = { ...body, passengers: [{ userId: ada.id, seat: 'window' }, { guestName: 'Bob' }] }
    const all = await ada.key()
    const two = await app().request('PUT', `/api/v1/flights/${id}`, { key: all, body: withGuest })
    const renumbered = await app().request('PUT', `/api/v1/flights/${id}`, {
      key,
      body: { ...body, date: '2026-02-21', flightNumber: 'SK909' },
    })
    assert.equal(renumbered.status, 200, renumbered.text)
    assert.equal(renumbered.json.data.flightNumber, 'SK909')
    assert.deepEqual(renumbered.json.data.passengers, two.json.data.passengers)
    const listed = await app().request('GET', '/api/v1/flights', { key })
    assert.equal(listed.json.data[0].date, '2026-02-21')

    const none = await app().request('POST', '/api/v1/flights', { key, body: { ...body, passengers: [] } })
    assert.equal(none.status, 422)
  })
  test('passengers of an update are a whole list, matched by id, else by person', async () => {
    const [ada, eve] = [await app().person(), await app().person()]
    const key = await ada.key()
    const route = {
      date: '2026-02-20',
      fromId: await app().airportId('CPH'),
      toId: await app().airportId('JFK'),
    }
    const create = async (passengers: object[]) =>
      (await app().request('POST', '/api/v1/flights', { key, body: { ...route, passengers } })).json.data
    const other = await create([{ userId: ada.id }])
    const flight = await create([{ userId: ada.id }, { guestName: 'Bob' }, { guestName: 'Carl' }])
    const [a, b, c] = flight.passengers.map((passenger: { id: number }) => passenger.id)
    const update = (passengers: object[]) =>
      app().request('PUT', `/api/v1/flights/${flight.id}`, { key, body: { ...route, passengers } })
    const names = async (passengers: object[]) => {
      const reply = await update(passengers)
      assert.equal(reply.status, 200, reply.text)
      return Object.fromEntries(
        reply.json.data.passengers.map((shown: { id: number; user: { id: string }; guestName: string }) => [
          shown.id,
          shown.user?.id ?? shown.guestName,
        ]),
      )
    }
    for (const [passengers, at] of [
      [[{ id: other.passengers[0].id, userId: ada.id }], '0'],
      [[{ id: 99999999999, userId: ada.id }], '0'],
      [[{ userId: ada.id }, { id: b, guestName: 'X' }, { id: b, guestName: 'Y' }], '2'],
      [[{ userId: ada.id }, { id: b, guestName: 'Zed' }, { guestName: 'Bob' }], '2'],
      [[{ userId: ada.id }, { guestName: 'Bob' }, { id: b, guestName: 'Zed' }], '2'],
    ] as [object[], string][]) {
      const reply = await update(passengers)
      assert.equal(reply.status, 422, reply.text)
      assert.deepEqual(reply.json.error.details[0].path, ['passengers', at])
    }
    // Names are swapped, also between a user and a guest, and each record keeps its id.
    assert.deepEqual(
      await names([
        { id: b, guestName: 'Carl' },
        { id: c, guestName: 'Bob' },
        { id: a, userId: ada.id },
      ]),
      { [a]: ada.id, [b]: 'Carl', [c]: 'Bob' },
    )
    assert.deepEqual(
      await names([
        { id: a, guestName: 'Bob' },
        { id: c, userId: ada.id },
      ]),
      { [a]: 'Bob', [c]: ada.id },
    )
    // Omitted passengers are removed; new ones get a new record.
    const later = await names([{ userId: ada.id, seat: 'aisle' }, { userId: eve.id }])
    assert.equal(later[c], ada.id)
    assert.equal(later[a], undefined)
    assert.deepEqual(Object.values(later).sort(), [ada.id, eve.id].sort())
    assert.equal(
      (await app().request('GET', '/api/v1/flights', { key: await eve.key() })).json.data.length,
      1,
    )
  })
})
