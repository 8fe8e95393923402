/** Lookup results, and which of them a form or a flight receives. A person's own entries are never replaced without asking. */

import { foundTexts } from '../../../server/domain/entry/lookup.ts'
import {
  flightFields,
  type ReferenceField,
  referenceFields,
  type TimeField,
  timeFields,
} from '../../../server/domain/flights/fields.ts'
import { canonicalFlightNumber, parseFlightNumber } from '../../../server/domain/flights/number.ts'
import type { components } from '../api/schema.d.ts'
import type { FlightRecord } from '../api/types.ts'
import type { Draft } from './draft.ts'

export type LookupRow = components['schemas']['LookupRow']
type Update = LookupRow['updates'][number]

export const isNumber = (text: string): boolean => parseFlightNumber(text) !== undefined

/** Whether one's own log has the number: then it can be looked up without a provider. */
export const isInLog = (number: string, flights: readonly { flightNumber: string | null }[]): boolean => {
  const wanted = canonicalFlightNumber(number)
  return flights.some(({ flightNumber }) => flightNumber && canonicalFlightNumber(flightNumber) === wanted)
}

/** A provider's flights of that day if there are any, otherwise the usual flight. Cancelled ones are not offered. */
export function offered(rows: readonly LookupRow[]): LookupRow[] {
  const flown = rows.filter(({ verdict, draft }) => verdict !== 'skipped' && draft.from && draft.to)
  const ofDay = flown.filter(({ draft }) => draft.source === 'aerodatabox')
  if (ofDay.length > 0) return ofDay
  const own = flown.filter(({ draft }) => draft.source === 'own')
  return own.length > 0 ? own : flown
}

// A form

const filledRecords = ['from', 'to', 'airline', 'aircraft', 'operatingAirline'] as const
type FilledField = (typeof foundTexts)[number] | (typeof filledRecords)[number] | TimeField

/** Fills empty fields. Returns the filled ones, and those that differ and were left unchanged. */
export function fillDraft(
  draft: Draft,
  { draft: found }: LookupRow,
): { filled: FilledField[]; kept: FilledField[] } {
  const filled: FilledField[] = []
  const kept: FilledField[] = []
  const note = (field: FilledField, isEmpty: boolean, isSame: boolean) => {
    if (isEmpty) filled.push(field)
    else if (!isSame) kept.push(field)
    return isEmpty
  }
  for (const field of filledRecords) {
    const value = found[field]
    if (value && note(field, draft[field] === null, draft[field]?.id === value.id))
      Object.assign(draft, { [field]: value })
  }
  // The form has other airports than the result, so the rest is about another flight.
  if (draft.from?.id !== found.from?.id || draft.to?.id !== found.to?.id) return { filled, kept }
  for (const field of foundTexts) {
    const value = found[field]
    if (value && note(field, draft.texts[field] === '', draft.texts[field] === value))
      draft.texts[field] = value
  }
  for (const field of timeFields) {
    const text = found[field]
    if (!text) continue
    const airport = flightFields[field].end === 'from' ? draft.from : draft.to
    const [date, time] = [text.slice(0, 10), text.slice(11, 16)]
    const now = draft.times[field]
    if (note(field, now.time === '', now.time === time && now.date === date))
      draft.times[field] = { date, time, kept: { text, date, time, airportId: airport?.id ?? 0 } }
  }
  if (filled.includes('arrival')) draft.arrivalDateChosen = true
  return { filled, kept }
}

// A flight in the log

export interface Proposal extends Update {
  /** Empty, or a planned time for which the actual one is now known. */
  isSafe: boolean
}

const plannedOf: Partial<Record<string, 'departureScheduled' | 'arrivalScheduled'>> = {
  departure: 'departureScheduled',
  arrival: 'arrivalScheduled',
}

/** Values that the flight could receive, in field order. */
export function proposals(flight: FlightRecord, row: LookupRow): Proposal[] {
  return row.updates.map((update) => {
    const planned = plannedOf[update.field]
    const plans = planned ? [flight[planned], row.draft[planned]] : []
    const isPlan = plans.some(
      (plan) => plan && typeof update.from === 'string' && isSameTime(plan, update.from),
    )
    return { ...update, isSafe: update.from === null || update.from === '' || isPlan }
  })
}

const isSameTime = (a: string, b: string): boolean => Date.parse(a) === Date.parse(b)

/** In the form that the API accepts: records as ids. */
export function patchOf(updates: readonly Update[]): Record<string, unknown> {
  return Object.fromEntries(
    updates.map(({ field, to }) => {
      const reference = referenceFields.find((name) => flightFields[name].shownAs === field)
      return reference ? [reference satisfies ReferenceField, (to as { id: number }).id] : [field, to]
    }),
  )
}
