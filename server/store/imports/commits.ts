// Reads and writes for committing and undoing an import: its rows in pages, and their outcomes. The caller holds the
// lease of the import (store/imports/imports.ts).
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type {
  ImportCounts,
  ImportReceipt,
  ImportStatus,
  ImportWarning,
  RowCode,
  Verdict,
} from '../../domain/imports/imports.ts'
import { riskOf } from '../../domain/imports/remarks.ts'
import { updateMany } from '../engine/bulk.ts'
import { fromJsonOrNull, jsonOrNull, toJson } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { released } from '../engine/leases.ts'
import { first, query, queryByList } from '../engine/query.ts'
import type { ImportProblem } from './imports.ts'
import { findLastRow, type RowRecord, type StoredRow } from './rows.ts'

// The lease

const leaseOf = query((db, p: { id: number }) =>
  db.selectFrom('import').select(['lease', 'leaseUntil as until']).where('id', '=', p.id),
)
/** Whether a process is working on the import with a lease other than `own`. */
export async function isLeased(tx: Executor, id: number, now: string, own?: string): Promise<boolean> {
  const { lease = null, until = null } = (await first(leaseOf(tx, { id }))) ?? {}
  return until !== null && until > now && lease !== own
}

interface Progress {
  id: number
  created: number
  updated: number
}
/** Adds what a batch created and updated; negative for an undo. */
export const addToCommitted = query((db, p: Progress) =>
  db
    .updateTable('import')
    .set({
      createdCount: sql<number>`created_count + ${p.created}`,
      updatedCount: sql<number>`updated_count + ${p.updated}`,
      version: sql<number>`version + 1`,
    })
    .where('id', '=', p.id)
    .returning('id'),
)

const noteReceipt = query((db, p: { id: number; receipt: string; seenChanges: number | null }) =>
  db
    .updateTable('import')
    .set({ receipt: p.receipt, seenChanges: p.seenChanges })
    .where('id', '=', p.id)
    .returning('id'),
)
/** Stores what a commit did, and the last change of the log that its verdicts take into account. */
export const saveReceipt = (
  tx: Executor,
  { id, receipt, seenChanges }: { id: number; receipt: ImportReceipt; seenChanges: number | null },
) => noteReceipt(tx, { id, seenChanges, receipt: toJson(receipt) })

const span = query((db, p: { userId: string }) =>
  db
    .selectFrom('flightPassenger')
    .select((eb) => [eb.fn.min('flightDate').as('first'), eb.fn.max('flightDate').as('last')])
    .where('userId', '=', p.userId),
)
const ownRoutes = query((db, p: { userId: string; importId: number; from: string; before: string }) =>
  db
    .selectFrom('flightPassenger')
    .innerJoin('flight', 'flight.id', 'flightPassenger.flightId')
    .select((eb) => [
      'flight.fromId',
      'flight.toId',
      eb
        .case()
        .when('flight.importId', '=', p.importId)
        .then(eb.lit(1))
        .else(eb.lit(0))
        .end()
        .as('isOfImport'),
    ])
    .distinct()
    .where('flightPassenger.userId', '=', p.userId)
    .where('flightPassenger.flightDate', '>=', p.from)
    .where('flightPassenger.flightDate', '<', p.before),
)
interface Route {
  fromId: number | null
  toId: number | null
  isOfImport: number
}
/** The routes of a person's log, each once for flights of the import and once for the others. Read a year at a time. */
export async function listRoutesOfLog(
  db: Executor,
  p: { userId: string; importId: number },
): Promise<Route[]> {
  const { first: from = null, last = null } = (await first(span(db, p))) ?? {}
  const routes = new Map<string, Route>()
  for (let year = yearOf(from); year <= yearOf(last); year++) {
    const between = { from: `${year}-01-01`, before: `${year + 1}-01-01` }
    for (const route of await ownRoutes(db, { ...p, ...between }))
      routes.set(`${route.fromId} ${route.toId} ${route.isOfImport}`, route)
    // SQLite runs synchronously: other requests are served in between.
    await setImmediate()
  }
  return [...routes.values()]
}
const yearOf = (date: string | null): number => Number(date?.slice(0, 4))

