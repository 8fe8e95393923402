// Sums of flights, in total and over time. A flight counts in a period if its date is precise enough.
import { weekdayOf } from '../time/calendar.ts'
import { isEnough } from './enough.ts'
import { compute, type Figure } from './figure.ts'
import type { StatFlight } from './flights.ts'

export interface Amount {
  count: number
  distanceKm: number
  seconds: number
}

export const zero = (): Amount => ({ count: 0, distanceKm: 0, seconds: 0 })

export function add(amount: Amount, flight: StatFlight): void {
  amount.count++
  amount.distanceKm += flight.distanceKm ?? 0
  amount.seconds += flight.duration ?? 0
}

export function addAmount(amount: Amount, part: Amount): Amount {
  amount.count += part.count
  amount.distanceKm += part.distanceKm
  amount.seconds += part.seconds
  return amount
}

/** Removes floating-point noise: a sum must not depend on the order of addition, or it may be rounded differently. */
export const settled = (sum: number): number => Math.round(sum * 1e6) / 1e6

export function settle<Sum extends { distanceKm: number }>(amount: Sum): Sum {
  amount.distanceKm = settled(amount.distanceKm)
  return amount
}

export interface Totals {
  flights: number
  distanceKm: number
  seconds: number
  /** The part of `seconds` that is estimated from distances. */
  estimatedSeconds: number
  /** Flights with an estimated duration, and flights with a known distance. */
  estimatedFlights: number
  measuredFlights: number
  airports: number
  countries: number
  airlines: number
  aircraft: number
  registrations: number
  /** Both directions count as one route. */
  routes: number
  domestic: number
  international: number
}

/** Upper and lower case are the same registration. */
export const registrationOf = ({ aircraftReg }: StatFlight): string | null =>
  aircraftReg ? aircraftReg.toUpperCase() : null

/** The same for both directions. */
export const routeKey = (a: { id: number }, b: { id: number }): string =>
  a.id < b.id ? `${a.id}-${b.id}` : `${b.id}-${a.id}`

/** The route as a number, for values that are counted for every flight. */
export const routeNumber = (a: { id: number }, b: { id: number }): number =>
  a.id < b.id ? directionNumber(a, b) : directionNumber(b, a)
export const directionNumber = (a: { id: number }, b: { id: number }): number => a.id * 2 ** 26 + b.id

export const borders = ['domestic', 'international'] as const
export type Border = (typeof borders)[number]

/** Null unless both ends are known. */
export const borderOf = ({ from, to }: Pick<StatFlight, 'from' | 'to'>): Border | null =>
  from && to ? (from.country === to.country ? 'domestic' : 'international') : null

type Overall = Pick<
  Totals,
  | 'flights'
  | 'distanceKm'
  | 'seconds'
  | 'estimatedSeconds'
  | 'estimatedFlights'
  | 'measuredFlights'
  | 'domestic'
  | 'international'
>

/** Values that are added up. Values that are only counted, such as airports, come from the rankings. */
export const overallFigure: Figure<Overall, Overall> = {
  start: () => ({
    flights: 0,
    distanceKm: 0,
    seconds: 0,
    estimatedSeconds: 0,
    estimatedFlights: 0,
    measuredFlights: 0,
    domestic: 0,
    international: 0,
  }),
  add: addOverall,
  merge(sum, part) {
    for (const name of Object.keys(sum) as (keyof Overall)[]) sum[name] += part[name]
  },
  result: (sum) => settle({ ...sum }),
}

function addOverall(sum: Overall, flight: StatFlight): void {
  const { duration } = flight
  sum.flights++
  sum.distanceKm += flight.distanceKm ?? 0
  sum.seconds += duration ?? 0
  if (flight.distanceKm !== null) sum.measuredFlights++
  if (flight.durationEstimated) {
    sum.estimatedSeconds += duration ?? 0
    sum.estimatedFlights++
  }
  const border = borderOf(flight)
  if (border) sum[border]++
}

interface TotalsState {
  sum: Overall
  airports: Set<number>
  countries: Set<string>
  routes: Set<number>
  airlines: Set<number>
  aircraft: Set<number>
  registrations: Set<string>
}

