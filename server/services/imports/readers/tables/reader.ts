// Tables whose columns have known names: a source describes its columns, and everything else is done here.
import { type ColumnField, columnFields } from '../../../../domain/imports/imports.ts'
import type { Table, TableRow } from '../../content/content.ts'
import { foldHeading } from '../../content/heading.ts'
import { reads, type Source, type SourceRecord } from '../../reading/source.ts'
import { type Description, flightReader } from './flight.ts'

interface TableDescription<Key extends string> extends Description<Key> {
  /** The order of the columns in a table without known headings. */
  order?: readonly NoInfer<Key>[]
  /** Puts the cells of a row into their columns, for sources that write broken rows. */
  align?(row: TableRow, table: Table): TableRow
}

interface TableSource<Key extends string> extends Omit<Source, 'readers'>, TableDescription<Key> {
  /** Columns that prove the source, or a check of the whole table. */
  proof: readonly NoInfer<Key>[] | ((table: Table) => boolean)
}

/** A source with one table, where keys of columns that are column fields are shown as such. */
export function tableSource<Key extends string>(source: TableSource<Key>): Source {
  const { columns, proof } = source
  const reader = reads({
    kind: 'table',
    matches: (table) => (typeof proof === 'function' ? proof(table) : hasColumns(table, columns, proof)),
    records: (table) => recordsIn(table, source),
    columns(table) {
      const fields = new Map([...indexesOf(table, source)].map(([key, index]) => [index, key]))
      return table.headings.map((_, index) => fieldNamed(fields.get(index)))
    },
  })
  return { ...source, readers: [reader] }
}

/** One record per row. */
export function* recordsIn<Key extends string>(
  table: Table,
  source: TableDescription<Key>,
): Iterable<SourceRecord> {
  const indexes = indexesOf(table, source)
  const read = flightReader(source)
  for (const given of table.rows) {
    const { cells, line, warnings: before = [] } = source.align?.(given, table) ?? given
    const warnings = [...before]
    const said = read((key) => cells[indexes.get(key) ?? -1] ?? '', warnings)
    yield { line, raw: cells, ...said, ...(warnings.length > 0 && { warnings }) }
  }
}

/** The column of each key in the table. */
function indexesOf<Key extends string>(
  table: Table,
  { columns, order }: TableDescription<Key>,
): Map<Key, number> {
  const found = (Object.keys(columns) as Key[]).flatMap((key): [Key, number][] => {
    const index = indexOf(table, columns[key])
    return index < 0 ? [] : [[key, index]]
  })
  return new Map(found.length > 0 ? found : order?.map((key, index) => [key, index]))
}

const indexOf = (table: Table, headings: string | readonly string[]): number => {
  const indexes = [headings].flat().map((heading) => table.folded.indexOf(foldHeading(heading)))
  return indexes.find((index) => index >= 0) ?? -1
}

/** Whether the table has all of these columns, in any order. */
export const hasColumns = <Key extends string>(
  table: Table,
  columns: Description<Key>['columns'],
  keys: readonly Key[],
): boolean => keys.every((key) => indexOf(table, columns[key]) >= 0)

const fieldNamed = (key: string | undefined): ColumnField | null =>
  columnFields.find((field) => field === key) ?? null
