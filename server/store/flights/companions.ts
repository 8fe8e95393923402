// The people whom a person flies with.
import { sql } from 'kysely'
import { query, queryAny } from '../engine/query.ts'

/** Cancelled flights do not count. */
const flightsTogether =
  sql<number>`cast(sum(case when flight.outcome = 'cancelled' then 0 else 1 end) as integer)`.as('flights')

/** Users and guests on a person's flights, each once. */
export const listCompanions = query((db, p: { userId: string }) =>
  db
    .selectFrom('flightPassenger as own')
    .innerJoin('flightPassenger as other', 'other.flightId', 'own.flightId')
    .innerJoin('flight', 'flight.id', 'own.flightId')
    .leftJoin('person', 'person.id', 'other.userId')
    .select(['other.userId', 'other.guestName', 'person.username', 'person.displayName'])
    .select(flightsTogether)
    .where('own.userId', '=', p.userId)
    .whereRef('other.id', '<>', 'own.id')
    .groupBy(['other.userId', 'other.guestName', 'person.username', 'person.displayName']),
)

/** Whether two users have a flight together. */
export const flyTogether = queryAny((db, p: { userId: string; otherId: string }) =>
  db
    .selectFrom('flightPassenger as own')
    .innerJoin('flightPassenger as other', 'other.flightId', 'own.flightId')
    .select('own.flightId as id')
    .where('own.userId', '=', p.userId)
    .where('other.userId', '=', p.otherId)
    .limit(1),
)
