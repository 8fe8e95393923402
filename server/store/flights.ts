// Flights and who was on them. A flight and its passengers always come from one statement, so nobody sees the
// passengers of one version beside the fields of another.
import { type AliasableExpression, sql } from 'kysely'
import { fromJson, toJsonOrNull } from './codecs.ts'
import { locksRows } from './dialect.ts'
import type { Executor } from './engine.ts'
import { type Builder, first, query, queryByList } from './query.ts'
import { ALL_FLIGHTS, bumpRevisions, flightsOf } from './revisions.ts'

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
export interface StoredPassenger extends PassengerFields {
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

const flightColumns = {
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

const passengerColumns = {
  userId: 'user_id',
  guestName: 'guest_name',
  seat: 'seat',
  seatNumber: 'seat_number',
  seatClass: 'seat_class',
  flightReason: 'flight_reason',
} as const satisfies Record<keyof PassengerFields, string>

const fieldNames = Object.keys(flightColumns) as (keyof FlightFields)[]

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
})

/** A place in the list "date descending, then id descending": rows strictly after it come next. */
export interface Position {
  date: string
  id: number
}
/** Before every possible row: letters sort after digits. */
export const START: Position = { date: 'start', id: 2_147_483_647 }

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

// Writing

type FlightWrite = FlightFields & { customFields: string | null; now: string }

const flightValues = (p: FlightFields & { customFields: string | null }) =>
  Object.fromEntries([
    ...fieldNames.map((name) => [flightColumns[name], p[name]]),
    ['custom_fields', p.customFields],
  ])

const insertRow = query<FlightWrite, { id: number }>((db, p) =>
  db
    .insertInto('flight')
    .values({ ...flightValues(p), created_at: p.now, updated_at: p.now } as never)
    .returning('id'),
)
export async function insertFlight(
  tx: Executor,
  flight: FlightFields,
  customFields: StoredValues,
  now: string,
): Promise<number> {
  const rows = await insertRow(tx, { ...flight, customFields: toJsonOrNull(customFields), now })
  return rows[0]!.id
}

const updateRow = query<FlightWrite & { id: number }, { id: number }>((db, p) =>
  db
    .updateTable('flight')
    .set({ ...flightValues(p), updated_at: p.now } as never)
    .where('id', '=', p.id)
    .returning('id'),
)
const copyDate = query<{ id: number; date: string }, { id: number }>((db, p) =>
  db
    .updateTable('flight_passenger')
    .set({ flight_date: p.date })
    .where('flight_id', '=', p.id)
    .returning('id'),
)
export async function updateFlight(
  tx: Executor,
  id: number,
  flight: FlightFields,
  customFields: StoredValues,
  now: string,
): Promise<void> {
  await updateRow(tx, { ...flight, id, customFields: toJsonOrNull(customFields), now })
  await copyDate(tx, { id, date: flight.date })
}

const lockRow = query<{ id: number }, { id: number }>((db, p) =>
  db.updateTable('flight').set({ updated_at: sql`updated_at` }).where('id', '=', p.id).returning('id'),
)
/** Keeps others from changing the flight until the transaction ends. False if there is none. */
export const lockFlight = async (tx: Executor, id: number): Promise<boolean> =>
  (await lockRow(tx, { id })).length > 0

const touchRow = query<{ id: number; now: string }, { id: number }>((db, p) =>
  db.updateTable('flight').set({ updated_at: p.now }).where('id', '=', p.id).returning('id'),
)
export const touchFlight = (tx: Executor, id: number, now: string) => touchRow(tx, { id, now })

const deleteRow = query<{ id: number }, { id: number }>((db, p) =>
  db.deleteFrom('flight').where('id', '=', p.id).returning('id'),
)
export const deleteFlight = (tx: Executor, id: number) => deleteRow(tx, { id })

type PassengerWrite = PassengerFields & { customFields: string | null }
const passengerValues = (p: PassengerWrite) =>
  Object.fromEntries([
    ...Object.entries(passengerColumns).map(([name, column]) => [column, p[name as keyof PassengerFields]]),
    ['custom_fields', p.customFields],
  ])

