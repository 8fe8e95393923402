// Track bodies, compressed: a hundred thousand points are a few hundred kilobytes.
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { pick } from '../../domain/pick.ts'
import { upsertMany } from '../engine/bulk.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query, queryAny } from '../engine/query.ts'

interface TrackBody {
  coordinates: ([number, number] | [number, number, number])[]
  times?: number[] | undefined
  groundSpeedKt?: number[] | undefined
  trackDeg?: number[] | undefined
  ground?: boolean[] | undefined
  estimated?: boolean[] | undefined
}
export interface StoredTrack extends TrackBody {
  sourceFormat: string
  sourceName: string | null
  pointCount: number
  createdAt: string
  updatedAt: string
}

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

export interface PackedTrack {
  pointCount: number
  sourceFormat: string
  sourceName: string | null
  body: Uint8Array
}

/** Compresses a track. Slow for long tracks: where possible, pack before a transaction begins. */
export async function packTrack(
  track: TrackBody & { sourceFormat: string; sourceName: string | null },
): Promise<PackedTrack> {
  const { sourceFormat, sourceName, coordinates, times, groundSpeedKt, trackDeg, ground, estimated } = track
  const body: TrackBody = { coordinates, times, groundSpeedKt, trackDeg, ground, estimated }
  // Validating a long track and writing it as JSON are both slow: other requests are served in between.
  await setImmediate()
  return {
    pointCount: coordinates.length,
    sourceFormat,
    sourceName,
    body: await compress(JSON.stringify(body), QUALITY),
  }
}

const upsert = query((db, p: PackedTrack & { flightId: number; now: string }) =>
  db
    .insertInto('track')
    .values({
      ...pick(p, ['flightId', 'pointCount', 'sourceFormat', 'sourceName']),
      createdAt: p.now,
      updatedAt: p.now,
      body: p.body,
    })
    .onConflict((conflict) =>
      conflict.column('flightId').doUpdateSet((eb) => ({
        pointCount: eb.ref('excluded.pointCount'),
        sourceFormat: eb.ref('excluded.sourceFormat'),
        sourceName: eb.ref('excluded.sourceName'),
        updatedAt: eb.ref('excluded.updatedAt'),
        body: eb.ref('excluded.body'),
      })),
    )
    .returning('createdAt'),
)

/** A track as it is stored. */
export interface TrackRow extends PackedTrack {
  createdAt: string
  updatedAt: string
}
/** Undefined if the flight has none. */
export const findTrackRow = (db: Executor, flightId: number): Promise<TrackRow | undefined> =>
  first(byFlight(db, { flightId }))

/** Restores a track with its original times. */
export const putBackTrack = (tx: Executor, flightId: number, row: TrackRow): Promise<void> =>
  upsertMany(
    tx,
    'track',
    ['flightId', 'pointCount', 'sourceFormat', 'sourceName', 'createdAt', 'updatedAt', 'body'],
    ['flightId'],
    [
      {
        flightId,
        ...pick(row, ['pointCount', 'sourceFormat', 'sourceName', 'createdAt', 'updatedAt', 'body']),
      },
    ],
  )

/** Creates or replaces a track. Keeps and returns the time of creation. */
export async function upsertTrack(
  tx: Executor,
  flightId: number,
  track: PackedTrack,
  now: string,
): Promise<string> {
  const rows = await upsert(tx, { ...track, flightId, now })
  return rows[0]!.createdAt
}

const byFlight = query((db, p: { flightId: number }) =>
  db
    .selectFrom('track')
    .select(['sourceFormat', 'sourceName', 'pointCount', 'createdAt', 'updatedAt', 'body'])
    .where('flightId', '=', p.flightId),
)
export async function findTrack(db: Executor, flightId: number): Promise<StoredTrack | undefined> {
  const row = await first(byFlight(db, { flightId }))
  if (!row) return undefined
  const { body, ...summary } = row
  return { ...(JSON.parse((await decompress(body)).toString()) as TrackBody), ...summary }
}

/** When an identical track was stored; undefined if the flight has a different one or none. */
export async function findSameTrack(
  db: Executor,
  flightId: number,
  track: PackedTrack,
): Promise<Pick<StoredTrack, 'createdAt' | 'updatedAt'> | undefined> {
  const row = await first(byFlight(db, { flightId }))
  const hasSameSummary =
    row !== undefined &&
    row.pointCount === track.pointCount &&
    row.sourceFormat === track.sourceFormat &&
    row.sourceName === track.sourceName
  return hasSameSummary && (await haveSameContent(row.body, track.body)) ? row : undefined
}

/** Different versions of the compressor may write different bytes for the same content. */
const haveSameContent = async (one: Uint8Array, other: Uint8Array): Promise<boolean> =>
  Buffer.compare(one, other) === 0 || (await decompress(one)).equals(await decompress(other))
/** False if there was none. */
export const deleteTrack = queryAny((db, p: { flightId: number }) =>
  db.deleteFrom('track').where('flightId', '=', p.flightId).returning('flightId'),
)
