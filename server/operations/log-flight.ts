// Logging a flight by codes or names and local times, as people describe flights. Made for AI assistants; scripts use it
// too.
import * as z from 'zod'
import { AppError, type ErrorDetail, invalidField } from '../base/errors.ts'
import { because, check, toDetail } from '../base/validation.ts'
import { utcDate } from '../domain/calendar.ts'
import { type Days, daysOf } from '../domain/code-periods.ts'
import type { AircraftClass } from '../domain/enums.ts'
import { canonicalFlightNumber, parseFlightNumber } from '../domain/flight-number.ts'
import { distanceKm } from '../domain/geo.ts'
import { timeOddity } from '../domain/plausibility.ts'
import { type Given, problem } from '../domain/reasons.ts'
import { isSpokenTime, readArrival, readTime, type TimeRead } from '../domain/spoken-times.ts'
import { isCalendarDate } from '../domain/time.ts'
import { type Call, credentialWith, operation } from '../operation.ts'
import { airlines, resolveCode } from '../resolve/reference.ts'
import type { StoredFlight } from '../store/flights.ts'
import type { Aircraft } from '../store/reference.ts'
import { incrementRevisions, loggingFor } from '../store/revisions.ts'
import { type FlightDraft, FlightInput } from './flight-input.ts'
import { addFlight } from './flight-writing.ts'
import { requireNoDuplicate } from './likely-duplicates.ts'
import { filledFrom, findElsewhere, type Route, routeByNumber } from './log-by-number.ts'
import { LineText, readText, type TextRead, Understood } from './log-text.ts'
import { Flight, FlightReason, flightInputShape, Seat, SeatClass, Warning } from './schemas.ts'
import {
  collected,
  decided,
  describedKinds,
  findOptional,
  refuseCollected,
  requireAirport,
  type Words,
} from './spoken-words.ts'

const unknown = (field: string, given: Given) => invalidField([field], given)

const SpokenTime = z.string().trim().refine(isSpokenTime, because('spoken_time_form')).optional()
const shortText = z.string().trim().min(1).max(500).optional()

/** A day, or the month or year where the day is unknown. */
const SpokenDate = z
  .string()
  .regex(/^\d{4}(-\d{2}){0,2}$/, { error: because('not_a_date'), abort: true })
  .refine((text) => isCalendarDate(firstDayOf(text)), because('no_such_day'))
  .meta({ example: '2026-02-20' })
const firstDayOf = (text: string): string => `${text}-01-01`.slice(0, 10)
const precisionOf = (text: string) => (text.length === 4 ? 'year' : text.length === 7 ? 'month' : 'day')

// Strict: a misspelt field that is silently ignored would lose data.
const SpokenFlight = z
  .strictObject({
    text: LineText.optional(),
    date: SpokenDate.optional().describe(
      'Local date at departure as YYYY-MM-DD, YYYY-MM or YYYY. Optional if departure has a date.',
    ),
    flightNumber: z.string().trim().min(1).max(20).optional().describe('Such as SK909.'),
    from: shortText.describe('Departure airport: IATA or ICAO code, or id.'),
    to: shortText.describe('Arrival airport: IATA or ICAO code, or id.'),
    departure: SpokenTime.describe(
      'Local time at the departure airport: HH:MM or YYYY-MM-DDTHH:MM. A date-time with offset is kept as it is.',
    ),
    arrival: SpokenTime.describe(
      'Local time at the arrival airport, in the same formats. For HH:MM, the day is determined from the departure.',
    ),
    airline: shortText.describe('IATA or ICAO code, or name. Defaults to the airline of the flight number.'),
    aircraft: shortText.describe('Aircraft type: ICAO or IATA code, or name, such as A20N.'),
    aircraftReg: shortText.describe('Registration, such as OY-KAL.'),
    departureTerminal: shortText,
    departureGate: shortText,
    arrivalTerminal: shortText,
    arrivalGate: shortText,
    seat: Seat.optional(),
    seatNumber: z.string().trim().min(1).max(20).optional().describe('Such as 12A.'),
    seatClass: SeatClass.optional(),
    flightReason: FlightReason.optional(),
    companions: z
      .array(z.string().trim().min(1).max(100))
      .max(50)
      .default([])
      .describe('Names of other passengers; they are added as guests.'),
    companionIds: z
      .array(z.string().trim().min(1).max(100))
      .max(50)
      .default([])
      .describe('User ids of other passengers who have an account here.'),
    note: z.string().trim().min(1).max(10_000).optional(),
    customFields: flightInputShape.customFields,
    lookup: z
      .boolean()
      .default(true)
      .describe('With a number and a date, no route and no such flight in the log: ask the provider.'),
    confirmDuplicate: z
      .boolean()
      .default(false)
      .describe('Log the flight even if it looks like a duplicate.'),
  })
  .meta({ id: 'SpokenFlight' })
