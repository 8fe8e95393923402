// Flights joined into journeys: connections stay together, and a journey ends at home and where another booking begins.
import * as z from 'zod'
import { inSteps, runSteps } from '../../base/in-steps.ts'
import { effectiveArrival, effectiveDeparture } from '../../domain/flights/best-times.ts'
import { knownOrEstimated } from '../../domain/flights/duration.ts'
import { RowId } from '../../domain/row-id.ts'
import { eachInSteps, sortInSteps } from '../../domain/steps.ts'
import { clockAt } from '../../domain/time/airport-clock.ts'
import { utcDate, writtenDate } from '../../domain/time/calendar.ts'
import { instantOf } from '../../domain/time/time.ts'
import {
  homesOverTime,
  type Journey as Joined,
  type JourneyFlight,
  joinFlights,
  summaryOf,
} from '../../domain/trips/journey.ts'
import { type Call, credentialWith, operation } from '../../door/operation.ts'
import type { Principal } from '../../services/access/principal.ts'
import type { Records } from '../../services/reference/reference.ts'
import type { Place } from '../../store/flights/filters.ts'
import { type LogFlight, listFilteredIds } from '../../store/flights/log.ts'
import { listHomeAirports } from '../../store/people/people.ts'
import { type AudienceInput, audienceOf, requireKnownAudience } from '../flights/audience.ts'
import { createFlightCursors } from '../flights/cursors.ts'
import {
  filterNames,
  filterOf,
  flightFilterShape,
  type SelectionInput,
  selectionOf,
  selectionRevision,
} from '../flights/filters.ts'
import {
  countedOnly,
  type FlownLog,
  type RequestedLog,
  recordOf,
  requestedLog,
  withoutCancelled,
} from '../flights/flown.ts'
import { routeKm } from '../flights/view.ts'
import { Airport, Audience, DateTime, Limit, list, strictQuery } from '../wire/schemas.ts'

const cursors = createFlightCursors('j1')

const Journey = z
  .object({
    id: RowId.describe('The id of its first flight.'),
    date: z.string().describe('Of its first flight, as far as it is known: YYYY-MM-DD, YYYY-MM or YYYY.'),
    from: Airport.nullable(),
    to: Airport.nullable(),
    via: z.array(Airport),
    flightIds: z.array(RowId).describe('In the order in which they were flown.'),
    departure: DateTime.nullable(),
    arrival: DateTime.nullable(),
    travelSeconds: z.number().nullable().describe('From departure to arrival, if both are known.'),
    airSeconds: z.number().nullable().describe('Unknown durations are estimated, as in statistics.'),
    layovers: z.array(
      z.object({
        airport: Airport,
        seconds: z.number().nullable().describe('null if one of the times is unknown.'),
      }),
    ),
    distanceKm: z.number().nullable(),
  })
  .meta({ id: 'Journey' })

export const listJourneys = operation({
  id: 'list-journeys',
  method: 'GET',
  path: '/journeys',
  tag: 'Flights',
  summary: 'List journeys',
  description:
    'Flights joined into journeys, newest first. With filters, the journeys of which at least one flight matches all of them. A stop joins two flights of the same passenger if the second departs where the first arrived, less than 24 hours later. It does not join them at the passenger’s home (preference `homeAirportId`, else the airport where most journeys of the last two years began or ended; for earlier flights, the home of their time), nor over a night of more than 8 hours between two different booking references. Where a time is unknown, the same or the next date is enough. Cancelled flights are left out unless `outcome` asks for them.',
  access: credentialWith(['flight.read.own'], ['flight.read.any']),
  query: strictQuery({ ...Audience, limit: Limit, cursor: cursors.Cursor, ...flightFilterShape }),
  output: list(Journey),
  tool: {
    title: 'List journeys',
    lines: ['data[]'],
    description:
      'Trips: flights with their connections joined into journeys, with layovers and totals, newest first.',
    without: filterNames.filter((name) => name !== 'dateFrom' && name !== 'dateTo'),
  },
  target: { find: requestedJourneys },
  check: (call) => requireKnownAudience(call, 'read'),
  cached: {
    key: async (call) => {
      const homes = [...(await call.target.homes())].join(' ')
      const { limit, cursor } = call.input
      const page = `${limit}/${cursor ? cursors.write(cursor) : ''}`
      return `${await selectionRevision(call)}/${homes}/${todayOf(call)}/${page}`
    },
  },
  async run(call) {
    const { limit, cursor } = call.input
    const selection = selectionOf(call.input)
    const place = cursors.placeIn(selection, cursor)
    const after = (await journeysAfter(place, call)).slice(0, limit + 1)
    const { rows, nextCursor } = cursors.cut(selection, after, limit)
    return { data: rows.map(shown), page: { nextCursor } }
  },
})

