// Looking a flight up by number and day: who is asked, why there may be no answer, and how much may be asked.
import type { TextField } from './flight-fields.ts'

/** Where a draft comes from: the person's own log, or a provider. */
export const lookupSources = ['own', 'aerodatabox', 'adsbdb'] as const
export type LookupSource = (typeof lookupSources)[number]
export type LookupProvider = Exclude<LookupSource, 'own'>

/** The texts that a flight gets from what was found. */
export const foundTexts = [
  'aircraftReg',
  'departureTerminal',
  'departureGate',
  'arrivalTerminal',
  'arrivalGate',
  'operatingFlightNumber',
] as const satisfies readonly TextField[]

/** Why a provider gave nothing, as programs read it; the web app translates it. */
const reasons = {
  not_found: 'No flight of that number on that day was found.',
  no_provider: 'This instance asks no provider, and the number is not in your log.',
  too_far_back: 'The provider has no history beyond 365 days.',
  too_far_ahead: 'The provider knows no flights more than 365 days ahead.',
  quota_used: 'The quota of the provider is used up. Try again later.',
  too_many_lookups: 'You have looked up as many flights as one person may in a day.',
  busy: 'Too many flights are being looked up at the moment. Try again shortly.',
  key_refused: 'The provider refuses the key of this instance.',
  no_response: 'The provider does not answer.',
  bad_response: 'The provider’s response could not be read.',
} as const
export type LookupReason = keyof typeof reasons
export const lookupReasons = Object.keys(reasons) as [LookupReason, ...LookupReason[]]
export const lookupMessage = (reason: LookupReason): string => reasons[reason]

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How far AeroDataBox reaches back and ahead. Plans have less or more history, so it is asked for twice as much. */
export const DAYS_KNOWN = 365
export const DAYS_ASKED_BACK = 2 * DAYS_KNOWN

/** No faster than this, whatever number of processes and people ask. */
export const paceMs: Record<LookupProvider, number> = { aerodatabox: 1100, adsbdb: 1200 }

/** A request that would wait longer for its turn is refused: people look at the screen meanwhile. */
export const WAIT_AT_MOST_MS = 5 * SECOND
export const RESPONSE_WITHIN_MS = 8 * SECOND
export const RESPONSE_BYTES_AT_MOST = 1024 * 1024

/** Requests to a provider that one person may cause in a day. The key is the owner's: guests of the instance use less of it. */
export const requestsPerDay = (provider: LookupProvider, isOwner: boolean): number => {
  if (provider === 'adsbdb') return 200
  return isOwner ? 60 : 20
}

/** A provider that says "too many" is left alone for as long as it says, and for a minute if it does not say. */
const PAUSE_MS = MINUTE
const PAUSE_AT_MOST_MS = DAY
export function pauseMs(retryAfter: string | undefined, now: number): number {
  const text = retryAfter?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now
  return Number.isNaN(ms) ? PAUSE_MS : Math.min(Math.max(ms, SECOND), PAUSE_AT_MOST_MS)
}

/** Flights of a day are settled when the last of them has landed everywhere. */
const SETTLED_AFTER_DAYS = 2

const isSettled = (daysAgo: number): boolean => daysAgo > SETTLED_AFTER_DAYS

/** How long an answer is kept; null: for good. */
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
