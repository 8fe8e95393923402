// Sums of flights: altogether and over time. A flight counts in a period where its date is precise enough.
import { weekdayOf } from '../calendar.ts'
import { present, type StatFlight } from './flights.ts'

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

/** Drops the noise of floating point: a sum must be the same whichever order it was added in, or it rounds differently. */
export const settled = (sum: number): number => Math.round(sum * 1e6) / 1e6

export function settle<Sum extends { distanceKm: number }>(amount: Sum): Sum {
  amount.distanceKm = settled(amount.distanceKm)
  return amount
}

export interface Totals {
  flights: number
  distanceKm: number
  seconds: number
  /** How much of `seconds` is an estimate from distance. */
  estimatedSeconds: number
  airports: number
  countries: number
  airlines: number
  aircraft: number
  registrations: number
  /** Without direction: there and back is one route. */
  routes: number
  domestic: number
  international: number
}

/** A registration is the same aircraft in either case. */
export const registrationOf = ({ aircraftReg }: StatFlight): string | null =>
  aircraftReg ? aircraftReg.toUpperCase() : null

/** The same for both directions. */
export const routeKey = (a: { id: number }, b: { id: number }): string =>
  a.id < b.id ? `${a.id}-${b.id}` : `${b.id}-${a.id}`

export const borders = ['domestic', 'international'] as const
export type Border = (typeof borders)[number]

/** Null unless both ends are known. */
export const borderOf = ({ from, to }: Pick<StatFlight, 'from' | 'to'>): Border | null =>
  from && to ? (from.country === to.country ? 'domestic' : 'international') : null

export function totals(flights: readonly StatFlight[]): Totals {
  const [airports, countries, routes] = [new Set<number>(), new Set<string>(), new Set<string>()]
  const [airlines, aircraft, registrations] = [new Set<number>(), new Set<number>(), new Set<string>()]
  const sum = { distanceKm: 0, seconds: 0, estimatedSeconds: 0, domestic: 0, international: 0 }
  for (const flight of flights) {
    const { from, to, duration } = flight
    sum.distanceKm += flight.distanceKm ?? 0
    sum.seconds += duration ?? 0
    if (flight.durationEstimated) sum.estimatedSeconds += duration ?? 0
    for (const airport of present(from, to)) {
      airports.add(airport.id)
      countries.add(airport.country)
    }
    if (flight.airline) airlines.add(flight.airline.id)
    if (flight.aircraft) aircraft.add(flight.aircraft.id)
    const registration = registrationOf(flight)
    if (registration) registrations.add(registration)
    if (from && to) routes.add(routeKey(from, to))
    const border = borderOf(flight)
    if (border) sum[border]++
  }
  return {
    ...settle(sum),
    flights: flights.length,
    airports: airports.size,
    countries: countries.size,
    airlines: airlines.size,
    aircraft: aircraft.size,
    registrations: registrations.size,
    routes: routes.size,
  }
}

// Over time

export interface YearAmount extends Amount {
  year: number
}

/** From the first to the last year, years without flights included. */
export function byYear(flights: readonly StatFlight[]): YearAmount[] {
  const years = new Map<number, YearAmount>()
  for (const flight of flights) {
    if (flight.date === undefined) continue
    const year = Number(flight.date.slice(0, 4))
    const entry = years.get(year) ?? { year, ...zero() }
    add(entry, flight)
    years.set(year, entry)
  }
  if (years.size === 0) return []
  const first = Math.min(...years.keys())
  const last = Math.max(...years.keys())
  return Array.from({ length: last - first + 1 }, (_, i) =>
    settle(years.get(first + i) ?? { year: first + i, ...zero() }),
  )
}

/** One amount for each slot; a flight whose slot is not known counts in none. */
function bySlot(
  flights: readonly StatFlight[],
  slots: number,
  slotOf: (flight: StatFlight) => number | null,
): Amount[] {
  const amounts = Array.from({ length: slots }, zero)
  for (const flight of flights) {
    const slot = slotOf(flight)
    if (slot !== null) add(amounts[slot]!, flight)
  }
  return amounts.map(settle)
}

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
export const byMonth = (flights: readonly StatFlight[]) => bySlot(flights, 12, (f) => slotBefore(monthOf(f)))
/** Monday first. */
export const byWeekday = (flights: readonly StatFlight[]) =>
  bySlot(flights, 7, (f) => slotBefore(weekdayOfFlight(f)))
export const byHour = (flights: readonly StatFlight[]) => bySlot(flights, 24, hourOf)

/** Flights per day, `YYYY-MM-DD`. */
export function byDay(flights: readonly StatFlight[]): Map<string, number> {
  const days = new Map<string, number>()
  for (const { date, datePrecision } of flights) {
    if (date && datePrecision === 'day') days.set(date, (days.get(date) ?? 0) + 1)
  }
  return days
}
