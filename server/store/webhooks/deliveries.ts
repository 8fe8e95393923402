// The deliveries of webhooks and their results.
import type { RemovalReason } from '../../domain/history/changes.ts'
import { pick } from '../../domain/pick.ts'
import type { AttemptError, DeliveryState, WebhookEvent } from '../../domain/webhooks/webhooks.ts'
import { fromJson, toJson } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query, queryFirst } from '../engine/query.ts'
import type { RowOf } from '../engine/schema.ts'
import type { ExternalIds } from '../history/external-ids.ts'
import { sending } from './webhooks.ts'

export interface Attempt {
  at: string
  status: number | null
  ms: number
  response: string | null
  error: AttemptError | null
}

/** What a tombstone contains. */
export interface Removal {
  reason: RemovalReason
  version: number
  externalIds: ExternalIds
}

export interface Delivery extends Omit<RowOf<'webhookDelivery'>, 'removal' | 'attempts'> {
  removal: Removal | null
  attempts: Attempt[]
}
type DeliveryRow = Omit<Delivery, 'removal' | 'attempts'> & { removal: string | null; attempts: string }

const deliveryColumns = [
  'webhookDelivery.id',
  'webhookDelivery.webhookId',
  'webhookDelivery.number',
  'webhookDelivery.event',
  'webhookDelivery.flightId',
  'webhookDelivery.removal',
  'webhookDelivery.at',
  'webhookDelivery.state',
  'webhookDelivery.attempts',
  'webhookDelivery.attemptCount',
  'webhookDelivery.firstAttemptAt',
  'webhookDelivery.nextAttemptAt',
  'webhookDelivery.createdAt',
] as const

const toDelivery = (row: DeliveryRow): Delivery => ({
  ...row,
  removal: row.removal === null ? null : fromJson<Removal>(row.removal),
  attempts: fromJson<Attempt[]>(row.attempts),
})
/** Below the id `before`, newest first. */
export const listDeliveries = query(
  (db, p: { webhookId: number; before: number; limit: number }) =>
    db
      .selectFrom('webhookDelivery')
      .select(deliveryColumns)
      .where('webhookId', '=', p.webhookId)
      .where('id', '<', p.before)
      .orderBy('id', 'desc')
      .limit(p.limit),
  toDelivery,
)

export const findDelivery = queryFirst(
  (db, p: { webhookId: number; id: number }) =>
    db
      .selectFrom('webhookDelivery')
      .select(deliveryColumns)
      .where('webhookId', '=', p.webhookId)
      .where('id', '=', p.id),
  toDelivery,
)

/** The newest delivery of a webhook that was attempted. */
export const findLastAttempted = queryFirst(
  (db, p: { webhookId: number }) =>
    db
      .selectFrom('webhookDelivery')
      .select(deliveryColumns)
      .where('webhookId', '=', p.webhookId)
      .where('attemptCount', '>', 0)
      .orderBy('id', 'desc')
      .limit(1),
  toDelivery,
)

interface NewDelivery {
  webhookId: number
  number: number | null
  event: WebhookEvent
  flightId: number | null
  removal: Removal | null
  at: string
  now: string
}
const insertRow = query((db, p: Omit<NewDelivery, 'removal'> & { removal: string | null }) =>
  db
    .insertInto('webhookDelivery')
    .values({
      ...pick(p, ['webhookId', 'number', 'event', 'flightId', 'removal', 'at']),
      state: 'waiting',
      attempts: '[]',
      attemptCount: 0,
      firstAttemptAt: null,
      nextAttemptAt: p.now,
      createdAt: p.now,
    })
    .returning(deliveryColumns),
)
/** The delivery is due immediately. */
export const insertDelivery = async (tx: Executor, delivery: NewDelivery): Promise<Delivery> =>
  toDelivery(
    (await insertRow(tx, { ...delivery, removal: delivery.removal && toJson(delivery.removal) }))[0]!,
  )

const deleteUnattempted = query((db, p: { webhookId: number; flightId: number }) =>
  db
    .deleteFrom('webhookDelivery')
    .where('webhookId', '=', p.webhookId)
    .where('flightId', '=', p.flightId)
    .where('state', '=', 'waiting')
    .where('attemptCount', '=', 0)
    .returning('event'),
)
const replaceAttempted = query((db, p: { webhookId: number; flightId: number }) =>
  db
    .updateTable('webhookDelivery')
    .set({ state: 'replaced', nextAttemptAt: null })
    .where('webhookId', '=', p.webhookId)
    .where('flightId', '=', p.flightId)
    .where('state', '=', 'waiting')
    .returning('event'),
)
/** Removes a flight's pending deliveries before a newer change is queued; returns their events. */
export async function replaceWaiting(
  tx: Executor,
  webhookId: number,
  flightId: number,
): Promise<WebhookEvent[]> {
  const gone = await deleteUnattempted(tx, { webhookId, flightId })
  const replaced = await replaceAttempted(tx, { webhookId, flightId })
  return [...gone, ...replaced].map(({ event }) => event)
}

interface Outcome {
  id: number
  state: DeliveryState
  attempts: readonly Attempt[]
  attemptCount: number
  firstAttemptAt: string | null
  nextAttemptAt: string | null
}
const setOutcome = queryFirst(
  (db, p: Omit<Outcome, 'attempts'> & { attempts: string }) =>
    db
      .updateTable('webhookDelivery')
      .set(pick(p, ['state', 'attempts', 'attemptCount', 'firstAttemptAt', 'nextAttemptAt']))
      .where('id', '=', p.id)
      .returning(deliveryColumns),
  toDelivery,
)
export const updateDelivery = (tx: Executor, outcome: Outcome): Promise<Delivery | undefined> =>
  setOutcome(tx, { ...outcome, attempts: toJson(outcome.attempts) })
export const deleteDeliveriesBefore = query((db, p: { before: string }) =>
  db.deleteFrom('webhookDelivery').where('createdAt', '<', p.before).returning('id'),
)

export const findDueDelivery = queryFirst(
  (db, p: { webhookId: number; now: string }) =>
    db
      .selectFrom('webhookDelivery')
      .select(deliveryColumns)
      .where('webhookId', '=', p.webhookId)
      .where('state', '=', 'waiting')
      .where('nextAttemptAt', '<=', p.now)
      // Someone is waiting for the result of a ping. Other deliveries are sent in the order of their changes.
      .orderBy((eb) => eb.case().when('event', '=', 'ping').then(0).else(1).end())
      .orderBy('number')
      .orderBy('id')
      .limit(1),
  toDelivery,
)

const nextDue = query((db) =>
  db
    .selectFrom('webhookDelivery')
    .innerJoin('webhook', 'webhook.id', 'webhookDelivery.webhookId')
    .select((eb) => eb.fn.min('webhookDelivery.nextAttemptAt').as('at'))
    .where('webhookDelivery.state', '=', 'waiting')
    .where('webhook.status', 'in', sending),
)
/** When the next delivery is due. */
export const findNextDue = async (db: Executor): Promise<string | null> =>
  (await first(nextDue(db, {})))?.at ?? null
