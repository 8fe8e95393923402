/** Saves what the line understood: on the server, or in this browser while it cannot be reached. Says which, and offers to undo it. */

import { ApiError } from '../api/client.ts'
import type { FlightRecord } from '../api/types.ts'
import { removeFlights } from '../flights/deletion.svelte.ts'
import type { Draft } from '../flights/draft.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { toast } from '../lib/toast.svelte.ts'
import { log } from '../log/log.svelte.ts'
import { endLine, light } from './line.svelte.ts'
import { flyBack } from './repeat.ts'
import { sendDraft } from './send.ts'
import { addWaiting, dropWaiting } from './waiting.svelte.ts'

interface Named {
  name: string
  draft: Draft
}

interface Outcome {
  saved: FlightRecord[]
  /** Keys of those that wait. */
  waiting: string[]
}

const MESSAGE_MS = 10_000

async function sendAll(flights: readonly Named[]): Promise<Outcome> {
  const outcome: Outcome = { saved: [], waiting: [] }
  for (const { name, draft } of flights) {
    const key = crypto.randomUUID()
    try {
      // After one that waits, the others wait too, so that they arrive in order.
      if (outcome.waiting.length > 0)
        throw new ApiError(0, { code: 'offline', reason: 'offline', message: '' })
      outcome.saved.push(await sendDraft(draft, key))
    } catch (error) {
      if (!(error instanceof ApiError && error.offline)) {
        if (outcome.saved.length > 0) removeFlights(outcome.saved)
        throw error
      }
      addWaiting({ key, name, draft })
      outcome.waiting.push(key)
    }
  }
  return outcome
}

/** `thenReturn`: the line is opened again for the way back, whose day is not known. */
export async function saveFlights(flights: readonly Named[], thenReturn: boolean): Promise<void> {
  const { saved, waiting } = await sendAll(flights)
  const names = flights.map(({ name }) => name)
  endLine()
  if (waiting.length > 0) {
    toast(t('line.queued', { count: names.length, names: names.join(', ') }), {
      ms: MESSAGE_MS,
      action: { label: t('action.undo'), run: () => waiting.forEach(dropWaiting) },
    })
    return
  }
  await log.refresh()
  const [first] = saved
  if (!first) return
  light(first.id)
  const entry = log.find(first.id)
  toast(t('line.saved', { count: names.length, names: names.join(', ') }), {
    ms: MESSAGE_MS,
    action: { label: t('action.undo'), run: () => removeFlights(saved) },
    ...(entry && saved.length === 1 && { also: { label: t('line.addReturn'), run: () => flyBack(entry) } }),
  })
  if (thenReturn && entry) flyBack(entry)
}
