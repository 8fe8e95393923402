// The history of airlines: our own tables (past-airlines, known-airlines, airline-duplicates, code-periods) first, then
// OpenTravelData for years, other names and the number of flights of an airline.
import { codePeriodsOf, type Holder } from './airline-codes.ts'
import { similarName } from './airline-names.ts'
import type { Airline } from './airlines.ts'
import type { IdMap } from './ids.ts'
import { type KnownAirline, readKnownAirlines } from './opentraveldata.ts'
import { type Row, readTable } from './sources.ts'

type PastColumn =
  | 'key'
  | 'match'
  | 'iata'
  | 'icao'
  | 'name'
  | 'country'
  | 'from'
  | 'to'
  | 'successor'
  | 'rank'
  | 'aliases'
type Past = Row<PastColumn>
type Known = Row<'id' | 'name' | 'from' | 'importance' | 'aliases'>

/** An airline with values that only the generator needs. */
interface Entry {
  airline: Airline
  /** For an airline of the past: 1 is known to everyone. */
  rank: number | null
  /** Its years come from our own tables. */
  certain: boolean
  flights: number | null
  /** Replaces the value from its flights: OpenTravelData lacks some large airlines. */
  importance: number | null
  /** Other names: from our own tables, and from OpenTravelData. */
  names: string[]
  furtherNames: string[]
  duplicate: boolean
}

export function withHistory(airlines: Airline[], ids: IdMap): Airline[] {
  const entries = new Map(airlines.map((airline) => [airline.id, entryOf(airline)]))
  const past = readTable<PastColumn>('past-airlines')
  const idOf = applyPast(past, entries, ids)
  for (const row of readTable<keyof Known>('known-airlines')) applyKnown(row, entries)
  for (const row of readTable<'id' | 'of'>('airline-duplicates')) hideDuplicate(row, entries)
  const all = [...entries.values()]
  applyOpenTravelData(all)
  const explicit = readTable<'code' | 'airline' | 'from' | 'to'>('code-periods').map((row) => ({
    code: row.code,
    id: idOf(row.airline),
    from: row.from || null,
    to: row.to || null,
  }))
  const periods = codePeriodsOf(all.filter((entry) => !entry.duplicate).map(holderOf), explicit)
  const owners = ownersOf(all)
  return all.map((entry) => ({
    ...entry.airline,
    aliases: aliasesOf(entry, owners),
    codePeriods: periods.get(entry.airline.id) ?? null,
    importance: importanceOf(entry),
  }))
}

const entryOf = (airline: Airline): Entry => ({
  airline,
  rank: null,
  certain: airline.from !== null || airline.to !== null,
  flights: null,
  importance: null,
  names: [],
  furtherNames: [],
  duplicate: false,
})

const holderOf = ({ airline, rank, certain }: Entry): Holder => ({
  ...airline,
  rank,
  certain,
  // A row of the list of current holders with nothing but a code and a name.
  obscure: airline.active && airline.icao === null && airline.country === null,
})

function found(entries: Map<number, Entry>, id: number, table: string): Entry {
  const entry = entries.get(id)
  if (!entry) throw new Error(`tables/${table}.csv names the unknown airline ${id}`)
  return entry
}

// Our own tables

/** Returns how a table names an airline: by its id, or by its key in past-airlines.csv. */
function applyPast(rows: Past[], entries: Map<number, Entry>, ids: IdMap): (name: string) => number {
  const idsByKey = new Map<string, number>()
  for (const row of rows) {
    const id = row.match ? Number(row.match) : ids.idFor([`past:${row.key}`])
    if (!row.match) entries.set(id, entryOf(unknownAirline(id)))
    if (idsByKey.has(row.key)) throw new Error(`tables/past-airlines.csv has ${row.key} twice`)
    idsByKey.set(row.key, id)
    const entry = found(entries, id, 'past-airlines')
    const { airline } = entry
    Object.assign(airline, {
      name: row.name,
      iata: row.iata || airline.iata,
      icao: row.icao || airline.icao,
      callsign: row.icao && row.icao !== airline.icao ? null : airline.callsign,
      country: row.country || airline.country,
      from: row.from || airline.from,
      to: row.to || airline.to,
      active: false,
    })
    Object.assign(entry, { rank: Number(row.rank), certain: true, names: listed(row.aliases) })
  }
  const idOf = (name: string): number => {
    const id = /^\d+$/.test(name) ? Number(name) : idsByKey.get(name)
    if (id === undefined || !entries.has(id)) throw new Error(`the tables name the unknown airline ${name}`)
    return id
  }
  for (const row of rows)
    if (row.successor) entries.get(idOf(row.key))!.airline.successorId = idOf(row.successor)
  return idOf
}

const unknownAirline = (id: number): Airline => ({
  id,
  name: '',
  icao: null,
  iata: null,
  country: null,
  callsign: null,
  active: false,
  aliases: null,
  from: null,
  to: null,
  successorId: null,
  codePeriods: null,
  importance: 0,
})

const listed = (text: string) => text.split(';').filter((name) => name !== '')

