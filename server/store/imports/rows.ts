// The records of an import, their outcomes and the person's decisions about them.
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  type ImportCounts,
  type ImportWarning,
  noCounts,
  type RowCode,
  type Verdict,
} from '../../domain/imports/imports.ts'
import { riskOf } from '../../domain/imports/remarks.ts'
import { upsertMany } from '../engine/bulk.ts'
import { fromJson, fromJsonOrNull, jsonOrNull, toJson } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query, queryByList, queryFirst } from '../engine/query.ts'
import type { RowOf } from '../engine/schema.ts'

/** A person's decision about a row. */
export interface StoredChoice {
  include?: boolean | undefined
  accept?: 'new' | 'same' | undefined
  draft?: Record<string, unknown> | undefined
}

/** An evaluated row, without the person's choice and the outcome of a commit. */
interface RowToSave {
  number: number
  line: number | null
  raw: unknown
  verdict: Verdict
  code: RowCode | null
  warnings: readonly ImportWarning[]
  waitsFor: readonly string[]
  draft: unknown
  of: { flightId: number } | { row: number } | null
  updates: readonly unknown[]
}

export interface StoredRow {
  number: number
  line: number | null
  /** Null once the file has been deleted. */
  raw: readonly string[] | string | null
  verdict: Verdict
  code: RowCode | null
  warnings: ImportWarning[]
  waitsFor: string[]
  draft: unknown
  of: { flightId: number } | { row: number } | null
  updates: { field: string; from: unknown; to: unknown }[]
  choice: StoredChoice | null
  flightId: number | null
  flightVersion: number | null
  done: 'created' | 'updated' | 'undone' | null
  before: unknown
}

export type RowRecord = Omit<RowOf<'importRow'>, 'id' | 'importId' | 'risk'>

const rowColumns = [
  'importRow.number',
  'importRow.line',
  'importRow.raw',
  'importRow.verdict',
  'importRow.code',
  'importRow.warnings',
  'importRow.waitsFor',
  'importRow.draft',
  'importRow.ofFlightId',
  'importRow.ofRow',
  'importRow.updates',
  'importRow.choice',
  'importRow.flightId',
  'importRow.flightVersion',
  'importRow.done',
  'importRow.before',
] as const

const toRow = ({ ofFlightId, ofRow, ...row }: RowRecord): StoredRow => ({
  ...row,
  raw: fromJsonOrNull(row.raw),
  warnings: fromJsonOrNull<ImportWarning[]>(row.warnings) ?? [],
  waitsFor: fromJsonOrNull<string[]>(row.waitsFor) ?? [],
  draft: fromJsonOrNull(row.draft),
  of: ofFlightId !== null ? { flightId: ofFlightId } : ofRow !== null ? { row: ofRow } : null,
  updates: fromJsonOrNull<StoredRow['updates']>(row.updates) ?? [],
  choice: fromJsonOrNull(row.choice),
  before: fromJsonOrNull(row.before),
})

const written = [
  'importId',
  'number',
  'line',
  'raw',
  'verdict',
  'code',
  'warnings',
  'risk',
  'waitsFor',
  'draft',
  'ofFlightId',
  'ofRow',
  'updates',
] as const

const listOrNull = (items: readonly unknown[]): string | null => (items.length === 0 ? null : toJson(items))

export type PackedRow = Record<(typeof written)[number], string | number | null>

/** The row as stored. Rows are buffered in this form: a few texts, where a draft is a hundred objects. */
export const packRow = (importId: number, row: RowToSave): PackedRow => ({
  importId,
  number: row.number,
  line: row.line,
  raw: jsonOrNull(row.raw),
  verdict: row.verdict,
  code: row.code,
  warnings: listOrNull(row.warnings),
  risk: riskOf(row.warnings),
  waitsFor: listOrNull(row.waitsFor),
  draft: jsonOrNull(row.draft),
  ofFlightId: row.of && 'flightId' in row.of ? row.of.flightId : null,
  ofRow: row.of && 'row' in row.of ? row.of.row : null,
  updates: listOrNull(row.updates),
})

/** Inserts rows or updates the evaluation of existing ones, which keep their choice and outcome. */
export const saveRows = (tx: Executor, rows: readonly PackedRow[]): Promise<void> =>
  upsertMany(tx, 'importRow', written, ['importId', 'number'], rows)

/** A row that a later row of the same evaluation changed. */
interface AmendedRow {
  number: number
  verdict: Verdict
  code: RowCode | null
  of: { row: number } | { flightId: number } | null
}
const amend = query(
  (
    db,
    p: {
      importId: number
      number: number
      verdict: Verdict
      code: RowCode | null
      ofRow: number | null
      ofFlightId: number | null
    },
  ) =>
    db
      .updateTable('importRow')
      .set({ verdict: p.verdict, code: p.code, ofRow: p.ofRow, ofFlightId: p.ofFlightId, updates: null })
      .where('importId', '=', p.importId)
      .where('number', '=', p.number)
      .where((eb) => eb.or([eb('done', 'is', null), eb('done', '=', 'undone')]))
      .returning('id'),
)
export async function amendRows(tx: Executor, importId: number, rows: readonly AmendedRow[]): Promise<void> {
  for (const { number, verdict, code, of } of rows) {
    const ofRow = of && 'row' in of ? of.row : null
    const ofFlightId = of && 'flightId' in of ? of.flightId : null
    await amend(tx, { importId, number, verdict, code, ofRow, ofFlightId })
  }
}
/** Deletes rows of an earlier evaluation that no longer exist with the new source or mapping. */
export const deleteRowsAfter = query((db, p: { importId: number; last: number }) =>
  db
    .deleteFrom('importRow')
    .where('importId', '=', p.importId)
    .where('number', '>', p.last)
    .where((eb) => eb.or([eb('done', 'is', null), eb('done', '=', 'undone')]))
    .returning('id'),
)

