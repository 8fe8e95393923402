// What `POST /api/flight/save` means in terms of v1: codes become ids, local dates and times become instants, aliases
// are resolved. Access and validity are checked by v1's own operations.
import * as z from 'zod'
import { type Principal, requireFlightAccess } from '../../auth/principal.ts'
import { badRequest, notFound } from '../../base/errors.ts'
import { because } from '../../base/validation.ts'
import { utcDate } from '../../domain/calendar.ts'
import { airportCode, type Days, daysOf } from '../../domain/code-periods.ts'
import { characters, knownValues } from '../../domain/custom-fields.ts'
import { derivedDuration, type FlightTimes } from '../../domain/flight.ts'
import { legacyEstimatedSeconds } from '../../domain/flight-duration.ts'
import {
  choiceFields,
  flightFields,
  inOrder,
  passengerFields,
  pick,
  textFields,
} from '../../domain/flight-fields.ts'
import { sphericalMetres } from '../../domain/geo.ts'
import { legacyDate, legacyMoments, readClock, readLegacyTimes } from '../../domain/legacy-times.ts'
import { messageOf, type PlainReason, problem } from '../../domain/reasons.ts'
import { isCalendarDate, isDateTime } from '../../domain/time.ts'
import { open, requireAccess, type Services } from '../../operation.ts'
import { LeavesOthersAlone } from '../../operations/companions.ts'
import { recordsOf } from '../../operations/flight-view.ts'
import { createFlight, updateFlight } from '../../operations/flights.ts'
import { CalendarDate, FlightReason, flightInputShape, PASSENGERS_AT_MOST } from '../../operations/schemas.ts'
import { aircraftTypes, airlines, airports, type Kind, resolveWrittenBack } from '../../resolve/reference.ts'
import { type Resolution, recordOf } from '../../resolve/resolution.ts'
import { MAX_ID } from '../../store/codecs.ts'
import { findFlight, type StoredFlight } from '../../store/flights.ts'
import type { Aircraft, Airline, Airport } from '../../store/reference.ts'
import type { Executor } from '../../store/store.ts'
import { LegacyInvalid, type LegacyIssue, parseLegacy } from './errors.ts'

/** An airport, airline or aircraft: by code, or as the object that a list or get returned. */
const Named = z.union(
  [
    z.string().trim(),
    z.object({
      id: z.unknown().optional(),
      icao: z.string().nullish(),
      iata: z.string().nullish(),
      name: z.string().nullish(),
    }),
  ],
  { error: because('code_expected') },
)
type Named = z.output<typeof Named>

const When = z
  .string()
  .refine((text) => isCalendarDate(text) || isDateTime(text), because('invalid_date_time'))
  .nullish()
const Clock = z
  .string()
  .transform((text, context) => {
    if (text.trim() === '') return undefined
    const clock = readClock(text)
    if (clock === undefined) context.addIssue({ code: 'custom', message: because('clock_form') })
    return clock
  })
  .nullish()

type Moment = (typeof legacyMoments)[number]
const moments = Object.fromEntries(
  legacyMoments.flatMap(({ field, clock }) => [
    [field, When],
    [clock, Clock],
  ]),
) as Record<Moment['field'], typeof When> & Record<Moment['clock'], typeof Clock>

/** Fields that v1 takes as they are here, in the order of the legacy API, in which problems are reported. */
const sameAsInV1 = inOrder(
  [...choiceFields, ...textFields],
  ['datePrecision', 'flightNumber', 'aircraftReg', 'note'],
)
const { datePrecision, ...sameShape } = pick(flightInputShape, sameAsInV1)
const { track, customFields } = flightInputShape
// Existing programs always send passengers; leaving them out is an error here.
const passengers = flightInputShape.passengers.unwrap()