interface Finished {
  id: number
  lease: string
  status: ImportStatus
  counts: ImportCounts
  now: string
  committedAt: string | null
  undoneAt: string | null
  expiresAt: string | null
  /** Why the work ended early. */
  problem?: ImportProblem | null
}
const finish = query(
  (db, p: Omit<Finished, 'counts' | 'problem'> & { counts: string; problem: string | null }) =>
    released(db, 'import', p)
      .set({
        status: p.status,
        counts: p.counts,
        problem: p.problem,
        version: sql<number>`version + 1`,
        updatedAt: p.now,
        committedAt: p.committedAt,
        undoneAt: p.undoneAt,
        expiresAt: p.expiresAt,
      })
      .returning('id'),
)
/** Ends a commit or an undo and releases the lease; false if the lease was lost. */
export const finishImportWork = async (tx: Executor, work: Finished): Promise<boolean> =>
  (await finish(tx, { ...work, counts: toJson(work.counts), problem: jsonOrNull(work.problem ?? null) }))
    .length > 0

// Rows to commit

const commitColumns = [
  'number',
  'verdict',
  'code',
  'warnings',
  'draft',
  'ofFlightId',
  'ofRow',
  'updates',
  'choice',
  'flightId',
  'flightVersion',
  'done',
] as const
type CommitColumn = (typeof commitColumns)[number]

export type CommitRow = Pick<StoredRow, Extract<CommitColumn, keyof StoredRow> | 'of'>
/** A row as stored. */
export type CommitRecord = Pick<RowRecord, CommitColumn>

/** Call it for one row at a time: parsing many rows together would fill the young generation of the heap. */
export const toCommitRow = ({ ofFlightId, ofRow, ...row }: CommitRecord): CommitRow => ({
  ...row,
  warnings: fromJsonOrNull<ImportWarning[]>(row.warnings) ?? [],
  draft: fromJsonOrNull(row.draft),
  of: ofFlightId !== null ? { flightId: ofFlightId } : ofRow !== null ? { row: ofRow } : null,
  updates: fromJsonOrNull<CommitRow['updates']>(row.updates) ?? [],
  choice: fromJsonOrNull(row.choice),
})

interface Page {
  importId: number
  after: number
  limit: number
}
const candidates = (withDuplicates: boolean) =>
  query((db, p: Page) =>
    db
      .selectFrom('importRow')
      .select(commitColumns)
      .where('importId', '=', p.importId)
      .where('number', '>', p.after)
      .where((eb) => eb.or([eb('done', 'is', null), eb('done', '=', 'undone')]))
      .where((eb) =>
        eb.or([
          eb('verdict', '=', 'new'),
          eb('choice', 'is not', null),
          ...(withDuplicates ? [eb('verdict', '=', 'duplicate')] : []),
        ]),
      )
      .orderBy('number')
      .limit(p.limit),
  )
const certain = candidates(false)
const certainOrDuplicate = candidates(true)
/** Rows that a commit may write, after a row number, in order. */
export const listCommitRows = (
  tx: Executor,
  { withDuplicates, ...page }: Page & { withDuplicates: boolean },
): Promise<CommitRecord[]> => (withDuplicates ? certainOrDuplicate : certain)(tx, page)

const named = queryByList((db, numbers: number[], p: { importId: number }) =>
  db
    .selectFrom('importRow')
    .select(commitColumns)
    .where('importId', '=', p.importId)
    .where('number', 'in', numbers)
    .orderBy('number'),
)
export const listNamedCommitRows = (
  tx: Executor,
  importId: number,
  numbers: readonly number[],
): Promise<CommitRecord[]> => named(tx, numbers, { importId })

const flightsOfRows = queryByList((db, numbers: number[], p: { importId: number }) =>
  db
    .selectFrom('importRow')
    .select(['number', 'flightId'])
    .where('importId', '=', p.importId)
    .where('number', 'in', numbers)
    .where('done', 'in', ['created', 'updated']),
)
/** The flights created or updated from these rows. */
export const findFlightsOfRows = async (
  tx: Executor,
  importId: number,
  numbers: readonly number[],
): Promise<Map<number, number>> =>
  new Map(
    (await flightsOfRows(tx, numbers, { importId })).flatMap(({ number, flightId }) =>
      flightId === null ? [] : [[number, flightId]],
    ),
  )

export interface RowOutcome {
  number: number
  done: CommitRow['done']
  verdict: Verdict
  flightId: number | null
  ofFlightId: number | null
  ofRow: number | null
}
/** The flights that these rows created, updated or already match. */
export const listRowOutcomes = queryByList((db, numbers: number[], p: { importId: number }) =>
  db
    .selectFrom('importRow')
    .select(['number', 'done', 'verdict', 'flightId', 'ofFlightId', 'ofRow'])
    .where('importId', '=', p.importId)
    .where('number', 'in', numbers),
)

// Outcomes of rows

