// gethomepage/homepage, widget `airtrail`: a GET with a content type, four numbers and four tops.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airportIds, logFlight } from '../fixtures.ts'
import { onSqlite } from '../harness.ts'

onSqlite('homepage', (app) => {
  test('homepage gets numbers and tops', async () => {
    const ada = await app().person()
    const [cph, jfk] = await airportIds(app(), 'CPH', 'JFK')
    const out = { fromId: cph, toId: jfk, airlineId: 4319, aircraftId: 44, duration: 30_000 }
    await logFlight(app(), ada, { ...out, date: '2026-01-01' })
    await logFlight(app(), ada, { ...out, date: '2026-02-01' })
    await logFlight(app(), ada, { ...out, fromId: jfk, toId: cph, date: '2026-03-01', aircraftId: null })
    const reply = await app().request('GET', '/api/stats', {
      key: await ada.key(['stats.read']),
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(reply.status, 200, reply.text)
    const { stats } = reply.json
    for (const name of ['flights', 'distanceKm', 'durationSeconds', 'airports']) {
      assert.equal(typeof stats[name], 'number', name)
    }
    assert.deepEqual([stats.flights, stats.durationSeconds, stats.airports], [3, 90_000, 2])
    assert.equal(stats.topAirline.count, 3)
    assert.match(stats.topAirline.name, /Scandinavian/)
    assert.deepEqual([stats.topAirport.count, typeof stats.topAirport.icao], [3, 'string'])
    assert.deepEqual([stats.topAircraft.name, stats.topAircraft.count], ['Airbus A320', 2])
    assert.deepEqual(
      [stats.topRoute.from.iata, stats.topRoute.to.icao, stats.topRoute.count],
      ['CPH', 'KJFK', 2],
    )
  })

  test('homepage gets null for tops of an empty log', async () => {
    const key = await (await app().person()).key()
    const { stats } = (await app().request('GET', '/api/stats', { key })).json
    for (const top of ['topAirline', 'topAirport', 'topAircraft', 'topRoute']) assert.equal(stats[top], null)
    assert.equal(stats.durationSeconds, 0)
  })
})
