// Who people are at an identity provider, and the sessions that began there.
import type { Executor } from './engine.ts'
import { type Builder, first, query } from './query.ts'

interface Identity {
  id: number
  issuer: string
  /** How the provider names the person. */
  label: string
  createdAt: string
  lastUsedAt: string
}
const identityColumns = [
  'id',
  'issuer',
  'label',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const

const ofPerson = query<{ userId: string }, Identity>((db, p) =>
  db.selectFrom('identity').select(identityColumns).where('user_id', '=', p.userId).orderBy('id'),
)
export const listIdentities = (db: Executor, userId: string) => ofPerson(db, { userId })

interface Named {
  issuer: string
  subject: string
}
const bySubject = query<Named, { id: number; userId: string }>((db, p) =>
  db
    .selectFrom('identity')
    .select(['id', 'user_id as userId'])
    .where('issuer', '=', p.issuer)
    .where('subject', '=', p.subject),
)
export const findIdentity = (db: Executor, named: Named) => first(bySubject(db, named))

interface NewIdentity extends Named {
  userId: string
  label: string
  now: string
}
const insertRow = query<NewIdentity, { id: number }>((db, p) =>
  db
    .insertInto('identity')
    .values({
      user_id: p.userId,
      issuer: p.issuer,
      subject: p.subject,
      label: p.label,
      created_at: p.now,
      last_used_at: p.now,
    })
    .returning('id'),
)
/** One that is linked already violates a unique constraint. */
export async function insertIdentity(tx: Executor, identity: NewIdentity): Promise<number> {
  const [row] = await insertRow(tx, identity)
  return row!.id
}

const touch = query<{ id: number; label: string; now: string }, { id: number }>((db, p) =>
  db
    .updateTable('identity')
    .set({ last_used_at: p.now, label: p.label })
    .where('id', '=', p.id)
    .returning('id'),
)
export const updateIdentityUse = (tx: Executor, id: number, label: string, now: string) =>
  touch(tx, { id, label, now })

const deleteRow = query<{ userId: string; id: number }, { label: string }>((db, p) =>
  db.deleteFrom('identity').where('user_id', '=', p.userId).where('id', '=', p.id).returning('label'),
)
export const deleteIdentity = (tx: Executor, userId: string, id: number) =>
  first(deleteRow(tx, { userId, id }))

const origin = query<{ id: number }, { issuer: string; idToken: string | null }>((db, p) =>
  db
    .selectFrom('session')
    .innerJoin('identity', 'identity.id', 'session.identity_id')
    .select(['identity.issuer', 'session.id_token as idToken'])
    .where('session.id', '=', p.id),
)
/** Where a session began, if that was at a provider; the token is sealed. */
export const findSessionOrigin = (db: Executor, sessionId: number) => first(origin(db, { id: sessionId }))

interface SessionThere {
  id: number
  userId: string
  username: string
  subject: string
}
const sessionsThere = (db: Builder, p: { issuer: string }) =>
  db
    .selectFrom('session')
    .innerJoin('identity', 'identity.id', 'session.identity_id')
    .innerJoin('person', 'person.id', 'session.user_id')
    .select(['session.id', 'person.id as userId', 'person.username', 'identity.subject'])
    .where('identity.issuer', '=', p.issuer)
const bySession = query<{ issuer: string; session: string }, SessionThere>((db, p) =>
  sessionsThere(db, p).where('session.provider_session', '=', p.session),
)
const bySubjectThere = query<Named, SessionThere>((db, p) =>
  sessionsThere(db, p).where('identity.subject', '=', p.subject),
)
/** Sessions that began with a session at the provider, or with any of a person there if it names none. */
export async function listSessionsOfProvider(
  db: Executor,
  { issuer, subject, session }: { issuer: string; subject: string | null; session: string | null },
): Promise<SessionThere[]> {
  if (session === null) return bySubjectThere(db, { issuer, subject: subject ?? '' })
  const begun = await bySession(db, { issuer, session })
  return begun.filter((each) => subject === null || each.subject === subject)
}
