// From what people and programs write to the airport, airline or aircraft type that it means: a code as of a day, else
// a name.
import { type Days, daysWithin, firstDay, lastDay } from '../domain/code-periods.ts'
import { makersAndNicknames } from '../domain/line/data.ts'
import { isFarMoreUsed, SERVED } from '../domain/place-choice.ts'
import { hasWord, namesIn, searchFold } from '../domain/search-text.ts'
import { MATCHES_AT_MOST, type Reference, type Traveller } from '../reference/reference.ts'
import { FIRST_CUSTOM_ID } from '../store/custom-records.ts'
import {
  type Aircraft,
  type Airline,
  type Airport,
  findAircraft,
  findAirlines,
  findAirports,
} from '../store/reference.ts'
import { findSearchTexts, type Table } from '../store/search-texts.ts'
import type { Executor } from '../store/store.ts'
import {
  aircraftCodes,
  airlineCodes,
  airportCodes,
  type CodeRules,
  type Holders,
  resolveHeld,
} from './codes.ts'
import { allOfPlace, findPlaces, nameLike, type PlaceNamed, placeOn } from './places.ts'
import type { Resolution } from './resolution.ts'

/** The reference data to look in. */
export interface Source {
  db: Executor
  reference: Reference
  /** The reference revision that the caller's request was opened with. */
  revision: number
  /** Whose own records come first among equal matches. */
  traveller?: Traveller
}

export interface Coded {
  id: number
  name: string
  icao: string | null
  iata?: string | null
  type?: string
}

export interface Kind<Item extends Coded> extends CodeRules<Item> {
  findByIds(db: Executor, ids: readonly number[]): Promise<Item[]>
  search(source: Source, text: string): Promise<Item[]>
  table: Table
  /** Names of places have rules of their own. */
  places?: PlaceRules<Item>
  /** Of several records with the same name, the one that existed on the days is meant. */
  existedOnDays?(record: Item, days: Days): boolean
  /** Whether it is known when the record existed. */
  isKnownToEnd?(record: Item): boolean
  /** Words that people leave out of a name, at its beginning or end. */
  omitted?: RegExp
  /** Whether the first of several with the same name is meant, by their importance. */
  isFirstMeant?(importance: readonly number[]): boolean
}

interface PlaceRules<Item> {
  find(source: Source, text: string): Promise<PlaceNamed>
  on(place: PlaceNamed, days: Days): Resolution<Item>
  /** Everything that the name may mean on any day. */
  all(place: PlaceNamed): readonly Item[]
}

export const airports: Kind<Airport> = {
  ...airportCodes,
  table: 'airport',
  places: { find: findPlaces, on: placeOn, all: allOfPlace },
  findByIds: findAirports,
  search: ({ db, reference, revision, traveller }, text) =>
    reference.searchAirports(db, revision, text, { traveller }),
}

export const airlines: Kind<Airline> = {
  ...airlineCodes,
  table: 'airline',
  existedOnDays: ({ active, from, to }, days) =>
    (active || to !== null) && daysWithin({ from: firstDay(from), to: lastDay(to) }, days) > 0,
  isKnownToEnd: ({ active, to }) => active || to !== null,
  omitted: / (?:airlines?|airways|air lines?|international)$/,
  isFirstMeant: isFarMoreUsed,
  findByIds: findAirlines,
  search: ({ db, reference, revision, traveller }, text) =>
    reference.searchAirlines(db, revision, text, { traveller }),
}

export const aircraftTypes: Kind<Aircraft> = {
  ...aircraftCodes,
  table: 'aircraft',
  omitted: makersAndNicknames,
  findByIds: findAircraft,
  search: ({ db, reference, revision, traveller }, text) =>
    reference.searchAircraft(db, revision, text, { traveller }),
}

const holdersOf = <Item extends Coded>(db: Executor, kind: Kind<Item>, code: string) =>
  kind.holdersOf(db, code.toUpperCase())

/** The meaning of a code on the days. */
export const resolveCode = async <Item extends Coded>(
  db: Executor,
  kind: Kind<Item>,
  code: string,
  days: Days,
): Promise<Resolution<Item>> => resolveHeld(db, kind, await holdersOf(db, kind, code), days)

