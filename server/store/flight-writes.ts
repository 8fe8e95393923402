// Writes flights and their passengers. Every change is then recorded once (store/changes.ts).
import { sql } from 'kysely'
import {
  type FlightColumns,
  type FlightFields,
  flightColumnNames,
  type PassengerFields,
  passengerFieldNames,
  toFlightColumns,
} from '../domain/flight-fields.ts'
import { byRight, type PersonOnFlight, type Standing } from '../domain/standing.ts'
import { insertNew, updateMany, upsertMany } from './bulk.ts'
import { externalIdsForTombstones, type FlightChange, type KeptEdit, recordFlightChanges } from './changes.ts'
import { toJsonOrNull } from './codecs.ts'
import { columnOf, toColumns } from './columns.ts'
import { locksRows } from './dialect.ts'
import type { Executor } from './engine.ts'
import { freeExternalIds } from './external-ids.ts'
import type { StoredValues } from './flights.ts'
import type { Author } from './history-rows.ts'
import { first, query, queryByList } from './query.ts'
import { flightsOf, incrementRevisions } from './revisions.ts'

type FlightWrite = FlightColumns & { customFields: string | null; seenRecords: string | null; now: string }

const flightValues = (p: FlightWrite) => ({
  ...toColumns<FlightColumns>(p, flightColumnNames),
  custom_fields: p.customFields,
  seen_records: p.seenRecords,
  updated_at: p.now,
})

/** The values of a flight as a row. */
export const flightRow = (
  flight: FlightFields,
  customFields: StoredValues,
  now: string,
  seenRecords: string | null,
) => flightValues({ ...toFlightColumns(flight), customFields: toJsonOrNull(customFields), seenRecords, now })

const insertRow = query<FlightWrite, { id: number }>((db, p) =>
  db
    .insertInto('flight')
    .values({ ...flightValues(p), created_at: p.now })
    .returning('id'),
)
export async function insertFlight(
  tx: Executor,
  flight: FlightFields,
  customFields: StoredValues,
  now: string,
  seenRecords: string | null = null,
): Promise<number> {
  const values = { ...toFlightColumns(flight), customFields: toJsonOrNull(customFields), seenRecords, now }
  const rows = await insertRow(tx, values)
  return rows[0]!.id
}

/** Many at once, by an import or not; returns their ids in the same order. */
export async function insertFlights(
  tx: Executor,
  flights: readonly (FlightFields & { customFields: StoredValues })[],
  now: string,
  seenRecords: string | null,
  importId: number | null = null,
): Promise<number[]> {
  const [only, ...others] = flights
  if (only && others.length === 0 && importId === null)
    return [await insertFlight(tx, only, only.customFields, now, seenRecords)]
  const rows = flights.map((flight) => ({
    ...flightRow(flight, flight.customFields, now, seenRecords),
    created_at: now,
    import_id: importId,
    id: 0,
  }))
  return insertNew(tx, 'flight', rows)
}

const updateRow = query<FlightWrite & { id: number }, { version: number }>((db, p) =>
  db
    .updateTable('flight')
    .set({ ...flightValues(p), version: sql<number>`version + 1` })
    .where('id', '=', p.id)
    .returning('version'),
)
const copyDate = query<{ id: number; date: string }, { id: number }>((db, p) =>
  db
    .updateTable('flight_passenger')
    .set({ flight_date: p.date })
    .where('flight_id', '=', p.id)
    .returning('id'),
)
/** Returns the new version. */
export async function updateFlight(
  tx: Executor,
  id: number,
  flight: FlightFields,
  customFields: StoredValues,
  now: string,
  seenRecords: string | null,
): Promise<number> {
  const columns = toFlightColumns(flight)
  const values = { ...columns, id, customFields: toJsonOrNull(customFields), seenRecords, now }
  const rows = await updateRow(tx, values)
  await copyDate(tx, { id, date: flight.date })
  return rows[0]!.version
}

/** A flight that the caller has locked, with the version that it gets. */
type LockedWrite = FlightFields & { id: number; customFields: StoredValues; version: number }

/** Many at once. */
export async function updateLockedFlights(
  tx: Executor,
  flights: readonly LockedWrite[],
  now: string,
  seenRecords: string | null,
): Promise<void> {
  const rows = flights.map((flight) => ({
    ...flightRow(flight, flight.customFields, now, seenRecords),
    version: flight.version,
    id: flight.id,
  }))
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first).filter((name) => name !== 'id')
  await updateMany(tx, 'flight', columns, ['id'], rows)
  await copyDates(tx, flights)
}

