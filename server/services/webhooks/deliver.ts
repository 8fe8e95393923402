// Delivers queued messages to webhooks. A process takes the lease of a webhook, turns the changes above its position into
// deliveries and sends those that are due, one after the other. Every step is committed before the next, so a killed process
// loses nothing; at worst a message is sent again with the same id.

import type { Clock } from '../../base/clock.ts'
import { errorMessage, Unavailable } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { type InstanceSecret, Unreadable } from '../../base/secret/instance-secret.ts'
import { randomFraction } from '../../base/secret/secrets.ts'
import { covers, flightScope, type Scope } from '../../domain/access/access.ts'
import {
  afterFailure,
  RESPONSE_WITHIN_MS,
  type StopReason,
  type WebhookEvent,
  type WebhookStatus,
} from '../../domain/webhooks/webhooks.ts'
import { findCallerByPerson } from '../../store/access/callers.ts'
import { toJson } from '../../store/engine/codecs.ts'
import { leaseTimes, newLease } from '../../store/engine/leases.ts'
import { EVERYONE } from '../../store/engine/revisions.ts'
import { type Change, listChanges } from '../../store/history/changes.ts'
import { insertNotice } from '../../store/people/notices.ts'
import type { Executor, Store } from '../../store/store.ts'
import {
  type Attempt,
  type Delivery,
  findDueDelivery,
  insertDelivery,
  type Removal,
  replaceWaiting,
  updateDelivery,
} from '../../store/webhooks/deliveries.ts'
import {
  claimWebhook,
  credentialExists,
  hasWork,
  movePosition,
  releaseLease,
  renewLease,
  updateWebhookStatus,
  type Webhook,
} from '../../store/webhooks/webhooks.ts'
import { type Principal, principalFrom, roleMayUse, scopeSet } from '../access/principal.ts'
import type { Sender, SendResult } from './send.ts'

/** Renewed before each attempt; the margin is for a slow database. */
const LEASE_MS = RESPONSE_WITHIN_MS + 45_000
const CHANGES_AT_ONCE = 200
/** Per delivery, including manual retries. */
const ATTEMPTS_KEPT = 20

/** The input for the body of a message. */
export interface Subject {
  principal: Principal
  webhook: Pick<Webhook, 'id' | 'userId' | 'scope' | 'payload'>
  event: WebhookEvent
  at: string
  flightId: number | null
  removal: Removal | null
}

export interface DeliveryParts {
  store: Store
  clock: Clock
  log: Logger
  secret: InstanceSecret
  sender: Sender
  /** The body of a message as the person may see it now; undefined if there is nothing left to report. */
  describe(db: Executor, subject: Subject): Promise<object | undefined>
}

interface Deliveries {
  /** Starts work on every webhook with pending changes or deliveries; returns whether there was any. */
  startDue(): Promise<boolean>
  isBusy(): boolean
  /** Delivers until nothing is due. */
  deliverDue(): Promise<void>
  /** Aborts requests in progress; their messages are sent again later. */
  stop(): Promise<void>
}

