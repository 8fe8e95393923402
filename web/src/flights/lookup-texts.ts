/** What was looked up, in the reader's words. */

import { flightFields, type TimeField, timeFields } from '../../../server/domain/flight-fields.ts'
import type { PlainKey } from '../i18n/i18n.svelte.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { airportCode, formatTime } from '../lib/format.ts'
import type { LookupRow } from './lookup.ts'

const plain: Record<string, PlainKey> = {
  from: 'form.from',
  to: 'form.to',
  airline: 'flight.airline',
  aircraft: 'flight.aircraft',
  aircraftReg: 'flight.reg',
  operatingAirline: 'flight.operatingAirline',
  operatingFlightNumber: 'flight.operatingFlightNumber',
  flightNumber: 'flight.number',
  note: 'flight.note',
}
const moments: Record<string, PlainKey> = {
  departure: 'flight.departure',
  takeoff: 'flight.takeoff',
  landing: 'flight.landing',
  arrival: 'flight.arrival',
}

export function fieldLabel(field: string): string {
  const key = plain[field]
  if (key) return t(key)
  const [, moment = '', rest = ''] = /^(departure|takeoff|landing|arrival)(\w*)$/.exec(field) ?? []
  if (moment === '') return field
  const name = t(moments[moment]!)
  if (rest === 'Terminal') return `${name}, ${t('flight.terminal')}`
  if (rest === 'Gate') return `${name}, ${t('flight.gate')}`
  return rest === 'Scheduled' ? t('lookup.scheduled', { field: name }) : name
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

/** Times are local at their airport, as the draft has them; a stored one in another zone is shown as it is stored. */
export function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return t('lookup.empty')
  if (typeof value === 'object') return (value as { name: string }).name
  return isTime(field) && flightFields[field] ? formatTime(String(value).slice(11, 16)) : String(value)
}
