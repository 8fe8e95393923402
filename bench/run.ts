// npm run bench: CPU per request as a ratio to a floor measured in the same run, interleaved, on both engines.
//
//   --engine sqlite|postgres  one engine only          --only TEXT   scenarios whose name contains it
//   --rounds N                at least 5               --quick       no log of more than 10,000 flights
//   --json                    machine-readable         --compare BASE_URL --key KEY [--own-key KEY --own BASE_URL]
//                                                      the legacy calls against another running server, side by side
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import packageJson from '../package.json' with { type: 'json' }
import { startPostgres } from '../test/postgres.ts'
import { compare } from './compare.ts'
import { createDataset, type Dataset, ORIGIN } from './data.ts'
import { measureImports } from './imports.ts'
import { load, type Request, send } from './load.ts'
import { cpuOfChildren, type Measured, startProcess, stopProcesses } from './processes.ts'
import { get, type Scenario, scenarios } from './scenarios.ts'

type EngineName = 'sqlite' | 'postgres'

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    compare: { type: 'string' },
    key: { type: 'string' },
    own: { type: 'string', default: 'http://localhost:3000' },
    'own-key': { type: 'string' },
  },
})
const ROUNDS = Math.max(5, Number(options.rounds))
/** Enough for the JIT compiler: the server is more code than the floor and warms up later. */
const WARM_UPS = 8
const USUAL_FLIGHTS = 10_000
const IMPORT_FLIGHTS = 1000

interface Result {
  engine: EngineName
  name: string
  microseconds: number
  floorMicroseconds: number
  /** CPU time of PostgreSQL's processes; 0 if it was not started by this run. */
  databaseMicroseconds: number
  ratio: number
  aim: number
  bytes: number
  /** Responses per second on this machine, which also generates the load. */
  perSecond: number
}
interface Subject {
  server: Measured
  dataset: Dataset
  /** Size of the database before measuring: some scenarios add flights. */
  databaseBytes: number
}
type CpuPerRequest = () => Promise<number>

async function benchAll(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'contrail-bench-'))
  chmodSync(scratch, 0o755)
  const facts = {
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  }
  say(JSON.stringify(facts))
  const results: Result[] = []
  const instances: Record<string, unknown>[] = []
  const postgres = await startPostgres(scratch, true)
  try {
    for (const engine of ['sqlite', 'postgres'] as const) {
      if (options.engine && options.engine !== engine) continue
      const bench = createBench(engine, scratch, postgres)
      instances.push(await bench.describeInstance())
      results.push(...(await bench.run()))
      await stopProcesses()
    }
  } finally {
    await stopProcesses()
    await postgres.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
  if (options.json) process.stdout.write(`${JSON.stringify({ facts, instances, results }, null, 2)}\n`)
}

