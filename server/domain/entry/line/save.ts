// The draft of a line as the body of `POST /flights/log`, with everything resolved: it means the same whenever it is sent, so
// it can wait for a connection.

import type { FlightReason, Outcome, Seat, SeatClass } from '../../enums.ts'
import { parseFlightNumber } from '../../flights/number.ts'
import { addDays } from '../../time/calendar.ts'
import type { LineReference } from './data.ts'
import type { LineAirline, LineDraft } from './types.ts'

/** The fields of `SpokenFlight` that a line sets. */
export interface LineBody {
  /** `YYYY-MM` or `YYYY` if the day is not known. */
  date?: string
  flightNumber?: string
  /** The airport's id: a code may mean another airport later. */
  from?: string
  to?: string
  departureTime?: string
  arrivalTime?: string
  airline?: string
  aircraft?: string
  registration?: string
  departureTerminal?: string
  departureGate?: string
  arrivalTerminal?: string
  arrivalGate?: string
  seat?: Seat
  seatNumber?: string
  seatClass?: SeatClass
  reason?: FlightReason
  outcome?: Outcome
  companions?: ({ userId: string } | { name: string })[]
  note?: string
}

export function logBody(draft: LineDraft, { airlines, aircraft }: LineReference): LineBody {
  const { fromId, toId, viaIds: _, airlineId, aircraftId, people = [], datePrecision, ...named } = draft
  const { departure, arrival, aircraftReg, flightReason, ...same } = named
  const airline = airlineId === undefined ? undefined : airlines.byId.get(airlineId)
  const type = aircraftId === undefined ? undefined : aircraft.byId.get(aircraftId)
  return {
    ...same,
    ...(datePrecision && { date: same.date!.slice(0, datePrecision === 'year' ? 4 : 7) }),
    ...(fromId === undefined ? {} : { from: String(fromId) }),
    ...(toId === undefined ? {} : { to: String(toId) }),
    ...(departure === undefined ? {} : { departureTime: departure }),
    ...(arrival === undefined ? {} : { arrivalTime: arrivalOf(draft) }),
    // The server finds the airline of a number for the day of the flight.
    ...(airline && !isOfNumber(airline, draft.flightNumber)
      ? { airline: airline.iata ?? airline.icao ?? airline.name }
      : {}),
    ...(type ? { aircraft: type.icao ?? type.name } : {}),
    ...(aircraftReg === undefined ? {} : { registration: aircraftReg }),
    ...(flightReason === undefined ? {} : { reason: flightReason }),
    ...(people.length > 0 ? { companions: people.map(companionOf) } : {}),
  }
}

/** A user by id: names may change. */
const companionOf = ({ userId, name }: LineOfPerson) => (userId === null ? { name } : { userId })
type LineOfPerson = NonNullable<LineDraft['people']>[number]

function isOfNumber({ iata, icao }: LineAirline, flightNumber: string | undefined): boolean {
  const code = parseFlightNumber(flightNumber ?? '')?.airlineCode
  return code !== undefined && (code === iata || code === icao)
}

/** With the day if it is known: as typed, or without a departure the day of the flight. */
function arrivalOf({ date, departure, arrival }: LineDraft): string {
  const { time, dayShift } = arrival!
  const isNext = dayShift !== null || departure === undefined
  return date !== undefined && isNext ? `${addDays(date, dayShift ?? 0)}T${time}` : time
}