const SaveBody = z.object({
  id: z.int().positive().optional(),
  from: Named,
  to: Named,
  airline: Named.nullish(),
  aircraft: Named.nullish(),
  plannedTo: Named.nullish(),
  operatingAirline: Named.nullish(),
  date: CalendarDate.nullish(),
  datePrecision,
  ...moments,
  ...sameShape,
  price: flightInputShape.price,
  flightReason: FlightReason.nullish(),
  passengers,
  track,
  customFields,
})
type SaveBody = z.output<typeof SaveBody>

/** Creates a flight, or replaces the one that the body's `id` names; returns the id of a new one. */
export async function saveFlight(
  services: Services,
  principal: Principal,
  raw: unknown,
): Promise<number | undefined> {
  const isNew = !isRecord(raw) || raw['id'] === undefined
  const operation = isNew ? createFlight : updateFlight
  requireAccess(operation, principal)
  const body = parseLegacy(SaveBody, withAliases(raw, principal.user.id, isNew))
  const known = isNew ? undefined : await requireKnown(services, principal, body.id!)
  requireLegacyLimits(body, known?.flight)
  if (isNew) requireSomeUser(body)
  const today = utcDate(services.clock.now())
  const values = await withKnownValues(services, principal, body)
  const input = await translate(services.store.read, values, known, today)
  if (isNew) {
    const opened = await open(createFlight, services, principal, { body: input })
    return (await opened.value()).data.id
  }
  try {
    const raw = { params: { id: String(body.id) }, body: input }
    await (await open(updateFlight, services, principal, raw)).value()
  } catch (error) {
    throw error instanceof LeavesOthersAlone ? badRequest(error.problem) : error
  }
  return undefined
}

