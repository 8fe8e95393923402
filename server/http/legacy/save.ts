// Translates `POST /api/flight/save` to v1: codes become ids, local dates and times become instants, aliases are resolved.
// v1's operations check access and validity.
import * as z from 'zod'
import { badRequest, notFound } from '../../base/errors.ts'
import { because } from '../../base/request/validation.ts'
import type { FlightTimes } from '../../domain/flights/best-times.ts'
import { characters, knownValues } from '../../domain/flights/custom-fields.ts'
import { legacyEstimatedSeconds } from '../../domain/flights/duration.ts'
import {
  choiceFields,
  flightFields,
  inOrder,
  passengerFields,
  textFields,
} from '../../domain/flights/fields.ts'
import { derivedDuration } from '../../domain/flights/flight.ts'
import { legacyDate, legacyMoments, readClock, readLegacyTimes } from '../../domain/flights/legacy-times.ts'
import { sphericalMetres } from '../../domain/geo/geo.ts'
import { pick } from '../../domain/pick.ts'
import { messageOf, type PlainReason, problem } from '../../domain/reasons.ts'
import { airportCode, type Days, daysOf } from '../../domain/reference/code-periods.ts'
import { type Resolution, recordOf } from '../../domain/reference/resolution.ts'
import { isWord } from '../../domain/reference/resolve.ts'
import { RowId } from '../../domain/row-id.ts'
import { utcDate } from '../../domain/time/calendar.ts'
import { isCalendarDate, isDateTime } from '../../domain/time/time.ts'
import { open, requireAccess } from '../../door/open.ts'
import type { Services } from '../../door/services.ts'
import { LeavesOthersAlone } from '../../operations/flights/companions.ts'
import { createFlight, updateFlight } from '../../operations/flights/flights.ts'
import { recordsOf } from '../../operations/flights/view.ts'
import {
  CalendarDate,
  FlightReason,
  flightInputShape,
  PASSENGERS_AT_MOST,
} from '../../operations/wire/schemas.ts'
import { type Principal, requireFlightAccess } from '../../services/access/principal.ts'
import {
  aircraftTypes,
  airlines,
  airports,
  type Kind,
  resolveText,
  resolveWrittenBack,
  type Source,
} from '../../services/reference/resolve/records.ts'
import { findFlight, type StoredFlight } from '../../store/flights/flights.ts'
import type { Aircraft, Airline, Airport } from '../../store/reference/records.ts'
import { LegacyInvalid, type LegacyIssue, parseLegacy } from './errors.ts'

/** An airport, airline or aircraft: its code or name, or the object that a list or get returned. */
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

/** Fields that v1 accepts unchanged, in the order of the legacy API. Problems are reported in this order. */
const sameAsInV1 = inOrder(
  [...choiceFields, ...textFields],
  ['datePrecision', 'flightNumber', 'aircraftReg', 'note'],
)
const { datePrecision, ...sameShape } = pick(flightInputShape, sameAsInV1)
const { track, customFields } = flightInputShape
// Passengers are required here; existing programs always send them.
const passengers = flightInputShape.passengers.unwrap()

