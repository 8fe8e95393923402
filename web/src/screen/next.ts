/** Which flight is in the air, which is next, and how far away it is. */

import { landsAt } from '../../../server/domain/flights/duration.ts'
import { takesPlace } from '../../../server/domain/flights/outcome.ts'
import { addDays, daysBetween, utcDate } from '../../../server/domain/time/calendar.ts'
import { DAY } from '../../../server/domain/time/durations.ts'
import type { Flight } from '../api/log.ts'

type Timed = Pick<Flight, 'departs' | 'arrives' | 'duration' | 'outcome'>

/** Includes a flight that counts as flown because its arrival is unknown. */
export function isInAir(flight: Timed, now: number): boolean {
  const { departs } = flight
  // No flight takes two days. The duration is read last: in a large log it comes from JSON.
  if (departs === null || departs > now || departs < now - 2 * DAY || !takesPlace(flight)) return false
  return (landsAt(flight) ?? 0) > now
}

/** By departure. A flight without a time is the last of its day: it may leave in the evening. */
export const soonest = ({ departs, date }: Pick<Flight, 'departs' | 'date'>): number =>
  departs ?? Date.parse(addDays(date, 1)) - 1

/** From flights sorted newest first, those that may not have landed yet. */
function recent(flights: readonly Flight[], now: number): Flight[] {
  const earliest = utcDate(now - 3 * DAY)
  const end = flights.findIndex(({ date }) => date < earliest)
  return flights.slice(0, end < 0 ? undefined : end)
}

export const airborneIn = (flights: readonly Flight[], now: number): Flight[] =>
  recent(flights, now).filter((flight) => isInAir(flight, now))

export type Ahead =
  | { kind: 'air' }
  /** Calendar days until departure; seconds if the time is known. */
  | { kind: 'departs'; day: string; days: number; seconds: number | null }

type Leg = Timed &
  Pick<Flight, 'date' | 'datePrecision'> & { from: Pick<NonNullable<Flight['from']>, 'timezone'> | null }

/** Null if it has landed, is cancelled or has no day. `zone` is the displayed time zone, by default the airport's. */
export function aheadOf(flight: Leg, now: number, zone?: string): Ahead | null {
  const { departs, date, datePrecision, from } = flight
  if (isInAir(flight, now)) return { kind: 'air' }
  if (!takesPlace(flight) || (departs === null ? datePrecision !== 'day' : departs <= now)) return null
  const local = from?.timezone ?? 'UTC'
  const [day, today] =
    departs === null ? [date, dayIn(local, now)] : [dayIn(zone ?? local, departs), dayIn(zone ?? local, now)]
  const days = daysBetween(today, day)
  return days < 0
    ? null
    : { kind: 'departs', day, days, seconds: departs === null ? null : (departs - now) / 1000 }
}

/** The flight in the air that lands first, otherwise the one that departs next. `flights` are sorted newest first. */
export function nextFlight(flights: readonly Flight[], now: number): Flight | null {
  const inAir = airborneIn(flights, now)
  if (inAir.length > 0) return inAir.reduce((a, b) => (landsAt(b)! < landsAt(a)! ? b : a))
  const ahead = recent(flights, now).filter((flight) => aheadOf(flight, now) !== null)
  return ahead.reduce<Flight | null>((a, b) => (a && soonest(a) <= soonest(b) ? a : b), null)
}

const days = new Map<string, Intl.DateTimeFormat>()

/**
 * The calendar day in a zone, by the browser's rules: our own table is large and loads with the form. A zone that the browser
 * does not know yet counts as UTC.
 */
export function dayIn(zone: string, instant: number): string {
  let format = days.get(zone)
  if (!format) {
    // Swedish dates are written YYYY-MM-DD.
    const create = (timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
    try {
      format = create(zone)
    } catch {
      format = create('UTC')
    }
    days.set(zone, format)
  }
  return format.format(instant)
}
