/** The tabs of one browser show and send the same queue. */

import type { ReadFlight } from '../api/flights.ts'

/** Flights that were sent, by the id that they had until then. */
type SentFlights = Record<string, ReadFlight>

const channel = new BroadcastChannel('contrail.queue')

export const announceQueue = (sent: SentFlights | null = null): void => channel.postMessage(sent)

export function onQueueChange(listen: (sent: SentFlights | null) => unknown): void {
  channel.addEventListener('message', ({ data }) => void listen(data as SentFlights | null))
}
