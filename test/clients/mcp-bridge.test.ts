// jonlarson13/airtrail-mcp: an assistant's bridge that passes JSON through. Sends `seats`, a reason at the flight,
// `notes`, and a departure as a date or a full instant.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { onSqlite } from '../harness.ts'

onSqlite('airtrail-mcp', (app) => {
  const save = (key: string, body: object) => app().request('POST', '/api/flight/save', { key, body })

  test('airtrail-mcp saves, lists by departure, reads and deletes', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const ids: number[] = []
    for (const departure of ['2026-03-01T09:00:00.000Z', '2026-02-20T23:30:00+01:00']) {
      const reply = await save(key, {
        from: 'CPH',
        to: 'JFK',
        departure,
        flightReason: 'business',
        notes: 'From an e-mail',
        seats: [{ userId: '<USER_ID>', seat: 'aisle', seatNumber: '4C', seatClass: 'business' }],
      })
      assert.equal(reply.status, 200, reply.text)
      ids.push(reply.json.id)
    }
    const { flights } = (await app().request('GET', '/api/flight/list?scope=mine', { key })).json
    const sorted = flights.toSorted((a: { departure: string }, b: { departure: string }) =>
      a.departure.localeCompare(b.departure),
    )
    assert.deepEqual(
      sorted.map((flight: { id: number }) => flight.id),
      ids.toReversed(),
    )
    assert.equal(sorted[0].departure, '2026-02-20T22:30:00.000+00:00')
    const { flight } = (await app().request('GET', `/api/flight/get/${ids[0]}`, { key })).json
    assert.equal(flight.note, 'From an e-mail')
    assert.equal(flight.flightReason, 'business')
    assert.equal(flight.passengers[0].seatNumber, '4C')
    assert.equal(
      (await app().request('POST', '/api/flight/delete', { key, body: { id: ids[0] } })).status,
      200,
    )
  })

  test('airtrail-mcp lists another person’s flights for an administrator', async () => {
    const ada = await app().person()
    await save(await ada.key(), {
      from: 'CPH',
      to: 'JFK',
      departure: '2026-03-01',
      seats: [{ userId: ada.id }],
    })
    const key = await (await app().person('role-administrator')).key()
    const reply = await app().request('GET', `/api/flight/list?scope=user&userId=${ada.id}`, { key })
    assert.equal(reply.json.flights.length, 1)
  })

  test('airtrail-mcp exports as JSON and YAML', async () => {
    const ada = await app().person()
    const key = await ada.key(['flight.export.own', 'flight.create.own'])
    await save(key, { from: 'CPH', to: 'JFK', departure: '2026-03-01', seats: [{ userId: ada.id }] })
    const json = await app().request('GET', '/api/flight/export?format=json&scope=mine', { key })
    assert.equal(json.status, 200, json.text)
    assert.equal(json.json.flights[0].from.iata, 'CPH')
    assert.equal(json.json.users[0].id, ada.id)
    for (const format of ['yaml', 'yml']) {
      const yaml = await app().request('GET', `/api/flight/export?format=${format}`, { key })
      assert.equal(yaml.status, 200)
      assert.deepEqual(parse(yaml.text), json.json)
    }
  })

  test('airtrail-mcp gets refusals as JSON with the reason', async () => {
    const key = await (await app().person()).key()
    for (const reply of [
      await save(key, { from: 'CPH', to: 'JFK', departure: 'soon', seats: [] }),
      await save(key, {
        from: 'Atlantis',
        to: 'JFK',
        departure: '2026-01-01',
        seats: [{ userId: '<USER_ID>' }],
      }),
      await app().request('GET', '/api/flight/get/nothing', { key }),
      await app().request('GET', '/api/flight/export?format=xml', { key }),
    ]) {
      assert.equal(reply.status, 400, reply.text)
      assert.ok(reply.json.message || reply.json.errors)
    }
  })
})
