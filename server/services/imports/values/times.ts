// Clock times and durations as files write them. Their instants are determined later, when the airports are known.
import { isCalendarDate, timeZoneNamed } from '../../../domain/time/time.ts'
import { readTime } from '../../../domain/time/typed-time.ts'
import type { SourceDate, SourceTime } from '../reading/source.ts'

interface Clock {
  /** HH:MM, HH:MM:SS, or 24:00. */
  clock: string
  dayShift: number | null
}

const withSeconds = /^(\d{1,2})[:.](\d{2})[:.](\d{2})(?:\.\d+)?\s*(?:([ap])\.?m?\.?)?\s*(?:\(?([+-]\d)\)?)?$/i

/** `7:05`, `07:05:30`, `0705`, `7.05`, `9:30 PM`, `9:30p`, `24:00`, `06:10+1`. */
export function readClock(text: string): Clock | undefined {
  const plain = text.trim()
  const exact = withSeconds.exec(plain)
  if (exact) return exactClock(exact)
  const read = readTime(plain, { allowDayShift: true })
  if (read.ok) return { clock: read.time, dayShift: read.dayShift }
  return read.reason === 'midnight' ? { clock: '24:00', dayShift: null } : undefined
}

function exactClock([, hours, minutes, seconds, half, shift]: RegExpExecArray): Clock | undefined {
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)]
  if (minute > 59 || second > 59 || (half && hour > 12)) return undefined
  const dayShift = shift ? Number(shift) : null
  if (hour === 24) return minute === 0 && second === 0 ? { clock: '24:00', dayShift } : undefined
  if (hour > 24) return undefined
  const full = half ? (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hour
  const clock = `${two(full)}:${minutes}`
  return { clock: second === 0 ? clock : `${clock}:${seconds}`, dayShift }
}

const two = (value: number): string => String(value).padStart(2, '0')

interface TimeContext {
  /** The date for clock times without one. */
  date?: SourceDate | null
  /** The zone for times without one. */
  zone?: SourceTime['zone']
}

const dateAndClock =
  /^(\S.*?)(?:T|\s+|,\s*)(\d{1,2}(?:[:.]\d{2}){1,2}(?:\.\d+)?\s*(?:[ap]\.?m?\.?)?|\d{4}|24:00)$/i
const namedZone =
  /\s*(?:\[([A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)*)\]|\(([A-Za-z_]+\/[A-Za-z0-9_/+-]+)\)|\s([A-Z][A-Za-z_]+\/[A-Za-z0-9_/+-]+))$/
const offsetAtEnd = /(?<=\d)\s*(?:UTC|GMT)?([+-])(\d{2}):?(\d{2})$/
const utcAtEnd = /(?<=\d)\s*(?:Z|UTC|GMT)$/i

/**
 * A clock time, with or without a date, an offset or a zone: `07:05`, `2024-05-17T07:05:00+02:00`, `17.05.2024 07:05`,
 * `2024-05-17 05:05Z`. Undefined if the text is not a time.
 */
export function readSourceTime(
  text: string | null | undefined,
  { date = null, zone = 'local' }: TimeContext = {},
): SourceTime | undefined {
  const plain = (text ?? '').replace(/\s+/g, ' ').trim()
  if (plain === '' || plain.length > 80) return undefined
  const { rest, said } = takeZone(plain)
  // Without a date, an offset looks like a day shift, but has a colon: `06:10+01:00`.
  const alone = readClock(rest)
  if (alone) return timeOf(alone, date, said ?? zone)
  const parts = dateAndClock.exec(rest)
  const clock = parts ? readClock(parts[2]!) : undefined
  if (!parts || !clock || !/\d/.test(parts[1]!)) return undefined
  return timeOf(clock, readIso(parts[1]!), said ?? zone)
}

const timeOf = ({ clock, dayShift }: Clock, date: SourceDate | null, zone: SourceTime['zone']): SourceTime =>
  dayShift === null ? { date, clock, zone } : { date, clock, zone, dayShift }

