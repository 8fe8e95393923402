import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { createTestClock, onBothEngines, type TestApp, type TestPerson } from '../harness.ts'
import { callTool } from '../mcp/clients.ts'

const path = '/api/v1/shares'

const defaults = {
  expiresAt: null,
  showMap: true,
  showStats: false,
  showFlightList: false,
  dateFrom: null,
  dateTo: null,
  showFlightNumbers: true,
  showAirlines: true,
  showAircraft: false,
  showTimes: false,
  showTracks: false,
  showDates: true,
  showSeat: false,
  flightId: null,
  tripId: null,
}
const off = Object.fromEntries(
  Object.entries(defaults).map(([name, value]) => [name, typeof value === 'boolean' ? false : value]),
)

onBothEngines('shares', (app) => {
  test('create-share, get-share, list-shares, update-share, delete-share: a share is created, read, changed and deleted', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const created = await app().request('POST', path, { key, body: {} })
    assert.equal(created.status, 201, created.text)
    const share = created.json.data
    assert.equal(created.headers.location, `${path}/${share.id}`)
    assert.match(share.slug, /^[a-z0-9]{12}$/)
    assert.deepEqual(share, {
      id: share.id,
      slug: share.slug,
      createdAt: new Date(app().clock.now()).toISOString(),
      ...defaults,
      url: `http://localhost:3000/share/${share.slug}`,
      visitorSees: 'Anyone with the link sees your map.',
    })
    assert.equal((await app().request('GET', new URL(share.url).pathname)).status, 200)
    app().clock.advance(1000)
    const body = {
      slug: 'my_Flights-1',
      expiresAt: '2030-01-01T00:00:00+02:00',
      showTracks: true,
      showMap: false,
    }
    const second = (await app().request('POST', path, { key, body })).json.data
    assert.equal(second.expiresAt, '2029-12-31T22:00:00.000Z')
    assert.equal(second.showTracks, false, 'no tracks without a map')
    const listed = await app().request('GET', path, { key })
    assert.deepEqual(listed.json, { data: [second, share], page: { nextCursor: null } })
    assert.deepEqual((await app().request('GET', `${path}/${share.id}`, { key })).json.data, share)

    const replace = (id: number, change: object) =>
      app().request('PUT', `${path}/${id}`, { key, body: change })
    const kept = await replace(second.id, { dateFrom: '2020-01-01', dateTo: '2020-12-31' })
    assert.equal(kept.status, 200, kept.text)
    assert.deepEqual(kept.json.data, {
      ...second,
      ...defaults,
      dateFrom: '2020-01-01',
      dateTo: '2020-12-31',
      visitorSees: 'Anyone with the link sees your map from 2020-01-01 to 2020-12-31.',
    })
    assert.equal((await replace(second.id, { slug: 'other' })).json.data.slug, 'other')
    assert.equal((await app().request('DELETE', `${path}/${second.id}`, { key })).status, 204)
    assertError(await app().request('GET', `${path}/${second.id}`, { key }), 404, 'not_found')
    assertError(await app().request('DELETE', `${path}/${second.id}`, { key }), 404, 'not_found')
  })

  test('a share has its link and describes what visitors see, for programs and assistants', async () => {
    const key = await (await app().person()).key()
    const body = { slug: 'linked', showStats: true, showDates: false, expiresAt: '2999-01-01T00:00:00Z' }
    const made = await callTool(app(), key, 'create_share', body)
    assert.equal(made.isError ?? false, false, JSON.stringify(made.content))
    const { data } = made.structuredContent as { data: { id: number; url: string; visitorSees: string } }
    const sentence =
      'Anyone with the link sees your map and statistics, with airlines, without dates, until 2999-01-01.'
    assert.deepEqual([data.url, data.visitorSees], ['http://localhost:3000/share/linked', sentence])
    const read = async (method: 'GET' | 'PUT', at: string, sent?: object) =>
      (await app().request(method, at, { key, ...(sent && { body: sent }) })).json.data
    assert.equal((await read('GET', `${path}/${data.id}`)).visitorSees, sentence)
    assert.equal((await read('GET', path))[0].url, 'http://localhost:3000/share/linked')
    const list = { showMap: false, showFlightList: true, dateFrom: '2020-01-01' }
    assert.equal(
      (await read('PUT', `${path}/${data.id}`, list)).visitorSees,
      'Anyone with the link sees your flights as a list from 2020-01-01 on, with dates, flight numbers and airlines.',
    )
    const over = { expiresAt: '2020-01-01T10:30:00Z' }
    assert.equal(
      (await read('PUT', `${path}/${data.id}`, over)).visitorSees,
      'The link expired on 2020-01-01 10:30 UTC and cannot be opened.',
    )
  })

  test('an estimated duration does not reveal the class of a hidden aircraft', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [fromId, toId] = await airportIds(app(), 'LHR', 'JFK')
    const [concorde] = (await app().request('GET', '/api/v1/aircraft?query=CONC', { key })).json.data
    await logFlight(app(), ada, { date: '2001-01-01', fromId, toId, aircraftId: concorde.id })
    const hours = async (parts: object) => {
      const body = {
        ...off,
        showStats: true,
        showFlightList: true,
        showTimes: true,
        showDates: true,
        ...parts,
      }
      const { slug } = (await app().request('POST', path, { key, body })).json.data
      const reply = await app().request('GET', `/share/${slug}/data`)
      return Math.floor(reply.json.data.statistics.totals.durationSeconds / 3600)
    }
    assert.deepEqual([await hours({ showAircraft: true }), await hours({})], [3, 7])
  })

  test('an address belongs to one share, also if two are created concurrently', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const keys = [await ada.key(), await bob.key()]
    const make = (key: string, slug: string) => app().request('POST', path, { key, body: { slug } })
    const made = await Promise.all(keys.flatMap((key) => [make(key, 'wanted'), make(key, 'wanted')]))
    assert.deepEqual(made.map((reply) => reply.status).sort(), [201, 409, 409, 409])
    const mine = (await make(keys[0]!, 'mine')).json.data
    const clash = await app().request('PUT', `${path}/${mine.id}`, {
      key: keys[0]!,
      body: { slug: 'wanted' },
    })
    assertError(clash, 409, 'conflict')
    const same = await app().request('PUT', `${path}/${mine.id}`, { key: keys[0]!, body: { slug: 'mine' } })
    assert.equal(same.status, 200)
    assert.equal((await make(keys[0]!, 'Wanted')).status, 201, 'case matters')
  })

  test('bad input is refused before other checks', async () => {
    const key = await (await app().person()).key()
    const make = (body: object) => app().request('POST', path, { key, body })
    assertError(await make({ slug: 'not ok' }), 422, 'validation_failed', ['slug'])
    assertError(await make({ slug: 'x'.repeat(51) }), 422, 'validation_failed', ['slug'])
    assertError(await make({ slug: ' ' }), 422, 'validation_failed', ['slug'])
    assertError(await make({ dateFrom: '2020-02-30' }), 422, 'validation_failed', ['dateFrom'])
    assertError(await make({ dateFrom: 'soon' }), 422, 'validation_failed', ['dateFrom'])
    assertError(await make({ dateFrom: '2020-02-02', dateTo: '2020-02-01' }), 422, 'validation_failed', [
      'dateTo',
    ])
    assertError(await make({ expiresAt: '2020-02-02' }), 422, 'validation_failed', ['expiresAt'])
    assertError(await make({ showMap: null }), 422, 'validation_failed', ['showMap'])
  })

  test('another person’s share is not found', async () => {
    const [ada, bob] = [await app().person(), await app().person('owner')]
    const share = (await app().request('POST', path, { key: await ada.key(), body: {} })).json.data
    const key = await bob.key()
    const one = `${path}/${share.id}`
    assertError(await app().request('GET', one, { key }), 404, 'not_found')
    assertError(await app().request('PUT', one, { key, body: { slug: 'stolen' } }), 404, 'not_found')
    assertError(await app().request('DELETE', one, { key }), 404, 'not_found')
    assert.deepEqual((await app().request('GET', path, { key })).json.data, [])
  })
})

