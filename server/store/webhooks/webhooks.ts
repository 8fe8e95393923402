// Webhooks. A webhook's queue is its position in the change sequence and its pending deliveries. The process that holds
// the lease works on both; after the lease expires, another process may.
import { sql } from 'kysely'
import type { Scope } from '../../domain/access/access.ts'
import { pick } from '../../domain/pick.ts'
import type {
  StopReason,
  WebhookEvent,
  WebhookPayload,
  WebhookScope,
  WebhookStatus,
} from '../../domain/webhooks/webhooks.ts'
import { hasCredential } from '../access/callers.ts'
import { fromJson, toJson } from '../engine/codecs.ts'
import { hasNoTable } from '../engine/dialect.ts'
import type { Executor } from '../engine/engine.ts'
import { claimFirst, isFree, type Lease, releaseOf, renewed } from '../engine/leases.ts'
import { type Builder, first, query, queryAny, queryFirst } from '../engine/query.ts'
import { EVERYONE } from '../engine/revisions.ts'

interface WebhookSettings {
  url: string
  description: string
  events: WebhookEvent[]
  scope: WebhookScope
  payload: WebhookPayload
  /** The credential that created or last changed it, and that credential's scopes. */
  credential: string
  scopes: Scope[]
}

export interface Webhook extends WebhookSettings {
  id: number
  userId: string
  /** Sealed. */
  secret: string
  oldSecret: string | null
  oldSecretUntil: string | null
  status: WebhookStatus
  stoppedBecause: StopReason | null
  failingSince: string | null
  position: number
  createdAt: string
  updatedAt: string
}
type WebhookRow = Omit<Webhook, 'events' | 'scopes'> & { events: string; scopes: string }

const columns = [
  'webhook.id',
  'webhook.userId',
  'webhook.url',
  'webhook.description',
  'webhook.events',
  'webhook.scope',
  'webhook.payload',
  'webhook.credential',
  'webhook.scopes',
  'webhook.secret',
  'webhook.oldSecret',
  'webhook.oldSecretUntil',
  'webhook.status',
  'webhook.stoppedBecause',
  'webhook.failingSince',
  'webhook.position',
  'webhook.createdAt',
  'webhook.updatedAt',
] as const

const toWebhook = (row: WebhookRow): Webhook => ({
  ...row,
  events: fromJson<WebhookEvent[]>(row.events),
  scopes: fromJson<Scope[]>(row.scopes),
})

// Webhooks

export const listWebhooks = query(
  (db, p: { userId: string }) =>
    db.selectFrom('webhook').select(columns).where('userId', '=', p.userId).orderBy('id'),
  toWebhook,
)

export const findWebhook = queryFirst(
  (db, p: { userId: string; id: number }) =>
    db.selectFrom('webhook').select(columns).where('userId', '=', p.userId).where('id', '=', p.id),
  toWebhook,
)

const counted = query((db, p: { userId: string }) =>
  db
    .selectFrom('webhook')
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      eb.fn.count<number>(eb.case().when('userId', '=', p.userId).then(1).end()).as('own'),
    ]),
)
export async function countWebhooks(db: Executor, userId: string): Promise<{ own: number; all: number }> {
  const { own, all } = (await first(counted(db, { userId })))!
  return { own: Number(own), all: Number(all) }
}

const settingColumns = ['url', 'description', 'events', 'scope', 'payload', 'credential', 'scopes'] as const
type NewWebhook = WebhookSettings & { userId: string; secret: string; position: number; now: string }
const insert = query((db, p: Omit<NewWebhook, 'events' | 'scopes'> & { events: string; scopes: string }) =>
  db
    .insertInto('webhook')
    .values({
      userId: p.userId,
      ...pick(p, settingColumns),
      secret: p.secret,
      oldSecret: null,
      oldSecretUntil: null,
      status: 'active',
      stoppedBecause: null,
      failingSince: null,
      position: p.position,
      lease: null,
      leaseUntil: null,
      createdAt: p.now,
      updatedAt: p.now,
    })
    .returning(columns),
)
export const insertWebhook = async (tx: Executor, webhook: NewWebhook): Promise<Webhook> =>
  toWebhook(
    (await insert(tx, { ...webhook, events: toJson(webhook.events), scopes: toJson(webhook.scopes) }))[0]!,
  )

type Changed = WebhookSettings &
  Pick<Webhook, 'id' | 'status' | 'stoppedBecause' | 'failingSince'> & { now: string }
