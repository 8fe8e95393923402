/** Loads the queue and its screens when there is something in it. */

import { withTexts } from '../i18n/i18n.svelte.ts'
import { onQueueChange } from './channel.ts'
import { listWrites } from './kept-writes.ts'

export const loadQueue = () => withTexts('waiting', () => import('./queue.svelte.ts'))
export const loadSignOutDialog = () => withTexts('waiting', () => import('./SignOutDialog.svelte'))
export const loadWaitingBar = () => withTexts('waiting', () => import('./WaitingBar.svelte'))
/** Without a connection they could no longer be loaded. */
export const preloadWaiting = () => Promise.allSettled([loadQueue(), loadWaitingBar(), loadSignOutDialog()])

let known = Promise.resolve()

/** Resolves when unsent changes from earlier visits are known. */
export const whenKnown = (): Promise<void> => known

/** Call once, when the person is known: sends unsent changes from the last visit. */
export function startWaiting(userId: string): void {
  known = start(userId)
  // A tab that cannot load it now does so on its next visit.
  onQueueChange((sent) =>
    loadQueue().then(
      (queue) => queue.reload(sent),
      () => {},
    ),
  )
}

async function start(userId: string): Promise<void> {
  // Where the browser stores nothing, there are no unsent changes.
  const [first] = await listWrites(userId).catch(() => [])
  if (first || localStorage.getItem('contrail.draft.waiting') !== null) await (await loadQueue()).start()
}
