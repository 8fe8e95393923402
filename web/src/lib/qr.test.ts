/** Codes are read back by a reader that shares nothing with the writer, as a camera app would after straightening. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { qrCode } from './qr.ts'

/** ISO/IEC 18004, table 9, level M: blocks as [count, codewords, of which data]. */
const blocks: Record<number, [number, number, number][]> = {
  1: [[1, 26, 16]],
  2: [[1, 44, 28]],
  3: [[1, 70, 44]],
  4: [[2, 50, 32]],
  5: [[2, 67, 43]],
  6: [[4, 43, 27]],
  7: [[4, 49, 31]],
  8: [
    [2, 60, 38],
    [2, 61, 39],
  ],
  9: [
    [3, 58, 36],
    [2, 59, 37],
  ],
  10: [
    [4, 69, 43],
    [1, 70, 44],
  ],
  15: [
    [5, 65, 41],
    [5, 66, 42],
  ],
}
/** Annex E. */
const centres: Record<number, number[]> = {
  1: [],
  2: [6, 18],
  3: [6, 22],
  4: [6, 26],
  5: [6, 30],
  6: [6, 34],
  7: [6, 22, 38],
  8: [6, 24, 42],
  9: [6, 26, 46],
  10: [6, 28, 50],
  15: [6, 26, 48, 70],
}
/** Table C.1: the format bits of level M with each mask. */
const formats = [
  '101010000010010',
  '101000100100101',
  '101111001111100',
  '101101101001011',
  '100010111111001',
  '100000011001110',
  '100111110010111',
  '100101010100000',
]

const exponents = Array.from({ length: 255 }, () => 0)
for (let i = 0, value = 1; i < 255; i++) {
  exponents[i] = value
  value = value < 128 ? value * 2 : (value * 2) ^ 0x11d
}
const timesPower = (value: number, power: number): number =>
  value === 0 ? 0 : exponents[(exponents.indexOf(value) + power) % 255]!

function read(modules: boolean[][]): string {
  const size = modules.length
  const version = (size - 17) / 4
  const at = (x: number, y: number) => modules[y]![x]!
  const isData = (x: number, y: number): boolean => {
    if (x === 6 || y === 6) return false
    if ((x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8)) return false
    if (version >= 7 && ((x < 6 && y >= size - 11) || (y < 6 && x >= size - 11))) return false
    const list = centres[version]!
    return !list.some((cx) =>
      list.some((cy) => {
        const corner = (cx === 6 && (cy === 6 || cy === size - 7)) || (cy === 6 && cx === size - 7)
        return !corner && Math.abs(x - cx) <= 2 && Math.abs(y - cy) <= 2
      }),
    )
  }
  // Figure 25: bit 14 is at the left of row 8.
  const first = [0, 1, 2, 3, 4, 5, 7, 8]
    .map((x) => at(x, 8))
    .concat([7, 5, 4, 3, 2, 1, 0].map((y) => at(8, y)))
  const second = [1, 2, 3, 4, 5, 6, 7]
    .map((i) => at(8, size - i))
    .concat([8, 7, 6, 5, 4, 3, 2, 1].map((i) => at(size - i, 8)))
  const text = (bits: boolean[]) => bits.map(Number).join('')
  assert.equal(text(first), text(second))
  const mask = formats.indexOf(text(first))
  assert.ok(mask >= 0, text(first))
  const isMasked = [
    (i: number, j: number) => (i + j) % 2 === 0,
    (i: number) => i % 2 === 0,
    (_i: number, j: number) => j % 3 === 0,
    (i: number, j: number) => (i + j) % 3 === 0,
    (i: number, j: number) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2 === 0,
    (i: number, j: number) => ((i * j) % 2) + ((i * j) % 3) === 0,
    (i: number, j: number) => (((i * j) % 2) + ((i * j) % 3)) % 2 === 0,
    (i: number, j: number) => (((i * j) % 3) + ((i + j) % 2)) % 2 === 0,
  ][mask]!
  const columns = Array.from({ length: size }, (_, i) => size - 1 - i).filter((x) => x !== 6)
  const bits: number[] = []
  for (let pair = 0; pair < columns.length; pair += 2) {
    const rows = Array.from({ length: size }, (_, i) => (pair % 4 === 0 ? size - 1 - i : i))
    for (const y of rows)
      for (const x of columns.slice(pair, pair + 2))
        if (isData(x, y)) bits.push(Number(at(x, y) !== isMasked(y, x)))
  }
  const words = Array.from({ length: Math.floor(bits.length / 8) }, (_, i) =>
    Number.parseInt(bits.slice(i * 8, i * 8 + 8).join(''), 2),
  )
  return textOf(version, corrected(version, words))
}

