// How long a deleted flight can be restored, and how many flights one request may delete.

const DAY_MS = 86_400_000
const BIN_DAYS = 30
const BIN_MS = BIN_DAYS * DAY_MS

/** The most that one request may delete or restore: SQLite runs no other write meanwhile. */
export const FLIGHTS_PER_REQUEST = 1000

/** Flights deleted at this moment or before it are no longer in the bin. */
export const binnedAfter = (now: number): string => new Date(now - BIN_MS).toISOString()

/** When a flight that was deleted at this time is erased from the bin. */
export const expiryOf = (deletedAt: string): string => new Date(Date.parse(deletedAt) + BIN_MS).toISOString()

/** Days left, rounded up. */
export const daysLeft = (expiresAt: string, now: number): number =>
  Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / DAY_MS))
