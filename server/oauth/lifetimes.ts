// How long things live, in one place.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const REQUEST_MS = 10 * MINUTE
export const CODE_MS = 60 * SECOND
export const ACCESS_TOKEN_MS = HOUR
/** Starts anew with every rotation. */
export const REFRESH_TOKEN_MS = 30 * DAY
export const UNUSED_CLIENT_MS = DAY
/** A spent code outlives its tokens by this much, so that a late replay is still known for what it is. */
export const SPENT_CODE_MS = DAY
export const USED_REFRESH_TOKEN_MS = 90 * DAY
export const DEAD_GRANT_MS = DAY
export const AUDIT_EVENT_MS = 400 * DAY

/** A moment `ms` after `now`, as it is stored. */
export const after = (now: number, ms: number): string => new Date(now + ms).toISOString()
