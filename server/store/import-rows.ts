// The records of an import: what became of each, and what the person decided about it.
import { sql } from 'kysely'
import {
  type ImportCounts,
  type ImportWarning,
  noCounts,
  type RowCode,
  type Verdict,
} from '../domain/imports.ts'
import { upsertMany } from './bulk.ts'
import { fromJson, fromJsonOrNull, jsonOrNull, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import { first, query, queryByList } from './query.ts'

/** What a person decided for one row. */
export interface StoredChoice {
  include?: boolean | undefined
  accept?: 'new' | 'same' | undefined
  draft?: Record<string, unknown> | undefined
}

/** A row as it was judged. What the person chose and what a commit did are not part of it. */
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
  /** Null once the file is forgotten. */
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

interface RowRecord {
  number: number
  line: number | null
  raw: string | null
  verdict: Verdict
  code: RowCode | null
  warnings: string | null
  waitsFor: string | null
  draft: string | null
  ofFlightId: number | null
  ofRow: number | null
  updates: string | null
  choice: string | null
  flightId: number | null
  flightVersion: number | null
  done: StoredRow['done']
  before: string | null
}

const rowColumns = [
  'import_row.number',
  'import_row.line',
  'import_row.raw',
  'import_row.verdict',
  'import_row.code',
  'import_row.warnings',
  'import_row.waits_for as waitsFor',
  'import_row.draft',
  'import_row.of_flight_id as ofFlightId',
  'import_row.of_row as ofRow',
  'import_row.updates',
  'import_row.choice',
  'import_row.flight_id as flightId',
  'import_row.flight_version as flightVersion',
  'import_row.done',
  'import_row.before',
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
  'import_id',
  'number',
  'line',
  'raw',
  'verdict',
  'code',
  'warnings',
  'waits_for',
  'draft',
  'of_flight_id',
  'of_row',
  'updates',
] as const

const listOrNull = (items: readonly unknown[]): string | null => (items.length === 0 ? null : toJson(items))

export type PackedRow = Record<(typeof written)[number], string | number | null>

/** As the row is stored: a few texts, where a draft is a hundred objects. Rows that wait to be written wait like this. */
export const packRow = (importId: number, row: RowToSave): PackedRow => ({
  import_id: importId,
  number: row.number,
  line: row.line,
  raw: jsonOrNull(row.raw),
  verdict: row.verdict,
  code: row.code,
  warnings: listOrNull(row.warnings),
  waits_for: listOrNull(row.waitsFor),
  draft: jsonOrNull(row.draft),
  of_flight_id: row.of && 'flightId' in row.of ? row.of.flightId : null,
  of_row: row.of && 'row' in row.of ? row.of.row : null,
  updates: listOrNull(row.updates),
})

/** Inserts rows, or judges those again that are there: their choice and what a commit did stay. */
export const saveRows = (tx: Executor, rows: readonly PackedRow[]): Promise<void> =>
  upsertMany(tx, 'import_row', written, ['import_id', 'number'], rows)

/** A row that a later one of the same evaluation changed. */
interface AmendedRow {
  number: number
  verdict: Verdict
  code: RowCode | null
  of: { row: number } | { flightId: number } | null
}
const amend = query<
  {
    importId: number
    number: number
    verdict: Verdict
    code: RowCode | null
    ofRow: number | null
    ofFlightId: number | null
  },
  { id: number }
>((db, p) =>
  db
    .updateTable('import_row')
    .set({ verdict: p.verdict, code: p.code, of_row: p.ofRow, of_flight_id: p.ofFlightId, updates: null })
    .where('import_id', '=', p.importId)
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

const trim = query<{ importId: number; last: number }, { id: number }>((db, p) =>
  db
    .deleteFrom('import_row')
    .where('import_id', '=', p.importId)
    .where('number', '>', p.last)
    .where((eb) => eb.or([eb('done', 'is', null), eb('done', '=', 'undone')]))
    .returning('id'),
)
/** Rows of an earlier evaluation that the file no longer has, read with another source or mapping. */
export const deleteRowsAfter = (tx: Executor, importId: number, last: number) => trim(tx, { importId, last })

const byNumber = query<{ importId: number; number: number }, RowRecord>((db, p) =>
  db
    .selectFrom('import_row')
    .select(rowColumns)
    .where('import_id', '=', p.importId)
    .where('number', '=', p.number),
)
export async function findRow(
  db: Executor,
  importId: number,
  number: number,
): Promise<StoredRow | undefined> {
  const row = await first(byNumber(db, { importId, number }))
  return row && toRow(row)
}

const byNumbers = queryByList<number, RowRecord, { importId: number }>((db, numbers, p) =>
  db
    .selectFrom('import_row')
    .select(rowColumns)
    .where('import_id', '=', p.importId)
    .where('number', 'in', numbers)
    .orderBy('number'),
)
export const listRowsByNumber = async (
  db: Executor,
  importId: number,
  numbers: readonly number[],
): Promise<StoredRow[]> => (await byNumbers(db, numbers, { importId })).map(toRow)

interface RowsRequest {
  importId: number
  after: number
  limit: number
}
const rowsOf = (kind: 'all' | 'verdict' | 'code' | 'both') =>
  query<RowsRequest & { verdict: Verdict; code: RowCode }, RowRecord>((db, p) =>
    db
      .selectFrom('import_row')
      .select(rowColumns)
      .where('import_id', '=', p.importId)
      .where('number', '>', p.after)
      .$if(kind === 'verdict' || kind === 'both', (rows) => rows.where('verdict', '=', p.verdict))
      .$if(kind === 'code' || kind === 'both', (rows) => rows.where('code', '=', p.code))
      .orderBy('number')
      .limit(p.limit),
  )
const rowQueries = {
  all: rowsOf('all'),
  verdict: rowsOf('verdict'),
  code: rowsOf('code'),
  both: rowsOf('both'),
}
/** After the row `after`, in the order of the file. */
export async function listRows(
  db: Executor,
  { verdict, code, ...request }: RowsRequest & { verdict?: Verdict | undefined; code?: RowCode | undefined },
): Promise<StoredRow[]> {
  const kind = verdict ? (code ? 'both' : 'verdict') : code ? 'code' : 'all'
  // Unused parameters are not part of the statement.
  const rows = await rowQueries[kind](db, { ...request, verdict: verdict!, code: code! })
  return rows.map(toRow)
}

const tallied = query<{ importId: number }, { verdict: Verdict; count: number }>((db, p) =>
  db
    .selectFrom('import_row')
    .select((eb) => ['verdict' as const, sql<number>`cast(${eb.fn.countAll()} as integer)`.as('count')])
    .where('import_id', '=', p.importId)
    .groupBy('verdict'),
)
export async function countRows(db: Executor, importId: number): Promise<ImportCounts> {
  const counts = { ...noCounts }
  for (const { verdict, count } of await tallied(db, { importId })) {
    counts[verdict] = count
    counts.rows += count
  }
  return counts
}

const chosen = query<{ importId: number }, { number: number; choice: string }>((db, p) =>
  db
    .selectFrom('import_row')
    .select(['number', 'choice'])
    .where('import_id', '=', p.importId)
    .where('choice', 'is not', null)
    .$narrowType<{ choice: string }>(),
)
export const listChoices = async (db: Executor, importId: number): Promise<Map<number, StoredChoice>> =>
  new Map(
    (await chosen(db, { importId })).map(({ number, choice }) => [number, fromJson<StoredChoice>(choice)]),
  )

const choose = query<{ importId: number; number: number; choice: string | null }, { id: number }>((db, p) =>
  db
    .updateTable('import_row')
    .set({ choice: p.choice })
    .where('import_id', '=', p.importId)
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

const unchoose = query<{ importId: number }, { id: number }>((db, p) =>
  db
    .updateTable('import_row')
    .set({ choice: null })
    .where('import_id', '=', p.importId)
    .where('choice', 'is not', null)
    .returning('id'),
)
/** Read as another source, the rows are others. */
export const deleteChoices = (tx: Executor, importId: number) => unchoose(tx, { importId })

const committedRows = query<
  { importId: number },
  { number: number; verdict: Verdict; flightId: number | null }
>((db, p) =>
  db
    .selectFrom('import_row')
    .select(['number', 'verdict', 'flight_id as flightId'])
    .where('import_id', '=', p.importId)
    .where('done', 'in', ['created', 'updated']),
)
/** Rows whose flights are in the log by this import: they are not judged again. */
export const listCommittedRows = (db: Executor, importId: number) => committedRows(db, { importId })