const datesOfPassengers = queryByList<number, { id: number; flightId: number; date: string }>((db, ids) =>
  db
    .selectFrom('flight_passenger')
    .select(['id', 'flight_id as flightId', 'flight_date as date'])
    .where('flight_id', 'in', ids),
)
/** To their passengers, by whose copy a log is read. Few flights of many move. */
async function copyDates(tx: Executor, flights: readonly LockedWrite[]): Promise<void> {
  const dates = new Map(flights.map(({ id, date }) => [id, date]))
  const moved = (await datesOfPassengers(tx, [...dates.keys()])).flatMap(({ id, flightId, date }) =>
    dates.get(flightId) === date ? [] : { id, flight_date: dates.get(flightId)! },
  )
  await updateMany(tx, 'flight_passenger', ['flight_date'], ['id'], moved)
}

/** What a passenger has of a flight, beside who it is. */
export type PassengerSeat = Pick<PassengerFields, (typeof seatFields)[number]> & { id: number }
export const seatFields = ['seat', 'seatNumber', 'seatClass', 'flightReason'] as const

/** Many at once. */
export const updateSeats = (tx: Executor, passengers: readonly PassengerSeat[]): Promise<void> =>
  updateMany(
    tx,
    'flight_passenger',
    seatFields.map(columnOf),
    ['id'],
    passengers.map((passenger) => ({ ...toColumns(passenger, seatFields), id: passenger.id })),
  )

const lockRow = query<{ id: number }, { version: number }>((db, p) =>
  db.updateTable('flight').set({ updated_at: sql`updated_at` }).where('id', '=', p.id).returning('version'),
)
/** Locks the flight against changes until the transaction ends and returns its version; undefined if there is none. */
export const lockFlight = async (tx: Executor, id: number): Promise<number | undefined> =>
  (await first(lockRow(tx, { id })))?.version

const lockRows = queryByList<number, { id: number }>((db, ids, _p, engine) =>
  db
    .selectFrom('flight')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .$if(locksRows(engine), (flights) => flights.forUpdate()),
)
/** Locks many, always in the order of their ids, so that two transactions cannot wait for each other. */
export async function lockFlights(tx: Executor, ids: readonly number[]): Promise<void> {
  await lockRows(
    tx,
    [...new Set(ids)].sort((a, b) => a - b),
  )
}

const deleteRows = queryByList<number, { id: number }>((db, ids) =>
  db.deleteFrom('flight').where('id', 'in', ids).returning('id'),
)
/** Permanently, with all that belongs to them. The Delete action of the API is `moveToBin`. */
export const eraseFlights = (tx: Executor, ids: readonly number[]) => deleteRows(tx, ids)

type PassengerWrite = PassengerFields & Standing & { customFields: string | null }
const passengerValues = (p: PassengerWrite) => ({
  ...toColumns<PassengerFields>(p, passengerFieldNames),
  custom_fields: p.customFields,
  added_by: p.addedBy,
  kept_at: p.keptAt,
})

/** The values of a passenger as a row. */
export const passengerRow = (passenger: PassengerFields & Standing, customFields: StoredValues) =>
  passengerValues({ ...passenger, customFields: toJsonOrNull(customFields) })

const insertPassengerRow = query<PassengerWrite & { flightId: number; date: string }, { id: number }>(
  (db, p) =>
    db
      .insertInto('flight_passenger')
      .values({ ...passengerValues(p), flight_id: p.flightId, flight_date: p.date })
      .returning('id'),
)
export const insertPassenger = (
  tx: Executor,
  flight: { id: number; date: string },
  passenger: PassengerFields,
  customFields: StoredValues,
  { addedBy, keptAt }: Standing = byRight,
) =>
  insertPassengerRow(tx, {
    ...passenger,
    addedBy,
    keptAt,
    customFields: toJsonOrNull(customFields),
    flightId: flight.id,
    date: flight.date,
  })

/** Puts a passenger back who was on the flight before, under the same id. */
export const insertKeptPassenger = (
  tx: Executor,
  flight: { id: number; date: string },
  passenger: PassengerFields & Standing & { id: number; customFields: StoredValues },
): Promise<void> => {
  const row = {
    ...passengerRow(passenger, passenger.customFields),
    id: passenger.id,
    flight_id: flight.id,
    flight_date: flight.date,
  }
  return upsertMany(tx, 'flight_passenger', Object.keys(row), [], [row])
}

