// External ids as part of writing a flight. Each belongs to the caller and identifies one of their flights.
import { isDeepStrictEqual } from 'node:util'
import { AppError, detail } from '../../base/errors.ts'
import type { Call } from '../../door/operation.ts'
import {
  deleteExternalId,
  type ExternalIds,
  findByExternalId,
  insertExternalId,
  insertExternalIds,
  listExternalIds,
  listHolders,
  lockExternalIds,
} from '../../store/history/external-ids.ts'

/** Call it before locking the flight, with the ids in the request: absent keeps the stored ones. */
export async function holdExternalIds(
  { db, principal }: Call,
  given: object | null | undefined,
): Promise<void> {
  if (given !== undefined) await lockExternalIds(db, principal.user.id)
}

/** Whether writing the ids would change anything. */
export async function externalIdsDiffer(
  call: Call,
  flightId: number,
  given: ExternalIds | null | undefined,
): Promise<boolean> {
  if (given === undefined) return false
  return !isDeepStrictEqual({ ...(await storedIds(call, flightId)) }, { ...given })
}

const storedIds = async ({ db, principal }: Call, flightId: number): Promise<ExternalIds> =>
  (await listExternalIds(db, principal.user.id, [flightId])).get(flightId) ?? {}

/** The ids after a patch: null deletes one or all. */
export async function mergedExternalIds(
  call: Call,
  flightId: number,
  patch: Record<string, string | null> | null | undefined,
): Promise<ExternalIds | null | undefined> {
  if (!patch) return patch
  const merged = { ...(await storedIds(call, flightId)), ...patch }
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null),
  )
}

/** Replaces the caller's ids of this flight. */
export async function writeExternalIds(
  call: Call,
  flightId: number,
  given: ExternalIds | null | undefined,
): Promise<void> {
  if (given === undefined) return
  const { db, principal } = call
  const wanted = given ?? {}
  const before = await storedIds(call, flightId)
  for (const [source, value] of Object.entries(before)) {
    if (wanted[source] !== value) await deleteExternalId(db, principal.user.id, { source, value })
  }
  for (const [source, value] of Object.entries(wanted)) {
    if (before[source] === value) continue
    if (await insertExternalId(db, principal.user.id, flightId, { source, value })) continue
    throw externalIdTaken(source, await findByExternalId(db, principal.user.id, { source, value }))
  }
}

/** Inserts the ids of new flights in one statement. The caller holds their ids, so free ones stay free. */
export async function insertNewIds(
  { db, principal }: Call,
  flights: readonly { id: number; externalIds: ExternalIds | null | undefined }[],
): Promise<void> {
  const rows = flights.flatMap(({ id, externalIds }) =>
    Object.entries(externalIds ?? {}).map(([source, value]) => ({ flightId: id, source, value })),
  )
  if (rows.length === 0) return
  const [held] = await listHolders(db, principal.user.id, rows)
  if (held) throw externalIdTaken(held.source, held.flightId)
  await insertExternalIds(db, principal.user.id, rows)
}

/** The response names the flight that has the id: the person who set an id may know where it is. */
export const externalIdTaken = (source: string, holder: number | undefined) =>
  new AppError('conflict', 'external_id_taken', {
    details: [detail(['externalIds', source], 'external_id_taken', 'external_id')],
    ...(holder === undefined ? {} : { headers: { location: `/api/v1/flights/${holder}` } }),
  })
