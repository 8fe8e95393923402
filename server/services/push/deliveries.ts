// What a delivery stores, what a process holds while it sends one, and how results are counted.
import type { NotificationKind, Urgency } from '../../domain/push/notifications.ts'
import type { ShownMessage } from './message.ts'

/** Of a reminder: the flight, and the day that it had. */
export interface RemindedFlight {
  flightId: number
  date: string
}

export type DeliveryData = { kind: NotificationKind; reminds?: RemindedFlight | undefined } & (
  | { channel: 'push'; urgency: Urgency; shown: ShownMessage }
  | { channel: 'mail'; subject: string; text: string }
)

export interface Claimed {
  id: number
  userId: string
  data: DeliveryData
  /** The device; null for mails. */
  subscriptionId: number | null
  /** The push service. */
  host: string
  attempts: number
  refusals: number
  expiresAt: number
  leaseUntil: number
}

/** `paused`: the push service asked for a pause. `dropped`: it will never be sent. */
export const outcomes = ['delivered', 'failed', 'paused', 'dropped', 'expired'] as const
export type Outcome = (typeof outcomes)[number]

export type CountNotification = (
  kind: NotificationKind,
  channel: DeliveryData['channel'],
  outcome: Outcome,
) => void
