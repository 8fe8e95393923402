// Turns local times as people write them ("left at 21:55, landed 06:10") into instants. No I/O.
import type { AircraftClass } from './enums.ts'
import { fastestKmh } from './flight-duration.ts'
import { formatInZone, instantOf, isCalendarDate, isDateTime, localDate, readLocal } from './time.ts'

const DAY = 86_400_000
const clockPattern = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/
const localPattern = /^(\d{4}-\d{2}-\d{2})[T ](([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?)$/

/** HH:MM, or a local date and time, or a date-time with offset. */
export function isSpokenTime(text: string): boolean {
  const local = localPattern.exec(text)
  return clockPattern.test(text) || (local ? isCalendarDate(local[1]!) : isDateTime(text))
}

export interface TimeRead {
  /** As it will be stored; a time with an offset is kept as given. */
  dateTime: string
  instant: number
  /** The local day. */
  date: string
  /** Whether the clocks skipped or repeated it. */
  warning: ClockWarning | undefined
}
interface ClockWarning {
  code: 'clock_skipped' | 'clock_repeated'
  message: string
}

/** A time at a place. Undefined if it is a bare HH:MM and the day is not known. */
export function readTime(text: string, zone: string, day: string | undefined): TimeRead | undefined {
  if (isDateTime(text)) {
    const instant = instantOf(text)
    return { dateTime: text, instant, date: localDate(instant, zone), warning: undefined }
  }
  const local = localPattern.exec(text)
  const date = local ? local[1]! : day
  return date === undefined ? undefined : readClock(date, local ? local[2]! : text, zone)
}

function readClock(date: string, clock: string, zone: string): TimeRead {
  const { instant, shifted, ambiguous } = readLocal(`${date}T${clock}`, zone)
  const dateTime = formatInZone(instant, zone)
  let warning: ClockWarning | undefined
  if (shifted) {
    warning = {
      code: 'clock_skipped',
      message: `The clocks in ${zone} skipped ${clock} on ${date}; ${dateTime.slice(11, 16)} was taken.`,
    }
  } else if (ambiguous) {
    warning = {
      code: 'clock_repeated',
      message: `The clocks in ${zone} showed ${clock} twice on ${date}; the earlier (${dateTime}) was taken.`,
    }
  }
  return { dateTime, instant, date: dateTime.slice(0, 10), warning }
}

/**
 * An arrival. A bare HH:MM means the first time after departure at which the destination's clocks show it and the
 * distance can have been flown by an aircraft of the class, or if it is not known by any: the next day, the same day, or
 * across the date line the day before.
 */
export function readArrival(
  text: string,
  zone: string,
  departure: TimeRead | undefined,
  distanceKm: number,
  aircraftClass: AircraftClass | null,
): TimeRead | undefined {
  if (!clockPattern.test(text)) return readTime(text, zone, undefined)
  if (!departure) return undefined
  const soonest = departure.instant + (distanceKm / fastestKmh(aircraftClass ?? 'supersonic')) * 3_600_000
  const days = [-1, 0, 1, 2].map((offset) => localDate(departure.instant + offset * DAY, zone))
  return days.map((day) => readClock(day, text, zone)).find(({ instant }) => instant >= soonest)
}
