// The members of a zip archive. Sizes in the directory are checked before anything is unpacked, and unpacking stops at the
// stated size.
import { crc32, inflateRawSync } from 'node:zlib'

const MEMBERS_AT_MOST = 1_000
const UNPACKED_AT_MOST = 200 * 2 ** 20
const RATIO_AT_MOST = 200
/** Small members may exceed the ratio, which does no harm. */
const RATIO_FROM = 2 ** 20

export interface Member {
  name: string
  /** The unpacked size in the directory. */
  size: number
  /** Throws `BadArchive`. */
  unpack(): Uint8Array
}

/** A problem with an archive or one of its members, described for people. */
export class BadArchive extends Error {
  readonly code: 'unreadable_file' | 'too_large'
  constructor(code: 'unreadable_file' | 'too_large', message: string) {
    super(message)
    this.code = code
  }
}

const damaged = (what: string) => new BadArchive('unreadable_file', `The zip archive is damaged: ${what}.`)
const tooLarge = (what: string) => new BadArchive('too_large', `The zip archive ${what}.`)

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5) && bytes[3] === bytes[2]! + 1

const LOCAL = 0x04034b50
const ENTRY = 0x02014b50
const END = 0x06054b50
const END_LENGTH = 22
/** Zip64 has its own fields for values above 16 or 32 bits, or unknown to streaming writers beforehand. */
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const LOCATOR_LENGTH = 20
const EXTRA_64 = 1
const ELSEWHERE_16 = 0xffff
const ELSEWHERE_32 = 0xffffffff
const LONGEST_COMMENT = 65_535

/** In the order of the directory, without folders. Throws `BadArchive` if the archive is damaged or too large. */
export function membersOf(bytes: Uint8Array): Member[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { count, start } = findDirectory(view)
  if (count > MEMBERS_AT_MOST) throw tooLarge(`has more than ${MEMBERS_AT_MOST} members`)
  const members: Member[] = []
  let [at, total] = [start, 0]
  for (let i = 0; i < count; i++) {
    const entry = readEntry(bytes, view, at)
    at = entry.next
    total += entry.size
    if (total > UNPACKED_AT_MOST) throw tooLarge('is larger than 200 MB when unpacked')
    if (entry.size > RATIO_FROM && entry.size > entry.packed * RATIO_AT_MOST)
      throw tooLarge('would grow more than 200 times when unpacked')
    if (!entry.name.endsWith('/'))
      members.push({ name: entry.name, size: entry.size, unpack: () => unpack(bytes, view, entry) })
  }
  return members
}

function findEnd(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_LENGTH - LONGEST_COMMENT)
  for (let at = view.byteLength - END_LENGTH; at >= first; at--) {
    if (view.getUint32(at, true) === END) return at
  }
  throw damaged('its directory is missing')
}

function findDirectory(view: DataView): { count: number; start: number } {
  const end = findEnd(view)
  const short = { count: view.getUint16(end + 10, true), start: view.getUint32(end + 16, true) }
  const locator = end - LOCATOR_LENGTH
  const isElsewhere = short.count === ELSEWHERE_16 || short.start === ELSEWHERE_32
  if (!isElsewhere || locator < 0 || view.getUint32(locator, true) !== LOCATOR_64) return short
  const long = longAt(view, locator + 8)
  if (long + 56 > view.byteLength || view.getUint32(long, true) !== END_64)
    throw damaged('its directory is missing')
  return { count: longAt(view, long + 32), start: longAt(view, long + 48) }
}

const longAt = (view: DataView, at: number): number => Number(view.getBigUint64(at, true))

interface Entry {
  name: string
  encrypted: boolean
  method: number
  crc: number
  packed: number
  size: number
  offset: number
  next: number
}

function readEntry(bytes: Uint8Array, view: DataView, at: number): Entry {
  if (at + 46 > view.byteLength || view.getUint32(at, true) !== ENTRY)
    throw damaged('its directory cannot be read')
  const flags = view.getUint16(at + 8, true)
  const nameLength = view.getUint16(at + 28, true)
  const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
  const extra = at + 46 + nameLength
  const extraEnd = extra + view.getUint16(at + 30, true)
  const [size, packed, offset] = placesOf(view, at, extra, extraEnd)
  return {
    name,
    encrypted: (flags & 1) === 1,
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packed,
    size,
    offset,
    next: extraEnd + view.getUint16(at + 32, true),
  }
}

/** Size, packed size and offset of an entry; values that do not fit are in the Zip64 field, in this order. */
function placesOf(view: DataView, at: number, extra: number, extraEnd: number): [number, number, number] {
  const places = [24, 20, 42].map((place) => view.getUint32(at + place, true)) as [number, number, number]
  if (!places.includes(ELSEWHERE_32)) return places
  const most = Math.min(extraEnd, view.byteLength)
  for (let field = extra; field + 4 <= most; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== EXTRA_64) continue
    let value = field + 4
    for (const [index, place] of places.entries()) {
      if (place !== ELSEWHERE_32 || value + 8 > most) continue
      places[index] = longAt(view, value)
      value += 8
    }
    break
  }
  return places
}

function unpack(bytes: Uint8Array, view: DataView, entry: Entry): Uint8Array {
  const { name, offset, packed, size } = entry
  if (entry.encrypted) throw new BadArchive('unreadable_file', `“${name}” is protected by a password.`)
  if (offset + 30 > view.byteLength || view.getUint32(offset, true) !== LOCAL)
    throw damaged(`“${name}” is not where the directory says`)
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  if (start + packed > bytes.length) throw damaged(`“${name}” is cut off`)
  const content = inflated(bytes.subarray(start, start + packed), entry)
  if (content.length !== size || crc32(content) !== entry.crc)
    throw damaged(`“${name}” is not what was packed`)
  return content
}

function inflated(packed: Uint8Array, { name, method, size }: Entry): Uint8Array {
  if (method === 0) return packed
  if (method !== 8)
    throw new BadArchive('unreadable_file', `“${name}” is packed in a way that is not supported.`)
  try {
    // A member larger than the directory states is an error.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) })
  } catch {
    throw damaged(`“${name}” cannot be unpacked`)
  }
}
