// The day of travel: which flights it is about, and how far each of them is by the clock. What an airline or a provider reports
// comes on top; a timetable alone never says that a flight has landed. The browser computes the same without a network.
import type { AircraftClass, DatePrecision, Outcome } from '../enums.ts'
import { effectiveArrival, effectiveDeparture, type FlightTimes } from '../flights/best-times.ts'
import { knownOrEstimated, landsAt } from '../flights/duration.ts'
import { greatCircleWay } from '../flights/light-along.ts'
import { dayStart } from '../time/calendar.ts'
import { DAY, HOUR } from '../time/durations.ts'
import { stopSeconds } from '../trips/journey.ts'
import type { FlightStatus, Movement, Phase } from './flight-status.ts'

/** The day of travel begins this long before departure and ends this long after landing. */
const AHEAD_MS = 36 * HOUR
const AFTER_MS = 12 * HOUR
/** A shorter connection is tight. */
export const TIGHT_CONNECTION_SECONDS = 45 * 60

// When

/** Instants in milliseconds since 1970, null if unknown; the duration, in seconds, may be an estimate. */
export interface Span {
  date: string
  departs: number | null
  arrives: number | null
  duration: number | null
}

const startsAt = ({ departs, date }: Span): number => departs ?? dayStart(date)
/** When it has landed, as far as the log knows; a flight without times may take its whole day. */
export const endsAt = (span: Span): number => landsAt(span) ?? startsAt(span) + DAY

/** Whether now is the day of travel of a flight. */
export const isTravelDay = (span: Span, now: number): boolean =>
  now >= startsAt(span) - AHEAD_MS && now <= endsAt(span) + AFTER_MS

/** The phase by the clock. */
export function phaseByClock(span: Span & { outcome?: Outcome | undefined }, now: number): Phase {
  const { outcome, departs } = span
  if (outcome === 'cancelled' || outcome === 'diverted') return outcome
  if (departs === null) return now < endsAt(span) ? 'scheduled' : 'unknown'
  if (now < departs) return 'scheduled'
  const lands = landsAt(span)
  return lands !== null && now < lands ? 'departed' : 'unknown'
}

// Status

interface Place {
  id: number
  latitude: number
  longitude: number
}

interface TimedFlight extends FlightTimes {
  date: string
  datePrecision: DatePrecision
  duration: number | null
}

/** A flight as the API returns it. */
export interface TravelFlight extends TimedFlight {
  id: number
  outcome: Outcome
  departureTerminal: string | null
  departureGate: string | null
  arrivalTerminal: string | null
  arrivalGate: string | null
  aircraftReg: string | null
  from: Place | null
  to: Place | null
  distanceKm: number | null
  aircraft: { class?: AircraftClass | null } | null
  updatedAt: string
}

// Uses the platform's parser, because the browser does not load the time zone rules.
const instant = (time: string | null): number | null => (time === null ? null : Date.parse(time))

/** Without an estimate of the duration. */
export const loggedSpan = (flight: TimedFlight): Span => ({
  date: flight.date,
  departs: instant(effectiveDeparture(flight)),
  arrives: instant(effectiveArrival(flight)),
  duration: flight.duration,
})

export const spanOf = (flight: TravelFlight): Span => ({
  ...loggedSpan(flight),
  duration: knownOrEstimated(flight.duration, flight).duration,
})

/** What is known of a flight without asking anyone. */
export function statusByTimes(flight: TravelFlight, now: number): FlightStatus {
  const span = spanOf(flight)
  const phase = phaseByClock({ ...span, outcome: flight.outcome }, now)
  return {
    flightId: flight.id,
    phase,
    phaseIsEstimated: phase !== 'cancelled' && phase !== 'diverted',
    departure: {
      ...movement(flight.departureScheduled, flight.departure, flight.takeoffActual, now),
      terminal: flight.departureTerminal,
      gate: flight.departureGate,
      boarding: null,
    },
    arrival: {
      ...movement(flight.arrivalScheduled, flight.arrival, flight.landingActual, now),
      terminal: flight.arrivalTerminal,
      gate: flight.arrivalGate,
    },
    aircraftReg: flight.aircraftReg,
    ...inTheAir(flight, span, phase, now),
    suggestions: [],
    sources: [{ source: 'times', checkedAt: iso(now), changedAt: flight.updatedAt, problem: null }],
    updatedAt: flight.updatedAt,
  }
}

