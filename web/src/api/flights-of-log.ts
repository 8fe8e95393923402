/** The compact log, and its conversion to flights that contain their airports. */

import { type CompactFlight, instantOf, type LogPayload, newestFirst } from './compact-log.ts'
import { columnsIn, PackedFlight, type PackedFlights, PackedRow } from './packed-log.ts'
import type { Aircraft, Airline, Airport, FlightScope } from './types.ts'

export type { CompactFlight, LogPayload } from './compact-log.ts'
export type CompactPassenger = Omit<CompactFlight['passengers'][number], 'id'>

/**
 * A flight of the log with its references resolved, as used by list, map and statistics. In a large log it reads its fields on
 * first use and cannot be spread, see `flightWith`.
 */
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

/** One log of the server: one's own, another person's, or everyone's. */
export interface Audience {
  scope: FlightScope
  userId?: string
}

/** Whose flights are shown. `several` is the union of a few people's logs. */
export interface LogScope {
  scope: FlightScope | 'several'
  /** With `user`. */
  userId?: string
  /** With `several`, in the order of selection. */
  userIds?: readonly string[]
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
    departs: instantOf(flight.departure),
    arrives: instantOf(flight.arrival),
  }
}

/** A flight of a packed log: the same fields, each read on first use. */
class LogFlight extends PackedRow {
  private readonly log: LogPayload
  private readonly now: number
  /** Fields that every screen reads of every flight are looked up once. */
  readonly from: Airport | null
  readonly to: Airport | null

  constructor(packed: PackedFlights, row: number, log: LogPayload, now: number) {
    super(packed, row)
    this.log = log
    this.now = now
    this.from = log.airports[packed.from[row]!] ?? null
    this.to = log.airports[packed.to[row]!] ?? null
  }

  get airline(): Airline | null {
    return byId(this.log.airlines, this.whole.airline)
  }
  get aircraft(): Aircraft | null {
    return byId(this.log.aircraft, this.whole.aircraft)
  }
  /** NaN if unknown: that is never later. */
  get completed(): boolean {
    return !(this.packed.completesAt[this.row]! >= this.now)
  }
  get year(): number {
    return Number(this.date.slice(0, 4))
  }
}

export function flightsOf(payload: LogPayload, now: number): Flight[] {
  const columns = columnsIn(payload)
  if (columns) return flightsIn(columns, payload, now)
  const flights = payload.flights.map((flight) =>
    flight instanceof PackedFlight
      ? (new LogFlight(...flight.place, payload, now) as unknown as Flight)
      : resolve(flight, payload, now),
  )
  return isInOrder(payload.flights) ? flights : flights.sort(newestFirst)
}

function flightsIn(columns: PackedFlights, payload: LogPayload, now: number): Flight[] {
  const flights: Flight[] = []
  for (let row = 0; row < columns.ids.length; row++)
    flights.push(new LogFlight(columns, row, payload, now) as unknown as Flight)
  return flights
}

/** Whether a flight that was upcoming at one instant counts as flown at a later one. */
export function completesBetween(payload: LogPayload, now: number, later: number): boolean {
  const columns = columnsIn(payload)
  if (columns) return columns.completesAt.some((at) => at >= now && at < later)
  return payload.flights.some((flight) => !isCompleted(flight, now) && isCompleted(flight, later))
}

/** A packed log is already sorted; comparing its dates would take longer than everything else. */
const isInOrder = (flights: readonly CompactFlight[]): boolean =>
  flights.every(
    (flight, i) => flight instanceof PackedFlight && (i === 0 || flight.comesAfter(flights[i - 1])),
  )

/** A copy of a flight with some fields replaced. */
export const flightWith = <Change extends object>(flight: Flight, change: Change): Flight & Change =>
  Object.create(flight, Object.getOwnPropertyDescriptors(change))
