// Finds words that are similar to a typed one. For each distinct word of the important records, the set of its letters is kept
// as bits: few words share all but two letters with the typed word, and edits are only counted for these. Every word of a
// similar length is checked, so a wrong first letter costs nothing extra.

const SHORTEST = 4
const LONGEST = 24

export interface NearWords {
  /** The closest words within a few edits of the typed one, the most important first. */
  find(typed: Uint8Array, limit: number): Uint8Array[]
}

/** Words of one length, stored together, in order of importance. */
export interface WordList {
  letters: Uint8Array
  /** One bit per letter in the word. */
  sets: Uint32Array
  /** The most important row with the word. */
  rows: Uint32Array
}

interface Words extends WordList {
  count: number
}

const noWords = (length: number): Words => ({
  count: 0,
  letters: new Uint8Array(64 * length),
  sets: new Uint32Array(64),
  rows: new Uint32Array(64),
})

export interface NearWordsBuilder {
  /** Rows must be added in order of importance: the first row with a word is its most important one. */
  add(word: Uint8Array, row: number): void
  /** The words by their length. */
  done(): readonly WordList[]
}

interface NearRules {
  /** The most edits for a word with this many letters. */
  editsAllowed(length: number): number
  /** If no whole word is close, also longer words with a beginning that is close. */
  isBegun: boolean
}

/** For a search while typing. */
const whileTyping: NearRules = {
  editsAllowed: (length) => (length < SHORTEST ? 0 : length < 7 ? 1 : 2),
  isBegun: true,
}

export function nearWordsIn(byLength: readonly WordList[], rules: NearRules = whileTyping): NearWords {
  const count = createEditCounter(LONGEST)
  return { find: (typed, limit) => nearest(byLength, count, rules, typed, limit) }
}

export function collectNearWords(): NearWordsBuilder {
  const byLength = Array.from({ length: LONGEST + 1 }, (_, length) => noWords(length))
  const known = new Set<number>()
  return {
    add(word, row) {
      if (word.length < SHORTEST || word.length > LONGEST) return
      const hash = hashOf(word)
      if (known.has(hash)) return
      known.add(hash)
      append(byLength[word.length]!, word, row)
    },
    done() {
      known.clear()
      for (const words of byLength) trim(words)
      return byLength
    },
  }
}

function append(words: Words, word: Uint8Array, row: number): void {
  const { count } = words
  if (count === words.sets.length) resize(words, count * 2, word.length)
  words.letters.set(word, count * word.length)
  words.sets[count] = setOf(word)
  words.rows[count] = row
  words.count++
}

function resize(words: Words, count: number, length: number): void {
  const copied = <List extends Uint8Array | Uint32Array>(list: List, to: List): List => {
    to.set(list.subarray(0, to.length) as never)
    return to
  }
  words.letters = copied(words.letters, new Uint8Array(count * length))
  words.sets = copied(words.sets, new Uint32Array(count))
  words.rows = copied(words.rows, new Uint32Array(count))
}

const trim = (words: Words) => resize(words, words.count, words.letters.length / words.sets.length || 0)

/** Two hashes of 26 bits in one number: no two words of a language share both. */
function hashOf(word: Uint8Array): number {
  let [a, b] = [0x811c9dc5, 0x1000193]
  for (const byte of word) {
    a = Math.imul(a ^ byte, 0x1000193)
    b = Math.imul(b ^ byte, 0x85ebca6b) + 0x9e3779b9
  }
  return (a >>> 6) * 2 ** 26 + (b >>> 6)
}

function setOf(word: Uint8Array): number {
  let set = 0
  for (const byte of word) set |= 1 << (byte & 31)
  return set >>> 0
}

