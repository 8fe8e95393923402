// The process that `read.ts` starts. It reads one file after the other and sends the records in batches, only a few of which are
// in flight at a time.
import { EventEmitter, once } from 'node:events'
import { writeFileSync } from 'node:fs'
import module from 'node:module'
import { serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { FromProcess, ToProcess } from './read.ts'

// If the machine runs out of memory, the kernel kills this process and not the server. Only Linux has this file.
try {
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // The limit below still applies.
}
// This thread may be busy for a long time, so another one watches the memory of the process and whether the server still runs.
new Worker(new URL('./watch.ts', import.meta.url), {
  workerData: { residentAtMost: Number(process.argv[2]), parent: process.ppid },
}).unref()
// A stopping server ends its readers. A signal to the whole group must not look like a file that crashed its reader.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

// Compiling is half of the start-up time. The process is killed at its end, so the cache is written now.
module.enableCompileCache()
const { openReading } = await import('./reading.ts')
const { UnreadableFile } = await import('./stages.ts')
module.flushCompileCache()

const UNDER_WAY_AT_MOST = 6

const send = (message: FromProcess): void => void process.send!(message)
const events = new EventEmitter<{ filled: []; taken: [] }>()
let file = Buffer.alloc(0)
let filled = 0
let underWay = 0

process.stdin.on('data', (chunk: Buffer) => {
  filled += chunk.copy(file, filled)
  if (filled === file.length) events.emit('filled')
})
// The server has ended, or no longer needs this process.
process.stdin.on('end', () => process.exit())

process.on('message', (message: ToProcess) => {
  if (message.kind === 'read') void readFile(message)
  else {
    underWay--
    events.emit('taken')
  }
})

/** An unexpected error ends the process, and `read.ts` reports it. */
async function readFile({ size, request }: Extract<ToProcess, { kind: 'read' }>): Promise<void> {
  try {
    const { batches, ...head } = await openReading(await receive(size), request)
    send({ kind: 'head', head })
    for await (const records of batches) {
      while (underWay >= UNDER_WAY_AT_MOST) await once(events, 'taken')
      underWay++
      send({ kind: 'batch', bytes: serialize(records) })
    }
    send({ kind: 'end' })
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    send({ kind: 'refused', code: error.code, message: error.message })
  }
}

/** Reads the bytes of a file from standard input: as a message, the server would hold them twice. */
async function receive(size: number): Promise<Uint8Array> {
  file = Buffer.allocUnsafeSlow(size)
  filled = 0
  send({ kind: 'ready' })
  if (size > 0) await once(events, 'filled')
  const received = file
  file = Buffer.alloc(0)
  return received
}
