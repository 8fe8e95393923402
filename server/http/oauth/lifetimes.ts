// The lifetimes of codes, tokens and requests.
import { DAY, HOUR, MINUTE, SECOND } from '../../domain/time/durations.ts'

export const REQUEST_MS = 10 * MINUTE
export const CODE_MS = 60 * SECOND
export const ACCESS_TOKEN_MS = HOUR
/** Restarts with every rotation. */
export const REFRESH_TOKEN_MS = 30 * DAY
export const UNUSED_CLIENT_MS = DAY
/** A used code is kept this much longer than its tokens, so that a late replay is still recognised. */
export const SPENT_CODE_MS = DAY
export const USED_REFRESH_TOKEN_MS = 90 * DAY
export const DEAD_GRANT_MS = DAY
export const AUDIT_EVENT_MS = 400 * DAY

/** The instant `ms` after `now`, in its stored form. */
export const after = (now: number, ms: number): string => new Date(now + ms).toISOString()
