// A JPEG file of a grey picture: baseline, one component, the tables of the standard.
import type { Grey } from './pictures.ts'

const zigzag = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
]
const STEP = 12
const dcCounts = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
const dcValues = Array.from({ length: 12 }, (_, index) => index)
const acCounts = [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d]
const acValues = [
  ...Buffer.from(
    '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
    'hex',
  ),
]

type Codes = Map<number, [code: number, length: number]>
function codesOf(counts: number[], values: number[]): Codes {
  const codes: Codes = new Map()
  let [code, at] = [0, 0]
  for (const [index, count] of counts.entries()) {
    for (let i = 0; i < count; i++) codes.set(values[at++]!, [code++, index + 1])
    code <<= 1
  }
  return codes
}

const cosines = Array.from({ length: 64 }, (_, i) =>
  Math.cos(((2 * (i % 8) + 1) * Math.floor(i / 8) * Math.PI) / 16),
)

function transformed(block: Float64Array): number[] {
  const rows = new Float64Array(64)
  for (let y = 0; y < 8; y++)
    for (let u = 0; u < 8; u++)
      for (let x = 0; x < 8; x++) rows[y * 8 + u]! += block[y * 8 + x]! * cosines[u * 8 + x]!
  return zigzag.map((place) => {
    const [v, u] = [place >> 3, place & 7]
    let sum = 0
    for (let y = 0; y < 8; y++) sum += rows[y * 8 + u]! * cosines[v * 8 + y]!
    return Math.round((sum * (u ? 1 : Math.SQRT1_2) * (v ? 1 : Math.SQRT1_2)) / 4 / STEP)
  })
}

const segment = (marker: number, content: number[]): Buffer =>
  Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255, ...content])

/** `exif` is the content of an APP1 segment. */
export function jpegOf({ width, height, data }: Grey, exif: Uint8Array = Buffer.alloc(0)): Buffer {
  const [dc, ac] = [codesOf(dcCounts, dcValues), codesOf(acCounts, acValues)]
  const bytes: number[] = []
  let [held, bits] = [0, 0]
  const write = (code: number, length: number) => {
    for (let i = length - 1; i >= 0; i--) {
      held = (held << 1) | ((code >> i) & 1)
      if (++bits < 8) continue
      bytes.push(held)
      if (held === 255) bytes.push(0)
      ;[held, bits] = [0, 0]
    }
  }
  const writeValue = (codes: Codes, run: number, value: number) => {
    const size = value === 0 ? 0 : 32 - Math.clz32(Math.abs(value))
    write(...codes.get(run * 16 + size)!)
    if (size > 0) write(value < 0 ? value + (1 << size) - 1 : value, size)
  }
  let before = 0
  const block = new Float64Array(64)
  for (let top = 0; top < height; top += 8)
    for (let left = 0; left < width; left += 8) {
      for (let i = 0; i < 64; i++) {
        const [x, y] = [Math.min(width - 1, left + (i & 7)), Math.min(height - 1, top + (i >> 3))]
        block[i] = data[y * width + x]! - 128
      }
      const [first, ...rest] = transformed(block)
      writeValue(dc, 0, first! - before)
      before = first!
      let run = 0
      for (const value of rest) {
        if (value === 0) {
          run++
          continue
        }
        // Zeros at the end of a block are written as its end.
        for (; run > 15; run -= 16) write(...ac.get(0xf0)!)
        writeValue(ac, run, value)
        run = 0
      }
      if (rest.at(-1) === 0) write(...ac.get(0)!)
    }
  write(127, 7)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...(exif.length > 0 ? [segment(0xe1, [...exif])] : []),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => STEP)]),
    segment(0xc0, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
    segment(0xc4, [0x00, ...dcCounts, ...dcValues]),
    segment(0xc4, [0x10, ...acCounts, ...acValues]),
    segment(0xda, [1, 1, 0, 0, 63, 0]),
    Buffer.from(bytes),
    Buffer.from([0xff, 0xd9]),
  ])
}
