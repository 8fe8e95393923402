/** GET /app/api/log: the whole log in compact form, and how it becomes flights with airports in them. */

import { fetchResponse } from './client.ts'
import type { Aircraft, Airline, Airport, DatePrecision, FlightReason, Seat, SeatClass } from './types.ts'

export interface CompactPassenger {
  user?: string | null
  guest?: string | null
  seat: Seat | null
  seatNumber: string | null
  seatClass: SeatClass | null
  reason: FlightReason | null
}

export interface CompactFlight {
  id: number
  date: string
  datePrecision: DatePrecision
  from: number | null
  to: number | null
  airline: number | null
  aircraft: number | null
  flightNumber: string | null
  aircraftReg: string | null
  departure: string | null
  arrival: string | null
  departureLocal: string | null
  arrivalLocal: string | null
  departureOffset: number | null
  arrivalOffset: number | null
  dayShift: number | null
  /** Seconds. */
  duration: number | null
  durationEstimated: boolean
  distanceKm: number | null
  completed: boolean
  note: boolean
  track: boolean
  passengers: CompactPassenger[]
}

export interface LogPayload {
  flights: CompactFlight[]
  airports: Record<string, Airport>
  airlines: Record<string, Airline>
  aircraft: Record<string, Aircraft>
  users: Record<string, { displayName: string; username: string }>
}

/** A flight of the log with its references resolved; what list, map and statistics work on. */
export interface Flight extends Omit<CompactFlight, 'from' | 'to' | 'airline' | 'aircraft'> {
  from: Airport | null
  to: Airport | null
  airline: Airline | null
  aircraft: Aircraft | null
  year: number
  /** Instants in milliseconds since the epoch, null when unknown. */
  departs: number | null
  arrives: number | null
}

export interface LogScope {
  scope: 'mine' | 'user' | 'all'
  userId?: string
}

export interface LogAnswer {
  payload: LogPayload
  etag: string | null
}

/** Null when the log is still the one with that etag. */
export async function fetchLog(scope: LogScope, etag: string | null): Promise<LogAnswer | null> {
  const query = { scope: scope.scope, userId: scope.userId }
  const headers: Record<string, string> = etag ? { 'if-none-match': etag } : {}
  const response = await fetchResponse('GET', '/log', { query, headers })
  if (response.status === 304) return null
  const body = (await response.json()) as { data: LogPayload }
  return { payload: body.data, etag: response.headers.get('etag') }
}

function instant(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}

function byId<T>(table: Record<string, T>, id: number | null): T | null {
  return id === null ? null : (table[id] ?? null)
}

function resolve(flight: CompactFlight, payload: LogPayload): Flight {
  return {
    ...flight,
    from: byId(payload.airports, flight.from),
    to: byId(payload.airports, flight.to),
    airline: byId(payload.airlines, flight.airline),
    aircraft: byId(payload.aircraft, flight.aircraft),
    year: Number(flight.date.slice(0, 4)),
    departs: instant(flight.departure),
    arrives: instant(flight.arrival),
  }
}

/** Newest first: by day, within a day by departure, undated ones of a day last. */
function newestFirst(a: Flight, b: Flight): number {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1
  if (a.departs !== b.departs)
    return (b.departs ?? Number.NEGATIVE_INFINITY) - (a.departs ?? Number.NEGATIVE_INFINITY)
  return b.id - a.id
}

export function flightsOf(payload: LogPayload): Flight[] {
  return payload.flights.map((flight) => resolve(flight, payload)).sort(newestFirst)
}
