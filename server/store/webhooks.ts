// Webhooks. The queue of a webhook is its position in the change sequence and the deliveries that
// wait; the process that holds its lease works on both, and a lease that expires returns to the others.
import { sql } from 'kysely'
import type { Scope } from '../domain/access.ts'
import type {
  StopReason,
  WebhookEvent,
  WebhookPayload,
  WebhookScope,
  WebhookStatus,
} from '../domain/webhooks.ts'
import { hasCredential } from './callers.ts'
import { fromJson, toJson } from './codecs.ts'
import { hasNoTable, locksRows } from './dialect.ts'
import type { Executor } from './engine.ts'
import { type Builder, first, query } from './query.ts'
import { EVERYONE } from './revisions.ts'

interface WebhookSettings {
  url: string
  description: string
  events: WebhookEvent[]
  scope: WebhookScope
  payload: WebhookPayload
  /** What it was made or last changed with, and the scopes of that. */
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
  'webhook.user_id as userId',
  'webhook.url',
  'webhook.description',
  'webhook.events',
  'webhook.scope',
  'webhook.payload',
  'webhook.credential',
  'webhook.scopes',
  'webhook.secret',
  'webhook.old_secret as oldSecret',
  'webhook.old_secret_until as oldSecretUntil',
  'webhook.status',
  'webhook.stopped_because as stoppedBecause',
  'webhook.failing_since as failingSince',
  'webhook.position',
  'webhook.created_at as createdAt',
  'webhook.updated_at as updatedAt',
] as const

const toWebhook = (row: WebhookRow): Webhook => ({
  ...row,
  events: fromJson<WebhookEvent[]>(row.events),
  scopes: fromJson<Scope[]>(row.scopes),
})
const orUndefined = (row: WebhookRow | undefined) => row && toWebhook(row)

// Webhooks

const ofPerson = query<{ userId: string }, WebhookRow>((db, p) =>
  db.selectFrom('webhook').select(columns).where('user_id', '=', p.userId).orderBy('id'),
)
export const listWebhooks = async (db: Executor, userId: string): Promise<Webhook[]> =>
  (await ofPerson(db, { userId })).map(toWebhook)

const byId = query<{ userId: string; id: number }, WebhookRow>((db, p) =>
  db.selectFrom('webhook').select(columns).where('user_id', '=', p.userId).where('id', '=', p.id),
)
/** One of this person's webhooks. */
export const findWebhook = async (db: Executor, userId: string, id: number): Promise<Webhook | undefined> =>
  orUndefined(await first(byId(db, { userId, id })))

const counted = query<{ userId: string }, { own: number; all: number }>((db, p) =>
  db
    .selectFrom('webhook')
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      eb.fn.count<number>(eb.case().when('user_id', '=', p.userId).then(1).end()).as('own'),
    ]),
)
export async function countWebhooks(db: Executor, userId: string): Promise<{ own: number; all: number }> {
  const { own, all } = (await first(counted(db, { userId })))!
  return { own: Number(own), all: Number(all) }
}

type NewWebhook = WebhookSettings & { userId: string; secret: string; position: number; now: string }
const insert = query<Omit<NewWebhook, 'events' | 'scopes'> & { events: string; scopes: string }, WebhookRow>(
  (db, p) =>
    db
      .insertInto('webhook')
      .values({
        user_id: p.userId,
        url: p.url,
        description: p.description,
        events: p.events,
        scope: p.scope,
        payload: p.payload,
        credential: p.credential,
        scopes: p.scopes,
        secret: p.secret,
        old_secret: null,
        old_secret_until: null,
        status: 'active',
        stopped_because: null,
        failing_since: null,
        position: p.position,
        lease: null,
        lease_until: null,
        created_at: p.now,
        updated_at: p.now,
      })
      .returning(columns),
)
export const insertWebhook = async (tx: Executor, webhook: NewWebhook): Promise<Webhook> =>
  toWebhook(
    (await insert(tx, { ...webhook, events: toJson(webhook.events), scopes: toJson(webhook.scopes) }))[0]!,
  )

type Changed = WebhookSettings &
  Pick<Webhook, 'id' | 'status' | 'stoppedBecause' | 'failingSince'> & { now: string }
const update = query<Omit<Changed, 'events' | 'scopes'> & { events: string; scopes: string }, WebhookRow>(
  (db, p) =>
    db
      .updateTable('webhook')
      .set({
        url: p.url,
        description: p.description,
        events: p.events,
        scope: p.scope,
        payload: p.payload,
        credential: p.credential,
        scopes: p.scopes,
        status: p.status,
        stopped_because: p.stoppedBecause,
        failing_since: p.failingSince,
        updated_at: p.now,
      })
      .where('id', '=', p.id)
      .returning(columns),
)
export const updateWebhook = async (tx: Executor, webhook: Changed): Promise<Webhook | undefined> =>
  orUndefined(
    await first(update(tx, { ...webhook, events: toJson(webhook.events), scopes: toJson(webhook.scopes) })),
  )

