/** What the flight page shows: first from the log, then completed by the server's response. */

import { arrivalDelay, departureDelay } from '../../../../server/domain/flights/delay.ts'
import type { Flight } from '../../api/log.ts'
import type {
  AddedNotice,
  Aircraft,
  Airline,
  Airport,
  DatePrecision,
  FlightReason,
  FlightRecord,
  Outcome,
  Seat,
  SeatClass,
  TimeField,
  Track,
} from '../../api/types.ts'
import { daysBetween } from '../../draft/dates.ts'
import type { Extras } from '../../draft/extras.ts'
import type { AtAirport } from '../../draft/moments.ts'
import { flightTimes, type ShownTime, shownTime } from '../../lib/format.ts'
import { log } from '../../log/log.svelte.ts'
import { session } from '../../session/session.svelte.ts'
import type { ShownEnd } from '../../today/ends.ts'

/** The flight as the server has it. */
export interface LoadedFlight {
  flight: FlightRecord
  times: Partial<Record<TimeField, AtAirport>>
  extras: Extras
  track: Track | null
  /** Someone added the reader to this flight, and the reader has not decided about it yet. */
  notice: AddedNotice | null
}

export interface ShownPerson {
  id: number
  name: string
  isMe: boolean
  seat: Seat | null
  seatNumber: string | null
  seatClass: SeatClass | null
  reason: FlightReason | null
  extras: Extras['flight']
}

export interface ShownFlight {
  id: number
  date: string
  datePrecision: DatePrecision
  from: Airport | null
  to: Airport | null
  airline: Airline | null
  aircraft: Aircraft | null
  aircraftReg: string | null
  flightNumber: string | null
  outcome: Outcome
  /** For a diverted flight. */
  plannedTo: Airport | null
  isToCome: boolean
  ends: [ShownEnd, ShownEnd]
  /** The best known times as instants. */
  departs: number | null
  arrives: number | null
  distanceKm: number | null
  /** Seconds. */
  duration: number | null
  isEstimated: boolean
  people: ShownPerson[]
}

type Common = Pick<ShownFlight, 'date' | 'datePrecision' | 'from' | 'to' | 'airline' | 'aircraft'> &
  Pick<ShownFlight, 'id' | 'aircraftReg' | 'flightNumber'>

const commonOf = (one: Flight | FlightRecord): Common => ({
  id: one.id,
  date: one.date,
  datePrecision: one.datePrecision,
  from: one.from,
  to: one.to,
  airline: one.airline,
  aircraft: one.aircraft,
  aircraftReg: one.aircraftReg,
  flightNumber: one.flightNumber,
})

const shiftOf = ({ date, datePrecision }: Pick<Common, 'date' | 'datePrecision'>, time: ShownTime | null) =>
  time && datePrecision === 'day' ? daysBetween(date, time.local.slice(0, 10)) : 0

// From the log

/** Without fields that the log leaves out: schedules, terminals and gates. */
export function fromLog(entry: Flight): ShownFlight {
  const { departure, arrival, isArrivalEstimated } = flightTimes(entry)
  const end = (airport: Airport | null, time: ShownTime | null, delay: number | undefined): ShownEnd => ({
    airport,
    time,
    dayShift: shiftOf(entry, time),
    isPlanned: false,
    isEstimated: false,
    planned: null,
    delay: delay ?? null,
    terminal: null,
    gate: null,
  })
  return {
    ...commonOf(entry),
    outcome: entry.outcome ?? 'flown',
    plannedTo: entry.plannedTo === undefined ? null : (log.airports[entry.plannedTo] ?? null),
    isToCome: !entry.completed,
    ends: [
      end(entry.from, departure, entry.departureDelay),
      { ...end(entry.to, arrival, entry.arrivalDelay), isEstimated: isArrivalEstimated },
    ],
    departs: entry.departs,
    arrives: entry.arrives,
    distanceKm: entry.distanceKm,
    duration: entry.duration,
    isEstimated: entry.durationEstimated,
    people: entry.passengers.map(({ user, guest, ...seat }, index) => ({
      ...seat,
      id: index,
      name: user ? (log.users[user]?.displayName ?? '') : (guest ?? ''),
      isMe: user !== null && user === session.user?.id,
      extras: [],
    })),
  }
}

// From the server

const departureTimes = ['departure', 'takeoffActual', 'departureScheduled', 'takeoffScheduled'] as const
const arrivalTimes = ['arrival', 'landingActual', 'arrivalScheduled', 'landingScheduled'] as const

export function timeOf({ flight, times }: LoadedFlight, field: TimeField): ShownTime | null {
  const text = flight[field]
  const at = times[field]
  return text ? shownTime(Date.parse(text), at?.local ?? null, at?.offsetMinutes ?? null) : null
}

/** At the gate, otherwise on the runway. */
const plannedOf = (read: LoadedFlight, side: 'departure' | 'arrival'): ShownTime | null =>
  timeOf(read, `${side}Scheduled`) ??
  timeOf(read, side === 'departure' ? 'takeoffScheduled' : 'landingScheduled')

function endOf(read: LoadedFlight, side: 'departure' | 'arrival'): ShownEnd {
  const { flight } = read
  const isDeparture = side === 'departure'
  const best = (isDeparture ? departureTimes : arrivalTimes).find((field) => flight[field] !== null)
  const time = best ? timeOf(read, best) : null
  const isPlanned = best?.endsWith('Scheduled') ?? false
  return {
    airport: isDeparture ? flight.from : flight.to,
    time,
    dayShift: shiftOf(flight, time),
    isPlanned,
    isEstimated: false,
    planned: isPlanned ? null : plannedOf(read, side),
    delay: isDeparture ? departureDelay(flight) : arrivalDelay(flight),
    terminal: flight[`${side}Terminal`],
    gate: flight[`${side}Gate`],
  }
}

const instantOf = (flight: FlightRecord, fields: readonly TimeField[]): number | null => {
  const text = fields.map((field) => flight[field]).find((value) => value !== null)
  return text ? Date.parse(text) : null
}

/** With the log's estimate where the server has no time. */
function arrivalOf(read: LoadedFlight, entry: Flight | undefined): ShownEnd {
  const end = endOf(read, 'arrival')
  const estimated = entry && flightTimes(entry)
  if (end.time || !estimated?.isArrivalEstimated) return end
  const time = estimated.arrival
  return { ...end, time, dayShift: shiftOf(read.flight, time), isEstimated: true }
}

/** The log has the estimates, and knows whether the flight is upcoming. */
export function fromServer(read: LoadedFlight, entry: Flight | undefined): ShownFlight {
  const { flight, extras } = read
  return {
    ...commonOf(flight),
    outcome: flight.outcome,
    plannedTo: flight.plannedTo,
    isToCome: entry !== undefined && !entry.completed,
    ends: [endOf(read, 'departure'), arrivalOf(read, entry)],
    departs: instantOf(flight, departureTimes),
    arrives: instantOf(flight, arrivalTimes),
    distanceKm: flight.distanceKm ?? entry?.distanceKm ?? null,
    duration: flight.duration ?? entry?.duration ?? null,
    isEstimated: flight.duration === null,
    people: flight.passengers.map((one) => ({
      id: one.id,
      name: one.user?.displayName ?? one.guestName ?? '',
      isMe: one.user !== null && one.user.id === session.user?.id,
      seat: one.seat,
      seatNumber: one.seatNumber,
      seatClass: one.seatClass,
      reason: one.flightReason,
      extras: extras.passengers.get(one.id) ?? [],
    })),
  }
}
