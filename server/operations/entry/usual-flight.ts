// The routes and usual times of a flight number in the caller's own log. Free, and without requests to other hosts.

import { flightNumberSpellings } from '../../domain/flights/number.ts'
import { takesPlace } from '../../domain/flights/outcome.ts'
import { daysBetween, instantOf, localMinute } from '../../domain/time/time.ts'
import type { Call } from '../../door/operation.ts'
import type { Named, SourceRecord } from '../../services/imports/reading/source.ts'
import { namedBy } from '../../services/imports/values/named.ts'
import { searchFlights, startOf } from '../../store/flights/filters.ts'
import type { StoredFlight } from '../../store/flights/flights.ts'
import {
  type Aircraft,
  type Airport,
  findAircraft,
  findAirlines,
  findAirports,
} from '../../store/reference/records.ts'

const FLIGHTS_READ = 20
/** If a number was used for other routes: the most recent ones. */
const ROUTES_AT_MOST = 3

/** The usual details of the number on other days. */
export interface Usual {
  flights: number
  lastDate: string
  departureTime: string | null
  arrivalTime: string | null
  arrivalDays: number | null
  aircraft: string | null
}

interface OwnRoute {
  record: SourceRecord
  usual: Usual
}

/** One entry per route of the number, newest first. Codeshares count under both of their numbers. */
export async function listOwnRoutes(
  { db, principal }: Pick<Call, 'db' | 'principal'>,
  numbers: readonly string[],
  date: string,
): Promise<OwnRoute[]> {
  const spellings = [...new Set(numbers.flatMap(flightNumberSpellings))]
  const flights = await searchFlights(
    db,
    principal.user.id,
    { anyNumbers: spellings, isCounted: true },
    { order: 'newest', after: startOf('newest'), limit: FLIGHTS_READ },
  )
  const routes = new Map<string, StoredFlight[]>()
  for (const flight of flights.filter(takesPlace)) {
    // For a diverted flight, the planned destination is the usual one.
    const to = flight.plannedToId ?? flight.toId
    if (flight.fromId === null || to === null) continue
    const route = `${flight.fromId}-${to}`
    routes.set(route, [...(routes.get(route) ?? []), flight])
  }
  const groups = [...routes.values()].slice(0, ROUTES_AT_MOST)
  const records = await recordsOf(db, groups.flat())
  return groups.flatMap((group) => routeOf(group, spellings, date, records) ?? [])
}

async function recordsOf(db: Call['db'], flights: readonly StoredFlight[]) {
  const idsOf = (...ids: (number | null)[]) => ids.flatMap((id) => id ?? [])
  const byId = <Item extends { id: number }>(items: readonly Item[]) =>
    new Map(items.map((item) => [item.id, item]))
  const [airports, airlines, aircraft] = await Promise.all([
    findAirports(
      db,
      idsOf(...flights.flatMap(({ fromId, toId, plannedToId }) => [fromId, toId, plannedToId])),
    ),
    findAirlines(db, idsOf(...flights.flatMap((one) => [one.airlineId, one.operatingAirlineId]))),
    findAircraft(db, idsOf(...flights.map(({ aircraftId }) => aircraftId))),
  ])
  return { airports: byId(airports), airlines: byId(airlines), aircraft: byId(aircraft) }
}
type Records = Awaited<ReturnType<typeof recordsOf>>

function routeOf(
  group: readonly StoredFlight[],
  spellings: readonly string[],
  date: string,
  { airports, airlines, aircraft }: Records,
): OwnRoute | undefined {
  const last = group[0]!
  const [from, to] = [airports.get(last.fromId!), airports.get((last.plannedToId ?? last.toId)!)]
  if (!from || !to) return undefined
  const isOperator = !spellings.includes(plain(last.flightNumber))
  const airlineId = isOperator ? last.operatingAirlineId : last.airlineId
  const flightNumber = (isOperator ? last.operatingFlightNumber : last.flightNumber)!
  return {
    record: {
      line: null,
      raw: `${flightNumber} ${last.date}`,
      flight: {
        date: { iso: date, precision: 'day' },
        from: named(from),
        to: named(to),
        flightNumber,
        airline: airlineId === null ? null : named(airlines.get(airlineId)),
      },
    },
    usual: {
      flights: group.length,
      lastDate: last.date,
      ...usualTimes(group, from, to),
      aircraft: mostCommon(group.flatMap(({ aircraftId }) => nameOf(aircraft.get(aircraftId ?? 0)))) ?? null,
    },
  }
}

const plain = (number: string | null): string => (number ?? '').toUpperCase().replace(/[\s-]/g, '')
const nameOf = (type: Aircraft | undefined): string[] => (type ? [type.name] : [])
const named = (
  record: { icao: string | null; iata?: string | null; name: string } | undefined,
): Named | null => (record ? namedBy([record.icao, record.iata], record.name) : null)

/** The most frequent timetable; the latest one on a tie. */
function usualTimes(group: readonly StoredFlight[], from: Airport, to: Airport) {
  const clocks = group.flatMap((flight) => {
    const departure = localOf(flight.departureScheduled ?? flight.departure, from)
    const arrival = localOf(flight.arrivalScheduled ?? flight.arrival, to)
    return departure ? { departure, arrival } : []
  })
  const clockOf = ({ departure, arrival }: (typeof clocks)[0]) =>
    `${departure.slice(11)} ${arrival?.slice(11)}`
  const usual = mostCommon(clocks.map(clockOf))
  const example = clocks.find((one) => clockOf(one) === usual)
  const { departure, arrival } = example ?? { departure: null, arrival: null }
  return {
    departureTime: departure?.slice(11) ?? null,
    arrivalTime: arrival?.slice(11) ?? null,
    arrivalDays: departure && arrival ? daysBetween(departure.slice(0, 10), arrival.slice(0, 10)) : null,
  }
}

const localOf = (time: string | null, { timezone }: Airport): string | null =>
  time === null || timezone === null ? null : localMinute(instantOf(time), timezone)

/** The most frequent value; the first one on a tie. */
function mostCommon(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return values.find((value) => counts.get(value) === most)
}
