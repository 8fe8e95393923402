// Journeys through the API and as a tool: access, order, paging, home, who was on which flight.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onSqlite, type TestApp, type TestPerson } from '../harness.ts'
import { callTool } from '../mcp/clients.ts'

const path = '/api/v1/journeys'

interface Shown {
  id: number
  from: { iata: string }
  to: { iata: string }
  via: { iata: string }[]
  flightIds: number[]
}
const routeOf = ({ from, via, to }: Shown) => [from, ...via, to].map(({ iata }) => iata).join('-')

async function routes(app: TestApp, key: string, query = ''): Promise<string[]> {
  const { status, text, json } = await app.request('GET', path + query, { key })
  assert.equal(status, 200, text)
  return json.data.map(routeOf)
}

/** `CPH FRA` with its times; the date is that of the departure. */
async function fly(app: TestApp, who: TestPerson, route: string, times: [string, string], more = {}) {
  const [fromId, toId] = await airportIds(app, ...route.split(' '))
  const [departure, arrival] = times
  const flight = { date: departure.slice(0, 10), fromId, toId, departure, arrival, ...more }
  return (await logFlight(app, who, flight)).id as number
}

const toFrankfurt: [string, string] = ['2026-05-01T08:00:00+02:00', '2026-05-01T09:30:00+02:00']
const toNewYork: [string, string] = ['2026-05-01T12:00:00+02:00', '2026-05-01T14:00:00-04:00']
const toOslo: [string, string] = ['2026-05-01T12:00:00+02:00', '2026-05-01T14:00:00+02:00']