type Spoken = z.output<typeof SpokenFlight>

export const logFlight = operation({
  id: 'log-flight',
  method: 'POST',
  path: '/flights/log',
  tag: 'Flights',
  summary: 'Log a flight by codes and local times',
  example: {
    body: { flightNumber: 'SK 1419', from: 'CPH', to: 'ARN', date: '2026-03-02', departure: '07:40' },
  },
  description:
    'Resolves airport, airline and aircraft codes and the airports’ time zones. `text` alone will do: what of it was not understood goes into the note, and `warnings` says so. With a flight number alone the route is taken from your last flight of that number, else from the provider that this instance asks. A likely duplicate (the same route on the same day, or with the same number within two days) is refused with `conflict` unless `confirmDuplicate` is set.',
  access: credentialWith(
    ['flight.read.own', 'flight.create.own', 'reference_data.read'],
    ['flight.passengers.manage.own'],
  ),
  body: SpokenFlight,
  output: z.object({
    data: Flight,
    warnings: z.array(Warning).describe('Assumptions and implausible values; tell the user.'),
    understood: z
      .array(Understood)
      .optional()
      .describe('What the words of `text` were taken for, in its order.'),
  }),
  status: 201,
  errors: ['conflict'],
  location: ({ data }) => `/flights/${data.id}`,
  tool: {
    title: 'Log a flight by codes and times',
    without: ['companionIds', 'lookup'],
    description:
      'Add a flight that the person took or will take, by airport codes and local times, or in their own words as text; no ids are needed. Airport codes, airline, aircraft and time zones are resolved here: pass local times as printed on the ticket and do not convert them. If it looks like a duplicate the call is refused and says of which flight; ask the person before calling again with confirmDuplicate. Tell the person about any warnings in the response.',
  },
  async prepare(call) {
    if (!call.input.lookup || call.services.lookups.providers.length === 0) return undefined
    return findElsewhere(call, (await spokenOf(call)).spoken)
  },
  async run(call) {
    const { principal, db } = call
    // A lock: of two calls at once, the second must find the first one's flight as a duplicate.
    await incrementRevisions(db, [loggingFor(principal.user.id)])
    const { spoken, read } = await spokenOf(call)
    const draft = await draftFrom(call, spoken)
    if (!call.input.confirmDuplicate) await requireNoDuplicate(call, draft.flight)
    const checked = check(FlightInput, draft.flight)
    if ('issues' in checked) throw refusal(checked.issues.map(toDetail))
    const data = await addFlight(call, checked.data)
    if (!read) return { data, warnings: draft.warnings }
    return { data, warnings: [...read.warnings, ...draft.warnings], understood: read.understood }
  },
})

/** The fields, with what the text says. */
async function spokenOf(call: Call<Spoken>): Promise<{ spoken: Spoken; read: TextRead | undefined }> {
  const { input } = call
  const read = input.text === undefined ? undefined : await readText(call, input.text, input.date)
  return { spoken: read ? withText(input, read) : input, read }
}

