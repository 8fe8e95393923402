// Sends deliveries. A process claims some of them for two minutes, so that each is sent by one; every result is committed, so that a
// killed process loses nothing and at worst repeats what was in flight, with the same topic and tag.
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { randomText } from '../../base/secret/secrets.ts'
import { MINUTE, SECOND } from '../../domain/time/durations.ts'
import { fromJson } from '../../store/engine/codecs.ts'
import { leaseTimes } from '../../store/engine/leases.ts'
import { claimDeliveries, findNextDue, MAILS, releaseAll } from '../../store/push/queue.ts'
import { findSubscription } from '../../store/push/subscriptions.ts'
import type { Store } from '../../store/store.ts'
import type { Mailer } from '../accounts/mailer.ts'
import type { Claimed, CountNotification, DeliveryData } from './deliveries.ts'
import { expandDue, isStillAhead } from './expand.ts'
import { takeMail } from './mail.ts'
import type { Push } from './push.ts'
import { createResults } from './results.ts'

const CLAIMED_AT_ONCE = 100
const REQUESTS_AT_ONCE = 32
const REQUESTS_PER_HOST = 16
const LEASE_MS = 2 * MINUTE
/** A claimed delivery is started only if its request can end before the lease does. */
const LEASE_MARGIN_MS = 20 * SECOND
/** While requests are running, new work is looked for at this interval. */
const LOOK_ANYWAY_MS = 500

interface SenderParts {
  store: Store
  config: Pick<Config, 'origin' | 'push' | 'smtp'>
  clock: Clock
  log: Logger
  push: Push
  mailer: Mailer | undefined
  count: CountNotification
}

interface Sender {
  /** Starts work if anything is due and none is running. */
  look(): Promise<void>
  /** Works until nothing is due. */
  sendDue(): Promise<void>
  /** Aborts requests in progress; their messages are sent again later. */
  stop(): Promise<void>
}

export function createSender(parts: SenderParts): Sender {
  const { store, config, clock, log } = parts
  const lease = randomText(16)
  const stopping = new AbortController()
  let waiting: Claimed[] = []
  /** With their hosts. */
  const running = new Map<Promise<void>, string>()
  const results = createResults(parts, lease)
  let working: Promise<void> | undefined

  const now = () => new Date(clock.now()).toISOString()
  const isFull = () => running.size >= REQUESTS_AT_ONCE
  const isSaturated = (host: string) =>
    [...running.values()].filter((each) => each === host).length >= REQUESTS_PER_HOST

  /** Returns how many deliveries it claimed. */
  async function claim(): Promise<number> {
    const due = await findNextDue(store.read)
    if (due.delivery === null || due.delivery > now()) return 0
    const [busy1 = '', busy2 = ''] = [...new Set(running.values())].filter(isSaturated)
    const times = leaseTimes(clock, LEASE_MS)
    const rows = await store.transaction((tx) =>
      claimDeliveries(tx, { lease, ...times, most: CLAIMED_AT_ONCE, busy1, busy2 }),
    )
    const claimed = rows.map((row) => ({
      ...row,
      data: fromJson<DeliveryData>(row.data),
      host: row.host ?? MAILS,
      expiresAt: Date.parse(row.expiresAt),
      leaseUntil: Date.parse(times.until),
    }))
    waiting.push(...claimed.filter((each) => !isSetAside(each)))
    await results.flush()
    return rows.length
  }

  /** It has expired, or its push service asked for a pause. Checked again before it is sent. */
  function isSetAside(claimed: Claimed): boolean {
    const waitMs = results.pauseMs(claimed.host)
    if (claimed.expiresAt <= clock.now()) results.add(claimed, { outcome: 'expired' })
    else if (waitMs > 0) results.add(claimed, { outcome: 'held', waitMs })
    else return false
    return true
  }

  function startSome(): void {
    waiting = waiting.filter((claimed) => {
      if (isFull() || isSaturated(claimed.host)) return true
      start(claimed)
      return false
    })
  }

  function start(claimed: Claimed): void {
    // Another process may have it by now.
    if (claimed.leaseUntil - clock.now() < LEASE_MARGIN_MS) return
    const { host } = claimed
    const turn: Promise<void> = sendOne(claimed)
      .catch((error) => {
        if (!stopping.signal.aborted)
          log.warn('could not send a notification', { host, reason: errorMessage(error) })
      })
      .finally(() => running.delete(turn))
    running.set(turn, host)
  }

  async function sendOne(claimed: Claimed): Promise<void> {
    if (!isSetAside(claimed)) await attempt(claimed)
    await results.flush()
  }

  /** What changed while it waited counts: the settings of this instance, the flight, the device. */
  async function attempt(claimed: Claimed): Promise<void> {
    const { data, userId, subscriptionId, expiresAt } = claimed
    const isOn = data.channel === 'mail' ? parts.mailer : config.push
    if (!isOn || !(await isStillAhead(store.read, userId, data.reminds, clock.now())))
      return results.add(claimed, { outcome: 'withheld' })
    if (data.channel === 'mail') {
      const mail = await store.transaction((tx) => takeMail(tx, userId, data, clock.now()))
      if (mail) await parts.mailer?.send(mail)
      return results.add(claimed, { outcome: mail ? 'mailed' : 'withheld' })
    }
    const device = await findSubscription(store.read, { userId, id: subscriptionId! })
    // Its deliveries were deleted with it.
    if (!device) return
    const message = { shown: data.shown, urgency: data.urgency, expiresAt }
    results.addResponse(claimed, await parts.push.send(store.read, device, message, stopping.signal))
  }

  async function expandAll(): Promise<void> {
    while (!stopping.signal.aborted) {
      const due = await findNextDue(store.read)
      if (due.notification === null || due.notification > now()) return
      if ((await store.transaction((tx) => expandDue(tx, config, clock.now()))) === 0) return
    }
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      await expandAll()
      const claimed = await claim()
      startSome()
      if (claimed === 0 && running.size === 0) return
      await untilRoom(claimed > 0)
    }
  }

  /** Until it is worth looking for more: a push service may be slow, and others have nothing to do with it. */
  async function untilRoom(mayBeMore: boolean): Promise<void> {
    const began = performance.now()
    if (mayBeMore && !isFull()) return
    do {
      await untilOneEnds(running.keys())
      startSome()
    } while (
      !stopping.signal.aborted &&
      (isFull() || (waiting.length > 0 && running.size > 0 && performance.now() - began < LOOK_ANYWAY_MS))
    )
  }

  const startWork = (): Promise<void> => {
    working ??= work().finally(() => {
      working = undefined
    })
    return working
  }

  return {
    async look() {
      if (working) return
      const { notification, delivery } = await findNextDue(store.read)
      const first = [notification, delivery].filter((at) => at !== null).sort()[0]
      if (first === undefined || first > now()) return
      startWork().catch((error) => log.warn('could not send notifications', { reason: errorMessage(error) }))
    },
    async sendDue() {
      await working
      await startWork()
    },
    async stop() {
      stopping.abort()
      await working?.catch(() => {})
      await Promise.all(running.keys())
      await results.flush()
      await store.transaction((tx) => releaseAll(tx, { lease, now: now() }))
    },
  }
}

async function untilOneEnds(running: Iterable<Promise<void>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tick = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LOOK_ANYWAY_MS)
  })
  await Promise.race([...running, tick])
  clearTimeout(timer)
}