function createBench(
  engine: EngineName,
  scratch: string,
  postgres: Awaited<ReturnType<typeof startPostgres>>,
) {
  const subjects = new Map<number, Promise<Subject>>()

  /** One server for each size of log, started when first needed. */
  const subject = (flights: number): Promise<Subject> => {
    const started = subjects.get(flights) ?? startSubject(flights)
    subjects.set(flights, started)
    return started
  }
  async function startSubject(flights: number): Promise<Subject> {
    const dataset = await createDataset(await postgres.place(engine, `log${flights}`), flights)
    const server = await startContrail(dataset)
    return { dataset, server, databaseBytes: await databaseBytes(dataset) }
  }

  async function describeInstance() {
    const { dataset, server } = await subject(USUAL_FLIGHTS)
    const idle = server.residentMb()
    await load(server.port, 20, get('/api/v1/airports?query=london')(dataset), 200)
    const searching = server.residentMb()
    const again = await coldStart(dataset)
    const instance = {
      engine,
      idleMb: idle,
      searchingMb: searching,
      startMs: again,
      wire: await onTheWire(await subject(USUAL_FLIGHTS)),
    }
    say(
      `\n${engine}: listening ${again} ms after the start; resident ${idle.toFixed(0)} MB idle, ${searching.toFixed(0)} MB with search in use`,
    )
    for (const { path, plain, gzip } of instance.wire) say(`${path}: ${plain} bytes, ${gzip} with gzip`)
    return instance
  }

  async function run(): Promise<Result[]> {
    const results: Result[] = []
    say(row('scenario', ['per s', 'µs', 'database', 'floor', 'ratio'], 'aim'))
    for (const scenario of chosenScenarios()) {
      const measuredOn = await subject(scenario.flights ?? USUAL_FLIGHTS)
      const result = await measure(engine, scenario, measuredOn, await subject(USUAL_FLIGHTS), scratch)
      results.push(result)
      const numbers = [
        result.perSecond.toFixed(result.perSecond < 10 ? 1 : 0),
        result.microseconds.toFixed(1),
        result.databaseMicroseconds ? result.databaseMicroseconds.toFixed(1) : '',
        result.floorMicroseconds.toFixed(1),
        result.ratio.toFixed(2),
      ] as const
      say(row(scenario.name, numbers, `${result.aim}${result.ratio > result.aim ? '  missed' : ''}`))
    }
    if (!options.only || 'imports'.includes(options.only)) await sayImports()
    say(`resident ${(await subject(USUAL_FLIGHTS)).server.residentMb().toFixed(0)} MB after all this`)
    for (const [flights, started] of subjects) {
      const mb = (await started).databaseBytes / 1e6
      say(`database with ${flights.toLocaleString('en')} flights: ${mb.toFixed(1)} MB`)
    }
    return results
  }

  /** On a server of its own: what an import brings in would slow down the others. */
  async function sayImports(): Promise<void> {
    const { server, dataset } = await startSubject(IMPORT_FLIGHTS)
    for (const { name, value, aim } of await measureImports(server, dataset)) say(row(name, [value], aim))
    await server.stop()
  }
  return { describeInstance, run }
}

const chosenScenarios = () =>
  scenarios.filter(
    ({ name, flights }) =>
      (!options.only || name.includes(options.only)) && !(options.quick && (flights ?? 0) > USUAL_FLIGHTS),
  )

function say(line: string): void {
  if (!options.json) process.stdout.write(`${line}\n`)
}

function row(name: string, numbers: readonly string[], aim: string): string {
  return `${name.padEnd(46)}${numbers.map((number) => number.padStart(10)).join('')}   ${aim}`
}

async function databaseBytes({ databaseUrl, dataDir }: Dataset): Promise<number> {
  if (!databaseUrl) {
    const files = ['contrail.sqlite', 'contrail.sqlite-wal'].map((name) => join(dataDir, name))
    return files.filter(existsSync).reduce((sum, file) => sum + statSync(file).size, 0)
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query('select pg_database_size(current_database()) as bytes')
    return Number(rows[0].bytes)
  } finally {
    await client.end()
  }
}

/** As `npm start` does, with the same flags. */
const startContrail = (dataset: Dataset): Promise<Measured> =>
  startProcess(
    'server/run.js',
    {
      PORT: '0',
      HOST: '127.0.0.1',
      ORIGIN,
      ADDRESS_HEADER: 'x-bench-address',
      DATA_DIR: dataset.dataDir,
      DATABASE_URL: dataset.databaseUrl ?? '',
    },
    packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--')),
  )

/** Time from starting the process to listening, with an existing log. */
async function coldStart(dataset: Dataset): Promise<number> {
  const began = performance.now()
  const second = await startContrail(dataset)
  const took = Math.round(performance.now() - began)
  await second.stop()
  return took
}

async function onTheWire({ server, dataset }: Subject) {
  const paths = ['/api/v1/flights', '/api/v1/flights?limit=100', '/api/flight/list', '/api/stats']
  const size = async (path: string, more: Record<string, string>) =>
    (await send(server.port, get(path, more)(dataset)(0))).bytes.byteLength
  return Promise.all(
    paths.map(async (path) => ({
      path,
      plain: await size(path, {}),
      gzip: await size(path, { 'accept-encoding': 'gzip' }),
    })),
  )
}

