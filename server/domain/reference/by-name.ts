// Which airlines and aircraft types have a name, and which of them is meant. Names of places have their own rules, which the index
// brings along (`Place`).

import { searchFold } from '../text/fold.ts'
import { hasWord } from '../text/search-text.ts'
import {
  type Coded,
  type How,
  type Index,
  isOfUnknownYears,
  makersAndNicknames,
  type Named,
  notThen,
  type RecordKind,
  type Resolution,
  rules,
} from './resolution.ts'

/** Sorts search results by how their names match the text. */
export function readName<Item extends Coded>(
  text: string,
  matches: readonly Item[],
  names: ReadonlyMap<number, readonly string[]>,
): Named<Item> {
  const start = searchFold(text)
  const beginning = start.includes(' ')
    ? matches.filter(({ name }) => searchFold(name).startsWith(`${start} `))
    : []
  return { matches, names, whole: havingName(matches, names, text), beginning }
}

/** A record that has the name as a whole; several are ambiguous. */
export function ofWholeName<Item extends Coded>(
  { place, whole }: Named<Item>,
  text: string,
  { kind, days }: How,
): Resolution<Item> {
  if (place) {
    const meaning = place.on(days)
    return meaning.outcome === 'ambiguous' && meaning.by === 'part' ? { outcome: 'unknown' } : meaning
  }
  const then = whole.filter((record) => rules[kind].existedOnDays?.(record, days))
  // Ryanair is not Ryan Air.
  const same = (then.length > 0 ? then : whole).filter((record) => isCalled(record, text, kind))
  const meant = named(same.length === 1 ? same : then.length === 1 ? then : whole)
  return unlessAlias(saidIfNotThen(meant, { kind, days }), text)
}

/** MD-80 is the McDonnell Douglas MD-80 series, although the MD-82 is called so too. */
function isCalled({ name }: Coded, text: string, kind?: RecordKind): boolean {
  if (kind !== 'aircraft') return name.toLowerCase() === text.toLowerCase()
  const [own, wanted] = [name, text].map((one) => bare(searchFold(one), makersAndNicknames))
  return own === wanted
}

/** An airline that ended on an unknown day is only taken by its own name. */
const unlessAlias = <Item extends Coded>(meaning: Resolution<Item>, text: string): Resolution<Item> =>
  meaning.outcome === 'found' && isOfUnknownYears(meaning.record) && !isCalled(meaning.record, text)
    ? { outcome: 'ambiguous', candidates: [meaning.record], by: 'name' }
    : meaning

/** The only record whose name begins with the text. */
export function ofBeginning<Item extends Coded>(
  { beginning }: Named<Item>,
  { kind, days }: How,
): Item | undefined {
  const then = beginning.filter((record) => rules[kind].existedOnDays?.(record, days) ?? true)
  return then.length === 1 ? then[0] : undefined
}

/** A text that is no record's whole name is never chosen, only suggested. */
export function ofName<Item extends Coded>(
  index: Index<Item>,
  text: string,
  { kind, days }: How,
): Resolution<Item> {
  const given = index.byName(text)
  const { place, matches, names, whole } = given
  if (place) return place.on(days)
  const { existedOnDays, isKnownToEnd: isDated, isFirstMeant, omitted } = rules[kind]
  const isThen = (record: Item) => existedOnDays?.(record, days) ?? true
  const all = whole.some(isThen) || !omitted ? whole : havingName(matches, names, text, omitted)
  const then = all.filter(isThen)
  // A part of the name of an airline that did not exist then: `Ryan` is unlikely to mean Ryan International.
  const isGuess = then.length + whole.length === 0 && all.every((record) => isDated?.(record))
  const possible = then.length > 0 ? then : isGuess ? [] : all
  const sameName = possible.filter((record) => isCalled(record, text, kind))
  if (sameName.length === 1) return saidIfNotThen(named(sameName), { kind, days })
  if (possible.length === 0) {
    const candidates = havingWords(given, text)
    return candidates.length > 0 ? { outcome: 'ambiguous', candidates, by: 'part' } : { outcome: 'unknown' }
  }
  const inOrder = byImportance(index, possible)
  const isMeant = isFirstMeant?.(inOrder.map((record) => index.importance(record))) ?? false
  return unlessAlias(saidIfNotThen(named(isMeant ? inOrder.slice(0, 1) : inOrder), { kind, days }), text)
}

/** Adds the warning for an airline that is known to have flown only before or after the days. */
function saidIfNotThen<Item extends Coded>(meaning: Resolution<Item>, { kind, days }: How): Resolution<Item> {
  const { existedOnDays, isKnownToEnd: isDated } = rules[kind]
  if (meaning.outcome !== 'found' || !existedOnDays || existedOnDays(meaning.record, days)) return meaning
  return isDated?.(meaning.record) ? { ...meaning, warning: notThen[kind] } : meaning
}

export const byImportance = <Item extends Coded>(index: Index<Item>, records: readonly Item[]): Item[] =>
  records.toSorted((a, b) => index.importance(b) - index.importance(a))

function named<Item>(candidates: readonly Item[]): Resolution<Item> {
  const [only, ...others] = candidates
  if (others.length > 0) return { outcome: 'ambiguous', candidates, by: 'name' }
  return only ? { outcome: 'found', record: only, isByName: true } : { outcome: 'unknown' }
}

/** Records of which the text is a whole name, ignoring spaces and omitted words in both. */
export function havingName<Item extends Coded>(
  matches: readonly Item[],
  names: ReadonlyMap<number, readonly string[]>,
  text: string,
  omitted = /$^/,
): readonly Item[] {
  const wanted = bare(searchFold(text), omitted)
  if (wanted === '') return []
  return matches.filter(({ id }) => names.get(id)?.some((name) => bare(name, omitted) === wanted))
}

/** A folded name without spaces and omitted words. */
const bare = (name: string, omitted: RegExp): string => name.replace(omitted, '').replaceAll(' ', '')

/** Words that many names contain do not identify a record. */
const common = /^(?:air|airlines?|airways|aviation|international)$/
/** Shorter beginnings match unrelated names. */
const SHORTEST_BEGINNING = 4

/** Records with all words of the text, the last of which may be a beginning: a search also finds parts of unrelated names. */
function havingWords<Item extends Coded>({ matches, names }: Named<Item>, text: string): readonly Item[] {
  const all = searchFold(text).split(' ')
  const telling = all.filter((word) => !common.test(word))
  const wanted = telling.length > 0 ? telling : all
  const has = (words: string, word: string) =>
    hasWord(`${words} `, `${word} `) ||
    (word === all.at(-1) && (word.length >= SHORTEST_BEGINNING || /\d/.test(word)) && hasWord(words, word))
  return matches.filter(({ id }) => {
    const words = ` ${names.get(id)?.join(' ') ?? ''}`
    return wanted.every((word) => has(words, word))
  })
}
