// Flights as people speak of them: found by what is remembered, logged by codes and local times. Made for AI
// assistants and just as good for a shell script.
import * as z from 'zod'
import { AppError, badRequest, type ErrorDetail, invalid } from '../base/errors.ts'
import {
  bareNumber,
  canonicalFlightNumber,
  flightNumberSpellings,
  parseFlightNumber,
} from '../domain/flight-number.ts'
import { distanceKm } from '../domain/geo.ts'
import { isSpokenTime, readArrival, readTime, type TimeRead } from '../domain/journey.ts'
import { addDays } from '../domain/time.ts'
import { type Call, credentialWith, operation, toDetail } from '../operation.ts'
import { type FlightFilter, searchFlights } from '../store/flight-search.ts'
import { START, type StoredFlight } from '../store/flights.ts'
import {
  type Airport,
  findAircraftByCode,
  findAirlineByCode,
  findAirportByCode,
  findAirports,
  listAirlineIdsByCode,
  listAirportIdsByCode,
} from '../store/reference.ts'
import { ALL_FLIGHTS, bumpRevisions, flightsOf } from '../store/revisions.ts'
import { audienceOf, audienceRevision, requireKnownAudience } from './audience.ts'
import { createCursors } from './cursors.ts'
import { recordsOf, showFlights } from './flight-view.ts'
import { addFlight, FlightInput } from './flights.ts'
import {
  Audience,
  CalendarDate,
  Flight,
  FlightReason,
  flightInputShape,
  list,
  Seat,
  SeatClass,
} from './schemas.ts'

const tag = 'Flights'

// Find

const cursors = createCursors('s1')
const MATCHES_AT_MOST = 20

const word = (description: string) => z.string().trim().min(1).max(200).optional().describe(description)

export const findFlights = operation({
  id: 'find-flights',
  method: 'GET',
  path: '/flights/search',
  tag,
  summary: 'Find flights',
  description:
    'Flights that match all given filters, newest first. Airports and airlines are given by code or name.',
  access: credentialWith(['flight.read.own', 'reference_data.read'], ['flight.read.any']),
  query: z.object({
    dateFrom: CalendarDate.optional().describe('First day, YYYY-MM-DD.'),
    dateTo: CalendarDate.optional().describe('Last day, YYYY-MM-DD.'),
    airport: word('Departed from or arrived at: IATA or ICAO code, or a city or name.'),
    from: word('Departed from: IATA or ICAO code, or a city or name.'),
    to: word('Arrived at: IATA or ICAO code, or a city or name.'),
    airline: word('IATA or ICAO code, or a name.'),
    flightNumber: word('Such as SK909; digits alone match any airline.'),
    aircraftReg: word('Registration of the aircraft, such as OY-KAL.'),
    text: word(
      'Part of the note, a passenger’s name, the flight number, the registration or the name of an airport, city, airline or aircraft type.',
    ),
    ...Audience,
    limit: z
      .string()
      .regex(/^[1-9]\d?$|^100$/, 'Must be 1 to 100')
      .transform(Number)
      .default(20)
      .describe('1 to 100, default 20.')
      .meta({ type: 'integer', minimum: 1, maximum: 100 }),
    cursor: cursors.Cursor,
  }),
  output: list(Flight),
  tool: {
    title: 'Find flights',
    description:
      'Find flights in the log by date range, airport, airline, flight number, registration or text. All given filters must match; newest first. Use it for questions about specific flights ("when did I last fly to Tokyo?"); use get_stats for totals. If page.nextCursor is not null, call again with it as cursor for more.',
  },
  check: (call) => requireKnownAudience(call, 'read'),
  cacheKey: async (call) => `${await audienceRevision(call)}/${JSON.stringify(call.input)}`,
  async run(call) {
    const { principal, input, db } = call
    const { limit, cursor = START } = input
    const filter = await filterFrom(call, input)
    const found = await searchFlights(db, audienceOf(principal, input), filter, cursor, limit + 1)
    const page = found.slice(0, limit)
    const last = page.at(-1)
    return {
      data: await showFlights(call, page),
      page: { nextCursor: found.length > limit && last ? cursors.write(last) : null },
    }
  },
})

interface Remembered {
  dateFrom?: string | undefined
  dateTo?: string | undefined
  airport?: string | undefined
  from?: string | undefined
  to?: string | undefined
  airline?: string | undefined
  flightNumber?: string | undefined
  aircraftReg?: string | undefined
  text?: string | undefined
}

async function filterFrom(call: Call, asked: Remembered): Promise<FlightFilter> {
  const digits = asked.flightNumber && bareNumber(asked.flightNumber)
  return {
    dateFrom: asked.dateFrom,
    dateTo: asked.dateTo,
    airportIds: await airportsMeant(call, asked.airport),
    fromIds: await airportsMeant(call, asked.from),
    toIds: await airportsMeant(call, asked.to),
    airlineIds: await airlinesMeant(call, asked.airline),
    flightNumbers: asked.flightNumber && !digits ? flightNumberSpellings(asked.flightNumber) : undefined,
    bareNumber: digits || undefined,
    aircraftReg: asked.aircraftReg?.toUpperCase().replace(/[\s-]/g, ''),
    text: asked.text,
  }
}

