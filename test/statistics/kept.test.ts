// Statistics come from a log that is cached in memory and follows the changes. After every step of a random history they
// equal the statistics of a fresh read of the store. Each history is made from a seed; STATISTICS_HISTORIES is their
// number, and STATISTICS_SEED repeats one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { legacyEstimatedSeconds } from '../../server/domain/flights/duration.ts'
import { completionInstant } from '../../server/domain/flights/flight.ts'
import { sphericalMetres } from '../../server/domain/geo/geo.ts'
import { statisticsDocument } from '../../server/domain/statistics/document.ts'
import type { StatFlight } from '../../server/domain/statistics/flights.ts'
import { groupFlights, sumsOf } from '../../server/domain/statistics/groups.ts'
import { utcDate } from '../../server/domain/time/calendar.ts'
import { DAY } from '../../server/domain/time/durations.ts'
import { measures as v1 } from '../../server/operations/statistics/counted-flights.ts'
import { createReference } from '../../server/services/reference/reference.ts'
import { createKeptLogs } from '../../server/services/statistics/kept-logs.ts'
import { type Measures, statFlight, zoneOf } from '../../server/services/statistics/stat-flight.ts'
import { readAllRevisions, writeRestoredRevisions } from '../../server/store/engine/revisions.ts'
import { type LogFlight, listLog } from '../../server/store/flights/log.ts'
import { forgetTombstones } from '../../server/store/history/changes.ts'
import { airportIds } from '../fixtures.ts'
import { createRandom, onBothEngines, type TestApp, type TestPerson } from '../harness.ts'
import { draftOf, seedImport } from '../imports/seed.ts'
import { isLong } from '../rounds.ts'

const HISTORIES = Number(process.env['STATISTICS_HISTORIES'] ?? (isLong ? 40 : 2))
const ONLY_SEED = process.env['STATISTICS_SEED']
const STEPS = 24

type Random = ReturnType<typeof createRandom>

interface Cast {
  people: TestPerson[]
  keys: string[]
  /** May read everyone's flights. */
  chief: string
  /** With a new session at each time, because the clock advances by months. */
  owner: TestPerson
  airports: number[]
  /** A role that is changed from time to time. */
  custom: number
  place: object
  airlines: number[]
  /** Ids of all flights that were ever logged, and of imports. */
  ids: number[]
  imports: { id: number; key: string }[]
}

const ownAirport = {
  name: 'Own field',
  latitude: 1,
  longitude: 2,
  timezone: 'UTC',
  continent: 'EU',
  country: 'DK',
}

async function createCast(app: TestApp, owner: TestPerson, seed: number): Promise<Cast> {
  const people = [await app.person(), await app.person(), await app.person()]
  const keys = await Promise.all(people.map((person) => person.key()))
  const chief = await (await app.person('role-administrator')).key()
  const place = { ...ownAirport, icao: `ZZ${seed}` }
  const made = await app.request('POST', '/app/api/airports', { cookie: await owner.session(), body: place })
  assert.equal(made.status, 201, made.text)
  const custom: number = made.json.data.id
  const airports = [...(await airportIds(app, 'CPH', 'JFK', 'HND', 'SYD', 'OSL', 'GRU')), custom]
  const found = await app.request('GET', '/api/v1/airlines?query=air', { key: chief })
  const airlines = found.json.data.slice(0, 4).map(({ id }: { id: number }) => id)
  return { people, keys, chief, owner, place, airports, custom, airlines, ids: [], imports: [] }
}

// What happens

/** A date between long ago and some weeks ahead of the clock. */
function aDate(app: TestApp, random: Random): string {
  const back = random.below(3) === 0 ? random.below(60) - 45 : random.below(12_000)
  return utcDate(app.clock.now() - back * DAY)
}

function aFlight(app: TestApp, cast: Cast, random: Random, who: number): object {
  const date = aDate(app, random)
  const isTimed = random.below(2) === 0
  return {
    date,
    ...(isTimed
      ? { departure: `${date}T0${random.below(9)}:10:00Z`, arrival: `${date}T1${random.below(9)}:40:00Z` }
      : { datePrecision: random.pick(['day', 'day', 'month', 'year']) }),
    fromId: random.pick(cast.airports),
    toId: random.pick(cast.airports),
    airlineId: random.pick([...cast.airlines, null]),
    aircraftReg: random.pick(['OY-KBO', 'oy-kal', null]),
    outcome: random.below(8) === 0 ? 'cancelled' : 'flown',
    passengers: cast.people
      .filter((_, i) => i === who || random.below(2) === 0)
      .map(({ id }) => ({ userId: id, seatClass: random.pick(['economy', 'business']) })),
  }
}

