// Webhooks: a person's programs that receive the changes of flights. services/webhooks sends them.
import * as z from 'zod'
import { AppError, forbidden, invalidField, notFound } from '../../base/errors.ts'
import { isLoopbackHost, isRefusedLiteral } from '../../base/network/outbound.ts'
import { createSigningSecret } from '../../base/secret/secrets.ts'
import { pick } from '../../domain/pick.ts'
import { problem } from '../../domain/reasons.ts'
import { RowId } from '../../domain/row-id.ts'
import {
  attemptErrors,
  DESCRIPTION_CHARACTERS_AT_MOST,
  deliveryStates,
  disabledAt,
  OLD_SECRET_MS,
  stopReasons,
  URL_CHARACTERS_AT_MOST,
  WEBHOOKS_PER_INSTANCE,
  WEBHOOKS_PER_PERSON,
  webhookEvents,
  webhookPayloads,
  webhookScopes,
  webhookStatuses,
} from '../../domain/webhooks/webhooks.ts'
import { type Call, credentialWith, operation, takes } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { type Principal, requireScope } from '../../services/access/principal.ts'
import { messageId, scopesFor, sealPurpose, webhookName } from '../../services/webhooks/deliver.ts'
import { webhookRules } from '../../services/webhooks/send.ts'
import { CHANGES, incrementRevisions, readRevisions, WEBHOOKS } from '../../store/engine/revisions.ts'
import type { Executor } from '../../store/store.ts'
import {
  type Attempt,
  findDelivery,
  findLastAttempted,
  insertDelivery,
  listDeliveries as listStoredDeliveries,
  type Delivery as StoredDelivery,
  updateDelivery,
} from '../../store/webhooks/deliveries.ts'
import {
  countWebhooks,
  deleteWebhook as deleteStoredWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks as listStoredWebhooks,
  type Webhook as StoredWebhook,
  updateWebhook as updateStoredWebhook,
  updateWebhookSecret,
} from '../../store/webhooks/webhooks.ts'
import { authorOf, recordBy } from '../access/authority.ts'
import { createIdCursors } from '../wire/cursors.ts'
import {
  Limit,
  list,
  nothing,
  onePage,
  PathId,
  pathId,
  single,
  strictQuery,
  timestamp,
} from '../wire/schemas.ts'

const tag = 'Webhooks'
const access = credentialWith(['webhooks.manage'], ['flight.read.own', 'flight.read.any'])
const plainAccess = credentialWith(['webhooks.manage'])

// Shapes

const result = {
  status: z.int().nullable().describe('HTTP status; null if there was no response.'),
  ms: z.int().nullable().describe('How long the attempt took.'),
  response: z.string().nullable().describe('The beginning of the response, at most 1 kB.'),
  error: z
    .enum(attemptErrors)
    .nullable()
    .describe(
      'Why there was no response. `address_refused`: the name leads to a private address. `message_failed`: the server could not make the message.',
    ),
}

const Delivery = z
  .object({
    id: RowId,
    messageId: z.string().describe('The header `webhook-id`: the same for every attempt.'),
    event: z.enum(webhookEvents),
    flightId: RowId.nullable(),
    at: timestamp('When the event happened.'),
    state: z
      .enum(deliveryStates)
      .describe('`replaced`: a later change of the same flight was sent instead, or the flight is gone.'),
    ...result,
    attempts: z
      .array(z.object({ at: timestamp('When it was sent.'), ...result, ms: z.int() }))
      .describe('Oldest first. The fields above are those of the last one.'),
    nextAttemptAt: z.string().nullable().meta({ format: 'date-time' }),
  })
  .meta({ id: 'WebhookDelivery' })

const Webhook = z
  .object({
    id: RowId,
    url: z.string(),
    description: z.string(),
    events: z.array(z.enum(webhookEvents)),
    scope: z.enum(webhookScopes),
    payload: z.enum(webhookPayloads),
    status: z
      .enum(webhookStatuses)
      .describe(
        '`failing`: all retries of a delivery failed. `suspended`: access or the secret was lost. `disabled`: the receiver failed for five days or responded 410. Save a suspended or disabled webhook to switch it on again.',
      ),
    stoppedBecause: z.enum(stopReasons).nullable(),
    failingSince: z.string().nullable().meta({ format: 'date-time' }),
    disabledAt: z
      .string()
      .nullable()
      .describe('When it will be disabled unless a delivery succeeds; null if it is not failing.')
      .meta({ format: 'date-time' }),
    oldSecretUntil: z
      .string()
      .nullable()
      .describe('Until then messages are signed with the previous secret too.')
      .meta({ format: 'date-time' }),
    lastDelivery: Delivery.omit({ attempts: true }).nullable(),
    createdAt: timestamp('When it was created.'),
    updatedAt: timestamp('When it was last changed.'),
  })
  .meta({ id: 'Webhook' })
