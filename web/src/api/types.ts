/** Payloads of /app/api, named as in the server's document. */

import type { components } from './schema.d.ts'

type Schemas = components['schemas']

export type DatePrecision = 'day' | 'month' | 'year'
export const seats = ['window', 'aisle', 'middle', 'pilot', 'copilot', 'jumpseat', 'other'] as const
export const seatClasses = ['economy', 'economy+', 'business', 'first', 'private'] as const
export const flightReasons = ['leisure', 'business', 'crew', 'other'] as const
export type Seat = (typeof seats)[number]
export type SeatClass = (typeof seatClasses)[number]
export type FlightReason = (typeof flightReasons)[number]

export type Airport = Schemas['Airport'] & {
  /** Codes that the airport had before, where the server returns them. */
  formerCodes?: string[]
}
export type Airline = Schemas['Airline']
export type Aircraft = Schemas['Aircraft']
export type Passenger = Schemas['Passenger']
export type PassengerInput = Schemas['PassengerInput']
export type FlightRecord = Schemas['Flight']
export type DeletedFlight = Schemas['DeletedFlight']
export type FlightInput = Schemas['FlightInput']
export type TrackInput = Schemas['TrackInput']
export type TrackSummary = Schemas['TrackSummary']
export type Me = Schemas['Me']
export type Permission = Me['permissions'][number]
export type Preferences = Schemas['Preferences']
export type LocalTime = Schemas['LocalTime']
export type UserRef = NonNullable<Passenger['user']>

export const timeFields = [
  'departure',
  'arrival',
  'departureScheduled',
  'arrivalScheduled',
  'takeoffScheduled',
  'takeoffActual',
  'landingScheduled',
  'landingActual',
] as const
export type TimeField = (typeof timeFields)[number]

export type TrackFormat = 'gpx' | 'kml' | 'csv' | 'readsb'
/** Longitude, latitude and, if known, altitude in metres. */
export type Coordinate = [number, number] | [number, number, number]

export type Track = Schemas['Track']
export type DirectoryUser = Schemas['User']
export type Notice = Schemas['Notice']
export type CustomField = Schemas['CustomField']
export type CustomFieldType = CustomField['fieldType']

export interface Session {
  user: Me | null
  setupRequired: boolean
  setupTokenRequired: boolean
  instance: { name: string; version: string }
  preferences: Preferences | null
}
