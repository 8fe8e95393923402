// Converts a stored flight for statistics.

import { effectiveArrival, effectiveDeparture } from '../../domain/flights/best-times.ts'
import { arrivalDelay, departureDelay } from '../../domain/flights/delay.ts'
import { type estimatedSeconds, knownOrEstimated } from '../../domain/flights/duration.ts'
import { completionInstant, upcomingUntil } from '../../domain/flights/flight.ts'
import { takesPlace } from '../../domain/flights/outcome.ts'
import type { StatFlight } from '../../domain/statistics/flights.ts'
import { timeOfFlight } from '../../domain/statistics/in-order.ts'
import { computeNight } from '../../domain/statistics/night.ts'
import { instantOf, localMinute } from '../../domain/time/time.ts'
import type { LogFlight } from '../../store/flights/log.ts'
import type { Airport } from '../../store/reference/records.ts'
import type { Records } from '../reference/reference.ts'

/** How distances are measured and unknown times estimated: as in v1, or as older programs expect. */
export interface Measures {
  name: 'v1' | 'legacy'
  distanceOf: (from: Airport, to: Airport) => number
  estimate: typeof estimatedSeconds
}

export const recordOf = <Item>(table: ReadonlyMap<number, Item>, id: number | null): Item | null =>
  id === null ? null : (table.get(id) ?? null)

export const zoneOf = (records: Records, airportId: number | null): string | null =>
  recordOf(records.airports, airportId)?.timezone ?? null

export function statFlight(
  flight: LogFlight,
  records: Records,
  { distanceOf, estimate }: Measures,
): StatFlight {
  const [from, to] = [recordOf(records.airports, flight.fromId), recordOf(records.airports, flight.toId)]
  const distanceKm = from && to ? distanceOf(from, to) : null
  const aircraft = recordOf(records.aircraft, flight.aircraftId)
  const departure = effectiveDeparture(flight)
  return {
    id: flight.id,
    date: flight.date,
    datePrecision: flight.datePrecision,
    departure,
    arrival: effectiveArrival(flight),
    departureLocal: departure && from?.timezone ? localMinute(instantOf(departure), from.timezone) : null,
    departureDelay: departureDelay(flight),
    arrivalDelay: arrivalDelay(flight),
    from,
    to,
    distanceKm,
    ...knownOrEstimated(flight.duration, { from, to, distanceKm, aircraft }, estimate),
    airline: recordOf(records.airlines, flight.airlineId),
    aircraft,
    aircraftReg: flight.aircraftReg,
    passengers: flight.passengers.map(({ userId, guestName, seat, seatClass, flightReason }) => ({
      user: userId,
      guest: guestName,
      seat,
      seatClass,
      reason: flightReason,
    })),
  }
}

/** A flight of a kept log. Immutable: another version of the flight is another object. */
export interface KeptFlight {
  figures: StatFlight
  isCancelled: boolean
  /** After this instant it counts as flown. */
  completes: number
  /** After this instant it is no longer upcoming. */
  departs: number
}

export function keptFlight(flight: LogFlight, records: Records, measures: Measures): KeptFlight {
  const figures = statFlight(flight, records, measures)
  const zone = zoneOf(records, flight.fromId)
  return {
    figures: { ...figures, night: computeNight(figures), time: timeOfFlight(figures) },
    isCancelled: !takesPlace(flight),
    completes: completionInstant(flight, zone),
    departs: upcomingUntil(flight, zone),
  }
}
