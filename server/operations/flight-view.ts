// A stored flight as callers see it.
import type * as z from 'zod'
import { valuesByKey } from '../domain/custom-fields.ts'
import { distanceKm } from '../domain/geo.ts'
import type { Call } from '../operation.ts'
import type { Records } from '../reference/reference.ts'
import type { CustomField } from '../store/custom-fields.ts'
import type { StoredFlight, StoredPassenger } from '../store/flights.ts'
import type { Airport } from '../store/reference.ts'
import type { Flight } from './schemas.ts'

export type FlightView = z.input<typeof Flight>

/** What a call needs to turn stored flights into the wire's: the records they name and the custom fields. */
export async function showFlights(
  { services, principal, db }: Pick<Call, 'services' | 'principal' | 'db'>,
  flights: readonly StoredFlight[],
): Promise<FlightView[]> {
  const { reference } = principal.revisions
  const records = await recordsOf({ services, db }, reference, flights)
  const fields = await services.reference.customFields(db, reference)
  return flights.map((flight) => showFlight(flight, records, fields))
}

/** The airports, airlines and aircraft that these flights name. */
export const recordsOf = (
  { services, db }: Pick<Call, 'services' | 'db'>,
  revision: number,
  flights: readonly StoredFlight[],
): Promise<Records> =>
  services.reference.records(db, revision, {
    airports: flights.flatMap((flight) => [flight.fromId, flight.toId]),
    airlines: flights.map((flight) => flight.airlineId),
    aircraft: flights.map((flight) => flight.aircraftId),
  })

function showFlight(flight: StoredFlight, records: Records, fields: readonly CustomField[]): FlightView {
  const from = lookUp(records.airports, flight.fromId)
  const to = lookUp(records.airports, flight.toId)
  return {
    id: flight.id,
    date: flight.date,
    datePrecision: flight.datePrecision,
    departure: flight.departure,
    arrival: flight.arrival,
    departureScheduled: flight.departureScheduled,
    arrivalScheduled: flight.arrivalScheduled,
    takeoffScheduled: flight.takeoffScheduled,
    takeoffActual: flight.takeoffActual,
    landingScheduled: flight.landingScheduled,
    landingActual: flight.landingActual,
    duration: flight.duration,
    departureTerminal: flight.departureTerminal,
    departureGate: flight.departureGate,
    arrivalTerminal: flight.arrivalTerminal,
    arrivalGate: flight.arrivalGate,
    flightNumber: flight.flightNumber,
    aircraftReg: flight.aircraftReg,
    note: flight.note,
    from: from as FlightView['from'],
    to: to as FlightView['to'],
    airline: lookUp(records.airlines, flight.airlineId),
    aircraft: lookUp(records.aircraft, flight.aircraftId),
    passengers: flight.passengers.map((passenger) => showPassenger(passenger, fields)),
    track: flight.track,
    customFields: shownValues(fields, 'flight', flight.customFields),
    distanceKm: from && to ? routeKm(from, to) : null,
    createdAt: flight.createdAt,
    updatedAt: flight.updatedAt,
  }
}

const showPassenger = (
  passenger: StoredPassenger,
  fields: readonly CustomField[],
): FlightView['passengers'][0] => ({
  id: passenger.id,
  user:
    passenger.userId === null
      ? null
      : { id: passenger.userId, displayName: passenger.displayName!, username: passenger.username! },
  guestName: passenger.guestName,
  seat: passenger.seat as FlightView['passengers'][0]['seat'],
  seatNumber: passenger.seatNumber,
  seatClass: passenger.seatClass as FlightView['passengers'][0]['seatClass'],
  flightReason: passenger.flightReason as FlightView['passengers'][0]['flightReason'],
  customFields: shownValues(fields, 'flight_passenger', passenger.customFields),
})

const shownValues = (
  fields: readonly CustomField[],
  entityType: CustomField['entityType'],
  stored: Record<string, unknown>,
) =>
  valuesByKey(
    fields.filter((field) => field.entityType === entityType),
    stored,
  )

const lookUp = <Item>(records: ReadonlyMap<number, Item>, id: number | null): Item | null =>
  id === null ? null : (records.get(id) ?? null)

const routes = new WeakMap<Airport, Map<Airport, number>>()

/** A log repeats its routes: the geodesic is solved once for each pair of records. */
export function routeKm(from: Airport, to: Airport): number {
  let fromHere = routes.get(from)
  if (!fromHere) {
    fromHere = new Map()
    routes.set(from, fromHere)
  }
  let km = fromHere.get(to)
  if (km === undefined) {
    km = distanceKm(from, to)
    fromHere.set(to, km)
  }
  return km
}
