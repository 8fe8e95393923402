// The audit trail: who did what to whose access, and when. Written in the transaction of the change, and logged
// once that is committed.
import { logSecurityEvent } from '../base/log.ts'
import { fromJson, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

export const eventKinds = [
  'instance.set-up',
  'instance.restored',
  'backup.requested',
  'backup.downloaded',
  'sign-in',
  'sign-in.failed',
  'sign-in.disowned',
  'sign-out',
  'password.changed',
  'second-factor.enabled',
  'second-factor.disabled',
  'recovery-codes.created',
  'recovery-code.used',
  'session.ended',
  'passkey.added',
  'passkey.removed',
  'passkey.counter-went-back',
  'identity.linked',
  'identity.unlinked',
  'api-key.created',
  'api-key.deleted',
  'feed.created',
  'feed.updated',
  'feed.rotated',
  'feed.deleted',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.secret-rotated',
  'mailbox.added',
  'mailbox.removed',
  'mail-address.created',
  'mail-address.removed',
  'subscription.created',
  'subscription.deleted',
  'app.approved',
  'app.denied',
  'app.revoked',
  'app.code-replayed',
  'app.refresh-token-reused',
  'user.created',
  'user.updated',
  'user.deleted',
  'user.role-changed',
  'user.password-reset',
  'invitation.created',
  'invitation.revoked',
  'invitation.used',
  'reset-link.created',
  'reset-link.revoked',
  'reset-link.used',
  'role.created',
  'role.updated',
  'role.deleted',
  'role.made-default',
  'flight.left',
  'flight.deleted',
  'flight.erased',
] as const
export type EventKind = (typeof eventKinds)[number]

type Detail = string | number | boolean | null | readonly string[]

export interface NewEvent {
  kind: EventKind
  now: Date
  /** Who did it; null: an unknown client, the operator at the command line, or the server itself. */
  actor: { id: string; username: string } | null
  /** The person whose access it changes, if that is not the actor. */
  subject?: { id: string; username: string } | null
  /** The client's address as the rate limits see it. */
  address?: string | undefined
  /** Further facts; never a secret. */
  details?: Record<string, Detail>
}

export interface AuditEvent {
  id: number
  happenedAt: string
  kind: EventKind
  actor: { id: string; username: string } | null
  subject: { id: string; username: string } | null
  address: string | null
  details: Record<string, Detail>
}

interface EventRow {
  id: number
  happenedAt: string
  kind: string
  actorId: string | null
  actorName: string | null
  subjectId: string | null
  subjectName: string | null
  address: string | null
  details: string
}

const insert = query<Omit<EventRow, 'id'>, { id: number }>((db, p) =>
  db
    .insertInto('audit_event')
    .values({
      happened_at: p.happenedAt,
      kind: p.kind,
      actor_id: p.actorId,
      actor_name: p.actorName,
      subject_id: p.subjectId,
      subject_name: p.subjectName,
      address: p.address,
      details: p.details,
    })
    .returning('id'),
)

export async function recordEvent(tx: Executor, event: NewEvent): Promise<void> {
  await insert(tx, {
    happenedAt: event.now.toISOString(),
    kind: event.kind,
    actorId: event.actor?.id ?? null,
    actorName: event.actor?.username ?? null,
    subjectId: event.subject?.id ?? null,
    subjectName: event.subject?.username ?? null,
    address: event.address ?? null,
    details: toJson(event.details ?? {}),
  })
  tx.afterCommit?.((log) =>
    logSecurityEvent(log, event.kind, {
      address: event.address,
      actor: event.actor?.username,
      subject: event.subject?.username,
      ...event.details,
    }),
  )
}

const columns = [
  'id',
  'happened_at as happenedAt',
  'kind',
  'actor_id as actorId',
  'actor_name as actorName',
  'subject_id as subjectId',
  'subject_name as subjectName',
  'address',
  'details',
] as const

const named = (id: string | null, username: string | null) =>
  id === null ? null : { id, username: username ?? '' }

const toEvent = (row: EventRow): AuditEvent => ({
  id: row.id,
  happenedAt: row.happenedAt,
  kind: row.kind as EventKind,
  actor: named(row.actorId, row.actorName),
  subject: named(row.subjectId, row.subjectName),
  address: row.address,
  details: fromJson(row.details),
})

const all = query<{ before: number; limit: number }, EventRow>((db, p) =>
  db
    .selectFrom('audit_event')
    .select(columns)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
)
/** Newest first, below `before`. */
export const listEvents = async (db: Executor, before: number, limit: number): Promise<AuditEvent[]> =>
  (await all(db, { before, limit })).map(toEvent)

const ofPerson = query<{ userId: string; before: number; limit: number }, EventRow>((db, p) =>
  db
    .selectFrom('audit_event')
    .select(columns)
    .where((eb) => eb.or([eb('actor_id', '=', p.userId), eb('subject_id', '=', p.userId)]))
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
)
/** Events that a person caused or that concern them. */
export const listEventsOf = async (
  db: Executor,
  userId: string,
  before: number,
  limit: number,
): Promise<AuditEvent[]> => (await ofPerson(db, { userId, before, limit })).map(toEvent)

const signIns = query<{ userId: string }, { id: number }>((db, p) =>
  db
    .selectFrom('audit_event')
    .select('id')
    .where('actor_id', '=', p.userId)
    .where('kind', '=', 'sign-in')
    .limit(1),
)
/** As far back as events are kept. */
export const hasSignedIn = async (db: Executor, userId: string): Promise<boolean> =>
  (await signIns(db, { userId })).length > 0

const sinceThen = query<{ userId: string; kind: EventKind; since: string }, { id: number }>((db, p) =>
  db
    .selectFrom('audit_event')
    .select('id')
    .where('actor_id', '=', p.userId)
    .where('kind', '=', p.kind)
    .where('happened_at', '>=', p.since)
    .limit(1),
)
/** Whether the person has done this since then, as far as the trail says. */
export const hasDoneSince = async (
  db: Executor,
  userId: string,
  kind: EventKind,
  since: string,
): Promise<boolean> => (await sinceThen(db, { userId, kind, since })).length > 0

const failures = query<{ userId: string; details: string; since: string }, { n: number }>((db, p) =>
  db
    .selectFrom('audit_event')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('subject_id', '=', p.userId)
    .where('kind', '=', 'sign-in.failed')
    .where('details', '=', p.details)
    .where('happened_at', '>', p.since),
)
/** How many sign-ins of a person failed with exactly these details since then. */
export const countFailedSignIns = async (
  db: Executor,
  userId: string,
  details: Record<string, Detail>,
  since: string,
): Promise<number> => Number((await first(failures(db, { userId, details: toJson(details), since })))!.n)

const deleteOld = query<{ before: string }, { id: number }>((db, p) =>
  db.deleteFrom('audit_event').where('happened_at', '<', p.before).returning('id'),
)
export const deleteEventsBefore = (tx: Executor, before: string) => deleteOld(tx, { before })
