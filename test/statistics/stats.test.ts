import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seatClasses } from '../../server/domain/enums.ts'
import { nothingKnown } from '../../server/domain/flights/fields.ts'
import { insertFlight, insertPassenger, noteFlightsChanged } from '../../server/store/flights/writes.ts'
import { SYSTEM } from '../../server/store/history/rows.ts'
import { type Airport, findAirports } from '../../server/store/reference/records.ts'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { createTestClock, onBothEngines, type TestApp, type TestPerson } from '../harness.ts'

const codes = ['CPH', 'JFK', 'HND', 'LHR', 'SYD', 'GRU', 'AAR', 'KTM', 'FRA', 'HNL', 'JNB', 'OSL']
const path = '/api/v1/stats'

onBothEngines('statistics', (app) => {
  test('get-stats of an empty log has every figure, all zero', async () => {
    const key = await (await app().person()).key()
    const { data } = (await app().request('GET', path, { key })).json
    assert.deepEqual([data.flights, data.distanceKm, data.durationSeconds, data.airports], [0, 0, 0, 0])
    assert.deepEqual(
      [data.topAirline, data.topAirport, data.topAircraft, data.topRoute],
      [null, null, null, null],
    )
    assert.deepEqual([data.first, data.last, data.byYear, data.co2.kilograms], [null, null, [], 0])
    assert.equal(data.byMonth.length, 12)
  })

  test('get-stats agrees with an independent computation over a random log', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const admin = await app().person('owner')
    const mine = await randomLog(app(), ada, bob, 300, 7)
    await randomLog(app(), bob, admin, 50, 11)
    const read = async (who: TestPerson, query = '') =>
      (await app().request('GET', path + query, { key: await who.key() })).json.data
    const now = app().clock.now()
    const figures = await read(ada)
    const expected = independent(mine, now)
    assert.ok(expected.flights > 150 && expected.flights < 300, 'some are flown and some are not')
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(figures[name], value, name)
    assert.deepEqual(await read(admin, `?scope=user&userId=${ada.id}`), figures)
    const all = await read(admin, '?scope=all')
    assert.ok(all.flights > figures.flights)
    const passengers = Object.values<number>(all.classes).reduce((sum, n) => sum + n, 0)
    assert.ok(passengers > all.flights, 'with scope=all every passenger counts')
    assert.equal(
      Object.values<number>(figures.classes).reduce((sum, n) => sum + n, 0),
      figures.flights,
    )
  })

  test('an unknown duration is estimated by the class of aircraft, also in the web log', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [fromId, toId] = await airportIds(app(), 'LHR', 'CDG')
    const types = ['CONC', 'A20N', 'DH8D', 'DC3', 'EC35', null]
    const classes: (string | null)[] = []
    for (const [i, code] of types.entries()) {
      const found =
        code && (await app().request('GET', `/api/v1/aircraft?query=${code}`, { key })).json.data[0]
      if (code) assert.equal(found.icao, code)
      classes.push(found?.class ?? null)
      await logFlight(app(), ada, { date: `2025-01-0${i + 1}`, fromId, toId, aircraftId: found?.id ?? null })
    }
    assert.deepEqual(classes, ['supersonic', 'jet', 'turboprop', 'piston', 'helicopter', null])
    const log = await app().request('GET', '/app/api/log', { cookie: await ada.session() })
    const byDate = log.json.data.flights.toSorted((x: { date: string }, y: { date: string }) =>
      x.date < y.date ? -1 : 1,
    )
    const minutes = byDate.map(({ duration }: { duration: number }) => Math.round(duration / 60))
    assert.deepEqual(minutes, [65, 74, 81, 90, 94, 74])
    const stats = (await app().request('GET', path, { key })).json.data
    const sum = byDate.reduce((all: number, { duration }: { duration: number }) => all + duration, 0)
    assert.deepEqual([stats.durationSeconds, stats.durationEstimatedSeconds], [sum, sum])
  })

  test('emissions name their edition and their omissions', async () => {
    const ada = await app().person()
    const [lhr, jfk, edi, mle] = await airportIds(app(), 'LHR', 'JFK', 'EDI', 'MLE')
    const seat = (seatClass: string | null) => [{ userId: ada.id, seatClass }]
    await logFlight(app(), ada, { date: '2025-01-01', fromId: lhr, toId: jfk, passengers: seat('business') })
    await logFlight(app(), ada, { date: '2025-01-02', fromId: lhr, toId: edi, passengers: seat('business') })
    await logFlight(app(), ada, { date: '2025-01-03', fromId: jfk, toId: mle, passengers: seat(null) })
    await logFlight(app(), ada, { date: '2025-01-04', fromId: jfk, toId: mle, passengers: seat('private') })
    await logFlight(app(), ada, { date: '2025-01-05', fromId: lhr, toId: lhr, passengers: seat('economy') })
    const { co2 } = (await app().request('GET', path, { key: await ada.key() })).json.data
    const { kilograms, passengers, unknownPassengers, method, year, source, description } = co2
    // Long-haul business, within the UK, and an average passenger elsewhere.
    const [atlantic, britain, ocean] = [5554.9, 534.1, 14_086].map(Math.round)
    const expected = atlantic! * 0.3394 + britain! * 0.22928 + ocean! * 0.14253
    assert.ok(Math.abs(kilograms / expected - 1) < 0.01, `${kilograms} instead of ${expected}`)
    assert.deepEqual([passengers, unknownPassengers, year], [3, 2, 2026])
    assert.match(method, /^UK Government GHG Conversion Factors .*2026/)
    assert.equal(new URL(source).hostname, 'www.gov.uk')
    assert.match(description, /Not included: /)
  })

  test('on a tie the first logged wins, and a circuit counts its airport twice', async () => {
    const ada = await app().person()
    const [cph, jfk, aar] = await airportIds(app(), 'CPH', 'JFK', 'AAR')
    await logFlight(app(), ada, { date: '2025-01-02', fromId: jfk, toId: cph })
    await logFlight(app(), ada, { date: '2025-01-01', fromId: cph, toId: jfk })
    const read = async () => (await app().request('GET', path, { key: await ada.key() })).json.data
    const first = await read()
    assert.deepEqual([first.topAirport.iata, first.topAirport.count], ['JFK', 2])
    assert.deepEqual([first.topRoute.from.iata, first.topRoute.count], ['JFK', 1])
    for (let day = 1; day <= 2; day++)
      await logFlight(app(), ada, { date: `2024-01-0${day}`, fromId: aar, toId: aar })
    const second = await read()
    assert.deepEqual([second.topAirport.iata, second.topAirport.count], ['AAR', 4])
    assert.equal(second.airports, 3)
    assert.deepEqual([second.domestic, second.international], [2, 2])
    assert.equal(second.durationSeconds, second.durationEstimatedSeconds, 'all of it is estimated')
    assert.ok(second.durationEstimatedSeconds > 2 * 7 * 3600)
    assert.equal(second.longest.byDuration, null)
    await logFlight(app(), ada, { date: '2024-02-01', fromId: aar, toId: aar, duration: 900 })
    await logFlight(app(), ada, { date: '2024-02-02', fromId: aar, toId: cph, duration: 1800 })
    const { shortest, longest } = await read()
    assert.deepEqual(
      [shortest.byDistance.from.iata, shortest.byDistance.to.iata, shortest.byDuration.to.iata],
      ['AAR', 'CPH', 'CPH'],
      'the shortest flight is no circuit',
    )
    assert.equal(longest.byDuration.durationSeconds, 1800)
    assert.equal(second.first.date, '2024-01-01')
    assert.equal(second.last.date, '2025-01-02')
  })

  test('a flight is counted from its completion, cached or not', async () => {
    app().clock.set(createTestClock().now())
    const ada = await app().person()
    const key = await ada.key()
    const [cph, jfk] = await airportIds(app(), 'CPH', 'JFK')
    await logFlight(app(), ada, {
      date: '2026-06-15',
      fromId: cph,
      toId: jfk,
      departure: '2026-06-15T10:00:00Z',
      duration: 3 * 3600,
    })
    const read = (etag = '') =>
      app().request('GET', path, { key, headers: etag ? { 'if-none-match': etag } : {} })
    const before = await read()
    assert.equal(before.json.data.flights, 0)
    assert.equal((await read(before.headers.etag)).status, 304)
    app().clock.set('2026-06-15T13:00:00.001Z')
    const after = await read(before.headers.etag)
    assert.equal(after.status, 200)
    assert.equal(after.json.data.flights, 1)
    app().clock.set(createTestClock().now())
  })

  test('the previous year counts one day more each day, cached or not', async () => {
    app().clock.set('2026-06-15T12:00:00Z')
    const ada = await app().person()
    const key = await ada.key()
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    for (const date of ['2025-06-15', '2025-06-16', '2026-01-02'])
      await logFlight(app(), ada, { date, fromId, toId })
    const read = async () => (await app().request('GET', path, { key })).json.data.yearChange
    const first = await read()
    assert.deepEqual([first.until, first.now.flights, first.before.flights], ['2026-06-15', 1, 1])
    app().clock.set('2026-06-16T00:00:00Z')
    const second = await read()
    assert.deepEqual([second.until, second.before.flights], ['2026-06-16', 2])
    app().clock.set(createTestClock().now())
  })

  test('a flight is completed according to the known times', async () => {
    const times = {
      departure: '2026-07-01T10:00:00Z',
      takeoffActual: '2026-07-01T10:10:00Z',
      departureScheduled: '2026-07-01T10:20:00Z',
      takeoffScheduled: '2026-07-01T10:30:00Z',
      arrival: '2026-07-01T12:00:00Z',
      landingActual: '2026-07-01T12:10:00Z',
      arrivalScheduled: '2026-07-01T12:20:00Z',
      landingScheduled: '2026-07-01T12:30:00Z',
    }
    const { departure, takeoffActual, departureScheduled, takeoffScheduled, ...arrivals } = times
    const { arrival: _arrival, ...lateArrivals } = arrivals
    const { landingActual: _landing, ...planned } = lateArrivals
    const vague = { date: '2026-07-01', datePrecision: 'month' }
    const cases: [Record<string, unknown>, string][] = [
      [{ date: '2026-07-01' }, '2026-06-30T22:00:00.000Z'],
      [vague, '2026-07-31T21:59:59.999Z'],
      [{ date: '2026-01-01', datePrecision: 'year' }, '2026-12-31T22:59:59.999Z'],
      [{ date: '2026-07-01', ...times }, '2026-07-01T12:00:00Z'],
      [{ date: '2026-07-01', ...lateArrivals }, '2026-07-01T12:10:00Z'],
      [{ date: '2026-07-01', ...planned }, '2026-07-01T12:20:00Z'],
      [{ date: '2026-07-01', landingScheduled: times.landingScheduled }, '2026-07-01T12:30:00Z'],
      [
        { date: '2026-07-01', departure, takeoffActual, departureScheduled, duration: 60 },
        '2026-07-01T10:01:00Z',
      ],
      [{ date: '2026-07-01', takeoffActual, departureScheduled, duration: 60 }, '2026-07-01T10:11:00Z'],
      [{ date: '2026-07-01', departureScheduled, takeoffScheduled, duration: 60 }, '2026-07-01T10:21:00Z'],
      [{ date: '2026-07-01', takeoffScheduled }, '2026-07-01T10:30:00Z'],
      // If the day of a flight is unknown, departure and arrival mean the month.
      [{ ...vague, departure, arrival: times.arrival }, '2026-07-31T21:59:59.999Z'],
      [{ ...vague, ...times }, '2026-07-01T12:10:00Z'],
      [{ ...vague, departure, takeoffActual, duration: 60 }, '2026-07-01T10:11:00Z'],
    ]
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    for (const [flight, instant] of cases) {
      app().clock.set(createTestClock().now())
      const ada = await app().person()
      const key = await ada.key()
      await logFlight(app(), ada, { ...flight, fromId, toId })
      for (const [after, flights] of [
        [0, 0],
        [1, 1],
      ] as const) {
        app().clock.set(Date.parse(instant) + after)
        const { json } = await app().request('GET', path, { key })
        assert.equal(json.data.flights, flights, `${JSON.stringify(flight)} ${after} ms after ${instant}`)
      }
    }
    app().clock.set(createTestClock().now())
  })

  test('another person’s statistics need the any scope and the permission', async () => {
    const [ada, admin] = [await app().person(), await app().person('role-administrator')]
    const key = await ada.key()
    const others = [`?scope=user&userId=${admin.id}`, '?scope=all']
    for (const query of others) {
      assertError(await app().request('GET', path + query, { key }), 403, 'forbidden')
      const own = await admin.key(['stats.read', 'flight.read.own'])
      if (query === '?scope=all')
        assertError(await app().request('GET', path + query, { key: own }), 403, 'insufficient_scope')
    }
    assert.equal((await app().request('GET', `${path}?scope=user&userId=${ada.id}`, { key })).status, 200)
    assertError(await app().request('GET', `${path}?scope=user`, { key }), 400, 'bad_request')
    assertError(await app().request('GET', `${path}?scope=x`, { key }), 400, 'bad_request')
  })
})