const SaveBody = z.object({
  id: RowId.optional(),
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

/** Creates a flight and returns its id, or replaces the flight with the body's `id`. */
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
  const source = {
    db: services.store.read,
    reference: services.reference,
    revision: principal.revisions.reference,
  }
  const input = await translate(source, values, known, today)
  if (isNew) {
    const opened = await open(createFlight, services, principal, { body: input })
    return (await opened.value()).data.id
  }
  try {
    const raw = { params: { id: String(body.id) }, body: input }
    await (await open(updateFlight, services, principal, raw, { isUnconditional: true })).value()
  } catch (error) {
    throw error instanceof LeavesOthersAlone ? badRequest(error.problem) : error
  }
  return undefined
}

/** Ignores custom fields that are not active here: existing programs send those of other versions. */
async function withKnownValues(
  { reference, store }: Pick<Services, 'reference' | 'store'>,
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
    // A list that is too long is passed on unchanged and refused later.
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
  // A list shows the caller's own reason on every flight; if a client sends it back, other passengers must not get it.
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

/** The flight to replace. Read before codes are looked up, so that a missing flight is reported first. */
async function requireKnown(services: Services, principal: Principal, id: number): Promise<Known> {
  const db = services.store.read
  const flight = await findFlight(db, id)
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
async function translate(source: Source, body: SaveBody, known: Known | undefined, today: string) {
  const { from, days } = await departureOf(source, body, known, today)
  const to = await requireAirport(source, body.to, known?.to, days, 'arrival')
  const aircraft = await resolveOptional(
    source,
    body.aircraft,
    known?.aircraft,
    aircraftTypes,
    days,
    'invalid_aircraft',
  )
  const airline = await resolveOptional(
    source,
    body.airline,
    known?.airline,
    airlines,
    days,
    'invalid_airline',
  )
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
    ...(await bookedAs(source, body, known, days)),
    passengers: body.passengers,
    track: body.track,
    customFields: body.customFields,
  }
}

/** Fields that programs may omit: an omitted field keeps the stored value, null clears it. */
async function bookedAs(source: Source, body: SaveBody, known: Known | undefined, days: Days) {
  const { price, plannedTo, operatingAirline } = body
  const to = plannedTo && (await requireAirport(source, plannedTo, known?.plannedTo, days, 'arrival'))
  const airline = await resolveOptional(
    source,
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

/** The stored duration if its inputs have not changed, otherwise from the times, otherwise typical for the distance. */
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

/** The departure airport, and the days for which all codes are resolved. */
async function departureOf(
  source: Source,
  body: SaveBody,
  known: Known | undefined,
  today: string,
): Promise<{ from: Airport; days: Days }> {
  const find = (days: Days) => requireAirport(source, body.from, known?.from, days, 'departure')
  const stored = known && { ...known.flight, fromZone: known.from?.timezone ?? null }
  const daysIn = (zone: string) =>
    daysOf(legacyDate({ given: body, zone, known: stored }) ?? today, body.datePrecision)
  // An instant has a day only in a time zone, which is the airport's.
  const inUtc = daysIn('UTC')
  const from = await find(inUtc)
  const days = daysIn(from.timezone)
  return days.first === inUtc.first ? { from, days } : { from: await find(days), days }
}

/** Resolves a code or a name, or the object that a list or get returned. */
async function resolve<Item extends Airport | Airline | Aircraft>(
  source: Source,
  given: Named,
  stored: Item | undefined,
  kind: Kind<Item>,
  days: Days,
): Promise<Resolution<Item>> {
  if (typeof given === 'string') {
    const byCode = await resolveWrittenBack(source.db, kind, { codes: [given], stored }, days)
    const isStored = stored !== undefined && recordOf(byCode)?.id === stored.id
    const isName = byCode.outcome === 'unknown' || (isWord(given) && !isStored)
    const byName = isName ? await resolveText(source, kind, given, days) : byCode
    // Similar names are no answer to a program.
    const isSeveral = byName.outcome === 'ambiguous' && byName.by !== 'part' && kind.table === 'airport'
    if (byName.outcome === 'found' || isSeveral) return byName
    // Ica is a town, and the code of another place is ICA.
    const isWritten = kind.table === 'airport' && isName && given !== given.toLowerCase()
    return isWritten ? { outcome: 'unknown' } : byCode
  }
  const codes = [given.icao, given.iata].flatMap((code) => code ?? [])
  const names = codes.length > 0 ? codes : [given.name ?? '']
  return resolveWrittenBack(source.db, kind, { codes: names, id: given.id, stored }, days)
}

async function requireAirport(
  source: Source,
  given: Named,
  stored: Airport | undefined,
  days: Days,
  end: 'departure' | 'arrival',
): Promise<Airport> {
  const resolution = await resolve(source, given, stored, airports, days)
  if (resolution.outcome === 'found') return resolution.record
  if (resolution.outcome === 'unknown') throw badRequest(`invalid_${end}_airport`)
  const candidates = resolution.candidates.map(airportCode)
  throw badRequest(problem(`ambiguous_${end}_airport`, { candidates }))
}

/** Undefined if the code is ambiguous: this API cannot return a warning, and a guess would be worse. */
async function resolveOptional<Item extends Airline | Aircraft>(
  source: Source,
  given: Named | null | undefined,
  known: Item | undefined,
  kind: Kind<Item>,
  days: Days,
  refusal: PlainReason,
): Promise<Item | undefined> {
  if (given === null || given === undefined || given === '') return undefined
  const resolution = await resolve(source, given, known, kind, days)
  if (resolution.outcome === 'unknown') throw badRequest(refusal)
  return recordOf(resolution)
}
