/** The service worker, and whether the network is there. */

let online = $state(navigator.onLine)

export const network = {
  get online(): boolean {
    return online
  },
}

export function startOffline(): void {
  addEventListener('online', () => {
    online = true
  })
  addEventListener('offline', () => {
    online = false
  })
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    // Without it everything still works online, so a refusal (private window, plain http) is no error.
    navigator.serviceWorker.register('/sw.js').catch(() => {})
  }
}
