// What an import compares its records with: a few columns of one year of a log at a time.
import { addDays } from '../domain/calendar.ts'
import type { OnRoute } from '../domain/duplicates.ts'
import type { SourceId } from '../domain/imports.ts'
import type { Executor } from './engine.ts'
import { query, queryByList } from './query.ts'

export type ComparedFlight = OnRoute & { id: number; fromId: number; toId: number }

const columns = [
  'flight.id',
  'flight.date',
  'flight.date_precision as datePrecision',
  'flight.from_id as fromId',
  'flight.to_id as toId',
  'flight.flight_number as flightNumber',
  'flight.airline_id as airlineId',
  'flight.departure',
  'flight.departure_scheduled as departureScheduled',
] as const

interface Between {
  first: string
  next: string
}

const ownBetween = query<Between & { userId: string }, ComparedFlight>((db, p) =>
  db
    .selectFrom('flight_passenger')
    .innerJoin('flight', 'flight.id', 'flight_passenger.flight_id')
    .select(columns)
    .where('flight_passenger.user_id', '=', p.userId)
    .where('flight_passenger.flight_date', '>=', p.first)
    .where('flight_passenger.flight_date', '<', p.next),
)
const allBetween = query<Between, ComparedFlight>((db, p) =>
  db
    .selectFrom('flight')
    .select(columns)
    .where('flight.date', '>=', p.first)
    .where('flight.date', '<', p.next),
)

/** The flights of a person in a year; of everyone if there is no person. */
export function listFlightsOfYear(
  db: Executor,
  userId: string | null,
  year: string,
): Promise<ComparedFlight[]> {
  const between = { first: `${year}-01-01`, next: addDays(`${year}-12-31`, 1) }
  return userId === null ? allBetween(db, between) : ownBetween(db, { ...between, userId })
}

const byIds = queryByList<number, ComparedFlight & { importId: number | null }>((db, ids) =>
  db
    .selectFrom('flight')
    .select([...columns, 'flight.import_id as importId'])
    .where('flight.id', 'in', ids),
)
/** With the imports that created them. */
export const listComparedFlights = (db: Executor, ids: readonly number[]) => byIds(db, ids)

const givenDrafts = queryByList<
  number,
  { flightId: number; draft: string },
  { userId: string; source: SourceId }
>((db, ids, p) =>
  db
    .selectFrom('import_row')
    .innerJoin('import', 'import.id', 'import_row.import_id')
    .select([
      (eb) => eb.ref('import_row.flight_id').$notNull().as('flightId'),
      (eb) => eb.ref('import_row.draft').$notNull().as('draft'),
    ])
    .where('import_row.flight_id', 'in', ids)
    .where('import.user_id', '=', p.userId)
    .where('import.source', '=', p.source)
    .where('import_row.draft', 'is not', null)
    .orderBy('import_row.id'),
)
/** What the same source said before about these flights, in earlier imports of the person; the latest last. */
export const listGivenDrafts = (
  db: Executor,
  { userId, source }: { userId: string; source: SourceId },
  flightIds: readonly number[],
) => givenDrafts(db, flightIds, { userId, source })
