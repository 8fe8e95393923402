// Mutation testing: applies one mutant after the other to a file, runs the tests that use the file, and lists the mutants
// that survive: `npm run mutate -- server/domain/geo.ts`. Tests may be given after the file; `--sample 50` tries that many
// mutants, evenly spread. Works on a copy of the project, on SQLite.
import { spawn } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareTemplates } from '../test/templates.ts'
import { type Mutant, mutantsOf } from './mutants.ts'

/** A mutant that loops endlessly counts as killed. */
const TIMEOUT_MS = 120_000
const COPIES = 2

const { values, positionals } = parseArgs({ allowPositionals: true, options: { sample: { type: 'string' } } })
const [file, ...named] = positionals
if (!file) fail('Name the file to mutate: npm run mutate -- server/domain/geo.ts')
const tests = named.length > 0 ? named : testsOf(file)
if (tests.length === 0) fail(`No test imports ${file}; name the tests after it`)

const scratch = mkdtempSync(join(tmpdir(), 'contrail-mutate-'))
try {
  await prepareTemplates(scratch)
  process.exitCode = await report(file, tests)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function report(path: string, files: readonly string[]): Promise<number> {
  const source = readFileSync(path, 'utf8')
  const mutants = sampled(mutantsOf(path, source), Number(values.sample ?? Number.POSITIVE_INFINITY))
  const copies = Array.from({ length: COPIES }, (_, i) => copyProject(join(scratch, `copy-${i}`)))
  process.stdout.write(`${mutants.length} mutants of ${path}, tested by\n  ${files.join('\n  ')}\n`)
  if (await isKilled(copies[0]!, files)) fail('The tests fail without any mutant')
  const survivors: Mutant[] = []
  const waiting = [...mutants]
  await Promise.all(
    copies.map(async (copy) => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const { start, end, text } = mutant
        writeFileSync(join(copy, path), source.slice(0, start) + text + source.slice(end))
        if (!(await isKilled(copy, files))) survivors.push(mutant)
      }
    }),
  )
  for (const { line, description } of survivors.sort((a, b) => a.line - b.line))
    process.stdout.write(`  ${path}:${line}  ${description}\n`)
  process.stdout.write(`${mutants.length - survivors.length} killed, ${survivors.length} survived\n`)
  return survivors.length > 0 ? 1 : 0
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

/** Stops at the first failing test. */
function isKilled(cwd: string, files: readonly string[]): Promise<boolean> {
  const args = ['--test', '--test-force-exit', '--test-reporter=tap', '--test-concurrency=1', ...files]
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, MUTATED: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const end = () => process.kill(-child.pid!, 'SIGKILL')
  const timer = setTimeout(end, TIMEOUT_MS)
  let ended = false
  child.stdout.on('data', (chunk: Buffer) => {
    if (ended || !/^\s*not ok /m.test(chunk.toString())) return
    ended = true
    end()
  })
  return new Promise((resolve) =>
    child.on('close', (code) => {
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
  const byFolder = all.filter((test) => dirname(test) === `test/${folder}` && folder !== 'operations')
  const byImport = all.filter((test) => importsDeeply(test, path, new Set()))
  return [...new Set([...byName, ...byFolder, ...byImport])]
}

function importsDeeply(from: string, target: string, seen: Set<string>): boolean {
  if (from === target) return true
  // These import the whole application.
  if (seen.has(from) || /^(?:test\/harness|server\/app|server\/operations\/index)\.ts$/.test(from))
    return false
  seen.add(from)
  const specifiers = [...readFileSync(from, 'utf8').matchAll(/\bfrom '(\.[^']+\.ts)'/g)].map(
    (match) => match[1]!,
  )
  return specifiers.some((specifier) => importsDeeply(join(dirname(from), specifier), target, seen))
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
