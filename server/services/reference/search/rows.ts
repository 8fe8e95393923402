// The rows of a search index: all records as one folded text, the most important first, and the sorted positions of their codes,
// names and words. Built in slices, so that other requests are served in between.

import { createSlices, type Slices } from '../../../base/in-steps.ts'
import { collectNearWords, type NearWordsBuilder, type WordList } from '../../../domain/text/near-misses.ts'
import { markOf } from '../../../domain/text/search-text.ts'
import { isEnd, type SortedStarts, sortFields } from './sorted-fields.ts'

export interface Rows {
  text: Buffer
  ids: Uint32Array
  /** The start of each row, and the end of the last one. */
  starts: Uint32Array
  /** The group of each row. */
  groups: Uint8Array
  importance: Uint32Array
}

/** A whole index, in typed arrays alone: file.ts writes and reads them as they are. */
export interface IndexLists {
  rows: Rows
  /** Sorted start positions in the text of the rows. */
  codes: SortedStarts
  fields: SortedStarts
  words: SortedStarts
  regions: SortedStarts
  /** By length. */
  near: readonly WordList[]
}

/** Building an index takes a while; other requests are served at this interval. */
const SLICE_MS = 1.5

/** Reads lines of `id group importance` followed by `searchText`. */
export async function indexRows(texts: AsyncIterable<string> | Iterable<string>): Promise<IndexLists> {
  const slices = createSlices(SLICE_MS)
  const rows = await readRows(texts, slices)
  const starts = await findStarts(rows, slices)
  const rowOf = rowFinder(rows.starts)
  const sort = (offsets: Offsets) => sortFields(rows.text, offsets.done(), rowOf, slices)
  return {
    rows,
    codes: await sort(starts.codes),
    fields: await sort(starts.fields),
    words: await sort(starts.words),
    regions: await sort(starts.regions),
    near: starts.near.done(),
  }
}

interface Line {
  page: Buffer
  /** The offset of the search text. */
  start: number
  end: number
  id: number
  importance: number
}

/** Reads the lines and copies them in order of group and importance. */
async function readRows(texts: AsyncIterable<string> | Iterable<string>, slices: Slices): Promise<Rows> {
  const lines: Line[] = []
  const orders: number[] = []
  let bytes = 0
  for await (const text of texts) {
    const page = Buffer.from(`${text}\n`)
    for (let start = 0; start < page.length; ) {
      const end = page.indexOf(10, start) + 1
      const head = readHead(page, start)
      lines.push({ page, start: head.end, end, id: head.id, importance: head.importance })
      orders.push(orderOf(head, orders.length))
      bytes += end - head.end
      start = end
    }
    await slices.next()
  }
  return copyRows(lines, await sortedOrders(orders, slices), bytes, slices)
}

interface Head {
  id: number
  group: number
  importance: number
  /** The end of the head: the offset of the search text. */
  end: number
}

function readHead(page: Buffer, start: number): Head {
  const numbers = [0, 0, 0]
  let [at, i] = [start, 0]
  for (; !isEnd(page[at]!); at++) {
    if (page[at] === 0x20) i++
    else numbers[i] = numbers[i]! * 10 + page[at]! - 0x30
  }
  return { id: numbers[0]!, group: numbers[1]!, importance: numbers[2]!, end: at }
}

const LINES_AT_MOST = 2 ** 20
/** Above any importance. */
export const IMPORTANCE_AT_MOST = 2 ** 28

/** One number to sort by: group, descending importance, and line, which can be read back from it. */
const orderOf = ({ group, importance }: Head, line: number): number =>
  (group * IMPORTANCE_AT_MOST + (IMPORTANCE_AT_MOST - 1 - Math.min(importance, IMPORTANCE_AT_MOST - 1))) *
    LINES_AT_MOST +
  line

/** Sorts in parts and merges them, because sorting all takes more than a slice. */
async function sortedOrders(orders: readonly number[], slices: Slices): Promise<Float64Array> {
  const PART = 8192
  let from = Float64Array.from(orders)
  let to = new Float64Array(orders.length)
  for (let begin = 0; begin < from.length; begin += PART) {
    from.subarray(begin, begin + PART).sort()
    await slices.next()
  }
  for (let size = PART; size < from.length; size *= 2) {
    for (let begin = 0; begin < from.length; begin += 2 * size) {
      merge(from, to, begin, Math.min(begin + size, from.length), Math.min(begin + 2 * size, from.length))
      await slices.next()
    }
    ;[from, to] = [to, from]
  }
  return from
}

