// Flights and who was on them. A flight and its passengers always come from one statement, so nobody sees the
// passengers of one version beside the fields of another.
import { type AliasableExpression, sql } from 'kysely'
import type { Standing } from '../domain/standing.ts'
import { fromJson, MAX_ID } from './codecs.ts'
import type { Executor } from './engine.ts'
import { type Builder, query, queryByList } from './query.ts'

/** Values of custom fields by the definition's id. */
export type StoredValues = Record<string, unknown>

export interface FlightFields {
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
  departureTerminal: string | null
  departureGate: string | null
  arrivalTerminal: string | null
  arrivalGate: string | null
  flightNumber: string | null
  aircraftReg: string | null
  note: string | null
  fromId: number | null
  toId: number | null
  airlineId: number | null
  aircraftId: number | null
}
export interface PassengerFields {
  userId: string | null
  guestName: string | null
  seat: string | null
  seatNumber: string | null
  seatClass: string | null
  flightReason: string | null
}
export interface StoredPassenger extends PassengerFields, Standing {
  id: number
  username: string | null
  displayName: string | null
  customFields: StoredValues
}
export interface TrackSummary {
  pointCount: number
  updatedAt: string
  sourceFormat: string
  sourceName: string | null
}
export interface StoredFlight extends FlightFields {
  id: number
  customFields: StoredValues
  createdAt: string
  updatedAt: string
  passengers: StoredPassenger[]
  track: TrackSummary | null
}

export const flightColumns = {
  date: 'date',
  datePrecision: 'date_precision',
  departure: 'departure',
  arrival: 'arrival',
  departureScheduled: 'departure_scheduled',
  arrivalScheduled: 'arrival_scheduled',
  takeoffScheduled: 'takeoff_scheduled',
  takeoffActual: 'takeoff_actual',
  landingScheduled: 'landing_scheduled',
  landingActual: 'landing_actual',
  duration: 'duration',
  departureTerminal: 'departure_terminal',
  departureGate: 'departure_gate',
  arrivalTerminal: 'arrival_terminal',
  arrivalGate: 'arrival_gate',
  flightNumber: 'flight_number',
  aircraftReg: 'aircraft_reg',
  note: 'note',
  fromId: 'from_id',
  toId: 'to_id',
  airlineId: 'airline_id',
  aircraftId: 'aircraft_id',
} as const satisfies Record<keyof FlightFields, string>

export const passengerColumns = {
  userId: 'user_id',
  guestName: 'guest_name',
  seat: 'seat',
  seatNumber: 'seat_number',
  seatClass: 'seat_class',
  flightReason: 'flight_reason',
} as const satisfies Record<keyof PassengerFields, string>

export const fieldNames = Object.keys(flightColumns) as (keyof FlightFields)[]

// Reading: one row per passenger, the flight's columns repeated, folded back together below.

export interface JoinedRow extends FlightFields {
  id: number
  customFields: string | null
  createdAt: string
  updatedAt: string
  pointCount: number | null
  trackUpdatedAt: string | null
  sourceFormat: string | null
  sourceName: string | null
  passengerId: number | null
  userId: string | null
  guestName: string | null
  seat: string | null
  seatNumber: string | null
  seatClass: string | null
  flightReason: string | null
  passengerValues: string | null
  addedBy: string | null
  keptAt: string | null
  username: string | null
  displayName: string | null
}

const joinedColumns = [
  ...fieldNames.map((name) => sql.ref(`flight.${flightColumns[name]}`).as(name)),
  sql.ref('flight.id').as('id'),
  sql.ref('flight.custom_fields').as('customFields'),
  sql.ref('flight.created_at').as('createdAt'),
  sql.ref('flight.updated_at').as('updatedAt'),
  sql.ref('track.point_count').as('pointCount'),
  sql.ref('track.updated_at').as('trackUpdatedAt'),
  sql.ref('track.source_format').as('sourceFormat'),
  sql.ref('track.source_name').as('sourceName'),
  sql.ref('passenger.id').as('passengerId'),
  ...Object.entries(passengerColumns).map(([name, column]) => sql.ref(`passenger.${column}`).as(name)),
  sql.ref('passenger.custom_fields').as('passengerValues'),
  sql.ref('passenger.added_by').as('addedBy'),
  sql.ref('passenger.kept_at').as('keptAt'),
  sql.ref('person.username').as('username'),
  sql.ref('person.display_name').as('displayName'),
]

/** Joins everything a flight shows onto a sub-query of flight ids, in the order of every list. */
export const joined = (db: Builder, page: AliasableExpression<{ id: number }>) =>
  db
    .selectFrom(page.as('page'))
    .innerJoin('flight', 'flight.id', 'page.id')
    .leftJoin('track', 'track.flight_id', 'flight.id')
    .leftJoin('flight_passenger as passenger', 'passenger.flight_id', 'flight.id')
    .leftJoin('person', 'person.id', 'passenger.user_id')
    .select(joinedColumns)
    .orderBy('flight.date', 'desc')
    .orderBy('flight.id', 'desc')
    .orderBy('passenger.id')
    .$castTo<JoinedRow>()

/** Rows come ordered by flight, so each flight's rows stand together. */
export function foldRows(rows: readonly JoinedRow[]): StoredFlight[] {
  const flights: StoredFlight[] = []
  for (const row of rows) {
    let flight = flights.at(-1)
    if (flight?.id !== row.id) {
      flight = toFlight(row)
      flights.push(flight)
    }
    if (row.passengerId !== null) flight.passengers.push(toPassenger(row))
  }
  return flights
}

const noValues: StoredValues = Object.freeze({})
const values = (json: string | null): StoredValues =>
  json === null ? noValues : fromJson<StoredValues>(json)

