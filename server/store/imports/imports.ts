// Imports. The process that evaluates, commits or undoes an import holds its lease, and each of its writes checks the lease
// in the same transaction.
import { sql } from 'kysely'
import {
  type ImportCounts,
  type ImportMapping,
  type ImportOptions,
  type ImportReceipt,
  type ImportStatus,
  noCounts,
  type SourceId,
} from '../../domain/imports/imports.ts'
import { pick } from '../../domain/pick.ts'
import type { ImportedTrip } from '../../domain/trips/trip.ts'
import { fromJson, fromJsonOrNull, jsonOrNull, toJson } from '../engine/codecs.ts'
import { locksRows } from '../engine/dialect.ts'
import type { Executor } from '../engine/engine.ts'
import { claimFirst, isFree, type Lease, released, releaseOf, renewed } from '../engine/leases.ts'
import { type Builder, query, queryAny, queryByList, queryFirst } from '../engine/query.ts'
import type { RowOf } from '../engine/schema.ts'

/** Questions, answers and drafts are described in `services/imports/drafting/draft.ts`; here they are only stored. */
export interface StoredImport extends Omit<ImportRecord, keyof Documents>, Documents {}
type ImportRecord = Omit<RowOf<'import'>, 'leaseUntil'>
/** Stored as JSON. */
interface Documents {
  options: ImportOptions
  mapping: ImportMapping | null
  confirmedMapping: ImportMapping | null
  counts: ImportCounts
  questions: unknown[]
  trips: ImportedTrip[]
  answers: unknown[]
  problem: ImportProblem | null
  receipt: ImportReceipt | null
}

/** Why an import failed. */
export interface ImportProblem {
  code: string
  message: string
}

const columns = [
  'import.id',
  'import.userId',
  'import.status',
  'import.source',
  'import.detectedBy',
  'import.filename',
  'import.bytes',
  'import.sha256',
  'import.file',
  'import.options',
  'import.mapping',
  'import.confirmedMapping',
  'import.counts',
  'import.questions',
  'import.trips',
  'import.answers',
  'import.problem',
  'import.receipt',
  'import.rowsDone',
  'import.createdCount',
  'import.updatedCount',
  'import.seenChanges',
  'import.version',
  'import.lease',
  'import.attempts',
  'import.createdAt',
  'import.updatedAt',
  'import.committedAt',
  'import.undoneAt',
  'import.expiresAt',
] as const

const toImport = (row: ImportRecord): StoredImport => ({
  ...row,
  options: fromJson(row.options),
  mapping: fromJsonOrNull(row.mapping),
  confirmedMapping: fromJsonOrNull(row.confirmedMapping),
  counts: { ...noCounts, ...fromJson<ImportCounts>(row.counts) },
  questions: fromJson(row.questions),
  trips: fromJson(row.trips),
  answers: fromJson(row.answers),
  problem: fromJsonOrNull(row.problem),
  receipt: fromJsonOrNull(row.receipt),
})

// Imports

/** Below the id `before`, newest first. */
export const listImports = query(
  (db, p: { userId: string; before: number; limit: number }) =>
    db
      .selectFrom('import')
      .select(columns)
      .where('userId', '=', p.userId)
      .where('id', '<', p.before)
      .orderBy('id', 'desc')
      .limit(p.limit),
  toImport,
)

export const findImport = queryFirst(
  (db, p: { userId: string; id: number }) =>
    db.selectFrom('import').select(columns).where('userId', '=', p.userId).where('id', '=', p.id),
  toImport,
)
/** The same, locked until the transaction ends. */
export const lockImport = queryFirst(
  (db, p: { userId: string; id: number }, engine) =>
    db
      .selectFrom('import')
      .select(columns)
      .where('userId', '=', p.userId)
      .where('id', '=', p.id)
      .$if(locksRows(engine), (found) => found.forUpdate()),
  toImport,
)

