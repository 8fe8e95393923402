// The rules of webhooks: what is sent, when it is retried, and when sending stops.
import { DAY, HOUR, MINUTE, SECOND } from '../time/durations.ts'

export const webhookEvents = ['flight.created', 'flight.updated', 'flight.removed', 'ping'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** Whose flights: those the person is on, or all flights of the instance. */
export const webhookScopes = ['mine', 'all'] as const
export type WebhookScope = (typeof webhookScopes)[number]

/** `full`: with the flight. `thin`: only its id and version. */
export const webhookPayloads = ['full', 'thin'] as const
export type WebhookPayload = (typeof webhookPayloads)[number]

export const webhookStatuses = ['active', 'failing', 'suspended', 'disabled'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

/** Why a webhook stopped. The first three reasons suspend it, the others disable it. */
export const stopReasons = [
  'access_lost',
  'credential_ended',
  'secret_unreadable',
  'receiver_gone',
  'no_success',
] as const
export type StopReason = (typeof stopReasons)[number]

export const deliveryStates = ['waiting', 'delivered', 'failed', 'replaced'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Why an attempt got no response. `message_failed`: the message could not be made. */
export const attemptErrors = [
  'address_refused',
  'name_not_found',
  'no_connection',
  'certificate_invalid',
  'timeout',
  'connection_broken',
  'message_failed',
] as const
export type AttemptError = (typeof attemptErrors)[number]

export const WEBHOOKS_PER_PERSON = 5
export const WEBHOOKS_PER_INSTANCE = 50
export const URL_CHARACTERS_AT_MOST = 2000
export const DESCRIPTION_CHARACTERS_AT_MOST = 200

/** The timeout of a request. */
export const RESPONSE_WITHIN_MS = 15 * SECOND
export const DELIVERIES_KEPT_MS = 30 * DAY
/** After a rotation, the old secret also signs for this long. */
export const OLD_SECRET_MS = 24 * HOUR
const DISABLED_AFTER_MS = 5 * DAY

/** When a failed delivery is retried, counted from its first attempt. */
const retriesAt = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
/** A receiver that fails every delivery gets one attempt a day until it is disabled. */
const FAILING_EVERY_MS = DAY
/** Up to a tenth later, so that receivers that were down do not all get requests at the same moment. */
const JITTER = 0.1

interface Failure {
  /** Failed attempts of this delivery, including this one. */
  attempts: number
  firstAttemptAt: number
  /** Since when no delivery of the webhook has succeeded. */
  failingSince: number
  status: WebhookStatus
  now: number
  /** From 0 to 1. */
  random: number
}

interface Consequence {
  status: WebhookStatus
  /** Absent: this delivery is not retried. */
  nextAttemptAt?: number
}

/** The consequences of a failed attempt for the delivery and for the webhook. */
export function afterFailure({
  attempts,
  firstAttemptAt,
  failingSince,
  status,
  now,
  random,
}: Failure): Consequence {
  if (status === 'failing' && now - failingSince >= DISABLED_AFTER_MS)
    return { status: 'disabled', nextAttemptAt: now + FAILING_EVERY_MS }
  const at = retriesAt[attempts - 1]
  if (at !== undefined) {
    const pause = at - (retriesAt[attempts - 2] ?? 0)
    return { status, nextAttemptAt: now + Math.round(pause * (1 + JITTER * random)) }
  }
  // Other deliveries succeeded meanwhile, so the receiver refuses this delivery.
  if (failingSince > firstAttemptAt) return { status }
  return { status: 'failing', nextAttemptAt: now + Math.round(FAILING_EVERY_MS * (1 + JITTER * random)) }
}

/** When a webhook that has been failing since then is disabled. */
export const disabledAt = (failingSince: number): number => failingSince + DISABLED_AFTER_MS
