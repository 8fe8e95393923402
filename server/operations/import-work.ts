// What commits and undoes of imports have in common: one process at a time works on an import, in batches that are each a
// transaction and check the lease. A killed process leaves whole batches, and the next one goes on after the lease.
import { principalNow, roleMayUse } from '../auth/principal.ts'
import { AppError, notFound } from '../base/errors.ts'
import { randomText } from '../base/secrets.ts'
import type { Scope } from '../domain/access.ts'
import { IMPORT_EXPIRES_DAYS, type ImportStatus } from '../domain/imports.ts'
import type { PlainReason } from '../domain/reasons.ts'
import { sourceNamed } from '../imports/sources.ts'
import type { Call } from '../operation.ts'
import { holdFlightChanges } from '../store/changes.ts'
import { markImportRedone, markImportUndone } from '../store/history.ts'
import { addToCommitted, finishImportWork, isLeased, listCommitRows } from '../store/import-commits.ts'
import { forgetTexts } from '../store/import-expiry.ts'
import { countRows } from '../store/import-rows.ts'
import {
  beginImportWork,
  findImport,
  type ImportProblem,
  lockImport,
  releaseImportLease,
  renewImportLease,
  type StoredImport,
} from '../store/imports.ts'
import { type Executor, foreignKeyViolation, type Transaction } from '../store/store.ts'
import { importAuthor } from './authors.ts'
import { requireOwnImport } from './import-view.ts'

/** Each batch extends it; a process that was killed is waited for no longer than this. */
const LEASE_MS = 30_000
/** Rows in one transaction: other writers on SQLite wait for no more. */
export const ROWS_AT_ONCE = 500
/** What takes longer goes on after the response. */
const ROWS_IN_A_REQUEST = 2000
const DAY_MS = 86_400_000
/** How often a batch is tried in which something was deleted between the check and the write. */
const ATTEMPTS_AT_MOST = 5

const conflict = (reason: PlainReason) => new AppError('conflict', reason)

/** An import that this process works on. */
export interface Held<Saved extends Attempted = Attempted> {
  /** As it was before. */
  given: StoredImport
  lease: string
  /** What a repetition of the request needs of it; saved with its first and its last effect. */
  saved: Saved
}

export interface Attempted {
  lease: string
  /** Nothing was left to do. */
  isFinished?: boolean
}

/** What an earlier attempt of the request saved. */
export const attemptOf = ({ progress }: Pick<Call, 'progress'>): Attempted | null =>
  (progress?.done as Attempted | undefined) ?? null

/**
 * Takes the import for a commit or an undo. Refuses it while it is read or worked on, except by an earlier attempt of the same
 * request, which ends then; `requireReady` refuses other states.
 */
export async function hold(
  call: Call,
  id: number,
  status: 'committing' | 'undoing',
  requireReady: (given: StoredImport) => void,
): Promise<Held> {
  const { services, principal } = call
  const before = attemptOf(call)
  const lease = randomText(16)
  return services.store.transaction(async (tx) => {
    const given = await lockImport(tx, principal.user.id, id)
    if (!given) throw notFound('Import')
    const now = services.clock.now()
    const at = new Date(now).toISOString()
    if (given.status === 'reading') throw conflict('import_reading')
    if (await isLeased(tx, id, at, before?.lease)) throw conflict('import_busy')
    requireReady(given)
    const until = new Date(now + LEASE_MS).toISOString()
    await beginImportWork(tx, { id, status, lease, until, now: at })
    const saved = { ...before, lease }
    await call.progress?.save(tx, saved)
    return { given, lease, saved }
  })
}

/** What a batch did; null: it found nothing more to do. */
export interface Step {
  rows: number
  created: number
  updated: number
  /** Flights that a commit brought back from the bin. */
  restored?: readonly number[]
}

/** Thrown inside a transaction: the caller may no longer do this. */
class AccessLost extends Error {}

const accessLost: ImportProblem = {
  code: 'access_lost',
  message:
    'The import was stopped, because the credential that began it has ended or the role no longer permits it. What was written is kept.',
}

