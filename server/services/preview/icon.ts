// Draws an uploaded SVG as a PNG, so that the file itself is never served. The library is native code, which no thread can
// interrupt and which aborts its process when memory runs out, so each drawing runs in its own process with limits.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Logger } from '../../base/log.ts'
import { createTurns } from '../../base/turns.ts'

/** Undefined if it cannot be drawn. Throws if too many drawings are queued. */
export type DrawIcon = (svg: string) => Promise<Buffer | undefined>

const CHARACTERS_AT_MOST = 1_000_000
const WAITING_AT_MOST = 16
const CPU_SECONDS = 2
/** Node reserves most of this and never uses it. */
const MEMORY_KB = 3_000_000
/** On a busy machine, the elapsed time exceeds the CPU time. */
const TIME_MS = 20_000

/** The exit code if the process refuses the drawing. */
const REFUSED = 9

const program = fileURLToPath(new URL('./icon-process.ts', import.meta.url))
/** `$0` is the program. */
const LIMITED = `ulimit -v ${MEMORY_KB}; ulimit -t ${CPU_SECONDS}; ulimit -f 0; ulimit -c 0; exec "$0" "$@"`

export function createIconDrawer(log: Logger): DrawIcon {
  const inTurn = createTurns({ atOnce: 1, waitingAtMost: WAITING_AT_MOST })
  return async (svg) => {
    if (svg.length > CHARACTERS_AT_MOST) return undefined
    const { code, signal, png, problem } = await inTurn(() => drawInProcess(svg))
    if (code === 0) return png
    if (code !== REFUSED) log.warn('drawing an icon failed', { code, signal, problem })
    return undefined
  }
}

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  png: Buffer
  /** Why the process did not start, as where there is no shell. */
  problem?: string
}

function drawInProcess(svg: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', LIMITED, process.execPath, program, String(REFUSED)], {
      env: {},
      cwd: '/',
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: TIME_MS,
      killSignal: 'SIGKILL',
    })
    const written: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => written.push(chunk))
    child.on('error', ({ message }) =>
      resolve({ code: null, signal: null, png: Buffer.alloc(0), problem: message }),
    )
    child.on('close', (code, signal) => resolve({ code, signal, png: Buffer.concat(written) }))
    // Writing fails after the process has ended; its exit code gives the reason.
    child.stdin.on('error', () => undefined)
    child.stdin.end(svg)
  })
}
