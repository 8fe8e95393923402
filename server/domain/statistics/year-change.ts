// The newest year of a log against the year before: to the same day while it is still running.

import type { StatFlight } from './flights.ts'
import { lastDayOf } from './in-order.ts'
import { totals } from './sums.ts'

export interface PartOfYear {
  flights: number
  distanceKm: number
  seconds: number
  airports: number
  countries: number
}

export interface YearChange {
  year: number
  /** Both years are counted from January to this day, `MM-DD`. */
  until: string
  now: PartOfYear
  before: PartOfYear
}

const END_OF_YEAR = '12-31'

function partOf(flights: readonly StatFlight[], year: number, until: string): PartOfYear {
  const last = `${String(year).padStart(4, '0')}-${until}`
  const isIn = (flight: StatFlight) => {
    const day = lastDayOf(flight)
    // The last day of a month or year that is not known closer: it is in only once that is over.
    return day.slice(0, 4) === last.slice(0, 4) && (day <= last || until === END_OF_YEAR)
  }
  const { flights: count, distanceKm, seconds, airports, countries } = totals(flights.filter(isIn))
  return { flights: count, distanceKm, seconds, airports, countries }
}

/** Null if there is nothing earlier to compare with. `today` is `YYYY-MM-DD`. */
export function yearChange(flights: readonly StatFlight[], today: string): YearChange | null {
  const years = flights.flatMap(({ date }) => (date ? [Number(date.slice(0, 4))] : []))
  const year = years.reduce((latest, one) => Math.max(latest, one), 0)
  if (!years.some((one) => one < year)) return null
  const until = year === Number(today.slice(0, 4)) ? today.slice(5) : END_OF_YEAR
  return { year, until, now: partOf(flights, year, until), before: partOf(flights, year - 1, until) }
}
