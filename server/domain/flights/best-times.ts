// The best known times of a flight. Apart from the rules that need time zones, because the browser loads these.
import type { DatePrecision } from '../enums.ts'

export const timePairs = [
  ['departure', 'arrival'],
  ['departureScheduled', 'arrivalScheduled'],
  ['takeoffScheduled', 'landingScheduled'],
  ['takeoffActual', 'landingActual'],
] as const

export type TimeField = (typeof timePairs)[number][number]
export type FlightTimes = Record<TimeField, string | null>

interface Dated {
  datePrecision: DatePrecision
}
export type BestDeparture = Dated &
  Pick<FlightTimes, 'departure' | 'takeoffActual' | 'departureScheduled' | 'takeoffScheduled'>
type BestArrival = Dated &
  Pick<FlightTimes, 'arrival' | 'landingActual' | 'arrivalScheduled' | 'landingScheduled'>

/** Best known departure: actual, otherwise take-off, otherwise scheduled. */
export function effectiveDeparture(flight: BestDeparture): string | null {
  const actual = flight.datePrecision === 'day' ? flight.departure : null
  return actual ?? flight.takeoffActual ?? flight.departureScheduled ?? flight.takeoffScheduled
}

/** Best known arrival. */
export function effectiveArrival(flight: BestArrival): string | null {
  const actual = flight.datePrecision === 'day' ? flight.arrival : null
  return actual ?? flight.landingActual ?? flight.arrivalScheduled ?? flight.landingScheduled
}