/** The data of the blocks, each of which must divide by its generator: every syndrome is zero. */
function corrected(version: number, words: readonly number[]): number[] {
  const list = blocks[version]!.flatMap(([count, all, data]) =>
    Array.from({ length: count }, () => ({ all, data, words: [] as number[] })),
  )
  assert.equal(
    words.length,
    list.reduce((sum, { all }) => sum + all, 0),
  )
  let next = 0
  for (let i = 0; i < Math.max(...list.map(({ data }) => data)); i++)
    for (const block of list) if (i < block.data) block.words.push(words[next++]!)
  for (let i = 0; i < list[0]!.all - list[0]!.data; i++)
    for (const block of list) block.words.push(words[next++]!)
  for (const block of list)
    for (let power = 0; power < block.all - block.data; power++) {
      const syndrome = block.words.reduce((sum, word) => timesPower(sum, power) ^ word, 0)
      assert.equal(syndrome, 0)
    }
  return list.flatMap((block) => block.words.slice(0, block.data))
}

function textOf(version: number, words: readonly number[]): string {
  const bits = words.map((word) => word.toString(2).padStart(8, '0')).join('')
  assert.equal(bits.slice(0, 4), '0100')
  const countBits = version < 10 ? 8 : 16
  const count = Number.parseInt(bits.slice(4, 4 + countBits), 2)
  const from = 4 + countBits
  const bytes = Array.from({ length: count }, (_, i) =>
    Number.parseInt(bits.slice(from + i * 8, from + i * 8 + 8), 2),
  )
  const rest = bits.slice(from + count * 8)
  assert.match(rest, /^0{0,4}(?:0{0,7})(?:1110110000010001)*(?:11101100)?$/)
  return new TextDecoder().decode(new Uint8Array(bytes))
}

test('an address is read back, at the smallest size that holds it', () => {
  const url = 'https://flights.example.org/feeds/ctf_abcdefghijklmnopqrstuvwxyz234567abcdefg.ics'
  const code = qrCode(url)!
  assert.equal(code.length, 37)
  assert.equal(read(code), url)
})

test('every size, filled to the last byte', () => {
  const capacities: [number, number][] = [
    [1, 14],
    [2, 26],
    [3, 42],
    [4, 62],
    [5, 84],
    [6, 106],
    [7, 122],
    [8, 152],
    [9, 180],
    [10, 213],
    [15, 412],
  ]
  for (const [version, capacity] of capacities) {
    for (const length of [capacity, capacity - 1, capacity - 5]) {
      const text = 'https://ö.example/→'.repeat(40).slice(0, length)
      const fitting = text.slice(0, -(new TextEncoder().encode(text).length - length) || undefined)
      const padded = fitting + 'x'.repeat(Math.max(0, length - new TextEncoder().encode(fitting).length))
      assert.equal(read(qrCode(padded)!), padded)
    }
    assert.equal(qrCode('a'.repeat(capacity))!.length, version * 4 + 17)
    if (version < 15) assert.equal(qrCode('a'.repeat(capacity + 1))!.length, version * 4 + 21)
  }
  assert.equal(qrCode('a'.repeat(413)), undefined)
})

test('finders, timing and the dark module are where readers look for them', () => {
  const finder = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111']
  for (const text of ['x', 'x'.repeat(100), 'x'.repeat(200)]) {
    const code = qrCode(text)!
    const size = code.length
    const part = (x: number, y: number) =>
      code.slice(y, y + 7).map((row) =>
        row
          .slice(x, x + 7)
          .map(Number)
          .join(''),
      )
    assert.deepEqual(part(0, 0), finder)
    assert.deepEqual(part(size - 7, 0), finder)
    assert.deepEqual(part(0, size - 7), finder)
    for (let i = 8; i < size - 8; i++) assert.equal(code[6]![i], i % 2 === 0)
    assert.equal(code[size - 8]![8], true)
  }
  // Table D.1: version 7.
  const seven = qrCode('x'.repeat(122))!
  const version = Array.from({ length: 18 }, (_, i) => Number(seven[Math.floor(i / 3)]![45 - 11 + (i % 3)]))
  assert.equal(version.toReversed().join(''), '000111110010010100')
})
