// Pieces of a document that are compressed one by one and can be joined: each ends at a byte, and refers to nothing before it.
// So a piece that was compressed for one document is part of the next one as it is.
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

export interface Deflated {
  bytes: Buffer
  plainBytes: number
  crc: number
}

/** Compresses JSON to a twelfth, in a third of the time of the default. */
export const ZIP_LEVEL = 1

const compress = promisify(deflateRaw) as (bytes: Buffer, options: object) => Promise<Buffer>

export async function deflate(text: string): Promise<Deflated> {
  const plain = Buffer.from(text)
  const bytes = await compress(plain, { level: ZIP_LEVEL, finishFlush: constants.Z_FULL_FLUSH })
  return { bytes, plainBytes: plain.byteLength, crc: crc32(plain) }
}

export type WritePiece = (piece: string | Deflated) => Promise<void>
export type MakePieces = (write: WritePiece) => Promise<void>

/** RFC 1952: magic number, deflate, no name, no time, fastest, unknown system. */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255])
/** An empty last block. */
const LAST = Buffer.from([3, 0])
export const TRAILER_BYTES = 8

/** One gzip member of all pieces. Short texts are compressed together. */
export const gzipOf =
  (make: MakePieces) =>
  async (write: (bytes: Buffer) => Promise<void>): Promise<void> => {
    let [text, crc, total] = ['', 0, 0]
    const add = (piece: Deflated) => {
      crc = combine(crc, piece.crc, piece.plainBytes)
      total += piece.plainBytes
      return write(piece.bytes)
    }
    const flush = async () => {
      const piece = text
      text = ''
      if (piece !== '') await add(await deflate(piece))
    }
    await write(HEAD)
    await make(async (piece) => {
      if (typeof piece !== 'string') {
        await flush()
        return add(piece)
      }
      text += piece
      if (text.length >= TEXT_AT_MOST) return flush()
      // The end of a slice, even if there is nothing to write yet.
      if (piece === '') await write(NOTHING)
    })
    await flush()
    const trailer = Buffer.alloc(TRAILER_BYTES)
    trailer.writeUInt32LE(crc, 0)
    trailer.writeUInt32LE(total % 2 ** 32, 4)
    await write(Buffer.concat([LAST, trailer]))
  }

const TEXT_AT_MOST = 64 * 1024
const NOTHING = Buffer.alloc(0)

// The checksum of two pieces from theirs: arithmetic of polynomials over two elements, as in zlib's crc32_combine.

const POLYNOMIAL = 0xedb88320

function multiplied(a: number, b: number): number {
  let [product, factor] = [0, b]
  for (let bit = 0x80000000; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1
  }
  return product >>> 0
}

/** x to the power of 2^n. */
const squares: number[] = [0x40000000]
for (let n = 1; n < 32; n++) squares.push(multiplied(squares[n - 1]!, squares[n - 1]!))

function combine(first: number, second: number, secondBytes: number): number {
  let power = 0x80000000
  // x to the power of the bits: eight times the bytes.
  for (let [left, n] = [secondBytes, 3]; left > 0; left = Math.floor(left / 2), n++)
    if (left % 2 === 1) power = multiplied(squares[n % 32]!, power)
  return (multiplied(power, first) ^ second) >>> 0
}
