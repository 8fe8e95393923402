/** What must be right before the server is asked, and what is merely worth a second look. */

import { isCalendarDate } from '../../../server/domain/calendar.ts'
import type { Flight } from '../api/log.ts'
import { type Airport, type Coordinate, timeFields } from '../api/types.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { airportCode, formatDate, formatDuration, formatNumber } from '../lib/format.ts'
import { previewKm } from '../map/sphere.ts'
import { daysBetween, parseHours } from './dates.ts'
import type { Draft } from './draft.ts'

export type Errors = Record<string, string>

/** Keys are the paths that the server uses too. */
export function problems(draft: Draft): Errors {
  const errors: Errors = {}
  if (!draft.from) errors.fromId = t('form.requiredAirport')
  if (!draft.to) errors.toId = t('form.requiredAirport')
  if (!draft.date) errors.date = t('form.requiredDate')
  else if (!isCalendarDate(draft.date)) errors.date = t('form.badDate')
  if (Number.isNaN(parseHours(draft.duration))) errors.duration = t('form.durationBad')
  if (draft.passengers.length === 0) errors.passengers = t('form.needPassenger')
  if (draft.datePrecision === 'day') Object.assign(errors, undatedTimes(draft))
  return errors
}

/** A time without its day could not be saved, and would be dropped. */
function undatedTimes({ times, date }: Draft): Errors {
  const undated = timeFields.filter((field) => times[field].time && !times[field].date && date)
  return Object.fromEntries(undated.map((field) => [`${field}Date`, t('form.requiredDate')]))
}

/** Times of a flight whose day is not known are kept only if they were stored so. */
function losesTimes({ times, unread, datePrecision, loaded }: Draft): boolean {
  if (datePrecision === 'day' || loaded?.precision === datePrecision) return false
  return timeFields.some((field) => times[field].time || unread[field])
}

/** The server's own rule for unknown durations. */
export const estimateSeconds = (km: number): number => Math.round((km / 805 + 0.5) * 3600)

function farFrom(point: Coordinate | undefined, airport: Airport | null): boolean {
  return Boolean(point && airport && previewKm({ longitude: point[0], latitude: point[1] }, airport) > 100)
}

function duplicate(draft: Draft, others: Flight[], id: number | null): Flight | undefined {
  if (draft.datePrecision !== 'day') return undefined
  return others.find(
    (other) =>
      other.id !== id &&
      other.from?.id === draft.from?.id &&
      other.to?.id === draft.to?.id &&
      Math.abs(daysBetween(other.date, draft.date)) <=
        (other.flightNumber && other.flightNumber === draft.texts.flightNumber ? 1 : 0),
  )
}

/** None of these stops anybody. `seconds` is the flight time, if known. */
export function warnings(
  draft: Draft,
  seconds: number | null,
  others: Flight[],
  id: number | null,
): string[] {
  const list: string[] = []
  const { from, to } = draft
  const year = Number(draft.date.slice(0, 4))
  if (from && to && from.id === to.id) list.push(t('form.warnSame'))
  if (seconds !== null && seconds > 24 * 3600)
    list.push(t('form.warnLong', { duration: formatDuration(seconds) }))
  if (from && to && seconds !== null && seconds > 0) {
    const speed = previewKm(from, to) / (seconds / 3600)
    if (speed > 1300) list.push(t('form.warnFast', { speed: formatNumber(Math.round(speed)) }))
  }
  if (from && to) {
    const twin = duplicate(draft, others, id)
    const name = `${airportCode(from)} → ${airportCode(to)}`
    if (twin) list.push(t('form.warnDuplicate', { name, date: formatDate(twin.date) }))
  }
  if (losesTimes(draft)) list.push(t('form.warnTimes'))
  if (year > new Date().getFullYear() + 1) list.push(t('form.warnFuture'))
  if (year > 0 && year < 1914) list.push(t('form.warnPast'))
  if (draft.track.kind === 'new') {
    const { coordinates } = draft.track.track
    if (farFrom(coordinates[0], from) || farFrom(coordinates.at(-1), to)) list.push(t('form.trackFar'))
    if (draft.track.step > 1) list.push(t('form.trackTooLong', { step: draft.track.step }))
  }
  return list
}
