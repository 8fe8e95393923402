// From a code or a name to the airport, airline or aircraft type that it means. Codes are reassigned over
// time, so every rule for choosing between holders is here.
import { MATCHES_AT_MOST, type Reference, type Traveller } from '../reference/reference.ts'
import {
  type Aircraft,
  type Airline,
  type Airport,
  findAircraft,
  findAircraftByCode,
  findAirlineByCode,
  findAirlines,
  findAirportByCode,
  findAirportByFormerCode,
  findAirports,
  listAirlineIdsByCode,
  listAirportIdsByCode,
} from '../store/reference.ts'
import type { Executor } from '../store/store.ts'
import { foundOrUnknown, type Resolution } from './resolution.ts'

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
}

export interface Kind<Item extends Coded> {
  findByIds(db: Executor, ids: readonly number[]): Promise<Item[]>
  /** Today's holder of the code. */
  findByCode(db: Executor, code: string): Promise<Item | undefined>
  findByFormerCode?(db: Executor, code: string): Promise<Item | undefined>
  search(source: Source, text: string): Promise<Item[]>
}

export const airports: Kind<Airport> & { listIdsByCode: typeof listAirportIdsByCode } = {
  findByIds: findAirports,
  findByCode: findAirportByCode,
  findByFormerCode: findAirportByFormerCode,
  listIdsByCode: listAirportIdsByCode,
  search: ({ db, reference, revision, traveller }, text) =>
    reference.searchAirports(db, revision, text, { traveller }),
}

export const airlines: Kind<Airline> & { listIdsByCode: typeof listAirlineIdsByCode } = {
  findByIds: findAirlines,
  findByCode: findAirlineByCode,
  listIdsByCode: listAirlineIdsByCode,
  search: ({ db, reference, revision, traveller }, text) =>
    reference.searchAirlines(db, revision, text, { traveller }),
}

export const aircraftTypes: Kind<Aircraft> = {
  findByIds: findAircraft,
  findByCode: findAircraftByCode,
  search: ({ db, reference, revision, traveller }, text) =>
    reference.searchAircraft(db, revision, text, { traveller }),
}

/** A code as people and programs write it today: ICAO, else IATA. */
export const resolveCode = async <Item extends Coded>(
  db: Executor,
  kind: Kind<Item>,
  code: string,
): Promise<Resolution<Item>> => foundOrUnknown(await kind.findByCode(db, code))

/** A code, else a name: one that a single record has, or that only one record matches. */
export async function resolveText<Item extends Coded>(
  source: Source,
  kind: Kind<Item>,
  text: string,
): Promise<Resolution<Item>> {
  const byCode = await kind.findByCode(source.db, text)
  if (byCode) return { outcome: 'found', record: byCode }
  const matches = await kind.search(source, text)
  const sameName = matches.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  const [only, ...others] = sameName.length === 1 ? sameName : matches
  return others.length > 0 ? { outcome: 'ambiguous', candidates: matches } : foundOrUnknown(only)
}

/** What a program writes back: the code of a record that it once read, perhaps with the record's id. */
interface WrittenBack<Item> {
  code: string
  /** Counts if the record bears the code; the id may come from another instance. */
  id?: unknown
  /** The record that the flight refers to now: meant if it bears the code, even if another holds it today. */
  stored: Item | undefined
}

/** The stored record, else the one with the id, else today's holder of the code, else an airport that had it once. */
export async function resolveWrittenBack<Item extends Coded>(
  db: Executor,
  kind: Kind<Item>,
  { code, id, stored }: WrittenBack<Item>,
): Promise<Resolution<Item>> {
  if (code === '') return { outcome: 'unknown' }
  if (stored && bears(stored, code)) return { outcome: 'found', record: stored }
  const [byId] = Number.isSafeInteger(id) ? await kind.findByIds(db, [id as number]) : []
  if (byId && bears(byId, code)) return { outcome: 'found', record: byId }
  return foundOrUnknown((await kind.findByCode(db, code)) ?? (await kind.findByFormerCode?.(db, code)))
}

/** Its ICAO or IATA code, or its name where it has neither. */
const bears = ({ icao, iata, name }: Coded, code: string): boolean =>
  [icao, iata, icao ?? iata ?? name].some((own) => own?.toUpperCase() === code.toUpperCase())

/**
 * Ids of everything that a search for the text may mean: all holders of the code, closed and defunct ones included, else
 * the best matches by name. Empty if there are none.
 */
export async function resolveAll<Item extends Coded>(
  source: Source,
  kind: Kind<Item> & { listIdsByCode(db: Executor, code: string): Promise<number[]> },
  text: string,
): Promise<number[]> {
  const byCode = await kind.listIdsByCode(source.db, text)
  if (byCode.length > 0) return byCode.slice(0, MATCHES_AT_MOST)
  return (await kind.search(source, text)).map(({ id }) => id)
}
