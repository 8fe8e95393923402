// How many flights were on time, and by how much the others were not. Counts only flights whose scheduled and actual times are
// known.
import { isLate } from '../flights/delay.ts'
import { compute, type Figure, most } from './figure.ts'
import type { StatFlight } from './flights.ts'

interface OnTime {
  /** Flights with both times. */
  flights: number
  /** Less than 15 minutes late. */
  onTime: number
  /** Average delay in minutes, negative for early flights; null without flights. */
  averageMinutes: number | null
}

export interface Punctuality {
  arrivals: OnTime
  departures: OnTime
  /** The flight with the largest arrival delay, if any flight was late. */
  mostLate: StatFlight | null
}

export const punctualities = ['onTime', 'late'] as const
export type Punctual = (typeof punctualities)[number]

/** By arrival, as airlines are judged; null if unknown. */
export const punctualityOf = ({ arrivalDelay }: StatFlight): Punctual | null =>
  typeof arrivalDelay === 'number' ? (isLate(arrivalDelay) ? 'late' : 'onTime') : null

interface Delays {
  flights: number
  onTime: number
  minutes: number
}
interface PunctualityState {
  arrivals: Delays
  departures: Delays
  mostLate: StatFlight | null
}

function addDelay(delays: Delays, minutes: number | null | undefined): void {
  if (typeof minutes !== 'number') return
  delays.flights++
  delays.minutes += minutes
  if (!isLate(minutes)) delays.onTime++
}

const onTimeOf = ({ flights, onTime, minutes }: Delays): OnTime => ({
  flights,
  onTime,
  averageMinutes: flights > 0 ? Math.round(minutes / flights) : null,
})

const lateness = ({ arrivalDelay }: StatFlight): number | null =>
  typeof arrivalDelay === 'number' && arrivalDelay > 0 ? arrivalDelay : null

export const punctualityFigure: Figure<PunctualityState, Punctuality> = {
  start: () => ({
    arrivals: { flights: 0, onTime: 0, minutes: 0 },
    departures: { flights: 0, onTime: 0, minutes: 0 },
    mostLate: null,
  }),
  add(state, flight) {
    addDelay(state.arrivals, flight.arrivalDelay)
    addDelay(state.departures, flight.departureDelay)
    state.mostLate = most(state.mostLate, flight, lateness)
  },
  merge(state, part) {
    for (const end of ['arrivals', 'departures'] as const)
      for (const name of ['flights', 'onTime', 'minutes'] as const) state[end][name] += part[end][name]
    state.mostLate = most(state.mostLate, part.mostLate, lateness)
  },
  result: ({ arrivals, departures, mostLate }) => ({
    arrivals: onTimeOf(arrivals),
    departures: onTimeOf(departures),
    mostLate,
  }),
}

export const punctuality = (flights: readonly StatFlight[]): Punctuality =>
  compute(punctualityFigure, flights)
