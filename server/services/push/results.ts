// Commits what became of deliveries. Results that arrive during a commit are committed together with the next one.
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import { DAY } from '../../domain/time/durations.ts'
import { recordEvent } from '../../store/access/audit.ts'
import type { Executor } from '../../store/engine/engine.ts'
import { findPerson } from '../../store/people/people.ts'
import { deleteDeliveries, retryDelivery } from '../../store/push/queue.ts'
import { deleteSubscriptions, recordFailure, recordSuccesses } from '../../store/push/subscriptions.ts'
import type { Store } from '../../store/store.ts'
import type { Claimed, CountNotification, Outcome } from './deliveries.ts'
import type { PushResult } from './push.ts'
import { type Consequence, consequenceOf } from './responses.ts'

const GIVEN_UP_AFTER_MS = 30 * DAY
const GIVEN_UP_AFTER_FAILURES = 10
const HOSTS_AT_MOST = 1000

/** `withheld`: it must not be sent any more. `held`: it was not attempted, because its host pauses. */
type End = Consequence | { outcome: 'expired' | 'mailed' | 'withheld' } | { outcome: 'held'; waitMs: number }

interface Result {
  claimed: Claimed
  end: End
}

interface ResultParts {
  store: Store
  clock: Clock
  log: Logger
  count: CountNotification
}

const counted: Partial<Record<End['outcome'], Outcome>> = {
  delivered: 'delivered',
  mailed: 'delivered',
  failed: 'failed',
  unavailable: 'failed',
  paused: 'paused',
  gone: 'dropped',
  refused: 'dropped',
  too_large: 'dropped',
  withheld: 'dropped',
  expired: 'expired',
}

export function createResults({ store, clock, log, count }: ResultParts, lease: string) {
  const pauses = new Map<string, number>()
  let pending: Result[] = []
  let flushing: Promise<void> | undefined
  let isUnavailable = false

  const add = (claimed: Claimed, end: End): void => void pending.push({ claimed, end })

  function addResponse(claimed: Claimed, result: PushResult): void {
    const end = consequenceOf(result, claimed)
    if (end.outcome === 'paused') {
      if (pauses.size >= HOSTS_AT_MOST) pauses.clear()
      pauses.set(claimed.host, clock.now() + end.waitMs)
    }
    if (end.outcome === 'too_large')
      log.error('a push service found a notification too large', { host: claimed.host })
    if (end.outcome === 'unavailable' && !isUnavailable)
      log.error('notifications cannot be sent: the key is sealed with another instance secret', {
        fix: 'contrail push reset',
      })
    isUnavailable = end.outcome === 'unavailable'
    add(claimed, end)
  }

  async function commit(some: readonly Result[]): Promise<void> {
    const now = clock.now()
    await store.transaction((tx) => record(tx, some, { lease, now }))
    for (const { claimed, end } of some) {
      const outcome = counted[end.outcome]
      if (outcome) count(claimed.data.kind, claimed.data.channel, outcome)
      if (end.outcome === 'refused')
        log.warn('a device was removed: its push service refuses this instance', { host: claimed.host })
    }
  }

  async function commitAll(): Promise<void> {
    while (pending.length > 0) {
      const some = pending
      pending = []
      await commit(some)
    }
  }

  return {
    add,
    addResponse,
    /** For how long no request goes to this host. */
    pauseMs: (host: string): number => Math.max(0, (pauses.get(host) ?? 0) - clock.now()),
    /** Resolves when everything that was added has been committed. */
    async flush(): Promise<void> {
      while (pending.length > 0 || flushing) {
        flushing ??= commitAll().finally(() => {
          flushing = undefined
        })
        await flushing
      }
    },
  }
}

interface Times {
  lease: string
  now: number
}

async function record(tx: Executor, results: readonly Result[], times: Times): Promise<void> {
  const { lease, now } = times
  const ended = (...outcomes: End['outcome'][]) =>
    results.filter(({ end }) => outcomes.includes(end.outcome)).map(({ claimed }) => claimed)
  const devicesOf = (some: readonly Claimed[]) => [
    ...new Set(some.flatMap(({ subscriptionId }) => subscriptionId ?? [])),
  ]
  const done = ended('delivered', 'mailed', 'withheld', 'expired', 'too_large').map(({ id }) => id)
  await deleteDeliveries(tx, done, { lease })
  await recordSuccesses(tx, devicesOf(ended('delivered')), { now: new Date(now).toISOString() })
  const givenUp: number[] = []
  for (const result of results)
    if (await sendAgain(tx, result, times)) givenUp.push(result.claimed.subscriptionId!)
  await removeDevices(tx, [...devicesOf(ended('gone', 'refused')), ...givenUp], results, now)
}

/** Returns whether the device has failed for so long that it is given up. */
async function sendAgain(tx: Executor, { claimed, end }: Result, { lease, now }: Times): Promise<boolean> {
  if (!('waitMs' in end)) return false
  const { id, subscriptionId } = claimed
  const isFailure = end.outcome === 'failed'
  await retryDelivery(tx, {
    id,
    lease,
    nextAttemptAt: new Date(now + end.waitMs).toISOString(),
    attempts: claimed.attempts + (isFailure ? 1 : 0),
    refusals: claimed.refusals + (isFailure && end.isRefusal ? 1 : 0),
  })
  if (!isFailure || subscriptionId === null) return false
  const device = await recordFailure(tx, { id: subscriptionId, now: new Date(now).toISOString() })
  if (!device || device.failures < GIVEN_UP_AFTER_FAILURES) return false
  return now - Date.parse(device.lastSuccessAt ?? device.createdAt) > GIVEN_UP_AFTER_MS
}

/** Deletes their deliveries too. */
async function removeDevices(
  tx: Executor,
  ids: readonly number[],
  results: readonly Result[],
  now: number,
): Promise<void> {
  for (const { id, userId, host } of await deleteSubscriptions(tx, ids)) {
    const result = results.findLast(({ claimed }) => claimed.subscriptionId === id)
    const person = await findPerson(tx, { id: userId })
    await recordEvent(tx, {
      kind: 'device.removed',
      now: new Date(now),
      actor: null,
      subject: person ?? null,
      details: { device: id, host, because: result?.end.outcome ?? null },
    })
  }
}