/** The same for many flights: the holders of each code are looked up once. */
export function createCodeBook<Item extends Coded>(db: Executor, kind: Kind<Item>) {
  const known = new Map<string, Promise<Holders<Item>>>()
  return async (code: string, days: Days): Promise<Resolution<Item>> => {
    const holders = known.get(code) ?? holdersOf(db, kind, code)
    known.set(code, holders)
    return resolveHeld(db, kind, await holders, days)
  }
}

/** A code, else a name: one that a single record has as a whole, or that means one of several by the rules of its kind. */
export async function resolveText<Item extends Coded>(
  source: Source,
  kind: Kind<Item>,
  text: string,
  days: Days,
): Promise<Resolution<Item>> {
  const { codes, rest } = codesWithin(text, kind)
  if (codes.length > 0) return resolveCoded(source, kind, { codes, rest }, days)
  const place = await kind.places?.find(source, text)
  const byName = () => (place ? kind.places!.on(place, days) : resolveName(source, kind, text, days))
  const byCode = await resolveCode(source.db, kind, text, days)
  if (byCode.outcome === 'unknown') return byName()
  if (!isWord(text)) return (await knownByName(source, kind, { text, byCode }, days)) ?? byCode
  if (place) {
    const isKnown = byCode.outcome === 'found' && (await isServed(source.db, kind, byCode.record, text))
    return ofCodeOrPlace({ text, place, byCode, byName: kind.places!.on(place, days), isServed: isKnown })
  }
  if (await isInUse(source.db, kind, byCode, days)) return orByName(source.db, kind, { byCode, byName }, days)
  const meaning = await byName()
  return meaning.outcome === 'unknown' ? withoutTaking(byCode) : meaning
}

/** `ITA` is the code of a small company and what people call a large airline: the one that is known goes first. */
async function knownByName<Item extends Coded>(
  source: Source,
  kind: Kind<Item>,
  { text, byCode }: { text: string; byCode: Resolution<Item> },
  days: Days,
): Promise<Resolution<Item> | undefined> {
  const isShort = /^[A-Z]{3}$/.test(text)
  if (!kind.existedOnDays || !isShort || (await isInUse(source.db, kind, byCode, days))) return undefined
  const byName = await resolveName(source, kind, text, days)
  return (await isInUse(source.db, kind, byName, days)) ? byName : undefined
}

/** `Jet` was Wind Jet by its code and Jet Airways by its name: as a word it may be either. */
async function orByName<Item extends Coded>(
  db: Executor,
  kind: Kind<Item>,
  {
    byCode,
    byName,
  }: { byCode: Resolution<Item>; byName: () => Resolution<Item> | Promise<Resolution<Item>> },
  days: Days,
): Promise<Resolution<Item>> {
  if (!kind.existedOnDays || byCode.outcome !== 'found' || isAddedHere(byCode.record)) return byCode
  const meaning = await byName()
  const isOther = meaning.outcome === 'found' && meaning.record.id !== byCode.record.id
  return isOther && (await isInUse(db, kind, meaning, days)) ? withCandidate(meaning, byCode.record) : byCode
}

/** What is not a whole name of anything is never taken: what it may mean is the answer. */
async function resolveName<Item extends Coded>(
  source: Source,
  kind: Kind<Item>,
  text: string,
  days: Days,
): Promise<Resolution<Item>> {
  const matches = await kind.search(source, text)
  const whole = await havingName(source.db, kind, matches, text)
  const { omitted } = kind
  const isThen = (record: Item) => kind.existedOnDays?.(record, days) ?? true
  const called =
    whole.some(isThen) || !omitted ? whole : await havingName(source.db, kind, matches, text, omitted)
  const then = called.filter(isThen)
  // A part of the name of one that did not exist then: `Ryan` hardly means Ryan International.
  const isGuess = then.length + whole.length === 0 && called.every((record) => kind.isKnownToEnd?.(record))
  const possible = then.length > 0 ? then : isGuess ? [] : called
  const sameName = possible.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (sameName.length === 1) return saidIfNotThen(kind, named(sameName), days)
  if (possible.length === 0) {
    const candidates = await havingWords(source.db, kind, matches, text)
    return candidates.length > 0 ? { outcome: 'ambiguous', candidates, by: 'part' } : { outcome: 'unknown' }
  }
  const inOrder = await byImportance(source.db, kind, possible)
  const isMeant = kind.isFirstMeant?.(inOrder.map(({ importance }) => importance)) ?? false
  return saidIfNotThen(
    kind,
    named(inOrder.slice(0, isMeant ? 1 : undefined).map(({ record }) => record)),
    days,
  )
}

