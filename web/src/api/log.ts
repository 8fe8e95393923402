/** GET /app/api/log: the whole log in compact form, and how its references are resolved. */

import { client } from './client.ts'
import type { components } from './schema.d.ts'
import type { Aircraft, Airline, Airport } from './types.ts'

export type CompactFlight = components['schemas']['CompactFlight']
export type CompactPassenger = Omit<CompactFlight['passengers'][number], 'id'>
export type LogPayload = components['schemas']['Log']

/** A flight of the log with its references resolved; what list, map and statistics work on. */
export interface Flight extends Omit<CompactFlight, 'from' | 'to' | 'airline' | 'aircraft' | 'passengers'> {
  passengers: CompactPassenger[]
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

export interface LogResponse {
  payload: LogPayload
  etag: string | null
}

/** Null if the log has not changed since that etag. */
export async function fetchLog(scope: LogScope, etag: string | null): Promise<LogResponse | null> {
  const headers: Record<string, string> = etag ? { 'if-none-match': etag } : {}
  const { data, response } = await client.GET('/log', { params: { query: { ...scope } }, headers })
  if (response.status === 304 || !data) return null
  return { payload: data.data, etag: response.headers.get('etag') }
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
