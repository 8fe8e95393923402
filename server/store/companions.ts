// With whom a person flies.
import { type InferResult, sql } from 'kysely'
import type { Executor } from './engine.ts'
import { type Builder, query } from './query.ts'

/** Those that count. */
const flightsTogether =
  sql<number>`cast(sum(case when flight.outcome = 'cancelled' then 0 else 1 end) as integer)`.as('flights')

const companions = (db: Builder, p: { userId: string }) =>
  db
    .selectFrom('flight_passenger as own')
    .innerJoin('flight_passenger as other', 'other.flight_id', 'own.flight_id')
    .innerJoin('flight', 'flight.id', 'own.flight_id')
    .leftJoin('person', 'person.id', 'other.user_id')
    .select([
      'other.user_id as userId',
      'other.guest_name as guestName',
      'person.username',
      'person.display_name as displayName',
    ])
    .select(flightsTogether)
    .where('own.user_id', '=', p.userId)
    .whereRef('other.id', '<>', 'own.id')
    .groupBy(['other.user_id', 'other.guest_name', 'person.username', 'person.display_name'])

type Companion = InferResult<ReturnType<typeof companions>>[number]

const companionsOf = query<{ userId: string }, Companion>(companions)

/** Users and guests on a person's flights, each once. */
export const listCompanions = (db: Executor, userId: string): Promise<Companion[]> =>
  companionsOf(db, { userId })

const flightTogether = query<{ userId: string; otherId: string }, { id: number }>((db, p) =>
  db
    .selectFrom('flight_passenger as own')
    .innerJoin('flight_passenger as other', 'other.flight_id', 'own.flight_id')
    .select('own.flight_id as id')
    .where('own.user_id', '=', p.userId)
    .where('other.user_id', '=', p.otherId)
    .limit(1),
)
/** Whether two users have a flight together. */
export const flyTogether = async (db: Executor, userId: string, otherId: string): Promise<boolean> =>
  (await flightTogether(db, { userId, otherId })).length > 0
