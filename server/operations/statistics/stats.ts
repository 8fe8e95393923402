// Statistics over the flown part of a log, cached until the log changes or another flight completes.
import * as z from 'zod'
import { legacyEstimatedSeconds } from '../../domain/flights/duration.ts'
import { emissionMethod } from '../../domain/flights/emissions.ts'
import { sphericalMetres } from '../../domain/geo/geo.ts'
import { RowId } from '../../domain/row-id.ts'
import { badgeKinds } from '../../domain/statistics/badges.ts'
import { isEnough } from '../../domain/statistics/enough.ts'
import { firstKinds } from '../../domain/statistics/firsts.ts'
import { utcDate } from '../../domain/time/calendar.ts'
import { type Call, credentialWith, operation } from '../../door/operation.ts'
import type { Principal } from '../../services/access/principal.ts'
import type { Measures } from '../../services/statistics/stat-flight.ts'
import type { Airport } from '../../store/reference/records.ts'
import { type AudienceInput, requireKnownAudience } from '../flights/audience.ts'
import { filtersForPrograms, flightFilterShape, Order } from '../flights/filters.ts'
import { Audience, single, strictQuery } from '../wire/schemas.ts'
import { type CountedFlights, countedFlights, countedRevision } from './counted-flights.ts'

const count = z.int()
const code = z.string().nullable()
const place = z.object({ id: RowId, name: z.string(), icao: z.string(), iata: code })
const airline = z.object({ id: RowId, name: z.string(), iata: code, icao: code, count })
const aircraft = z.object({ id: RowId, name: z.string(), icao: code, count })
const route = z.object({ from: place, to: place, count })
const ranking = <Item extends z.ZodType>(item: Item) =>
  z.object({
    count: count.describe('Number of distinct values.'),
    top: z.array(item).describe('Most first.'),
  })
const byCode = ranking(z.object({ code: z.string(), count }))

const sums = { flights: count, distanceKm: z.int(), durationSeconds: z.int() }
const tally = z
  .record(z.string(), z.int())
  .describe(
    'Passengers of each kind: the person the statistics are about, or with `scope=all` every passenger. `unknown` where it is not recorded.',
  )
const recordFlight = z.object({
  id: RowId,
  date: z.string(),
  from: place.nullable(),
  to: place.nullable(),
  distanceKm: z.int().nullable(),
  durationSeconds: z.int().nullable(),
})
const flight = recordFlight.nullable()

const partOfYear = z.object({ ...sums, airports: count, countries: count })
const yearChange = z.object({
  year: z.int().describe('The newest year with a flight.'),
  until: z.string().describe('Its last day that is counted: today, or 31 December of a year that is over.'),
  now: partOfYear,
  before: partOfYear.describe('The year before, to the same day.'),
})
const onTime = z.object({
  flights: count.describe('With scheduled and actual time.'),
  onTime: count.describe('Less than 15 minutes late.'),
  averageMinutes: z.int().nullable().describe('Early ones counted as early.'),
})
const streak = z.object({ from: z.string(), to: z.string(), length: count }).nullable()
const firstTime = z.object({
  kind: z.enum(firstKinds),
  code: z.string().nullable(),
  name: z.string().nullable().describe('Null for continents and countries.'),
  flight: recordFlight,
})
const badge = z.object({
  kind: z.enum(badgeKinds),
  value: z.number().describe('Kilometres, a number, or the latitude along the shortest way.'),
  next: z.number().nullable().describe('The next level; null if all are reached.'),
  earned: z.array(z.object({ level: z.number(), flight: recordFlight })),
})

