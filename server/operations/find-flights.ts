// Finding flights by what a person remembers of them. Made for AI assistants; scripts use it too.
import * as z from 'zod'
import { because } from '../base/validation.ts'
import { credentialWith, operation } from '../operation.ts'
import { requireKnownAudience } from './audience.ts'
import { createFlightCursors } from './cursors.ts'
import {
  filterReader,
  filtersForPrograms,
  flightFilterShape,
  listSelected,
  Order,
  resolveFilters,
  selectionOf,
  selectionRevision,
} from './flight-filters.ts'
import { showFlights } from './flight-view.ts'
import { Audience, Flight, list, strictQuery } from './schemas.ts'

const cursors = createFlightCursors('s1')

/** The same filter, which takes names too. */
const byName = (name: 'airport' | 'from' | 'to' | 'airline' | 'aircraft', description: string) =>
  flightFilterShape[name].describe(description)

export const findFlights = operation({
  id: 'find-flights',
  method: 'GET',
  path: '/flights/search',
  tag: 'Flights',
  summary: 'Find flights',
  example: { query: { text: 'Copenhagen' } },
  description:
    'Flights that match all given filters, which are those of `GET /flights`. Airports, airlines and aircraft types may also be given by name.',
  access: credentialWith(['flight.read.own', 'reference_data.read'], ['flight.read.any']),
  query: strictQuery({
    ...flightFilterShape,
    airport: byName('airport', 'Departed from or arrived at: code, city or name.'),
    from: byName('from', 'Departed from: code, city or name.'),
    to: byName('to', 'Arrived at: code, city or name.'),
    airline: byName('airline', 'Code or name.'),
    aircraft: byName('aircraft', 'Type, by code or name.'),
    text: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'Part of the note, a flight number, registration, booking reference, or the name of a passenger, airport, city, airline or aircraft type.',
      ),
    order: Order,
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
    lines: ['data[]'],
    without: [...filtersForPrograms, 'seatClass', 'reason'],
    description:
      'Find flights in the log by date range, airport, airline, flight number, registration or text. All given filters must match; newest first. Use it for questions about specific flights ("when did I last fly to Tokyo?"); use get_stats for totals. If page.nextCursor is not null, call again with it as cursor for more.',
  },
  check: (call) => requireKnownAudience(call, 'read'),
  cacheKey: async (call) => {
    const { limit, cursor } = call.input
    return `${await selectionRevision(call)}/${limit}/${cursor ? cursors.write(cursor) : ''}`
  },
  async run(call) {
    const { limit, cursor } = call.input
    const selection = selectionOf(call.input)
    const place = cursors.placeIn(selection, cursor)
    const filter = await resolveFilters({ ...filterReader(call), takesNames: true }, selection.filters ?? {})
    const found = await listSelected(call, filter, selection.order, place, limit + 1)
    const { rows, nextCursor } = cursors.cut(selection, found, limit)
    return { data: await showFlights(call, rows), page: { nextCursor } }
  },
})
