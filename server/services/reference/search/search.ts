// Search while typing over tens of thousands of names. All records are one folded text outside the JavaScript heap, the most
// important first, with sorted starts of its fields and words. Each kind of match is one range, from which the best few rows
// are taken. A search takes tens of microseconds and has the same results on both engines.
import { searchCode, searchFold } from '../../../domain/text/fold.ts'
import { type NearWords, nearWordsIn } from '../../../domain/text/near-misses.ts'
import { markOf } from '../../../domain/text/search-text.ts'
import { BLANK, IMPORTANCE_AT_MOST, type IndexLists, indexRows, type Rows } from './rows.ts'
import { isEnd, type Range, type SortedFields, type SortedStarts, searchable } from './sorted-fields.ts'

export interface SearchIndex {
  /** The best matches, best first. */
  find(query: string, limit: number, options?: FindOptions): Match[]
  /** Records with exactly this name, ignoring blanks, or in a region with this name; the most important first. */
  named(text: string): number[]
}

interface FindOptions {
  /** Ids that rank first among equals. */
  own?: ReadonlySet<number> | undefined
  /** Includes similar names if nothing good is found, which takes ten times as long as the rest of a search. */
  nearMisses?: boolean
}

export interface Match {
  id: number
  /** Orders the matches of several indexes: the kind of match, not the importance of the record. */
  rank: number
  /** Belongs to the group that searches usually mean. */
  isUsual: boolean
  /** The words are only similar to the query. */
  isNearMiss: boolean
}

const [CODE, CITY, NAME] = [markOf('code'), markOf('cityCode'), markOf('name')]

/**
 * Each text has lines of `id group importance` followed by `searchText`. Group 0 has the records that searches usually mean; all
 * matches of a group come before those of the next.
 */
export async function createSearchIndex(texts: AsyncIterable<string>): Promise<SearchIndex> {
  return openSearchIndex(await indexRows(texts))
}

export function openSearchIndex({ rows, near, ...sorted }: IndexLists): SearchIndex {
  const open = (list: SortedStarts) => searchable(rows.text, list)
  return searchIn(rows, {
    codes: open(sorted.codes),
    fields: open(sorted.fields),
    words: open(sorted.words),
    regions: open(sorted.regions),
    near: nearWordsIn(near),
  })
}

interface Sorted extends Record<'codes' | 'fields' | 'words' | 'regions', SortedFields> {
  near: NearWords
}

/** A kind of match. Results are ordered by `tier`, and by importance within a tier. */
interface Kind {
  tier: number
  /** The weight of the importance against other kinds of the same tier. */
  weight: number
  /** Ends within a word. For records that are rarely meant, such matches come after all others. */
  isWeak?: true
  /** An exact code counts as if the record were in the first group. */
  isCode?: true
}
const kinds = {
  code: { tier: 0, weight: 1, isCode: true },
  longCode: { tier: 0, weight: 1, isCode: true },
  cityCode: { tier: 1, weight: 1, isCode: true },
  codeOfOther: { tier: 2, weight: 1, isCode: true },
  formerCode: { tier: 3, weight: 1, isCode: true },
  // Washington is the city before the state, and Roma is Rome before the town in Australia.
  whole: { tier: 4, weight: 1 },
  wholeAlias: { tier: 4, weight: 0.55 },
  wholeRegion: { tier: 4, weight: 0.5 },
  begins: { tier: 5, weight: 1 },
  // Sylt is the island and Lima the city; SYLT and LIMA are codes of other places, and people rarely type codes of four letters.
  codeBesideName: { tier: 5, weight: 1, isCode: true },
  codeOfForgotten: { tier: 6, weight: 1, isCode: true },
  word: { tier: 7, weight: 1 },
  beginsWithin: { tier: 7, weight: 0.8, isWeak: true },
  wordWithin: { tier: 8, weight: 1, isWeak: true },
  region: { tier: 9, weight: 1, isWeak: true },
  codeBegins: { tier: 10, weight: 1, isWeak: true },
} satisfies Record<string, Kind>
type KindName = keyof typeof kinds
const kindNamed = (name: KindName): Kind => kinds[name]
const TIERS = 16
/** The group of records without further facts; their codes may be words with another meaning. */
const FORGOTTEN = 3
/** Groups with a weak match come after those with a strong one, and near misses come last. */
const [WEAK_LATER, NEAR_LATER] = [3, 8]

/**
 * The first rows of a kind of match. Rows are in order of importance, so one comparison skips most of a long range.
 */