/** An action that may change statistics. A refused one changes nothing. */
async function takeStep(app: TestApp, cast: Cast, random: Random): Promise<string> {
  const who = random.below(cast.people.length)
  const key = cast.keys[who]!
  const send = async (method: string, path: string, body?: object) => {
    const reply = await app.request(method, `/api/v1${path}`, { key, ...(body ? { body } : {}) })
    assert.ok(reply.status < 500, `${method} ${path}: ${reply.text}`)
    return reply
  }
  const id = cast.ids.length > 0 ? random.pick(cast.ids) : 1
  const actions: Record<string, () => Promise<unknown>> = {
    async log() {
      const { status, json, text } = await send('POST', '/flights', aFlight(app, cast, random, who))
      assert.equal(status, 201, text)
      cast.ids.push(json.data.id)
    },
    edit: () => send('PUT', `/flights/${id}`, aFlight(app, cast, random, who)),
    move: () => send('PATCH', `/flights/${id}`, { date: aDate(app, random) }),
    delete: () => send('DELETE', `/flights/${id}`),
    destroy: () => send('DELETE', `/flights/${id}?permanently=true`),
    restore: () => send('POST', `/flights/${id}/restore`),
    async undo() {
      const [newest] = (await send('GET', '/history?limit=1')).json.data
      if (newest) await send('POST', '/history/undo', { changeId: newest.changeId })
    },
    async import() {
      const rows = Array.from({ length: 1 + random.below(30) }, () => ({
        draft: draftOf(cast.people[who]!.id, {
          date: aDate(app, random),
          fromId: random.pick(cast.airports),
          toId: random.pick(cast.airports),
        }),
      }))
      const made = await seedImport(app.store, cast.people[who]!.id, { rows, now: app.clock.now() })
      assert.equal((await send('POST', `/imports/${made}/commit`)).status, 200)
      cast.imports.push({ id: made, key })
    },
    async undoImport() {
      const one = cast.imports.pop()
      if (one) await app.request('POST', `/api/v1/imports/${one.id}/undo`, { key: one.key })
    },
    role: async () =>
      app.request('PUT', `/app/api/users/${cast.people[who]!.id}/role`, {
        cookie: await cast.owner.session(),
        body: { roleId: random.pick(['role-user', 'role-administrator']) },
      }),
    async airport() {
      const place = { latitude: random.below(80), country: random.pick(['DK', 'US', 'NZ']) }
      const body = { ...cast.place, ...place, timezone: random.pick(['UTC', 'Pacific/Auckland']) }
      const cookie = await cast.owner.session()
      const reply = await app.request('PUT', `/app/api/airports/${cast.custom}`, { cookie, body })
      assert.equal(reply.status, 200, reply.text)
    },
    async later() {
      app.clock.advance(random.below(25) * DAY + random.below(DAY))
    },
    async earlier() {
      app.clock.advance(-random.below(10) * DAY)
    },
    /** The removal is deleted before anyone has read it. */
    async forget() {
      await actions['destroy']!()
      app.clock.advance(1)
      const before = new Date(app.clock.now()).toISOString()
      await app.store.transaction((tx) => forgetTombstones(tx, before))
    },
    /** As after a restore: other contents, and change numbers without a meaning. */
    restoreBackup: () =>
      app.store.transaction(async (tx) => {
        await tx.query(`update flight set duration = ${1 + random.below(50_000)}`, [])
        await writeRestoredRevisions(tx, await readAllRevisions(tx), app.clock.now())
      }),
  }
  const often = ['log', 'log', 'edit', 'edit', 'move', 'delete', 'restore', 'later']
  const name = random.pick([...often, ...Object.keys(actions)])
  await actions[name]!()
  return name
}

// What is expected

const legacy: Measures = {
  name: 'legacy',
  distanceOf: (from, to) => sphericalMetres(from, to) / 1000,
  estimate: legacyEstimatedSeconds,
}

type Counts = (flight: LogFlight) => boolean
const takesPlace: Counts = ({ outcome }) => outcome !== 'cancelled'

/** Reads everything again from the database, and counts nothing in parts. */
async function freshFigures(
  app: TestApp,
  audience: string | null,
  measures: Measures,
  counts: Counts,
): Promise<StatFlight[]> {
  const flights = (await listLog(app.store.read, audience)).filter(counts)
  const records = await createReference().records(app.store.read, 0, {
    airports: flights.flatMap(({ fromId, toId }) => [fromId, toId]),
    airlines: flights.map(({ airlineId }) => airlineId),
    aircraft: flights.map(({ aircraftId }) => aircraftId),
  })
  return flights
    .filter((flight) => completionInstant(flight, zoneOf(records, flight.fromId)) < app.clock.now())
    .map((flight) => statFlight(flight, records, measures))
}