onBothEngines('the public page of a share', (app) => {
  let ada: TestPerson
  let bob: TestPerson

  /** Exactly these settings, everything else off, as a visitor without any credential sees them. */
  async function visit(settings: object) {
    const key = await ada.key()
    const share = (await app().request('POST', path, { key, body: { ...off, ...settings } })).json.data
    const reply = await app().request('GET', `/share/${share.slug}/data`)
    assert.equal(reply.status, 200, reply.text)
    const page = reply.json.data
    const code = (id: number | null) => (id === null ? null : page.airports[id - 1].iata)
    return { reply, page, code }
  }
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  const rows = async (settings: object): Promise<any[]> =>
    (await visit({ showFlightList: true, ...settings })).page.flights

  before(async () => {
    app().clock.set(createTestClock().now())
    ada = await app().person()
    bob = await app().person()
    await prepareLog(app(), ada, bob)
  })

  test('read-share-page: with every part off, only the sharer’s name is shown', async () => {
    const nothing = { data: { owner: { displayName: ada.displayName }, airports: [] } }
    const { reply } = await visit({})
    assert.deepEqual(reply.json, nothing)
    assert.equal(reply.headers['cache-control'], 'no-store')
    assert.equal(reply.headers['x-robots-tag'], 'noindex')
    assert.equal(reply.headers['etag'], undefined, 'it would tell when the log changes')
    assert.equal(reply.headers['access-control-allow-origin'], undefined)
    const details = Object.keys(off).filter((name) => name.startsWith('show'))
    const parts = ['showMap', 'showStats', 'showFlightList']
    const all = Object.fromEntries(details.map((name) => [name, !parts.includes(name)]))
    assert.deepEqual((await visit(all)).reply.json, nothing)
  })

  test('the map has pairs of airports with counts, and airports with visits', async () => {
    const { page, code } = await visit({ showMap: true })
    assert.deepEqual(Object.keys(page), ['owner', 'airports', 'map'])
    assert.deepEqual(
      page.airports.map(({ icao }: { icao: string }) => icao),
      ['EKCH', 'KJFK'],
    )
    const [route] = page.map.routes
    assert.deepEqual(page.map, {
      routes: [{ a: 1, b: 2, flown: 2, distanceKm: route.distanceKm }],
      airports: [
        { id: 1, visits: 2 },
        { id: 2, visits: 2 },
      ],
    })
    assert.ok(Math.abs(route.distanceKm - 6200) < 30)
    const dated = await visit({ showMap: true, showDates: true })
    assert.deepEqual(
      dated.page.map.routes.map(({ a, b, flown, planned }: Record<string, number>) => [
        dated.code(a!),
        dated.code(b!),
        flown,
        planned,
      ]),
      [
        ['CPH', 'JFK', 2, 0],
        ['CPH', 'HND', 0, 1],
      ],
    )
    assert.equal(code(1), 'CPH')
  })

  test('tracks have no time, altitude, direction or row', async () => {
    const { page } = await visit({ showMap: true, showTracks: true, showFlightList: true })
    const [track] = page.map.tracks
    assert.equal(page.map.tracks.length, 1)
    assert.deepEqual(Object.keys(track), ['a', 'b', 'coordinates'])
    const ends = [track.coordinates[0], track.coordinates.at(-1)]
    assert.deepEqual(ends, [
      [-73.7, 40.6],
      [12.6, 55.6],
    ])
    assert.ok(track.coordinates.every((point: number[]) => point.length === 2))
    assert.ok(page.flights.every((row: object) => !('track' in row)))
    assert.equal((await visit({ showTracks: true, showFlightList: true })).page.map, undefined)
  })

  const always = [
    ...['totals', 'topAirports', 'topRoutes', 'topCountries', 'continents', 'longest', 'shortest'],
    ...['northernmost', 'southernmost', 'recordFlights', 'co2Kg', 'co2UnknownFlights'],
  ]
  const figures: [string[], string[]][] = [
    [[], []],
    [['showFlightNumbers'], []],
    [['showAirlines'], ['topAirlines']],
    [['showAircraft'], ['topAircraft', 'topRegistrations']],
    [['showTimes'], ['byHour']],
    [
      ['showDates'],
      ['first', 'latest', 'busiestDay', 'longestGap', 'byYear', 'byMonth', 'byWeekday', 'byDay'],
    ],
    [['showSeat'], ['classes', 'seats']],
  ]
  for (const [ticked, names] of figures) {
    test(`statistics with ${ticked.join(' and ') || 'nothing'} are figures${names.length ? `, among them ${names.join(', ')}` : ''}`, async () => {
      const settings = Object.fromEntries(ticked.map((name) => [name, true]))
      const { page } = await visit({ showStats: true, showFlightList: true, ...settings })
      assert.deepEqual(Object.keys(page), ['owner', 'airports', 'flights', 'statistics'])
      assert.deepEqual(Object.keys(page.statistics).sort(), [...always, ...names].sort())
    })
  }

  test('statistics count flown flights by the rules of the statistics page', async () => {
    const details = { showDates: true, showSeat: true, showTimes: true }
    const { page, code } = await visit({ showStats: true, showFlightList: true, ...details })
    const { totals, topRoutes, first, latest, byYear, byDay, byHour, classes, slowest, recordFlights } =
      page.statistics
    assert.equal(totals.flights, 2)
    assert.deepEqual([totals.airports, totals.countries, totals.routes, totals.international], [2, 2, 1, 2])
    assert.deepEqual([code(topRoutes[0].a), code(topRoutes[0].b), topRoutes[0].flights], ['CPH', 'JFK', 2])
    assert.equal(byYear.length, 7)
    assert.deepEqual(byDay, { '2020-05-05': 1, '2026-02-20': 1 })
    assert.equal(byHour[12], 1)
    assert.deepEqual(classes, { business: 1 })
    assert.deepEqual([first, latest, slowest], [null, null, null], 'no record of two flights')
    assert.deepEqual(recordFlights, { distance: 2, airport: 2, time: 2, date: 2, day: 2 })
    const coarse = (await visit({ showStats: true, showTimes: true })).page.statistics
    assert.equal(coarse.slowest, undefined, 'one flight’s duration needs times and dates')
    assert.equal(coarse.totals.durationSeconds % 3600, 0)
    assert.equal(totals.airlines, undefined)
  })

  const columns: Record<string, string[]> = {
    showMap: [],
    showStats: [],
    showFlightNumbers: ['flightNumber'],
    showAirlines: ['airline'],
    showAircraft: ['aircraft', 'aircraftReg'],
    showTimes: ['arrivalTime', 'dayShift', 'departureTime'],
    showTracks: [],
    showDates: ['completed', 'date', 'datePrecision'],
    showSeat: ['seat', 'seatClass', 'seatNumber'],
  }
  for (const [name, fields] of Object.entries(columns)) {
    test(`a row of the list has ${fields.join(', ') || 'no more'} with ${name}`, async () => {
      const flights = await rows({ [name]: true })
      assert.ok(flights.length > 0)
      for (const flight of flights) {
        assert.deepEqual(Object.keys(flight).sort(), ['distanceKm', 'from', 'to', ...fields].sort())
      }
    })
  }

  test('a row has the sharer’s own seat and the local times at the airports', async () => {
    const [, atlantic] = await rows({ showDates: true, showSeat: true, showTimes: true })
    const { seat, seatNumber, seatClass, departureTime, arrivalTime, dayShift } = atlantic
    assert.deepEqual([seat, seatNumber, seatClass], ['window', '12A', 'business'])
    assert.deepEqual([departureTime, arrivalTime, dayShift], ['12:30', '15:05', 0])
  })

  test('without dates, neither the order nor planned flights are revealed', async () => {
    const { reply, page } = await visit({ showMap: true, showTimes: true, showFlightList: true })
    assert.equal(page.flights.length, 2, 'only flown flights')
    assert.doesNotMatch(reply.text, /\d{4}-\d{2}-\d{2}/)
    assert.equal((await rows({ showDates: true })).length, 3)
  })

  test('without dates, other dates give the same rows', async () => {
    const cleo = await app().person()
    const key = await cleo.key()
    const ids = await airportIds(app(), 'CPH', 'JFK', 'OSL', 'AMS')
    const dates = ['2019-01-01', '2020-01-01', '2021-01-01', '2022-01-01', '2023-01-01', '2024-01-01']
    const legs = dates.map((_, i) => ({ fromId: ids[i % 4]!, toId: ids[(i * 2 + 1) % 4]! }))
    const logged: { id: number }[] = []
    for (const [i, leg] of legs.entries()) {
      logged.push(await logFlight(app(), cleo, { ...leg, date: dates[i], flightNumber: `XX${(i * 5) % 6}` }))
    }
    const body = { ...off, slug: 'undated', showMap: true, showFlightList: true, showFlightNumbers: true }
    assert.equal((await app().request('POST', path, { key, body })).status, 201)
    const shown = async () => (await app().request('GET', '/share/undated/data')).json.data
    const before = await shown()
    assert.equal(before.flights.length, dates.length)
    for (const [i, { id }] of logged.entries()) {
      const moved = { ...legs[i], date: dates.at(-1 - i), flightNumber: `XX${(i * 5) % 6}` }
      const reply = await app().request('PUT', `/api/v1/flights/${id}`, { key, body: moved })
      assert.equal(reply.status, 200, reply.text)
    }
    assert.deepEqual(await shown(), before)
  })

  test('a date known by month or year is shown by month or year', async () => {
    const cleo = await app().person()
    const [cph, jfk] = await airportIds(app(), 'CPH', 'JFK')
    const flight = { fromId: cph, toId: jfk }
    await logFlight(app(), cleo, { ...flight, date: '2019-07-23', datePrecision: 'month' })
    await logFlight(app(), cleo, { ...flight, date: '2018-07-23', datePrecision: 'year' })
    const body = { ...off, slug: 'roughly', showStats: true, showFlightList: true, showDates: true }
    assert.equal((await app().request('POST', path, { key: await cleo.key(), body })).status, 201)
    const reply = await app().request('GET', '/share/roughly/data')
    const dates = reply.json.data.flights.map(({ date }: { date: string }) => date)
    assert.deepEqual(dates, ['2019-07-01', '2018-01-01'])
    assert.doesNotMatch(reply.text, /-23/)
  })

  test('only the sharer’s flights within the selected days are shown', async () => {
    const dates = async (settings: object) =>
      (await rows({ showDates: true, ...settings })).map((flight) => flight.date)
    assert.deepEqual(await dates({}), ['2027-01-01', '2026-02-20', '2020-05-05'])
    assert.deepEqual(await dates({ dateFrom: '2020-05-05', dateTo: '2026-02-20' }), [
      '2026-02-20',
      '2020-05-05',
    ])
    assert.deepEqual(await dates({ dateFrom: '2026-02-21' }), ['2027-01-01'])
    assert.deepEqual(await dates({ dateTo: '2020-05-04' }), [])
    const { reply, page } = await visit({ showMap: true, dateFrom: '2020-05-06', dateTo: '2026-12-31' })
    assert.equal(page.map.routes[0].flown, 1, 'the days apply where dates are not shown')
    assert.doesNotMatch(reply.text, /2020|2026/)
  })

  test('the data is the same in every language, and the page translates', async () => {
    const key = await ada.key()
    await app().request('POST', path, { key, body: { slug: 'languages', showFlightList: true } })
    const read = (language: string) =>
      app().request('GET', '/share/languages/data', { headers: { 'accept-language': language } })
    const [english, german] = [await read('en'), await read('de')]
    assert.ok(english.text.includes('"municipality":"Copenhagen"'), english.text)
    assert.equal(german.text, english.text)
  })

  test('the page changes immediately with the log, the share and the time', async () => {
    const key = await ada.key()
    const live = { showFlightList: true }
    const share = (await app().request('POST', path, { key, body: { ...live, slug: 'live' } })).json.data
    const read = async () => (await app().request('GET', '/share/live/data')).json.data
    assert.equal((await read()).flights.length, 3)
    const [cph, jfk] = await airportIds(app(), 'CPH', 'JFK')
    const flight = await logFlight(app(), ada, { date: '2021-01-01', fromId: cph, toId: jfk })
    assert.equal((await read()).flights.length, 4)
    await app().request('PUT', `${path}/${share.id}`, { key, body: { ...live, showFlightNumbers: false } })
    assert.ok(!('flightNumber' in (await read()).flights[0]))
    await app().request('DELETE', `/api/v1/flights/${flight.id}`, { key })
    const planned = async () =>
      (await read()).flights.filter((row: { completed: boolean }) => !row.completed).length
    assert.equal(await planned(), 1)
    app().clock.set('2027-01-02T12:00:00Z')
    assert.equal(await planned(), 0)
    app().clock.set(createTestClock().now())
  })

  test('a share is not found if expired, deleted, misspelt or no longer permitted', async () => {
    const status = async (slug: string) => (await app().request('GET', `/share/${slug}/data`)).status
    for (const slug of ['nothing', '%00', '%25', 'a%2Fb', 'x'.repeat(300)])
      assert.equal(await status(slug), 404)
    const key = await ada.key()
    await app().request('POST', path, { key, body: { slug: 'short', expiresAt: '2026-06-15T13:00:00Z' } })
    assert.equal(await status('short'), 200)
    app().clock.set('2026-06-15T13:00:00Z')
    assert.equal(await status('short'), 404)
    assert.equal((await app().request('GET', path, { key })).json.data[0].slug, 'short', 'the list keeps it')
    app().clock.set(createTestClock().now())

    const { insertRole } = await import('../../server/store/access/roles.ts')
    const { updatePersonRole } = await import('../../server/store/people/people.ts')
    const carl = await app().person()
    await app().request('POST', path, { key: await carl.key(), body: { slug: 'carls' } })
    assert.equal(await status('carls'), 200)
    const setPermissions = (id: string, permissions: never[]) =>
      app().store.transaction(async (tx) => {
        await insertRole(tx, id, { name: id, description: null, permissions }, '2026-01-01T00:00:00Z')
        await updatePersonRole(tx, carl.id, id)
      })
    await setPermissions('reader', ['flight.read.own'] as never[])
    assert.equal(await status('carls'), 404)
    await setPermissions('sharer', ['flight.share.own'] as never[])
    assert.equal(await status('carls'), 404)
    await setPermissions('both', ['flight.share.own', 'flight.read.any'] as never[])
    assert.equal(await status('carls'), 200)
    const refused = await app().request('POST', '/share/carls/data', { body: {} })
    assertError(refused, 405, 'method_not_allowed')
  })
})

