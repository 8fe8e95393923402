// Documents that may be long: lists, logs, exports, feeds. A document is made once for all who ask for it at the same time,
// as fast as the database is and a slice at a time, so that other requests are served in between. Its readers follow
// while it is made: the first byte is sent early, and a slow client holds a file, not a snapshot of the database. A short
// document is complete before its first byte. One that fails is an error, or a connection that breaks, never half a
// document that looks whole.
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Zip } from './gzip.ts'
import type { FoundFile, KeptFiles, NewFile } from './kept-files.ts'
import type { Logger } from './log.ts'
import type { ResponseCache } from './response-cache.ts'

/** A piece is what is made without a pause: a few hundred flights at most. */
export type Write = (piece: string | Buffer) => Promise<void>
type Make = (write: Write) => Promise<void>

export interface Spool {
  /** The document under a key, which stands for everything in it. Throws if it fails before its first byte is sent. */
  open(key: string, make: Make, options?: { zipFrom?: number }): Promise<SpooledDocument>
  /** Ends what is being made. */
  stop(): Promise<void>
}

export interface SpooledDocument {
  body: Readable | Buffer
  /** undefined while it is being made. */
  bytes: number | undefined
  isZipped: boolean
  /** Its length, once it is complete; undefined if it is not completed before its body is read. */
  length(): Promise<number | undefined>
}

interface Parts {
  files: KeptFiles
  /** Keeps short documents. */
  cache: ResponseCache
  zip: Zip
  log: Logger
}

/** What is longer goes to a file. */
const IN_MEMORY_BYTES = 1024 * 1024
const FLUSH_BYTES = 256 * 1024
const READ_BYTES = 256 * 1024
/** From here on a document is sent while it is made. */
const OPEN_FROM_BYTES = 256 * 1024
const OPEN_FROM_PIECES = 4
/** Without a file, the makers wait for the slowest reader when this much is unread. */
const UNREAD_AT_MOST_BYTES = 4 * 1024 * 1024
/** Small, so that the first one is there soon. */
const ZIPPED_PIECE_BYTES = 16 * 1024
const SWEEP_EVERY_MS = 3_600_000

/** Compresses JSON to a twelfth, in a third of the time of the default. */
const ZIP_LEVEL = 1

export function createSpool({ files, cache, zip, log }: Parts): Spool {
  const underWay = new Map<string, Production>()
  const running = new Map<Production, Promise<void>>()
  const stopping = new AbortController()
  const timer = setInterval(() => void files.sweep(), SWEEP_EVERY_MS).unref()
  let isComplained = false
  const complain = (error: unknown) => {
    if (!isComplained) log.warn('cannot write long responses to the disk', { reason: String(error) })
    isComplained = true
  }

  /** Complete, or being made for another request. */
  async function known(key: string): Promise<SpooledDocument | undefined> {
    const whole = cache.get(key)
    if (whole) return inMemory(whole)
    const production = underWay.get(key)
    if (production) return production.follow()
    const file = await files.find(key)
    return file && inFile(file)
  }

  /** Another request may have begun since it was looked for. */
  function joinOrBegin(key: string, make: Make, isKept: boolean, source?: SpooledDocument['body']) {
    const production = underWay.get(key)
    if (!production) return begin(key, make, isKept, source instanceof Readable)
    if (source instanceof Readable) source.destroy()
    return production.follow()
  }

  /** `isLong`: it is made of another form, which is long and begins to be sent. */
  function begin(key: string, make: Make, isKept: boolean, isLong: boolean): Promise<SpooledDocument> {
    const openFrom = isLong ? 1 : OPEN_FROM_PIECES
    const production = new Production(files, stopping.signal, complain, openFrom)
    underWay.set(key, production)
    const leave = () => {
      if (underWay.get(key) === production) underWay.delete(key)
    }
    const followed = production.follow()
    const work = async () => {
      try {
        const whole = await production.produce(make, leave)
        if (whole) cache.set(key, whole)
        else if (isKept) await production.keep(key).catch(complain)
      } catch (error) {
        // Without a byte sent, every request that waits for it fails by this error.
        if (production.isOpen && !(error instanceof Unread)) log.error('a response broke off', { error })
      } finally {
        leave()
        await production.end()
      }
    }
    const done = work().finally(() => void running.delete(production))
    running.set(production, done)
    return followed
  }

  /** A plain document that was made only to be zipped is not kept. */
  async function openPlain(key: string, make: Make, isKept: boolean): Promise<SpooledDocument> {
    const found = await known(key)
    if (found) return found
    const zipped = await known(zippedKey(key))
    if (!zipped) return joinOrBegin(key, make, isKept)
    return joinOrBegin(key, unzipping(zipped.body), isKept, zipped.body)
  }

  async function openZipped(key: string, make: Make, zipFrom: number): Promise<SpooledDocument> {
    const found = await known(zippedKey(key))
    if (found) return { ...found, isZipped: true }
    const plain = await openPlain(key, make, false)
    if (plain.body instanceof Readable) {
      const zipped = await joinOrBegin(zippedKey(key), zipping(plain.body), true, plain.body)
      return { ...zipped, isZipped: true }
    }
    if (plain.body.byteLength < zipFrom) return plain
    const bytes = await zip(zippedKey(key), plain.body, 'known')
    cache.set(zippedKey(key), bytes)
    return { ...inMemory(bytes), isZipped: true }
  }

  return {
    open: (key, make, { zipFrom } = {}) =>
      zipFrom === undefined ? openPlain(key, make, true) : openZipped(key, make, zipFrom),
    async stop() {
      clearInterval(timer)
      stopping.abort(new Error('the server stops'))
      for (const production of running.keys()) production.tell()
      await Promise.all(running.values())
    },
  }
}