async function assertStatistics(
  app: TestApp,
  ask: { key: string; query?: string; audience: string | null; path?: string },
  counts: Counts,
  after: string,
): Promise<void> {
  const { key, query = '', audience, path = '/api/v1/stats' } = ask
  const reply = await app.request('GET', `${path}${query}`, { key })
  assert.equal(reply.status, 200, reply.text)
  const { co2, ...shown } = reply.json.data ?? reply.json.stats
  const figures = await freshFigures(app, audience, path === '/api/stats' ? legacy : v1, counts)
  const document = statisticsDocument(figures, audience, utcDate(app.clock.now()))
  const { co2: expectedCo2, ...expected } = JSON.parse(JSON.stringify(document))
  assert.deepEqual(shown, expected, `${path}${query} after ${after}`)
  const { kilograms, passengers, unknownPassengers } = co2
  assert.deepEqual({ kilograms, passengers, unknownPassengers }, expectedCo2, after)
}

async function assertSums(app: TestApp, key: string, audience: string, after: string): Promise<void> {
  const reply = await app.request('GET', '/api/v1/flights/summary?groupBy=airport&top=500', { key })
  assert.equal(reply.status, 200, reply.text)
  const figures = await freshFigures(app, audience, v1, takesPlace)
  assert.deepEqual(reply.json.data.total, sumsOf(figures), after)
  const groups = groupFlights(figures, 'airport', audience).filter(({ key: code }) => code !== null)
  const shown = reply.json.data.groups.filter(({ key: code }: { key: string | null }) => code !== null)
  assert.deepEqual(shown, JSON.parse(JSON.stringify(groups)), after)
}

async function assertAll(app: TestApp, cast: Cast, after: string): Promise<void> {
  const nineties = '?dateFrom=1995-01-01&dateTo=2009-12-31'
  const inNineties: Counts = (flight) =>
    takesPlace(flight) && flight.date >= '1995-01-01' && flight.date <= '2009-12-31'
  const isCancelled: Counts = (flight) => !takesPlace(flight)
  const [ada, bob] = [cast.people[0]!.id, cast.people[1]!.id]
  const [adas, bobs] = [cast.keys[0]!, cast.keys[1]!]
  await Promise.all([
    assertStatistics(app, { key: adas, audience: ada }, takesPlace, after),
    assertStatistics(app, { key: bobs, audience: bob }, takesPlace, after),
    assertStatistics(app, { key: adas, audience: ada, path: '/api/stats' }, takesPlace, after),
    assertStatistics(app, { key: adas, audience: ada, query: nineties }, inNineties, after),
    assertStatistics(app, { key: bobs, audience: bob, query: '?outcome=cancelled' }, isCancelled, after),
    assertStatistics(app, { key: cast.chief, audience: null, query: '?scope=all' }, takesPlace, after),
    assertStatistics(
      app,
      { key: cast.chief, audience: ada, query: `?scope=user&userId=${ada}` },
      takesPlace,
      after,
    ),
    assertSums(app, adas, ada, after),
  ])
}

async function runHistory(app: TestApp, owner: TestPerson, seed: number): Promise<void> {
  const random = createRandom(seed)
  const cast = await createCast(app, owner, seed)
  // In every second history there is hardly room for one log, so that logs are evicted and read again.
  app.services.keptLogs = createKeptLogs(app.services.reference, seed % 2 === 0 ? 260 : undefined)
  const steps: string[] = []
  for (let i = 0; i < STEPS; i++) {
    steps.push(await takeStep(app, cast, random))
    if (random.below(4) > 0) await assertAll(app, cast, `seed ${seed}: ${steps.join(', ')}`)
  }
  await assertAll(app, cast, `seed ${seed}: ${steps.join(', ')}`)
}

onBothEngines('statistics from a kept log', (app, engine) => {
  // A cached log follows changes alike on both engines; one history shows that it receives them.
  const count = engine === 'sqlite' ? HISTORIES : Math.ceil(HISTORIES / 2)
  test(`cached statistics equal a fresh read after every step of ${count} histories`, async () => {
    const seeds = ONLY_SEED ? [Number(ONLY_SEED)] : Array.from({ length: count }, (_, i) => i + 1)
    const owner = await app().person('owner')
    for (const seed of seeds) await runHistory(app(), owner, seed)
  })
})
