/** Registers the service worker, for reading offline. */
export function startOffline(): void {
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    // The app works without it online, so a failure (private window, plain http) is ignored.
    navigator.serviceWorker
      .register('/sw.js')
      .then(keepNeeded)
      .catch(() => {})
  }
}

/** Who is signed in, what the line, the scanner and the form need, the marks of countries, and the trips. */
const needed = [
  '/app/api/session',
  '/app/api/line-data',
  '/app/api/custom-fields',
  '/app/api/users',
  '/app/api/visited-countries',
  '/app/api/trips',
]
const LATER_MS = 5000

/** On the first visit these were requested before the service worker was there to keep them. */
async function keepNeeded(): Promise<void> {
  await navigator.serviceWorker.ready
  await new Promise((resolve) => setTimeout(resolve, LATER_MS))
  if (!navigator.serviceWorker.controller) return
  for (const path of needed) if (!(await caches.match(path, { ignoreVary: true }))) await fetch(path)
}
