/** Deleting and restoring flights. A deletion is sent immediately or queued; the message offers to undo it. */

import { explain } from '../api/explain.ts'
import * as api from '../api/flights.ts'
import { t, withTexts } from '../i18n/i18n.svelte.ts'
import { dismiss, toast } from '../lib/overlay/toast.svelte.ts'
import { hideFlights, log, noteDeleted, showFlights } from '../log/log.svelte.ts'
import { type Outcome, submit } from './queue.svelte.ts'

let changes = $state(0)
let putBack = $state.raw<readonly number[]>([])

export const bin = {
  /** Incremented whenever flights are deleted or restored. */
  get changes(): number {
    return changes
  },
  /** The flights that Undo restored last. */
  get putBack(): readonly number[] {
    return putBack
  },
}

/** Hides the flights immediately; if the server does not delete them, shows them again with the reason. */
export function removeFlights(flights: readonly api.ReadFlight[]): void {
  const ids = flights.map(({ id }) => id)
  const deleting = submit({ kind: 'delete', flights: flights.map(({ id, version }) => ({ id, version })) })
  hideFlights(ids)
  const message = toast(t('flights.deleted', { count: ids.length }), {
    action: { label: t('action.undo'), run: () => void undo(ids, deleting) },
  })
  void settle(ids, deleting).then((failure) => {
    if (failure === null) return
    dismiss(message)
    toast(failure, { tone: 'error' })
  })
  void deleting.then(
    (outcome) => (outcome.is === 'waiting' ? offerQueuedUndo(message, ids, outcome.undo) : undefined),
    () => {},
  )
}

async function offerQueuedUndo(
  message: number,
  ids: number[],
  undoQueued: () => Promise<boolean>,
): Promise<void> {
  await withTexts('waiting', async () => undefined)
  dismiss(message)
  /** Flights whose deletion has been sent meanwhile are in the bin. */
  const run = async () => {
    if (!(await undoQueued())) await restoreFlights(ids.filter((id) => id > 0))
  }
  toast(t('waiting.deleted', { count: ids.length }), {
    action: { label: t('action.undo'), run: () => void run() },
  })
}

/** Returns the error message, or null. */
async function settle(ids: number[], deleting: Promise<Outcome>): Promise<string | null> {
  let outcome: Outcome
  try {
    outcome = await deleting
  } catch (error) {
    showFlights(ids)
    await log.refresh()
    return `${t('flights.deleteFailed', { count: ids.length })} ${explain(error)}`
  }
  // Queued deletions are hidden by the queue until they are sent.
  if (outcome.is === 'waiting') {
    showFlights(ids)
    return null
  }
  const gone = outcome.is === 'deleted' ? outcome.ids : []
  const left = ids.filter((id) => !gone.includes(id))
  noteDeleted(gone)
  showFlights(left)
  await log.refresh()
  changes++
  // A flight that another person deleted first is not a failure.
  const kept = left.filter((id) => log.find(id))
  return kept.length > 0 ? t('flights.deleteFailed', { count: kept.length }) : null
}

async function undo(ids: number[], deleting: Promise<Outcome>): Promise<void> {
  const outcome = await deleting.catch(() => null)
  // The deletion failed: the flights are visible again and the error is shown.
  if (outcome?.is !== 'deleted') return
  const back = outcome.ids.length > 0 ? outcome.ids : ids
  if (await restoreFlights(back)) putBack = back
}

/** These were restored another way and may be shown again. */
export function noteRestored(ids: readonly number[]): void {
  if (ids.length === 0) return
  showFlights(ids)
  changes++
}

/** Restores flights. Returns whether all of them exist again; if not, an error is shown. */
export async function restoreFlights(ids: number[]): Promise<boolean> {
  let back: number[] = []
  let reason = ''
  try {
    back = await api.restoreFlights(ids)
  } catch (error) {
    reason = explain(error)
  }
  // The log without them may still be loading; shown before it arrives, they would disappear again.
  await log.refresh()
  // A log that failed to load may still contain flights that are in the bin.
  showFlights(log.error === null ? ids : back)
  changes++
  // A flight already restored elsewhere does not count as missing.
  const missing = ids.filter((id) => !back.includes(id) && !log.find(id))
  if (missing.length === 0) return true
  const text = t('bin.restoreFailed', { count: missing.length })
  toast([text, reason].filter(Boolean).join(' '), { tone: 'error' })
  return false
}
