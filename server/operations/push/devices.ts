// The devices of a person that get notifications. Their endpoints and keys are never returned.
import * as z from 'zod'
import { AppError, forbidden, invalidField, notFound } from '../../base/errors.ts'
import { hashSecret } from '../../base/secret/secrets.ts'
import { deviceText } from '../../domain/accounts/devices.ts'
import { preferredLanguage } from '../../domain/languages.ts'
import { pick } from '../../domain/pick.ts'
import { DEVICES_AT_MOST } from '../../domain/push/notifications.ts'
import { problem } from '../../domain/reasons.ts'
import { RowId } from '../../domain/row-id.ts'
import { MINUTE } from '../../domain/time/durations.ts'
import { type Call, credentialWith, operation, takes } from '../../door/operation.ts'
import type { Principal } from '../../services/access/principal.ts'
import { testMessage } from '../../services/push/compose.ts'
import { areKeys } from '../../services/push/message.ts'
import { mayBeEndpoint, pushProblems, sealPurpose } from '../../services/push/push.ts'
import { isDelivered } from '../../services/push/responses.ts'
import { incrementRevisions, NOTIFICATIONS } from '../../store/engine/revisions.ts'
import { findPerson } from '../../store/people/people.ts'
import {
  countSubscriptions,
  deleteSubscriptions,
  findByEndpoint,
  findSubscription,
  insertSubscription,
  listSubscriptions,
  recordFailure,
  recordSuccesses,
  type Subscription,
  updateSubscription,
} from '../../store/push/subscriptions.ts'
import { authorOf, recordBy } from '../access/authority.ts'
import { languageFor } from '../accounts/mailed-links.ts'
import { list, nothing, onePage, pathId, single, strictQuery, timestamp } from '../wire/schemas.ts'

const tag = 'Notifications'
const access = credentialWith(['notifications.manage'])

const Device = z
  .object({
    id: RowId,
    label: z.string(),
    host: z.string().describe('The push service.'),
    createdAt: timestamp('When it was registered.'),
    lastSuccessAt: z
      .string()
      .nullable()
      .describe('When the push service last accepted a message.')
      .meta({ format: 'date-time' }),
    status: z
      .enum(['active', 'failing'])
      .describe('`failing`: the last message was not accepted. It is deleted after 30 days without success.'),
    isThisCredential: z.boolean().describe('Registered by the session, API key or app of this request.'),
  })
  .meta({ id: 'PushSubscription' })

const ENDPOINT_CHARACTERS_AT_MOST = 2000

const DeviceInput = z
  .strictObject({
    endpoint: z
      .string()
      .max(ENDPOINT_CHARACTERS_AT_MOST)
      .describe('The address that the push service gave the browser or app.')
      .meta({ example: 'https://push.example.net/send/Zm9v' }),
    keys: z
      .strictObject({
        p256dh: z.string().max(200).describe('Its public key, 65 bytes as base64url.'),
        auth: z.string().max(100).describe('Its secret, 16 bytes as base64url.'),
      })
      .describe('As in `PushSubscription.toJSON()`.'),
    label: z.string().trim().max(100).default('').describe('If empty, the browser.'),
    language: z
      .string()
      .max(35)
      .optional()
      .describe('In which it gets messages, unless your preferences name a language; as in `de` or `de-CH`.'),
  })
  .meta({ id: 'PushSubscriptionInput' })
type DeviceInput = z.output<typeof DeviceInput>

function requireOn({ services }: Pick<Call, 'services'>): void {
  if (!services.config.push) throw forbidden('push_off')
}

export const getPushKey = operation({
  id: 'get-push-key',
  method: 'GET',
  path: '/push-key',
  tag,
  summary: 'Read the key with which this server signs notifications',
  description: 'For `applicationServerKey`. A browser that subscribed with another key must subscribe again.',
  access,
  query: strictQuery({}),
  output: single(z.object({ publicKey: z.string().describe('A point of P-256, 65 bytes as base64url.') })),
  errors: ['unavailable'],
  check: requireOn,
  run: async ({ services }) => ({
    data: { publicKey: await services.store.transaction((tx) => services.push.publicKey(tx)) },
  }),
})

export const listPushSubscriptions = operation({
  id: 'list-push-subscriptions',
  method: 'GET',
  path: '/push-subscriptions',
  tag,
  summary: 'List the devices that get your notifications',
  access,
  query: strictQuery({}),
  output: list(Device),
  async run({ principal, db }) {
    const found = await listSubscriptions(db, { userId: principal.user.id })
    return onePage(found.map((device) => show(device, principal)))
  },
})

export const createPushSubscription = operation({
  id: 'create-push-subscription',
  method: 'POST',
  path: '/push-subscriptions',
  tag,
  summary: 'Register a device for your notifications',
  example: {
    body: {
      endpoint: 'https://push.example.net/send/Zm9v',
      keys: {
        p256dh: 'BKDTeuFTxgxe54xUdnjy_CQORmaZ3E4XH_2NB_KH6eeNleQRpF6YtjQbl_m5mXd8SVS0FNWQZ7o-2UeSjx0oMj4',
        auth: 'KQMcle6zGlwBIyMQ93SxtA',
      },
      label: 'Phone',
    },
  },
  description:
    'The same endpoint again replaces its keys, also if it was another person’s: a browser belongs to the person who is signed in there. It ends when you sign out, or end the session, API key or app that registered it.',
  access,
  query: strictQuery({}),
  body: takes(DeviceInput),
  output: single(Device),
  otherStatuses: [201],
  errors: ['conflict', 'unavailable'],
  check: requireRegistrable,
  async run(call) {
    const { principal, input, db, services } = call
    // Throws if the keys of this instance cannot be opened: nothing could be sent.
    await services.push.publicKey(db)
    // Also serialises writers: the second one counts what the first wrote.
    await incrementRevisions(db, [NOTIFICATIONS])
    const before = await findByEndpoint(db, { endpointHash: hashSecret(input.endpoint) })
    const isSame = before?.userId === principal.user.id
    const device = isSame
      ? await updateSubscription(db, { ...rowOf(call), id: before.id })
      : await add(call, before)
    if (!device) throw notFound('Device')
    if (!isSame) call.outcome.created = `/push-subscriptions/${device.id}`
    return { data: show(device, principal) }
  },
})

