/** Webhooks and their deliveries as the page describes them. */

import type { components } from '../../api/schema.d.ts'
import { t } from '../../i18n/i18n.svelte.ts'
import { airportCode, dayHere, formatDay, formatHour, formatInstant } from '../../lib/format.ts'
import { log } from '../../log/log.svelte.ts'

export type Webhook = components['schemas']['Webhook']
export type Delivery = components['schemas']['WebhookDelivery']

/** Its description, or its host if it has none. */
export const nameOf = ({ description, url }: Webhook): string => description || new URL(url).host

export const isOff = ({ status }: Webhook): boolean => status === 'suspended' || status === 'disabled'

/** The settings of a webhook, as they are sent back. */
export const settingsOf = ({ url, description, events, scope, payload }: Webhook) => ({
  url,
  description,
  events,
  scope,
  payload,
})

/** Why it does not send, or will soon stop. */
export function warningOf(webhook: Webhook): string {
  if (webhook.stoppedBecause) return t(`webhooks.because.${webhook.stoppedBecause}`)
  if (webhook.status !== 'failing' || !webhook.failingSince || !webhook.disabledAt) return ''
  const [since, until] = [formatInstant(webhook.failingSince), formatInstant(webhook.disabledAt)]
  return t('webhooks.failing', { since, until })
}

/** The time if it is today, otherwise the day. */
export function shortTime(iso: string): string {
  const day = dayHere(new Date(iso))
  return day === dayHere(new Date()) ? formatHour(iso) : formatDay(day)
}

const lastResult = ({ status, error }: Pick<Delivery, 'status' | 'error'>): string =>
  error ? t(`webhooks.error.${error}`) : String(status ?? '')

/** The result of a delivery, or the time of the next attempt. */
export function resultOf(delivery: Delivery): string {
  const count = delivery.attempts.length
  const result = lastResult(delivery)
  if (delivery.state === 'replaced') return t('webhooks.replaced')
  if (count === 0) return t('webhooks.waiting')
  if (delivery.state === 'delivered') return count === 1 ? result : t('webhooks.onAttempt', { result, count })
  if (delivery.state === 'failed') return t('webhooks.gaveUp', { result })
  return t('webhooks.next', {
    result,
    time: delivery.nextAttemptAt ? shortTime(delivery.nextAttemptAt) : '',
  })
}

type Tone = 'ok' | 'warn' | 'plain'

export function toneOf({ state, attempts }: Delivery): Tone {
  if (state === 'delivered') return 'ok'
  return state === 'failed' || (state === 'waiting' && attempts.length > 0) ? 'warn' : 'plain'
}

/** "SK909 CPH → EWR" if the log has the flight. */
export function subjectOf({ event, flightId }: Delivery): string {
  if (event === 'ping' || flightId === null) return t('webhooks.ping')
  const flight = log.find(flightId)
  if (!flight) return t('webhooks.flight', { id: flightId })
  const route = `${airportCode(flight.from)} → ${airportCode(flight.to)}`
  return flight.flightNumber ? `${flight.flightNumber} ${route}` : route
}
