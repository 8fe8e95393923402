import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines } from '../harness.ts'

const path = '/api/v1/visited-countries'

onBothEngines('visited countries', (app) => {
  test('set-visited-country, list-visited-countries, remove-visited-country: a country is marked, changed, listed and removed', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const key = await ada.key()
    const mark = async (body: object) => (await app().request('PUT', path, { key, body })).json.data
    const japan = await mark({ code: 'jp', status: 'visited', note: 'ramen' })
    assert.deepEqual(japan, { id: japan.id, code: 'JP', status: 'visited', note: 'ramen' })
    const denmark = await mark({ code: 'DK', status: 'lived' })
    const again = await mark({ code: 'JP', status: 'lived' })
    assert.deepEqual(again, { ...japan, status: 'lived', note: null })
    const kosovo = await mark({ code: 'XK', status: 'wishlist' })
    const listed = await app().request('GET', path, { key })
    assert.deepEqual(listed.json, { data: [denmark, again, kosovo], page: { nextCursor: null } })

    assert.equal((await app().request('DELETE', `${path}?code=JP`, { key: await bob.key() })).status, 204)
    assert.equal((await app().request('GET', path, { key })).json.data.length, 3, 'another’s marks stay')
    assert.equal((await app().request('DELETE', `${path}?code=jp`, { key })).status, 204)
    assert.equal((await app().request('DELETE', `${path}?code=JP`, { key })).status, 204)
    assert.deepEqual((await app().request('GET', path, { key })).json.data, [denmark, kosovo])
  })

  test('an invalid note, country or status is refused', async () => {
    const key = await (await app().person()).key()
    const mark = (body: object) => app().request('PUT', path, { key, body })
    assertError(await mark({ code: 'ZZ', status: 'visited' }), 422, 'validation_failed', ['code'])
    assertError(await mark({ code: 'DNK', status: 'visited' }), 422, 'validation_failed', ['code'])
    assertError(await mark({ code: 'DK', status: 'seen' }), 422, 'validation_failed', ['status'])
    const note = 'n'.repeat(1001)
    assertError(await mark({ code: 'DK', status: 'visited', note }), 422, 'validation_failed', ['note'])
    assertError(await app().request('DELETE', path, { key }), 400, 'bad_request')
    assertError(await app().request('DELETE', `${path}?code=ZZ`, { key }), 400, 'bad_request')
  })

  test('list-flown-countries: counts completed flights, and a change of planes as a layover', async () => {
    app().clock.set('2026-06-15T12:00:00Z')
    const ada = await app().person()
    const [cph, fra, nrt, jfk, yyz, lhr] = await airportIds(app(), 'CPH', 'FRA', 'NRT', 'JFK', 'YYZ', 'LHR')
    const fly = (fromId: number, toId: number, departure: string, arrival: string) =>
      logFlight(app(), ada, { date: departure.slice(0, 10), fromId, toId, departure, arrival })
    // Through Frankfurt to Japan, and back the same way.
    await fly(cph!, fra!, '2025-05-01T08:00Z', '2025-05-01T09:30Z')
    await fly(fra!, nrt!, '2025-05-01T12:00Z', '2025-05-02T00:00Z')
    await fly(nrt!, fra!, '2025-05-20T02:00Z', '2025-05-20T15:00Z')
    await fly(fra!, cph!, '2025-05-20T17:00Z', '2025-05-20T18:30Z')
    // A day in London is not a layover, because the journey returns.
    await fly(cph!, lhr!, '2025-06-01T06:00Z', '2025-06-01T08:00Z')
    await fly(lhr!, cph!, '2025-06-01T18:00Z', '2025-06-01T20:00Z')
    // Not flown yet, and known by date only.
    await fly(cph!, jfk!, '2026-12-01T08:00Z', '2026-12-01T17:00Z')
    await logFlight(app(), ada, { date: '2024-01-01', fromId: yyz, toId: yyz })
    const key = await ada.key()
    const flown = async () => {
      const reply = await app().request('GET', `${path}/flown`, { key })
      assert.equal(reply.status, 200, reply.text)
      return reply.json
    }
    const expected = [
      { code: 'CA', status: 'visited', flights: 1 },
      { code: 'DE', status: 'layover', flights: 4 },
      { code: 'DK', status: 'visited', flights: 4 },
      { code: 'GB', status: 'visited', flights: 2 },
      { code: 'JP', status: 'visited', flights: 2 },
    ]
    assert.deepEqual(await flown(), { data: expected, page: { nextCursor: null } })

    // Marks are a separate list: neither changes the other.
    await app().request('PUT', path, { key, body: { code: 'JP', status: 'wishlist', note: 'again' } })
    assert.deepEqual((await flown()).data, expected)
    const marks = (await app().request('GET', path, { key })).json.data
    assert.deepEqual(
      marks.map(({ code, status }: { code: string; status: string }) => [code, status]),
      [['JP', 'wishlist']],
    )

    // With a home in Frankfurt, the stops there are visits.
    const preferences = await app().request('PUT', '/api/v1/preferences', {
      key,
      body: { homeAirportId: fra },
    })
    assert.equal(preferences.status, 200, preferences.text)
    assert.equal((await flown()).data[1].status, 'visited')
    const others = await (await app().person()).key()
    assert.deepEqual((await app().request('GET', `${path}/flown`, { key: others })).json.data, [])
  })

  test('list-flown-countries: parameters, strangers and keys without both scopes are refused', async () => {
    const ada = await app().person()
    const key = await ada.key()
    assertError(await app().request('GET', `${path}/flown?userId=x`, { key }), 400, 'bad_request')
    assertError(await app().request('GET', `${path}/flown`), 401, 'unauthorized')
    for (const scope of ['visited_countries.read', 'flight.read.own'] as const) {
      const narrow = await ada.key([scope])
      assertError(await app().request('GET', `${path}/flown`, { key: narrow }), 403, 'insufficient_scope')
    }
  })
})
