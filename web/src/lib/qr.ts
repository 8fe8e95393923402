/**
 * QR codes (ISO/IEC 18004) for addresses: byte mode, error correction level M, as small as the text permits. A module is
 * true where it is dark.
 */

/** Of level M, from version 1 on: error correction codewords of each block, and how many blocks. */
const correctionLengths = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24]
const blockCounts = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10]

interface Layout {
  version: number
  size: number
  /** All codewords, and those of them that carry data. */
  codewords: number
  dataCodewords: number
  blocks: number
  correction: number
}

function layoutOf(version: number): Layout {
  const [blocks, correction] = [blockCounts[version - 1]!, correctionLengths[version - 1]!]
  const codewords = Math.floor(modulesForData(version) / 8)
  return {
    version,
    size: version * 4 + 17,
    codewords,
    dataCodewords: codewords - blocks * correction,
    blocks,
    correction,
  }
}

function modulesForData(version: number): number {
  const all = (16 * version + 128) * version + 64
  if (version === 1) return all
  const aligned = Math.floor(version / 7) + 2
  return all - ((25 * aligned - 10) * aligned - 55) - (version >= 7 ? 36 : 0)
}

/** Undefined if the text is too long for the versions that are known here: more than 412 bytes. */
export function qrCode(text: string): boolean[][] | undefined {
  const bytes = new TextEncoder().encode(text)
  for (let version = 1; version <= blockCounts.length; version++) {
    const layout = layoutOf(version)
    const countBits = version < 10 ? 8 : 16
    if (4 + countBits + bytes.length * 8 > layout.dataCodewords * 8) continue
    return draw(layout, withCorrection(layout, dataCodewords(layout, bytes, countBits)))
  }
  return undefined
}

// Codewords

function dataCodewords({ dataCodewords: room }: Layout, bytes: Uint8Array, countBits: number): number[] {
  const BYTE_MODE = 0b0100
  const bits = [...bitsOf(BYTE_MODE, 4), ...bitsOf(bytes.length, countBits)]
  for (const byte of bytes) bits.push(...bitsOf(byte, 8))
  // The end mark may be shorter where there is no room for it.
  while (
    bits.length % 8 !== 0 ||
    (bits.length < room * 8 && bits.length < 4 + countBits + bytes.length * 8 + 4)
  )
    bits.push(0)
  const words = Array.from({ length: bits.length / 8 }, (_, i) =>
    bits.slice(i * 8, i * 8 + 8).reduce((word, bit) => word * 2 + bit, 0),
  )
  for (let pad = 0xec; words.length < room; pad ^= 0xec ^ 0x11) words.push(pad)
  return words
}

const bitsOf = (value: number, length: number): number[] =>
  Array.from({ length }, (_, i) => (value >> (length - 1 - i)) & 1)

/** In blocks with their error correction, and the blocks interleaved. The last ones are a codeword longer. */
function withCorrection({ codewords, blocks, correction }: Layout, data: readonly number[]): number[] {
  const shortLength = Math.floor(codewords / blocks) - correction
  const shortBlocks = blocks - (codewords % blocks)
  const divisor = divisorOf(correction)
  let at = 0
  const parts = Array.from({ length: blocks }, (_, i) => {
    const part = data.slice(at, at + shortLength + (i < shortBlocks ? 0 : 1))
    at += part.length
    return part
  })
  const corrections = parts.map((part) => remainder(part, divisor))
  return [...interleaved(parts, shortLength + 1), ...interleaved(corrections, correction)]
}

const interleaved = (parts: readonly (readonly number[])[], length: number): number[] =>
  Array.from({ length }, (_, i) => parts.flatMap((part) => part[i] ?? [])).flat()

/** In the field of 256 elements with the polynomial 0x11D. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> bit) & 1) * a
  }
  return product
}

/** The Reed-Solomon generator of this degree, without its leading 1. */
function divisorOf(degree: number): number[] {
  let divisor = [...Array<number>(degree - 1).fill(0), 1]
  let root = 1
  for (let i = 0; i < degree; i++) {
    divisor = divisor.map((factor, k) => multiply(factor, root) ^ (divisor[k + 1] ?? 0))
    root = multiply(root, 2)
  }
  return divisor
}

function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  let rest = divisor.map(() => 0)
  for (const word of data) {
    const factor = word ^ rest[0]!
    rest = divisor.map((coefficient, i) => (rest[i + 1] ?? 0) ^ multiply(coefficient, factor))
  }
  return rest
}

// Modules

type Modules = (boolean | undefined)[][]

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** With the mask that is easiest to read. */
function draw(layout: Layout, words: readonly number[]): boolean[][] {
  const patterns = patternsOf(layout)
  const drawn = masks.map((mask, number) => {
    const modules = patterns.map((row) => [...row])
    drawFormat(modules, number)
    drawData(modules, patterns, words, mask)
    return modules as boolean[][]
  })
  const penalties = drawn.map(penaltyOf)
  return drawn[penalties.indexOf(Math.min(...penalties))]!
}

