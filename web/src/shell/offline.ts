import { useOfflineSource } from '../lib/fields/suggest.ts'
import { isCurrentUser, session } from '../session/session.svelte.ts'

/** Registers the service worker for reading offline, and the offline suggestions of the pickers. */
export function startOffline(): void {
  useOfflineSource(() => import('../line/suggest-here.ts'))
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    // The app works without it online, so a failure (private window, plain http) is ignored.
    navigator.serviceWorker
      .register('/sw.js')
      .then(keepNeeded)
      .then(async () => session.user && (await import('../session/push.ts')).registerAgain(session.user.id))
      .catch(() => {})
  }
}

/** The session, the data of line, scanner and form, the marked countries, and the trips. */
const needed = [
  '/app/api/session',
  '/app/api/line-data',
  '/app/api/custom-fields',
  '/app/api/users',
  '/app/api/visited-countries',
  '/app/api/trips',
]
const LATER_MS = 5000

/** On the first visit these were requested before the service worker could cache them. */
async function keepNeeded(): Promise<void> {
  await navigator.serviceWorker.ready
  await new Promise((resolve) => setTimeout(resolve, LATER_MS))
  if (!navigator.serviceWorker.controller) return
  for (const path of needed) {
    const isKept = await caches.match(path, { ignoreVary: true })
    // Signing out deletes the cache: a request after that would fill it again.
    if (!isKept && session.user && isCurrentUser(session.user.id)) await fetch(path)
  }
}
