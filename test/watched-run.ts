// Runs test files with node's test runner and monitors it. A test, hook or suite that takes too long fails with its name
// (--test-timeout), and handles left open by a finished file do not block it (--test-force-exit). Neither can end an endless loop:
// if a file produces no events for too long, the whole run is ended and the running tests are named.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { keptFolder } from './templates.ts'

export interface Limits {
  /** Applies to one test, one hook, and one suite with all its tests. */
  testMs: number
  /** How long a file may run without a test that begins or ends. */
  silenceMs: number
}

const CHECKS_PER_LIMIT = 20
/** Many tests wait for a timeout or a process, so more run than there are cores. */
const FILES_AT_ONCE = availableParallelism() + 1
const progressFileIn = (folder: string) => join(folder, 'progress.jsonl')
const isPosix = process.platform !== 'win32'

export interface Run {
  files: readonly string[]
  /** Where the run writes its files. */
  folder: string
  limits: Limits
  /** Further options of node. */
  options?: readonly string[]
  say?: (text: string) => void
  output?: 'inherit' | 'ignore'
}

/**
 * Of every process with tests. With more room for new objects, the garbage of one request is seldom copied while it is still in
 * use: the same tests need a tenth less CPU time.
 */
const prepared = [
  '--import',
  join(import.meta.dirname, 'preload.ts'),
  '--min-semi-space-size=32',
  '--max-semi-space-size=64',
]

/** Runs the files again whenever they or what they import changes, until it is interrupted. */
export function runOnChanges(files: readonly string[], options: readonly string[]): Promise<number> {
  const runner = spawn(process.execPath, [...prepared, '--test', ...options, ...files], { stdio: 'inherit' })
  process.on('SIGINT', () => {})
  return new Promise((resolve) => runner.on('exit', (status) => resolve(status ?? 0)))
}

export async function watchedRun({
  files,
  folder,
  limits,
  options = [],
  say = (text) => void process.stderr.write(text),
  output = 'inherit',
}: Run): Promise<number> {
  mkdirSync(folder, { recursive: true })
  const progressFile = progressFileIn(folder)
  // Inside a test, the runner would treat itself as part of that test.
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  // Temporary files go with the run.
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary, { recursive: true })
  chmodSync(temporary, 0o1777)
  const env = { NODE_COMPILE_CACHE: join(keptFolder, 'compiled'), ...inherited, TMPDIR: temporary }
  const runner = spawn(process.execPath, [...flags(limits, progressFile), ...options, ...files], {
    stdio: output,
    env,
    // A process group, which can be ended with everything that the tests have started.
    detached: isPosix,
  })
  const ended = new Promise<number>((resolve) => runner.on('exit', (status) => resolve(status ?? 1)))
  const forward = (signal: NodeJS.Signals) => void endGroup(runner, signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  const hung = watch(progressFile, limits.silenceMs, ended)
  const result = await Promise.race([ended, hung])
  process.off('SIGINT', forward).off('SIGTERM', forward)
  if (typeof result === 'number') return result
  say(describeHang(result, limits.silenceMs))
  endGroup(runner, 'SIGKILL')
  return 1
}

const flags = ({ testMs }: Limits, progressFile: string) => [
  ...prepared,
  '--test',
  `--test-concurrency=${FILES_AT_ONCE}`,
  `--test-timeout=${testMs}`,
  '--test-force-exit',
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  `--test-reporter=${join(import.meta.dirname, 'progress.ts')}`,
  `--test-reporter-destination=${progressFile}`,
]

interface Silent {
  file: string
  /** Tests and suites that have begun and not ended. */
  running: string[]
}

/** Resolves once a file has been silent for too long. */
async function watch(progressFile: string, silenceMs: number, ended: Promise<number>): Promise<Silent[]> {
  const lastSigns = new Map<string, { count: number; at: number }>()
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (!isOver) {
    await Promise.race([pause(silenceMs / CHECKS_PER_LIMIT, undefined, { ref: false }), ended])
    const silent: Silent[] = []
    for (const [file, { count, running }] of readProgress(progressFile)) {
      const last = lastSigns.get(file)
      if (last?.count !== count) lastSigns.set(file, { count, at: performance.now() })
      else if (running.length > 0 && performance.now() - last.at > silenceMs) silent.push({ file, running })
    }
    if (silent.length > 0) return silent
  }
  return new Promise(() => {})
}

interface Progress {
  begins: boolean
  name: string
  file: string
  /** When the test ended. */
  tookMs?: number
}

function progressIn(progressFile: string): Progress[] {
  if (!existsSync(progressFile)) return []
  // The last line may be half written.
  const lines = readFileSync(progressFile, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Progress)
}

const isFile = ({ name }: Progress) => /\.test\.m?[tj]s$/.test(name)

/** Files of batches that did not run to their end, because their process exited early with success. */
export function unfinishedFiles(folder: string, batches: ReadonlyMap<string, readonly string[]>): string[] {
  const ended = progressIn(progressFileIn(folder)).filter(({ begins }) => !begins)
  const seen = new Set(ended.map(({ file, name }) => `${file} ${name}`))
  return [...batches].flatMap(([entry, files]) => files.filter((file) => !seen.has(`${entry} ${file}`)))
}

/** The files that took longest, as text. */
export function slowestFiles(folder: string, count: number): string {
  const ended = progressIn(progressFileIn(folder)).filter((one) => isFile(one) && one.tookMs !== undefined)
  const slowest = ended.sort((a, b) => b.tookMs! - a.tookMs!).slice(0, count)
  return slowest
    .map(
      ({ name, tookMs }) =>
        `${(tookMs! / 1000).toFixed(1).padStart(7)} s  ${relative(process.cwd(), name)}\n`,
    )
    .join('')
}

function readProgress(progressFile: string): Map<string, { count: number; running: string[] }> {
  const files = new Map<string, { count: number; running: string[] }>()
  for (const { begins, name, file } of progressIn(progressFile)) {
    const known = files.get(file) ?? { count: 0, running: [] }
    files.set(file, known)
    known.count++
    if (begins) known.running.push(name)
    else known.running.splice(known.running.lastIndexOf(name), 1)
  }
  return files
}

/** A process in an endless loop cannot report its test; its file is named instead. */
function describeHang(silent: readonly Silent[], silenceMs: number): string {
  const lines = silent.flatMap(({ file, running }) => [
    `${relative(process.cwd(), file)} hangs: no test began or ended for ${silenceMs / 1000} s`,
    ...running.filter((name) => !file.endsWith(name)).map((name) => `  running: ${name}`),
  ])
  return `\n${lines.join('\n')}\n`
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(isPosix ? -pid : pid, signal)
  } catch (error) {
    // Everything has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
