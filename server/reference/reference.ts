// Reference data as operations use it: records by id from memory, searches, both kept under the reference revision
// so that a change made by any process is seen by the next request of every other.
import { collectGarbage } from '../base/garbage-collection.ts'
import { folded } from '../store/codecs.ts'
import { type CustomField, listCustomFields } from '../store/custom-fields.ts'
import {
  type Aircraft,
  type Airline,
  type Airport,
  findAircraft,
  findAirlines,
  findAirports,
} from '../store/reference.ts'
import { listAircraftTexts, listAirlineTexts, listAirportTexts } from '../store/search-texts.ts'
import type { Executor } from '../store/store.ts'
import { createSearchIndex, type SearchIndex } from './search.ts'

export const MATCHES_AT_MOST = 20

interface Known {
  airports: Map<number, Airport>
  airlines: Map<number, Airline>
  aircraft: Map<number, Aircraft>
  fields: Promise<CustomField[]> | undefined
  indexes: Partial<Record<'airports' | 'airlines' | 'aircraft', Promise<SearchIndex>>>
}

/** The records that a page of flights needs, looked up together. */
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

export interface Reference {
  records(db: Executor, revision: number, ids: RecordIds): Promise<Records>
  customFields(db: Executor, revision: number): Promise<CustomField[]>
  searchAirports(db: Executor, revision: number, query: string): Promise<Airport[]>
  searchAirlines(db: Executor, revision: number, query: string): Promise<Airline[]>
  searchAircraft(db: Executor, revision: number, query: string): Promise<Aircraft[]>
}

export function createReference(): Reference {
  let at = -1
  let known = nothing()

  const knownAt = (revision: number): Known => {
    if (revision > at) {
      at = revision
      known = nothing()
    }
    return known
  }

  /** An export may still read an older snapshot of the database; its records must not be cached as current. */
  const filledAt = (revision: number): Known => (revision < at ? nothing() : knownAt(revision))

  const search = async <Item extends { id: number }>(
    index: Promise<SearchIndex>,
    query: string,
    find: (ids: number[]) => Promise<Item[]>,
  ): Promise<Item[]> => {
    const ids = (await index).find(folded(query), MATCHES_AT_MOST)
    const byId = new Map((await find(ids)).map((item) => [item.id, item]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  const indexOf = (revision: number, name: keyof Known['indexes'], list: () => AsyncIterable<string>) => {
    const { indexes } = knownAt(revision)
    if (!indexes[name]) {
      const building = createSearchIndex(list())
      building.then(collectGarbage, () => undefined)
      // A failed attempt must not be cached.
      building.catch(() => delete indexes[name])
      indexes[name] = building
    }
    return indexes[name]
  }

  return {
    async records(db, revision, ids) {
      const { airports, airlines, aircraft } = filledAt(revision)
      // One after the other: inside a transaction there is a single connection.
      await complete(airports, ids.airports, (missing) => findAirports(db, missing))
      await complete(airlines, ids.airlines, (missing) => findAirlines(db, missing))
      await complete(aircraft, ids.aircraft, (missing) => findAircraft(db, missing))
      return { airports, airlines, aircraft }
    },
    customFields(db, revision) {
      const here = filledAt(revision)
      if (!here.fields) {
        here.fields = listCustomFields(db)
        here.fields.catch(() => {
          here.fields = undefined
        })
      }
      return here.fields
    },
    searchAirports: (db, revision, query) =>
      search(
        indexOf(revision, 'airports', () => listAirportTexts(db)),
        query,
        (ids) => findAirports(db, ids),
      ),
    searchAirlines: (db, revision, query) =>
      search(
        indexOf(revision, 'airlines', () => listAirlineTexts(db)),
        query,
        (ids) => findAirlines(db, ids),
      ),
    searchAircraft: (db, revision, query) =>
      search(
        indexOf(revision, 'aircraft', () => listAircraftTexts(db)),
        query,
        (ids) => findAircraft(db, ids),
      ),
  }
}

const nothing = (): Known => ({
  airports: new Map(),
  airlines: new Map(),
  aircraft: new Map(),
  fields: undefined,
  indexes: {},
})

async function complete<Item extends { id: number }>(
  known: Map<number, Item>,
  wanted: Iterable<number | null>,
  find: (ids: number[]) => Promise<Item[]>,
): Promise<void> {
  const missing = new Set<number>()
  for (const id of wanted) if (id !== null && !known.has(id)) missing.add(id)
  if (missing.size === 0) return
  for (const item of await find([...missing])) known.set(item.id, item)
}
