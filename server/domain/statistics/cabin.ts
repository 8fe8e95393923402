// Seats, classes and reasons of passengers, and their emissions.
import { emissionOf } from '../flights/emissions.ts'
import { compute, type Figure } from './figure.ts'
import { counted, type StatFlight } from './flights.ts'
import { settled } from './sums.ts'

/** Passengers by known values. */
export interface Cabin {
  classes: Map<string, number>
  seats: Map<string, number>
  reasons: Map<string, number>
}

interface CabinState extends Cabin {
  travellers: number
}

const count = (tally: Map<string, number>, value: string | null, by = 1): void => {
  if (value) tally.set(value, (tally.get(value) ?? 0) + by)
}

/** `userId`: the person whose seats count; null for every passenger's. */
export const cabinFigure = (userId: string | null): Figure<CabinState, CabinState> => ({
  start: () => ({ classes: new Map(), seats: new Map(), reasons: new Map(), travellers: 0 }),
  add(state, flight) {
    for (const { seatClass, seat, reason } of counted(flight, userId)) {
      count(state.classes, seatClass)
      count(state.seats, seat)
      count(state.reasons, reason)
      state.travellers++
    }
  },
  merge(state, part) {
    for (const name of ['classes', 'seats', 'reasons'] as const)
      for (const [value, more] of part[name]) count(state[name], value, more)
    state.travellers += part.travellers
  },
  result: (state) => state,
})

export const cabin = (flights: readonly StatFlight[], userId: string | null): Cabin => {
  const { travellers: _, ...found } = compute(cabinFigure(userId), flights)
  return found
}

export const countTravellers = (flights: readonly StatFlight[], userId: string | null): number =>
  compute(cabinFigure(userId), flights).travellers

export interface Footprint {
  kilograms: number
  /** Passengers with a figure. */
  passengers: number
  /** Passengers for whom the method has no figure. */
  unknown: number
}

/** A flight without seats, as on a share, counts as one average passenger. */
export const footprintFigure = (userId: string | null): Figure<Footprint, Footprint> => ({
  start: () => ({ kilograms: 0, passengers: 0, unknown: 0 }),
  add(sum, flight) {
    const classes = flight.passengers ? counted(flight, userId).map(({ seatClass }) => seatClass) : [null]
    for (const seatClass of classes) {
      const emission = emissionOf(flight, seatClass)
      if (!emission) sum.unknown++
      else {
        sum.kilograms += emission.kilograms
        sum.passengers++
      }
    }
  },
  merge(sum, part) {
    sum.kilograms += part.kilograms
    sum.passengers += part.passengers
    sum.unknown += part.unknown
  },
  result: (sum) => ({ ...sum, kilograms: settled(sum.kilograms) }),
})

export const footprint = (flights: readonly StatFlight[], userId: string | null): Footprint =>
  compute(footprintFigure(userId), flights)
