// Our own export: JSON, YAML and CSV are restored exactly as they were written.
import {
  aircraftFields,
  airlineFields,
  airportFields,
  flightFields,
  passengerFieldNames,
} from '../../../../domain/flights/fields.ts'
import type { Json, Table, TableRow } from '../../content/content.ts'
import { reads, type Source, type SourceRecord } from '../../reading/source.ts'
import { accountsIn, backupRecord, documentRecords } from './backup.ts'
import { backupColumns, columnFieldsOf, rowObject, withWarnings } from './backup-table.ts'
import { tripsIn } from './backup-trips.ts'
import { isRecord, type JsonRecord, rawJson } from './json.ts'

export const contrail: Source = {
  id: 'contrail',
  name: 'Contrail',
  extensions: ['json', 'yaml', 'yml', 'csv'],
  options: ['mode', 'users', 'includeOthers', 'duplicates'],
  readers: [
    reads<'json'>({ kind: 'json', matches: isOwn, records: ownRecords }),
    reads<'table'>({
      kind: 'table',
      matches: (table) => isOwnTable(table),
      records: tableRecords,
      columns: columnFieldsOf,
    }),
  ],
}

/** Flights have members that no other program writes. The response of `GET /flights` is accepted too. */
function isOwn({ value }: Json): boolean {
  const [first] = flightsIn(value)
  if (first === undefined) return isTripsAlone(value)
  if (!isRecord(first)) return false
  const about = isRecord(first['meta']) ? first['meta'] : first
  return 'version' in about && 'createdAt' in about && 'passengers' in first
}

/** A log can have trips without any flights. */
const isTripsAlone = (value: unknown): boolean =>
  isRecord(value) &&
  Array.isArray(value['flights']) &&
  Array.isArray(value['trips']) &&
  value['trips'].some((trip) => isRecord(trip) && 'flightIds' in trip && 'colour' in trip)

function flightsIn(value: unknown): unknown[] {
  const list = isRecord(value) ? (value['flights'] ?? value['data']) : value
  return Array.isArray(list) ? list : []
}

function* ownRecords({ value }: Json): Iterable<SourceRecord> {
  const document = isRecord(value) ? value : {}
  const flights = flightsIn(value)
  if (flights.length === 0) return yield* tripsAlone(document['trips'])
  const { trips, tripOf } = tripsIn(document['trips'], accountsIn(document['users']))
  let index = 0
  for (const record of documentRecords(document['users'], flights, true)) {
    const trip = tripOf.get(idOf(flights[index]))
    const about = index++ === 0 && trips.length > 0 ? { trips } : {}
    yield { ...record, ...about, ...(trip !== undefined && { trip }) }
  }
}

/** Each trip is a record without a flight. No person is named without a flight, so the trips are the importer's. */
function* tripsAlone(given: unknown): Iterable<SourceRecord> {
  const list: unknown[] = Array.isArray(given) ? given : []
  const trips = tripsIn(list, new Map()).trips.map((trip) => ({ ...trip, owner: null }))
  for (const [index, trip] of list.entries())
    yield { line: null, raw: rawJson(trip), skip: 'not_a_flight', ...(index === 0 && { trips }) }
}

/** The id by which trips refer to a flight. */
const idOf = (flight: unknown): unknown =>
  isRecord(flight) && isRecord(flight['meta']) ? flight['meta']['id'] : undefined

// The table has one row per flight and passenger; consecutive rows of the same flight are one record.

const proof = ['flight', 'date', 'datePrecision', 'from', 'fromName', 'passenger', 'externalIds']

const isOwnTable = (table: Table): boolean => {
  const names = new Set(backupColumns(table))
  return proof.every((name) => names.has(name))
}

function* tableRecords(table: Table): Iterable<SourceRecord> {
  const names = backupColumns(table)
  const idIndex = names.indexOf('flight')
  let group: TableRow[] = []
  for (const row of table.rows) {
    const id = row.cells[idIndex]
    if (group.length > 0 && (id === undefined || id === '' || id !== group[0]!.cells[idIndex])) {
      yield groupRecord(names, group)
      group = []
    }
    group.push(row)
  }
  if (group.length > 0) yield groupRecord(names, group)
}

function groupRecord(names: readonly (string | undefined)[], group: readonly TableRow[]): SourceRecord {
  const rows = group.map(({ cells }) => rowObject(names, cells, unguarded))
  const first = group[0]!
  const raw = group.length === 1 ? first.cells : group.map(({ cells }) => cells.join(', ')).join('\n')
  const flight = { ...flightIn(rows[0]!), passengers: rows.flatMap(passengerIn) }
  const record = backupRecord(flight, new Map(), { verbatim: true, line: first.line, raw })
  return withWarnings(
    record,
    group.flatMap((row) => row.warnings ?? []),
  )
}

/** Removes the apostrophe that exports put before a text that a spreadsheet would run as a formula. */
const unguarded = (text: string): string => (/^'+[=+\-@\t\r\n＝＋－＠]/.test(text) ? text.slice(1) : text)

const references = [...airportFields, ...airlineFields, ...aircraftFields].map(
  (name) => flightFields[name].shownAs,
)

function flightIn(row: JsonRecord): JsonRecord {
  const records = references.map((name) => [name, recordIn(row[name], row[`${name}Name`])])
  const { priceAmount: amount, priceCurrency: currency } = row
  return {
    ...row,
    ...Object.fromEntries(records),
    ...(amount !== undefined && { price: { amount, currency } }),
    customFields: parsed(row['customFields']),
    externalIds: parsed(row['externalIds']),
  }
}

/** The code, or the name of a record without a code, plus the name in the next column. */
function recordIn(code: unknown, name: unknown): JsonRecord | null {
  if (code === undefined && name === undefined) return null
  return code === name ? { name } : { icao: code, name }
}

function passengerIn(row: JsonRecord): JsonRecord[] {
  const { userId, guestName, passenger } = row
  if (userId === undefined && guestName === undefined) return []
  const user = userId === undefined ? null : { id: userId, username: passenger }
  const values = passengerFieldNames.map((name) => [name, row[name] ?? null])
  return [{ ...Object.fromEntries(values), user, customFields: parsed(row['passengerCustomFields']) }]
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
