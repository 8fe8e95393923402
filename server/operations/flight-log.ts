// The whole log in one compact response for the web app, with local times computed by the server: the browser's time
// zone rules may be older than ours.
import * as z from 'zod'
import { notFound } from '../base/errors.ts'
import { because } from '../base/validation.ts'
import { outcomes } from '../domain/enums.ts'
import { effectiveArrival, effectiveDeparture } from '../domain/flight.ts'
import { knownOrEstimated } from '../domain/flight-duration.ts'
import {
  daysBetween,
  formatInZone,
  instantOf,
  isLocalTime,
  localMinute,
  offsetMinutes,
  readLocal,
} from '../domain/time.ts'
import { operation, person } from '../operation.ts'
import type { Records } from '../reference/reference.ts'
import type { LogFlight } from '../store/flight-log.ts'
import { listNames } from '../store/people.ts'
import { requireKnownAudience } from './audience.ts'
import { routeKm } from './flight-view.ts'
import { flownRevision, recordOf, requestedLog, zoneOf } from './flown-flights.ts'
import {
  Aircraft,
  Airline,
  Airport,
  Audience,
  DatePrecision,
  FlightReason,
  PathId,
  Seat,
  SeatClass,
  single,
} from './schemas.ts'

const tag = 'Flights'
const text = z.string().nullable()
const recordId = z.int().nullable()

const CompactFlight = z
  .object({
    id: z.int(),
    date: z.string(),
    datePrecision: DatePrecision,
    from: recordId,
    to: recordId,
    airline: recordId,
    aircraft: recordId,
    flightNumber: text,
    aircraftReg: text,
    outcome: z.enum(outcomes).optional().describe('Left out if the flight was or will be flown as planned.'),
    plannedTo: z.int().optional().describe('Only of a diverted flight, if known.'),
    bookingReference: z.string().optional().describe('Left out if unknown.'),
    operatingFlightNumber: z.string().optional().describe('Left out if unknown.'),
    departure: text.describe('The best known time: actual, else take-off, else scheduled.'),
    arrival: text,
    departureLocal: text.describe('Local time at the airport, YYYY-MM-DDTHH:MM.'),
    arrivalLocal: text,
    departureOffset: z.number().nullable().describe('UTC offset in minutes.'),
    arrivalOffset: z.number().nullable(),
    dayShift: z.int().nullable().describe('Days between the local dates of departure and arrival.'),
    duration: z
      .number()
      .nullable()
      .describe('Seconds; estimated from the distance and the class of aircraft if unknown.'),
    durationEstimated: z.boolean(),
    distanceKm: z.number().nullable(),
    completed: z.boolean(),
    note: z.boolean().describe('Whether there is one.'),
    track: z.boolean().describe('Whether there is one.'),
    passengers: z.array(
      z.object({
        id: z.int(),
        user: text.describe('User id.'),
        guest: text.describe('Guest name.'),
        seat: Seat.nullable(),
        seatNumber: text,
        seatClass: SeatClass.nullable(),
        reason: FlightReason.nullable(),
      }),
    ),
  })
  .meta({ id: 'CompactFlight' })
type CompactFlight = z.input<typeof CompactFlight>
type CompactPassenger = CompactFlight['passengers'][0]

const byId = <Item extends z.ZodType>(item: Item) => z.record(z.string(), item)

const Log = z
  .object({
    flights: z.array(CompactFlight),
    airports: byId(Airport),
    airlines: byId(Airline),
    aircraft: byId(Aircraft),
    users: byId(z.object({ displayName: z.string(), username: z.string() })),
  })
  .meta({ id: 'Log' })
type Log = z.input<typeof Log>

export const getLog = operation({
  id: 'get-log',
  method: 'GET',
  path: '/log',
  door: 'app',
  tag,
  summary: 'Read the whole log in a compact form',
  access: person(['flight.read.own'], ['flight.read.any']),
  query: z.object(Audience),
  output: single(Log),
  target: requestedLog,
  check: (call) => requireKnownAudience(call, 'read'),
  cacheKey: flownRevision,
  async run(call) {
    const { flights, records, completions } = await call.target.load()
    const now = call.now.getTime()
    const users = new Set<string>()
    for (const flight of flights) for (const { userId } of flight.passengers) if (userId) users.add(userId)
    const names = await listNames(call.db, [...users])
    return {
      data: {
        flights: flights.map((flight, i) => compact(flight, records, completions[i]! < now)),
        ...recordsNamed(flights, records),
        users: Object.fromEntries(
          names.map(({ id, displayName, username }) => [id, { displayName, username }]),
        ),
      },
    }
  },
})