const WithSecret = Webhook.extend({
  secret: z.string().describe('Verifies signatures; returned only this once.').meta({ example: 'whsec_…' }),
})

const WebhookInput = z
  .strictObject({
    url: z
      .string()
      .trim()
      .min(1)
      .max(URL_CHARACTERS_AT_MOST)
      .meta({ example: 'https://example.org/flights' }),
    events: z
      .array(z.enum(webhookEvents))
      .min(1)
      .max(webhookEvents.length)
      .default([...webhookEvents])
      .transform((events) => [...new Set(events)]),
    scope: z.enum(webhookScopes).default('mine').describe('Your flights, or all flights of the instance.'),
    payload: z.enum(webhookPayloads).default('full').describe('With the flight, or only its id and version.'),
    description: z.string().trim().max(DESCRIPTION_CHARACTERS_AT_MOST).default(''),
  })
  .meta({ id: 'WebhookInput' })
type WebhookInput = z.output<typeof WebhookInput>

// Rules

function requireOn({ config }: Pick<Services, 'config'>): void {
  if (!config.webhooks) throw forbidden('webhooks_off')
}

/** Requires the read scope for what is sent, and an address that may be reached. */
function requireSendable({ principal, input, services }: Call<WebhookInput>): void {
  requireOn(services)
  const needed = scopesFor(input.scope)
  for (const scope of needed) requireScope(principal, scope, needed)
  requireUrl(input.url, services)
}

function requireUrl(text: string, { config }: Pick<Services, 'config'>): void {
  const rules = webhookRules(config)
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSecure =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && rules.loopback && isLoopbackHost(url.hostname))
  // Other notations of an address, such as http://2130706433, are only used to deceive.
  const isPlain = url && text.toLowerCase().includes(`//${url.hostname.toLowerCase()}`)
  const isAddress = url && /^(?:\[|[\d.]+$)/.test(url.hostname)
  if (!url || url.username || url.password || text.includes('#') || (isAddress && !isPlain)) {
    throw invalidField(['url'], 'webhook_url_form')
  }
  // Checked first, because https would not help.
  if (isRefusedLiteral(url, rules)) throw invalidField(['url'], 'webhook_url_private')
  if (!isSecure) throw invalidField(['url'], 'webhook_url_form')
}

/** A webhook lives as long as the API key or connected app that created it. */
function credentialOf({ kind, credentialId }: Principal): string {
  if (kind === 'session') return 'session'
  return `${kind === 'apiKey' ? 'key' : 'grant'}:${credentialId}`
}

const boundTo = (principal: Principal) => ({
  credential: credentialOf(principal),
  scopes: [...principal.scopes],
})

async function ownWebhook({ principal, input, db }: Call<{ id: number }>): Promise<StoredWebhook> {
  const webhook = await findWebhook(db, { userId: principal.user.id, id: input.id })
  if (!webhook) throw notFound('Webhook')
  return webhook
}

/** Wakes the process that delivers. Also serialises writers: the second one counts what the first wrote. */
const wake = (tx: Executor) => incrementRevisions(tx, [WEBHOOKS])

// Output

async function show(db: Executor, webhook: StoredWebhook): Promise<z.input<typeof Webhook>> {
  const last = await findLastAttempted(db, { webhookId: webhook.id })
  const { attempts, ...shown } = last ? showDelivery(last) : { attempts: [] }
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    events: webhook.events,
    scope: webhook.scope,
    payload: webhook.payload,
    status: webhook.status,
    stoppedBecause: webhook.stoppedBecause,
    failingSince: webhook.failingSince,
    disabledAt:
      webhook.status === 'failing' && webhook.failingSince !== null
        ? new Date(disabledAt(Date.parse(webhook.failingSince))).toISOString()
        : null,
    oldSecretUntil: webhook.oldSecretUntil,
    lastDelivery: 'id' in shown ? shown : null,
    createdAt: webhook.createdAt,
    updatedAt: webhook.updatedAt,
  }
}

function showDelivery(delivery: StoredDelivery) {
  const last: Partial<Attempt> = delivery.attempts.at(-1) ?? {}
  return {
    id: delivery.id,
    messageId: messageId(delivery),
    ...pick(delivery, ['event', 'flightId', 'at', 'state']),
    status: last.status ?? null,
    ms: last.ms ?? null,
    response: last.response ?? null,
    error: last.error ?? null,
    attempts: delivery.attempts,
    nextAttemptAt: delivery.nextAttemptAt,
  }
}

