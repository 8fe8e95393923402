// The log in one compact response for the web app, either whole or only its changes (docs/decisions/027). The server
// computes local times, because the browser's time zone rules may be older.
import * as z from 'zod'
import { notFound } from '../../../base/errors.ts'
import { because } from '../../../base/request/validation.ts'
import type { Write } from '../../../base/response/spool.ts'
import { outcomes } from '../../../domain/enums.ts'
import { seldomInRow, timesOfRow } from '../../../domain/flights/log-row.ts'
import { RowId } from '../../../domain/row-id.ts'
import { formatInZone, isLocalTime, readLocal } from '../../../domain/time/time.ts'
import { type Call, operation, person } from '../../../door/operation.ts'
import type { Principal } from '../../../services/access/principal.ts'
import type { Records } from '../../../services/reference/reference.ts'
import { CHANGES, EVERYONE, forgottenFor, readRevisions } from '../../../store/engine/revisions.ts'
import { type LogFlight, listLogFlights, listNewestInParts } from '../../../store/flights/log.ts'
import { listChanges } from '../../../store/history/changes.ts'
import { listHomeAirports, listNames } from '../../../store/people/people.ts'
import type { Executor } from '../../../store/store.ts'
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
} from '../../wire/schemas.ts'
import { type AudienceInput, audienceOf, audienceRevision, requireKnownAudience } from '../audience.ts'
import { type FlownLog, flownLog, recordOf } from '../flown.ts'
import { routeKm } from '../view.ts'
import { type LogSource, logSource, readLogToken, writeLogToken } from './compact-log-tokens.ts'

const tag = 'Flights'
const text = z.string().nullable()
const recordId = RowId.nullable()

const CompactFlight = z
  .object({
    id: RowId,
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
    plannedTo: RowId.optional().describe('Only of a diverted flight, if known.'),
    bookingReference: z.string().optional().describe('Left out if unknown.'),
    operatingFlightNumber: z.string().optional().describe('Left out if unknown.'),
    importId: RowId.optional().describe('The import that created it. Left out if none did.'),
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
    arrivalOffset: z
      .number()
      .nullable()
      .describe('UTC offset in minutes; if only the departure is known, at the estimated arrival.'),
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
        id: RowId,
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
    removed: z.array(RowId).describe('Ids of flights that are no longer in the log.'),
    airports: byId(Airport),
    airlines: byId(Airline),
    aircraft: byId(Aircraft),
    users: byId(z.object({ displayName: z.string(), username: z.string() })),
    homes: byId(RowId)
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
  target: { find: requestedHomes },
  cached: {
    key: async (call) =>
      `${await audienceRevision(call)}/${JSON.stringify(await call.target.homes())}/${call.input.since ?? ''}`,
  },
  sends: { written: writeLog },
  async run(call) {
    let text = ''
    await writeLog(call, async (piece) => {
      text += piece
    })
    return JSON.parse(text)
  },
})

interface RequestedHomes {
  homes(): Promise<Record<string, number> | undefined>
}
type LogCall = Call<AudienceInput & { since?: string | undefined }, Principal, RequestedHomes>

/** A new home does not change the log, so every response has all homes. The caller's own is a preference. */
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

async function writeLog(call: LogCall, write: Write): Promise<void> {
  const source = await logSource(call)
  const step = await stepOf(call, source)
  if (step) return writeParts(call, write, step)
  const { listTurns, store } = call.services
  await listTurns(() => store.snapshot((db) => writeWhole({ ...call, db }, source, write)))
}

/** Flights written without a pause. */
const FLIGHTS_AT_ONCE = 150

/** A log, or what changed in it. */
interface WrittenLog {
  token: string
  parts: AsyncIterable<LogFlight[]>
  partial: boolean
  removed: number[]
}

async function writeWhole(call: LogCall, source: LogSource, write: Write): Promise<void> {
  const { principal, input, db } = call
  const [number] = await readRevisions(db, [CHANGES])
  const parts = listNewestInParts(db, audienceOf(principal, input), FLIGHTS_AT_ONCE)
  const token = writeLogToken(source, number!)
  await writeParts(call, write, { token, parts, partial: false, removed: [] })
}

