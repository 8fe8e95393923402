/** Payloads of /app/api. Replaced by generated types where the OpenAPI document has them. */

export type DatePrecision = 'day' | 'month' | 'year'
export const seats = ['window', 'aisle', 'middle', 'pilot', 'copilot', 'jumpseat', 'other'] as const
export const seatClasses = ['economy', 'economy+', 'business', 'first', 'private'] as const
export const flightReasons = ['leisure', 'business', 'crew', 'other'] as const
export type Seat = (typeof seats)[number]
export type SeatClass = (typeof seatClasses)[number]
export type FlightReason = (typeof flightReasons)[number]

export interface Airport {
  id: number
  icao: string
  iata: string | null
  name: string
  municipality: string | null
  latitude: number
  longitude: number
  timezone: string
  type: string
  continent: string
  country: string
  custom: boolean
  /** Codes the airport had before, where the server knows them. */
  formerCodes?: string[]
}

export interface Airline {
  id: number
  name: string
  icao: string | null
  iata: string | null
  iconPath: string | null
}

export interface Aircraft {
  id: number
  name: string
  icao: string | null
}

export interface UserRef {
  id: string
  displayName: string
  username: string
}

export interface Passenger {
  id: number
  user: UserRef | null
  guestName: string | null
  seat: Seat | null
  seatNumber: string | null
  seatClass: SeatClass | null
  flightReason: FlightReason | null
  customFields?: Record<string, unknown>
}

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

export interface FlightRecord extends Record<TimeField, string | null> {
  id: number
  date: string
  datePrecision: DatePrecision
  duration: number | null
  departureTerminal: string | null
  departureGate: string | null
  arrivalTerminal: string | null
  arrivalGate: string | null
  flightNumber: string | null
  aircraftReg: string | null
  note: string | null
  from: Airport | null
  to: Airport | null
  airline: Airline | null
  aircraft: Aircraft | null
  passengers: Passenger[]
  track: TrackSummary | null
  customFields?: Record<string, unknown>
  distanceKm?: number | null
  createdAt?: string
  updatedAt?: string
}

export interface PassengerInput {
  id?: number
  userId: string | null
  guestName: string | null
  seat: Seat | null
  seatNumber: string | null
  seatClass: SeatClass | null
  flightReason: FlightReason | null
  customFields?: Record<string, unknown>
}

export interface FlightInput extends Record<TimeField, string | null> {
  date: string
  datePrecision: DatePrecision
  duration: number | null
  departureTerminal: string | null
  departureGate: string | null
  arrivalTerminal: string | null
  arrivalGate: string | null
  flightNumber: string | null
  aircraftReg: string | null
  note: string | null
  fromId: number
  toId: number
  airlineId: number | null
  aircraftId: number | null
  passengers: PassengerInput[]
  track?: TrackInput | null
  customFields?: Record<string, unknown>
}

export type TrackFormat = 'gpx' | 'kml' | 'csv' | 'readsb'
/** Longitude, latitude and, if known, altitude in metres. */
export type Coordinate = [number, number] | [number, number, number]

export interface TrackInput {
  coordinates: Coordinate[]
  sourceFormat: TrackFormat
  sourceName: string | null
  times?: number[]
  groundSpeedKt?: number[]
  trackDeg?: number[]
}

export interface Track extends TrackInput {
  flightId: number
  pointCount: number
  createdAt: string
  updatedAt: string
}

export interface TrackSummary {
  pointCount: number
  updatedAt: string
  sourceFormat: TrackFormat
  sourceName: string | null
}

export interface Me {
  id: string
  username: string
  displayName: string
  role: { id: string; name: string } | null
  isOwner: boolean
  permissions: string[]
}

export interface Preferences {
  distanceUnit: 'km' | 'mi' | 'nm'
  windSpeedUnit: 'kt' | 'mph' | 'kmh' | 'ms'
  temperatureUnit: 'c' | 'f'
  pressureUnit: 'hpa' | 'inhg'
  timeFormat: '12h' | '24h' | 'auto'
  dateFormat: 'iso' | 'us' | 'eu' | 'auto'
  weekStartsOn: 'mon' | 'sun' | 'auto'
  flightTimeDisplay: 'airport' | 'utc' | 'system'
}

export interface Session {
  user: Me | null
  setupRequired: boolean
  setupTokenRequired: boolean
  instance: { name: string; version: string }
  preferences: Preferences | null
}

export interface DirectoryUser extends UserRef {
  roleId: string | null
  roleName: string | null
  isOwner: boolean
  canManage: boolean
}

export type CustomFieldType =
  | 'text'
  | 'textarea'
  | 'number'
  | 'boolean'
  | 'date'
  | 'select'
  | 'multi-select'
  | 'airport'
  | 'airline'
  | 'aircraft'

export interface CustomField {
  id: number
  entityType: 'flight' | 'flight_passenger'
  key: string
  label: string
  description: string | null
  fieldType: CustomFieldType
  required: boolean
  order: number
  defaultValue: unknown
  options: string[] | null
}

export interface LocalTime {
  instant: string
  offsetMinutes: number
  zone: string
  shifted: boolean
  ambiguous: boolean
}