/** Of an airline that is known to have flown before or after the days only. */
function saidIfNotThen<Item extends Coded>(
  { existedOnDays, isKnownToEnd, notThen }: Kind<Item>,
  meaning: Resolution<Item>,
  days: Days,
): Resolution<Item> {
  if (meaning.outcome !== 'found' || !existedOnDays || existedOnDays(meaning.record, days)) return meaning
  return isKnownToEnd?.(meaning.record) ? { ...meaning, warning: notThen } : meaning
}

async function byImportance<Item extends Coded>(
  db: Executor,
  { table }: Kind<Item>,
  records: readonly Item[],
) {
  const facts = await findSearchTexts(
    db,
    table,
    records.map(({ id }) => id),
  )
  const importance = new Map(facts.map((fact) => [fact.id, fact.importance]))
  return records
    .map((record) => ({ record, importance: importance.get(record.id) ?? 0 }))
    .sort((a, b) => b.importance - a.importance)
}

/** What is found is only offered. */
const withoutTaking = <Item>(meaning: Resolution<Item>): Resolution<Item> =>
  meaning.outcome === 'found' ? { outcome: 'ambiguous', candidates: [meaning.record], by: 'part' } : meaning

/** Letters as in a name or all small, while codes are written in capitals. */
export const isWord = (text: string): boolean => /^\p{L}{3,4}$/u.test(text) && text !== text.toUpperCase()
/** People type the codes that they know in small letters, too. */
const isTyped = (text: string): boolean => /^[a-z]{3}$/.test(text)

interface CodeOrPlace<Item> {
  text: string
  place: PlaceNamed
  byCode: Resolution<Item>
  byName: Resolution<Item>
  /** Whether airlines fly to the airport that has the code. */
  isServed: boolean
}

/**
 * `Lima` and `Kos` are cities, although LIMA and KOS are codes of other places. A word is a code only if airlines fly to the
 * airport and no town with an airport is called so; one that is written like a name is said.
 */
export function ofCodeOrPlace<Item extends Coded>({
  text,
  place,
  byCode,
  byName,
  isServed: isKnown,
}: CodeOrPlace<Item>): Resolution<Item> {
  const like = nameLike(place)
  if (byCode.outcome !== 'found')
    return !isTyped(text) && (like.isCity || byName.outcome === 'found') ? byName : byCode
  if (isAddedHere(byCode.record)) return byCode
  const isName = isTyped(text) ? like.isTown : like.isAny
  if (!isName && isKnown) return isTyped(text) && !like.isAny ? byCode : { ...byCode, isCodeOfWord: true }
  if (byName.outcome === 'found' && !(isTyped(text) && isKnown)) return byName
  return withCandidate(byName, byCode.record)
}

const isAddedHere = ({ id }: Coded): boolean => id >= FIRST_CUSTOM_ID

/** Airlines fly to it; or they did, while it had the code that another has today. */
export async function isServed<Item extends Coded>(
  db: Executor,
  kind: Kind<Item>,
  record: Item,
  code: string,
): Promise<boolean> {
  if (record.type === 'closed') return record.iata !== null
  if (code.length === 3 && record.iata !== code.toUpperCase()) return true
  const [only] = await byImportance(db, kind, [record])
  return only!.importance >= SERVED
}

/** What the name may mean, and what has the code: neither is certain. Heliports are never meant by a word. */
function withCandidate<Item extends Coded>(
  byName: Resolution<Item>,
  record: Item,
  isFirst = false,
): Resolution<Item> {
  if (record.type === 'heliport') return byName
  if (byName.outcome === 'unknown') return { outcome: 'ambiguous', candidates: [record], by: 'part' }
  const known = byName.outcome === 'found' ? [byName.record] : byName.candidates
  const by = byName.outcome === 'found' ? 'name' : byName.by
  const others = known.filter(({ id }) => id !== record.id)
  // Few are shown, and the code is what was written.
  const before = isFirst ? 0 : 1
  return {
    outcome: 'ambiguous',
    candidates: [...others.slice(0, before), record, ...others.slice(before)],
    by,
  }
}

/** From here on an airline is known to have many flights. */
const KNOWN = 200

