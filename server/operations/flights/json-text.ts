// Flights as JSON text, straight from the rows: byte for byte what JSON.stringify writes for view.ts. A page of fifty flights
// has thousands of members; creating objects for them, twice, took longer than reading them from the database.
import {
  type FlightTable,
  flightFields,
  plainFields,
  type ReferenceField,
  shownReferences,
} from '../../domain/flights/fields.ts'
import type { Records } from '../../services/reference/reference.ts'
import { fromJson } from '../../store/engine/codecs.ts'
import type { CustomField } from '../../store/flights/custom-fields.ts'
import {
  externalIdsIn,
  type JoinedRow,
  type StoredValues,
  type ViewedRow,
} from '../../store/flights/flights.ts'
import { type ExternalIds, listExternalIds } from '../../store/history/external-ids.ts'
import { lookUp, recordsOf, routeKm, shownPassengerFields, shownValues, type Viewing } from './view.ts'

/** The rows of each flight, one per passenger; they are adjacent. */
export function groupByFlight(rows: readonly JoinedRow[]): JoinedRow[][] {
  const groups: JoinedRow[][] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last?.[0]?.id === row.id) last.push(row)
    else groups.push([row])
  }
  return groups
}

/** A list of flights, each given by its rows. */
export async function flightsAsText(
  { services, principal, db }: Viewing,
  flights: readonly JoinedRow[][],
): Promise<string> {
  const { reference } = principal.revisions
  const firsts = flights.map(([row]) => row!)
  const records = await recordsOf({ services, db }, reference, firsts)
  const fields = await services.reference.customFields(db, reference)
  const ids = firsts.map(({ id }) => id)
  const externalIds = await listExternalIds(db, principal.user.id, ids)
  let text = ''
  for (const rows of flights) {
    // Not joined: that would copy the whole text once more.
    text += text === '' ? '[' : ','
    text += flightText(rows, records, fields, externalIds.get(rows[0]!.id))
  }
  return `${text || '['}]`
}

/** One flight, given by its rows. */
export async function flightAsText(
  { services, principal, db }: Viewing,
  rows: readonly ViewedRow[],
): Promise<string> {
  const { reference } = principal.revisions
  const row = rows[0]!
  const records = await recordsOf({ services, db }, reference, [row])
  const fields = await services.reference.customFields(db, reference)
  return flightText(rows, records, fields, externalIdsIn(row))
}

/** The start of a member: comma, name, colon. */
const key = (name: string): string => `,${JSON.stringify(name)}:`
const named = <Name extends string>(names: readonly Name[]) => names.map((name) => ({ name, key: key(name) }))

const plainMembers = named(plainFields)
const passengerMembers = named(shownPassengerFields)
const references: { name: ReferenceField; to: FlightTable[ReferenceField]['to']; key: string }[] =
  shownReferences.map((name) => ({ name, to: flightFields[name].to, key: key(flightFields[name].shownAs) }))

/** Text that needs no escaping in JSON, like nearly all codes, dates and times. */
const plainText = /^[\w :+.,()/-]*$/

function valueText(value: string | number | null): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  return plainText.test(value) ? `"${value}"` : JSON.stringify(value)
}

function flightText(
  rows: readonly JoinedRow[],
  records: Records,
  fields: readonly CustomField[],
  externalIds: ExternalIds | undefined,
): string {
  const row = rows[0]!
  let text = `{"id":${row.id}`
  for (const { name, key } of plainMembers)
    text += key + (name === 'price' ? priceText(row) : valueText(row[name]))
  for (const { name, to, key } of references) text += key + recordText(lookUp<object>(records[to], row[name]))
  text += `,"passengers":[${row.passengerId === null ? '' : rows.map((one) => passengerText(one, fields)).join()}]`
  text += `,"track":${trackText(row)},"customFields":${valuesText(fields, 'flight', row.customFields)}`
  const from = lookUp(records.airports, row.fromId)
  const to = lookUp(records.airports, row.toId)
  text += `,"distanceKm":${from && to ? routeKm(from, to) : null}`
  text += `,"createdAt":"${row.createdAt}","updatedAt":"${row.updatedAt}","version":${row.version}`
  return `${text},"importId":${row.importId},"externalIds":${externalIds ? JSON.stringify(externalIds) : '{}'}}`
}

const priceText = ({ priceAmount, priceCurrency }: JoinedRow): string =>
  priceAmount === null || priceCurrency === null
    ? 'null'
    : JSON.stringify({ amount: priceAmount, currency: priceCurrency })

function passengerText(row: JoinedRow, fields: readonly CustomField[]): string {
  let text = `{"id":${row.passengerId},"user":`
  if (row.userId === null) text += 'null'
  else {
    const [id, displayName] = [valueText(row.userId), valueText(row.displayName)]
    text += `{"id":${id},"displayName":${displayName},"username":${valueText(row.username)}}`
  }
  for (const { name, key } of passengerMembers) text += key + valueText(row[name])
  return `${text},"customFields":${valuesText(fields, 'flight_passenger', row.passengerValues)}}`
}

const trackText = ({ pointCount, trackUpdatedAt, sourceFormat, sourceName }: JoinedRow): string =>
  pointCount === null
    ? 'null'
    : JSON.stringify({ pointCount, updatedAt: trackUpdatedAt, sourceFormat, sourceName })

const valuesText = (
  fields: readonly CustomField[],
  entityType: CustomField['entityType'],
  stored: string | null,
): string =>
  stored === null ? '{}' : JSON.stringify(shownValues(fields, entityType, fromJson<StoredValues>(stored)))

const recordTexts = new WeakMap<object, string>()

/** Flights repeat their airports, airlines and aircraft, so each record is converted once. */
function recordText(record: object | null): string {
  if (record === null) return 'null'
  let text = recordTexts.get(record)
  if (text === undefined) {
    text = JSON.stringify(record)
    recordTexts.set(record, text)
  }
  return text
}
