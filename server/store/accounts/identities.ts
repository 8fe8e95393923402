// People's accounts at an identity provider, and the sessions that began there.
import { pick } from '../../domain/pick.ts'
import type { Executor } from '../engine/engine.ts'
import { type Builder, query, queryFirst } from '../engine/query.ts'

const identityColumns = ['id', 'issuer', 'label', 'createdAt', 'lastUsedAt'] as const
export const listIdentities = query((db, p: { userId: string }) =>
  db.selectFrom('identity').select(identityColumns).where('userId', '=', p.userId).orderBy('id'),
)

interface Named {
  issuer: string
  subject: string
}
export const findIdentity = queryFirst((db, p: Named) =>
  db
    .selectFrom('identity')
    .select(['id', 'userId'])
    .where('issuer', '=', p.issuer)
    .where('subject', '=', p.subject),
)

interface NewIdentity extends Named {
  userId: string
  label: string
  now: string
}
const insertRow = query((db, p: NewIdentity) =>
  db
    .insertInto('identity')
    .values({
      ...pick(p, ['userId', 'issuer', 'subject', 'label']),
      createdAt: p.now,
      lastUsedAt: p.now,
    })
    .returning('id'),
)
/** An identity that is already linked violates a unique constraint. */
export async function insertIdentity(tx: Executor, identity: NewIdentity): Promise<number> {
  const [row] = await insertRow(tx, identity)
  return row!.id
}
export const updateIdentityUse = query((db, p: { id: number; label: string; now: string }) =>
  db
    .updateTable('identity')
    .set({ lastUsedAt: p.now, label: p.label })
    .where('id', '=', p.id)
    .returning('id'),
)

export const deleteIdentity = queryFirst((db, p: { userId: string; id: number }) =>
  db.deleteFrom('identity').where('userId', '=', p.userId).where('id', '=', p.id).returning('label'),
)

/** The identity with which a session began, if it began at a provider; the token is sealed. */
export const findSessionOrigin = queryFirst((db, p: { id: number }) =>
  db
    .selectFrom('session')
    .innerJoin('identity', 'identity.id', 'session.identityId')
    .select(['identity.issuer', 'session.idToken'])
    .where('session.id', '=', p.id),
)

interface SessionThere {
  id: number
  userId: string
  username: string
  subject: string
}
const sessionsThere = (db: Builder, p: { issuer: string }) =>
  db
    .selectFrom('session')
    .innerJoin('identity', 'identity.id', 'session.identityId')
    .innerJoin('person', 'person.id', 'session.userId')
    .select(['session.id', 'person.id as userId', 'person.username', 'identity.subject'])
    .where('identity.issuer', '=', p.issuer)
const bySession = query((db, p: { issuer: string; session: string }) =>
  sessionsThere(db, p).where('session.providerSession', '=', p.session),
)
const bySubjectThere = query((db, p: Named) => sessionsThere(db, p).where('identity.subject', '=', p.subject))
/** Sessions that began with this session at the provider, or with any session of the subject if none is given. */
export async function listSessionsOfProvider(
  db: Executor,
  { issuer, subject, session }: { issuer: string; subject: string | null; session: string | null },
): Promise<SessionThere[]> {
  if (session === null) return bySubjectThere(db, { issuer, subject: subject ?? '' })
  const begun = await bySession(db, { issuer, session })
  return begun.filter((each) => subject === null || each.subject === subject)
}
