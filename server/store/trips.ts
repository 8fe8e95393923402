// Trips: a person's own selections of flights that they are on. A flight that its owner left, or that is in the bin, is
// not shown; it is in the trip again when it comes back.
import type { TripColour } from '../domain/trip.ts'
import { upsertMany } from './bulk.ts'
import type { Executor } from './engine.ts'
import { lockPerson } from './people.ts'
import { first, query, queryByList } from './query.ts'

export interface Trip {
  id: number
  name: string
  note: string | null
  colour: TripColour
  createdAt: string
  updatedAt: string
}
type TripWrite = Pick<Trip, 'name' | 'note' | 'colour'>
/** Of a trip that an import brings: it keeps the day on which it was created. */
interface Origin {
  importId: number | null
  createdAt: string
}

const columns = [
  'id',
  'name',
  'note',
  'colour',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const ofUser = query<{ userId: string }, Trip>((db, p) =>
  db.selectFrom('trip').select(columns).where('user_id', '=', p.userId).orderBy('id', 'desc'),
)
/** Newest first. */
export const listTrips = (db: Executor, userId: string): Promise<Trip[]> => ofUser(db, { userId })

const ownById = query<{ userId: string; id: number }, Trip>((db, p) =>
  db.selectFrom('trip').select(columns).where('user_id', '=', p.userId).where('id', '=', p.id),
)
export const findTrip = (db: Executor, userId: string, id: number): Promise<Trip | undefined> =>
  first(ownById(db, { userId, id }))

const insertRow = query<TripWrite & Origin & { userId: string; now: string }, Trip>((db, p) =>
  db
    .insertInto('trip')
    .values({
      user_id: p.userId,
      name: p.name,
      note: p.note,
      colour: p.colour,
      created_at: p.createdAt,
      updated_at: p.now,
      import_id: p.importId,
    })
    .returning(columns),
)
export const insertTrip = async (
  tx: Executor,
  userId: string,
  trip: TripWrite,
  now: string,
  { importId, createdAt }: Origin = { importId: null, createdAt: now },
): Promise<Trip> => (await insertRow(tx, { ...trip, userId, now, importId, createdAt }))[0]!

/**
 * No other transaction changes trips of this person until this one ends. All of them together: a flight that moves changes
 * two, and two that exchange flights would each wait for the other.
 */
export const lockTrips = lockPerson

const updateRow = query<TripWrite & { userId: string; id: number; now: string }, Trip>((db, p) =>
  db
    .updateTable('trip')
    .set({ name: p.name, note: p.note, colour: p.colour, updated_at: p.now, import_id: null })
    .where('user_id', '=', p.userId)
    .where('id', '=', p.id)
    .returning(columns),
)
/** From now on it is the person's own, and the undo of an import leaves it. */
export const updateTrip = (
  tx: Executor,
  userId: string,
  id: number,
  trip: TripWrite,
  now: string,
): Promise<Trip | undefined> => first(updateRow(tx, { ...trip, userId, id, now }))

const updateMoments = queryByList<number, { id: number }, { userId: string; now: string }>((db, ids, p) =>
  db
    .updateTable('trip')
    .set({ updated_at: p.now })
    .where('user_id', '=', p.userId)
    .where('id', 'in', ids)
    .returning('id'),
)
/** Of trips whose flights changed, and nothing else of them. */
export const updateTripMoments = async (
  tx: Executor,
  userId: string,
  ids: readonly number[],
  now: string,
): Promise<void> => void (await updateMoments(tx, ids, { userId, now }))

const deleteRow = query<{ userId: string; id: number }, { id: number }>((db, p) =>
  db.deleteFrom('trip').where('user_id', '=', p.userId).where('id', '=', p.id).returning('id'),
)
/** Deletes the shares of the trip too. False if the person has no such trip. */
export const deleteTrip = async (tx: Executor, userId: string, id: number): Promise<boolean> =>
  (await deleteRow(tx, { userId, id })).length > 0

const untouched = query<{ userId: string; importId: number }, { id: number }>((db, p) =>
  db.selectFrom('trip').select('id').where('user_id', '=', p.userId).where('import_id', '=', p.importId),
)
/** Trips that an import created and that no one changed since. */
export const listUntouchedOfImport = async (
  tx: Executor,
  userId: string,
  importId: number,
): Promise<number[]> => (await untouched(tx, { userId, importId })).map(({ id }) => id)

// Their flights

interface TripFlight {
  tripId: number
  flightId: number
}

const flightsOfUser = query<{ userId: string }, TripFlight>((db, p) =>
  db
    .selectFrom('trip_flight as part')
    .innerJoin('flight_passenger as mine', (join) =>
      join.onRef('mine.flight_id', '=', 'part.flight_id').onRef('mine.user_id', '=', 'part.user_id'),
    )
    .select(['part.trip_id as tripId', 'part.flight_id as flightId'])
    .where('part.user_id', '=', p.userId),
)
/** The flights in all of a person's trips, in no order. */
export const listTripFlights = (db: Executor, userId: string): Promise<TripFlight[]> =>
  flightsOfUser(db, { userId })

const flightsOfTrip = query<{ userId: string; tripId: number }, TripFlight>((db, p) =>
  db
    .selectFrom('trip_flight as part')
    .innerJoin('flight_passenger as mine', (join) =>
      join.onRef('mine.flight_id', '=', 'part.flight_id').onRef('mine.user_id', '=', 'part.user_id'),
    )
    .select(['part.trip_id as tripId', 'part.flight_id as flightId'])
    .where('part.user_id', '=', p.userId)
    .where('part.trip_id', '=', p.tripId),
)
/** The flights in one of them, in no order. */
export const listFlightsOfTrip = async (db: Executor, userId: string, tripId: number): Promise<number[]> =>
  (await flightsOfTrip(db, { userId, tripId })).map(({ flightId }) => flightId)

const ownAmong = queryByList<number, { flightId: number }, { userId: string }>((db, ids, p) =>
  db
    .selectFrom('flight_passenger')
    .select('flight_id as flightId')
    .where('user_id', '=', p.userId)
    .where('flight_id', 'in', ids),
)
/** Those of these flights that a person is on. */
export const listOwnAmong = async (
  db: Executor,
  userId: string,
  ids: readonly number[],
): Promise<Set<number>> => new Set((await ownAmong(db, ids, { userId })).map(({ flightId }) => flightId))

const tripsAmong = queryByList<number, TripFlight, { userId: string }>((db, ids, p) =>
  db
    .selectFrom('trip_flight')
    .select(['trip_id as tripId', 'flight_id as flightId'])
    .where('user_id', '=', p.userId)
    .where('flight_id', 'in', ids),
)
/** The trip that each of these flights is in, for those that are in one. */
export const listTripsAmong = async (
  db: Executor,
  userId: string,
  flightIds: readonly number[],
): Promise<Map<number, number>> =>
  new Map((await tripsAmong(db, flightIds, { userId })).map(({ flightId, tripId }) => [flightId, tripId]))

/** Puts flights into a trip, out of the person's other trips. Returns the ids of those that lose one. */
export async function moveIntoTrip(
  tx: Executor,
  userId: string,
  tripId: number,
  flightIds: readonly number[],
): Promise<number[]> {
  if (flightIds.length === 0) return []
  const before = await tripsAmong(tx, flightIds, { userId })
  // In one order, as every write locks flights.
  const rows = flightIds
    .toSorted((a, b) => a - b)
    .map((id) => ({ user_id: userId, flight_id: id, trip_id: tripId }))
  await upsertMany(tx, 'trip_flight', ['user_id', 'flight_id', 'trip_id'], ['user_id', 'flight_id'], rows)
  return [...new Set(before.map((row) => row.tripId).filter((id) => id !== tripId))]
}

const deleteRows = queryByList<number, { flightId: number }, { userId: string; tripId: number }>(
  (db, ids, p) =>
    db
      .deleteFrom('trip_flight')
      .where('user_id', '=', p.userId)
      .where('trip_id', '=', p.tripId)
      .where('flight_id', 'in', ids)
      .returning('flight_id as flightId'),
)
export const deleteFromTrip = async (
  tx: Executor,
  userId: string,
  tripId: number,
  flightIds: readonly number[],
): Promise<void> => void (await deleteRows(tx, flightIds, { userId, tripId }))
