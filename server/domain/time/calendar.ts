// Days of the calendar as text, YYYY-MM-DD, without time zones.

import type { DatePrecision } from '../enums.ts'
import { DAY } from './durations.ts'

/** 0001-01-01. */
const YEAR_ONE = -62_135_596_800_000

/** A day that exists in the calendar, written YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-') return false
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 7)
  const day = digits(text, 8, 10)
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

const LAST_INSTANT = 253_402_300_799_999

/** The day in UTC of an instant in milliseconds. */
export function utcDate(instant: number): string {
  // Arithmetic for years of four digits: it is several times faster, and imports need millions of days.
  if (!(instant >= YEAR_ONE && instant <= LAST_INSTANT)) return new Date(instant).toISOString().slice(0, 10)
  // Days since 0000-03-01, in eras of 400 years, with years that begin in March.
  const days = Math.floor(instant / DAY) + 719_468
  const dayOfEra = days % 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = Math.floor(days / 146_097) * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  return writeDay(year, month, day)
}

/** Monday is 1, Sunday 7, as in ISO 8601. */
export const weekdayOf = (date: string): number => new Date(dayStart(date)).getUTCDay() || 7

/** 0 for 1 January. */
export const dayOfYear = (date: string): number =>
  (dayStart(date) - dayStart(`${date.slice(0, 4)}-01-01`)) / DAY

/** Days from one YYYY-MM-DD to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((dayStart(to) - dayStart(from)) / DAY)

/** The day that is this many days later, or earlier if negative. Stays within years of four digits. */
export function addDays(date: string, days: number): string {
  return utcDate(Math.min(LAST_INSTANT, Math.max(YEAR_ONE, dayStart(date) + days * DAY)))
}

/** The same day this many months later, or the last day of a shorter month. */
export function addMonths(date: string, months: number): string {
  const count = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months
  const [year, month] = [Math.floor(count / 12), (count % 12) + 1]
  if (year < 1 || year > 9999) return date
  const day = Math.min(Number(date.slice(8, 10)), daysInMonth(year, month))
  return writeDay(year, month, day)
}

export const writeDay = (year: number, month: number, day: number): string =>
  `${year > 999 ? year : String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`

export const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** Midnight UTC of a calendar date. `Date.UTC` would read years below 100 as 19xx, and parsing a text is slow. */
export function dayStart(date: string): number {
  const year = digits(date, 0, 4)
  const month = digits(date, 5, 7)
  const day = digits(date, 8, 10)
  if (date.length !== 10 || !(month >= 1 && month <= 12 && day >= 1 && day <= 31))
    return Date.parse(`${date}T00:00:00Z`)
  // The inverse of `utcDate`.
  const inMarchYears = month <= 2 ? year - 1 : year
  const era = Math.floor(inMarchYears / 400)
  const yearOfEra = inMarchYears - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return (era * 146_097 + dayOfEra - 719_468) * DAY
}

/** NaN if there is any other character. */
function digits(text: string, start: number, end: number): number {
  let value = 0
  for (let i = start; i < end; i++) {
    const digit = text.charCodeAt(i) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return lengths[month - 1]!
}

/** How many characters of a date are known. */
export const writtenLength: Record<DatePrecision, number> = { year: 4, month: 7, day: 10 }

/** The known part of a date: `2026-03-02`, `2026-03` or `2026`. */
export const writtenDate = ({ date = '', datePrecision = 'day' }: Dated): string =>
  date.slice(0, writtenLength[datePrecision])
interface Dated {
  date?: string | undefined
  datePrecision?: DatePrecision | undefined
}
