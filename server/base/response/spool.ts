// Documents that may be long: lists, logs, exports, feeds. Concurrent requests for a document share one production, which
// runs as fast as the database allows and a slice at a time, so that other requests are served in between. Readers follow
// while it is produced: the first byte is sent early, and a slow client holds a file, not a snapshot of the database. A
// short document is complete before its first byte is sent. A failure is an error response or a broken connection, never
// half a document that looks complete.
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { HOUR } from '../../domain/time/durations.ts'
import { errorMessage } from '../errors.ts'
import { every } from '../every.ts'
import type { Logger } from '../log.ts'
import type { ResponseCache } from './cache.ts'
import { gzipOf, type MakePieces, TRAILER_BYTES, ZIP_LEVEL } from './deflated.ts'
import { unzip, type Zip } from './gzip.ts'
import type { FoundFile, KeptFiles, NewFile } from './kept-files.ts'

/** A piece is produced without a pause: a few hundred flights at most. */
export type Write = (piece: string | Buffer) => Promise<void>
type Make = (write: Write) => Promise<void>

export interface Spool {
  /** Opens a document. Its key identifies everything in it. Throws if it fails before its first byte is sent. */
  open(key: string, make: Make, options?: { zipFrom?: number }): Promise<SpooledDocument>
  /** The same for a document of compressed pieces. Only its compressed form is kept; each plain response unzips it. */
  openPieces(key: string, make: MakePieces, options?: { zipFrom?: number }): Promise<SpooledDocument>
  /** Aborts documents in production. */
  stop(): Promise<void>
}

export interface SpooledDocument {
  body: Readable | Buffer
  /** undefined while the document is in production. */
  bytes: number | undefined
  isZipped: boolean
  /** The length, once the document is complete; undefined if it cannot be completed before its body is read. */
  length(): Promise<number | undefined>
}

interface KeptDocument extends SpooledDocument {
  /** The last bytes, once the document is complete. */
  end(bytes: number): Promise<Buffer>
}

interface Parts {
  files: KeptFiles
  /** For short documents. */
  cache: ResponseCache
  zip: Zip
  log: Logger
}

/** Longer documents go to a file. */
const IN_MEMORY_BYTES = 1024 * 1024
const FLUSH_BYTES = 256 * 1024
const READ_BYTES = 256 * 1024
/** Longer documents are sent while they are produced. */
const OPEN_FROM_BYTES = 256 * 1024
const OPEN_FROM_PIECES = 4
/** Without a file, production pauses for the slowest reader when this much is unread. */
const UNREAD_AT_MOST_BYTES = 4 * 1024 * 1024
/** Small, so that the first piece is sent soon. */
const ZIPPED_PIECE_BYTES = 16 * 1024
const SWEEP_EVERY_MS = HOUR

