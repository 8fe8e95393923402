// The bodies that webhooks send, declared once: for the OpenAPI document and for building them.
import * as z from 'zod'
import { removalReasons } from '../../domain/history/changes.ts'
import { RowId } from '../../domain/row-id.ts'
import type { WebhookEvent } from '../../domain/webhooks/webhooks.ts'
import type { Services } from '../../door/services.ts'
import type { Subject } from '../../services/webhooks/deliver.ts'
import { findFlight } from '../../store/flights/flights.ts'
import type { Executor } from '../../store/store.ts'
import { showFlight } from '../flights/view.ts'
import { Flight, timestamp } from '../wire/schemas.ts'

const common = { type: z.literal('flight'), id: RowId, at: timestamp('When it changed.') }

const Upserted = z.object({
  ...common,
  change: z.literal('upserted'),
  version: z.int().describe('Ignore the message if you know this version or a later one.'),
  flight: Flight.optional().describe(
    'The flight as you see it when the message is sent; absent with `payload: "thin"`.',
  ),
})

const Removed = z.object({
  ...common,
  change: z.literal('removed'),
  reason: z.enum(removalReasons).describe('`unlisted`: you are no longer on it, or may no longer see it.'),
  version: z.int(),
  externalIds: z.record(z.string(), z.string()).describe('The ids that you gave to it.'),
})

const bodyOf = <Type extends WebhookEvent, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), timestamp: timestamp('When the event happened.'), data })

/** The body of each event. */
export const webhookBodies = {
  'flight.created': bodyOf('flight.created', Upserted),
  'flight.updated': bodyOf('flight.updated', Upserted),
  'flight.removed': bodyOf('flight.removed', Removed),
  ping: bodyOf('ping', z.object({ webhookId: RowId })),
} as const satisfies Record<WebhookEvent, z.ZodType>

export const webhookSummaries: Record<WebhookEvent, string> = {
  'flight.created': 'A flight was added, or came into your view',
  'flight.updated': 'A flight was changed',
  'flight.removed': 'A flight was deleted, or left your view',
  ping: 'A test that you requested',
}

type Body = { [Event in WebhookEvent]: z.input<(typeof webhookBodies)[Event]> }[WebhookEvent]

/**
 * Builds bodies from the current flights as the person may see them. A webhook is the person's own program: it gets
 * what GET returns to that person, including booking reference and price.
 */
export const createDescribe =
  (services: Pick<Services, 'reference'>) =>
  async (db: Executor, subject: Subject): Promise<Body | undefined> => {
    const { event, at, webhook, flightId, removal } = subject
    if (event === 'ping') return { type: event, timestamp: at, data: { webhookId: webhook.id } }
    if (flightId === null) return undefined
    const entry = { type: 'flight' as const, id: flightId, at }
    if (event === 'flight.removed')
      return removal
        ? { type: event, timestamp: at, data: { ...entry, change: 'removed', ...removal } }
        : undefined
    const flight = await visibleFlight(db, subject, flightId)
    // A later change reports the deletion.
    if (!flight) return undefined
    const upserted = { ...entry, change: 'upserted' as const, version: flight.version }
    const full = webhook.payload === 'full'
    const shown = full
      ? { flight: await showFlight({ services, principal: subject.principal, db }, flight) }
      : {}
    return { type: event, timestamp: at, data: { ...upserted, ...shown } }
  }

async function visibleFlight(db: Executor, { webhook }: Subject, id: number) {
  const flight = await findFlight(db, id)
  const isOn = flight?.passengers.some(({ userId }) => userId === webhook.userId) ?? false
  return webhook.scope === 'all' || isOn ? flight : undefined
}
