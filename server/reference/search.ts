// Search while typing over tens of thousands of names. All records are one folded text outside the JavaScript heap, the most
// important first, with sorted starts of its fields and words: each kind of match is one range, from which the best few
// rows are taken. Takes some tens of microseconds, with the same results on both engines.
import { markOf, searchCode, searchFold } from '../domain/search-text.ts'
import { collectNearWords, type NearWords, type NearWordsBuilder } from './near-misses.ts'
import { createSlices, isEnd, type Range, type Slices, type SortedFields, sortFields } from './sorted-fields.ts'

export interface SearchIndex {
  /** The best matches, best first; `own` are ids that come first among equals. */
  find(query: string, limit: number, own?: ReadonlySet<number>): Match[]
}

export interface Match {
  id: number
  /** Orders the matches of several indexes: the kind of match, not the importance of the record. */
  rank: number
  /** The words are only similar to what was typed. */
  isNearMiss: boolean
}

const [CODE, CITY, NAME] = [markOf('code'), markOf('cityCode'), markOf('name')]
const [ALIAS, REGION] = [markOf('alias'), markOf('region')]

// Building

interface Rows {
  text: Buffer
  ids: Int32Array
  /** Where each row begins, and where the last one ends. */
  starts: Uint32Array
  /** The group of each row. */
  groups: Uint8Array
  importance: Uint32Array
}

/**
 * Each text holds lines of `id group importance` followed by `searchText`. Group 0 are the records that a search usually
 * means; the matches of a later group come after all of an earlier one.
 */
export async function createSearchIndex(texts: AsyncIterable<string>): Promise<SearchIndex> {
  const slices = createSlices()
  const rows = await readRows(texts, slices)
  const starts = await findStarts(rows, slices)
  const rowOf = rowFinder(rows.starts)
  const sorted = (offsets: Offsets) => sortFields(rows.text, offsets.done(), rowOf, slices)
  return searchIn(rows, {
    codes: await sorted(starts.codes),
    fields: await sorted(starts.fields),
    words: await sorted(starts.words),
    regions: await sorted(starts.regions),
    near: starts.near.done(),
  })
}

interface Line {
  page: Buffer
  /** Of the search text. */
  start: number
  end: number
  id: number
  importance: number
}

/** Reads the lines and copies them in order of group and importance. */
async function readRows(texts: AsyncIterable<string>, slices: Slices): Promise<Rows> {
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
  /** Offset of the search text. */
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
const IMPORTANCE_AT_MOST = 2 ** 28

/** One number to sort by: the group, the importance downwards, and the line, which can be read back from it. */
const orderOf = ({ group, importance }: Head, line: number): number =>
  (group * IMPORTANCE_AT_MOST + (IMPORTANCE_AT_MOST - 1 - Math.min(importance, IMPORTANCE_AT_MOST - 1))) *
    LINES_AT_MOST +
  line

/** Sorted in parts and merged, because sorting all of them takes more than a slice. */
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
  for (let i = begin; i < end; i++) to[i] = b >= end || (a < middle && from[a]! < from[b]!) ? from[a++]! : from[b++]!
}

