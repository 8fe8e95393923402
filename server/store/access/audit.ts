// The audit trail: who changed whose access, how and when. Events are written in the transaction of the change and
// logged after the commit.
import { logSecurityEvent } from '../../base/log.ts'
import { fromJson, toJson } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query, queryAny } from '../engine/query.ts'
import type { RowOf } from '../engine/schema.ts'

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
  'device.added',
  'device.removed',
  'mail.confirmed',
  'mailbox.added',
  'mailbox.removed',
  'mail-address.created',
  'mail-address.removed',
  'subscription.created',
  'subscription.deleted',
  'pass.followed',
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

type EventRow = RowOf<'auditEvent'>

const insert = query((db, p: Omit<EventRow, 'id'>) =>
  db
    .insertInto('auditEvent')
    .values({
      happenedAt: p.happenedAt,
      kind: p.kind,
      actorId: p.actorId,
      actorName: p.actorName,
      subjectId: p.subjectId,
      subjectName: p.subjectName,
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
  'happenedAt',
  'kind',
  'actorId',
  'actorName',
  'subjectId',
  'subjectName',
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
/** Newest first, below `before`. */
export const listEvents = query(
  (db, p: { before: number; limit: number }) =>
    db
      .selectFrom('auditEvent')
      .select(columns)
      .where('id', '<', p.before)
      .orderBy('id', 'desc')
      .limit(p.limit),
  toEvent,
)

/** Events that a person caused or that concern them. */
export const listEventsOf = query(
  (db, p: { userId: string; before: number; limit: number }) =>
    db
      .selectFrom('auditEvent')
      .select(columns)
      .where((eb) => eb.or([eb('actorId', '=', p.userId), eb('subjectId', '=', p.userId)]))
      .where('id', '<', p.before)
      .orderBy('id', 'desc')
      .limit(p.limit),
  toEvent,
)

/** Looks as far back as events are kept. */
export const hasSignedIn = queryAny((db, p: { userId: string }) =>
  db
    .selectFrom('auditEvent')
    .select('id')
    .where('actorId', '=', p.userId)
    .where('kind', '=', 'sign-in')
    .limit(1),
)

/** Whether the trail has an event of this kind by the person since then. */
export const hasDoneSince = queryAny((db, p: { userId: string; kind: EventKind; since: string }) =>
  db
    .selectFrom('auditEvent')
    .select('id')
    .where('actorId', '=', p.userId)
    .where('kind', '=', p.kind)
    .where('happenedAt', '>=', p.since)
    .limit(1),
)

const failures = query((db, p: { userId: string; details: string; since: string }) =>
  db
    .selectFrom('auditEvent')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('subjectId', '=', p.userId)
    .where('kind', '=', 'sign-in.failed')
    .where('details', '=', p.details)
    .where('happenedAt', '>', p.since),
)
/** How many of a person's sign-ins failed with exactly these details since then. */
export const countFailedSignIns = async (
  db: Executor,
  userId: string,
  details: Record<string, Detail>,
  since: string,
): Promise<number> => Number((await first(failures(db, { userId, details: toJson(details), since })))!.n)
export const deleteEventsBefore = query((db, p: { before: string }) =>
  db.deleteFrom('auditEvent').where('happenedAt', '<', p.before).returning('id'),
)
