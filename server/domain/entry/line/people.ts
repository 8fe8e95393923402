// People in a line: “with Grace and Ada”, and people from the log even without “with”.
import { namedIn } from '../../people/names.ts'
import { between } from './atoms.ts'
import { type Candidate, type Search, WORD } from './candidate.ts'
import type { LinePerson } from './types.ts'
import { andWords, joints, reasonWords, seatClassWords, seatWords, withWords } from './words.ts'

/** A name from one atom up to another, and everyone it may mean. */
interface Named {
  end: number
  meant: readonly LinePerson[]
  score: number
}

const KNOWN = 14
const STRANGER = 9
/** A second word of an unknown person's name must be written like a name. */
const SURNAME = 3
const WORDS_AT_MOST = 4

export function peopleAt(search: Search, first: number): Candidate[] {
  const { atoms } = search.line
  if (!withWords.has(atoms[first]!.plain)) return withoutWith(search, first)
  const found: Candidate[] = []
  let lists = namesAt(search, first + 1, 'with').map((named) => [named])
  // Continues while “and” or a comma leads to another name.
  while (lists.length > 0) {
    found.push(...lists.map((list) => candidate(first, list, WORD)))
    lists = lists.flatMap((list) => {
      const { end } = list.at(-1)!
      const joint = atoms[end]
      // The `E` of “John E Smith” is not the Italian “and”.
      const isAnd = joint !== undefined && andWords.has(joint.plain) && !/^[A-Z]$/.test(joint.text)
      if (!isAnd || list.length > 20) return []
      return namesAt(search, end + 1, joint.plain === ',' ? 'comma' : 'and').map((named) => [...list, named])
    })
  }
  return found
}

function candidate(first: number, list: readonly Named[], bonus: number): Candidate {
  const chosen = list.map(({ meant }) => meant[0]!)
  const others = list.flatMap(({ meant }, i) =>
    meant.slice(1).map((person) => ({ people: chosen.with(i, person) })),
  )
  return {
    ...{ first, end: list.at(-1)!.end, slot: 'people', kind: 'people', sets: { people: chosen }, others },
    score: bonus + list.reduce((sum, { score }) => sum + score, 0) + WORD * (list.length - 1),
  }
}

/** People from the log by full name, user name, or a first name that is written like one. */
const withoutWith = (search: Search, first: number): Candidate[] =>
  knownAt(search, first)
    .filter(({ end }) => end - first > 1 || /^\p{Lu}|^.{4}/u.test(search.line.atoms[first]!.text))
    .map(({ end, meant }) => candidate(first, [{ end, meant, score: 8 + WORD * (end - first - 1) }], 0))

function namesAt(search: Search, first: number, after: 'with' | 'and' | 'comma'): Named[] {
  const known = knownAt(search, first)
  if (known.length > 0) return known
  return strangersAt(search, first, after)
}

function knownAt({ line, known }: Search, first: number): Named[] {
  const found: Named[] = []
  for (let end = first + 1; end <= Math.min(line.atoms.length, first + WORDS_AT_MOST); end++) {
    if (line.atoms[end - 1]!.isSign) continue
    const meant = namedIn(known.memory.people, between(line, first, end))
    if (meant) found.push({ end, meant, score: KNOWN + WORD * (end - first - 1) })
  }
  return found
}

const letters = /^\p{L}[\p{L}\p{M}'’]*$/u
const isWritten = (text: string): boolean => /^\p{Lu}\p{Ll}/u.test(text)
const notNames = new Set(
  (
    'my our the a an mein meine meiner meinem meinen der die das dem den ein eine einer einem no ohne of his her ' +
    'mi mis nuestro nuestra un una el la los las mio mia miei mie nostro nostra il lo gli i'
  ).split(' '),
)

function strangersAt({ line }: Search, first: number, after: 'with' | 'and' | 'comma'): Named[] {
  const found: Named[] = []
  const { atoms } = line
  for (let end = first + 1; end <= Math.min(atoms.length, first + WORDS_AT_MOST); end++) {
    const { text, plain } = atoms[end - 1]!
    // `Anna-Lena`
    if (text === '-' && end - first > 0 && touches(atoms[end - 2], atoms[end - 1], atoms[end])) continue
    const isNext = end - first > 1 || after === 'comma'
    if (!letters.test(text) || isWord(plain) || (isNext && !isWritten(text))) break
    const name = between(line, first, end)
    found.push({ end, meant: [{ userId: null, name }], score: STRANGER + SURNAME * (end - first - 1) })
  }
  return found
}

const isWord = (plain: string): boolean =>
  notNames.has(plain) ||
  joints.has(plain) ||
  seatWords.has(plain) ||
  seatClassWords.has(plain) ||
  reasonWords.has(plain)

type Ends = { start: number; end: number } | undefined
const touches = (before: Ends, sign: Ends, after: Ends): boolean =>
  before !== undefined && after !== undefined && before.end === sign!.start && sign!.end === after.start