function requireRegistrable(call: Call<DeviceInput>): void {
  requireOn(call)
  const { input, services } = call
  if (!mayBeEndpoint(input.endpoint, services.config))
    throw invalidField(['endpoint'], 'push_address_refused')
  if (!areKeys(input.keys)) throw invalidField(['keys'], 'push_keys_form')
}

async function add(call: Call<DeviceInput>, before: Subscription | undefined) {
  const { principal, db, now } = call
  if (before) await remove(call, before)
  if ((await countSubscriptions(db, principal.user.id)) >= DEVICES_AT_MOST)
    throw new AppError('conflict', problem('too_many_devices', { max: DEVICES_AT_MOST }))
  const device = await insertSubscription(db, { ...rowOf(call), now: now.toISOString() })
  if (device) await record(call, 'device.added', device)
  return device
}

function rowOf({ principal, input, services, web }: Call<DeviceInput>) {
  const { endpoint, keys, label, language } = input
  const userId = principal.user.id
  const seal = (text: string) => services.secret.seal(sealPurpose(userId), text)
  return {
    userId,
    ...credentialOf(principal),
    endpoint: seal(endpoint),
    keys: seal(JSON.stringify(keys)),
    endpointHash: hashSecret(endpoint),
    host: new URL(endpoint).host,
    label: label || (deviceText(web?.userAgent ?? null) ?? ''),
    language: preferredLanguage(language ?? web?.languages),
  }
}

/** What ends the device when it ends. */
function credentialOf({ kind, credentialId }: Principal) {
  const id = (wanted: Principal['kind']) => (kind === wanted ? Number(credentialId) : null)
  return { sessionId: id('session'), apiKeyId: id('apiKey'), grantId: id('oauth') }
}

function show(device: Subscription, principal: Principal): z.input<typeof Device> {
  const own = credentialOf(principal)
  const isThisCredential = (Object.keys(own) as (keyof typeof own)[]).some(
    (name) => own[name] !== null && own[name] === device[name],
  )
  return {
    ...pick(device, ['id', 'label', 'host', 'createdAt', 'lastSuccessAt']),
    status: device.failingSince === null ? 'active' : 'failing',
    isThisCredential,
  }
}

async function ownDevice({ principal, input, db }: Call<{ id: number }>): Promise<Subscription> {
  const device = await findSubscription(db, { userId: principal.user.id, id: input.id })
  if (!device) throw notFound('Device')
  return device
}

export const deletePushSubscription = operation({
  id: 'delete-push-subscription',
  method: 'DELETE',
  path: '/push-subscriptions/{id}',
  tag,
  summary: 'Stop sending notifications to a device',
  example: { params: { id: 2 } },
  access,
  params: pathId,
  query: strictQuery({}),
  output: nothing,
  status: 204,
  errors: ['not_found'],
  target: { find: ownDevice },
  async run(call) {
    await incrementRevisions(call.db, [NOTIFICATIONS])
    await remove(call, call.target)
  },
})

async function remove(call: Call, device: Subscription): Promise<void> {
  if ((await deleteSubscriptions(call.db, [device.id])).length === 0) throw notFound('Device')
  await record(call, 'device.removed', device)
}

/** Without the endpoint, with which anyone could find the device. */
async function record(call: Call, kind: 'device.added' | 'device.removed', device: Subscription) {
  const isOwn = device.userId === call.principal.user.id
  const owner = isOwn ? undefined : await findPerson(call.db, { id: device.userId })
  const details = { device: device.id, host: device.host }
  await recordBy(authorOf(call), call.db, kind, { subject: owner ?? null, details })
}

const TEST_MS = MINUTE

export const testPushSubscription = operation({
  id: 'test-push-subscription',
  method: 'POST',
  path: '/push-subscriptions/{id}/test',
  tag,
  summary: 'Send a test notification to a device',
  example: { params: { id: 1 } },
  description: 'One attempt, made now. `delivered`: the push service has accepted it.',
  access,
  params: pathId,
  query: strictQuery({}),
  output: single(
    z.object({
      delivered: z.boolean(),
      status: z.int().nullable().describe('HTTP status of the push service; null if there was no response.'),
      reason: z.enum(pushProblems).nullable().describe('Why there was no response.'),
    }),
  ),
  errors: ['not_found', 'too_many_requests'],
  transaction: 'own',
  check: requireOn,
  target: { find: ownDevice },
  async run({ principal, target, services, now }) {
    services.limits.reach(principal.user.id)
    const { store, push, config } = services
    const shown = testMessage(await languageFor(store.read, target.userId, target.language), config.origin)
    const message = { shown, urgency: 'high', expiresAt: now.getTime() + TEST_MS } as const
    const result = await push.send(store.read, target, message)
    const at = now.toISOString()
    await store.transaction(async (tx) => {
      if (isDelivered(result)) await recordSuccesses(tx, [target.id], { now: at })
      else await recordFailure(tx, { id: target.id, now: at })
    })
    return { data: { delivered: isDelivered(result), status: result.status, reason: result.problem } }
  },
})
