// Values that a person typed for a row, in place of the file's.

import {
  type FlightField,
  flightFields,
  type Price,
  passengerFields,
  type ReferenceField,
  referenceFields,
  type TimeField,
  timeFields,
} from '../../../domain/flights/fields.ts'
import { isCalendarDate } from '../../../domain/time/calendar.ts'
import { isDateTime } from '../../../domain/time/time.ts'
import type { SourceFlight, SourcePerson } from '../reading/source.ts'
import { aircraftNamed, airlineNamed, airportNamed } from '../values/named.ts'
import { readSourceTime } from '../values/times.ts'

type Typed = Record<string, unknown>

export interface ChosenFlight {
  flight: SourceFlight
  /** Records given by id; null leaves the field empty. */
  ids: Partial<Record<ReferenceField, number | null>>
}

const readers = { airports: airportNamed, airlines: airlineNamed, aircraft: aircraftNamed }

/** The flight with the typed fields: field names as in the API, records by id, code or name. */
export function withChoice(flight: SourceFlight | undefined, typed: Typed): ChosenFlight {
  const base: SourceFlight = flight ?? { date: null, from: null, to: null }
  const { changes, ids } = referenceChanges(typed)
  for (const name of timeFields) if (name in typed) Object.assign(changes, timeChange(name, typed[name]))
  // A clock time needs a day, and the duration in our own export belongs to the old times.
  if (base.verbatim && timeFields.some((name) => changes[name] && changes[name].exact === undefined))
    Object.assign(changes, { hasTypedClock: true }, base.departure && base.arrival && { duration: null })
  Object.assign(changes, dateChange(base, typed), plainChanges(typed), passengerChanges(base, typed))
  // The typed note includes the additional lines, which were shown with it.
  if ('note' in typed) changes.extras = []
  return { flight: { ...base, ...changes }, ids }
}

function referenceChanges(typed: Typed): { changes: Partial<SourceFlight>; ids: ChosenFlight['ids'] } {
  const changes: Partial<SourceFlight> = {}
  const ids: ChosenFlight['ids'] = {}
  for (const name of referenceFields) {
    const { shownAs, to } = flightFields[name]
    const shown = typed[shownAs]
    const id = name in typed ? typed[name] : idIn(shown)
    if (typeof id === 'number' || id === null) ids[name] = id
    else if (typeof shown === 'string') Object.assign(changes, { [shownAs]: readers[to](shown) })
    else if (shown === null) ids[name] = null
  }
  return { changes, ids }
}

const idIn = (shown: unknown): unknown =>
  typeof shown === 'object' && shown !== null && 'id' in shown ? shown.id : undefined

function timeChange(name: TimeField, value: unknown): Partial<SourceFlight> {
  if (value === null || value === '') return { [name]: null }
  if (typeof value !== 'string') return {}
  if (isDateTime(value)) return { [name]: { date: null, clock: '00:00', zone: 'utc', exact: value } }
  const time = readSourceTime(value)
  return time ? { [name]: time } : {}
}

function dateChange(base: SourceFlight, { date, datePrecision }: Typed): Partial<SourceFlight> {
  const iso =
    typeof date === 'string' && isCalendarDate(date)
      ? date
      : base.date && 'iso' in base.date
        ? base.date.iso
        : null
  if (iso === null || (date === undefined && datePrecision === undefined)) return {}
  const precision = datePrecision === 'month' || datePrecision === 'year' ? datePrecision : 'day'
  return { date: { iso, precision }, yearGuess: null }
}

/** Fields that are used unchanged if they have the right type. */
function plainChanges(typed: Typed): Partial<SourceFlight> {
  const changes: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(flightFields) as [string, FlightField][]) {
    if (!(name in typed) || name === 'datePrecision') continue
    const value = typed[name]
    const isText = field.kind === 'text' && (typeof value === 'string' || value === null)
    const isChoice = field.kind === 'choice' && field.choices.includes(String(value))
    const isSeconds = field.kind === 'seconds' && (typeof value === 'number' || value === null)
    const isPrice = field.kind === 'price' && (value === null || isPriceLike(value))
    if (isText || isChoice || isSeconds || isPrice) changes[name] = value
  }
  if (isValues(typed['customFields'])) changes['customFields'] = typed['customFields']
  return changes as Partial<SourceFlight>
}

const isValues = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isPriceLike = (value: unknown): value is Price =>
  isValues(value) && typeof value['amount'] === 'string' && typeof value['currency'] === 'string'

const ownFields = ['seat', 'seatNumber', 'seatClass', 'flightReason'] as const

/** Seat, class and reason without a passenger belong to the importer. */
function passengerChanges(base: SourceFlight, typed: Typed): Partial<SourceFlight> {
  if (Array.isArray(typed['passengers']))
    return { passengers: typed['passengers'].filter(isValues).map(typedPerson) }
  const own: Record<string, unknown> = {}
  for (const name of ownFields) {
    const field = passengerFields[name]
    const value = typed[name]
    const fits =
      field.kind === 'text'
        ? typeof value === 'string'
        : (field.choices as readonly unknown[]).includes(value)
    if (name in typed && (value === null || fits)) own[name] = value
  }
  if (Object.keys(own).length === 0) return {}
  const others = base.passengers ?? []
  const self: SourcePerson = others.find(({ who }) => who.kind === 'self') ?? { who: { kind: 'self' } }
  return { passengers: [{ ...self, ...own }, ...others.filter((person) => person !== self)] }
}

/** A passenger in the format of the API. */
function typedPerson({ userId, guestName, ...values }: Typed): SourcePerson {
  const isUser = typeof userId === 'string'
  return {
    ...(values as Omit<SourcePerson, 'who'>),
    who: isUser
      ? { kind: 'account', key: userId, username: null, name: userId }
      : { kind: 'named', name: String(guestName ?? '') },
  }
}
