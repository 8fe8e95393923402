// Runs deliveries in a process: as soon as a counter changes, when a delivery is due, and at intervals for leases that a killed
// process left behind.
import { every } from '../../base/every.ts'
import { CHANGES, readRevisions, WEBHOOKS } from '../../store/engine/revisions.ts'
import { findNextDue } from '../../store/webhooks/deliveries.ts'
import { createDeliveries, type DeliveryParts } from './deliver.ts'

const LOOK_EVERY_MS = 500
const LOOK_ANYWAY_MS = 15_000

/** The returned function stops it; requests in progress are aborted and sent again later. */
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

  const stopLooking = every(LOOK_EVERY_MS, look, { log, what: 'look for webhooks' })
  return async () => {
    await stopLooking()
    await deliveries.stop()
  }
}
