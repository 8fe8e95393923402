// Compound files (MS-CFB), in which Outlook stores messages: a file system of sectors in a file. A chain is never longer than the
// file, an entry is read once, and all streams together have a limit, so that sectors in circles or shared by many do no harm.

export interface Storage {
  streams: ReadonlyMap<string, () => Uint8Array>
  storages: ReadonlyMap<string, Storage>
}

const SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const ENTRY = 128
const ENTRIES_AT_MOST = 20_000
const DEPTH_AT_MOST = 30
/** Sectors that end a chain or hold its data. */
const LAST_SECTOR = 0xfffffff9
const HEADER_TABLES = 109
/** All streams together have at most the length of the file; some are read more than once. */
const READ_TIMES = 4

export const isCompoundFile = (bytes: Uint8Array): boolean =>
  SIGNATURE.every((byte, index) => bytes[index] === byte)

interface Entry {
  name: string
  kind: number
  left: number
  right: number
  child: number
  start: number
  size: number
}
const STORAGE = 1
const STREAM = 2

/** Throws a RangeError if the file is damaged. */
export function openCompoundFile(bytes: Uint8Array): Storage {
  const file = new Sectors(bytes)
  const entries = file.entries()
  const root = entries[0]
  if (!root) throw new RangeError('the file has no root')
  const small = file.long(root.start, root.size)
  const read = ({ start, size }: Entry) =>
    size < file.cutoff ? file.short(small, start, size) : file.long(start, size)
  const seen = new Set<number>()
  const storageOf = (first: number, depth: number): Storage => {
    const streams = new Map<string, () => Uint8Array>()
    const storages = new Map<string, Storage>()
    const open = [first]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const entry = entries[id]
      if (!entry || seen.has(id)) continue
      seen.add(id)
      open.push(entry.left, entry.right)
      if (entry.kind === STREAM) streams.set(entry.name, () => read(entry))
      if (entry.kind === STORAGE && depth < DEPTH_AT_MOST)
        storages.set(entry.name, storageOf(entry.child, depth + 1))
    }
    return { streams, storages }
  }
  return storageOf(root.child, 0)
}

class Sectors {
  readonly cutoff: number
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #size: number
  readonly #smallSize: number
  readonly #table: Uint32Array
  readonly #smallTable: Uint32Array
  /** How many bytes streams may still have. */
  #left: number

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const [shift, smallShift] = [this.#view.getUint16(0x1e, true), this.#view.getUint16(0x20, true)]
    if ((shift !== 9 && shift !== 12) || smallShift !== 6) throw new RangeError('unknown sector size')
    this.#left = READ_TIMES * bytes.length
    this.#size = 1 << shift
    this.#smallSize = 1 << smallShift
    this.cutoff = this.#number(0x38)
    this.#table = this.#numbersIn(this.#tableSectors())
    this.#smallTable = this.#numbersIn(this.#chain(this.#number(0x3c)))
  }

  #number(at: number): number {
    return this.#view.getUint32(at, true)
  }

  #at(sector: number): number {
    return (sector + 1) * this.#size
  }

  /** The sectors of the table itself: the first are listed in the header, the others in a chain of lists. */
  #tableSectors(): number[] {
    const perList = this.#size / 4 - 1
    const most = Math.ceil(this.#bytes.length / this.#size)
    const listed = Array.from({ length: HEADER_TABLES }, (_, index) => this.#number(0x4c + index * 4))
    let next = this.#number(0x44)
    for (let lists = 0; next < LAST_SECTOR && lists < most; lists++) {
      const at = this.#at(next)
      for (let index = 0; index < perList; index++) listed.push(this.#number(at + index * 4))
      next = this.#number(at + perList * 4)
    }
    return [...new Set(listed)].filter((sector) => sector < LAST_SECTOR).slice(0, most)
  }

  #numbersIn(sectors: readonly number[]): Uint32Array {
    const perSector = this.#size / 4
    const numbers = new Uint32Array(sectors.length * perSector)
    for (const [index, sector] of sectors.entries())
      for (let place = 0; place < perSector; place++)
        numbers[index * perSector + place] = this.#number(this.#at(sector) + place * 4)
    return numbers
  }

  /** The sectors from the first one on, at most as many as have these bytes. */
  #chain(start: number, table = this.#table, bytes = this.#bytes.length, size = this.#size): number[] {
    const most = Math.min(table.length, Math.ceil(bytes / size))
    const chain: number[] = []
    for (
      let sector = start;
      sector < LAST_SECTOR && chain.length < most;
      sector = table[sector] ?? LAST_SECTOR
    )
      chain.push(sector)
    return chain
  }

  #joined(parts: readonly Uint8Array[], size: number): Uint8Array {
    this.#left -= parts.reduce((sum, { length }) => sum + length, 0)
    if (this.#left < 0) throw new RangeError('streams share their sectors')
    return Buffer.concat(parts).subarray(0, size)
  }

  entries(): Entry[] {
    const bytes = this.long(this.#number(0x30), ENTRIES_AT_MOST * ENTRY)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return Array.from({ length: Math.floor(bytes.length / ENTRY) }, (_, index): Entry => {
      const at = index * ENTRY
      const number = (offset: number) => view.getUint32(at + offset, true)
      const length = Math.max(0, Math.min(64, view.getUint16(at + 0x40, true)) - 2)
      const name = new TextDecoder('utf-16le').decode(bytes.subarray(at, at + length))
      const kind = view.getUint8(at + 0x42)
      return {
        name,
        kind,
        left: number(0x44),
        right: number(0x48),
        child: number(0x4c),
        start: number(0x74),
        size: number(0x78),
      }
    })
  }

  long(start: number, size: number): Uint8Array {
    const most = Math.min(size, this.#bytes.length)
    const sectors = this.#chain(start, this.#table, most)
    return this.#joined(
      sectors.map((sector) => this.#bytes.subarray(this.#at(sector), this.#at(sector + 1))),
      size,
    )
  }

  /** Streams below the cutoff are parts of one stream, in sectors of 64 bytes. */
  short(all: Uint8Array, start: number, size: number): Uint8Array {
    const sectors = this.#chain(start, this.#smallTable, size, this.#smallSize)
    return this.#joined(
      sectors.map((sector) => all.subarray(sector * this.#smallSize, (sector + 1) * this.#smallSize)),
      size,
    )
  }
}
