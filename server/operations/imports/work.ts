// Shared by commits and undos of imports: one process at a time works on an import, in batches. Each batch is a transaction
// and checks the lease. A killed process leaves complete batches, and the next one continues after the lease has expired.

import { AppError, notFound } from '../../base/errors.ts'
import type { Scope } from '../../domain/access/access.ts'
import { IMPORT_EXPIRES_DAYS, type ImportStatus } from '../../domain/imports/imports.ts'
import type { PlainReason } from '../../domain/reasons.ts'
import { PASS_OFFER_DAYS, PASS_ROWS_AT_MOST } from '../../domain/status/kept-pass.ts'
import { endsAt, loggedSpan } from '../../domain/status/travel-day.ts'
import { DAY } from '../../domain/time/durations.ts'
import type { Call } from '../../door/operation.ts'
import { principalNow, roleMayUse } from '../../services/access/principal.ts'
import type { Draft } from '../../services/imports/drafting/draft.ts'
import { sourceNamed } from '../../services/imports/reading/sources.ts'
import { newLease } from '../../store/engine/leases.ts'
import { pipelined } from '../../store/engine/pipelined.ts'
import { findFlights } from '../../store/flights/flights.ts'
import { holdFlightChanges } from '../../store/history/changes.ts'
import { markImportRedone, markImportUndone } from '../../store/history/history.ts'
import { addToCommitted, finishImportWork, isLeased, listCommitRows } from '../../store/imports/commits.ts'
import { forgetTexts, updateExpiry } from '../../store/imports/expiry.ts'
import {
  beginImportWork,
  findImport,
  type ImportProblem,
  lockImport,
  releaseImportLease,
  renewImportLease,
  type StoredImport,
} from '../../store/imports/imports.ts'
import { countRows, listRows, type StoredRow } from '../../store/imports/rows.ts'
import { type Executor, foreignKeyViolation, type Transaction } from '../../store/store.ts'
import { importAuthor } from '../flights/author.ts'
import { writeReceipt } from './receipt.ts'
import { requireOwnImport } from './view.ts'

/** Each batch renews it; a killed process blocks an import for at most this long. */
const LEASE_MS = 30_000
/** Rows in one transaction, which is how long other writers on SQLite wait. */
export const ROWS_AT_ONCE = 500
/** More rows than this are finished after the response. */
const ROWS_IN_A_REQUEST = 2000
/** How often a batch is retried if something was deleted between the check and the write. */
const ATTEMPTS_AT_MOST = 5

const conflict = (reason: PlainReason) => new AppError('conflict', reason)

/** An import that this process is working on. */
export interface Held<Saved extends Attempted = Attempted> {
  /** The import as it was before. */
  given: StoredImport
  lease: string
  /** What a repeat of the request needs to know; saved with its first and its last effect. */
  saved: Saved
}

export interface Attempted {
  lease: string
  /** Nothing was left to do. */
  isFinished?: boolean
}

/** The progress that an earlier attempt of the request saved. */
export const attemptOf = ({ progress }: Pick<Call, 'progress'>): Attempted | null =>
  (progress?.done as Attempted | undefined) ?? null

/**
 * Claims the import for a commit or an undo. Throws if it is being read or worked on, unless by an earlier attempt of
 * the same request, which is then ended. `requireReady` rejects other states.
 */
export async function hold(
  call: Call,
  id: number,
  status: 'committing' | 'undoing',
  requireReady: (given: StoredImport) => void,
): Promise<Held> {
  const { services, principal } = call
  const before = attemptOf(call)
  return services.store.transaction(async (tx) => {
    const given = await lockImport(tx, { userId: principal.user.id, id })
    if (!given) throw notFound('Import')
    const lease = newLease(services.clock, LEASE_MS)
    if (given.status === 'reading') throw conflict('import_reading')
    if (await isLeased(tx, id, lease.now, before?.lease)) throw conflict('import_busy')
    requireReady(given)
    await beginImportWork(tx, { id, status, ...lease })
    const saved = { ...before, lease: lease.lease }
    await call.progress?.save(tx, saved)
    return { given, lease: lease.lease, saved }
  })
}

/** The effect of a batch; null if nothing was left to do. */
export interface Step {
  rows: number
  created: number
  updated: number
  /** Flights that a commit restored from the bin. */
  restored?: readonly number[]
}

/** Thrown inside a transaction: the caller has lost the necessary access. */
class AccessLost extends Error {}

const accessLost: ImportProblem = {
  code: 'access_lost',
  message:
    'The import was stopped: the credential that started it is no longer valid, or the role no longer permits it. Flights written so far are kept.',
}

/** Thrown inside a transaction: another process took over, or the import was stopped or deleted. */
class LeaseLost extends Error {}

interface Work {
  held: Held
  /** The scopes that all batches need. Checked for each batch, because access can be revoked meanwhile. */
  needed: Iterable<Scope>
  /** Works on the next batch inside the transaction, which may be retried. */
  batch(call: Call): Promise<Step | null>
  /** Called when the batch is committed. */
  advance(): void
  /** The status of the import when nothing is left. */
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
  const step = await pipelined(changes.tx, (db) =>
    batch({ ...call, db, now, principal: { ...principal, revisions } }),
  )
  if (step) await addToCommitted(tx, { id, created: step.created, updated: step.updated })
  const numbers = await changes.record(importAuthor(call, id), now.toISOString())
  if (numbers.size > 0) await linkHistory(tx, { id, status, restored: step?.restored ?? [] }, numbers)
  return step
}

