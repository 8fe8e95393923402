// The airports, airlines and aircraft types of a person's own flights, most recently used first.
import type { Executor } from './engine.ts'
import { query } from './query.ts'

/** Enough for decades; bounds what a search by a person with a very long log costs. */
const FLIGHTS_AT_MOST = 1500

interface Used {
  from: number | null
  to: number | null
  airline: number | null
  aircraft: number | null
}
const usedRows = query<{ userId: string; limit: number }, Used>((db, p) =>
  db
    .selectFrom('flight_passenger as mine')
    .innerJoin('flight', 'flight.id', 'mine.flight_id')
    .select(['flight.from_id as from', 'flight.to_id as to'])
    .select(['flight.airline_id as airline', 'flight.aircraft_id as aircraft'])
    .where('mine.user_id', '=', p.userId)
    .orderBy('mine.flight_date', 'desc')
    .orderBy('mine.flight_id', 'desc')
    .limit(p.limit),
)

export interface OwnRecords {
  airports: ReadonlySet<number>
  airlines: ReadonlySet<number>
  aircraft: ReadonlySet<number>
}

export async function listOwnRecords(db: Executor, userId: string): Promise<OwnRecords> {
  const rows = await usedRows(db, { userId, limit: FLIGHTS_AT_MOST })
  const distinct = (idsOf: (row: Used) => (number | null)[]) =>
    new Set(rows.flatMap(idsOf).filter((id) => id !== null))
  return {
    airports: distinct((row) => [row.to, row.from]),
    airlines: distinct((row) => [row.airline]),
    aircraft: distinct((row) => [row.aircraft]),
  }
}

const ownRoutes = query<{ userId: string; limit: number }, OwnRoute>((db, p) =>
  db
    .selectFrom('flight_passenger as mine')
    .innerJoin('flight', 'flight.id', 'mine.flight_id')
    .select(['flight.from_id as from', 'flight.to_id as to', 'flight.flight_number as flightNumber'])
    .where('mine.user_id', '=', p.userId)
    .orderBy('mine.flight_date', 'desc')
    .orderBy('mine.flight_id', 'desc')
    .limit(p.limit),
)
export interface OwnRoute {
  from: number | null
  to: number | null
  flightNumber: string | null
}
/** The routes of a person's own flights with their numbers, the newest first. */
export const listOwnRoutes = (db: Executor, userId: string): Promise<OwnRoute[]> =>
  ownRoutes(db, { userId, limit: FLIGHTS_AT_MOST })
