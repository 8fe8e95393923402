// The length of a recorded film. A browser writes the header of a WebM file before it knows it, and then players show no length and
// cannot seek. Only the elements that are needed for it are read (RFC 8794 for EBML, RFC 9559 for Matroska).

const SEGMENT = 0x18538067
const INFO = 0x1549a966
const TIMESTAMP_SCALE = 0x2ad7b1
const DURATION = 0x4489
const CLUSTER = 0x1f43b675
const TIMESTAMP = 0xe7
const SIMPLE_BLOCK = 0xa3
const BLOCK_GROUP = 0xa0
const BLOCK = 0xa1
/** These contain what is read; everything else is passed over. */
const parents: ReadonlySet<number> = new Set([SEGMENT, INFO, CLUSTER, BLOCK_GROUP])

/** Nanoseconds of a tick, unless the file says otherwise. */
const USUAL_SCALE = 1_000_000

interface Element {
  id: number
  /** Where its size is written, and in how many bytes. */
  sizeAt: number
  sizeBytes: number
  start: number
  /** Undefined while it is being written: then it ends with the file, or where the next one of its kind begins. */
  size: number | undefined
}

/** Number of bytes of a variable-length integer, told by its first bit that is set. */
const lengthAt = (bytes: Uint8Array, at: number): number => Math.clz32(bytes[at] ?? 0) - 23

function unsigned(bytes: Uint8Array, start: number, length: number, first = 0xff): number {
  let value = bytes[start]! & first
  for (let i = 1; i < length; i++) value = value * 256 + bytes[start + i]!
  return value
}

function elementAt(bytes: Uint8Array, at: number): Element | undefined {
  const idBytes = lengthAt(bytes, at)
  const sizeAt = at + idBytes
  const sizeBytes = lengthAt(bytes, sizeAt)
  if (idBytes > 4 || sizeBytes > 8 || sizeAt + sizeBytes > bytes.length) return undefined
  const mask = 0xff >> sizeBytes
  const isUnknown =
    (bytes[sizeAt]! & mask) === mask &&
    bytes.subarray(sizeAt + 1, sizeAt + sizeBytes).every((byte) => byte === 0xff)
  return {
    id: unsigned(bytes, at, idBytes),
    sizeAt,
    sizeBytes,
    start: sizeAt + sizeBytes,
    size: isUnknown ? undefined : unsigned(bytes, sizeAt, sizeBytes, mask),
  }
}

/** Every element in the order of the file; parents before what is in them. */
function* elementsOf(bytes: Uint8Array): Generator<Element> {
  let at = 0
  while (at < bytes.length) {
    const element = elementAt(bytes, at)
    if (!element) return
    yield element
    at = element.start + (parents.has(element.id) ? 0 : (element.size ?? 0))
  }
}

interface Film {
  segment?: Element
  info?: Element
  duration?: Element
  scale: number
  /** Ticks at which pictures are shown, the last two. */
  last: number
  before: number
}

function readFilm(bytes: Uint8Array): Film {
  const film: Film = { scale: USUAL_SCALE, last: 0, before: 0 }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let cluster = 0
  for (const element of elementsOf(bytes)) {
    const { id, start, size } = element
    if (id === SEGMENT) film.segment = element
    else if (id === INFO) film.info = element
    else if (id === DURATION) film.duration = element
    else if (id === TIMESTAMP_SCALE) film.scale = unsigned(bytes, start, size ?? 0)
    else if (id === TIMESTAMP) cluster = unsigned(bytes, start, size ?? 0)
    else if (id === SIMPLE_BLOCK || id === BLOCK) {
      const shown = cluster + view.getInt16(start + lengthAt(bytes, start))
      if (shown > film.last) [film.before, film.last] = [film.last, shown]
    }
  }
  return film
}

/** Seconds that the header says; undefined if it says none. */
export function filmLength(bytes: Uint8Array): number | undefined {
  const { duration, scale } = readFilm(bytes)
  if (!duration) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset + duration.start, duration.size)
  return ((duration.size === 4 ? view.getFloat32(0) : view.getFloat64(0)) * scale) / 1e9
}

/** The same film with its length in the header. One that is not understood stays as it is. */
export function withLength(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { segment, info, duration, last, before } = readFilm(bytes)
  if (!segment || info?.size === undefined || duration || last === 0) return bytes
  // The last picture is shown as long as the one before.
  const element = durationElement(2 * last - before)
  const end = info.start + info.size
  const header = bytes.slice(0, info.sizeAt)
  // A segment of a known size would be too short now.
  if (segment.size !== undefined) writeSize(header, segment, undefined)
  const size = new Uint8Array(8)
  writeSize(size, { sizeAt: 0, sizeBytes: 8 }, info.size + element.length)
  const parts = [header, size, bytes.subarray(info.start, end), element, bytes.subarray(end)]
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function durationElement(ticks: number): Uint8Array {
  const element = new Uint8Array(11)
  element.set([0x44, 0x89, 0x88])
  new DataView(element.buffer).setFloat64(3, ticks)
  return element
}

/** Undefined is "until the end of the file". */
function writeSize(
  bytes: Uint8Array,
  { sizeAt, sizeBytes }: Pick<Element, 'sizeAt' | 'sizeBytes'>,
  size: number | undefined,
): void {
  let rest = size
  for (let i = sizeBytes - 1; i >= 0; i--) {
    bytes[sizeAt + i] = rest === undefined ? 0xff : rest % 256
    if (rest !== undefined) rest = Math.floor(rest / 256)
  }
  const first = 0x80 >> (sizeBytes - 1)
  bytes[sizeAt] = (bytes[sizeAt]! & (first - 1)) | first
}
