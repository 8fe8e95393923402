/** When a log may have changed elsewhere: the tab is visible again, a minute has passed, or another tab has written. */

const EVERY_MS = 60_000

let channel: BroadcastChannel | undefined

/** Calls `load` at each of these times, as long as the page exists. */
export function watchForChanges(load: () => void): void {
  const loadIfVisible = () => {
    if (document.visibilityState === 'visible') load()
  }
  document.addEventListener('visibilitychange', loadIfVisible)
  setInterval(loadIfVisible, EVERY_MS)
  channel = new BroadcastChannel('contrail.log')
  channel.addEventListener('message', load)
}

/** Tells other tabs to load what this one has written. */
export function announceChange(): void {
  channel?.postMessage(null)
}
