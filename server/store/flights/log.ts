// The whole log of one person or of everyone, with the columns that maps, lists and statistics need; notes, custom
// values and track bodies are not read. A flight and its passengers always come from one statement. A long log is read
// in several statements, so that other requests are served in between.
import { setImmediate } from 'node:timers/promises'
import { type AliasableExpression, type InferResult, sql } from 'kysely'
import { runSteps } from '../../base/in-steps.ts'
import {
  type FlightFields,
  flightFieldNames,
  flightFields,
  type PassengerFields,
  passengerFieldNames,
  type TextField,
} from '../../domain/flights/fields.ts'
import { pick } from '../../domain/pick.ts'
import { sortInSteps } from '../../domain/steps.ts'
import { selectionOf } from '../engine/columns.ts'
import type { Executor } from '../engine/engine.ts'
import { type Builder, query, queryAny, queryByList } from '../engine/query.ts'
import { type FlightFilter, filteredQuery, type Wanted } from './filters.ts'
import { type PageRequest, type Position, pageOf, START } from './flights.ts'

/**
 * Texts can be long or private, so only these are read; a page that shows others reads the flight itself. Booking
 * references separate journeys and are searched.
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
    .leftJoin('track', 'track.flightId', 'flight.id')
    .leftJoin('flightPassenger as passenger', 'passenger.flightId', 'flight.id')
    .select([
      'flight.id',
      'flight.version',
      'flight.importId',
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

/** Per statement. Other requests wait for a statement; larger ones are hardly faster. */
const FLIGHTS_AT_ONCE = 256

const rowsOfFlights = queryByList((db, ids: number[]) =>
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

/** The same by id, in parts, for callers that do not need the whole log in memory. */
export const listLogInParts = (db: Executor, userId: string | null): AsyncGenerator<LogFlight[]> =>
  partsOf(db, userId, {})

/** The flights of a log that match all filters. */
export const listFilteredLog = (
  db: Executor,
  userId: string | null,
  filter: FlightFilter,
): Promise<LogFlight[]> => readLog(db, userId, filter)

/** The flights that a person logged themselves or kept; only these may be published. */
export const listKeptLog = (db: Executor, userId: string): Promise<LogFlight[]> =>
  readLog(db, userId, { isOwn: true })

/** How many flights a statement examines, however few of them match. */
const WINDOW = 1000
/** Other requests are served while PostgreSQL reads, so its windows may grow and a long log needs only a few statements. */
const LARGEST_WINDOW = { sqlite: WINDOW, postgres: 16 * WINDOW } as const

const END: Position = { date: '', id: 0 }

const placesOfUser = query((db, p: Position & { userId: string; offset: number }) => {
  const own = db
    .selectFrom('flightPassenger')
    .select(['flightDate as date', 'flightId as id'])
    .where('userId', '=', p.userId)
  return pageOf(own, 'flightDate', 'flightId', { date: p.date, id: p.id, limit: 1 }).offset(p.offset)
})
const placesOfAll = query((db, p: Position & { offset: number }) => {
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
  const [date, id] = ofUser ? ['mine.flightDate', 'mine.flightId'] : ['flight.date', 'flight.id']
  const place = sql`(${sql.ref(date!)}, ${sql.ref(id!)})`
  return rows
    .where(sql<boolean>`${place} < (${p.startDate}, ${p.startId})`)
    .where(sql<boolean>`${place} >= (${p.endDate}, ${p.endId})`)
}

/** Ordered like an index: ordered by id, every statement would sort the whole log. */
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

/** The ids of the matching flights, ascending. A flight whose date changes in the meantime may be missed. */
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
    .selectFrom('flightPassenger as onBoard')
    .select(sql<string>`on_board.user_id`.as('id'))
    .distinct()
    .where('onBoard.flightId', 'in', inWindow(rows, p, ofUser))
    .where('onBoard.userId', 'is not', null),
)

/** The users on the matching flights, one window at a time; a user may appear in several windows. */
export async function* listUsersInParts(
  db: Executor,
  userId: string | null,
  filter: FlightFilter,
): AsyncGenerator<string[]> {
  for await (const window of windowsOf(db, userId, filter))
    yield (await usersOn(db, userId, filter, window)).map(({ id }) => id)
}

/** Without duplicates. A typed array sorts a hundred thousand of them in 20 ms instead of 100. */
function ascending(ids: readonly number[]): number[] {
  const sorted = Float64Array.from(ids).sort()
  const distinct: number[] = []
  for (let i = 0; i < sorted.length; i++) if (sorted[i] !== sorted[i - 1]) distinct.push(sorted[i]!)
  return distinct
}
/** Whether a person may publish a flight: they logged or kept it, and it is not cancelled. */
export const isPublishable = queryAny((db, p: { userId: string; flightId: number }) =>
  db
    .selectFrom('flightPassenger as mine')
    .innerJoin('flight', 'flight.id', 'mine.flightId')
    .select('flight.id')
    .where('mine.userId', '=', p.userId)
    .where('mine.flightId', '=', p.flightId)
    .where('flight.outcome', '!=', 'cancelled')
    .where((eb) => eb.or([eb('mine.addedBy', 'is', null), eb('mine.keptAt', 'is not', null)])),
)

const newestOfUser = query((db, p: PageRequest & { userId: string }) => {
  const own = db.selectFrom('flightPassenger').select('flightId as id').where('userId', '=', p.userId)
  return logRows(db, pageOf(own, 'flightDate', 'flightId', p))
})
const newestOfAll = query((db, p: PageRequest) =>
  logRows(db, pageOf(db.selectFrom('flight').select('id'), 'date', 'id', p)),
)

/** The same as `listLog`, in parts. Pass a snapshot: otherwise a flight whose date is edited could appear twice or not at all. */
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

/** Reads flights by id in parts; other requests are served in between. */
async function* partsOf(
  db: Executor,
  userId: string | null,
  filter: FlightFilter,
): AsyncGenerator<LogFlight[]> {
  const ids = await listFilteredIds(db, userId, filter)
  for (let start = 0; start < ids.length; start += FLIGHTS_AT_ONCE) {
    // Before the first part too: sorting many ids takes a while.
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

/** Copied and then filled in: V8 is five times slower at building an object from computed names. */
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
