/** Whether the server responds. The service worker marks the responses that come from its own cache. */

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
  online = !response.headers.has('x-contrail-kept')
}

export function noteNoResponse(): void {
  online = false
}
