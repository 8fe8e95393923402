/** The form of a flight never opened on this device, filled from the log while the server cannot be reached. */

import { eachOf, textFields, timeFields } from '../../../server/domain/flights/fields.ts'
import type { CompactFlight } from '../api/flights-of-log.ts'
import type { Flight } from '../api/log.ts'
import type { FlightRecord } from '../api/types.ts'
import { log } from '../log/log.svelte.ts'

/** No stored flight has this version: the change is compared with the stored flight before saving, and changes nothing else. */
const UNOPENED_VERSION = 0

/** Undefined if the log has no such flight. */
export async function flightFromLog(id: number): Promise<FlightRecord | undefined> {
  if (log.state === 'loading') await log.refresh()
  const flight = log.find(id)
  return flight && recordOf(flight)
}

/** Fields that the log lacks are empty here, and keep their stored values unless the person fills them. */
function recordOf(flight: Flight): FlightRecord {
  const { departure, arrival, flightNumber, aircraftReg } = flight
  const texts = { flightNumber, aircraftReg, bookingReference: flight.bookingReference ?? null }
  const at = `${flight.date}T00:00:00Z`
  return {
    id: flight.id,
    version: UNOPENED_VERSION,
    date: flight.date,
    datePrecision: flight.datePrecision,
    ...eachOf(timeFields, () => null),
    departure,
    arrival,
    duration: null,
    ...eachOf(textFields, () => null),
    ...texts,
    operatingFlightNumber: flight.operatingFlightNumber ?? null,
    outcome: flight.outcome ?? 'flown',
    price: null,
    from: flight.from,
    to: flight.to,
    airline: flight.airline,
    aircraft: flight.aircraft,
    plannedTo: flight.plannedTo === undefined ? null : (log.airports[flight.plannedTo] ?? null),
    operatingAirline: null,
    passengers: (flight.passengers as CompactFlight['passengers']).map(passengerOf),
    track: null,
    customFields: {},
    distanceKm: flight.distanceKm,
    createdAt: at,
    updatedAt: at,
    importId: null,
    externalIds: {},
  }
}

function passengerOf(one: CompactFlight['passengers'][number]): FlightRecord['passengers'][number] {
  const { seat, seatNumber, seatClass, reason } = one
  const named = one.user === null ? null : (log.users[one.user] ?? { displayName: '', username: '' })
  return {
    id: one.id,
    user: one.user && named ? { id: one.user, ...named } : null,
    guestName: one.guest,
    ...{ seat, seatNumber, seatClass },
    flightReason: reason,
    customFields: {},
  }
}