function bitsIn(set: number): number {
  let bits = set - ((set >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

// Searching

interface Near {
  word: Uint8Array
  row: number
  /** Half an edit more if the first letter differs: people seldom get that wrong. */
  cost: number
}

function nearest(
  byLength: readonly WordList[],
  count: EditCounter,
  { editsAllowed, isBegun }: NearRules,
  typed: Uint8Array,
  limit: number,
): Uint8Array[] {
  const edits = editsAllowed(typed.length)
  if (edits === 0 || typed.length > LONGEST) return []
  const near: Near[] = []
  const longest = Math.min(LONGEST, typed.length + edits)
  for (let length = Math.max(SHORTEST, typed.length - edits); length <= longest; length++) {
    addNear(near, byLength[length]!, length, count, typed, edits)
  }
  if (near.length === 0 && isBegun) addBegun(near, byLength, count, typed)
  const least = near.reduce((cost, word) => Math.min(cost, word.cost), Number.POSITIVE_INFINITY)
  return near
    .filter(({ cost }) => cost === least)
    .sort((a, b) => a.row - b.row)
    .slice(0, limit)
    .map(({ word }) => word)
}

function addNear(
  near: Near[],
  words: WordList,
  length: number,
  editsBetween: EditCounter,
  typed: Uint8Array,
  edits: number,
): void {
  const { sets, letters, rows } = words
  const typedSet = setOf(typed)
  for (let i = 0; i < sets.length; i++) {
    // An edit removes at most one letter and adds at most one.
    const set = sets[i]!
    if (bitsIn(typedSet ^ set) > 2 * edits || bitsIn(typedSet & ~set) > edits) continue
    if (bitsIn(set & ~typedSet) > edits) continue
    const word = letters.subarray(i * length, (i + 1) * length)
    const distance = editsBetween(typed, word, edits).whole
    if (distance > edits || !haveSameDigits(typed, word)) continue
    near.push({ word, row: rows[i]!, cost: distance + (word[0] === typed[0] ? 0 : 0.5) })
  }
}

/** Longer words with a beginning close to the typed text, the rest of which is not typed yet. */
function addBegun(
  near: Near[],
  byLength: readonly WordList[],
  editsBetween: EditCounter,
  typed: Uint8Array,
): void {
  const typedSet = setOf(typed)
  for (let length = typed.length + 1; length <= LONGEST; length++) {
    const { sets, letters, rows } = byLength[length]!
    for (let i = 0; i < sets.length; i++) {
      if (letters[i * length] !== typed[0] || bitsIn(typedSet & ~sets[i]!) > 1) continue
      const word = letters.subarray(i * length, (i + 1) * length)
      if (editsBetween(typed, word, 1).begun <= 1 && haveSameDigits(typed, word))
        near.push({ word, row: rows[i]!, cost: 1 })
    }
  }
}

/** An A300 is not a mistyped A380. */
const haveSameDigits = (a: Uint8Array, b: Uint8Array): boolean => digitsOf(a) === digitsOf(b)
const digitsOf = (word: Uint8Array): string =>
  String.fromCharCode(...word.filter((byte) => byte >= 0x30 && byte <= 0x39))

/**
 * The least number of letters to insert, delete, replace or swap with their neighbour. `begun` is the count for the best
 * beginning of the word. Both may stop at any number above `atMost`.
 */
type EditCounter = (typed: Uint8Array, word: Uint8Array, atMost: number) => { whole: number; begun: number }

/** More edits than any limit. */
const FAR = 100

export function createEditCounter(longest: number): EditCounter {
  let [before, previous, current] = [0, 1, 2].map(() => new Uint8Array(longest + 1)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]

  /** Fills `current` for one more typed letter, within the range of few edits, and returns the least count. */
  const countRow = (typed: Uint8Array, i: number, word: Uint8Array, atMost: number): number => {
    const letter = typed[i - 1]!
    const [first, last] = [Math.max(1, i - atMost), Math.min(word.length, i + atMost)]
    current[first - 1] = first === 1 ? i : FAR
    let least = current[first - 1]!
    for (let j = first; j <= last; j++) {
      let edits = previous[j - 1]! + (letter === word[j - 1] ? 0 : 1)
      if (previous[j]! < edits) edits = previous[j]! + 1
      if (current[j - 1]! < edits) edits = current[j - 1]! + 1
      const isSwapped = i > 1 && j > 1 && letter === word[j - 2] && typed[i - 2] === word[j - 1]
      if (isSwapped && before[j - 2]! < edits) edits = before[j - 2]! + 1
      current[j] = edits
      if (edits < least) least = edits
    }
    if (last < word.length) current[last + 1] = FAR
    return least
  }

  return (typed, word, atMost) => {
    for (let j = 0; j <= word.length; j++) previous[j] = j
    for (let i = 1; i <= typed.length; i++) {
      const least = countRow(typed, i, word, atMost)
      if (least > atMost) return { whole: least, begun: least }
      ;[before, previous, current] = [previous, current, before]
    }
    let begun = FAR
    const last = Math.min(word.length, typed.length + atMost)
    for (let j = Math.max(0, typed.length - atMost); j <= last; j++)
      if (previous[j]! < begun) begun = previous[j]!
    return { whole: last < word.length ? FAR : previous[word.length]!, begun }
  }
}
