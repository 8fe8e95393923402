// What a commit and an undo read and write of an import: its rows in pages, and what became of each. The caller
// holds the lease of the import (store/imports.ts).
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ImportCounts, ImportStatus, ImportWarning, RowCode, Verdict } from '../domain/imports.ts'
import { updateMany } from './bulk.ts'
import { fromJsonOrNull, jsonOrNull, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import type { StoredChoice } from './import-rows.ts'
import type { ImportProblem } from './imports.ts'
import { first, query, queryByList } from './query.ts'

// The lease

const leaseOf = query<{ id: number }, { lease: string | null; until: string | null }>((db, p) =>
  db.selectFrom('import').select(['lease', 'lease_until as until']).where('id', '=', p.id),
)
/** Whether a process works on it at this moment, with another lease than `own`. */
export async function isLeased(tx: Executor, id: number, now: string, own?: string): Promise<boolean> {
  const { lease = null, until = null } = (await first(leaseOf(tx, { id }))) ?? {}
  return until !== null && until > now && lease !== own
}

interface Progress {
  id: number
  created: number
  updated: number
}
const progress = query<Progress, { id: number }>((db, p) =>
  db
    .updateTable('import')
    .set({
      created_count: sql<number>`created_count + ${p.created}`,
      updated_count: sql<number>`updated_count + ${p.updated}`,
      version: sql<number>`version + 1`,
    })
    .where('id', '=', p.id)
    .returning('id'),
)
/** Counts what a batch created and updated, or took back if it is negative. */
export const addToCommitted = (tx: Executor, added: Progress) => progress(tx, added)

interface Finished {
  id: number
  lease: string
  status: ImportStatus
  counts: ImportCounts
  now: string
  committedAt: string | null
  undoneAt: string | null
  expiresAt: string | null
  /** Why it ended before all was done. */
  problem?: ImportProblem | null
}
const finish = query<
  Omit<Finished, 'counts' | 'problem'> & { counts: string; problem: string | null },
  { id: number }
>((db, p) =>
  db
    .updateTable('import')
    .set({
      status: p.status,
      counts: p.counts,
      problem: p.problem,
      lease: null,
      lease_until: null,
      version: sql<number>`version + 1`,
      updated_at: p.now,
      committed_at: p.committedAt,
      undone_at: p.undoneAt,
      expires_at: p.expiresAt,
    })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease)
    .returning('id'),
)
/** Ends a commit or an undo and its lease; false if the lease was lost. */
export const finishImportWork = async (tx: Executor, work: Finished): Promise<boolean> =>
  (await finish(tx, { ...work, counts: toJson(work.counts), problem: jsonOrNull(work.problem ?? null) }))
    .length > 0

// Rows to commit

export interface CommitRow {
  number: number
  verdict: Verdict
  code: RowCode | null
  warnings: ImportWarning[]
  draft: unknown
  of: { flightId: number } | { row: number } | null
  updates: { field: string; from: unknown; to: unknown }[]
  choice: StoredChoice | null
  flightId: number | null
  flightVersion: number | null
  done: 'created' | 'updated' | 'undone' | null
}
/** As it is stored. */
export interface CommitRecord {
  number: number
  verdict: Verdict
  code: RowCode | null
  warnings: string | null
  draft: string | null
  ofFlightId: number | null
  ofRow: number | null
  updates: string | null
  choice: string | null
  flightId: number | null
  flightVersion: number | null
  done: CommitRow['done']
}
const commitColumns = [
  'number',
  'verdict',
  'code',
  'warnings',
  'draft',
  'of_flight_id as ofFlightId',
  'of_row as ofRow',
  'updates',
  'choice',
  'flight_id as flightId',
  'flight_version as flightVersion',
  'done',
] as const

