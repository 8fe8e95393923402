// The figures in the form of `GET /stats`. The first eight fields are those of the wire contract.
import { badgesOf, marksFigure } from './badges.ts'
import { cabinFigure, footprintFigure } from './cabin.ts'
import type { Figure } from './figure.ts'
import { type First, firstsFigure, newestFirsts } from './firsts.ts'
import type { Named, Place, StatFlight } from './flights.ts'
import type { Insights } from './insights.ts'
import { nightFigure } from './night.ts'
import { punctualityFigure } from './punctuality.ts'
import {
  aircraftFigure,
  airlinesFigure,
  continentsFigure,
  countriesFigure,
  type Direction,
  directionsFigure,
  type RankState,
  registrationsFigure,
  routesFigure,
  topOf,
  visitsFigure,
} from './rankings.ts'
import { recordsFigure } from './records.ts'
import { flownFigure, streaksOf } from './streaks.ts'
import { type Amount, hoursFigure, monthsFigure, overallFigure, weekdaysFigure, yearsFigure } from './sums.ts'
import { type PartOfYear, yearChangeOf } from './year-change.ts'

const TOP = 25

/** All figures of the document, so that it can be computed in parts. */
const figuresFor = (userId: string | null) => ({
  overall: overallFigure,
  years: yearsFigure,
  months: monthsFigure,
  weekdays: weekdaysFigure,
  hours: hoursFigure,
  visits: visitsFigure,
  directions: directionsFigure,
  airlines: airlinesFigure,
  aircraft: aircraftFigure,
  registrations: registrationsFigure,
  routes: routesFigure,
  countries: countriesFigure,
  continents: continentsFigure,
  cabin: cabinFigure(userId),
  co2: footprintFigure(userId),
  records: recordsFigure,
  punctuality: punctualityFigure,
  night: nightFigure,
  flown: flownFigure,
  firsts: firstsFigure,
  marks: marksFigure,
})
type DocumentFigures = ReturnType<typeof figuresFor>
type FigureName = keyof DocumentFigures

/** The counted part of a log. Parts of different years can be merged. */
export type Summary = {
  [Name in FigureName]: DocumentFigures[Name] extends Figure<infer State, infer _> ? State : never
}

/** Counts completed flights. `userId`: the person whose seats count; null for every passenger's. */
export function createSummarizer(userId: string | null) {
  const figures = figuresFor(userId)
  const names = Object.keys(figures) as FigureName[]
  const each = names.map((name) => [name, figures[name] as Figure<unknown, unknown>] as const)
  const start = (): Summary =>
    Object.fromEntries(each.map(([name, figure]) => [name, figure.start()])) as Summary
  /** To a summary of merged parts, add only flights that are also added to one of the parts. */
  const add = (summary: Summary, flights: readonly StatFlight[]): void => {
    for (const [name, figure] of each) for (const flight of flights) figure.add(summary[name], flight)
  }
  return {
    start,
    add,
    ofFlights(flights: readonly StatFlight[]): Summary {
      const summary = start()
      add(summary, flights)
      return summary
    },
    /** This takes long for many years: the caller may do other work between the figures. */
    *ofParts(parts: readonly Summary[]): Generator<void, Summary> {
      const summary = start()
      for (const [name, figure] of each) {
        for (const part of parts) figure.merge(summary[name], part[name])
        yield
      }
      return summary
    },
    document: (summary: Summary, flightsOf: (year: number) => readonly StatFlight[], today: string) =>
      documentOf(figures, summary, flightsOf, today),
  }
}

/** Flights must be completed. `userId`: the person whose seats count; null for every passenger's. `today` is `YYYY-MM-DD`. */
export function statisticsDocument(completed: readonly StatFlight[], userId: string | null, today: string) {
  const { ofFlights, document } = createSummarizer(userId)
  return document(ofFlights(completed), () => completed, today)
}

function documentOf(
  of: DocumentFigures,
  summary: Summary,
  flightsOf: (year: number) => readonly StatFlight[],
  today: string,
) {
  const totals = of.overall.result(summary.overall)
  const { travellers, ...cabin } = of.cabin.result(summary.cabin)
  const [records, co2] = [of.records.result(summary.records), of.co2.result(summary.co2)]
  return {
    flights: totals.flights,
    distanceKm: Math.round(totals.distanceKm),
    durationSeconds: totals.seconds,
    airports: summary.visits.size,
    topAirline: first(summary.airlines, carrier),
    topAirport: first(summary.visits, (airport, count) => ({ ...place(airport), count })),
    topAircraft: first(summary.aircraft, aircraftType),
    topRoute: first(summary.directions, route),

    durationEstimatedSeconds: totals.estimatedSeconds,
    countries: ranking(summary.countries, byCode, Number.POSITIVE_INFINITY),
    continents: ranking(summary.continents, byCode),
    airlines: ranking(summary.airlines, carrier),
    aircraft: ranking(summary.aircraft, aircraftType),
    registrations: ranking(summary.registrations, (registration, count) => ({
      registration,
      count,
    })),
    routes: ranking(summary.routes, ({ a, b }, count) => route({ from: a, to: b }, count)),
    domestic: totals.domestic,
    international: totals.international,
    byYear: of.years
      .result(summary.years)
      .filter(({ count }) => count > 0)
      .map(({ year, ...sum }) => ({ year, ...sums(sum) })),
    byMonth: of.months.result(summary.months).map((sum, i) => ({ month: i + 1, ...sums(sum) })),
    byWeekday: of.weekdays.result(summary.weekdays).map((sum, i) => ({ weekday: i + 1, ...sums(sum) })),
    classes: withUnknown(cabin.classes, travellers),
    seats: withUnknown(cabin.seats, travellers),
    reasons: withUnknown(cabin.reasons, travellers),
    longest: { byDistance: show(records.longest), byDuration: show(records.recordedSlowest) },
    shortest: { byDistance: show(records.shortest), byDuration: show(records.recordedQuickest) },
    recordFlights: { byDistance: records.flights.distance, byDuration: records.flights.recordedTime },
    first: show(records.first),
    last: show(records.latest),
    co2: {
      kilograms: Math.round(co2.kilograms),
      passengers: co2.passengers,
      unknownPassengers: co2.unknown,
    },
    byHour: of.hours.result(summary.hours).map(({ count }) => count),
    ...insightsDocument({
      change: yearChangeOf([...summary.years.keys()], flightsOf, today),
      punctuality: of.punctuality.result(summary.punctuality),
      night: of.night.result(summary.night),
      streaks: streaksOf(summary.flown, today),
      firsts: newestFirsts(summary.firsts, TOP),
      badges: badgesOf(summary.firsts, summary.marks),
    }),
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
    firsts: firsts.map(firstTime),
    badges: badges.map(({ kind, value, next, earned }) => ({
      kind,
      value: rounded(value),
      next: next && rounded(next),
      earned: earned.map(({ level, flight }) => ({ level: rounded(level), flight: show(flight)! })),
    })),
  }
}

/** Latitudes have two decimals, other values none. */
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

function first<Item, Shown>(state: RankState<Item>, show: Show<Item, Shown>): Shown | null {
  const [top] = topOf(state, 1)
  return top ? show(top.item, top.count) : null
}

const ranking = <Item, Shown>(state: RankState<Item>, show: Show<Item, Shown>, most = TOP) => ({
  count: state.size,
  top: topOf(state, most).map(({ item, count }) => show(item, count)),
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

/** Passengers of each kind; those whose kind is not known are under `unknown`. */
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