const totalsFigure: Figure<TotalsState, Totals> = {
  start: () => ({
    sum: overallFigure.start(),
    airports: new Set(),
    countries: new Set(),
    routes: new Set(),
    airlines: new Set(),
    aircraft: new Set(),
    registrations: new Set(),
  }),
  add({ sum, airports, countries, routes, airlines, aircraft, registrations }, flight) {
    const { from, to } = flight
    addOverall(sum, flight)
    if (from) {
      airports.add(from.id)
      countries.add(from.country)
    }
    if (to) {
      airports.add(to.id)
      countries.add(to.country)
    }
    if (flight.airline) airlines.add(flight.airline.id)
    if (flight.aircraft) aircraft.add(flight.aircraft.id)
    const registration = registrationOf(flight)
    if (registration) registrations.add(registration)
    if (from && to) routes.add(routeNumber(from, to))
  },
  merge({ sum, ...sets }, { sum: part, ...parts }) {
    overallFigure.merge(sum, part)
    for (const name of Object.keys(sets) as (keyof typeof sets)[])
      for (const one of parts[name]) (sets[name] as Set<unknown>).add(one)
  },
  result: ({ sum, airports, countries, routes, airlines, aircraft, registrations }) => ({
    ...overallFigure.result(sum),
    airports: airports.size,
    countries: countries.size,
    airlines: airlines.size,
    aircraft: aircraft.size,
    registrations: registrations.size,
    routes: routes.size,
  }),
}

export const totals = (flights: readonly StatFlight[]): Totals => compute(totalsFigure, flights)

/** The average length of flights with a known distance; null if there are too few. */
export const averageKm = ({ distanceKm, measuredFlights }: Totals): number | null =>
  isEnough(measuredFlights) ? distanceKm / measuredFlights : null

// Over time

export interface YearAmount extends Amount {
  year: number
}

export const yearsFigure: Figure<Map<number, Amount>, YearAmount[]> = {
  start: () => new Map(),
  add(years, flight) {
    if (flight.date === undefined) return
    const year = Number(flight.date.slice(0, 4))
    const amount = years.get(year) ?? zero()
    add(amount, flight)
    years.set(year, amount)
  },
  merge(years, part) {
    for (const [year, amount] of part) years.set(year, addAmount(years.get(year) ?? zero(), amount))
  },
  result(years) {
    if (years.size === 0) return []
    const first = Math.min(...years.keys())
    const last = Math.max(...years.keys())
    return Array.from({ length: last - first + 1 }, (_, i) =>
      settle({ year: first + i, ...(years.get(first + i) ?? zero()) }),
    )
  },
}

/** From the first to the last year, including years without flights. */
export const byYear = (flights: readonly StatFlight[]): YearAmount[] => compute(yearsFigure, flights)

/** An amount per slot; a flight whose slot is unknown is not counted. */
const slotsFigure = (
  slots: number,
  slotOf: (flight: StatFlight) => number | null,
): Figure<Amount[], Amount[]> => ({
  start: () => Array.from({ length: slots }, zero),
  add(amounts, flight) {
    const slot = slotOf(flight)
    if (slot !== null) add(amounts[slot]!, flight)
  },
  merge(amounts, part) {
    for (const [slot, amount] of part.entries()) addAmount(amounts[slot]!, amount)
  },
  result: (amounts) => amounts.map((amount) => settle({ ...amount })),
})

/** 1 for January; null if only the year is known. */
export const monthOf = ({ date, datePrecision }: StatFlight): number | null =>
  date && datePrecision !== 'year' ? Number(date.slice(5, 7)) : null

/** 1 for Monday, 7 for Sunday; null unless the day is known. */
export const weekdayOfFlight = ({ date, datePrecision }: StatFlight): number | null =>
  date && datePrecision === 'day' ? weekdayOf(date) : null

/** The local hour of departure, 0 to 23. */
export const hourOf = ({ departureLocal }: StatFlight): number | null =>
  departureLocal ? Number(departureLocal.slice(11, 13)) : null

const slotBefore = (number: number | null): number | null => (number === null ? null : number - 1)

/** January first. */
export const monthsFigure = slotsFigure(12, (flight) => slotBefore(monthOf(flight)))
export const byMonth = (flights: readonly StatFlight[]) => compute(monthsFigure, flights)
/** Monday first. */
export const weekdaysFigure = slotsFigure(7, (flight) => slotBefore(weekdayOfFlight(flight)))
export const byWeekday = (flights: readonly StatFlight[]) => compute(weekdaysFigure, flights)
export const hoursFigure = slotsFigure(24, hourOf)
export const byHour = (flights: readonly StatFlight[]) => compute(hoursFigure, flights)

/** Flights per day, `YYYY-MM-DD`. */
export function byDay(flights: readonly StatFlight[]): Map<string, number> {
  const days = new Map<string, number>()
  for (const { date, datePrecision } of flights) {
    if (date && datePrecision === 'day') days.set(date, (days.get(date) ?? 0) + 1)
  }
  return days
}