export function createSpool({ files, cache, zip, log }: Parts): Spool {
  const underWay = new Map<string, Production>()
  const running = new Map<Production, Promise<void>>()
  const stopping = new AbortController()
  const stopSweeping = every(SWEEP_EVERY_MS, files.sweep, { log, what: 'make room for long responses' })
  let isComplained = false
  const complain = (error: unknown) => {
    if (!isComplained) log.warn('cannot write long responses to the disk', { reason: errorMessage(error) })
    isComplained = true
  }

  /** Finds a document that is complete or in production for another request. */
  async function known(key: string): Promise<KeptDocument | undefined> {
    const whole = cache.get(key)
    if (whole) return inMemory(whole)
    const production = underWay.get(key)
    if (production) return production.follow()
    const file = await files.find(key)
    return file && inFile(file)
  }

  /** Another request may have begun production since `known` was called. */
  function joinOrBegin(key: string, make: Make, isKept: boolean, source?: SpooledDocument['body']) {
    const production = underWay.get(key)
    if (!production) return begin(key, make, isKept, source instanceof Readable)
    if (source instanceof Readable) source.destroy()
    return production.follow()
  }

  /** `isLong`: the source is another form of the document that is long and already being sent. */
  function begin(key: string, make: Make, isKept: boolean, isLong: boolean): Promise<KeptDocument> {
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
        // If no byte was sent, every request that waits for the document fails with this error.
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

  /** A plain document that is produced only to be zipped is not kept. */
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

  async function openPieces(key: string, make: MakePieces, isZipped: boolean): Promise<SpooledDocument> {
    const name = zippedKey(key)
    const zipped = (await known(name)) ?? (await joinOrBegin(name, gzipOf(make), true))
    return isZipped ? { ...zipped, isZipped } : unzipped(zipped)
  }

  return {
    openPieces: (key, make, { zipFrom } = {}) => openPieces(key, make, zipFrom !== undefined),
    open: (key, make, { zipFrom } = {}) =>
      zipFrom === undefined ? openPlain(key, make, true) : openZipped(key, make, zipFrom),
    async stop() {
      void stopSweeping()
      stopping.abort(new Error('the server stops'))
      for (const production of running.keys()) production.tell()
      await Promise.all(running.values())
    },
  }
}

/** A prefix, because a key may end with text that a client typed. */
const zippedKey = (key: string): string => `gzip ${key}`

const inMemory = (bytes: Buffer): KeptDocument => ({
  body: bytes,
  bytes: bytes.byteLength,
  isZipped: false,
  length: async () => bytes.byteLength,
  end: async (count) => bytes.subarray(-count),
})

const inFile = ({ handle, bytes }: FoundFile): KeptDocument => ({
  body: handle.createReadStream({ start: 0, highWaterMark: READ_BYTES }),
  bytes,
  isZipped: false,
  length: async () => bytes,
  end: async (count) => (await handle.read(Buffer.alloc(count), 0, count, bytes - count)).buffer,
})

/** Unzips a short document whole, a long one as it is read. */
async function unzipped(zipped: KeptDocument): Promise<SpooledDocument> {
  if (!(zipped.body instanceof Readable)) return inMemory(await unzip(zipped.body))
  const length = () => plainLength(zipped)
  const bytes = zipped.bytes === undefined ? undefined : await length()
  const body = createGunzip({ chunkSize: READ_BYTES })
  // A failure of either ends both, and so does a client that disconnects.
  pipeline(zipped.body, body).catch(() => undefined)
  return { body, bytes, isZipped: false, length }
}

/** Gzip stores only the last 32 bits of the length, so that of a very long document is unknown. */
const KNOWN_UP_TO_BYTES = 64 * 1024 * 1024

async function plainLength({ length, end }: KeptDocument): Promise<number | undefined> {
  const bytes = await length()
  if (bytes === undefined || bytes > KNOWN_UP_TO_BYTES) return undefined
  return (await end(TRAILER_BYTES)).readUInt32LE(4)
}

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

/** All clients have left: not a failure. */
class Unread extends Error {}

/** One document from the start of its production until its last reader has read it. */
class Production {
  /** Bytes may have been sent: from now on a failure breaks connections. */
  isOpen = false
  #pieces = 0
  #bytes = 0
  /** The bytes in memory, from `#tailStart` on. */
  #tail: Buffer[] = []
  #tailStart = 0
  #file: NewFile | undefined
  /** The disk is full: bytes that the slowest reader has received are dropped. */
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

  /** Returns the document if it is short. `onPiped` is called when no request can join any more. */
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

  /** Production has ended. */
  async end(): Promise<void> {
    this.#isEnded = true
    await this.#closeUnread()
  }

  async #closeUnread(): Promise<void> {
    if (this.#isEnded && this.#followers.size === 0) await this.#file?.close().catch(this.#complain)
  }

  /** Resolves when the first byte may be sent. */
  async follow(): Promise<KeptDocument> {
    const follower = new Follower(this)
    this.#followers.add(follower)
    while (!this.isOpen && !this.#isComplete && !this.#failure) await this.#news.promise
    const whole = this.#whole()
    if (whole || this.#failure) follower.destroy()
    if (this.#failure) throw this.#failure.error
    if (whole) return inMemory(whole)
    const bytes = this.#isComplete ? this.#bytes : undefined
    const end = (count: number) => this.#end(count)
    return { body: follower, bytes, isZipped: false, length: () => this.#length(), end }
  }

  /** A request that waits for the length does not read: if production waited for readers, the two would block each other. */
  async #length(): Promise<number | undefined> {
    while (!this.#isComplete && !this.#failure && !this.#isHeldUp) await this.#news.promise
    if (this.#failure) throw this.#failure.error
    return this.#isComplete ? this.#bytes : undefined
  }

  /** The last piece is at least as long. */
  async #end(count: number): Promise<Buffer> {
    return (await this.read(this.#bytes - count))!
  }

  get #isHeldUp(): boolean {
    return this.#isPiped && this.#bytes - this.#tailStart > UNREAD_AT_MOST_BYTES
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower)
    this.tell()
    void this.#closeUnread()
  }

  /** Wakes everyone who waits for progress. */
  tell(): void {
    this.#news.resolve()
    this.#news = Promise.withResolvers()
  }

  /** The bytes from `at` on; undefined at the end. */
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
    if (bytesRead === 0) throw new Error('a file of a response was truncated')
    return buffer.subarray(0, bytesRead)
  }

  #readTail(at: number): Buffer {
    let start = this.#tailStart
    for (const piece of this.#tail) {
      if (at < start + piece.byteLength) return piece.subarray(at - start)
      start += piece.byteLength
    }
    throw new RangeError('position after the end of the document')
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
    // The end of a slice: other requests run now.
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
      if (this.#followers.size === 0) throw new Unread('all clients have disconnected')
      this.#dropRead()
      if (!this.#isHeldUp) return
      this.#signal.throwIfAborted()
      // A reader may have read everything but this piece, or wait for the length.
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

/** Reads a document while it is in production. */
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
