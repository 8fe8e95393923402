// Flights: list, read, log, replace, delete. writing.ts has the writes and the order of their checks.

import { notFound } from '../../base/errors.ts'
import type { Scope } from '../../domain/access/access.ts'
import { flightTag } from '../../domain/flights/conditions.ts'
import { type Call, credentialWith, operation, takes } from '../../door/operation.ts'
import { requireFlightAccess } from '../../services/access/principal.ts'
import { findDeletedFlights } from '../../store/flights/bin.ts'
import { externalIdsIn, findFlightRows, foldRows, type ViewedRow } from '../../store/flights/flights.ts'
import {
  Audience,
  Flight,
  FlightPatch,
  Limit,
  list,
  nothing,
  pathId,
  single,
  strictQuery,
  Truth,
} from '../wire/schemas.ts'
import { ownRevision, requireKnownAudience } from './audience.ts'
import { createFlightCursors } from './cursors.ts'
import {
  filterNames,
  filterOf,
  flightFilterShape,
  listSelected,
  listSelectedRows,
  Order,
  selectionOf,
  selectionRevision,
} from './filters.ts'
import { FlightInput } from './input.ts'
import { flightAsText, flightsAsText, groupByFlight } from './json-text.ts'
import { removeFlight } from './removal.ts'
import { type FlightView, showFlight, showFlights } from './view.ts'
import { addFlight, changeFlight, reachOf, recordsSeen, replaceFlight, requireCurrent } from './writing.ts'

const tag = 'Flights'

/** For the API reference; Copenhagen and New York by their ids. */
const flightExample = {
  date: '2026-03-01',
  fromId: 2542,
  toId: 3622,
  departure: '2026-03-01T12:20:00+01:00',
  arrival: '2026-03-01T15:05:00-05:00',
  flightNumber: 'SK915',
}

const cursors = createFlightCursors('f1')

export const listFlights = operation({
  id: 'list-flights',
  method: 'GET',
  path: '/flights',
  tag,
  summary: 'List flights',
  description:
    'By date and id, newest first unless `order` says otherwise. Flights match all given filters; a filter by code may be repeated, and one of its values must match. Airports, airlines and aircraft types are given by code or id (digits alone are an id); a code means everything that has or had it. Pages stay stable while flights are added and deleted; a cursor is valid with the same filters and order only.',
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
    isForPrograms: true,
    title: 'List flights',
    lines: ['data[]'],
    // Assistants use find_flights for filtered lists.
    without: [...filterNames, 'order'],
    description:
      'Page through flights, newest first, including upcoming ones. Use it to read the whole log or the latest flights; use find_flights to look for specific ones. If page.nextCursor is not null, call again with it as cursor. scope=user and scope=all need a wider permission. Booking references and prices only with includeBooking.',
    showsBookings: true,
  },
  check: (call) => requireKnownAudience(call, 'read'),
  cached: {
    key: async (call) => {
      const { limit, cursor } = call.input
      return `${await selectionRevision(call)}/${limit}/${cursor ? cursors.write(cursor) : ''}`
    },
    seldom: true,
  },
  async run(call) {
    const { limit, cursor } = call.input
    const selection = selectionOf(call.input)
    const place = cursors.placeIn(selection, cursor)
    const found = await listSelected(call, await filterOf(call), selection.order, place, limit + 1)
    const { rows, nextCursor } = cursors.cut(selection, found, limit)
    return { data: await showFlights(call, rows), page: { nextCursor } }
  },
  sends: {
    async jsonText(call) {
      const { limit, cursor } = call.input
      const selection = selectionOf(call.input)
      const place = cursors.placeIn(selection, cursor)
      const found = groupByFlight(
        await listSelectedRows(call, await filterOf(call), selection.order, place, limit + 1),
      )
      const { nextCursor } = cursors.cut(
        selection,
        found.map(([row]) => row!),
        limit,
      )
      const data = await flightsAsText(call, found.slice(0, limit))
      return `{"data":${data},"page":{"nextCursor":${JSON.stringify(nextCursor)}}}`
    },
  },
})

export const getFlight = operation({
  id: 'get-flight',
  method: 'GET',
  path: '/flights/{id}',
  tag,
  summary: 'Read a flight',
  example: { params: { id: 1 } },
  access: credentialWith(['flight.read.own'], ['flight.read.any']),
  params: pathId,
  output: single(Flight),
  target: { conditional: true },
  errors: ['not_found'],
  tool: {
    title: 'Read a flight',
    lines: ['data'],
    description:
      'One flight by id with all its fields: aircraft, registration, gates, whole note, custom fields, version. Booking reference and price only with includeBooking.',
    showsBookings: true,
  },
  cached: { key: ({ principal, input }) => `${ownRevision(principal)}/${input.id}`, seldom: true },
  run: (call) => readFlight(call, call.input.id),
  sends: {
    jsonText: async (call) => `{"data":${await flightAsText(call, await readRows(call, call.input.id))}}`,
  },
})

/** With the tag of its state. */
export async function readFlight(call: Call, id: number): Promise<{ data: FlightView }> {
  const rows = await readRows(call, id)
  return { data: await showFlight(call, foldRows(rows)[0]!, externalIdsIn(rows[0]!)) }
}

async function readRows({ principal, db, validator }: Call, id: number): Promise<ViewedRow[]> {
  const rows = await findFlightRows(db, { id, viewer: principal.user.id })
  const reach = reachOf(principal, { passengers: rows })
  requireFlightAccess(principal, 'read', reach)
  const [row] = rows
  if (!row) throw notFound('Flight')
  validator.tag = flightTag(row)
  // A renamed person or a corrected airport changes what a flight shows, but not the flight itself.
  validator.isComplete = reach === 'own' && row.seenRecords === recordsSeen(principal)
  validator.isKeyed = reach === 'own'
  return rows
}

