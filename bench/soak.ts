// npm run soak: a mixed load at full speed for a fixed time, on one process and each engine. It fails if a response is not as
// expected, if memory grows after the warm-up, or if the server leaks handles or connections.
//
//   --seconds N   for each engine, default 180         --engine sqlite|postgres   one engine only     --json
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import packageJson from '../package.json' with { type: 'json' }
import { startPostgres } from '../test/postgres.ts'
import { CLIENT_ID, createDataset, type Dataset, ORIGIN } from './data.ts'
import { type Request, type Response, send } from './load.ts'
import { type Measured, startProcess, stopProcesses } from './processes.ts'

const CLIENTS = 8
const FLIGHTS = 500
/** This many of the first flights get tracks. */
const WITH_TRACK = 40
/** Number of added flights to keep; older ones are deleted, so that every slice has the same work. */
const ADDED = 100
const SLICES = 6
/** Slices for filling caches and JIT compilation. */
const WARM_UP = 2
const SAMPLES_PER_SLICE = 20
/** Shorter runs are only warm-up; their memory is not checked. */
const TELLING_SECONDS = 60
const DATABASE_CONNECTIONS = 10
/** Handles that a request in progress may hold: its connection, a snapshot's files, a buffered response. */
const HANDLES_PER_REQUEST = 4
/** Handles that are opened at first use and kept. */
const SPARE_HANDLES = 8

interface Slice {
  requests: number
  p50Ms: number
  p99Ms: number
  /** The minimum in use, which is what remains after garbage collection: a leak shows here. */
  usedMb: number
  /** Minimum and maximum resident memory: the allocator returns little of it. */
  residentMb: [number, number]
  handles: number
  connections: number
}
interface Soaked {
  engine: 'sqlite' | 'postgres'
  seconds: number
  requests: number
  slices: Slice[]
  /** Open handles before the first request and after the last client has disconnected. */
  handles: { before: number; after: number }
  failures: string[]
  problems: string[]
}
type Place = Pick<Dataset, 'databaseUrl' | 'dataDir'>

/** `seconds` of load on an instance without people. */
export async function soak(place: Place, seconds: number): Promise<Soaked> {
  const dataset = await createDataset(place, FLIGHTS)
  const server = await startContrail(dataset)
  const database = dataset.databaseUrl ? new pg.Client({ connectionString: dataset.databaseUrl }) : undefined
  await database?.connect()
  try {
    const before = handlesOf(server)
    const { slices, failures } = await loadInSlices(server, dataset, seconds, database)
    const after = await handlesWhenIdle(server, before + DATABASE_CONNECTIONS + SPARE_HANDLES)
    const soaked = {
      engine: database ? ('postgres' as const) : ('sqlite' as const),
      seconds,
      requests: slices.reduce((sum, slice) => sum + slice.requests, 0),
      slices,
      handles: { before, after },
      failures,
    }
    return { ...soaked, problems: problemsOf(soaked) }
  } finally {
    await database?.end()
    await server.stop()
  }
}

/** As `npm start` does, with the same flags. */
const startContrail = ({ dataDir, databaseUrl = '' }: Dataset): Promise<Measured> =>
  startProcess(
    'server/run.js',
    {
      PORT: '0',
      HOST: '127.0.0.1',
      ORIGIN,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      DATABASE_CONNECTIONS: String(DATABASE_CONNECTIONS),
      ADDRESS_HEADER: 'x-soak-address',
      BACKUP_DIR: 'off',
    },
    packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--')),
  )

// The load

async function loadInSlices(
  server: Measured,
  dataset: Dataset,
  seconds: number,
  database: pg.Client | undefined,
): Promise<{ slices: Slice[]; failures: string[] }> {
  const mix = createMix(dataset)
  const failures: string[] = []
  const sliceMs = (seconds * 1000) / SLICES
  let latencies: number[] = []
  let running = true
  const client = async () => {
    while (running) {
      const request = mix.next()
      const began = performance.now()
      const problem = await tried(server.port, request, mix.note)
      latencies.push(performance.now() - began)
      if (problem) failures.push(problem)
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  const slices: Slice[] = []
  for (let i = 0; i < SLICES; i++) {
    latencies = []
    const seen = await watch(server, sliceMs, database)
    slices.push({ ...quantiles(latencies), ...seen })
  }
  running = false
  await Promise.all(clients)
  return { slices, failures }
}

/** The problem with the response, if there is one. */
async function tried(port: number, request: Request, note: (request: Request, response: Response) => void) {
  try {
    if (request.path.endsWith('?leave')) return await leaveHalfway(port, request)
    const response = await send(port, request)
    note(request, response)
    // Two clients may pick the same flight, and one of them deletes it.
    if (response.status < 400 || response.status === 404) return undefined
    return `${request.method} ${request.path}: ${response.status} ${response.bytes.toString().slice(0, 200)}`
  } catch (error) {
    return `${request.method} ${request.path}: ${(error as Error).message}`
  }
}

/** A client that disconnects during a long response. */
function leaveHalfway(port: number, { path, headers }: Request): Promise<undefined> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      response.once('data', () => {
        request.destroy()
        resolve(undefined)
      })
    })
    request.on('error', reject)
  })
}

