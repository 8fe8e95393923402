// Trips: a person's own selections of their flights, with a name, a note and a colour. A trip only holds flights that
// its owner is on, and each flight is in at most one trip.
import * as z from 'zod'
import { AppError, invalid, notFound } from '../../base/errors.ts'
import { because } from '../../base/request/validation.ts'
import {
  TRIP_FLIGHTS_AT_MOST,
  TRIP_NAME_AT_MOST,
  TRIP_NOTE_AT_MOST,
  TRIPS_AT_MOST,
} from '../../domain/limits.ts'
import { problem } from '../../domain/reasons.ts'
import { RowId } from '../../domain/row-id.ts'
import { nameFault } from '../../domain/text/names.ts'
import { byDeparture } from '../../domain/trips/journey.ts'
import { tripColours } from '../../domain/trips/trip.ts'
import { type Call, credentialWith, operation, takes } from '../../door/operation.ts'
import { type LogFlight, listLogFlights } from '../../store/flights/log.ts'
import { recordChanges } from '../../store/history/changes.ts'
import { listSharesOfTrip } from '../../store/sharing/shares.ts'
import type { Executor } from '../../store/store.ts'
import {
  deleteFromTrip,
  deleteTrip as deleteStoredTrip,
  findTrip,
  insertTrip,
  listFlightsOfTrip,
  listOwnAmong,
  listTrips as listStoredTrips,
  listTripFlights,
  lockTrips,
  moveIntoTrip,
  type Trip as StoredTrip,
  updateTrip as updateStoredTrip,
  updateTripMoments,
} from '../../store/trips/trips.ts'
import { flownLog } from '../flights/flown.ts'
import { list, nothing, onePage, pathId, single, timestamp } from '../wire/schemas.ts'
import { legOf } from './journeys.ts'

const tag = 'Personal data'
const reading = credentialWith(['flight.read.own'])
const writing = credentialWith(['flight.read.own', 'flight.update.own'])

export const Trip = z
  .object({
    id: RowId,
    name: z.string(),
    note: z.string().nullable(),
    colour: z.enum(tripColours),
    flightIds: z
      .array(RowId)
      .describe(
        'In the order in which they are flown. A deleted flight is left out until it is restored, and so is one that you are no longer on.',
      ),
    createdAt: timestamp('When it was created.'),
    updatedAt: timestamp('When its name, note, colour or flights were last changed.'),
  })
  .meta({ id: 'Trip' })

/** Strangers see it with the owner's name on the page of a share. */
const name = z
  .string()
  .trim()
  .min(1)
  .max(TRIP_NAME_AT_MOST)
  .superRefine((text, context) => {
    const fault = nameFault(text)
    if (fault) context.addIssue(because(fault))
  })
const note = z
  .string()
  .trim()
  .max(TRIP_NOTE_AT_MOST)
  .transform((text) => text || null)
  .nullable()
  .describe('For you alone: shares never show it.')
const colour = z.enum(tripColours)
const flightIds = z
  .array(RowId)
  .max(TRIP_FLIGHTS_AT_MOST)
  .describe('Flights that you are on. One that is in another of your trips moves here.')

const TripInput = z
  .strictObject({
    name,
    note: note.default(null),
    colour: colour.default('blue'),
    flightIds: flightIds.default([]),
  })
  .meta({ id: 'TripInput' })

const TripPatch = z
  .strictObject({
    name: name.optional(),
    note: note.optional(),
    colour: colour.optional(),
    flightIds: flightIds.optional().describe('All flights of the trip, in any order.'),
    addFlightIds: flightIds.optional(),
    removeFlightIds: flightIds.optional().describe('Flights that leave the trip. They stay in your log.'),
  })
  .refine(
    ({ flightIds, addFlightIds, removeFlightIds }) =>
      flightIds === undefined || (addFlightIds === undefined && removeFlightIds === undefined),
    { path: ['flightIds'], message: because('flights_or_changes') },
  )
  .meta({ id: 'TripPatch' })
type TripPatch = z.output<typeof TripPatch>

export const listTrips = operation({
  id: 'list-trips',
  method: 'GET',
  path: '/trips',
  tag,
  summary: 'List your trips',
  description: 'Newest first, with the ids of their flights.',
  access: reading,
  output: list(Trip),
  run: async (call) => onePage(await listShownTrips(call)),
})

