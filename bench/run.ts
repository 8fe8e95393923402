// npm run bench: CPU per request as a ratio to a floor measured in the same run, interleaved, on both engines.
// Options: --engine sqlite|postgres, --only TEXT, --rounds N, --quick (no million flights), --json
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/postgres.ts'
import { createDataset, type Dataset } from './data.ts'
import { load, type Request, send } from './load.ts'
import { type Measured, startProcess, stopProcesses } from './processes.ts'
import { get, type Scenario, scenarios } from './scenarios.ts'

type EngineName = 'sqlite' | 'postgres'

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const ROUNDS = Math.max(5, Number(options.rounds))
const WARM_UPS = 3

interface Result {
  engine: EngineName
  name: string
  microseconds: number
  floorMicroseconds: number
  ratio: number
  aim: number
}
interface Subject {
  server: Measured
  dataset: Dataset
}

const scratch = mkdtempSync(join(tmpdir(), 'contrail-bench-'))
chmodSync(scratch, 0o755)
const results: Result[] = []
const facts: Record<string, unknown> = {
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
}
const postgres = await startPostgres(scratch, true)
try {
  for (const engine of ['sqlite', 'postgres'] as const) {
    if (!options.engine || options.engine === engine) await benchEngine(engine)
  }
} finally {
  await stopProcesses()
  await postgres.stop()
  rmSync(scratch, { recursive: true, force: true })
}
if (options.json) process.stdout.write(`${JSON.stringify({ facts, results }, null, 2)}\n`)

function say(line: string): void {
  if (!options.json) process.stdout.write(`${line}\n`)
}

async function benchEngine(engine: EngineName): Promise<void> {
  const chosen = scenarios.filter(
    ({ name, million }) => (!options.only || name.includes(options.only)) && !(options.quick && million),
  )
  const small = await subject(engine, 'small', 10_000)
  const million = chosen.some((scenario) => scenario.million)
    ? await subject(engine, 'million', 1_000_000)
    : undefined
  const idle = small.server.residentMb()
  await load(small.server.port, 20, get('/api/v1/airports?query=london')(small.dataset), 200)
  const searching = small.server.residentMb()
  facts[`${engine} resident MB`] = { idle: Math.round(idle), searching: Math.round(searching) }
  say(
    `\n${engine}: resident ${idle.toFixed(0)} MB after start, ${searching.toFixed(0)} MB with search in use`,
  )
  say(row('scenario', 'µs', 'floor', 'ratio', 'aim'))
  for (const scenario of chosen) {
    const result = await measure(engine, scenario, scenario.million ? million! : small, small)
    results.push(result)
    const [own, floor, ratio] = [
      result.microseconds.toFixed(1),
      result.floorMicroseconds.toFixed(1),
      result.ratio.toFixed(2),
    ]
    say(row(scenario.name, own, floor, ratio, `${result.aim}${result.ratio > result.aim ? '  missed' : ''}`))
  }
  say(`resident ${small.server.residentMb().toFixed(0)} MB after all this`)
  await small.server.stop()
  await million?.server.stop()
}

function row(name: string, own: string, floor: string, ratio: string, aim: string): string {
  return `${name.padEnd(46)}${own.padStart(9)}${floor.padStart(9)}${ratio.padStart(8)}   ${aim}`
}

async function subject(engine: EngineName, name: string, flights: number): Promise<Subject> {
  const dataset = await createDataset(await postgres.place(engine, name), flights)
  mkdirSync(dataset.dataDir, { recursive: true })
  const server = await startProcess('server/run.js', {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataset.dataDir,
    DATABASE_URL: dataset.databaseUrl ?? '',
  })
  return { server, dataset }
}

async function measure(
  engine: EngineName,
  scenario: Scenario,
  subject: Subject,
  small: Subject,
): Promise<Result> {
  const status = scenario.status ?? 200
  const make = await prepared(scenario, subject)
  const floor = scenario.against
    ? { server: small.server, make: scenario.against(small.dataset), stop: async () => {} }
    : await startFloor(status, (await send(subject.server.port, make(0))).bytes, make)
  const rounds: { own: number; floor: number }[] = []
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    const floorCpu = await cpuPerRequest(floor.server, scenario.requests, floor.make, status)
    const own = await cpuPerRequest(subject.server, scenario.requests, make, status)
    // The first rounds let both be compiled.
    if (round >= 0) rounds.push({ own, floor: floorCpu })
  }
  await floor.stop()
  return {
    engine,
    name: scenario.name,
    microseconds: median(rounds.map((round) => round.own)) / 1000,
    floorMicroseconds: median(rounds.map((round) => round.floor)) / 1000,
    ratio: median(rounds.map((round) => round.own / round.floor)),
    aim: scenario.aim[engine],
  }
}

/** The scenario's requests; for a 304, with the tag of the page as it is now. */
async function prepared(scenario: Scenario, { server, dataset }: Subject): Promise<(i: number) => Request> {
  const make = scenario.make(dataset)
  if (scenario.status !== 304) return make
  const { etag } = (await send(server.port, make(0))).headers
  return (i) => ({ ...make(i), headers: { ...make(i).headers, 'if-none-match': String(etag) } })
}

async function cpuPerRequest(server: Measured, count: number, make: (i: number) => Request, status: number) {
  const before = server.cpu()
  await load(server.port, count, make, status)
  return (server.cpu() - before) / count
}

async function startFloor(status: number, bytes: Buffer, make: (i: number) => Request) {
  const file = join(scratch, 'floor-body')
  writeFileSync(file, bytes)
  const server = await startProcess('bench/floor.ts', { FLOOR_BODY: file, FLOOR_STATUS: String(status) })
  return { server, make, stop: () => server.stop() }
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
