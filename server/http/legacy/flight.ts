// A flight in the shape of the legacy API: codes or small objects for airline and aircraft, `lat`, `lon` and `tz` at
// airports, passengers a second time as `seats`.
import type * as z from 'zod'
import type { Principal } from '../../auth/principal.ts'
import { shownDateTime } from '../../domain/legacy-times.ts'
import type { Aircraft, Airline, Airport, Flight } from '../../operations/schemas.ts'

type FlightView = z.output<typeof Flight>
type AirportView = z.output<typeof Airport>
type AirlineView = z.output<typeof Airline>
type AircraftView = z.output<typeof Aircraft>
type LegacyFormat = Principal['legacyFormat']

/** `codes` shows airline and aircraft as strings, `objects` as programs written for AirTrail expect them. */
export function legacyFlight(
  flight: FlightView,
  { user, legacyFormat }: Pick<Principal, 'user' | 'legacyFormat'>,
) {
  const passengers = flight.passengers.map((passenger) => legacyPassenger(flight.id, passenger))
  return {
    id: flight.id,
    date: flight.date,
    datePrecision: flight.datePrecision,
    departure: shownDateTime(flight.departure),
    arrival: shownDateTime(flight.arrival),
    departureScheduled: shownDateTime(flight.departureScheduled),
    arrivalScheduled: shownDateTime(flight.arrivalScheduled),
    takeoffScheduled: shownDateTime(flight.takeoffScheduled),
    takeoffActual: shownDateTime(flight.takeoffActual),
    landingScheduled: shownDateTime(flight.landingScheduled),
    landingActual: shownDateTime(flight.landingActual),
    duration: flight.duration,
    flightNumber: flight.flightNumber,
    aircraftReg: flight.aircraftReg,
    note: flight.note,
    departureTerminal: flight.departureTerminal,
    departureGate: flight.departureGate,
    arrivalTerminal: flight.arrivalTerminal,
    arrivalGate: flight.arrivalGate,
    fromId: flight.from?.id ?? null,
    toId: flight.to?.id ?? null,
    airlineId: flight.airline?.id ?? null,
    aircraftId: flight.aircraft?.id ?? null,
    from: flight.from && legacyAirport(flight.from),
    to: flight.to && legacyAirport(flight.to),
    airline: flight.airline && legacyAirline(flight.airline, legacyFormat),
    aircraft: flight.aircraft && legacyAircraft(flight.aircraft, legacyFormat),
    flightReason: passengers.find((passenger) => passenger.userId === user.id)?.flightReason ?? null,
    passengers,
    seats: passengers,
  }
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

/** What a record is called where only a string has room. */
export const shortName = (record: { icao: string | null; iata?: string | null; name: string }): string =>
  record.icao ?? record.iata ?? record.name

const legacyAirline = ({ id, name, icao, iata, iconPath }: AirlineView, format: LegacyFormat) =>
  format === 'codes' ? shortName({ name, icao, iata }) : { id, name, icao, iata, iconPath, sourceId: null }

const legacyAircraft = ({ id, name, icao }: AircraftView, format: LegacyFormat) =>
  format === 'codes' ? shortName({ name, icao }) : { id, name, icao, sourceId: null }

const legacyPassenger = (flightId: number, { user, ...passenger }: FlightView['passengers'][0]) => ({
  id: passenger.id,
  flightId,
  userId: user?.id ?? null,
  guestName: passenger.guestName,
  seat: passenger.seat,
  seatNumber: passenger.seatNumber,
  seatClass: passenger.seatClass,
  flightReason: passenger.flightReason,
  user,
})
