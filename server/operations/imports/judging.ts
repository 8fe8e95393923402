// Judges an import again: after a change of the person's, or because the log that its records were compared with has changed.
import type { Call } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { changesSince } from '../../store/imports/compared-flights.ts'
import { lockImport, restartImport, type StoredImport } from '../../store/imports/imports.ts'
import type { Executor, Transaction } from '../../store/store.ts'
import { evaluated } from './preview.ts'
import { requireOwnImport } from './view.ts'

type Restarted = Parameters<typeof restartImport>[1]

/** Starts an evaluation, which ends a running one. */
export async function restart(
  tx: Transaction,
  found: StoredImport,
  changed: Partial<Restarted> & Pick<Restarted, 'lease' | 'leaseUntil' | 'now'>,
): Promise<StoredImport> {
  const { id, source, detectedBy, options, confirmedMapping, answers } = found
  return (await restartImport(tx, {
    ...{ id, source, detectedBy, options, confirmedMapping, answers },
    ...changed,
  }))!
}

/**
 * The caller's import with verdicts of the log as it is now. A small file is judged before the response. `whole` waits for a large
 * one too; otherwise the import is then being read.
 */
export async function judgedNow(
  { services, principal, now }: Pick<Call, 'services' | 'principal' | 'now'>,
  id: number,
  { whole }: { whole: boolean } = { whole: false },
): Promise<StoredImport> {
  const { store, imports } = services
  const found = await requireOwnImport(store.read, principal, id)
  if (!(await isOutdated(services, store.read, found))) return found
  const { lease, until: leaseUntil } = imports.newLease()
  const restarted = await store.transaction(async (tx) => {
    const current = await lockImport(tx, { userId: principal.user.id, id })
    if (!current || !(await isOutdated(services, tx, current))) return undefined
    return restart(tx, current, { lease, leaseUntil, now: now.toISOString() })
  })
  if (restarted && whole) await imports.evaluate(restarted, lease)
  else if (restarted) await evaluated(services, restarted, lease)
  return requireOwnImport(store.read, principal, id)
}

const canBeJudged = ({ status }: StoredImport): boolean =>
  status === 'questions' || status === 'ready' || status === 'committed'

/** Whether its open records would be compared with another log than they were. Without the file, they stay as they are. */
async function isOutdated({ importFiles }: Services, db: Executor, given: StoredImport): Promise<boolean> {
  const { id, seenChanges: seen, file, counts, createdCount, updatedCount, options } = given
  if (!canBeJudged(given) || seen === null || file === null) return false
  if (counts.rows <= createdCount + updatedCount) return false
  const userId = options.mode === 'restore' ? null : given.userId
  const { isChanged } = await changesSince(db, { userId, importId: id, seen })
  return isChanged && importFiles.has(file, db)
}
