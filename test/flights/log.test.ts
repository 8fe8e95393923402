import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airportIds as airports, logFlight as log } from '../fixtures.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'

onBothEngines('the compact log', (app) => {
  test('get-log returns each flight once, with local times and the records that it names', async () => {
    const ada = await app().person()
    const [cph, jfk, hnd] = await airports(app(), 'CPH', 'JFK', 'HND')
    await log(app(), ada, {
      date: '2026-02-20',
      fromId: cph,
      toId: jfk,
      departureScheduled: '2026-02-20T12:00:00+01:00',
      departure: '2026-02-20T12:30:00+01:00',
      arrival: '2026-02-20T20:05:00Z',
      note: 'seen the northern lights',
      passengers: [{ userId: ada.id, seat: 'window', flightReason: 'leisure' }, { guestName: 'Bob' }],
    })
    await log(app(), ada, {
      date: '2026-03-01',
      fromId: hnd,
      toId: jfk,
      departure: '2026-03-01T00:30:00+09:00',
      landingActual: '2026-02-28T23:10:00-05:00',
    })
    await log(app(), ada, { date: '2026-07-01', datePrecision: 'month', fromId: cph, toId: hnd })
    await log(app(), ada, { date: '2025-01-01', fromId: cph, toId: cph })
    const departure = '2024-06-01T12:30:00+02:00'
    await log(app(), ada, { date: '2024-06-01', fromId: cph, toId: jfk, departure })

    const reply = await app().request('GET', '/app/api/log', { cookie: await ada.session() })
    assert.equal(reply.status, 200, reply.text)
    const { flights, airports: known, users } = reply.json.data
    assert.deepEqual(
      flights.map((flight: { date: string }) => flight.date),
      ['2026-07-01', '2026-03-01', '2026-02-20', '2025-01-01', '2024-06-01'],
    )
    const [planned, overDateLine, atlantic, circuit, open] = flights
    assert.deepEqual(Object.keys(known).map(Number).sort(), [cph!, jfk!, hnd!].sort())
    assert.deepEqual(users, { [ada.id]: { displayName: ada.displayName, username: ada.username } })
    assert.equal(atlantic.departure, '2026-02-20T12:30:00+01:00')
    assert.equal(atlantic.departureLocal, '2026-02-20T12:30')
    assert.equal(atlantic.arrivalLocal, '2026-02-20T15:05')
    assert.deepEqual([atlantic.departureOffset, atlantic.arrivalOffset], [60, -300])
    assert.deepEqual([atlantic.duration, atlantic.durationEstimated], [34500 - 3600, false])
    assert.deepEqual(
      [atlantic.note, atlantic.track, atlantic.completesAt, atlantic.dayShift],
      [true, false, null, 0],
    )
    assert.equal(atlantic.passengers[0].user, ada.id)
    assert.equal(atlantic.passengers[0].reason, 'leisure')
    assert.deepEqual([atlantic.passengers[1].user, atlantic.passengers[1].guest], [null, 'Bob'])
    assert.deepEqual([atlantic.departureDelay, 'arrivalDelay' in atlantic], [30, false])
    assert.equal('departureDelay' in overDateLine, false)
    assert.equal(overDateLine.dayShift, -1)
    assert.deepEqual([overDateLine.durationEstimated, planned.durationEstimated], [true, true])
    assert.ok(planned.duration > 10 * 3600)
    assert.equal(planned.completesAt, Date.parse('2026-08-01T00:00:00+02:00') - 1)
    assert.deepEqual([circuit.duration, circuit.durationEstimated, circuit.distanceKm], [null, false, 0])
    const offsets = [planned, circuit, open].map(({ arrivalOffset }) => arrivalOffset)
    assert.deepEqual(offsets, [null, null, -240], 'only a departure: that of the estimated arrival')
    assert.deepEqual([open.arrival, open.arrivalLocal, open.dayShift], [null, null, null])
  })

  test('the log names airline, aircraft type and both airports of a single flight', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const idOf = async (kind: string, query: string) =>
      (await app().request('GET', `/api/v1/${kind}?query=${query}`, { key })).json.data[0].id
    const [fromId, toId] = await airports(app(), 'CPH', 'JFK')
    const airlineId = await idOf('airlines', 'SAS')
    const aircraftId = await idOf('aircraft', 'A20N')
    await log(app(), ada, { date: '2026-02-20', fromId, toId, airlineId, aircraftId })
    const { data } = (await app().request('GET', '/app/api/log', { cookie: await ada.session() })).json
    const [flight] = data.flights
    assert.deepEqual([flight.from, flight.to], [fromId, toId])
    assert.deepEqual([flight.airline, flight.aircraft], [airlineId, aircraftId])
    assert.equal(data.airlines[airlineId].icao, 'SAS')
    assert.equal(data.aircraft[aircraftId].icao, 'A20N')
    assert.deepEqual([data.airports[fromId!].iata, data.airports[toId!].iata], ['CPH', 'JFK'])
  })

  test('a flight with a deleted airport has no distance and no local time there', async () => {
    const ada = await app().person('owner')
    const cookie = await ada.session()
    const send = async (method: string, path: string, body?: object) => {
      const reply = await app().request(method, `/app/api${path}`, { cookie, ...(body && { body }) })
      assert.ok(reply.status < 300, reply.text)
      return reply.json?.data
    }
    const [cph] = await airports(app(), 'CPH')
    for (const end of ['from', 'to'] as const) {
      const strip = await send('POST', '/airports', {
        icao: 'QQ0Z',
        name: 'Own strip',
        latitude: 50,
        longitude: 8,
        timezone: 'Europe/Berlin',
        type: 'small_airport',
        continent: 'EU',
        country: 'DE',
      })
      const { id } = await log(app(), ada, {
        date: '2026-02-20',
        fromId: cph,
        toId: cph,
        [`${end}Id`]: strip.id,
        departure: '2026-02-20T12:30:00+01:00',
        arrival: '2026-02-20T13:30:00+01:00',
      })
      // An airport can be deleted only while its flight is in the bin.
      await send('DELETE', `/flights/${id}`)
      await send('DELETE', `/airports/${strip.id}`)
      await send('POST', `/flights/${id}/restore`)
      const { flights } = await send('GET', '/log')
      const flight = flights.find((one: { id: number }) => one.id === id)
      const isGone = (name: 'from' | 'to') => name === end
      assert.deepEqual([flight.from, flight.to], [isGone('from') ? null : cph, isGone('to') ? null : cph])
      assert.deepEqual([flight.distanceKm, flight.dayShift, flight.duration], [null, null, 3600])
      const gone = end === 'from' ? 'departure' : 'arrival'
      const other = end === 'from' ? 'arrival' : 'departure'
      assert.deepEqual([flight[`${gone}Local`], flight[`${gone}Offset`]], [null, null])
      assert.match(flight[`${other}Local`], /^2026-02-20T1[23]:30$/)
      assert.equal(flight[`${other}Offset`], 60)
      assert.ok(flight[gone].startsWith('2026-02-20T1'), 'the time itself is known')
    }
  })

  test('the log is sent again only after a change; the time a flight counts as flown is included', async () => {
    app().clock.set('2026-06-15T12:00:00Z')
    const ada = await app().person()
    const cookie = await ada.session()
    const [cph, jfk] = await airports(app(), 'CPH', 'JFK')
    const read = (etag = '') =>
      app().request('GET', '/app/api/log', { cookie, headers: etag ? { 'if-none-match': etag } : {} })
    const landing = '2026-06-15T16:00:00Z'
    await log(app(), ada, {
      date: '2026-06-15',
      fromId: cph,
      toId: jfk,
      departure: '2026-06-15T08:00:00Z',
      arrival: landing,
    })
    const before = await read()
    assert.equal(before.json.data.flights[0].completesAt, Date.parse(landing))
    app().clock.set('2026-06-15T16:00:01Z')
    assert.equal((await read(before.headers.etag)).status, 304, 'the browser has a clock')
    await log(app(), ada, { date: '2020-01-01', fromId: jfk, toId: cph })
    const after = await read(before.headers.etag)
    assert.deepEqual(
      after.json.data.flights.map((flight: { completesAt: number | null }) => flight.completesAt),
      [null, null],
    )
    assert.equal((await read(after.headers.etag)).status, 304)
    app().clock.set('2026-06-15T12:00:00Z')
  })

  test('a long log is compressed for clients that accept it, with the same content', async () => {
    const ada = await app().person()
    const cookie = await ada.session()
    await app().request('POST', '/app/api/demo', { cookie })
    const plain = await app().request('GET', '/app/api/log', { cookie })
    assert.equal(plain.headers['content-encoding'], undefined)
    const headers = { 'accept-encoding': 'gzip, br' }
    const response = await fetch(`${app().url}/app/api/log`, { headers: { ...headers, cookie } })
    assert.equal(response.headers.get('content-encoding'), 'gzip')
    assert.deepEqual(await response.json(), plain.json)
    const again = { ...headers, 'if-none-match': String(response.headers.get('etag')) }
    assert.equal((await app().request('GET', '/app/api/log', { cookie, headers: again })).status, 304)
    assert.ok(plain.text.length > 64 * 1024)
  })

  test('other people’s flights need the permission', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const admin = await app().person('role-administrator')
    const [cph, jfk] = await airports(app(), 'CPH', 'JFK')
    await log(app(), ada, { date: '2026-01-01', fromId: cph, toId: jfk })
    const ask = async (who: TestPerson, query: string) =>
      app().request('GET', `/app/api/log${query}`, { cookie: await who.session() })
    assert.deepEqual((await ask(bob, '')).json.data.flights, [])
    assert.equal((await ask(bob, `?scope=user&userId=${ada.id}`)).status, 403)
    assert.equal((await ask(bob, '?scope=all')).status, 403)
    assert.equal((await ask(admin, `?scope=user&userId=${ada.id}`)).json.data.flights.length, 1)
    assert.ok((await ask(admin, '?scope=all')).json.data.flights.length >= 1)
    assert.equal((await ask(admin, '?scope=user')).status, 400)
    assert.equal((await ask(admin, '?scope=theirs')).status, 400)
  })

  test('the log of others has their chosen homes, one’s own has none', async () => {
    const [ada, bob] = [await app().person('role-administrator'), await app().person()]
    const [cph, osl] = await airports(app(), 'CPH', 'OSL')
    await log(app(), bob, { date: '2026-05-01', fromId: cph, toId: osl })
    const set = async (homeAirportId: number | null) => {
      const body = { homeAirportId }
      const reply = await app().request('PUT', '/api/v1/preferences', { key: await bob.key(), body })
      assert.equal(reply.status, 200, reply.text)
    }
    const read = async (person: TestPerson, query: string) =>
      (await app().request('GET', `/app/api/log${query}`, { cookie: await person.session() })).json.data
    assert.deepEqual((await read(ada, `?scope=user&userId=${bob.id}`)).homes, {})
    await set(osl!)
    assert.deepEqual((await read(ada, `?scope=user&userId=${bob.id}`)).homes, { [bob.id]: osl })
    const { homes, token } = await read(ada, '?scope=all')
    assert.equal(homes[bob.id], osl)
    assert.equal('homes' in (await read(bob, '')), false)
    await set(cph!)
    const step = await read(ada, `?scope=all&since=${token}`)
    assert.deepEqual([step.partial, step.flights.length, step.homes[bob.id]], [true, 0, cph])
  })

  test('the log is only for the web app and roles that may read', async () => {
    assert.equal((await app().request('GET', '/app/api/log')).status, 401)
    const ada = await app().person()
    assert.equal((await app().request('GET', '/api/v1/log', { key: await ada.key() })).status, 404)
    const blind = await app().person(['flight.create.own'])
    assert.equal((await app().request('GET', '/app/api/log', { cookie: await blind.session() })).status, 403)
  })
})

