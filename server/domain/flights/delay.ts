// How late a flight was, and whether that counts as on time.

import type { DatePrecision } from '../enums.ts'
import { MINUTE } from '../time/durations.ts'
import type { FlightTimes } from './best-times.ts'

/** A smaller delay is on time, as airlines and authorities define it (A15). */
export const LATE_FROM_MINUTES = 15

interface Timed extends FlightTimes {
  datePrecision: DatePrecision
}

// Uses the platform's parser, because the browser, which shows the same figure, does not load the time zone rules.
const minutesBetween = (planned: string | null, actual: string | null): number | null =>
  planned !== null && actual !== null ? Math.round((Date.parse(actual) - Date.parse(planned)) / MINUTE) : null

/** If the day of a flight is not known, its departure and arrival only give the month or year. */
const isDated = ({ datePrecision }: Timed): boolean => datePrecision === 'day'

/** Minutes, negative if it was early. At the gate, otherwise on the runway; null unless scheduled and actual time are known. */
export const departureDelay = (flight: Timed): number | null =>
  minutesBetween(flight.departureScheduled, isDated(flight) ? flight.departure : null) ??
  minutesBetween(flight.takeoffScheduled, flight.takeoffActual)

export const arrivalDelay = (flight: Timed): number | null =>
  minutesBetween(flight.arrivalScheduled, isDated(flight) ? flight.arrival : null) ??
  minutesBetween(flight.landingScheduled, flight.landingActual)

export const isLate = (minutes: number): boolean => minutes >= LATE_FROM_MINUTES