export function createDeliveries(parts: DeliveryParts): Deliveries {
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()

  async function startDue(): Promise<boolean> {
    let found = false
    while (!stopping.signal.aborted) {
      const lease = newLease(parts.clock, LEASE_MS)
      if (!(await hasWork(parts.store.read, { now: lease.now }))) break
      const id = await parts.store.transaction((tx) => claimWebhook(tx, lease))
      if (id === undefined) break
      found = true
      const turn: Promise<void> = takeTurn(parts, id, lease.lease, stopping.signal)
        .catch((error) =>
          parts.log.warn('could not deliver a webhook', { webhook: id, reason: errorMessage(error) }),
        )
        .finally(() => running.delete(turn))
      running.add(turn)
    }
    return found
  }

  return {
    startDue,
    isBusy: () => running.size > 0,
    async deliverDue() {
      while (await startDue()) await Promise.all(running)
      await Promise.all(running)
    },
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

async function takeTurn(parts: DeliveryParts, id: number, lease: string, signal: AbortSignal): Promise<void> {
  const { store } = parts
  try {
    while (!signal.aborted) {
      const next = await store.transaction((tx) => prepareNext(parts, tx, id, lease))
      if (!next) break
      await attempt(parts, next, lease, signal)
    }
  } catch (error) {
    // After an error of ours the lease is kept until it expires, as a pause.
    if (!signal.aborted) throw error
  }
  await store.transaction((tx) => releaseLease(tx, { id, lease }))
}

interface Next {
  webhook: Webhook
  principal: Principal
  secrets: string[]
  delivery: Delivery
}

/** Queues new changes and finds the next due delivery. Checks access and the secret every time. */
async function prepareNext(
  { clock, secret }: DeliveryParts,
  tx: Executor,
  id: number,
  lease: string,
): Promise<Next | undefined> {
  const { now, until } = leaseTimes(clock, LEASE_MS)
  const webhook = await renewLease(tx, { id, lease, until })
  const caller = webhook && (await findCallerByPerson(tx, { userId: webhook.userId }))
  if (!caller) return undefined
  const principal = principalFrom(caller, {
    kind: 'session',
    credentialId: webhook.credential,
    scopes: scopeSet(toJson(webhook.scopes)),
  })
  const secrets = readSecrets(secret, webhook, now)
  const problem = (await accessProblem(tx, webhook, principal)) ?? (secrets ? undefined : 'secret_unreadable')
  if (problem || !secrets) {
    await stopSending(tx, webhook, { status: 'suspended', because: problem ?? 'secret_unreadable' }, now)
    return undefined
  }
  await queueChanges(tx, webhook, now)
  const delivery = await findDueDelivery(tx, { webhookId: id, now })
  return delivery && { webhook, principal, secrets, delivery }
}

/** The scopes that a credential needs, and its person's role must permit, to receive these changes. */
export const scopesFor = (scope: Webhook['scope']): Scope[] => [
  'webhooks.manage',
  flightScope('read', scope === 'all' ? 'any' : 'own'),
]

async function accessProblem(
  tx: Executor,
  { userId, scope, credential }: Webhook,
  principal: Principal,
): Promise<StopReason | undefined> {
  const needed = scopesFor(scope)
  if (!needed.every((each) => covers(principal.scopes, each) && roleMayUse(principal, each)))
    return 'access_lost'
  return (await credentialExists(tx, userId, credential)) ? undefined : 'credential_ended'
}

/** A sealed secret can only be opened for the same person's webhooks. */
export const sealPurpose = (userId: string): string => `webhook of ${userId}`

/** The signing secrets, newest first; undefined if the newest cannot be opened. */
function readSecrets(secret: InstanceSecret, webhook: Webhook, now: string): string[] | undefined {
  const open = (sealed: string) => {
    try {
      return [secret.unseal(sealPurpose(webhook.userId), sealed)]
    } catch (error) {
      if (error instanceof Unreadable) return []
      throw error
    }
  }
  const current = open(webhook.secret)
  const isOldValid = webhook.oldSecret !== null && (webhook.oldSecretUntil ?? '') > now
  return current.length === 0 ? undefined : [...current, ...(isOldValid ? open(webhook.oldSecret!) : [])]
}

// Turning changes into deliveries

async function queueChanges(tx: Executor, webhook: Webhook, now: string): Promise<void> {
  const viewer = webhook.scope === 'all' ? EVERYONE : webhook.userId
  for (let { position } = webhook; ; ) {
    const changes = await listChanges(tx, viewer, 'flight', position, CHANGES_AT_ONCE)
    for (const change of changes) await queueChange(tx, webhook, change, now)
    const last = changes.at(-1)
    if (last) await movePosition(tx, { id: webhook.id, position: last.number })
    if (!last || changes.length < CHANGES_AT_ONCE) return
    position = last.number
  }
}

/** A change of a flight replaces an earlier one that is still queued. */
async function queueChange(tx: Executor, webhook: Webhook, change: Change, now: string): Promise<void> {
  const event = eventOf(change, webhook.position)
  if (!webhook.events.includes(event)) return
  const replaced = await replaceWaiting(tx, webhook.id, change.id)
  await insertDelivery(tx, {
    webhookId: webhook.id,
    number: change.number,
    // The receiver may not know of the flight yet.
    event: event === 'flight.updated' && replaced.includes('flight.created') ? 'flight.created' : event,
    flightId: change.id,
    removal:
      change.removed === null
        ? null
        : {
            reason: change.removed,
            version: change.version,
            externalIds: change.externalIds[webhook.userId] ?? {},
          },
    at: change.at,
    now,
  })
}

function eventOf({ removed, appeared }: Change, position: number): WebhookEvent {
  if (removed !== null) return 'flight.removed'
  return appeared > position ? 'flight.created' : 'flight.updated'
}

// Turning deliveries into requests

/** Stays the same if the message is sent again. */
export const messageId = ({ id, number, webhookId }: Pick<Delivery, 'id' | 'number' | 'webhookId'>): string =>
  `msg_${number ?? `ping${id}`}_${webhookId}`

/** The body; undefined if there is nothing left to report. Our own errors count as failed attempts, so others are sent meanwhile. */
async function bodyOf(
  { store, log, describe }: DeliveryParts,
  { webhook, principal, delivery }: Next,
): Promise<object | 'failed' | undefined> {
  const { event, at, flightId, removal } = delivery
  try {
    return await describe(store.read, { principal, webhook, event, at, flightId, removal })
  } catch (error) {
    if (error instanceof Unavailable) throw error
    const { id } = webhook
    log.warn('could not make the message of a webhook', {
      webhook: id,
      flight: flightId,
      reason: errorMessage(error),
    })
    return 'failed'
  }
}

const notMade: SendResult = { status: null, ms: 0, response: null, error: 'message_failed' }

async function attempt(parts: DeliveryParts, next: Next, lease: string, signal: AbortSignal): Promise<void> {
  const { store, clock, sender } = parts
  const { webhook, secrets, delivery } = next
  const body = await bodyOf(parts, next)
  if (!body) {
    await store.transaction((tx) =>
      updateDelivery(tx, { ...delivery, state: 'replaced', nextAttemptAt: null }),
    )
    return
  }
  const started = clock.now()
  const message = { id: messageId(delivery), at: started, body: JSON.stringify(body) }
  const result = body === 'failed' ? notMade : await sender.send(webhook.url, message, secrets, signal)
  await store.transaction(async (tx) => {
    const { now, until } = leaseTimes(clock, LEASE_MS)
    const current = await renewLease(tx, { id: webhook.id, lease, until })
    if (current)
      await recordResult(tx, current, delivery, { at: new Date(started).toISOString(), ...result }, now)
  })
}

const isSuccess = ({ status }: SendResult): boolean => status !== null && status >= 200 && status < 300
const GONE = 410

async function recordResult(
  tx: Executor,
  webhook: Webhook,
  delivery: Delivery,
  made: Attempt,
  now: string,
): Promise<void> {
  const outcome = {
    id: delivery.id,
    attempts: [...delivery.attempts, made].slice(-ATTEMPTS_KEPT),
    attemptCount: delivery.attemptCount + 1,
    firstAttemptAt: delivery.firstAttemptAt ?? made.at,
  }
  if (isSuccess(made)) {
    await updateDelivery(tx, { ...outcome, state: 'delivered', nextAttemptAt: null })
    await updateWebhookStatus(tx, { ...webhook, status: 'active', failingSince: null })
  } else if (made.status === GONE) {
    await updateDelivery(tx, { ...outcome, state: 'failed', nextAttemptAt: null })
    await stopSending(tx, webhook, { status: 'disabled', because: 'receiver_gone' }, now)
  } else if (delivery.event === 'ping') {
    await updateDelivery(tx, { ...outcome, state: 'failed', nextAttemptAt: null })
  } else await recordFailure(tx, webhook, outcome, now)
}

async function recordFailure(
  tx: Executor,
  webhook: Webhook,
  outcome: Pick<Delivery, 'id' | 'attempts' | 'attemptCount'> & { firstAttemptAt: string },
  now: string,
): Promise<void> {
  const failingSince = webhook.failingSince ?? now
  const { status, nextAttemptAt } = afterFailure({
    attempts: outcome.attemptCount,
    firstAttemptAt: Date.parse(outcome.firstAttemptAt),
    failingSince: Date.parse(failingSince),
    status: webhook.status,
    now: Date.parse(now),
    random: randomFraction(),
  })
  await updateDelivery(tx, {
    ...outcome,
    state: nextAttemptAt === undefined ? 'failed' : 'waiting',
    nextAttemptAt: nextAttemptAt === undefined ? null : new Date(nextAttemptAt).toISOString(),
  })
  if (status === 'disabled')
    await stopSending(tx, { ...webhook, failingSince }, { status, because: 'no_success' }, now)
  else await updateWebhookStatus(tx, { ...webhook, status, failingSince })
}

/** Notifies the owner, who would not notice that a program no longer gets changes. */
async function stopSending(
  tx: Executor,
  webhook: Webhook,
  { status, because }: { status: Extract<WebhookStatus, 'suspended' | 'disabled'>; because: StopReason },
  now: string,
): Promise<void> {
  await updateWebhookStatus(tx, { ...webhook, status, stoppedBecause: because })
  await insertNotice(tx, {
    userId: webhook.userId,
    kind: 'webhook.stopped',
    at: now,
    data: { webhookId: webhook.id, name: webhookName(webhook), status, because },
    flightId: null,
  })
}

/** A name for display. Not the whole address, which may contain a secret of the receiver. */
export const webhookName = ({ description, url }: Pick<Webhook, 'description' | 'url'>): string =>
  description || new URL(url).host
