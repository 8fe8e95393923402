// Rules about one flight: the order of its times, derived values, when it counts as flown, and how passengers
// are matched. No I/O.
import type { DatePrecision, Outcome } from './enums.ts'

import { type PlainReason, type Problem, problem } from './reasons.ts'
import { instantOf, readLocal } from './time.ts'

const timePairs = [
  ['departure', 'arrival'],
  ['departureScheduled', 'arrivalScheduled'],
  ['takeoffScheduled', 'landingScheduled'],
  ['takeoffActual', 'landingActual'],
] as const

type TimeField = (typeof timePairs)[number][number]
export type FlightTimes = Record<TimeField, string | null>

/** The later field of each pair whose times are in the wrong order. */
export const backwardPairs = (times: FlightTimes): TimeField[] =>
  timePairs.flatMap(([earlier, later]) => {
    const [from, to] = [times[earlier], times[later]]
    return from !== null && to !== null && instantOf(to) < instantOf(from) ? [later] : []
  })

/** The reason for refusing such a pair, by its later field. */
export function backwardProblem(later: TimeField): Problem {
  const [earlier] = timePairs.find((pair) => pair[1] === later)!
  const reason = later.startsWith('arrival') ? 'arrival_before_departure' : 'landing_before_takeoff'
  return problem(reason, { field: later, earlier })
}

/** A missing duration is derived from departure and arrival if both are known. */
export function derivedDuration(flight: { duration: number | null } & FlightTimes): number | null {
  if (flight.duration !== null) return flight.duration
  const { departure, arrival } = flight
  return departure !== null && arrival !== null
    ? Math.round((instantOf(arrival) - instantOf(departure)) / 1000)
    : null
}

interface Timed extends FlightTimes {
  date: string
  datePrecision: DatePrecision
  duration: number | null
}

/** Best known departure: actual, else take-off, else scheduled. */
export function effectiveDeparture(flight: Timed): string | null {
  const actual = flight.datePrecision === 'day' ? flight.departure : null
  return actual ?? flight.takeoffActual ?? flight.departureScheduled ?? flight.takeoffScheduled
}

/** Best known arrival. */
export function effectiveArrival(flight: Timed): string | null {
  const actual = flight.datePrecision === 'day' ? flight.arrival : null
  return actual ?? flight.landingActual ?? flight.arrivalScheduled ?? flight.landingScheduled
}

/** The instant after which a flight counts as flown, judged in the departure airport's zone where only a date is known. */
export function completionInstant(flight: Timed, zone: string | null): number {
  const arrival = effectiveArrival(flight)
  if (arrival !== null) return instantOf(arrival)
  const departure = effectiveDeparture(flight)
  if (departure !== null) return instantOf(departure) + (flight.duration ?? 0) * 1000
  const startOf = (date: string) => readLocal(`${date}T00:00`, zone ?? 'Etc/UTC').instant
  const [year, month] = [Number(flight.date.slice(0, 4)), Number(flight.date.slice(5, 7))]
  if (flight.datePrecision === 'day') return startOf(flight.date)
  const next = flight.datePrecision === 'year' || month === 12 ? [year + 1, 1] : [year, month + 1]
  if (next[0]! > 9999) return Number.POSITIVE_INFINITY
  return startOf(`${String(next[0]).padStart(4, '0')}-${String(next[1]).padStart(2, '0')}-01`) - 1
}

// Outcome

interface Outcomes {
  outcome: Outcome
  plannedToId: number | null
}

/** Only a flight that landed elsewhere had another destination. */
export const plansWithoutDiversion = ({ outcome, plannedToId }: Outcomes): boolean =>
  plannedToId !== null && outcome !== 'diverted'

// Passengers

interface PassengerData {
  userId: string | null
  guestName: string | null
  seat: string | null
  seatNumber: string | null
  seatClass: string | null
  flightReason: string | null
}
interface Existing extends PassengerData {
  id: number
}
interface Wanted extends PassengerData {
  id?: number | undefined
}

export interface PassengerMatch<Entry extends Wanted, Stored extends Existing> {
  wanted: Entry
  /** The record that it updates; undefined for a new passenger. */
  existing: Stored | undefined
}

/** The record that each entry matches, or the entries that are wrong. */
export type MatchResult<Entry extends Wanted, Stored extends Existing> =
  | { matches: PassengerMatch<Entry, Stored>[]; removed: Stored[] }
  | { problem: { index: number; reason: PlainReason } }

/** Matches by id if there is one, else by user or guest name. No record may be matched twice. */
export function matchPassengers<Entry extends Wanted, Stored extends Existing>(
  existing: readonly Stored[],
  wanted: readonly Entry[],
): MatchResult<Entry, Stored> {
  const taken = new Set<number>()
  const matches: PassengerMatch<Entry, Stored>[] = []
  for (const [index, entry] of wanted.entries()) {
    const record = existing.find((candidate) => isSamePassenger(candidate, entry))
    if (entry.id !== undefined && !record) {
      return { problem: { index, reason: 'passenger_not_on_flight' } }
    }
    if (record && taken.has(record.id)) {
      return { problem: { index, reason: 'passenger_matched_twice' } }
    }
    if (record) taken.add(record.id)
    matches.push({ wanted: entry, existing: record })
  }
  return { matches, removed: existing.filter((record) => !taken.has(record.id)) }
}

function isSamePassenger(record: Existing, entry: Wanted): boolean {
  if (entry.id !== undefined) return record.id === entry.id
  return entry.userId !== null
    ? record.userId === entry.userId
    : record.guestName !== null && record.guestName === entry.guestName
}

const comparedFields = ['userId', 'guestName', 'seat', 'seatNumber', 'seatClass', 'flightReason'] as const

/** Whether writing these matches would change any passenger or seat. */
export const passengersDiffer = <Entry extends Wanted, Stored extends Existing>(matched: {
  matches: PassengerMatch<Entry, Stored>[]
  removed: Stored[]
}): boolean =>
  matched.removed.length > 0 ||
  matched.matches.some(
    ({ wanted, existing }) => !existing || comparedFields.some((field) => wanted[field] !== existing[field]),
  )