// Operations

export const listWebhooks = operation({
  id: 'list-webhooks',
  method: 'GET',
  path: '/webhooks',
  tag,
  summary: 'List your webhooks',
  access: plainAccess,
  query: strictQuery({}),
  output: list(Webhook),
  async run({ principal, db }) {
    const found = await listStoredWebhooks(db, { userId: principal.user.id })
    return onePage(await Promise.all(found.map((webhook) => show(db, webhook))))
  },
})

export const getWebhook = operation({
  id: 'get-webhook',
  method: 'GET',
  path: '/webhooks/{id}',
  tag,
  summary: 'Read a webhook',
  example: { params: { id: 1 } },
  access: plainAccess,
  params: pathId,
  query: strictQuery({}),
  output: single(Webhook),
  errors: ['not_found'],
  target: { find: ownWebhook },
  run: async ({ target, db }) => ({ data: await show(db, target) }),
})

export const createWebhook = operation({
  id: 'create-webhook',
  method: 'POST',
  path: '/webhooks',
  tag,
  summary: 'Create a webhook',
  example: { body: { url: 'https://example.org/flights', events: ['flight.created', 'flight.removed'] } },
  returnsSecret: true,
  description:
    'Changes of flights from now on are sent to the address, signed as Standard Webhooks describes. The response contains the secret, only this once. The webhook is suspended when you delete the API key or disconnect the app that created it.',
  access,
  confirms: true,
  body: takes(WebhookInput),
  output: single(WithSecret),
  status: 201,
  errors: ['conflict'],
  location: ({ data }) => `/webhooks/${data.id}`,
  check: requireSendable,
  async run(call) {
    const { principal, input, db, now, services } = call
    const userId = principal.user.id
    await wake(db)
    const { own, all } = await countWebhooks(db, userId)
    if (own >= WEBHOOKS_PER_PERSON)
      throw new AppError('conflict', problem('too_many_webhooks', { max: WEBHOOKS_PER_PERSON }))
    if (all >= WEBHOOKS_PER_INSTANCE)
      throw new AppError('conflict', problem('too_many_webhooks_here', { max: WEBHOOKS_PER_INSTANCE }))
    const secret = createSigningSecret()
    const [position] = await readRevisions(db, [CHANGES])
    const created = await insertWebhook(db, {
      ...input,
      ...boundTo(principal),
      userId,
      secret: services.secret.seal(sealPurpose(userId), secret),
      position: position!,
      now: now.toISOString(),
    })
    await record(call, 'webhook.created', created)
    return { data: { ...(await show(db, created)), secret } }
  },
})

export const updateWebhook = operation({
  id: 'update-webhook',
  method: 'PUT',
  path: '/webhooks/{id}',
  tag,
  summary: 'Replace a webhook, and switch it on if it was suspended or disabled',
  example: { params: { id: 1 }, body: { url: 'https://example.org/flights', payload: 'thin' } },
  description:
    'Omitted fields return to their defaults. Changes that were not delivered while it was off are sent then. Afterwards it depends on the credential of this request.',
  access,
  confirms: true,
  params: pathId,
  query: strictQuery({}),
  body: takes(WebhookInput),
  output: single(Webhook),
  errors: ['not_found'],
  check: requireSendable,
  target: { find: ownWebhook },
  async run(call) {
    const { principal, input, target, db, now } = call
    await wake(db)
    const isOff = target.status === 'suspended' || target.status === 'disabled'
    const standing = isOff
      ? { status: 'active' as const, stoppedBecause: null, failingSince: null }
      : { status: target.status, stoppedBecause: null, failingSince: target.failingSince }
    const changed = { ...input, ...boundTo(principal), ...standing, id: target.id, now: now.toISOString() }
    const updated = await updateStoredWebhook(db, changed)
    if (!updated) throw notFound('Webhook')
    await record(call, 'webhook.updated', updated)
    return { data: await show(db, updated) }
  },
})

export const deleteWebhook = operation({
  id: 'delete-webhook',
  method: 'DELETE',
  path: '/webhooks/{id}',
  tag,
  summary: 'Delete a webhook and its deliveries',
  example: { params: { id: 2 } },
  access: plainAccess,
  params: pathId,
  query: strictQuery({}),
  output: nothing,
  status: 204,
  errors: ['not_found'],
  target: { find: ownWebhook },
  async run(call) {
    const { principal, target, db } = call
    if (!(await deleteStoredWebhook(db, { userId: principal.user.id, id: target.id })))
      throw notFound('Webhook')
    await record(call, 'webhook.deleted', target)
  },
})

