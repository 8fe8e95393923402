// When the next automatic backup is due, and whether backups need an administrator's attention.
import { HOUR } from '../time/durations.ts'

export const failureReasons = [
  'disk_full',
  'folder_missing',
  'not_writable',
  'database_damaged',
  'database_unreachable',
  'interrupted',
  'other',
] as const
export type FailureReason = (typeof failureReasons)[number]

/** A file dated further ahead than this was made with a wrong clock and is ignored. */
const AHEAD_AT_MOST_MS = HOUR
/** After a failure, the next attempt is earlier than the next backup would be. */
const RETRY_MS = HOUR
const LATE_AT_MOST_MS = 6 * HOUR

interface BackupTimes {
  everyMs: number
  /** Newest first; in milliseconds since 1970, like all times here. */
  made: readonly number[]
  lastFailure: number | undefined
  now: number
}

type BackupState = 'ok' | 'waiting' | 'failed' | 'overdue'

export interface BackupPlan {
  lastSuccess: number | undefined
  /** When the next attempt is due; may be in the past. */
  next: number
  state: BackupState
}

export function planBackups({ everyMs, made, lastFailure, now }: BackupTimes): BackupPlan {
  const lastSuccess = made.find((time) => time <= now + AHEAD_AT_MOST_MS)
  const isFailing = lastFailure !== undefined && lastFailure > (lastSuccess ?? 0) && lastFailure <= now
  const due = lastSuccess === undefined ? now : lastSuccess + everyMs
  const next = isFailing ? Math.max(due, lastFailure + Math.min(everyMs, RETRY_MS)) : due
  return { lastSuccess, next, state: stateOf(lastSuccess, isFailing, everyMs, now) }
}

function stateOf(
  lastSuccess: number | undefined,
  isFailing: boolean,
  everyMs: number,
  now: number,
): BackupState {
  if (isFailing) return 'failed'
  if (lastSuccess === undefined) return 'waiting'
  return now > lastSuccess + everyMs + Math.min(everyMs, LATE_AT_MOST_MS) ? 'overdue' : 'ok'
}
