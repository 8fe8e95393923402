// Recorded tracks: stored whole, apart from the flight, so that no list ever reads one.
import * as z from 'zod'
import { type Principal, requireFlightAccess } from '../auth/principal.ts'
import { notFound } from '../base/errors.ts'
import type { Scope } from '../domain/access.ts'
import { credentialWith, operation } from '../operation.ts'
import { isPassenger, lockFlight, noteFlightsChanged } from '../store/flight-writes.ts'
import type { Executor } from '../store/store.ts'
import { deleteTrack, findTrack, packTrack, type StoredTrack, upsertTrack } from '../store/tracks.ts'
import { nothing, pathId, single, TrackInput, trackShape } from './schemas.ts'

const tag = 'Flights'

const Track = z
  .object({
    flightId: z.int(),
    ...trackShape.shape,
    sourceName: z.string().nullable(),
    pointCount: z.int(),
    createdAt: z.string().meta({ format: 'date-time' }),
    updatedAt: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'Track' })

const readScopes: Scope[] = ['tracks.read', 'flight.read.own']
const writeScopes: Scope[] = ['tracks.write', 'flight.update.own']

export const getFlightTrack = operation({
  id: 'get-flight-track',
  method: 'GET',
  path: '/flights/{id}/track',
  tag,
  summary: 'Read a flight’s track',
  example: { params: { id: 1 } },
  description: 'In full resolution; null if the flight has no track.',
  access: credentialWith(readScopes, ['flight.read.any']),
  params: pathId,
  output: single(Track.nullable()),
  errors: ['not_found'],
  tool: { title: 'Read a flight’s track' },
  async run({ principal, input, db }) {
    await requireReachable(db, principal, 'read', input.id, readScopes)
    const track = await findTrack(db, input.id)
    return { data: track ? showTrack(input.id, track) : null }
  },
})

export const setFlightTrack = operation({
  id: 'set-flight-track',
  method: 'PUT',
  path: '/flights/{id}/track',
  tag,
  summary: 'Store a flight’s track',
  example: {
    params: { id: 1 },
    body: {
      coordinates: [
        [12.656, 55.618],
        [-73.779, 40.64],
      ],
      sourceFormat: 'gpx',
    },
  },
  description: 'Creates or replaces the track, up to 100,000 points.',
  access: credentialWith(writeScopes, ['flight.update.any']),
  params: pathId,
  body: TrackInput,
  output: single(Track),
  errors: ['not_found'],
  tool: { title: 'Store a flight’s track' },
  managesTransaction: true,
  async run({ principal, input, services, now }) {
    const { id, ...track } = input
    const packed = await packTrack(track)
    const updatedAt = now.toISOString()
    const createdAt = await services.store.transaction(async (tx) => {
      await lockFlight(tx, id)
      await requireReachable(tx, principal, 'update', id, writeScopes)
      const created = await upsertTrack(tx, id, packed, updatedAt)
      await noteFlightsChanged(tx, [id], updatedAt)
      return created
    })
    return { data: showTrack(id, { ...track, pointCount: packed.pointCount, createdAt, updatedAt }) }
  },
})

export const deleteFlightTrack = operation({
  id: 'delete-flight-track',
  method: 'DELETE',
  path: '/flights/{id}/track',
  tag,
  summary: 'Delete a flight’s track',
  example: { params: { id: 4 } },
  access: credentialWith(writeScopes, ['flight.update.any']),
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
  tool: { title: 'Delete a flight’s track', destructive: true },
  async run({ principal, input, db, now }) {
    await lockFlight(db, input.id)
    await requireReachable(db, principal, 'update', input.id, writeScopes)
    if (!(await deleteTrack(db, input.id))) return
    await noteFlightsChanged(db, [input.id], now.toISOString())
  },
})

async function requireReachable(
  db: Executor,
  principal: Principal,
  action: 'read' | 'update',
  flightId: number,
  needed: Scope[],
): Promise<void> {
  const on = await isPassenger(db, flightId, principal.user.id)
  requireFlightAccess(principal, action, on ? 'own' : 'any', needed)
  if (on === undefined) throw notFound('Flight')
}

function showTrack(flightId: number, track: StoredTrack): z.input<typeof Track> {
  const { coordinates, times, groundSpeedKt, trackDeg, ground, estimated, ...summary } = track
  const { sourceFormat, sourceName, pointCount, createdAt, updatedAt } = summary
  return {
    flightId,
    coordinates,
    ...(times && { times }),
    ...(groundSpeedKt && { groundSpeedKt }),
    ...(trackDeg && { trackDeg }),
    ...(ground && { ground }),
    ...(estimated && { estimated }),
    sourceFormat: sourceFormat as z.input<typeof Track>['sourceFormat'],
    sourceName,
    pointCount,
    createdAt,
    updatedAt,
  }
}

/** Stores or, with null, deletes a flight's track, as part of writing the flight. */
export async function writeTrack(tx: Executor, flightId: number, track: TrackInput | null, now: string) {
  if (track === null) await deleteTrack(tx, flightId)
  else await upsertTrack(tx, flightId, await packTrack(track), now)
}
