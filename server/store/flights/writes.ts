// Writes flights and their passengers. Callers then record each change once (store/history/changes.ts).
import { sql } from 'kysely'
import { byRight, type PersonOnFlight, type Standing } from '../../domain/flights/consent.ts'
import {
  type FlightColumns,
  type FlightFields,
  flightColumnNames,
  type PassengerFields,
  passengerFieldNames,
  toFlightColumns,
} from '../../domain/flights/fields.ts'
import { pick } from '../../domain/pick.ts'
import { insertNew, updateMany, upsertMany } from '../engine/bulk.ts'
import { toJsonOrNull } from '../engine/codecs.ts'
import { locksRows } from '../engine/dialect.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query, queryByList, queryFirst } from '../engine/query.ts'
import { flightsOf, incrementRevisions } from '../engine/revisions.ts'
import {
  externalIdsForTombstones,
  type FlightChange,
  type KeptEdit,
  recordFlightChanges,
} from '../history/changes.ts'
import { freeExternalIds } from '../history/external-ids.ts'
import type { Author } from '../history/rows.ts'
import type { StoredValues } from './flights.ts'

type FlightWrite = FlightColumns & { customFields: string | null; seenRecords: string | null; now: string }

const flightValues = (p: FlightWrite) => ({
  ...pick(p, flightColumnNames),
  customFields: p.customFields,
  seenRecords: p.seenRecords,
  updatedAt: p.now,
})

/** The values of a flight as a row. */
export const flightRow = (
  flight: FlightFields,
  customFields: StoredValues,
  now: string,
  seenRecords: string | null,
) => flightValues({ ...toFlightColumns(flight), customFields: toJsonOrNull(customFields), seenRecords, now })

const insertRow = query((db, p: FlightWrite) =>
  db
    .insertInto('flight')
    .values({ ...flightValues(p), createdAt: p.now })
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

/** Inserts many flights, of an import or not; returns their ids in the same order. */
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
    createdAt: now,
    importId,
    id: 0,
  }))
  return insertNew(tx, 'flight', rows)
}

