// The receipt of a commit: what it did to the log, stored with it, because the log goes on.
import { gainOf } from '../../domain/statistics/gain.ts'
import type { Call } from '../../door/operation.ts'
import { listRoutesOfLog, saveReceipt } from '../../store/imports/commits.ts'
import { changesSince } from '../../store/imports/compared-flights.ts'
import { findImport, type StoredImport } from '../../store/imports/imports.ts'
import { countRows } from '../../store/imports/rows.ts'
import { mapAirports } from '../../store/reference/records.ts'
import type { Executor } from '../../store/store.ts'

/** Call it when everything is written. */
export async function writeReceipt(
  { principal }: Pick<Call, 'principal'>,
  tx: Executor,
  { id, options, seenChanges }: StoredImport,
): Promise<void> {
  const userId = principal.user.id
  const written = await findImport(tx, { userId, id })
  if (!written) return
  const { createdCount: created, updatedCount: updated, trips } = written
  const receipt = {
    created,
    updated,
    trips: trips.filter(({ tripId }) => tripId !== null).length,
    ...(await gainOfImport(tx, userId, id)),
    counts: await countRows(tx, id),
  }
  await saveReceipt(tx, {
    id,
    receipt,
    seenChanges: await seenAfter(tx, userId, { id, options, seenChanges }),
  })
}

async function gainOfImport(tx: Executor, userId: string, importId: number) {
  const routes = await listRoutesOfLog(tx, { userId, importId })
  const ids = routes.flatMap(({ fromId, toId }) => [fromId, toId].filter((end) => end !== null))
  const airports = await mapAirports(tx, ids)
  const ends = routes.map(({ fromId, toId, isOfImport }) => ({
    from: airports.get(fromId ?? 0) ?? null,
    to: airports.get(toId ?? 0) ?? null,
    isOfImport: isOfImport === 1,
  }))
  return gainOf(
    ends.filter(({ isOfImport }) => isOfImport),
    ends.filter(({ isOfImport }) => !isOfImport),
  )
}

/** The commit's own changes do not outdate its verdicts. If there were others, the next reader judges again. */
async function seenAfter(
  tx: Executor,
  userId: string,
  { id, options, seenChanges: seen }: Pick<StoredImport, 'id' | 'options' | 'seenChanges'>,
): Promise<number | null> {
  if (seen === null) return null
  const log = options.mode === 'restore' ? null : userId
  const { last, isChanged } = await changesSince(tx, { userId: log, importId: id, seen })
  return isChanged ? seen : last
}
