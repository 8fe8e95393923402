// The whole log of a person, or of all people, in the columns that maps, lists and statistics need; notes, custom
// values and track bodies are not read. A flight and its passengers always come from one statement, and a long
// log from several, so that other requests are served in between.
import { setImmediate } from 'node:timers/promises'
import { type AliasableExpression, type InferResult, sql } from 'kysely'
import {
  type FlightFields,
  flightFieldNames,
  flightFields,
  type PassengerFields,
  passengerFieldNames,
  pick,
  type TextField,
} from '../domain/flight-fields.ts'
import { selectionOf } from './columns.ts'
import type { Executor } from './engine.ts'
import { type FlightFilter, filteredQuery } from './flight-filters.ts'
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

const FLIGHTS_AT_ONCE = 5000

/** Paged by id, which never changes: each flight that exists throughout is read exactly once, even if it is edited. */
interface Part {
  after: number
  limit: number
}
const rowsOfUser = query<Part & { userId: string }, LogRow>((db, p) =>
  logRows(
    db,
    db
      .selectFrom('flight_passenger')
      .select('flight_id as id')
      .where('user_id', '=', p.userId)
      .where('flight_id', '>', p.after)
      .orderBy('flight_id')
      .limit(p.limit),
  ),
)
/** Without the flights that another person added this one to and that they have not kept. */
const rowsKeptByUser = query<Part & { userId: string }, LogRow>((db, p) =>
  logRows(
    db,
    db
      .selectFrom('flight_passenger')
      .select('flight_id as id')
      .where('user_id', '=', p.userId)
      .where('flight_id', '>', p.after)
      .where((eb) => eb.or([eb('added_by', 'is', null), eb('kept_at', 'is not', null)]))
      .orderBy('flight_id')
      .limit(p.limit),
  ),
)
const rowsOfAll = query<Part, LogRow>((db, p) =>
  logRows(db, db.selectFrom('flight').select('id').where('id', '>', p.after).orderBy('id').limit(p.limit)),
)

const rowsOfFlights = queryByList<number, LogRow>((db, ids) =>
  logRows(db, db.selectFrom('flight').select('id').where('id', 'in', ids)),
)

/** Those of these flights that exist. */
export async function listLogFlights(db: Executor, ids: readonly number[]): Promise<LogFlight[]> {
  const flights: LogFlight[] = []
  fold(await rowsOfFlights(db, ids), flights)
  return flights
}

const rowsPassing = filteredQuery<Part, LogRow>('log', (db, rows, p) =>
  logRows(db, rows.where('flight.id', '>', p.after).orderBy('flight.id').limit(p.limit)),
)

/** Every flight of one person, or of all people when `userId` is null, newest first. */
export const listLog = (db: Executor, userId: string | null): Promise<LogFlight[]> =>
  readLog((part) => (userId === null ? rowsOfAll(db, part) : rowsOfUser(db, { ...part, userId })))

/** Those of them that pass every filter. */
export const listFilteredLog = (
  db: Executor,
  userId: string | null,
  filter: FlightFilter,
): Promise<LogFlight[]> => readLog((part) => rowsPassing(db, userId, filter, part))

/** The flights that a person logged themselves or kept; only these may be published. */
export const listKeptLog = (db: Executor, userId: string): Promise<LogFlight[]> =>
  readLog((part) => rowsKeptByUser(db, { ...part, userId }))

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

async function readLog(read: (part: Part) => Promise<LogRow[]>): Promise<LogFlight[]> {
  const flights: LogFlight[] = []
  for (;;) {
    const part = { after: flights.at(-1)?.id ?? 0, limit: FLIGHTS_AT_ONCE }
    const before = flights.length
    fold(await read(part), flights)
    if (flights.length - before < FLIGHTS_AT_ONCE) break
    await setImmediate()
  }
  return flights.sort((a, b) => (a.date === b.date ? b.id - a.id : a.date < b.date ? 1 : -1))
}

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

const toLogFlight = (row: LogRow): LogFlight => ({
  id: row.id,
  version: row.version,
  importId: row.importId,
  ...pick(row, logFields),
  hasNote: row.hasNote === 1,
  hasTrack: row.hasTrack === 1,
  passengers: [],
})

const toLogPassenger = (row: LogRow, id: number): LogPassenger => ({ id, ...pick(row, passengerFieldNames) })
