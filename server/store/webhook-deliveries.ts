// What a webhook sends, and what became of it.
import type { RemovalReason } from '../domain/changes.ts'
import type { AttemptError, DeliveryState, WebhookEvent } from '../domain/webhooks.ts'
import { fromJson, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import type { ExternalIds } from './external-ids.ts'
import { first, query } from './query.ts'
import { sending } from './webhooks.ts'

export interface Attempt {
  at: string
  status: number | null
  ms: number
  response: string | null
  error: AttemptError | null
}

/** What a tombstone says. */
export interface Removal {
  reason: RemovalReason
  version: number
  externalIds: ExternalIds
}

export interface Delivery {
  id: number
  webhookId: number
  number: number | null
  event: WebhookEvent
  flightId: number | null
  removal: Removal | null
  at: string
  state: DeliveryState
  attempts: Attempt[]
  attemptCount: number
  firstAttemptAt: string | null
  nextAttemptAt: string | null
  createdAt: string
}
type DeliveryRow = Omit<Delivery, 'removal' | 'attempts'> & { removal: string | null; attempts: string }

const deliveryColumns = [
  'webhook_delivery.id',
  'webhook_delivery.webhook_id as webhookId',
  'webhook_delivery.number',
  'webhook_delivery.event',
  'webhook_delivery.flight_id as flightId',
  'webhook_delivery.removal',
  'webhook_delivery.at',
  'webhook_delivery.state',
  'webhook_delivery.attempts',
  'webhook_delivery.attempt_count as attemptCount',
  'webhook_delivery.first_attempt_at as firstAttemptAt',
  'webhook_delivery.next_attempt_at as nextAttemptAt',
  'webhook_delivery.created_at as createdAt',
] as const

const toDelivery = (row: DeliveryRow): Delivery => ({
  ...row,
  removal: row.removal === null ? null : fromJson<Removal>(row.removal),
  attempts: fromJson<Attempt[]>(row.attempts),
})

const page = query<{ webhookId: number; before: number; limit: number }, DeliveryRow>((db, p) =>
  db
    .selectFrom('webhook_delivery')
    .select(deliveryColumns)
    .where('webhook_id', '=', p.webhookId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
)
/** Below the id `before`, newest first. */
export const listDeliveries = async (
  db: Executor,
  request: { webhookId: number; before: number; limit: number },
): Promise<Delivery[]> => (await page(db, request)).map(toDelivery)

const deliveryById = query<{ webhookId: number; id: number }, DeliveryRow>((db, p) =>
  db
    .selectFrom('webhook_delivery')
    .select(deliveryColumns)
    .where('webhook_id', '=', p.webhookId)
    .where('id', '=', p.id),
)
export async function findDelivery(
  db: Executor,
  webhookId: number,
  id: number,
): Promise<Delivery | undefined> {
  const row = await first(deliveryById(db, { webhookId, id }))
  return row && toDelivery(row)
}

/** The newest delivery of a webhook that was attempted. */
const attempted = query<{ webhookId: number }, DeliveryRow>((db, p) =>
  db
    .selectFrom('webhook_delivery')
    .select(deliveryColumns)
    .where('webhook_id', '=', p.webhookId)
    .where('attempt_count', '>', 0)
    .orderBy('id', 'desc')
    .limit(1),
)
export async function findLastAttempted(db: Executor, webhookId: number): Promise<Delivery | undefined> {
  const row = await first(attempted(db, { webhookId }))
  return row && toDelivery(row)
}

interface NewDelivery {
  webhookId: number
  number: number | null
  event: WebhookEvent
  flightId: number | null
  removal: Removal | null
  at: string
  now: string
}
const insertRow = query<Omit<NewDelivery, 'removal'> & { removal: string | null }, DeliveryRow>((db, p) =>
  db
    .insertInto('webhook_delivery')
    .values({
      webhook_id: p.webhookId,
      number: p.number,
      event: p.event,
      flight_id: p.flightId,
      removal: p.removal,
      at: p.at,
      state: 'waiting',
      attempts: '[]',
      attempt_count: 0,
      first_attempt_at: null,
      next_attempt_at: p.now,
      created_at: p.now,
    })
    .returning(deliveryColumns),
)
/** Due at once. */
export const insertDelivery = async (tx: Executor, delivery: NewDelivery): Promise<Delivery> =>
  toDelivery(
    (await insertRow(tx, { ...delivery, removal: delivery.removal && toJson(delivery.removal) }))[0]!,
  )

const deleteUnattempted = query<{ webhookId: number; flightId: number }, { event: WebhookEvent }>((db, p) =>
  db
    .deleteFrom('webhook_delivery')
    .where('webhook_id', '=', p.webhookId)
    .where('flight_id', '=', p.flightId)
    .where('state', '=', 'waiting')
    .where('attempt_count', '=', 0)
    .returning('event'),
)
const replaceAttempted = query<{ webhookId: number; flightId: number }, { event: WebhookEvent }>((db, p) =>
  db
    .updateTable('webhook_delivery')
    .set({ state: 'replaced', next_attempt_at: null })
    .where('webhook_id', '=', p.webhookId)
    .where('flight_id', '=', p.flightId)
    .where('state', '=', 'waiting')
    .returning('event'),
)
/** Takes a flight's deliveries out of the queue, before a newer change of it enters; returns what they were. */
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
const setOutcome = query<Omit<Outcome, 'attempts'> & { attempts: string }, DeliveryRow>((db, p) =>
  db
    .updateTable('webhook_delivery')
    .set({
      state: p.state,
      attempts: p.attempts,
      attempt_count: p.attemptCount,
      first_attempt_at: p.firstAttemptAt,
      next_attempt_at: p.nextAttemptAt,
    })
    .where('id', '=', p.id)
    .returning(deliveryColumns),
)
export async function updateDelivery(tx: Executor, outcome: Outcome): Promise<Delivery | undefined> {
  const row = await first(setOutcome(tx, { ...outcome, attempts: toJson(outcome.attempts) }))
  return row && toDelivery(row)
}

const deleteOld = query<{ before: string }, { id: number }>((db, p) =>
  db.deleteFrom('webhook_delivery').where('created_at', '<', p.before).returning('id'),
)
export const deleteDeliveriesBefore = (tx: Executor, before: string) => deleteOld(tx, { before })

const due = query<{ webhookId: number; now: string }, DeliveryRow>((db, p) =>
  db
    .selectFrom('webhook_delivery')
    .select(deliveryColumns)
    .where('webhook_id', '=', p.webhookId)
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '<=', p.now)
    // A person waits for a ping. The others are sent in the order of their changes.
    .orderBy((eb) => eb.case().when('event', '=', 'ping').then(0).else(1).end())
    .orderBy('number')
    .orderBy('id')
    .limit(1),
)
export async function findDueDelivery(
  db: Executor,
  webhookId: number,
  now: string,
): Promise<Delivery | undefined> {
  const row = await first(due(db, { webhookId, now }))
  return row && toDelivery(row)
}

const nextDue = query<object, { at: string | null }>((db) =>
  db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook', 'webhook.id', 'webhook_delivery.webhook_id')
    .select((eb) => eb.fn.min('webhook_delivery.next_attempt_at').as('at'))
    .where('webhook_delivery.state', '=', 'waiting')
    .where('webhook.status', 'in', sending),
)
/** When the next delivery is due. */
export const findNextDue = async (db: Executor): Promise<string | null> =>
  (await first(nextDue(db, {})))?.at ?? null
