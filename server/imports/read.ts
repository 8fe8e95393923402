// Reads a file in a thread of its own: strangers' bytes may need too much memory or time, and other requests go on.
import { Worker } from 'node:worker_threads'
import type { SourceRecord } from './source.ts'
import { type Reading, type ReadRequest, UnreadableFile } from './stages.ts'

/** A file of 100 MB is a text of 200 MB. */
const MEMORY_MB = 448
/** Node gives a thread that runs out of memory 16 MB more to end. What one collection of young objects keeps must fit into that: else the whole process ends. */
const YOUNG_MB = 16
/** Of waiting for the thread: what the caller does between batches does not count. */
const TIME_MS = 120_000
/** To start a thread takes longer than to read a small file: the last one is kept for the next file. */
const KEPT_MS = 60_000
/** A thread that read more has more memory than is worth keeping. */
const KEPT_BYTES = 2 * 2 ** 20

type Request = Omit<ReadRequest, 'signal'>

export type ToThread = { kind: 'read'; bytes: Uint8Array; request: Request } | { kind: 'taken' }
export type FromThread =
  | { kind: 'head'; head: Omit<Reading, 'batches'> }
  | { kind: 'batch'; records: SourceRecord[] }
  | { kind: 'end' }
  | { kind: 'refused'; code: 'unreadable_file' | 'too_large'; message: string }

interface ReadLimits {
  memoryMb: number
  timeMs: number
}
const usual: ReadLimits = { memoryMb: MEMORY_MB, timeMs: TIME_MS }

/** Rejects with `UnreadableFile`, here or between batches, or with the reason of the signal. */
export async function read(
  bytes: Uint8Array,
  { signal, ...request }: ReadRequest,
  limits: ReadLimits = usual,
): Promise<Reading> {
  signal?.throwIfAborted()
  const inbox = new Inbox(limits === usual ? takeThread() : startThread(limits), limits, signal)
  try {
    inbox.send({ kind: 'read', bytes, request })
    const first = await inbox.next()
    if (first.kind !== 'head') throw new Error(`the thread sent ${first.kind} before its head`)
    return { ...first.head, batches: { [Symbol.asyncIterator]: () => batchesFrom(inbox, bytes.length) } }
  } catch (error) {
    inbox.end()
    throw error
  }
}

/** Not a generator: `return` before the first `next` ends the thread too. */
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
          return { done: false, value: message.records }
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

let kept: { thread: Worker; forget: () => void } | null = null

function takeThread(): Worker {
  if (!kept) return startThread(usual)
  const { thread, forget } = kept
  forget()
  return thread
}

function keepThread(thread: Worker): void {
  if (kept) {
    end(thread)
    return
  }
  const forget = () => {
    kept = null
    clearTimeout(timer)
    thread.off('exit', forget).off('error', forget)
  }
  const timer = setTimeout(() => {
    forget()
    end(thread)
  }, KEPT_MS)
  timer.unref()
  kept = { thread, forget }
  thread.on('exit', forget).on('error', forget)
}

/** Whatever it still does, or fails at, is of no interest. */
function end(thread: Worker): void {
  thread.on('error', () => undefined)
  void thread.terminate()
}

function startThread({ memoryMb }: ReadLimits): Worker {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
  })
  // A server that stops does not wait for a file.
  thread.unref()
  return thread
}

/** The messages of a thread about one file, in order, and what becomes of the thread. */
class Inbox {
  readonly #thread: Worker
  readonly #limits: ReadLimits
  readonly #signal: AbortSignal | undefined
  readonly #arrived: FromThread[] = []
  #failure: Error | null = null
  #wake: (() => void) | null = null
  #waitedMs = 0

  constructor(thread: Worker, limits: ReadLimits, signal: AbortSignal | undefined) {
    this.#thread = thread
    this.#limits = limits
    this.#signal = signal
    thread.on('message', this.#receive).on('error', this.#error).on('exit', this.#exit)
    signal?.addEventListener('abort', this.#abort)
  }

  send(message: ToThread): void {
    this.#thread.postMessage(message)
  }

  /** Rejects if the file was refused, or the thread failed or took too long. What it sent before that comes first. */
  async next(): Promise<FromThread> {
    while (this.#arrived.length === 0 && !this.#failure) await this.#wait()
    this.#signal?.throwIfAborted()
    const message = this.#arrived.shift()
    if (message === undefined) throw this.#failure
    if (message.kind === 'refused') throw new UnreadableFile(message.code, message.message)
    return message
  }

  /** The thread can read another file. */
  release(): void {
    this.#leave()
    if (this.#failure || this.#limits !== usual) end(this.#thread)
    else keepThread(this.#thread)
  }

  end(): void {
    this.#leave()
    end(this.#thread)
  }

  #leave(): void {
    this.#signal?.removeEventListener('abort', this.#abort)
    // Not `removeAllListeners`: a thread has some of its own, by which it receives messages.
    this.#thread.off('message', this.#receive).off('error', this.#error).off('exit', this.#exit)
  }

  #receive = (message: FromThread): void => {
    this.#arrived.push(message)
    this.#wake?.()
  }
  #error = (error: unknown): void => this.#fail(whyFailed(error))
  #exit = (): void => this.#fail(unreadable('Reading the file ended early.'))
  #abort = (): void => {
    this.#fail(unreadable('Reading the file was ended.'))
    void this.#thread.terminate()
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

const unreadable = (message: string) => new UnreadableFile('unreadable_file', message)
const tooSlow = () =>
  new UnreadableFile('too_large', 'Reading the file takes too long. Split it into several files.')

function whyFailed(error: unknown): Error {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new UnreadableFile(
      'too_large',
      'Reading the file needs too much memory. Split it into several files.',
    )
  return unreadable('The file could not be read: the reader failed.')
}
