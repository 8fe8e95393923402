// Logging a flight by codes or names and local times, as people describe flights. Made for AI assistants; scripts use it
// too.
import * as z from 'zod'
import { AppError, detail, type ErrorDetail, invalidField } from '../base/errors.ts'
import { because, check, toDetail } from '../base/validation.ts'
import type { AircraftClass } from '../domain/enums.ts'
import { canonicalFlightNumber, flightNumberSpellings, parseFlightNumber } from '../domain/flight-number.ts'
import { distanceKm } from '../domain/geo.ts'
import { isSpokenTime, readArrival, readTime, type TimeRead } from '../domain/journey.ts'
import { DUPLICATE_DAYS, isLikelyDuplicate, timeOddity } from '../domain/plausibility.ts'
import { type Given, problem } from '../domain/reasons.ts'
import { addDays } from '../domain/time.ts'
import { type Call, credentialWith, operation } from '../operation.ts'
import {
  aircraftTypes,
  airlines,
  airports,
  type Kind,
  resolveCode,
  resolveText,
} from '../resolve/reference.ts'
import { recordOf } from '../resolve/resolution.ts'
import { searchFlights } from '../store/flight-search.ts'
import { START, type StoredFlight } from '../store/flights.ts'
import { type Aircraft, type Airline, type Airport, findAirports } from '../store/reference.ts'
import { ALL_FLIGHTS, flightsOf, incrementRevisions } from '../store/revisions.ts'
import { FlightInput } from './flight-input.ts'
import { recordsOf } from './flight-view.ts'
import { addFlight } from './flights.ts'
import { personalSourceOf } from './reference-data.ts'
import { CalendarDate, Flight, FlightReason, flightInputShape, Seat, SeatClass } from './schemas.ts'

const unknown = (field: string, given: Given) => invalidField([field], given)

const SpokenTime = z.string().trim().refine(isSpokenTime, because('spoken_time_form')).optional()
const shortText = z.string().trim().min(1).max(500).optional()

export const logFlight = operation({
  id: 'log-flight',
  method: 'POST',
  path: '/flights/log',
  tag: 'Flights',
  summary: 'Log a flight by codes and local times',
  description:
    'Resolves airport, airline and aircraft codes and the airports’ time zones. With a flight number alone the route is taken from your last flight of that number. A likely duplicate (the same route on the same day, or with the same number within two days) is refused with `conflict` unless `confirmDuplicate` is set.',
  access: credentialWith(
    ['flight.read.own', 'flight.create.own', 'reference_data.read'],
    ['flight.passengers.manage.own'],
  ),
  // Strict: a misspelt field that is silently ignored would lose data.
  body: z
    .strictObject({
      date: CalendarDate.optional().describe(
        'Local date at departure, YYYY-MM-DD. Optional if departure includes a date.',
      ),
      flightNumber: z.string().trim().min(1).max(20).optional().describe('Such as SK909.'),
      from: shortText.describe('Departure airport: IATA or ICAO code.'),
      to: shortText.describe('Arrival airport: IATA or ICAO code.'),
      departure: SpokenTime.describe(
        'Local time at the departure airport: HH:MM or YYYY-MM-DDTHH:MM. A date-time with offset is kept as it is.',
      ),
      arrival: SpokenTime.describe(
        'Local time at the arrival airport, in the same formats. For HH:MM, the day is determined from the departure.',
      ),
      airline: shortText.describe(
        'IATA or ICAO code, or name. Defaults to the airline of the flight number.',
      ),
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
      note: z.string().trim().min(1).max(10_000).optional(),
      customFields: flightInputShape.customFields,
      confirmDuplicate: z
        .boolean()
        .default(false)
        .describe('Log the flight even if it looks like a duplicate.'),
    })
    .meta({ id: 'SpokenFlight' }),
  output: z.object({
    data: Flight,
    warnings: z.array(z.string()).describe('Assumptions and implausible values; tell the user.'),
  }),
  status: 201,
  errors: ['conflict'],
  location: ({ data }) => `/flights/${data.id}`,
  tool: {
    title: 'Log a flight by codes and times',
    description:
      'Add a flight that the person took or will take, by airport codes and local times; no ids are needed. Airport codes, airline, aircraft and time zones are resolved here: pass local times as printed on the ticket and do not convert them. If it looks like a duplicate the call is refused and says of which flight; ask the person before calling again with confirmDuplicate. Tell the person about any warnings in the response.',
  },
  async run(call) {
    const { principal, db } = call
    // Locks the counters first: of two calls at once, the second must find the first one's flight as a duplicate.
    await incrementRevisions(db, [ALL_FLIGHTS, flightsOf(principal.user.id)])
    const draft = await draftFrom(call, call.input)
    if (!call.input.confirmDuplicate) await requireNoDuplicate(call, draft.flight)
    const checked = check(FlightInput, draft.flight)
    if ('issues' in checked) throw refusal(checked.issues.map(toDetail))
    return { data: await addFlight(call, checked.data), warnings: draft.warnings }
  },
})

