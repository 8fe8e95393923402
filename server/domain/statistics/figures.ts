// All figures of a log: those of the statistics page, of shares, and of `GET /stats`.
import { type Continent, continents } from '../enums.ts'
import { type Cabin, cabin, type Footprint, footprint } from './cabin.ts'
import type { Named, Place, StatFlight } from './flights.ts'
import { lazily } from './lazily.ts'
import {
  type Counted,
  type Pair,
  type Ranked,
  rankAircraft,
  rankAirlines,
  rankAirports,
  rankCountries,
  rankRegistrations,
  rankRoutes,
} from './rankings.ts'
import { type Records, records, statedRecords } from './records.ts'
import {
  type Amount,
  byDay,
  byHour,
  byMonth,
  byWeekday,
  byYear,
  type Totals,
  totals,
  type YearAmount,
} from './sums.ts'

export interface ContinentMatrix {
  /** Only continents that were flown to, in the order of `continents`. */
  names: Continent[]
  /** `cells[from][to]`. */
  cells: number[][]
  most: number
}

export function continentMatrix(flights: readonly StatFlight[]): ContinentMatrix {
  const all = continents.map(() => continents.map(() => 0))
  const seen = new Set<number>()
  for (const flight of flights) {
    const from = continents.indexOf(flight.from?.continent as Continent)
    const to = continents.indexOf(flight.to?.continent as Continent)
    if (from < 0 || to < 0) continue
    all[from]![to]!++
    seen.add(from).add(to)
  }
  const kept = continents.map((_, i) => i).filter((i) => seen.has(i))
  const cells = kept.map((i) => kept.map((j) => all[i]![j]!))
  return { names: kept.map((i) => continents[i]!), cells, most: Math.max(0, ...cells.flat()) }
}

export interface Figures {
  totals: Totals
  years: YearAmount[]
  /** January first. */
  months: Amount[]
  /** Monday first. */
  weekdays: Amount[]
  days: ReadonlyMap<string, number>
  /** Departures by local hour. */
  hours: number[]
  airports: Ranked<Place>[]
  routes: Ranked<Pair>[]
  countries: Ranked<string>[]
  airlines: Counted<Named>[]
  aircraft: Counted<Named>[]
  registrations: Counted<string>[]
  cabin: Cabin
  continents: ContinentMatrix
  /** The records with enough flights. */
  records: Records
  co2: Footprint
}

/**
 * Each figure is computed when it is first read, since the page is filled section by section. Flights must be completed; they
 * are visited by id, which decides ties. `userId`: the person whose seats count; null for every passenger's.
 */
export function figuresOf(completed: readonly StatFlight[], userId: string | null): Figures {
  const flights = byId(completed)
  return lazily<Figures>({
    totals: () => totals(flights),
    years: () => byYear(flights),
    months: () => byMonth(flights),
    weekdays: () => byWeekday(flights),
    days: () => byDay(flights),
    hours: () => byHour(flights).map(({ count }) => count),
    airports: () => rankAirports(flights),
    routes: () => rankRoutes(flights),
    countries: () => rankCountries(flights),
    airlines: () => rankAirlines(flights),
    aircraft: () => rankAircraft(flights),
    registrations: () => rankRegistrations(flights),
    cabin: () => cabin(flights, userId),
    continents: () => continentMatrix(flights),
    records: () => statedRecords(records(flights)),
    co2: () => footprint(flights, userId),
  })
}

/** The order that decides ties, in the API and on every page. */
export const byId = (flights: readonly StatFlight[]): StatFlight[] => flights.toSorted((a, b) => a.id - b.id)
