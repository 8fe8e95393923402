// The unpacked size of a PDF document's streams. The library unpacks each as a whole, whatever its size.
import { constants, inflateSync } from 'node:zlib'

const STREAM = 'stream'
const END = 'endstream'
/** How many bytes before a stream are searched for its description. */
const DESCRIPTION = 1_000
/** Pictures and fonts have their own limits and do not count. */
const other = /\/Length1\b|\/Subtype\s*\/(?:Image|Type1C|CIDFontType0C|OpenType)\b/

/** Stops counting above `most`. Streams that are packed twice or encrypted count as they are; the reading process has limits too. */
export function unpackedSizeOf(bytes: Uint8Array, most: number): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let total = 0
  for (let at = file.indexOf(STREAM); at >= 0 && total <= most; at = file.indexOf(STREAM, at)) {
    const before = file.toString('latin1', Math.max(0, at - DESCRIPTION), at)
    const description = before.slice(before.lastIndexOf('obj'))
    const start = at + STREAM.length
    const found = file.indexOf(END, start)
    const end = found < 0 ? file.length : found
    if (/\/Fl(?:ateDecode)?\b/.test(description) && !other.test(description))
      total += inflatedSize(file.subarray(start, end), most - total)
    at = end + END.length
  }
  return total
}

function inflatedSize(stream: Buffer, most: number): number {
  const begin = stream[0] === 13 ? 2 : 1
  try {
    return inflateSync(stream.subarray(begin), {
      maxOutputLength: Math.max(1, most),
      // A truncated stream counts up to its end.
      finishFlush: constants.Z_SYNC_FLUSH,
    }).length
  } catch (error) {
    return error instanceof RangeError ? most + 1 : 0
  }
}
