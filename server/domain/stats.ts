// Every figure of the statistics as a function of the flights that were flown. The first eight are those of the wire
// contract, by its formulas; distances are great circles on the mean sphere, summed and rounded once.
import { emissionKg } from './emissions.ts'
import { estimatedSeconds, type Position, sphericalMetres } from './geo.ts'

interface Place extends Position {
  id: number
  name: string
  icao: string
  iata: string | null
  country: string
  continent: string
}
interface Carrier {
  id: number
  name: string
  icao: string | null
  iata: string | null
}
interface Type {
  id: number
  name: string
  icao: string | null
}
export interface FlownFlight {
  id: number
  date: string
  datePrecision: 'day' | 'month' | 'year'
  duration: number | null
  from: Place | null
  to: Place | null
  airline: Carrier | null
  aircraft: Type | null
  aircraftReg: string | null
  /** Those whose seats and reasons are counted: the audience's own, or everybody. */
  passengers: readonly { seat: string | null; seatClass: string | null; flightReason: string | null }[]
}

export type Statistics = ReturnType<typeof computeStatistics>

const TOP = 25

/** Flights must be completed; they are walked by id, which decides ties: what was met first stays on top. */
export function computeStatistics(flown: readonly FlownFlight[]) {
  const flights = flown.toSorted((a, b) => a.id - b.id).map(measured)
  const counts = countAll(flights)
  const [topAirline] = counts.airlines.ranked()
  const [topAirport] = counts.airports.ranked()
  const [topAircraft] = counts.aircraft.ranked()
  const [topRoute] = counts.routes.ranked()
  return {
    flights: flights.length,
    distanceKm: kilometres(flights),
    durationSeconds: seconds(flights),
    airports: counts.airports.size,
    topAirline: topAirline ? carrier(topAirline.item, topAirline.count) : null,
    topAirport: topAirport ? { ...place(topAirport.item), count: topAirport.count } : null,
    topAircraft: topAircraft ? type(topAircraft.item, topAircraft.count) : null,
    topRoute: topRoute ? route(topRoute.item, topRoute.count) : null,

    durationEstimatedSeconds: flights.reduce((sum, flight) => sum + flight.estimate, 0),
    countries: summary(counts.countries, (code, count) => ({ code, count }), Number.POSITIVE_INFINITY),
    continents: summary(counts.continents, (code, count) => ({ code, count })),
    airlines: summary(counts.airlines, carrier),
    aircraft: summary(counts.aircraft, type),
    registrations: summary(counts.registrations, (registration, count) => ({ registration, count })),
    routes: summary(counts.routes, route),
    domestic: flights.filter((flight) => flight.crossesBorder === false).length,
    international: flights.filter((flight) => flight.crossesBorder === true).length,
    ...overTime(flights),
    classes: tallyOf(flights, 'seatClass'),
    seats: tallyOf(flights, 'seat'),
    reasons: tallyOf(flights, 'flightReason'),
    ...extremes(flights),
    co2Kg: Math.round(flights.reduce((sum, flight) => sum + emissionsOf(flight), 0)),
  }
}

interface Measured extends FlownFlight {
  metres: number | null
  /** Seconds for a flight whose duration is unknown, else 0. */
  estimate: number
  crossesBorder: boolean | undefined
}

function measured(flight: FlownFlight): Measured {
  const { from, to, duration } = flight
  const metres = from && to ? sphericalMetres(from, to) : null
  const moved = from && to && from.id !== to.id
  return {
    ...flight,
    metres,
    estimate: duration === null && moved && metres !== null ? estimatedSeconds(metres) : 0,
    crossesBorder: from && to ? from.country !== to.country : undefined,
  }
}

const kilometres = (flights: readonly Measured[]): number =>
  Math.round(flights.reduce((sum, flight) => sum + (flight.metres ?? 0), 0) / 1000)
/** What is unknown is estimated: a year of flights without times was not spent on the ground. */
const seconds = (flights: readonly Measured[]): number =>
  flights.reduce((sum, flight) => sum + (flight.duration ?? flight.estimate), 0)
const emissionsOf = ({ metres, passengers }: Measured): number =>
  passengers.reduce((sum, { seatClass }) => sum + emissionKg((metres ?? 0) / 1000, seatClass), 0)

// Counting

/** Counts things by key and keeps the first of each. */
function createCounter<Item>() {
  const entries = new Map<string | number, { item: Item; count: number }>()
  return {
    add(key: string | number, item: Item) {
      const entry = entries.get(key)
      if (entry) entry.count++
      else entries.set(key, { item, count: 1 })
    },
    get size() {
      return entries.size
    },
    /** Most first; sorting is stable, so of equals the one met first. */
    ranked: () => [...entries.values()].sort((a, b) => b.count - a.count),
  }
}
type Counter<Item> = ReturnType<typeof createCounter<Item>>

interface Route {
  from: Place
  to: Place
}

