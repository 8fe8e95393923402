// Whether two records are one flight. Compares day, route and number, never the exact time: programs round, correct or omit
// times.

import type { DatePrecision } from '../enums.ts'
import { daysBetween, writtenLength } from '../time/calendar.ts'
import { MINUTE } from '../time/durations.ts'
import { instantOf } from '../time/time.ts'
import { canonicalFlightNumber, parseFlightNumber } from './number.ts'
import { DUPLICATE_DAYS } from './plausibility.ts'

/** The compared fields. Both flights have the same route. */
export interface OnRoute {
  date: string
  datePrecision: DatePrecision
  flightNumber: string | null
  airlineId: number | null
  departure: string | null
  departureScheduled: string | null
}

/**
 * How two flights on one route resemble each other. `codeshare`: another number on the same day, at about the same or at an
 * unknown time. `near_day`: the same number, or nothing that distinguishes them, a day or two apart. `period`: the date of one
 * is a month or year that contains the other.
 */
export type Resemblance = 'same' | 'codeshare' | 'near_day' | 'period' | 'none'

/** `similar`: a person must decide. */
export type Likeness = 'duplicate' | 'similar' | 'other'

const verdicts: Record<Resemblance, Likeness> = {
  same: 'duplicate',
  codeshare: 'similar',
  near_day: 'similar',
  period: 'similar',
  none: 'other',
}
export const likeness = (a: OnRoute, b: OnRoute): Likeness => verdicts[resemblance(a, b)]

/** Two departures with the same number that are this far apart are two flights of a shuttle. */
const SHUTTLE_MS = 90 * MINUTE

export function resemblance(a: OnRoute, b: OnRoute): Resemblance {
  if (a.datePrecision !== b.datePrecision) return overlap(a, b) ? 'period' : 'none'
  const days = Math.abs(daysBetween(a.date, b.date))
  if (days === 0) return onSameDay(a, b)
  if (a.datePrecision !== 'day' || days > DUPLICATE_DAYS) return 'none'
  if (a.flightNumber && b.flightNumber) return isSameNumber(a, b) ? 'near_day' : 'none'
  return days === 1 && (saysNothing(a) || saysNothing(b)) ? 'near_day' : 'none'
}

function onSameDay(a: OnRoute, b: OnRoute): Resemblance {
  if (a.flightNumber && b.flightNumber) {
    if (isSameNumber(a, b)) return 'same'
    return areApart(a, b) ? 'none' : 'codeshare'
  }
  return areApart(a, b) ? 'none' : 'same'
}

/** One date is a month or year that contains the other. */
function overlap(a: OnRoute, b: OnRoute): boolean {
  const length = Math.min(...[a, b].map(({ datePrecision }) => writtenLength[datePrecision]))
  return a.date.slice(0, length) === b.date.slice(0, length)
}

const saysNothing = (flight: OnRoute): boolean => !flight.flightNumber && departuresOf(flight).length === 0

const departuresOf = ({ departure, departureScheduled }: OnRoute): number[] =>
  [departure, departureScheduled].flatMap((time) => (time === null ? [] : instantOf(time)))

/** Both have times, and none of them are close to each other. */
function areApart(a: OnRoute, b: OnRoute): boolean {
  const others = departuresOf(b)
  const distances = departuresOf(a).flatMap((one) => others.map((other) => Math.abs(one - other)))
  return distances.length > 0 && Math.min(...distances) >= SHUTTLE_MS
}

/** Also if one side has the airline's other code, or only the digits. */
function isSameNumber(a: OnRoute, b: OnRoute): boolean {
  const [one, other] = [canonicalFlightNumber(a.flightNumber!), canonicalFlightNumber(b.flightNumber!)]
  if (one === other) return true
  if (digitsOf(one) !== digitsOf(other)) return false
  const isBare = [one, other].some((number) => parseFlightNumber(number) === undefined)
  return isBare || (a.airlineId !== null && a.airlineId === b.airlineId)
}

const digitsOf = (number: string): string => parseFlightNumber(number)?.number ?? number.replace(/^0+/, '')
