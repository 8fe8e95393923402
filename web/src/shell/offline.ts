/** Registers the service worker, for reading offline. */
export function startOffline(): void {
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    // The app works without it online, so a failure (private window, plain http) is ignored.
    navigator.serviceWorker
      .register('/sw.js')
      .then(keepReference)
      .catch(() => {})
  }
}

const reference = '/app/api/line-data'
const LATER_MS = 5000

/** The airports that the line and the scanner need without a connection: requested once, then the service worker has them. */
async function keepReference(): Promise<void> {
  await navigator.serviceWorker.ready
  await new Promise((resolve) => setTimeout(resolve, LATER_MS))
  if (navigator.serviceWorker.controller && !(await caches.match(reference, { ignoreVary: true }))) await fetch(reference)
}