interface RandomFlight {
  id: number
  date: string
  datePrecision: 'day' | 'month' | 'year'
  departure: string | null
  arrival: string | null
  departureScheduled: string | null
  duration: number | null
  aircraftReg: string | null
  from: Airport
  to: Airport
  airlineId: number | null
  aircraftId: number | null
  aircraftClass: string | null
  seatClass: string | null
}

/** Flights around the test's current time, with every kind of missing value. */
async function randomLog(
  app: TestApp,
  who: TestPerson,
  other: TestPerson,
  size: number,
  seed: number,
): Promise<RandomFlight[]> {
  const random = randomNumbers(seed)
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)]!
  const airports = await findAirports(app.store.read, await airportIds(app, ...codes))
  const airlines = await app.store.read.query('select id from airline order by id limit 5', [])
  const types = await app.store.read.query(
    '/* test */ select min(id) as id, class from aircraft group by class',
    [],
  )
  const flights: RandomFlight[] = []
  await app.store.transaction(async (tx) => {
    for (let i = 0; i < size; i++) {
      const leaves =
        app.clock.now() +
        Math.floor((random() - 0.7) * 4000) * 86_400_000 +
        Math.floor(random() * 1440) * 60_000
      const at = (ms: number) => new Date(ms).toISOString()
      const kind = pick(['both', 'departure', 'scheduled', 'date', 'month', 'year'] as const)
      const precision = kind === 'month' || kind === 'year' ? kind : 'day'
      const took = Math.floor(random() * 50_000)
      const type = pick([null, ...types])
      const flight = {
        date: precision === 'day' ? at(leaves).slice(0, 10) : `${at(leaves).slice(0, 7)}-01`,
        datePrecision: precision,
        departure: kind === 'both' || kind === 'departure' ? at(leaves) : null,
        arrival: kind === 'both' ? at(leaves + took * 1000) : null,
        departureScheduled: kind === 'scheduled' ? at(leaves) : null,
        duration: kind === 'both' || random() < 0.3 ? took : null,
        aircraftReg: pick([null, 'OY-KBO', 'oy-kbo', 'N1', 'D-AIMA']),
        airlineId: pick([null, ...airlines.map((row) => row['id'] as number)]),
        aircraftId: type === null ? null : Number(type['id']),
      } as const
      const [from, to] = [pick(airports), pick(airports)]
      const id = await insertFlight(
        tx,
        { ...nothingKnown, ...flight, fromId: from.id, toId: to.id },
        {},
        at(0),
      )
      const seatClass = pick([null, ...seatClasses])
      const seat = { guestName: null, seat: null, seatNumber: null, flightReason: null }
      await insertPassenger(tx, { id, date: flight.date }, { ...seat, userId: who.id, seatClass }, {})
      if (random() < 0.5)
        await insertPassenger(
          tx,
          { id, date: flight.date },
          { ...seat, userId: other.id, seatClass: null },
          {},
        )
      const aircraftClass = type?.['class'] as string | null | undefined
      flights.push({ id, ...flight, aircraftClass: aircraftClass ?? null, from, to, seatClass })
    }
    await noteFlightsChanged(
      tx,
      flights.map((flight) => flight.id),
      '2026-01-01T00:00:00.000Z',
      { author: SYSTEM, edits: null },
    )
  })
  return flights
}