/** In front: a key may end with what a client typed. */
const zippedKey = (key: string): string => `gzip ${key}`

const inMemory = (bytes: Buffer): SpooledDocument => ({
  body: bytes,
  bytes: bytes.byteLength,
  isZipped: false,
  length: async () => bytes.byteLength,
})

const inFile = ({ handle, bytes }: FoundFile): SpooledDocument => ({
  body: handle.createReadStream({ start: 0, highWaterMark: READ_BYTES }),
  bytes,
  isZipped: false,
  length: async () => bytes,
})

/** In the threads of zlib. */
const zipping =
  (plain: Readable): Make =>
  (write) =>
    pipeline(plain, createGzip({ level: ZIP_LEVEL, chunkSize: ZIPPED_PIECE_BYTES }), writingTo(write))

const unzipping =
  (zipped: Readable | Buffer): Make =>
  (write) =>
    pipeline(
      zipped instanceof Readable ? zipped : Readable.from([zipped]),
      createGunzip({ chunkSize: READ_BYTES }),
      writingTo(write),
    )

const writingTo = (write: Write) => async (pieces: AsyncIterable<Buffer>) => {
  for await (const piece of pieces) await write(piece)
}

/** Every client left: not a failure. */
class Unread extends Error {}

/** One document while it is made, and until its last reader has it. */
class Production {
  /** Bytes may have been sent: from now on a failure breaks connections. */
  isOpen = false
  #pieces = 0
  #bytes = 0
  /** What is in memory, from `#tailStart` on. */
  #tail: Buffer[] = []
  #tailStart = 0
  #file: NewFile | undefined
  /** There is no room on the disk: what the slowest reader has is dropped. */
  #isPiped = false
  #isComplete = false
  #isEnded = false
  #failure: { error: unknown } | undefined
  #news = Promise.withResolvers<void>()
  readonly #followers = new Set<Follower>()
  readonly #files: KeptFiles
  readonly #signal: AbortSignal
  readonly #complain: (error: unknown) => void
  readonly #openFromPieces: number

  constructor(
    files: KeptFiles,
    signal: AbortSignal,
    complain: (error: unknown) => void,
    openFromPieces: number,
  ) {
    this.#openFromPieces = openFromPieces
    this.#files = files
    this.#signal = signal
    this.#complain = complain
  }

