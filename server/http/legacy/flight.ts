// A flight in the shape of the legacy API: codes or small objects for airline and aircraft, `lat`, `lon` and `tz` at
// airports, passengers a second time as `seats`.
import type * as z from 'zod'
import {
  eachOf,
  flightFields,
  inOrder,
  passengerFieldNames,
  plainFields,
  type ReferenceField,
  shownReferences,
  timeFields,
} from '../../domain/flights/fields.ts'
import { shownDateTime } from '../../domain/flights/legacy-times.ts'
import { pick } from '../../domain/pick.ts'
import type { Aircraft, Airline, Airport, Flight } from '../../operations/wire/schemas.ts'
import type { Principal } from '../../services/access/principal.ts'

type FlightView = z.output<typeof Flight>
type AirportView = z.output<typeof Airport>
type AirlineView = z.output<typeof Airline>
type AircraftView = z.output<typeof Aircraft>
type LegacyFormat = Principal['legacyFormat']

/** In the order of the legacy API, followed by fields that it did not have. */
const legacyOrder = inOrder(plainFields, [
  'date',
  'datePrecision',
  ...timeFields,
  'duration',
  'flightNumber',
  'aircraftReg',
  'note',
])

/** `codes` writes airline and aircraft as strings, `objects` as the objects that programs written for AirTrail expect. */
export function legacyFlight(
  flight: FlightView,
  { user, legacyFormat }: Pick<Principal, 'user' | 'legacyFormat'>,
) {
  const passengers = flight.passengers.map((passenger) => legacyPassenger(flight.id, passenger))
  return {
    id: flight.id,
    ...pick(flight, legacyOrder),
    ...eachOf(timeFields, (name) => shownDateTime(flight[name])),
    ...eachOf(shownReferences, (name) => flight[flightFields[name].shownAs]?.id ?? null),
    ...Object.fromEntries(shownReferences.map((name) => legacyRecord(flight, name, legacyFormat))),
    flightReason: passengers.find((passenger) => passenger.userId === user.id)?.flightReason ?? null,
    passengers,
    seats: passengers,
  }
}

/** The record that a field refers to, under its name. */
function legacyRecord(flight: FlightView, name: ReferenceField, format: LegacyFormat): [string, unknown] {
  const { to, shownAs } = flightFields[name]
  const record: unknown = flight[shownAs]
  if (record === null) return [shownAs, null]
  if (to === 'airports') return [shownAs, legacyAirport(record as AirportView)]
  return [
    shownAs,
    to === 'airlines'
      ? legacyAirline(record as AirlineView, format)
      : legacyAircraft(record as AircraftView, format),
  ]
}

const legacyAirport = (airport: AirportView) => ({
  id: airport.id,
  icao: airport.icao,
  iata: airport.iata,
  name: airport.name,
  lat: airport.latitude,
  lon: airport.longitude,
  tz: airport.timezone,
  municipality: airport.municipality,
  type: airport.type,
  continent: airport.continent,
  country: airport.country,
  custom: airport.custom,
})

/** The code or name of a record, for formats that have a string there. */
const shortName = (record: { icao: string | null; iata?: string | null; name: string }): string =>
  record.icao ?? record.iata ?? record.name

const legacyAirline = ({ id, name, icao, iata, iconPath }: AirlineView, format: LegacyFormat) =>
  format === 'codes' ? shortName({ name, icao, iata }) : { id, name, icao, iata, iconPath, sourceId: null }

const legacyAircraft = ({ id, name, icao }: AircraftView, format: LegacyFormat) =>
  format === 'codes' ? shortName({ name, icao }) : { id, name, icao, sourceId: null }

const legacyPassenger = (flightId: number, { user, ...passenger }: FlightView['passengers'][0]) => ({
  id: passenger.id,
  flightId,
  ...pick({ ...passenger, userId: user?.id ?? null }, passengerFieldNames),
  user,
})
