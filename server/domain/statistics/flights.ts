// A completed flight for the statistics. The server builds it from the log, the web app from the compact log, and a share from
// the details that its owner chose: a missing detail is counted nowhere.
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
  /** Only for an aircraft type. */
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
  /** Seconds, estimated if not known. */
  duration: number | null
  durationEstimated?: boolean
  date?: string
  datePrecision?: DatePrecision
  airline?: Named | null
  aircraft?: Named | null
  aircraftReg?: string | null
  /** Best known departure, a date-time with offset; determines the order of flights on the same day. */
  departure?: string | null
  /** Best known arrival. */
  arrival?: string | null
  /** Minutes after the schedule, if both times are known. */
  departureDelay?: number | null
  arrivalDelay?: number | null
  /** The local time at the airport; only its hour is used. */
  departureLocal?: string | null
  passengers?: readonly Traveller[]
  /** Its seconds in the air and in the dark, if already computed; null if they cannot be computed. */
  night?: { seconds: number; nightSeconds: number } | null
  /** Its position in time, if already computed. */
  time?: TimeOfFlight
}

/** The values that flights are sorted by (in-order.ts). */
export interface TimeOfFlight {
  firstDay: number
  lastDay: number
  departs: number
}

export const present = <T>(...values: (T | null | undefined)[]): T[] =>
  values.filter((value): value is T => value !== null && value !== undefined)

/** The passengers whose seats count: one person, or with null all of them. */
export function counted(flight: StatFlight, userId: string | null): readonly Traveller[] {
  const passengers = flight.passengers ?? []
  return userId === null ? passengers : passengers.filter((passenger) => passenger.user === userId)
}
