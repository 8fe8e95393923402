// Mutation testing: applies one mutant after the other to a file, runs the tests that use the file, and lists the mutants
// that survive: `npm run mutate -- server/domain/geo/geo.ts`. Tests may be given after the file; `--sample 50` tries that many
// mutants, evenly spread; `--lines 12,40` only those of these lines. Works on a copy of the project, on SQLite.
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { dependenciesOf } from '../test/dependencies.ts'
import { prepareEngines } from '../test/templates.ts'
import { type Mutant, mutantsOf } from './mutants.ts'

const COPIES = 2
/** A mutant that loops endlessly counts as killed: after many times the duration of the tests, however busy the machine is. */
const timeLimit = { leastMs: 30_000, times: 20 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, lines: { type: 'string' } },
})
const HARNESS = 'test/harness.ts'
/** Files that import the whole application. */
const importsEverything = new Set([HARNESS, 'server/app.ts', 'server/operations/index.ts'])

const [file, ...named] = positionals
if (!file) fail('Name the file to mutate: npm run mutate -- server/domain/geo/geo.ts')
const tests = named.length > 0 ? named : testsOf(file)
if (tests.length === 0) fail(`No test imports ${file}; name the tests after it`)

const scratch = mkdtempSync(join(tmpdir(), 'contrail-mutate-'))
const running = new Set<ChildProcess>()
// A mutant may loop forever: none keeps running when the run is interrupted.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of running) endGroup(child)
    rmSync(scratch, { recursive: true, force: true })
    process.exit(1)
  })
try {
  if (tests.some((test) => importsDeeply(test, HARNESS))) await prepareEngines(scratch, false)
  process.exitCode = await report(file, tests)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function report(path: string, files: readonly string[]): Promise<number> {
  const source = readFileSync(path, 'utf8')
  const mutants = chosen(mutantsOf(path, source))
  const copies = Array.from({ length: COPIES }, (_, i) => copyProject(join(scratch, `copy-${i}`)))
  process.stdout.write(`${mutants.length} mutants of ${path}, tested by\n  ${files.join('\n  ')}\n`)
  const started = performance.now()
  if (await killerOf(copies[0]!, files, Number.POSITIVE_INFINITY)) fail('The tests fail without any mutant')
  const limitMs = Math.max(timeLimit.leastMs, timeLimit.times * (performance.now() - started))
  const kills = new Map(files.map((test) => [test, 0]))
  let survivors = 0
  const waiting = [...mutants]
  await Promise.all(
    copies.map(async (copy) => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const { start, end, text, line, description } = mutant
        writeFileSync(join(copy, path), source.slice(0, start) + text + source.slice(end))
        // The test that notices most comes first, so that the others need not run.
        const order = [...files].sort((a, b) => kills.get(b)! - kills.get(a)!)
        const killer = await killerOf(copy, order, limitMs)
        if (killer) kills.set(killer, kills.get(killer)! + 1)
        else {
          survivors++
          process.stdout.write(`  ${path}:${line}  ${description}\n`)
        }
      }
    }),
  )
  process.stdout.write(`${mutants.length - survivors} killed, ${survivors} survived\n`)
  return survivors > 0 ? 1 : 0
}

function chosen(all: Mutant[]): Mutant[] {
  const lines = values.lines?.split(',').map(Number)
  const wanted = lines ? all.filter(({ line }) => lines.includes(line)) : all
  return sampled(wanted, Number(values.sample ?? Number.POSITIVE_INFINITY))
}

function sampled(all: Mutant[], count: number): Mutant[] {
  if (all.length <= count) return all
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]!)
}

function copyProject(folder: string): string {
  for (const part of ['server', 'web', 'test', 'tools', 'assets', 'docs', 'package.json'])
    cpSync(part, join(folder, part), { recursive: true })
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** The first failing test file, if there is one. */
async function killerOf(cwd: string, files: readonly string[], limitMs: number): Promise<string | undefined> {
  for (const file of files) if (await fails(cwd, file, limitMs)) return file
  return undefined
}

/** Including the processes that the test started. */
function endGroup(child: ChildProcess): void {
  if (running.delete(child)) process.kill(-child.pid!, 'SIGKILL')
}

/** Stops at the first failing test. Without `--test`, which would start a second process for the file. */
function fails(cwd: string, file: string, limitMs: number): Promise<boolean> {
  const child = spawn(
    process.execPath,
    ['--import', './test/preload.ts', '--test-force-exit', '--test-reporter=tap', file],
    {
      cwd,
      // Everything but the mutated file is compiled once.
      env: {
        ...process.env,
        MUTATED: '1',
        TEST_ENGINE: 'sqlite',
        NODE_COMPILE_CACHE: join(scratch, 'compiled'),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    },
  )
  running.add(child)
  const end = () => endGroup(child)
  const timer = Number.isFinite(limitMs) ? setTimeout(end, limitMs) : undefined
  child.stdout.on('data', (chunk: Buffer) => {
    if (/^\s*not ok /m.test(chunk.toString())) end()
  })
  return new Promise((resolve) =>
    child.on('close', (code) => {
      running.delete(child)
      clearTimeout(timer)
      resolve(code !== 0)
    }),
  )
}

/**
 * Unit tests that import the file. Tests through HTTP import the whole application, so of those the ones named after the
 * file are taken, or all in the folder named after its folder.
 */
function testsOf(path: string): string[] {
  const noun = basename(path).replace(/\.(?:svelte\.)?ts$/, '')
  const folder = basename(dirname(path))
  const all = globSync(['test/**/*.test.ts', 'web/src/**/*.test.ts']).filter(
    (test) => !/e2e|faults/.test(test),
  )
  const byName = all.filter((test) => basename(test).startsWith(`${noun}.`))
  const byFolder = all.filter((test) => dirname(test) === `test/${folder}`)
  const byImport = all.filter((test) => importsDeeply(test, path))
  return [...new Set([...byName, ...byFolder, ...byImport])]
}

function importsDeeply(from: string, target: string): boolean {
  return dependenciesOf(from, (path) => path !== target && importsEverything.has(path)).has(target)
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
