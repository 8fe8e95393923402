// Runs the tests: starts PostgreSQL from npm (unless TEST_DATABASE_URL names one), prepares a set-up database of each
// engine that every suite copies, and hands the files to node's test runner.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingAnswers } from './coverage.ts'
import { startPostgres } from './postgres.ts'
import { prepareTemplates } from './templates.ts'
import { type Limits, slowestFiles, watchedRun } from './watched-run.ts'

const LONG = '--long'
const words = process.argv.slice(2)
// `npm run test:faults`; suites read it too.
if (words.includes(LONG)) process.env['FAULTS'] = 'long'

const MINUTE_MS = 60_000
const SLOWEST = 10
/** The long rounds of `npm run test:faults` are single tests. */
const limits: Limits =
  process.env['FAULTS'] === 'long'
    ? { testMs: 180 * MINUTE_MS, silenceMs: 190 * MINUTE_MS }
    : { testMs: 5 * MINUTE_MS, silenceMs: 7 * MINUTE_MS }
const scratch = mkdtempSync(join(tmpdir(), 'contrail-test-'))
// Run as root, PostgreSQL gets a user of its own, which must be able to pass through.
chmodSync(scratch, 0o755)

const chosen = words
  .filter((word) => word !== LONG)
  .flatMap((path) => (statSync(path).isDirectory() ? globSync(`${path}/**/*.test.ts`).sort() : path))
const files = chosen.length ? chosen : globSync('test/**/*.test.ts').sort()
if (files.some((file) => file.includes('e2e'))) buildWebIfStale()
const postgres = await startPostgres(scratch, false)
let code = 1
try {
  await prepareTemplates(scratch, postgres.url)
  code = await watchedRun(files, join(scratch, 'run'), limits)
  if (files.length > SLOWEST)
    process.stdout.write(`The slowest files:\n${slowestFiles(join(scratch, 'run'), SLOWEST)}`)
  if (chosen.length === 0 || process.env['COVERAGE']) code = reportMissing() || code
} finally {
  await postgres.stop()
  rmSync(scratch, { recursive: true, force: true })
}
process.exit(code)

/** Only a full run shows what no suite tests; `COVERAGE=1` checks it for the chosen files. */
function reportMissing(): number {
  const missing = missingAnswers(scratch)
  if (missing.length === 0) return 0
  process.stderr.write(`No test shows that\n${missing.map((line) => `  ${line}\n`).join('')}`)
  return 1
}

/** Browser tests open what people get: the built web app, of these sources. */
function buildWebIfStale(): void {
  const timeOf = (file: string) => statSync(file).mtimeMs
  const sources = globSync([
    'web/src/**',
    'web/public/**',
    'web/*.{html,js,ts}',
    'server/domain/**',
    'assets/**',
    'package-lock.json',
  ])
  const built = 'web/dist/index.html'
  if (existsSync(built) && sources.every((file) => timeOf(file) <= timeOf(built))) return
  const { status } = spawnSync('npm run --silent build', { stdio: 'inherit', shell: true })
  if (status !== 0) process.exit(status ?? 1)
}
