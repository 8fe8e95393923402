// Statistics over the flown part of a log, cached until the log changes or another flight completes.
import * as z from 'zod'
import { emissionMethod } from '../domain/emissions.ts'
import { computeStatistics, type FlownFlight } from '../domain/stats.ts'
import { credentialWith, operation } from '../operation.ts'
import type { Records } from '../reference/reference.ts'
import type { LogFlight } from '../store/flight-log.ts'
import { audienceOf, requireKnownAudience } from './audience.ts'
import { flownRevision, logOf } from './flown-flights.ts'
import { Audience, single } from './schemas.ts'

const count = z.int()
const code = z.string().nullable()
const place = z.object({ id: z.int(), name: z.string(), icao: z.string(), iata: code })
const airline = z.object({ id: z.int(), name: z.string(), iata: code, icao: code, count })
const aircraft = z.object({ id: z.int(), name: z.string(), icao: code, count })
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
  .describe('Passengers by value: of the user the statistics are about, or of all passengers.')
const flight = z
  .object({
    id: z.int(),
    date: z.string(),
    from: place.nullable(),
    to: place.nullable(),
    distanceKm: z.int().nullable(),
    durationSeconds: z.int().nullable(),
  })
  .nullable()

const Statistics = z
  .object({
    flights: count.describe('Completed flights; planned flights are not counted.'),
    distanceKm: z.int().describe('Great-circle distance on a sphere.'),
    durationSeconds: z.int().describe('Unknown durations are estimated from the distance.'),
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
    routes: ranking(route),
    domestic: count,
    international: count,
    byYear: z.array(z.object({ year: z.int(), ...sums })),
    byMonth: z.array(z.object({ month: z.int().min(1).max(12), ...sums })),
    byWeekday: z.array(z.object({ weekday: z.int().min(1).max(7).describe('1 is Monday.'), ...sums })),
    classes: tally,
    seats: tally,
    reasons: tally,
    longest: z.object({ byDistance: flight, byDuration: flight }),
    shortest: z.object({ byDistance: flight, byDuration: flight }),
    first: flight,
    last: flight,
    co2: z.object({
      kilograms: z.int().describe('CO2 equivalent for the counted passengers.'),
      method: z.string(),
      year: z.int(),
      description: z.string(),
    }),
  })
  .meta({ id: 'Statistics' })

export const getStats = operation({
  id: 'get-stats',
  method: 'GET',
  path: '/stats',
  tag: 'Flights',
  summary: 'Read statistics',
  description: 'Statistics of completed flights. Each flight is counted once, regardless of its passengers.',
  access: credentialWith(['stats.read', 'flight.read.own'], ['flight.read.any']),
  query: z.object(Audience),
  output: single(Statistics),
  tool: { title: 'Read statistics' },
  check: (call) => requireKnownAudience(call, 'read'),
  cacheKey: flownRevision,
  async run(call) {
    const { flights, records, completions } = await logOf(call)
    const audience = audienceOf(call.principal, call.input)
    const now = call.now.getTime()
    const { co2Kg, ...figures } = computeStatistics(
      flights.filter((_, i) => completions[i]! < now).map((entry) => resolved(entry, records, audience)),
    )
    const { name: method, year, description } = emissionMethod
    return { data: { ...figures, co2: { kilograms: co2Kg, method, year, description } } }
  },
})

function resolved(entry: LogFlight, records: Records, audience: string | null): FlownFlight {
  const find = <Item>(table: ReadonlyMap<number, Item>, id: number | null): Item | null =>
    id === null ? null : (table.get(id) ?? null)
  return {
    id: entry.id,
    date: entry.date,
    datePrecision: entry.datePrecision,
    duration: entry.duration,
    from: find(records.airports, entry.fromId),
    to: find(records.airports, entry.toId),
    airline: find(records.airlines, entry.airlineId),
    aircraft: find(records.aircraft, entry.aircraftId),
    aircraftReg: entry.aircraftReg,
    passengers:
      audience === null ? entry.passengers : entry.passengers.filter(({ userId }) => userId === audience),
  }
}
