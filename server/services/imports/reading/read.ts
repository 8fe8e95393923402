// Reads a file in a separate process, because unknown bytes may need too much memory or time. Both end with the process, and
// other requests are not affected.
import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { deserialize } from 'node:v8'
import { MINUTE } from '../../../domain/time/durations.ts'
import type { SourceRecord } from './source.ts'
import { type Reading, type ReadRequest, UnreadableFile } from './stages.ts'

/** The size of the heap. A file of 100 MB becomes a string of 200 MB. */
const MEMORY_MB = 448
/** Memory outside the heap: the process, the bytes of the file, pictures and unpacked data. */
const BESIDES_MB = 320
/** The time to wait for the process; the caller's work between batches does not count. */
const TIME_MS = 2 * MINUTE
/** How long a process is kept for the next file: starting one takes longer than reading a small file. */
const KEPT_MS = MINUTE
/** After a larger file, a process uses too much memory to be kept. */
const KEPT_BYTES = 2 * 2 ** 20
/** The environment variables that a reader gets; others contain passwords. */
const PASSED_ON = ['NODE_COMPILE_CACHE', 'PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'TZ']

type Request = Omit<ReadRequest, 'signal'>

export type ToProcess = { kind: 'read'; size: number; request: Request } | { kind: 'taken' }
export type FromProcess =
  | { kind: 'ready' }
  | { kind: 'head'; head: Omit<Reading, 'batches'> }
  /** Serialized records: as objects, those of waiting batches would become old in the heap before they are used. */
  | { kind: 'batch'; bytes: Uint8Array }
  | { kind: 'end' }
  | { kind: 'refused'; code: 'unreadable_file' | 'too_large'; message: string }

interface ReadLimits {
  memoryMb: number
  timeMs: number
}
const usual: ReadLimits = { memoryMb: MEMORY_MB, timeMs: TIME_MS }

/** Rejects with `UnreadableFile`, immediately or between batches, or with the reason of the signal. */
export async function read(
  bytes: Uint8Array,
  { signal, ...request }: ReadRequest,
  limits: ReadLimits = usual,
): Promise<Reading> {
  signal?.throwIfAborted()
  const inbox = new Inbox(limits === usual ? takeProcess() : startProcess(limits), limits, signal)
  try {
    inbox.send({ kind: 'read', size: bytes.length, request })
    await inbox.expect('ready')
    inbox.write(bytes)
    const { head } = await inbox.expect('head')
    return { ...head, batches: { [Symbol.asyncIterator]: () => batchesFrom(inbox, bytes.length) } }
  } catch (error) {
    inbox.end()
    throw error
  }
}

/** Not a generator, so that `return` before the first `next` also ends the process. */
function batchesFrom(inbox: Inbox, fileBytes: number): AsyncIterator<SourceRecord[]> {
  const done = { done: true, value: undefined } as const
  let finished = false
  return {
    async next() {
      if (finished) return done
      try {
        const message = await inbox.next()
        if (message.kind === 'batch') {
          inbox.send({ kind: 'taken' })
          return { done: false, value: deserialize(message.bytes) as SourceRecord[] }
        }
        finished = true
        if (fileBytes <= KEPT_BYTES) inbox.release()
        else inbox.end()
        return done
      } catch (error) {
        finished = true
        inbox.end()
        throw error
      }
    },
    async return() {
      if (!finished) inbox.end()
      finished = true
      return done
    },
  }
}

let kept: { child: ChildProcess; forget: () => void } | null = null

function takeProcess(): ChildProcess {
  if (!kept) return startProcess(usual)
  const { child, forget } = kept
  forget()
  return child
}

function keepProcess(child: ChildProcess): void {
  if (kept) {
    child.kill('SIGKILL')
    return
  }
  const forget = () => {
    kept = null
    clearTimeout(timer)
    child.off('exit', forget)
  }
  const timer = setTimeout(() => {
    forget()
    child.kill('SIGKILL')
  }, KEPT_MS)
  timer.unref()
  kept = { child, forget }
  child.on('exit', forget)
}

const program = fileURLToPath(new URL('./process.ts', import.meta.url))

export function startProcess({ memoryMb }: Pick<ReadLimits, 'memoryMb'>): ChildProcess {
  const child = fork(program, [String((memoryMb + BESIDES_MB) * 2 ** 20)], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    env: Object.fromEntries(PASSED_ON.flatMap((name) => [[name, process.env[name]]])),
    // Its output about a failure may contain content of the file.
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  child.on('error', () => undefined)
  child.stdin!.on('error', () => undefined)
  // A stopping server does not wait for a file.
  child.unref()
  child.channel!.unref()
  ;(child.stdin as Socket).unref()
  return child
}

/** The messages of a process about one file, in order, and the end or reuse of the process. */
class Inbox {
  readonly #child: ChildProcess
  readonly #limits: ReadLimits
  readonly #signal: AbortSignal | undefined
  readonly #arrived: FromProcess[] = []
  #failure: Error | null = null
  #wake: (() => void) | null = null
  #waitedMs = 0

  constructor(child: ChildProcess, limits: ReadLimits, signal: AbortSignal | undefined) {
    this.#child = child
    this.#limits = limits
    this.#signal = signal
    child.on('message', this.#receive).on('error', this.#ended).on('exit', this.#ended)
    child.on('disconnect', this.#ended)
    signal?.addEventListener('abort', this.#abort)
  }

  send(message: ToProcess): void {
    // If it has ended, the exit event reports it.
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }

  write(bytes: Uint8Array): void {
    this.#child.stdin!.write(bytes)
  }

  /** Rejects if the file was refused, or if the process failed or took too long. Earlier messages are returned first. */
  async next(): Promise<FromProcess> {
    while (this.#arrived.length === 0 && !this.#failure) await this.#wait()
    this.#signal?.throwIfAborted()
    const message = this.#arrived.shift()
    if (message === undefined) throw this.#failure
    if (message.kind === 'refused') throw new UnreadableFile(message.code, message.message)
    return message
  }

  async expect<Kind extends FromProcess['kind']>(kind: Kind): Promise<Extract<FromProcess, { kind: Kind }>> {
    const message = await this.next()
    if (message.kind !== kind) throw new Error(`the process sent ${message.kind} instead of ${kind}`)
    return message as Extract<FromProcess, { kind: Kind }>
  }

  /** Makes the process available for another file. */
  release(): void {
    this.#leave()
    if (this.#failure || this.#limits !== usual) this.#child.kill('SIGKILL')
    else keepProcess(this.#child)
  }

  end(): void {
    this.#leave()
    this.#child.kill('SIGKILL')
  }

  #leave(): void {
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#child.off('message', this.#receive).off('error', this.#ended).off('exit', this.#ended)
    this.#child.off('disconnect', this.#ended)
  }

  #receive = (message: FromProcess): void => {
    this.#arrived.push(message)
    this.#wake?.()
  }
  /** Called once the process has ended and its last message has arrived. */
  #ended = (): void => {
    const { connected, exitCode, signalCode, pid } = this.#child
    const isOver = exitCode !== null || signalCode !== null
    if (pid === undefined || (!connected && isOver)) this.#fail(whyEnded(signalCode))
  }
  #abort = (): void => {
    this.#fail(failed())
    this.#child.kill('SIGKILL')
  }

  #fail(failure: Error): void {
    this.#failure ??= failure
    this.#wake?.()
  }

  async #wait(): Promise<void> {
    const begin = performance.now()
    const timer = setTimeout(() => this.#fail(tooSlow()), Math.max(0, this.#limits.timeMs - this.#waitedMs))
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    this.#wake = null
    clearTimeout(timer)
    this.#waitedMs += performance.now() - begin
  }
}

const tooLarge = (message: string) => new UnreadableFile('too_large', message)
const tooSlow = () => tooLarge('Reading the file takes too long. Split it into several files.')
const failed = () =>
  new UnreadableFile('unreadable_file', 'The file could not be read because the reader failed.')

/** The runtime aborts at the heap limit; the watching thread and the kernel send a kill signal. */
const whyEnded = (signal: NodeJS.Signals | null): Error =>
  signal === 'SIGABRT' || signal === 'SIGKILL' || signal === 'SIGTRAP'
    ? tooLarge('Reading the file needs too much memory. Split it into several files.')
    : failed()