export const getTrip = operation({
  id: 'get-trip',
  method: 'GET',
  path: '/trips/{id}',
  tag,
  summary: 'Read a trip',
  example: { params: { id: 1 } },
  access: reading,
  params: pathId,
  output: single(Trip),
  errors: ['not_found'],
  target: { find: ownTrip },
  run: async (call) => ({ data: await shownTrip(call, call.target) }),
})

export const createTrip = operation({
  id: 'create-trip',
  method: 'POST',
  path: '/trips',
  tag,
  summary: 'Create a trip',
  description:
    'A selection of your flights under a name. It stays when flights change, and also without any.',
  example: { body: { name: 'New York in winter', colour: 'teal', flightIds: [1] } },
  access: writing,
  body: takes(TripInput, { size: 'long' }),
  output: single(Trip),
  status: 201,
  errors: ['conflict'],
  location: ({ data }) => `/trips/${data.id}`,
  async run(call) {
    const { principal, input, db, now } = call
    const { id: userId } = principal.user
    await requireOwnFlights(call, { flightIds: input.flightIds })
    await lockTrips(db, userId)
    if ((await listStoredTrips(db, { userId })).length >= TRIPS_AT_MOST) {
      throw new AppError('conflict', problem('too_many_trips', { max: TRIPS_AT_MOST }))
    }
    const at = now.toISOString()
    const trip = await insertTrip(db, userId, input, at)
    const others = await moveIntoTrip(db, userId, trip.id, [...new Set(input.flightIds)])
    await updateTripMoments(db, userId, others, at)
    await recordChanges(
      db,
      userId,
      [...updatesOf(others), { type: 'trip', id: trip.id, kind: 'created' }],
      at,
    )
    return { data: await shownTrip(call, trip) }
  },
})

export const updateTrip = operation({
  id: 'update-trip',
  method: 'PATCH',
  path: '/trips/{id}',
  tag,
  summary: 'Change a trip',
  description:
    'What is left out stays. `addFlightIds` and `removeFlightIds` change the flights without naming the others, so that two people or programs that add flights at the same time lose nothing.',
  example: { params: { id: 1 }, body: { name: 'New York, twice', addFlightIds: [4] } },
  access: writing,
  params: pathId,
  body: takes(TripPatch, { size: 'long' }),
  output: single(Trip),
  errors: ['not_found', 'conflict'],
  target: { find: ownTrip },
  async run(call) {
    const { principal, input, target, db, now } = call
    const { id: userId } = principal.user
    const { flightIds, addFlightIds } = input
    await requireOwnFlights(call, { flightIds, addFlightIds })
    await lockTrips(db, userId)
    const before = await findTrip(db, { userId, id: target.id })
    if (!before) throw notFound('Trip')
    const flights = await flightChanges(db, userId, target.id, input)
    const { name = before.name, note = before.note, colour = before.colour } = input
    const isSame = name === before.name && note === before.note && colour === before.colour
    if (isSame && flights.added.length + flights.removed.length === 0) {
      return { data: await shownTrip(call, before) }
    }
    const at = now.toISOString()
    const trip = (await updateStoredTrip(db, userId, target.id, { name, note, colour }, at))!
    await deleteFromTrip(db, flights.removed, { userId, tripId: target.id })
    const others = await moveIntoTrip(db, userId, target.id, flights.added)
    await updateTripMoments(db, userId, others, at)
    await recordChanges(
      db,
      userId,
      [...updatesOf(others), { type: 'trip', id: trip.id, kind: 'updated' }],
      at,
    )
    return { data: await shownTrip(call, trip) }
  },
})

export const deleteTrip = operation({
  id: 'delete-trip',
  method: 'DELETE',
  path: '/trips/{id}',
  tag,
  summary: 'Delete a trip',
  description: 'Its flights stay in your log. Its shares are deleted with it.',
  example: { params: { id: 2 } },
  access: writing,
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
  async run(call) {
    await lockTrips(call.db, call.principal.user.id)
    if (!(await removeTrip(call, call.input.id))) throw notFound('Trip')
  },
})

