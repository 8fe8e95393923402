// The text in the bar code of a boarding pass (IATA resolution 792): fields of fixed width, and the variants of airlines. It
// has the day of the year but not the year. Pure, so that the browser can read a pass offline.

import type { SeatClass } from '../enums.ts'
import { isStation } from '../reference/stations.ts'
import { addDays, isCalendarDate, writeDay } from '../time/calendar.ts'
import { DAY } from '../time/durations.ts'
import { DAYS_AHEAD } from '../time/typed-date.ts'

export interface PassLeg {
  /** Gives access to the booking together with the name. */
  locator: string | null
  from: string
  to: string
  /** The operating carrier: IATA or ICAO code. */
  carrier: string
  /** Carrier and number without leading zeros; null if the pass has no number. */
  flightNumber: string | null
  /** As written: three digits, or blank. */
  day: string
  /** YYYY-MM-DD; null if the day does not exist. */
  date: string | null
  /** The day in the year before, if the pass does not say when it was issued and the year is therefore a guess. */
  otherDate: string | null
  /** Years after the first leg: a pass may cross the turn of the year. */
  yearsAfter: number
  compartment: string | null
  /** `12C`; null if none is assigned, or the text is not a seat. */
  seat: string | null
  /** A text in the place of the seat that was not understood. */
  seatText: string | null
  /** The carrier that sold the flight, if it is another one. */
  marketingCarrier: string | null
  /** A train with a flight number. */
  isRail: boolean
}

export interface BoardingPass {
  /** FAMILY/GIVEN, with titles, cut at 20 characters. */
  name: string
  issueDate: string | null
  /** Data that the pass announces is missing. */
  isTruncated: boolean
  /** One to four. */
  legs: PassLeg[]
}

type PassRefusal = { refused: 'not_a_boarding_pass' } | { refused: 'rail'; pass: BoardingPass }

/** Letters of booking classes. Other letters have no meaning. */
export const bookingLetters: Record<SeatClass, string> = {
  economy: 'MYBHKLQTVSOGNXU',
  'economy+': 'WE',
  business: 'JCDZIP',
  first: 'FA',
  private: '',
}

export const classOfCompartment = (letter: string | null): SeatClass | null =>
  (letter?.length === 1 &&
    (Object.keys(bookingLetters) as SeatClass[]).find((name) => bookingLetters[name].includes(letter))) ||
  null

/** Railways that have an airline code. */
const railways = new Set(['2A', '2C', '2V', '9B', '9F'])

/**
 * `date`: the day on which it was scanned, made or sent, YYYY-MM-DD. `isFlightDay`: it is the day of the flight, or a day next
 * to it, as a wallet pass states it.
 */
export function readBoardingPass(
  text: string,
  date: string,
  isFlightDay = false,
): BoardingPass | PassRefusal {
  const plain = cleaned(text)
  if (!/^M[1-4].{20}[A-Z ]/.test(plain) || !/[A-Z]/.test(plain.slice(2, 22)))
    return { refused: 'not_a_boarding_pass' }
  const raw = rawLegs(plain)
  if (raw.legs.length === 0) return { refused: 'not_a_boarding_pass' }
  const issueDate = issuedOn(raw.issued, date)
  const pass = {
    name: plain.slice(2, 22).trim(),
    issueDate,
    isTruncated: raw.isTruncated,
    legs: withDates(raw.legs, issueDate ? after(issueDate) : isFlightDay ? nearestTo(date) : latestBy(date)),
  }
  return pass.legs.every(({ isRail }) => isRail) ? { refused: 'rail', pass } : pass
}

/** Whether a text is meant to be a pass, even if it cannot be read. */
export const looksLikePass = (text: string): boolean => /^M[1-4][A-Z .,'/()-]{20}[A-Z ]\S/.test(cleaned(text))

/** The mandatory fields of one leg, without the blanks at the end. */
const SHORTEST = 58

/** Whether a typed or pasted text is a whole pass. Such a text opens the booking, so it is not kept. */
export const isPassText = (text: string): boolean => cleaned(text).length >= SHORTEST && looksLikePass(text)

/** Scanners prepend the type of symbol, strip trailing blanks, or write lower case. */
const cleaned = (text: string): string =>
  text
    .replace(/^[\s\ufeff]*(?:\][A-Za-z]\w)?/, '')
    .replaceAll('\u00a0', ' ')
    .trimEnd()
    .toUpperCase()

// Fields

type RawLeg = Omit<PassLeg, 'date' | 'otherDate' | 'yearsAfter'>
interface RawPass {
  legs: RawLeg[]
  issued: string
  isTruncated: boolean
}

const HEAD = 23
const LEG = 37
/** Locator, from, to, carrier, number with a suffix, day of the year, compartment; the rest may be missing. */
const legShape =
  /^([A-Z0-9 -]{7})([A-Z]{3})([A-Z]{3})([A-Z0-9 ]{3})([\d ]{4}[A-Z\d ])([\d ]{3})(?:([A-Z0-9 ])(.{0,4}))?/
