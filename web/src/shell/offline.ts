/** Registers the service worker, for reading offline. */
export function startOffline(): void {
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    // The app works without it online, so a failure (private window, plain http) is ignored.
    navigator.serviceWorker.register('/sw.js').catch(() => {})
  }
}
