// Who held a code on a day. Codes of airports and airlines are handed on: HKG was Kai Tak until 1998, AZ was Alitalia
// until 2021.
import { daysBetween } from './calendar.ts'
import type { DatePrecision } from './enums.ts'
import { endOfPeriod } from './typed-date.ts'

/** The code by which people know an airport: of a closed one, the IATA code that it had. */
export const airportCode = ({ iata, icao, formerCodes }: Coded): string =>
  iata ?? formerCodes?.find((code) => code.length === 3) ?? icao
interface Coded {
  iata: string | null
  icao: string
  formerCodes?: readonly string[] | undefined
}

/** What is said about a code beside the record that it is taken for. */
export const codeWarnings = [
  /** The airport had closed, or had not opened. */
  'airport_closed_then',
  /** The airline had ended, or had not begun. */
  'airline_not_flying_then',
  /** Another record had the code for a part of the month or year. */
  'code_changed_hands',
] as const
export type CodeWarning = (typeof codeWarnings)[number]

/** The days on which a code is read: one, or all of a month or year if the day of the flight is not known. */
export interface Days {
  first: string
  last: string
}

export function daysOf(date: string, precision: DatePrecision = 'day'): Days {
  const first = { day: date, month: `${date.slice(0, 7)}-01`, year: `${date.slice(0, 4)}-01-01` }[precision]
  return { first, last: precision === 'day' ? date : endOfPeriod(first, precision) }
}

/** From the first to the last day on which something held; null is unknown or unlimited. */
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

/** Days between the period and the nearest of the days; only for a period that has none of them. */
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
      /** The days on which it held the code; 0 if another day was the nearest. */
      days: number
      /** Whether another record held the code on some of the days. */
      isShared: boolean
    }
  | { outcome: 'several'; ids: readonly number[]; days: number }
  | { outcome: 'none' }

/**
 * The record that held the code on most of the days, else the one that held it nearest to them. A record of which no
 * day is known gives way to one of which some are. Several if nothing decides.
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
  const dated = most.filter(({ from, to }) => from !== null || to !== null)
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

/** The first day within the days on which a holder begins; undefined if none is known to begin after the first of them. */
export const changeWithin = (holders: readonly Period[], { first, last }: Days): string | undefined =>
  holders.flatMap(({ from }) => (from !== null && from > first && from <= last ? from : [])).sort()[0]

/** In a sentence: `on 1999-05-01`, `in 1999-05`, `in 1999`. */
export function duringDays({ first, last }: Days): string {
  if (first === last) return `on ${first}`
  return `in ${first.slice(0, first.slice(0, 7) === last.slice(0, 7) ? 7 : 4)}`
}