type Spoken = z.output<NonNullable<typeof logFlight.body>>
type FlightDraft = z.input<typeof FlightInput>

async function draftFrom(call: Call, spoken: Spoken): Promise<{ flight: FlightDraft; warnings: string[] }> {
  const warnings: string[] = []
  const { from, to, likeLast } = await routeOf(call, spoken, warnings)
  const km = distanceKm(from, to)
  const departure = spoken.departure ? readTime(spoken.departure, from.timezone, spoken.date) : undefined
  const date = spoken.date ?? departure?.date
  if (date === undefined) throw unknown('date', 'date_missing')
  if (departure && departure.date !== date && spoken.date) {
    throw unknown(
      'departure',
      problem('departure_on_other_date', { departure: departure.date, date: spoken.date }),
    )
  }
  const aircraft = await aircraftOf(call, spoken.aircraft)
  const aircraftClass = aircraft?.class ?? null
  const arrival = spoken.arrival
    ? readArrival(spoken.arrival, to.timezone, departure, km, aircraftClass)
    : undefined
  if (spoken.arrival && !arrival) {
    throw unknown('arrival', 'arrival_date_missing')
  }
  warnings.push(...oddities(departure, arrival, km, aircraftClass))
  return {
    flight: await fieldsFrom(
      call,
      spoken,
      { from, to, date, departure, arrival, aircraft, likeLast },
      warnings,
    ),
    warnings,
  }
}

interface Known {
  from: Airport
  to: Airport
  date: string
  departure: TimeRead | undefined
  arrival: TimeRead | undefined
  aircraft: Aircraft | undefined
  likeLast: StoredFlight | undefined
}

async function fieldsFrom(
  call: Call,
  spoken: Spoken,
  { from, to, date, departure, arrival, aircraft, likeLast }: Known,
  warnings: string[],
): Promise<FlightDraft> {
  const { seat, seatNumber, seatClass, flightReason, companions } = spoken
  return {
    date,
    fromId: from.id,
    toId: to.id,
    departure: departure?.dateTime,
    arrival: arrival?.dateTime,
    flightNumber: spoken.flightNumber && canonicalFlightNumber(spoken.flightNumber),
    airlineId: await airlineOf(call, spoken, likeLast, warnings),
    aircraftId: aircraft?.id ?? null,
    aircraftReg: spoken.aircraftReg?.toUpperCase(),
    departureTerminal: spoken.departureTerminal,
    departureGate: spoken.departureGate,
    arrivalTerminal: spoken.arrivalTerminal,
    arrivalGate: spoken.arrivalGate,
    note: spoken.note,
    customFields: spoken.customFields,
    passengers: [
      { userId: call.principal.user.id, seat, seatNumber, seatClass, flightReason },
      ...companions.map((guestName) => ({ guestName })),
    ],
  }
}

/** Both airports as named, or those of the caller's last flight of the same number. */
async function routeOf(call: Call, spoken: Spoken, warnings: string[]) {
  if (spoken.from && spoken.to) {
    return {
      from: await requireOne(call, 'from', airportKind, spoken.from),
      to: await requireOne(call, 'to', airportKind, spoken.to),
      likeLast: undefined,
    }
  }
  const missing = spoken.from ? 'to' : 'from'
  if (spoken.from || spoken.to || !spoken.flightNumber) {
    throw unknown(missing, 'airports_missing')
  }
  const [likeLast] = await searchFlights(
    call.db,
    call.principal.user.id,
    { flightNumbers: flightNumberSpellings(spoken.flightNumber) },
    START,
    1,
  )
  const known = await findAirports(
    call.db,
    [likeLast?.fromId, likeLast?.toId].flatMap((id) => id ?? []),
  )
  const [from, to] = [likeLast?.fromId, likeLast?.toId].map((id) =>
    known.find((airport) => airport.id === id),
  )
  if (!likeLast || !from || !to) {
    throw unknown('from', problem('route_unknown', { flightNumber: spoken.flightNumber }))
  }
  warnings.push(`The route ${codeOf(from)}–${codeOf(to)} was taken from the flight of ${likeLast.date}.`)
  return { from, to, likeLast }
}

