// One log, three readers: the statistics page computes its figures from the web app's log, the API and a public share send
// theirs. Over generated logs, with everything that a log can lack, the figures must be equal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aircraftClasses, flightReasons, groupings, seatClasses, seats } from '../../server/domain/enums.ts'
import type { Figures } from '../../server/domain/statistics/figures.ts'
import type { First } from '../../server/domain/statistics/firsts.ts'
import type { Named, Place, StatFlight } from '../../server/domain/statistics/flights.ts'
import type { Insights } from '../../server/domain/statistics/insights.ts'
import { type Counted, ranked } from '../../server/domain/statistics/rankings.ts'
import type { Amount } from '../../server/domain/statistics/sums.ts'
import type { PartOfYear } from '../../server/domain/statistics/year-change.ts'
import { DAY, MINUTE } from '../../server/domain/time/durations.ts'
import { type Audience, type Flight, flightsOf } from '../../web/src/api/flights-of-log.ts'
import { packLog, unpackLog } from '../../web/src/api/packed-log.ts'
import { basisOf, groupsOf } from '../../web/src/stats/explained.ts'
import { pageFigures, pageInsights } from '../../web/src/stats/page-figures.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestApp, type TestPerson } from '../harness.ts'

/** Both sides of the date line, both hemispheres, pairs within a country, all continents but one. */
const codes = [
  'CPH',
  'AAR',
  'JFK',
  'HNL',
  'AKL',
  'APW',
  'PPG',
  'NAN',
  'SYD',
  'GRU',
  'JNB',
  'HND',
  'LHR',
  'LYR',
  'EDI',
  'IOM',
]

