// The only place that converts between local times and instants. It uses our own table, because Node's time zone rules lag
// behind IANA's.
//
// A local time that a clock change skips moves forward by the gap (02:30 becomes 03:30). A local time that happens
// twice means the earlier of the two instants.
import { dayStart, isCalendarDate, twoDigits, utcDate } from './calendar.ts'
import { DAY, HOUR, MINUTE } from './durations.ts'
import { listZoneNames, type OffsetChange, offsetAt, offsetHistory } from './zone-rules.ts'

export { addDays, daysBetween, isCalendarDate } from './calendar.ts'
export { tzdataVersion } from './zone-rules.ts'

const dateTimePattern =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d+)?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/
const localPattern = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/

/** An ISO 8601 date-time with a UTC offset, on a day that exists. */
export const isDateTime = (text: string): boolean =>
  dateTimePattern.test(text) && isCalendarDate(text.slice(0, 10))

/** Milliseconds since 1970 for a date-time that `isDateTime` accepts; fractions of a millisecond are dropped. */
export function instantOf(text: string): number {
  const match = dateTimePattern.exec(text)
  if (!match) throw new RangeError(`not a date-time with offset: ${text}`)
  const seconds = Number(match[6] ?? 0)
  const millis = Math.trunc(Number(`0${match[7] ?? ''}`) * 1000)
  const wall = dayStart(text.slice(0, 10)) + Number(match[4]) * HOUR + Number(match[5]) * MINUTE
  const offset = (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * (match[8] === '-' ? -1 : 1)
  return wall + seconds * 1000 + millis - offset * MINUTE
}

/** A wall clock without zone, YYYY-MM-DDTHH:MM[:SS], on a day that exists. */
export const isLocalTime = (text: string): boolean =>
  localPattern.test(text) && isCalendarDate(text.slice(0, 10))

let zoneNames: Map<string, string> | undefined

/** The canonical spelling of a zone name in any case; undefined if there is no such zone. */
export function timeZoneNamed(text: string): string | undefined {
  zoneNames ??= new Map(listZoneNames().map((name) => [name.toLowerCase(), name]))
  return zoneNames.get(text.toLowerCase())
}

/** The zone's offset at this instant, in minutes east of Greenwich. */
export const offsetMinutes = (instant: number, zone: string): number => offsetAt(instant, zone) / MINUTE

/** The local time in the zone as YYYY-MM-DDTHH:MM. */
export const localMinute = (instant: number, zone: string): string =>
  new Date(instant + offsetAt(instant, zone)).toISOString().slice(0, 16)

export const localDate = (instant: number, zone: string): string => utcDate(instant + offsetAt(instant, zone))

/** The local time as YYYY-MM-DDTHH:MM:SS, for an offset in milliseconds east of Greenwich. */
const wallClock = (instant: number, offset: number): string =>
  new Date(instant + offset).toISOString().slice(0, 19)

/** The local time in the zone as YYYY-MM-DDTHH:MM:SS. */
export const localSecond = (instant: number, zone: string): string =>
  wallClock(instant, offsetAt(instant, zone))

/** A change of a zone's offset. */
interface ClockChange {
  /** The local time just before the change. */
  local: string
  /** Seconds east of Greenwich. */
  before: number
  after: number
}

/**
 * The clock changes that determine local times in a zone during a year: the last one before the year and those within it. If
 * there was none before, the first entry is the day before the year, with equal offsets.
 */
export function clockChanges(year: number, zone: string): ClockChange[] {
  // One more day on both sides: the year begins and ends at different instants in each zone.
  const from = dayStart(`${String(year).padStart(4, '0')}-01-01`) - DAY
  const to = from + 368 * DAY
  return offsetHistory(from, to, zone).map(({ since, before, after }: OffsetChange) => ({
    local: wallClock(Number.isFinite(since) ? since : from, before),
    before: before / 1000,
    after: after / 1000,
  }))
}

interface LocalReading {
  instant: number
  offsetMinutes: number
  /** The clocks skipped this time, so it was moved forward by the gap. */
  shifted: boolean
  /** The clocks showed this time twice, and the earlier instant was used. */
  ambiguous: boolean
}

/** The instant of a local time (YYYY-MM-DDTHH:MM[:SS]) in the zone. */
export function readLocal(local: string, zone: string): LocalReading {
  const { instants, isMoved } = readingsOf(local, zone)
  const instant = instants[0]!
  return {
    instant,
    offsetMinutes: offsetMinutes(instant, zone),
    shifted: isMoved,
    ambiguous: instants.length > 1,
  }
}

/** All instants of a local time, the earlier first: two if the clocks showed it twice. */
export function readingsOf(local: string, zone: string): LocalReadings {
  const readings = findReadings(local, zone)
  if (!readings) throw new RangeError(`not a local date-time: ${local}`)
  return readings
}

interface LocalReadings {
  instants: number[]
  isMoved: boolean
}

/** Like `readingsOf`, for any text; null if `isLocalTime` refuses it. */
export function findReadings(local: string, zone: string): LocalReadings | null {
  const match = localPattern.exec(local)
  if (!match || !isCalendarDate(match[1]!)) return null
  const wall =
    dayStart(match[1]!) + Number(match[2]) * HOUR + Number(match[3]) * MINUTE + Number(match[4] ?? 0) * 1000
  // Every instant with this local time is within a day of it read as UTC.
  const before = offsetAt(wall - DAY, zone)
  const after = offsetAt(wall + DAY, zone)
  // As on almost every day of the year, the offset does not change.
  if (before === after && offsetAt(wall - before, zone) === before)
    return { instants: [wall - before], isMoved: false }
  const offsets = [...new Set([before, after])]
  const fits = offsets
    .map((offset) => wall - offset)
    .filter((instant) => instant + offsetAt(instant, zone) === wall)
    .sort((a, b) => a - b)
  // No instant fits in a gap: with the offset before the change, the time is moved past the gap.
  return fits.length > 0
    ? { instants: fits, isMoved: false }
    : { instants: [wall - offsets[0]!], isMoved: true }
}

/** ISO 8601 with the zone's offset, to the minute unless seconds are set. */
export function formatInZone(instant: number, zone: string): string {
  // Offsets before standard time have seconds, which ISO 8601 cannot express.
  const offset = Math.round(offsetMinutes(instant, zone))
  const wall = instant + offset * MINUTE
  const inDay = wall - Math.floor(wall / DAY) * DAY
  const clock = `${twoDigits(Math.floor(inDay / HOUR))}:${twoDigits(Math.floor(inDay / MINUTE) % 60)}`
  return `${utcDate(wall)}T${clock}:${seconds(inDay % MINUTE)}${formatOffset(offset)}`
}

const seconds = (millis: number): string => {
  const fraction = millis % 1000
  const whole = twoDigits(Math.floor(millis / 1000))
  return fraction === 0 ? whole : `${whole}.${String(fraction).padStart(3, '0')}`
}

function formatOffset(minutes: number): string {
  const rounded = Math.round(Math.abs(minutes))
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(rounded / 60))}:${pad(rounded % 60)}`
}