/** What the text says, where no field says otherwise. */
function withText(given: Spoken, { fields, near }: TextRead): Spoken {
  const { companions, companionIds, ...rest } = given
  const isWith = companions.length + companionIds.length > 0
  const hasOwnDay = (given.departure ?? '').length > 8
  const merged: Spoken = {
    ...fields,
    // A departure that is given has its day: a month or a year in the text says less.
    date: hasOwnDay && fields.date && precisionOf(fields.date) !== 'day' ? undefined : fields.date,
    ...rest,
    companions: isWith ? companions : (fields.companions ?? []),
    companionIds: isWith ? companionIds : (fields.companionIds ?? []),
    // What was not understood is kept beside a note of one's own.
    note: [given.note, fields.note].filter((note) => note !== undefined).join('\n') || undefined,
  }
  const hasDay = merged.date !== undefined || (merged.departure ?? '').length > 8
  if (!hasDay) throw unknown('date', 'text_names_no_day')
  const hasRoute = merged.from !== undefined && merged.to !== undefined
  const hasHalf = merged.from !== undefined || merged.to !== undefined
  if (!hasRoute && (hasHalf || merged.flightNumber === undefined))
    throw unknown(
      merged.from === undefined ? 'from' : 'to',
      near[0] ? problem('text_names_similar', near[0]) : 'text_names_no_route',
    )
  return merged
}

async function draftFrom(call: Call, spoken: Spoken): Promise<{ flight: FlightDraft; warnings: Warning[] }> {
  const warnings: Warning[] = []
  const words: Words = { call, days: spokenDays(call, spoken), warnings, problems: [] }
  const route = await routeOf(words, spoken)
  const { from, to } = route
  const km = distanceKm(from, to)
  requireDayForTimes(spoken)
  const departure = spoken.departure ? readTime(spoken.departure, from.timezone, spoken.date) : undefined
  const date = spoken.date === undefined ? departure?.date : firstDayOf(spoken.date)
  if (date === undefined) throw unknown('date', 'date_missing')
  if (departure && departure.date !== date && spoken.date) {
    throw unknown(
      'departure',
      problem('departure_on_other_date', { departure: departure.date, date: spoken.date }),
    )
  }
  const aircraft = await aircraftOf(words, spoken.aircraft)
  const aircraftClass = aircraft?.class ?? null
  const arrival = spoken.arrival
    ? readArrival(spoken.arrival, to.timezone, departure, km, aircraftClass)
    : undefined
  if (spoken.arrival && !arrival) {
    throw unknown('arrival', 'arrival_date_missing')
  }
  warnings.push(...oddities(departure, arrival, km, aircraftClass))
  return {
    flight: await fieldsFrom(words, spoken, { ...route, date, departure, arrival, aircraft }),
    warnings,
  }
}

/** A clock says nothing without its day. */
function requireDayForTimes({ date, departure, arrival }: Spoken): void {
  if (date === undefined || precisionOf(date) === 'day') return
  const field = departure ? 'departure' : arrival ? 'arrival' : null
  if (field) throw unknown(field, 'time_without_day')
}

/** The date, else that of the departure as it is written: its zone is known only with the airport. */
function spokenDays({ now }: Call, { date, departure }: Spoken): Days {
  if (date !== undefined) return daysOf(firstDayOf(date), precisionOf(date))
  const written = departure?.slice(0, 10)
  return daysOf(written && isCalendarDate(written) ? written : utcDate(now.getTime()))
}

interface Known extends Route {
  date: string
  departure: TimeRead | undefined
  arrival: TimeRead | undefined
  aircraft: Aircraft | null
}

