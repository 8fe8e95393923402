// How long a deleted flight can be restored, and how many flights one request may delete.
import { DAY } from '../time/durations.ts'

const BIN_DAYS = 30
const BIN_MS = BIN_DAYS * DAY

/** The most that one request may delete or restore: SQLite runs no other write while it does so. */
export const FLIGHTS_PER_REQUEST = 1000

/** Flights deleted at or before this time are no longer in the bin. */
export const binnedAfter = (now: number): string => new Date(now - BIN_MS).toISOString()

/** When a flight that was deleted at this time is erased from the bin. */
export const expiryOf = (deletedAt: string): string => new Date(Date.parse(deletedAt) + BIN_MS).toISOString()

/** Rounded up. */
export const daysLeft = (expiresAt: string, now: number): number =>
  Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / DAY))
