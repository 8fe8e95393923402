// A day of a hosted service, compressed into minutes: many people with logs of very different lengths open the app, their
// programs follow changes, files are imported, webhooks sent, assistants call tools. Reports cores, memory, disk and the
// time of each kind.
//
// Arrivals are planned before and do not wait for each other: a server that falls behind is not spared requests, and a response's
// time counts from when it was due.
import { Agent, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createLogger } from '../server/base/log.ts'
import { seed } from '../server/process/seed.ts'
import { hashPassword } from '../server/services/accounts/passwords.ts'
import { openStore } from '../server/store/store.ts'
import type { Postgres } from '../test/postgres.ts'
import { insertPeople, insertSessions } from './data.ts'
import { fillLogs, NOW } from './fill.ts'
import { fileOf, importFile } from './imports.ts'
import { quantilesOf, type Request, type Response, send } from './load.ts'
import type { Measured } from './processes.ts'
import { createTable, type Table } from './report.ts'
import { anyLetters, bearer, callTool, json, sessionHeaders } from './requests.ts'
import { databaseBytes, type EngineName, type Place, postgresCpu, startContrail } from './subjects.ts'

interface Size {
  people: number
  flights: number
  minutes: number
}
interface Parts {
  postgres: Postgres
  scratch: string
  say(line: string): void
}

/** One person in a hundred has a long log; together they have a fifth of all flights. */
const LONG = { ofPeople: 0.01, ofFlights: 0.2 }
/** A log is stored in as many batches as people log over time. */
const IN_TURNS = 40
const PASSWORD = 'correct horse battery staple'
const IMPORTED_ROWS = 200
/** An instance sends to at most 50. */
const WEBHOOKS = 50
const SAMPLE_MS = 250
/** How many run concurrently on the day before. */
const VISITORS = 4
/** Of all clients together, as behind a load balancer. */
const CONNECTIONS = 64

interface Person {
  userId: string
  username: string
  key: string
  session: string
  flights: number
  /** The state of the person's programs and browser. */
  changes: string
  pageTag: string
  log: string
}

interface Kind {
  name: string
  /** Times a day, for each person. */
  perPerson: number
  run(world: World, person: Person, n: number): Promise<void>
}

interface World {
  server: Measured
  /** Throws if the response is not as expected. */
  ask(request: Request): Promise<Response>
}

export async function simulate(engine: EngineName, size: Size, parts: Parts): Promise<Table[]> {
  const place = await parts.postgres.place(engine, `simulation_${engine}`)
  const began = performance.now()
  const people = await fillPeople(place, size)
  parts.say(`\n${engine}: filled in ${Math.round((performance.now() - began) / 1000)} s`)
  const receiver = await startReceiver()
  const server = await startContrail(place)
  const world = createWorld(server)
  try {
    await addWebhooks(world, people, receiver.url)
    const evening = performance.now()
    await dayBefore(world, people)
    parts.say(`${engine}: the day before took ${Math.round((performance.now() - evening) / 1000)} s`)
    const bytesBefore = await databaseBytes(place)
    const day = await run(world, people, size, () => postgresCpu(parts.scratch))
    const bytes = [bytesBefore, await databaseBytes(place)]
    const found = { ...day, bytes, receiver }
    return [
      kindsTable(engine, day, parts.say),
      resourcesTable(engine, size, found, parts.say),
      estimateTable(engine, size, found, parts.say),
    ]
  } finally {
    await server.stop()
    await receiver.stop()
  }
}

/** An instance with people, their keys, sessions and logs. */
export async function fillPeople(
  place: Place,
  { people: count, flights }: Omit<Size, 'minutes'>,
): Promise<Person[]> {
  const log = createLogger('silent')
  const store = await openStore(place, log)
  await seed(store, log, new Date(NOW))
  const people = await insertPeople(store, count, await hashPassword(PASSWORD))
  const sessions = await insertSessions(
    store,
    people.map(({ userId }) => userId),
  )
  const sizes = logSizes(count, flights)
  const filled = people.map((person, i) => ({
    ...person,
    session: sessions[i]!,
    flights: sizes[i]!,
    changes: '',
    pageTag: '',
    log: '',
  }))
  await fillLogs(store, filled, { inTurns: IN_TURNS })
  await store.close()
  return filled
}

