// A draft of a line as the body of `POST /flights/log`, with everything settled: it means the same whenever it is sent, so
// that it can wait for a connection.
import { addDays } from '../calendar.ts'
import type { FlightReason, Seat, SeatClass } from '../enums.ts'
import { parseFlightNumber } from '../flight-number.ts'
import type { LineReference } from './data.ts'
import type { LineAirline, LineDraft } from './types.ts'

/** The fields of `SpokenFlight` that a line sets. */
export interface LineBody {
  /** `YYYY-MM` or `YYYY` where the day is not known. */
  date?: string
  flightNumber?: string
  /** The airport's id: a code may mean another one later. */
  from?: string
  to?: string
  departure?: string
  arrival?: string
  airline?: string
  aircraft?: string
  aircraftReg?: string
  departureTerminal?: string
  departureGate?: string
  arrivalTerminal?: string
  arrivalGate?: string
  seat?: Seat
  seatNumber?: string
  seatClass?: SeatClass
  flightReason?: FlightReason
  companions?: string[]
  companionIds?: string[]
  note?: string
}

export function logBody(draft: LineDraft, { airlines, aircraft }: LineReference): LineBody {
  const { fromId, toId, airlineId, aircraftId, arrival, people = [], datePrecision, ...same } = draft
  const airline = airlineId === undefined ? undefined : airlines.byId.get(airlineId)
  const type = aircraftId === undefined ? undefined : aircraft.byId.get(aircraftId)
  const guests = people.flatMap(({ userId, name }) => (userId === null ? name : []))
  const users = people.flatMap(({ userId }) => userId ?? [])
  return {
    ...same,
    ...(datePrecision && { date: same.date!.slice(0, datePrecision === 'year' ? 4 : 7) }),
    ...(fromId === undefined ? {} : { from: String(fromId) }),
    ...(toId === undefined ? {} : { to: String(toId) }),
    ...(arrival === undefined ? {} : { arrival: arrivalOf(draft) }),
    // The airline of a number is found by the server, on the day of the flight.
    ...(airline && !isOfNumber(airline, draft.flightNumber)
      ? { airline: airline.iata ?? airline.icao ?? airline.name }
      : {}),
    ...(type ? { aircraft: type.icao ?? type.name } : {}),
    ...(guests.length > 0 ? { companions: guests } : {}),
    ...(users.length > 0 ? { companionIds: users } : {}),
  }
}

function isOfNumber({ iata, icao }: LineAirline, flightNumber: string | undefined): boolean {
  const code = parseFlightNumber(flightNumber ?? '')?.airlineCode
  return code !== undefined && (code === iata || code === icao)
}

/** With its day where it is known: as typed, or without a departure the day of the flight. */
function arrivalOf({ date, departure, arrival }: LineDraft): string {
  const { time, dayShift } = arrival!
  const isNext = dayShift !== null || departure === undefined
  return date !== undefined && isNext ? `${addDays(date, dayShift ?? 0)}T${time}` : time
}
