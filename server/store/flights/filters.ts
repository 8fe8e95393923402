// Filtered flights: pages of them, their ids, their people and their departures. Each combination of filters is a
// separate statement, so that an engine can use the best index and does not evaluate absent filters.
import { type CompiledQuery, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { DatePrecision, FlightOrder, FlightReason, Outcome, SeatClass } from '../../domain/enums.ts'
import type { FlightFields } from '../../domain/flights/fields.ts'
import { searchFold } from '../../domain/text/fold.ts'
import { wordStarts } from '../../domain/text/search-text.ts'
import { MAX_ID } from '../engine/codecs.ts'
import { selectionOf } from '../engine/columns.ts'
import type { Executor } from '../engine/engine.ts'
import { type Builder, type Query, query } from '../engine/query.ts'
import type { Schema } from '../engine/schema.ts'
import { foldRows, type JoinedRow, joined, START, type StoredFlight } from './flights.ts'

/** A flight must match all of these. Codes and names are already resolved to ids. */
export interface FlightFilter {
  /** Inclusive, YYYY-MM-DD. */
  dateFrom?: string | undefined
  dateTo?: string | undefined
  precisions?: readonly DatePrecision[] | undefined
  /** Inclusive, in UTC and in the format of stored timestamps. */
  updatedSince?: string | undefined
  /** Departed from or arrived at one of these. */
  airportIds?: readonly number[] | undefined
  fromIds?: readonly number[] | undefined
  toIds?: readonly number[] | undefined
  airlineIds?: readonly number[] | undefined
  aircraftIds?: readonly number[] | undefined
  /** Upper case, without spaces and hyphens. */
  flightNumbers?: readonly string[] | undefined
  /** The same, matched against both the flight number and the operating airline's. */
  anyNumbers?: readonly string[] | undefined
  /** Digits only, without leading zeros. */
  bareNumber?: string | undefined
  aircraftReg?: string | undefined
  /** Departed from or arrived in one of these. */
  countries?: readonly string[] | undefined
  /** Another user on the flight. */
  passengerId?: string | undefined
  /** Another user, given by name; with `passengerId`, both must be on the flight. */
  personId?: string | undefined
  /** A guest on the flight, by one of the spellings of the name. */
  guestNames?: readonly string[] | undefined
  hasTrack?: boolean | undefined
  /** The class of the person whose log is read; in everyone's log, of any passenger. */
  seatClass?: SeatClass | undefined
  reason?: FlightReason | undefined
  outcome?: Outcome | undefined
  /** Without cancelled flights. */
  isCounted?: true | undefined
  /** In one person's log: without flights that another person added them to and that they have not kept. */
  isOwn?: true | undefined
  importId?: number | undefined
  /** An external id of this source that this person has set. */
  external?: { userId: string; source: string } | undefined
  /** Found in the note, the numbers, or the names of records and people on the flight. */
  text?: string | undefined
}
type FilterName = keyof FlightFilter

type Parameters = Record<string, unknown>
type Condition = RawBuilder<SqlBool>

/** Lists are padded to one of these lengths, so that a few statements serve every length. */
const LIST_LENGTHS = [4, 20, 100, 400]
export const FILTER_LIST_AT_MOST = LIST_LENGTHS.at(-1)!

/** One filter of a statement. In one person's log, `mine` is that person's passenger row. */
interface Use {
  ofUser: boolean
  /** The length of a list's placeholder. */
  length: number
}

const among = (column: RawBuilder<unknown>, p: Parameters, name: FilterName, length: number): Condition =>
  sql`${column} in (${sql.join(Array.from({ length }, (_, i) => p[`${name}${i}`]))})`
const amongOf =
  (name: FilterName, column: string) =>
  (p: Parameters, { length }: Use): Condition =>
    among(sql.ref(column), p, name, length)

const compact = (column: string) => sql`upper(replace(replace(${sql.ref(column)}, ' ', ''), '-', ''))`
const contains = (column: string, pattern: unknown): Condition =>
  sql`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
/** A record whose search text has a word with this prefix. Folded words contain no wildcards of `like`. */
const names = (table: 'airport' | 'airline' | 'aircraft', keys: string[], p: Parameters): Condition =>
  sql`exists (select 1 from ${sql.table(table)} as named where named.id in (${sql.join(keys.map((key) => sql.ref(`flight.${key}`)))})
    and (${sql.join(
      wordStarts.map((_, i) => sql`named.search like ${p[`word${i}`]}`),
      sql` or `,
    )}))`

/** The date is copied to every passenger row, so that a query of one person's flights can use that index. */
const dateOf = ({ ofUser }: Use) => sql.ref(ofUser ? 'mine.flightDate' : 'flight.date')

const ofPassenger = (column: 'seatClass' | 'flightReason', value: unknown, { ofUser }: Use): Condition =>
  ofUser
    ? sql`${sql.ref(`mine.${column}`)} = ${value}`
    : sql`exists (select 1 from flight_passenger as any_passenger where any_passenger.flight_id = flight.id
      and ${sql.ref(`any_passenger.${column}`)} = ${value})`

const hasPassenger = (userId: unknown): Condition =>
  sql`exists (select 1 from flight_passenger as fellow where fellow.flight_id = flight.id and fellow.user_id = ${userId})`

const conditions: Record<FilterName, (p: Parameters, use: Use) => Condition> = {
  dateFrom: (p, use) => sql`${dateOf(use)} >= ${p['dateFrom']}`,
  dateTo: (p, use) => sql`${dateOf(use)} <= ${p['dateTo']}`,
  precisions: amongOf('precisions', 'flight.datePrecision'),
  updatedSince: (p) => sql`flight.updated_at >= ${p['updatedSince']}`,
  airportIds: (p, { length }) =>
    sql`(${among(sql.ref('flight.fromId'), p, 'airportIds', length)} or ${among(sql.ref('flight.toId'), p, 'airportIds', length)})`,
  fromIds: amongOf('fromIds', 'flight.fromId'),
  toIds: amongOf('toIds', 'flight.toId'),
  airlineIds: amongOf('airlineIds', 'flight.airlineId'),
  aircraftIds: amongOf('aircraftIds', 'flight.aircraftId'),
  flightNumbers: (p, { length }) => among(compact('flight.flightNumber'), p, 'flightNumbers', length),
  anyNumbers: (p, { length }) =>
    sql`(${among(compact('flight.flightNumber'), p, 'anyNumbers', length)}
      or ${among(compact('flight.operatingFlightNumber'), p, 'anyNumbers', length)})`,
  bareNumber: (p) =>
    sql`ltrim(${compact('flight.flightNumber')}, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0') = ${p['bareNumber']}`,
  aircraftReg: (p) => sql`${compact('flight.aircraftReg')} = ${p['aircraftReg']}`,
  countries: (p, { length }) =>
    sql`exists (select 1 from airport as visited where visited.id in (flight.from_id, flight.to_id)
      and ${among(sql.ref('visited.country'), p, 'countries', length)})`,
  passengerId: (p) => hasPassenger(p['passengerId']),
  personId: (p) => hasPassenger(p['personId']),
  guestNames: (p, { length }) =>
    sql`exists (select 1 from flight_passenger as guest where guest.flight_id = flight.id
      and ${among(sql.ref('guest.guestName'), p, 'guestNames', length)})`,
  hasTrack: (p) =>
    sql`case when exists (select 1 from track as recorded where recorded.flight_id = flight.id) then 1 else 0 end = ${p['hasTrack']}`,
  seatClass: (p, use) => ofPassenger('seatClass', p['seatClass'], use),
  reason: (p, use) => ofPassenger('flightReason', p['reason'], use),
  outcome: (p) => sql`flight.outcome = ${p['outcome']}`,
  isCounted: () => sql`flight.outcome <> 'cancelled'`,
  isOwn: () => sql`(mine.added_by is null or mine.kept_at is not null)`,
  importId: (p) => sql`flight.import_id = ${p['importId']}`,
  external: (p) =>
    sql`exists (select 1 from external_id as own_id where own_id.flight_id = flight.id
      and own_id.user_id = ${p['externalUser']} and own_id.source = ${p['externalSource']})`,
  text: (p) =>
    sql`(${sql.join(
      [
        contains('flight.note', p['text']),
        contains('flight.flightNumber', p['text']),
        contains('flight.operatingFlightNumber', p['text']),
        contains('flight.bookingReference', p['text']),
        contains('flight.aircraftReg', p['text']),
        names('airport', ['fromId', 'toId'], p),
        names('airline', ['airlineId'], p),
        names('aircraft', ['aircraftId'], p),
        sql`exists (select 1 from flight_passenger as companion left join person as known on known.id = companion.user_id
        where companion.flight_id = flight.id
        and (${contains('companion.guestName', p['text'])} or ${contains('known.displayName', p['text'])}))`,
      ],
      sql` or `,
    )})`,
}

/** The filters that a statement has; their values are parameters. */
interface Plan {
  ofUser: boolean
  /** Names of filters and the lengths of their lists. */
  present: [FilterName, number][]
}

/** The ids of the matching flights, one person's or everyone's. */
export type Wanted = SelectQueryBuilder<Schema, 'flight', { id: number }>

function wanted(db: Builder, p: Parameters, { ofUser, present }: Plan): Wanted {
  const where = present.map(([name, length]) => conditions[name](p, { ofUser, length }))
  const passing = (rows: Wanted): Wanted => rows.where((eb) => eb.and(where))
  if (!ofUser) return passing(db.selectFrom('flight').select('flight.id'))
  const own = db
    .selectFrom('flightPassenger as mine')
    .innerJoin('flight', 'flight.id', 'mine.flightId')
    .select('flight.id')
    .where('mine.userId', '=', p['userId'] as string)
  // The rest of the query refers to columns of both by name.
  return passing(own as unknown as Wanted)
}

/** Requests choose the filters, so the number of statements is unbounded: only some are cached. */
const STATEMENTS_AT_MOST = 500
const statements = new Map<string, Query<Parameters, unknown>>()

/** Reads what `build` selects for the flights that match all filters: one person's, or everyone's if `userId` is null. */
type FilteredQuery<Extra, Row> = (
  db: Executor,
  userId: string | null,
  filter: FlightFilter,
  extra: Extra,
) => Promise<Row[]>

/** Declares such a query. Names must be unique, and no parameter may have the name of a filter. */
export const filteredQuery =
  <Extra extends object, Row>(
    name: string,
    build: (db: Builder, rows: Wanted, p: Extra, ofUser: boolean) => { compile(): CompiledQuery<Row> },
  ): FilteredQuery<Extra, Row> =>
  (db, userId, filter, extra) => {
    const { plan, parameters } = planOf(userId, filter)
    const key = `${name} ${plan.ofUser} ${plan.present.join(' ')}`
    let statement = statements.get(key)
    if (!statement) {
      if (statements.size >= STATEMENTS_AT_MOST) statements.clear()
      statement = query((builder, p) => build(builder, wanted(builder, p, plan), p as Extra, plan.ofUser))
      statements.set(key, statement)
    }
    return (statement as Query<Parameters, Row>)(db, { ...parameters, ...extra })
  }

const lengthFor = (value: unknown): number =>
  Array.isArray(value) ? LIST_LENGTHS.find((length) => length >= value.length)! : 0

function planOf(userId: string | null, filter: FlightFilter): { plan: Plan; parameters: Parameters } {
  const present = (Object.keys(conditions) as FilterName[]).filter((name) => filter[name] !== undefined)
  const plan: Plan = {
    ofUser: userId !== null,
    present: present.map((name) => [name, lengthFor(filter[name])]),
  }
  const parameters: Parameters = { userId }
  for (const [name, length] of plan.present) Object.assign(parameters, parametersOf(name, filter, length))
  return { plan, parameters }
}

function parametersOf(name: FilterName, filter: FlightFilter, length: number): Parameters {
  const value = filter[name]
  if (length > 0) {
    const list = value as readonly unknown[]
    const item = (i: number) => list[Math.min(i, list.length - 1)]
    return Object.fromEntries(Array.from({ length }, (_, i) => [`${name}${i}`, item(i)]))
  }
  if (name === 'text') {
    const folded = searchFold(filter.text!)
    // A text without a letter or digit matches no name.
    const patterns = wordStarts.map((start, i) => [`word${i}`, folded ? `%${start}${folded}%` : ''])
    return { text: within(asciiLower(filter.text!)), ...Object.fromEntries(patterns) }
  }
  if (name === 'external') {
    return { externalUser: filter.external!.userId, externalSource: filter.external!.source }
  }
  return { [name]: typeof value === 'boolean' ? Number(value) : value }
}

/** Both engines lower-case ASCII only. */
const asciiLower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
const within = (text: string) => `%${text.replace(/[\\%_]/g, (mark) => `\\${mark}`)}%`

// Pages

/** A place in an ordered list: the sort key and the id of the row before it. */
export interface Place {
  key: string
  id: number
}
export const isDescending = (order: FlightOrder): boolean => order !== 'oldest' && order !== 'updated'

/** The place before the first row of a list in this order. */
export const startOf = (order: FlightOrder): Place =>
  isDescending(order) ? { key: START.date, id: MAX_ID } : { key: '', id: 0 }

/** An entry of such a list: a flight, or a journey represented by its first flight. */
export interface Listed {
  id: number
  date: string
  updatedAt?: string
  /** Replaces the date as sort key where a list is ordered more precisely than by day. */
  key?: string
}
export const placeOf = (order: FlightOrder, { id, date, updatedAt = date, key = date }: Listed): Place => ({
  key: order === 'updated' || order === 'lastChanged' ? updatedAt : order === 'lastAdded' ? ADDED : key,
  id,
})
/** Ids increase in the order in which flights are added. */
const ADDED = 'added'

/** The columns of an order. The passenger's columns are in the index of a person's flights. */
const columnsOf = (order: FlightOrder, ofUser: boolean) => {
  if (order === 'lastAdded') return [ofUser ? 'mine.flightId' : 'flight.id'] as const
  if (order === 'updated' || order === 'lastChanged') return ['flight.updatedAt', 'flight.id'] as const
  return ofUser ? (['mine.flightDate', 'mine.flightId'] as const) : (['flight.date', 'flight.id'] as const)
}

type PageParameters = Place & { limit: number }

const pageIn = (order: FlightOrder) =>
  filteredQuery<PageParameters, JoinedRow>(`page ${order}`, (db, rows, p, ofUser) => {
    const columns = columnsOf(order, ofUser).map((column) => sql.ref<string | number>(column))
    const places = columns.length === 1 ? [p.id] : [p.key, p.id]
    const [direction, beyond] = isDescending(order) ? (['desc', sql`<`] as const) : (['asc', sql`>`] as const)
    let page = rows.where(sql<boolean>`(${sql.join(columns)}) ${beyond} (${sql.join(places)})`).limit(p.limit)
    for (const column of columns) page = page.orderBy(column, direction)
    return joined(db, page, order)
  })
const pages: Record<FlightOrder, ReturnType<typeof pageIn>> = {
  newest: pageIn('newest'),
  oldest: pageIn('oldest'),
  updated: pageIn('updated'),
  lastAdded: pageIn('lastAdded'),
  lastChanged: pageIn('lastChanged'),
}

/** The rows of the flights after a place that match all filters: one person's, or everyone's if `userId` is null. */
export const searchFlightRows = (
  db: Executor,
  userId: string | null,
  filter: FlightFilter,
  { order, after, limit }: { order: FlightOrder; after: Place; limit: number },
): Promise<JoinedRow[]> => pages[order](db, userId, filter, { key: after.key, id: after.id, limit })

/** The same as flights. */
export const searchFlights = async (
  db: Executor,
  userId: string | null,
  filter: FlightFilter,
  page: { order: FlightOrder; after: Place; limit: number },
): Promise<StoredFlight[]> => foldRows(await searchFlightRows(db, userId, filter, page))

// Departures

const departureFields = [
  'date',
  'datePrecision',
  'departure',
  'departureScheduled',
  'takeoffScheduled',
  'takeoffActual',
  'outcome',
] as const satisfies (keyof FlightFields)[]

/** What is known about a flight's departure time, and whether it takes place. */
export interface Departure extends Pick<FlightFields, (typeof departureFields)[number]> {
  id: number
  updatedAt: string
  /** The departure airport's. */
  timezone: string | null
}

const departuresOf = filteredQuery<object, Departure>('departures', (db, rows) =>
  db
    .selectFrom(rows.as('wanted'))
    .innerJoin('flight', 'flight.id', 'wanted.id')
    .leftJoin('airport', 'airport.id', 'flight.fromId')
    .select(['flight.id', 'flight.updatedAt', ...selectionOf('flight', departureFields), 'airport.timezone']),
)
export const listDepartures = (db: Executor, userId: string | null, filter: FlightFilter) =>
  departuresOf(db, userId, filter, {})
