// The server's index: what the texts of a request or a file may mean, read from the reference data in advance and once per text
// (an import of 100,000 rows has a few hundred codes). domain/reference/resolve.ts decides what they mean.
import { inSteps } from '../../../base/in-steps.ts'
import {
  agreed,
  aircraftPeriods,
  airlinePeriods,
  airportPeriods,
  bears,
  ofCode,
} from '../../../domain/reference/by-code.ts'
import { readName } from '../../../domain/reference/by-name.ts'
import { type Days, firstDay, lastDay, type Period } from '../../../domain/reference/code-periods.ts'
import {
  type Coded,
  type Holders,
  type Index,
  isAddedHere,
  type Named,
  type Place,
  type RecordKind,
  type Resolution,
  spellingsOf,
} from '../../../domain/reference/resolution.ts'
import { codesWithin, mayBeName, resolve } from '../../../domain/reference/resolve.ts'
import { namesIn } from '../../../domain/text/search-text.ts'
import {
  type Aircraft,
  type Airline,
  type Airport,
  findAircraft,
  findAirlines,
  findAirports,
  listAircraftByCode,
  listAirlinePeriods,
  listAirlinesByCode,
  listAirportPeriods,
  listAirportsByCode,
  listPeriodsOfAll,
} from '../../../store/reference/records.ts'
import { findSearchTexts } from '../../../store/reference/search-texts.ts'
import type { Executor } from '../../../store/store.ts'
import type { Reference, Traveller } from '../reference.ts'
import { findPlace } from './places.ts'

/** The reference data to search. */
export interface Source {
  db: Executor
  reference: Reference
  /** The reference revision at the start of the caller's request. */
  revision: number
  /** The person whose own records come first among equal matches. */
  traveller?: Traveller
}

/** How to read the records of a kind. */
export interface Kind<Item extends Coded> {
  table: RecordKind
  findByIds(db: Executor, ids: readonly number[]): Promise<Item[]>
  search(source: Source, text: string): Promise<Item[]>
  /** `code` is in upper case. */
  holdersOf(db: Executor, code: string): Promise<Holders<Item>>
  /** Names of places have rules of their own. */
  findPlace?(source: Source, text: string): Promise<Place<Item>>
}

export const airports: Kind<Airport> = {
  table: 'airport',
  findByIds: findAirports,
  findPlace,
  search: ({ db, reference, revision, traveller }, text) =>
    reference.searchAirports(db, revision, text, { traveller }),
  async holdersOf(db, code) {
    const known = await listAirportsByCode(db, { code })
    if (known.some(isAddedHere)) return { records: known, periods: airportPeriods(code, known, []), city: [] }
    const history = await listAirportPeriods(db, code)
    const today = known.length + history.length > 0 ? known : await airportsWithLocalCode(db, code)
    const dated = history.filter(({ kind }) => kind === 'airport')
    const city = history.filter(({ kind }) => kind === 'city')
    const records = await withRecordsOf(today, history, (ids) => findAirports(db, ids))
    const periods = airportPeriods(code, today, dated)
    // An airport may keep its ICAO code for some days after the last flight, so the code does not prove that it was open.
    const open = await periodsOf(db, 'airport', records, periods, (other) => other.length === code.length)
    return { records, periods, city, known: open }
  },
}

/** `1Q4` is the local code of K1Q4: in the United States, codes that no airport has elsewhere are written without the K. */
const airportsWithLocalCode = async (db: Executor, code: string): Promise<Airport[]> =>
  /^[A-Z0-9]{3}$/.test(code) ? listAirportsByCode(db, { code: `K${code}` }) : []

export const airlines: Kind<Airline> = {
  table: 'airline',
  findByIds: findAirlines,
  search: ({ db, reference, revision, traveller }, text) =>
    reference.searchAirlines(db, revision, text, { traveller }),
  async holdersOf(db, code) {
    const today = await listAirlinesByCode(db, { code })
    const history = await listAirlinePeriods(db, code)
    const records = await withRecordsOf(today, history, (ids) => findAirlines(db, ids))
    const periods = airlinePeriods(today, history)
    const known = await periodsOf(db, 'airline', records, periods)
    for (const { id, from, to } of records)
      known.set(id, [{ from: firstDay(from), to: lastDay(to) }, ...(known.get(id) ?? [])])
    return { records, periods, city: [], known }
  },
}

