// A completed flight as the statistics see it. The server builds it from the log, the web app from the compact log and a
// share from what the sharer ticked: a detail that is missing is counted nowhere.
import type { AircraftClass, DatePrecision } from '../enums.ts'

export interface Place {
  id: number
  icao: string
  iata: string | null
  name: string
  municipality: string | null
  latitude: number
  longitude: number
  country: string
  continent: string
  formerCodes?: string[] | undefined
}

/** An airline or an aircraft type. */
export interface Named {
  id: number
  name: string
  icao?: string | null
  iata?: string | null
  /** Of an aircraft type. */
  class?: AircraftClass | null
}

interface Traveller {
  user: string | null
  /** The name of a passenger without an account. */
  guest?: string | null | undefined
  seat: string | null
  seatClass: string | null
  reason: string | null
}

export interface StatFlight {
  id: number
  from: Place | null
  to: Place | null
  distanceKm: number | null
  /** Seconds, estimated where it is not known. */
  duration: number | null
  durationEstimated?: boolean
  date?: string
  datePrecision?: DatePrecision
  airline?: Named | null
  aircraft?: Named | null
  aircraftReg?: string | null
  /** Best known departure, a date-time with offset; orders the flights of one day. */
  departure?: string | null
  /** Best known arrival. */
  arrival?: string | null
  /** Minutes after the schedule, where both times are known. */
  departureDelay?: number | null
  arrivalDelay?: number | null
  /** Wall clock at the airport; only its hour is counted. */
  departureLocal?: string | null
  passengers?: readonly Traveller[]
  /** Its seconds in the air and in the dark, where they were computed before; null if they cannot be. */
  night?: { seconds: number; nightSeconds: number } | null
  /** Its place in time, where it was computed before. */
  time?: TimeOfFlight
}

/** What flights are ordered by (in-order.ts). */
export interface TimeOfFlight {
  firstDay: number
  lastDay: number
  departs: number
}

export const present = <T>(...values: (T | null | undefined)[]): T[] =>
  values.filter((value): value is T => value !== null && value !== undefined)

/** Whose seats are counted: one person's, or with null those of every passenger. */
export function counted(flight: StatFlight, userId: string | null): readonly Traveller[] {
  const passengers = flight.passengers ?? []
  return userId === null ? passengers : passengers.filter((passenger) => passenger.user === userId)
}
