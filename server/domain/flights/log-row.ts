// The computed values of a flight's row in the log. Used for the server's log and for unsynced changes in the browser, so that
// both show the same.

import type { DatePrecision, Outcome } from '../enums.ts'
import { clockAt } from '../time/airport-clock.ts'
import { instantOf, offsetMinutes } from '../time/time.ts'
import { effectiveArrival, effectiveDeparture, type FlightTimes } from './best-times.ts'
import { arrivalDelay, departureDelay } from './delay.ts'
import { knownOrEstimated, landsAt } from './duration.ts'

interface Logged extends FlightTimes {
  date: string
  datePrecision: DatePrecision
  duration: number | null
  outcome: Outcome
  bookingReference: string | null
  operatingFlightNumber: string | null
}
type Route = Parameters<typeof knownOrEstimated>[1]
interface Ends {
  from: { timezone: string } | null
  to: { timezone: string } | null
}

/** Times with the local clocks at the airports, and the duration. */
export function timesOfRow(flight: Logged, route: Route & Ends) {
  const departure = clockAt(effectiveDeparture(flight), route.from?.timezone ?? null)
  const zone = route.to?.timezone ?? null
  const arrival = clockAt(effectiveArrival(flight), zone)
  const length = knownOrEstimated(flight.duration, route)
  return {
    departure: departure.time,
    arrival: arrival.time,
    departureLocal: departure.local,
    arrivalLocal: arrival.local,
    departureOffset: departure.offset,
    arrivalOffset: arrival.time === null ? offsetOnLanding(departure.time, length, zone) : arrival.offset,
    dayShift: departure.daysUntil(arrival),
    ...length,
    distanceKm: route.distanceKm,
  }
}

/** At the estimated landing, if only the departure of the flight is known. */
function offsetOnLanding(
  departure: string | null,
  { duration }: { duration: number | null },
  zone: string | null,
): number | null {
  const lands = departure && landsAt({ departs: instantOf(departure), arrives: null, duration })
  return lands && zone ? offsetMinutes(lands, zone) : null
}

/** Values that most flights lack, omitted to keep the log small. */
export function seldomInRow(flight: Logged) {
  const [departure, arrival] = [departureDelay(flight), arrivalDelay(flight)]
  return {
    ...(flight.outcome === 'flown' ? {} : { outcome: flight.outcome }),
    ...(flight.bookingReference === null ? {} : { bookingReference: flight.bookingReference }),
    ...(flight.operatingFlightNumber === null ? {} : { operatingFlightNumber: flight.operatingFlightNumber }),
    ...(departure === null ? {} : { departureDelay: departure }),
    ...(arrival === null ? {} : { arrivalDelay: arrival }),
  }
}
