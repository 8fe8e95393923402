// Names that programs give to flights, so that they find them again. Each belongs to the person who set it.
import { upsertMany } from './bulk.ts'
import type { Executor } from './engine.ts'
import { first, query, queryByList } from './query.ts'
import { incrementRevisions, namingFor } from './revisions.ts'

/** Values by source. */
export type ExternalIds = Record<string, string>

/** One of them. */
export interface ExternalId {
  source: string
  value: string
}

/**
 * Held until the transaction ends, so that two requests that set ids of one person see each other's. Take it before the
 * lock of any flight.
 */
export const lockExternalIds = (tx: Executor, ...userIds: string[]) =>
  incrementRevisions(tx, userIds.map(namingFor))

const ofFlights = queryByList<number, { flightId: number; userId: string; source: string; value: string }>(
  (db, ids) =>
    db
      .selectFrom('external_id')
      .select(['flight_id as flightId', 'user_id as userId', 'source', 'value'])
      .where('flight_id', 'in', ids)
      .orderBy('source'),
)
/** Those of every person. */
export const findExternalIdsOfFlights = (db: Executor, flightIds: readonly number[]) =>
  ofFlights(db, flightIds)

const ofPerson = queryByList<number, ExternalId & { flightId: number }, { userId: string }>((db, ids, p) =>
  db
    .selectFrom('external_id')
    .select(['flight_id as flightId', 'source', 'value'])
    .where('flight_id', 'in', ids)
    .where('user_id', '=', p.userId)
    .orderBy('source'),
)
/** Those that one person set, by flight; a flight without any is absent. */
export async function listExternalIds(
  db: Executor,
  userId: string,
  flightIds: readonly number[],
): Promise<Map<number, ExternalIds>> {
  const byFlight = new Map<number, ExternalIds>()
  for (const { flightId, source, value } of await ofPerson(db, flightIds, { userId })) {
    byFlight.set(flightId, { ...byFlight.get(flightId), [source]: value })
  }
  return byFlight
}

const holder = query<ExternalId & { userId: string }, { flightId: number }>((db, p) =>
  db
    .selectFrom('external_id')
    .select('flight_id as flightId')
    .where('user_id', '=', p.userId)
    .where('source', '=', p.source)
    .where('value', '=', p.value),
)
/** The flight that a person gave this id. */
export const findByExternalId = async (
  db: Executor,
  userId: string,
  { source, value }: ExternalId,
): Promise<number | undefined> => (await first(holder(db, { userId, source, value })))?.flightId

const holders = queryByList<string, ExternalId & { flightId: number }, { userId: string }>((db, values, p) =>
  db
    .selectFrom('external_id')
    .select(['flight_id as flightId', 'source', 'value'])
    .where('user_id', '=', p.userId)
    .where('value', 'in', values),
)
/** The flights that a person gave any of these values, whatever the source. */
export const listByExternalValues = (db: Executor, userId: string, values: readonly string[]) =>
  holders(db, values, { userId })

const holdersBySource = queryByList<
  string,
  ExternalId & { flightId: number },
  { userId: string; source: string }
>((db, values, p) =>
  db
    .selectFrom('external_id')
    .select(['flight_id as flightId', 'source', 'value'])
    .where('user_id', '=', p.userId)
    .where('source', '=', p.source)
    .where('value', 'in', values),
)
/** The flights that a person gave any of these ids. Unlike a search by value alone, it needs no more than these. */
export async function listHolders(
  db: Executor,
  userId: string,
  ids: readonly ExternalId[],
): Promise<(ExternalId & { flightId: number })[]> {
  const found: (ExternalId & { flightId: number })[] = []
  for (const [source, same] of Map.groupBy(ids, (id) => id.source)) {
    const values = [...new Set(same.map(({ value }) => value))]
    found.push(...(await holdersBySource(db, values, { userId, source })))
  }
  return found
}

const deleteRow = query<ExternalId & { userId: string }, { id: number }>((db, p) =>
  db
    .deleteFrom('external_id')
    .where('user_id', '=', p.userId)
    .where('source', '=', p.source)
    .where('value', '=', p.value)
    .returning('id'),
)
export const deleteExternalId = (tx: Executor, userId: string, { source, value }: ExternalId) =>
  deleteRow(tx, { userId, source, value })

const deleteOfPeople = queryByList<string, { id: number }, { flightId: number }>((db, userIds, p) =>
  db
    .deleteFrom('external_id')
    .where('user_id', 'in', userIds)
    .where('flight_id', '=', p.flightId)
    .returning('id'),
)
/** Frees the ids that these people gave a flight that they are no longer on. */
export const freeExternalIds = (tx: Executor, flightId: number, userIds: readonly string[]) =>
  deleteOfPeople(tx, userIds, { flightId })

const insertRow = query<ExternalId & { userId: string; flightId: number }, { id: number }>((db, p) =>
  db
    .insertInto('external_id')
    .values({ user_id: p.userId, source: p.source, value: p.value, flight_id: p.flightId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)
/** False if another flight of the person has the id. */
export const insertExternalId = async (
  tx: Executor,
  userId: string,
  flightId: number,
  { source, value }: ExternalId,
): Promise<boolean> => (await insertRow(tx, { userId, flightId, source, value })).length > 0

/** Many at once; none of them may be taken. */
export const insertExternalIds = (
  tx: Executor,
  userId: string,
  rows: readonly (ExternalId & { flightId: number })[],
) =>
  upsertMany(
    tx,
    'external_id',
    ['user_id', 'source', 'value', 'flight_id'],
    [],
    rows.map(({ source, value, flightId }) => ({ user_id: userId, source, value, flight_id: flightId })),
  )
