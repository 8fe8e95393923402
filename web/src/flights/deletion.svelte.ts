/** Deleting and restoring: on the server at once, with a way back in the message that says so. */

import * as api from '../api/flights.ts'
import { explain } from '../i18n/explain.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { dismiss, toast } from '../lib/toast.svelte.ts'
import { hideFlights, log, noteDeleted, showFlights } from '../log/log.svelte.ts'

let changes = $state(0)

export const bin = {
  /** Grows whenever flights have gone into the bin or come out of it. */
  get changes(): number {
    return changes
  },
}

/** The flights leave the screen at once; if the server does not delete them, they come back and the reason is shown. */
export function removeFlights(ids: number[]): void {
  hideFlights(ids)
  const deleting = api.deleteFlights(ids)
  const message = toast(t('flights.deleted', { count: ids.length }), {
    action: { label: t('action.undo'), run: () => void undo(ids, deleting) },
  })
  void settle(ids, deleting).then((failure) => {
    if (failure === null) return
    dismiss(message)
    toast(failure, { tone: 'error' })
  })
}

/** What went wrong, in words, or null. */
async function settle(ids: number[], deleting: Promise<number[]>): Promise<string | null> {
  let gone: number[]
  try {
    gone = await deleting
  } catch (error) {
    showFlights(ids)
    await log.refresh()
    return `${t('flights.deleteFailed', { count: ids.length })} ${explain(error)}`
  }
  const left = ids.filter((id) => !gone.includes(id))
  noteDeleted(gone)
  showFlights(left)
  await log.refresh()
  changes++
  // What another person deleted before is gone as well.
  const kept = left.filter((id) => log.find(id))
  return kept.length > 0 ? t('flights.deleteFailed', { count: kept.length }) : null
}

async function undo(ids: number[], deleting: Promise<number[]>): Promise<void> {
  const gone = await deleting.catch(() => null)
  // It failed: they are back on the screen, and that was said.
  if (gone === null) return
  await bringBack(gone.length > 0 ? gone : ids)
}

/** Restores flights; whether all of them are there. If not, that is said. */
export async function bringBack(ids: number[]): Promise<boolean> {
  let left = ids
  let reason = ''
  try {
    const back = await api.restoreFlights(ids)
    left = ids.filter((id) => !back.includes(id))
  } catch (error) {
    reason = explain(error)
  }
  showFlights(ids)
  await log.refresh()
  changes++
  // What was restored elsewhere before is there as well.
  const missing = left.filter((id) => !log.find(id))
  if (missing.length === 0) return true
  const text = t('bin.restoreFailed', { count: missing.length })
  toast([text, reason].filter(Boolean).join(' '), { tone: 'error' })
  return false
}