function compact(flight: LogFlight, records: Records, completed: boolean): CompactFlight {
  const [from, to] = [recordOf(records.airports, flight.fromId), recordOf(records.airports, flight.toId)]
  const departure = clockAt(effectiveDeparture(flight), zoneOf(records, flight.fromId))
  const arrival = clockAt(effectiveArrival(flight), zoneOf(records, flight.toId))
  const distanceKm = from && to ? routeKm(from, to) : null
  const aircraft = recordOf(records.aircraft, flight.aircraftId)
  return {
    id: flight.id,
    date: flight.date,
    datePrecision: flight.datePrecision,
    from: from?.id ?? null,
    to: to?.id ?? null,
    airline: flight.airlineId,
    aircraft: flight.aircraftId,
    flightNumber: flight.flightNumber,
    aircraftReg: flight.aircraftReg,
    ...seldomKnown(flight, records),
    departure: departure.time,
    arrival: arrival.time,
    departureLocal: departure.local,
    arrivalLocal: arrival.local,
    departureOffset: departure.offset,
    arrivalOffset: arrival.offset,
    dayShift: departure.daysUntil(arrival),
    ...knownOrEstimated(flight.duration, { from, to, distanceKm, aircraft }),
    distanceKm,
    completed,
    note: flight.hasNote,
    track: flight.hasTrack,
    passengers: flight.passengers.map((passenger) => ({
      id: passenger.id,
      user: passenger.userId,
      guest: passenger.guestName,
      seat: passenger.seat as CompactPassenger['seat'],
      seatNumber: passenger.seatNumber,
      seatClass: passenger.seatClass as CompactPassenger['seatClass'],
      reason: passenger.flightReason as CompactPassenger['reason'],
    })),
  }
}

/** Left out of most flights, so that the log stays small. */
const seldomKnown = (flight: LogFlight, records: Records) => ({
  ...(flight.outcome === 'flown' ? {} : { outcome: flight.outcome }),
  ...(recordOf(records.airports, flight.plannedToId) ? { plannedTo: flight.plannedToId! } : {}),
  ...(flight.bookingReference === null ? {} : { bookingReference: flight.bookingReference }),
  ...(flight.operatingFlightNumber === null ? {} : { operatingFlightNumber: flight.operatingFlightNumber }),
})

interface Clock {
  time: string | null
  local: string | null
  offset: number | null
  /** Days from this clock's local date to the other's. */
  daysUntil(other: Clock): number | null
}

/** A time with what the clocks at its airport show, as far as both are known. */
export function clockAt(time: string | null, zone: string | null): Clock {
  const known = time !== null && zone !== null
  const instant = known ? instantOf(time) : 0
  const local = known ? localMinute(instant, zone) : null
  return {
    time,
    local,
    offset: known ? offsetMinutes(instant, zone) : null,
    daysUntil: (other) =>
      local && other.local ? daysBetween(local.slice(0, 10), other.local.slice(0, 10)) : null,
  }
}

/** Only the records that these flights refer to: the cache holds those of all users. */
function recordsNamed(flights: readonly LogFlight[], records: Records) {
  const named = { airports: {}, airlines: {}, aircraft: {} } as Pick<
    Log,
    'airports' | 'airlines' | 'aircraft'
  >
  const add = (table: keyof typeof named, id: number | null) => {
    const record = id === null ? undefined : records[table].get(id)
    if (record) named[table][record.id] = record as never
  }
  for (const flight of flights) {
    add('airports', flight.fromId)
    add('airports', flight.toId)
    add('airports', flight.plannedToId)
    add('airlines', flight.airlineId)
    add('aircraft', flight.aircraftId)
  }
  return named
}

const LocalTime = z
  .object({
    instant: z.string().describe('ISO 8601 with UTC offset.').meta({ format: 'date-time' }),
    offsetMinutes: z.number(),
    zone: z.string(),
    shifted: z.boolean().describe('This local time is skipped by a clock change and was moved forward.'),
    ambiguous: z
      .boolean()
      .describe('This local time occurs twice because of a clock change; the earlier instant is used.'),
  })
  .meta({ id: 'LocalTime' })

export const readLocalTime = operation({
  id: 'read-local-time',
  method: 'GET',
  path: '/local-times',
  door: 'app',
  tag,
  summary: 'Convert a local time at an airport to an instant',
  access: person(),
  query: z.object({
    airportId: PathId,
    local: z.string().refine(isLocalTime, because('local_time_form')),
  }),
  output: single(LocalTime),
  errors: ['not_found'],
  async run({ principal, input, db, services }) {
    const { airports } = await services.reference.records(db, principal.revisions.reference, {
      airports: [input.airportId],
      airlines: [],
      aircraft: [],
    })
    const airport = airports.get(input.airportId)
    if (!airport) throw notFound('Airport')
    const { instant, ...reading } = readLocal(input.local, airport.timezone)
    return {
      data: { instant: formatInZone(instant, airport.timezone), zone: airport.timezone, ...reading },
    }
  },
})
