/** Dates, times, distances and durations by the user's preferences. Reading preferences makes callers reactive. */

import { landsAt } from '../../../server/domain/flights/duration.ts'
import { kmPerUnit } from '../../../server/domain/people/preferences.ts'
import { cityName } from '../../../server/domain/reference/cities.ts'
import { daysBetween } from '../../../server/domain/time/calendar.ts'
import { DAY, MINUTE } from '../../../server/domain/time/durations.ts'
import { type DateOrder, type DateStyle, orderOf, writeDate } from '../../../server/domain/time/typed-date.ts'
import { writeTime } from '../../../server/domain/time/typed-time.ts'
import type { Flight } from '../api/log.ts'
import type { Airport, DatePrecision, Preferences } from '../api/types.ts'
import { i18n, t } from '../i18n/i18n.svelte.ts'
import { session } from '../session/session.svelte.ts'

const cache = new Map<string, Intl.DateTimeFormat>()

function formatter(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = tag + JSON.stringify(options)
  let known = cache.get(key)
  if (!known) {
    known = new Intl.DateTimeFormat(tag, options)
    cache.set(key, known)
  }
  return known
}

const dateTags: Record<Exclude<Preferences['dateFormat'], 'auto' | 'iso'>, string> = {
  us: 'en-US',
  eu: 'en-GB',
}

/** Month names follow the language, the order follows the preference. */
function dateTag(): string {
  const { dateFormat } = session.preferences
  if (dateFormat === 'auto' || dateFormat === 'iso' || i18n.locale !== 'en') return i18n.tag
  return dateTags[dateFormat]
}

const atNoon = (day: string): Date => new Date(`${day.slice(0, 10)}T12:00:00Z`)

const dateStyle = (): DateStyle => ({ tag: dateTag(), iso: session.preferences.dateFormat === 'iso' })

/** Whether the user writes the day or the month first, for dates that could be either. */
export function dateOrder(): DateOrder {
  const { dateFormat } = session.preferences
  if (dateFormat === 'us') return 'month-first'
  return dateFormat === 'eu' ? 'day-first' : orderOf(i18n.tag)
}

/** `2026-02-20` → "20 Feb 2026", "February 2026" or "2026" by precision; ISO when preferred. */
export function formatDate(day: string, precision: DatePrecision = 'day'): string {
  return writeDate(day.slice(0, 10), precision, dateStyle())
}

/** A range of days, of which either end may be open; empty without both. */
export function formatPeriod(from: string | null, to: string | null): string {
  if (from && to) return t('filter.between', { from: formatDate(from), to: formatDate(to) })
  if (from) return t('filter.since', { date: formatDate(from) })
  return to ? t('filter.until', { date: formatDate(to) }) : ''
}

const [DAYS_IN_MONTH, DAYS_IN_YEAR] = [30.44, 365.25]

/** “yesterday”, “in 3 months”, “28 years ago”: no more exact than the date, and in the largest unit that fits. */
export function formatAway(day: string, precision: DatePrecision, today: string): string {
  const relative = new Intl.RelativeTimeFormat(i18n.tag, { numeric: 'auto' })
  const years = Number(day.slice(0, 4)) - Number(today.slice(0, 4))
  if (precision === 'year') return relative.format(years, 'year')
  const days = daysBetween(today, day)
  const months = years * 12 + Number(day.slice(5, 7)) - Number(today.slice(5, 7))
  if (Math.abs(months) >= 24)
    return relative.format(Math.trunc(days / DAYS_IN_YEAR) || Math.sign(days), 'year')
  if (precision === 'month') return relative.format(months, 'month')
  return Math.abs(days) < 2 * DAYS_IN_MONTH
    ? relative.format(days, 'day')
    : relative.format(Math.trunc(days / DAYS_IN_MONTH), 'month')
}

/** `2019`, `2019-08` or a whole date, depending on its precision. */
export function formatKnownDate(text: string): string {
  const precision = text.length === 4 ? 'year' : text.length === 7 ? 'month' : 'day'
  return formatDate(`${text}-01-01`.slice(0, 10), precision)
}

/** Day and month, for rows under a heading with the year. */
export function formatDay(day: string, precision: DatePrecision = 'day'): string {
  if (precision === 'year') return day.slice(0, 4)
  if (session.preferences.dateFormat === 'iso')
    return precision === 'month' ? day.slice(0, 7) : day.slice(5, 10)
  const options: Intl.DateTimeFormatOptions =
    precision === 'month'
      ? { month: 'long', timeZone: 'UTC' }
      : { day: 'numeric', month: 'short', timeZone: 'UTC' }
  return formatter(dateTag(), options).format(atNoon(day))
}

