// Compares the latest year of a log with the previous one, up to the same day if the year is still running.

import { present, type StatFlight } from './flights.ts'
import { lastDayOf, yearOfDay } from './in-order.ts'
import { add, settle, zero } from './sums.ts'

export interface PartOfYear {
  flights: number
  distanceKm: number
  seconds: number
  airports: number
  countries: number
}

export interface YearChange {
  year: number
  /** Both years are counted from 1 January to this day, `MM-DD`. */
  until: string
  now: PartOfYear
  before: PartOfYear
}

const END_OF_YEAR = '12-31'

function partOf(flights: readonly StatFlight[], year: number, until: string): PartOfYear {
  const last = year * 10_000 + Number(until.replace('-', ''))
  const sum = zero()
  const [airports, countries] = [new Set<number>(), new Set<string>()]
  for (const flight of flights) {
    const day = lastDayOf(flight)
    // The last day of an imprecise month or year: it counts only once that period is over.
    if (yearOfDay(day) !== year || (day > last && until !== END_OF_YEAR)) continue
    add(sum, flight)
    for (const place of present(flight.from, flight.to)) {
      airports.add(place.id)
      countries.add(place.country)
    }
  }
  const { count, distanceKm, seconds } = settle(sum)
  return { flights: count, distanceKm, seconds, airports: airports.size, countries: countries.size }
}

/** Null if there is no earlier year. `today` is `YYYY-MM-DD`. */
export function yearChange(flights: readonly StatFlight[], today: string): YearChange | null {
  const years = [...new Set(flights.flatMap(({ date }) => (date ? [Number(date.slice(0, 4))] : [])))]
  return yearChangeOf(years, () => flights, today)
}

/** For flights that are already grouped by year: reads only those of two years. */
export function yearChangeOf(
  years: readonly number[],
  flightsOf: (year: number) => readonly StatFlight[],
  today: string,
): YearChange | null {
  const year = Math.max(0, ...years)
  if (!years.some((one) => one < year)) return null
  const until = year === Number(today.slice(0, 4)) ? today.slice(5) : END_OF_YEAR
  const part = (one: number) => partOf(flightsOf(one), one, until)
  return { year, until, now: part(year), before: part(year - 1) }
}
