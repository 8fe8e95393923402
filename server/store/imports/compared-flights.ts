// Existing flights that an import compares its records with: a few columns, one year of a log at a time.

import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { OnRoute } from '../../domain/flights/duplicates.ts'
import type { SourceId } from '../../domain/imports/imports.ts'
import { addDays } from '../../domain/time/calendar.ts'
import type { Executor } from '../engine/engine.ts'
import { query, queryByList } from '../engine/query.ts'
import { CHANGES, EVERYONE, readRevisions } from '../engine/revisions.ts'

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

/**
 * Flights that changed after a number, oldest first, with how many rows of the import wrote this version of each. Counted per
 * change and with `+ 0`: a join, or the index of the import, would read all rows of the import for every change, and PostgreSQL
 * chooses them while the table has no statistics, as after reading a large file.
 */
const changesAfter = query((db, p: { viewer: string; importId: number; after: number; limit: number }) =>
  db
    .selectFrom('change')
    .select((eb) => [
      'change.number',
      eb
        .selectFrom('importRow')
        .select((one) => one.fn.countAll<number>().as('count'))
        .whereRef('importRow.flightId', '=', 'change.itemId')
        .whereRef('importRow.flightVersion', '=', 'change.version')
        .where(sql<number>`import_row.import_id + 0`, '=', p.importId)
        .as('own'),
    ])
    .where('viewer', '=', p.viewer)
    .where('type', '=', 'flight')
    .where('change.number', '>', p.after)
    .orderBy('change.number')
    .limit(p.limit),
)
const CHANGES_AT_ONCE = 1000

/**
 * The number of the last change of the instance, and whether the log that an import is compared with has changed since the change
 * `seen`, other than by the import itself. A person's log, or everyone's if `userId` is null. Costs one read if nothing changed.
 */
export async function changesSince(
  db: Executor,
  { userId, importId, seen }: { userId: string | null; importId: number; seen: number },
): Promise<{ last: number; isChanged: boolean }> {
  const [last = 0] = await readRevisions(db, [CHANGES])
  for (let after = seen; after < last; ) {
    const page = { viewer: userId ?? EVERYONE, importId, after, limit: CHANGES_AT_ONCE }
    const changes = await changesAfter(db, page)
    if (changes.some(({ own }) => own === 0)) return { last, isChanged: true }
    after = changes.length < CHANGES_AT_ONCE ? last : changes.at(-1)!.number
    // SQLite runs synchronously: other requests are served in between.
    await setImmediate()
  }
  return { last, isChanged: false }
}
