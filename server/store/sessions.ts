// Sessions of the web app, stored as hashes.
import type { Executor } from './engine.ts'
import { query } from './query.ts'

interface Session {
  id: number
  userAgent: string | null
  createdAt: string
  lastSeenAt: string
  expiresAt: string
}
const sessionColumns = [
  'id',
  'user_agent as userAgent',
  'created_at as createdAt',
  'last_seen_at as lastSeenAt',
  'expires_at as expiresAt',
] as const

const sessionsOf = query<{ userId: string; now: string }, Session>((db, p) =>
  db
    .selectFrom('session')
    .select(sessionColumns)
    .where('user_id', '=', p.userId)
    .where('expires_at', '>', p.now)
    .orderBy('last_seen_at', 'desc'),
)
export const listSessions = (db: Executor, userId: string, now: string) => sessionsOf(db, { userId, now })

interface NewSession {
  hash: string
  userId: string
  userAgent: string | null
  now: string
  expiresAt: string
}
const insertSessionRow = query<NewSession, { id: number }>((db, p) =>
  db
    .insertInto('session')
    .values({
      hash: p.hash,
      user_id: p.userId,
      user_agent: p.userAgent,
      created_at: p.now,
      last_seen_at: p.now,
      expires_at: p.expiresAt,
    })
    .returning('id'),
)
export const insertSession = (tx: Executor, session: NewSession) => insertSessionRow(tx, session)

const extend = query<{ id: number; now: string; expiresAt: string }, { id: number }>((db, p) =>
  db
    .updateTable('session')
    .set({ last_seen_at: p.now, expires_at: p.expiresAt })
    .where('id', '=', p.id)
    .returning('id'),
)
export const extendSession = (tx: Executor, id: number, now: string, expiresAt: string) =>
  extend(tx, { id, now, expiresAt })

const deleteSessionRow = query<{ userId: string; id: number }, { id: number }>((db, p) =>
  db.deleteFrom('session').where('user_id', '=', p.userId).where('id', '=', p.id).returning('id'),
)
export const deleteSession = async (tx: Executor, userId: string, id: number): Promise<boolean> =>
  (await deleteSessionRow(tx, { userId, id })).length > 0

const deleteOthers = query<{ userId: string; keep: number }, { id: number }>((db, p) =>
  db.deleteFrom('session').where('user_id', '=', p.userId).where('id', '!=', p.keep).returning('id'),
)
/** Ends every session of a person but one; 0 keeps none. */
export const deleteSessionsExcept = (tx: Executor, userId: string, keep: number) =>
  deleteOthers(tx, { userId, keep })

const deleteExpired = query<{ now: string }, { id: number }>((db, p) =>
  db.deleteFrom('session').where('expires_at', '<=', p.now).returning('id'),
)
export const deleteExpiredSessions = (tx: Executor, now: string) => deleteExpired(tx, { now })
