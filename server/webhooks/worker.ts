// Runs deliveries in a process: as soon as the counters say that something changed, when a delivery is due, and now and
// then for leases that a killed process left behind.
import { CHANGES, readRevisions, WEBHOOKS } from '../store/revisions.ts'
import { findNextDue } from '../store/webhook-deliveries.ts'
import { createDeliveries, type DeliveryParts } from './deliver.ts'

const LOOK_EVERY_MS = 500
const LOOK_ANYWAY_MS = 15_000

/** The returned function ends it; requests that are under way are broken off and sent again later. */
export function startWebhooks(parts: DeliveryParts): () => Promise<void> {
  const { store, clock, log } = parts
  const deliveries = createDeliveries(parts)
  let seen = ''
  let nextDue = 0
  let lastLook = 0

  async function look(): Promise<void> {
    const now = clock.now()
    const counters = (await readRevisions(store.read, [CHANGES, WEBHOOKS])).join('.')
    if (counters === seen && now < nextDue && now - lastLook < LOOK_ANYWAY_MS) return
    await deliveries.startDue()
    const due = await findNextDue(store.read)
    seen = counters
    lastLook = now
    nextDue = deliveries.isBusy() ? 0 : due === null ? Number.POSITIVE_INFINITY : Date.parse(due)
  }

  let looking: Promise<void> = Promise.resolve()
  let isIdle = true
  const timer = setInterval(() => {
    if (!isIdle) return
    isIdle = false
    looking = look()
      .catch((error) =>
        log.warn('could not look for webhooks', {
          reason: error instanceof Error ? error.message : String(error),
        }),
      )
      .finally(() => {
        isIdle = true
      })
  }, LOOK_EVERY_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await looking
    await deliveries.stop()
  }
}
