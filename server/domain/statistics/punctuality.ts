// How many flights were on time, and by how much the others were not. Only flights count whose scheduled and actual times
// are both known.
import { isLate } from '../delay.ts'
import type { StatFlight } from './flights.ts'

interface OnTime {
  /** With both times. */
  flights: number
  /** Less than 15 minutes late. */
  onTime: number
  /** Minutes late on average, early ones counted as early; null without flights. */
  averageMinutes: number | null
}

export interface Punctuality {
  arrivals: OnTime
  departures: OnTime
  /** The flight that arrived latest against its schedule, if it was late at all. */
  mostLate: StatFlight | null
}

function onTimeOf(minutes: readonly number[]): OnTime {
  const sum = minutes.reduce((total, one) => total + one, 0)
  return {
    flights: minutes.length,
    onTime: minutes.filter((one) => !isLate(one)).length,
    averageMinutes: minutes.length > 0 ? Math.round(sum / minutes.length) : null,
  }
}

const known = (values: readonly (number | null | undefined)[]): number[] =>
  values.filter((value): value is number => typeof value === 'number')

export const punctualities = ['onTime', 'late'] as const
export type Punctual = (typeof punctualities)[number]

/** By arrival, as airlines are judged; null if it is not known. */
export const punctualityOf = ({ arrivalDelay }: StatFlight): Punctual | null =>
  typeof arrivalDelay === 'number' ? (isLate(arrivalDelay) ? 'late' : 'onTime') : null

export function punctuality(flights: readonly StatFlight[]): Punctuality {
  const late = (flight: StatFlight | null) => flight?.arrivalDelay ?? 0
  return {
    arrivals: onTimeOf(known(flights.map(({ arrivalDelay }) => arrivalDelay))),
    departures: onTimeOf(known(flights.map(({ departureDelay }) => departureDelay))),
    mostLate: flights.reduce<StatFlight | null>(
      (worst, flight) => (late(flight) > late(worst) ? flight : worst),
      null,
    ),
  }
}
