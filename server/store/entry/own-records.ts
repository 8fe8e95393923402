// The airports, airlines and aircraft types of a person's own flights, most recently used first.
import type { Executor } from '../engine/engine.ts'
import { query } from '../engine/query.ts'

/** Enough for decades; bounds the cost of a search for a person with a very long log. */
const FLIGHTS_AT_MOST = 1500

interface Used {
  from: number | null
  to: number | null
  airline: number | null
  aircraft: number | null
}
const usedRows = query((db, p: { userId: string; limit: number }) =>
  db
    .selectFrom('flightPassenger as mine')
    .innerJoin('flight', 'flight.id', 'mine.flightId')
    .select(['flight.fromId as from', 'flight.toId as to'])
    .select(['flight.airlineId as airline', 'flight.aircraftId as aircraft'])
    .where('mine.userId', '=', p.userId)
    .orderBy('mine.flightDate', 'desc')
    .orderBy('mine.flightId', 'desc')
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

const ownRoutes = query((db, p: { userId: string; limit: number }) =>
  db
    .selectFrom('flightPassenger as mine')
    .innerJoin('flight', 'flight.id', 'mine.flightId')
    .select(['flight.fromId as from', 'flight.toId as to', 'flight.flightNumber'])
    .where('mine.userId', '=', p.userId)
    .orderBy('mine.flightDate', 'desc')
    .orderBy('mine.flightId', 'desc')
    .limit(p.limit),
)
export interface OwnRoute {
  from: number | null
  to: number | null
  flightNumber: string | null
}
/** The routes of a person's own flights with their numbers, newest first. */
export const listOwnRoutes = (db: Executor, userId: string): Promise<OwnRoute[]> =>
  ownRoutes(db, { userId, limit: FLIGHTS_AT_MOST })
