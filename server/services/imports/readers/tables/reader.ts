// Tables whose columns have known names; shared by most readers of delimited files.
import { type ColumnField, columnFields, type ImportWarning } from '../../../../domain/imports/imports.ts'
import type { Table, TableRow } from '../../content/content.ts'
import { foldHeading } from '../../content/heading.ts'
import { type ContentReader, type ReadContext, reads, type SourceRecord } from '../../reading/source.ts'

/** The heading of each column, or several if versions of a source differ. Keys that are column fields are shown as such. */
type Columns<Key extends string> = Readonly<Record<Key, string | readonly string[]>>

/** The text in a column, empty if the table has no such column. */
export type Cells<Key extends string> = (key: Key) => string

/** The content of a row. */
export type RowReading = Pick<SourceRecord, 'flight' | 'skip' | 'error'>

interface TableReading<Key extends string> {
  columns: Columns<Key>
  /** Columns that prove the source, or a check of the whole table. */
  proof: readonly NoInfer<Key>[] | ((table: Table) => boolean)
  read(cell: Cells<Key>, warnings: ImportWarning[], context: ReadContext): RowReading
  /** Puts the cells of a row into their columns, for sources that write broken rows. */
  align?(row: TableRow, table: Table): TableRow
  /** Without known headings, the columns are in the declared order. */
  isOrdered?: true
}

export function tableReader<Key extends string>(reading: TableReading<Key>): ContentReader<never> {
  const { columns, proof } = reading
  return reads({
    kind: 'table',
    matches: (table) => (typeof proof === 'function' ? proof(table) : hasColumns(table, columns, proof)),
    records: (table, context) => recordsIn(table, reading, context),
    columns(table) {
      const fields = new Map([...indexesOf(table, reading)].map(([key, index]) => [index, key]))
      return table.headings.map((_, index) => fieldNamed(fields.get(index)))
    },
  })
}

/** One record per row. */
export function* recordsIn<Key extends string>(
  table: Table,
  reading: Omit<TableReading<Key>, 'proof'>,
  context: ReadContext,
): Iterable<SourceRecord> {
  const indexes = indexesOf(table, reading)
  for (const row of table.rows) yield recordOf(reading.align?.(row, table) ?? row, indexes, reading, context)
}

/** The column of each key in the table. */
function indexesOf<Key extends string>(
  table: Table,
  { columns, isOrdered }: Pick<TableReading<Key>, 'columns' | 'isOrdered'>,
): Map<Key, number> {
  const keys = Object.keys(columns) as Key[]
  const found = new Map(
    keys.flatMap((key): [Key, number][] => {
      const index = indexOf(table, columns[key])
      return index < 0 ? [] : [[key, index]]
    }),
  )
  return found.size === 0 && isOrdered ? new Map(keys.map((key, index) => [key, index])) : found
}

const indexOf = (table: Table, headings: string | readonly string[]): number =>
  [headings].flat().reduce((found, heading) => {
    return found < 0 ? table.folded.indexOf(foldHeading(heading)) : found
  }, -1)

/** Whether the table has all of these columns, in any order. */
export const hasColumns = <Key extends string>(
  table: Table,
  columns: Columns<Key>,
  keys: readonly Key[],
): boolean => keys.every((key) => indexOf(table, columns[key]) >= 0)

const fieldNamed = (key: string | undefined): ColumnField | null =>
  columnFields.find((field) => field === key) ?? null

function recordOf<Key extends string>(
  row: TableRow,
  indexes: ReadonlyMap<Key, number>,
  reading: Pick<TableReading<Key>, 'read'>,
  context: ReadContext,
): SourceRecord {
  const warnings = [...(row.warnings ?? [])]
  const cell = (key: Key): string => row.cells[indexes.get(key) ?? -1] ?? ''
  const said = reading.read(cell, warnings, context)
  return { line: row.line, raw: row.cells, ...said, ...(warnings.length > 0 && { warnings }) }
}
