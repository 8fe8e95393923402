// The external ids of a flight as part of writing it. Each belongs to the caller and names one flight of theirs.
import { isDeepStrictEqual } from 'node:util'
import { AppError, detail } from '../base/errors.ts'
import type { Call } from '../operation.ts'
import {
  deleteExternalId,
  type ExternalIds,
  findByExternalId,
  insertExternalId,
  listExternalIds,
  lockExternalIds,
} from '../store/external-ids.ts'

/** As a request sends them: absent keeps what is stored, null deletes all. */
type GivenIds = ExternalIds | null | undefined

/** Call it before the lock of the flight. */
export async function holdExternalIds({ db, principal }: Call, given: GivenIds): Promise<void> {
  if (given !== undefined) await lockExternalIds(db, principal.user.id)
}

/** Whether writing them would change anything. */
export async function externalIdsDiffer(call: Call, flightId: number, given: GivenIds): Promise<boolean> {
  if (given === undefined) return false
  return !isDeepStrictEqual({ ...(await storedIds(call, flightId)) }, { ...given })
}

const storedIds = async ({ db, principal }: Call, flightId: number): Promise<ExternalIds> =>
  (await listExternalIds(db, principal.user.id, [flightId])).get(flightId) ?? {}

/** Replaces those that the caller gave this flight. */
export async function writeExternalIds(call: Call, flightId: number, given: GivenIds): Promise<void> {
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

/** The response names the flight that has the id: whoever set an id may know where it is. */
export const externalIdTaken = (source: string, holder: number | undefined) =>
  new AppError('conflict', 'external_id_taken', {
    details: [detail(['externalIds', source], 'external_id_taken', 'external_id')],
    ...(holder === undefined ? {} : { headers: { location: `/api/v1/flights/${holder}` } }),
  })