type NewPassenger = PassengerFields &
  Standing & { customFields: StoredValues; flightId: number; date: string }

/** Many at once, of any flights. */
export async function insertPassengers(tx: Executor, passengers: readonly NewPassenger[]): Promise<void> {
  const writes = passengers.map((passenger) => ({
    ...passenger,
    customFields: toJsonOrNull(passenger.customFields),
  }))
  const [only, ...others] = writes
  if (!only) return
  if (others.length === 0) return void (await insertPassengerRow(tx, only))
  const rows = writes.map((write) => ({
    ...passengerValues(write),
    flight_id: write.flightId,
    flight_date: write.date,
  }))
  await upsertMany(tx, 'flight_passenger', Object.keys(rows[0]!), [], rows)
}

const updatePassengerRow = query<PassengerWrite & { id: number }, { id: number }>((db, p) =>
  db.updateTable('flight_passenger').set(passengerValues(p)).where('id', '=', p.id).returning('id'),
)
export const updatePassenger = (
  tx: Executor,
  id: number,
  passenger: PassengerFields,
  customFields: StoredValues,
  { addedBy, keptAt }: Standing,
) => updatePassengerRow(tx, { ...passenger, id, customFields: toJsonOrNull(customFields), addedBy, keptAt })

const setAside = query<{ id: number; guestName: string }, { id: number }>((db, p) =>
  db
    .updateTable('flight_passenger')
    .set({ user_id: null, guest_name: p.guestName })
    .where('id', '=', p.id)
    .returning('id'),
)
/** Gives a passenger a name that no passenger can have, until `updatePassenger` sets the real one. */
export const setPassengerAside = (tx: Executor, id: number) => setAside(tx, { id, guestName: `\u0001${id}` })

const deletePassengerRow = query<{ id: number }, { id: number }>((db, p) =>
  db.deleteFrom('flight_passenger').where('id', '=', p.id).returning('id'),
)
export const deletePassenger = (tx: Executor, id: number) => deletePassengerRow(tx, { id })

const deleteRowsOf = queryByList<number, { id: number }, { userId: string }>((db, ids, p) =>
  db
    .deleteFrom('flight_passenger')
    .where('user_id', '=', p.userId)
    .where('flight_id', 'in', ids)
    .returning('id'),
)
/** Takes a person off these flights. */
export const deleteFromFlights = (tx: Executor, flightIds: readonly number[], userId: string) =>
  deleteRowsOf(tx, flightIds, { userId })

const keepRow = query<{ id: number; now: string }, { id: number }>((db, p) =>
  db.updateTable('flight_passenger').set({ kept_at: p.now }).where('id', '=', p.id).returning('id'),
)
/** Records that the person kept the flight; from then on their public shares show it. */
export async function keepPassenger(
  tx: Executor,
  { id, userId }: { id: number; userId: string },
  now: string,
): Promise<void> {
  await keepRow(tx, { id, now })
  await incrementRevisions(tx, [flightsOf(userId)])
}

const keepRows = query<{ importId: number; userId: string; now: string }, { id: number }>((db, p) =>
  db
    .updateTable('flight_passenger')
    .set({ kept_at: p.now })
    .where('user_id', '=', p.userId)
    .where('added_by', 'is not', null)
    .where('kept_at', 'is', null)
    .where('flight_id', 'in', (eb) =>
      eb.selectFrom('flight').select('id').where('import_id', '=', p.importId),
    )
    .returning('id'),
)
/** The same for all flights of an import that others added the person to. */
export async function keepImported(
  tx: Executor,
  importId: number,
  userId: string,
  now: string,
): Promise<void> {
  await keepRows(tx, { importId, userId, now })
  await incrementRevisions(tx, [flightsOf(userId)])
}

const lockOfImport = query<{ importId: number; userId: string }, { id: number }>((db, p, engine) =>
  db
    .selectFrom('flight')
    .select('id')
    .where('import_id', '=', p.importId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('flight_passenger')
        .select('flight_id')
        .where('user_id', '=', p.userId)
        .where('added_by', 'is not', null),
    )
    .orderBy('id')
    .$if(locksRows(engine), (flights) => flights.forUpdate()),
)
/** Ids of the flights of an import that others added the person to, locked until the transaction ends. */
export const lockImported = async (tx: Executor, importId: number, userId: string): Promise<number[]> =>
  (await lockOfImport(tx, { importId, userId })).map((row) => row.id)

