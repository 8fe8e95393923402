// Which flights are suggested as a trip: those of a person who left home, stayed somewhere for two nights or more, and flew on.
// No I/O, no clock.

import { type Position, sphericalMetres } from '../geo/geo.ts'
import { daysBetween } from '../time/calendar.ts'
import { arrivalDay, departureDay, type Journey, type JourneyFlight } from './journey.ts'

interface Place extends Position {
  id: number
}

interface TripFlight extends JourneyFlight {
  from: Place | null
  to: Place | null
}

const FEWEST_NIGHTS = 2
/** A longer stay is a gap in the log, or a home. */
const MOST_NIGHTS = 366
/** Airports this close serve the same city. */
const SAME_CITY_KM = 100
/** How far a person travels over land between landing and the next flight of a trip. */
const OVER_LAND_KM = 600

interface Person<Flight> {
  /** The airport of their home on a day. */
  homeOn(date: string): number | null
  /** Whether the flight can still be put in a trip. */
  isFree(flight: Flight): boolean
}

/** In the order in which they began. The journeys are one person's, in their order. */
export function suggestTrips<Flight extends TripFlight>(
  journeys: readonly Journey<Flight>[],
  { homeOn, isFree }: Person<Flight>,
): Flight[][] {
  const flights = journeys.flatMap((journey) => journey.flights).filter(hasDay)
  return tripsAway(flights, homeOn).filter((trip) => hasStay(trip) && trip.every(isFree))
}

const hasDay = ({ datePrecision }: JourneyFlight): boolean => datePrecision === 'day'

/** Cuts the flights where the person was back at home, or where it is not known how they went on. */
function tripsAway<Flight extends TripFlight>(
  flights: readonly Flight[],
  homeOn: (date: string) => number | null,
): Flight[][] {
  const places = new Map(flights.flatMap(({ from, to }) => [from, to]).map((place) => [place?.id, place]))
  const trips: Flight[][] = []
  for (const flight of flights) {
    const trip = trips.at(-1)
    const home = places.get(homeOn(flight.date) ?? undefined) ?? null
    if (trip && goesOn(trip, flight, home)) trip.push(flight)
    else trips.push([flight])
  }
  return trips
}

function goesOn(trip: readonly TripFlight[], flight: TripFlight, home: Place | null): boolean {
  const last = trip.at(-1)!
  if (nightsBetween(last, flight) === null) return false
  const bases = [home, trip[0]!.from]
  return !bases.some((base) => isSameCity(base, last.to) || isSameCity(base, flight.from))
}

const hasStay = (trip: readonly TripFlight[]): boolean =>
  trip.some((flight, i) => i > 0 && nightsBetween(trip[i - 1]!, flight)! >= FEWEST_NIGHTS)

/** Nights between two flights of one trip; null if they cannot be of one. */
function nightsBetween(earlier: TripFlight, later: TripFlight): number | null {
  if (kmBetween(earlier.to, later.from) > OVER_LAND_KM) return null
  const nights = daysBetween(arrivalDay(earlier), departureDay(later))
  return nights <= MOST_NIGHTS ? nights : null
}

const isSameCity = (a: Place | null, b: Place | null): boolean => kmBetween(a, b) < SAME_CITY_KM

/** Infinite where a place is unknown. On the sphere, which is near enough for these limits and a hundred times faster. */
function kmBetween(a: Place | null, b: Place | null): number {
  if (a === null || b === null) return Number.POSITIVE_INFINITY
  return a.id === b.id ? 0 : sphericalMetres(a, b) / 1000
}
