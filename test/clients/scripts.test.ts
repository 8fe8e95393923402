// Small scripts: a job that turns the list into a calendar (ICS), an iPhone shortcut, a fixture that updates passengers by
// id.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onSqlite } from '../harness.ts'

onSqlite('small scripts', (app) => {
  const save = (key: string, body: object) => app().request('POST', '/api/flight/save', { key, body })

  test('the shortcut logs a flight with only two codes and a day', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const reply = await save(key, {
      from: 'CPH',
      to: 'JFK',
      departure: '2026-02-20',
      seats: [{ userId: '<USER_ID>' }],
    })
    assert.equal(reply.status, 200, reply.text)
    const { flight } = (await app().request('GET', `/api/flight/get/${reply.json.id}`, { key })).json
    assert.equal(flight.date, '2026-02-20')
    assert.equal(flight.departure, null)
    assert.equal(flight.passengers[0].userId, ada.id)
  })

  test('the calendar script reads times and codes', async () => {
    const key = await (await app().person()).key(undefined, 'objects')
    await save(key, {
      from: 'HND',
      to: 'EWR',
      departure: '2026-03-20',
      departureTime: '16:45',
      arrival: '2026-03-20',
      arrivalTime: '16:20',
      flightNumber: 'UA78',
      seats: [{ userId: '<USER_ID>' }],
    })
    const { flights } = (await app().request('GET', '/api/flight/list', { key })).json
    const events = flights.map(
      (flight: {
        departure: string
        arrival: string
        flightNumber: string
        from: { iata: string }
        to: { iata: string }
      }) =>
        `${new Date(flight.departure).toISOString()} ${new Date(flight.arrival).toISOString()} ${flight.flightNumber} ${flight.from.iata}-${flight.to.iata}`,
    )
    assert.deepEqual(events, ['2026-03-20T07:45:00.000Z 2026-03-20T20:20:00.000Z UA78 HND-EWR'])
  })

  test('the fixture script updates a passenger by id', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const body = { from: 'CPH', to: 'JFK', departure: '2026-02-20' }
    const { id } = (await save(key, { ...body, passengers: [{ userId: ada.id }] })).json
    const get = async () => (await app().request('GET', `/api/flight/get/${id}`, { key })).json.flight
    const [passenger] = (await get()).passengers
    const update = { ...body, id, passengers: [{ id: passenger.id, userId: ada.id, seatNumber: '9F' }] }
    assert.equal((await save(key, update)).status, 200)
    assert.deepEqual((await get()).passengers, [{ ...passenger, seatNumber: '9F' }])
  })
})
