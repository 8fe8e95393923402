// Track bodies, compressed: a hundred thousand points are a few hundred kilobytes.
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { upsertMany } from './bulk.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

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

/** Ready to be stored. Costly for long tracks: where possible, pack before a transaction begins. */
export async function packTrack(
  track: TrackBody & { sourceFormat: string; sourceName: string | null },
): Promise<PackedTrack> {
  const { sourceFormat, sourceName, coordinates, times, groundSpeedKt, trackDeg, ground, estimated } = track
  const body: TrackBody = { coordinates, times, groundSpeedKt, trackDeg, ground, estimated }
  // Validating a long track took long, and so does writing it as JSON: others are served in between.
  await setImmediate()
  return {
    pointCount: coordinates.length,
    sourceFormat,
    sourceName,
    body: await compress(JSON.stringify(body), QUALITY),
  }
}

const upsert = query<PackedTrack & { flightId: number; now: string }, { createdAt: string }>((db, p) =>
  db
    .insertInto('track')
    .values({
      flight_id: p.flightId,
      point_count: p.pointCount,
      source_format: p.sourceFormat,
      source_name: p.sourceName,
      created_at: p.now,
      updated_at: p.now,
      body: p.body,
    })
    .onConflict((conflict) =>
      conflict.column('flight_id').doUpdateSet((eb) => ({
        point_count: eb.ref('excluded.point_count'),
        source_format: eb.ref('excluded.source_format'),
        source_name: eb.ref('excluded.source_name'),
        updated_at: eb.ref('excluded.updated_at'),
        body: eb.ref('excluded.body'),
      })),
    )
    .returning('created_at as createdAt'),
)

/** A track as it is stored. */
export interface TrackRow extends PackedTrack {
  createdAt: string
  updatedAt: string
}
/** Undefined if the flight has none. */
export const findTrackRow = (db: Executor, flightId: number): Promise<TrackRow | undefined> =>
  first(byFlight(db, { flightId }))

/** Puts a track back as it was, with its times. */
export const putBackTrack = (tx: Executor, flightId: number, row: TrackRow): Promise<void> =>
  upsertMany(
    tx,
    'track',
    ['flight_id', 'point_count', 'source_format', 'source_name', 'created_at', 'updated_at', 'body'],
    ['flight_id'],
    [
      {
        flight_id: flightId,
        point_count: row.pointCount,
        source_format: row.sourceFormat,
        source_name: row.sourceName,
        created_at: row.createdAt,
        updated_at: row.updatedAt,
        body: row.body,
      },
    ],
  )

/** Creates or replaces; the time of creation stays, and is returned. */
export async function upsertTrack(
  tx: Executor,
  flightId: number,
  track: PackedTrack,
  now: string,
): Promise<string> {
  const rows = await upsert(tx, { ...track, flightId, now })
  return rows[0]!.createdAt
}

const byFlight = query<{ flightId: number }, Omit<StoredTrack, keyof TrackBody> & { body: Uint8Array }>(
  (db, p) =>
    db
      .selectFrom('track')
      .select([
        'source_format as sourceFormat',
        'source_name as sourceName',
        'point_count as pointCount',
        'created_at as createdAt',
        'updated_at as updatedAt',
        'body',
      ])
      .where('flight_id', '=', p.flightId),
)
export async function findTrack(db: Executor, flightId: number): Promise<StoredTrack | undefined> {
  const row = await first(byFlight(db, { flightId }))
  if (!row) return undefined
  const { body, ...summary } = row
  return { ...(JSON.parse((await decompress(body)).toString()) as TrackBody), ...summary }
}

/** When this very track was stored; undefined if the flight has another one or none. */
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

/** Another version of the compressor may write other bytes for the same content. */
const haveSameContent = async (one: Uint8Array, other: Uint8Array): Promise<boolean> =>
  Buffer.compare(one, other) === 0 || (await decompress(one)).equals(await decompress(other))

const deleteRow = query<{ flightId: number }, { flightId: number }>((db, p) =>
  db.deleteFrom('track').where('flight_id', '=', p.flightId).returning('flight_id as flightId'),
)
/** False if there was none. */
export const deleteTrack = async (tx: Executor, flightId: number): Promise<boolean> =>
  (await deleteRow(tx, { flightId })).length > 0
