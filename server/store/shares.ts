// Public shares: an address, an expiry and what may be seen there.
import type { ShareSettings, ShareSubject } from '../domain/share-words.ts'
import { fromJson, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

export interface Share extends ShareSettings, ShareSubject {
  id: number
  slug: string
  expiresAt: string | null
  createdAt: string
}

interface ShareRow extends ShareSubject {
  id: number
  slug: string
  expiresAt: string | null
  createdAt: string
  settings: string
}
const columns = [
  'id',
  'slug',
  'expires_at as expiresAt',
  'created_at as createdAt',
  'settings',
  'flight_id as flightId',
  'trip_id as tripId',
] as const
const toShare = ({ settings, flightId, tripId, ...row }: ShareRow): Share => ({
  ...row,
  ...fromJson<ShareSettings>(settings),
  flightId,
  tripId,
})

const ofUser = query<{ userId: string }, ShareRow>((db, p) =>
  db
    .selectFrom('share')
    .select(columns)
    .where('user_id', '=', p.userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
)
/** Newest first. */
export const listShares = async (db: Executor, userId: string): Promise<Share[]> =>
  (await ofUser(db, { userId })).map(toShare)

const ofTrip = query<{ userId: string; tripId: number }, { id: number }>((db, p) =>
  db.selectFrom('share').select('id').where('user_id', '=', p.userId).where('trip_id', '=', p.tripId),
)
export const listSharesOfTrip = (db: Executor, userId: string, tripId: number): Promise<{ id: number }[]> =>
  ofTrip(db, { userId, tripId })

const ownById = query<{ userId: string; id: number }, ShareRow>((db, p) =>
  db.selectFrom('share').select(columns).where('user_id', '=', p.userId).where('id', '=', p.id),
)
export async function findShare(db: Executor, userId: string, id: number): Promise<Share | undefined> {
  const row = await first(ownById(db, { userId, id }))
  return row && toShare(row)
}

const bySlug = query<{ slug: string }, ShareRow & { userId: string }>((db, p) =>
  db
    .selectFrom('share')
    .select([...columns, 'user_id as userId'])
    .where('slug', '=', p.slug),
)
/** Any person's share, with its owner. */
export async function findShareBySlug(
  db: Executor,
  slug: string,
): Promise<{ userId: string; share: Share } | undefined> {
  const row = await first(bySlug(db, { slug }))
  if (!row) return undefined
  const { userId, ...rest } = row
  return { userId, share: toShare(rest) }
}

interface ShareWrite {
  slug: string
  expiresAt: string | null
  settings: ShareSettings
}

const insertRow = query<
  Omit<ShareWrite, 'settings'> & ShareSubject & { userId: string; settings: string; now: string },
  ShareRow
>((db, p) =>
  db
    .insertInto('share')
    .values({
      user_id: p.userId,
      slug: p.slug,
      expires_at: p.expiresAt,
      created_at: p.now,
      settings: p.settings,
      flight_id: p.flightId,
      trip_id: p.tripId,
    })
    .returning(columns),
)
/** A slug that is taken violates a unique constraint. */
export async function insertShare(
  tx: Executor,
  userId: string,
  share: ShareWrite & ShareSubject,
  now: string,
): Promise<Share> {
  const rows = await insertRow(tx, { ...share, userId, settings: toJson(share.settings), now })
  return toShare(rows[0]!)
}

const updateRow = query<
  Omit<ShareWrite, 'settings'> & { userId: string; id: number; settings: string },
  ShareRow
>((db, p) =>
  db
    .updateTable('share')
    .set({ slug: p.slug, expires_at: p.expiresAt, settings: p.settings })
    .where('user_id', '=', p.userId)
    .where('id', '=', p.id)
    .returning(columns),
)
export async function updateShare(
  tx: Executor,
  userId: string,
  id: number,
  share: ShareWrite,
): Promise<Share | undefined> {
  const row = await first(updateRow(tx, { ...share, userId, id, settings: toJson(share.settings) }))
  return row && toShare(row)
}

const deleteRow = query<{ userId: string; id: number }, { id: number }>((db, p) =>
  db.deleteFrom('share').where('user_id', '=', p.userId).where('id', '=', p.id).returning('id'),
)
/** False if the person has no such share. */
export const deleteShare = async (tx: Executor, userId: string, id: number): Promise<boolean> =>
  (await deleteRow(tx, { userId, id })).length > 0