/** The first people have long logs, the others from one to eight units, most of them in between. */
function logSizes(people: number, flights: number): number[] {
  const long = Math.max(1, Math.round(people * LONG.ofPeople))
  const shares = Array.from({ length: people - long }, (_, i) => 1 + ((i * 7919) % 71) / 10)
  const sum = shares.reduce((all, share) => all + share, 0)
  const rest = flights * (1 - LONG.ofFlights)
  return [
    ...Array<number>(long).fill(Math.round((flights * LONG.ofFlights) / long)),
    ...shares.map((share) => Math.max(1, Math.round((share / sum) * rest))),
  ]
}

// Actions of people and programs

const get = (path: string, headers: Record<string, string>): Request => ({ method: 'GET', path, headers })
const post = (path: string, headers: Record<string, string>, body: unknown): Request => ({
  method: 'POST',
  path,
  headers: { ...headers, ...json },
  body: JSON.stringify(body),
})

async function openApp({ ask }: World, person: Person): Promise<void> {
  const headers = sessionHeaders(person.session)
  await ask(get('/app/api/me', headers))
  const since = person.log ? `?since=${person.log}` : ''
  const log = await ask(get(`/app/api/log${since}`, { ...headers, 'accept-encoding': 'identity' }))
  person.log = JSON.parse(log.bytes.toString()).data.token
  await ask(get('/app/api/notices', headers))
  await ask(get('/app/api/stats', headers))
}

/** Gives browsers and programs the state that they have on any day. Not measured. */
async function dayBefore(world: World, people: readonly Person[]): Promise<void> {
  const left = [...people]
  const visitor = async () => {
    for (let person = left.pop(); person; person = left.pop()) {
      await openApp(world, person)
      await sync(world, person)
    }
  }
  await Promise.all(Array.from({ length: VISITORS }, visitor))
}

function openNewBrowser(world: World, person: Person): Promise<void> {
  person.log = ''
  return openApp(world, person)
}

async function readPages({ ask }: World, { key }: Person): Promise<void> {
  const page = await ask(get('/api/v1/flights', bearer(key)))
  const [first] = JSON.parse(page.bytes.toString()).data
  await ask(get(`/api/v1/flights/${first.id}`, bearer(key)))
}

async function sync({ ask }: World, person: Person): Promise<void> {
  const headers = bearer(person.key)
  const since = person.changes ? `?since=${person.changes}` : '?include=ids&limit=1'
  const changes = JSON.parse((await ask(get(`/api/v1/changes${since}`, headers))).bytes.toString())
  person.changes = changes.sync.token
  const tag = person.pageTag ? { 'if-none-match': person.pageTag } : {}
  const page = await ask(get('/api/v1/flights', { ...headers, ...tag }))
  person.pageTag = page.headers.etag ?? person.pageTag
}

const legacyList = async ({ ask }: World, { key }: Person): Promise<void> =>
  void (await ask(get('/api/flight/list', { ...bearer(key), 'accept-encoding': 'gzip' })))

const searchAirports = async ({ ask }: World, { session }: Person, n: number): Promise<void> =>
  void (await ask(get(`/app/api/airports?query=${anyLetters(n).slice(0, 3)}`, sessionHeaders(session))))

const flight = (n: number) => ({
  date: new Date(Date.UTC(2026, 0, 1 + (n % 300))).toISOString().slice(0, 10),
  fromId: 2542,
  toId: 2578,
  flightNumber: `SK${n % 9000}`,
})

const create = async ({ ask }: World, { key }: Person, n: number): Promise<void> =>
  void (await ask(post('/api/v1/flights', bearer(key), flight(n))))

async function change({ ask }: World, { key }: Person, n: number): Promise<void> {
  const page = await ask(get('/api/v1/flights?limit=1', bearer(key)))
  const [{ id }] = JSON.parse(page.bytes.toString()).data
  const patch = post(`/api/v1/flights/${id}`, bearer(key), { note: `Changed ${n}` })
  await ask({ ...patch, method: 'PATCH' })
}

const importOne = ({ server }: World, person: Person, n: number): Promise<void> =>
  importFile(server, person, fileOf(IMPORTED_ROWS, n))

