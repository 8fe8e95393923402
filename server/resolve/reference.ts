// From what people and programs write to the airport, airline or aircraft type that it means: a code as of a day, else
// a name.
import type { Days } from '../domain/code-periods.ts'
import { MATCHES_AT_MOST, type Reference, type Traveller } from '../reference/reference.ts'
import {
  type Aircraft,
  type Airline,
  type Airport,
  findAircraft,
  findAirlines,
  findAirports,
} from '../store/reference.ts'
import type { Executor } from '../store/store.ts'
import {
  aircraftCodes,
  airlineCodes,
  airportCodes,
  type CodeRules,
  type Holders,
  resolveHeld,
} from './codes.ts'
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

interface Coded {
  id: number
  name: string
  icao: string | null
  iata?: string | null
  type?: string
}

export interface Kind<Item extends Coded> extends CodeRules<Item> {
  findByIds(db: Executor, ids: readonly number[]): Promise<Item[]>
  search(source: Source, text: string): Promise<Item[]>
}

export const airports: Kind<Airport> = {
  ...airportCodes,
  findByIds: findAirports,
  search: ({ db, reference, revision, traveller }, text) =>
    reference.searchAirports(db, revision, text, { traveller }),
}

export const airlines: Kind<Airline> = {
  ...airlineCodes,
  findByIds: findAirlines,
  search: ({ db, reference, revision, traveller }, text) =>
    reference.searchAirlines(db, revision, text, { traveller }),
}

export const aircraftTypes: Kind<Aircraft> = {
  ...aircraftCodes,
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

/** A code, else a name: one that a single record has, or that only one record matches. */
export async function resolveText<Item extends Coded>(
  source: Source,
  kind: Kind<Item>,
  text: string,
  days: Days,
): Promise<Resolution<Item>> {
  const byCode = await resolveCode(source.db, kind, text, days)
  if (byCode.outcome !== 'unknown') return byCode
  const matches = await kind.search(source, text)
  const sameName = matches.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  const [only, ...others] = sameName.length === 1 ? sameName : matches
  if (others.length > 0) return { outcome: 'ambiguous', candidates: matches, by: 'name' }
  return only ? { outcome: 'found', record: only, isByName: true } : { outcome: 'unknown' }
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
function agreed<Item extends Coded>(meanings: readonly Resolution<Item>[]): Resolution<Item> {
  const found = meanings.filter((meaning) => meaning.outcome === 'found')
  const places = found.filter(({ record }) => record.type !== undefined)
  const then =
    places.find(({ record }) => record.type === 'closed') ??
    places.find(({ warning }) => warning === undefined)
  return then ?? found[0] ?? meanings[0]!
}

/**
 * Ids of everything that a search for the text may mean: all holders of the code at any time and the airports of a
 * city's code, else the best matches by name. Empty if there are none.
 */
export async function resolveAll<Item extends Coded>(
  source: Source,
  kind: Kind<Item>,
  text: string,
): Promise<number[]> {
  const { records } = await holdersOf(source.db, kind, text)
  if (records.length > 0) return records.map(({ id }) => id).slice(0, MATCHES_AT_MOST)
  return (await kind.search(source, text)).map(({ id }) => id)
}