const iso = (time: number): string => new Date(time).toISOString()

/** Before a flight, people log planned times as departure and arrival; beside a scheduled time these are newer than it. */
function movement(scheduled: string | null, logged: string | null, runway: string | null, now: number) {
  const planned = scheduled ?? logged
  const isPast = (time: string | null) => time !== null && Date.parse(time) <= now
  const other = scheduled === null ? null : logged
  const actual = isPast(other) ? other : isPast(runway) ? runway : null
  const estimated = actual === null && other !== null && Date.parse(other) !== instant(planned) ? other : null
  const best = instant(actual ?? estimated)
  const delaySeconds =
    best === null || planned === null ? null : Math.round((best - instant(planned)!) / 1000)
  return { scheduled: planned, estimated, actual, delaySeconds }
}

function inTheAir(
  { from, to }: TravelFlight,
  span: Span,
  phase: Phase,
  now: number,
): Pick<FlightStatus, 'position' | 'progress' | 'landsInSeconds'> {
  const lands = landsAt(span)
  if (phase !== 'departed' || span.departs === null || lands === null)
    return { position: null, progress: null, landsInSeconds: null }
  const { departs } = span
  const way = from && to && greatCircleWay(spot(from), spot(to), { departs, arrives: lands })
  const at = way?.(now) ?? null
  return {
    position: at && {
      latitude: rounded(at.lat),
      longitude: rounded(at.lon),
      altitudeFt: null,
      at: iso(now),
      source: 'estimate',
    },
    progress: Math.round(((now - departs) / (lands - departs)) * 1000) / 1000,
    landsInSeconds: Math.round((lands - now) / 1000),
  }
}

const spot = ({ latitude, longitude }: Place) => ({ lat: latitude, lon: longitude })
/** Without more digits than an estimate deserves. */
const rounded = (degrees: number): number => Math.round(degrees * 100) / 100

// Connections

export interface Connection {
  toFlightId: number
  /** Seconds on the ground, as expected now; negative if the next flight leaves before this one lands. */
  seconds: number
  plannedSeconds: number
}

interface Travelling {
  flight: Pick<TravelFlight, 'id' | 'from' | 'to'>
  status: Pick<FlightStatus, 'phase' | 'departure' | 'arrival'>
}

const plannedAt = ({ scheduled }: Movement): number | null => instant(scheduled)
const expectedAt = ({ actual, estimated, scheduled }: Movement): number | null =>
  instant(actual ?? estimated ?? scheduled)

/** The stop before the next flight, if there is one that leaves from where this one lands within a day. */
export function connectionOf(one: Travelling, others: readonly Travelling[]): Connection | null {
  const found = others.flatMap((other) => connectionTo(one, other) ?? [])
  return found.reduce<Connection | null>((a, b) => (a && a.plannedSeconds <= b.plannedSeconds ? a : b), null)
}

function connectionTo(one: Travelling, next: Travelling): Connection | undefined {
  if (one === next || isOff(one) || isOff(next)) return undefined
  const legs = (timeOf: (movement: Movement) => number | null) =>
    [one, next].map(({ flight, status }) => ({
      from: flight.from,
      to: flight.to,
      departs: timeOf(status.departure),
      arrives: timeOf(status.arrival),
    })) as [Leg, Leg]
  const plannedSeconds = stopSeconds(...legs(plannedAt))
  const [landing, leaving] = [expectedAt(one.status.arrival), expectedAt(next.status.departure)]
  if (plannedSeconds === null || landing === null || leaving === null) return undefined
  return { toFlightId: next.flight.id, seconds: Math.round((leaving - landing) / 1000), plannedSeconds }
}
type Leg = Parameters<typeof stopSeconds>[0]

const isOff = ({ status: { phase } }: Travelling): boolean => phase === 'cancelled' || phase === 'diverted'
