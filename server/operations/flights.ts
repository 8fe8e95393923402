// Flights: list, read, log, replace, delete. How one is written, and in which order a write is checked, is in
// flight-writing.ts.
import * as z from 'zod'
import { requireFlightAccess } from '../auth/principal.ts'
import { notFound } from '../base/errors.ts'
import type { Scope } from '../domain/access.ts'
import { credentialWith, operation } from '../operation.ts'
import { findFlight } from '../store/flights.ts'
import { requireKnownAudience } from './audience.ts'
import { createFlightCursors } from './cursors.ts'
import {
  filterNames,
  filterOf,
  flightFilterShape,
  listSelected,
  Order,
  selectionOf,
  selectionRevision,
} from './flight-filters.ts'
import { FlightInput } from './flight-input.ts'
import { showFlight, showFlights } from './flight-view.ts'
import { addFlight, reachOf, removeFlight, replaceFlight } from './flight-writing.ts'
import { Audience, Flight, Limit, list, nothing, pathId, single, strictQuery } from './schemas.ts'

const tag = 'Flights'

const cursors = createFlightCursors('f1')

export const listFlights = operation({
  id: 'list-flights',
  method: 'GET',
  path: '/flights',
  tag,
  summary: 'List flights',
  description:
    'By date and id, newest first unless `order` says otherwise. Flights match all given filters. Airports, airlines and aircraft types are given by code or id (digits alone are an id); a code means everything that has or had it. Pages stay stable while flights are added and deleted; a cursor is valid with the same filters and order only.',
  access: credentialWith(['flight.read.own'], ['flight.read.any']),
  query: strictQuery({
    ...Audience,
    limit: Limit,
    cursor: cursors.Cursor,
    ...flightFilterShape,
    order: Order,
  }),
  output: list(Flight),
  tool: {
    title: 'List flights',
    // An assistant that looks for certain flights uses find_flights.
    without: [...filterNames, 'order'],
    description:
      'Page through flights, newest first, including upcoming ones. Use it to read the whole log or the latest flights; use find_flights to look for specific ones. If page.nextCursor is not null, call again with it as cursor. scope=user and scope=all need a wider permission.',
  },
  check: (call) => requireKnownAudience(call, 'read'),
  cacheKey: async (call) => {
    const { limit, cursor } = call.input
    const revision = await selectionRevision(call)
    return `${revision}/${limit}/${cursor ? cursors.write(cursor) : ''}`
  },
  isSeldomRepeated: true,
  async run(call) {
    const { limit, cursor } = call.input
    const selection = selectionOf(call.input)
    const place = cursors.placeIn(selection, cursor)
    const found = await listSelected(call, await filterOf(call), selection.order, place, limit + 1)
    const { rows, nextCursor } = cursors.cut(selection, found, limit)
    return { data: await showFlights(call, rows), page: { nextCursor } }
  },
})

export const getFlight = operation({
  id: 'get-flight',
  method: 'GET',
  path: '/flights/{id}',
  tag,
  summary: 'Read a flight',
  access: credentialWith(['flight.read.own'], ['flight.read.any']),
  params: pathId,
  output: single(Flight),
  errors: ['not_found'],
  tool: {
    title: 'Read a flight',
    description: 'One flight by id with all its fields. Call it before update_flight.',
  },
  async run(call) {
    const flight = await findFlight(call.db, call.input.id)
    requireFlightAccess(call.principal, 'read', reachOf(call.principal, flight))
    if (!flight) throw notFound('Flight')
    return { data: await showFlight(call, flight) }
  },
})

const writeConditions: Scope[] = [
  'flight.passengers.manage.own',
  'flight.passengers.manage.any',
  'tracks.write',
]

export const createFlight = operation({
  id: 'create-flight',
  method: 'POST',
  path: '/flights',
  tag,
  summary: 'Log a flight',
  access: credentialWith(['flight.create.own'], ['flight.create.any', ...writeConditions]),
  body: FlightInput,
  output: single(Flight),
  status: 201,
  location: ({ data }) => `/flights/${data.id}`,
  tool: {
    title: 'Log a flight by ids',
    description:
      'Add a flight with full control over every field. Airports, airline and aircraft type are ids from the search tools; date-times need the UTC offset of the airport; passengers may be omitted if the user flew alone, otherwise each is given by userId (see get_me and list_flights) or guestName. It does not check for duplicates: prefer log_flight, which does and takes codes and local times.',
  },
  run: async (call) => ({ data: await addFlight(call, call.input) }),
})

export const updateFlight = operation({
  id: 'update-flight',
  method: 'PUT',
  path: '/flights/{id}',
  tag,
  summary: 'Replace a flight',
  description:
    'Replaces the whole flight: an omitted optional field becomes null. Only `passengers`, `track` and `customFields` keep their stored values when omitted. People who were added but have not kept the flight cannot be its only passengers.',
  access: credentialWith(['flight.update.own'], ['flight.update.any', ...writeConditions]),
  params: pathId,
  body: FlightInput,
  output: single(Flight),
  errors: ['not_found'],
  tool: {
    title: 'Replace a flight',
    destructive: true,
    description:
      'Replace the whole flight: omitted fields become empty, except passengers, track and customFields. Read it with get_flight, change what is needed and send everything back: fromId, toId, airlineId and aircraftId are the ids of from, to, airline and aircraft; each passenger keeps its id, and its user becomes userId.',
  },
  run: async (call) => ({ data: (await replaceFlight(call, call.input.id, call.input)).flight }),
})

export const deleteFlight = operation({
  id: 'delete-flight',
  method: 'DELETE',
  path: '/flights/{id}',
  tag,
  summary: 'Delete a flight',
  description: 'Deletes the flight for everyone on it. It can be restored for 30 days.',
  access: credentialWith(['flight.delete.own'], ['flight.delete.any']),
  params: pathId,
  query: strictQuery({
    permanently: z
      .enum(['true', 'false'], 'permanently must be true or false')
      .transform((text) => text === 'true')
      .default(false)
      .describe('true: delete permanently, even if already deleted. Cannot be restored.')
      .meta({ type: 'boolean' }),
  }),
  output: nothing,
  status: 204,
  errors: ['not_found'],
  tool: {
    title: 'Delete a flight',
    destructive: true,
    description:
      'Delete a flight for everyone on it; ask the user first. restore_flight can restore it for 30 days.',
    without: ['permanently'],
    note: 'restore_flight can restore it for 30 days.',
  },
  run: (call) => removeFlight(call, call.input.id, call.input.permanently),
})
