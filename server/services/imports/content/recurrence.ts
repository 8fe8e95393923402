// The days on which an event repeats (RFC 5545 §3.3.10), for the rules that calendars write: by day, week, month and year, with
// weekdays, days of the month, months and positions. Every search terminates, whatever the rule.
import { addDays, addMonths, daysInMonth, weekdayOf, writeDay } from '../../../domain/time/calendar.ts'
import { DAY } from '../../../domain/time/durations.ts'

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
/** The search for a rule without any day stops after this. */
const YEARS_AT_MOST = 100
/** 29 February comes again within eight years. */
const YEARS_AHEAD = 8

interface Weekday {
  /** Monday is 1. */
  weekday: number
  /** The first (1), the last (-1) … of the month or year; 0 for every one. */
  nth: number
}

interface RecurrenceRule {
  freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  interval: number
  count: number
  /** As written: a day, or a day and a time; null: no end. */
  until: string | null
  byDay: Weekday[]
  byMonthDay: number[]
  byMonth: number[]
  bySetPos: number[]
  weekStart: number
}

/** Null if it has a part that is invalid or not supported: hours, week numbers, days of the year. */
export function readRule(text: string): RecurrenceRule | null {
  const parts = new Map<string, string>()
  for (const part of text.trim().toUpperCase().replace(/;$/, '').split(';')) {
    const [name = '', value = ''] = part.split('=', 2)
    if (!readable.has(name) || value === '' || parts.has(name)) return null
    parts.set(name, value)
  }
  const rule = ruleOf((name) => parts.get(name))
  return rule && isMeaningful(rule) ? rule : null
}

const readable: ReadonlySet<string> = new Set(
  'FREQ INTERVAL COUNT UNTIL BYDAY BYMONTHDAY BYMONTH BYSETPOS WKST'.split(' '),
)

function ruleOf(part: (name: string) => string | undefined): RecurrenceRule | null {
  const freq = part('FREQ') as RecurrenceRule['freq'] | undefined
  const interval = wholeNumbers(part('INTERVAL') ?? '1', 1, 999)
  const count = wholeNumbers(part('COUNT') ?? '1000000', 1, 1_000_000)
  const until = part('UNTIL') ?? null
  const byDay = weekdays(part('BYDAY'))
  const byMonthDay = wholeNumbers(part('BYMONTHDAY'), -31, 31)
  const byMonth = wholeNumbers(part('BYMONTH'), 1, 12)
  const bySetPos = wholeNumbers(part('BYSETPOS'), -366, 366)
  const weekStart = WEEKDAYS.indexOf(part('WKST') ?? 'MO') + 1
  if (!freq || !['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'].includes(freq)) return null
  if (interval?.length !== 1 || count?.length !== 1 || weekStart === 0) return null
  if (until !== null && !/^\d{8}(?:T\d{6}Z?)?$/.test(until)) return null
  if (!byDay || !byMonthDay || !byMonth || !bySetPos) return null
  return {
    freq,
    interval: interval[0]!,
    count: count[0]!,
    until,
    byDay,
    byMonthDay,
    byMonth,
    bySetPos,
    weekStart,
  }
}

/** Empty without a text; null if one is out of range or not a number. */
function wholeNumbers(text: string | undefined, least: number, most: number): number[] | null {
  const numbers =
    text === undefined ? [] : text.split(',').map((one) => (/^[+-]?\d{1,7}$/.test(one) ? Number(one) : 0))
  return numbers.every((one) => one !== 0 && one >= least && one <= most) ? numbers : null
}

