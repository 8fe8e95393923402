/** Names and values of conflicting changes, as the form shows them. */

import type { TextField } from '../../../server/domain/flights/fields.ts'
import type { Aircraft, Airline, Airport, CustomField, TimeField } from '../api/types.ts'
import { type PlainKey, t } from '../i18n/i18n.svelte.ts'
import { airportCity, airportCode, formatDate, formatTime } from '../lib/format.ts'
import type { Draft, PassengerDraft } from './draft.ts'
import { textOf as customText } from './extras.ts'
import type { Clash, Path } from './merge.ts'
import { labelOf as labelOfOther, otherTexts } from './other-texts.ts'

type Grouped = 'times' | 'texts' | 'customFields' | 'passengers'
type Whole = Exclude<keyof Draft, Grouped | 'datePrecision' | 'loaded' | 'unread' | 'arrivalDateChosen'>

/** Does not compile until a new field of the draft has a label. */
const labels: Record<Whole, PlainKey> = {
  date: 'flight.date',
  from: 'form.from',
  to: 'form.to',
  airline: 'flight.airline',
  aircraft: 'flight.aircraft',
  duration: 'form.duration',
  outcome: 'flight.outcome',
  plannedTo: 'flight.plannedTo',
  operatingAirline: 'flight.operatingAirline',
  price: 'flight.price',
  track: 'form.track',
}
const passengerLabels: Record<string, PlainKey> = {
  seat: 'flight.seat',
  seatNumber: 'form.seatNumber',
  seatClass: 'flight.class',
  flightReason: 'flight.reason',
}

/** Texts whose form label has the same name. */
type Placed = 'departureTerminal' | 'departureGate' | 'arrivalTerminal' | 'arrivalGate' | 'note'

const timeLabel = (field: TimeField): PlainKey =>
  field === 'departure' ? 'form.departureTime' : field === 'arrival' ? 'form.arrivalTime' : `form.${field}`

function textLabel(field: TextField): PlainKey {
  if (field === 'flightNumber') return 'flight.number'
  if (field === 'aircraftReg') return 'flight.reg'
  const other = otherTexts.find((name) => name === field)
  return other === undefined ? `form.${field as Placed}` : labelOfOther(other)
}

const fieldAt = (fields: readonly CustomField[], path: Path): CustomField | undefined =>
  fields.find(
    ({ key, entityType }) =>
      key === path.at(-1) && entityType === (path[0] === 'passengers' ? 'flight_passenger' : 'flight'),
  )

/** Without the passenger's name. */
export function labelAt(path: Path, fields: readonly CustomField[]): string {
  const [group, name, ...rest] = path
  if (path.includes('customFields')) return fieldAt(fields, path)?.label ?? path.at(-1)!
  if (group === 'times') return t(timeLabel(name as TimeField))
  if (group === 'texts') return t(textLabel(name as TextField))
  if (group === 'passengers') return t(passengerLabels[rest[0] ?? ''] ?? 'form.people')
  return t(labels[group as Whole])
}

export function labelOfClash(clash: Clash, draft: Draft, fields: readonly CustomField[]): string {
  const { path, mine, theirs } = clash
  if (path[0] !== 'passengers') return labelAt(path, fields)
  const one =
    path.length === 2
      ? ((mine ?? theirs) as PassengerDraft)
      : draft.passengers.find(({ key }) => key === path[1])
  return `${one?.name ?? ''} · ${labelAt(path, fields)}`
}

export async function textAt(path: Path, value: unknown, fields: readonly CustomField[]): Promise<string> {
  if (path[0] === 'passengers' && path.length === 2) return passengerText(value as PassengerDraft | undefined)
  if (value === null || value === undefined || value === '') return t('form.none')
  const field = path.includes('customFields') ? fieldAt(fields, path) : undefined
  if (field) return customText(field, value)
  const shown = typeof value === 'object' ? objectText(path, value) : choiceText(path, String(value))
  return shown || t('form.none')
}

function passengerText(one: PassengerDraft | undefined): string {
  if (!one) return t('conflict.removed')
  const details = [
    one.seatClass && t(`class.${one.seatClass}`),
    one.seatNumber,
    one.seat && t(`seat.${one.seat}`),
    one.flightReason && t(`reason.${one.flightReason}`),
  ]
  return [one.name, ...details].filter(Boolean).join(' · ')
}

function choiceText(path: Path, value: string): string {
  if (path[0] === 'outcome') return t(`outcome.${value as Draft['outcome']}`)
  const name = path[0] === 'passengers' ? path[2] : undefined
  if (name === 'seat') return t(`seat.${value as Exclude<PassengerDraft['seat'], ''>}`)
  if (name === 'seatClass') return t(`class.${value as Exclude<PassengerDraft['seatClass'], ''>}`)
  if (name === 'flightReason') return t(`reason.${value as Exclude<PassengerDraft['flightReason'], ''>}`)
  return value
}

function objectText([group]: Path, value: object): string {
  if (group === 'date') {
    const { date, datePrecision } = value as Pick<Draft, 'date' | 'datePrecision'>
    return formatDate(date, datePrecision)
  }
  if (group === 'times') {
    const { date, time } = value as Draft['times'][TimeField]
    return time && `${date && `${formatDate(date)}, `}${formatTime(time)}`
  }
  if (group === 'track') return trackText(value as Draft['track'])
  if (group === 'price')
    return Object.values(value as Draft['price'])
      .join(' ')
      .trim()
  if ('municipality' in value) return `${airportCode(value as Airport)} · ${airportCity(value as Airport)}`
  return (value as Airline | Aircraft).name
}

function trackText(track: Draft['track']): string {
  if (track.kind === 'stored') return t('form.trackExisting', { count: track.summary.pointCount })
  if (track.kind === 'none' || track.kind === 'removed') return ''
  return t('form.trackExisting', { count: track.track.coordinates.length })
}
