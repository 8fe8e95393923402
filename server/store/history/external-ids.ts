// Ids that other programs give to flights, so that they find them again. An id belongs to the person who set it.
import { upsertMany } from '../engine/bulk.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query, queryByList } from '../engine/query.ts'
import { incrementRevisions, namingFor } from '../engine/revisions.ts'

/** Values by source. */
export type ExternalIds = Record<string, string>

export interface ExternalId {
  source: string
  value: string
}

/**
 * Held until the transaction ends, so that concurrent requests that set a person's ids see each other's. Lock it before any
 * flight.
 */
export const lockExternalIds = (tx: Executor, ...userIds: string[]) =>
  incrementRevisions(tx, userIds.map(namingFor))
/** Everyone's ids of these flights. */
export const findExternalIdsOfFlights = queryByList((db, ids: number[]) =>
  db
    .selectFrom('externalId')
    .select(['flightId', 'userId', 'source', 'value'])
    .where('flightId', 'in', ids)
    .orderBy('source'),
)

const ofPerson = queryByList((db, ids: number[], p: { userId: string }) =>
  db
    .selectFrom('externalId')
    .select(['flightId', 'source', 'value'])
    .where('flightId', 'in', ids)
    .where('userId', '=', p.userId)
    .orderBy('source'),
)
/** A person's ids of these flights, by flight; flights without any are absent. */
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

const holder = query((db, p: ExternalId & { userId: string }) =>
  db
    .selectFrom('externalId')
    .select('flightId')
    .where('userId', '=', p.userId)
    .where('source', '=', p.source)
    .where('value', '=', p.value),
)
/** The flight to which a person gave this id. */
export const findByExternalId = async (
  db: Executor,
  userId: string,
  { source, value }: ExternalId,
): Promise<number | undefined> => (await first(holder(db, { userId, source, value })))?.flightId
/** The flights to which a person gave any of these values, from any source. */
export const listByExternalValues = queryByList((db, values: string[], p: { userId: string }) =>
  db
    .selectFrom('externalId')
    .select(['flightId', 'source', 'value'])
    .where('userId', '=', p.userId)
    .where('value', 'in', values),
)

const holdersBySource = queryByList((db, values: string[], p: { userId: string; source: string }) =>
  db
    .selectFrom('externalId')
    .select(['flightId', 'source', 'value'])
    .where('userId', '=', p.userId)
    .where('source', '=', p.source)
    .where('value', 'in', values),
)
/** The flights to which a person gave any of these ids. Reads fewer rows than a search by value alone. */
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

const deleteRow = query((db, p: ExternalId & { userId: string }) =>
  db
    .deleteFrom('externalId')
    .where('userId', '=', p.userId)
    .where('source', '=', p.source)
    .where('value', '=', p.value)
    .returning('id'),
)
export const deleteExternalId = (tx: Executor, userId: string, { source, value }: ExternalId) =>
  deleteRow(tx, { userId, source, value })

const deleteRowsOfSource = queryByList((db, values: string[], p: { userId: string; source: string }) =>
  db
    .deleteFrom('externalId')
    .where('userId', '=', p.userId)
    .where('source', '=', p.source)
    .where('value', 'in', values)
    .returning('id'),
)
export async function deleteExternalIds(
  tx: Executor,
  userId: string,
  ids: readonly ExternalId[],
): Promise<void> {
  for (const [source, same] of Map.groupBy(ids, (id) => id.source)) {
    const values = same.map(({ value }) => value)
    await deleteRowsOfSource(tx, values, { userId, source })
  }
}
/** Frees the ids that these people gave a flight that they are no longer on. */
export const freeExternalIds = queryByList((db, userIds: string[], p: { flightId: number }) =>
  db
    .deleteFrom('externalId')
    .where('userId', 'in', userIds)
    .where('flightId', '=', p.flightId)
    .returning('id'),
)

const insertRow = query((db, p: ExternalId & { userId: string; flightId: number }) =>
  db
    .insertInto('externalId')
    .values({ userId: p.userId, source: p.source, value: p.value, flightId: p.flightId })
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

/** None of the ids may be in use. */
export const insertExternalIds = (
  tx: Executor,
  userId: string,
  rows: readonly (ExternalId & { flightId: number })[],
) =>
  upsertMany(
    tx,
    'externalId',
    ['userId', 'source', 'value', 'flightId'],
    [],
    rows.map(({ source, value, flightId }) => ({ userId, source, value, flightId })),
  )
