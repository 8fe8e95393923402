// Reference data for operations: records by id from memory, and searches. Both are cached by reference revision, so that every
// process sees a change with its next request.
import type { KeptFiles } from '../../base/response/kept-files.ts'
import { type LineReference, openLineData } from '../../domain/entry/line/data.ts'
import type { LineData } from '../../domain/entry/line/types.ts'
import { listOwnRecords, type OwnRecords } from '../../store/entry/own-records.ts'
import { type CustomField, listCustomFields } from '../../store/flights/custom-fields.ts'
import {
  listCustomAircraft,
  listCustomAirlines,
  listCustomAirports,
} from '../../store/reference/custom-records.ts'
import {
  type Aircraft,
  type Airline,
  type Airport,
  findAircraft,
  findAirlines,
  findAirports,
} from '../../store/reference/records.ts'
import { listSearchTexts } from '../../store/reference/search-texts.ts'
import { type Executor, onceCommitted } from '../../store/store.ts'
import { keptLineData, makeLineData } from './line-data.ts'
import { once } from './once.ts'
import { createSearchIndex, type Match, type SearchIndex } from './search/search.ts'
import { createShippedIndexes, type Kind, type ShippedIndexes, tables } from './shipped-indexes.ts'

const MATCHES_AT_MOST = 20
const RECENT_AT_MOST = 10

/** The shipped set changes only with an upgrade or by command; added records are few and may change any time. */
interface Indexes {
  shipped: SearchIndex
  custom: SearchIndex
}

interface Known {
  airports: Map<number, Airport>
  airlines: Map<number, Airline>
  aircraft: Map<number, Aircraft>
  fields: Promise<CustomField[]> | undefined
  names: Promise<string[]> | undefined
  indexes: Partial<Record<Kind, Promise<Indexes>>>
  line: Promise<LineReference> | undefined
}

/** The ids of the records that a page of flights needs. */
interface RecordIds {
  airports: Iterable<number | null>
  airlines: Iterable<number | null>
  aircraft: Iterable<number | null>
}
export interface Records {
  airports: ReadonlyMap<number, Airport>
  airlines: ReadonlyMap<number, Airline>
  aircraft: ReadonlyMap<number, Aircraft>
}

/** A person whose own records rank first among equals, at a revision of their flights. */
export interface Traveller {
  userId: string
  flights: number
}

interface SearchOptions {
  traveller?: Traveller | undefined
  /** Includes similar names if nothing better is found. */
  nearMisses?: boolean
}
type Search<Item> = (
  db: Executor,
  revision: number,
  query: string,
  options?: SearchOptions,
) => Promise<Item[]>
/** The records that the traveller used last, without a search. */
type Recent<Item> = (db: Executor, traveller: Traveller) => Promise<Item[]>

export interface Reference {
  records(db: Executor, revision: number, ids: RecordIds): Promise<Records>
  customFields(db: Executor, revision: number): Promise<CustomField[]>
  /** The names of airports, airlines and aircraft types that were added on this instance. */
  customNames(db: Executor, revision: number): Promise<string[]>
  searchAirports: Search<Airport>
  /** Airports with exactly this name in any language, or in a region with this name. */
  airportsNamed(db: Executor, revision: number, text: string): Promise<Airport[]>
  searchAirlines: Search<Airline>
  searchAircraft: Search<Aircraft>
  recentAirports: Recent<Airport>
  recentAirlines: Recent<Airline>
  recentAircraft: Recent<Aircraft>
  /** The file that the web app uses to read one line of text. */
  lineData(db: Executor, revision: number): Promise<LineData>
  /** The line data in parsed form. */
  line(db: Executor, revision: number): Promise<LineReference>
}

async function listCustomNames(db: Executor): Promise<string[]> {
  const records = [
    ...(await listCustomAirports(db)),
    ...(await listCustomAirlines(db)),
    ...(await listCustomAircraft(db)),
  ]
  return records.map(({ name }) => name)
}