async function prepareLog(app: TestApp, ada: TestPerson, bob: TestPerson): Promise<void> {
  const [cph, jfk, hnd] = await airportIds(app, 'CPH', 'JFK', 'HND')
  await logFlight(app, ada, {
    date: '2026-02-20',
    fromId: cph,
    toId: jfk,
    departure: '2026-02-20T12:30:00+01:00',
    arrival: '2026-02-20T15:05:00-05:00',
    flightNumber: 'SK909',
    aircraftReg: 'OY-KBO',
    note: 'secret note',
    departureTerminal: 'T-9',
    departureGate: 'G-77',
    passengers: [
      { userId: bob.id, seatNumber: '99F' },
      { userId: ada.id, seat: 'window', seatNumber: '12A', seatClass: 'business', flightReason: 'leisure' },
      { guestName: 'Guest Name' },
    ],
    track: {
      coordinates: [
        [12.6, 55.6, 5],
        [-73.7, 40.6, 4],
      ],
      times: [1, 2],
      sourceFormat: 'gpx',
    },
  })
  await logFlight(app, ada, { date: '2020-05-05', fromId: jfk, toId: cph })
  await logFlight(app, ada, { date: '2027-01-01', fromId: cph, toId: hnd })
  await logFlight(app, bob, { date: '2026-03-03', fromId: hnd, toId: cph })
}
