/** Values of custom fields as text. */

import { client, dataOf } from '../api/client.ts'
import { listCustomFields } from '../api/flights.ts'
import type { CustomField, FlightRecord } from '../api/types.ts'
import { airportCity, airportCode, formatDate, formatNumber } from '../lib/format.ts'

interface Extra {
  label: string
  text: string
}
export interface Extras {
  flight: Extra[]
  /** By passenger id. */
  passengers: Map<number, Extra[]>
}
type Values = Record<string, unknown>

const none = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Airports, airlines and aircraft are stored by id. */
async function nameOf(type: CustomField['fieldType'], id: number): Promise<string> {
  const params = { params: { path: { id } } }
  if (type === 'airport') {
    const airport = await dataOf(client.GET('/airports/{id}', params))
    return `${airportCode(airport)} · ${airportCity(airport)}`
  }
  if (type === 'airline') return (await dataOf(client.GET('/airlines/{id}', params))).name
  return (await dataOf(client.GET('/aircraft/{id}', params))).name
}

export async function textOf({ fieldType }: CustomField, value: unknown): Promise<string> {
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'boolean') return value ? '✓' : '–'
  if (typeof value !== 'number') return fieldType === 'date' ? formatDate(String(value)) : String(value)
  const isReference = fieldType === 'airport' || fieldType === 'airline' || fieldType === 'aircraft'
  return isReference ? nameOf(fieldType, value).catch(() => `#${value}`) : formatNumber(value, 6)
}

async function shown(
  fields: CustomField[],
  type: CustomField['entityType'],
  values: Values,
): Promise<Extra[]> {
  const filled = fields.filter((field) => field.entityType === type && !none(values[field.key]))
  return Promise.all(
    filled.map(async (field) => ({ label: field.label, text: await textOf(field, values[field.key]) })),
  )
}

export async function extrasOf(flight: FlightRecord): Promise<Extras> {
  const all = [flight.customFields, ...flight.passengers.map((one) => one.customFields)]
  // Most instances have no custom fields, and then no request is needed.
  if (all.every((values) => Object.keys(values ?? {}).length === 0))
    return { flight: [], passengers: new Map() }
  const fields = await listCustomFields().catch(() => [])
  const passengers = await Promise.all(
    flight.passengers.map(
      async (one) => [one.id, await shown(fields, 'flight_passenger', one.customFields ?? {})] as const,
    ),
  )
  return { flight: await shown(fields, 'flight', flight.customFields ?? {}), passengers: new Map(passengers) }
}
