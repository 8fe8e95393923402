// Metrics of notifications. The primary process sends them.
import { Counter, Registry } from 'prom-client'
import { notificationKinds } from '../../domain/push/notifications.ts'
import { type CountNotification, outcomes } from '../push/deliveries.ts'
import type { Family } from './metrics.ts'

export interface PushMetrics {
  count: CountNotification
  read(): Promise<Family[]>
}

export function createPushMetrics(): PushMetrics {
  const registry = new Registry()
  const sent = new Counter({
    name: 'contrail_notifications_total',
    help: 'Attempts to send notifications, by kind, channel and outcome.',
    labelNames: ['kind', 'channel', 'outcome'],
    registers: [registry],
  })
  // All series exist from the start: the rate of a series that appears with its first error would miss that error.
  for (const kind of notificationKinds)
    for (const channel of ['push', 'mail'])
      for (const outcome of outcomes) sent.inc({ kind, channel, outcome }, 0)
  return {
    count: (kind, channel, outcome) => sent.inc({ kind, channel, outcome }),
    read: () => registry.getMetricsAsJSON(),
  }
}