export const aircraftTypes: Kind<Aircraft> = {
  table: 'aircraft',
  findByIds: findAircraft,
  search: ({ db, reference, revision, traveller }, text) =>
    reference.searchAircraft(db, revision, text, { traveller }),
  async holdersOf(db, code) {
    const records = await listAircraftByCode(db, code)
    return { records, periods: aircraftPeriods(code, records), city: [] }
  },
}

/** The given records and those of the periods, without duplicates. */
async function withRecordsOf<Item extends { id: number }>(
  records: readonly Item[],
  periods: readonly { id: number }[],
  find: (ids: number[]) => Promise<Item[]>,
): Promise<Item[]> {
  const known = new Set(records.map(({ id }) => id))
  const missing = periods.map(({ id }) => id).filter((id) => !known.has(id))
  return missing.length === 0 ? [...records] : [...records, ...(await find(missing))]
}

/** Periods of all codes of the records that had this code for a limited time: only these may be meant on other days. */
async function periodsOf(
  db: Executor,
  kind: 'airport' | 'airline',
  records: readonly { id: number }[],
  held: readonly (Period & { id: number })[],
  counts: (code: string) => boolean = () => true,
): Promise<Map<number, Period[]>> {
  const limited = new Set(held.flatMap(({ id, from, to }) => (from === null && to === null ? [] : id)))
  const ids = records.map(({ id }) => id).filter((id) => limited.has(id))
  const periods = ids.length === 0 ? [] : await listPeriodsOfAll(db, kind, ids)
  return Map.groupBy(
    periods.filter(({ code }) => counts(code)),
    ({ id }) => id,
  )
}

// The index

interface PreparedIndex<Item> extends Index<Item> {
  /** Codes in upper case; duplicates are allowed. Codes that were not prepared have no holders. */
  prepareCodes(codes: Iterable<string>): Promise<void>
  /** Duplicates are allowed. Texts that were not prepared name nothing. */
  prepareNames(texts: Iterable<string>): Promise<void>
  /** Prepares the texts as codes, and as names if the code does not decide. */
  prepare(texts: Iterable<string>): Promise<void>
}

/** One after the other, so that other requests are served in between: a file may name thousands of places that do not exist. */
const eachOf = (texts: readonly string[], look: (text: string) => Promise<unknown>): Promise<void> =>
  inSteps(texts, async ([text]) => void (await look(text!)), { size: 1 })

const noHolders: Holders<never> = { records: [], periods: [], city: [] }
const nothing: Named<never> = { matches: [], names: new Map(), whole: [], beginning: [] }
const LONGEST_NAME = 200

function createCodes<Item extends Coded>(db: Executor, { holdersOf }: Kind<Item>) {
  const codes = new Map<string, Holders<Item>>()
  return {
    byCode: (code: string) => codes.get(code) ?? noHolders,
    async prepare(code: string) {
      if (!codes.has(code)) codes.set(code, await holdersOf(db, code))
    },
  }
}

/** `matchesToo`: includes search results for the names of places, as suggestions. */
export function createIndex<Item extends Coded>(
  source: Source,
  kind: Kind<Item>,
  matchesToo = false,
): PreparedIndex<Item> {
  const { db } = source
  const codes = createCodes(db, kind)
  const names = new Map<string, Named<Item>>()
  const importance = new Map<number, number>()

  async function factsOf(records: readonly Item[]) {
    const ids = records.map(({ id }) => id)
    const facts = ids.length === 0 ? [] : await findSearchTexts(db, kind.table, ids)
    for (const fact of facts) importance.set(fact.id, fact.importance)
    return facts
  }

  async function readNameOf(text: string): Promise<Named<Item>> {
    if (text.length > LONGEST_NAME) return nothing
    const place = await kind.findPlace?.(source, text)
    const matches = place && !matchesToo ? [] : await kind.search(source, text)
    if (place) return { ...nothing, place, matches }
    const facts = await factsOf(matches)
    return readName(text, matches, new Map(facts.map(({ id, search }) => [id, namesIn(search)])))
  }
  const prepareName = async (text: string): Promise<void> => {
    for (const spelling of spellingsOf(text, kind.table))
      if (!names.has(spelling)) names.set(spelling, await readNameOf(spelling))
  }
  const prepared = new Set<string>()
  async function prepareText(text: string): Promise<void> {
    if (prepared.has(text)) return
    const code = text.toUpperCase()
    for (const spelling of spellingsOf(code, kind.table)) await codes.prepare(spelling)
    const holders = codes.byCode(code)
    await factsOf(holders.records)
    if (mayBeName(text, holders, kind.table)) await prepareName(text)
    prepared.add(text)
  }

  return {
    byCode: codes.byCode,
    byName: (text) => names.get(text) ?? nothing,
    importance: ({ id }) => importance.get(id) ?? 0,
    prepareCodes: (all) => eachOf([...new Set(all)], codes.prepare),
    prepareNames: (texts) => eachOf([...new Set(texts)], prepareName),
    prepare: (texts) => eachOf([...new Set(texts)], prepareText),
  }
}