onBothEngines('the statistics page and /api/v1/stats', (app, engine) => {
  // The second log covers more rules, which do not depend on the engine.
  for (const seed of engine === 'sqlite' ? [7, 2026] : [7]) {
    test(`the page and the API agree on every figure of a generated log (seed ${seed})`, async () => {
      const [ada, bob, admin] = [
        await app().person(),
        await app().person(),
        await app().person('role-administrator'),
      ]
      await generateLog(app(), ada, bob, 240, seed)
      await generateLog(app(), bob, ada, 60, seed + 1)
      const audiences: [TestPerson, Audience][] = [
        [ada, { scope: 'mine' }],
        [bob, { scope: 'mine' }],
        [admin, { scope: 'user', userId: ada.id }],
        [admin, { scope: 'all' }],
      ]
      for (const [reader, scope] of audiences) {
        const { flights, figures, insights } = await readPage(app(), reader, scope)
        const completed = flights.filter((flight) => flight.completed && flight.outcome !== 'cancelled')
        assert.ok(flights.some((flight) => flight.outcome === 'cancelled'))
        assert.ok(completed.length > 20 && completed.length < flights.length, 'some are still to come')
        assert.ok(figures.totals.estimatedSeconds > 0)
        const stats = await readStats(app(), reader, scope)
        const { topRoute, topAirport, continents, co2, ...all } = stats
        const { yearChange, punctuality, night, streaks, firsts, badges, ...rest } = all
        const leading = { yearChange, punctuality, night, streaks, firsts, badges }
        assert.deepEqual(leading, leadingFrom(insights))
        assert.deepEqual(punctuality.arrivals, arrivalsByHand(completed))
        assert.deepEqual(yearChange, yearChangeByHand(completed, app().clock.now()))
        assert.ok(night.flights > 8 && night.nightSeconds > 0)
        assert.ok(badges.some(({ earned }: { earned: unknown[] }) => earned.length > 0))
        assert.equal(firsts.length, 25)
        const travellers = completed.flatMap(({ passengers }) => passengers).filter(isCounted(reader, scope))
        const known = (tally: Record<string, number>) => withoutUnknown(tally, travellers.length)
        const tallies = {
          classes: known(rest.classes),
          seats: known(rest.seats),
          reasons: known(rest.reasons),
        }
        const { kilograms, passengers, unknownPassengers } = co2
        const shownCo2 = { kilograms, passengers, unknownPassengers }
        const { longest, shortest, recordFlights, ...others } = rest
        const held = { longest: longest.byDistance, shortest: shortest.byDistance }
        assert.deepEqual({ ...others, ...held, ...tallies, co2: shownCo2 }, documentFrom(figures))
        assertTimesRecorded(completed, stats)
        assert.equal(recordFlights.byDistance, figures.records.madeOf.distance)
        assert.deepEqual(shownCo2, emissionsByHand(completed, isCounted(reader, scope)))
        assert.deepEqual(topRoute, topDirection(completed))
        assert.equal(topAirport.count, mostEnds(completed))
        assert.deepEqual(
          Object.fromEntries(continents.top.map(({ code, count }: Tallied) => [code, count])),
          continentTally(completed),
        )
        assertShownAlike(stats, figures)
        await assertExplainedAlike(app(), reader, scope, flights)
      }
    })
  }

  test('the page and the API agree with a public share of the same log', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    await generateLog(app(), ada, bob, 120, 99)
    const stats = await readStats(app(), ada, { scope: 'mine' })
    const { figures } = await readPage(app(), ada, { scope: 'mine' })
    const parts = { showStats: true, showFlightList: true, showDates: true, showTimes: true, showSeat: true }
    const body = { ...parts, showAirlines: true, showAircraft: true }
    const share = await app().request('POST', '/api/v1/shares', { key: await ada.key(), body })
    const reply = await app().request('GET', `/share/${share.json.data.slug}/data`)
    const { totals, byYear, byMonth, byWeekday, classes, co2Kg, co2UnknownFlights, longest, first } =
      reply.json.data.statistics
    const { distanceKm, ...counts } = totals
    assert.equal(Math.round(distanceKm), stats.distanceKm)
    assert.deepEqual(counts, {
      flights: stats.flights,
      durationSeconds: stats.durationSeconds,
      durationEstimatedSeconds: stats.durationEstimatedSeconds,
      estimatedFlights: figures.totals.estimatedFlights,
      measuredFlights: figures.totals.measuredFlights,
      airports: stats.airports,
      countries: stats.countries.count,
      routes: stats.routes.count,
      domestic: stats.domestic,
      international: stats.international,
      airlines: stats.airlines.count,
      aircraft: stats.aircraft.count,
    })
    const whole = ({ distanceKm: km, ...sum }: { distanceKm: number }) => ({
      ...sum,
      distanceKm: Math.round(km),
    })
    const flown = byYear.filter(({ flights }: { flights: number }) => flights > 0)
    assert.deepEqual(flown.map(whole), stats.byYear)
    assert.deepEqual(
      byMonth.map((sum: { distanceKm: number }, i: number) => ({ month: i + 1, ...whole(sum) })),
      stats.byMonth,
    )
    assert.deepEqual(
      byWeekday.map((sum: { distanceKm: number }, i: number) => ({ weekday: i + 1, ...whole(sum) })),
      stats.byWeekday,
    )
    assert.deepEqual({ ...classes, unknown: stats.classes.unknown }, stats.classes)
    assert.deepEqual([co2Kg, co2UnknownFlights], [stats.co2.kilograms, stats.co2.unknownPassengers])
    assert.equal(Math.round(longest.distanceKm), stats.longest.byDistance.distanceKm)
    assert.equal(first.date.slice(0, 4), stats.first.date.slice(0, 4))
  })

  test('a round trip is one route on both, and the top route keeps its direction', async () => {
    const ada = await app().person()
    const [cph, jfk] = await airportIds(app(), 'CPH', 'JFK')
    await logFlight(app(), ada, { date: '2025-01-01', fromId: jfk, toId: cph })
    await logFlight(app(), ada, { date: '2025-01-09', fromId: cph, toId: jfk })
    const stats = await readStats(app(), ada, { scope: 'mine' })
    const { figures } = await readPage(app(), ada, { scope: 'mine' })
    assert.deepEqual([stats.routes.count, figures.totals.routes, figures.routes.length], [1, 1, 1])
    assert.equal(stats.routes.top[0].count, 2)
    assert.deepEqual(
      [stats.topRoute.from.iata, stats.topRoute.to.iata, stats.topRoute.count],
      ['JFK', 'CPH', 1],
    )
  })
})

