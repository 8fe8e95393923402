// Imports. The process that evaluates, commits or undoes an import holds its
// lease, and every such write checks the lease in its own transaction.
import { sql } from 'kysely'
import {
  type ImportCounts,
  type ImportMapping,
  type ImportOptions,
  type ImportStatus,
  noCounts,
  type SourceId,
} from '../domain/imports.ts'
import type { ImportedTrip } from '../domain/trip.ts'
import { fromJson, fromJsonOrNull, jsonOrNull, toJson } from './codecs.ts'
import { locksRows } from './dialect.ts'
import type { Executor } from './engine.ts'
import { first, query, queryByList } from './query.ts'

/** Questions, answers and drafts are described in `imports/draft.ts`; here they are only kept. */
export interface StoredImport {
  id: number
  userId: string
  status: ImportStatus
  source: SourceId | null
  detectedBy: string | null
  filename: string
  bytes: number
  sha256: string
  file: string | null
  options: ImportOptions
  mapping: ImportMapping | null
  confirmedMapping: ImportMapping | null
  counts: ImportCounts
  questions: unknown[]
  trips: ImportedTrip[]
  answers: unknown[]
  problem: ImportProblem | null
  rowsDone: number
  createdCount: number
  updatedCount: number
  /** The change of the log that the last evaluation saw; null if there was none. */
  seenChanges: number | null
  version: number
  lease: string | null
  attempts: number
  createdAt: string
  updatedAt: string
  committedAt: string | null
  undoneAt: string | null
  expiresAt: string | null
}

/** Why an import failed. */
export interface ImportProblem {
  code: string
  message: string
}

type JsonNames =
  | 'options'
  | 'mapping'
  | 'confirmedMapping'
  | 'counts'
  | 'questions'
  | 'trips'
  | 'answers'
  | 'problem'
type ImportRecord = Omit<StoredImport, JsonNames> & {
  options: string
  mapping: string | null
  confirmedMapping: string | null
  counts: string
  questions: string
  trips: string
  answers: string
  problem: string | null
}

const columns = [
  'import.id',
  'import.user_id as userId',
  'import.status',
  'import.source',
  'import.detected_by as detectedBy',
  'import.filename',
  'import.bytes',
  'import.sha256',
  'import.file',
  'import.options',
  'import.mapping',
  'import.confirmed_mapping as confirmedMapping',
  'import.counts',
  'import.questions',
  'import.trips',
  'import.answers',
  'import.problem',
  'import.rows_done as rowsDone',
  'import.created_count as createdCount',
  'import.updated_count as updatedCount',
  'import.seen_changes as seenChanges',
  'import.version',
  'import.lease',
  'import.attempts',
  'import.created_at as createdAt',
  'import.updated_at as updatedAt',
  'import.committed_at as committedAt',
  'import.undone_at as undoneAt',
  'import.expires_at as expiresAt',
] as const

const toImport = (row: ImportRecord): StoredImport => ({
  ...row,
  options: fromJson(row.options),
  mapping: fromJsonOrNull(row.mapping),
  confirmedMapping: fromJsonOrNull(row.confirmedMapping),
  counts: fromJson(row.counts),
  questions: fromJson(row.questions),
  trips: fromJson(row.trips),
  answers: fromJson(row.answers),
  problem: fromJsonOrNull(row.problem),
})
const orUndefined = (row: ImportRecord | undefined) => row && toImport(row)

// Imports

