// AirTrail's backup, JSON or YAML, in all its generations, and its CSV, which AirTrail itself cannot read.
import type { Json, Table } from '../../content/content.ts'
import { reads, type Source, type SourceRecord } from '../../reading/source.ts'
import { type Accounts, backupRecord, documentRecords } from './backup.ts'
import { backupColumns, columnFieldsOf, rowObject, withWarnings } from './backup-table.ts'
import { isRecord } from './json.ts'

const noAccounts: Accounts = new Map()

export const airtrail: Source = {
  id: 'airtrail',
  name: 'AirTrail',
  extensions: ['json', 'yaml', 'yml'],
  options: ['mode', 'users', 'includeOthers', 'duplicates'],
  readers: [reads<'json'>({ kind: 'json', matches: isBackup, records: backupRecords })],
}

/** Without users, the shape of the flights must prove it: other documents have a list of flights too. */
function isBackup({ value }: Json): boolean {
  if (!isRecord(value) || !Array.isArray(value['flights'])) return false
  if (Array.isArray(value['users'])) return true
  const [first] = value['flights'] as unknown[]
  if (!isRecord(first)) return false
  return Array.isArray(first['passengers'] ?? first['seats']) && [first['from'], first['to']].every(isPlace)
}

const isPlace = (given: unknown): boolean =>
  given === null || (isRecord(given) && ['code', 'icao', 'iata'].some((name) => name in given))

function* backupRecords({ value }: Json): Iterable<SourceRecord> {
  const { users, flights } = isRecord(value) ? value : { users: null, flights: value }
  yield* documentRecords(users, Array.isArray(flights) ? flights : [], false)
}

export const airtrailCsv: Source = {
  id: 'airtrail-csv',
  name: 'AirTrail (CSV)',
  extensions: ['csv'],
  options: ['duplicates'],
  readers: [
    reads<'table'>({
      kind: 'table',
      matches: (table) => isAirtrailTable(table),
      records: (table) => tableRecords(table),
      columns: columnFieldsOf,
    }),
  ],
}

const proofs = [
  ['date', 'datePrecision', 'from', 'to', 'departureScheduled', 'seatClass'],
  // The columns before AirTrail had planned times.
  ['date', 'from', 'to', 'departure', 'arrival', 'aircraftReg', 'seatNumber', 'seatClass', 'flightReason'],
]

const isAirtrailTable = (table: Table): boolean => {
  const names = new Set(backupColumns(table))
  return proofs.some((proof) => proof.every((name) => names.has(name)))
}

function* tableRecords(table: Table): Iterable<SourceRecord> {
  const names = backupColumns(table)
  for (const row of table.rows) {
    const flight = rowObject(names, row.cells, cellValue)
    const { seat, seatNumber, seatClass, flightReason } = flight
    const own = { seat, seatNumber, seatClass, flightReason }
    const record = backupRecord(flight, noAccounts, { verbatim: false, own, line: row.line, raw: row.cells })
    yield withWarnings(record, row.warnings)
  }
}

/** Objects are written as JSON with a backslash before each comma. */
function cellValue(text: string): unknown {
  if (!/^[{[]/.test(text)) return text
  try {
    return JSON.parse(text.replaceAll('\\,', ','))
  } catch {
    return namedParts(text) ?? text
  }
}

/** Quotes inside the texts are not escaped, but the codes and names of a record can still be found. */
function namedParts(text: string): Record<string, string> | undefined {
  const parts = [...text.matchAll(/"(icao|iata|code|name)"\s*:\s*"(.*?)"\s*(?=\\?,\s*"|\}$)/g)]
  return parts.length > 0 ? Object.fromEntries(parts.map(([, name, value]) => [name, value])) : undefined
}