/** The groups behind a figure of the page are those of `GET /flights/summary`, and their sums too. */
async function assertExplainedAlike(
  app: TestApp,
  reader: TestPerson,
  scope: Audience,
  flights: readonly Flight[],
): Promise<void> {
  const whose = scope.scope === 'all' ? null : (scope.userId ?? reader.id)
  const basis = basisOf(flights)
  for (const groupBy of groupings) {
    const query = new URLSearchParams({ ...scope, groupBy, top: '500' })
    const reply = await app.request('GET', `/api/v1/flights/summary?${query}`, { key: await reader.key() })
    assert.equal(reply.status, 200, reply.text)
    const { total, groups, planned } = reply.json.data
    const shown = groupsOf(basis.flights, 'flights', groupBy, whose)
    assert.deepEqual(
      withoutNames(groups),
      withoutNames(shown.map(({ size: _size, ...group }) => group)),
      groupBy,
    )
    assert.deepEqual(
      [total.count, total.estimatedSeconds, total.unknownFlights, planned],
      [basis.flights.length, basis.estimatedSeconds, basis.unknownFlights, basis.upcoming],
    )
  }
}

/** The page has names of its own for some; the order of equal groups is not compared. */
const withoutNames = (groups: readonly { key: string | null; name?: string }[]) =>
  groups
    .map(({ name: _name, ...group }) => group)
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

interface Tallied {
  code: string
  count: number
}

const isCounted = (reader: TestPerson, { scope, userId = reader.id }: Audience) =>
  scope === 'all' ? () => true : ({ user }: { user: string | null }) => user === userId

async function readPage(app: TestApp, reader: TestPerson, scope: Audience) {
  const query = new URLSearchParams({ ...scope })
  const reply = await app.request('GET', `/app/api/log?${query}`, { cookie: await reader.session() })
  assert.equal(reply.status, 200, reply.text)
  // Read field by field, as large logs are: every figure must hold for such flights.
  const flights = flightsOf(unpackLog(packLog(reply.json.data)), app.clock.now())
  return {
    flights,
    figures: pageFigures(flights, scope, reader.id),
    insights: pageInsights(flights, app.clock.now()),
  }
}