const insertPassengerRow = query<PassengerWrite & { flightId: number; date: string }, { id: number }>(
  (db, p) =>
    db
      .insertInto('flight_passenger')
      .values({ ...passengerValues(p), flight_id: p.flightId, flight_date: p.date } as never)
      .returning('id'),
)
export const insertPassenger = (
  tx: Executor,
  flight: { id: number; date: string },
  passenger: PassengerFields,
  customFields: StoredValues,
) =>
  insertPassengerRow(tx, {
    ...passenger,
    customFields: toJsonOrNull(customFields),
    flightId: flight.id,
    date: flight.date,
  })

const updatePassengerRow = query<PassengerWrite & { id: number }, { id: number }>((db, p) =>
  db
    .updateTable('flight_passenger')
    .set(passengerValues(p) as never)
    .where('id', '=', p.id)
    .returning('id'),
)
export const updatePassenger = (
  tx: Executor,
  id: number,
  passenger: PassengerFields,
  customFields: StoredValues,
) => updatePassengerRow(tx, { ...passenger, id, customFields: toJsonOrNull(customFields) })

const setAside = query<{ id: number; guestName: string }, { id: number }>((db, p) =>
  db
    .updateTable('flight_passenger')
    .set({ user_id: null, guest_name: p.guestName })
    .where('id', '=', p.id)
    .returning('id'),
)
/** Gives a passenger a name nobody can have, until `updatePassenger` gives the real one. */
export const setPassengerAside = (tx: Executor, id: number) => setAside(tx, { id, guestName: `\u0001${id}` })

const deletePassengerRow = query<{ id: number }, { id: number }>((db, p) =>
  db.deleteFrom('flight_passenger').where('id', '=', p.id).returning('id'),
)
export const deletePassenger = (tx: Executor, id: number) => deletePassengerRow(tx, { id })

const isOn = query<{ flightId: number; userId: string }, { id: number; isOn: number }>((db, p) =>
  db
    .selectFrom('flight')
    .leftJoin('flight_passenger', (join) =>
      join
        .onRef('flight_passenger.flight_id', '=', 'flight.id')
        .on('flight_passenger.user_id', '=', p.userId),
    )
    .select('flight.id')
    .select((eb) => eb.case().when('flight_passenger.id', 'is', null).then(0).else(1).end().as('isOn'))
    .where('flight.id', '=', p.flightId),
)
/** Whether a person is on a flight; undefined if there is no such flight. */
export async function isPassenger(
  db: Executor,
  flightId: number,
  userId: string,
): Promise<boolean | undefined> {
  const row = await first(isOn(db, { flightId, userId }))
  return row && row.isOn === 1
}

const lockOf = query<{ userId: string }, { id: number }>((db, p, engine) =>
  db
    .selectFrom('flight')
    .select('id')
    .where('id', 'in', (eb) =>
      eb.selectFrom('flight_passenger').select('flight_id').where('user_id', '=', p.userId),
    )
    .orderBy('id')
    .$if(locksRows(engine), (flights) => flights.forUpdate()),
)
/** Ids of all flights a person is on, which nobody else changes until the transaction ends. */
export const lockFlightsOf = async (tx: Executor, userId: string): Promise<number[]> =>
  (await lockOf(tx, { userId })).map((row) => row.id)

const deleteEmptyRows = queryByList<number, { id: number }>((db, ids) =>
  db
    .deleteFrom('flight')
    .where('id', 'in', ids)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('flight_passenger')
            .select('flight_passenger.id')
            .whereRef('flight_passenger.flight_id', '=', 'flight.id'),
        ),
      ),
    )
    .returning('id'),
)
/** Of these flights, deletes those that have no passenger at all; one with a guest on it stays. */
export const deleteEmptyFlights = (tx: Executor, ids: readonly number[]) => deleteEmptyRows(tx, ids)

const usersByFlights = queryByList<number, { userId: string | null }>((db, ids) =>
  db
    .selectFrom('flight_passenger')
    .select('user_id as userId')
    .where('flight_id', 'in', ids)
    .where('user_id', 'is not', null),
)
/** Raises the counters of everyone on these flights and of the whole log; before a delete and after a change. */
export async function noteFlightsChanged(
  tx: Executor,
  flightIds: readonly number[],
  alsoUsers: Iterable<string> = [],
): Promise<void> {
  const users = new Set(alsoUsers)
  for (const row of await usersByFlights(tx, flightIds)) if (row.userId) users.add(row.userId)
  await bumpRevisions(tx, [ALL_FLIGHTS, ...[...users].map(flightsOf)])
}