/** Thrown inside a transaction: another process took over, or the import was stopped or deleted. */
class LeaseLost extends Error {}

interface Work {
  held: Held
  /** What all of its batches need. It is checked again for each: rights can be taken away meanwhile. */
  needed: Iterable<Scope>
  /** Works on the next batch inside the transaction. It may be run again. */
  batch(call: Call): Promise<Step | null>
  /** The batch is committed. */
  advance(): void
  /** How the import is shown when nothing is left. */
  status: 'committed' | 'undone'
}

/** Runs batches until nothing is left, the server stops or the lease is lost. */
async function runBatches(call: Call, work: Work, signal?: AbortSignal): Promise<void> {
  let rowsDone = 0
  try {
    while (!signal?.aborted) {
      const step = await inOneTransaction(call, work, rowsDone)
      if (!step) return await finish(call, work.held, work.status)
      rowsDone += step.rows
      work.advance()
    }
    await release(call, work.held)
  } catch (error) {
    if (error instanceof AccessLost) await stopHeld(call, work.held)
    else if (!(error instanceof LeaseLost)) throw error
  }
}

async function inOneTransaction(call: Call, work: Work, rowsDone: number): Promise<Step | null> {
  const { services } = call
  for (let attempt = 1; ; attempt++) {
    try {
      return await services.bulkTurns(
        () => services.store.transaction((tx) => writeBatch(call, work, rowsDone, tx)),
        'server',
      )
    } catch (error) {
      if (attempt === ATTEMPTS_AT_MOST || !foreignKeyViolation(error)) throw error
    }
  }
}

async function writeBatch(
  call: Call,
  { held, batch, status, needed }: Work,
  rowsDone: number,
  tx: Transaction,
): Promise<Step | null> {
  const { services } = call
  const { id } = held.given
  const now = new Date(services.clock.now())
  const until = new Date(now.getTime() + LEASE_MS).toISOString()
  if (!(await renewImportLease(tx, { id, lease: held.lease, until, rowsDone }))) throw new LeaseLost()
  const principal = await principalNow(tx, call.principal)
  if (!principal || ![...needed].every((scope) => roleMayUse(principal, scope))) throw new AccessLost()
  const changes = holdFlightChanges(tx)
  const revisions = { ...principal.revisions, flights: call.principal.revisions.flights }
  const step = await batch({ ...call, db: changes.tx, now, principal: { ...principal, revisions } })
  if (step) await addToCommitted(tx, { id, created: step.created, updated: step.updated })
  const numbers = await changes.record(importAuthor(call, id), now.toISOString())
  if (numbers.size > 0) await linkHistory(tx, { id, status, restored: step?.restored ?? [] }, numbers)
  return step
}

/** An undo of single changes passes over what was taken back as a whole. */
async function linkHistory(
  tx: Transaction,
  { id, status, restored }: { id: number; status: Work['status']; restored: readonly number[] },
  numbers: ReadonlyMap<number, number>,
): Promise<void> {
  const given = { importId: id, from: Math.min(...numbers.values()) }
  if (status === 'undone') await markImportUndone(tx, [...numbers.keys()], given)
  else if (restored.length > 0) await markImportRedone(tx, restored, given)
}

async function finish(call: Call, { given, lease, saved }: Held, status: Work['status']): Promise<void> {
  const { store, clock } = call.services
  const at = new Date(clock.now()).toISOString()
  await store.transaction(async (tx) => {
    await call.progress?.save(tx, { ...saved, isFinished: true })
    await endWork(
      call,
      tx,
      { given, lease },
      {
        status,
        committedAt: status === 'committed' ? at : given.committedAt,
        undoneAt: status === 'committed' ? null : at,
      },
    )
  })
  if (status === 'committed') await forgetSecrets(call, given)
}

type Leased = Pick<Held, 'given' | 'lease'>
type Outcome = Pick<Parameters<typeof finishImportWork>[1], 'status' | 'committedAt' | 'undoneAt' | 'problem'>