onSqlite('journeys', (app) => {
  test('list-journeys: connecting flights are joined with totals, newest first', async () => {
    const ada = await app().person()
    const key = await ada.key()
    assert.deepEqual(await routes(app(), key), [])
    const on = await fly(app(), ada, 'FRA JFK', toNewYork)
    const first = await fly(app(), ada, 'CPH FRA', toFrankfurt)
    await fly(app(), ada, 'JFK CPH', ['2026-05-08T18:00:00-04:00', '2026-05-09T08:00:00+02:00'])
    const { json } = await app().request('GET', path, { key })
    assert.deepEqual(json.data.map(routeOf), ['JFK-CPH', 'CPH-FRA-JFK'])
    const { from, to, via, layovers, distanceKm, airSeconds, ...rest } = json.data[1]
    assert.deepEqual(rest, {
      id: first,
      date: '2026-05-01',
      flightIds: [first, on],
      departure: toFrankfurt[0],
      arrival: toNewYork[1],
      travelSeconds: 12 * 3600,
    })
    assert.deepEqual([from.iata, to.iata, via[0].iata], ['CPH', 'JFK', 'FRA'])
    assert.deepEqual(layovers, [{ airport: via[0], seconds: 9000 }])
    assert.equal(airSeconds, 1.5 * 3600 + 8 * 3600)
    assert.ok(distanceKm > 6800 && distanceKm < 6900, String(distanceKm))
    const tool = await callTool(app(), key, 'list_journeys', { limit: 1 })
    assert.match(tool.content[0].text, /^#\d+ 2026-05-08 JFK–CPH New York–Copenhagen, /)
  })

  test('home is a preference, and a stop there ends a journey', async () => {
    const ada = await app().person()
    const key = await ada.key()
    await fly(app(), ada, 'CPH FRA', toFrankfurt)
    await fly(app(), ada, 'FRA JFK', toNewYork)
    assert.deepEqual(await routes(app(), key), ['CPH-FRA-JFK'])
    const [fra, cph] = await airportIds(app(), 'FRA', 'CPH')
    const set = (homeAirportId: unknown) =>
      app().request('PUT', '/api/v1/preferences', { key, body: { homeAirportId } })
    assert.equal((await set(fra)).json.data.homeAirportId, fra)
    assert.deepEqual(await routes(app(), key), ['FRA-JFK', 'CPH-FRA'])
    assert.equal((await set(cph)).status, 200)
    assert.deepEqual(await routes(app(), key), ['CPH-FRA-JFK'])
    assertError(await set(999_999_999), 422, 'validation_failed', ['homeAirportId'])
    assertError(await set('CPH'), 422, 'validation_failed', ['homeAirportId'])
    assert.equal((await set(null)).json.data.homeAirportId, null)
    const read = await app().request('GET', '/api/v1/preferences', { key })
    assert.equal(read.json.data.homeAirportId, null)
  })

  test('without the preference, home follows from the flights of the last two years', async () => {
    const ada = await app().person()
    const key = await ada.key()
    for (const month of ['01', '02', '03']) {
      await fly(app(), ada, 'FRA OSL', [`2026-${month}-01T08:00:00+01:00`, `2026-${month}-01T10:00:00+01:00`])
      await fly(app(), ada, 'OSL FRA', [`2026-${month}-09T08:00:00+01:00`, `2026-${month}-09T10:00:00+01:00`])
    }
    await fly(app(), ada, 'CPH FRA', toFrankfurt)
    await fly(app(), ada, 'FRA JFK', toNewYork)
    assert.deepEqual((await routes(app(), key)).slice(0, 2), ['FRA-JFK', 'CPH-FRA'])
    app().clock.set('2028-06-15T12:00:00Z')
    assert.deepEqual(
      (await routes(app(), key)).slice(0, 2),
      ['FRA-JFK', 'CPH-FRA'],
      'long after the last flight',
    )
    for (const month of ['01', '02', '03', '04']) {
      await fly(app(), ada, 'CPH OSL', [`2028-${month}-01T08:00:00+01:00`, `2028-${month}-01T10:00:00+01:00`])
      await fly(app(), ada, 'OSL CPH', [`2028-${month}-09T08:00:00+01:00`, `2028-${month}-09T10:00:00+01:00`])
    }
    await fly(app(), ada, 'CPH FRA', ['2028-05-01T08:00:00+02:00', '2028-05-01T09:30:00+02:00'])
    await fly(app(), ada, 'FRA JFK', ['2028-05-01T12:00:00+02:00', '2028-05-01T14:00:00-04:00'])
    const overFrankfurt = async () => (await routes(app(), key)).filter((route) => /FRA(-JFK)?$/.test(route))
    const moved = ['CPH-FRA-JFK', 'FRA-JFK', 'CPH-FRA', 'OSL-FRA', 'OSL-FRA', 'OSL-FRA']
    assert.deepEqual(await overFrankfurt(), moved, 'at home elsewhere now, and in Frankfurt then')
    const [cph] = await airportIds(app(), 'CPH')
    const chosen = { key, body: { homeAirportId: cph } }
    assert.equal((await app().request('PUT', '/api/v1/preferences', chosen)).status, 200)
    assert.deepEqual(await overFrankfurt(), moved, 'the home that is set is that of today')
    app().clock.set('2026-06-15T12:00:00Z')
  })

  test('a stop at home between flights a night apart is not a layover', async () => {
    const ada = await app().person()
    const key = await ada.key()
    for (const [month, away] of ['JFK', 'IAD', 'ORD'].entries()) {
      const day = (date: string, time: string) => `2026-0${month + 1}-${date}T${time}`
      await fly(app(), ada, `${away} CPH`, [day('01', '18:00:00-05:00'), day('02', '20:00:00+01:00')])
      await fly(app(), ada, 'CPH OSL', [day('03', '08:00:00+01:00'), day('03', '09:00:00+01:00')])
    }
    const shown = await routes(app(), key)
    assert.deepEqual(shown, ['CPH-OSL', 'ORD-CPH', 'CPH-OSL', 'IAD-CPH', 'CPH-OSL', 'JFK-CPH'])
    const tool = await callTool(app(), key, 'list_journeys', {})
    assert.equal(tool.structuredContent.data.length, 6)
  })

  test('a night between two bookings ends a journey, and cancelled flights are in none', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const late: [string, string] = ['2026-05-01T19:00:00+02:00', '2026-05-01T20:30:00+02:00']
    const early: [string, string] = ['2026-05-02T08:00:00+02:00', '2026-05-02T10:00:00-04:00']
    const first = await fly(app(), ada, 'CPH FRA', late, { bookingReference: 'AAA111' })
    await fly(app(), ada, 'FRA JFK', early, { bookingReference: 'BBB222' })
    assert.deepEqual(await routes(app(), key), ['FRA-JFK', 'CPH-FRA'])
    const stored = (await app().request('GET', `/api/v1/flights/${first}`, { key })).json.data
    const body = {
      date: stored.date,
      fromId: stored.from.id,
      toId: stored.to.id,
      departure: stored.departure,
      arrival: stored.arrival,
    }
    const put = (more: object) =>
      app().request('PUT', `/api/v1/flights/${first}`, { key, body: { ...body, ...more } })
    assert.equal((await put({ bookingReference: null })).status, 200)
    assert.deepEqual(await routes(app(), key), ['CPH-FRA-JFK'])
    assert.equal((await put({ outcome: 'cancelled' })).status, 200)
    assert.deepEqual(await routes(app(), key), ['FRA-JFK'])
  })

  test('with everyone’s flights, only flights of the same person are joined', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const admin = await app().person('role-administrator')
    const first = await fly(app(), ada, 'CPH FRA', toFrankfurt)
    const other = await fly(app(), bob, 'FRA JFK', toNewYork)
    const second = await fly(app(), ada, 'FRA OSL', toOslo)
    const key = await admin.key()
    const all: Shown[] = (await app().request('GET', `${path}?scope=all&limit=100`, { key })).json.data
    const withFlight = (id: number) => all.find(({ flightIds }) => flightIds.includes(id))!.flightIds
    assert.deepEqual([withFlight(first), withFlight(other)], [[first, second], [other]])
    assert.deepEqual(await routes(app(), key, `?scope=user&userId=${bob.id}`), ['FRA-JFK'])
    assert.deepEqual(await routes(app(), await bob.key()), ['FRA-JFK'])
    assertError(await app().request('GET', `${path}?scope=all`, { key: await ada.key() }), 403, 'forbidden')
  })

  test('filters select journeys with a matching flight', async () => {
    const ada = await app().person()
    const key = await ada.key()
    await fly(app(), ada, 'CPH FRA', toFrankfurt, { flightNumber: 'LH 825' })
    await fly(app(), ada, 'FRA JFK', toNewYork)
    await fly(app(), ada, 'JFK CPH', ['2026-05-08T18:00:00-04:00', '2026-05-09T08:00:00+02:00'])
    const called: [string, string, string] = [
      'OSL CPH',
      '2026-05-20T08:00:00+02:00',
      '2026-05-20T09:00:00+02:00',
    ]
    await fly(app(), ada, called[0], [called[1], called[2]], { outcome: 'cancelled' })
    assert.deepEqual(await routes(app(), key, '?flightNumber=LH825'), ['CPH-FRA-JFK'])
    assert.deepEqual(await routes(app(), key, '?airport=FRA'), ['CPH-FRA-JFK'])
    assert.deepEqual(await routes(app(), key, '?from=JFK&from=FRA'), ['JFK-CPH', 'CPH-FRA-JFK'])
    assert.deepEqual(await routes(app(), key, '?dateFrom=2026-05-02'), ['JFK-CPH'])
    assert.deepEqual(await routes(app(), key, '?airport=OSL'), [])
    assert.deepEqual(await routes(app(), key, '?outcome=cancelled'), ['OSL-CPH'])
    assertError(await app().request('GET', `${path}?from=QQQQ`, { key }), 400, 'bad_request')
    const first = await app().request('GET', `${path}?airport=CPH&limit=1`, { key })
    const cursor: string = first.json.page.nextCursor
    assert.deepEqual(await routes(app(), key, `?airport=CPH&limit=1&cursor=${cursor}`), ['CPH-FRA-JFK'])
    assertError(await app().request('GET', `${path}?cursor=${cursor}`, { key }), 400, 'bad_request')
    const given = { dateTo: '2026-05-02' }
    const [short] = (await callTool(app(), key, 'list_journeys', given)).structuredContent.data
    assert.deepEqual([short.from, short.via, short.to], ['CPH', ['FRA'], 'JFK'])
    assert.deepEqual([short.layovers, short.flightIds.length], [['FRA 2:30'], 2])
    const full = await callTool(app(), key, 'list_journeys', { ...given, detail: 'full' })
    assert.deepEqual(full.structuredContent.data.map(routeOf), ['CPH-FRA-JFK'])
  })

  test('pages hold each journey once, and unknown parameters are refused', async () => {
    const ada = await app().person()
    const key = await ada.key()
    for (let day = 1; day <= 5; day++) {
      const date = `2026-03-0${day}`
      await fly(app(), ada, 'CPH FRA', [`${date}T08:00:00+01:00`, `${date}T09:30:00+01:00`])
      await fly(app(), ada, 'FRA JFK', [`${date}T12:00:00+01:00`, `${date}T14:00:00-05:00`])
    }
    const seen: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = `?limit=2${cursor && `&cursor=${cursor}`}`
      const { json } = await app().request('GET', path + query, { key })
      seen.push(...json.data.map(({ id }: Shown) => id))
      cursor = json.page.nextCursor
    }
    const all = (await app().request('GET', path, { key })).json
    assert.deepEqual(
      seen,
      all.data.map(({ id }: Shown) => id),
    )
    assert.equal(seen.length, 5)
    assert.equal(all.page.nextCursor, null)
    assertError(await app().request('GET', `${path}?cursor=zzz`, { key }), 400, 'bad_request')
    assertError(await app().request('GET', `${path}?since=2026`, { key }), 400, 'bad_request')
    const tag = (await app().request('GET', path, { key })).headers['etag'] as string
    const again = await app().request('GET', path, { key, headers: { 'if-none-match': tag } })
    assert.equal(again.status, 304)
    const unread = await ada.key(['stats.read'])
    assertError(await app().request('GET', path, { key: unread }), 403, 'insufficient_scope')
    assertError(await app().request('GET', path), 401, 'unauthorized')
  })
})