function countAll(flights: readonly Measured[]) {
  const airports = createCounter<Place>()
  const airlines = createCounter<Carrier>()
  const aircraft = createCounter<Type>()
  const routes = createCounter<Route>()
  const countries = createCounter<string>()
  const continents = createCounter<string>()
  const registrations = createCounter<string>()
  for (const { from, to, airline, aircraft: kind, aircraftReg } of flights) {
    for (const end of [from, to]) if (end) airports.add(end.id, end)
    if (from && to) routes.add(`${from.id}-${to.id}`, { from, to })
    if (airline) airlines.add(airline.id, airline)
    if (kind) aircraft.add(kind.id, kind)
    if (aircraftReg) registrations.add(aircraftReg.toUpperCase(), aircraftReg.toUpperCase())
    // A flight within one country counts once for it.
    for (const code of new Set([from?.country, to?.country])) if (code) countries.add(code, code)
    for (const code of new Set([from?.continent, to?.continent])) if (code) continents.add(code, code)
  }
  return { airports, airlines, aircraft, routes, countries, continents, registrations }
}

const summary = <Item, Shown>(
  counter: Counter<Item>,
  show: (item: Item, count: number) => Shown,
  most = TOP,
) => ({
  count: counter.size,
  top: counter
    .ranked()
    .slice(0, most)
    .map(({ item, count }) => show(item, count)),
})

const place = ({ id, name, icao, iata }: Place) => ({ id, name, icao, iata })
const carrier = ({ id, name, iata, icao }: Carrier, count: number) => ({ id, name, iata, icao, count })
const type = ({ id, name, icao }: Type, count: number) => ({ id, name, icao, count })
const route = ({ from, to }: Route, count: number) => ({ from: place(from), to: place(to), count })

/** How many passengers of each kind; those of whom it is not known are under `unknown`. */
function tallyOf(
  flights: readonly Measured[],
  name: 'seat' | 'seatClass' | 'flightReason',
): Record<string, number> {
  const tally: Record<string, number> = {}
  for (const { passengers } of flights) {
    for (const passenger of passengers) {
      const value = passenger[name] ?? 'unknown'
      tally[value] = (tally[value] ?? 0) + 1
    }
  }
  return tally
}

// Over time: a flight counts where its date is precise enough.

function overTime(flights: readonly Measured[]) {
  const years = Map.groupBy(flights, ({ date }) => Number(date.slice(0, 4)))
  const months = Map.groupBy(
    flights.filter(({ datePrecision }) => datePrecision !== 'year'),
    ({ date }) => Number(date.slice(5, 7)),
  )
  const weekdays = Map.groupBy(
    flights.filter(({ datePrecision }) => datePrecision === 'day'),
    ({ date }) => weekdayOf(date),
  )
  return {
    byYear: [...years.keys()].sort((a, b) => a - b).map((year) => ({ year, ...sums(years.get(year)!) })),
    byMonth: upTo(12).map((month) => ({ month, ...sums(months.get(month) ?? []) })),
    byWeekday: upTo(7).map((weekday) => ({ weekday, ...sums(weekdays.get(weekday) ?? []) })),
  }
}

const sums = (flights: readonly Measured[]) => ({
  flights: flights.length,
  distanceKm: kilometres(flights),
  durationSeconds: seconds(flights),
})

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

/** Monday is 1, Sunday 7. */
const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7

// Extremes

function extremes(flights: readonly Measured[]) {
  const moved = flights.filter(({ metres }) => metres !== null && metres > 0)
  const timed = flights.filter(({ duration }) => duration !== null && duration > 0)
  const byDistance = (flight: Measured) => flight.metres!
  const byDuration = (flight: Measured) => flight.duration!
  return {
    longest: {
      byDistance: show(least(moved, byDistance, -1)),
      byDuration: show(least(timed, byDuration, -1)),
    },
    shortest: {
      byDistance: show(least(moved, byDistance, 1)),
      byDuration: show(least(timed, byDuration, 1)),
    },
    first: show(flights.reduce(earlier, undefined)),
    last: show(flights.reduceRight(later, undefined)),
  }
}

function least(
  flights: readonly Measured[],
  measure: (flight: Measured) => number,
  sign: 1 | -1,
): Measured | undefined {
  let best: Measured | undefined
  for (const flight of flights) {
    if (!best || sign * measure(flight) < sign * measure(best)) best = flight
  }
  return best
}

const earlier = (best: Measured | undefined, flight: Measured): Measured =>
  best && best.date <= flight.date ? best : flight
const later = (best: Measured | undefined, flight: Measured): Measured =>
  best && best.date >= flight.date ? best : flight

const show = (flight: Measured | undefined) =>
  flight
    ? {
        id: flight.id,
        date: flight.date,
        from: flight.from && place(flight.from),
        to: flight.to && place(flight.to),
        distanceKm: flight.metres === null ? null : Math.round(flight.metres / 1000),
        durationSeconds: flight.duration,
      }
    : null
