// KItinerary of KDE, an engine that the administrator may install: it knows layouts of single airlines (docs/imports.md). It runs as
// a process of its own with limits, started by the process that reads the file.
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Content } from './content.ts'
import { parseJson } from './json.ts'
import type { Engine } from './kind.ts'

/** The part that its findings are. */
export const KITINERARY = 'KItinerary'

const TIME_MS = 20_000
const MEMORY_KB = 2_000_000
const OUTPUT_AT_MOST = 2 * 2 ** 20
const INPUT_AT_MOST = 25 * 2 ** 20
/** Of one file: a mailbox of thousands of messages would take its time. */
const CALLS_AT_MOST = 50

/** No network, where the system lets a process without rights leave it. */
const WITHOUT_NETWORK = 'unshare -rn'

/**
 * Memory, processor time and files by limits of the shell. One that sleeps uses none of them, and the process that would
 * end it may itself be ended before: `timeout` outlives it. `$0` is the program.
 */
const LIMITED = `ulimit -v ${MEMORY_KB}; ulimit -t ${TIME_MS / 1000}; ulimit -f 0; ulimit -c 0
set -- "$0" "$@"
if ${WITHOUT_NETWORK} true 2>/dev/null; then set -- ${WITHOUT_NETWORK} "$@"; fi
if command -v timeout >/dev/null; then set -- timeout -s KILL ${TIME_MS / 1000} "$@"; fi
exec "$@"`

/** Whether what runs here is kept from the network. */
export const isNetworkCut = (): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', `${WITHOUT_NETWORK} true`], { env: {}, stdio: 'ignore' })
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })

/** What it writes, or null if it failed, wrote too much or took too long. */
export async function runKitinerary(
  path: string,
  options: readonly string[],
  input: Uint8Array,
): Promise<string | null> {
  const file = await withoutName(input)
  try {
    return await run(path, options, file.fd)
  } finally {
    await file.close()
  }
}

/** A file without a name, so that nothing is left of a mail: of a pipe it may not read all. */
async function withoutName(input: Uint8Array): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'contrail-'))
  try {
    await writeFile(join(folder, 'input'), input, { mode: 0o600 })
    return await open(join(folder, 'input'), 'r')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function run(path: string, options: readonly string[], input: number): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', LIMITED, path, ...options], {
      env: { QT_QPA_PLATFORM: 'offscreen' },
      cwd: '/',
      stdio: [input, 'pipe', 'ignore'],
      // Its group ends with it, whatever it started.
      detached: true,
    })
    const written: Buffer[] = []
    let size = 0
    const kill = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
    const timer = setTimeout(kill, TIME_MS)
    const finish = (text: string | null) => {
      clearTimeout(timer)
      resolve(text)
    }
    child.on('error', () => finish(null))
    child.stdout!.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= OUTPUT_AT_MOST) written.push(chunk)
      else kill()
    })
    child.on('close', (code) =>
      finish(code === 0 && size <= OUTPUT_AT_MOST ? Buffer.concat(written).toString() : null),
    )
  })
}

/** Its reservations as JSON, in the form of schema.org. What was asked once is not asked again. */
export function createKitinerary(path: string, documentDate: string): Engine {
  const known = new Map<string, readonly Content[]>()
  return async (bytes, date) => {
    if (bytes.length > INPUT_AT_MOST) return []
    const key = hash('sha256', bytes)
    const before = known.get(key)
    if (before) return before
    if (known.size >= CALLS_AT_MOST) return []
    const output = await runKitinerary(path, ['--context-date', `${date ?? documentDate}T12:00:00`], bytes)
    const parsed = output === null ? null : parseJson(output)
    const value = parsed && 'value' in parsed && Array.isArray(parsed.value) ? parsed.value : []
    const found: Content[] = value.length > 0 ? [{ kind: 'json', part: KITINERARY, value, form: 'json' }] : []
    known.set(key, found)
    return found
  }
}
