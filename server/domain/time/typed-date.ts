// Dates as people type them. Pure: today is a parameter, and server and web app read the same texts the same way.

import type { DatePrecision } from '../enums.ts'
import { plain } from '../text/fold.ts'
import { addDays, daysBetween, daysInMonth, isCalendarDate, weekdayOf, writeDay } from './calendar.ts'

/** Which of two numbers is the day if both are possible. */
export type DateOrder = 'day-first' | 'month-first'

/** Why a text is not a date; the messages are in the web app. */
export type DateReason = 'unreadable' | 'no_such_day' | 'weekday' | 'day_missing' | 'month_missing'

export type TypedDate =
  /** `date` is `YYYY-MM-DD`: for a month or year, its first day. */
  { ok: true; date: string; precision: DatePrecision } | { ok: false; reason: DateReason }

export interface DateRules {
  /** The person's own calendar day, `YYYY-MM-DD`. */
  today: string
  order: DateOrder
  /** The precisions that the field accepts; only days by default. */
  precisions?: readonly DatePrecision[]
  /** A date without a year is the one closest to this day. */
  near?: string | undefined
  /** Without `near`: the last such day, which may be up to `DAYS_AHEAD` days ahead; or the next one, or up to a month ago. */
  lean?: 'past' | 'future'
  /** Two digits are a year up to this many years ahead, otherwise one of the last century; five by default. */
  yearsAhead?: number
}

/** English and German; then French, Spanish, Italian, Portuguese, Dutch, Danish, Norwegian, Swedish, Finnish and Icelandic. */
const months = [
  'january januar janner janvier enero gennaio janeiro januari tammikuuta',
  'february februar feber fevrier febrero febbraio fevereiro februari helmikuuta',
  'march marz maerz mrz mars marzo marco maart marts maaliskuuta',
  'april avril abril aprile huhtikuuta',
  'may mai mayo maggio maio mei maj toukokuuta',
  'june juni juin junio giugno junho kesakuuta',
  'july juli juillet julio luglio julho heinakuuta',
  'august aout agosto augustus augusti elokuuta agust',
  'september septembre septiembre setiembre settembre setembro syyskuuta',
  'october oktober octobre octubre ottobre outubro lokakuuta',
  'november novembre noviembre novembro marraskuuta',
  'december dezember decembre diciembre dicembre dezembro desember joulukuuta',
].map((names) => names.split(' '))
/** Monday first. */
const weekdays = [
  'monday montag mo lundi lunes lunedi',
  'tuesday dienstag tues di mardi martes martedi',
  'wednesday mittwoch mi mercredi miercoles mercoledi',
  'thursday donnerstag thurs do jeudi jueves giovedi',
  'friday freitag fr vendredi viernes venerdi',
  'saturday samstag sonnabend sa samedi sabado sabato',
  'sunday sonntag so dimanche domingo domenica',
].map((names) => names.split(' '))
const relative: Record<string, number> = {
  today: 0,
  heute: 0,
  yesterday: -1,
  gestern: -1,
  vorgestern: -2,
  tomorrow: 1,
  morgen: 1,
  ubermorgen: 2,
  "aujourd'hui": 0,
  hier: -1,
  'avant-hier': -2,
  demain: 1,
  'apres-demain': 2,
  hoy: 0,
  ayer: -1,
  anteayer: -2,
  antier: -2,
  manana: 1,
  'pasado manana': 2,
  oggi: 0,
  ieri: -1,
  "l'altro ieri": -2,
  "ieri l'altro": -2,
  domani: 1,
  dopodomani: 2,
}
/** Words between the parts of a date: `20th of February`, `am 20. Februar`, `le 1er février`, `el 1.º de marzo de 2026`. */
const fillers = new Set([
  'of',
  'the',
  'on',
  'am',
  'den',
  'der',
  'vom',
  'st',
  'nd',
  'rd',
  'th',
  'le',
  'du',
  'er',
  'el',
  'il',
  'de',
  'del',
  'o',
])

/** Longer texts are not dates. */
const LONGEST = 60

const refuse = (reason: DateReason): TypedDate => ({ ok: false, reason })

/** The index of the entry that the word abbreviates, by three letters or one of the short forms. */
function indexOf(list: readonly string[][], word: string): number {
  return list.findIndex((names) =>
    names.some((name) => name === word || (word.length >= 3 && name.startsWith(word))),
  )
}