/** The name of a month, 1 to 12. */
export const formatMonth = (month: number, style: 'long' | 'short' | 'narrow'): string =>
  formatter(i18n.tag, { month: style, timeZone: 'UTC' }).format(Date.UTC(2024, month - 1, 15))

export function formatWeekday(day: string, style: 'short' | 'long' = 'short'): string {
  return formatter(i18n.tag, { weekday: style, timeZone: 'UTC' }).format(atNoon(day))
}

/** An instant such as a last-used time, in the browser's time zone. */
export const formatInstant = (iso: string): string =>
  `${formatDate(dayHere(new Date(iso)))}, ${formatHour(iso)}`

/** Only the time of day. */
export function formatHour(iso: string): string {
  const date = new Date(iso)
  return clock(date.getHours(), date.getMinutes())
}

/** The day of an instant in the browser's time zone, `YYYY-MM-DD`. */
export const dayHere = (date: Date): string =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`

function hour12(): boolean {
  const { timeFormat } = session.preferences
  if (timeFormat !== 'auto') return timeFormat === '12h'
  return formatter(i18n.tag, { hour: 'numeric' }).resolvedOptions().hour12 ?? false
}

function clock(hours: number, minutes: number): string {
  return formatTime(`${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`)
}

/** `09:05` → "09:05" or "9:05 AM". */
export const formatTime = (time: string): string => writeTime(time, hour12())

/** `2026-02-20T09:05` → "09:05" or "9:05 AM". */
export function formatClock(local: string): string {
  return formatTime(local.slice(11, 16))
}

/** Minutes east of Greenwich → "UTC+5:30". */
export function formatOffset(minutes: number): string {
  if (minutes === 0) return 'UTC'
  const sign = minutes < 0 ? '−' : '+'
  // Offsets of local mean time, before time zones, include seconds.
  const whole = Math.round(Math.abs(minutes))
  const [hours, rest] = [Math.floor(whole / 60), whole % 60]
  return `UTC${sign}${hours}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`
}

function shifted(instant: number, minutes: number): string {
  return new Date(instant + minutes * MINUTE).toISOString().slice(0, 16)
}

const systemOffset = (instant: number): number => -new Date(instant).getTimezoneOffset()

export interface ShownTime {
  /** `YYYY-MM-DDTHH:MM` in the displayed zone. */
  local: string
  clock: string
  zone: string
}

/** One instant in the time zone of the preference for flight times. */
export function shownTime(
  instant: number | null,
  local: string | null,
  offset: number | null,
): ShownTime | null {
  if (instant === null) return null
  const display = session.preferences.flightTimeDisplay
  const minutes = display === 'utc' ? 0 : display === 'system' ? systemOffset(instant) : offset
  const text = display === 'airport' ? local : shifted(instant, minutes ?? 0)
  if (text === null) return null
  return { local: text, clock: formatClock(text), zone: minutes === null ? '' : formatOffset(minutes) }
}

interface ShownTimes {
  departure: ShownTime | null
  arrival: ShownTime | null
  /** Only the departure is known: the arrival follows from the duration. */
  isArrivalEstimated: boolean
  /** The arrival's calendar day minus the departure's, in the displayed zones. */
  dayShift: number
}

const dayNumber = (local: string): number => Date.parse(`${local.slice(0, 10)}T00:00:00Z`) / DAY

type Timed = Pick<
  Flight,
  | 'departs'
  | 'arrives'
  | 'departureLocal'
  | 'arrivalLocal'
  | 'departureOffset'
  | 'arrivalOffset'
  | 'date'
  | 'duration'
>

/** Departure and arrival by the preference for flight times: airport-local, UTC or this computer's time zone. */
export function flightTimes(flight: Timed): ShownTimes {
  const departure = shownTime(flight.departs, flight.departureLocal, flight.departureOffset)
  const isKnown = flight.arrives !== null
  const arrival = isKnown
    ? shownTime(flight.arrives, flight.arrivalLocal, flight.arrivalOffset)
    : estimatedArrival(flight)
  const first = departure?.local ?? flight.date
  const dayShift = arrival ? dayNumber(arrival.local) - dayNumber(first) : 0
  return { departure, arrival, isArrivalEstimated: arrival !== null && !isKnown, dayShift }
}

function estimatedArrival(flight: Timed): ShownTime | null {
  const [lands, offset] = [landsAt(flight), flight.arrivalOffset]
  return lands === null || offset === null ? null : shownTime(lands, shifted(lands, offset), offset)
}

/** "+1" or "−1"; empty for the same day. */
export function formatDayShift(days: number): string {
  if (days === 0) return ''
  return days > 0 ? `+${days}` : `−${Math.abs(days)}`
}

const numbers = new Map<string, Intl.NumberFormat>()

/** Formatters are cached: creating one costs more than a row of the list. */
export function formatNumber(value: number, digits = 0): string {
  const key = `${i18n.tag} ${digits}`
  let known = numbers.get(key)
  if (!known) {
    known = new Intl.NumberFormat(i18n.tag, { maximumFractionDigits: digits })
    numbers.set(key, known)
  }
  return known.format(value)
}

const byteUnits = ['B', 'kB', 'MB'] as const

/** "96 kB". */
export function formatSize(bytes: number): string {
  const power = bytes < 1000 ? 0 : bytes < 1_000_000 ? 1 : 2
  const value = bytes / 1000 ** power
  return `${formatNumber(value, power > 0 && value < 10 ? 1 : 0)} ${byteUnits[power]}`
}

/** In the person's language; the digits of the amount stay as they were entered. */
export function formatPrice({ amount, currency }: { amount: string; currency: string }): string {
  const digits = amount.split('.')[1]?.length ?? 0
  return new Intl.NumberFormat(i18n.tag, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Number(amount))
}

/** A figure and its unit stay on one line: "239 d 21 h" does not wrap. */
const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0')

/** A fraction as "37 %". */
export const formatShare = (share: number, digits = 0): string =>
  unbroken(`${formatNumber(100 * share, digits)} %`)

export function distanceIn(km: number): number {
  return km / kmPerUnit[session.preferences.distanceUnit]
}

export function formatDistance(km: number): string {
  const value = distanceIn(km)
  return unbroken(`${formatNumber(value, value < 10 ? 1 : 0)} ${session.preferences.distanceUnit}`)
}

/** Seconds → "2 h 05 min". */
export function formatDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  // Durations longer than a few days are shown without minutes.
  if (hours >= 100) return unbroken(t('unit.hours', { hours: formatNumber(hours) }))
  if (hours === 0) return unbroken(t('unit.minutes', { minutes: String(rest) }))
  return unbroken(
    t('unit.hoursMinutes', { hours: formatNumber(hours), minutes: String(rest).padStart(2, '0') }),
  )
}

/** A text in parts, so that figures can be larger than their units. */
export const figuresIn = (text: string): { part: string; isFigure: boolean }[] =>
  text
    .split(/([\d.,\u2019\u00a0\u202f]*\d)/)
    .filter(Boolean)
    .map((part) => ({ part, isFigure: /\d/.test(part) }))

/** A delay in minutes: "40 min late", "on time". */
export function delayWords(minutes: number): string {
  if (minutes === 0) return t('flight.onTime')
  const duration = formatDuration(Math.abs(minutes) * 60)
  return minutes > 0 ? t('flight.late', { duration }) : t('flight.early', { duration })
}

/** Whole hours; from three days, days and hours: "12 d 4 h". */
export function formatAirTime(seconds: number): string {
  const all = Math.round(seconds / 3600)
  if (all < 72) return unbroken(t('stats.timeHours', { hours: all }))
  return unbroken(t('stats.timeDays', { days: Math.floor(all / 24), hours: all % 24 }))
}

/** The code on the boarding pass, otherwise the best available name of the airport. */
export function airportCode(
  airport: Pick<Airport, 'iata' | 'icao' | 'formerCodes'> | null | undefined,
): string {
  if (!airport) return '???'
  // A closed airport has lost its code, but the boarding pass had it, such as TXL.
  return airport.iata || airport.formerCodes?.find((code) => code.length === 3) || airport.icao
}

type NamedPlace = Pick<Airport, 'municipality' | 'name' | 'country' | 'latitude' | 'longitude'>

export function airportCity(airport: NamedPlace | null | undefined): string {
  return airport ? cityName(airport, i18n.cities) || airport.name : t('flight.unknownAirport')
}

let regions: { locale: string; names: Intl.DisplayNames } | null = null

export function countryName(code: string): string {
  if (regions?.locale !== i18n.locale) {
    regions = { locale: i18n.locale, names: new Intl.DisplayNames([i18n.locale], { type: 'region' }) }
  }
  try {
    return regions.names.of(code) ?? code
  } catch {
    return code
  }
}

/** 1 is Monday, 7 Sunday. */
export function weekStart(): 1 | 7 {
  const { weekStartsOn } = session.preferences
  if (weekStartsOn !== 'auto') return weekStartsOn === 'mon' ? 1 : 7
  const locale = new Intl.Locale(i18n.tag) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } }
  return locale.getWeekInfo?.().firstDay === 7 ? 7 : 1
}
