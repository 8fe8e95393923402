// The process is killed during writes. Afterwards confirmed writes exist, unconfirmed ones exist completely or not at all,
// and the revision counters agree with the data. 200 rounds with `npm run test:faults`.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createLogger } from '../../server/base/log.ts'
import type { Executor } from '../../server/store/engine/engine.ts'
import { openStore } from '../../server/store/store.ts'
import { createRandom, type EngineName, freshDatabase, startTestApp, type TestApp } from '../harness.ts'
import { connect, fromManyAddresses, refreshExchange } from '../oauth/browser.ts'
import { isLong } from '../rounds.ts'
import { until } from '../until.ts'
import { type Database as Place, startServer, tryAsking } from './processes.ts'

/** The file of SQLite must survive a second kill too; PostgreSQL itself is not killed here. */
const roundsOn = (engine: EngineName) =>
  Number(process.env['FAULT_ROUNDS'] ?? (isLong ? 200 : engine === 'sqlite' ? 2 : 1))
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000)
const WRITERS = 6
/** The harness uses the same ORIGIN, and tokens are bound to it. */
const SETTINGS = { ADDRESS_HEADER: 'x-client-address', ORIGIN: 'http://localhost:3000' }
const REFRESHERS = 3
/** Killed after at most this many responses, and then this many milliseconds. */
const ANSWERS = 60
const MOMENT_MS = 15

type Random = ReturnType<typeof createRandom>

/** The expected state of a flight; its note is different in every version. */
interface Version {
  note: string
  date: string
  passengers: number
}
interface KnownFlight {
  id: number
  /** Undefined once it is deleted. */
  now: Version | undefined
}
/** A write without a response: it may or may not have happened. */
interface Doubt {
  flight: KnownFlight | undefined
  before: Version | undefined
  after: Version | undefined
}
interface Grant {
  fields: Record<string, string | undefined>
  token: string
  /** The last exchange got no response, so this token may have been used. */
  inDoubt: boolean
}

interface Scene {
  place: Place
  random: Random
  key: string
  userIds: string[]
  airports: number[]
  flights: KnownFlight[]
  grants: Grant[]
  /** Writes that certainly happened. */
  written: number
  versions: number
}

async function createScene(engine: EngineName, place: Place): Promise<Scene> {
  const app = await startTestApp(engine, { ...place, ...fromManyAddresses })
  app.clock.set(Date.now())
  const [ada, bob] = [await app.person(), await app.person()]
  const scene: Scene = {
    place,
    random: createRandom(SEED + (engine === 'sqlite' ? 0 : 1)),
    key: await ada.key(),
    userIds: [ada.id, bob.id],
    airports: [await app.airportId('CPH'), await app.airportId('OSL')],
    flights: [],
    grants: await createGrants(app, REFRESHERS + roundsOn(engine) / 2),
    written: 0,
    versions: 0,
  }
  await app.close()
  return scene
}

async function createGrants(app: TestApp, count: number): Promise<Grant[]> {
  const grants: Grant[] = []
  for (let i = 0; i < count; i++) {
    const { flow, tokens } = await connect(app)
    grants.push({ fields: refreshExchange(flow, ''), token: tokens.refresh_token, inDoubt: false })
  }
  return grants
}

function newVersion(scene: Scene): { version: Version; body: object } {
  const { random, userIds, airports } = scene
  const guests = Array.from({ length: random.below(3) }, (_, i) => ({ guestName: `Guest ${i}` }))
  const users = random.below(2) ? userIds : userIds.slice(0, 1)
  const passengers = [...users.map((userId) => ({ userId })), ...guests]
  const note = `version ${scene.versions++} ${'x'.repeat(random.below(3000))}`
  const date = `20${10 + random.below(20)}-0${1 + random.below(9)}-1${random.below(10)}`
  return {
    version: { note, date, passengers: passengers.length },
    body: { date, fromId: airports[0], toId: airports[1], note, passengers },
  }
}

/** One writer with its own flights, one write after the other, until the server is killed. */
async function write(scene: Scene, url: string, mine: KnownFlight[]): Promise<Doubt | undefined> {
  for (;;) {
    const alive = mine.filter((flight) => flight.now)
    const kind = alive.length < 3 ? 'POST' : scene.random.pick(['POST', 'PUT', 'PUT', 'DELETE'])
    const flight = kind === 'POST' ? undefined : scene.random.pick(alive)
    const { version, body } = newVersion(scene)
    const wanted = kind === 'DELETE' ? undefined : version
    const path = flight ? `/api/v1/flights/${flight.id}` : '/api/v1/flights'
    const reply = await tryAsking(url, kind, path, scene.key, kind === 'DELETE' ? undefined : body)
    if (!reply) return { flight, before: flight?.now, after: wanted }
    assert.ok(reply.status < 300, `${kind} ${reply.status} ${reply.text}`)
    scene.written++
    if (flight) flight.now = wanted
    else {
      const added: KnownFlight = { id: JSON.parse(reply.text).data.id, now: wanted }
      mine.push(added)
      scene.flights.push(added)
    }
  }
}

let addresses = 0

