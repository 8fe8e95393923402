// Which flights and trips belong to a person's demo log.
import type { Executor } from './engine.ts'
import { lockPerson } from './people.ts'
import { query } from './query.ts'

const ofUser = query<{ userId: string }, { flightId: number }>((db, p) =>
  db.selectFrom('demo_flight').select('flight_id as flightId').where('user_id', '=', p.userId),
)
/** The person's demo flights; no other transaction loads or removes them until this one ends. */
export async function lockDemoFlights(tx: Executor, userId: string): Promise<number[]> {
  await lockPerson(tx, userId)
  return (await ofUser(tx, { userId })).map((row) => row.flightId)
}

const insertRow = query<{ userId: string; flightId: number }, { flightId: number }>((db, p) =>
  db
    .insertInto('demo_flight')
    .values({ flight_id: p.flightId, user_id: p.userId })
    .returning('flight_id as flightId'),
)
export const insertDemoFlight = (tx: Executor, userId: string, flightId: number) =>
  insertRow(tx, { userId, flightId })

const insertTripRow = query<{ userId: string; tripId: number }, { tripId: number }>((db, p) =>
  db.insertInto('demo_trip').values({ trip_id: p.tripId, user_id: p.userId }).returning('trip_id as tripId'),
)
export const insertDemoTrip = (tx: Executor, userId: string, tripId: number) =>
  insertTripRow(tx, { userId, tripId })

const demoTrips = query<{ userId: string }, { tripId: number }>((db, p) =>
  db.selectFrom('demo_trip').select('trip_id as tripId').where('user_id', '=', p.userId),
)
export const listDemoTrips = async (tx: Executor, userId: string): Promise<number[]> =>
  (await demoTrips(tx, { userId })).map(({ tripId }) => tripId)