/** A code means whatever carries it, closed airports too; anything else is looked up by name. */
async function airportsMeant(
  { db, services, principal }: Call,
  text: string | undefined,
): Promise<number[] | undefined> {
  if (text === undefined) return undefined
  const byCode = await listAirportIdsByCode(db, text)
  if (byCode.length > 0) return byCode.slice(0, MATCHES_AT_MOST)
  const byName = await services.reference.searchAirports(db, principal.revisions.reference, text)
  if (byName.length === 0) throw badRequest(`No airport matches “${text}”`)
  return byName.map(({ id }) => id)
}

async function airlinesMeant({ db, services, principal }: Call, text: string | undefined) {
  if (text === undefined) return undefined
  const byCode = await listAirlineIdsByCode(db, text)
  if (byCode.length > 0) return byCode.slice(0, MATCHES_AT_MOST)
  const byName = await services.reference.searchAirlines(db, principal.revisions.reference, text)
  if (byName.length === 0) throw badRequest(`No airline matches “${text}”`)
  return byName.map(({ id }) => id)
}

// Log

const unknown = (field: string, message: string) => invalid(message, { path: [field], message })

const SpokenTime = z
  .string()
  .trim()
  .refine(isSpokenTime, 'Must be HH:MM or YYYY-MM-DDTHH:MM in local time, or a date-time with UTC offset')
  .optional()
const shortText = z.string().trim().min(1).max(500).optional()

export const logFlight = operation({
  id: 'log-flight',
  method: 'POST',
  path: '/flights/log',
  tag,
  summary: 'Log a flight by codes and local times',
  description:
    'Resolves airport, airline and aircraft codes and the airports’ time zones. With only a flight number, the route is taken from your last flight with that number. A likely duplicate (same day and route, or the same number within two days) is refused with `conflict` unless `confirmDuplicate` is set.',
  access: credentialWith(
    ['flight.read.own', 'flight.create.own', 'reference_data.read'],
    ['flight.passengers.manage.own'],
  ),
  // A misspelt field that is silently ignored loses what the person said.
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
      'Add a past or upcoming flight by airport codes and local times; no ids are needed. Airports, airline, aircraft and time zones are resolved by the server: pass local times as printed on the ticket, without converting them. If it looks like a duplicate, the call is refused and names the existing flight; ask the user before calling again with confirmDuplicate. Tell the user about any warnings in the response.',
  },
  async run(call) {
    const { principal, db } = call
    // Two at once must not both find no duplicate: the counters' rows are theirs one after the other.
    await bumpRevisions(db, [ALL_FLIGHTS, flightsOf(principal.user.id)])
    const draft = await draftFrom(call, call.input)
    if (!call.input.confirmDuplicate) await requireNoDuplicate(call, draft.flight)
    const parsed = FlightInput.safeParse(draft.flight)
    if (!parsed.success) throw refusal(parsed.error.issues.map(toDetail))
    return { data: await addFlight(call, parsed.data), warnings: draft.warnings }
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
  if (date === undefined) throw unknown('date', 'Give the date, or the departure with its date')
  if (departure && departure.date !== date && spoken.date) {
    throw unknown('departure', `The departure falls on ${departure.date}, not on ${spoken.date}`)
  }
  const arrival = spoken.arrival ? readArrival(spoken.arrival, to.timezone, departure, km) : undefined
  if (spoken.arrival && !arrival) {
    throw unknown('arrival', 'Give the departure too, or the arrival with its date (YYYY-MM-DDTHH:MM)')
  }
  warnings.push(...oddities(departure, arrival, km))
  return {
    flight: await fieldsFrom(call, spoken, { from, to, date, departure, arrival, likeLast }, warnings),
    warnings,
  }
}

interface Known {
  from: Airport
  to: Airport
  date: string
  departure: TimeRead | undefined
  arrival: TimeRead | undefined
  likeLast: StoredFlight | undefined
}

async function fieldsFrom(
  call: Call,
  spoken: Spoken,
  { from, to, date, departure, arrival, likeLast }: Known,
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
    aircraftId: await aircraftOf(call, spoken.aircraft),
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
      from: await airportNamed(call, 'from', spoken.from),
      to: await airportNamed(call, 'to', spoken.to),
      likeLast: undefined,
    }
  }
  const missing = spoken.from ? 'to' : 'from'
  if (spoken.from || spoken.to || !spoken.flightNumber) {
    throw unknown(missing, 'Give both airports, or a flight number that is in the log already')
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
    throw unknown(
      'from',
      `No earlier flight ${spoken.flightNumber} in the log tells the route; give from and to`,
    )
  }
  warnings.push(`The route ${codeOf(from)}–${codeOf(to)} was taken from the flight of ${likeLast.date}.`)
  return { from, to, likeLast }
}

