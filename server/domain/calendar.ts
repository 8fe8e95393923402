// Days of the calendar as text, YYYY-MM-DD, without time zones.
const DAY = 86_400_000

/** A day that exists in the calendar, written YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

/** The day in UTC of an instant in milliseconds. */
export const utcDate = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

/** Monday is 1, Sunday 7, as in ISO 8601. */
export const weekdayOf = (date: string): number => new Date(dayStart(date)).getUTCDay() || 7

/** Days from one YYYY-MM-DD to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((dayStart(to) - dayStart(from)) / DAY)

/** The day this many days later, or earlier if negative. Stays within years of four digits. */
export function addDays(date: string, days: number): string {
  const [first, last] = [dayStart('0001-01-01'), dayStart('9999-12-31')]
  const day = Math.min(last, Math.max(first, dayStart(date) + days * DAY))
  return utcDate(day)
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
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** Midnight UTC of a calendar date. `Date.UTC` would read years below 100 as 19xx. */
export function dayStart(date: string): number {
  return Date.parse(`${date}T00:00:00Z`)
}

export function daysInMonth(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!
}