/** Uses its refresh token repeatedly; false once the grant is revoked, which only an exchange without a response can cause. */
async function refresh(url: string, grant: Grant): Promise<boolean> {
  for (;;) {
    const fields = Object.entries({ ...grant.fields, refresh_token: grant.token })
    const form = new URLSearchParams(fields.filter((pair): pair is [string, string] => pair[1] !== undefined))
    addresses++
    const headers = { 'x-client-address': `203.0.${addresses >> 8}.${addresses & 255}` }
    let reply: { status: number; body: { refresh_token: string; error?: string } }
    try {
      const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body: form, headers })
      reply = { status: answer.status, body: (await answer.json()) as typeof reply.body }
    } catch {
      grant.inDoubt = true
      return true
    }
    if (grant.inDoubt && reply.status === 400) {
      assert.equal(reply.body.error, 'invalid_grant')
      return false
    }
    assert.equal(reply.status, 200, `a confirmed token was revoked: ${JSON.stringify(reply.body)}`)
    grant.token = reply.body.refresh_token
    grant.inDoubt = false
  }
}

async function runRound(scene: Scene): Promise<void> {
  const server = await startServer(scene.place, SETTINGS)
  const shares = Array.from({ length: WRITERS }, (_, w) =>
    scene.flights.filter((flight) => flight.now && flight.id % WRITERS === w).slice(-30),
  )
  const writing = Promise.all(shares.map((mine) => write(scene, server.url, mine)))
  const spending = scene.grants.slice(0, REFRESHERS)
  const refreshing = Promise.all(spending.map((grant) => refresh(server.url, grant)))
  const enough = scene.written + scene.random.below(ANSWERS)
  await Promise.race([until(`${enough} writes are confirmed`, () => scene.written >= enough), writing])
  await wait(scene.random.below(MOMENT_MS))
  await server.stop('SIGKILL')
  const doubts = (await writing).filter((doubt) => doubt !== undefined)
  const alive = await refreshing
  scene.grants = scene.grants.filter((_, i) => i >= REFRESHERS || alive[i])
  const output = server.output()
  assert.ok(!output.includes('"level":"error"'), output)

  const store = await openStore(scene.place, createLogger('silent'))
  try {
    await settle(store.read, scene, doubts)
    await requireWhole(store.read, scene)
  } finally {
    await store.close()
  }
}

const rows = (db: Executor, sql: string) => db.query(sql, [])

/** Checks the writes without a response: done or not done, never in between. */
async function settle(db: Executor, scene: Scene, doubts: Doubt[]): Promise<void> {
  const found = await rows(db, 'select id, note from flight')
  const noteOf = new Map(found.map((row) => [row['id'] as number, row['note'] as string]))
  const idOf = new Map(found.map((row) => [row['note'] as string, row['id'] as number]))
  for (const { flight, before: was, after: wanted } of doubts) {
    if (!flight) {
      const id = idOf.get(wanted!.note)
      if (id === undefined) continue
      scene.flights.push({ id, now: wanted })
      scene.written++
    } else if (noteOf.get(flight.id) !== was!.note) {
      flight.now = wanted
      scene.written++
    }
  }
}

async function requireWhole(db: Executor, scene: Scene): Promise<void> {
  if (db.kind === 'sqlite') {
    assert.deepEqual(await rows(db, 'pragma integrity_check'), [{ integrity_check: 'ok' }])
    assert.deepEqual(await rows(db, 'pragma foreign_key_check'), [])
  }
  const stored = await rows(
    db,
    `select flight.id, flight.note, flight.date, count(passenger.id) as passengers from flight
     left join flight_passenger as passenger on passenger.flight_id = flight.id
       and passenger.flight_date = flight.date
     group by flight.id, flight.note, flight.date order by flight.id`,
  )
  const expected = scene.flights
    .filter((flight) => flight.now)
    .map(({ id, now }) => ({ id, note: now!.note, date: now!.date, passengers: now!.passengers }))
    .sort((a, b) => a.id - b.id)
  assert.deepEqual(
    stored.map((row) => ({ ...row })),
    expected,
  )
  const strays = await rows(
    db,
    `select passenger.id from flight_passenger as passenger left join flight on flight.id = passenger.flight_id
     where flight.id is null or flight.date <> passenger.flight_date`,
  )
  assert.deepEqual(strays, [])
  const [counter] = await rows(db, "select value from revision where name = 'changes'")
  assert.equal(counter?.['value'] ?? 0, scene.written, 'every write increments the counter exactly once')
  const doubled = await rows(
    db,
    '/* test */ select family from oauth_refresh_token where used_at is null group by family having count(*) > 1',
  )
  assert.deepEqual(doubled, [])
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`kills during writes on ${engine}`, () => {
    let scene: Scene
    let drop: () => Promise<void>
    before(async () => {
      const fresh = await freshDatabase(engine)
      drop = fresh.drop
      scene = await createScene(engine, { databaseUrl: fresh.databaseUrl, dataDir: fresh.dataDir })
    })
    after(() => drop?.())

    test(`${roundsOn(engine)} kills lose no data and leave nothing partial (seed ${SEED})`, async () => {
      for (let round = 0; round < roundsOn(engine); round++) await runRound(scene)
    })
  })
}
