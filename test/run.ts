// Runs the tests of a gear, or the files that are named: prepares the engines and the built web app that they need, and hands them to
// node's test runner. Options go to node: `npm test -- --watch --test-name-pattern=undo test/history/history.test.ts`.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { costOf, startCpuMeter, startSpeedMeter } from './cpu.ts'
import { dependenciesOf } from './dependencies.ts'
import { type Batch, describeRest, type Gear, gears, planOf } from './gears.ts'
import { keptFolder, prepareEngines } from './templates.ts'
import { type Limits, runOnChanges, slowestFiles, unfinishedFiles, watchedRun } from './watched-run.ts'

const MINUTE_MS = 60_000
const SLOWEST = 10
/** Options of node whose value may be the next word. */
const withValue = new Set(['--test-name-pattern', '--test-skip-pattern'])

const { gear, files, options } = readWords(process.argv.slice(2))
const isWhole = files.length === 0 && options.length === 0
const isLong = gear === 'faults'
// Suites read this variable.
if (isLong) process.env['FAULTS'] = 'long'
/** The long rounds are single tests. */
const limits: Limits = isLong
  ? { testMs: 180 * MINUTE_MS, silenceMs: 190 * MINUTE_MS }
  : { testMs: 5 * MINUTE_MS, silenceMs: 7 * MINUTE_MS }