async function writeParts(
  call: LogCall,
  write: Write,
  { token, parts, partial, removed }: WrittenLog,
): Promise<void> {
  const { principal, input } = call
  const start = { of: audienceOf(principal, input), token }
  let text = `{"data":${JSON.stringify(start).slice(0, -1)},"flights":[`
  const named = nothingNamed()
  let separator = ''
  for await (const flights of parts) {
    const log = await flownLog(call, flights, principal.revisions.reference)
    noteNamed(named, log)
    await write(text + separator + JSON.stringify(rowsOf(call, log)).slice(1, -1))
    text = ''
    separator = ','
  }
  const end = { ...(await describeNamed(call, named)), partial, removed }
  await write(`${text}],${JSON.stringify(end).slice(1)}}`)
}

/** With more changes than this, the whole log is sent, which the browser then stores in place of its changes. */
const STEP_AT_MOST = 2000

/** The changes since the call's token; undefined if they are unknown or too many. */
async function stepOf(call: LogCall, source: LogSource): Promise<WrittenLog | undefined> {
  const { principal, input, db } = call
  const after = readLogToken(source, input.since)
  if (after === undefined) return undefined
  const audience = audienceOf(principal, input)
  const viewer = audience ?? EVERYONE
  const changes = await listChanges(db, viewer, 'flight', after, STEP_AT_MOST + 1)
  if (changes.length > STEP_AT_MOST || !(await isComplete(call, viewer, after))) return undefined
  const upserted = changes.filter(({ removed }) => removed === null).map(({ id }) => id)
  return {
    token: writeLogToken(source, changes.at(-1)?.number ?? after),
    parts: flightsInParts(db, upserted, audience),
    partial: true,
    removed: changes.filter(({ removed }) => removed !== null).map(({ id }) => id),
  }
}

/** A flight that left the log after the changes were listed is reported as removed by the next call. */
async function* flightsInParts(
  db: Executor,
  ids: readonly number[],
  audience: string | null,
): AsyncGenerator<LogFlight[]> {
  for (let start = 0; start < ids.length; start += FLIGHTS_AT_ONCE) {
    const flights = await listLogFlights(db, ids.slice(start, start + FLIGHTS_AT_ONCE))
    const shown = flights.filter(({ passengers }) => audience === null || isOn(passengers, audience))
    if (shown.length > 0) yield shown
  }
}

/** Whether every removal after a number is still recorded. Call it after reading them, so that none is deleted in between. */
async function isComplete({ db }: LogCall, viewer: string, after: number): Promise<boolean> {
  const [current, forgotten] = await readRevisions(db, [CHANGES, forgottenFor(viewer)])
  return after <= current! && after >= forgotten!
}

const isOn = (passengers: LogFlight['passengers'], userId: string): boolean =>
  passengers.some((passenger) => passenger.userId === userId)

const rowsOf = ({ now }: LogCall, { flights, records, completions }: FlownLog): CompactFlight[] =>
  flights.map((flight, i) => compact(flight, records, laterThan(now.getTime(), completions[i]!)))

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

/** What these flights refer to, and nothing more: the cache of records contains those of all users. */
interface Named extends Pick<Log, 'airports' | 'airlines' | 'aircraft'> {
  users: Set<string>
}
const nothingNamed = (): Named => ({ airports: {}, airlines: {}, aircraft: {}, users: new Set() })

function noteNamed(named: Named, { flights, records }: FlownLog): void {
  const add = (table: 'airports' | 'airlines' | 'aircraft', id: number | null) => {
    const record = id === null ? undefined : records[table].get(id)
    if (record) named[table][record.id] = record as never
  }
  for (const flight of flights) {
    add('airports', flight.fromId)
    add('airports', flight.toId)
    add('airports', flight.plannedToId)
    add('airlines', flight.airlineId)
    add('aircraft', flight.aircraftId)
    for (const { userId } of flight.passengers) if (userId) named.users.add(userId)
  }
}

async function describeNamed(call: LogCall, { users, ...records }: Named) {
  const names = await listNames(call.db, [...users])
  const homes = await call.target.homes()
  return {
    ...records,
    users: Object.fromEntries(names.map(({ id, displayName, username }) => [id, { displayName, username }])),
    ...(homes && { homes }),
  }
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
