// tripit-exporter (aaronspruit): writes TripIt's segments one way, keeps the ids, updates and deletes by them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onSqlite } from '../harness.ts'

const segment = {
  from: 'CPH',
  to: 'JFK',
  datePrecision: 'day',
  departure: '2026-02-20',
  departureTime: '12:30',
  arrival: '2026-02-20',
  arrivalTime: '15:05',
  flightNumber: 'SK909',
  airline: 'SAS',
  aircraft: 'A333',
  departureTerminal: '3',
  departureGate: null,
  arrivalTerminal: '7',
  arrivalGate: null,
  note: 'Confirmation ABC123',
  passengers: [
    { userId: '<USER_ID>', guestName: null, seatNumber: '12A', seatClass: 'economy' },
    { userId: null, guestName: 'Bob', seatNumber: null, seatClass: null },
  ],
}

onSqlite('tripit-exporter', (app) => {
  const post = (key: string, path: string, body: object) => app().request('POST', path, { key, body })

  test('tripit-exporter creates with 200 and an id, updates with 200, deletes with 200', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const created = await post(key, '/api/flight/save', segment)
    assert.equal(created.status, 200, created.text)
    assert.equal(created.json.success, true)
    const { id } = created.json
    assert.ok(Number.isInteger(id))

    const updated = await post(key, '/api/flight/save', {
      ...segment,
      id,
      departureTime: '12:45',
      passengers: [{ ...segment.passengers[0], userId: ada.id }, segment.passengers[1]],
    })
    assert.equal(updated.status, 200, updated.text)
    assert.equal(updated.json.success, true)
    const { data } = (await app().request('GET', `/api/v1/flights/${id}`, { key })).json
    assert.equal(data.departure, '2026-02-20T11:45:00.000+00:00')
    assert.equal(data.passengers.length, 2)
    assert.equal(data.passengers[0].seat, null)

    const deleted = await post(key, '/api/flight/delete', { id })
    assert.equal(deleted.status, 200, deleted.text)
    assert.equal(deleted.json.success, true)
  })

  test('tripit-exporter recognises a deleted flight by "not found", and another person’s is not a bad key', async () => {
    const key = await (await app().person()).key()
    const stranger = await (await app().person()).key()
    const { id } = (await post(key, '/api/flight/save', segment)).json
    for (const reply of [
      await post(stranger, '/api/flight/save', { ...segment, id }),
      await post(stranger, '/api/flight/delete', { id }),
      await post(key, '/api/flight/save', { ...segment, id: 2_147_483_647 }),
      await post(key, '/api/flight/delete', { id: 2_147_483_647 }),
    ]) {
      assert.equal(reply.status, 404)
      assert.match(reply.json.message, /not found/)
    }
  })

  test('tripit-exporter gets a refused airline or aircraft by name, and retries without it', async () => {
    const key = await (await app().person()).key()
    for (const [field, message] of [
      ['airline', 'Invalid airline'],
      ['aircraft', 'Invalid aircraft'],
    ] as const) {
      const refused = await post(key, '/api/flight/save', { ...segment, [field]: 'Q9Q' })
      assert.notEqual(refused.status, 200)
      assert.match(refused.json.message, new RegExp(message))
      assert.equal((await post(key, '/api/flight/save', { ...segment, [field]: null })).status, 200)
    }
  })

  test('tripit-exporter gets unreadable fields with path and message', async () => {
    const key = await (await app().person()).key()
    const reply = await post(key, '/api/flight/save', { ...segment, flightNumber: 'much too long a number' })
    assert.equal(reply.status, 400)
    assert.equal(reply.json.success, false)
    assert.deepEqual(reply.json.errors[0].path, ['flightNumber'])
    assert.ok(reply.json.errors[0].message)
  })
})
