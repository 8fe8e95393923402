/** The tabs of one browser show and send the same queue. */

import type { ReadFlight } from '../api/flights.ts'

/** Flights that were sent, by the temporary id they had before. */
type SentFlights = Record<string, ReadFlight>

let channel: BroadcastChannel | undefined

/** Opened on first use: an open channel keeps a process alive. */
function open(): BroadcastChannel {
  channel ??= new BroadcastChannel('contrail.queue')
  return channel
}

export const announceQueue = (sent: SentFlights | null = null): void => open().postMessage(sent)

export function onQueueChange(listen: (sent: SentFlights | null) => unknown): void {
  open().addEventListener('message', ({ data }) => void listen(data as SentFlights | null))
}
