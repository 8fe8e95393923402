// Suggests names of places for misspelt words: `copenhagn`, `frankfrut`. They are only offered (docs/decisions/020): a wrong
// airport that looks understood is worse than a word that was not understood.
import { searchFold } from '../../text/fold.ts'
import type { Line } from './atoms.ts'
import type { Candidate, Search } from './candidate.ts'
import { airportsNamed, type LineReference } from './data.ts'
import { SHORTEST } from './near-names.ts'
import type { Alternative, LineAirport, LinePart } from './types.ts'
import { commonWords, endNamedBy, joints } from './words.ts'

/** Airports whose name differs by a few letters from the text, if no airport has exactly this name. */
export function namesNear(reference: LineReference, text: string): LineAirport[] {
  const folded = searchFold(text)
  if (folded.length < SHORTEST || reference.airports.byName.has(folded)) return []
  const found = reference.airports
    .near(folded)
    .filter((name) => isBegunAlike(name, folded))
    .flatMap((name) => airportsNamed(reference, name)[0] ?? [])
  return [...new Set(found)]
}

/** People seldom mistype the first letter, but unrelated words differ in it: hours and Tours. */
const isBegunAlike = (name: string, typed: string): boolean =>
  name[0] === typed[0] || (name[0] === typed[1] && name[1] === typed[0])

/** At most this many words of a line are looked up. */
const WORDS_AT_MOST = 12

/**
 * Words that were not understood and resemble names, alone or together with the words around them. An example is “san
 * fransico”, where SAN would be San Diego; such words with a code are checked even if nothing is missing. The words stay
 * notes; the airports are offered.
 */
export function nearAt(search: Search, parts: readonly LinePart[], missing: readonly string[]): Candidate[] {
  const { line, known } = search
  const unknown = line.atoms.flatMap((atom, i) => (isUnknown(atom, parts) ? i : [])).slice(0, WORDS_AT_MOST)
  const codes = line.atoms.flatMap((atom, i) => (isBareCode(atom, parts) ? i : []))
  const found: Candidate[] = []
  for (const { first, end } of unknown.flatMap((at) => spansWith(line, at))) {
    const isWithCode = codes.some((at) => first <= at && at < end)
    if (missing.length === 0 && !isWithCode) continue
    const airports = namesNear(known.reference, wordsOf(line, first, end))
    const kind = endOf(line, first, parts, missing)
    const near = airports.map(
      ({ id }): Alternative => ({
        kind,
        sets: kind === 'from' ? { fromId: id } : { toId: id },
        isNear: true,
      }),
    )
    const score = isWithCode ? WITH_CODE : end - first > 1 ? SEVERAL_WORDS : ONE_WORD
    if (near.length > 0)
      found.push({ first, end, slot: 'note', kind: 'note', sets: {}, others: [], near, score })
  }
  return found
}

/** More than a word that was not understood; several words also more than a code, with or without its end, plus such a word. */
const [ONE_WORD, SEVERAL_WORDS, WITH_CODE] = [-3, 6, 12]

/** The last word of an airport that was read as a code. */
const isBareCode = ({ end, plain }: Line['atoms'][number], parts: readonly LinePart[]): boolean =>
  plain.length === 3 && parts.some((part) => (part.kind === 'from' || part.kind === 'to') && part.end === end)

const isUnknown = ({ start, plain, isSign }: Line['atoms'][number], parts: readonly LinePart[]): boolean =>
  !isSign &&
  plain.length >= 4 &&
  /^\p{L}+$/u.test(plain) &&
  !commonWords.has(plain) &&
  parts.some((part) => part.kind === 'note' && part.start <= start && start < part.end)

/** The word alone, and with one or two of the words around it. */
function spansWith({ atoms }: Line, at: number): { first: number; end: number }[] {
  const spans = [
    { first: at, end: at + 1 },
    { first: at - 1, end: at + 1 },
    { first: at, end: at + 2 },
    { first: at - 2, end: at + 1 },
    { first: at - 1, end: at + 2 },
  ]
  const isWord = (i: number) => atoms[i] !== undefined && /^\p{L}[\p{L}.'’]*$/u.test(atoms[i].text)
  const isName = (i: number) => isWord(i) && !joints.has(atoms[i]!.plain)
  return spans.filter(({ first, end }) => {
    const inner = Array.from({ length: end - first }, (_, i) => first + i)
    return inner.every(isWord) && isName(first) && isName(end - 1)
  })
}

const wordsOf = ({ atoms }: Line, first: number, end: number): string =>
  atoms
    .slice(first, end)
    .map(({ text }) => text)
    .join(' ')

/** The end that the word before it names, otherwise by its position before or after the other airport, otherwise the missing end. */
function endOf(
  { atoms }: Line,
  first: number,
  parts: readonly LinePart[],
  missing: readonly string[],
): 'from' | 'to' {
  const said = endNamedBy(atoms[first - 1], atoms[first])
  if (said) return said
  const other = parts.find(({ kind }) => kind === 'from' || kind === 'to')
  if (other && !/\s/.test(other.text)) return other.start < atoms[first]!.start ? 'to' : 'from'
  return missing.includes('from') ? 'from' : 'to'
}