/** Where a leg may end: after the day, the compartment, the seat, the sequence number or the status. */
const legEnds = [24, 25, 29, 33, 34, 35, LEG]
/** Where the unique and the repeated block may end without being cut: after a field, or before blank ones. */
const onceEnds = [0, 1, 2, 3, 7, 8, 10, 11, 24, 37, 50]
const repeatedEnds = [0, 3, 13, 14, 15, 17, 18, 20, 21, 37, 38, 41, 42]

function rawLegs(text: string): RawPass {
  const pass: RawPass = { legs: [], issued: '', isTruncated: false }
  let hasBlocks = true
  let at = HEAD
  for (let index = 0; index < Number(text[1]); index++) {
    const leg = legOf(text.slice(at, at + LEG))
    if (!leg) {
      pass.isTruncated = true
      break
    }
    const length = Math.min(LEG, text.length - at)
    // A seat without zeros has a trailing blank that may be stripped.
    if (!legEnds.includes(length) && !(leg.seat && length === 28)) pass.isTruncated = true
    const size = sizeIn(text.slice(at + 35, at + LEG))
    const rest = conditional(text.slice(at + LEG, at + LEG + size), index === 0, hasBlocks)
    hasBlocks = rest.hasBlocks
    if (index === 0) pass.issued = rest.issued
    if (length === LEG && text.length < at + LEG + size && !rest.isWhole(size)) pass.isTruncated = true
    const sold = rest.marketingCarrier
    pass.legs.push({ ...leg, marketingCarrier: sold === leg.carrier ? null : sold })
    at += LEG + size
  }
  return pass
}

const sizeIn = (hex: string): number => (/^[0-9A-F]{2}$/.test(hex) ? Number.parseInt(hex, 16) : 0)

function legOf(text: string): RawLeg | null {
  const found = legShape.exec(text)
  if (!found) return null
  const [locator, from, to, carrier, number, day, compartment = '', seat = ''] = found.slice(1) as string[]
  const airline = carrier!.trim()
  const digits = /^0*(\d{0,5}[A-Z]?)$/.exec(number!.trim())?.[1]
  if (!/^(?=.*[A-Z])[A-Z0-9]{2,3}$/.test(airline) || digits === undefined) return null
  return {
    locator: locator!.trim() || null,
    from: from!,
    to: to!,
    carrier: airline,
    flightNumber: /^\d/.test(digits) ? airline + digits : null,
    day: day!,
    compartment: compartment.trim() || null,
    ...seatOf(seat.trim()),
    marketingCarrier: null,
    isRail: railways.has(airline) || isStation(from!) || isStation(to!),
  }
}

function seatOf(text: string): Pick<PassLeg, 'seat' | 'seatText'> {
  const seat = /^0*([1-9]\d{0,2}[A-Z])$/.exec(text)?.[1] ?? null
  // An infant without a seat, a seat assigned at the gate, no seat, or a seat that was cut.
  const isNone = /^(?:INF|GATE|\d*|NS|NST|STBY?|SBY)$/.test(text)
  return { seat, seatText: seat || isNone ? null : text }
}

interface Conditional {
  issued: string
  marketingCarrier: string | null
  /** Without its marker, the rest of the pass is the airline's own data. */
  hasBlocks: boolean
  /** Whether at most blanks are missing from a part of this size. */
  isWhole(size: number): boolean
}

function conditional(text: string, isFirst: boolean, hasBlocks: boolean): Conditional {
  const own = { issued: '', marketingCarrier: null, isWhole: () => false }
  if (isFirst ? !/^>\w/.test(text) : !hasBlocks) return { ...own, hasBlocks: !isFirst && hasBlocks }
  const onceStart = 4
  const onceSize = isFirst ? sizeIn(text.slice(2, 4)) : 0
  const once = isFirst ? text.slice(onceStart, onceStart + onceSize) : ''
  const sizeAt = isFirst ? onceStart + onceSize : 0
  const repeatedSize = sizeIn(text.slice(sizeAt, sizeAt + 2))
  const repeated = text.slice(sizeAt + 2, sizeAt + 2 + repeatedSize)
  return {
    hasBlocks: true,
    issued: once.slice(3, 7),
    marketingCarrier: /^[A-Z0-9]{2,3}$/.exec(repeated.slice(15, 18).trim())?.[0] ?? null,
    isWhole: (size) =>
      text.length >= sizeAt + 2
        ? sizeAt + 2 + repeatedSize === size && repeatedEnds.includes(repeated.length)
        : text.length >= onceStart && sizeAt === size && onceEnds.includes(once.length),
  }
}