interface RequestedJourneys extends RequestedLog {
  /** The home airport that each person has chosen. */
  homes(): Promise<Map<string, number>>
}

function requestedJourneys(call: Call<AudienceInput>): RequestedJourneys {
  let homes: Promise<Map<string, number>> | undefined
  return {
    ...requestedLog(call),
    homes() {
      homes ??= listHomeAirports(call.db, audienceOf(call.principal, call.input))
      return homes
    },
  }
}

/** Homes are derived from the flights of the last two years. */
const todayOf = ({ now }: Pick<Call, 'now'>): string => utcDate(now.getTime())

/** The order of all lists: by date, then id, newest first. */
const isBefore = (place: Place, { date, id }: { date: string; id: number }): boolean =>
  place.key === date ? place.id > id : place.key > date

/** The journeys after a position, newest first. */
async function journeysAfter(place: Place, call: Call<SelectionInput, Principal, RequestedJourneys>) {
  const person = audienceOf(call.principal, call.input)
  const filter = await filterOf(call)
  const log = await call.target.load()
  const legs = await legsOf(filter?.outcome === 'cancelled' ? log : withoutCancelled(log))
  const peopleOn = person === null ? ({ people }: Leg) => people : () => [person]
  const homeOf = await runSteps(homesOverTime(legs, peopleOn, await call.target.homes(), todayOf(call)))
  const wanted = filter && (await listFilteredIds(call.db, person, countedOnly(filter)))
  const matching = wanted && new Set(wanted)
  const after: (Joined<Leg> & { date: string; id: number })[] = []
  const journeys = await runSteps(joinFlights(legs, { peopleOn, homeOf }))
  await runSteps(
    eachInSteps(journeys, ({ flights, stops }) => {
      const { date, id } = flights[0]!
      if (matching && !flights.some((flight) => matching.has(flight.id))) return
      if (isBefore(place, { date, id })) after.push({ date, id, flights, stops })
    }),
  )
  return runSteps(sortInSteps(after, (a, b) => (isBefore({ key: a.date, id: a.id }, b) ? -1 : 1)))
}

const shown = (journey: Joined<Leg>) =>
  ({ ...summaryOf(journey), date: writtenDate(journey.flights[0]!) }) as z.input<typeof Journey>

type Leg = ReturnType<typeof legOf>

export async function legsOf({ flights, records }: Pick<FlownLog, 'flights' | 'records'>): Promise<Leg[]> {
  const legs: Leg[] = []
  await inSteps(flights, (some) => {
    for (const flight of some) legs.push(legOf(flight, records))
  })
  return legs
}

export function legOf(flight: LogFlight, records: Records) {
  const [from, to] = [recordOf(records.airports, flight.fromId), recordOf(records.airports, flight.toId)]
  const departure = clockAt(effectiveDeparture(flight), from?.timezone ?? null)
  const arrival = clockAt(effectiveArrival(flight), to?.timezone ?? null)
  const distanceKm = from && to ? routeKm(from, to) : null
  const aircraft = recordOf(records.aircraft, flight.aircraftId)
  return {
    id: flight.id,
    date: flight.date,
    datePrecision: flight.datePrecision,
    from,
    to,
    departure: departure.time,
    arrival: arrival.time,
    departs: departure.time === null ? null : instantOf(departure.time),
    arrives: arrival.time === null ? null : instantOf(arrival.time),
    departureLocal: departure.local,
    arrivalLocal: arrival.local,
    bookingReference: flight.bookingReference,
    duration: knownOrEstimated(flight.duration, { from, to, distanceKm, aircraft }).duration,
    distanceKm,
    /** A guest is identified by name only. */
    people: flight.passengers.map(({ userId, guestName }) => userId ?? `guest ${guestName}`),
  } satisfies JourneyFlight & Record<string, unknown>
}