/** The same figures by other means: Intl for time zones, Vincenty for distances, plain loops for the rest. */
function independent(all: RandomFlight[], now: number) {
  const flights = all.filter((flight) => isFlown(flight, now))
  const km = (flight: RandomFlight) => vincentyKm(flight.from, flight.to)
  // In tenths, which are integers: their sums are exact.
  const total = (those: RandomFlight[]) =>
    Math.round(those.reduce((sum, flight) => sum + Math.round(km(flight) * 10), 0) / 10)
  const most = (keys: string[]) => {
    const counts = new Map<string, number>()
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
    let best: [string, number] | undefined
    for (const entry of counts) if (!best || entry[1] > best[1]) best = entry
    return { best, size: counts.size }
  }
  const airports = most(flights.flatMap((flight) => [flight.from.icao, flight.to.icao]))
  const routes = most(flights.map((flight) => `${flight.from.icao} ${flight.to.icao}`))
  const airport = (icao: string) => {
    const found = flights.flatMap(({ from, to }) => [from, to]).find((one) => one.icao === icao)!
    return { id: found.id, name: found.name, icao: found.icao, iata: found.iata }
  }
  const [from, to] = routes.best![0].split(' ')
  const years = [...new Set(flights.map((flight) => flight.date.slice(0, 4)))].sort()
  const estimate = (flight: RandomFlight) =>
    flight.duration !== null || flight.from === flight.to
      ? 0
      : Math.round(usualHours(km(flight), flight.aircraftClass) * 3600)
  const seconds = (those: RandomFlight[]) =>
    those.reduce((sum, flight) => sum + (flight.duration ?? estimate(flight)), 0)
  return {
    flights: flights.length,
    distanceKm: total(flights),
    durationSeconds: seconds(flights),
    airports: airports.size,
    topAirport: { ...airport(airports.best![0]), count: airports.best![1] },
    topRoute: { from: airport(from!), to: airport(to!), count: routes.best![1] },
    durationEstimatedSeconds: flights.reduce((sum, flight) => sum + estimate(flight), 0),
    domestic: flights.filter((flight) => flight.from.country === flight.to.country).length,
    byYear: years.map((year) => {
      const those = flights.filter((flight) => flight.date.startsWith(year))
      return {
        year: Number(year),
        flights: those.length,
        distanceKm: total(those),
        durationSeconds: seconds(those),
      }
    }),
  }
}