const page = query<{ userId: string; before: number; limit: number }, ImportRecord>((db, p) =>
  db
    .selectFrom('import')
    .select(columns)
    .where('user_id', '=', p.userId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
)
/** Below the id `before`, newest first. */
export const listImports = async (
  db: Executor,
  request: { userId: string; before: number; limit: number },
): Promise<StoredImport[]> => (await page(db, request)).map(toImport)

const ownById = query<{ userId: string; id: number }, ImportRecord>((db, p) =>
  db.selectFrom('import').select(columns).where('user_id', '=', p.userId).where('id', '=', p.id),
)
export const findImport = async (
  db: Executor,
  userId: string,
  id: number,
): Promise<StoredImport | undefined> => orUndefined(await first(ownById(db, { userId, id })))

const locked = query<{ userId: string; id: number }, ImportRecord>((db, p, engine) =>
  db
    .selectFrom('import')
    .select(columns)
    .where('user_id', '=', p.userId)
    .where('id', '=', p.id)
    .$if(locksRows(engine), (found) => found.forUpdate()),
)
/** The same, and no other transaction changes it until this one ends. */
export const lockImport = async (
  tx: Executor,
  userId: string,
  id: number,
): Promise<StoredImport | undefined> => orUndefined(await first(locked(tx, { userId, id })))

const byContent = query<{ userId: string; sha256: string; now: string }, ImportRecord>((db, p) =>
  db
    .selectFrom('import')
    .select(columns)
    .where('user_id', '=', p.userId)
    .where('sha256', '=', p.sha256)
    .where('status', 'not in', ['undone', 'failed', 'expired'])
    // The file of a boarding pass is gone with its commit; the import is known until it expires.
    .where((eb) =>
      eb.or([
        eb('file', 'is not', null),
        eb.and([eb('status', '=', 'committed'), eb('expires_at', '>', p.now)]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(1),
)
/** The person's newest import of these bytes that can still be used. */
export const findImportByContent = async (
  db: Executor,
  userId: string,
  sha256: string,
  now: Date,
): Promise<StoredImport | undefined> =>
  orUndefined(await first(byContent(db, { userId, sha256, now: now.toISOString() })))

const forgotten = query<{ userId: string; sha256: string }, ImportRecord>((db, p) =>
  db
    .selectFrom('import')
    .select(columns)
    .where('user_id', '=', p.userId)
    .where('sha256', '=', p.sha256)
    .where('status', '=', 'committed')
    .where('file', 'is', null)
    .orderBy('id', 'desc')
    .limit(1),
)
/** The person's newest import of these bytes whose file was forgotten with its commit. */
export const findForgottenImport = async (
  db: Executor,
  userId: string,
  sha256: string,
): Promise<StoredImport | undefined> => orUndefined(await first(forgotten(db, { userId, sha256 })))

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
const insertRow = query<Omit<NewImport, 'options'> & { userId: string; options: string }, ImportRecord>(
  (db, p) =>
    db
      .insertInto('import')
      .values({
        user_id: p.userId,
        status: 'reading',
        source: p.source,
        detected_by: null,
        filename: p.filename,
        bytes: p.bytes,
        sha256: p.sha256,
        file: p.file,
        options: p.options,
        mapping: null,
        confirmed_mapping: null,
        counts: toJson(noCounts),
        questions: '[]',
        answers: '[]',
        problem: null,
        lease: p.lease,
        lease_until: p.leaseUntil,
        created_at: p.now,
        updated_at: p.now,
        committed_at: null,
        undone_at: null,
        expires_at: p.expiresAt,
      })
      .returning(columns),
)
/** Being read from the start, by the holder of the lease. */
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
const restart = query<RestartRow, ImportRecord>((db, p) =>
  db
    .updateTable('import')
    .set({
      status: 'reading',
      source: p.source,
      detected_by: p.detectedBy,
      options: p.options,
      confirmed_mapping: p.confirmedMapping,
      answers: p.answers,
      problem: null,
      rows_done: 0,
      version: sql<number>`version + 1`,
      lease: p.lease,
      lease_until: p.leaseUntil,
      attempts: 0,
      updated_at: p.now,
    })
    .where('id', '=', p.id)
    .returning(columns),
)
/** What the evaluation depends on has changed. The new lease ends an evaluation that is under way. */
export const restartImport = async (tx: Executor, given: Restart): Promise<StoredImport | undefined> =>
  orUndefined(
    await first(
      restart(tx, {
        ...given,
        options: toJson(given.options),
        confirmedMapping: jsonOrNull(given.confirmedMapping),
        answers: toJson(given.answers),
      }),
    ),
  )

const remove = query<{ userId: string; id: number }, { file: string | null }>((db, p) =>
  db.deleteFrom('import').where('user_id', '=', p.userId).where('id', '=', p.id).returning('file'),
)
/** With its rows. Returns its file, which the caller removes after the commit; undefined if there was none. */
export const deleteImport = (tx: Executor, userId: string, id: number) => first(remove(tx, { userId, id }))

const everyFile = query<object, { file: string | null }>((db) =>
  db.selectFrom('import').select('file').where('file', 'is not', null),
)
/** Of everyone: files that no import names are left over from a failure. */
export const listAllImportFiles = async (db: Executor): Promise<Set<string>> =>
  new Set((await everyFile(db, {})).flatMap(({ file }) => file ?? []))

// The lease

interface Lease {
  lease: string
  until: string
  now: string
}

const abandoned = query<{ now: string }, { id: number }>((db, p) =>
  db
    .selectFrom('import')
    .select('id')
    .where('status', '=', 'reading')
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', p.now)]))
    .limit(1),
)
/** A read, so that an instance without imports never waits to write. */
export const hasAbandonedImport = async (db: Executor, now: string): Promise<boolean> =>
  (await abandoned(db, { now })).length > 0

const claim = query<Lease, ImportRecord>((db, p, engine) =>
  db
    .updateTable('import')
    .set({ lease: p.lease, lease_until: p.until, attempts: sql<number>`attempts + 1` })
    .where('id', '=', () =>
      db
        .selectFrom('import')
        .select('id')
        .where('status', '=', 'reading')
        .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', p.now)]))
        .orderBy('id')
        .limit(1)
        .$if(locksRows(engine), (found) => found.forUpdate().skipLocked()),
    )
    .returning(columns),
)
/** Takes the lease of an import that is being read and that no process works on. */
export const claimAbandonedImport = async (tx: Executor, lease: Lease): Promise<StoredImport | undefined> =>
  orUndefined(await first(claim(tx, lease)))

const take = query<Lease & { id: number; status: ImportStatus }, ImportRecord>((db, p) =>
  db
    .updateTable('import')
    .set({
      status: p.status,
      lease: p.lease,
      lease_until: p.until,
      rows_done: 0,
      version: sql<number>`version + 1`,
      updated_at: p.now,
    })
    .where('id', '=', p.id)
    .returning(columns),
)
/** For a commit or an undo: the caller locked the import and saw that it may begin. */
export const beginImportWork = async (
  tx: Executor,
  work: Lease & { id: number; status: ImportStatus },
): Promise<StoredImport | undefined> => orUndefined(await first(take(tx, work)))

const renew = query<{ id: number; lease: string; until: string; rowsDone: number }, { id: number }>((db, p) =>
  db
    .updateTable('import')
    .set({ lease_until: p.until, rows_done: p.rowsDone })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease)
    .returning('id'),
)
/** Extends the lease and notes how far the work is; false if the lease was lost or the import deleted. */
export const renewImportLease = async (
  tx: Executor,
  lease: { id: number; lease: string; until: string; rowsDone: number },
): Promise<boolean> => (await renew(tx, lease)).length > 0

const release = query<{ id: number; lease: string }, { id: number }>((db, p) =>
  db
    .updateTable('import')
    .set({ lease: null, lease_until: null })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease)
    .returning('id'),
)
/** Another process may go on at once. */
export const releaseImportLease = (tx: Executor, id: number, lease: string) => release(tx, { id, lease })

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
const finish = query<EvaluatedRow, ImportRecord>((db, p) =>
  db
    .updateTable('import')
    .set({
      status: p.status,
      source: p.source,
      detected_by: p.detectedBy,
      mapping: p.mapping,
      counts: p.counts,
      questions: p.questions,
      trips: p.trips,
      problem: p.problem,
      seen_changes: p.seenChanges,
      version: sql<number>`version + 1`,
      lease: null,
      lease_until: null,
      updated_at: p.now,
    })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease)
    .returning(columns),
)
/** Ends an evaluation and its lease; undefined if the lease was lost. */
export const saveEvaluation = async (tx: Executor, result: Evaluated): Promise<StoredImport | undefined> =>
  orUndefined(
    await first(
      finish(tx, {
        ...result,
        mapping: jsonOrNull(result.mapping),
        counts: toJson(result.counts),
        questions: toJson(result.questions),
        trips: toJson(result.trips),
        problem: jsonOrNull(result.problem),
      }),
    ),
  )

const setTrips = query<{ id: number; trips: string }, { id: number }>((db, p) =>
  db.updateTable('import').set({ trips: p.trips }).where('id', '=', p.id).returning('id'),
)
/** The caller holds the lease. */
export const updateImportedTrips = (tx: Executor, id: number, trips: readonly ImportedTrip[]) =>
  setTrips(tx, { id, trips: toJson(trips) })

const statusesOf = queryByList<number, { id: number; status: ImportStatus }, { userId: string }>(
  (db, ids, p) =>
    db.selectFrom('import').select(['id', 'status']).where('id', 'in', ids).where('user_id', '=', p.userId),
)
/** Of those of these imports that are this person's. */
export const listStatuses = (db: Executor, userId: string, ids: readonly number[]) =>
  statusesOf(db, ids, { userId })
