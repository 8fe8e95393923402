// Looking up a flight by number and day: which providers are asked, why there may be no result, and the limits.

import type { TextField } from '../flights/fields.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../time/durations.ts'

/** The source of a draft: the person's own log, or a provider. */
export const lookupSources = ['own', 'aerodatabox', 'adsbdb'] as const
export type LookupSource = (typeof lookupSources)[number]
export type LookupProvider = Exclude<LookupSource, 'own'>

/** The text fields that a flight gets from a result. */
export const foundTexts = [
  'aircraftReg',
  'departureTerminal',
  'departureGate',
  'arrivalTerminal',
  'arrivalGate',
  'operatingFlightNumber',
] as const satisfies readonly TextField[]

/** Why a provider returned nothing, for programs; the web app translates it. */
const reasons = {
  not_found: 'No flight of that number on that day was found.',
  no_provider: 'This instance uses no provider, and the number is not in your log.',
  too_far_back: 'The provider has no history beyond 365 days.',
  too_far_ahead: 'The provider has no flights more than 365 days ahead.',
  quota_used: 'The quota of the provider is used up. Try again later.',
  too_many_lookups: 'You have reached the limit of flight lookups per person and day.',
  busy: 'Too many flights are being looked up. Try again shortly.',
  key_refused: 'The provider refused the key of this instance.',
  no_response: 'The provider did not respond.',
  bad_response: 'The provider’s response could not be read.',
} as const
export type LookupReason = keyof typeof reasons
export const lookupReasons = Object.keys(reasons) as [LookupReason, ...LookupReason[]]
export const lookupMessage = (reason: LookupReason): string => reasons[reason]

/** How far AeroDataBox reaches back and ahead. Some plans have more history, so twice as much is requested. */
export const DAYS_KNOWN = 365
export const DAYS_ASKED_BACK = 2 * DAYS_KNOWN

/** The shortest time between two requests, however many processes and people send them. */
export const paceMs: Record<LookupProvider, number> = { aerodatabox: 1100, adsbdb: 1200 }

/** A request that would wait longer for its turn is refused, because a person is watching the screen. */
export const WAIT_AT_MOST_MS = 5 * SECOND
export const RESPONSE_WITHIN_MS = 8 * SECOND
export const RESPONSE_BYTES_AT_MOST = 1024 * 1024

/** Requests to a provider that a person may cause per day. The key is the owner's, so other people get fewer. */
export const requestsPerDay = (provider: LookupProvider, isOwner: boolean): number => {
  if (provider === 'adsbdb') return 200
  return isOwner ? 60 : 20
}

/** A provider that responds "too many requests" is paused for as long as it says, or for a minute. */
const PAUSE_MS = MINUTE
const PAUSE_AT_MOST_MS = DAY
export function pauseMs(retryAfter: string | undefined, now: number): number {
  const text = retryAfter?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now
  return Number.isNaN(ms) ? PAUSE_MS : Math.min(Math.max(ms, SECOND), PAUSE_AT_MOST_MS)
}

/** After this, all flights of a day have landed everywhere. */
const SETTLED_AFTER_DAYS = 2

const isSettled = (daysAgo: number): boolean => daysAgo > SETTLED_AFTER_DAYS

/** How long a result is cached; null: indefinitely. */
export function keptMs(
  reason: LookupReason | null,
  what: 'flights' | 'route' | 'type',
  daysAgo: number,
): number | null {
  if (reason === 'not_found') return what === 'flights' && !isSettled(daysAgo) ? 10 * MINUTE : DAY
  if (reason === 'too_far_back' || reason === 'too_far_ahead') return HOUR
  if (reason !== null) return 30 * SECOND
  if (what === 'type') return 180 * DAY
  if (what === 'route') return 7 * DAY
  return isSettled(daysAgo) ? null : 30 * MINUTE
}