interface NewSecret {
  id: number
  secret: string
  oldSecret: string | null
  oldSecretUntil: string | null
  status: WebhookStatus
  stoppedBecause: StopReason | null
  now: string
}
const replaceSecret = query<NewSecret, WebhookRow>((db, p) =>
  db
    .updateTable('webhook')
    .set({
      secret: p.secret,
      old_secret: p.oldSecret,
      old_secret_until: p.oldSecretUntil,
      status: p.status,
      stopped_because: p.stoppedBecause,
      updated_at: p.now,
    })
    .where('id', '=', p.id)
    .returning(columns),
)
export const updateWebhookSecret = async (tx: Executor, secret: NewSecret): Promise<Webhook | undefined> =>
  orUndefined(await first(replaceSecret(tx, secret)))

const remove = query<{ userId: string; id: number }, { id: number }>((db, p) =>
  db.deleteFrom('webhook').where('user_id', '=', p.userId).where('id', '=', p.id).returning('id'),
)
export const deleteWebhook = async (tx: Executor, userId: string, id: number): Promise<boolean> =>
  (await remove(tx, { userId, id })).length > 0

const forgetOldSecrets = query<{ now: string }, { id: number }>((db, p) =>
  db
    .updateTable('webhook')
    .set({ old_secret: null, old_secret_until: null })
    .where('old_secret_until', '<=', p.now)
    .returning('id'),
)
/** Secrets that were replaced and no longer sign. */
export const deleteOldSecrets = (tx: Executor, now: string) => forgetOldSecrets(tx, { now })

const everySecret = query<object, { userId: string; secret: string }>((db) =>
  db.selectFrom('webhook').select(['user_id as userId', 'secret']),
)
/** Empty also where the table does not exist yet. */
export async function listSecretsIfAny(db: Executor): Promise<{ userId: string; secret: string }[]> {
  try {
    return await everySecret(db, {})
  } catch (error) {
    if (hasNoTable(error)) return []
    throw error
  }
}

// The credential that a webhook was made with

/** Whether the API key or the connected app still exists. A session ends by itself, so it does not count. */
export async function credentialExists(db: Executor, userId: string, credential: string): Promise<boolean> {
  const [kind, id] = credential.split(':')
  if (kind === 'session') return true
  return hasCredential(db, { kind: kind === 'key' ? 'apiKey' : 'oauth', userId, id: Number(id) })
}

// The queue

interface Lease {
  lease: string
  now: string
  until: string
}

export const sending = ['active', 'failing'] as const

/** Webhooks that something is due for: a delivery, or changes above their position. */
const withWork = (db: Builder, p: { now: string }) =>
  db
    .selectFrom('webhook')
    .where('webhook.status', 'in', sending)
    .where((eb) => eb.or([eb('webhook.lease_until', 'is', null), eb('webhook.lease_until', '<=', p.now)]))
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('webhook_delivery')
            .select('webhook_delivery.id')
            .whereRef('webhook_delivery.webhook_id', '=', 'webhook.id')
            .where('webhook_delivery.state', '=', 'waiting')
            .where('webhook_delivery.next_attempt_at', '<=', p.now),
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

const anyWork = query<{ now: string }, { id: number }>((db, p) =>
  withWork(db, p).select('webhook.id').limit(1),
)
/** A read, so that an instance without webhooks never waits to write. */
export const hasWork = async (db: Executor, now: string): Promise<boolean> =>
  (await anyWork(db, { now })).length > 0

const claim = query<Lease, { id: number }>((db, p, engine) =>
  db
    .updateTable('webhook')
    .set({ lease: p.lease, lease_until: p.until })
    .where('id', '=', () =>
      withWork(db, p)
        .select('webhook.id')
        .orderBy('webhook.id')
        .limit(1)
        .$if(locksRows(engine), (found) => found.forUpdate().skipLocked()),
    )
    .returning('id'),
)
/** Takes the lease of a webhook that has something to do and that no process works on. */
export const claimWebhook = async (tx: Executor, lease: Lease): Promise<number | undefined> =>
  (await first(claim(tx, lease)))?.id

const renew = query<{ id: number; lease: string; until: string }, WebhookRow>((db, p) =>
  db
    .updateTable('webhook')
    .set({ lease_until: p.until })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease)
    .where('status', 'in', sending)
    .returning(columns),
)
/** Extends a lease; undefined if it was lost, or if the webhook is deleted or no longer sends. */
export const renewLease = async (
  tx: Executor,
  lease: { id: number; lease: string; until: string },
): Promise<Webhook | undefined> => orUndefined(await first(renew(tx, lease)))

const release = query<{ id: number; lease: string }, { id: number }>((db, p) =>
  db
    .updateTable('webhook')
    .set({ lease: null, lease_until: null })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease)
    .returning('id'),
)
export const releaseLease = (tx: Executor, id: number, lease: string) => release(tx, { id, lease })

const move = query<{ id: number; position: number }, { id: number }>((db, p) =>
  db.updateTable('webhook').set({ position: p.position }).where('id', '=', p.id).returning('id'),
)
export const movePosition = (tx: Executor, id: number, position: number) => move(tx, { id, position })

interface Standing {
  id: number
  status: WebhookStatus
  stoppedBecause: StopReason | null
  failingSince: string | null
}
const setStatus = query<Standing, { id: number }>((db, p) =>
  db
    .updateTable('webhook')
    .set({ status: p.status, stopped_because: p.stoppedBecause, failing_since: p.failingSince })
    .where('id', '=', p.id)
    .returning('id'),
)
export const updateWebhookStatus = (tx: Executor, standing: Standing) => setStatus(tx, standing)
