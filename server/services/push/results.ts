// Commits what became of deliveries. Results that arrive during a commit are committed together with the next one.
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import { DAY } from '../../domain/time/durations.ts'
import { recordEvent } from '../../store/access/audit.ts'
import type { Executor } from '../../store/engine/engine.ts'
import { findPerson } from '../../store/people/people.ts'
import { deferHost, deleteDeliveries, putBack, retryDelivery } from '../../store/push/queue.ts'
import { deleteSubscriptions, recordFailure, recordSuccesses } from '../../store/push/subscriptions.ts'
import type { Store } from '../../store/store.ts'
import type { Claimed, CountNotification, Outcome } from './deliveries.ts'
import type { PushResult } from './push.ts'
import { type Consequence, consequenceOf } from './responses.ts'

const GIVEN_UP_AFTER_MS = 30 * DAY
const GIVEN_UP_AFTER_FAILURES = 10
const HOSTS_AT_MOST = 1000

type End =
  | Consequence
  | { outcome: 'expired' | 'mailed' | 'limited' }
  /** Not attempted: its host pauses. */
  | { outcome: 'held'; until: number }

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
  limited: 'dropped',
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
    await store.transaction(async (tx) => {
      await record(tx, some, { lease, now })
    })
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
    /** Until when no request goes to this host; 0 if it does not pause. */
    pausedUntil: (host: string): number => pauses.get(host) ?? 0,
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
  const at = new Date(now).toISOString()
  const ids = (...outcomes: End['outcome'][]) =>
    results.filter(({ end }) => outcomes.includes(end.outcome)).map(({ claimed }) => claimed.id)
  const devices = (...outcomes: End['outcome'][]) => [
    ...new Set(
      results.flatMap(({ claimed, end }) =>
        outcomes.includes(end.outcome) && claimed.device ? [claimed.device.id] : [],
      ),
    ),
  ]
  await deleteDeliveries(tx, ids('delivered', 'mailed', 'limited', 'expired', 'too_large'), { lease })
  await recordSuccesses(tx, devices('delivered'), { now: at })
  for (const result of results) await recordWait(tx, result, times)
  await removeDevices(tx, devices('gone', 'refused'), results, now)
}

/** What is sent again later. */
async function recordWait(tx: Executor, { claimed, end }: Result, { lease, now }: Times): Promise<void> {
  const { id, host, device, attempts, refusals } = claimed
  const at = new Date(now).toISOString()
  const after = (waitMs: number) => new Date(now + waitMs).toISOString()
  if (end.outcome === 'held')
    await putBack(tx, [id], { lease, nextAttemptAt: new Date(end.until).toISOString() })
  if (end.outcome === 'unavailable') await putBack(tx, [id], { lease, nextAttemptAt: after(end.waitMs) })
  if (end.outcome === 'paused') {
    await putBack(tx, [id], { lease, nextAttemptAt: after(end.waitMs) })
    await deferHost(tx, { host, until: after(end.waitMs), now: at })
  }
  if (end.outcome !== 'failed') return
  const counts = { attempts: attempts + 1, refusals: refusals + (end.isRefusal ? 1 : 0) }
  await retryDelivery(tx, { id, lease, nextAttemptAt: after(end.waitMs), ...counts })
  const failing = device && (await recordFailure(tx, { id: device.id, now: at }))
  const lastSuccess = failing && Date.parse(failing.lastSuccessAt ?? failing.createdAt)
  if (failing && failing.failures >= GIVEN_UP_AFTER_FAILURES && now - lastSuccess! > GIVEN_UP_AFTER_MS)
    await removeDevices(tx, [failing.id], [{ claimed, end }], now)
}

/** Deletes their deliveries too. */
async function removeDevices(
  tx: Executor,
  ids: readonly number[],
  results: readonly Result[],
  now: number,
): Promise<void> {
  for (const { id, userId } of await deleteSubscriptions(tx, ids)) {
    const result = results.find(({ claimed }) => claimed.device?.id === id)
    const person = await findPerson(tx, { id: userId })
    await recordEvent(tx, {
      kind: 'device.removed',
      now: new Date(now),
      actor: null,
      subject: person ?? null,
      details: { device: id, host: result?.claimed.host ?? null, because: result?.end.outcome ?? null },
    })
  }
}
