// Would the tests notice? Makes one small mistake after the other in a file, runs the tests that use it, and lists the
// mistakes that none noticed: `npm run mutate -- server/domain/geo.ts`. Tests may be named behind the file, and
// `--sample 50` tries that many mistakes, evenly spread. Works on a copy, on the embedded engine.
import { spawn } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareTemplates } from '../test/templates.ts'
import { type Mutant, mutantsOf } from './mutants.ts'

/** An endless loop is a mistake that is noticed. */
const TIMEOUT_MS = 120_000
const AT_ONCE = 2

const { values, positionals } = parseArgs({ allowPositionals: true, options: { sample: { type: 'string' } } })
const [file, ...named] = positionals
if (!file) fail('Name the file to change: npm run mutate -- server/domain/geo.ts')
const tests = named.length > 0 ? named : testsOf(file)
if (tests.length === 0) fail(`No test imports ${file}; name the tests behind it`)

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
  const copies = Array.from({ length: AT_ONCE }, (_, i) => copyProject(join(scratch, `copy-${i}`)))
  process.stdout.write(`${mutants.length} mistakes in ${path}, tested by\n  ${files.join('\n  ')}\n`)
  if (await isNoticed(copies[0]!, files)) fail('The tests fail without any mistake')
  const survivors: Mutant[] = []
  const waiting = [...mutants]
  await Promise.all(
    copies.map(async (copy) => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const { start, end, text } = mutant
        writeFileSync(join(copy, path), source.slice(0, start) + text + source.slice(end))
        if (!(await isNoticed(copy, files))) survivors.push(mutant)
      }
    }),
  )
  for (const { line, description } of survivors.sort((a, b) => a.line - b.line))
    process.stdout.write(`  ${path}:${line}  ${description}\n`)
  process.stdout.write(`${mutants.length - survivors.length} noticed, ${survivors.length} not\n`)
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

/** Ends at the first test that fails. */
function isNoticed(cwd: string, files: readonly string[]): Promise<boolean> {
  const words = ['--test', '--test-force-exit', '--test-reporter=tap', '--test-concurrency=1', ...files]
  const child = spawn(process.execPath, words, {
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
 * Unit tests import the file; tests through HTTP import everything, so of those the ones named after it are taken, or
 * all in the folder named after its folder.
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
  // Through these a test reaches the whole application.
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
