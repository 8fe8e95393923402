// The shapes of the values in a column. Whether a code exists is checked later.
import { parseFlightNumber } from '../../../domain/flights/number.ts'
import { readClock } from '../values/times.ts'

type ValueKind =
  | 'date'
  | 'dateTime'
  | 'clock'
  | 'duration'
  | 'route'
  | 'airport'
  | 'place'
  | 'flightNumber'
  | 'number'
  | 'registration'
  | 'seat'
  | 'aircraft'
  /** Begins with a digit. */
  | 'numeric'
  | 'text'

/** A column is of a kind if at least this share of its values is. */
const MOST = 0.75

const monthName = '\\p{L}{3,10}\\.?'
const datePattern = new RegExp(
  [
    '\\d{4}[-./]\\d{1,2}[-./]\\d{1,2}',
    '\\d{1,2}[-./]\\d{1,2}[-./](?:\\d{4}|\\d{2})',
    `(?:\\p{L}{2,10}[,.]? )?\\d{1,2}(?:st|nd|rd|th)?\\.?[- ]?(?:de )?${monthName},?[- ]?(?:de )?(?:\\d{4}|\\d{2})`,
    `${monthName} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}`,
    '(?:19|20)\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])',
    '(?:19|20)\\d{2}-(?:0[1-9]|1[0-2])',
  ]
    .map((form) => `(?:${form})`)
    .join('|'),
  'u',
)
const wholeDate = new RegExp(`^(?:${datePattern.source})$`, 'u')
const dateAndTime = new RegExp(`^(?:${datePattern.source})(?:T|,? |, ?)(\\d.*)$`, 'u')

/** Excel's number of a day, 1954 to 2119. */
export const isSerial = (text: string): boolean =>
  /^\d{5}(?:[.,]\d+)?$/.test(text) && Number(text.slice(0, 5)) >= 20_000 && Number(text.slice(0, 5)) <= 80_000

const clockPattern =
  /^(?:\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?|\d{4})\s?(?:[ap]\.?\s?m?\.?)?\s?(?:\(?[+-]\d\)?|z|utc|lt|uhr)?$/i
const code = '[A-Z]{3,4}'
const routePattern = new RegExp(`^${code}(?:\\s*(?:[-–—>→/,]|->|\\bto\\b|\\s)\\s*${code})+$`)
const bracketed =
  /[([][A-Z]{3,4}(?:\s?[/,]\s?[A-Z0-9]{3,4})?[)\]]|^[A-Z]{3}\s?\/\s?[A-Z]{4}$|^[A-Z]{3,4} [-–] \p{L}/u
const registrationPattern =
  /^(?:[A-Z0-9]{1,2}-[A-Z0-9]{3,5}|N[1-9]\d{0,4}[A-Z]{0,2}|JA\d{2}[0-9A-Z]{2}|HL\d{4})$/
const makers =
  /\b(?:airbus|boeing|embraer|bombardier|atr|fokker|saab|cessna|piper|mcdonnell|douglas|tupolev|ilyushin|sukhoi|comac|dash|crj|bae|avro|dornier|antonov|lockheed|beech|diamond|pilatus)\b/i
const typePattern = /^(?:[ABCDEFGHILMPRSTUY][A-Z]?\d{2,3}[A-Z]?|[1-9]\d{2}|\d{2}[A-Z]|[37]\d[0-9A-Z])$/

const tests: Record<Exclude<ValueKind, 'text'>, (text: string) => boolean> = {
  date: (text) => wholeDate.test(text),
  dateTime: (text) => dateAndTime.test(text),
  clock: (text) => clockPattern.test(text) && readClock(text.replace(/(?:z|utc|lt)$/i, '')) !== undefined,
  duration: (text) =>
    /^\d{1,2}[:+]\d{2}(?::\d{2})?$|^(?:\d{1,2} ?h(?:ours?|rs?)? ?)?(?:\d{1,3} ?m(?:in)?)?$|^\d{1,2}[.,]\d{1,2}$/i.test(
      text,
    ),
  route: (text) => routePattern.test(text),
  airport: (text) => /^[A-Z]{3,4}$/.test(text) || bracketed.test(text),
  place: (text) => /^\p{L}[\p{L}\p{M}\s.,'’()/-]*$/u.test(text),
  flightNumber: (text) => /[A-Z]/i.test(text) && parseFlightNumber(text.replace('*', '')) !== undefined,
  number: (text) => /^0*\d{1,4}[A-Z]?(?:\.0)?$/.test(text),
  registration: (text) => registrationPattern.test(text),
  seat: (text) => /^0{0,2}[1-9]\d?[A-L]$/.test(text),
  numeric: (text) => /^[\d.,]/.test(text),
  aircraft: (text) => makers.test(text) || typePattern.test(text),
}

export interface ColumnValues {
  /** At most three different values. */
  examples: string[]
  filled: number
  is(kind: ValueKind): boolean
  /** All sampled values. */
  texts: readonly string[]
}

export function valuesOf(texts: readonly string[]): ColumnValues {
  const filled = texts.filter((text) => text !== '')
  const known = new Map<ValueKind, boolean>()
  const share = (kind: ValueKind): boolean => {
    if (filled.length === 0) return false
    if (kind === 'text') return true
    const fitting = filled.filter((text) => text.length <= 100 && tests[kind](text)).length
    return fitting >= filled.length * MOST
  }
  return {
    examples: [...new Set(filled)].slice(0, 3),
    filled: filled.length,
    is(kind) {
      const found = known.get(kind) ?? share(kind)
      known.set(kind, found)
      return found
    },
    texts: filled,
  }
}

/** Whether the values are row numbers: 1, 2, 3 … */
export const countsRows = (texts: readonly string[]): boolean =>
  texts.length > 1 &&
  texts.every((text, index) => /^\d+$/.test(text) && Number(text) === Number(texts[0]) + index)

/** The unit if no word names it: decimals are hours, and so are numbers too small to be minutes. */
export function durationUnit(texts: readonly string[]): 'hours' | 'minutes' | 'seconds' {
  const numbers = texts.filter((text) => /^\d+(?:[.,]\d+)?$/.test(text))
  if (numbers.some((text) => /[.,]/.test(text))) return 'hours'
  const most = Math.max(0, ...numbers.map(Number))
  if (most > 1_440) return 'seconds'
  return most > 20 ? 'minutes' : 'hours'
}

/** Whether times have no separator between hours and minutes. A spreadsheet turns 0005 into 5. */
export function isCompact(texts: readonly string[]): boolean {
  const digits = texts.filter((text) => /^\d{1,4}$/.test(text))
  return digits.length > 0 && digits.filter((text) => text.length > 2).length * 2 >= digits.length
}