async function askAssistant({ ask }: World, { key }: Person, n: number): Promise<void> {
  const questions: [string, object][] = [
    ['find_flights', { airport: 'London', when: 'past', limit: 5 }],
    ['summarize_flights', { dateFrom: '2019-01-01', dateTo: '2019-12-31' }],
    ['find_flights', { when: 'upcoming', limit: 1 }],
  ]
  await ask(callTool(n, key, ...questions[n % questions.length]!))
}

const exportLog = async ({ ask }: World, { key }: Person): Promise<void> =>
  void (await ask(get('/api/v1/flights/export?format=csv', bearer(key))))

/** From separate addresses, because attempts are limited by address. */
const signIn = async ({ ask }: World, { username }: Person, n: number): Promise<void> => {
  const headers = {
    'sec-fetch-site': 'same-origin',
    'x-bench-address': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
  }
  await ask(post('/app/api/sign-in', headers, { username, password: PASSWORD }))
}

const CREATED = 'flight created'
export const kinds: Kind[] = [
  { name: 'app opened: person, log, notices, statistics', perPerson: 2, run: openApp },
  { name: 'app opened in a new browser: whole log', perPerson: 0.05, run: openNewBrowser },
  { name: 'a page of flights and one of them', perPerson: 1, run: readPages },
  { name: 'sync of a program: changes and a page', perPerson: 15, run: sync },
  { name: 'legacy program: whole list', perPerson: 0.2, run: legacyList },
  { name: 'airport search', perPerson: 1, run: searchAirports },
  { name: CREATED, perPerson: 0.3, run: create },
  { name: 'flight changed', perPerson: 0.1, run: change },
  { name: `import of ${IMPORTED_ROWS} rows`, perPerson: 0.01, run: importOne },
  { name: 'assistant: a question', perPerson: 0.5, run: askAssistant },
  { name: 'export', perPerson: 0.02, run: exportLog },
  { name: 'sign-in with a password', perPerson: 0.1, run: signIn },
]

// The day

interface Arrival {
  at: number
  kind: Kind
  person: Person
  n: number
}

/** Twice as many in the morning and in the evening as on average, almost none at night. */
const busyness = (ofDay: number): number =>
  0.1 +
  Math.max(0, Math.sin((ofDay - 0.2) * Math.PI * 1.5)) *
    (1 + 0.6 * Math.cos((ofDay - 0.45) * Math.PI * 5) ** 2)

/** The same day in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
}

function planDay(people: readonly Person[], ms: number): Arrival[] {
  const random = createRandom(18)
  const anyone = () => people[Math.floor(random() * people.length)]!
  const time = (): number => {
    for (;;) {
      const ofDay = random()
      if (random() * 1.8 < busyness(ofDay)) return ofDay * ms
    }
  }
  const arrivals = kinds.flatMap((kind) =>
    Array.from({ length: Math.round(kind.perPerson * people.length) }, (_, n) => ({
      at: time(),
      kind,
      person: anyone(),
      n,
    })),
  )
  return arrivals.sort((a, b) => a.at - b.at)
}

interface Day {
  seconds: number
  times: Map<string, number[]>
  failures: string[]
  requests: number
  cores: number
  databaseCores: number
  peakMb: number
}

async function run(
  world: World & { requests(): number },
  people: readonly Person[],
  size: Size,
  databaseCpu: () => number,
): Promise<Day> {
  const arrivals = planDay(people, size.minutes * 60_000)
  const times = new Map(kinds.map(({ name }) => [name, [] as number[]]))
  const failures: string[] = []
  const { server } = world
  const [began, cpu, database, asked] = [performance.now(), server.cpu(), databaseCpu(), world.requests()]
  let peakMb = 0
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, server.residentMb())
  }, SAMPLE_MS)
  const running: Promise<void>[] = []
  for (const { at, kind, person, n } of arrivals) {
    const early = began + at - performance.now()
    if (early > 1) await wait(early)
    const due = Math.min(performance.now(), began + at)
    running.push(
      kind.run(world, person, n).then(
        () => void times.get(kind.name)!.push(performance.now() - due),
        (error: Error) => void failures.push(`${kind.name}: ${error.message}`),
      ),
    )
  }
  await Promise.all(running)
  clearInterval(sampling)
  const seconds = (performance.now() - began) / 1000
  const cores = (until: number, from: number) => (until - from) / 1e9 / seconds
  return {
    seconds,
    times,
    failures,
    requests: world.requests() - asked,
    cores: cores(server.cpu(), cpu),
    databaseCores: cores(databaseCpu(), database),
    peakMb,
  }
}

export function createWorld(server: Measured): World & { requests(): number } {
  let requests = 0
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  return {
    server,
    requests: () => requests,
    async ask(request) {
      requests++
      const response = await send(server.port, request, agent)
      const { status, bytes } = response
      if (status < 400 && !bytes.includes('"isError":true')) return response
      throw new Error(`${request.method} ${request.path}: ${status} ${bytes.toString().slice(0, 200)}`)
    },
  }
}

// Webhooks

interface Receiver {
  url: string
  received(): number
  stop(): Promise<void>
}

function startReceiver(): Promise<Receiver> {
  let received = 0
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      received++
      response.writeHead(204).end()
    })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      const stop = () => new Promise<void>((done) => void server.close(() => done()))
      resolve({ url: `http://localhost:${port}/hook`, received: () => received, stop })
    })
  })
}

/** Each of another person. */
async function addWebhooks({ ask }: World, people: readonly Person[], url: string): Promise<void> {
  for (const { key } of people.slice(0, WEBHOOKS)) await ask(post('/api/v1/webhooks', bearer(key), { url }))
}

