/** Departure and arrival as they are shown: the clock, what was planned, and where. */

import type { FlightStatus } from '../../../server/domain/status/flight-status.ts'
import { daysBetween } from '../../../server/domain/time/calendar.ts'
import { MINUTE } from '../../../server/domain/time/durations.ts'
import { instantOf } from '../api/compact-log.ts'
import type { Airport } from '../api/types.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { flightTimes, formatClock, type ShownTime, shownTime } from '../lib/format.ts'
import { log } from '../log/log.svelte.ts'
import { type Day, expectedAt } from '../screen/day.ts'
import { dayIn } from '../screen/next.ts'
import { session } from '../session/session.svelte.ts'

export interface ShownEnd {
  airport: Airport | null
  time: ShownTime | null
  /** Days after the date of the flight. */
  dayShift: number
  /** The time is scheduled: nothing better is known. */
  isPlanned: boolean
  /** The time was calculated from the departure and the duration. */
  isEstimated: boolean
  /** The scheduled time, if the time shown is another one. */
  planned: ShownTime | null
  /** Minutes compared with the schedule. */
  delay: number | null
  terminal: string | null
  gate: string | null
  /** Reported as the time to come, in place of the planned one. */
  isExpected?: boolean
  /** It does not take place. */
  isOff?: boolean
  /** A line below. */
  note?: string
}

type Side = 'departure' | 'arrival'

/** The text with the clock of the airport, as the log has it. */
function timeAt({ entry }: Day, side: Side, at: number | null): ShownTime | null {
  const offset = side === 'departure' ? entry.departureOffset : entry.arrivalOffset
  if (at === null) return null
  const local = new Date(at + (offset ?? 0) * MINUTE).toISOString().slice(0, 16)
  return shownTime(at, offset === null ? null : local, offset)
}

export const clockAt = (day: Day, side: Side, iso: string | null): string =>
  timeAt(day, side, instantOf(iso))?.clock ?? ''

function endOf(day: Day, side: Side): ShownEnd {
  const { entry, status } = day
  const movement: FlightStatus['arrival'] = status[side]
  const planned = instantOf(movement.scheduled)
  const isOther = movement.actual !== null || movement.estimated !== null
  const time = timeAt(day, side, expectedAt(movement))
  return {
    airport: side === 'departure' ? entry.from : entry.to,
    time,
    dayShift: shiftOf(day, time),
    // The card says once that it is by the timetable.
    isPlanned: false,
    isEstimated: false,
    planned: isOther ? timeAt(day, side, planned) : null,
    delay: isOther && movement.delaySeconds !== null ? Math.round(movement.delaySeconds / 60) : null,
    terminal: movement.terminal,
    gate: movement.gate,
    isExpected: movement.actual === null && movement.estimated !== null,
    isOff: status.phase === 'cancelled',
  }
}

const shiftOf = ({ entry }: Day, time: ShownTime | null): number =>
  time ? daysBetween(entry.date, time.local.slice(0, 10)) : 0

export function endsOf(day: Day): [ShownEnd, ShownEnd] {
  const arrival = endOf(day, 'arrival')
  const guess = arrival.time ? null : flightTimes(day.entry).arrival
  const withTime = guess
    ? { ...arrival, time: guess, dayShift: shiftOf(day, guess), isEstimated: true }
    : arrival
  return [
    { ...endOf(day, 'departure'), note: gateNote(day) },
    { ...withTime, note: atHome(day) },
  ]
}

/** People look for the gate: that it is not known yet is an answer too. */
const gateNote = ({ status: { phase, departure } }: Day): string =>
  phase === 'scheduled' && !departure.gate ? t('today.noGate') : ''

/** When it lands on the clocks at home, where these are others. */
function atHome({ lands, entry }: Day): string {
  const { homeAirportId, flightTimeDisplay } = session.preferences
  const home = homeAirportId === null ? undefined : log.airports[homeAirportId]
  if (lands === null || !home?.timezone || !entry.to || flightTimeDisplay !== 'airport') return ''
  const there = localIn(entry.to.timezone, lands)
  const here = localIn(home.timezone, lands)
  return there === here ? '' : t('today.atHome', { time: formatClock(here) })
}

/** By the browser's rules, as `dayIn`. A zone that it does not know counts as UTC there too. */
function localIn(zone: string, at: number): string {
  const clockOf = (timeZone: string) =>
    new Intl.DateTimeFormat('sv-SE', { hour: '2-digit', minute: '2-digit', timeZone }).format(at)
  try {
    return `${dayIn(zone, at)}T${clockOf(zone)}`
  } catch {
    return `${dayIn(zone, at)}T${clockOf('UTC')}`
  }
}