/** A word is an airline's code only if that airline is known and flew on the days: `klm`, but not `Sun`. */
async function isInUse<Item extends Coded>(
  db: Executor,
  kind: Kind<Item>,
  byCode: Resolution<Item>,
  days: Days,
): Promise<boolean> {
  if (!kind.existedOnDays) return true
  if (byCode.outcome !== 'found') return false
  if (isAddedHere(byCode.record)) return true
  const [only] = await byImportance(db, kind, [byCode.record])
  return only!.importance >= KNOWN && kind.existedOnDays(byCode.record, days)
}

interface CodesWithin {
  codes: readonly string[]
  rest: string
}

/** `Copenhagen / Kastrup (CPH/EKCH)`, `CPH (Kastrup)`, `EKCH/CPH`, `CPH - Copenhagen/DK`: a place with its codes. */
function codesWithin<Item extends Coded>(text: string, { places }: Kind<Item>): CodesWithin {
  const none = { codes: [], rest: '' }
  if (!places || text.length > LONGEST_WITH_CODE) return none
  const found =
    /^([^()]+)\(\s*([A-Z]{3,4}(?:\s*\/\s*[A-Z]{3,4})?)\s*\)\s*$/.exec(text) ??
    /^()([A-Z]{3,4}\s*\/\s*[A-Z]{3,4})$/.exec(text)
  const front = found ? null : /^([A-Z]{3,4})\s*(?:\(([^()]+)\)|[-–—]\s+(.+))$/.exec(text)
  if (found) return { codes: found[2]!.split('/').map((code) => code.trim()), rest: found[1]!.trim() }
  if (!front) return none
  return { codes: [front[1]!], rest: (front[2] ?? front[3]!).replace(/\/[A-Z]{2}$/, '').trim() }
}
const LONGEST_WITH_CODE = 200

/** The codes decide, unless the name beside them means another place. */
async function resolveCoded<Item extends Coded>(
  source: Source,
  kind: Kind<Item>,
  { codes, rest }: CodesWithin,
  days: Days,
): Promise<Resolution<Item>> {
  const meanings: Resolution<Item>[] = []
  for (const code of codes) meanings.push(await resolveCode(source.db, kind, code, days))
  const agreedOn = agreed(meanings)
  // What was written is more than the code: it is said what it was taken for.
  const meaning: Resolution<Item> = agreedOn.outcome === 'found' ? { ...agreedOn, isByName: true } : agreedOn
  if (meaning.outcome !== 'found' || rest === '')
    return meaning.outcome === 'unknown' && rest !== '' ? resolveText(source, kind, rest, days) : meaning
  const place = await kind.places!.find(source, rest)
  const byName = kind.places!.on(place, days)
  const isMeant = (record: Item) => record.id === meaning.record.id
  const isOther =
    byName.outcome === 'found'
      ? !isMeant(byName.record)
      : byName.outcome === 'ambiguous' && byName.by === 'name'
  if (!isOther || kind.places!.all(place).some(isMeant)) return meaning
  return byName.outcome === 'ambiguous' && byName.candidates.some(isMeant)
    ? meaning
    : withCandidate(byName, meaning.record, true)
}

export function named<Item>(candidates: readonly Item[]): Resolution<Item> {
  const [only, ...others] = candidates
  if (others.length > 0) return { outcome: 'ambiguous', candidates, by: 'name' }
  return only ? { outcome: 'found', record: only, isByName: true } : { outcome: 'unknown' }
}

/** Records whose name or other name is the text and not merely contains it, but for blanks and what is omitted from both. */
export async function havingName<Item extends Coded>(
  db: Executor,
  { table }: Kind<Item>,
  possible: readonly Item[],
  text: string,
  omitted = /$^/,
): Promise<Item[]> {
  const bare = (name: string) => name.replace(omitted, '').replaceAll(' ', '')
  const wanted = bare(searchFold(text))
  if (possible.length === 0 || wanted === '') return []
  const texts = await findSearchTexts(
    db,
    table,
    possible.map(({ id }) => id),
  )
  const having = new Set(
    texts.filter(({ search }) => namesIn(search).some((name) => bare(name) === wanted)).map(({ id }) => id),
  )
  return possible.filter(({ id }) => having.has(id))
}

/** What many are called says nothing about which is meant. */
const common = new Set(['air', 'airlines', 'airline', 'airways', 'aviation', 'international'].map(searchFold))
/** Shorter beginnings of words are those of unrelated names. */
const SHORTEST_BEGINNING = 4

