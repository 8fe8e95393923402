// The log in one compact response for the web app, whole or what changed in it (docs/decisions/096), with local times
// computed by the server: the browser's time zone rules may be older than ours.
import * as z from 'zod'
import type { Principal } from '../auth/principal.ts'
import { notFound } from '../base/errors.ts'
import { because } from '../base/validation.ts'
import { outcomes } from '../domain/enums.ts'
import { seldomInRow, timesOfRow } from '../domain/log-row.ts'
import { formatInZone, isLocalTime, readLocal } from '../domain/time.ts'
import { type Call, operation, person } from '../operation.ts'
import type { Records } from '../reference/reference.ts'
import { EVERYONE, listChanges } from '../store/changes.ts'
import { type LogFlight, listLogFlights } from '../store/flight-log.ts'
import { listHomeAirports, listNames } from '../store/people.ts'
import { CHANGES, forgottenFor, readRevisions } from '../store/revisions.ts'
import { type AudienceInput, audienceOf, audienceRevision, requireKnownAudience } from './audience.ts'
import { routeKm } from './flight-view.ts'
import { type FlownLog, flownLog, loadLog, recordOf } from './flown-flights.ts'
import { readLogToken, writeLogToken } from './log-tokens.ts'
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
    version: z.int(),
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
    importId: z.int().optional().describe('The import that created it. Left out if none did.'),
    departureDelay: z
      .int()
      .optional()
      .describe('Minutes after the schedule, negative if early. Left out unless both times are known.'),
    arrivalDelay: z.int().optional(),
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
    completesAt: z
      .number()
      .nullable()
      .describe('When it counts as flown, in milliseconds; null if it did when the log was read.'),
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
    of: text.describe('User id; null: flights of everyone.'),
    partial: z.boolean().describe('Only what changed after `since`; false: the whole log.'),
    token: z.string().describe('The state of this log, to be sent as `since` next time.'),
    flights: z.array(CompactFlight),
    removed: z.array(z.int()).describe('Ids of flights that are no longer in the log.'),
    airports: byId(Airport),
    airlines: byId(Airline),
    aircraft: byId(Aircraft),
    users: byId(z.object({ displayName: z.string(), username: z.string() })),
    homes: byId(z.int())
      .optional()
      .describe('Airports that people chose as their homes, by user id. Left out of one’s own log.'),
  })
  .meta({ id: 'Log' })
type Log = z.input<typeof Log>

export const getLog = operation({
  id: 'get-log',
  method: 'GET',
  path: '/log',
  door: 'app',
  tag,
  summary: 'Read the log in a compact form, whole or what changed in it',
  access: person(['flight.read.own'], ['flight.read.any']),
  query: z.object({
    ...Audience,
    since: z
      .string()
      .optional()
      .describe(
        '`token` of an earlier response. If it is of no use any more, the response is the whole log.',
      ),
  }),
  output: single(Log),
  check: (call) => requireKnownAudience(call, 'read'),
  target: requestedHomes,
  cacheKey: async (call) =>
    `${await audienceRevision(call)}/${JSON.stringify(await call.target.homes())}/${call.input.since ?? ''}`,
  run: async (call) => ({ data: (await changedLog(call)) ?? (await wholeLog(call)) }),
})

interface RequestedHomes {
  homes(): Promise<Record<string, number> | undefined>
}
type LogCall = Call<AudienceInput & { since?: string | undefined }, Principal, RequestedHomes>

/** A change of home is no change of the log, so each response has them all. One's own is among the preferences. */
function requestedHomes({ db, principal, input }: Call<AudienceInput>): RequestedHomes {
  let homes: ReturnType<RequestedHomes['homes']> | undefined
  const read = async () => {
    const audience = audienceOf(principal, input)
    if (audience === principal.user.id) return undefined
    return Object.fromEntries(await listHomeAirports(db, audience))
  }
  return {
    homes() {
      homes ??= read()
      return homes
    },
  }
}