export const findRow = queryFirst(
  (db, p: { importId: number; number: number }) =>
    db
      .selectFrom('importRow')
      .select(rowColumns)
      .where('importId', '=', p.importId)
      .where('number', '=', p.number),
  toRow,
)

export const listRowsByNumber = queryByList(
  (db, numbers: number[], p: { importId: number }) =>
    db
      .selectFrom('importRow')
      .select(rowColumns)
      .where('importId', '=', p.importId)
      .where('number', 'in', numbers)
      .orderBy('number'),
  toRow,
)

interface RowsRequest {
  importId: number
  after: number
  limit: number
}
/** The filters of a statement, as bits. */
const BY_VERDICT = 1
const BY_CODE = 2
const BY_REMARKS = 4
const rowsOf = (filters: number) =>
  query((db, p: RowsRequest & { verdict: Verdict; code: RowCode }) =>
    db
      .selectFrom('importRow')
      .select(rowColumns)
      .where('importId', '=', p.importId)
      .where('number', '>', p.after)
      .$if((filters & BY_VERDICT) > 0, (rows) => rows.where('verdict', '=', p.verdict))
      .$if((filters & BY_CODE) > 0, (rows) => rows.where('code', '=', p.code))
      .$if((filters & BY_REMARKS) > 0, (rows) => rows.where('risk', '>', 0))
      .orderBy('number')
      .limit(p.limit),
  )
const rowQueries = Array.from({ length: 2 * BY_REMARKS }, (_, filters) => rowsOf(filters))

interface RowFilter {
  verdict?: Verdict | undefined
  code?: RowCode | undefined
  /** Only rows with a remark. */
  remarks?: boolean | undefined
}
/** Rows after the row `after`, in file order. */
export async function listRows(
  db: Executor,
  { verdict, code, remarks, ...request }: RowsRequest & RowFilter,
): Promise<StoredRow[]> {
  const filters = (verdict ? BY_VERDICT : 0) + (code ? BY_CODE : 0) + (remarks ? BY_REMARKS : 0)
  // Unused parameters are not part of the statement.
  const rows = await rowQueries[filters]!(db, { ...request, verdict: verdict!, code: code! })
  return rows.map(toRow)
}

const tallied = query((db, p: { importId: number; after: number; to: number }) =>
  db
    .selectFrom('importRow')
    .select((eb) => [
      'verdict' as const,
      sql<number>`cast(${eb.fn.countAll()} as integer)`.as('count'),
      sql<number>`cast(sum(case when risk > 0 then 1 else 0 end) as integer)`.as('remarks'),
    ])
    .where('importId', '=', p.importId)
    .where('number', '>', p.after)
    .where('number', '<=', p.to)
    .groupBy('verdict'),
)
/** SQLite runs synchronously: other requests are served between so many rows. */
const ROWS_COUNTED = 5000

export async function countRows(db: Executor, importId: number): Promise<ImportCounts> {
  const counts = { ...noCounts }
  const last = await findLastRow(db, importId)
  for (let after = 0; after < last; after += ROWS_COUNTED) {
    for (const found of await tallied(db, { importId, after, to: after + ROWS_COUNTED })) {
      counts[found.verdict] += found.count
      counts.rows += found.count
      counts.remarks += found.remarks
    }
    await setImmediate()
  }
  return counts
}

const lastRow = query((db, p: { importId: number }) =>
  db
    .selectFrom('importRow')
    .select((eb) => eb.fn.max('number').as('last'))
    .where('importId', '=', p.importId),
)
/** The highest row number; 0 without rows. */
export const findLastRow = async (db: Executor, importId: number): Promise<number> =>
  (await first(lastRow(db, { importId })))?.last ?? 0

const chosen = query((db, p: { importId: number }) =>
  db
    .selectFrom('importRow')
    .select(['number', 'choice'])
    .where('importId', '=', p.importId)
    .where('choice', 'is not', null)
    .$narrowType<{ choice: string }>(),
)
export const listChoices = async (db: Executor, importId: number): Promise<Map<number, StoredChoice>> =>
  new Map(
    (await chosen(db, { importId })).map(({ number, choice }) => [number, fromJson<StoredChoice>(choice)]),
  )

const choose = query((db, p: { importId: number; number: number; choice: string | null }) =>
  db
    .updateTable('importRow')
    .set({ choice: p.choice })
    .where('importId', '=', p.importId)
    .where('number', '=', p.number)
    .returning('id'),
)
/** False if there is no such row. */
export const saveChoice = async (
  tx: Executor,
  importId: number,
  number: number,
  choice: StoredChoice | null,
): Promise<boolean> => (await choose(tx, { importId, number, choice: jsonOrNull(choice) })).length > 0
/** With another source, the rows are different ones. */
export const deleteChoices = query((db, p: { importId: number }) =>
  db
    .updateTable('importRow')
    .set({ choice: null })
    .where('importId', '=', p.importId)
    .where('choice', 'is not', null)
    .returning('id'),
)

/** Rows that this import has already written to the log; they are not evaluated again. */
export const listCommittedRows = query((db, p: { importId: number }) =>
  db
    .selectFrom('importRow')
    .select(['number', 'verdict', 'flightId', 'done'])
    .where('importId', '=', p.importId)
    .where('done', 'in', ['created', 'updated']),
)
