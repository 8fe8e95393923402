/**
 * Flights that were saved while the server could not be reached. They wait in this browser and are sent, once each, when it
 * responds again. What the server refuses stays here until the person has opened it in the form or discarded it.
 */

import { ApiError } from '../api/client.ts'
import type { Draft } from '../flights/draft.ts'
import { explain } from '../i18n/explain.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { toast } from '../lib/toast.svelte.ts'
import { log } from '../log/log.svelte.ts'
import { noteWaiting, waitingStore } from './line.svelte.ts'

/** Deleted with the other drafts when another person signs in. */
const store = waitingStore

export interface WaitingFlight {
  /** Repeats of a request with this key create nothing. */
  key: string
  name: string
  draft: Draft
  /** Why the server refused it. */
  refusal: string | null
}

function read(): WaitingFlight[] {
  try {
    return JSON.parse(localStorage.getItem(store) ?? '[]') as WaitingFlight[]
  } catch {
    return []
  }
}

let list = $state.raw(read())
let isSending = false

/** Another tab may have changed the list meanwhile. */
function change(to: (before: WaitingFlight[]) => WaitingFlight[]): void {
  list = to(read())
  if (list.length > 0) localStorage.setItem(store, JSON.stringify(list))
  else localStorage.removeItem(store)
  noteWaiting()
}

addEventListener('storage', ({ key }) => {
  if (key === store) list = read()
})

export const waiting = {
  get list(): readonly WaitingFlight[] {
    return list
  },
}

export const addWaiting = (flight: Omit<WaitingFlight, 'refusal'>): void =>
  change((before) => [...before, { ...flight, refusal: null }])

export const dropWaiting = (key: string): void => change((before) => before.filter((one) => one.key !== key))

/** Call when the server may respond again. */
export async function sendWaiting(): Promise<void> {
  if (isSending || list.every(({ refusal }) => refusal !== null)) return
  isSending = true
  const sent: string[] = []
  try {
    const { sendDraft } = await import('./send.ts')
    for (const one of list.filter(({ refusal }) => refusal === null)) {
      if (await isSent(one, sendDraft)) sent.push(one.name)
    }
  } catch {
    // Offline again: the next response of the server starts it once more.
  } finally {
    isSending = false
  }
  if (sent.length === 0) return
  await log.refresh()
  toast(t('waiting.sent', { count: sent.length, name: sent[0]! }))
}

async function isSent(
  one: WaitingFlight,
  sendDraft: (draft: Draft, key: string) => Promise<unknown>,
): Promise<boolean> {
  try {
    await sendDraft(one.draft, one.key)
    dropWaiting(one.key)
    return true
  } catch (error) {
    // Only a refusal says something about the flight; everything else may be gone the next time.
    if (!(error instanceof ApiError) || error.offline || error.status >= 500 || error.status === 401)
      throw error
    change((before) =>
      before.map((item) => (item.key === one.key ? { ...item, refusal: explain(error) } : item)),
    )
    return false
  }
}