export function createReference(
  shipped: ShippedIndexes = createShippedIndexes(),
  files?: KeptFiles,
): Reference {
  let at = -1
  let known = nothing()

  /** An export may read an older snapshot of the database, whose records must not be cached as current. */
  const knownAt = (db: Executor, revision: number): Known => {
    if (revision === at) return known
    const here = nothing()
    onceCommitted(db, () => {
      if (revision > at) [at, known] = [revision, here]
    })
    return here
  }

  const lineData = (db: Executor, revision: number) =>
    files && !db.afterCommit ? keptLineData(db, files, revision) : makeLineData(db)

  const ownRecords = createOwnRecords()

  const indexesOf = (db: Executor, revision: number, kind: Kind): Promise<Indexes> => {
    const { indexes } = revision < at ? known : knownAt(db, revision)
    return once(db, indexes, kind, async () => ({
      shipped: await shipped.get(db, kind),
      custom: await createSearchIndex(listSearchTexts(db, tables[kind], 'custom')),
    }))
  }

  const search = <Item extends { id: number }>(kind: Kind, find: Find<Item>): Search<Item> => {
    const recordsFound = createFoundRecords(find)
    return async (db, revision, query, { traveller, nearMisses = false } = {}) => {
      const indexes = await indexesOf(db, revision, kind)
      const own = traveller && (await ownRecords.get(db, traveller))[kind]
      const matches = [
        ...indexes.shipped.find(query, MATCHES_AT_MOST, { own, nearMisses }),
        ...indexes.custom.find(query, MATCHES_AT_MOST, { own, nearMisses }),
      ]
      return recordsFound(db, revision, bestOf(matches))
    }
  }

  const recent =
    <Item extends { id: number }>(kind: Kind, find: Find<Item>): Recent<Item> =>
    async (db, traveller) => {
      const own = (await ownRecords.get(db, traveller))[kind]
      return inOrder(db, [...own].slice(0, RECENT_AT_MOST), find)
    }

  return {
    async records(db, revision, ids) {
      const here = knownAt(db, revision)
      // One after the other, because a transaction has a single connection.
      return {
        airports: await complete(db, here.airports, ids.airports, findAirports),
        airlines: await complete(db, here.airlines, ids.airlines, findAirlines),
        aircraft: await complete(db, here.aircraft, ids.aircraft, findAircraft),
      }
    },
    customFields: (db, revision) => once(db, knownAt(db, revision), 'fields', () => listCustomFields(db)),
    customNames: (db, revision) => once(db, knownAt(db, revision), 'names', () => listCustomNames(db)),
    searchAirports: search('airports', findAirports),
    async airportsNamed(db, revision, text) {
      const { shipped: known, custom } = await indexesOf(db, revision, 'airports')
      return inOrder(db, [...custom.named(text), ...known.named(text)], findAirports)
    },
    searchAirlines: search('airlines', findAirlines),
    searchAircraft: search('aircraft', findAircraft),
    recentAirports: recent('airports', findAirports),
    recentAirlines: recent('airlines', findAirlines),
    recentAircraft: recent('aircraft', findAircraft),
    lineData,
    line: (db, revision) =>
      once(db, knownAt(db, revision), 'line', () => lineData(db, revision).then(openLineData)),
  }
}

type Find<Item> = (db: Executor, ids: readonly number[]) => Promise<Item[]>

async function inOrder<Item extends { id: number }>(
  db: Executor,
  ids: readonly number[],
  find: Find<Item>,
): Promise<Item[]> {
  const byId = new Map((await find(db, ids)).map((item) => [item.id, item]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const FOUND_AT_MOST = 3000

/** Caches records from searches at the latest revision: most searches find the same records. */
function createFoundRecords<Item extends { id: number }>(find: Find<Item>) {
  const known = new Map<number, Item>()
  let at = -1
  return async (db: Executor, revision: number, ids: readonly number[]): Promise<Item[]> => {
    onceCommitted(db, () => {
      if (revision <= at) return
      at = revision
      known.clear()
    })
    const found = new Map<number, Item>()
    for (const id of ids) {
      const item = revision === at ? known.get(id) : undefined
      if (item) found.set(id, item)
    }
    const missing = ids.filter((id) => !found.has(id))
    const read = missing.length > 0 ? await find(db, missing) : []
    if (known.size > FOUND_AT_MOST) known.clear()
    for (const item of read) found.set(item.id, item)
    // Read at this revision or a later one; if later, the next request notices it.
    onceCommitted(db, () => {
      if (revision === at) for (const item of read) known.set(item.id, item)
    })
    return ids.flatMap((id) => found.get(id) ?? [])
  }
}

/**
 * The sort is stable, so shipped records come first among equals. Similar names count only if neither index has a usual match.
 */
function bestOf(matches: readonly Match[]): number[] {
  const isSimilarWanted = !matches.some(({ isUsual }) => isUsual)
  return matches
    .filter(({ isNearMiss }) => isSimilarWanted || !isNearMiss)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MATCHES_AT_MOST)
    .map(({ id }) => id)
}

const TRAVELLERS_AT_MOST = 100

/** The own records of the people who searched last, at the latest revision of their flights. */
function createOwnRecords() {
  const known = new Map<string, { flights: number; records: Promise<OwnRecords> }>()
  return {
    get(db: Executor, { userId, flights }: Traveller): Promise<OwnRecords> {
      const latest = known.get(userId)
      if (latest && latest.flights === flights) return latest.records
      const entry = { flights, records: listOwnRecords(db, userId) }
      // An older request must not replace a newer result, and a transaction must not replace committed records.
      if (db.afterCommit || (latest && latest.flights > flights)) return entry.records
      known.delete(userId)
      known.set(userId, entry)
      entry.records.catch(() => known.get(userId) === entry && known.delete(userId))
      if (known.size > TRAVELLERS_AT_MOST) known.delete(known.keys().next().value!)
      return entry.records
    },
  }
}

const nothing = (): Known => ({
  airports: new Map(),
  airlines: new Map(),
  aircraft: new Map(),
  fields: undefined,
  names: undefined,
  indexes: {},
  line: undefined,
})

/** Adds the wanted records to the known ones. In a transaction they become visible to others after the commit. */
async function complete<Item extends { id: number }>(
  db: Executor,
  known: Map<number, Item>,
  wanted: Iterable<number | null>,
  find: Find<Item>,
): Promise<ReadonlyMap<number, Item>> {
  const [own, missing] = [new Map<number, Item>(), new Set<number>()]
  for (const id of wanted) {
    if (id === null) continue
    const item = known.get(id)
    if (item === undefined) missing.add(id)
    else if (db.afterCommit) own.set(id, item)
  }
  if (missing.size === 0) return known
  const found = await find(db, [...missing])
  onceCommitted(db, () => {
    for (const item of found) known.set(item.id, item)
  })
  if (!db.afterCommit) return known
  for (const item of found) own.set(item.id, item)
  return own
}