/** In tenths of a kilometre, as distances are. */
function usualHours(exactKm: number, aircraftClass: string | null): number {
  const km = Math.round(exactKm * 10) / 10
  if (aircraftClass === 'supersonic') return 55 / 60 + km / 2150
  if (aircraftClass === 'turboprop') return 40 / 60 + km / 510
  if (aircraftClass === 'piston') return 20 / 60 + km / 300
  if (aircraftClass === 'helicopter') return 10 / 60 + km / 250
  return 48 / 60 + (km > 4000 ? 4000 / 790 + (km - 4000) / 905 : km / 790)
}

function isFlown(flight: RandomFlight, now: number): boolean {
  const { departure, arrival, departureScheduled, duration, date, datePrecision } = flight
  const left = departure ?? departureScheduled
  if (arrival) return Date.parse(arrival) < now
  if (left) return Date.parse(left) + (duration ?? 0) * 1000 < now
  const [year, month] = date.split('-').map(Number) as [number, number]
  if (datePrecision === 'day') return midnight(date, flight.from.timezone) < now
  const after = datePrecision === 'year' ? new Date(Date.UTC(year + 1, 0)) : new Date(Date.UTC(year, month))
  return midnight(after.toISOString().slice(0, 10), flight.from.timezone) - 1 < now
}