const Statistics = z
  .object({
    flights: count.describe('Completed flights; planned and cancelled ones are counted nowhere here.'),
    distanceKm: z.int().describe('Sum of the flights’ distances, shortest paths on the WGS84 ellipsoid.'),
    durationSeconds: z
      .int()
      .describe('Unknown durations are estimated from the distance and the class of aircraft.'),
    airports: count.describe('Different airports.'),
    topAirline: airline.nullable(),
    topAirport: z.object({ ...place.shape, count }).nullable(),
    topAircraft: aircraft.nullable(),
    topRoute: route.nullable().describe('Direction matters.'),
    durationEstimatedSeconds: z.int().describe('The estimated part of durationSeconds.'),
    countries: byCode,
    continents: byCode,
    airlines: ranking(airline),
    aircraft: ranking(aircraft),
    registrations: ranking(z.object({ registration: z.string(), count })),
    routes: ranking(route).describe('Both directions together; `from` is the airport with the smaller id.'),
    domestic: count,
    international: count,
    byYear: z.array(z.object({ year: z.int(), ...sums })),
    byMonth: z.array(z.object({ month: z.int().min(1).max(12), ...sums })),
    byWeekday: z.array(z.object({ weekday: z.int().min(1).max(7).describe('1 is Monday.'), ...sums })),
    classes: tally,
    seats: tally,
    reasons: tally,
    longest: z.object({ byDistance: flight, byDuration: flight }),
    shortest: z
      .object({ byDistance: flight, byDuration: flight })
      .describe('Never a flight that ends where it began.'),
    recordFlights: z
      .object({ byDistance: count, byDuration: count })
      .describe(
        'How many flights `longest` and `shortest` are chosen from: those with a distance, and those whose duration is recorded. Estimates are never among the records.',
      ),
    first: flight.describe(
      'The earliest for certain: one known only by its year is earlier than another if its year was over.',
    ),
    last: flight,
    co2: z.object({
      kilograms: z
        .int()
        .describe('CO2 equivalent of those counted passengers for whom the method has a figure.'),
      passengers: count.describe('Those passengers; one person on two flights counts twice.'),
      unknownPassengers: count.describe('Counted passengers for whom the method has no figure.'),
      method: z.string().describe('With its edition.'),
      year: z.int().describe('Of the edition.'),
      source: z.string().describe('Address of the publication.'),
      description: z.string().describe('What is multiplied, and what is not included.'),
    }),
    byHour: z.array(count).describe('Departures by local hour, 0 to 23; 24 numbers.'),
    yearChange: yearChange.nullable().describe('Null if there is no flight before the newest year.'),
    punctuality: z.object({
      arrivals: onTime,
      departures: onTime,
      mostLate: recordFlight
        .extend({ delayMinutes: z.int() })
        .nullable()
        .describe('The latest arrival against its schedule.'),
    }),
    night: z
      .object({
        flights: count,
        seconds: z.int(),
        nightSeconds: z.int(),
        longest: recordFlight.extend({ nightSeconds: z.int() }).nullable().describe('With most of it.'),
      })
      .describe(
        'Time between departure and arrival with the sun more than 6° below the horizon, along the great circle, of the flights whose times and airports are known.',
      ),
    streaks: z.object({
      months: streak.describe('The longest row of months with a flight; null unless there are two.'),
      currentMonths: streak.describe('The row that goes on this month or ended with the last.'),
      days: streak.describe('The longest row of days.'),
    }),
    firsts: z.array(firstTime).describe('Newest first, at most 25.'),
    badges: z.array(badge),
  })
  .meta({ id: 'Statistics' })

export const getStats = operation({
  id: 'get-stats',
  method: 'GET',
  path: '/stats',
  tag: 'Flights',
  summary: 'Read statistics',
  description:
    'Statistics of completed flights. Each flight is counted once, regardless of its passengers; cancelled flights are counted only with `outcome=cancelled`. The filters are those of `GET /flights`; `order` changes nothing.',
  access: credentialWith(['stats.read', 'flight.read.own'], ['flight.read.any']),
  query: strictQuery({ ...Audience, ...flightFilterShape, order: Order }),
  output: single(Statistics),
  tool: {
    title: 'Read statistics',
    description:
      'The whole statistics page of flown flights in one answer: longest and shortest, first and last, CO2, domestic and international, rankings of airports, countries, airlines, aircraft and routes. For one total or one ranking use summarize_flights.',
    describedBy: 'find_flights',
    brief: ({ data }) => ({ data: briefStatistics(data) }),
    says: ({ data }) => statisticsText(data),
    without: [
      ...filtersForPrograms,
      'from',
      'to',
      'aircraft',
      'flightNumber',
      'aircraftReg',
      'reason',
      'outcome',
      'order',
    ],
  },
  target: { find: (call) => countedFlights(call) },
  check: (call) => requireKnownAudience(call, 'read'),
  cached: {
    // The comparison with the previous year ends at today's date.
    key: async (call) => `${await countedRevision(call)}/${utcDate(call.now.getTime())}`,
    mayLag: ({ scope }) => scope === 'all',
  },
  run: readStatistics,
})

const SAID_OF_EACH = 10

/** The most requested figures as text. */
function statisticsText(data: z.output<typeof Statistics>): string {
  const said = <Item>({ count, top }: { count: number; top: Item[] }, name: (item: Item) => string) =>
    top.length === 0 ? String(count) : `${count} (${top.slice(0, SAID_OF_EACH).map(name).join(', ')})`
  const counted = (item: { name: string; count: number }) => `${item.name} ${item.count}`
  const coded = (item: { code: string; count: number }) => `${item.code} ${item.count}`
  const { longest, shortest, recordFlights, co2 } = data
  return [
    `${data.flights} completed flights, ${data.distanceKm} km, ${hours(data.durationSeconds)} hours in the air (${hours(data.durationEstimatedSeconds)} of them estimated), ${data.airports} airports; ${data.domestic} domestic, ${data.international} international.`,
    `Countries: ${said(data.countries, coded)}. Continents: ${said(data.continents, coded)}.`,
    `Airlines: ${said(data.airlines, counted)}.`,
    `Aircraft: ${said(data.aircraft, counted)}.`,
    `Routes: ${said(data.routes, (item) => `${placeCode(item.from)}–${placeCode(item.to)} ${item.count}`)}.`,
    `Years: ${data.byYear.map(({ year, flights, distanceKm }) => `${year}: ${flights} flights, ${distanceKm} km`).join('; ')}.`,
    ...(isEnough(recordFlights.byDistance)
      ? [
          `Of ${recordFlights.byDistance} flights with a distance, the longest: ${flightText(longest.byDistance)}. The shortest: ${flightText(shortest.byDistance)}.`,
        ]
      : []),
    `First: ${flightText(data.first)}. Last: ${flightText(data.last)}.`,
    `CO2: ${co2.kilograms} kg for ${co2.passengers} passengers.`,
  ].join('\n')
}

