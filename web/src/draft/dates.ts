/** Calendar days and hours as text, independent of time zones. */

import * as calendar from '../../../server/domain/time/calendar.ts'

// While a form is filled in, a day may still be missing or wrong.

export const addDays = (day: string, days: number): string =>
  calendar.isCalendarDate(day) ? calendar.addDays(day, days) : day

export const daysBetween = (from: string, to: string): number =>
  calendar.isCalendarDate(from) && calendar.isCalendarDate(to) ? calendar.daysBetween(from, to) : 0

export function formatHours(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** `2:05`, `2h05`, `2 h`, `125 min` → seconds; null if empty, NaN if invalid. */
export function parseHours(text: string): number | null {
  const trimmed = text.normalize('NFKC').trim().toLowerCase()
  if (!trimmed) return null
  const clock =
    /^(\d{1,4})\s*:\s*(\d\d)\s*(?:h|std)?$/.exec(trimmed) ??
    /^(\d{1,4})\s*(?:h|std\.?)\s*(?:(\d{1,2})\s*(?:m|min)?)?$/.exec(trimmed)
  if (clock)
    return Number(clock[2] ?? 0) > 59 ? Number.NaN : Number(clock[1]) * 3600 + Number(clock[2] ?? 0) * 60
  const minutes = /^(\d{1,5})\s*(?:m|min)$/.exec(trimmed)
  return minutes ? Number(minutes[1]) * 60 : Number.NaN
}
