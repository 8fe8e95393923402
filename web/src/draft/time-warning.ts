/** Warnings about a flight's times, in the same words in the form, the line and its message, the list and the flight page. */

import type { AircraftClass } from '../../../server/domain/enums.ts'
import { timeOddity } from '../../../server/domain/flights/plausibility.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { formatDuration, formatNumber } from '../lib/format.ts'
import { plannedSeconds } from '../log/flight-facts.ts'

/** Empty if there is no warning. Distance null: one of the airports is unknown. */
export function timeWarning(
  seconds: number | null,
  km: number | null,
  aircraftClass: AircraftClass | null,
): string {
  const odd = seconds === null || seconds <= 0 ? null : timeOddity(seconds, km, aircraftClass)
  if (odd?.kind === 'too_long') return t('form.warnLong', { duration: formatDuration(odd.hours * 3600) })
  return odd ? t('form.warnFast', { speed: formatNumber(Math.round(odd.kmh)) }) : ''
}

interface Timed {
  duration: number | null
  durationEstimated: boolean
  departs: number | null
  arrives: number | null
  distanceKm: number | null
  aircraft: { class?: AircraftClass | null } | null
}

/** For a flight of the log. An estimate never causes a warning. */
export const flightWarning = (flight: Timed): string =>
  timeWarning(
    flight.durationEstimated ? plannedSeconds(flight) : flight.duration,
    flight.distanceKm,
    flight.aircraft?.class ?? null,
  )