/** Ends the lease. The rows are counted as they are now, and the import is kept for its days from now on. */
async function endWork(
  { services }: Call,
  tx: Executor,
  { given: { id }, lease }: Leased,
  outcome: Outcome,
): Promise<void> {
  const now = services.clock.now()
  await finishImportWork(tx, {
    ...outcome,
    id,
    lease,
    counts: await countRows(tx, id),
    now: new Date(now).toISOString(),
    expiresAt: new Date(now + IMPORT_EXPIRES_DAYS * DAY_MS).toISOString(),
  })
}

/** A boarding pass opens its booking: once nothing of the file is open, it is not kept. */
async function forgetSecrets({ services }: Call, { id, userId, source, file }: StoredImport): Promise<void> {
  const { store, importFiles, clock } = services
  if (!source || file === null || !sourceNamed(source)?.opensBookings) return
  const after = await findImport(store.read, userId, id)
  if (after?.status !== 'committed' || after.counts.question + after.counts.similar > 0) return
  const left = { importId: id, after: 0, limit: 1, withDuplicates: false }
  if ((await listCommitRows(store.read, left)).length > 0) return
  await forgetTexts(store, id, new Date(clock.now()).toISOString())
  await importFiles.remove(file)
}

/** Another request may go on at once. */
const release = ({ services }: Call, { given, lease }: Held) =>
  services.store.transaction((tx) => releaseImportLease(tx, given.id, lease))

/** Before anything was written: the import is as it was. */
export async function letGo({ services }: Call, { given, lease }: Held): Promise<void> {
  const now = new Date(services.clock.now()).toISOString()
  await services.store.transaction(async (tx) => {
    const { id, status, counts, committedAt, undoneAt, expiresAt } = given
    await finishImportWork(tx, { id, lease, status, counts, now, committedAt, undoneAt, expiresAt })
  })
}

/** Few rows are written before the response; many after it, and the response shows an import that is worked on. */
export async function runNowOrLater(call: Call, work: Work, rows: number): Promise<StoredImport> {
  const { services } = call
  const { id } = work.held.given
  if (rows <= ROWS_IN_A_REQUEST) await runOrRelease(call, work)
  else {
    const later = { ...call, progress: undefined }
    services.background.start(`import ${id}`, (signal) => runOrRelease(later, work, signal))
  }
  return requireOwnImport(services.store.read, call.principal, id)
}

/** After a failure the next request need not wait for the lease. */
async function runOrRelease(call: Call, work: Work, signal?: AbortSignal): Promise<void> {
  try {
    await runBatches(call, work, signal)
  } catch (error) {
    await release(call, work.held).catch(() => undefined)
    throw error
  }
}

/** Ends the work of whichever process holds the lease, after its current batch. What is written stays. */
export async function stopWork(call: Call, id: number): Promise<StoredImport> {
  const { services, principal, db: tx } = call
  const given = await lockImport(tx, principal.user.id, id)
  if (!given) throw notFound('Import')
  if (given.status !== 'committing' && given.status !== 'undoing') return given
  const at = new Date(services.clock.now()).toISOString()
  const lease = randomText(16)
  await beginImportWork(tx, { id, status: given.status, lease, until: at, now: at })
  await endEarly(call, tx, { given, lease }, null)
  return (await findImport(tx, principal.user.id, id))!
}

/** What is written stays, as one import that can be undone or committed further. */
async function endEarly(
  call: Call,
  tx: Executor,
  { given, lease }: Leased,
  problem: ImportProblem | null,
): Promise<void> {
  const at = new Date(call.services.clock.now()).toISOString()
  const isBegun = given.committedAt !== null || given.createdCount + given.updatedCount > 0
  const status: ImportStatus = isBegun ? 'committed' : given.counts.question > 0 ? 'questions' : 'ready'
  const committedAt = isBegun ? (given.committedAt ?? at) : null
  await endWork(call, tx, { given, lease }, { status, committedAt, undoneAt: null, problem })
}

/** Its counts are read again: they were less when the work began. */
const stopHeld = (call: Call, { given, lease }: Held): Promise<void> =>
  call.services.store.transaction(async (tx) => {
    const now = await lockImport(tx, given.userId, given.id)
    if (now) await endEarly(call, tx, { given: now, lease }, accessLost)
  })
