// Turns local times as people write them ("left at 21:55, landed 06:10") into instants. No I/O.
import type { AircraftClass } from '../enums.ts'
import { estimatedSeconds } from '../flights/duration.ts'
import {
  addDays,
  formatInZone,
  instantOf,
  isCalendarDate,
  isDateTime,
  localDate,
  readLocal,
} from '../time/time.ts'
import { readTime as readTyped } from '../time/typed-time.ts'

const clockPattern = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/
const localPattern = /^(\d{4}-\d{2}-\d{2})[T ](([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?)$/

/** HH:MM, or a local date and time, or a date-time with offset. */
export function isSpokenTime(text: string): boolean {
  const local = localPattern.exec(text)
  return clockPattern.test(text) || (local ? isCalendarDate(local[1]!) : isDateTime(text))
}

/** Also accepts clocks in other forms: `7:50`, `0750`, `9.30 pm`; for an arrival also with days after departure: `07:50+1`. */
export const isTypedTime = (text: string, isArrival: boolean): boolean =>
  isSpokenTime(text) || readTyped(text, { allowDayShift: isArrival }).ok

/** Whether the text includes a day, so that no separate one is needed. */
export const hasOwnDay = (text: string): boolean => /^\d{4}-/.test(text)

/** Whether an arrival says on which day it is, by a date or by `+1`. */
export const namesArrivalDay = (text: string): boolean => clockIn(text)?.dayShift !== null

/** A time without a date, as `HH:MM`, with the days after departure if given. */
function clockIn(text: string): { clock: string; dayShift: number | null } | undefined {
  if (clockPattern.test(text)) return { clock: text, dayShift: null }
  if (hasOwnDay(text)) return undefined
  const typed = readTyped(text, { allowDayShift: true })
  return typed.ok ? { clock: typed.time, dayShift: typed.dayShift } : undefined
}

export interface TimeRead {
  /** As it is stored; a time with an offset is kept as given. */
  dateTime: string
  instant: number
  /** The local day. */
  date: string
  /** Whether the clocks skipped or repeated the time. */
  warning: ClockWarning | undefined
}
interface ClockWarning {
  code: 'clock_skipped' | 'clock_repeated'
  message: string
}

/** A time at a place. Undefined if it has no date and the day is not known. */
export function readTime(text: string, zone: string, day: string | undefined): TimeRead | undefined {
  if (isDateTime(text)) {
    const instant = instantOf(text)
    return { dateTime: text, instant, date: localDate(instant, zone), warning: undefined }
  }
  const local = localPattern.exec(text)
  const date = local ? local[1]! : day
  const clock = local ? local[2]! : clockIn(text)?.clock
  return date === undefined || clock === undefined ? undefined : readClock(date, clock, zone)
}

function readClock(date: string, clock: string, zone: string): TimeRead {
  const { instant, shifted, ambiguous } = readLocal(`${date}T${clock}`, zone)
  const dateTime = formatInZone(instant, zone)
  let warning: ClockWarning | undefined
  if (shifted) {
    warning = {
      code: 'clock_skipped',
      message: `The clocks in ${zone} skipped ${clock} on ${date}. ${dateTime.slice(11, 16)} was used.`,
    }
  } else if (ambiguous) {
    warning = {
      code: 'clock_repeated',
      message: `The clocks in ${zone} showed ${clock} twice on ${date}. The earlier one (${dateTime}) was used.`,
    }
  }
  return { dateTime, instant, date: dateTime.slice(0, 10), warning }
}

/**
 * An arrival. A time without a date means the one after departure, on the destination's clocks, that is nearest to the usual
 * duration, as in imports: on the same day, the next day, or across the date line the day before or two days later. Days
 * (`+1`) count from the departure, or from `day` if there is none.
 */
export function readArrival(
  text: string,
  zone: string,
  departure: TimeRead | undefined,
  distanceKm: number,
  aircraftClass: AircraftClass | null,
  day?: string,
): TimeRead | undefined {
  const bare = clockIn(text)
  if (!bare) return readTime(text, zone, undefined)
  const { clock, dayShift } = bare
  const from = departure?.date ?? day
  if (dayShift !== null)
    return from === undefined ? undefined : readClock(addDays(from, dayShift), clock, zone)
  if (!departure) return undefined
  const expected = departure.instant + estimatedSeconds(distanceKm, aircraftClass) * 1000
  const apart = ({ instant }: TimeRead) => Math.abs(instant - expected)
  return [-1, 0, 1, 2]
    .map((offset) => readClock(addDays(departure.date, offset), clock, zone))
    .filter(({ instant }) => instant > departure.instant)
    .sort((a, b) => apart(a) - apart(b))[0]
}