function toFlight(row: JoinedRow): StoredFlight {
  return {
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
    departureTerminal: row.departureTerminal,
    departureGate: row.departureGate,
    arrivalTerminal: row.arrivalTerminal,
    arrivalGate: row.arrivalGate,
    flightNumber: row.flightNumber,
    aircraftReg: row.aircraftReg,
    note: row.note,
    fromId: row.fromId,
    toId: row.toId,
    airlineId: row.airlineId,
    aircraftId: row.aircraftId,
    customFields: values(row.customFields),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    passengers: [],
    track:
      row.pointCount === null
        ? null
        : {
            pointCount: row.pointCount,
            updatedAt: row.trackUpdatedAt!,
            sourceFormat: row.sourceFormat!,
            sourceName: row.sourceName,
          },
  }
}

const toPassenger = (row: JoinedRow): StoredPassenger => ({
  id: row.passengerId!,
  userId: row.userId,
  guestName: row.guestName,
  seat: row.seat,
  seatNumber: row.seatNumber,
  seatClass: row.seatClass,
  flightReason: row.flightReason,
  username: row.username,
  displayName: row.displayName,
  customFields: values(row.passengerValues),
  addedBy: row.addedBy,
  keptAt: row.keptAt,
})

/** A place in the list "date descending, then id descending": rows strictly after it come next. */
export interface Position {
  date: string
  id: number
}
/** Before every possible row: letters sort after digits. */
export const START: Position = { date: 'start', id: MAX_ID }

interface PageRequest extends Position {
  limit: number
}

export const after = (dateColumn: string, idColumn: string, p: Position) =>
  sql<boolean>`(${sql.ref(dateColumn)}, ${sql.ref(idColumn)}) < (${p.date}, ${p.id})`

const pageOfUser = query<PageRequest & { userId: string }, JoinedRow>((db, p) =>
  joined(
    db,
    db
      .selectFrom('flight_passenger')
      .select('flight_id as id')
      .where('user_id', '=', p.userId)
      .where(after('flight_date', 'flight_id', p))
      .orderBy('flight_date', 'desc')
      .orderBy('flight_id', 'desc')
      .limit(p.limit),
  ),
)
const pageOfAll = query<PageRequest, JoinedRow>((db, p) =>
  joined(
    db,
    db
      .selectFrom('flight')
      .select('id')
      .where(after('date', 'id', p))
      .orderBy('date', 'desc')
      .orderBy('id', 'desc')
      .limit(p.limit),
  ),
)

/** Flights of one person, or of everybody when `userId` is null, after a position, newest first. */
export async function listFlights(
  db: Executor,
  userId: string | null,
  position: Position,
  limit: number,
): Promise<StoredFlight[]> {
  const request = { ...position, limit }
  return foldRows(
    userId === null ? await pageOfAll(db, request) : await pageOfUser(db, { ...request, userId }),
  )
}

interface Name {
  id: string
  displayName: string
  username: string
}
const companionsOf = query<{ userId: string }, Name>((db, p) =>
  db
    .selectFrom('person')
    .select(['person.id', 'person.display_name as displayName', 'person.username'])
    .where('person.id', 'in', (eb) =>
      eb
        .selectFrom('flight_passenger as own')
        .innerJoin('flight_passenger as fellow', 'fellow.flight_id', 'own.flight_id')
        .select(sql<string>`fellow.user_id`.as('id'))
        .where('own.user_id', '=', p.userId)
        .where('fellow.user_id', 'is not', null),
    )
    .orderBy('person.username_folded'),
)
const everyCompanion = query<object, Name>((db) =>
  db
    .selectFrom('person')
    .select(['person.id', 'person.display_name as displayName', 'person.username'])
    .where('person.id', 'in', (eb) =>
      eb
        .selectFrom('flight_passenger')
        .select(sql<string>`user_id`.as('id'))
        .where('user_id', 'is not', null),
    )
    .orderBy('person.username_folded'),
)
/** Everybody who is on a flight of this person, or on any flight when `userId` is null. */
export const listPassengersOf = (db: Executor, userId: string | null): Promise<Name[]> =>
  userId === null ? everyCompanion(db, {}) : companionsOf(db, { userId })

const flightById = query<{ id: number }, JoinedRow>((db, p) =>
  joined(db, db.selectFrom('flight').select('id').where('id', '=', p.id)),
)
export const findFlight = async (db: Executor, id: number): Promise<StoredFlight | undefined> =>
  foldRows(await flightById(db, { id }))[0]

const idsOfUser = query<{ userId: string }, { id: number }>((db, p) =>
  db
    .selectFrom('flight_passenger')
    .select('flight_id as id')
    .where('user_id', '=', p.userId)
    .orderBy('flight_date', 'desc')
    .orderBy('flight_id', 'desc'),
)
const idsOfAll = query<object, { id: number }>((db) =>
  db.selectFrom('flight').select('id').orderBy('date', 'desc').orderBy('id', 'desc'),
)
/** Which flights a person, or everybody when `userId` is null, has at one moment, newest first. */
export const listFlightIds = async (db: Executor, userId: string | null): Promise<number[]> =>
  (userId === null ? await idsOfAll(db, {}) : await idsOfUser(db, { userId })).map((row) => row.id)

const flightsByIds = queryByList<number, JoinedRow>((db, ids) =>
  joined(db, db.selectFrom('flight').select('id').where('id', 'in', ids)),
)
/** Those that exist, newest first; at most as many ids as one statement takes, so that all are of one moment. */
export const findFlights = async (db: Executor, ids: readonly number[]): Promise<StoredFlight[]> =>
  foldRows(await flightsByIds(db, ids))