// The year

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** Day 366 exists in leap years only. */
function dayIn(year: number, day: number): string | null {
  if (year < 1900 || year > 9999 || day < 1 || day > (isLeap(year) ? 366 : 365)) return null
  return new Date(Date.UTC(year, 0, day)).toISOString().slice(0, 10)
}

const yearOf = (date: string): number => Number(date.slice(0, 4))
const daysBetween = (a: string, b: string): number => Math.abs(Date.parse(a) - Date.parse(b)) / DAY

/** From the last digit of the year and the day: the latest date that is at most a day after the document. */
function issuedOn(written: string, documentDate: string): string | null {
  if (!/^\d{4}$/.test(written)) return null
  const latest = new Date(Date.parse(documentDate) + DAY).toISOString().slice(0, 10)
  for (let year = yearOf(latest); year > yearOf(latest) - 30; year--) {
    if (year % 10 !== Number(written[0])) continue
    const date = dayIn(year, Number(written.slice(1)))
    if (date !== null && date <= latest) return date
  }
  return null
}

/** The date of a day of the year, and the other possible one if the year is a guess. */
type YearRule = (day: number) => Pick<PassLeg, 'date' | 'otherDate'>

const noDate = { date: null, otherDate: null, yearsAfter: 0 }

function withDates(legs: readonly RawLeg[], rule: YearRule): PassLeg[] {
  let first: { date: string; otherDate: string | null } | undefined
  return legs.map((leg) => {
    const day = numberOfDay(leg.day)
    // Flights on one pass are days apart, not years.
    const date = first?.otherDate ? nearestTo(first.date)(day).date : rule(day).date
    if (date === null) return { ...leg, ...noDate }
    const otherDate = first ? first.otherDate && nearestTo(first.otherDate)(day).date : rule(day).otherDate
    first ??= { date, otherDate }
    return { ...leg, date, otherDate, yearsAfter: yearOf(date) - yearOf(first.date) }
  })
}

const numberOfDay = (written: string): number => (/^\d{1,3}$/.test(written.trim()) ? Number(written) : 0)

/** The day of a leg, `244` or `09-01`, if the first leg of its pass is in this year; null if the year has no such day. */
export const legInYear = (
  { day, yearsAfter }: Pick<PassLeg, 'day' | 'yearsAfter'>,
  year: number,
): string | null =>
  day[2] === '-' ? existing(`${year + yearsAfter}-${day}`) : dayIn(year + yearsAfter, numberOfDay(day))

const existing = (date: string): string | null => (isCalendarDate(date) ? date : null)

const certain = (date: string | null | undefined) => ({ date: date ?? null, otherDate: null })

/** From the day of issue on. */
const after =
  (issueDate: string): YearRule =>
  (day) =>
    certain(daysAround(issueDate, day).find((date) => date >= issueDate))

/** Leap years can be eight years apart. */
const YEARS_AROUND = 16

const yearsAround = (date: string): number[] =>
  Array.from({ length: 2 * YEARS_AROUND + 1 }, (_, index) => yearOf(date) - YEARS_AROUND + index)

const daysAround = (date: string, day: number): string[] =>
  yearsAround(date).flatMap((year) => dayIn(year, day) ?? [])

/** The earlier date on a tie. */
const nearestTo =
  (date: string): YearRule =>
  (day) =>
    certain(daysAround(date, day).sort((a, b) => daysBetween(a, date) - daysBetween(b, date))[0])

/** The latest date that is not too far ahead, because people keep old passes. The other date is the one before it. */
const latestBy =
  (date: string): YearRule =>
  (day) =>
    latestOf(daysAround(date, day), date)

function latestOf(dates: readonly string[], by: string): ReturnType<YearRule> {
  const possible = dates.filter((one) => one <= addDays(by, DAYS_AHEAD))
  return { date: possible.at(-1) ?? null, otherDate: possible.at(-2) ?? null }
}

/** The same rule for a pass that shows month and day without a year: `02-16`. */
export const latestOfDay = (day: string, by: string): ReturnType<YearRule> =>
  latestOf(
    yearsAround(by).flatMap((year) => existing(`${year}-${day}`) ?? []),
    by,
  )

// The day of a file

const dayInName =
  /(?<!\d)(?:((?:19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])|(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.((?:19|20)\d\d))(?!\d(?!\d{5}(?!\d)))/

/** The day in a file's name, as cameras and phones write it: `IMG_20190216_101500.jpg`, `Screenshot 2019-02-16`. Never in the future. */
export function dayOfName(name: string, today: string): string | null {
  const [, year, , month, day, ownDay, ownMonth, ownYear] = dayInName.exec(name) ?? []
  const parts = [year ?? ownYear, month ?? ownMonth, day ?? ownDay].map(Number)
  const date = existing(writeDay(parts[0]!, parts[1]!, parts[2]!))
  return date !== null && date <= addDays(today, 1) ? date : null
}