const isOn = query<{ flightId: number; userId: string }, { version: number; isOn: number }>((db, p) =>
  db
    .selectFrom('flight')
    .leftJoin('flight_passenger', (join) =>
      join
        .onRef('flight_passenger.flight_id', '=', 'flight.id')
        .on('flight_passenger.user_id', '=', p.userId),
    )
    .select('flight.version')
    .select((eb) => eb.case().when('flight_passenger.id', 'is', null).then(0).else(1).end().as('isOn'))
    .where('flight.id', '=', p.flightId),
)
/** Whether a person is on a flight, and the flight's version; undefined if there is no such flight. */
export async function findOnFlight(
  db: Executor,
  flightId: number,
  userId: string,
): Promise<{ isOn: boolean; version: number } | undefined> {
  const row = await first(isOn(db, { flightId, userId }))
  return row && { isOn: row.isOn === 1, version: row.version }
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
/** Ids of all flights a person is on, locked against changes until the transaction ends. */
export const lockFlightsOf = async (tx: Executor, userId: string): Promise<number[]> =>
  (await lockOf(tx, { userId })).map((row) => row.id)

const emptyAmong = queryByList<number, { id: number }>((db, ids) =>
  db
    .selectFrom('flight')
    .select('id')
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
    ),
)
/** Those of these flights that have no passenger at all, not even a guest. */
export const listEmptyFlights = async (tx: Executor, ids: readonly number[]): Promise<number[]> =>
  (await emptyAmong(tx, ids)).map((row) => row.id)

const peopleByFlights = queryByList<number, PersonOnFlight & { flightId: number }>((db, ids) =>
  db
    .selectFrom('flight_passenger')
    .select([
      'flight_id as flightId',
      sql<string>`user_id`.as('userId'),
      'added_by as addedBy',
      'kept_at as keptAt',
    ])
    .where('flight_id', 'in', ids)
    .where('user_id', 'is not', null),
)
/** The users on each of these flights, with their standing. */
export async function listPeopleOn(
  db: Executor,
  flightIds: readonly number[],
): Promise<Map<number, PersonOnFlight[]>> {
  const people = new Map<number, PersonOnFlight[]>()
  for (const row of await peopleByFlights(db, flightIds)) {
    const others = people.get(row.flightId)
    if (others) others.push(row)
    else people.set(row.flightId, [row])
  }
  return people
}

const touchRows = queryByList<number, { id: number; version: number }, { now: string }>((db, ids, p) =>
  db
    .updateTable('flight')
    .set({ version: sql<number>`version + 1`, updated_at: p.now })
    .where('id', 'in', ids)
    .returning(['id', 'version']),
)
interface Touched {
  /** What changed of each flight; null: nothing that history could show or put back. */
  edits: ReadonlyMap<number, KeptEdit> | null
  /** Those who were on them and no longer are. */
  left?: readonly string[]
}

/**
 * Gives these flights a new version because something about them changed: a passenger, the track, a record they refer to.
 * Returns the changes, which the caller records.
 */
export async function touchFlights(
  tx: Executor,
  flightIds: readonly number[],
  now: string,
  { edits, left = [] }: Touched,
): Promise<FlightChange[]> {
  const touched = await touchRows(tx, flightIds, { now })
  const people = await listPeopleOn(tx, flightIds)
  const externalIds = left.length > 0 ? await externalIdsForTombstones(tx, flightIds) : undefined
  if (left.length > 0) for (const { id } of touched) await freeExternalIds(tx, id, left)
  return touched.map(({ id, version }) => ({
    id,
    version,
    kind: 'updated',
    history: edits?.get(id) ?? null,
    users: (people.get(id) ?? []).map(({ userId }) => userId),
    left,
    externalIds: externalIds?.get(id),
  }))
}

/** The same, and records it. Call it last in a transaction. */
export const noteFlightsChanged = async (
  tx: Executor,
  flightIds: readonly number[],
  now: string,
  { author, ...touched }: Touched & { author: Author },
): Promise<void> =>
  void (await recordFlightChanges(tx, await touchFlights(tx, flightIds, now, touched), author, now))