onBothEngines('local times', (app) => {
  test('read-local-time: a local time at an airport becomes an instant, with gaps and repeats reported', async () => {
    const ada = await app().person()
    const cookie = await ada.session()
    const [cph] = await airports(app(), 'CPH')
    const read = (local: string, airportId: unknown = cph) =>
      app().request('GET', `/app/api/local-times?airportId=${airportId}&local=${local}`, { cookie })
    assert.deepEqual((await read('2026-07-01T09:05')).json, {
      data: {
        instant: '2026-07-01T09:05:00+02:00',
        zone: 'Europe/Copenhagen',
        offsetMinutes: 120,
        shifted: false,
        ambiguous: false,
      },
    })
    const skipped = (await read('2026-03-29T02:30')).json.data
    assert.deepEqual([skipped.instant, skipped.shifted], ['2026-03-29T03:30:00+02:00', true])
    const twice = (await read('2026-10-25T02:30')).json.data
    assert.deepEqual([twice.instant, twice.ambiguous], ['2026-10-25T02:30:00+02:00', true])
    for (const bad of ['2026-02-30T09:05', '2026-02-20', '', 'now'])
      assert.equal((await read(bad)).status, 400)
    assert.equal((await read('2026-07-01T09:05', 'x')).status, 400)
    assert.equal((await read('2026-07-01T09:05', 999999999)).status, 404)
    assert.equal((await read('0001-01-01T00:00')).status, 200)
    assert.equal((await read('9999-12-31T23:59')).status, 200)
    assert.equal(
      (await app().request('GET', `/app/api/local-times?airportId=${cph}&local=2026-07-01T09:05`)).status,
      401,
    )
  })
})