const update = queryFirst(
  (db, p: Omit<Changed, 'events' | 'scopes'> & { events: string; scopes: string }) =>
    db
      .updateTable('webhook')
      .set({
        ...pick(p, settingColumns),
        status: p.status,
        stoppedBecause: p.stoppedBecause,
        failingSince: p.failingSince,
        updatedAt: p.now,
      })
      .where('id', '=', p.id)
      .returning(columns),
  toWebhook,
)
export const updateWebhook = (tx: Executor, webhook: Changed): Promise<Webhook | undefined> =>
  update(tx, { ...webhook, events: toJson(webhook.events), scopes: toJson(webhook.scopes) })

interface NewSecret {
  id: number
  secret: string
  oldSecret: string | null
  oldSecretUntil: string | null
  status: WebhookStatus
  stoppedBecause: StopReason | null
  now: string
}
export const updateWebhookSecret = queryFirst(
  (db, p: NewSecret) =>
    db
      .updateTable('webhook')
      .set({
        ...pick(p, ['secret', 'oldSecret', 'oldSecretUntil', 'status', 'stoppedBecause']),
        updatedAt: p.now,
      })
      .where('id', '=', p.id)
      .returning(columns),
  toWebhook,
)
export const deleteWebhook = queryAny((db, p: { userId: string; id: number }) =>
  db.deleteFrom('webhook').where('userId', '=', p.userId).where('id', '=', p.id).returning('id'),
)

/** Deletes replaced secrets that no longer sign. */
export const deleteOldSecrets = query((db, p: { now: string }) =>
  db
    .updateTable('webhook')
    .set({ oldSecret: null, oldSecretUntil: null })
    .where('oldSecretUntil', '<=', p.now)
    .returning('id'),
)

const everySecret = query((db) => db.selectFrom('webhook').select(['userId', 'secret']))
/** Empty if the table does not exist yet. */
export async function listSecretsIfAny(db: Executor): Promise<{ userId: string; secret: string }[]> {
  try {
    return await everySecret(db, {})
  } catch (error) {
    if (hasNoTable(error)) return []
    throw error
  }
}

// The credential of a webhook

/** Whether the API key or the connected app still exists. Always true for a session, because sessions expire. */
export async function credentialExists(db: Executor, userId: string, credential: string): Promise<boolean> {
  const [kind, id] = credential.split(':')
  if (kind === 'session') return true
  return hasCredential(db, { kind: kind === 'key' ? 'apiKey' : 'oauth', userId, id: Number(id) })
}

// The queue

export const sending = ['active', 'failing'] as const

/** Webhooks with a delivery that is due, or with changes above their position. */
const withWork = (db: Builder, p: { now: string }) =>
  db
    .selectFrom('webhook')
    .where('webhook.status', 'in', sending)
    .where(isFree(p))
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('webhookDelivery')
            .select('webhookDelivery.id')
            .whereRef('webhookDelivery.webhookId', '=', 'webhook.id')
            .where('webhookDelivery.state', '=', 'waiting')
            .where('webhookDelivery.nextAttemptAt', '<=', p.now),
        ),
        eb.exists(
          eb
            .selectFrom('change')
            .select('change.number')
            .where(
              'change.viewer',
              '=',
              sql<string>`case when webhook.scope = 'all' then ${sql.lit(EVERYONE)} else webhook.user_id end`,
            )
            .where('change.type', '=', 'flight')
            .whereRef('change.number', '>', 'webhook.position'),
        ),
      ]),
    )
/** A read, so that an instance without webhooks never waits for the write lock. */
export const hasWork = queryAny((db, p: { now: string }) => withWork(db, p).select('webhook.id').limit(1))
/** Claims a webhook that has work and that no process is working on. */
export const claimWebhook = queryFirst(
  (db, p: Lease, engine) =>
    claimFirst(
      db,
      'webhook',
      p,
      withWork(db, p).select('webhook.id').orderBy('webhook.id'),
      engine,
    ).returning('id'),
  ({ id }) => id,
)

/** Extends a lease; undefined if it was lost, or if the webhook was deleted or stopped. */
export const renewLease = queryFirst(
  (db, p: { id: number; lease: string; until: string }) =>
    renewed(db, 'webhook', p).where('status', 'in', sending).returning(columns),
  toWebhook,
)
export const releaseLease = releaseOf('webhook')

export const movePosition = query((db, p: { id: number; position: number }) =>
  db.updateTable('webhook').set({ position: p.position }).where('id', '=', p.id).returning('id'),
)

interface Standing {
  id: number
  status: WebhookStatus
  stoppedBecause: StopReason | null
  failingSince: string | null
}
export const updateWebhookStatus = query((db, p: Standing) =>
  db
    .updateTable('webhook')
    .set({ status: p.status, stoppedBecause: p.stoppedBecause, failingSince: p.failingSince })
    .where('id', '=', p.id)
    .returning('id'),
)
