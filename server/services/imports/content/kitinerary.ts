// KDE's KItinerary, an optional engine that knows the layouts of individual airlines (docs/imports.md). The process that reads
// the file starts it as a separate process with limits.
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Content } from './content.ts'
import { parseJson } from './json.ts'
import type { Engine } from './kind.ts'

/** The name of the part with its results. */
export const KITINERARY = 'KItinerary'

const TIME_MS = 20_000
const MEMORY_KB = 2_000_000
const OUTPUT_AT_MOST = 2 * 2 ** 20
const INPUT_AT_MOST = 25 * 2 ** 20
/** Per file; a mailbox of thousands of messages would take too long. */
const CALLS_AT_MOST = 50

/** Cuts off the network, if the system allows that without privileges. */
const WITHOUT_NETWORK = 'unshare -rn'

/**
 * The shell limits memory, CPU time and files. A sleeping process uses none of these, and the process that would end it may
 * itself be killed first, so `timeout` ends it. `$0` is the program.
 */
const LIMITED = `ulimit -v ${MEMORY_KB}; ulimit -t ${TIME_MS / 1000}; ulimit -f 0; ulimit -c 0
set -- "$0" "$@"
if ${WITHOUT_NETWORK} true 2>/dev/null; then set -- ${WITHOUT_NETWORK} "$@"; fi
if command -v timeout >/dev/null; then set -- timeout -s KILL ${TIME_MS / 1000} "$@"; fi
exec "$@"`

/** Whether the engine is cut off from the network. */
export const isNetworkCut = (): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', `${WITHOUT_NETWORK} true`], { env: {}, stdio: 'ignore' })
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })

/** Its output, or null if it failed, wrote too much or took too long. */
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

/** An unlinked file, so that no mail is left behind. From a pipe the engine may not read everything. */
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
      // A process group of its own, so that its children are killed with it.
      detached: true,
    })
    const written: Buffer[] = []
    let size = 0
    const kill = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has already ended.
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

/** Its reservations as JSON in the schema.org format. Results are cached. */
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
