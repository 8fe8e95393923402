/** Texts of the list's cells. */

import type { Flight } from '../../api/log.ts'
import { t } from '../../i18n/i18n.svelte.ts'
import { airportCity, formatDuration, formatNumber } from '../../lib/format.ts'
import { plannedSeconds } from '../../log/flight-facts.ts'

/** Number of columns in the grid, including the checkboxes of a selection. */
export const COLUMNS = 11

/** Seconds → "1 h 40", for a column. */
function shortDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return t('unit.minutes', { minutes: String(rest) })
  return t('list.hours', { hours: formatNumber(hours), minutes: String(rest).padStart(2, '0') })
}

/** The duration of a row, visible and in words for screen readers. */
export function durationTexts(flight: Flight): { short: string; words: string } | null {
  if (flight.duration === null) return null
  const planned = flight.durationEstimated ? plannedSeconds(flight) : null
  if (planned !== null)
    return {
      short: shortDuration(planned),
      words: t('flight.durationPlanned', { duration: formatDuration(planned) }),
    }
  const [short, duration] = [shortDuration(flight.duration), formatDuration(flight.duration)]
  return flight.durationEstimated
    ? { short: `≈${short}`, words: t('flight.durationEstimated', { duration }) }
    : { short, words: duration }
}

/** "+48 min", "−4 min", "on time"; the sign is always shown. */
export function shortDelay(minutes: number): string {
  if (minutes === 0) return t('flight.onTime')
  return `${minutes > 0 ? '+' : '−'}${shortDuration(Math.abs(minutes) * 60)}`
}

/** "UTC+2", or "UTC+2 to +3" where they differ; UTC itself is "+0" there, to fit the column. */
export function shortZones(departure: string | undefined, arrival: string | undefined): string {
  if (!departure || !arrival || departure === arrival) return departure || arrival || ''
  return t('list.zones', { from: departure, to: arrival.slice(3) || '+0' })
}

/** "17 h" for full hours. */
export const wholeDuration = (seconds: number): string =>
  seconds >= 3600 && seconds % 3600 < 60
    ? t('unit.hours', { hours: formatNumber(Math.floor(seconds / 3600)) })
    : formatDuration(seconds)

/** "3 h 40 min in Frankfurt", labelled as a layover where the position on screen does not make that clear. */
export function layoverText(
  airport: Flight['from'],
  seconds: number | null,
  known: 'flights.layover' | 'flights.layoverLabel',
): string {
  const city = airportCity(airport)
  return seconds === null
    ? t('flights.stop', { city })
    : t(known, { duration: formatDuration(seconds), city })
}
