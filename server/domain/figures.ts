// Every figure of the statistics screen and of a public share, as pure functions of flights. Only completed flights
// should be passed in. What a flight does not carry is counted nowhere: a share leaves out what is not ticked.
import { emissionKg } from './emissions.ts'

export const EARTH_KM = 40_075.017
export const MOON_KM = 384_400

export interface Place {
  id: number
  icao: string
  iata: string | null
  name: string
  municipality: string | null
  latitude: number
  longitude: number
  country: string
  continent: string
  formerCodes?: string[] | undefined
}

export interface Named {
  id: number
  name: string
}

interface Traveller {
  user: string | null
  seat: string | null
  seatClass: string | null
  reason: string | null
}

export interface StatFlight {
  id: number
  from: Place | null
  to: Place | null
  distanceKm: number | null
  /** Seconds, estimated where it is not known. */
  duration: number | null
  durationEstimated?: boolean
  date?: string
  datePrecision?: 'day' | 'month' | 'year'
  airline?: Named | null
  aircraft?: Named | null
  aircraftReg?: string | null
  /** Wall clock at the airport; only its hour counts. */
  departureLocal?: string | null
  passengers?: readonly Traveller[]
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
  routes: number
  domestic: number
  international: number
}

export function totals(flights: readonly StatFlight[]): Totals {
  const airports = new Set<number>()
  const countries = new Set<string>()
  const airlines = new Set<number>()
  const aircraft = new Set<number>()
  const registrations = new Set<string>()
  const routes = new Set<string>()
  const sum = { distanceKm: 0, seconds: 0, estimatedSeconds: 0, domestic: 0, international: 0 }
  for (const flight of flights) {
    sum.distanceKm += flight.distanceKm ?? 0
    sum.seconds += flight.duration ?? 0
    if (flight.durationEstimated) sum.estimatedSeconds += flight.duration ?? 0
    for (const airport of [flight.from, flight.to]) {
      if (!airport) continue
      airports.add(airport.id)
      countries.add(airport.country)
    }
    if (flight.airline) airlines.add(flight.airline.id)
    if (flight.aircraft) aircraft.add(flight.aircraft.id)
    if (flight.aircraftReg) registrations.add(flight.aircraftReg.toUpperCase())
    if (!flight.from || !flight.to) continue
    routes.add(pairKey(flight.from, flight.to))
    if (flight.from.country === flight.to.country) sum.domestic++
    else sum.international++
  }
  return {
    ...sum,
    flights: flights.length,
    airports: airports.size,
    countries: countries.size,
    airlines: airlines.size,
    aircraft: aircraft.size,
    registrations: registrations.size,
    routes: routes.size,
  }
}

function pairKey(a: Place, b: Place): string {
  return a.id < b.id ? `${a.id}-${b.id}` : `${b.id}-${a.id}`
}

export interface Amount {
  count: number
  distanceKm: number
  seconds: number
}

export const zero = (): Amount => ({ count: 0, distanceKm: 0, seconds: 0 })

function add(amount: Amount, flight: StatFlight): void {
  amount.count++
  amount.distanceKm += flight.distanceKm ?? 0
  amount.seconds += flight.duration ?? 0
}

export interface YearAmount extends Amount {
  year: number
}

/** From the first to the last year, quiet ones included. */
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
  return Array.from(
    { length: last - first + 1 },
    (_, i) => years.get(first + i) ?? { year: first + i, ...zero() },
  )
}

/** January first; flights known only by year do not count. */
export function byMonth(flights: readonly StatFlight[]): Amount[] {
  const months = Array.from({ length: 12 }, zero)
  for (const flight of flights) {
    if (flight.date && flight.datePrecision !== 'year')
      add(months[Number(flight.date.slice(5, 7)) - 1]!, flight)
  }
  return months
}

/** Sunday is 0, as in JavaScript; only flights whose day is known. */
export function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay()
}

export function byWeekday(flights: readonly StatFlight[]): Amount[] {
  const days = Array.from({ length: 7 }, zero)
  for (const flight of flights) {
    if (flight.date && flight.datePrecision === 'day') add(days[weekdayOf(flight.date)]!, flight)
  }
  return days
}