export const writeConditions: Scope[] = [
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
  example: { body: flightExample },
  access: credentialWith(['flight.create.own'], ['flight.create.any', ...writeConditions]),
  body: takes(FlightInput, { size: 'track' }),
  transaction: 'recorded last',
  output: single(Flight),
  status: 201,
  location: ({ data }) => `/flights/${data.id}`,
  target: { conditional: true },
  tool: {
    isForPrograms: true,
    title: 'Log a flight by ids',
    lines: ['data'],
    without: ['externalIds'],
    description:
      'Add a flight with full control over every field. Airports, airline and aircraft type are ids from the search tools; date-times need the UTC offset of the airport; passengers may be omitted if the user flew alone, otherwise each is given by userId (see get_me and list_flights) or guestName. It does not check for duplicates: prefer log_flight, which does and takes codes and local times.',
  },
  run: async (call) => tagged(call, await addFlight(call, call.input)),
})

/** A written flight, with the tag of its new state. */
export function tagged(call: Pick<Call, 'validator'>, data: FlightView): { data: FlightView } {
  call.validator.tag = flightTag(data)
  return { data }
}

export const updateFlight = operation({
  id: 'update-flight',
  method: 'PUT',
  path: '/flights/{id}',
  tag,
  summary: 'Replace a flight',
  example: { params: { id: 1 }, body: { ...flightExample, note: 'Aisle seat, on time' } },
  description:
    'Replaces the whole flight: an omitted optional field becomes null. Only `passengers`, `track`, `customFields`, `outcome`, `plannedToId`, `bookingReference`, `operatingAirlineId`, `operatingFlightNumber` and `price` keep their stored values when omitted. A flight as it was read is accepted. People who were added but have not kept the flight cannot be its only passengers.',
  access: credentialWith(['flight.update.own'], ['flight.update.any', ...writeConditions]),
  params: pathId,
  body: takes(FlightInput, { size: 'track' }),
  transaction: 'recorded last',
  output: single(Flight),
  target: {
    requireState: async (call) => void (await requireCurrent(call, call.input.id)),
    conditional: true,
  },
  errors: ['not_found'],
  tool: {
    isForPrograms: true,
    title: 'Replace a flight',
    lines: ['data'],
    destructive: true,
    description:
      'Replace the whole flight: omitted fields become empty, except passengers, track, customFields, outcome and those of the booking. Read it with get_flight, change what is needed and send everything back, with the version you read as ifVersion: fromId, toId, airlineId and aircraftId are the ids of from, to, airline and aircraft; each passenger keeps its id, and its user becomes userId.',
  },
  run: async (call) => tagged(call, (await replaceFlight(call, call.input.id, call.input)).flight),
})

export const patchFlight = operation({
  id: 'patch-flight',
  method: 'PATCH',
  path: '/flights/{id}',
  tag,
  summary: 'Change some fields of a flight',
  example: { params: { id: 1 }, body: { note: 'Window seat', departureGate: 'C27' } },
  description:
    'A JSON merge patch (RFC 7396): an omitted field keeps its value, null clears it, a list replaces the whole list. A duration that follows from departure and arrival is computed again when they change.',
  access: credentialWith(['flight.update.own'], ['flight.update.any', ...writeConditions]),
  params: pathId,
  body: takes(FlightPatch, {
    size: 'track',
    mediaTypes: ['application/merge-patch+json', 'application/json'],
  }),
  transaction: 'recorded last',
  output: single(Flight),
  target: {
    requireState: async (call) => void (await requireCurrent(call, call.input.id)),
    conditional: true,
  },
  errors: ['not_found'],
  async run(call) {
    const { id, ...patch } = call.input
    return tagged(call, (await changeFlight(call, id, patch)).flight)
  },
})

const LEFT =
  'Another person had added the user, so they left the flight. It stays in the logs of the others. To rejoin it, use undo with this changeId.'

export const deleteFlight = operation({
  id: 'delete-flight',
  method: 'DELETE',
  path: '/flights/{id}',
  tag,
  summary: 'Delete a flight',
  example: { params: { id: 3 } },
  description:
    'Moves the flight to the bin for everyone on it, where it can be restored for 30 days. If another person added you and you have not kept the flight, you leave it instead, and it stays with the others. The other people on it are notified.',
  access: credentialWith(['flight.delete.own'], ['flight.delete.any']),
  params: pathId,
  query: strictQuery({
    permanently: Truth.default(false).describe(
      'true: delete permanently, even if already deleted. Cannot be restored. Only for a flight that no other user is on, or with `flight.delete.any`; otherwise 409 `conflict`.',
    ),
  }),
  output: nothing,
  status: 204,
  target: { conditional: true },
  errors: ['not_found', 'conflict'],
  tool: {
    title: 'Delete a flight',
    destructive: true,
    description:
      'Delete a flight for everyone on it; ask the person first. It stays in the bin for 30 days: undo or restore_flight takes it back. A person who was added by someone else and has not kept the flight leaves it instead.',
    without: ['permanently'],
    lines: ['data.flight'],
    tells: async (call) => {
      const [flight] = await showFlights(call, await findDeletedFlights(call.db, [call.input.id]))
      return flight ? { flight } : { message: LEFT }
    },
    // For a flight in the bin.
    note: 'It is in the bin for 30 days. To restore it, use undo with this changeId, or restore_flight.',
  },
  run: (call) => removeFlight(call, call.input.id, call.input.permanently),
})