const byContent = queryFirst(
  (db, p: { userId: string; sha256: string; now: string }) =>
    db
      .selectFrom('import')
      .select(columns)
      .where('userId', '=', p.userId)
      .where('sha256', '=', p.sha256)
      .where('status', 'not in', ['undone', 'failed', 'expired'])
      // The file of a boarding pass is deleted with its commit; the import remains until it expires.
      .where((eb) =>
        eb.or([
          eb('file', 'is not', null),
          eb.and([eb('status', '=', 'committed'), eb('expiresAt', '>', p.now)]),
        ]),
      )
      .where((eb) => {
        const lostFlight = eb
          .selectFrom('importRow')
          .leftJoin('flight', 'flight.id', 'importRow.flightId')
          .select('importRow.id')
          .whereRef('importRow.importId', '=', 'import.id')
          .where('importRow.done', '=', 'created')
          .where('flight.id', 'is', null)
        return eb.or([eb('status', '<>', 'committed'), eb.not(eb.exists(lostFlight))])
      })
      .orderBy('id', 'desc')
      .limit(1),
  toImport,
)
/**
 * The person's newest import of these bytes that can still be used. A committed one of which a flight was deleted cannot: another
 * import finds out which flights are missing.
 */
export const findImportByContent = (
  db: Executor,
  userId: string,
  sha256: string,
  now: Date,
): Promise<StoredImport | undefined> => byContent(db, { userId, sha256, now: now.toISOString() })
/** The person's newest import of these bytes whose file was deleted with its commit. */
export const findForgottenImport = queryFirst(
  (db, p: { userId: string; sha256: string }) =>
    db
      .selectFrom('import')
      .select(columns)
      .where('userId', '=', p.userId)
      .where('sha256', '=', p.sha256)
      .where('status', '=', 'committed')
      .where('file', 'is', null)
      .orderBy('id', 'desc')
      .limit(1),
  toImport,
)

interface NewImport {
  source: SourceId | null
  filename: string
  bytes: number
  sha256: string
  file: string
  options: ImportOptions
  lease: string
  leaseUntil: string
  now: string
  expiresAt: string
}
const insertRow = query((db, p: Omit<NewImport, 'options'> & { userId: string; options: string }) =>
  db
    .insertInto('import')
    .values({
      userId: p.userId,
      status: 'reading',
      source: p.source,
      detectedBy: null,
      ...pick(p, ['filename', 'bytes', 'sha256', 'file', 'options']),
      mapping: null,
      confirmedMapping: null,
      counts: toJson(noCounts),
      questions: '[]',
      answers: '[]',
      problem: null,
      lease: p.lease,
      leaseUntil: p.leaseUntil,
      createdAt: p.now,
      updatedAt: p.now,
      committedAt: null,
      undoneAt: null,
      expiresAt: p.expiresAt,
    })
    .returning(columns),
)
/** The import starts as being read by the holder of the lease. */
export const insertImport = async (tx: Executor, userId: string, given: NewImport): Promise<StoredImport> =>
  toImport((await insertRow(tx, { ...given, userId, options: toJson(given.options) }))[0]!)

interface Restart {
  id: number
  source: SourceId | null
  detectedBy: string | null
  options: ImportOptions
  confirmedMapping: ImportMapping | null
  answers: readonly unknown[]
  lease: string
  leaseUntil: string
  now: string
}
type RestartRow = Omit<Restart, 'options' | 'confirmedMapping' | 'answers'> & {
  options: string
  confirmedMapping: string | null
  answers: string
}
const restart = queryFirst(
  (db, p: RestartRow) =>
    db
      .updateTable('import')
      .set({
        status: 'reading',
        ...pick(p, ['source', 'detectedBy', 'options', 'confirmedMapping', 'answers']),
        problem: null,
        rowsDone: 0,
        version: sql<number>`version + 1`,
        lease: p.lease,
        leaseUntil: p.leaseUntil,
        attempts: 0,
        updatedAt: p.now,
      })
      .where('id', '=', p.id)
      .returning(columns),
  toImport,
)
/** Call it when something that the evaluation depends on has changed. The new lease ends a running evaluation. */
export const restartImport = (tx: Executor, given: Restart): Promise<StoredImport | undefined> =>
  restart(tx, {
    ...given,
    options: toJson(given.options),
    confirmedMapping: jsonOrNull(given.confirmedMapping),
    answers: toJson(given.answers),
  })