const started = performance.now()
const cpu = startCpuMeter()
const speed = startSpeedMeter()
const scratch = mkdtempSync(join(tmpdir(), 'contrail-test-'))
// Run as root, PostgreSQL gets a user of its own, which must be able to pass through.
chmodSync(scratch, 0o755)
let code = 1
try {
  code = await (files.length > 0 ? runNamed() : runGear())
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
process.exit(code)

/** Named files run in a process each, on SQLite, on PostgreSQL (`test:rest`) or on both. */
async function runNamed(): Promise<number> {
  const engine = { quick: 'sqlite', rest: 'postgres', all: undefined, faults: undefined }[gear]
  if (engine) process.env['TEST_ENGINE'] = engine
  const stop = await prepare(files, engine !== 'sqlite')
  try {
    if (options.includes('--watch')) return await runOnChanges(files, options)
    return await watchedRun({ files, folder: join(scratch, 'run'), limits, options })
  } finally {
    await stop()
  }
}

async function runGear(): Promise<number> {
  const batches = planOf(gear)
  const folder = join(scratch, 'run')
  const stop = await prepare(
    batches.flatMap((batch) => batch.files),
    true,
  )
  const entries = new Map(batches.map((batch) => [writeEntry(batch), batch.files]))
  let result = 1
  try {
    result = await watchedRun({ files: [...entries.keys()], folder, limits, options })
  } finally {
    await stop()
  }
  const unfinished = isWhole ? unfinishedFiles(folder, entries) : []
  if (unfinished.length > 0) {
    process.stderr.write(`Not run to their end:\n${unfinished.map((file) => `  ${file}\n`).join('')}`)
    result ||= 1
  }
  process.stdout.write(`The slowest files:\n${slowestFiles(folder, SLOWEST)}`)
  if (isWhole && !isLong) result = (await reportMissing()) || result
  return reportCost() || result
}

/** A file for node's test runner that runs a batch. */
function writeEntry(batch: Batch): string {
  const folder = join(scratch, 'batches')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${batch.name.replaceAll(' ', '-')}.mjs`)
  const module = new URL('./batch.ts', import.meta.url).href
  writeFileSync(file, `import { runBatch } from '${module}'\nrunBatch(${JSON.stringify(batch)})\n`)
  return file
}

async function prepare(all: readonly string[], mayNeedPostgres: boolean): Promise<() => Promise<void>> {
  if (all.some((file) => file.startsWith('test/e2e/'))) buildWebIfStale()
  const sources = (isWhole ? [] : all).flatMap((file) => [...dependenciesOf(file).values()])
  if (!isWhole && !sources.some((source) => /\bTEST_SCRATCH\b/.test(source))) return async () => {}
  const needsPostgres = mayNeedPostgres || all.some((file) => /'postgres'/.test(readFileSync(file, 'utf8')))
  return prepareEngines(scratch, needsPostgres)
}

/** Only a whole run shows which responses no suite tests. Those of PostgreSQL are known after both gears. */
async function reportMissing(): Promise<number> {
  const { missingAnswers, answersOf } = await import('./coverage.ts')
  const kept = join(keptFolder, 'answers.txt')
  const own = answersOf(scratch)
  if (gear === 'quick') writeFileSync(kept, own)
  if (gear === 'rest' && !existsSync(kept)) {
    process.stdout.write('Run npm test first to see whether every response is tested on PostgreSQL\n')
    return 0
  }
  const answers = gear === 'rest' ? own + readFileSync(kept, 'utf8') : own
  const engines = { quick: ['sqlite'], rest: ['postgres'], all: ['sqlite', 'postgres'], faults: [] }[gear]
  const missing = engines.flatMap((engine) => missingAnswers(engine, answers))
  if (missing.length === 0) return 0
  process.stderr.write(`No test shows that\n${missing.map((line) => `  ${line}\n`).join('')}`)
  return 1
}

/** `.ci/run` sets a limit, in seconds of the reference machine; elsewhere the cost is a line of the report. */
function reportCost(): number {
  const seconds = Math.round((performance.now() - started) / 1000)
  const used = cpu.read()
  const cost = used === undefined ? undefined : costOf(used, speed.read())
  const took = `Took ${Math.floor(seconds / 60)} min ${seconds % 60} s`
  process.stdout.write(`${[took, ...(cost ? [cost.words] : [])].join(', ')}.\n`)
  if (gear === 'quick') process.stdout.write(`${describeRest()}\n`)
  const limit = Number(process.env['TEST_CPU_LIMIT'] ?? Number.POSITIVE_INFINITY)
  if (cost === undefined || cost.seconds <= limit) return 0
  process.stderr.write(`The tests may use ${limit} CPU seconds: make one of the slowest files cheaper\n`)
  return 1
}

function readWords([first, ...words]: string[]): { gear: Gear; files: string[]; options: string[] } {
  const isGear = gears.includes(first as Gear)
  if (!isGear) fail(`Name what to run first: ${gears.join(', ')}`)
  const files: string[] = []
  const options: string[] = []
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (!word.startsWith('-')) files.push(...filesAt(word))
    else options.push(withValue.has(word) ? `${word}=${words.shift() ?? ''}` : word)
  }
  if (options.includes('--watch') && files.length === 0) fail('Name the files to watch')
  return { gear: first as Gear, files, options }
}

function filesAt(path: string): string[] {
  const place = statSync(path, { throwIfNoEntry: false })
  if (!place) fail(`There is no file or folder ${path}`)
  return place.isDirectory() ? globSync(`${path}/**/*.test.ts`).sort() : [path]
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

/** Browser tests open the built web app and the documentation, made from these sources. */
function buildWebIfStale(): void {
  const app = ['web/src/**', 'web/public/**', 'web/*.{html,js,ts}', 'server/domain/**', 'assets/**']
  buildIfStale('build', 'web/dist/index.html', [...app, 'package-lock.json'])
  const texts = [
    'README.md',
    'CHANGELOG.md',
    'package.json',
    'docs/**',
    'tools/docs/**',
    'tools/{docs,api}*.ts',
  ]
  buildIfStale('docs', 'web/dist/docs/index.html', [...texts, 'server/operations/**'])
}

function buildIfStale(script: string, built: string, sources: string[]): void {
  const timeOf = (file: string) => statSync(file).mtimeMs
  if (existsSync(built) && globSync(sources).every((file) => timeOf(file) <= timeOf(built))) return
  const { status } = spawnSync(`npm run --silent ${script}`, { stdio: 'inherit', shell: true })
  if (status !== 0) process.exit(status ?? 1)
}