async function wholeLog(call: LogCall): Promise<Log> {
  const { principal, input, db } = call
  // Before the flights are read: what is written meanwhile is then sent again with the next changes.
  const [number] = await readRevisions(db, [CHANGES])
  const log = await loadLog(call, audienceOf(principal, input), principal.revisions.reference)
  return { ...(await compactLog(call, log, number!)), partial: false, removed: [] }
}

/** With more changes than this, the whole log is read faster. */
const STEP_AT_MOST = 1000

/** What changed since the call's token; undefined if that is not known, or is most of the log. */
async function changedLog(call: LogCall): Promise<Log | undefined> {
  const { principal, input, db } = call
  const after = readLogToken(call, input.since)
  if (after === undefined) return undefined
  const audience = audienceOf(principal, input)
  const viewer = audience ?? EVERYONE
  const changes = await listChanges(db, viewer, 'flight', after, STEP_AT_MOST + 1)
  if (changes.length > STEP_AT_MOST || !(await isComplete(call, viewer, after))) return undefined
  const upserted = changes.filter(({ removed }) => removed === null)
  const read = await listLogFlights(
    db,
    upserted.map(({ id }) => id),
  )
  // A flight that left the log since the changes were listed is reported as removed by the next call.
  const flights = read.filter(({ passengers }) => audience === null || isOn(passengers, audience))
  const log = await flownLog(call, flights, principal.revisions.reference)
  return {
    ...(await compactLog(call, log, changes.at(-1)?.number ?? after)),
    partial: true,
    removed: changes.filter(({ removed }) => removed !== null).map(({ id }) => id),
  }
}

/** Whether every removal after a number is still known. Call it after they were read, so that none is forgotten between. */
async function isComplete({ db }: LogCall, viewer: string, after: number): Promise<boolean> {
  const [current, forgotten] = await readRevisions(db, [CHANGES, forgottenFor(viewer)])
  return after <= current! && after >= forgotten!
}

const isOn = (passengers: LogFlight['passengers'], userId: string): boolean =>
  passengers.some((passenger) => passenger.userId === userId)

/** `number`: every change up to this one is in the log. */
async function compactLog(call: LogCall, { flights, records, completions }: FlownLog, number: number) {
  const now = call.now.getTime()
  const users = new Set<string>()
  for (const flight of flights) for (const { userId } of flight.passengers) if (userId) users.add(userId)
  const names = await listNames(call.db, [...users])
  const homes = await call.target.homes()
  return {
    of: audienceOf(call.principal, call.input),
    token: writeLogToken(call, number),
    flights: flights.map((flight, i) => compact(flight, records, laterThan(now, completions[i]!))),
    ...recordsNamed(flights, records),
    users: Object.fromEntries(names.map(({ id, displayName, username }) => [id, { displayName, username }])),
    ...(homes && { homes }),
  }
}

/** JSON has no infinity. */
const laterThan = (now: number, instant: number): number | null =>
  instant < now ? null : Math.min(instant, Number.MAX_SAFE_INTEGER)

function compact(flight: LogFlight, records: Records, completesAt: number | null): CompactFlight {
  const [from, to] = [recordOf(records.airports, flight.fromId), recordOf(records.airports, flight.toId)]
  const distanceKm = from && to ? routeKm(from, to) : null
  const aircraft = recordOf(records.aircraft, flight.aircraftId)
  return {
    id: flight.id,
    version: flight.version,
    date: flight.date,
    datePrecision: flight.datePrecision,
    from: from?.id ?? null,
    to: to?.id ?? null,
    airline: flight.airlineId,
    aircraft: flight.aircraftId,
    flightNumber: flight.flightNumber,
    aircraftReg: flight.aircraftReg,
    ...seldomInRow(flight),
    ...(recordOf(records.airports, flight.plannedToId) ? { plannedTo: flight.plannedToId! } : {}),
    ...(flight.importId === null ? {} : { importId: flight.importId }),
    ...timesOfRow(flight, { from, to, distanceKm, aircraft }),
    completesAt,
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