async function fieldsFrom(
  words: Words,
  spoken: Spoken,
  { from, to, date, departure, arrival, aircraft, likeLast, found }: Known,
): Promise<FlightDraft> {
  const { seat, seatNumber, seatClass, flightReason, companions, companionIds } = spoken
  return {
    ...(found && filledFrom(found, spoken, date)),
    date,
    ...(spoken.date && { datePrecision: precisionOf(spoken.date) }),
    fromId: from.id,
    toId: to.id,
    ...(departure || arrival ? { departure: departure?.dateTime, arrival: arrival?.dateTime } : {}),
    flightNumber: spoken.flightNumber && canonicalFlightNumber(spoken.flightNumber),
    airlineId: (await airlineOf(words, spoken, likeLast)) ?? found?.draft.airline?.id ?? null,
    aircraftId: aircraft?.id ?? (spoken.aircraft ? null : (found?.draft.aircraft?.id ?? null)),
    ...given({
      aircraftReg: spoken.aircraftReg?.toUpperCase(),
      departureTerminal: spoken.departureTerminal,
      departureGate: spoken.departureGate,
      arrivalTerminal: spoken.arrivalTerminal,
      arrivalGate: spoken.arrivalGate,
    }),
    note: spoken.note,
    customFields: spoken.customFields,
    passengers: [
      { userId: words.call.principal.user.id, seat, seatNumber, seatClass, flightReason },
      ...companionIds.map((userId) => ({ userId })),
      ...companions.map((guestName) => ({ guestName })),
    ],
  }
}

/** Both airports as named, or those that the flight number says. */
async function routeOf(words: Words, { from, to, flightNumber }: Spoken): Promise<Route> {
  if (from && to) {
    const ends = [
      await collected(words, () => requireAirport(words, 'from', from)),
      await collected(words, () => requireAirport(words, 'to', to)),
    ]
    refuseCollected(words)
    return { from: ends[0]!, to: ends[1]!, likeLast: undefined, found: undefined }
  }
  if (from || to || !flightNumber) throw unknown(from ? 'to' : 'from', 'airports_missing')
  return routeByNumber(words, flightNumber)
}

/** The one given, else that of the last flight with this number, else the one whose code the number begins with. */
async function airlineOf(
  words: Words,
  { airline, flightNumber }: Spoken,
  likeLast: StoredFlight | undefined,
): Promise<number | null> {
  if (airline) return (await findOptional(words, 'airline', describedKinds.airlines, airline))?.id ?? null
  if (likeLast?.airlineId) return likeLast.airlineId
  const code = flightNumber && parseFlightNumber(flightNumber)?.airlineCode
  if (!code) return null
  const resolution = await resolveCode(words.call.db, airlines, code, words.days)
  if (resolution.outcome !== 'unknown')
    return decided(words, describedKinds.airlines, code, resolution)?.id ?? null
  words.warnings.push({
    code: 'airline_unknown',
    message: `No airline has the code ${code}; the flight was logged without one.`,
  })
  return null
}

const aircraftOf = async (words: Words, text: string | undefined): Promise<Aircraft | null> =>
  text ? findOptional(words, 'aircraft', describedKinds.aircraft, text) : null

const given = <Values extends object>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>

function oddities(
  departure: TimeRead | undefined,
  arrival: TimeRead | undefined,
  km: number,
  aircraftClass: AircraftClass | null,
): Warning[] {
  const warnings: Warning[] = [departure?.warning, arrival?.warning].flatMap((warning) => warning ?? [])
  if (!departure || !arrival) return warnings
  const odd = timeOddity((arrival.instant - departure.instant) / 1000, km, aircraftClass)
  if (odd?.kind === 'too_long')
    warnings.push({
      code: 'flight_too_long',
      message: `The flight would take ${Math.round(odd.hours)} hours; check the times.`,
    })
  if (odd?.kind === 'too_fast')
    warnings.push({
      code: 'flight_too_fast',
      message: `The average speed would be ${Math.round(odd.kmh)} km/h; check the times.`,
    })
  return warnings
}

/** What the whole flight's rules object to, in the words of this operation's fields. */
const refusal = (details: ErrorDetail[]) =>
  new AppError('validation_failed', 'validation_failed', {
    details: details.map((detail) => ({
      ...detail,
      path: detail.path[0] === 'passengers' ? ['companions'] : detail.path,
    })),
  })