const updateRow = query((db, p: FlightWrite & { id: number }) =>
  db
    .updateTable('flight')
    .set({ ...flightValues(p), version: sql<number>`version + 1` })
    .where('id', '=', p.id)
    .returning('version'),
)
const copyDate = query((db, p: { id: number; date: string }) =>
  db.updateTable('flightPassenger').set({ flightDate: p.date }).where('flightId', '=', p.id).returning('id'),
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

/** A flight that the caller has locked, with its new version. */
type LockedWrite = FlightFields & { id: number; customFields: StoredValues; version: number }

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

const datesOfPassengers = queryByList((db, ids: number[]) =>
  db
    .selectFrom('flightPassenger')
    .select(['id', 'flightId', 'flightDate as date'])
    .where('flightId', 'in', ids),
)
/** Copies changed dates to the passengers, from which logs are read. Usually only a few dates change. */
async function copyDates(tx: Executor, flights: readonly LockedWrite[]): Promise<void> {
  const dates = new Map(flights.map(({ id, date }) => [id, date]))
  const moved = (await datesOfPassengers(tx, [...dates.keys()])).flatMap(({ id, flightId, date }) =>
    dates.get(flightId) === date ? [] : { id, flightDate: dates.get(flightId)! },
  )
  await updateMany(tx, 'flightPassenger', ['flightDate'], ['id'], moved)
}

/** The seat fields of a passenger. */
export type PassengerSeat = Pick<PassengerFields, (typeof seatFields)[number]> & { id: number }
export const seatFields = ['seat', 'seatNumber', 'seatClass', 'flightReason'] as const

export const updateSeats = (tx: Executor, passengers: readonly PassengerSeat[]): Promise<void> =>
  updateMany(
    tx,
    'flightPassenger',
    seatFields,
    ['id'],
    passengers.map((passenger) => ({ ...pick(passenger, seatFields), id: passenger.id })),
  )
/** Locks the flight against changes until the transaction ends and returns its version; undefined if there is none. */
export const lockFlight = queryFirst(
  (db, p: { id: number }) =>
    db.updateTable('flight').set({ updatedAt: sql`updated_at` }).where('id', '=', p.id).returning('version'),
  ({ version }) => version,
)

const lockRows = queryByList((db, ids: number[], _p, engine) =>
  db
    .selectFrom('flight')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .$if(locksRows(engine), (flights) => flights.forUpdate()),
)
/** Locks flights in the order of their ids, so that transactions cannot deadlock. SQLite has only one writer. */
export async function lockFlights(tx: Executor, ids: readonly number[]): Promise<void> {
  if (!locksRows(tx.kind)) return
  await lockRows(
    tx,
    [...new Set(ids)].sort((a, b) => a - b),
  )
}
/** Erases flights permanently, with all their data. The API's Delete action is `moveToBin`. */
export const eraseFlights = queryByList((db, ids: number[]) =>
  db.deleteFrom('flight').where('id', 'in', ids).returning('id'),
)

type PassengerWrite = PassengerFields & Standing & { customFields: string | null }
const passengerValues = (p: PassengerWrite) => ({
  ...pick(p, passengerFieldNames),
  customFields: p.customFields,
  addedBy: p.addedBy,
  keptAt: p.keptAt,
})

/** The values of a passenger as a row. */
export const passengerRow = (passenger: PassengerFields & Standing, customFields: StoredValues) =>
  passengerValues({ ...passenger, customFields: toJsonOrNull(customFields) })

const insertPassengerRow = query((db, p: PassengerWrite & { flightId: number; date: string }) =>
  db
    .insertInto('flightPassenger')
    .values({ ...passengerValues(p), flightId: p.flightId, flightDate: p.date })
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

/** Restores a former passenger under the same id. */
export const insertKeptPassenger = (
  tx: Executor,
  flight: { id: number; date: string },
  passenger: PassengerFields & Standing & { id: number; customFields: StoredValues },
): Promise<void> => {
  const row = {
    ...passengerRow(passenger, passenger.customFields),
    id: passenger.id,
    flightId: flight.id,
    flightDate: flight.date,
  }
  return upsertMany(tx, 'flightPassenger', Object.keys(row), [], [row])
}

type NewPassenger = PassengerFields &
  Standing & { customFields: StoredValues; flightId: number; date: string }

/** The passengers may belong to different flights. */
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
    flightId: write.flightId,
    flightDate: write.date,
  }))
  await upsertMany(tx, 'flightPassenger', Object.keys(rows[0]!), [], rows)
}

const updatePassengerRow = query((db, p: PassengerWrite & { id: number }) =>
  db.updateTable('flightPassenger').set(passengerValues(p)).where('id', '=', p.id).returning('id'),
)
export const updatePassenger = (
  tx: Executor,
  id: number,
  passenger: PassengerFields,
  customFields: StoredValues,
  { addedBy, keptAt }: Standing,
) => updatePassengerRow(tx, { ...passenger, id, customFields: toJsonOrNull(customFields), addedBy, keptAt })

const setAside = query((db, p: { id: number; guestName: string }) =>
  db
    .updateTable('flightPassenger')
    .set({ userId: null, guestName: p.guestName })
    .where('id', '=', p.id)
    .returning('id'),
)
/** Gives a passenger a name that no passenger can have, until `updatePassenger` sets the real one. */
export const setPassengerAside = (tx: Executor, id: number) => setAside(tx, { id, guestName: `\u0001${id}` })
export const deletePassenger = query((db, p: { id: number }) =>
  db.deleteFrom('flightPassenger').where('id', '=', p.id).returning('id'),
)

/** Takes a person off these flights. */
export const deleteFromFlights = queryByList((db, ids: number[], p: { userId: string }) =>
  db
    .deleteFrom('flightPassenger')
    .where('userId', '=', p.userId)
    .where('flightId', 'in', ids)
    .returning('id'),
)