async function airportNamed(
  { db, services, principal }: Call,
  field: string,
  text: string,
): Promise<Airport> {
  const byCode = await findAirportByCode(db, text)
  if (byCode) return byCode
  const matches = await services.reference.searchAirports(db, principal.revisions.reference, text)
  return theOnly(field, 'airport', text, matches, (airport) => `${codeOf(airport)} ${airport.name}`)
}

/** Given, else as the number says, else as on the last flight of that number. */
async function airlineOf(
  { db, services, principal }: Call,
  { airline, flightNumber }: Spoken,
  likeLast: StoredFlight | undefined,
  warnings: string[],
): Promise<number | null> {
  if (airline) {
    const byCode = await findAirlineByCode(db, airline)
    if (byCode) return byCode.id
    const matches = await services.reference.searchAirlines(db, principal.revisions.reference, airline)
    return theOnly(
      'airline',
      'airline',
      airline,
      matches,
      ({ icao, iata, name }) => `${iata ?? icao ?? ''} ${name}`,
    ).id
  }
  if (likeLast?.airlineId) return likeLast.airlineId
  const code = flightNumber && parseFlightNumber(flightNumber)?.airlineCode
  const byNumber = code ? await findAirlineByCode(db, code) : undefined
  if (code && !byNumber) warnings.push(`No airline has the code ${code}; the flight was logged without one.`)
  return byNumber?.id ?? null
}

async function aircraftOf(
  { db, services, principal }: Call,
  text: string | undefined,
): Promise<number | null> {
  if (!text) return null
  const byCode = await findAircraftByCode(db, text)
  if (byCode) return byCode.id
  const matches = await services.reference.searchAircraft(db, principal.revisions.reference, text)
  return theOnly('aircraft', 'aircraft type', text, matches, ({ icao, name }) => `${icao ?? ''} ${name}`).id
}

const CANDIDATES_SHOWN = 5

/** The one thing a name means; several are listed, so that the next call can name one by its code. */
function theOnly<Item extends { name: string }>(
  field: string,
  kind: string,
  text: string,
  matches: readonly Item[],
  show: (item: Item) => string,
): Item {
  const sameName = matches.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  const [only, ...others] = sameName.length === 1 ? sameName : matches
  if (!only) throw unknown(field, `No ${kind} matches “${text}”`)
  if (others.length > 0) {
    const candidates = matches.slice(0, CANDIDATES_SHOWN).map(show).join(', ')
    throw unknown(
      field,
      `“${text}” may mean ${candidates}${matches.length > CANDIDATES_SHOWN ? ', …' : ''}; give the code`,
    )
  }
  return only
}

function oddities(departure: TimeRead | undefined, arrival: TimeRead | undefined, km: number): string[] {
  const warnings = [departure?.warning, arrival?.warning].flatMap((warning) => warning ?? [])
  if (!departure || !arrival) return warnings
  const hours = (arrival.instant - departure.instant) / 3_600_000
  if (hours > 24) warnings.push(`The flight would take ${Math.round(hours)} hours; check the times.`)
  else if (hours > 0 && km / hours > 1200) {
    warnings.push(`The average speed would be ${Math.round(km / hours)} km/h; check the times.`)
  }
  return warnings
}

// Duplicates

const DAYS_AROUND = 2

/** The same day and route, or the same number within two days: most likely it is in the log already. */
async function requireNoDuplicate(call: Call, draft: FlightDraft): Promise<void> {
  const { date, fromId, toId, flightNumber } = draft
  const near = await searchFlights(
    call.db,
    call.principal.user.id,
    { dateFrom: addDays(date, -DAYS_AROUND), dateTo: addDays(date, DAYS_AROUND) },
    START,
    200,
  )
  const number = flightNumber ? canonicalFlightNumber(flightNumber) : undefined
  const alike = near.filter(
    (flight) =>
      (flight.date === date && flight.fromId === fromId && flight.toId === toId) ||
      (number !== undefined &&
        flight.flightNumber !== null &&
        canonicalFlightNumber(flight.flightNumber) === number),
  )
  if (alike.length === 0) return
  const { airports } = await recordsOf(call, call.principal.revisions.reference, alike)
  const place = (id: number | null) => (id === null ? '?' : codeOf(airports.get(id)))
  throw new AppError('conflict', 'This looks like a duplicate. Set confirmDuplicate to log it all the same', {
    details: alike.map((flight) => ({
      code: 'custom',
      path: ['confirmDuplicate'],
      message: `Flight ${flight.id}: ${flight.date} ${place(flight.fromId)}–${place(flight.toId)}${flight.flightNumber ? ` ${flight.flightNumber}` : ''}`,
    })),
  })
}

const codeOf = (airport: Airport | undefined): string => airport?.iata ?? airport?.icao ?? '?'

/** What the whole flight's rules object to, in the words of this operation's fields. */
const refusal = (details: ErrorDetail[]) =>
  new AppError('validation_failed', 'Request validation failed', {
    details: details.map((detail) => ({
      ...detail,
      path: detail.path[0] === 'passengers' ? ['companions'] : detail.path,
    })),
  })
