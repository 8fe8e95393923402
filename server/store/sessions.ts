// Sessions of the web app, stored as hashes.
import type { SignInWay } from '../domain/sign-in.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

interface Session {
  id: number
  userAgent: string | null
  address: string | null
  way: SignInWay
  createdAt: string
  lastSeenAt: string
  expiresAt: string
}
const sessionColumns = [
  'id',
  'user_agent as userAgent',
  'address',
  'way',
  'created_at as createdAt',
  'last_seen_at as lastSeenAt',
  'expires_at as expiresAt',
] as const

const sessionsOf = query<{ userId: string; now: string }, Session>((db, p) =>
  db
    .selectFrom('session')
    .select(sessionColumns)
    .$narrowType<{ way: SignInWay }>()
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
  way: SignInWay
  address: string | null
  /** How the provider knows it, if it began there. */
  identityId: number | null
  providerSession: string | null
  /** Sealed. */
  idToken: string | null
  /** When the person proved who they are. */
  confirmedAt: string
}
type Origin = 'confirmedAt' | 'way' | 'address' | 'identityId' | 'providerSession' | 'idToken'
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
      address: p.address,
      way: p.way,
      confirmed_at: p.confirmedAt,
      identity_id: p.identityId,
      provider_session: p.providerSession,
      id_token: p.idToken,
    })
    .returning('id'),
)
/** Unless given, the person has just proved who they are. */
export const insertSession = (
  tx: Executor,
  session: Omit<NewSession, Origin> & Partial<Pick<NewSession, Origin>>,
) =>
  insertSessionRow(tx, {
    way: 'password',
    address: null,
    identityId: null,
    providerSession: null,
    idToken: null,
    confirmedAt: session.now,
    ...session,
  })

const confirmed = query<{ id: number }, { at: string | null }>((db, p) =>
  db.selectFrom('session').select('confirmed_at as at').where('id', '=', p.id),
)
/** When the person last proved who they are; null: never since this is noted. */
export const findConfirmedAt = async (db: Executor, id: number): Promise<string | null> =>
  (await first(confirmed(db, { id })))?.at ?? null

const confirm = query<{ id: number; now: string }, { id: number }>((db, p) =>
  db.updateTable('session').set({ confirmed_at: p.now }).where('id', '=', p.id).returning('id'),
)
export const confirmSession = (tx: Executor, id: number, now: string) => confirm(tx, { id, now })

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

const deleteByHash = query<{ hash: string }, { userId: string }>((db, p) =>
  db.deleteFrom('session').where('hash', '=', p.hash).returning('user_id as userId'),
)
/** Ends the session whose secret has this hash; returns whose it was. */
export const deleteSessionByHash = async (tx: Executor, hash: string): Promise<string | undefined> =>
  (await first(deleteByHash(tx, { hash })))?.userId

const deleteOthers = query<{ userId: string; keep: number }, { id: number }>((db, p) =>
  db.deleteFrom('session').where('user_id', '=', p.userId).where('id', '!=', p.keep).returning('id'),
)
/** Ends every session of a person but one; 0 keeps none. */
export const deleteSessionsExcept = (tx: Executor, userId: string, keep: number) =>
  deleteOthers(tx, { userId, keep })

const deleteOfIdentity = query<{ identityId: number; keep: number }, { id: number }>((db, p) =>
  db.deleteFrom('session').where('identity_id', '=', p.identityId).where('id', '!=', p.keep).returning('id'),
)
/** Ends the sessions that began with an account at the provider, but one. */
export const deleteSessionsOfIdentity = (tx: Executor, identityId: number, keep: number) =>
  deleteOfIdentity(tx, { identityId, keep })

const deleteExpired = query<{ now: string }, { id: number }>((db, p) =>
  db.deleteFrom('session').where('expires_at', '<=', p.now).returning('id'),
)
export const deleteExpiredSessions = (tx: Executor, now: string) => deleteExpired(tx, { now })