  /** Returns the document if it is short. `onPiped`: no request can join from now on. */
  async produce(make: Make, onPiped: () => void): Promise<Buffer | undefined> {
    try {
      await make((piece) => this.#write(piece, onPiped))
      if (this.#file && !this.#isPiped) await this.#store(onPiped)
      this.#isComplete = true
    } catch (error) {
      this.#failure = { error }
      throw error
    } finally {
      this.tell()
    }
    return this.#whole()
  }

  #whole(): Buffer | undefined {
    if (!this.#isComplete || this.#file || this.#isPiped) return undefined
    if (this.#tail.length !== 1) this.#tail = [Buffer.concat(this.#tail)]
    return this.#tail[0]
  }

  async keep(key: string): Promise<void> {
    if (!this.#isPiped) await this.#file?.keep(key)
  }

  /** Nothing more is written. */
  async end(): Promise<void> {
    this.#isEnded = true
    await this.#closeUnread()
  }

  async #closeUnread(): Promise<void> {
    if (this.#isEnded && this.#followers.size === 0) await this.#file?.close().catch(this.#complain)
  }

  /** Resolves when the first byte may be sent. */
  async follow(): Promise<SpooledDocument> {
    const follower = new Follower(this)
    this.#followers.add(follower)
    while (!this.isOpen && !this.#isComplete && !this.#failure) await this.#news.promise
    const whole = this.#whole()
    if (whole || this.#failure) follower.destroy()
    if (this.#failure) throw this.#failure.error
    if (whole) return inMemory(whole)
    const bytes = this.#isComplete ? this.#bytes : undefined
    return { body: follower, bytes, isZipped: false, length: () => this.#length() }
  }

  /** Who waits for the length does not read: if the maker waits for readers, each would wait for the other. */
  async #length(): Promise<number | undefined> {
    while (!this.#isComplete && !this.#failure && !this.#isHeldUp) await this.#news.promise
    if (this.#failure) throw this.#failure.error
    return this.#isComplete ? this.#bytes : undefined
  }

  get #isHeldUp(): boolean {
    return this.#isPiped && this.#bytes - this.#tailStart > UNREAD_AT_MOST_BYTES
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower)
    this.tell()
    void this.#closeUnread()
  }

  /** Wakes everyone who waits for something of it. */
  tell(): void {
    this.#news.resolve()
    this.#news = Promise.withResolvers()
  }

  /** What follows these bytes; undefined at the end. */
  async read(at: number): Promise<Buffer | undefined> {
    for (;;) {
      if (this.#failure) throw this.#failure.error
      if (at < this.#tailStart) return this.#readFile(at)
      if (at < this.#bytes) return this.#readTail(at)
      if (this.#isComplete) return undefined
      await this.#news.promise
    }
  }

  async #readFile(at: number): Promise<Buffer> {
    const wanted = Math.min(READ_BYTES, this.#tailStart - at)
    const { buffer, bytesRead } = await this.#file!.handle.read(Buffer.allocUnsafe(wanted), 0, wanted, at)
    if (bytesRead === 0) throw new Error('a file of a response was cut')
    return buffer.subarray(0, bytesRead)
  }

  #readTail(at: number): Buffer {
    let start = this.#tailStart
    for (const piece of this.#tail) {
      if (at < start + piece.byteLength) return piece.subarray(at - start)
      start += piece.byteLength
    }
    throw new RangeError('nothing is there')
  }

  async #write(piece: string | Buffer, onPiped: () => void): Promise<void> {
    this.#signal.throwIfAborted()
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    if (bytes.byteLength > 0) this.#tail.push(bytes)
    this.#bytes += bytes.byteLength
    this.#pieces++
    if (this.#isPiped) await this.#waitForReaders()
    else if (this.#bytes - this.#tailStart > (this.#file ? FLUSH_BYTES : IN_MEMORY_BYTES))
      await this.#store(onPiped)
    this.isOpen ||= this.#isPiped || this.#bytes >= OPEN_FROM_BYTES || this.#pieces >= this.#openFromPieces
    this.tell()
    // The end of a slice: other requests have their turn.
    await setImmediate()
  }

  async #store(onPiped: () => void): Promise<void> {
    try {
      this.#file ??= await this.#files.create()
      await writeAt(this.#file.handle, Buffer.concat(this.#tail), this.#tailStart)
      this.#tail = []
      this.#tailStart = this.#bytes
    } catch (error) {
      this.#isPiped = true
      this.#complain(error)
      onPiped()
    }
  }

  async #waitForReaders(): Promise<void> {
    for (;;) {
      if (this.#followers.size === 0) throw new Unread('no client reads it any more')
      this.#dropRead()
      if (!this.#isHeldUp) return
      this.#signal.throwIfAborted()
      // A reader may have all but this piece, or wait for the length.
      this.tell()
      await this.#news.promise
    }
  }

  #dropRead(): void {
    const slowest = Math.min(...[...this.#followers].map(({ at }) => at))
    while (this.#tail[0] && this.#tailStart + this.#tail[0].byteLength <= slowest)
      this.#tailStart += this.#tail.shift()!.byteLength
  }
}

async function writeAt(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done, position + done)
    done += bytesWritten
  }
}

/** Reads a document while it is made. */
class Follower extends Readable {
  at = 0
  readonly #production: Production

  constructor(production: Production) {
    super({ highWaterMark: READ_BYTES })
    this.#production = production
  }

  override _read(): void {
    this.#production.read(this.at).then(
      (bytes) => {
        this.at += bytes?.byteLength ?? 0
        this.#production.tell()
        this.push(bytes ?? null)
      },
      (error) => this.destroy(error),
    )
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#production.leave(this)
    callback(error)
  }
}