/** Only when it is its turn: the values of many rows at once would fill the memory for young objects. */
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
  query<Page, CommitRecord>((db, p) =>
    db
      .selectFrom('import_row')
      .select(commitColumns)
      .where('import_id', '=', p.importId)
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
/** Rows that a commit may write, after a number and in their order. */
export const listCommitRows = (
  tx: Executor,
  { withDuplicates, ...page }: Page & { withDuplicates: boolean },
): Promise<CommitRecord[]> => (withDuplicates ? certainOrDuplicate : certain)(tx, page)

const named = queryByList<number, CommitRecord, { importId: number }>((db, numbers, p) =>
  db
    .selectFrom('import_row')
    .select(commitColumns)
    .where('import_id', '=', p.importId)
    .where('number', 'in', numbers)
    .orderBy('number'),
)
export const listNamedCommitRows = (
  tx: Executor,
  importId: number,
  numbers: readonly number[],
): Promise<CommitRecord[]> => named(tx, numbers, { importId })

const flightsOfRows = queryByList<number, { number: number; flightId: number | null }, { importId: number }>(
  (db, numbers, p) =>
    db
      .selectFrom('import_row')
      .select(['number', 'flight_id as flightId'])
      .where('import_id', '=', p.importId)
      .where('number', 'in', numbers)
      .where('done', 'in', ['created', 'updated']),
)
/** The flights that these rows became. */
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
const outcomes = queryByList<number, RowOutcome, { importId: number }>((db, numbers, p) =>
  db
    .selectFrom('import_row')
    .select([
      'number',
      'done',
      'verdict',
      'flight_id as flightId',
      'of_flight_id as ofFlightId',
      'of_row as ofRow',
    ])
    .where('import_id', '=', p.importId)
    .where('number', 'in', numbers),
)
/** Which flights these rows became, or are already. */
export const listRowOutcomes = (
  tx: Executor,
  importId: number,
  numbers: readonly number[],
): Promise<RowOutcome[]> => outcomes(tx, numbers, { importId })

// What became of rows

export interface DoneRow {
  number: number
  done: 'created' | 'updated' | 'undone'
  flightId: number | null
  flightVersion: number | null
  /** What an update replaced. */
  before: unknown
}
export const markRows = (tx: Executor, importId: number, rows: readonly DoneRow[]): Promise<void> =>
  updateMany(
    tx,
    'import_row',
    ['done', 'flight_id', 'flight_version', 'before'],
    ['import_id', 'number'],
    rows.map((row) => ({
      import_id: importId,
      number: row.number,
      done: row.done,
      flight_id: row.flightId,
      flight_version: row.flightVersion,
      before: row.before === null ? null : toJson(row.before),
    })),
  )

/** Rows that wrote to the same flight know its version by the last of them. */
export const setVersionsOfFlights = (
  tx: Executor,
  importId: number,
  flights: readonly { id: number; version: number }[],
): Promise<void> =>
  updateMany(
    tx,
    'import_row',
    ['flight_version'],
    ['import_id', 'flight_id'],
    flights.map(({ id, version }) => ({ import_id: importId, flight_id: id, flight_version: version })),
  )

/** What a commit found out about a row: a record that is gone, an id that another flight has. */
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
    'import_row',
    ['verdict', 'code', 'warnings', 'draft', 'of_flight_id', 'of_row', 'updates'],
    ['import_id', 'number'],
    rows.map(({ number, verdict, code, warnings, draft, of }) => ({
      import_id: importId,
      number,
      verdict,
      code,
      warnings: warnings.length > 0 ? toJson(warnings) : null,
      draft: draft === null ? null : toJson(draft),
      of_flight_id: of && 'flightId' in of ? of.flightId : null,
      of_row: of && 'row' in of ? of.row : null,
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
const written = query<
  { importId: number; before: number; limit: number },
  Omit<UndoRow, 'before'> & { before: string | null }
>((db, p) =>
  db
    .selectFrom('import_row')
    .select([
      'number',
      'done',
      'flight_id as flightId',
      'flight_version as flightVersion',
      'import_row.before',
    ])
    .where('import_id', '=', p.importId)
    .where('number', '<', p.before)
    .where('done', 'in', ['created', 'updated'])
    .where('flight_id', 'is not', null)
    .orderBy('number', 'desc')
    .limit(p.limit)
    .$narrowType<{ done: 'created' | 'updated'; flightId: number; flightVersion: number }>(),
)
/** Rows that a commit wrote, before a number, the last first: later rows may have changed flights of earlier ones. */
export const listUndoRows = async (
  tx: Executor,
  page: { importId: number; before: number; limit: number },
): Promise<UndoRow[]> =>
  (await written(tx, page)).map((row) => ({ ...row, before: fromJsonOrNull(row.before) }))

interface RowRange {
  importId: number
  after: number
  to: number
  limit: number
}
const edited = query<RowRange, { row: number; flightId: number }>((db, p) =>
  db
    .selectFrom('import_row')
    .innerJoin('flight', 'flight.id', 'import_row.flight_id')
    .select(['import_row.number as row', 'flight.id as flightId'])
    .where('import_row.import_id', '=', p.importId)
    .where('import_row.number', '>', p.after)
    .where('import_row.number', '<=', p.to)
    .where('import_row.done', 'in', ['created', 'updated'])
    .whereRef('flight.version', '<>', 'import_row.flight_version')
    .orderBy('import_row.number')
    .limit(p.limit),
)
/** Rows whose flights are compared by one statement: SQLite returns without waiting, and others are read in between. */
const ROWS_COMPARED = 10_000

const lastRow = query<{ importId: number }, { last: number | null }>((db, p) =>
  db
    .selectFrom('import_row')
    .select((eb) => eb.fn.max('number').as('last'))
    .where('import_id', '=', p.importId),
)

/**
 * Flights in the log that were changed after the import wrote them. What was written stays when the file is read again with
 * fewer rows or not at all, so the counts do not say where the rows end.
 */
export async function listEditedFlights(
  db: Executor,
  { id }: { id: number },
  limit: number,
): Promise<{ row: number; flightId: number }[]> {
  const found: { row: number; flightId: number }[] = []
  const last = (await first(lastRow(db, { importId: id })))?.last ?? 0
  for (let after = 0; after < last && found.length < limit; after += ROWS_COMPARED) {
    const to = after + ROWS_COMPARED
    found.push(...(await edited(db, { importId: id, after, to, limit: limit - found.length })))
    await setImmediate()
  }
  return found
}

const versions = queryByList<number, { id: number; version: number }>((db, ids) =>
  db.selectFrom('flight').select(['id', 'version']).where('id', 'in', ids),
)
/** The versions of those that are in the log. */
export const findVersions = async (
  db: Executor,
  flightIds: readonly number[],
): Promise<Map<number, number>> =>
  new Map((await versions(db, flightIds)).map(({ id, version }) => [id, version]))