/** Resolves a code or a name as people write it. */
export async function resolveText<Item extends Coded>(
  source: Source,
  kind: Kind<Item>,
  text: string,
  days: Days,
): Promise<Resolution<Item>> {
  const index = await indexOfText(source, kind, text)
  return resolve(index, text, { kind: kind.table, days, strictness: 'text' })
}

/** An index of one text, perhaps written together with its codes. */
export async function indexOfText<Item extends Coded>(
  source: Source,
  kind: Kind<Item>,
  text: string,
): Promise<Index<Item>> {
  const index = createIndex(source, kind)
  for (let rest = text; rest !== ''; ) {
    const within = codesWithin(rest, kind.table)
    await index.prepareCodes(within.codes)
    if (within.codes.length === 0) await index.prepare([rest])
    else if (within.rest !== '') await index.prepareNames([within.rest])
    rest = within.rest
  }
  return index
}

/** The meaning of codes for many flights: the holders of a code are read once. */
export function createCodeBook<Item extends Coded>(db: Executor, kind: Kind<Item>) {
  const codes = createCodes(db, kind)
  return async (code: string, days: Days): Promise<Resolution<Item>> => {
    await codes.prepare(code.toUpperCase())
    return ofCode(codes, code, { kind: kind.table, days })
  }
}

/** The meaning of a code on the days. */
export const resolveCode = <Item extends Coded>(
  db: Executor,
  kind: Kind<Item>,
  code: string,
  days: Days,
): Promise<Resolution<Item>> => createCodeBook(db, kind)(code, days)

/** What a program writes back: the codes of a record that it has read, perhaps with the record's id. */
interface WrittenBack<Item> {
  /** ICAO before IATA; a name if there is neither. */
  codes: readonly string[]
  /** Only used if the record has the first code, because the id may come from another instance. */
  id?: unknown
  /** The flight's current record; used if it has the first code, even if another record has that code today. */
  stored: Item | undefined
}

/** The stored record, then the one with the id, then what the codes meant on the days. */
export async function resolveWrittenBack<Item extends Coded>(
  db: Executor,
  kind: Kind<Item>,
  { codes, id, stored }: WrittenBack<Item>,
  days: Days,
): Promise<Resolution<Item>> {
  const [code] = codes
  if (!code) return { outcome: 'unknown' }
  const index = createCodes(db, kind)
  for (const one of codes) await index.prepare(one.toUpperCase())
  const holders = index.byCode(code.toUpperCase())
  if (stored && bears(stored, code, holders)) return { outcome: 'found', record: stored }
  const [byId] = Number.isSafeInteger(id) ? await kind.findByIds(db, [id as number]) : []
  if (byId && bears(byId, code, holders)) return { outcome: 'found', record: byId }
  const meaning = agreed(codes.map((one) => ofCode(index, one, { kind: kind.table, days })))
  // A program cannot be asked: of the holders within a month or year, it means the one of most days.
  return meaning.outcome === 'ambiguous' && meaning.changedOn
    ? {
        outcome: 'found',
        record: meaning.candidates[0]!,
        warning: 'code_changed_hands',
        changedOn: meaning.changedOn,
      }
    : meaning
}
