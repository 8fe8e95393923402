/** Saves what the line understood: on the server, or in this browser while it cannot be reached. Says which, and offers to undo it. */

import type { FlightRecord } from '../api/types.ts'
import { removeFlights } from '../flights/deletion.svelte.ts'
import type { Draft } from '../flights/draft.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { toast } from '../lib/toast.svelte.ts'
import { log } from '../log/log.svelte.ts'
import { queue, type Outcome as Submitted, submit } from '../queue/queue.svelte.ts'
import { endLine, light } from './line.svelte.ts'
import { flyBack } from './repeat.ts'
import { draftWarning } from './times.ts'

interface Named {
  name: string
  draft: Draft
}

interface Outcome {
  saved: FlightRecord[]
  waiting: Extract<Submitted, { is: 'waiting' }>[]
}

const MESSAGE_MS = 10_000

async function sendAll(flights: readonly Named[]): Promise<Outcome> {
  const outcome: Outcome = { saved: [], waiting: [] }
  for (const { draft } of flights) {
    try {
      const result = await submit({ kind: 'create', draft, input: null })
      if (result.is === 'saved') outcome.saved.push(result.flight)
      if (result.is === 'waiting') outcome.waiting.unshift(result)
    } catch (error) {
      if (outcome.saved.length > 0) removeFlights(outcome.saved)
      throw error
    }
  }
  return outcome
}

/** The last one first, as each of them is put on those before. */
async function takeBack(waiting: Outcome['waiting']): Promise<void> {
  for (const { id, undo } of waiting) {
    const stored = (await undo()) ? undefined : queue.sentAs(id)
    if (stored) removeFlights([stored])
  }
}

/** `thenReturn`: the line is opened again for the way back, whose day is not known. */
export async function saveFlights(flights: readonly Named[], thenReturn: boolean): Promise<void> {
  const { saved, waiting } = await sendAll(flights)
  const names = flights.map(({ name }) => name)
  const warnings = await Promise.all(flights.map(({ draft }) => draftWarning(draft).catch(() => '')))
  const said = (text: string) => [text, ...warnings].filter(Boolean).join(' ')
  endLine()
  if (waiting.length > 0) {
    toast(said(t('line.queued', { count: names.length, names: names.join(', ') })), {
      ms: MESSAGE_MS,
      action: { label: t('action.undo'), run: () => void takeBack(waiting) },
    })
    return
  }
  await log.refresh()
  const [first] = saved
  if (!first) return
  light(first.id)
  const entry = log.find(first.id)
  toast(said(t('line.saved', { count: names.length, names: names.join(', ') })), {
    ms: MESSAGE_MS,
    action: { label: t('action.undo'), run: () => removeFlights(saved) },
    ...(entry && saved.length === 1 && { also: { label: t('line.addReturn'), run: () => flyBack(entry) } }),
  })
  if (thenReturn && entry) flyBack(entry)
}
