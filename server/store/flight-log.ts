// The whole log of a person, or of all people, in the columns that maps, lists and statistics need; notes, custom
// values and track bodies are not read. A flight and its passengers always come from one statement, and a long
// log from several, so that other requests are served in between.
import { setImmediate } from 'node:timers/promises'
import { type AliasableExpression, type InferResult, sql } from 'kysely'
import { runSteps } from '../base/in-steps.ts'
import {
  type FlightFields,
  flightFieldNames,
  flightFields,
  type PassengerFields,
  passengerFieldNames,
  pick,
  type TextField,
} from '../domain/flight-fields.ts'
import { sortInSteps } from '../domain/steps.ts'
import { selectionOf } from './columns.ts'
import type { Executor } from './engine.ts'
import { type FlightFilter, filteredQuery, type Wanted } from './flight-filters.ts'
import { type PageRequest, type Position, pageOf, START } from './flights.ts'
import { type Builder, query, queryByList } from './query.ts'

/**
 * Texts can be long or private, so only these are read; a page that shows others reads the flight itself. Bookings
 * part one journey from the next, and their references are searched.
 */
const logTexts = ['flightNumber', 'aircraftReg', 'bookingReference', 'operatingFlightNumber'] as const
type LogField = Exclude<keyof FlightFields, TextField | 'price'> | (typeof logTexts)[number]
const logFields = flightFieldNames.filter(
  (name): name is LogField =>
    name !== 'price' && (flightFields[name].kind !== 'text' || logTexts.some((text) => text === name)),
)

interface LogPassenger extends PassengerFields {
  id: number
}

export interface LogFlight extends Pick<FlightFields, LogField> {
  id: number
  version: number
  importId: number | null
  hasNote: boolean
  hasTrack: boolean
  passengers: LogPassenger[]
}

const logRows = (db: Builder, ids: AliasableExpression<{ id: number }>) =>
  db
    .selectFrom(ids.as('wanted'))
    .innerJoin('flight', 'flight.id', 'wanted.id')
    .leftJoin('track', 'track.flight_id', 'flight.id')
    .leftJoin('flight_passenger as passenger', 'passenger.flight_id', 'flight.id')
    .select([
      'flight.id',
      'flight.version',
      'flight.import_id as importId',
      ...selectionOf('flight', logFields),
      'passenger.id as passengerId',
      ...selectionOf('passenger', passengerFieldNames),
    ])
    .select([
      sql<number>`case when coalesce(flight.note, '') = '' then 0 else 1 end`.as('hasNote'),
      sql<number>`case when track.flight_id is null then 0 else 1 end`.as('hasTrack'),
    ])
    .orderBy('flight.id')
    .orderBy('passenger.id')

type LogRow = InferResult<ReturnType<typeof logRows>>[number]

/** What other requests wait for: reading more at once is hardly faster, and they would notice. One statement reads so many. */
const FLIGHTS_AT_ONCE = 256

const rowsOfFlights = queryByList<number, LogRow>((db, ids) =>
  logRows(db, db.selectFrom('flight').select('id').where('id', 'in', ids)),
)

/** Those of these flights that exist. */
export async function listLogFlights(db: Executor, ids: readonly number[]): Promise<LogFlight[]> {
  const flights: LogFlight[] = []
  fold(await rowsOfFlights(db, ids), flights)
  return flights
}

/** Every flight of one person, or of all people when `userId` is null, newest first. */
export const listLog = (db: Executor, userId: string | null): Promise<LogFlight[]> => readLog(db, userId, {})

/** The same by id, some at a time, for those who need not hold them all. */
export const listLogInParts = (db: Executor, userId: string | null): AsyncGenerator<LogFlight[]> =>
  partsOf(db, userId, {})

/** Those of them that pass every filter. */
export const listFilteredLog = (
  db: Executor,
  userId: string | null,
  filter: FlightFilter,
): Promise<LogFlight[]> => readLog(db, userId, filter)

/** The flights that a person logged themselves or kept; only these may be published. */
export const listKeptLog = (db: Executor, userId: string): Promise<LogFlight[]> =>
  readLog(db, userId, { isOwn: true })

