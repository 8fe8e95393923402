/** Whether the server responds. The service worker marks responses from its own cache. */

import { isCopy } from './unreached.ts'

let online = $state(navigator.onLine)
addEventListener('online', () => {
  online = true
})
addEventListener('offline', () => {
  online = false
})

export const network = {
  get online(): boolean {
    return online
  },
}

export function noteResponse(response: Response): void {
  // A response that may come from the browser's own cache says nothing.
  if (/max-age=[1-9]/.test(response.headers.get('cache-control') ?? '')) return
  online = !isCopy(response)
}

/** A response that was read elsewhere than in the client. */
export function noteReached(): void {
  online = true
}

export function noteNoResponse(): void {
  online = false
}