/** A realistic mix of requests: one write in four. */
function createMix({ key, userId, refreshTokens }: Dataset) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const get = (path: string): Request => ({ method: 'GET', path, headers })
  const write = (method: string, path: string, body: unknown): Request => ({
    method,
    path,
    headers,
    body: JSON.stringify(body),
  })
  const added: number[] = []
  const tokens = [...refreshTokens]
  let n = 0
  const any = (most = FLIGHTS) => 1 + Math.floor(Math.random() * most)
  const flight = () => ({
    date: `20${10 + (n % 15)}-0${1 + (n % 9)}-15`,
    fromId: 2542,
    toId: 2578,
    note: `soak ${n} ${'x'.repeat(n % 400)}`,
    passengers: [{ userId }, { guestName: 'Grace' }],
  })
  const track = () => ({
    coordinates: Array.from({ length: 100 }, (_, i) => [i, 40 + ((i + n) % 20), 10_000]),
    sourceFormat: 'gpx',
  })
  const kinds: [share: number, make: () => Request][] = [
    [12, () => get('/api/v1/flights')],
    [12, () => get(`/api/v1/flights/${any()}`)],
    [8, () => get('/api/v1/me')],
    [8, () => get(`/api/v1/airports?query=${String.fromCharCode(97 + (n % 26))}${n % 7 ? 'o' : ''}`)],
    [4, () => get('/api/v1/stats')],
    [2, () => get('/api/flight/list')],
    [1, () => get('/api/v1/flights/export')],
    [1, () => get('/api/v1/flights/export?leave')],
    [2, () => get('/api/v1/nowhere')],
    [6, () => mcpCall(headers, n)],
    [2, () => refresh(tokens.shift(), n)],
    [12, () => write('POST', '/api/v1/flights', flight())],
    [6, () => write('PUT', `/api/v1/flights/${any()}`, flight())],
    [3, () => write('PUT', `/api/v1/flights/${any(WITH_TRACK)}/track`, track())],
  ]
  const deck = kinds.flatMap(([share, make]) => Array.from({ length: share }, () => make))
  return {
    next(): Request {
      n++
      if (added.length > ADDED) return { method: 'DELETE', path: `/api/v1/flights/${added.shift()}`, headers }
      return deck[Math.floor(Math.random() * deck.length)]!()
    },
    /** New flights are deleted again later, and new tokens used. */
    note({ path }: Request, { status, bytes }: Response): void {
      if (status === 201) added.push(JSON.parse(bytes.toString()).data.id)
      if (path === '/oauth/token' && status === 200) tokens.push(JSON.parse(bytes.toString()).refresh_token)
    },
  }
}

const mcpCall = (headers: Record<string, string>, id: number): Request => ({
  method: 'POST',
  path: '/api/mcp',
  headers: { ...headers, accept: 'application/json, text/event-stream', host: new URL(ORIGIN).host },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'list_flights', arguments: {} },
  }),
})

/** Each from a different address: the token endpoint is rate-limited by address. */
const refresh = (token: string | undefined, n: number): Request => ({
  method: 'POST',
  path: '/oauth/token',
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    'x-soak-address': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
  },
  body: new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: token ?? '',
    client_id: CLIENT_ID,
    resource: `${ORIGIN}/api/v1`,
  }).toString(),
})

// Measurements

const handlesOf = ({ pid }: Measured): number => readdirSync(`/proc/${pid}/fd`).length

