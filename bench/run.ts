// npm run bench: CPU per request as a ratio to a floor measured in the same run, what a long log costs, how long others wait, and
// imports; on both engines.
//
//   --engine sqlite|postgres  one engine only          --quick       six minutes: fewer rounds, no log of more than 10,000 flights
//   --only TEXT               parts or scenarios whose name contains it; parts: instance, ratios, long-logs, beside-writers, slow-commits, imports, disk
//   --rounds N                7; with --quick 5        --largest N   no log of more than N flights
//   --json                    machine-readable         --save FILE   the same into a file, beside what is printed
//   --markdown                tables for documents     --write       puts the tables into docs/; with --from FILE, those of a saved run
//   --simulation              a day of a hosted service instead (bench/simulation.ts): --people N --flights N --minutes N
//   --compare BASE_URL --key KEY [--own-key KEY --own BASE_URL]
//                             the legacy calls against another running server instead, side by side
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/postgres.ts'
import { compare } from './compare.ts'
import { measureImports } from './imports.ts'
import { send } from './load.ts'
import { measureBesideWriters, measureLongLogs, measureSlowCommits } from './long-logs.ts'
import { stopProcesses } from './processes.ts'
import { measureRatio } from './ratios.ts'
import { createTable, fillIn, markdownOf, type Report, type Table, withTarget } from './report.ts'
import { get } from './requests.ts'
import { scenarios } from './scenarios.ts'
import { simulate } from './simulation.ts'
import { createSubjects, type Subjects, startContrail } from './subjects.ts'

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    largest: { type: 'string', default: '1000000' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    save: { type: 'string' },
    markdown: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    from: { type: 'string' },
    simulation: { type: 'boolean', default: false },
    people: { type: 'string', default: '2000' },
    flights: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '15' },
    compare: { type: 'string' },
    key: { type: 'string' },
    own: { type: 'string', default: 'http://localhost:3000' },
    'own-key': { type: 'string' },
  },
})
const USUAL_FLIGHTS = 10_000
const IMPORT_FLIGHTS = 1000
const largest = Math.min(options.quick ? USUAL_FLIGHTS : 1_000_000, Number(options.largest))
const effort = options.quick
  ? { rounds: Number(options.rounds ?? 5), warmUps: 3, share: 0.35 }
  : { rounds: Number(options.rounds ?? 7), warmUps: 8, share: 1 }
const documents = ['docs/performance.md', 'docs/scaling.md']

const say = (line: string) => void (options.json || options.markdown || process.stdout.write(`${line}\n`))
const isChosen = (part: string) => (name: string) => `${part} ${name}`.includes(options.only)

interface Bench {
  subjects: Subjects
  scratch: string
}

/** Each part makes a table of one engine, or none if it is not chosen. */
const parts: { name: string; run(bench: Bench): Promise<Table | undefined> }[] = [
  { name: 'instance', run: describeInstance },
  { name: 'ratios', run: runRatios },
  { name: 'long-logs', run: runLongLogs },
  { name: 'beside-writers', run: runBesideWriters },
  { name: 'slow-commits', run: runSlowCommits },
  { name: 'imports', run: runImports },
  { name: 'disk', run: tellDisk },
]

async function benchAll(): Promise<Report> {
  const tables: Table[] = []
  await withPostgres(async (postgres, scratch) => {
    for (const engine of ['sqlite', 'postgres'] as const) {
      if (options.engine && options.engine !== engine) continue
      const bench = { subjects: createSubjects(engine, scratch, postgres), scratch }
      for (const { run } of parts) tables.push(...[(await run(bench)) ?? []].flat())
      await stopProcesses()
    }
  })
  return { facts: factsOf(), tables }
}

async function simulateAll(): Promise<Report> {
  const tables: Table[] = []
  const size = {
    people: Number(options.people),
    flights: Number(options.flights),
    minutes: Number(options.minutes),
  }
  await withPostgres(async (postgres, scratch) => {
    for (const engine of ['sqlite', 'postgres'] as const) {
      if (options.engine && options.engine !== engine) continue
      tables.push(...(await simulate(engine, size, { postgres, scratch, say })))
      await stopProcesses()
    }
  })
  return { facts: factsOf(), tables }
}