/** When the day begins in a time zone, computed with Intl. */
function midnight(date: string, timeZone: string): number {
  const wall = Date.parse(`${date}T00:00:00Z`)
  const shows = (instant: number) =>
    Date.parse(
      `${new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(instant).replace(' ', 'T')}Z`,
    )
  const guess = wall - (shows(wall) - wall)
  return guess - (shows(guess) - wall)
}

/** Vincenty's formula on WGS84, in tenths of a kilometre as flights have it. */
function vincentyKm(a: Airport, b: Airport): number {
  if (a.id === b.id) return 0
  const rad = Math.PI / 180
  const [major, f] = [6378.137, 1 / 298.257223563]
  const minor = major * (1 - f)
  const [u1, u2] = [a, b].map(({ latitude }) => Math.atan((1 - f) * Math.tan(latitude * rad))) as [
    number,
    number,
  ]
  const [sinU1, cosU1, sinU2, cosU2] = [Math.sin(u1), Math.cos(u1), Math.sin(u2), Math.cos(u2)]
  const l = (b.longitude - a.longitude) * rad
  let lambda = l
  for (let i = 0; i < 200; i++) {
    const sinS = Math.hypot(cosU2 * Math.sin(lambda), cosU1 * sinU2 - sinU1 * cosU2 * Math.cos(lambda))
    const cosS = sinU1 * sinU2 + cosU1 * cosU2 * Math.cos(lambda)
    const s = Math.atan2(sinS, cosS)
    const sinA = (cosU1 * cosU2 * Math.sin(lambda)) / sinS
    const cos2A = 1 - sinA ** 2
    const cosM = cosS - (2 * sinU1 * sinU2) / cos2A
    const c = (f / 16) * cos2A * (4 + f * (4 - 3 * cos2A))
    const before = lambda
    lambda = l + (1 - c) * f * sinA * (s + c * sinS * (cosM + c * cosS * (2 * cosM ** 2 - 1)))
    if (Math.abs(lambda - before) > 1e-13) continue
    const uu = (cos2A * (major ** 2 - minor ** 2)) / minor ** 2
    const A = 1 + (uu / 16384) * (4096 + uu * (-768 + uu * (320 - 175 * uu)))
    const B = (uu / 1024) * (256 + uu * (-128 + uu * (74 - 47 * uu)))
    const inner = cosS * (2 * cosM ** 2 - 1) - (B / 6) * cosM * (4 * sinS ** 2 - 3) * (4 * cosM ** 2 - 3)
    const ds = B * sinS * (cosM + (B / 4) * inner)
    return Math.round(minor * A * (s - ds) * 10) / 10
  }
  throw new Error('these places are antipodes')
}

function randomNumbers(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