/** Records that have the words of the text, of the last one perhaps the beginning: a search finds parts of unrelated names too. */
async function havingWords<Item extends Coded>(
  db: Executor,
  { table }: Kind<Item>,
  possible: readonly Item[],
  text: string,
): Promise<Item[]> {
  const all = searchFold(text).split(' ')
  const telling = all.filter((word) => !common.has(word))
  const wanted = telling.length > 0 ? telling : all
  const texts = await findSearchTexts(
    db,
    table,
    possible.map(({ id }) => id),
  )
  const has = (words: string, word: string) =>
    hasWord(`${words} `, `${word} `) ||
    (word === all.at(-1) && (word.length >= SHORTEST_BEGINNING || /\d/.test(word)) && hasWord(words, word))
  const having = new Set(
    texts
      .filter(({ search }) => wanted.every((word) => has(` ${namesIn(search).join(' ')}`, word)))
      .map(({ id }) => id),
  )
  return possible.filter(({ id }) => having.has(id))
}

/** What a program writes back: the codes of a record that it once read, perhaps with the record's id. */
interface WrittenBack<Item> {
  /** ICAO before IATA; a name where there is neither. */
  codes: readonly string[]
  /** Counts if the record bears the first code; the id may come from another instance. */
  id?: unknown
  /** The record that the flight refers to now: meant if it bears the first code, even if another holds it today. */
  stored: Item | undefined
}

/** The stored record, else the one with the id, else what the codes meant on the days. */
export async function resolveWrittenBack<Item extends Coded>(
  db: Executor,
  kind: Kind<Item>,
  { codes, id, stored }: WrittenBack<Item>,
  days: Days,
): Promise<Resolution<Item>> {
  const [code] = codes
  if (!code) return { outcome: 'unknown' }
  const holders = await holdersOf(db, kind, code)
  if (stored && bears(stored, code, holders)) return { outcome: 'found', record: stored }
  const [byId] = Number.isSafeInteger(id) ? await kind.findByIds(db, [id as number]) : []
  if (byId && bears(byId, code, holders)) return { outcome: 'found', record: byId }
  const meanings = [await resolveHeld(db, kind, holders, days)]
  for (const other of codes.slice(1)) meanings.push(await resolveCode(db, kind, other, days))
  return agreed(meanings)
}

/** Has or had the code, or has the name and no code. */
const bears = <Item extends Coded>(record: Item, code: string, { records }: Holders<Item>): boolean =>
  records.some(({ id }) => id === record.id) ||
  (record.icao ?? record.iata ?? record.name).toUpperCase() === code.toUpperCase()

/**
 * The first code that means something. Two codes of an airport name what was there then: beside the code of a closed
 * airport, the other one is its successor's (SXF with EDDB is Schönefeld).
 */
export function agreed<Item extends Coded>(meanings: readonly Resolution<Item>[]): Resolution<Item> {
  const found = meanings.filter((meaning) => meaning.outcome === 'found')
  const places = found.filter(({ record }) => record.type !== undefined)
  const then =
    places.find(({ record }) => record.type === 'closed') ??
    places.find(({ warning }) => warning === undefined)
  return then ?? found[0] ?? meanings[0]!
}

/** Everything that has or had the code, and the airports of a city's code. Empty if there is nothing. */
export const listHolders = async <Item extends Coded>(
  db: Executor,
  kind: Kind<Item>,
  code: string,
): Promise<readonly Item[]> => (await holdersOf(db, kind, code)).records

/**
 * Ids of everything that a search for the text may mean: all holders of the code at any time and the airports of a
 * city's code, else all airports of the city, else the best matches by name. Empty if there are none.
 */
export async function resolveAll<Item extends Coded>(
  source: Source,
  kind: Kind<Item>,
  text: string,
): Promise<number[]> {
  const place = await kind.places?.find(source, text)
  const ofPlace = place ? kind.places!.all(place) : []
  const { records } = await holdersOf(source.db, kind, text)
  const isName = place !== undefined && isWord(text) && !isTyped(text) && ofPlace.length > 0
  if (records.length > 0 && !isName)
    return (await byImportance(source.db, kind, records))
      .map(({ record }) => record.id)
      .slice(0, MATCHES_AT_MOST)
  const found = ofPlace.length > 0 ? ofPlace : await kind.search(source, text)
  return found.map(({ id }) => id)
}
