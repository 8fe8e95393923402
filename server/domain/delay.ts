// How late a flight was against its schedule, and whether that counts as on time.
import type { DatePrecision } from './enums.ts'
import type { FlightTimes } from './flight.ts'

/** Less than this late is on time, as airlines and authorities count it (A15). */
export const LATE_FROM_MINUTES = 15

interface Timed extends FlightTimes {
  datePrecision: DatePrecision
}

// Parsed by the platform, because the rules of time zones are not for the browser, which shows the same figure.
const minutesBetween = (planned: string | null, actual: string | null): number | null =>
  planned !== null && actual !== null ? Math.round((Date.parse(actual) - Date.parse(planned)) / 60_000) : null

/** Of a flight whose day is not known, departure and arrival stand for the month or year. */
const isDated = ({ datePrecision }: Timed): boolean => datePrecision === 'day'

/** Minutes, negative if it was early. At the gate, else on the runway; null unless plan and fact are known. */
export const departureDelay = (flight: Timed): number | null =>
  minutesBetween(flight.departureScheduled, isDated(flight) ? flight.departure : null) ??
  minutesBetween(flight.takeoffScheduled, flight.takeoffActual)

export const arrivalDelay = (flight: Timed): number | null =>
  minutesBetween(flight.arrivalScheduled, isDated(flight) ? flight.arrival : null) ??
  minutesBetween(flight.landingScheduled, flight.landingActual)

export const isLate = (minutes: number): boolean => minutes >= LATE_FROM_MINUTES
