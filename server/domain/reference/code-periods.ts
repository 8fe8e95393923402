// Which record had a code on a day. Codes of airports and airlines are reassigned: HKG was Kai Tak until 1998, AZ was
// Alitalia until 2021.

import type { DatePrecision } from '../enums.ts'
import { daysBetween } from '../time/calendar.ts'
import { endOfPeriod } from '../time/typed-date.ts'

/** The code by which people know an airport: for a closed one, its former IATA code. */
export const airportCode = ({ iata, icao, formerCodes }: Coded): string =>
  iata ?? formerCodes?.find((code) => code.length === 3) ?? icao
interface Coded {
  iata: string | null
  icao: string
  formerCodes?: readonly string[] | undefined
}

/** In the United States, an airport is also known by its ICAO code without the K; one with a digit is no IATA code: `1Q4` is K1Q4. */
export const localCode = (icao: string): string | null =>
  /^K(?=.*\d)[A-Z0-9]{3}$/.test(icao) ? icao.slice(1) : null

/** Warnings about a code and the record that it was resolved to. */
export const codeWarnings = [
  /** The airport had closed, or had not opened yet. */
  'airport_closed_then',
  /** The airline no longer existed, or did not exist yet. */
  'airline_not_flying_then',
  /** Another record had the code during a part of the month or year. */
  'code_changed_hands',
] as const
export type CodeWarning = (typeof codeWarnings)[number]

/** The days for which a code is resolved: one, or a whole month or year if the day of the flight is not known. */
export interface Days {
  first: string
  last: string
}

export function daysOf(date: string, precision: DatePrecision = 'day'): Days {
  const first = { day: date, month: `${date.slice(0, 7)}-01`, year: `${date.slice(0, 4)}-01-01` }[precision]
  return { first, last: precision === 'day' ? date : endOfPeriod(first, precision) }
}

/** The first and last day of a period; null is unknown or unlimited. */
export interface Period {
  from: string | null
  to: string | null
}

/** A year or a day as the first or the last day that it can mean. */
export const firstDay = (text: string | null): string | null => (text?.length === 4 ? `${text}-01-01` : text)
export const lastDay = (text: string | null): string | null => (text?.length === 4 ? `${text}-12-31` : text)

/** How many of the days are within the period. */
export function daysWithin({ from, to }: Period, { first, last }: Days): number {
  const begin = from !== null && from > first ? from : first
  const end = to !== null && to < last ? to : last
  if (begin >= end) return begin === end ? 1 : 0
  return daysBetween(begin, end) + 1
}

/** A period of which neither end is known shows nothing. */
export const isDated = ({ from, to }: Period): boolean => from !== null || to !== null

export const isKnownOn = (periods: readonly Period[], days: Days): boolean =>
  periods.some((period) => isDated(period) && daysWithin(period, days) > 0)

/**
 * Whether an airport was open on the days, by the periods of its codes. An ICAO code is kept for some days after the last flight,
 * so only IATA codes show it.
 */
export function wasOpen(
  { type }: { type: string },
  periods: readonly (Period & { code: string })[],
  days: Days,
): boolean {
  const known = periods.filter((period) => period.code.length === 3 && isDated(period))
  if (known.length === 0) return true
  return type === 'closed'
    ? isKnownOn(known, days)
    : known.some(({ from }) => from === null || from <= days.last)
}

/** Whether an airline flew on the days, by its years and the periods of its codes. */
export function wasFlying({ from, to }: Period, periods: readonly Period[], days: Days): boolean {
  const known = [{ from: firstDay(from), to: lastDay(to) }, ...periods]
  return !known.some(isDated) || isKnownOn(known, days)
}

/** Days between the period and the nearest of the days; only for a period that contains none of them. */
const daysApart = ({ from, to }: Period, { first, last }: Days): number =>
  to !== null && to < first ? daysBetween(to, first) : daysBetween(last, from!)

/** A record that has or had the code. */
export interface Holder extends Period {
  id: number
}

type Held =
  | {
      outcome: 'one'
      id: number
      /** How many days the record had the code; 0 if it only had it on other days. */
      days: number
      /** Whether another record had the code on some of the days. */
      isShared: boolean
    }
  | { outcome: 'several'; ids: readonly number[]; days: number }
  | { outcome: 'none' }

/**
 * The record that had the code on most of the days, otherwise the one that had it nearest to them. Records with known days have
 * priority over records without. Several if there is a tie.
 */
export function heldOn(holders: readonly Holder[], days: Days): Held {
  const then = holders.filter((holder) => daysWithin(holder, days) > 0)
  if (then.length === 0) {
    return held(
      nearest(holders, (holder) => daysApart(holder, days)),
      0,
      false,
    )
  }
  const most = nearest(then, (holder) => -daysWithin(holder, days))
  const dated = most.filter(isDated)
  const isShared = days.first !== days.last && new Set(then.map(({ id }) => id)).size > 1
  return held(dated.length > 0 ? dated : most, daysWithin(most[0]!, days), isShared)
}

function held(best: readonly Holder[], days: number, isShared: boolean): Held {
  const ids = [...new Set(best.map(({ id }) => id))]
  if (ids.length > 1) return { outcome: 'several', ids, days }
  return ids.length === 1 ? { outcome: 'one', id: ids[0]!, days, isShared } : { outcome: 'none' }
}

function nearest(holders: readonly Holder[], distance: (holder: Holder) => number): Holder[] {
  const least = Math.min(...holders.map(distance))
  return holders.filter((holder) => distance(holder) === least)
}

/** The first of the days on which another record got the code; undefined if none is known to begin after the first day. */
export const changeWithin = (holders: readonly Period[], { first, last }: Days): string | undefined =>
  holders.flatMap(({ from }) => (from !== null && from > first && from <= last ? from : [])).sort()[0]

/** As part of a sentence: `on 1999-05-01`, `in 1999-05`, `in 1999`. */
export function duringDays({ first, last }: Days): string {
  if (first === last) return `on ${first}`
  return `in ${first.slice(0, first.slice(0, 7) === last.slice(0, 7) ? 7 : 4)}`
}