function merge(from: Float64Array, to: Float64Array, begin: number, middle: number, end: number): void {
  let [a, b] = [begin, middle]
  for (let i = begin; i < end; i++)
    to[i] = b >= end || (a < middle && from[a]! < from[b]!) ? from[a++]! : from[b++]!
}

async function copyRows(lines: Line[], orders: Float64Array, bytes: number, slices: Slices): Promise<Rows> {
  const rows: Rows = {
    text: Buffer.allocUnsafeSlow(bytes),
    ids: new Uint32Array(lines.length),
    starts: new Uint32Array(lines.length + 1),
    groups: new Uint8Array(lines.length),
    importance: new Uint32Array(lines.length),
  }
  let offset = 0
  for (let row = 0; row < orders.length; row++) {
    const line = lines[orders[row]! % LINES_AT_MOST]!
    rows.ids[row] = line.id
    rows.importance[row] = Math.min(line.importance, IMPORTANCE_AT_MOST - 1)
    rows.starts[row] = offset
    rows.groups[row] = Math.floor(orders[row]! / LINES_AT_MOST / IMPORTANCE_AT_MOST)
    offset += line.page.copy(rows.text, offset, line.start, line.end)
    if (row % 256 === 0) await slices.next()
  }
  rows.starts[orders.length] = offset
  return rows
}

/** A list of offsets that grows. */
interface Offsets {
  add(offset: number): void
  done(): Uint32Array
}
function createOffsets(): Offsets {
  let list = new Uint32Array(1024)
  let count = 0
  return {
    add(offset) {
      if (count === list.length) {
        const longer = new Uint32Array(count * 2)
        longer.set(list)
        list = longer
      }
      list[count++] = offset
    },
    done: () => list.slice(0, count),
  }
}

interface Starts {
  codes: Offsets
  /** The starts of names. */
  fields: Offsets
  /** The starts of the later words of names. */
  words: Offsets
  /** The words of regions in the first group. */
  regions: Offsets
  near: NearWordsBuilder
}

async function findStarts(rows: Rows, slices: Slices): Promise<Starts> {
  const starts: Starts = {
    codes: createOffsets(),
    fields: createOffsets(),
    words: createOffsets(),
    regions: createOffsets(),
    near: collectNearWords(),
  }
  for (let row = 0; row < rows.ids.length; row++) {
    for (let at = rows.starts[row]!; at < rows.starts[row + 1]! - 1; ) at = addField(rows, row, at, starts)
    await slices.next()
  }
  return starts
}

const [NAME, ALIAS, REGION] = [markOf('name'), markOf('alias'), markOf('region')]

/** Typos are corrected in the other names of only this many records: few people mistype a small place in another language. */
const ALIASES_NEAR_AT_MOST = 2000

/** Adds the field whose mark is at the offset, and returns the offset of the next mark. */
function addField({ text, groups }: Rows, row: number, mark: number, starts: Starts): number {
  const kind = text[mark]!
  const start = mark + 1
  const isUsual = groups[row] === 0
  const isNear = isUsual && (kind === NAME || row < ALIASES_NEAR_AT_MOST)
  const isName = kind === NAME || kind === ALIAS
  if (isName) starts.fields.add(start)
  else if (kind !== REGION) starts.codes.add(start)
  else if (isUsual) starts.regions.add(start)
  let word = start
  let at = start
  for (; !isEnd(text[at]!); at++) {
    if (text[at] !== BLANK) continue
    if (isName && isNear) starts.near.add(text.subarray(word, at), row)
    word = at + 1
    if (isName) starts.words.add(word)
    else if (isUsual) starts.regions.add(word)
  }
  if (isName && isNear) {
    starts.near.add(text.subarray(word, at), row)
    if (word > start) starts.near.add(withoutBlanks(text.subarray(start, at)), row)
  }
  return at
}

export const BLANK = 0x20
const withoutBlanks = (bytes: Uint8Array) => bytes.filter((byte) => byte !== BLANK)

const rowFinder =
  (starts: Uint32Array) =>
  (offset: number): number => {
    let [low, high] = [0, starts.length - 2]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
