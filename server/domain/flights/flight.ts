// Rules about one flight: the order of its times, derived values, when it counts as flown, and how passengers
// are matched. No I/O.

import type { DatePrecision, Outcome } from '../enums.ts'
import { type PlainReason, type Problem, problem } from '../reasons.ts'
import { daysOf } from '../reference/code-periods.ts'
import { addDays } from '../time/calendar.ts'
import { instantOf, readLocal } from '../time/time.ts'
import {
  type BestDeparture,
  effectiveArrival,
  effectiveDeparture,
  type FlightTimes,
  type TimeField,
  timePairs,
} from './best-times.ts'

/** The later field of each pair of times that is in the wrong order. */
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

/** Whether the duration is the time between departure and arrival. */
export const followsTimes = (flight: { duration: number | null } & FlightTimes): boolean =>
  flight.duration === derivedDuration({ ...flight, duration: null })

interface Timed extends FlightTimes {
  date: string
  datePrecision: DatePrecision
  duration: number | null
}

type Departing = BestDeparture & Pick<Timed, 'date'>

/** The instant after which a flight counts as flown. If only a date is known, the departure airport's zone is used. */
export function completionInstant(flight: Timed, zone: string | null): number {
  const arrival = effectiveArrival(flight)
  if (arrival !== null) return instantOf(arrival)
  const departure = effectiveDeparture(flight)
  if (departure !== null) return instantOf(departure) + (flight.duration ?? 0) * 1000
  return flight.datePrecision === 'day' ? startOfDay(flight.date, zone) : endOfDate(flight, zone)
}

const startOfDay = (date: string, zone: string | null): number =>
  readLocal(`${date}T00:00`, zone ?? 'Etc/UTC').instant

/** The last moment of the known day, month or year. */
function endOfDate({ date, datePrecision }: Departing, zone: string | null): number {
  const { last } = daysOf(date, datePrecision)
  return last >= LAST_DAY ? Number.POSITIVE_INFINITY : startOfDay(addDays(last, 1), zone) - 1
}
const LAST_DAY = '9999-12-31'

/**
 * The last instant at which a flight counts as upcoming: its best known departure, otherwise the end of its date at the
 * departure airport, because it may leave in the evening.
 */
export function upcomingUntil(flight: Departing, zone: string | null): number {
  const departure = effectiveDeparture(flight)
  return departure === null ? endOfDate(flight, zone) : instantOf(departure)
}

// Outcome

interface Outcomes {
  outcome: Outcome
  plannedToId: number | null
}

/** Only a diverted flight has a planned destination. */
export const plansWithoutDiversion = ({ outcome, plannedToId }: Outcomes): boolean =>
  plannedToId !== null && outcome !== 'diverted'

/** When a flight departs: the best known time, otherwise the beginning of its date at the departure airport. */
export function departureInstant(flight: Departing, zone: string | null): number {
  const departure = effectiveDeparture(flight)
  if (departure !== null) return instantOf(departure)
  return startOfDay(daysOf(flight.date, flight.datePrecision).first, zone)
}

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
  /** The record that the entry updates; undefined for a new passenger. */
  existing: Stored | undefined
}

/** The record that each entry matches, or the invalid entries. */
export type MatchResult<Entry extends Wanted, Stored extends Existing> =
  | { matches: PassengerMatch<Entry, Stored>[]; removed: Stored[] }
  | { problem: { index: number; reason: PlainReason } }

/** Matches by id if given, otherwise by user or guest name. No record may be matched twice. */
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