/** For conversations: places by their codes, only the top of long rankings, no repetition. */
function briefStatistics(data: z.output<typeof Statistics>): object {
  const { topAirline: _airline, topAircraft: _aircraft, topRoute: _route, topAirport, co2, ...known } = data
  const { byHour: _hours, yearChange: _change, firsts: _firsts, badges: _badges, ...more } = known
  const { punctuality: _punctuality, night: _night, streaks: _streaks, ...rest } = more
  const { source: _source, description: _description, ...emissions } = co2
  return {
    ...rest,
    topAirport: topAirport && { code: placeCode(topAirport), name: topAirport.name, count: topAirport.count },
    countries: tallied(data.countries),
    continents: tallied(data.continents),
    airlines: ranked(data.airlines),
    aircraft: ranked(data.aircraft),
    registrations: first(data.registrations, (item) => item),
    routes: first(data.routes, ({ from, to, count }) => ({
      route: `${placeCode(from)}–${placeCode(to)}`,
      count,
    })),
    byYear: data.byYear.map(({ year, flights, distanceKm }) => ({ year, flights, distanceKm })),
    byMonth: Object.fromEntries(data.byMonth.map(({ month, flights }) => [month, flights])),
    byWeekday: Object.fromEntries(data.byWeekday.map(({ weekday, flights }) => [weekday, flights])),
    longest: briefRecords(data, 'longest'),
    shortest: briefRecords(data, 'shortest'),
    first: briefFlight(data.first),
    last: briefFlight(data.last),
    co2: emissions,
  }
}

interface Ranking<Item> {
  count: number
  top: Item[]
}
const first = <Item, Shown>({ count, top }: Ranking<Item>, show: (item: Item) => Shown): Ranking<Shown> => ({
  count,
  top: top.slice(0, SAID_OF_EACH).map(show),
})
const tallied = ({ count, top }: z.output<typeof byCode>) => ({
  count,
  top: Object.fromEntries(top.map((item) => [item.code, item.count])),
})
const ranked = (
  ranking: Ranking<{ name: string; count: number; iata?: string | null; icao: string | null }>,
) => first(ranking, ({ name, count, iata, icao }) => ({ code: iata ?? icao, name, count }))

const briefFlight = (given: z.output<typeof flight>) =>
  given && {
    ...given,
    from: given.from && placeCode(given.from),
    to: given.to && placeCode(given.to),
  }
/** Without records that too few flights support. */
function briefRecords(data: z.output<typeof Statistics>, name: 'longest' | 'shortest') {
  const stated = (by: 'byDistance' | 'byDuration') =>
    isEnough(data.recordFlights[by]) ? briefFlight(data[name][by]) : null
  return { byDistance: stated('byDistance'), byDuration: stated('byDuration') }
}

const hours = (seconds: number): number => Math.round(seconds / 3600)
const placeCode = ({ iata, icao }: z.output<typeof place>): string => iata ?? icao
const flightText = (given: z.output<typeof flight>): string =>
  given
    ? `#${given.id} ${given.date} ${[given.from, given.to].map((end) => (end ? placeCode(end) : '?')).join('–')}, ${given.distanceKm ?? '?'} km`
    : 'none'

async function readStatistics(call: Call<AudienceInput, Principal, CountedFlights>) {
  const { co2, ...figures } = await call.target.statistics(utcDate(call.now.getTime()))
  const { name: method, year, source, description } = emissionMethod
  return { data: { ...figures, co2: { ...co2, method, year, source, description } } }
}

const sphericalKm = (from: Airport, to: Airport) => sphericalMetres(from, to) / 1000
const legacyMeasures: Measures = {
  name: 'legacy',
  distanceOf: sphericalKm,
  estimate: legacyEstimatedSeconds,
}

/** For the legacy API: the same figures with spherical distances and one speed, as existing programs expect. Not in v1. */
export const getLegacyStats: typeof getStats = {
  ...getStats,
  id: 'get-legacy-stats',
  target: { find: (call) => countedFlights(call, legacyMeasures) },
}