/** By local hour of departure. */
export function byHour(flights: readonly StatFlight[]): Amount[] {
  const hours = Array.from({ length: 24 }, zero)
  for (const flight of flights) {
    if (flight.departureLocal) add(hours[Number(flight.departureLocal.slice(11, 13))]!, flight)
  }
  return hours
}

/** Flights per day, `YYYY-MM-DD`. */
export function byDay(flights: readonly StatFlight[]): Map<string, number> {
  const days = new Map<string, number>()
  for (const flight of flights) {
    if (flight.date && flight.datePrecision === 'day') days.set(flight.date, (days.get(flight.date) ?? 0) + 1)
  }
  return days
}

export interface Ranked<T> extends Amount {
  item: T
}

/** What a share ranks by flights alone. */
export interface Counted<T> {
  item: T
  count: number
  distanceKm?: number
}

function rank<T>(
  flights: readonly StatFlight[],
  itemsOf: (flight: StatFlight) => readonly T[],
  keyOf: (item: T) => string | number,
): Ranked<T>[] {
  const byKey = new Map<string | number, Ranked<T>>()
  for (const flight of flights) {
    for (const item of itemsOf(flight)) {
      const key = keyOf(item)
      const entry = byKey.get(key) ?? { item, ...zero() }
      add(entry, flight)
      byKey.set(key, entry)
    }
  }
  return [...byKey.values()]
}

const present = <T>(...values: (T | null | undefined)[]): T[] =>
  values.filter((value): value is T => value !== null && value !== undefined)

/** Each end counts by itself, as in the server's statistics: a round flight A to A adds two. */
export const rankAirports = (flights: readonly StatFlight[]) =>
  rank(
    flights,
    (f) => present(f.from, f.to),
    (airport) => airport.id,
  )

export const rankAirlines = (flights: readonly StatFlight[]) =>
  rank(
    flights,
    (f) => present(f.airline),
    (airline) => airline.id,
  )

export const rankAircraft = (flights: readonly StatFlight[]) =>
  rank(
    flights,
    (f) => present(f.aircraft),
    (aircraft) => aircraft.id,
  )

export const rankRegistrations = (flights: readonly StatFlight[]) =>
  rank(
    flights,
    (f) => present(f.aircraftReg?.toUpperCase() || null),
    (reg) => reg,
  )

/** A country counts once for a flight, however many of its ends lie there. */
export const rankCountries = (flights: readonly StatFlight[]) =>
  rank(
    flights,
    (f) => [...new Set(present(f.from?.country, f.to?.country))],
    (country) => country,
  )

export interface Pair {
  a: Place
  b: Place
}

/** Both directions together. */
export const rankRoutes = (flights: readonly StatFlight[]) =>
  rank(
    flights,
    (f): Pair[] =>
      f.from && f.to ? [f.from.id < f.to.id ? { a: f.from, b: f.to } : { a: f.to, b: f.from }] : [],
    ({ a, b }) => `${a.id}-${b.id}`,
  )

export type Measure = 'count' | 'distanceKm'

export function top<T extends Amount>(list: readonly T[], measure: Measure, limit: number): T[] {
  return list.toSorted((x, y) => y[measure] - x[measure] || y.count - x.count).slice(0, limit)
}

/** Those whose seats count: one person, or with null everybody aboard. */
function counted(flight: StatFlight, userId: string | null): readonly Traveller[] {
  const passengers = flight.passengers ?? []
  return userId === null ? passengers : passengers.filter((passenger) => passenger.user === userId)
}

export interface Cabin {
  classes: Map<string, number>
  seats: Map<string, number>
  reasons: Map<string, number>
}

export function cabin(flights: readonly StatFlight[], userId: string | null): Cabin {
  const result: Cabin = { classes: new Map(), seats: new Map(), reasons: new Map() }
  for (const flight of flights) {
    for (const { seatClass, seat, reason } of counted(flight, userId)) {
      if (seatClass) result.classes.set(seatClass, (result.classes.get(seatClass) ?? 0) + 1)
      if (seat) result.seats.set(seat, (result.seats.get(seat) ?? 0) + 1)
      if (reason) result.reasons.set(reason, (result.reasons.get(reason) ?? 0) + 1)
    }
  }
  return result
}

