// What follows from the response of a push service.
import { HOUR, MINUTE, SECOND } from '../../domain/time/durations.ts'
import type { PushResult } from './push.ts'

/** When a failed message is sent again; at the last interval as long as it is of use. */
const retriesMs = [10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE]
const UNAVAILABLE_AGAIN_MS = 15 * MINUTE
const REFUSED_AGAIN_MS = HOUR
const REFUSALS_AT_MOST = 3

/**
 * With `waitMs`, it is sent again. `paused`: requests to this host pause. `unavailable`: the fault is ours, because our key or the
 * device's is sealed with another secret.
 */
export type Consequence =
  | { outcome: 'delivered' | 'gone' | 'too_large' | 'refused' }
  | { outcome: 'paused' | 'unavailable'; waitMs: number }
  | { outcome: 'failed'; waitMs: number; isRefusal: boolean }

export const isDelivered = ({ status }: PushResult): boolean =>
  status !== null && status >= 200 && status < 300

/** `attempts` and `refusals` were made before this one. */
export function consequenceOf(
  result: PushResult,
  { attempts, refusals }: { attempts: number; refusals: number },
): Consequence {
  const { status, problem, retryAfterMs } = result
  if (isDelivered(result)) return { outcome: 'delivered' }
  if (problem === 'push_unavailable' || problem === 'keys_unreadable')
    return { outcome: 'unavailable', waitMs: UNAVAILABLE_AGAIN_MS }
  if (status === 404 || status === 410) return { outcome: 'gone' }
  if (status === 413) return { outcome: 'too_large' }
  if (status === 429 || (status === 503 && retryAfterMs !== null))
    return { outcome: 'paused', waitMs: retryAfterMs ?? MINUTE }
  if (status === 400 || status === 401 || status === 403)
    return refusals >= REFUSALS_AT_MOST
      ? { outcome: 'refused' }
      : { outcome: 'failed', waitMs: REFUSED_AGAIN_MS, isRefusal: true }
  const waitMs = retriesMs[Math.min(attempts, retriesMs.length - 1)]!
  return { outcome: 'failed', waitMs, isRefusal: false }
}
