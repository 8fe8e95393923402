// What makes a flight implausible. The form and `log_flight` warn about it but do not refuse it.

import type { AircraftClass } from '../enums.ts'
import { daysBetween } from '../time/calendar.ts'
import { estimatedSeconds, fastestKmh } from './duration.ts'
import { canonicalFlightNumber } from './number.ts'

const LONGEST_HOURS = 24
/** The year of the first airline. */
const FIRST_YEAR = 1914

type TimeOddity = { kind: 'too_long'; hours: number } | { kind: 'too_fast'; kmh: number }

/** Whether this distance fits this time. A null distance: an airport is not known. An unknown class counts as a jet. */
export function timeOddity(
  seconds: number,
  distanceKm: number | null,
  aircraftClass: AircraftClass | null,
): TimeOddity | null {
  const hours = seconds / 3600
  if (hours > LONGEST_HOURS) return { kind: 'too_long', hours }
  const kmh = distanceKm !== null && hours > 0 ? distanceKm / hours : 0
  return kmh > fastestKmh(aircraftClass ?? 'jet') ? { kind: 'too_fast', kmh } : null
}

/** As the form says it (`form.warnFast` and `form.warnLong` of the web app), for the responses of the API. */
export const timeOddityText = (odd: TimeOddity): string =>
  odd.kind === 'too_fast'
    ? `That would be ${Math.round(odd.kmh).toLocaleString('en-US')} km/h. Check the times.`
    : `This flight takes ${Math.round(odd.hours)} hours. Is the arrival date correct?`

const DELAY_SECONDS = 3 * 3600

/** Far longer than usual, even with a delay: most likely one of the times is on another day, or half a day off. */
export const isFarTooSlow = (
  seconds: number,
  distanceKm: number,
  aircraftClass: AircraftClass | null,
): boolean => distanceKm > 0 && seconds > 2 * estimatedSeconds(distanceKm, aircraftClass) + DELAY_SECONDS

type DateOddity = 'far_future' | 'before_airlines'

/** Dates as YYYY-MM-DD. */
export function dateOddity(date: string, today: string): DateOddity | null {
  if (date > aYearAfter(today)) return 'far_future'
  const year = Number(date.slice(0, 4))
  return year > 0 && year < FIRST_YEAR ? 'before_airlines' : null
}

/** The same day in the next year; for 29 February, a text that sorts in its place. */
const aYearAfter = (date: string): string =>
  `${String(Number(date.slice(0, 4)) + 1).padStart(4, '0')}${date.slice(4)}`

// Imports use wider limits than the form: old logs have flights of every kind.

const FIRST_FLIGHT_YEAR = 1910
const SLOWEST_KMH = 60
const FASTEST_KMH = fastestKmh('jet')

type ImportOddity = 'too_long' | 'too_fast' | 'too_slow' | 'too_early' | 'far_future'

/** What is odd about an imported flight. Seconds and distance are null if unknown or meaningless. */
export function importOddity(
  { date, seconds, distanceKm }: { date: string; seconds: number | null; distanceKm: number | null },
  aircraftClass: AircraftClass | null,
  today: string,
): ImportOddity | null {
  if (Number(date.slice(0, 4)) < FIRST_FLIGHT_YEAR) return 'too_early'
  if (dateOddity(date, today) === 'far_future') return 'far_future'
  if (seconds === null) return null
  const hours = seconds / 3600
  if (hours > LONGEST_HOURS) return 'too_long'
  if (distanceKm === null || distanceKm === 0) return null
  const kmh = hours > 0 ? distanceKm / hours : Number.POSITIVE_INFINITY
  if (kmh > (aircraftClass === 'supersonic' ? fastestKmh('supersonic') : FASTEST_KMH)) return 'too_fast'
  return kmh < SLOWEST_KMH ? 'too_slow' : null
}

/** Up to this many days apart, the same number on the same route counts as one flight. */
export const DUPLICATE_DAYS = 2

interface Comparable {
  date: string
  fromId: number | null
  toId: number | null
  flightNumber?: string | null | undefined
}

/** The same route on the same day, or with the same flight number within two days: most likely one flight. */
export function isLikelyDuplicate(a: Comparable, b: Comparable): boolean {
  if (a.fromId !== b.fromId || a.toId !== b.toId) return false
  if (a.date === b.date) return true
  return (
    Math.abs(daysBetween(a.date, b.date)) <= DUPLICATE_DAYS && isSameNumber(a.flightNumber, b.flightNumber)
  )
}

const isSameNumber = (a: string | null | undefined, b: string | null | undefined): boolean =>
  a && b ? canonicalFlightNumber(a) === canonicalFlightNumber(b) : false
