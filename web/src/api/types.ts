/** Payloads of /app/api, with the names of the OpenAPI document. */

import type { components } from './schema.d.ts'

export type {
  DatePrecision,
  FlightReason,
  FlightScope,
  Outcome,
  Seat,
  SeatClass,
  TrackFormat,
} from '../../../server/domain/enums.ts'
export { flightReasons, outcomes, seatClasses, seats } from '../../../server/domain/enums.ts'

type Schemas = components['schemas']

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

export { type TimeField, timeFields } from '../../../server/domain/flights/fields.ts'

/** Longitude, latitude and, if known, altitude in metres: the server refuses a list of another length. */
export type Coordinate = number[]

export type Track = Schemas['Track']
export type DirectoryUser = Schemas['User']
export type PersonWaysIn = Schemas['PersonWaysIn']
export type Invitation = Schemas['Invitation']
export type Notice = Schemas['Notice']
/** Another person added the reader to a flight. */
export type AddedNotice = Extract<Notice, { kind: 'flight.added' }>
export type CustomField = Schemas['CustomField']

export interface Session {
  user: Me | null
  setupRequired: boolean
  setupTokenRequired: boolean
  instance: { name: string; version: string }
  preferences: Preferences | null
  /** Ways to sign in on the sign-in page, apart from passkeys. */
  signIn: { passwords: boolean; provider: string | null }
}