async function readStats(app: TestApp, reader: TestPerson, scope: Audience) {
  const query = new URLSearchParams({ ...scope })
  const reply = await app.request('GET', `/api/v1/stats?${query}`, { key: await reader.key() })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

const place = ({ id, name, icao, iata }: Place) => ({ id, name, icao, iata })
const aircraftType = ({ id, name, icao = null }: Named) => ({ id, name, icao })
const carrier = ({ id, name, icao = null, iata = null }: Named) => ({ id, name, icao, iata })

const top = <Item, Shown>(list: readonly Counted<Item>[], show: (item: Item) => Shown, most = 25) =>
  ranked(list, 'count')
    .slice(0, most)
    .map(({ item, count }) => ({ ...show(item), count }))
const first = <Item, Shown>(list: readonly Counted<Item>[], show: (item: Item) => Shown) =>
  top(list, show, 1)[0] ?? null
const ranking = <Item, Shown>(list: readonly Counted<Item>[], show: (item: Item) => Shown, most = 25) => ({
  count: list.length,
  top: top(list, show, most),
})

const sum = ({ count, distanceKm, seconds }: Amount) => ({
  flights: count,
  distanceKm: Math.round(distanceKm),
  durationSeconds: seconds,
})

const held = (flight: StatFlight | null) =>
  flight && {
    id: flight.id,
    date: flight.date,
    from: flight.from && place(flight.from),
    to: flight.to && place(flight.to),
    distanceKm: flight.distanceKm === null ? null : Math.round(flight.distanceKm),
    durationSeconds: flight.durationEstimated ? null : flight.duration,
  }

/** The page's figures in the API's shape; what the page shows in another way is compared separately. */
function documentFrom({ totals, records, cabin, ...figures }: Figures) {
  return {
    flights: totals.flights,
    distanceKm: Math.round(totals.distanceKm),
    durationSeconds: totals.seconds,
    durationEstimatedSeconds: totals.estimatedSeconds,
    airports: totals.airports,
    domestic: totals.domestic,
    international: totals.international,
    topAirline: first(figures.airlines, carrier),
    topAircraft: first(figures.aircraft, aircraftType),
    countries: ranking(figures.countries, (code) => ({ code }), 300),
    airlines: ranking(figures.airlines, carrier),
    aircraft: ranking(figures.aircraft, aircraftType),
    registrations: ranking(figures.registrations, (registration) => ({ registration })),
    routes: ranking(figures.routes, ({ a, b }) => ({ from: place(a), to: place(b) })),
    byYear: figures.years.filter(({ count }) => count > 0).map((year) => ({ year: year.year, ...sum(year) })),
    byMonth: figures.months.map((amount, i) => ({ month: i + 1, ...sum(amount) })),
    byWeekday: figures.weekdays.map((amount, i) => ({ weekday: i + 1, ...sum(amount) })),
    byHour: figures.hours,
    classes: Object.fromEntries(cabin.classes),
    seats: Object.fromEntries(cabin.seats),
    reasons: Object.fromEntries(cabin.reasons),
    longest: held(records.longest),
    shortest: held(records.shortest),
    first: held(records.first),
    last: held(records.latest),
    co2: {
      kilograms: Math.round(figures.co2.kilograms),
      passengers: figures.co2.passengers,
      unknownPassengers: figures.co2.unknown,
    },
  }
}

/** What the top of the page shows, in the API's shape. */
function leadingFrom({ change, punctuality, night, streaks, firsts, badges }: Insights) {
  const part = ({ distanceKm, seconds, ...counts }: PartOfYear) => ({
    ...counts,
    distanceKm: Math.round(distanceKm),
    durationSeconds: seconds,
  })
  const short = (value: number) => Number(value < 90 ? value.toFixed(2) : value.toFixed(0))
  const { mostLate } = punctuality
  return {
    yearChange: change && {
      year: change.year,
      until: `${change.year}-${change.until}`,
      now: part(change.now),
      before: part(change.before),
    },
    punctuality: {
      ...punctuality,
      mostLate: mostLate && { ...held(mostLate), delayMinutes: mostLate.arrivalDelay },
    },
    night: {
      ...night,
      longest: night.longest && {
        ...held(night.longest.flight),
        nightSeconds: night.longest.nightSeconds,
      },
    },
    streaks,
    firsts: firsts
      .toReversed()
      .slice(0, 25)
      .map((first) => ({ kind: first.kind, ...nameOfFirst(first), flight: held(first.flight) })),
    badges: badges.map(({ kind, value, next, earned }) => ({
      kind,
      value: short(value),
      next: next === null ? null : short(next),
      earned: earned.map(({ level, flight }) => ({ level: short(level), flight: held(flight) })),
    })),
  }
}

function nameOfFirst(first: First) {
  if ('code' in first) return { code: first.code, name: null }
  const { name, iata, icao } = 'airport' in first ? first.airport : first.item
  return { code: iata ?? icao ?? null, name }
}

/** `GET /stats` has records of recorded durations alone; the page has estimates among them. */
function assertTimesRecorded(
  flights: readonly Flight[],
  {
    longest,
    shortest,
    recordFlights,
  }: Record<'longest' | 'shortest' | 'recordFlights', { byDuration: unknown }>,
): void {
  const timed = flights.filter(({ duration, durationEstimated }) => duration && !durationEstimated)
  const away = timed.filter(({ from, to }) => !from || from.id !== to?.id)
  const seconds = (list: readonly Flight[]) => list.map(({ duration }) => duration!)
  assert.ok(timed.length > 5 && timed.length < flights.length)
  assert.partialDeepStrictEqual(
    { longest: longest.byDuration, shortest: shortest.byDuration, flights: recordFlights.byDuration },
    {
      longest: { durationSeconds: Math.max(...seconds(timed)) },
      shortest: { durationSeconds: Math.min(...seconds(away)) },
      flights: timed.length,
    },
  )
}

// Other figures of the page, counted here from its flights by plain loops.

function arrivalsByHand(flights: readonly Flight[]) {
  const delays = flights.flatMap(({ arrivalDelay }) => (arrivalDelay === undefined ? [] : [arrivalDelay]))
  assert.ok(
    delays.length > 5 && delays.some((minutes) => minutes > 14) && delays.some((minutes) => minutes < 0),
  )
  const sum = delays.reduce((total, minutes) => total + minutes, 0)
  return {
    flights: delays.length,
    onTime: delays.filter((minutes) => minutes < 15).length,
    averageMinutes: Math.round(sum / delays.length),
  }
}

function yearChangeByHand(flights: readonly Flight[], now: number) {
  const today = new Date(now).toISOString().slice(0, 10)
  const year = Number(today.slice(0, 4))
  const part = (of: number) => {
    const end = `${of}${today.slice(4)}`
    const flown = flights.filter(({ date, datePrecision }) => {
      if (!date.startsWith(String(of)) || datePrecision === 'year') return false
      return datePrecision === 'month' ? date.slice(0, 7) < end.slice(0, 7) : date <= end
    })
    const ends = flown.flatMap(({ from, to }) => [from, to].filter((place) => place !== null))
    return {
      flights: flown.length,
      distanceKm: Math.round(flown.reduce((sum, { distanceKm }) => sum + (distanceKm ?? 0), 0)),
      durationSeconds: flown.reduce((sum, { duration }) => sum + (duration ?? 0), 0),
      airports: new Set(ends.map(({ id }) => id)).size,
      countries: new Set(ends.map(({ country }) => country)).size,
    }
  }
  return { year, until: today, now: part(year), before: part(year - 1) }
}

/** The API also counts the passengers of whom nothing is known. */
function withoutUnknown(tally: Record<string, number>, travellers: number): Record<string, number> {
  const { unknown = 0, ...known } = tally
  const all = Object.values(known).reduce((count, more) => count + more, unknown)
  assert.equal(all, travellers, 'every passenger is counted once')
  return known
}

function topDirection(flights: readonly Flight[]) {
  const counts = new Map<string, { from: object; to: object; count: number }>()
  for (const { from, to } of flights.toSorted((x, y) => x.id - y.id)) {
    if (!from || !to) continue
    const key = `${from.id} ${to.id}`
    counts.set(key, { from: place(from), to: place(to), count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()].reduce((best, one) => (one.count > best.count ? one : best))
}

/** Both ends of each flight count, also those of a round flight. */
function mostEnds(flights: readonly Flight[]): number {
  const counts = new Map<number, number>()
  for (const id of flights.flatMap(({ from, to }) => [from?.id, to?.id]))
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1)
  return Math.max(...counts.values())
}

function continentTally(flights: readonly Flight[]): Record<string, number> {
  const tally: Record<string, number> = {}
  for (const { from, to } of flights) {
    for (const code of new Set([from?.continent, to?.continent]))
      if (code) tally[code] = (tally[code] ?? 0) + 1
  }
  return tally
}

// The published factors (docs/decisions/018), written a second time: the page and the API share theirs.
const factors: Record<string, Record<string, number>> = {
  within: { average: 0.22928 },
  short: { average: 0.12786, economy: 0.12576, business: 0.18863 },
  long: { average: 0.15282, economy: 0.11704, 'economy+': 0.18726, business: 0.3394, first: 0.46814 },
  outside: { average: 0.14253, economy: 0.10916, 'economy+': 0.17465, business: 0.31656, first: 0.43663 },
}
const british = ['GB', 'IM']
const nearBritain = ['DK', 'NO']
const unlisted = ['SJ', 'WS']

function factorsFor(countries: string[]) {
  const abroad = countries.filter((code) => !british.includes(code))
  if (abroad.length === 2) return factors['outside']
  if (abroad.length === 0) return factors['within']
  if (unlisted.includes(abroad[0]!)) return undefined
  return factors[nearBritain.includes(abroad[0]!) ? 'short' : 'long']
}

function emissionsByHand(
  flights: readonly Flight[],
  isCountedHere: (passenger: { user: string | null }) => boolean,
) {
  const sum = { kilograms: 0, passengers: 0, unknownPassengers: 0 }
  for (const { from, to, distanceKm, passengers } of flights) {
    for (const { seatClass } of passengers.filter(isCountedHere)) {
      const found = from && to && distanceKm ? factorsFor([from.country, to.country]) : undefined
      if (!found || seatClass === 'private') sum.unknownPassengers++
      else {
        sum.passengers++
        sum.kilograms += distanceKm! * (found[seatClass ?? 'average'] ?? found['average']!)
      }
    }
  }
  assert.ok(sum.passengers > 0 && sum.unknownPassengers > 0)
  return { ...sum, kilograms: Math.round(sum.kilograms) }
}

/** The page writes its sums with the browser's formatter: it must round as the API does. */
function assertShownAlike(stats: { distanceKm: number; byYear: { distanceKm: number }[] }, figures: Figures) {
  const { format } = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
  assert.equal(format(figures.totals.distanceKm), format(stats.distanceKm))
  const flown = figures.years.filter(({ count }) => count > 0)
  assert.deepEqual(
    flown.map(({ distanceKm }) => format(distanceKm)),
    stats.byYear.map(({ distanceKm }) => format(distanceKm)),
  )
}

// The log

/** Around the test's present, on few enough routes that there are ties and ways back. */
async function generateLog(app: TestApp, who: TestPerson, other: TestPerson, size: number, seed: number) {
  const random = randomNumbers(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <Item>(list: readonly Item[]): Item => list[below(list.length)]!
  const airports = await airportIds(app, ...codes)
  const some = async (table: string) =>
    (await app.store.read.query(`select id from ${table} order by id limit 4`, [])).map((row) => row['id'])
  const [airlines, types] = [
    [null, ...(await some('airline'))],
    [null, ...(await typesOfAllClasses(app))],
  ]
  const bodies = Array.from({ length: size }, () => {
    const leaves = app.clock.now() + (below(4000) - 3200) * DAY + below(1440) * MINUTE
    const took = below(900) * MINUTE
    const at = (ms: number) => new Date(ms).toISOString()
    const day = at(leaves).slice(0, 10)
    const times = pick([
      { date: day, departure: at(leaves), arrival: at(leaves + took) },
      { date: day, departure: at(leaves), duration: took / 1000 },
      { date: day, departureScheduled: at(leaves), landingActual: at(leaves + took) },
      {
        date: day,
        departure: at(leaves),
        arrival: at(leaves + took),
        departureScheduled: at(leaves - 70 * MINUTE),
        arrivalScheduled: at(leaves + took + (below(90) - 60) * MINUTE),
      },
      { date: day, departure: at(leaves) },
      { date: day },
      { date: day, duration: 0 },
      { date: `${day.slice(0, 7)}-01`, datePrecision: 'month' },
      { date: `${day.slice(0, 4)}-01-01`, datePrecision: 'year', duration: took / 1000 },
    ])
    const passenger = () => ({
      seat: pick([null, ...seats]),
      seatClass: pick([null, ...seatClasses]),
      flightReason: pick([null, ...flightReasons]),
    })
    const company = [
      { userId: other.id, ...passenger() },
      { guestName: 'Guest', ...passenger() },
    ]
    return {
      ...times,
      fromId: pick(airports),
      toId: pick(airports),
      airlineId: pick(airlines),
      aircraftId: pick(types),
      aircraftReg: pick([null, 'OY-KBO', 'oy-kbo', 'N1', 'D-AIMA']),
      outcome: pick(['flown', 'flown', 'flown', 'cancelled', 'diverted']),
      passengers: [{ userId: who.id, ...passenger() }, ...company.slice(below(3))],
    }
  })
  const ids: number[] = []
  for (let i = 0; i < size; i += 20) {
    const logged = await Promise.all(bodies.slice(i, i + 20).map((body) => logFlight(app, who, body)))
    ids.push(...logged.map(({ id }) => id))
  }
  await forgetAirports(app, ids)
}

const typesOfAllClasses = async (app: TestApp) => {
  const rows = await app.store.read.query('select class, min(id) as id from aircraft group by class', [])
  assert.deepEqual(rows.map((row) => row['class'] ?? 'none').sort(), ['none', ...aircraftClasses].sort())
  return rows.map((row) => Number(row['id']))
}

/** No request can leave an airport out, but old data has such flights: one end or both are gone. */
async function forgetAirports(app: TestApp, ids: readonly number[]) {
  const every = (step: number, start: number) => ids.filter((_, i) => i % step === start).join(', ')
  await app.store.transaction(async (tx) => {
    await tx.query(`update flight set from_id = null where id in (${every(17, 3)})`, [])
    await tx.query(`update flight set to_id = null where id in (${every(19, 3)}, ${every(51, 3)})`, [])
  })
}

function randomNumbers(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