async function copyRows(lines: Line[], orders: Float64Array, bytes: number, slices: Slices): Promise<Rows> {
  const rows: Rows = {
    text: Buffer.allocUnsafeSlow(bytes),
    ids: new Int32Array(lines.length),
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
  /** Where names begin. */
  fields: Offsets
  /** Where the later words of names begin. */
  words: Offsets
  /** Every word of a region of the first group. */
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

/** Adds the field whose mark is at the offset, and returns the offset of the next mark. */
function addField({ text, groups }: Rows, row: number, mark: number, starts: Starts): number {
  const kind = text[mark]!
  const start = mark + 1
  const isUsual = groups[row] === 0
  const isName = kind === NAME || kind === ALIAS
  if (isName) starts.fields.add(start)
  else if (kind !== REGION) starts.codes.add(start)
  else if (isUsual) starts.regions.add(start)
  let word = start
  let at = start
  for (; !isEnd(text[at]!); at++) {
    if (text[at] !== BLANK) continue
    if (isName && isUsual) starts.near.add(text.subarray(word, at), row)
    word = at + 1
    if (isName) starts.words.add(word)
    else if (isUsual) starts.regions.add(word)
  }
  if (isName && isUsual) {
    starts.near.add(text.subarray(word, at), row)
    if (word > start) starts.near.add(withoutBlanks(text.subarray(start, at)), row)
  }
  return at
}

const BLANK = 0x20
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

// Searching

/** A kind of match. The parts of the result are in the order of `tier`; within one, importance decides. */
interface Kind {
  tier: number
  /** What the importance counts against other kinds of the same tier. */
  weight: number
  /** Ends within a word. Such a match of a record that is seldom meant comes after every other. */
  isWeak?: true
}
const kinds = {
  code: { tier: 0, weight: 1 },
  cityCode: { tier: 1, weight: 1 },
  codeOfOther: { tier: 2, weight: 1 },
  formerCode: { tier: 3, weight: 1 },
  // Washington is the city before the state, and Roma is Rome before the town in Australia.
  whole: { tier: 4, weight: 1 },
  wholeAlias: { tier: 4, weight: 0.55 },
  wholeRegion: { tier: 4, weight: 0.5 },
  begins: { tier: 5, weight: 1 },
  codeOfForgotten: { tier: 6, weight: 1 },
  word: { tier: 7, weight: 1 },
  beginsWithin: { tier: 7, weight: 0.8, isWeak: true },
  wordWithin: { tier: 8, weight: 1, isWeak: true },
  region: { tier: 9, weight: 1, isWeak: true },
  codeBegins: { tier: 10, weight: 1, isWeak: true },
} satisfies Record<string, Kind>
const TIERS = 16
/** Groups of rows: those usually meant, then those with a strong match, then those with a weak one, then near misses. */
const [WEAK_LATER, NEAR_LATER] = [2, 8]

interface Sorted {
  codes: SortedFields
  fields: SortedFields
  words: SortedFields
  regions: SortedFields
  near: NearWords
}

/** The best rows so far, each once, by one number: group, kind of match, own or not, importance. */
function createBest(rows: Rows, limit: number, own: ReadonlySet<number> | undefined) {
  const found: { key: number; row: number }[] = []
  const groupOf = (row: number, kind: Kind) => {
    const group = rows.groups[row]!
    return group > 0 && kind.isWeak ? group + WEAK_LATER : group
  }
  /** As if the record were one's own. */
  const leastKey = (row: number, kind: Kind, later: number) =>
    ((groupOf(row, kind) + later) * TIERS + kind.tier) * 2 * IMPORTANCE_AT_MOST +
    IMPORTANCE_AT_MOST -
    Math.round(rows.importance[row]! * kind.weight)
  const rankOf = (key: number) => Math.floor(key / IMPORTANCE_AT_MOST / 2)

  const mayAdd = (row: number, kind: Kind, later = 0): boolean =>
    found.length < limit || leastKey(row, kind, later) <= found[limit - 1]!.key

  const add = (row: number, kind: Kind, later = 0): void => {
    if (!mayAdd(row, kind, later)) return
    const key = leastKey(row, kind, later) + (own?.has(rows.ids[row]!) ? 0 : IMPORTANCE_AT_MOST)
    const known = found.findIndex((other) => other.row === row)
    if (known !== -1) {
      if (found[known]!.key <= key) return
      found.splice(known, 1)
    }
    let place = found.length
    while (place > 0 && isAfter(found[place - 1]!, key, row)) place--
    found.splice(place, 0, { key, row })
    if (found.length > limit) found.pop()
  }
  return {
    add,
    /** False if a match of this kind would not be among the best. */
    mayAdd,
    get isEmpty() {
      return found.length === 0
    },
    /** Whether a record was found that people usually mean. */
    get isGood() {
      return found.some(({ key }) => rankOf(key) < TIERS)
    },
    get hasNearMisses() {
      return found.some(({ key }) => rankOf(key) >= NEAR_LATER * TIERS)
    },
    matches: (): Match[] =>
      found.map(({ key, row }) => ({
        id: rows.ids[row]!,
        rank: rankOf(key),
        isNearMiss: rankOf(key) >= NEAR_LATER * TIERS,
      })),
  }
}
type Best = ReturnType<typeof createBest>

const isAfter = (other: { key: number; row: number }, key: number, row: number) =>
  other.key > key || (other.key === key && other.row > row)

/** Words that say little, and that many leave out or add: ignored if nothing has all words. */
const fillers = new Set(
  ['airport', 'airports', 'international', 'intl', 'airlines', 'airline', 'airways', 'the', 'flughafen', 'aeropuerto'].map(
    searchFold,
  ),
)
const CORRECTIONS_AT_MOST = 3

function searchIn(rows: Rows, sorted: Sorted): SearchIndex {
  const addAll = createIntersection(rows, sorted)

  /** The words as one phrase, and in any order. */
  const addWords = (best: Best, keys: readonly Uint8Array[], later = 0) => {
    addPhrase(rows, sorted, best, Buffer.concat(keys), later)
    if (keys.length > 1) addAll(best, keys, later)
  }

  const addNearMisses = (best: Best, keys: readonly Uint8Array[]) => {
    if (keys.length > 1) {
      const corrected = keys.map((key) => (isKnown(sorted, key) ? key : sorted.near.find(key, 1)[0]))
      if (corrected.every((key) => key !== undefined)) addWords(best, corrected, NEAR_LATER)
    }
    if (best.hasNearMisses) return
    for (const key of sorted.near.find(Buffer.concat(keys), CORRECTIONS_AT_MOST)) {
      addPhrase(rows, sorted, best, key, NEAR_LATER)
    }
    if (!best.isEmpty || keys.length < 2 || keys.length > WORDS_LEFT_OUT_OF_AT_MOST) return
    // All words but one: the more there are of the one left out, the less it said.
    const ordered = keys.toSorted((a, b) => sizeOf(sorted, b) - sizeOf(sorted, a))
    for (const left of ordered) {
      if (best.isEmpty) addWords(best, keys.filter((key) => key !== left), NEAR_LATER)
    }
  }

  return {
    find(query, limit, own) {
      const best = createBest(rows, limit, own)
      const words = searchFold(query).split(' ').filter(Boolean)
      const keys = words.map((word) => Buffer.from(word))
      if (isCodeLike(query)) addCodes(rows, sorted, best, Buffer.from(searchCode(query)))
      if (keys.length === 0) return best.matches()
      addWords(best, keys)
      const telling = keys.filter((_, i) => !fillers.has(words[i]!))
      const hasFillers = telling.length > 0 && telling.length < keys.length
      if (best.isEmpty && hasFillers) addWords(best, telling)
      if (!best.isGood) addNearMisses(best, hasFillers ? telling : keys)
      return best.matches()
    },
  }
}

const WORDS_LEFT_OUT_OF_AT_MOST = 5

/** Letters, digits and hyphens, in any script's full-width form. */
const isCodeLike = (query: string): boolean => /^\s*[a-z0-9-]+\s*$/i.test(query.normalize('NFKC'))

const sizeOf = (sorted: Sorted, key: Uint8Array): number =>
  [sorted.fields, sorted.words, sorted.codes, sorted.regions].reduce((sum, list) => {
    const { begin, end } = list.range(key)
    return sum + end - begin
  }, 0)
const isKnown = (sorted: Sorted, key: Uint8Array): boolean => sizeOf(sorted, key) > 0

function addCodes(rows: Rows, { codes }: Sorted, best: Best, code: Uint8Array): void {
  const { begin, exactEnd, end } = codes.range(code)
  for (let i = begin; i < exactEnd; i++) {
    const row = codes.rows[i]!
    // An exact code counts in every group as in the first.
    best.add(row, kindOfCode(rows, row, rows.text[codes.starts[i]! - 1]!), -rows.groups[row]!)
  }
  if (code.length < 2) return
  for (let i = exactEnd; i < end; i++) best.add(codes.rows[i]!, kinds.codeBegins)
}

/** A code of a record that nothing is known about may be a word that people mean otherwise. */
function kindOfCode(rows: Rows, row: number, mark: number): Kind {
  if (mark === CITY) return kinds.cityCode
  if (mark !== CODE) return kinds.formerCode
  if (rows.groups[row] === 0) return kinds.code
  return rows.importance[row] === 0 ? kinds.codeOfForgotten : kinds.codeOfOther
}

function addPhrase(rows: Rows, sorted: Sorted, best: Best, key: Uint8Array, later: number): void {
  const { text } = rows
  const names = sorted.fields.range(key)
  for (let i = names.begin; i < names.exactEnd; i++) {
    const isName = text[sorted.fields.starts[i]! - 1] === NAME
    best.add(sorted.fields.rows[i]!, isName ? kinds.whole : kinds.wholeAlias, later)
  }
  /** Those where the key ends with a word, and those where it ends within one. */
  const addRest = (list: SortedFields, begin: number, end: number, word: Kind, within: Kind) => {
    for (let i = begin; i < end; i++) {
      const row = list.rows[i]!
      if (!best.mayAdd(row, word, later)) continue
      best.add(row, endsWord(text, list.starts[i]!, key.length) ? word : within, later)
    }
  }
  addRest(sorted.fields, names.exactEnd, names.end, kinds.begins, kinds.beginsWithin)
  const words = sorted.words.range(key)
  addRest(sorted.words, words.begin, words.end, kinds.word, kinds.wordWithin)
  const regions = sorted.regions.range(key)
  for (let i = regions.begin; i < regions.exactEnd; i++) {
    const isWhole = isEnd(text[sorted.regions.starts[i]! - 1]!)
    best.add(sorted.regions.rows[i]!, isWhole ? kinds.wholeRegion : kinds.region, later)
  }
  for (let i = regions.exactEnd; i < regions.end; i++) best.add(sorted.regions.rows[i]!, kinds.region, later)
}

/** Whether a word ends after this many letters. */
function endsWord(text: Uint8Array, start: number, letters: number): boolean {
  let at = start
  for (let left = letters; left > 0; at++) if (text[at] !== BLANK) left--
  return text[at] === BLANK || isEnd(text[at]!)
}

/** Adds the rows that have all words, in any field and order: as whole words, as beginnings, and with regions. */
function createIntersection(rows: Rows, sorted: Sorted) {
  // The number of the last word that a row was found to have, after all words before it.
  const stamps = new Float64Array(rows.ids.length)
  let stamp = 0

  const addRows = (best: Best, words: readonly Places[], kind: Kind, whole: boolean, later: number) => {
    words.forEach(({ key, ranges }, word) => {
      stamp++
      for (const { list, range } of ranges) {
        for (let i = range.begin; i < range.end; i++) {
          const row = list.rows[i]!
          if (word > 0 && stamps[row] !== stamp - 1) continue
          if (whole && i >= range.exactEnd && !endsWord(rows.text, list.starts[i]!, key.length)) continue
          stamps[row] = stamp
          if (word === words.length - 1) best.add(row, kind, later)
        }
      }
    })
  }
  return (best: Best, keys: readonly Uint8Array[], later: number): void => {
    const names = placesOf(keys, [sorted.fields, sorted.words, sorted.codes])
    addRows(best, names, kinds.word, true, later)
    addRows(best, names, kinds.wordWithin, false, later)
    const regions = placesOf(keys, [sorted.fields, sorted.words, sorted.codes, sorted.regions])
    addRows(best, regions, kinds.region, false, later)
  }
}

interface Places {
  key: Uint8Array
  size: number
  ranges: { list: SortedFields; range: Range }[]
}
/** Where each word occurs, the rarest first. */
const placesOf = (keys: readonly Uint8Array[], lists: readonly SortedFields[]): Places[] =>
  keys
    .map((key) => {
      const ranges = lists.map((list) => ({ list, range: list.range(key) }))
      return { key, ranges, size: ranges.reduce((sum, { range }) => sum + range.end - range.begin, 0) }
    })
    .sort((a, b) => a.size - b.size)