/** The one given, else that of the last flight with this number, else the one whose code the number begins with. */
async function airlineOf(
  call: Call,
  { airline, flightNumber }: Spoken,
  likeLast: StoredFlight | undefined,
  warnings: string[],
): Promise<number | null> {
  if (airline) return (await requireOne(call, 'airline', airlineKind, airline)).id
  if (likeLast?.airlineId) return likeLast.airlineId
  const code = flightNumber && parseFlightNumber(flightNumber)?.airlineCode
  const byNumber = code ? recordOf(await resolveCode(call.db, airlines, code)) : undefined
  if (code && !byNumber) warnings.push(`No airline has the code ${code}; the flight was logged without one.`)
  return byNumber?.id ?? null
}

const aircraftOf = async (call: Call, text: string | undefined): Promise<Aircraft | undefined> =>
  text ? requireOne(call, 'aircraft', aircraftKind, text) : undefined

/** How messages show candidates of a kind. */
interface Described<Item extends Airport | Airline | Aircraft> {
  kind: Kind<Item>
  noMatch: 'no_airport_matches' | 'no_airline_matches' | 'no_aircraft_matches'
  show(item: Item): string
}
const airportKind: Described<Airport> = {
  kind: airports,
  noMatch: 'no_airport_matches',
  show: (airport: Airport) => `${codeOf(airport)} ${airport.name}`,
}
const airlineKind: Described<Airline> = {
  kind: airlines,
  noMatch: 'no_airline_matches',
  show: ({ icao, iata, name }: Airline) => `${iata ?? icao ?? ''} ${name}`,
}
const aircraftKind: Described<Aircraft> = {
  kind: aircraftTypes,
  noMatch: 'no_aircraft_matches',
  show: ({ icao, name }: Aircraft) => `${icao ?? ''} ${name}`,
}

const CANDIDATES_SHOWN = 5

/** The record that the text means; several are listed, so that the next call can name one by its code. */
async function requireOne<Item extends Airport | Airline | Aircraft>(
  call: Call,
  field: string,
  { kind, noMatch, show }: Described<Item>,
  text: string,
): Promise<Item> {
  const resolution = await resolveText(personalSourceOf(call), kind, text)
  if (resolution.outcome === 'found') return resolution.record
  if (resolution.outcome === 'unknown') throw unknown(field, problem(noMatch, { text }))
  const candidates = resolution.candidates.slice(0, CANDIDATES_SHOWN).map(show)
  const more = resolution.candidates.length > CANDIDATES_SHOWN
  throw unknown(field, problem('ambiguous', { text, candidates, more }))
}

function oddities(
  departure: TimeRead | undefined,
  arrival: TimeRead | undefined,
  km: number,
  aircraftClass: AircraftClass | null,
): string[] {
  const warnings = [departure?.warning, arrival?.warning].flatMap((warning) => warning ?? [])
  if (!departure || !arrival) return warnings
  const odd = timeOddity((arrival.instant - departure.instant) / 1000, km, aircraftClass)
  if (odd?.kind === 'too_long')
    warnings.push(`The flight would take ${Math.round(odd.hours)} hours; check the times.`)
  if (odd?.kind === 'too_fast')
    warnings.push(`The average speed would be ${Math.round(odd.kmh)} km/h; check the times.`)
  return warnings
}

// Duplicates

async function requireNoDuplicate(call: Call, draft: FlightDraft): Promise<void> {
  const { date } = draft
  const near = await searchFlights(
    call.db,
    call.principal.user.id,
    { dateFrom: addDays(date, -DUPLICATE_DAYS), dateTo: addDays(date, DUPLICATE_DAYS) },
    START,
    200,
  )
  const alike = near.filter((flight) => isLikelyDuplicate(flight, draft))
  if (alike.length === 0) return
  const { airports } = await recordsOf(call, call.principal.revisions.reference, alike)
  const place = (id: number | null) => (id === null ? '?' : codeOf(airports.get(id)))
  throw new AppError('conflict', 'likely_duplicate', {
    details: alike.map(({ id, date, fromId, toId, flightNumber }) =>
      detail(
        ['confirmDuplicate'],
        problem('duplicate_of', { id, date, from: place(fromId), to: place(toId), flightNumber }),
      ),
    ),
  })
}

const codeOf = (airport: Airport | undefined): string => airport?.iata ?? airport?.icao ?? '?'

/** What the whole flight's rules object to, in the words of this operation's fields. */
const refusal = (details: ErrorDetail[]) =>
  new AppError('validation_failed', 'validation_failed', {
    details: details.map((detail) => ({
      ...detail,
      path: detail.path[0] === 'passengers' ? ['companions'] : detail.path,
    })),
  })