class FirstRows {
  readonly #limit: number
  readonly list: number[] = []
  /** Rows from here on are too late. */
  before = Number.POSITIVE_INFINITY

  constructor(limit: number) {
    this.#limit = limit
  }

  add(row: number): void {
    if (row >= this.before) return
    const { list } = this
    let place = list.length
    while (place > 0 && list[place - 1]! > row) place--
    if (list[place - 1] === row) return
    list.splice(place, 0, row)
    if (list.length > this.#limit) list.pop()
    if (list.length === this.#limit) this.before = list[this.#limit - 1]!
  }
}

/** The rows found so far by kind of match, and the best of them. */
class Found {
  readonly #rows: Rows
  readonly #limit: number
  readonly #own: ReadonlySet<number> | undefined
  readonly #real = new Map<KindName, FirstRows>()
  readonly #near = new Map<KindName, FirstRows>()
  /** From now on, matches are only similar to the query. */
  isNear = false

  constructor(rows: Rows, limit: number, own: ReadonlySet<number> | undefined) {
    this.#rows = rows
    this.#limit = limit
    this.#own = own
  }

  of(kind: KindName): FirstRows {
    const map = this.isNear ? this.#near : this.#real
    let rows = map.get(kind)
    if (!rows) {
      rows = new FirstRows(this.#limit)
      map.set(kind, rows)
    }
    return rows
  }

  get count(): number {
    const count = (map: Map<KindName, FirstRows>) =>
      [...map.values()].reduce((sum, { list }) => sum + list.length, 0)
    return count(this.#real) + count(this.#near)
  }

  get hasNearMisses(): boolean {
    return [...this.#near.values()].some(({ list }) => list.length > 0)
  }

  /** Whether a record that people usually mean, or one with this code, was found. */
  get isGood(): boolean {
    return [...this.#real].some(([kind, { list }]) =>
      list.some((row) => this.#rows.groups[row] === 0 || kindNamed(kind).isCode),
    )
  }

  /** Whether a record that people usually mean has exactly this name. */
  get #isName(): boolean {
    return this.#real.get('whole')?.list.some((row) => this.#rows.groups[row] === 0) ?? false
  }

  matches(): Match[] {
    const keys = new Map<number, number>()
    const isName = this.#isName
    const addKeys = (map: Map<KindName, FirstRows>, later: number) => {
      for (const [name, { list }] of map) {
        const isBeside = isName && (name === 'longCode' || name === 'codeOfOther')
        const kind = isBeside ? 'codeBesideName' : name
        for (const row of list) {
          const key = this.#keyOf(row, kind, later)
          if (key < (keys.get(row) ?? Number.POSITIVE_INFINITY)) keys.set(row, key)
        }
      }
    }
    addKeys(this.#real, 0)
    addKeys(this.#near, NEAR_LATER)
    return [...keys]
      .sort(([row, key], [otherRow, otherKey]) => key - otherKey || row - otherRow)
      .slice(0, this.#limit)
      .map(([row, key]) => {
        const rank = Math.floor(key / IMPORTANCE_AT_MOST / 2)
        return {
          id: this.#rows.ids[row]!,
          rank,
          isUsual: rank < TIERS,
          isNearMiss: rank >= NEAR_LATER * TIERS,
        }
      })
  }

  /** One number to sort by: group, kind of match, own or not, importance. */
  #keyOf(row: number, name: KindName, later: number): number {
    const kind = kindNamed(name)
    const { groups, importance, ids } = this.#rows
    const isLater = kind.isWeak && groups[row]! > 0
    const group = kind.isCode ? 0 : groups[row]! + (isLater ? WEAK_LATER : 0)
    const others = this.#own?.has(ids[row]!) ? 0 : 1
    return (
      (((group + later) * TIERS + kind.tier) * 2 + others) * IMPORTANCE_AT_MOST +
      (IMPORTANCE_AT_MOST - 1 - Math.round(importance[row]! * kind.weight))
    )
  }
}

/** Insignificant words that people often omit or add. They are ignored if no record has all words. */
const fillers = new Set(
  [
    'airport',
    'airports',
    'international',
    'intl',
    'airlines',
    'airline',
    'airways',
    'the',
    'flughafen',
    'aeropuerto',
  ].map(searchFold),
)
const CORRECTIONS_AT_MOST = 3

function searchIn(rows: Rows, sorted: Sorted): SearchIndex {
  const addAll = createIntersection(rows, sorted)

  /** The words as one phrase, and in any order. */
  const addWords = (found: Found, keys: readonly Uint8Array[]) => {
    addPhrase(rows, sorted, found, Buffer.concat(keys))
    if (keys.length > 1) addAll(found, keys)
  }

  const addNearMisses = (found: Found, keys: readonly Uint8Array[]) => {
    found.isNear = true
    if (keys.length > 1) {
      const corrected = keys.map((key) => (isKnown(sorted, key) ? key : sorted.near.find(key, 1)[0]))
      if (corrected.every((key) => key !== undefined)) addWords(found, corrected)
    }
    if (found.hasNearMisses) return
    for (const key of sorted.near.find(Buffer.concat(keys), CORRECTIONS_AT_MOST)) {
      addPhrase(rows, sorted, found, key)
    }
    if (found.count > 0 || keys.length < 2 || keys.length > WORDS_LEFT_OUT_OF_AT_MOST) return
    // All words but one. The most frequent word is left out first, because it is the least significant.
    for (const left of keys.toSorted((a, b) => sizeOf(sorted, b) - sizeOf(sorted, a))) {
      const others = keys.filter((key) => key !== left)
      if (found.count === 0) addWords(found, others)
    }
  }

  return {
    find(query, limit, { own, nearMisses = false } = {}) {
      const found = new Found(rows, own ? limit * OWN_FACTOR : limit, own)
      const words = searchFold(query).split(' ').filter(Boolean)
      const keys = words.map((word) => Buffer.from(word))
      if (isCodeLike(query)) addCodes(rows, sorted, found, Buffer.from(searchCode(query)))
      if (keys.length === 0) return found.matches()
      addWords(found, keys)
      const telling = keys.filter((_, i) => !fillers.has(words[i]!))
      const hasFillers = telling.length > 0 && telling.length < keys.length
      if (found.count === 0 && hasFillers) addWords(found, telling)
      if (nearMisses && !found.isGood) addNearMisses(found, hasFillers ? telling : keys)
      return found.matches().slice(0, limit)
    },
    named(text) {
      const key = Buffer.from(searchFold(text).replaceAll(' ', ''))
      if (key.length === 0) return []
      const [names, regions] = [new FirstRows(NAMED_AT_MOST), new FirstRows(IN_REGION_AT_MOST)]
      const exact = sorted.fields.range(key)
      addEach(names, sorted.fields.rows, exact.begin, exact.exactEnd)
      const within = sorted.regions.range(key)
      addEach(regions, sorted.regions.rows, within.begin, within.exactEnd)
      return [...new Set([...names.list, ...regions.list])].map((row) => rows.ids[row]!)
    },
  }
}

/** There are dozens of airfields in places called Springfield. */
const NAMED_AT_MOST = 300
const IN_REGION_AT_MOST = 30

/** Own records are searched among this many times as many matches as are returned. */
const OWN_FACTOR = 10
const WORDS_LEFT_OUT_OF_AT_MOST = 5

/** Letters, digits and hyphens, in any script's full-width form. */
const isCodeLike = (query: string): boolean => /^\s*[a-z0-9-]+\s*$/i.test(query.normalize('NFKC'))

const sizeOf = (sorted: Sorted, key: Uint8Array): number =>
  [sorted.fields, sorted.words, sorted.codes, sorted.regions].reduce((sum, list) => {
    const { begin, end } = list.range(key)
    return sum + end - begin
  }, 0)
const isKnown = (sorted: Sorted, key: Uint8Array): boolean => sizeOf(sorted, key) > 0

function addCodes(rows: Rows, { codes }: Sorted, found: Found, code: Uint8Array): void {
  const { begin, exactEnd, end } = codes.range(code)
  for (let i = begin; i < exactEnd; i++) {
    const row = codes.rows[i]!
    found.of(kindOfCode(rows.groups[row]!, rows.text[codes.starts[i]! - 1]!, code.length)).add(row)
  }
  if (code.length > 1) addEach(found.of('codeBegins'), codes.rows, exactEnd, end)
}

const SHORT_CODE = 3

function kindOfCode(group: number, mark: number, length: number): KindName {
  if (group === FORGOTTEN) return 'codeOfForgotten'
  if (mark === CITY) return 'cityCode'
  if (mark !== CODE) return 'formerCode'
  if (group !== 0) return 'codeOfOther'
  return length > SHORT_CODE ? 'longCode' : 'code'
}

function addEach(to: FirstRows, rows: Uint32Array, begin: number, end: number): void {
  for (let i = begin; i < end; i++) if (rows[i]! < to.before) to.add(rows[i]!)
}

const WORDS_AT_MOST = 3000

function addPhrase({ text }: Rows, sorted: Sorted, found: Found, key: Uint8Array): void {
  /** Adds matches where the key ends with a word, and matches where it ends within one. */
  const addRest = (list: SortedFields, begin: number, end: number, word: KindName, within: KindName) => {
    // A short key that begins very many words is probably not a complete word yet.
    if (end - begin > WORDS_AT_MOST) return addEach(found.of(within), list.rows, begin, end)
    const [words, others] = [found.of(word), found.of(within)]
    const { rows, starts } = list
    for (let i = begin; i < end; i++) {
      const row = rows[i]!
      if (row >= words.before && row >= others.before) continue
      if (endsWord(text, starts[i]!, key.length)) words.add(row)
      else others.add(row)
    }
  }
  const { fields, words, regions } = sorted
  const names = fields.range(key)
  for (let i = names.begin; i < names.exactEnd; i++) {
    found.of(text[fields.starts[i]! - 1] === NAME ? 'whole' : 'wholeAlias').add(fields.rows[i]!)
  }
  addRest(fields, names.exactEnd, names.end, 'begins', 'beginsWithin')
  const later = words.range(key)
  addRest(words, later.begin, later.end, 'word', 'wordWithin')
  const places = regions.range(key)
  for (let i = places.begin; i < places.exactEnd; i++) {
    found.of(isEnd(text[regions.starts[i]! - 1]!) ? 'wholeRegion' : 'region').add(regions.rows[i]!)
  }
  addEach(found.of('region'), regions.rows, places.exactEnd, places.end)
}

/** Whether a word ends after this many letters. */
function endsWord(text: Uint8Array, start: number, letters: number): boolean {
  let at = start
  for (let left = letters; left > 0; at++) if (text[at] !== BLANK) left--
  return text[at] === BLANK || isEnd(text[at]!)
}

/** Adds rows that have all words, in any field and order: whole words, beginnings of words, and words of regions. */
function createIntersection({ text, ids }: Rows, sorted: Sorted) {
  // For each row, the number of the last word found in it after all earlier ones, and of the last whole word.
  const [begun, whole] = [new Uint32Array(ids.length), new Uint32Array(ids.length)]
  let stamp = 0

  /** Marks the rows that have this word in addition to all earlier ones. */
  const note = ({ key, ranges }: Places, isFirst: boolean, add: ((row: number) => void) | undefined) => {
    const previous = stamp++
    for (const { list, range } of ranges) {
      for (let i = range.begin; i < range.end; i++) {
        const row = list.rows[i]!
        if (!isFirst && begun[row] !== previous && begun[row] !== stamp) continue
        begun[row] = stamp
        const wasWhole = isFirst || whole[row] === previous
        if (wasWhole && (i < range.exactEnd || endsWord(text, list.starts[i]!, key.length)))
          whole[row] = stamp
        add?.(row)
      }
    }
  }

  return (found: Found, keys: readonly Uint8Array[]): void => {
    if (stamp > 2 ** 31) {
      begun.fill(0)
      whole.fill(0)
      stamp = 0
    }
    const lists = [sorted.fields, sorted.words, sorted.codes]
    for (const isWithRegions of [false, true]) {
      if (isWithRegions) lists.push(sorted.regions)
      const words = placesOf(keys, lists)
      // Rows are added when the last word is found in them.
      const candidates: number[] = []
      words.forEach((places, i) => {
        note(places, i === 0, i === words.length - 1 ? (row) => candidates.push(row) : undefined)
      })
      for (const row of candidates) {
        found.of(isWithRegions ? 'region' : whole[row] === stamp ? 'word' : 'wordWithin').add(row)
      }
      stamp++
    }
  }
}

interface Places {
  key: Uint8Array
  ranges: { list: SortedFields; range: Range }[]
  size: number
}
/** Where each word occurs, the rarest first. */
const placesOf = (keys: readonly Uint8Array[], lists: readonly SortedFields[]): Places[] =>
  keys
    .map((key) => {
      const ranges = lists.map((list) => ({ list, range: list.range(key) }))
      return { key, ranges, size: ranges.reduce((sum, { range }) => sum + range.end - range.begin, 0) }
    })
    .sort((a, b) => a.size - b.size)
