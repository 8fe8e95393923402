// What a person is likely to fly next: the same flight again, the way back, or the routes they fly most. Works on any flights
// whose places have ids, so that the web app can use it on its copy of the log.

import type { DatePrecision, Outcome } from '../enums.ts'
import { canonicalFlightNumber, parseFlightNumber } from '../flights/number.ts'
import { takesPlace } from '../flights/outcome.ts'
import { daysBetween } from '../time/calendar.ts'

interface Identified {
  id: number
}

/** The fields of a flight that are used here. A history is sorted from newest to oldest. */
interface PastFlight {
  id: number
  date: string
  datePrecision: DatePrecision
  from: Identified | null
  to: Identified | null
  /** Where a diverted flight should have landed. */
  plannedTo?: number | undefined
  airline: Identified | null
  flightNumber: string | null
  outcome?: Outcome | undefined
}

export interface Repeat {
  fromId: number | null
  toId: number | null
  airlineId: number | null
  flightNumber: string | null
}

export interface WayBack extends Repeat {
  /** How long the person usually stays; null unless the history shows it at least twice. */
  stayDays: number | null
}

/** A later flight on the reversed route counts as the way back only within this time. */
const LONGEST_STAY_DAYS = 60

const destinationOf = ({ to, plannedTo }: PastFlight): number | null => plannedTo ?? to?.id ?? null

const numberOf = ({ flightNumber }: PastFlight): string | null =>
  flightNumber ? canonicalFlightNumber(flightNumber) : null

/** The same route, airline and number; the person chooses the day. */
export function againOf(flight: PastFlight): Repeat {
  return {
    fromId: flight.from?.id ?? null,
    toId: destinationOf(flight),
    airlineId: flight.airline?.id ?? null,
    flightNumber: flight.flightNumber,
  }
}

/** The reversed route with the same airline. It has a number only if the history has the number of the way back. */
export function returnOf(flight: PastFlight, history: readonly PastFlight[]): WayBack {
  const fromId = destinationOf(flight)
  const toId = flight.from?.id ?? null
  const airlineId = flight.airline?.id ?? null
  const pairs = waysBack(flight, history)
  const paired = pairs.map(([, back]) => back).filter((back) => fitsAirline(back, flight))
  const alike = history.filter((other) => isOn(other, fromId, toId) && isOfSameAirline(other, flight))
  return {
    fromId,
    toId,
    airlineId,
    flightNumber: mostFrequent(paired.map(numberOf)) ?? mostFrequent(alike.map(numberOf)),
    stayDays: stayOf(pairs),
  }
}

/** By the airline record, or by the airline code of both numbers. */
type Flown = Pick<PastFlight, 'airline' | 'flightNumber'>
function isOfSameAirline(a: Flown, b: Flown): boolean {
  if (a.airline && b.airline) return a.airline.id === b.airline.id
  const [one, other] = [a, b].map(({ flightNumber }) => parseFlightNumber(flightNumber ?? '')?.airlineCode)
  return one !== undefined && one === other
}

/** An unknown airline fits every other. */
export const fitsAirline = (a: Flown, b: Flown): boolean => {
  const isKnown = ({ airline, flightNumber }: Flown) =>
    airline !== null || parseFlightNumber(flightNumber ?? '') !== undefined
  return !isKnown(a) || !isKnown(b) || isOfSameAirline(a, b)
}

const isOn = (flight: PastFlight, fromId: number | null, toId: number | null): boolean =>
  fromId !== null &&
  toId !== null &&
  flight.from?.id === fromId &&
  destinationOf(flight) === toId &&
  takesPlace(flight)

/** Earlier flights like this one, each with the first flight back after it. */
function waysBack(flight: PastFlight, history: readonly PastFlight[]): [PastFlight, PastFlight][] {
  const [fromId, toId] = [flight.from?.id ?? null, destinationOf(flight)]
  const number = numberOf(flight)
  const out = history.filter(
    (other) =>
      isOn(other, fromId, toId) &&
      other.datePrecision === 'day' &&
      fitsAirline(other, flight) &&
      (number === null || numberOf(other) === number),
  )
  const back = history.filter((other) => isOn(other, toId, fromId) && other.datePrecision === 'day')
  return out.flatMap((one) => {
    // From newest to oldest: the last one that is not earlier is the first one after it.
    const next = back.findLast((other) => other.date >= one.date && other.id !== one.id)
    return next && daysBetween(one.date, next.date) <= LONGEST_STAY_DAYS ? [[one, next]] : []
  })
}

function stayOf(pairs: readonly [PastFlight, PastFlight][]): number | null {
  if (pairs.length < 2) return null
  const days = pairs.map(([out, back]) => daysBetween(out.date, back.date)).sort((a, b) => a - b)
  return days[Math.floor(days.length / 2)]!
}

/** On a tie, the first one wins; it is the newest. */
function mostFrequent<Value>(values: readonly (Value | null | undefined)[]): Value | null {
  const counts = new Map<Value, number>()
  for (const value of values) if (value != null) counts.set(value, (counts.get(value) ?? 0) + 1)
  let best: Value | null = null
  for (const [value, count] of counts) if (best === null || count > counts.get(best)!) best = value
  return best
}

interface FavouriteRoute {
  fromId: number
  toId: number
  /** Flights in both directions. */
  count: number
}

/**
 * The most flown pairs of airports; on a tie, the one flown last. A pair that begins where the person is now is offered in
 * that direction, any other pair in the direction that was flown more often.
 */
export function favouriteRoutes(
  history: readonly PastFlight[],
  hereId: number | null,
  limit: number,
): FavouriteRoute[] {
  const pairs = new Map<string, { a: number; b: number; there: number; back: number }>()
  for (const flight of history) {
    const [from, to] = [flight.from?.id, destinationOf(flight)]
    if (from === undefined || to === null || from === to || !isOn(flight, from, to)) continue
    const [a, b] = from < to ? [from, to] : [to, from]
    const pair = pairs.get(`${a}-${b}`) ?? { a, b, there: 0, back: 0 }
    if (from === a) pair.there++
    else pair.back++
    pairs.set(`${a}-${b}`, pair)
  }
  const sorted = [...pairs.values()].sort((x, y) => y.there + y.back - x.there - x.back)
  return sorted.slice(0, limit).map(({ a, b, there, back }) => {
    const isThere = hereId === a || (hereId !== b && there >= back)
    return { fromId: isThere ? a : b, toId: isThere ? b : a, count: there + back }
  })
}

/** Where the person is after their last completed flight; their home if they have none. */
export function placeAfter(
  history: readonly (PastFlight & { completed: boolean })[],
  homeId: number | null,
): number | null {
  const last = history.find(
    (flight) => flight.completed && isOn(flight, flight.from?.id ?? null, destinationOf(flight)),
  )
  return last?.to?.id ?? homeId
}
