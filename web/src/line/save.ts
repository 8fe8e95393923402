/** Saves the flights of the line on the server, or in this browser while it is offline. Says which, and offers to undo it. */

import type { ReadFlight } from '../api/flights.ts'
import type { FlightRecord } from '../api/types.ts'
import type { Draft } from '../draft/draft.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { LINE_MESSAGE_MS } from '../lib/delays.ts'
import { toast } from '../lib/overlay/toast.svelte.ts'
import { log } from '../log/log.svelte.ts'
import { removeFlights } from '../queue/deletion.svelte.ts'
import { queue, type Outcome as Submitted, submit } from '../queue/queue.svelte.ts'
import { endLine, light } from './line.svelte.ts'
import { flyBack } from './repeat.ts'
import { draftWarning } from './times.ts'

interface Named {
  name: string
  draft: Draft
}

interface Outcome {
  saved: { name: string; flight: FlightRecord }[]
  /** Latest first. */
  waiting: { name: string; kept: Extract<Submitted, { is: 'waiting' }> }[]
}

async function sendAll(flights: readonly Named[]): Promise<Outcome> {
  const outcome: Outcome = { saved: [], waiting: [] }
  for (const { name, draft } of flights) {
    try {
      const result = await submit({ kind: 'create', draft, input: null })
      if (result.is === 'saved') outcome.saved.push({ name, flight: result.flight })
      if (result.is === 'waiting') outcome.waiting.unshift({ name, kept: result })
    } catch (error) {
      await takeBack(outcome)
      throw error
    }
  }
  return outcome
}

/** Unsent flights are removed in reverse order, because each depends on the ones before it. */
async function takeBack({ saved, waiting }: Outcome): Promise<void> {
  const stored: ReadFlight[] = saved.map(({ flight }) => flight)
  for (const { kept } of waiting) {
    const sent = (await kept.undo()) ? undefined : queue.sentAs(kept.id)
    if (sent) stored.push(sent)
  }
  if (stored.length > 0) removeFlights(stored)
}

/** Says which are on the server and which on this device. */
function textOf({ saved, waiting }: Outcome): string {
  const said = (key: 'line.saved' | 'line.queued', names: string[]) =>
    names.length > 0 ? t(key, { count: names.length, names: names.join(', ') }) : ''
  const waits = waiting.map(({ name }) => name).reverse()
  const parts = [
    said(
      'line.saved',
      saved.map(({ name }) => name),
    ),
    said('line.queued', waits),
  ]
  return parts.filter(Boolean).join(' · ')
}

/** `thenReturn`: reopens the line for the return, whose day is unknown. */
export async function saveFlights(flights: readonly Named[], thenReturn: boolean): Promise<void> {
  const outcome = await sendAll(flights)
  const warnings = await Promise.all(flights.map(({ draft }) => draftWarning(draft).catch(() => '')))
  endLine()
  const text = [textOf(outcome), ...warnings].filter(Boolean).join(' ')
  const action = { label: t('action.undo'), run: () => void takeBack(outcome) }
  if (outcome.saved.length > 0) await log.refresh()
  const first = outcome.saved[0]?.flight
  const entry = first && log.find(first.id)
  if (first) light(first.id)
  const isAlone = entry && flights.length === 1
  toast(text, {
    ms: LINE_MESSAGE_MS,
    action,
    ...(isAlone && { also: { label: t('line.addReturn'), run: () => flyBack(entry) } }),
  })
  if (thenReturn && entry) flyBack(entry)
}