const keepRow = query((db, p: { id: number; now: string }) =>
  db.updateTable('flightPassenger').set({ keptAt: p.now }).where('id', '=', p.id).returning('id'),
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

const keepRows = query((db, p: { importId: number; userId: string; now: string }) =>
  db
    .updateTable('flightPassenger')
    .set({ keptAt: p.now })
    .where('userId', '=', p.userId)
    .where('addedBy', 'is not', null)
    .where('keptAt', 'is', null)
    .where('flightId', 'in', (eb) => eb.selectFrom('flight').select('id').where('importId', '=', p.importId))
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
/** Ids of the flights of an import that others added the person to, locked until the transaction ends. */
export const lockImported = query(
  (db, p: { importId: number; userId: string }, engine) =>
    db
      .selectFrom('flight')
      .select('id')
      .where('importId', '=', p.importId)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('flightPassenger')
          .select('flightId')
          .where('userId', '=', p.userId)
          .where('addedBy', 'is not', null),
      )
      .orderBy('id')
      .$if(locksRows(engine), (flights) => flights.forUpdate()),
  (row) => row.id,
)

const isOn = query((db, p: { flightId: number; userId: string }) =>
  db
    .selectFrom('flight')
    .leftJoin('flightPassenger', (join) =>
      join.onRef('flightPassenger.flightId', '=', 'flight.id').on('flightPassenger.userId', '=', p.userId),
    )
    .select('flight.version')
    .select((eb) => eb.case().when('flightPassenger.id', 'is', null).then(0).else(1).end().as('isOn'))
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
/** Ids of all flights a person is on, locked against changes until the transaction ends. */
export const lockFlightsOf = query(
  (db, p: { userId: string }, engine) =>
    db
      .selectFrom('flight')
      .select('id')
      .where('id', 'in', (eb) =>
        eb.selectFrom('flightPassenger').select('flightId').where('userId', '=', p.userId),
      )
      .orderBy('id')
      .$if(locksRows(engine), (flights) => flights.forUpdate()),
  (row) => row.id,
)

/** Those of these flights that have no passengers, not even a guest. */
export const listEmptyFlights = queryByList(
  (db, ids: number[]) =>
    db
      .selectFrom('flight')
      .select('id')
      .where('id', 'in', ids)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('flightPassenger')
              .select('flightPassenger.id')
              .whereRef('flightPassenger.flightId', '=', 'flight.id'),
          ),
        ),
      ),
  (row) => row.id,
)

const peopleByFlights = queryByList((db, ids: number[]) =>
  db
    .selectFrom('flightPassenger')
    .select(['flightId', sql<string>`user_id`.as('userId'), 'addedBy', 'keptAt'])
    .where('flightId', 'in', ids)
    .where('userId', 'is not', null),
)
/** The users on these flights with their standing, by flight. */
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

const touchRows = queryByList((db, ids: number[], p: { now: string }) =>
  db
    .updateTable('flight')
    .set({ version: sql<number>`version + 1`, updatedAt: p.now })
    .where('id', 'in', ids)
    .returning(['id', 'version']),
)
interface Touched {
  /** What changed, by flight; null if there is nothing that history could show or undo. */
  edits: ReadonlyMap<number, KeptEdit> | null
  /** The users who were removed from the flights. */
  left?: readonly string[]
}

/**
 * Gives these flights a new version because something related to them changed: a passenger, the track, a record they refer
 * to. Returns the changes, which the caller records.
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
  if (left.length > 0) for (const { id } of touched) await freeExternalIds(tx, left, { flightId: id })
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

/** The same, but records the changes too. Call it last in a transaction. */
export const noteFlightsChanged = async (
  tx: Executor,
  flightIds: readonly number[],
  now: string,
  { author, ...touched }: Touched & { author: Author },
): Promise<void> =>
  void (await recordFlightChanges(tx, await touchFlights(tx, flightIds, now, touched), author, now))
