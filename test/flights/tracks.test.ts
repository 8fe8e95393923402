import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'

const track = {
  coordinates: [
    [12.65, 55.61, 5],
    [0, 60, 11_000.5],
    [-73.77, 40.63],
  ],
  times: [1_771_500_000, 1_771_510_000, 1_771_520_000],
  ground: [true, false, true],
  sourceFormat: 'gpx',
  sourceName: 'flight.gpx',
}

onBothEngines('tracks', (app) => {
  const flightOf = async (who: TestPerson, more: object = {}) => {
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    return logFlight(app(), who, { date: '2026-02-20', fromId, toId, ...more })
  }
  const at = (id: number | string) => `/api/v1/flights/${id}/track`

  test('set-flight-track, get-flight-track, delete-flight-track: a track is stored, read and deleted', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const flight = await flightOf(ada)
    assert.deepEqual((await app().request('GET', at(flight.id), { key })).json, { data: null })
    const listed = () => app().request('GET', '/api/v1/flights', { key })
    const before = await listed()

    app().clock.advance(60_000)
    const first = new Date(app().clock.now()).toISOString()
    const stored = await app().request('PUT', at(flight.id), { key, body: track })
    assert.equal(stored.status, 200, stored.text)
    assert.deepEqual(stored.json.data, {
      flightId: flight.id,
      ...track,
      pointCount: 3,
      createdAt: first,
      updatedAt: first,
    })
    assert.deepEqual(Object.keys(stored.json.data).slice(0, 4), [
      'flightId',
      'coordinates',
      'times',
      'ground',
    ])
    assert.deepEqual((await app().request('GET', at(flight.id), { key })).json, stored.json)
    const after = await listed()
    assert.notEqual(after.headers.etag, before.headers.etag, 'the list is updated immediately')
    assert.deepEqual(after.json.data[0].track, {
      pointCount: 3,
      updatedAt: first,
      sourceFormat: 'gpx',
      sourceName: 'flight.gpx',
    })
    assert.equal(after.json.data[0].updatedAt, first)

    app().clock.advance(60_000)
    const body = { coordinates: track.coordinates.slice(0, 2), sourceFormat: 'kml' }
    const replaced = (await app().request('PUT', at(flight.id), { key, body })).json.data
    assert.equal(replaced.createdAt, first)
    assert.notEqual(replaced.updatedAt, first)
    assert.deepEqual([replaced.pointCount, replaced.sourceName, replaced.times], [2, null, undefined])

    assert.equal((await app().request('DELETE', at(flight.id), { key })).status, 204)
    assert.equal((await app().request('DELETE', at(flight.id), { key })).status, 204)
    assert.equal((await listed()).json.data[0].track, null)
  })

  test('a hundred thousand points are returned as they were sent', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const flight = await flightOf(ada)
    const coordinates = Array.from({ length: 100_000 }, (_, i) => [
      (i % 3600) / 10 - 180,
      Math.sin(i) * 90,
      i / 10,
    ])
    const body = { coordinates, times: coordinates.map((_, i) => i), sourceFormat: 'readsb' }
    assert.equal((await app().request('PUT', at(flight.id), { key, body })).status, 200)
    const { data } = (await app().request('GET', at(flight.id), { key })).json
    assert.equal(data.pointCount, 100_000)
    assert.deepEqual(data.coordinates, coordinates)
    coordinates.push([0, 0, 0])
    const tooMany = await app().request('PUT', at(flight.id), { key, body: { ...body, times: undefined } })
    assertError(tooMany, 422, 'validation_failed', ['coordinates'])
  })

  test('invalid tracks are refused', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const flight = await flightOf(ada)
    const put = (body: object) => app().request('PUT', at(flight.id), { key, body })
    const { coordinates } = track
    const refuse = async (change: object, path: string[]) =>
      assertError(await put({ ...track, ...change }), 422, 'validation_failed', path)
    await refuse({ coordinates: [[0, 0]], times: undefined, ground: undefined }, ['coordinates'])
    await refuse({ coordinates: [[181, 0], ...coordinates.slice(1)] }, ['coordinates', '0'])
    await refuse({ coordinates: [...coordinates.slice(1), [0, -90.1]] }, ['coordinates', '2'])
    await refuse({ coordinates: [[1], ...coordinates.slice(1)] }, ['coordinates', '0'])
    await refuse({ times: [1, 2] }, [])
    await refuse({ times: [1, 2, 3.5] }, ['times', '2'])
    await refuse({ sourceFormat: 'pdf' }, ['sourceFormat'])
    await refuse({ sourceName: 'n'.repeat(256) }, ['sourceName'])
    const nested = await app().request('PUT', `/api/v1/flights/${flight.id}`, {
      key,
      body: {
        date: '2026-02-20',
        fromId: flight.from.id,
        toId: flight.to.id,
        passengers: [{ userId: ada.id }],
        track: { ...track, times: [1] },
      },
    })
    assertError(nested, 422, 'validation_failed', ['track'])
    assertError(await app().request('PUT', at('x'), { key, body: track }), 400, 'bad_request')
    assert.deepEqual((await app().request('GET', at(flight.id), { key })).json, { data: null })
  })

  test('a track within a flight is kept if absent and deleted by null', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const flight = await flightOf(ada, { track })
    assert.equal(flight.track.pointCount, 3)
    const body = {
      date: '2026-02-20',
      fromId: flight.from.id,
      toId: flight.to.id,
      passengers: [{ userId: ada.id }],
    }
    const put = async (more: object) =>
      (await app().request('PUT', `/api/v1/flights/${flight.id}`, { key, body: { ...body, ...more } })).json
        .data
    assert.equal((await put({})).track.pointCount, 3)
    const narrow = await ada.key(['flight.update.own'])
    const withoutTrack = () =>
      app().request('PUT', `/api/v1/flights/${flight.id}`, { key: narrow, body: { ...body, track: null } })
    assertError(await withoutTrack(), 403, 'insufficient_scope')
    assert.equal((await put({ track: null })).track, null)
    assert.equal((await withoutTrack()).status, 200, 'no track exists')
  })

  test('the track of another person’s or a missing flight is refused by role and credential', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const admin = await app().person('role-administrator')
    const flight = await flightOf(ada, { track })
    const asks = [
      { method: 'GET', scopes: ['tracks.read', 'flight.read'] },
      { method: 'PUT', scopes: ['tracks.write', 'flight.update'], body: track },
      { method: 'DELETE', scopes: ['tracks.write', 'flight.update'] },
    ]
    for (const { method, scopes, body } of asks) {
      const [kind, action] = scopes
      const ask = (id: number, key: string) => app().request(method, at(id), { key, body })
      const own = await admin.key([kind, `${action}.own`] as never[])
      const any = await admin.key([kind, `${action}.any`] as never[])
      for (const id of [flight.id, 2_000_000_000, 99_999_999_999]) {
        assertError(await ask(id, await bob.key()), 404, 'not_found')
        assertError(await ask(id, own), 403, 'insufficient_scope')
      }
      assertError(await ask(2_000_000_000, any), 404, 'not_found')
      assert.equal((await ask(flight.id, any)).status, method === 'DELETE' ? 204 : 200)
    }
  })
})