/** Also deletes its rows. Returns its file, which the caller removes after the commit; undefined if there was none. */
export const deleteImport = queryFirst((db, p: { userId: string; id: number }) =>
  db.deleteFrom('import').where('userId', '=', p.userId).where('id', '=', p.id).returning('file'),
)

const everyFile = query((db) => db.selectFrom('import').select('file').where('file', 'is not', null))
/** Everyone's files. A stored file that is not among them is left over from a failure. */
export const listAllImportFiles = async (db: Executor): Promise<Set<string>> =>
  new Set((await everyFile(db, {})).flatMap(({ file }) => file ?? []))

// The lease

const unread = (db: Builder, p: { now: string }) =>
  db.selectFrom('import').select('id').where('status', '=', 'reading').where(isFree(p))

/** A read, so that an instance without imports never waits for the write lock. */
export const hasAbandonedImport = queryAny((db, p: { now: string }) => unread(db, p).limit(1))
/** Takes the lease of an import that is being read and that no process works on. */
export const claimAbandonedImport = queryFirst(
  (db, p: Lease, engine) =>
    claimFirst(db, 'import', p, unread(db, p).orderBy('id'), engine)
      .set({ attempts: sql<number>`attempts + 1` })
      .returning(columns),
  toImport,
)
/** For a commit or an undo: the caller has locked the import and checked that the work may begin. */
export const beginImportWork = queryFirst(
  (db, p: Lease & { id: number; status: ImportStatus }) =>
    db
      .updateTable('import')
      .set({
        status: p.status,
        lease: p.lease,
        leaseUntil: p.until,
        rowsDone: 0,
        version: sql<number>`version + 1`,
        updatedAt: p.now,
      })
      .where('id', '=', p.id)
      .returning(columns),
  toImport,
)
/** Extends the lease and records the progress; false if the lease was lost or the import was deleted. */
export const renewImportLease = queryAny(
  (db, p: { id: number; lease: string; until: string; rowsDone: number }) =>
    renewed(db, 'import', p).set({ rowsDone: p.rowsDone }).returning('id'),
)

/** Lets another process continue immediately. */
export const releaseImportLease = releaseOf('import')

// The result of an evaluation

export interface Evaluated {
  id: number
  lease: string
  status: ImportStatus
  source: SourceId | null
  detectedBy: string | null
  mapping: ImportMapping | null
  counts: ImportCounts
  questions: readonly unknown[]
  trips: readonly ImportedTrip[]
  problem: ImportProblem | null
  seenChanges: number | null
  now: string
}
type EvaluatedRow = Omit<Evaluated, 'mapping' | 'counts' | 'questions' | 'trips' | 'problem'> & {
  mapping: string | null
  counts: string
  questions: string
  trips: string
  problem: string | null
}
const finish = queryFirst(
  (db, p: EvaluatedRow) =>
    released(db, 'import', p)
      .set({
        status: p.status,
        source: p.source,
        detectedBy: p.detectedBy,
        mapping: p.mapping,
        counts: p.counts,
        questions: p.questions,
        trips: p.trips,
        problem: p.problem,
        seenChanges: p.seenChanges,
        version: sql<number>`version + 1`,
        updatedAt: p.now,
      })
      .returning(columns),
  toImport,
)
/** Ends an evaluation and releases the lease; undefined if the lease was lost. */
export const saveEvaluation = (tx: Executor, result: Evaluated): Promise<StoredImport | undefined> =>
  finish(tx, {
    ...result,
    mapping: jsonOrNull(result.mapping),
    counts: toJson(result.counts),
    questions: toJson(result.questions),
    trips: toJson(result.trips),
    problem: jsonOrNull(result.problem),
  })

const setTrips = query((db, p: { id: number; trips: string }) =>
  db.updateTable('import').set({ trips: p.trips }).where('id', '=', p.id).returning('id'),
)
/** The caller holds the lease. */
export const updateImportedTrips = (tx: Executor, id: number, trips: readonly ImportedTrip[]) =>
  setTrips(tx, { id, trips: toJson(trips) })
/** Leaves out imports of other people. */
export const listStatuses = queryByList((db, ids: number[], p: { userId: string }) =>
  db.selectFrom('import').select(['id', 'status']).where('id', 'in', ids).where('userId', '=', p.userId),
)