const readIso = (text: string): SourceDate =>
  isCalendarDate(text) ? { iso: text, precision: 'day' } : { text }

function takeZone(text: string): { rest: string; said: string | null } {
  const zone = namedZone.exec(text)
  const name = zone && timeZoneNamed((zone[1] ?? zone[2] ?? zone[3])!)
  if (zone && name) {
    // The offset is exact, so a zone before it is ignored.
    const before = takeZone(text.slice(0, zone.index))
    return { rest: before.rest, said: before.said ?? name }
  }
  const utc = utcAtEnd.exec(text)
  if (utc) return { rest: text.slice(0, utc.index), said: 'utc' }
  const offset = offsetAtEnd.exec(text)
  if (!offset || !/[:T]\d{2}$|\d{2}\.\d+$|T\d{4}$/.test(text.slice(0, offset.index)))
    return { rest: text, said: null }
  const [, sign, hours, minutes] = offset
  if (Number(hours) > 23 || Number(minutes) > 59) return { rest: text, said: null }
  const isUtc = hours === '00' && minutes === '00'
  return { rest: text.slice(0, offset.index), said: isUtc ? 'utc' : `${sign}${hours}:${minutes}` }
}

type Ends<Time> = Record<'departure' | 'arrival', Time>

/**
 * Departure and arrival of one kind: the actual times even if one of them is missing, and the scheduled ones if both are. Between
 * an actual and a scheduled time, a duration would be wrong by the delay.
 */
export const endsOfOneKind = <Time>(actual: Ends<Time>, scheduled: Ends<Time>): Ends<Time> =>
  actual.departure || actual.arrival ? actual : scheduled

type DurationUnit = 'hours' | 'minutes' | 'seconds'
const secondsIn: Record<DurationUnit, number> = { hours: 3600, minutes: 60, seconds: 1 }
/** A longer value is not the duration of a flight. */
const LONGEST_SECONDS = 100 * 3600

/**
 * In seconds. Reads `11:35:00`, `11:35`, `0+35`, `1h 35m`, `95 min`, `PT1H35M`; a bare number (`1.1`, `1,1`, `95`) is in the
 * source's unit. Undefined if the text is not a duration, or is zero.
 */
export function readDuration(text: string | null | undefined, unit: DurationUnit): number | undefined {
  const plain = (text ?? '').trim().toLowerCase().replace(/\s+/g, ' ')
  if (plain === '' || plain.length > 40) return undefined
  const seconds = countSeconds(plain, unit)
  if (seconds === undefined || !Number.isFinite(seconds) || seconds <= 0 || seconds > LONGEST_SECONDS)
    return undefined
  return Math.round(seconds)
}

function countSeconds(text: string, unit: DurationUnit): number | undefined {
  const clock = /^(\d{1,3})[:+](\d{2})(?::(\d{2}))?$/.exec(text)
  if (clock) {
    const [hours, minutes, seconds] = [clock[1], clock[2], clock[3] ?? 0].map(Number) as [
      number,
      number,
      number,
    ]
    return minutes > 59 || seconds > 59 ? undefined : hours * 3600 + minutes * 60 + seconds
  }
  const worded =
    /^(?:pt)?(?:(\d+(?:[.,]\d+)?) ?(?:h|hr|hrs|hours?|std\.?|stunden?) ?)?(?:(\d{1,4}) ?(?:m|min|mins|minutes?|minuten)?\.? ?)?(?:(\d{1,2}) ?s)?$/.exec(
      text,
    )
  if (worded && /[a-z]/.test(text)) {
    const [hours, minutes, seconds] = worded.slice(1).map((part) => Number((part ?? '0').replace(',', '.')))
    return hours! * 3600 + minutes! * 60 + seconds!
  }
  const number = /^\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN
  return Number.isNaN(number) ? undefined : number * secondsIn[unit]
}