export interface DoneRow {
  number: number
  done: 'created' | 'updated' | 'undone'
  flightId: number | null
  flightVersion: number | null
  /** The values that an update replaced. */
  before: unknown
}
export const markRows = (tx: Executor, importId: number, rows: readonly DoneRow[]): Promise<void> =>
  updateMany(
    tx,
    'importRow',
    ['done', 'flightId', 'flightVersion', 'before'],
    ['importId', 'number'],
    rows.map((row) => ({
      importId,
      number: row.number,
      done: row.done,
      flightId: row.flightId,
      flightVersion: row.flightVersion,
      before: row.before === null ? null : toJson(row.before),
    })),
  )

/** Gives all rows that wrote to the same flight the version after the last write. */
export const setVersionsOfFlights = (
  tx: Executor,
  importId: number,
  flights: readonly { id: number; version: number }[],
): Promise<void> =>
  updateMany(
    tx,
    'importRow',
    ['flightVersion'],
    ['importId', 'flightId'],
    flights.map(({ id, version }) => ({ importId, flightId: id, flightVersion: version })),
  )

/** A row whose verdict changed during the commit: a record was deleted, or another flight has its id. */
export interface RejudgedRow {
  number: number
  verdict: Verdict
  code: RowCode | null
  warnings: readonly ImportWarning[]
  draft: unknown
  of: CommitRow['of']
}
export const rejudgeRows = (tx: Executor, importId: number, rows: readonly RejudgedRow[]): Promise<void> =>
  updateMany(
    tx,
    'importRow',
    ['verdict', 'code', 'warnings', 'risk', 'draft', 'ofFlightId', 'ofRow', 'updates'],
    ['importId', 'number'],
    rows.map(({ number, verdict, code, warnings, draft, of }) => ({
      importId,
      number,
      verdict,
      code,
      warnings: warnings.length > 0 ? toJson(warnings) : null,
      risk: riskOf(warnings),
      draft: draft === null ? null : toJson(draft),
      ofFlightId: of && 'flightId' in of ? of.flightId : null,
      ofRow: of && 'row' in of ? of.row : null,
      updates: null,
    })),
  )

// Rows to undo

export interface UndoRow {
  number: number
  done: 'created' | 'updated'
  flightId: number
  flightVersion: number
  before: unknown
}
/** Rows that a commit wrote, before a row number, last first: later rows may have changed flights of earlier ones. */
export const listUndoRows = query(
  (db, p: { importId: number; before: number; limit: number }) =>
    db
      .selectFrom('importRow')
      .select(['number', 'done', 'flightId', 'flightVersion', 'importRow.before'])
      .where('importId', '=', p.importId)
      .where('number', '<', p.before)
      .where('done', 'in', ['created', 'updated'])
      .where('flightId', 'is not', null)
      .orderBy('number', 'desc')
      .limit(p.limit)
      .$narrowType<{ done: 'created' | 'updated'; flightId: number; flightVersion: number }>(),
  (row) => ({ ...row, before: fromJsonOrNull(row.before) }),
)

interface RowRange {
  importId: number
  after: number
  to: number
  limit: number
}
const edited = query((db, p: RowRange) =>
  db
    .selectFrom('importRow')
    .innerJoin('flight', 'flight.id', 'importRow.flightId')
    .select(['importRow.number as row', 'flight.id as flightId'])
    .where('importRow.importId', '=', p.importId)
    .where('importRow.number', '>', p.after)
    .where('importRow.number', '<=', p.to)
    .where('importRow.done', 'in', ['created', 'updated'])
    .whereRef('flight.version', '<>', 'importRow.flightVersion')
    .orderBy('importRow.number')
    .limit(p.limit),
)
/** Rows per statement. SQLite runs synchronously, so other requests are served between statements. */
const ROWS_COMPARED = 10_000

/**
 * Flights in the log that were changed after the import wrote them. Committed rows remain when the file is read again with
 * fewer rows, so the counts do not give the last row number.
 */
export async function listEditedFlights(
  db: Executor,
  { id }: { id: number },
  limit: number,
): Promise<{ row: number; flightId: number }[]> {
  const found: { row: number; flightId: number }[] = []
  const last = await findLastRow(db, id)
  for (let after = 0; after < last && found.length < limit; after += ROWS_COMPARED) {
    const to = after + ROWS_COMPARED
    found.push(...(await edited(db, { importId: id, after, to, limit: limit - found.length })))
    await setImmediate()
  }
  return found
}

const versions = queryByList((db, ids: number[]) =>
  db.selectFrom('flight').select(['id', 'version']).where('id', 'in', ids),
)
/** The versions of the flights that are in the log. */
export const findVersions = async (
  db: Executor,
  flightIds: readonly number[],
): Promise<Map<number, number>> =>
  new Map((await versions(db, flightIds)).map(({ id, version }) => [id, version]))
