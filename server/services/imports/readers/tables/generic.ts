// Any table: CSV, sheets of a workbook, and JSON lists of objects. Columns are guessed, shown, and can be corrected by the person.
import type { ColumnField, ImportMapping, ImportWarning } from '../../../../domain/imports/imports.ts'
import { type Guess, guessColumns, mappingKey } from '../../columns/guess.ts'
import { isProse } from '../../columns/prose.ts'
import type { Json, Table, TableRow } from '../../content/content.ts'
import { foldHeading } from '../../content/heading.ts'
import { type ReadContext, reads, type Source, type SourceRecord } from '../../reading/source.ts'
import { isRecord, type JsonRecord, rawJson } from '../documents/json.ts'
import type { RowReading } from './flight.ts'
import { planRows } from './row.ts'

const options = ['dateOrder', 'timesAreUtc', 'decimal', 'airline', 'duplicates'] as const

const tableSource = (form: Table['form']) =>
  reads<'table'>({
    kind: 'table',
    matches: (table) => table.form === form && table.headings.length > 1 && !isProse(table),
    records: tableRecords,
    columns: (table, context) => guessed(table, context).columns.map(({ field }) => field),
  })

export const genericCsv: Source = {
  id: 'generic-csv',
  name: 'Any CSV file',
  extensions: ['csv', 'tsv', 'txt'],
  options,
  readers: [tableSource('delimited')],
}

export const genericXlsx: Source = {
  id: 'generic-xlsx',
  name: 'Any Excel workbook',
  extensions: ['xlsx'],
  options,
  readers: [tableSource('sheet')],
}

export const genericJson: Source = {
  id: 'generic-json',
  name: 'Any JSON list',
  extensions: ['json', 'yaml', 'yml'],
  options,
  readers: [
    reads<'json'>({
      kind: 'json',
      matches: isListOfFlights,
      records: jsonRecords,
      mapping: (json, context) => mappingOf(guessed(tableOf(json), context)),
    }),
  ],
}

const guessed = (table: Table, { mapping }: ReadContext): Guess => guessColumns(table, mapping)

const mappingOf = ({ columns }: Guess): ImportMapping => ({
  columns: columns.map(({ index, heading, field, examples }) => ({ index, heading, field, examples })),
})

function* tableRecords(table: Table, context: ReadContext): Iterable<SourceRecord> {
  const guess = guessed(table, context)
  const read = planRows(guess, context.options)
  const question = guess.isCertain ? null : columnQuestion(table.headings)
  for (const row of table.rows) {
    const { cells, line } = row
    const warnings: ImportWarning[] = [...(row.warnings ?? [])]
    // Until the columns are certain, every row is only a question. Headings repeat where pages were pasted together.
    const said = question
      ? { question }
      : isHeading(cells, table.headings)
        ? notAFlight
        : read(cells, warnings)
    yield { line, raw: cells, ...said, ...(warnings.length > 0 && { warnings }) }
  }
}

const notAFlight: RowReading = { skip: 'not_a_flight' }

const columnQuestion = (headings: readonly string[]) =>
  ({ kind: 'column_mapping', value: mappingKey(headings) }) as const

const isHeading = (cells: readonly string[], headings: readonly string[]): boolean =>
  cells[0] === headings[0] && headings.every((heading, index) => (cells[index] ?? '') === heading)

// JSON as a table

const COLUMNS_AT_MOST = 200
const LEVELS_AT_MOST = 4
const FEW: readonly ColumnField[] = ['date', 'departure', 'from', 'to', 'route']

/** At least two of date, origin and destination must be present: other programs have lists of objects too. */
function isListOfFlights(json: Json): boolean {
  if (!listIn(json.value).some(isRecord)) return false
  const fields = guessColumns(tableOf(json), null).columns.map(({ field }) => field)
  return fields.filter((field) => field !== null && FEW.includes(field)).length > 1
}

/** The value if it is a list, otherwise the longest list of objects in it. */
function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  const lists = isRecord(value) ? Object.values(value).filter((inner) => Array.isArray(inner)) : []
  const ofObjects = lists.filter((list) => list.some(isRecord))
  return ofObjects.reduce((longest, list) => (list.length > longest.length ? list : longest), [])
}

function* jsonRecords(json: Json, context: ReadContext): Iterable<SourceRecord> {
  const list = listIn(json.value)
  if (list.length === 0) {
    yield { line: null, raw: rawJson(json.value), error: { code: 'unreadable_file' } }
    return
  }
  let index = 0
  for (const { line: _line, ...record } of tableRecords(tableOf(json), context)) {
    const value = list[index++]
    const raw = rawJson(value)
    if (isRecord(value)) yield { ...record, line: null, raw }
    else yield { line: null, raw, error: { code: 'unreadable_row' } }
  }
}

function tableOf(json: Json): Table {
  const list = listIn(json.value)
  const indexes = new Map<string, number>()
  for (const value of list) {
    if (indexes.size >= COLUMNS_AT_MOST) break
    for (const [name] of cellsIn(value)) {
      if (!indexes.has(name) && indexes.size < COLUMNS_AT_MOST) indexes.set(name, indexes.size)
    }
  }
  const headings = [...indexes.keys()]
  return {
    kind: 'table',
    part: json.part,
    form: 'delimited',
    headings,
    folded: headings.map(foldHeading),
    delimiter: null,
    preamble: [],
    rows: { [Symbol.iterator]: () => rowsOf(list, indexes) },
  }
}

function* rowsOf(list: readonly unknown[], indexes: ReadonlyMap<string, number>): Iterator<TableRow> {
  for (const [index, value] of list.entries()) {
    const cells = Array.from(indexes, () => '')
    for (const [name, text] of cellsIn(value)) {
      const column = indexes.get(name)
      if (column !== undefined) cells[column] = text
    }
    yield { cells, line: index + 1 }
  }
}

/** Keys of nested objects follow the outer key after a blank: `from iata`. */
function* cellsIn(value: unknown, prefix = '', level = 0): Iterable<[name: string, text: string]> {
  if (!isRecord(value)) return
  for (const [key, inner] of Object.entries(value as JsonRecord)) {
    const name = prefix === '' ? key : `${prefix} ${key}`
    if (isRecord(inner) && level < LEVELS_AT_MOST) yield* cellsIn(inner, name, level + 1)
    else yield [name, cellText(inner)]
  }
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ')
  return typeof value === 'object' ? rawJson(value) : String(value)
}
