// Existing flights that an import compares its records with: a few columns, one year of a log at a time.

import type { OnRoute } from '../../domain/flights/duplicates.ts'
import type { SourceId } from '../../domain/imports/imports.ts'
import { addDays } from '../../domain/time/calendar.ts'
import type { Executor } from '../engine/engine.ts'
import { query, queryByList } from '../engine/query.ts'

/** Deleted airports are null and match nothing. */
export type ComparedFlight = OnRoute & { id: number; fromId: number | null; toId: number | null }

const columns = [
  'flight.id',
  'flight.date',
  'flight.datePrecision',
  'flight.fromId',
  'flight.toId',
  'flight.flightNumber',
  'flight.airlineId',
  'flight.departure',
  'flight.departureScheduled',
] as const

interface Between {
  first: string
  next: string
}

const ownBetween = query((db, p: Between & { userId: string }) =>
  db
    .selectFrom('flightPassenger')
    .innerJoin('flight', 'flight.id', 'flightPassenger.flightId')
    .select(columns)
    .where('flightPassenger.userId', '=', p.userId)
    .where('flightPassenger.flightDate', '>=', p.first)
    .where('flightPassenger.flightDate', '<', p.next),
)
const allBetween = query((db, p: Between) =>
  db
    .selectFrom('flight')
    .select(columns)
    .where('flight.date', '>=', p.first)
    .where('flight.date', '<', p.next),
)

/** The flights of a year; everyone's if there is no person. */
export function listFlightsOfYear(
  db: Executor,
  userId: string | null,
  year: string,
): Promise<ComparedFlight[]> {
  const between = { first: `${year}-01-01`, next: addDays(`${year}-12-31`, 1) }
  return userId === null ? allBetween(db, between) : ownBetween(db, { ...between, userId })
}
/** Flights with the imports that created them. */
export const listComparedFlights = queryByList((db, ids: number[]) =>
  db
    .selectFrom('flight')
    .select([...columns, 'flight.importId'])
    .where('flight.id', 'in', ids),
)

const givenDrafts = queryByList((db, ids: number[], p: { userId: string; source: SourceId }) =>
  db
    .selectFrom('importRow')
    .innerJoin('import', 'import.id', 'importRow.importId')
    .select([
      (eb) => eb.ref('importRow.flightId').$notNull().as('flightId'),
      (eb) => eb.ref('importRow.draft').$notNull().as('draft'),
    ])
    .where('importRow.flightId', 'in', ids)
    .where('import.userId', '=', p.userId)
    .where('import.source', '=', p.source)
    .where('importRow.draft', 'is not', null)
    .orderBy('importRow.id'),
)
/** The drafts of these flights from earlier imports of the person with the same source, latest last. */
export const listGivenDrafts = (
  db: Executor,
  { userId, source }: { userId: string; source: SourceId },
  flightIds: readonly number[],
) => givenDrafts(db, flightIds, { userId, source })
