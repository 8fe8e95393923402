// Clock times as people type them. Pure: server and web app read the same texts the same way.

/** Why a text is not a time; the messages are in the web app. */
export type TimeReason =
  | 'unreadable'
  | 'incomplete'
  | 'hour'
  | 'minute'
  | 'one_digit_minute'
  | 'midnight'
  | 'meridiem'
  | 'seconds'
  | 'day_shift'

type TypedTime =
  /** `time` is `HH:MM`; `dayShift` counts from the day of departure, and is null if none was typed. */
  { ok: true; time: string; dayShift: number | null } | { ok: false; reason: TimeReason }

interface TimeRules {
  /** `07:50+1` is for arrivals; other fields refuse a day shift instead of ignoring it. */
  allowDayShift?: boolean
}

/** No flight arrives earlier than the day before or later than two days after its departure. */
const shifts = { least: -1, most: 2 }

/** Longer texts are not times and are not matched against the patterns. */
const LONGEST = 40

const refuse = (reason: TimeReason): TypedTime => ({ ok: false, reason })

/** `1230`, `12.30`, `12:30`, `12h30`, `12.30 Uhr`, `7`, `7 p.m.`, `noon`; with `+1` if a day shift is allowed. */
export function readTime(text: string, { allowDayShift = false }: TimeRules = {}): TypedTime {
  if (text.length > LONGEST) return refuse('unreadable')
  const plain = normalise(text)
  const shifted = /^(.*?\S)\s*\(?([+-])\s?(\d)\s?(?:d|days?|tage?|jours?|j|d[ií]as?|giorn[oi]|g)?\)?$/.exec(
    plain,
  )
  const dayShift = shifted ? Number(`${shifted[2]}${shifted[3]}`) : null
  if (dayShift !== null && (!allowDayShift || dayShift < shifts.least || dayShift > shifts.most))
    return refuse('day_shift')
  const read = readClock(shifted ? shifted[1]! : plain)
  return typeof read === 'string' ? refuse(read) : { ok: true, time: read.time, dayShift }
}

/** Replaces full-width digits, superscripts, unusual spaces and minus signs with ordinary ones. */
const normalise = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(/[−–]/g, '-').replaceAll(/\s+/g, ' ').trim()

const noon = /^(?:noon|midday|mittags?|midi|mediod[ií]a|mezzogiorno)$/
const midnight = /^(?:midnight|mitternacht|minuit|medianoche|mezzanotte|24(?:[:.h, ]?00)?)$/
const withSeparator = /^(\d{1,2})\s?(?:[:.,h]|uhr|\s)\s?(\d{1,2})(?:[:.](\d{2}))?$/
const withoutSeparator = /^(\d{1,2})(\d{2})$/
const hourOnly = /^(\d{1,2})(?:\s?h)?$/

function readClock(text: string): { time: string } | TimeReason {
  if (noon.test(text)) return { time: '12:00' }
  const [, clock, half] = /^(.*?)\s?(?:([ap])\.?\s?m?\.?)?$/.exec(text.replace(/\s?uhr$/, ''))!
  if (!half && midnight.test(clock!)) return 'midnight'
  if (/^\d{1,4}\s?[:.,]$/.test(clock!)) return 'incomplete'
  const parts = withSeparator.exec(clock!) ?? withoutSeparator.exec(clock!) ?? hourOnly.exec(clock!)
  if (!parts) return 'unreadable'
  const [hours, minutes, seconds] = [Number(parts[1]), parts[2] ?? '00', Number(parts[3] ?? 0)]
  if (minutes.length === 1) return 'one_digit_minute'
  if (hours > 23) return 'hour'
  if (Number(minutes) > 59) return 'minute'
  if (seconds !== 0) return 'seconds'
  if (half && hours > 12) return 'meridiem'
  const hour = half ? (hours % 12) + (half === 'p' ? 12 : 0) : hours
  return { time: `${String(hour).padStart(2, '0')}:${minutes}` }
}

/** `HH:MM` in the person's preferred format: `12:30` or `12:30 PM`. `readTime` reads both. */
export function writeTime(time: string, hour12: boolean): string {
  const [hours, minutes] = [Number(time.slice(0, 2)), time.slice(3, 5)]
  if (!hour12) return `${String(hours).padStart(2, '0')}:${minutes}`
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`
}