/** `2026-02-20`, `20260220`, `20 feb`, `Feb 20, 2026`, `20.2.26`, `20/2`, `Feb 2026`, `2/2026`, `1998`, `yesterday`. */
export function readDate(text: string, rules: DateRules): TypedDate {
  if (text.length > LONGEST) return refuse('unreadable')
  const typed = plain(text)
    .trim()
    .replace(/(?<=\d)°/, '')
  const shift = relative[typed]
  if (shift !== undefined) return { ok: true, date: addDays(rules.today, shift), precision: 'day' }
  const tokens = tokensOf(typed)
  if (!tokens) return refuse('unreadable')
  const weekday = isWeekday(tokens) ? indexOf(weekdays, tokens[0]!) : -1
  const found = partsOf(weekday < 0 ? tokens : tokens.slice(1), rules)
  return found ? settle(found, weekday, rules) : refuse('unreadable')
}

/** `mar` is March, unless another month follows: `mar. 3 mars`. */
function isWeekday([first = '', ...rest]: string[]): boolean {
  const isName = (token: string) => /^[a-z]/.test(token)
  return isName(first) && (indexOf(months, first) < 0 || rest.some(isName))
}

function tokensOf(typed: string): string[] | null {
  if (!/^[\d\sa-z.,/'-]+$/.test(typed) || /^[-/]|[-/]$/.test(typed)) return null
  const all = typed.match(/\d+|[a-z]+/g) ?? []
  return all.filter((token) => !fillers.has(token))
}

interface Parts {
  year: number | null
  month: number | null
  day: number | null
}

function partsOf(tokens: string[], rules: DateRules): Parts | null {
  const named = tokens.findIndex((token) => /^[a-z]/.test(token))
  if (named < 0) return partsOfNumbers(tokens, rules)
  const month = indexOf(months, tokens[named]!) + 1
  const numbers = tokens.toSpliced(named, 1)
  if (month === 0 || numbers.length > 2 || numbers.some((token) => !/^\d+$/.test(token))) return null
  return { month, ...besideName(numbers, named, rules) }
}

type Rest = Omit<Parts, 'month'>

/** The numbers next to a month's name: a day, a year, or both, in which case the four-digit one is the year. */
function besideName(numbers: string[], named: number, rules: DateRules): Rest {
  const [first, second] = numbers
  if (first === undefined) return { day: null, year: null }
  if (second === undefined) {
    const isYear = first.length > 2 || (named === 0 && !allows(rules, 'day'))
    return isYear ? { day: null, year: yearOf(first, rules) } : { day: Number(first), year: null }
  }
  return first.length > 2
    ? { day: dayOf(second), year: yearOf(first, rules) }
    : { day: Number(first), year: yearOf(second, rules) }
}

function partsOfNumbers(tokens: string[], rules: DateRules): Parts | null {
  const [first, second, third] = tokens as [string?, string?, string?]
  if (first === undefined || tokens.length > 3) return null
  if (second === undefined) return partsOfOne(first, rules)
  if (third === undefined) return partsOfTwo(first, second, rules)
  if (first.length > 2) return { year: yearOf(first, rules), month: dayOf(second), day: dayOf(third) }
  return { year: yearOf(third, rules), ...dayAndMonth(dayOf(first), dayOf(second), rules.order) }
}

/** `20260220`, `1998`, and `98` if only a year is accepted. */
function partsOfOne(digits: string, rules: DateRules): Parts | null {
  const whole = /^(\d{4})(\d{2})(\d{2})$/.exec(digits)
  if (whole) return { year: Number(whole[1]), month: Number(whole[2]), day: Number(whole[3]) }
  const isYear =
    digits.length === 4 || (digits.length === 2 && !allows(rules, 'month') && !allows(rules, 'day'))
  return isYear ? { year: yearOf(digits, rules), month: null, day: null } : null
}

/** `2/2026`, `2026-02`, and `20.2.` without a year. */
function partsOfTwo(first: string, second: string, rules: DateRules): Parts {
  if (first.length > 2) return { year: yearOf(first, rules), month: dayOf(second), day: null }
  if (second.length > 2 || !allows(rules, 'day'))
    return { year: yearOf(second, rules), month: Number(first), day: null }
  return { year: null, ...dayAndMonth(Number(first), Number(second), rules.order) }
}

/** In the person's order, unless only the other one is possible. */
function dayAndMonth(first: number, second: number, order: DateOrder): { day: number; month: number } {
  const [dayFirst, monthFirst] = [
    { day: first, month: second },
    { day: second, month: first },
  ]
  const [own, other] = order === 'day-first' ? [dayFirst, monthFirst] : [monthFirst, dayFirst]
  return own.month > 12 && other.month <= 12 ? other : own
}

/** Days and months have one or two digits; longer numbers are neither. */
const dayOf = (digits: string): number => (digits.length <= 2 ? Number(digits) : Number.NaN)

function yearOf(digits: string, rules: DateRules): number {
  if (digits.length === 4) return Number(digits)
  if (digits.length !== 2) return Number.NaN
  const year = 2000 + Number(digits)
  return year > Number(rules.today.slice(0, 4)) + (rules.yearsAhead ?? 5) ? year - 100 : year
}

const allows = (rules: DateRules, precision: DatePrecision): boolean =>
  (rules.precisions ?? ['day']).includes(precision)

function settle({ year, month, day }: Parts, weekday: number, rules: DateRules): TypedDate {
  if ([year, month, day].some(Number.isNaN)) return refuse('unreadable')
  const precision = day !== null ? 'day' : month !== null ? 'month' : 'year'
  const date = year === null ? withoutYear(month!, day, rules) : writeDay(year, month ?? 1, day ?? 1)
  if (date === null || !isCalendarDate(date)) return refuse('no_such_day')
  if (!allows(rules, precision)) return refuse(reasonFor(precision, rules))
  if (weekday >= 0 && (precision !== 'day' || weekday + 1 !== weekdayOf(date))) return refuse('weekday')
  return { ok: true, date, precision }
}

/** A field for months refuses a day, which would be lost. */
function reasonFor(precision: DatePrecision, rules: DateRules): DateReason {
  if (precision === 'day') return 'unreadable'
  return precision === 'year' && !allows(rules, 'day') ? 'month_missing' : 'day_missing'
}

/**
 * A day without a year, typed or on a boarding pass, is the latest one that is not further ahead: in a log, a flight that was flown
 * is likelier than one in several months.
 */
export const DAYS_AHEAD = 60
/** How far a month, or a day of the future, may be on the less likely side of today. */
const GRACE_DAYS = 31
/** 29 February can be up to eight years away: 1896 to 1904. */
const REACH_YEARS = 8

function withoutYear(month: number, day: number | null, rules: DateRules): string | null {
  const { today, near, lean = 'past' } = rules
  const middle = Number((near ?? today).slice(0, 4))
  const all = Array.from({ length: 2 * REACH_YEARS + 1 }, (_, i) =>
    writeDay(middle - REACH_YEARS + i, month, day ?? 1),
  ).filter(isCalendarDate)
  if (near !== undefined) return closest(all, near)
  return lean === 'past'
    ? (all.findLast((date) => date <= addDays(today, day === null ? GRACE_DAYS : DAYS_AHEAD)) ?? null)
    : (all.find((date) => date >= addDays(today, -GRACE_DAYS)) ?? null)
}

function closest(dates: string[], to: string): string | null {
  const away = (date: string) => Math.abs(daysBetween(to, date))
  return dates.toSorted((a, b) => away(a) - away(b))[0] ?? null
}

export interface DateStyle {
  /** BCP 47 tag: determines order, punctuation and names of months. */
  tag: string
  iso: boolean
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(tag: string, precision: 'day' | 'month'): Intl.DateTimeFormat {
  const key = `${tag} ${precision}`
  let known = formatters.get(key)
  if (!known) {
    known = new Intl.DateTimeFormat(tag, {
      ...(precision === 'day' ? { day: 'numeric', month: 'short' } : { month: 'long' }),
      year: 'numeric',
      calendar: 'gregory',
      numberingSystem: 'latn',
      timeZone: 'UTC',
    })
    formatters.set(key, known)
  }
  return known
}

/** "20 Feb 2026", "February 2026" or "2026" by precision; `readDate` can read all of them. */
export function writeDate(date: string, precision: DatePrecision, { tag, iso }: DateStyle): string {
  if (precision === 'year') return date.slice(0, 4)
  // Year 33 with a month's name would be read as 2033.
  if (iso || date < '1000') return date.slice(0, precision === 'month' ? 7 : 10)
  return formatter(tag, precision).format(new Date(`${date}T12:00:00Z`))
}

/** Month first if the language's short format begins with the month. */
export function orderOf(tag: string): DateOrder {
  const parts = new Intl.DateTimeFormat(tag, { dateStyle: 'short' }).formatToParts(0)
  return parts.find(({ type }) => type === 'day' || type === 'month' || type === 'year')?.type === 'month'
    ? 'month-first'
    : 'day-first'
}

/** The last day of the given day, month or year. */
export function endOfPeriod(date: string, precision: DatePrecision): string {
  if (precision === 'day') return date
  const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))]
  return precision === 'year' ? writeDay(year, 12, 31) : writeDay(year, month, daysInMonth(year, month))
}
