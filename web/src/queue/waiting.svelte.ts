/** What every screen knows of the changes that wait to be sent. The rest loads when there are some. */

import { withWaitingTexts } from '../i18n/i18n.svelte.ts'
import { listWrites } from './kept-writes.ts'

interface Summary {
  count: number
  /** Those that the person has to decide about. */
  asking: number
  flights: ReadonlySet<number>
}
let known = Promise.resolve()
let summary = $state.raw<Summary>({ count: 0, asking: 0, flights: new Set() })

export const waiting = {
  get count(): number {
    return summary.count
  },
  get asking(): number {
    return summary.asking
  },
  /** Resolves when it is known what waits from before. */
  get known(): Promise<void> {
    return known
  },
  /** A change of this flight waits. */
  has: (id: number): boolean => summary.flights.has(id),
}

export function showWaiting(next: Summary): void {
  summary = next
}

const channel = new BroadcastChannel('contrail.queue')

/** Other tabs of this browser show and send the same queue. */
export const announceQueue = (sent?: object): void => channel.postMessage(sent ?? null)

export const loadQueue = () => withWaitingTexts(() => import('./queue.svelte.ts'))
export const loadSignOutDialog = () => withWaitingTexts(() => import('./SignOutDialog.svelte'))
export const loadWaitingBar = () => withWaitingTexts(() => import('./WaitingBar.svelte'))
/** Without a connection they could not be loaded any more. */
export const preloadWaiting = () => Promise.allSettled([loadQueue(), loadWaitingBar(), loadSignOutDialog()])

/** Call once, when the person is known: what waited since the last visit is sent. */
export function startWaiting(userId: string): void {
  known = start(userId)
  // A tab that cannot load it now does so on its next visit.
  channel.addEventListener('message', ({ data }) =>
    loadQueue().then(
      (queue) => queue.reload(data),
      () => {},
    ),
  )
}

async function start(userId: string): Promise<void> {
  // Where the browser keeps nothing, nothing waits.
  const [first] = await listWrites(userId).catch(() => [])
  if (first || localStorage.getItem('contrail.draft.waiting') !== null) await (await loadQueue()).start()
}