/** A statement looks at so many flights, however few of them pass. */
const WINDOW = 1000
/** While PostgreSQL reads, other requests are served: windows grow up to this, and a long log takes a few statements. */
const LARGEST_WINDOW = { sqlite: WINDOW, postgres: 16 * WINDOW } as const

const END: Position = { date: '', id: 0 }

const placesOfUser = query<Position & { userId: string; offset: number }, Position>((db, p) => {
  const own = db
    .selectFrom('flight_passenger')
    .select(['flight_date as date', 'flight_id as id'])
    .where('user_id', '=', p.userId)
  return pageOf(own, 'flight_date', 'flight_id', { date: p.date, id: p.id, limit: 1 }).offset(p.offset)
})
const placesOfAll = query<Position & { offset: number }, Position>((db, p) => {
  const all = db.selectFrom('flight').select(['date', 'id'])
  return pageOf(all, 'date', 'id', { date: p.date, id: p.id, limit: 1 }).offset(p.offset)
})

interface Window {
  startDate: string
  startId: number
  endDate: string
  endId: number
}

const inWindow = (rows: Wanted, p: Window, ofUser: boolean): Wanted => {
  const [date, id] = ofUser ? ['mine.flight_date', 'mine.flight_id'] : ['flight.date', 'flight.id']
  const place = sql`(${sql.ref(date!)}, ${sql.ref(id!)})`
  return rows
    .where(sql<boolean>`${place} < (${p.startDate}, ${p.startId})`)
    .where(sql<boolean>`${place} >= (${p.endDate}, ${p.endId})`)
}

/** In the order of an index: ordered by id, every statement would sort the whole log. */
async function* windowsOf(
  db: Executor,
  userId: string | null,
  { dateFrom = '', dateTo }: FlightFilter,
): AsyncGenerator<Window> {
  let start = dateTo === undefined ? START : { date: dateTo, id: START.id }
  for (let size = WINDOW; ; size = Math.min(4 * size, LARGEST_WINDOW[db.kind])) {
    const last = { ...start, offset: size - 1 }
    const [end] = userId === null ? await placesOfAll(db, last) : await placesOfUser(db, { ...last, userId })
    const { date: endDate, id: endId } = end ?? END
    yield { startDate: start.date, startId: start.id, endDate, endId }
    if (!end || end.date < dateFrom) return
    start = end
    // SQLite returns without waiting.
    await setImmediate()
  }
}

const idsPassing = filteredQuery<Window, { id: number }>('ids', (_, rows, p, ofUser) =>
  inWindow(rows, p, ofUser),
)

/** The ids of those that pass, ascending. A flight whose date is changed meanwhile may be missed, or be found in both places. */
export async function listFilteredIds(
  db: Executor,
  userId: string | null,
  filter: FlightFilter,
): Promise<number[]> {
  const ids: number[] = []
  for await (const window of windowsOf(db, userId, filter))
    for (const { id } of await idsPassing(db, userId, filter, window)) ids.push(id)
  return ascending(ids)
}

const usersOn = filteredQuery<Window, { id: string }>('users', (db, rows, p, ofUser) =>
  db
    .selectFrom('flight_passenger as on_board')
    .select(sql<string>`on_board.user_id`.as('id'))
    .distinct()
    .where('on_board.flight_id', 'in', inWindow(rows, p, ofUser))
    .where('on_board.user_id', 'is not', null),
)

/** The users on those that pass, a window at a time; one may come again in another. */
export async function* listUsersInParts(
  db: Executor,
  userId: string | null,
  filter: FlightFilter,
): AsyncGenerator<string[]> {
  for await (const window of windowsOf(db, userId, filter))
    yield (await usersOn(db, userId, filter, window)).map(({ id }) => id)
}

/** Each once. Ids are at most MAX_ID; as such numbers a hundred thousand of them are sorted in 10 ms, as others in 60. */
function ascending(ids: readonly number[]): number[] {
  const sorted = Int32Array.from(ids).sort()
  const distinct: number[] = []
  for (let i = 0; i < sorted.length; i++) if (sorted[i] !== sorted[i - 1]) distinct.push(sorted[i]!)
  return distinct
}