/** Also deletes its shares. False if the caller has no such trip. */
export async function removeTrip(
  { principal, db, now }: Pick<Call, 'principal' | 'db' | 'now'>,
  id: number,
): Promise<boolean> {
  const { id: userId } = principal.user
  const shares = await listSharesOfTrip(db, { userId, tripId: id })
  if (!(await deleteStoredTrip(db, { userId, id }))) return false
  await recordChanges(
    db,
    userId,
    [
      ...shares.map((share) => ({ type: 'share', id: share.id, kind: 'deleted' }) as const),
      { type: 'trip', id, kind: 'deleted' },
    ],
    now.toISOString(),
  )
  return true
}

async function ownTrip({ principal, input, db }: Call<{ id: number }>): Promise<StoredTrip> {
  const trip = await findTrip(db, { userId: principal.user.id, id: input.id })
  if (!trip) throw notFound('Trip')
  return trip
}

const updatesOf = (tripIds: readonly number[]) =>
  tripIds.map((id) => ({ type: 'trip', id, kind: 'updated' }) as const)

/** Gives the same error for a flight that does not exist and one that the caller is not on. */
async function requireOwnFlights(
  { principal, db }: Pick<Call, 'principal' | 'db'>,
  given: Record<string, readonly number[] | undefined>,
): Promise<void> {
  const named = Object.entries(given).flatMap(([field, ids = []]) => ids.map((id, i) => ({ field, id, i })))
  const own = await listOwnAmong(
    db,
    principal.user.id,
    named.map(({ id }) => id),
  )
  const unknown = named.filter(({ id }) => !own.has(id))
  if (unknown.length === 0) return
  throw invalid(
    'flight_not_found',
    ...unknown.map(({ field, i }) => ({ path: [field, i], problem: 'flight_not_found' as const })),
  )
}

interface FlightChanges {
  added: number[]
  removed: number[]
}

/** The effect of a patch on the flights now in the trip. A flight that is both added and removed is removed. */
async function flightChanges(
  tx: Executor,
  userId: string,
  tripId: number,
  { flightIds, addFlightIds = [], removeFlightIds = [] }: TripPatch,
): Promise<FlightChanges> {
  const before = new Set(await listFlightsOfTrip(tx, { userId, tripId }))
  const wanted = flightIds
    ? new Set(flightIds)
    : before.union(new Set(addFlightIds)).difference(new Set(removeFlightIds))
  if (wanted.size > TRIP_FLIGHTS_AT_MOST) {
    const reason = problem('too_many_in_trip', { max: TRIP_FLIGHTS_AT_MOST })
    throw invalid(reason, { path: ['addFlightIds'], problem: reason })
  }
  return { added: [...wanted.difference(before)], removed: [...before.difference(wanted)] }
}

// Output

type Reader = Pick<Call, 'principal' | 'db' | 'services'>

const shown = (trip: StoredTrip, flightIds: number[]): z.input<typeof Trip> => {
  const { id, name, note, colour, createdAt, updatedAt } = trip
  return { id, name, note, colour, flightIds, createdAt, updatedAt }
}

export async function listShownTrips(call: Reader): Promise<z.input<typeof Trip>[]> {
  const { db, principal } = call
  const [trips, parts] = [
    await listStoredTrips(db, { userId: principal.user.id }),
    await listTripFlights(db, { userId: principal.user.id }),
  ]
  const tripOf = new Map(parts.map(({ flightId, tripId }) => [flightId, tripId]))
  const ordered = await inTravelOrder(call, [...tripOf.keys()])
  const byTrip = Map.groupBy(ordered, (id) => tripOf.get(id))
  return trips.map((trip) => shown(trip, byTrip.get(trip.id) ?? []))
}

async function shownTrip(call: Reader, trip: StoredTrip): Promise<z.input<typeof Trip>> {
  const ids = await listFlightsOfTrip(call.db, { userId: call.principal.user.id, tripId: trip.id })
  return shown(trip, await inTravelOrder(call, ids))
}

async function inTravelOrder(call: Reader, ids: readonly number[]): Promise<number[]> {
  const flights = await listLogFlights(call.db, ids)
  const { records } = await flownLog(call, flights, call.principal.revisions.reference)
  return flights
    .map((flight: LogFlight) => legOf(flight, records))
    .sort(byDeparture)
    .map(({ id }) => id)
}
