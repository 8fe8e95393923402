/** The phase of a flight in words, and who says so. */

import { type Connection, TIGHT_CONNECTION_SECONDS } from '../../../server/domain/status/travel-day.ts'
import { daysBetween } from '../../../server/domain/time/calendar.ts'
import { network } from '../api/network.svelte.ts'
import { i18n, type PlainKey, t } from '../i18n/i18n.svelte.ts'
import { airportCity, delayWords, formatDate, formatHour, formatWeekday } from '../lib/format.ts'
import type { Day } from '../screen/day.ts'
import { travel } from '../screen/days.svelte.ts'
import { dayIn } from '../screen/next.ts'
import type { ShownEnd } from './ends.ts'

interface PhaseWords {
  text: string
  tone: 'fine' | 'late' | 'danger' | 'plain'
  /** "AeroDataBox 10:42", "by the timetable". */
  source: string
}

const sourceNames: Record<string, PlainKey> = {
  pass: 'today.source.pass',
  provider: 'today.source.provider',
}

function sourceOf(day: Day): string {
  const { status } = day
  const reported = status.sources.find(({ source }) => source !== 'times')
  if (!network.online) {
    const at = reported?.checkedAt ?? travel.toldAt
    return at ? t('today.asOf', { time: formatHour(at) }) : t('today.noConnection')
  }
  const name = reported && sourceNames[reported.source]
  if (name) return `${t(name)} ${formatHour(reported.checkedAt)}`
  // What the log itself says needs no source.
  return status.phaseIsEstimated && !hasLanded(day) ? t('today.byTimetable') : ''
}

const isReported = ({ status }: Day): boolean => status.sources.some(({ source }) => source !== 'times')

export function phaseWords(day: Day, [departure, arrival]: readonly ShownEnd[]): PhaseWords {
  const { phase } = day.status
  const source = sourceOf(day)
  const said = (text: string, tone: PhaseWords['tone'] = 'plain'): PhaseWords => ({ text, tone, source })
  if (phase === 'cancelled')
    return said(t(isReported(day) ? 'today.cancelledReported' : 'outcome.cancelled'), 'danger')
  if (phase === 'diverted') return said(t('outcome.diverted'), 'danger')
  if (hasLanded(day)) return said(t('today.landedIn', { city: airportCity(day.entry.to) }))
  if (phase === 'unknown') return said(t(day.lands === null ? 'today.underWay' : 'today.shouldHaveLanded'))
  const { delay } = (phase === 'departed' ? arrival : departure)!
  if (delay !== null && (isReported(day) || delay !== 0)) {
    const words = delayWords(delay)
    return said(words.slice(0, 1).toLocaleUpperCase(i18n.tag) + words.slice(1), delay > 0 ? 'late' : 'fine')
  }
  return said(phase === 'departed' ? t('flights.inAir') : '')
}

/** Reported, or the log has an actual arrival: never from a timetable alone. */
export const hasLanded = ({ status }: Day): boolean =>
  status.phase === 'landed' || (status.phase === 'unknown' && status.arrival.actual !== null)

/** The flight is over, as far as is known: what happened can be saved. */
export const isOver = (day: Day): boolean => hasLanded(day) || day.status.phase === 'unknown'

export const isTight = (seconds: number): boolean => seconds < TIGHT_CONNECTION_SECONDS

/** As planned and long enough. */
export const isCalm = ({ seconds, plannedSeconds }: Connection): boolean =>
  !isTight(seconds) && Math.abs(seconds - plannedSeconds) < 60

/** "today", "tomorrow", "Friday", "24 Dec 2026": the day of departure at its airport. */
export function dayWord(
  { date, datePrecision, from }: Pick<Day['entry'], 'date' | 'datePrecision' | 'from'>,
  now: number,
): string {
  const away = daysBetween(dayIn(from?.timezone ?? 'UTC', now), date)
  if (Math.abs(away) < 2)
    return new Intl.RelativeTimeFormat(i18n.tag, { numeric: 'auto' }).format(away, 'day')
  return away > 0 && away < 7 ? formatWeekday(date, 'long') : formatDate(date, datePrecision)
}