function weekdays(text: string | undefined): Weekday[] | null {
  if (text === undefined) return []
  const found = text.split(',').flatMap((one) => {
    const [, nth = '0', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(one) ?? []
    const weekday = WEEKDAYS.indexOf(name) + 1
    return weekday > 0 && Math.abs(Number(nth)) <= 53 ? [{ weekday, nth: Number(nth) }] : []
  })
  return found.length === text.split(',').length ? found : null
}

function isMeaningful({ freq, byDay, byMonthDay, bySetPos }: RecurrenceRule): boolean {
  const isLong = freq === 'MONTHLY' || freq === 'YEARLY'
  if (!isLong && byDay.some(({ nth }) => nth !== 0)) return false
  if (freq === 'WEEKLY' && byMonthDay.length > 0) return false
  return bySetPos.length === 0 || byDay.length > 0 || byMonthDay.length > 0
}

interface Bounds {
  /** The maximum number of days. */
  most: number
  /** The last possible day; null: no end. */
  last: string | null
  today: string
  /** Whether a day is excluded from the series. It still counts, but does not take place. */
  isOut(day: string): boolean
}

/** The days from the event's own day, which is always included, until today, plus the next one. */
export function daysOfRule(
  rule: RecurrenceRule,
  first: string,
  { most, last, today, isOut }: Bounds,
): string[] {
  const days = isOut(first) ? [] : [first]
  let count = 1
  const begins = first > today ? first : today
  const horizon = [addMonths(begins, 12 * YEARS_AHEAD), addMonths(first, 12 * YEARS_AT_MOST)].sort()[0]!
  const end = last !== null && last < horizon ? last : horizon
  for (let start = firstPeriod(rule, first); start <= end; start = nextPeriod(rule, start)) {
    for (const day of chosen(rule, start, first)) {
      if (day <= first) continue
      const isEnough = days.length >= most || (days.at(-1) ?? '') > today
      if (isEnough || day > end || ++count > rule.count) return days
      if (!isOut(day)) days.push(day)
    }
  }
  return days
}

/** The first day of the day, week, month or year. */
function firstPeriod({ freq, weekStart }: RecurrenceRule, first: string): string {
  if (freq === 'WEEKLY') return addDays(first, -((weekdayOf(first) - weekStart + 7) % 7))
  return freq === 'DAILY'
    ? first
    : `${first.slice(0, freq === 'MONTHLY' ? 7 : 4)}${freq === 'MONTHLY' ? '' : '-01'}-01`
}

function nextPeriod({ freq, interval }: RecurrenceRule, start: string): string {
  if (freq === 'DAILY') return later(addDays(start, interval), start)
  if (freq === 'WEEKLY') return later(addDays(start, 7 * interval), start)
  return later(addMonths(start, freq === 'MONTHLY' ? interval : 12 * interval), start)
}
/** Past the last representable date, days no longer advance. */
const later = (next: string, start: string): string => (next > start ? next : '~')

/** The days of a period on which the event takes place. */
function chosen(rule: RecurrenceRule, start: string, first: string): string[] {
  const days = periodOf(rule, start).filter((day) => fits(rule, day, first))
  const { bySetPos } = rule
  if (bySetPos.length === 0) return days
  return days.filter((_, at) => bySetPos.includes(at + 1) || bySetPos.includes(at - days.length))
}

function periodOf({ freq }: RecurrenceRule, start: string): string[] {
  const [year, month] = [Number(start.slice(0, 4)), Number(start.slice(5, 7))]
  if (freq === 'DAILY') return [start]
  if (freq === 'WEEKLY') return Array.from({ length: 7 }, (_, n) => addDays(start, n))
  const months = freq === 'MONTHLY' ? [month] : Array.from({ length: 12 }, (_, n) => n + 1)
  return months.flatMap((one) =>
    Array.from({ length: daysInMonth(year, one) }, (_, n) => writeDay(year, one, n + 1)),
  )
}

/** Parts that the rule omits follow from the event's own day. */
function fits(rule: RecurrenceRule, day: string, first: string): boolean {
  const { freq, byDay, byMonthDay, byMonth } = rule
  const isLong = freq === 'MONTHLY' || freq === 'YEARLY'
  const isBare = byDay.length === 0 && byMonthDay.length === 0
  const [year, month, date] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8))]
  const months = byMonth.length === 0 && freq === 'YEARLY' && isBare ? [Number(first.slice(5, 7))] : byMonth
  if (months.length > 0 && !months.includes(month)) return false
  const dates = isLong && isBare ? [Number(first.slice(8))] : byMonthDay
  const fromEnd = date - daysInMonth(year, month) - 1
  if (dates.length > 0 && !dates.includes(date) && !dates.includes(fromEnd)) return false
  if (byDay.length === 0) return freq !== 'WEEKLY' || weekdayOf(day) === weekdayOf(first)
  return byDay.some(({ weekday, nth }) => weekdayOf(day) === weekday && (nth === 0 || isNth(rule, day, nth)))
}

/** Whether it is the nth of its weekday in the month, or in the year if the rule names no month. */
function isNth({ freq, byMonth }: RecurrenceRule, day: string, nth: number): boolean {
  const isOfMonth = freq === 'MONTHLY' || byMonth.length > 0
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  const length = isOfMonth ? daysInMonth(year, month) : 337 + daysInMonth(year, 2)
  const at = isOfMonth ? Number(day.slice(8)) : dayOfYear(day)
  return nth > 0 ? Math.ceil(at / 7) === nth : Math.ceil((length - at + 1) / 7) === -nth
}

const dayOfYear = (day: string): number =>
  (Date.parse(day) - Date.parse(`${day.slice(0, 4)}-01-01`)) / DAY + 1
