// The legacy API's times: a date and a separate local time at the airport, for each of eight moments. They are converted
// to instants here. Values that a client sends back unchanged keep the stored text, date and instant.
import type { DatePrecision } from '../enums.ts'
import { type Given, problem } from '../reasons.ts'
import { instantOf, isCalendarDate, isDateTime, localDate, localMinute, readLocal } from '../time/time.ts'
import type { FlightTimes } from './best-times.ts'
import { flightFields, timeFields } from './fields.ts'
import { backwardPairs, backwardProblem } from './flight.ts'

/** A moment, the field with its local time, and the end of the flight whose clock that is. */
export const legacyMoments = timeFields.map((field) => ({
  field,
  clock: `${field}Time` as const,
  end: flightFields[field].end,
}))

type Moment = (typeof legacyMoments)[number]

/** Dates are YYYY-MM-DD or a full date-time, clocks HH:MM; null means none, undefined means not sent. */
type LegacyTimes = {
  date?: string | null | undefined
  datePrecision: DatePrecision
} & { [Name in Moment['field'] | Moment['clock']]?: string | null | undefined }

/** The stored times, and the zone of the departure airport. */
interface KnownTimes extends FlightTimes {
  date: string
  fromZone: string | null
}

interface TimeProblem {
  field: string
  problem: Given
}
type ReadTimes = { date: string; times: FlightTimes } | { problem: TimeProblem }

interface Situation {
  given: LegacyTimes
  zones: { from: string; to: string }
  known: KnownTimes | undefined
}

/** An instant as the legacy API writes it: UTC, with milliseconds and a numeric offset. */
const legacyDateTime = (instant: number): string => new Date(instant).toISOString().replace('Z', '+00:00')

const written = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/

/** A stored date-time, with any offset and precision, as the legacy API shows it. */
export const shownDateTime = (stored: string | null): string | null =>
  stored === null || written.test(stored) ? stored : legacyDateTime(instantOf(stored))

/** `9:05`, `09:05`, `09.05`, `0905`, `9:05 pm` as HH:MM; undefined for anything else. */
export function readClock(text: string): string | undefined {
  const match = /^(\d{1,2})[:.]?([0-5]\d)(?: ?([ap])m)?$/i.exec(text.trim())
  if (!match) return undefined
  const [hour, half] = [Number(match[1]), match[3]?.toLowerCase()]
  if (half ? hour < 1 || hour > 12 : hour > 23) return undefined
  const of24 = half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour
  return `${String(of24).padStart(2, '0')}:${match[2]}`
}

export function readLegacyTimes(situation: Situation): ReadTimes {
  const date = flightDate(situation)
  if (date === undefined) return { problem: { field: 'departure', problem: 'departure_date_required' } }
  if (!isCalendarDate(date)) return { problem: outOfRange('departure') }
  const isDay = situation.given.datePrecision === 'day'
  const times = {} as FlightTimes
  for (const moment of legacyMoments) {
    const read = isDay ? readMoment(situation, moment, date) : readVague(situation, moment)
    if (typeof read === 'object' && read !== null) return { problem: read }
    // At the limits of the calendar, another zone may be in a year that cannot be written.
    if (read !== null && !isDateTime(read)) return { problem: outOfRange(moment.field) }
    times[moment.field] = read
  }
  const [backward] = backwardPairs(times)
  if (backward) return { problem: { field: backward, problem: backwardProblem(backward) } }
  return { date, times }
}

/** The date of the flight before its arrival airport is known; undefined if none can be read. */
export function legacyDate({ given, zone, known }: Omit<Situation, 'zones'> & { zone: string }) {
  const date = flightDate({ given, zones: { from: zone }, known })
  return date !== undefined && isCalendarDate(date) ? date : undefined
}

/** The local date of departure: from the departure, otherwise from the scheduled one, otherwise from `date`. */
function flightDate({
  given,
  zones,
  known,
}: Pick<Situation, 'given' | 'known'> & { zones: { from: string } }): string | undefined {
  const field = given.departure ? 'departure' : 'departureScheduled'
  const value = given[field]
  if (!value) return given.date ?? undefined
  if (isCalendarDate(value)) return value
  // The stored date is kept if the client did not change the time.
  const untouched = isSameInstant(value, known?.[field]) && known?.fromZone === zones.from
  const clock = given[field === 'departure' ? 'departureTime' : 'departureScheduledTime']
  if (known && untouched && (clock === undefined || value === shownDateTime(known[field]))) return known.date
  return given.datePrecision === 'day' && clock === undefined
    ? localDate(instantOf(value), zones.from)
    : value.slice(0, 10)
}

/** One moment of a flight whose day is known. */
function readMoment(
  { given, zones, known }: Situation,
  { field, clock, end }: Moment,
  date: string,
): string | null | TimeProblem {
  const [value, time, stored] = [given[field] ?? null, given[clock], known?.[field] ?? null]
  if (typeof time === 'string') {
    const day = value === null ? date : writtenDate(value, stored, zones[end])
    return isCalendarDate(day) ? localToText(`${day}T${time}`, zones[end], stored) : outOfRange(field)
  }
  if (value === null) return null
  if (isDateTime(value)) return time === null ? null : keepText(instantOf(value), stored)
  // The date of a departure is the day of the flight; any other date without a time would be lost.
  return end === 'from' && field.startsWith('departure')
    ? null
    : { field: clock, problem: problem('time_missing', { field }) }
}

/** If the day is not known, the departure only contains the month or year; stored times are kept. */
function readVague({ given, known }: Situation, { field }: Moment): string | null {
  const [value, stored] = [given[field] ?? null, known?.[field] ?? null]
  if (value === null) return null
  if (isSameInstant(value, stored)) return stored
  if (field !== 'departure') return null
  return isCalendarDate(value) ? `${value}T10:00:00.000+00:00` : legacyDateTime(instantOf(value))
}

/** With a separate local time, only the date of a value is used: as written, unless it is the instant that we returned. */
const writtenDate = (value: string, stored: string | null, zone: string): string =>
  isDateTime(value) && value === shownDateTime(stored)
    ? localDate(instantOf(value), zone)
    : value.slice(0, 10)

/** A local time equal to the stored one keeps the stored instant, with its seconds and its half of a repeated hour. */
function localToText(local: string, zone: string, stored: string | null): string {
  if (stored !== null && localMinute(instantOf(stored), zone) === local) return stored
  return keepText(readLocal(local, zone).instant, stored)
}

const keepText = (instant: number, stored: string | null): string =>
  stored !== null && instantOf(stored) === instant ? stored : legacyDateTime(instant)

const isSameInstant = (value: string, stored: string | null | undefined): boolean =>
  typeof stored === 'string' && isDateTime(value) && instantOf(stored) === instantOf(value)

const outOfRange = (field: string): TimeProblem => ({
  field,
  problem: problem('time_out_of_range', { field }),
})
