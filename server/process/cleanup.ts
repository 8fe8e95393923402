// Deletes expired rows, and reminds people of what they left unfinished. Started by a timer in the process, or by tests that
// move the clock.
import type { Clock } from '../base/clock.ts'
import { every } from '../base/every.ts'
import type { Logger } from '../base/log.ts'
import { binnedAfter } from '../domain/flights/bin.ts'
import { TOMBSTONE_DAYS } from '../domain/history/changes.ts'
import { NOTICES_AT_MOST } from '../domain/people/notices.ts'
import { DAY, MINUTE } from '../domain/time/durations.ts'
import { DELIVERIES_KEPT_MS } from '../domain/webhooks/webhooks.ts'
import { KEPT_MS } from '../door/idempotency.ts'
import {
  AUDIT_EVENT_MS,
  after,
  DEAD_GRANT_MS,
  SPENT_CODE_MS,
  USED_REFRESH_TOKEN_MS,
} from '../http/oauth/lifetimes.ts'
import { deleteEventsBefore } from '../store/access/audit.ts'
import { deleteExpiredOAuth } from '../store/access/oauth/expiry.ts'
import { deleteExpiredLinks } from '../store/accounts/links.ts'
import { deleteExpiredOneTimes } from '../store/accounts/one-time.ts'
import { deleteExpiredTrustedBrowsers } from '../store/accounts/second-factors.ts'
import { deleteExpiredSessions } from '../store/accounts/sessions.ts'
import { deleteExpiredTries } from '../store/accounts/tries.ts'
import { deleteOldLookups } from '../store/entry/lookups.ts'
import { eraseFlightsDeletedBefore } from '../store/flights/bin.ts'
import { forgetTombstones } from '../store/history/changes.ts'
import { deleteHistoryBefore } from '../store/history/history.ts'
import { expireImports, remindOfImports } from '../store/imports/expiry.ts'
import { deleteExpiredKeys } from '../store/instance/idempotency.ts'
import { deleteOldNotices } from '../store/people/notices.ts'
import type { Store } from '../store/store.ts'
import { deleteDeliveriesBefore } from '../store/webhooks/deliveries.ts'
import { deleteOldSecrets } from '../store/webhooks/webhooks.ts'

const EVERY_MS = 5 * MINUTE

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
    await deleteExpiredSessions(tx, { now: after(now, 0) })
    await deleteExpiredOneTimes(tx, { now: after(now, 0) })
    await deleteExpiredTries(tx, { now: after(now, 0) })
    await deleteExpiredTrustedBrowsers(tx, { now: after(now, 0) })
    await deleteExpiredLinks(tx, { now: after(now, 0) })
    await deleteEventsBefore(tx, { before: after(now, -AUDIT_EVENT_MS) })
    await deleteOldNotices(tx, { most: NOTICES_AT_MOST })
    await deleteDeliveriesBefore(tx, { before: after(now, -DELIVERIES_KEPT_MS) })
    await deleteOldSecrets(tx, { now: after(now, 0) })
    await deleteOldLookups(tx, after(now, 0))
  })
  await store.transaction((tx) => deleteExpiredKeys(tx, { expired: after(now, -KEPT_MS) }))
  await store.transaction((tx) => eraseFlightsDeletedBefore(tx, { after: binnedAfter(now) }))
  await store.transaction((tx) => deleteHistoryBefore(tx, { before: binnedAfter(now) }))
  await expireImports(store, after(now, 0))
  await remindOfImports(store, after(now, -DAY), after(now, 0))
  await store.transaction((tx) => forgetTombstones(tx, after(now, -TOMBSTONE_DAYS * DAY)))
}

/** Cleans up every five minutes. The returned function stops the timer and waits for a running cleanup. */
export const startCleanup = (store: Store, clock: Clock, log: Logger): (() => Promise<void>) =>
  every(EVERY_MS, () => deleteExpired(store, clock.now()), { log, what: 'delete expired rows' })