/** Everything but the data; the places of the format are taken. */
function patternsOf({ version, size }: Layout): Modules {
  const modules: Modules = Array.from({ length: size }, () => Array<undefined>(size).fill(undefined))
  for (let i = 0; i < size; i++) {
    modules[6]![i] = i % 2 === 0
    modules[i]![6] = i % 2 === 0
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    drawFinder(modules, x, y)
  const centres = alignmentCentres(version, size)
  const last = centres.length - 1
  for (const [i, x] of centres.entries())
    for (const [k, y] of centres.entries()) {
      const isFinder = (i === 0 && k === 0) || (i === 0 && k === last) || (i === last && k === 0)
      if (!isFinder) drawSquare(modules, x, y, 2, (distance) => distance !== 1)
    }
  if (version >= 7) drawVersion(modules, version)
  drawFormat(modules, 0)
  return modules
}

function drawSquare(
  modules: Modules,
  x: number,
  y: number,
  radius: number,
  isDark: (distance: number) => boolean,
): void {
  for (let dy = -radius; dy <= radius; dy++)
    for (let dx = -radius; dx <= radius; dx++) {
      const row = modules[y + dy]
      if (row && x + dx >= 0 && x + dx < row.length)
        row[x + dx] = isDark(Math.max(Math.abs(dx), Math.abs(dy)))
    }
}

const drawFinder = (modules: Modules, x: number, y: number): void =>
  drawSquare(modules, x, y, 4, (distance) => distance !== 2 && distance !== 4)

function alignmentCentres(version: number, size: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, i) => size - 7 - (count - 2 - i) * step)]
}

/** The value followed by its check bits. */
function withCheck(value: number, generator: number, bits: number): number {
  let rest = value
  for (let i = 0; i < bits; i++) rest = (rest << 1) ^ ((rest >> (bits - 1)) * generator)
  return (value << bits) | rest
}

function drawVersion(modules: Modules, version: number): void {
  const bits = withCheck(version, 0x1f25, 12)
  for (let i = 0; i < 18; i++) {
    const isDark = ((bits >> i) & 1) === 1
    const [near, far] = [Math.floor(i / 3), modules.length - 11 + (i % 3)]
    modules[near]![far] = isDark
    modules[far]![near] = isDark
  }
}

/** Level M is 00; both copies. */
function drawFormat(modules: Modules, mask: number): void {
  const bits = withCheck(mask, 0x537, 10) ^ 0x5412
  const { length: size } = modules
  for (let i = 0; i < 15; i++) {
    const isDark = ((bits >> i) & 1) === 1
    // Around the upper left corner the line of the timing pattern is left out.
    if (i < 8) modules[i < 6 ? i : i + 1]![8] = isDark
    else modules[8]![i === 8 ? 7 : 14 - i] = isDark
    if (i < 8) modules[8]![size - 1 - i] = isDark
    else modules[size - 15 + i]![8] = isDark
  }
  modules[size - 8]![8] = true
}

/** In columns of two from the right, up and down in turn. */
function drawData(
  modules: Modules,
  patterns: Modules,
  words: readonly number[],
  mask: (x: number, y: number) => boolean,
): void {
  const { length: size } = modules
  let bit = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    const isUpward = ((right + 1) & 2) === 0
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = isUpward ? size - 1 - step : step
        if (patterns[y]![x] !== undefined) continue
        const isDark = (((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1
        modules[y]![x] = isDark !== mask(x, y)
        bit++
      }
  }
}

/** How hard the modules are to read: runs, blocks, patterns like a finder, and too much of one colour. */
function penaltyOf(modules: readonly (readonly boolean[])[]): number {
  const { length: size } = modules
  const columns = modules.map((_, x) => modules.map((row) => row[x]!))
  let penalty = 0
  for (const line of [...modules, ...columns]) penalty += linePenalty(line)
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++) {
      const [a, b] = [modules[y]!, modules[y - 1]!]
      if (a[x] === a[x - 1] && a[x] === b[x] && a[x] === b[x - 1]) penalty += 3
    }
  const dark = modules.flat().filter(Boolean).length
  return penalty + Math.floor((Math.abs(dark * 20 - size * size * 10) - 1) / (size * size)) * 10 + 10
}

function linePenalty(line: readonly boolean[]): number {
  const text = line.map((isDark) => (isDark ? '1' : '0')).join('')
  let penalty = 0
  for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2
  const padded = `0000${text}0000`
  for (let i = 0; i + 11 <= padded.length; i++) {
    const part = padded.slice(i, i + 11)
    if (part === '10111010000' || part === '00001011101') penalty += 40
  }
  return penalty
}
