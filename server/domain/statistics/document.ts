// The figures in the shape of `GET /stats`. The first eight fields are those of the wire contract.
import { countTravellers } from './cabin.ts'
import { byId, figuresOf } from './figures.ts'
import type { First } from './firsts.ts'
import type { Named, Place, StatFlight } from './flights.ts'
import { type Insights, insightsOf } from './insights.ts'
import {
  type Counted,
  type Direction,
  rankContinents,
  rankDirections,
  ranked,
  rankVisits,
} from './rankings.ts'
import type { Amount } from './sums.ts'
import type { PartOfYear } from './year-change.ts'

const TOP = 25

/** Flights must be completed. `userId` says whose seats count, null every passenger's; `today` is `YYYY-MM-DD`. */
export function statisticsDocument(completed: readonly StatFlight[], userId: string | null, today: string) {
  const flights = byId(completed)
  const figures = figuresOf(flights, userId)
  const { totals, records, cabin } = figures
  const travellers = countTravellers(flights, userId)
  const [topRoute] = ranked(rankDirections(flights), 'count')
  return {
    flights: totals.flights,
    distanceKm: Math.round(totals.distanceKm),
    durationSeconds: totals.seconds,
    airports: totals.airports,
    topAirline: first(figures.airlines, carrier),
    topAirport: first(rankVisits(flights), (airport, count) => ({ ...place(airport), count })),
    topAircraft: first(figures.aircraft, aircraftType),
    topRoute: topRoute ? route(topRoute.item, topRoute.count) : null,

    durationEstimatedSeconds: totals.estimatedSeconds,
    countries: summary(figures.countries, byCode, Number.POSITIVE_INFINITY),
    continents: summary(rankContinents(flights), byCode),
    airlines: summary(figures.airlines, carrier),
    aircraft: summary(figures.aircraft, aircraftType),
    registrations: summary(figures.registrations, (registration, count) => ({ registration, count })),
    routes: summary(figures.routes, ({ a, b }, count) => route({ from: a, to: b }, count)),
    domestic: totals.domestic,
    international: totals.international,
    byYear: figures.years
      .filter(({ count }) => count > 0)
      .map(({ year, ...sum }) => ({ year, ...sums(sum) })),
    byMonth: figures.months.map((sum, i) => ({ month: i + 1, ...sums(sum) })),
    byWeekday: figures.weekdays.map((sum, i) => ({ weekday: i + 1, ...sums(sum) })),
    classes: withUnknown(cabin.classes, travellers),
    seats: withUnknown(cabin.seats, travellers),
    reasons: withUnknown(cabin.reasons, travellers),
    longest: { byDistance: show(records.longest), byDuration: show(records.slowest) },
    shortest: { byDistance: show(records.shortest), byDuration: show(records.quickest) },
    first: show(records.first),
    last: show(records.latest),
    co2: {
      kilograms: Math.round(figures.co2.kilograms),
      passengers: figures.co2.passengers,
      unknownPassengers: figures.co2.unknown,
    },
    byHour: figures.hours,
    ...insightsDocument(insightsOf(flights, today)),
  }
}

function insightsDocument({ change, punctuality, night, streaks, firsts, badges }: Insights) {
  const { mostLate } = punctuality
  return {
    yearChange: change && {
      year: change.year,
      until: `${change.year}-${change.until}`,
      now: partOfYear(change.now),
      before: partOfYear(change.before),
    },
    punctuality: {
      arrivals: punctuality.arrivals,
      departures: punctuality.departures,
      mostLate: mostLate && { ...show(mostLate)!, delayMinutes: mostLate.arrivalDelay! },
    },
    night: {
      ...night,
      longest: night.longest && {
        ...show(night.longest.flight)!,
        nightSeconds: night.longest.nightSeconds,
      },
    },
    streaks,
    firsts: firsts.slice(-TOP).reverse().map(firstTime),
    badges: badges.map(({ kind, value, next, earned }) => ({
      kind,
      value: rounded(value),
      next: next && rounded(next),
      earned: earned.map(({ level, flight }) => ({ level: rounded(level), flight: show(flight)! })),
    })),
  }
}

/** Latitudes have two digits, everything else is whole. */
const rounded = (value: number): number => (value < 90 ? Math.round(value * 100) / 100 : Math.round(value))

const partOfYear = ({ flights, distanceKm, seconds, airports, countries }: PartOfYear) => ({
  flights,
  distanceKm: Math.round(distanceKm),
  durationSeconds: seconds,
  airports,
  countries,
})

function firstTime(first: First) {
  const { kind, flight } = first
  if ('code' in first) return { kind, code: first.code, name: null, flight: show(flight)! }
  const { name, iata, icao } = 'airport' in first ? first.airport : first.item
  return { kind, code: iata ?? icao ?? null, name, flight: show(flight)! }
}

type Show<Item, Shown> = (item: Item, count: number) => Shown

function first<Item, Shown>(list: readonly Counted<Item>[], show: Show<Item, Shown>): Shown | null {
  const [top] = ranked(list, 'count')
  return top ? show(top.item, top.count) : null
}

const summary = <Item, Shown>(list: readonly Counted<Item>[], show: Show<Item, Shown>, most = TOP) => ({
  count: list.length,
  top: ranked(list, 'count')
    .slice(0, most)
    .map(({ item, count }) => show(item, count)),
})

const byCode = (code: string, count: number) => ({ code, count })
const place = ({ id, name, icao, iata }: Place) => ({ id, name, icao, iata })
const carrier = ({ id, name, iata = null, icao = null }: Named, count: number) => ({
  id,
  name,
  iata,
  icao,
  count,
})
const aircraftType = ({ id, name, icao = null }: Named, count: number) => ({ id, name, icao, count })
const route = ({ from, to }: Direction, count: number) => ({ from: place(from), to: place(to), count })
const sums = ({ count, distanceKm, seconds }: Amount) => ({
  flights: count,
  distanceKm: Math.round(distanceKm),
  durationSeconds: seconds,
})

/** Passengers of each kind; those of whom it is not known are under `unknown`. */
function withUnknown(tally: ReadonlyMap<string, number>, travellers: number): Record<string, number> {
  const known = [...tally.values()].reduce((sum, count) => sum + count, 0)
  return { ...Object.fromEntries(tally), ...(travellers > known && { unknown: travellers - known }) }
}

const show = (flight: StatFlight | null) =>
  flight && {
    id: flight.id,
    date: flight.date ?? '',
    from: flight.from && place(flight.from),
    to: flight.to && place(flight.to),
    distanceKm: flight.distanceKm === null ? null : Math.round(flight.distanceKm),
    durationSeconds: flight.durationEstimated ? null : flight.duration,
  }
