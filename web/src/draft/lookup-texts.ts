/** Results of a lookup, as text for the reader. */

import { flightFields, type TimeField, timeFields } from '../../../server/domain/flights/fields.ts'
import type { PlainKey } from '../i18n/i18n.svelte.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { airportCode, formatTime } from '../lib/format.ts'
import type { LookupRow } from './lookup.ts'

const labels: Record<string, PlainKey> = {
  from: 'form.from',
  to: 'form.to',
  airline: 'flight.airline',
  aircraft: 'flight.aircraft',
  aircraftReg: 'flight.reg',
  operatingAirline: 'flight.operatingAirline',
  operatingFlightNumber: 'flight.operatingFlightNumber',
  flightNumber: 'flight.number',
  departure: 'form.departureTime',
  arrival: 'form.arrivalTime',
  departureScheduled: 'form.departureScheduled',
  arrivalScheduled: 'form.arrivalScheduled',
  takeoffActual: 'form.takeoffActual',
  landingActual: 'form.landingActual',
  departureTerminal: 'form.departureTerminal',
  departureGate: 'form.departureGate',
  arrivalTerminal: 'form.arrivalTerminal',
  arrivalGate: 'form.arrivalGate',
}

/** The label used in the form. */
export function fieldLabel(field: string): string {
  const key = labels[field]
  return key ? t(key) : field
}

/** Airports are named together. */
export function fieldList(fields: readonly string[]): string {
  const isRoute = fields.includes('from') && fields.includes('to')
  const rest = isRoute ? fields.filter((field) => field !== 'from' && field !== 'to') : fields
  return [...(isRoute ? [t('lookup.route')] : []), ...rest.map(fieldLabel)].join(', ')
}

export const sourceName = ({ draft }: LookupRow): string => t(`lookup.source.${draft.source}`)
export const routeText = ({ draft }: LookupRow): string =>
  `${airportCode(draft.from)} → ${airportCode(draft.to)}`

const isTime = (field: string): field is TimeField => timeFields.some((name) => name === field)

/** Times are local at their airport, as in the draft; a stored time in another zone is shown unchanged. */
export function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return t('lookup.empty')
  if (typeof value === 'object') return (value as { name: string }).name
  return isTime(field) && flightFields[field] ? formatTime(String(value).slice(11, 16)) : String(value)
}