async function measure(
  engine: EngineName,
  scenario: Scenario,
  subject: Subject,
  usual: Subject,
  scratch: string,
): Promise<Result> {
  const status = scenario.status ?? 200
  const make = await prepared(scenario, subject)
  const sample = await send(subject.server.port, make(0))
  const own: CpuPerRequest = () => cpuPerRequest(subject.server, scenario.requests, make, status)
  const floor = await floorOf(scenario, make, sample.bytes, usual, scratch)
  const rounds: { own: number; floor: number; database: number; seconds: number }[] = []
  for (let round = -(scenario.warmUps ?? WARM_UPS); round < ROUNDS; round++) {
    const [before, began] = [databaseCpu(scratch), performance.now()]
    const measured = {
      own: await own(),
      seconds: (performance.now() - began) / 1000,
      database: (databaseCpu(scratch) - before) / scenario.requests,
      floor: await floor.cpu(),
    }
    // The first rounds are for the JIT compiler.
    if (round >= 0) rounds.push(measured)
  }
  await floor.stop()
  return {
    engine,
    name: scenario.name,
    microseconds: median(rounds.map((round) => round.own)) / 1000,
    floorMicroseconds: median(rounds.map((round) => round.floor)) / 1000,
    databaseMicroseconds: engine === 'sqlite' ? 0 : median(rounds.map((round) => round.database)) / 1000,
    ratio: median(rounds.map((round) => round.own / round.floor)),
    aim: scenario.aim[engine],
    bytes: sample.bytes.byteLength,
    perSecond: scenario.requests / median(rounds.map((round) => round.seconds)),
  }
}

async function floorOf(
  scenario: Scenario,
  make: (i: number) => Request,
  bytes: Buffer,
  usual: Subject,
  scratch: string,
): Promise<{ cpu: CpuPerRequest; stop(): Promise<void> }> {
  const { against, requests } = scenario
  const status = scenario.status ?? 200
  const nothingToStop = async () => {}
  if (against === 'stringify') {
    const text = bytes[0] === 0x1f ? (await import('node:zlib')).gunzipSync(bytes) : bytes
    return { cpu: stringifyCpu(JSON.parse(text.toString())), stop: nothingToStop }
  }
  if (against) {
    const other = against(usual.dataset)
    const { times, status: floorStatus } = scenario.floor ?? { times: 1, status }
    const cpu = async () => times * (await cpuPerRequest(usual.server, requests * times, other, floorStatus))
    return { cpu, stop: nothingToStop }
  }
  const file = join(scratch, 'floor-body')
  writeFileSync(file, bytes)
  const server = await startProcess('bench/floor.ts', { FLOOR_BODY: file, FLOOR_STATUS: String(status) })
  // The floor gets the same requests: it does not matter that a token was used before.
  const first = make(0)
  return { cpu: () => cpuPerRequest(server, requests, () => first, status), stop: () => server.stop() }
}

function databaseCpu(scratch: string): number {
  const file = join(scratch, 'postgres', 'postmaster.pid')
  return existsSync(file) ? cpuOfChildren(readFileSync(file, 'utf8').split('\n', 1)[0]!) : 0
}

/** CPU time of JSON.stringify for the same document in this process, in nanoseconds. */
function stringifyCpu(document: unknown): CpuPerRequest {
  return async () => {
    const before = process.cpuUsage()
    for (let i = 0; i < 3; i++) Buffer.from(JSON.stringify(document))
    const { user, system } = process.cpuUsage(before)
    return ((user + system) * 1000) / 3
  }
}

/** The scenario's requests; for a 304, with the current ETag of the page. */
async function prepared(scenario: Scenario, { server, dataset }: Subject): Promise<(i: number) => Request> {
  const make = scenario.follows ? await following(scenario.make(dataset), server) : scenario.make(dataset)
  if (scenario.status !== 304) return make
  const { etag } = (await send(server.port, make(0))).headers
  return (i) => ({ ...make(i), headers: { ...make(i).headers, 'if-none-match': String(etag) } })
}

async function following(make: (i: number) => Request, server: Measured): Promise<(i: number) => Request> {
  const { bytes } = await send(server.port, make(0))
  const { token } = JSON.parse(bytes.toString()).sync
  return (i) => ({ ...make(i), path: `${make(i).path}?since=${token}` })
}

async function cpuPerRequest(server: Measured, count: number, make: (i: number) => Request, status: number) {
  const before = server.cpu()
  await load(server.port, count, make, status)
  return (server.cpu() - before) / count
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

if (options.compare) {
  await compare(
    { name: 'own', url: options.own, key: options['own-key'] ?? '' },
    { name: 'other', url: options.compare, key: options.key ?? '' },
  )
} else {
  await benchAll()
}
