// Finding flights by what a person remembers of them. Made for AI assistants; scripts use it too.
import * as z from 'zod'
import { badRequest } from '../base/errors.ts'
import { because } from '../base/validation.ts'
import { bareNumber, flightNumberSpellings } from '../domain/flight-number.ts'
import { problem } from '../domain/reasons.ts'
import { type Call, credentialWith, operation } from '../operation.ts'
import { airlines, airports, resolveAll } from '../resolve/reference.ts'
import { type FlightFilter, searchFlights } from '../store/flight-search.ts'
import { START } from '../store/flights.ts'
import { audienceOf, audienceRevision, requireKnownAudience } from './audience.ts'
import { createCursors } from './cursors.ts'
import { showFlights } from './flight-view.ts'
import { sourceOf } from './reference-data.ts'
import { Audience, CalendarDate, Flight, list } from './schemas.ts'

const cursors = createCursors('s1')

const searchWords = (description: string) =>
  z.string().trim().min(1).max(200).optional().describe(description)

export const findFlights = operation({
  id: 'find-flights',
  method: 'GET',
  path: '/flights/search',
  tag: 'Flights',
  summary: 'Find flights',
  description:
    'Flights that match all given filters, newest first. Airports and airlines are given by code or name.',
  access: credentialWith(['flight.read.own', 'reference_data.read'], ['flight.read.any']),
  query: z.object({
    dateFrom: CalendarDate.optional().describe('First day, YYYY-MM-DD.'),
    dateTo: CalendarDate.optional().describe('Last day, YYYY-MM-DD.'),
    airport: searchWords('Departed from or arrived at: IATA or ICAO code, or a city or name.'),
    from: searchWords('Departed from: IATA or ICAO code, or a city or name.'),
    to: searchWords('Arrived at: IATA or ICAO code, or a city or name.'),
    airline: searchWords('IATA or ICAO code, or a name.'),
    flightNumber: searchWords('Such as SK909; digits alone match any airline.'),
    aircraftReg: searchWords('Registration of the aircraft, such as OY-KAL.'),
    text: searchWords(
      'Part of the note, a passenger’s name, a flight number, the booking reference, the registration or the name of an airport, city, airline or aircraft type.',
    ),
    ...Audience,
    limit: z
      .string()
      .regex(/^[1-9]\d?$|^100$/, because('limit_out_of_range'))
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

interface Given {
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

async function filterFrom(call: Call, given: Given): Promise<FlightFilter> {
  const digits = given.flightNumber && bareNumber(given.flightNumber)
  return {
    dateFrom: given.dateFrom,
    dateTo: given.dateTo,
    airportIds: await requireAirports(call, given.airport),
    fromIds: await requireAirports(call, given.from),
    toIds: await requireAirports(call, given.to),
    airlineIds: await requireAirlines(call, given.airline),
    flightNumbers: given.flightNumber && !digits ? flightNumberSpellings(given.flightNumber) : undefined,
    bareNumber: digits || undefined,
    aircraftReg: given.aircraftReg?.toUpperCase().replace(/[\s-]/g, ''),
    text: given.text,
  }
}

async function requireAirports(call: Call, text: string | undefined): Promise<number[] | undefined> {
  if (text === undefined) return undefined
  const ids = await resolveAll(sourceOf(call), airports, text)
  const found = ids.length > 0 ? ids : await nearMisses(call, 'searchAirports', text)
  if (found.length === 0) throw badRequest(problem('no_airport_matches', { text }))
  return found
}

async function requireAirlines(call: Call, text: string | undefined): Promise<number[] | undefined> {
  if (text === undefined) return undefined
  const ids = await resolveAll(sourceOf(call), airlines, text)
  const found = ids.length > 0 ? ids : await nearMisses(call, 'searchAirlines', text)
  if (found.length === 0) throw badRequest(problem('no_airline_matches', { text }))
  return found
}

/** A mistyped name finds flights too: nothing is written, and the flights show which airport was taken. */
async function nearMisses(
  { db, services, principal }: Call,
  search: 'searchAirports' | 'searchAirlines',
  text: string,
): Promise<number[]> {
  const { reference } = principal.revisions
  return (await services.reference[search](db, reference, text, { nearMisses: true })).map(({ id }) => id)
}
