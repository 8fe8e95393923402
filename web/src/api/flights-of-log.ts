/** The compact log, and how it becomes flights with airports in them. */

import type { components } from './schema.d.ts'
import type { Aircraft, Airline, Airport, FlightScope } from './types.ts'

export type CompactFlight = components['schemas']['CompactFlight']
export type CompactPassenger = Omit<CompactFlight['passengers'][number], 'id'>
export type LogPayload = components['schemas']['Log']

/** A flight of the log with its references resolved; what list, map and statistics work on. */
export interface Flight
  extends Omit<CompactFlight, 'from' | 'to' | 'airline' | 'aircraft' | 'passengers' | 'completesAt'> {
  passengers: CompactPassenger[]
  completed: boolean
  from: Airport | null
  to: Airport | null
  airline: Airline | null
  aircraft: Aircraft | null
  year: number
  /** Instants in milliseconds since the epoch, null when unknown. */
  departs: number | null
  arrives: number | null
}

/** One log of the server: one's own, another person's, everyone's. */
export interface Audience {
  scope: FlightScope
  userId?: string
}

/** Whose flights are shown. `several` is the union of a few people's logs. */
export interface LogScope {
  scope: FlightScope | 'several'
  /** With `user`. */
  userId?: string
  /** With `several`, in the order in which they were chosen. */
  userIds?: readonly string[]
}

function instant(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}

function byId<T>(table: Record<string, T>, id: number | null): T | null {
  return id === null ? null : (table[id] ?? null)
}

/** Whether a flight counts as flown at an instant. */
export const isCompleted = ({ completesAt }: Pick<CompactFlight, 'completesAt'>, now: number): boolean =>
  completesAt === null || completesAt < now

function resolve({ completesAt, ...flight }: CompactFlight, payload: LogPayload, now: number): Flight {
  return {
    ...flight,
    completed: isCompleted({ completesAt }, now),
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

export function flightsOf(payload: LogPayload, now: number): Flight[] {
  return payload.flights.map((flight) => resolve(flight, payload, now)).sort(newestFirst)
}
