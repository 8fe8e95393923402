// Public shares: an address, an expiry and what they show.
import type { ShareSettings, ShareSubject } from '../../domain/sharing/words.ts'
import { fromJson, toJson } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query, queryAny, queryFirst } from '../engine/query.ts'

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
const columns = ['id', 'slug', 'expiresAt', 'createdAt', 'settings', 'flightId', 'tripId'] as const
const toShare = ({ settings, flightId, tripId, ...row }: ShareRow): Share => ({
  ...row,
  ...fromJson<ShareSettings>(settings),
  flightId,
  tripId,
})
/** Newest first. */
export const listShares = query(
  (db, p: { userId: string }) =>
    db
      .selectFrom('share')
      .select(columns)
      .where('userId', '=', p.userId)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc'),
  toShare,
)

export const listSharesOfTrip = query((db, p: { userId: string; tripId: number }) =>
  db.selectFrom('share').select('id').where('userId', '=', p.userId).where('tripId', '=', p.tripId),
)

export const findShare = queryFirst(
  (db, p: { userId: string; id: number }) =>
    db.selectFrom('share').select(columns).where('userId', '=', p.userId).where('id', '=', p.id),
  toShare,
)

const bySlug = query((db, p: { slug: string }) =>
  db
    .selectFrom('share')
    .select([...columns, 'userId'])
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

const insertRow = query(
  (db, p: Omit<ShareWrite, 'settings'> & ShareSubject & { userId: string; settings: string; now: string }) =>
    db
      .insertInto('share')
      .values({
        userId: p.userId,
        slug: p.slug,
        expiresAt: p.expiresAt,
        createdAt: p.now,
        settings: p.settings,
        flightId: p.flightId,
        tripId: p.tripId,
      })
      .returning(columns),
)
/** A slug that already exists violates a unique constraint. */
export async function insertShare(
  tx: Executor,
  userId: string,
  share: ShareWrite & ShareSubject,
  now: string,
): Promise<Share> {
  const rows = await insertRow(tx, { ...share, userId, settings: toJson(share.settings), now })
  return toShare(rows[0]!)
}

const updateRow = queryFirst(
  (db, p: Omit<ShareWrite, 'settings'> & { userId: string; id: number; settings: string }) =>
    db
      .updateTable('share')
      .set({ slug: p.slug, expiresAt: p.expiresAt, settings: p.settings })
      .where('userId', '=', p.userId)
      .where('id', '=', p.id)
      .returning(columns),
  toShare,
)
export const updateShare = (
  tx: Executor,
  userId: string,
  id: number,
  share: ShareWrite,
): Promise<Share | undefined> => updateRow(tx, { ...share, userId, id, settings: toJson(share.settings) })
/** False if the person has no such share. */
export const deleteShare = queryAny((db, p: { userId: string; id: number }) =>
  db.deleteFrom('share').where('userId', '=', p.userId).where('id', '=', p.id).returning('id'),
)
