/** Errors that prevent a request to the server, and warnings that do not. */

import { takesPlace } from '../../../server/domain/flights/outcome.ts'
import { dateOddity, isLikelyDuplicate } from '../../../server/domain/flights/plausibility.ts'
import { isAmount, isCurrency } from '../../../server/domain/flights/price.ts'
import { distanceKm } from '../../../server/domain/geo/geo.ts'
import { isCalendarDate } from '../../../server/domain/time/calendar.ts'
import type { Flight } from '../api/log.ts'
import { type Airport, type Coordinate, timeFields } from '../api/types.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { today } from '../lib/fields/typed.ts'
import { airportCode, formatDate } from '../lib/format.ts'
import { parseHours } from './dates.ts'
import { type Draft, readAmount } from './draft.ts'
import { timeWarning } from './time-warning.ts'

export type Errors = Record<string, string>

/** Keys are the same paths as in the server's errors. */
export function problems(draft: Draft): Errors {
  const errors: Errors = {}
  if (!draft.from) errors.fromId = t('form.requiredAirport')
  if (!draft.to) errors.toId = t('form.requiredAirport')
  if (!draft.date) errors.date = t('form.requiredDate')
  else if (!isCalendarDate(draft.date)) errors.date = t('form.badDate')
  if (Number.isNaN(parseHours(draft.duration))) errors.duration = t('form.durationBad')
  if (draft.passengers.length === 0) errors.passengers = t('form.needPassenger')
  if (draft.datePrecision === 'day') Object.assign(errors, undatedTimes(draft))
  return { ...errors, ...priceProblems(draft) }
}

function priceProblems({ price: { amount, currency } }: Draft): Errors {
  const read = readAmount(amount)
  if (read === '') return {}
  return {
    ...(isAmount(read) ? {} : { 'price.amount': t('error.not_an_amount') }),
    ...(isCurrency(currency) ? {} : { 'price.currency': t('error.not_a_currency') }),
  }
}

/** A time without a day would be dropped, because it cannot be saved. */
function undatedTimes({ times, date }: Draft): Errors {
  const undated = timeFields.filter((field) => times[field].time && !times[field].date && date)
  return Object.fromEntries(undated.map((field) => [`${field}Date`, t('form.requiredDate')]))
}

/** Times of a flight without an exact day are kept only if they were stored that way. */
function losesTimes({ times, unread, datePrecision, loaded }: Draft): boolean {
  if (datePrecision === 'day' || loaded?.precision === datePrecision) return false
  return timeFields.some((field) => times[field].time || unread[field])
}

function farFrom(point: Coordinate | undefined, airport: Airport | null): boolean {
  return Boolean(point && airport && distanceKm({ longitude: point[0]!, latitude: point[1]! }, airport) > 100)
}

const comparable = ({
  date,
  from,
  to,
  flightNumber,
}: Pick<Flight, 'date' | 'from' | 'to' | 'flightNumber'>) => ({
  date,
  fromId: from?.id ?? null,
  toId: to?.id ?? null,
  flightNumber,
})

function duplicate(draft: Draft, others: Flight[], id: number | null): Flight | undefined {
  if (draft.datePrecision !== 'day' || !takesPlace(draft)) return undefined
  const wanted = comparable({ ...draft, flightNumber: draft.texts.flightNumber })
  return others.find(
    (other) => other.id !== id && takesPlace(other) && isLikelyDuplicate(comparable(other), wanted),
  )
}

/** Warnings do not prevent saving. `seconds` is the flight time, if known. */
export function warnings(
  draft: Draft,
  seconds: number | null,
  others: Flight[],
  id: number | null,
): string[] {
  const list: string[] = []
  const { from, to } = draft
  if (from && to && from.id === to.id) list.push(t('form.warnSame'))
  const odd = timeWarning(seconds, from && to ? distanceKm(from, to) : null, draft.aircraft?.class ?? null)
  if (odd) list.push(odd)
  if (from && to) {
    const twin = duplicate(draft, others, id)
    const name = `${airportCode(from)} → ${airportCode(to)}`
    if (twin) list.push(t('form.warnDuplicate', { name, date: formatDate(twin.date) }))
  }
  if (losesTimes(draft)) list.push(t('form.warnTimes'))
  const oddDate = dateOddity(draft.date, today())
  if (oddDate === 'far_future') list.push(t('form.warnFuture'))
  if (oddDate === 'before_airlines') list.push(t('form.warnPast'))
  if (draft.track.kind === 'new') {
    const { coordinates } = draft.track.track
    if (farFrom(coordinates[0], from) || farFrom(coordinates.at(-1), to)) list.push(t('form.trackFar'))
    if (draft.track.step > 1) list.push(t('form.trackTooLong', { step: draft.track.step }))
  }
  return list
}
