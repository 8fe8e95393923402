// Trips: a person's own selections of flights that they are on. A flight that the person left, or that is in the bin, is
// hidden; it reappears in the trip when it comes back.
import { pick } from '../../domain/pick.ts'
import type { TripColour } from '../../domain/trips/trip.ts'
import { upsertMany } from '../engine/bulk.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query, queryAny, queryByList, queryFirst } from '../engine/query.ts'
import { lockPerson } from '../people/people.ts'

export interface Trip {
  id: number
  name: string
  note: string | null
  colour: TripColour
  createdAt: string
  updatedAt: string
}
type TripWrite = Pick<Trip, 'name' | 'note' | 'colour'>
/** For an imported trip, which keeps its creation date. */
interface Origin {
  importId: number | null
  createdAt: string
}

const columns = ['id', 'name', 'note', 'colour', 'createdAt', 'updatedAt'] as const
/** Newest first. */
export const listTrips = query((db, p: { userId: string }) =>
  db.selectFrom('trip').select(columns).where('userId', '=', p.userId).orderBy('id', 'desc'),
)

export const findTrip = queryFirst((db, p: { userId: string; id: number }) =>
  db.selectFrom('trip').select(columns).where('userId', '=', p.userId).where('id', '=', p.id),
)

const insertRow = query((db, p: TripWrite & Origin & { userId: string; now: string }) =>
  db
    .insertInto('trip')
    .values({
      ...pick(p, ['userId', 'name', 'note', 'colour', 'createdAt']),
      updatedAt: p.now,
      importId: p.importId,
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
 * Locks all of a person's trips until the transaction ends. Moving a flight changes two trips, so locking single trips could
 * deadlock.
 */
export const lockTrips = lockPerson

const updateRow = query((db, p: TripWrite & { userId: string; id: number; now: string }) =>
  db
    .updateTable('trip')
    .set({ name: p.name, note: p.note, colour: p.colour, updatedAt: p.now, importId: null })
    .where('userId', '=', p.userId)
    .where('id', '=', p.id)
    .returning(columns),
)
/** The trip no longer belongs to its import, so an undo leaves it. */
export const updateTrip = (
  tx: Executor,
  userId: string,
  id: number,
  trip: TripWrite,
  now: string,
): Promise<Trip | undefined> => first(updateRow(tx, { ...trip, userId, id, now }))

const updateMoments = queryByList((db, ids: number[], p: { userId: string; now: string }) =>
  db
    .updateTable('trip')
    .set({ updatedAt: p.now })
    .where('userId', '=', p.userId)
    .where('id', 'in', ids)
    .returning('id'),
)
/** For trips whose flights changed and nothing else. */
export const updateTripMoments = async (
  tx: Executor,
  userId: string,
  ids: readonly number[],
  now: string,
): Promise<void> => void (await updateMoments(tx, ids, { userId, now }))
/** Also deletes the trip's shares. False if the person has no such trip. */
export const deleteTrip = queryAny((db, p: { userId: string; id: number }) =>
  db.deleteFrom('trip').where('userId', '=', p.userId).where('id', '=', p.id).returning('id'),
)

/** Trips that an import created and that have not been changed since. */
export const listUntouchedOfImport = query(
  (db, p: { userId: string; importId: number }) =>
    db.selectFrom('trip').select('id').where('userId', '=', p.userId).where('importId', '=', p.importId),
  ({ id }) => id,
)

// Their flights

/** The flights in all of a person's trips, unordered. */
export const listTripFlights = query((db, p: { userId: string }) =>
  db
    .selectFrom('tripFlight as part')
    .innerJoin('flightPassenger as mine', (join) =>
      join.onRef('mine.flightId', '=', 'part.flightId').onRef('mine.userId', '=', 'part.userId'),
    )
    .select(['part.tripId', 'part.flightId'])
    .where('part.userId', '=', p.userId),
)

/** The flights in one trip, unordered. */
export const listFlightsOfTrip = query(
  (db, p: { userId: string; tripId: number }) =>
    db
      .selectFrom('tripFlight as part')
      .innerJoin('flightPassenger as mine', (join) =>
        join.onRef('mine.flightId', '=', 'part.flightId').onRef('mine.userId', '=', 'part.userId'),
      )
      .select(['part.tripId', 'part.flightId'])
      .where('part.userId', '=', p.userId)
      .where('part.tripId', '=', p.tripId),
  ({ flightId }) => flightId,
)

const ownAmong = queryByList((db, ids: number[], p: { userId: string }) =>
  db
    .selectFrom('flightPassenger')
    .select('flightId')
    .where('userId', '=', p.userId)
    .where('flightId', 'in', ids),
)
/** Those of the flights that a person is on. */
export const listOwnAmong = async (
  db: Executor,
  userId: string,
  ids: readonly number[],
): Promise<Set<number>> => new Set((await ownAmong(db, ids, { userId })).map(({ flightId }) => flightId))

const tripsAmong = queryByList((db, ids: number[], p: { userId: string }) =>
  db
    .selectFrom('tripFlight')
    .select(['tripId', 'flightId'])
    .where('userId', '=', p.userId)
    .where('flightId', 'in', ids),
)
/** The trips of these flights, by flight; flights without one are absent. */
export const listTripsAmong = async (
  db: Executor,
  userId: string,
  flightIds: readonly number[],
): Promise<Map<number, number>> =>
  new Map((await tripsAmong(db, flightIds, { userId })).map(({ flightId, tripId }) => [flightId, tripId]))

/** Moves flights into a trip, out of the person's other trips. Returns the ids of the trips that lost a flight. */
export async function moveIntoTrip(
  tx: Executor,
  userId: string,
  tripId: number,
  flightIds: readonly number[],
): Promise<number[]> {
  if (flightIds.length === 0) return []
  const before = await tripsAmong(tx, flightIds, { userId })
  // In the order in which every write locks flights.
  const rows = flightIds.toSorted((a, b) => a - b).map((id) => ({ userId, flightId: id, tripId }))
  await upsertMany(tx, 'tripFlight', ['userId', 'flightId', 'tripId'], ['userId', 'flightId'], rows)
  return [...new Set(before.map((row) => row.tripId).filter((id) => id !== tripId))]
}
export const deleteFromTrip = queryByList((db, ids: number[], p: { userId: string; tripId: number }) =>
  db
    .deleteFrom('tripFlight')
    .where('userId', '=', p.userId)
    .where('tripId', '=', p.tripId)
    .where('flightId', 'in', ids)
    .returning('flightId'),
)