// Tables

function kindsTable(engine: EngineName, { times, failures }: Day, say: (line: string) => void): Table {
  const columns = ['what', 'times', 'p50 ms', 'p95 ms', 'p99 ms', 'longest ms', 'failed']
  const { table, add } = createTable(`${engine}-simulation`, columns, say)
  for (const [name, list] of times) {
    const { p50Ms, p95Ms, p99Ms, longestMs } = quantilesOf(list)
    const failed = failures.filter((failure) => failure.startsWith(`${name}: `)).length
    add(name, list.length, p50Ms, p95Ms, p99Ms, longestMs, { value: failed, missed: failed > 0 })
  }
  for (const failure of failures.slice(0, 5)) say(`FAILED ${failure}`)
  return table
}

interface Resources extends Day {
  bytes: number[]
  receiver: Receiver
}

function resourcesTable(engine: EngineName, size: Size, day: Resources, say: (line: string) => void): Table {
  const { table, add } = createTable(`${engine}-simulation-resources`, ['of the service', 'value'], say)
  const [before = 0, after = 0] = day.bytes
  add('people', size.people)
  add('flights', size.flights)
  add('a day compressed into, s', Math.round(day.seconds))
  add('requests', day.requests)
  add('requests per second', day.requests / day.seconds)
  add('Contrail, cores', day.cores)
  if (engine === 'postgres') add('PostgreSQL, cores', day.databaseCores)
  add('CPU of the day, s', (day.cores + day.databaseCores) * day.seconds)
  add('resident memory of Contrail at most, MB', day.peakMb)
  add('database, MB', before / 1e6)
  add('database, kB per flight', before / 1e3 / size.flights)
  add('database grew by, MB', (after - before) / 1e6)
  add('webhook messages received', day.receiver.received())
  return table
}

/** How much busier than average the busiest minute of a day may be. */
const PEAK = 10
const DAY_SECONDS = 86_400

/** The same day for other numbers of people, in proportion: the measured values multiplied, and nothing else. */
function estimateTable(engine: EngineName, size: Size, day: Resources, say: (line: string) => void): Table {
  const columns = [
    'people',
    'flights',
    'requests per s',
    'at peaks',
    'cores',
    'at peaks',
    'disk, GB',
    'creates per s at peaks',
  ]
  const { table, add } = createTable(`${engine}-estimate`, columns, say)
  const cpuSeconds = (day.cores + day.databaseCores) * day.seconds
  for (const people of [1_000, 100_000, 10_000_000]) {
    const share = people / size.people
    const perSecond = (ofDay: number) => (ofDay * share) / DAY_SECONDS
    const [requests, cores] = [perSecond(day.requests), perSecond(cpuSeconds)]
    const creates = perSecond((day.times.get(CREATED) ?? []).length)
    const gigabytes = (day.bytes[0]! * share) / 1e9
    add(
      people.toLocaleString('en'),
      size.flights * share,
      requests,
      requests * PEAK,
      cores,
      cores * PEAK,
      gigabytes,
      creates * PEAK,
    )
  }
  return table
}
