/** The service worker, for reading without a network. */
export function startOffline(): void {
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    // Without it everything still works online, so a refusal (private window, plain http) is no error.
    navigator.serviceWorker.register('/sw.js').catch(() => {})
  }
}