/** Lets an undo of single changes skip what was undone as a whole. */
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
    if (status === 'committed') await writeReceipt(call, tx, given)
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

/** Ends the lease. Counts the rows again and restarts the retention period of the import. */
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
    expiresAt: new Date(now + IMPORT_EXPIRES_DAYS * DAY).toISOString(),
  })
}

/**
 * A boarding pass gives access to its booking: its file is deleted as soon as no row is open. If it can be kept for its flight, the
 * person has two days to say so.
 */
async function forgetSecrets({ services }: Call, { id, userId, source, file }: StoredImport): Promise<void> {
  const { store, importFiles, clock } = services
  if (!source || file === null || !sourceNamed(source)?.opensBookings) return
  const after = await findImport(store.read, { userId, id })
  if (after?.status !== 'committed' || after.counts.question + after.counts.similar > 0) return
  const left = { importId: id, after: 0, limit: 1, withDuplicates: false }
  if ((await listCommitRows(store.read, left)).length > 0) return
  const now = clock.now()
  if (await hasPassToKeep(store.read, { id, userId }, now)) {
    const expiresAt = new Date(now + PASS_OFFER_DAYS * DAY).toISOString()
    await store.transaction((tx) => updateExpiry(tx, { id, expiresAt }))
    return
  }
  await forgetTexts(store, id, new Date(now).toISOString())
  await importFiles.remove(file)
}

/** Whether it brought a wallet pass of a flight of the person that is not over. */
async function hasPassToKeep(
  db: Executor,
  { id, userId }: Pick<StoredImport, 'id' | 'userId'>,
  now: number,
): Promise<boolean> {
  const rows = await listRows(db, { importId: id, after: 0, limit: PASS_ROWS_AT_MOST })
  const isPass = ({ draft }: StoredRow) => (draft as Draft | null)?.externalIds['pkpass'] !== undefined
  if (!rows.some(isPass)) return false
  const ids = rows.flatMap(({ flightId, of }) => flightId ?? (of && 'flightId' in of ? of.flightId : []))
  const flights = await findFlights(db, [...new Set(ids)])
  return flights.some(
    (flight) => flight.passengers.some((one) => one.userId === userId) && endsAt(loggedSpan(flight)) > now,
  )
}

/** Lets another request continue immediately. */
const release = ({ services }: Call, { given, lease }: Held) =>
  services.store.transaction((tx) => releaseImportLease(tx, { id: given.id, lease }))

/** For a failure before anything was written: restores the import's state. */
export async function letGo({ services }: Call, { given, lease }: Held): Promise<void> {
  const now = new Date(services.clock.now()).toISOString()
  await services.store.transaction(async (tx) => {
    const { id, status, counts, committedAt, undoneAt, expiresAt } = given
    await finishImportWork(tx, { id, lease, status, counts, now, committedAt, undoneAt, expiresAt })
  })
}

/** Writes few rows before the response. Many are written after it, and the response shows an import in progress. */
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

/** Releases the import after a failure, so that the next request need not wait for the lease. */
async function runOrRelease(call: Call, work: Work, signal?: AbortSignal): Promise<void> {
  try {
    await runBatches(call, work, signal)
  } catch (error) {
    await release(call, work.held).catch(() => undefined)
    throw error
  }
}

/** Ends the work of the process that holds the lease, after its current batch. Written rows stay. */
export async function stopWork(call: Call, id: number): Promise<StoredImport> {
  const { services, principal, db: tx } = call
  const given = await lockImport(tx, { userId: principal.user.id, id })
  if (!given) throw notFound('Import')
  if (given.status !== 'committing' && given.status !== 'undoing') return given
  const lease = newLease(services.clock, 0)
  await beginImportWork(tx, { id, status: given.status, ...lease })
  await endEarly(call, tx, { given, lease: lease.lease }, null)
  return (await findImport(tx, { userId: principal.user.id, id }))!
}

/** Written rows stay, as one import that can be undone or committed further. */
async function endEarly(
  call: Call,
  tx: Executor,
  { given, lease }: Leased,
  problem: ImportProblem | null,
): Promise<void> {
  const at = new Date(call.services.clock.now()).toISOString()
  const isBegun = given.committedAt !== null || given.createdCount + given.updatedCount > 0
  if (isBegun) await writeReceipt(call, tx, given)
  const status: ImportStatus = isBegun ? 'committed' : given.counts.question > 0 ? 'questions' : 'ready'
  const committedAt = isBegun ? (given.committedAt ?? at) : null
  await endWork(call, tx, { given, lease }, { status, committedAt, undoneAt: null, problem })
}

/** Counts the rows again, because there are more than when the work began. */
const stopHeld = (call: Call, { given, lease }: Held): Promise<void> =>
  call.services.store.transaction(async (tx) => {
    const now = await lockImport(tx, { userId: given.userId, id: given.id })
    if (now) await endEarly(call, tx, { given: now, lease }, accessLost)
  })