function applyKnown(row: Known, entries: Map<number, Entry>): void {
  const entry = found(entries, Number(row.id), 'known-airlines')
  if (!similarName(entry.airline.name, row.name))
    throw new Error(`tables/known-airlines.csv: ${row.id} is ${entry.airline.name}, not ${row.name}`)
  if (row.from) Object.assign(entry.airline, { from: row.from })
  if (row.from) entry.certain = true
  if (row.importance) entry.importance = Number(row.importance)
  entry.names.push(...listed(row.aliases))
}

/** The row is kept for flights that have its id, but no code finds it and searches omit it. */
function hideDuplicate(row: { id: string; of: string }, entries: Map<number, Entry>): void {
  const kept = found(entries, Number(row.of), 'airline-duplicates')
  const entry = found(entries, Number(row.id), 'airline-duplicates')
  kept.names.push(entry.airline.name)
  Object.assign(entry.airline, { icao: null, iata: null, callsign: null, active: false })
  Object.assign(entry.airline, { from: null, to: null, successorId: kept.airline.id })
  Object.assign(entry, { duplicate: true, names: [] })
}

// OpenTravelData

function applyOpenTravelData(entries: Entry[]): void {
  const free = entries.filter((entry) => !entry.duplicate)
  const byCode = Map.groupBy(
    free.flatMap((entry) => codesOf(entry.airline).map((code) => [code, entry] as const)),
    ([code]) => code,
  )
  const holders = (code: string | null) =>
    code === null ? [] : (byCode.get(code) ?? []).map(([, entry]) => entry)
  const merged = new Map<Entry, KnownAirline[]>()
  for (const row of readKnownAirlines()) {
    const entry = matchOf(row, holders(row.icao), holders(row.iata))
    if (entry) merged.set(entry, [...(merged.get(entry) ?? []), row])
  }
  for (const [entry, rows] of merged) learn(entry, rows)
}

const codesOf = ({ icao, iata }: Airline) => [icao, iata].filter((code) => code !== null)

/** A present airline is never matched with one of the past, or the reverse. */
function matchOf(row: KnownAirline, byIcao: Entry[], byIata: Entry[]): Entry | undefined {
  const named = ({ airline, names }: Entry) =>
    [airline.name, ...names].some((ours) => row.names.some((theirs) => similarName(ours, theirs)))
  const alike = (entry: Entry) => entry.airline.active === (row.to === null) || row.flights > 0
  const both = byIcao.filter((entry) => byIata.includes(entry))
  const candidates = [both.filter(named), byIcao.filter(named), byIata.filter(named), both]
  return candidates.map((list) => list.find(alike)).find((entry) => entry !== undefined)
}

function learn(entry: Entry, rows: KnownAirline[]): void {
  const { airline } = entry
  if (!entry.certain) {
    const years = (field: 'from' | 'to') => rows.flatMap((row) => row[field] ?? []).sort()
    airline.from = years('from')[0] ?? null
    airline.to = airline.active ? null : (years('to').at(-1) ?? null)
  } else airline.from ??= rows.flatMap((row) => row.from ?? []).sort()[0] ?? null
  if (airline.from && airline.to && airline.from > airline.to) airline.from = null
  entry.flights ??= Math.max(...rows.map((row) => row.flights)) || null
  entry.furtherNames.push(...rows.flatMap((row) => row.names))
}

// Results

const ALIASES_AT_MOST = 16

const folded = (name: string) => name.toLowerCase().replace(/[\s.,'’–-]+/g, '')

/** OpenTravelData gives some airlines the names of others that they took over; such a name stays with its owner. */
function aliasesOf({ airline, names, furtherNames }: Entry, owners: Map<string, Airline>): string[] | null {
  const isOwn = (name: string) => (owners.get(folded(name)) ?? airline) === airline
  const known = new Set([folded(airline.name)])
  const distinct = [...names, ...furtherNames.filter(isOwn)].filter((name) => {
    if (name.length > 100 || known.has(folded(name))) return false
    known.add(folded(name))
    return true
  })
  return distinct.length > 0 ? distinct.slice(0, ALIASES_AT_MOST) : null
}

const ownersOf = (entries: Entry[]): Map<string, Airline> =>
  new Map(
    entries
      .filter((entry) => !entry.duplicate)
      .flatMap(({ airline, names }) => [...names, airline.name].map((name) => [folded(name), airline])),
  )

/** For well-known airlines of the past, by rank: 1 is known to everyone. */
const PAST = [470, 400, 300]
/** For a present airline without a number of flights. */
const UNCOUNTED = 130

/**
 * Orders matches that are otherwise equal: about 100 for each power of ten of flights. Zero means that nothing but codes
 * and a name is known of an airline of the past, or that the record is a duplicate.
 */
function importanceOf({ airline, rank, flights, importance, duplicate }: Entry): number {
  if (duplicate) return 0
  if (importance !== null) return importance
  if (rank !== null) return PAST[rank - 1] ?? 0
  if (airline.active && flights !== null) return Math.max(UNCOUNTED, Math.round(100 * Math.log10(flights)))
  if (airline.active) return airline.icao || airline.country ? UNCOUNTED : 60
  return airline.to === null ? 0 : 100
}
