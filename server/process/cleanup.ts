// Deletes expired rows, and reminds people of what they left unfinished: by a timer in the process, and by tests that
// move the clock.
import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import { binnedAfter } from '../domain/bin.ts'
import { TOMBSTONE_DAYS } from '../domain/changes.ts'
import { NOTICES_AT_MOST } from '../domain/notices.ts'
import { DELIVERIES_KEPT_MS } from '../domain/webhooks.ts'
import { KEPT_MS } from '../idempotency.ts'
import {
  AUDIT_EVENT_MS,
  after,
  DEAD_GRANT_MS,
  SPENT_CODE_MS,
  USED_REFRESH_TOKEN_MS,
} from '../oauth/lifetimes.ts'
import { deleteExpiredLinks } from '../store/account-links.ts'
import { deleteEventsBefore } from '../store/audit.ts'
import { forgetTombstones } from '../store/changes.ts'
import { eraseFlightsDeletedBefore } from '../store/deleted-flights.ts'
import { deleteHistoryBefore } from '../store/history.ts'
import { deleteExpiredKeys } from '../store/idempotency.ts'
import { expireImports, remindOfImports } from '../store/import-expiry.ts'
import { deleteOldLookups } from '../store/lookups.ts'
import { deleteOldNotices } from '../store/notices.ts'
import { deleteExpiredOAuth } from '../store/oauth-expiry.ts'
import { deleteExpiredOneTimes } from '../store/one-time.ts'
import { deleteExpiredTrustedBrowsers } from '../store/second-factors.ts'
import { deleteExpiredSessions } from '../store/sessions.ts'
import { deleteExpiredTries } from '../store/sign-in-tries.ts'
import type { Store } from '../store/store.ts'
import { deleteDeliveriesBefore } from '../store/webhook-deliveries.ts'
import { deleteOldSecrets } from '../store/webhooks.ts'

const EVERY_MS = 5 * 60_000
const DAY_MS = 86_400_000

export async function deleteExpired(store: Store, now: number): Promise<void> {
  await store.transaction((tx) =>
    deleteExpiredOAuth(tx, {
      now: after(now, 0),
      codesUsedBefore: after(now, -SPENT_CODE_MS),
      refreshTokensUsedBefore: after(now, -USED_REFRESH_TOKEN_MS),
      grantsUpdatedBefore: after(now, -DEAD_GRANT_MS),
    }),
  )
  await store.transaction(async (tx) => {
    await deleteExpiredSessions(tx, after(now, 0))
    await deleteExpiredOneTimes(tx, after(now, 0))
    await deleteExpiredTries(tx, after(now, 0))
    await deleteExpiredTrustedBrowsers(tx, after(now, 0))
    await deleteExpiredLinks(tx, after(now, 0))
    await deleteEventsBefore(tx, after(now, -AUDIT_EVENT_MS))
    await deleteOldNotices(tx, NOTICES_AT_MOST)
    await deleteDeliveriesBefore(tx, after(now, -DELIVERIES_KEPT_MS))
    await deleteOldSecrets(tx, after(now, 0))
    await deleteOldLookups(tx, after(now, 0))
  })
  await store.transaction((tx) => deleteExpiredKeys(tx, after(now, -KEPT_MS)))
  await store.transaction((tx) => eraseFlightsDeletedBefore(tx, binnedAfter(now)))
  await store.transaction((tx) => deleteHistoryBefore(tx, binnedAfter(now)))
  await expireImports(store, after(now, 0))
  await remindOfImports(store, after(now, -DAY_MS), after(now, 0))
  await store.transaction((tx) => forgetTombstones(tx, after(now, -TOMBSTONE_DAYS * DAY_MS)))
}

/** Cleans up every five minutes. The returned function stops that and waits for a running cleanup. */
export function startCleanup(store: Store, clock: Clock, log: Logger): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  const run = () => {
    running = deleteExpired(store, clock.now()).catch((error) =>
      log.warn('could not delete expired rows', { reason: String(error) }),
    )
  }
  const timer = setInterval(run, EVERY_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
