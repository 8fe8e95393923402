// The starts of fields or words in a text, sorted by the text that follows, so that everything with the same first letters is one
// range. Blanks are ignored: "newyork", "new york" and "New-York" are equal. Everything is in typed arrays, with a few bytes per
// start and no work for the garbage collector.
import type { Slices } from '../../../base/in-steps.ts'

const BLANK = 0x20
/** Marks and line ends are below the digits; the only other such bytes in folded texts are blanks. */
export const isEnd = (byte: number): boolean => byte < 0x30 && byte !== BLANK

/** A range of positions in the sorted starts: `[begin, exactEnd)` equal the key, `[begin, end)` begin with it. */
export interface Range {
  begin: number
  exactEnd: number
  end: number
}

export interface SortedStarts {
  /** The number of the row that a position belongs to. */
  rows: Uint32Array
  /** The offset in the text. */
  starts: Uint32Array
}

export interface SortedFields extends SortedStarts {
  range(key: Uint8Array): Range
}

export const searchable = (text: Uint8Array, { starts, rows }: SortedStarts): SortedFields => ({
  starts,
  rows,
  range: (key) => rangeOf(text, starts, key),
})

export async function sortFields(
  text: Uint8Array,
  starts: Uint32Array,
  rowOf: (offset: number) => number,
  slices: Slices,
): Promise<SortedStarts> {
  await sortStarts(text, starts, slices)
  const rows = new Uint32Array(starts.length)
  for (let i = 0; i < starts.length; i++) {
    rows[i] = rowOf(starts[i]!)
    if (i % 1000 === 0) await slices.next()
  }
  return { starts, rows }
}

function rangeOf(text: Uint8Array, starts: Uint32Array, key: Uint8Array): Range {
  const begin = firstAbove(text, starts, key, -1, 0, starts.length)
  const exactEnd = firstAbove(text, starts, key, 0, begin, reach(text, starts, key, 0, begin))
  const end = firstAbove(text, starts, key, 1, exactEnd, reach(text, starts, key, 1, exactEnd))
  return { begin, exactEnd, end }
}

/** The first position in `[low, high)` whose order to the key is above `order`; `high` if there is none. */
function firstAbove(
  text: Uint8Array,
  starts: Uint32Array,
  key: Uint8Array,
  order: number,
  low: number,
  high: number,
): number {
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(text, starts[middle]!, key) > order) high = middle
    else low = middle + 1
  }
  return low
}

/** A position at or after the first one above `order`. It searches nearby first, because most ranges are short. */
function reach(text: Uint8Array, starts: Uint32Array, key: Uint8Array, order: number, begin: number): number {
  for (let step = 1; ; step *= 4) {
    const at = begin + step - 1
    if (at >= starts.length || compare(text, starts[at]!, key) > order) return Math.min(at, starts.length)
  }
}

/** -1: before the key. 0: equals it. 1: begins with it. 2: after it. */
function compare(text: Uint8Array, start: number, key: Uint8Array): number {
  let at = start
  for (let i = 0; i < key.length; i++) {
    while (text[at] === BLANK) at++
    const byte = text[at++]!
    if (byte !== key[i]!) return isEnd(byte) || byte < key[i]! ? -1 : 2
  }
  while (text[at] === BLANK) at++
  return isEnd(text[at]!) ? 0 : 1
}

/** Below this length, comparing neighbours is faster than splitting further. */
const FEW = 10

/**
 * Quicksort by one letter at a time (Bentley and Sedgewick): each part is split into smaller, equal and larger by the next letter,
 * and only the equal part continues with the following letter. The remaining parts are kept in a list, so that the work can be
 * interrupted anywhere.
 */
async function sortStarts(text: Uint8Array, starts: Uint32Array, slices: Slices): Promise<void> {
  // How far each start was compared, which is equal within a part.
  const at = starts.slice()
  const parts: [number, number][] = [[0, starts.length]]
  for (let part = parts.pop(); part; part = parts.pop()) {
    const [begin, end] = part
    if (end - begin <= FEW) sortFew(text, starts, at, begin, end)
    else splitPart(text, starts, at, begin, end, parts)
    if (slices.isOver()) await slices.next()
  }
}

const letterAt = (text: Uint8Array, offset: number): number => {
  const byte = text[offset]!
  return isEnd(byte) ? 0 : byte
}

function splitPart(
  text: Uint8Array,
  starts: Uint32Array,
  at: Uint32Array,
  begin: number,
  end: number,
  parts: [number, number][],
): void {
  const pivot = medianLetter(text, at, begin, end)
  let [low, i, high] = [begin, begin, end]
  while (i < high) {
    const letter = letterAt(text, at[i]!)
    if (letter < pivot) swap(starts, at, low++, i++)
    else if (letter > pivot) swap(starts, at, i, --high)
    else i++
  }
  if (low - begin > 1) parts.push([begin, low])
  if (end - high > 1) parts.push([high, end])
  if (pivot === 0 || high - low < 2) return
  for (let j = low; j < high; j++) {
    let next = at[j]! + 1
    while (text[next] === BLANK) next++
    at[j] = next
  }
  parts.push([low, high])
}

function medianLetter(text: Uint8Array, at: Uint32Array, begin: number, end: number): number {
  const a = letterAt(text, at[begin]!)
  const b = letterAt(text, at[(begin + end) >> 1]!)
  const c = letterAt(text, at[end - 1]!)
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}

function swap(starts: Uint32Array, at: Uint32Array, i: number, j: number): void {
  const [start, offset] = [starts[i]!, at[i]!]
  starts[i] = starts[j]!
  at[i] = at[j]!
  starts[j] = start
  at[j] = offset
}

function sortFew(text: Uint8Array, starts: Uint32Array, at: Uint32Array, begin: number, end: number): void {
  for (let i = begin + 1; i < end; i++) {
    for (let j = i; j > begin && isBefore(text, at[j]!, at[j - 1]!); j--) swap(starts, at, j, j - 1)
  }
}

function isBefore(text: Uint8Array, first: number, second: number): boolean {
  let [a, b] = [first, second]
  for (;;) {
    while (text[a] === BLANK) a++
    while (text[b] === BLANK) b++
    const [left, right] = [letterAt(text, a++), letterAt(text, b++)]
    if (left !== right) return left < right
    if (left === 0) return false
  }
}
