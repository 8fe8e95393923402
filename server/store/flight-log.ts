// The whole log of a person, or of everybody, in the few columns that maps, lists and statistics need; notes, custom
// values and track bodies stay where they are. A flight and its passengers always come from one statement, and a long
// log from several, so that it does not keep everybody else waiting.
import { setImmediate } from 'node:timers/promises'
import { type AliasableExpression, sql } from 'kysely'
import type { Executor } from './engine.ts'
import { type Builder, query } from './query.ts'

export interface LogPassenger {
  id: number
  userId: string | null
  guestName: string | null
  seat: string | null
  seatNumber: string | null
  seatClass: string | null
  flightReason: string | null
}

interface LogColumns {
  id: number
  date: string
  datePrecision: 'day' | 'month' | 'year'
  departure: string | null
  arrival: string | null
  departureScheduled: string | null
  arrivalScheduled: string | null
  takeoffScheduled: string | null
  takeoffActual: string | null
  landingScheduled: string | null
  landingActual: string | null
  duration: number | null
  flightNumber: string | null
  aircraftReg: string | null
  fromId: number | null
  toId: number | null
  airlineId: number | null
  aircraftId: number | null
}

export interface LogFlight extends LogColumns {
  hasNote: boolean
  hasTrack: boolean
  passengers: LogPassenger[]
}

interface LogRow extends LogColumns, Omit<LogPassenger, 'id'> {
  hasNote: number
  hasTrack: number
  passengerId: number | null
}

const logRows = (db: Builder, ids: AliasableExpression<{ id: number }>) =>
  db
    .selectFrom(ids.as('wanted'))
    .innerJoin('flight', 'flight.id', 'wanted.id')
    .leftJoin('track', 'track.flight_id', 'flight.id')
    .leftJoin('flight_passenger as passenger', 'passenger.flight_id', 'flight.id')
    .select([
      'flight.id',
      'flight.date',
      'flight.date_precision as datePrecision',
      'flight.departure',
      'flight.arrival',
      'flight.departure_scheduled as departureScheduled',
      'flight.arrival_scheduled as arrivalScheduled',
      'flight.takeoff_scheduled as takeoffScheduled',
      'flight.takeoff_actual as takeoffActual',
      'flight.landing_scheduled as landingScheduled',
      'flight.landing_actual as landingActual',
      'flight.duration',
      'flight.flight_number as flightNumber',
      'flight.aircraft_reg as aircraftReg',
      'flight.from_id as fromId',
      'flight.to_id as toId',
      'flight.airline_id as airlineId',
      'flight.aircraft_id as aircraftId',
      sql<number>`case when coalesce(flight.note, '') = '' then 0 else 1 end`.as('hasNote'),
      sql<number>`case when track.flight_id is null then 0 else 1 end`.as('hasTrack'),
      'passenger.id as passengerId',
      'passenger.user_id as userId',
      'passenger.guest_name as guestName',
      'passenger.seat',
      'passenger.seat_number as seatNumber',
      'passenger.seat_class as seatClass',
      'passenger.flight_reason as flightReason',
    ])
    .orderBy('flight.id')
    .orderBy('passenger.id')
    .$castTo<LogRow>()

const FLIGHTS_AT_ONCE = 5000

/** By id, which never changes: whatever is edited meanwhile, each flight that was there throughout comes once. */
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

/** Every flight of one person, or of everybody when `userId` is null, newest first. */
export const listLog = (db: Executor, userId: string | null): Promise<LogFlight[]> =>
  readLog((part) => (userId === null ? rowsOfAll(db, part) : rowsOfUser(db, { ...part, userId })))

/** The part of a person's log that they logged themselves or kept: what they publish. */
export const listKeptLog = (db: Executor, userId: string): Promise<LogFlight[]> =>
  readLog((part) => rowsKeptByUser(db, { ...part, userId }))

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
  date: row.date,
  datePrecision: row.datePrecision,
  departure: row.departure,
  arrival: row.arrival,
  departureScheduled: row.departureScheduled,
  arrivalScheduled: row.arrivalScheduled,
  takeoffScheduled: row.takeoffScheduled,
  takeoffActual: row.takeoffActual,
  landingScheduled: row.landingScheduled,
  landingActual: row.landingActual,
  duration: row.duration,
  flightNumber: row.flightNumber,
  aircraftReg: row.aircraftReg,
  fromId: row.fromId,
  toId: row.toId,
  airlineId: row.airlineId,
  aircraftId: row.aircraftId,
  hasNote: row.hasNote === 1,
  hasTrack: row.hasTrack === 1,
  passengers: [],
})

const toLogPassenger = (row: LogRow, id: number): LogPassenger => ({
  id,
  userId: row.userId,
  guestName: row.guestName,
  seat: row.seat,
  seatNumber: row.seatNumber,
  seatClass: row.seatClass,
  flightReason: row.flightReason,
})
