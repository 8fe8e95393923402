// Recorded tracks: stored whole and apart from the flight, so that lists never read them.
import * as z from 'zod'
import { notFound } from '../../base/errors.ts'
import type { Scope } from '../../domain/access/access.ts'
import { flightTag } from '../../domain/flights/conditions.ts'
import type { KeptTrack } from '../../domain/history/edits.ts'
import { RowId } from '../../domain/row-id.ts'
import { type Call, credentialWith, operation, takes } from '../../door/operation.ts'
import { type Principal, requireFlightAccess } from '../../services/access/principal.ts'
import type { StoredFlight } from '../../store/flights/flights.ts'
import {
  deleteTrack,
  findSameTrack,
  findTrack,
  findTrackRow,
  type PackedTrack,
  packTrack,
  type StoredTrack,
  type TrackRow,
  upsertTrack,
} from '../../store/flights/tracks.ts'
import { findOnFlight, lockFlight, noteFlightsChanged } from '../../store/flights/writes.ts'
import type { KeptEdit } from '../../store/history/changes.ts'
import type { Executor } from '../../store/store.ts'
import { requireCondition } from '../wire/conditions.ts'
import { nothing, pathId, single, TrackInput, trackShape } from '../wire/schemas.ts'
import { authorOf } from './author.ts'

const tag = 'Flights'

const Track = z
  .object({
    flightId: RowId,
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
  description: 'In full resolution; null if the flight has no track. The ETag is the flight’s.',
  access: credentialWith(readScopes, ['flight.read.any']),
  params: pathId,
  output: single(Track.nullable()),
  target: { conditional: true },
  errors: ['not_found'],
  tool: { title: 'Read a flight’s track', isForPrograms: true },
  async run({ principal, input, db, validator }) {
    const version = await requireReachable(db, principal, 'read', input.id, readScopes)
    Object.assign(validator, { tag: flightTag({ id: input.id, version }), isComplete: true })
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
  body: takes(TrackInput, { size: 'track' }),
  output: single(Track),
  target: {
    requireState: (call) => requireCurrentTrack(call, call.input.id).then(() => undefined),
    conditional: true,
  },
  errors: ['not_found'],
  tool: { title: 'Store a flight’s track', isForPrograms: true },
  transaction: 'own',
  async run(call) {
    const { id, ...track } = call.input
    const packed = await packTrack(track)
    const stored = await call.services.store.transaction((tx) =>
      storeTrack({ ...call, db: tx }, id, packed, call.now.toISOString()),
    )
    return { data: showTrack(id, { ...track, pointCount: packed.pointCount, ...stored }) }
  },
})

/** If the track is already stored, the flight keeps its version. */
async function storeTrack(
  call: Call,
  id: number,
  track: PackedTrack,
  updatedAt: string,
): Promise<Pick<StoredTrack, 'createdAt' | 'updatedAt'>> {
  const { db, validator } = call
  await lockFlight(db, { id })
  const version = await requireCurrentTrack(call, id)
  const same = await findSameTrack(db, id, track)
  validator.tag = flightTag({ id, version: same ? version : version + 1 })
  if (same) return { createdAt: same.createdAt, updatedAt: same.updatedAt }
  const before = await findTrackRow(db, id)
  const createdAt = await upsertTrack(db, id, track, updatedAt)
  const edits = new Map([[id, trackEdit(before, { ...track, updatedAt })]])
  await noteFlightsChanged(db, [id], updatedAt, { author: authorOf(call), edits })
  return { createdAt, updatedAt }
}

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
  target: { conditional: true },
  errors: ['not_found'],
  tool: { title: 'Delete a flight’s track', destructive: true, isForPrograms: true },
  async run(call) {
    const { input, db, now } = call
    await lockFlight(db, { id: input.id })
    await requireCurrentTrack(call, input.id)
    const before = await findTrackRow(db, input.id)
    if (!before) return
    await deleteTrack(db, { flightId: input.id })
    const edits = new Map([[input.id, trackEdit(before, null)]])
    await noteFlightsChanged(db, [input.id], now.toISOString(), { author: authorOf(call), edits })
  },
})

/** Returns the flight's version. */
async function requireReachable(
  db: Executor,
  principal: Principal,
  action: 'read' | 'update',
  flightId: number,
  needed: Scope[],
): Promise<number> {
  const found = await findOnFlight(db, flightId, principal.user.id)
  requireFlightAccess(principal, action, found?.isOn ? 'own' : 'any', needed)
  if (!found) throw notFound('Flight')
  return found.version
}

/** The same for a write, whose condition must hold. */
async function requireCurrentTrack(
  { db, principal, condition }: Pick<Call, 'db' | 'principal' | 'condition'>,
  id: number,
): Promise<number> {
  const version = await requireReachable(db, principal, 'update', id, writeScopes)
  requireCondition(condition, flightTag({ id, version }))
  return version
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

/** What to write to give a flight this track (null: none); undefined if nothing changes. */
export async function changedTrack(
  tx: Executor,
  flight: Pick<StoredFlight, 'id' | 'track'>,
  wanted: TrackInput | null | undefined,
): Promise<PackedTrack | null | undefined> {
  if (wanted === undefined) return undefined
  if (wanted === null) return flight.track === null ? undefined : null
  const packed = await packTrack(wanted)
  return flight.track !== null && (await findSameTrack(tx, flight.id, packed)) ? undefined : packed
}

/** The history entry for a new or removed track. */
const trackEdit = (before: TrackRow | undefined, after: KeptTrack | null): KeptEdit => ({
  edit: { track: [before ? summaryOf(before) : null, after && summaryOf(after)] },
  trackBody: before?.body,
})

/** A track without its points. */
export const summaryOf = ({
  pointCount,
  sourceFormat,
  sourceName,
  createdAt,
  updatedAt,
}: KeptTrack): KeptTrack => ({
  pointCount,
  sourceFormat,
  sourceName,
  ...(createdAt === undefined ? {} : { createdAt }),
  updatedAt,
})

/** Stores a flight's track, or deletes it if null, as part of writing the flight. */
export async function writeTrack(tx: Executor, flightId: number, track: PackedTrack | null, now: string) {
  if (track === null) await deleteTrack(tx, { flightId })
  else await upsertTrack(tx, flightId, track, now)
}

/** Stores the track of a new flight. Returns its summary. */
export async function insertTrack(
  tx: Executor,
  flightId: number,
  given: TrackInput,
  now: string,
): Promise<NonNullable<StoredFlight['track']>> {
  const packed = await packTrack(given)
  await upsertTrack(tx, flightId, packed, now)
  const { pointCount, sourceFormat, sourceName } = packed
  return { pointCount, updatedAt: now, sourceFormat, sourceName }
}