async function watch(server: Measured, ms: number, database: pg.Client | undefined) {
  const resident: number[] = []
  let [handles, connections] = [0, 0]
  let usedMb = Number.POSITIVE_INFINITY
  for (let i = 0; i < SAMPLES_PER_SLICE; i++) {
    await wait(ms / SAMPLES_PER_SLICE)
    resident.push(Math.round(server.residentMb()))
    usedMb = Math.min(usedMb, await usedMbOf(server))
    handles = Math.max(handles, handlesOf(server))
    connections = Math.max(connections, await connectionsOf(database))
  }
  const residentMb: [number, number] = [Math.min(...resident), Math.max(...resident)]
  return { usedMb, residentMb, handles, connections }
}

async function usedMbOf({ port }: Measured): Promise<number> {
  const { bytes } = await send(port, { method: 'GET', path: '/metrics', headers: {} })
  const of = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(bytes.toString())?.[1])
  return Math.round((of('contrail_heap_used_bytes') + of('contrail_external_memory_bytes')) / 2 ** 20)
}

/** Connections of the server, without the one of this query. */
async function connectionsOf(database: pg.Client | undefined): Promise<number> {
  const sql =
    'select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  return (await database?.query(sql))?.rows[0].n ?? 0
}

/** Connections close shortly after their clients disconnect; leaked ones never do. */
async function handlesWhenIdle(server: Measured, enough: number): Promise<number> {
  http.globalAgent.destroy()
  for (let i = 0; i < 100 && handlesOf(server) > enough; i++) await wait(100)
  return handlesOf(server)
}

function quantiles(list: readonly number[]): Pick<Slice, 'requests' | 'p50Ms' | 'p99Ms'> {
  const sorted = [...list].sort((a, b) => a - b)
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
  return { requests: list.length, p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** Growth that garbage collection does not explain. Response times are printed, not checked: the machine is shared. */
function problemsOf({ seconds, slices, handles, failures }: Omit<Soaked, 'problems'>): string[] {
  const problems: string[] = []
  const [early, late] = [slices[WARM_UP]!, slices.at(-1)!]
  if (failures.length > 0) problems.push(`${failures.length} requests failed, the first: ${failures[0]}`)
  if (seconds >= TELLING_SECONDS) {
    if (late.usedMb > early.usedMb * 1.25 + 15)
      problems.push(`memory in use climbed from ${early.usedMb} to ${late.usedMb} MB`)
    if (late.residentMb[0] > early.residentMb[0] * 1.5 + 50)
      problems.push(`the process grew from ${early.residentMb[0]} to ${late.residentMb[0]} MB`)
  }
  if (late.handles > early.handles + CLIENTS * HANDLES_PER_REQUEST)
    problems.push(`handles climbed from ${early.handles} to ${late.handles}`)
  if (handles.after > handles.before + DATABASE_CONNECTIONS + SPARE_HANDLES)
    problems.push(`${handles.after} handles stayed open, ${handles.before} were at the start`)
  if (late.connections > DATABASE_CONNECTIONS)
    problems.push(`${late.connections} connections to the database, ${DATABASE_CONNECTIONS} are allowed`)
  return problems
}

// The command

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '180' },
      engine: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const scratch = mkdtempSync(join(tmpdir(), 'contrail-soak-'))
  chmodSync(scratch, 0o755)
  const postgres = await startPostgres(scratch, true)
  const results: Soaked[] = []
  try {
    for (const engine of ['sqlite', 'postgres'] as const) {
      if (values.engine && values.engine !== engine) continue
      const soaked = await soak(await postgres.place(engine, `soak_${engine}`), Number(values.seconds))
      results.push(soaked)
      if (!values.json) show(soaked)
    }
  } finally {
    await stopProcesses()
    await postgres.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
  process.exit(results.some(({ problems }) => problems.length > 0) ? 1 : 0)
}

function show({ engine, seconds, requests, slices, handles, failures, problems }: Soaked): void {
  process.stdout.write(
    `\n${engine}: ${requests} requests in ${seconds} s, ${failures.length} failed; handles ${handles.before} before, ${handles.after} after\n`,
  )
  console.table(
    slices.map((slice) => ({ ...slice, residentMb: slice.residentMb.join('–') })),
    ['requests', 'p50Ms', 'p99Ms', 'usedMb', 'residentMb', 'handles', 'connections'],
  )
  for (const problem of problems) process.stdout.write(`PROBLEM: ${problem}\n`)
}

if (import.meta.main) await main()
