// From what people and programs write to the airport, airline or aircraft type that it means: a code as of a day, else
// a name.
import { type Days, daysWithin, firstDay, lastDay } from '../domain/code-periods.ts'
import { makersAndNicknames } from '../domain/line/data.ts'
import { isFarMoreUsed } from '../domain/place-choice.ts'
import { hasWord, namesIn, searchFold } from '../domain/search-text.ts'
import { MATCHES_AT_MOST, type Reference, type Traveller } from '../reference/reference.ts'
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
import { allOfPlace, findPlaces, isCityName, type PlaceNamed, placeOn } from './places.ts'
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
  const place = await kind.places?.find(source, text)
  if (!place || !(await isRatherName(source.db, kind, text, place))) {
    const byCode = await resolveCode(source.db, kind, text, days)
    if (byCode.outcome !== 'unknown') return byCode
  }
  return place ? kind.places!.on(place, days) : resolveName(source, kind, text, days)
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
  const called =
    whole.length > 0 || !omitted ? whole : await havingName(source.db, kind, matches, text, omitted)
  const then = called.filter((record) => kind.existedOnDays?.(record, days) ?? true)
  const possible = then.length > 0 ? then : called
  const sameName = possible.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (sameName.length === 1) return named(sameName)
  if (possible.length === 0) {
    const candidates = await havingWords(source.db, kind, matches, text)
    return candidates.length > 0 ? { outcome: 'ambiguous', candidates, by: 'part' } : { outcome: 'unknown' }
  }
  const inOrder = await byImportance(source.db, kind, possible)
  const isMeant = kind.isFirstMeant?.(inOrder.map(({ importance }) => importance)) ?? false
  return named(inOrder.slice(0, isMeant ? 1 : undefined).map(({ record }) => record))
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

/**
 * `Lima` and `Kos` are cities, although LIMA and KOS are codes of other places: these are written in capitals, or small. So
 * is `Rom`, whose code names nothing but the city.
 */
async function isRatherName<Item extends Coded>(
  db: Executor,
  kind: Kind<Item>,
  text: string,
  place: PlaceNamed,
): Promise<boolean> {
  if (!/^\p{Lu}\p{Ll}{2,3}$|^\p{Ll}{4}$/u.test(text)) return false
  if (isCityName(place)) return true
  const { periods } = await holdersOf(db, kind, text)
  return periods.length === 0 && allOfPlace(place).length > 0
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
  const isName = place !== undefined && (await isRatherName(source.db, kind, text, place))
  const { records } = await holdersOf(source.db, kind, text)
  if (records.length > 0 && !isName)
    return (await byImportance(source.db, kind, records))
      .map(({ record }) => record.id)
      .slice(0, MATCHES_AT_MOST)
  const ofPlace = place ? kind.places!.all(place) : []
  const found = ofPlace.length > 0 ? ofPlace : await kind.search(source, text)
  return found.map(({ id }) => id)
}