/** Existing programs send what other versions knew: custom fields that are not active here are ignored. */
async function withKnownValues(
  { reference, store }: Services,
  { revisions }: Principal,
  body: SaveBody,
): Promise<SaveBody> {
  const all = await reference.customFields(store.read, revisions.reference)
  const ofFlight = all.filter((field) => field.entityType === 'flight')
  const ofPassenger = all.filter((field) => field.entityType === 'flight_passenger')
  return {
    ...body,
    customFields: knownValues(ofFlight, body.customFields),
    passengers: body.passengers.map(({ customFields: given, ...entry }) => ({
      ...entry,
      ...(given ? { customFields: knownValues(ofPassenger, given) } : {}),
    })),
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Old and alternative names of members, resolved before anything is validated. */
function withAliases(raw: unknown, userId: string, isNew: boolean): unknown {
  if (!isRecord(raw)) return raw
  const { passengers, seats, note, notes, flightReason } = raw
  const given = passengers ?? seats
  return {
    ...raw,
    note: note ?? notes,
    // A list that is too long is refused as it is.
    passengers:
      Array.isArray(given) && given.length <= PASSENGERS_AT_MOST
        ? given.map((entry, i) =>
            withPassengerAliases(entry, { userId, isFirst: i === 0, flightReason, isNew }),
          )
        : given,
  }
}

interface PassengerContext {
  userId: string
  isFirst: boolean
  flightReason: unknown
  isNew: boolean
}

function withPassengerAliases(entry: unknown, { userId, isFirst, flightReason, isNew }: PassengerContext) {
  if (!isRecord(entry)) return entry
  // A list shows the caller's own reason on every flight: sent back, it must not be given to other passengers.
  const lacksReason = isNew ? entry['flightReason'] == null : entry['flightReason'] === undefined
  return {
    ...entry,
    id: entry['id'] ?? undefined,
    userId: isFirst && entry['userId'] === '<USER_ID>' ? userId : entry['userId'] || null,
    guestName: entry['guestName'] || null,
    flightReason: lacksReason ? flightReason : entry['flightReason'],
    customFields: entry['customFields'] ?? undefined,
  }
}

interface Known {
  flight: StoredFlight
  from: Airport | undefined
  to: Airport | undefined
  airline: Airline | undefined
  aircraft: Aircraft | undefined
  plannedTo: Airport | undefined
  operatingAirline: Airline | undefined
}

/** The flight to be replaced. Read before codes are looked up, so that a missing flight is reported as such. */
async function requireKnown(services: Services, principal: Principal, id: number): Promise<Known> {
  const db = services.store.read
  const flight = id > MAX_ID ? undefined : await findFlight(db, id)
  if (!flight) throw notFound('Flight')
  const isOn = flight.passengers.some((passenger) => passenger.userId === principal.user.id)
  requireFlightAccess(principal, 'update', isOn ? 'own' : 'any')
  const records = await recordsOf({ services, db }, principal.revisions.reference, [flight])
  return {
    flight,
    from: records.airports.get(flight.fromId ?? 0),
    to: records.airports.get(flight.toId ?? 0),
    airline: records.airlines.get(flight.airlineId ?? 0),
    aircraft: records.aircraft.get(flight.aircraftId ?? 0),
    plannedTo: records.airports.get(flight.plannedToId ?? 0),
    operatingAirline: records.airlines.get(flight.operatingAirlineId ?? 0),
  }
}

const legacyMostOf = ({ most, legacyMost }: { most: number; legacyMost?: number }) => legacyMost ?? most

/** Legacy texts are shorter than v1's. A longer text that v1 stored is accepted if a client sends it back unchanged. */
function requireLegacyLimits(body: SaveBody, stored: StoredFlight | undefined): void {
  const issues: LegacyIssue[] = []
  const check = (
    path: (string | number)[],
    text: string | null | undefined,
    most: number,
    isStored: () => boolean | undefined,
  ) => {
    if (text == null || characters(text) <= most || isStored()) return
    issues.push({ code: 'too_big', path, message: messageOf(problem('too_long', { max: most })) })
  }
  for (const name of inOrder(textFields, ['flightNumber', 'aircraftReg', 'note'])) {
    check([name], body[name], legacyMostOf(flightFields[name]), () => stored?.[name] === body[name])
  }
  for (const [i, passenger] of body.passengers.entries()) {
    for (const name of ['guestName', 'seatNumber'] as const) {
      const text = passenger[name]
      check(['passengers', i, name], text, legacyMostOf(passengerFields[name]), () =>
        stored?.passengers.some((known) => known[name] === text),
      )
    }
  }
  if (issues.length > 0) throw new LegacyInvalid(issues)
}

function requireSomeUser({ passengers }: SaveBody): void {
  if (passengers.some((passenger) => passenger.userId !== null)) return
  const message = messageOf('user_among_passengers')
  throw new LegacyInvalid([{ code: 'custom', path: ['passengers'], message }])
}

/** The body of v1's create and update. */
async function translate(db: Executor, body: SaveBody, known: Known | undefined, today: string) {
  const { from, days } = await departureOf(db, body, known, today)
  const to = await requireAirport(db, body.to, known?.to, days, 'arrival')
  const aircraft = await resolveOptional(
    db,
    body.aircraft,
    known?.aircraft,
    aircraftTypes,
    days,
    'invalid_aircraft',
  )
  const airline = await resolveOptional(db, body.airline, known?.airline, airlines, days, 'invalid_airline')
  const read = readLegacyTimes({
    given: body,
    zones: { from: from.timezone, to: to.timezone },
    known: known && { ...known.flight, fromZone: known.from?.timezone ?? null },
  })
  if ('problem' in read) {
    const { field, problem } = read.problem
    const message = messageOf(problem)
    throw new LegacyInvalid([{ code: 'custom', path: [field], message }], message)
  }
  return {
    date: read.date,
    ...read.times,
    duration: durationOf(read.times, from, to, known),
    ...pick(body, sameAsInV1),
    fromId: from.id,
    toId: to.id,
    airlineId: airline?.id ?? null,
    aircraftId: aircraft?.id ?? null,
    ...(await bookedAs(db, body, known, days)),
    passengers: body.passengers,
    track: body.track,
    customFields: body.customFields,
  }
}

/** The fields that programs may leave out: these keep what is stored, null clears it. */
async function bookedAs(db: Executor, body: SaveBody, known: Known | undefined, days: Days) {
  const { price, plannedTo, operatingAirline } = body
  const to = plannedTo && (await requireAirport(db, plannedTo, known?.plannedTo, days, 'arrival'))
  const airline = await resolveOptional(
    db,
    operatingAirline,
    known?.operatingAirline,
    airlines,
    days,
    'invalid_airline',
  )
  return {
    price,
    plannedToId: plannedTo === undefined ? undefined : to ? to.id : null,
    operatingAirlineId: operatingAirline === undefined ? undefined : (airline?.id ?? null),
  }
}

/** As stored while nothing it follows from has changed; else from the times, else a usual one for the distance. */
function durationOf(times: FlightTimes, from: Airport, to: Airport, known: Known | undefined): number | null {
  const untouched =
    known?.from?.id === from.id &&
    known.to?.id === to.id &&
    known.flight.departure === times.departure &&
    known.flight.arrival === times.arrival
  if (known && untouched) return known.flight.duration
  const derived = derivedDuration({ duration: null, ...times })
  return derived ?? (from.id === to.id ? null : legacyEstimatedSeconds(sphericalMetres(from, to) / 1000))
}

// Codes

/** The departure airport, and the days for which all codes are read. */
async function departureOf(
  db: Executor,
  body: SaveBody,
  known: Known | undefined,
  today: string,
): Promise<{ from: Airport; days: Days }> {
  const find = (days: Days) => requireAirport(db, body.from, known?.from, days, 'departure')
  const stored = known && { ...known.flight, fromZone: known.from?.timezone ?? null }
  const daysIn = (zone: string) =>
    daysOf(legacyDate({ given: body, zone, known: stored }) ?? today, body.datePrecision)
  // An instant is on a day only in a zone, which is the airport's.
  const inUtc = daysIn('UTC')
  const from = await find(inUtc)
  const days = daysIn(from.timezone)
  return days.first === inUtc.first ? { from, days } : { from: await find(days), days }
}

/** By its code, or as the object that a list or get returned. */
function resolve<Item extends Airport | Airline | Aircraft>(
  db: Executor,
  given: Named,
  stored: Item | undefined,
  kind: Kind<Item>,
  days: Days,
): Promise<Resolution<Item>> {
  if (typeof given === 'string') return resolveWrittenBack(db, kind, { codes: [given], stored }, days)
  const codes = [given.icao, given.iata].flatMap((code) => code ?? [])
  const names = codes.length > 0 ? codes : [given.name ?? '']
  return resolveWrittenBack(db, kind, { codes: names, id: given.id, stored }, days)
}

async function requireAirport(
  db: Executor,
  given: Named,
  stored: Airport | undefined,
  days: Days,
  end: 'departure' | 'arrival',
): Promise<Airport> {
  const resolution = await resolve(db, given, stored, airports, days)
  if (resolution.outcome === 'found') return resolution.record
  if (resolution.outcome === 'unknown') throw badRequest(`invalid_${end}_airport`)
  const candidates = resolution.candidates.map(airportCode)
  throw badRequest(problem(`ambiguous_${end}_airport`, { candidates }))
}

/** Empty if the code may mean several: this API has no place for a warning, and a guess would be worse. */
async function resolveOptional<Item extends Airline | Aircraft>(
  db: Executor,
  given: Named | null | undefined,
  known: Item | undefined,
  kind: Kind<Item>,
  days: Days,
  refusal: PlainReason,
): Promise<Item | undefined> {
  if (given === null || given === undefined || given === '') return undefined
  const resolution = await resolve(db, given, known, kind, days)
  if (resolution.outcome === 'unknown') throw badRequest(refusal)
  return recordOf(resolution)
}
