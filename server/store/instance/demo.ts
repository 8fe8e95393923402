// Which flights and trips belong to a person's demo log.
import type { Executor } from '../engine/engine.ts'
import { query } from '../engine/query.ts'
import { lockPerson } from '../people/people.ts'

const ofUser = query((db, p: { userId: string }) =>
  db.selectFrom('demoFlight').select('flightId').where('userId', '=', p.userId),
)
/** The person's demo flights; no other transaction loads or removes them until this one ends. */
export async function lockDemoFlights(tx: Executor, userId: string): Promise<number[]> {
  await lockPerson(tx, userId)
  return (await ofUser(tx, { userId })).map((row) => row.flightId)
}
export const insertDemoFlight = query((db, p: { userId: string; flightId: number }) =>
  db.insertInto('demoFlight').values({ flightId: p.flightId, userId: p.userId }).returning('flightId'),
)

export const insertDemoTrip = query((db, p: { userId: string; tripId: number }) =>
  db.insertInto('demoTrip').values({ tripId: p.tripId, userId: p.userId }).returning('tripId'),
)

export const listDemoTrips = query(
  (db, p: { userId: string }) => db.selectFrom('demoTrip').select('tripId').where('userId', '=', p.userId),
  ({ tripId }) => tripId,
)
