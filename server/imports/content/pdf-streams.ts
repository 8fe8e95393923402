// How large the packed parts of a PDF document are when they are unpacked. The library unpacks each as a whole, whatever its size.
import { constants, inflateSync } from 'node:zlib'

const STREAM = 'stream'
const END = 'endstream'
/** Before a stream, where it is described. */
const DESCRIPTION = 1_000
/** Pictures and fonts have limits of their own, and are not drawn letter by letter. */
const other = /\/Length1\b|\/Subtype\s*\/(?:Image|Type1C|CIDFontType0C|OpenType)\b/

/** Stops counting once it is more than `most`. What is packed twice or encrypted counts as it is: the process that reads it has limits too. */
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
      // What is cut off counts as far as it goes.
      finishFlush: constants.Z_SYNC_FLUSH,
    }).length
  } catch (error) {
    return error instanceof RangeError ? most + 1 : 0
  }
}
