/**
 * A flight around its day of travel: the log's copy, completed by what the server said last. Computed from the log alone if the
 * server was never reached, or if the flight was changed here since.
 */

import { effectiveArrival, effectiveDeparture } from '../../../server/domain/flights/best-times.ts'
import { landsAt } from '../../../server/domain/flights/duration.ts'
import type { FlightStatus } from '../../../server/domain/status/flight-status.ts'
import {
  type Connection,
  connectionOf,
  isTravelDay,
  statusByTimes,
  type TravelFlight,
} from '../../../server/domain/status/travel-day.ts'
import { addDays, utcDate } from '../../../server/domain/time/calendar.ts'
import { MINUTE } from '../../../server/domain/time/durations.ts'
import { instantOf } from '../api/compact-log.ts'
import type { Flight } from '../api/log.ts'
import type { TravelDay } from '../api/travel-day.ts'
import { soonest } from './next.ts'

type Told = TravelDay['flights'][number]

export interface Day {
  entry: Flight
  status: FlightStatus
  /** Expected now; null if the log has no time. */
  departs: number | null
  lands: number | null
  connection: Connection | null
  hasKeptPass: boolean
}

/** From flights sorted newest first, those of one's day of travel, in the order of departure. */
export function daysOf(own: readonly Flight[], told: readonly Told[], now: number): Day[] {
  const [first, last] = [addDays(utcDate(now), -4), addDays(utcDate(now), 3)]
  const end = own.findIndex(({ date }) => date < first)
  const days = own
    .slice(0, end < 0 ? undefined : end)
    .filter((flight) => flight.date <= last && flight.datePrecision === 'day' && isTravelDay(flight, now))
    .sort((a, b) => soonest(a) - soonest(b) || a.id - b.id)
    .map((entry) =>
      dayOf(
        entry,
        told.find(({ flight }) => flight.id === entry.id),
        now,
      ),
    )
  const legs = days.map((day) => ({ flight: day.entry, status: day.status }))
  return days.map((day, i) => ({ ...day, connection: connectionOf(legs[i]!, legs) }))
}

function dayOf(entry: Flight, told: Told | undefined, now: number): Day {
  const known = told && agrees(told.flight, entry) ? told : undefined
  const isReported = known?.status.sources.some(({ source }) => source !== 'times') ?? false
  const flight = known?.flight ?? fromLog(entry, told?.flight)
  const status = isReported ? advanced(known!.status, now) : statusByTimes(flight, now)
  const [departs, lands] = [expectedAt(status.departure), expectedAt(status.arrival)]
  return {
    entry,
    status,
    departs,
    lands: lands ?? landsAt({ departs, arrives: null, duration: entry.duration }),
    connection: null,
    hasKeptPass: told?.hasKeptPass ?? false,
  }
}

export const expectedAt = ({ actual, estimated, scheduled }: FlightStatus['arrival']): number | null =>
  instantOf(actual ?? estimated ?? scheduled)

/** False if the flight was changed here or elsewhere since. */
const agrees = (told: Told['flight'], entry: Flight): boolean =>
  told.date === entry.date &&
  told.outcome === (entry.outcome ?? 'flown') &&
  instantOf(effectiveDeparture(told)) === entry.departs &&
  instantOf(effectiveArrival(told)) === entry.arrives

const none = { takeoffScheduled: null, takeoffActual: null, landingScheduled: null, landingActual: null }

/** The log has neither schedules nor gates, but the delays. */
function fromLog(entry: Flight, told: Told['flight'] | undefined): TravelFlight {
  const { departs, arrives, departureDelay, arrivalDelay, aircraft } = entry
  const scheduled = (at: number | null, delay: number | undefined) =>
    at === null || delay === undefined ? null : new Date(at - delay * MINUTE).toISOString()
  return {
    ...none,
    id: entry.id,
    date: entry.date,
    datePrecision: entry.datePrecision,
    outcome: entry.outcome ?? 'flown',
    departure: entry.departure,
    arrival: entry.arrival,
    departureScheduled: scheduled(departs, departureDelay),
    arrivalScheduled: scheduled(arrives, arrivalDelay),
    duration: entry.duration,
    distanceKm: entry.distanceKm,
    from: entry.from,
    to: entry.to,
    aircraft: aircraft && { class: aircraft.class ?? null },
    aircraftReg: entry.aircraftReg,
    departureTerminal: told?.departureTerminal ?? null,
    departureGate: told?.departureGate ?? null,
    arrivalTerminal: told?.arrivalTerminal ?? null,
    arrivalGate: told?.arrivalGate ?? null,
    updatedAt: told?.updatedAt ?? new Date(0).toISOString(),
  }
}

/** What was reported some time ago, at this moment: without a connection the clock goes on. */
function advanced(status: FlightStatus, now: number): FlightStatus {
  const [departs, lands] = [expectedAt(status.departure), expectedAt(status.arrival)]
  let { phase, phaseIsEstimated } = status
  if ((phase === 'scheduled' || phase === 'boarding') && departs !== null && now >= departs)
    [phase, phaseIsEstimated] = ['departed', true]
  if (phase === 'departed' && lands !== null && now >= lands) [phase, phaseIsEstimated] = ['unknown', true]
  const isFlying = phase === 'departed' && departs !== null && lands !== null
  return {
    ...status,
    phase,
    phaseIsEstimated,
    progress: isFlying ? Math.max(0, (now - departs) / (lands - departs)) : null,
    landsInSeconds: isFlying ? Math.round((lands - now) / 1000) : null,
  }
}

/** The flight at hand: in the air, else the next one to depart, else the one that landed last. */
export function currentOf(days: readonly Day[], now: number): Day | undefined {
  const isOff = ({ status }: Day) => status.phase === 'cancelled'
  return (
    days.find(({ status }) => status.phase === 'departed') ??
    days.find((day) => !isOff(day) && (day.departs === null ? day.lands === null : day.departs > now)) ??
    days.findLast((day) => !isOff(day)) ??
    days.at(-1)
  )
}

// The countdown

interface Countdown {
  to: 'leave' | 'boarding' | 'departure' | 'landing'
  seconds: number
}

/** To the next of leaving home, boarding, departure and landing. */
export function countdownOf(day: Day, now: number, leaveMinutes: number | null): Countdown | null {
  const { departs, lands, status } = day
  if (status.phase === 'cancelled' || status.phase === 'landed') return null
  const isGone = status.phase === 'departed'
  const boarding = instantOf(status.departure.boarding)
  const leave = leaveMinutes === null || departs === null ? null : departs - leaveMinutes * MINUTE
  const marks = [
    ['leave', isGone ? null : leave],
    ['boarding', isGone ? null : boarding],
    ['departure', isGone ? null : departs],
    ['landing', isGone || (departs !== null && departs <= now) ? lands : null],
  ] as const
  const next = marks.find(([, at]) => at !== null && at > now)
  return next ? { to: next[0], seconds: Math.ceil((next[1]! - now) / MINUTE) * 60 } : null
}