const publishable = query<{ userId: string; flightId: number }, { id: number }>((db, p) =>
  db
    .selectFrom('flight_passenger as mine')
    .innerJoin('flight', 'flight.id', 'mine.flight_id')
    .select('flight.id')
    .where('mine.user_id', '=', p.userId)
    .where('mine.flight_id', '=', p.flightId)
    .where('flight.outcome', '!=', 'cancelled')
    .where((eb) => eb.or([eb('mine.added_by', 'is', null), eb('mine.kept_at', 'is not', null)])),
)
/** Whether a person may publish a flight: it is one of those, and it takes place. */
export const isPublishable = async (db: Executor, userId: string, flightId: number): Promise<boolean> =>
  (await publishable(db, { userId, flightId })).length > 0

const newestOfUser = query<PageRequest & { userId: string }, LogRow>((db, p) => {
  const own = db.selectFrom('flight_passenger').select('flight_id as id').where('user_id', '=', p.userId)
  return logRows(db, pageOf(own, 'flight_date', 'flight_id', p))
})
const newestOfAll = query<PageRequest, LogRow>((db, p) =>
  logRows(db, pageOf(db.selectFrom('flight').select('id'), 'date', 'id', p)),
)

/** The same as `listLog`, so many at a time. Pass a snapshot: a flight whose date is edited would come twice or not at all. */
export async function* listNewestInParts(
  db: Executor,
  userId: string | null,
  limit: number,
): AsyncGenerator<LogFlight[]> {
  for (let place = START; ; ) {
    const request = { ...place, limit }
    const flights: LogFlight[] = []
    fold(
      userId === null ? await newestOfAll(db, request) : await newestOfUser(db, { ...request, userId }),
      flights,
    )
    flights.sort(newestFirst)
    if (flights.length > 0) yield flights
    const last = flights.at(-1)
    if (!last || flights.length < limit) return
    place = { date: last.date, id: last.id }
  }
}

async function readLog(db: Executor, userId: string | null, filter: FlightFilter): Promise<LogFlight[]> {
  const flights: LogFlight[] = []
  for await (const part of partsOf(db, userId, filter)) for (const flight of part) flights.push(flight)
  return runSteps(sortInSteps(flights, newestFirst))
}

/** Some flights at a time, by id; other requests are served in between. */
async function* partsOf(
  db: Executor,
  userId: string | null,
  filter: FlightFilter,
): AsyncGenerator<LogFlight[]> {
  const ids = await listFilteredIds(db, userId, filter)
  for (let start = 0; start < ids.length; start += FLIGHTS_AT_ONCE) {
    // Before the first ones too: sorting many ids takes a while.
    await setImmediate()
    yield await listLogFlights(db, ids.slice(start, start + FLIGHTS_AT_ONCE))
  }
}

const newestFirst = (a: LogFlight, b: LogFlight): number =>
  a.date === b.date ? b.id - a.id : a.date < b.date ? 1 : -1

function fold(rows: readonly LogRow[], flights: LogFlight[]): void {
  for (const row of rows) {
    let flight = flights.at(-1)
    if (flight?.id !== row.id) {
      flight = toLogFlight(row)
      flights.push(flight)
    }
    if (row.passengerId !== null) flight.passengers.push(toLogPassenger(row, row.passengerId))
  }
}

/** Copied and then filled in: V8 makes an object that grows by computed names five times as slowly. */
const blank = Object.fromEntries(logFields.map((name) => [name, null]))

function toLogFlight(row: LogRow): LogFlight {
  const flight: Record<string, unknown> = { ...blank }
  for (const name of logFields) flight[name] = row[name]
  flight['id'] = row.id
  flight['version'] = row.version
  flight['importId'] = row.importId
  flight['hasNote'] = row.hasNote === 1
  flight['hasTrack'] = row.hasTrack === 1
  flight['passengers'] = []
  return flight as unknown as LogFlight
}

const toLogPassenger = (row: LogRow, id: number): LogPassenger => ({ id, ...pick(row, passengerFieldNames) })
