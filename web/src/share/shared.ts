// What a share sends, and the same as flights that map, list and statistics understand.
import type { CompactPassenger } from '../api/log.ts'
import type {
  Aircraft,
  Airline,
  Airport,
  Coordinate,
  DatePrecision,
  FlightReason,
  Seat,
  SeatClass,
} from '../api/types.ts'
import { angleBetween, vectorOf } from '../map/sphere.ts'
import type { TrackPoints } from '../map/types.ts'
import type { StatFlight } from '../stats/compute.ts'

interface SharedPassenger {
  seat?: Seat | null
  seatNumber?: string | null
  seatClass?: SeatClass | null
  flightReason?: FlightReason | null
}

/** Every field but the first three may be missing: only what is ticked is sent. */
export interface SharedFlight {
  id: number
  from: Airport | null
  to: Airport | null
  date?: string
  datePrecision?: DatePrecision
  duration?: number | null
  durationEstimated?: boolean
  distanceKm?: number | null
  completed?: boolean
  flightNumber?: string | null
  aircraftReg?: string | null
  airline?: Airline | null
  aircraft?: Aircraft | null
  /** `HH:MM` at the airport. */
  departureTime?: string | null
  arrivalTime?: string | null
  dayShift?: number | null
  passengers?: SharedPassenger[]
  track?: { coordinates: Coordinate[] } | null
}

export interface SharedLog {
  settings: { showMap: boolean; showStats: boolean; showFlightList: boolean; showTracks: boolean }
  owner: { displayName: string } | null
  flights: SharedFlight[]
}

export type ShownFlight = StatFlight & {
  completed: boolean
  flightNumber: string | null
  departureLocal: string | null
  arrivalLocal: string | null
  dayShift: number
}

export async function fetchShare(slug: string): Promise<SharedLog | null> {
  const response = await fetch(`/share/${encodeURIComponent(slug)}/data`, {
    headers: { accept: 'application/json' },
  })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(response.statusText)
  return ((await response.json()) as { data: SharedLog }).data
}

const EARTH_RADIUS_KM = 6371.0088

function sphereKm(from: Airport | null, to: Airport | null): number | null {
  if (!from || !to) return null
  return (
    EARTH_RADIUS_KM *
    angleBetween(vectorOf(from.longitude, from.latitude), vectorOf(to.longitude, to.latitude))
  )
}

const passengerOf = (given: SharedPassenger): CompactPassenger => ({
  user: null,
  guest: null,
  seat: given.seat ?? null,
  seatNumber: given.seatNumber ?? null,
  seatClass: given.seatClass ?? null,
  reason: given.flightReason ?? null,
})

/** Times of day come without a day when dates are not shared; only their clock is ever used. */
const clockOn = (time: string | null | undefined): string | null => (time ? `2000-01-01T${time}` : null)

export function shownFlight(flight: SharedFlight, today: string): ShownFlight {
  return {
    id: flight.id,
    from: flight.from,
    to: flight.to,
    distanceKm: flight.distanceKm ?? sphereKm(flight.from, flight.to),
    duration: flight.duration ?? null,
    durationEstimated: flight.durationEstimated ?? false,
    completed: flight.completed ?? (flight.date === undefined || flight.date <= today),
    flightNumber: flight.flightNumber ?? null,
    departureLocal: clockOn(flight.departureTime),
    arrivalLocal: clockOn(flight.arrivalTime),
    dayShift: flight.dayShift ?? 0,
    airline: flight.airline ?? null,
    aircraft: flight.aircraft ?? null,
    aircraftReg: flight.aircraftReg ?? null,
    ...(flight.passengers && { passengers: flight.passengers.map(passengerOf) }),
    ...(flight.date && {
      date: flight.date,
      datePrecision: flight.datePrecision ?? 'day',
      year: Number(flight.date.slice(0, 4)),
    }),
  }
}

export function tracksOf(log: SharedLog): ReadonlyMap<number, TrackPoints> {
  return new Map(
    log.flights.flatMap((flight) => (flight.track ? [[flight.id, flight.track.coordinates] as const] : [])),
  )
}
