/** Whether the server answers. The service worker marks what it gave from its own store. */

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

export function noteAnswer(response: Response): void {
  online = !response.headers.has('x-contrail-kept')
}

export function noteSilence(): void {
  online = false
}
