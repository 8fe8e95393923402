/** Errors of the server in the user's language, built from reason and parameters instead of the English message. */

import { i18n, t, textFor } from '../i18n/i18n.svelte.ts'
import { ApiError } from './client.ts'

/** The server's error as a whole, or one entry of its `details`. */
interface Refusal {
  reason: string
  message: string
  params?: Record<string, unknown> | undefined
}

/** An error of the browser, as text for the user. */
export class Explained extends Error {}

/** The text for any error. A reason without a text (from a newer server, or only for programs) is shown in English. */
export function explain(error: unknown): string {
  if (error instanceof ApiError && error.reason === 'offline') return t('app.offline')
  if (error instanceof ApiError && error.reason === 'not_kept') return t('app.notKept')
  if (error instanceof ApiError) return explainRefusal(error)
  if (error instanceof Explained) return error.message
  return t('app.unexpected', { message: error instanceof Error ? error.message : String(error) })
}

export const explainRefusal = ({ reason, message, params = {} }: Refusal): string =>
  textFor(`error.${reason}`, shownParams(params)) ?? message

function shownParams(params: Record<string, unknown>): Record<string, string | number> {
  const shown: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(params)) {
    if (name === 'seconds') shown[name] = waitText(Number(value))
    else if (Array.isArray(value)) shown[name] = [...value, ...(params['more'] ? ['…'] : [])].join(', ')
    else if (typeof value === 'number') shown[name] = value
    else if (typeof value === 'string') shown[name] = labelOf(name, value)
  }
  // The number that selects the plural form.
  const count = Object.values(params).find((value) => typeof value === 'number')
  return count === undefined ? shown : { count, ...shown }
}

/** Longer waits are rounded up to minutes. */
function waitText(seconds: number): string {
  const [value, unit] = seconds <= 120 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return new Intl.NumberFormat(i18n.tag, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

const fieldLabels = {
  departure: 'flight.departure',
  arrival: 'flight.arrival',
  departureScheduled: 'form.departureScheduled',
  arrivalScheduled: 'form.arrivalScheduled',
  takeoffScheduled: 'form.takeoffScheduled',
  takeoffActual: 'form.takeoffActual',
  landingScheduled: 'form.landingScheduled',
  landingActual: 'form.landingActual',
} as const

/** Parameters that name a field of the flight form are shown as its label. */
function labelOf(parameter: string, value: string): string {
  if (parameter !== 'field' && parameter !== 'earlier') return value
  return Object.hasOwn(fieldLabels, value) ? t(fieldLabels[value as keyof typeof fieldLabels]) : value
}
