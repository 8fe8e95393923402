// Backups as tables: one column per field of a flight, named as in the JSON.
import {
  flightFieldNames,
  flightFields,
  passengerFieldNames,
  shownReferences,
} from '../../../../domain/flights/fields.ts'
import { type ColumnField, columnFields, type ImportWarning } from '../../../../domain/imports/imports.ts'
import type { Table } from '../../content/content.ts'
import type { SourceRecord } from '../../reading/source.ts'
import type { JsonRecord } from './json.ts'

const references = shownReferences.map((name) => flightFields[name].shownAs)
const known: ReadonlyMap<string, string> = new Map(
  [
    ...flightFieldNames,
    ...passengerFieldNames,
    ...references,
    ...references.map((name) => `${name}Name`),
    ...['flight', 'passenger', 'customFields', 'passengerCustomFields', 'externalIds'],
    ...['priceAmount', 'priceCurrency', 'version', 'createdAt', 'updatedAt'],
  ].map((name) => [name.toLowerCase(), name]),
)

/** The backup's name of each column; undefined if no backup has it. Spreadsheets may change case and spacing. */
export const backupColumns = ({ folded }: Table): (string | undefined)[] =>
  folded.map((heading) => known.get(heading.replaceAll(' ', '')))

export function columnFieldsOf(table: Table): (ColumnField | null)[] {
  const named: Record<string, ColumnField> = {
    flightReason: 'reason',
    priceAmount: 'price',
    priceCurrency: 'currency',
  }
  return backupColumns(table).map(
    (name = '') => named[name] ?? columnFields.find((field) => field === name) ?? null,
  )
}

/** The cells of a row by their names; empty cells are absent. */
export function rowObject(
  names: readonly (string | undefined)[],
  cells: readonly string[],
  valueIn: (text: string) => unknown,
): JsonRecord {
  const values: JsonRecord = {}
  names.forEach((name, index) => {
    const text = cells[index]
    if (name !== undefined && text) values[name] = valueIn(text)
  })
  return values
}

export const withWarnings = (record: SourceRecord, more: readonly ImportWarning[] = []): SourceRecord =>
  more.length === 0 ? record : { ...record, warnings: [...(record.warnings ?? []), ...more] }
