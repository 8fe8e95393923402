// How long a deleted flight can be restored, and how many go at once.

const DAY_MS = 86_400_000
const BIN_DAYS = 30
const BIN_MS = BIN_DAYS * DAY_MS

/** Flights that one request deletes or restores: a database in a file stands still meanwhile. */
export const FLIGHTS_PER_REQUEST = 1000

/** Flights deleted at this moment or before it are no longer in the bin. */
export const binnedAfter = (now: number): string => new Date(now - BIN_MS).toISOString()

/** When a flight that was deleted then leaves the bin for good. */
export const expiryOf = (deletedAt: string): string => new Date(Date.parse(deletedAt) + BIN_MS).toISOString()

/** Whole days left, the one that has begun included. */
export const daysLeft = (expiresAt: string, now: number): number =>
  Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / DAY_MS))
