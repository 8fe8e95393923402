// Sessions of the web app, stored as hashes.
import type { SignInWay } from '../../domain/accounts/sign-in.ts'
import { pick } from '../../domain/pick.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query, queryAny, queryFirst } from '../engine/query.ts'

const sessionColumns = ['id', 'userAgent', 'address', 'way', 'createdAt', 'lastSeenAt', 'expiresAt'] as const
export const listSessions = query((db, p: { userId: string; now: string }) =>
  db
    .selectFrom('session')
    .select(sessionColumns)
    .$narrowType<{ way: SignInWay }>()
    .where('userId', '=', p.userId)
    .where('expiresAt', '>', p.now)
    .orderBy('lastSeenAt', 'desc'),
)

interface NewSession {
  hash: string
  userId: string
  userAgent: string | null
  now: string
  expiresAt: string
  way: SignInWay
  address: string | null
  /** The account at the provider, if the session began there. */
  identityId: number | null
  providerSession: string | null
  /** Sealed. */
  idToken: string | null
  /** When the person proved their identity. */
  confirmedAt: string
}
type Origin = 'confirmedAt' | 'way' | 'address' | 'identityId' | 'providerSession' | 'idToken'
const insertSessionRow = query((db, p: NewSession) =>
  db
    .insertInto('session')
    .values({
      hash: p.hash,
      userId: p.userId,
      userAgent: p.userAgent,
      createdAt: p.now,
      lastSeenAt: p.now,
      ...pick(p, ['expiresAt', 'address', 'way', 'confirmedAt', 'identityId', 'providerSession', 'idToken']),
    })
    .returning('id'),
)
/** `confirmedAt` defaults to now: the person has just proved their identity. */
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

const confirmed = query((db, p: { id: number }) =>
  db.selectFrom('session').select('confirmedAt as at').where('id', '=', p.id),
)
/** When the person last proved their identity; null if that was never recorded. */
export const findConfirmedAt = async (db: Executor, id: number): Promise<string | null> =>
  (await first(confirmed(db, { id })))?.at ?? null
export const confirmSession = query((db, p: { id: number; now: string }) =>
  db.updateTable('session').set({ confirmedAt: p.now }).where('id', '=', p.id).returning('id'),
)

export const extendSession = query((db, p: { id: number; now: string; expiresAt: string }) =>
  db
    .updateTable('session')
    .set({ lastSeenAt: p.now, expiresAt: p.expiresAt })
    .where('id', '=', p.id)
    .returning('id'),
)

export const deleteSession = queryAny((db, p: { userId: string; id: number }) =>
  db.deleteFrom('session').where('userId', '=', p.userId).where('id', '=', p.id).returning('id'),
)

/** Ends the session whose secret has this hash; returns its owner. */
export const deleteSessionByHash = queryFirst(
  (db, p: { hash: string }) => db.deleteFrom('session').where('hash', '=', p.hash).returning('userId'),
  ({ userId }) => userId,
)

/** Ends all of a person's sessions but one; 0 keeps none. */
export const deleteSessionsExcept = query((db, p: { userId: string; keep: number }) =>
  db.deleteFrom('session').where('userId', '=', p.userId).where('id', '!=', p.keep).returning('id'),
)

/** Ends all sessions that began with an account at the provider, but one. */
export const deleteSessionsOfIdentity = query((db, p: { identityId: number; keep: number }) =>
  db.deleteFrom('session').where('identityId', '=', p.identityId).where('id', '!=', p.keep).returning('id'),
)

export const deleteExpiredSessions = query((db, p: { now: string }) =>
  db.deleteFrom('session').where('expiresAt', '<=', p.now).returning('id'),
)