export const continents = ['EU', 'NA', 'AS', 'AF', 'SA', 'OC', 'AN'] as const
export type Continent = (typeof continents)[number]

export interface ContinentMatrix {
  /** Only those that were flown to, in the order above. */
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

export interface Records {
  longest: StatFlight | null
  shortest: StatFlight | null
  slowest: StatFlight | null
  quickest: StatFlight | null
  first: StatFlight | null
  latest: StatFlight | null
  busiestDay: { date: string; count: number } | null
  longestGap: { from: string; to: string; days: number } | null
  northernmost: Place | null
  southernmost: Place | null
}

function extreme<T>(list: readonly T[], value: (item: T) => number | null, sign: 1 | -1): T | null {
  let best: T | null = null
  let record = -Infinity
  for (const item of list) {
    const found = value(item)
    if (found !== null && found * sign > record) {
      record = found * sign
      best = item
    }
  }
  return best
}

const DAY_MS = 86_400_000
const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS

function longestGap(dates: readonly string[]): Records['longestGap'] {
  let best: Records['longestGap'] = null
  for (let i = 1; i < dates.length; i++) {
    const days = dayNumber(dates[i]!) - dayNumber(dates[i - 1]!)
    if (days > (best?.days ?? 1)) best = { from: dates[i - 1]!, to: dates[i]!, days }
  }
  return best
}

export function records(flights: readonly StatFlight[]): Records {
  // A flight that ends where it began has no distance to compare.
  const moved = (f: StatFlight) => (f.distanceKm && f.distanceKm > 0 ? f.distanceKm : null)
  const timed = (f: StatFlight) => (f.duration && !f.durationEstimated ? f.duration : null)
  const dated = flights.filter((f) => f.date && f.datePrecision === 'day')
  const days = byDay(flights)
  const busiest = extreme([...days], ([, count]) => (count > 1 ? count : null), 1)
  const airports = flights.flatMap((f) => present(f.from, f.to))
  const dayOf = (f: StatFlight) => dayNumber(f.date!)
  return {
    longest: extreme(flights, moved, 1),
    shortest: extreme(flights, moved, -1),
    slowest: extreme(flights, timed, 1),
    quickest: extreme(flights, timed, -1),
    // Newest first in the log: of several on one day the last row is the earliest flight.
    first: extreme(dated.toReversed(), dayOf, -1),
    latest: extreme(dated, dayOf, 1),
    busiestDay: busiest ? { date: busiest[0], count: busiest[1] } : null,
    longestGap: longestGap([...days.keys()].sort()),
    northernmost: extreme(airports, (a) => a.latitude, 1),
    southernmost: extreme(airports, (a) => a.latitude, -1),
  }
}

/** A flight of which no seat is told, as on a share, counts as one average passenger. */
export function totalCo2Kg(flights: readonly StatFlight[], userId: string | null): number {
  let sum = 0
  for (const flight of flights) {
    const seats = flight.passengers ? counted(flight, userId).map(({ seatClass }) => seatClass) : [null]
    for (const seatClass of seats) sum += emissionKg(flight.distanceKm ?? 0, seatClass)
  }
  return sum
}

export interface Figures {
  totals: Totals
  years: YearAmount[]
  months: Amount[]
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
  records: Records
  co2Kg: number
}

/**
 * All figures of a log, each computed when it is first read: the screen fills section by section. `userId` says whose
 * seats count, null everyone's.
 */
export const figuresOf = (flights: readonly StatFlight[], userId: string | null): Figures =>
  lazily<Figures>({
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
    records: () => records(flights),
    co2Kg: () => totalCo2Kg(flights, userId),
  })

function lazily<Made extends object>(makers: { [Name in keyof Made]: () => Made[Name] }): Made {
  const made = {} as Made
  for (const name of Object.keys(makers) as (keyof Made)[]) {
    let known: { value: Made[keyof Made] } | undefined
    Object.defineProperty(made, name, {
      enumerable: true,
      get: () => {
        known ??= { value: makers[name]() }
        return known.value
      },
    })
  }
  return made
}