export const rotateWebhookSecret = operation({
  id: 'rotate-webhook-secret',
  method: 'POST',
  path: '/webhooks/{id}/rotate-secret',
  tag,
  summary: 'Replace the secret of a webhook',
  example: { params: { id: 1 } },
  returnsSecret: true,
  description: 'For 24 hours messages carry a signature by the old secret as well.',
  access: plainAccess,
  confirms: true,
  params: pathId,
  query: strictQuery({}),
  output: single(WithSecret),
  errors: ['not_found'],
  check: ({ services }) => requireOn(services),
  target: { find: ownWebhook },
  async run(call) {
    const { principal, target, db, now, services } = call
    await wake(db)
    const secret = createSigningSecret()
    // A secret that cannot be decrypted cannot sign, and was the reason for the suspension.
    const isUnreadable = target.stoppedBecause === 'secret_unreadable'
    const updated = await updateWebhookSecret(db, {
      id: target.id,
      secret: services.secret.seal(sealPurpose(principal.user.id), secret),
      oldSecret: isUnreadable ? null : target.secret,
      oldSecretUntil: isUnreadable ? null : new Date(now.getTime() + OLD_SECRET_MS).toISOString(),
      status: isUnreadable ? 'active' : target.status,
      stoppedBecause: isUnreadable ? null : target.stoppedBecause,
      now: now.toISOString(),
    })
    if (!updated) throw notFound('Webhook')
    await record(call, 'webhook.secret-rotated', updated)
    return { data: { ...(await show(db, updated)), secret } }
  },
})

export const pingWebhook = operation({
  id: 'ping-webhook',
  method: 'POST',
  path: '/webhooks/{id}/ping',
  tag,
  summary: 'Send a test message',
  example: { params: { id: 1 } },
  description:
    'It is sent within a second or two, whatever events the webhook has, and not retried. The list of deliveries shows the response.',
  access: plainAccess,
  params: pathId,
  query: strictQuery({}),
  output: single(Delivery),
  errors: ['not_found'],
  check: ({ services }) => requireOn(services),
  target: { find: ownWebhook },
  async run({ target, db, now }) {
    requireSending(target)
    await wake(db)
    const at = now.toISOString()
    const ping = { event: 'ping', number: null, flightId: null, removal: null } as const
    return { data: showDelivery(await insertDelivery(db, { ...ping, webhookId: target.id, at, now: at })) }
  },
})

const cursors = createIdCursors('w1')

export const listDeliveries = operation({
  id: 'list-webhook-deliveries',
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  tag,
  summary: 'List what was sent to a webhook in the last 30 days, newest first',
  example: { params: { id: 1 } },
  access: plainAccess,
  params: pathId,
  query: strictQuery({ limit: Limit, cursor: cursors.Cursor }),
  output: list(Delivery),
  errors: ['not_found'],
  target: { find: ownWebhook },
  async run({ target, input, db }) {
    const { cursor, limit } = input
    const found = await listStoredDeliveries(db, { webhookId: target.id, before: cursor, limit: limit + 1 })
    const { rows, nextCursor } = cursors.cut(found, limit, (delivery) => delivery.id)
    return { data: rows.map(showDelivery), page: { nextCursor } }
  },
})

export const retryDelivery = operation({
  id: 'retry-webhook-delivery',
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{deliveryId}/retry',
  tag,
  summary: 'Send a delivery again now',
  example: { params: { id: 1, deliveryId: 1 } },
  description: 'With the same `webhook-id`, also if it was delivered before.',
  access: plainAccess,
  params: pathId.extend({ deliveryId: PathId }),
  query: strictQuery({}),
  output: single(Delivery),
  errors: ['not_found'],
  check: ({ services }) => requireOn(services),
  target: { find: ownWebhook },
  async run({ target, input, db, now }) {
    const delivery = await findDelivery(db, { webhookId: target.id, id: input.deliveryId })
    if (!delivery) throw notFound('Delivery')
    requireSending(target)
    await wake(db)
    const queued = await updateDelivery(db, {
      ...delivery,
      state: 'waiting',
      nextAttemptAt: now.toISOString(),
    })
    if (!queued) throw notFound('Delivery')
    return { data: showDelivery(queued) }
  },
})

function requireSending({ status }: StoredWebhook): void {
  if (status === 'suspended' || status === 'disabled') throw new AppError('conflict', 'webhook_stopped')
}

/** Without the address, which may contain a secret of the receiver. */
const record = (
  call: Call,
  kind: 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.secret-rotated',
  webhook: StoredWebhook,
) => {
  const details = {
    webhook: webhook.id,
    name: webhookName(webhook),
    host: new URL(webhook.url).host,
    scope: webhook.scope,
  }
  return recordBy(authorOf(call), call.db, kind, { details })
}
