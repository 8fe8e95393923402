// Seats, classes and reasons of passengers, and their emissions.
import { emissionOf } from '../emissions.ts'
import { counted, type StatFlight } from './flights.ts'
import { settled } from './sums.ts'

/** Passengers by what is known of them. */
export interface Cabin {
  classes: Map<string, number>
  seats: Map<string, number>
  reasons: Map<string, number>
}

export function cabin(flights: readonly StatFlight[], userId: string | null): Cabin {
  const result: Cabin = { classes: new Map(), seats: new Map(), reasons: new Map() }
  const count = (tally: Map<string, number>, value: string | null) => {
    if (value) tally.set(value, (tally.get(value) ?? 0) + 1)
  }
  for (const flight of flights) {
    for (const { seatClass, seat, reason } of counted(flight, userId)) {
      count(result.classes, seatClass)
      count(result.seats, seat)
      count(result.reasons, reason)
    }
  }
  return result
}

export const countTravellers = (flights: readonly StatFlight[], userId: string | null): number =>
  flights.reduce((sum, flight) => sum + counted(flight, userId).length, 0)

export interface Footprint {
  kilograms: number
  /** Passengers whose emissions these are. */
  passengers: number
  /** Passengers for whom the method has no figure. */
  unknown: number
}

/** A flight without any seats, as on a share, counts as one average passenger. */
export function footprint(flights: readonly StatFlight[], userId: string | null): Footprint {
  const sum: Footprint = { kilograms: 0, passengers: 0, unknown: 0 }
  for (const flight of flights) {
    const classes = flight.passengers ? counted(flight, userId).map(({ seatClass }) => seatClass) : [null]
    for (const seatClass of classes) {
      const emission = emissionOf(flight, seatClass)
      if (!emission) sum.unknown++
      else {
        sum.kilograms += emission.kilograms
        sum.passengers++
      }
    }
  }
  return { ...sum, kilograms: settled(sum.kilograms) }
}
