// Every closed list of values that requests accept and the web app offers, in the order in which they are shown.
export const datePrecisions = ['day', 'month', 'year'] as const
export type DatePrecision = (typeof datePrecisions)[number]

export const seats = ['window', 'aisle', 'middle', 'pilot', 'copilot', 'jumpseat', 'other'] as const
export type Seat = (typeof seats)[number]

export const seatClasses = ['economy', 'economy+', 'business', 'first', 'private'] as const
export type SeatClass = (typeof seatClasses)[number]

export const flightReasons = ['leisure', 'business', 'crew', 'other'] as const
export type FlightReason = (typeof flightReasons)[number]

/** How a flight ended. A cancelled flight is not counted; a diverted one counts with the airport it landed at. */
export const outcomes = ['flown', 'cancelled', 'diverted'] as const
export type Outcome = (typeof outcomes)[number]

export const continents = ['EU', 'AS', 'AF', 'NA', 'SA', 'OC', 'AN'] as const
export type Continent = (typeof continents)[number]

export const airportTypes = [
  'small_airport',
  'medium_airport',
  'large_airport',
  'heliport',
  'balloonport',
  'seaplane_base',
  'closed',
] as const
export type AirportType = (typeof airportTypes)[number]

/** Determines how fast a type flies. */
export const aircraftClasses = ['jet', 'turboprop', 'piston', 'helicopter', 'supersonic'] as const
export type AircraftClass = (typeof aircraftClasses)[number]

/** Whose flights a request is about. */
export const flightScopes = ['mine', 'user', 'all'] as const
export type FlightScope = (typeof flightScopes)[number]

/** The order of a flight list; `updated` has the oldest change first. */
export const flightOrders = ['newest', 'oldest', 'updated'] as const
/** The order of search results: `lastAdded` and `lastChanged` have the newest first. */
export const searchOrders = [...flightOrders, 'lastAdded', 'lastChanged'] as const
export type FlightOrder = (typeof searchOrders)[number]

/** Flights that have departed, or that are still to come. */
export const flightTimes = ['past', 'upcoming'] as const
export type FlightTime = (typeof flightTimes)[number]

/** What a summary can group flights by. */
export const groupings = [
  'airline',
  'year',
  'month',
  'airport',
  'country',
  'route',
  'aircraft',
  'registration',
  'class',
  'reason',
  'person',
] as const
export type Grouping = (typeof groupings)[number]

export const trackFormats = ['gpx', 'kml', 'csv', 'readsb', 'igc'] as const
export type TrackFormat = (typeof trackFormats)[number]

/** The value type of a custom field. */
export const fieldTypes = [
  'text',
  'textarea',
  'number',
  'boolean',
  'date',
  'select',
  'multi-select',
  'airport',
  'airline',
  'aircraft',
] as const
export type FieldType = (typeof fieldTypes)[number]

/** What a custom field belongs to. */
export const fieldEntities = ['flight', 'flight_passenger'] as const
export type FieldEntity = (typeof fieldEntities)[number]

/** How the legacy API shows airlines and aircraft to clients with one API key. */
export const legacyFormats = ['codes', 'objects'] as const
export type LegacyFormat = (typeof legacyFormats)[number]
