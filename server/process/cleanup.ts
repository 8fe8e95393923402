// Deletes expired rows and files, and reminds people of what they left unfinished. Started by a timer in the process, or by tests that
// move the clock.
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { every } from '../base/every.ts'
import type { Logger } from '../base/log.ts'
import { binnedAfter } from '../domain/flights/bin.ts'
import { TOMBSTONE_DAYS } from '../domain/history/changes.ts'
import { NOTICES_AT_MOST } from '../domain/people/notices.ts'
import { isErasable } from '../domain/status/kept-pass.ts'
import { loggedSpan } from '../domain/status/travel-day.ts'
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
import { removeOldCopies } from '../services/backup/before-upgrade.ts'
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
import { deleteExpiredDeliveries, deleteNotificationsBefore } from '../store/push/queue.ts'
import { keepSubscriptionsOfExpired } from '../store/push/subscriptions.ts'
import { deleteKeptPass, deleteStrayPasses, listFlightsOfPasses } from '../store/status/kept-passes.ts'
import type { Store, Transaction } from '../store/store.ts'
import { deleteDeliveriesBefore } from '../store/webhooks/deliveries.ts'
import { deleteOldSecrets } from '../store/webhooks/webhooks.ts'

const EVERY_MS = 5 * MINUTE
/** After they expired. Until then, their keys prevent a second one. */
const NOTIFICATIONS_KEPT_MS = 7 * DAY

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
    await keepSubscriptionsOfExpired(tx, { now: after(now, 0) })
    await deleteExpiredSessions(tx, { now: after(now, 0) })
    await deleteExpiredOneTimes(tx, { now: after(now, 0) })
    await deleteExpiredTries(tx, { now: after(now, 0) })
    await deleteExpiredTrustedBrowsers(tx, { now: after(now, 0) })
    await deleteExpiredLinks(tx, { now: after(now, 0) })
    await deleteEventsBefore(tx, { before: after(now, -AUDIT_EVENT_MS) })
    await deleteOldNotices(tx, { most: NOTICES_AT_MOST })
    await deleteDeliveriesBefore(tx, { before: after(now, -DELIVERIES_KEPT_MS) })
    await deleteNotificationsBefore(tx, { before: after(now, -NOTIFICATIONS_KEPT_MS) })
    await deleteExpiredDeliveries(tx, { now: after(now, 0) })
    await deleteOldSecrets(tx, { now: after(now, 0) })
    await deleteOldLookups(tx, after(now, 0))
  })
  await store.transaction((tx) => erasePasses(tx, now))
  await store.transaction((tx) => deleteExpiredKeys(tx, { expired: after(now, -KEPT_MS) }))
  await store.transaction((tx) => eraseFlightsDeletedBefore(tx, { after: binnedAfter(now) }))
  await store.transaction((tx) => deleteHistoryBefore(tx, { before: binnedAfter(now) }))
  await expireImports(store, after(now, 0))
  await remindOfImports(store, after(now, -DAY), after(now, 0))
  await store.transaction((tx) => forgetTombstones(tx, after(now, -TOMBSTONE_DAYS * DAY)))
}

/** Boarding passes of flights that are over, and of places that another user has taken. */
async function erasePasses(tx: Transaction, now: number): Promise<void> {
  await deleteStrayPasses(tx, {})
  for (const { passengerId, ...flight } of await listFlightsOfPasses(tx, {}))
    if (isErasable(loggedSpan(flight), now)) await deleteKeptPass(tx, { passengerId })
}

interface Cleanup {
  store: Store
  config: Pick<Config, 'dataDir'>
  clock: Clock
  log: Logger
}

export async function cleanUp({ store, config, clock }: Omit<Cleanup, 'log'>): Promise<void> {
  await deleteExpired(store, clock.now())
  await removeOldCopies(config.dataDir, clock.now())
}

/** Cleans up every five minutes. The returned function stops the timer and waits for a running cleanup. */
export const startCleanup = ({ log, ...parts }: Cleanup): (() => Promise<void>) =>
  every(EVERY_MS, () => cleanUp(parts), { log, what: 'delete what has expired' })