async function withPostgres(
  work: (postgres: Awaited<ReturnType<typeof startPostgres>>, scratch: string) => Promise<void>,
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'contrail-bench-'))
  chmodSync(scratch, 0o755)
  const postgres = await startPostgres(scratch, true)
  try {
    await work(postgres, scratch)
  } finally {
    await stopProcesses()
    await postgres.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The machine and the command, as a table. */
const factsTable = ({ facts }: Report): Table => ({
  name: options.simulation ? 'simulation-facts' : 'facts',
  columns: ['measured on', ''],
  rows: Object.entries(facts).map(([name, value]) => [name, String(value)]),
})

function factsOf(): Report['facts'] {
  return {
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    day: new Date().toISOString().slice(0, 10),
    // Without the path of the file, which belongs to this machine.
    command: ['npm run bench --', ...process.argv.slice(2)].join(' ').replace(/ --save \S+/, ''),
  }
}

/** A process that has just started, and one that has been used. */
const IDLE_MB = 210
const LOADED_MB = 320
const FIRST_SEARCH_MS = 50
const SERIES = 600

async function describeInstance({ subjects }: Bench): Promise<Table | undefined> {
  if (!isChosen('instance')('')) return undefined
  const { table, add } = createTable(`${subjects.engine}-instance`, ['instance', 'value', 'target'], say)
  const { dataset, server } = await subjects.of(USUAL_FLIGHTS)
  const once = (path: string, more = {}) => send(server.port, get(path, more)(dataset)(0))
  add('resident memory, idle, MB', ...withTarget(server.residentMb(), IDLE_MB))
  const held = await server.longestHold(async () => void (await once('/api/v1/airports?query=london')))
  add('first search of a process: loop held, ms', ...withTarget(held, FIRST_SEARCH_MS))
  const began = performance.now()
  const second = await startContrail(dataset)
  add('listening after the start, ms', ...withTarget(Math.round(performance.now() - began), undefined))
  await second.stop()
  for (const path of ['/api/v1/flights', '/api/v1/flights?limit=100', '/api/flight/list', '/api/stats']) {
    for (const [name, more] of [
      ['', {}],
      [', gzip', { 'accept-encoding': 'gzip' }],
    ] as const)
      add(`${path}${name}, bytes`, ...withTarget((await once(path, more)).bytes.byteLength, undefined))
  }
  return table
}

async function runRatios({ subjects, scratch }: Bench): Promise<Table | undefined> {
  const chosen = scenarios.filter(
    ({ name, flights = USUAL_FLIGHTS }) => isChosen('ratios')(name) && flights <= largest,
  )
  if (chosen.length === 0) return undefined
  const columns = ['scenario', 'per second', 'CPU µs', 'PostgreSQL µs', 'floor µs', 'ratio', 'target']
  const { engine } = subjects
  const isShown = (_: unknown, i: number) => engine === 'postgres' || i !== 3
  const { table, add } = createTable(`${engine}-ratios`, columns.filter(isShown), say)
  for (const scenario of chosen) {
    const subject = await subjects.of(scenario.flights ?? USUAL_FLIGHTS)
    const on = { subject, usual: await subjects.of(USUAL_FLIGHTS), scratch }
    const found = await measureRatio(subjects, scenario, on, effort)
    const { perSecond, microseconds, databaseMicroseconds, floorMicroseconds } = found
    const numbers = [perSecond, microseconds, databaseMicroseconds, floorMicroseconds]
    const ratio = withTarget(found.ratio, scenario.aim?.[engine])
    add(...[scenario.name, ...numbers, ...ratio].filter(isShown))
  }
  return table
}

async function runLongLogs({ subjects }: Bench): Promise<Table | undefined> {
  const sizes = [1_000, 10_000, 100_000].filter((flights) => flights <= largest)
  const rounds = options.quick ? 3 : 5
  return measureLongLogs(subjects, { sizes, rounds, isChosen: isChosen('long-logs'), say })
}

async function runBesideWriters({ subjects }: Bench): Promise<Table | undefined> {
  return isChosen('beside-writers')('') ? measureBesideWriters(subjects, say) : undefined
}

async function runSlowCommits({ subjects }: Bench): Promise<Table | undefined> {
  if (subjects.engine === 'sqlite' || !isChosen('slow-commits')('')) return undefined
  return measureSlowCommits(subjects, say)
}

/** On a separate server, because imported flights would slow down the others. */
async function runImports({ subjects }: Bench): Promise<Table | undefined> {
  if (!isChosen('imports')('')) return undefined
  const { table, add } = createTable(`${subjects.engine}-imports`, ['import', 'value', 'target'], say)
  const { server, dataset } = await subjects.another(IMPORT_FLIGHTS)
  for (const { name, value, target } of await measureImports(server, dataset, Math.min(100_000, largest)))
    add(name, ...withTarget(value, target))
  await server.stop()
  return table
}

async function tellDisk({ subjects }: Bench): Promise<Table | undefined> {
  const started = await subjects.started()
  if (!isChosen('disk')('') || started.length === 0) return undefined
  const columns = [
    'log of the database',
    'MB',
    'server’s memory after all this, MB',
    'target',
    'series of /metrics',
    'target',
  ]
  const { table, add } = createTable(`${subjects.engine}-disk`, columns, say)
  for (const { dataset, databaseBytes, server } of started) {
    const { bytes } = await send(server.port, { method: 'GET', path: '/metrics', headers: {} })
    const series = bytes
      .toString()
      .split('\n')
      .filter((line) => line && !line.startsWith('#')).length
    add(
      `${dataset.flights.toLocaleString('en')} flights`,
      databaseBytes / 1e6,
      ...withTarget(server.residentMb(), LOADED_MB),
      ...withTarget(series, SERIES),
    )
  }
  return table
}

function publish(found: Report): void {
  const report = { ...found, tables: [...found.tables, factsTable(found)] }
  if (options.save) writeFileSync(options.save, `${JSON.stringify(found, null, 2)}\n`)
  if (options.json) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
  if (options.markdown)
    for (const table of report.tables) process.stdout.write(`\n### ${table.name}\n\n${markdownOf(table)}\n`)
  if (!options.write) return
  for (const file of documents)
    say(`${file}: ${fillIn(file, report.tables).join(', ') || 'nothing to fill in'}`)
}

if (options.compare) {
  await compare(
    { name: 'own', url: options.own, key: options['own-key'] ?? '' },
    { name: 'other', url: options.compare, key: options.key ?? '' },
  )
} else if (options.from) publish(JSON.parse(readFileSync(options.from, 'utf8')) as Report)
else publish(options.simulation ? await simulateAll() : await benchAll())
