/** One's flights of the day of travel, current while a screen shows them. */

import { untrack } from 'svelte'
import { getLeaveMinutes, getTravelDay, type TravelDay } from '../api/travel-day.ts'
import type { FlightRecord } from '../api/types.ts'
import { clock } from '../lib/clock.svelte.ts'
import { Resource } from '../lib/resource.svelte.ts'
import { log } from '../log/log.svelte.ts'
import { currentOf, type Day, daysOf } from './day.ts'

/** As the server said last; offline the service worker's copy. */
const told = new Resource<TravelDay>((signal) => getTravelDay(signal))
const leave = new Resource((signal) => getLeaveMinutes(signal))

const days = $derived(daysOf(log.own, told.value?.flights ?? [], clock.now))

export const travel = {
  /** In the order of departure. */
  get days(): Day[] {
    return days
  },
  get current(): Day | undefined {
    return currentOf(days, clock.now)
  },
  find: (id: number): Day | undefined => days.find(({ entry }) => entry.id === id),
  /** The whole flight, as the server said last. */
  recordOf: (id: number): FlightRecord | undefined =>
    told.value?.flights.find(({ flight }) => flight.id === id)?.flight,
  /** When the server said what is shown; null before the first response. */
  get toldAt(): string | null {
    return told.value?.now ?? null
  },
  get leaveMinutes(): number | null {
    return leave.value?.minutes ?? null
  },
  refresh: () => told.refresh(),
}

/** A kept pass is read offline too: the service worker needs to have seen it once. */
async function copyPasses(): Promise<void> {
  if (!navigator.serviceWorker?.controller) return
  for (const { flight, hasKeptPass } of told.value?.flights ?? []) {
    const address = `/app/api/flights/${flight.id}/kept-pass`
    if (hasKeptPass && !(await caches.match(address, { ignoreVary: true }))) await fetch(address)
  }
}

/** Call while a component is created. Asks the server each minute on the day of travel, and never else. */
export function followTravel(): typeof travel {
  const isNear = $derived(days.length > 0)
  $effect(() => {
    void clock.now
    // A flight that was changed here is computed from the log until the server has it.
    void log.own
    if (isNear && document.visibilityState === 'visible') untrack(() => void told.refresh())
  })
  $effect(() => {
    if (isNear) untrack(() => void leave.refresh())
  })
  $effect(() => {
    if (told.value) void copyPasses().catch(() => {})
  })
  return travel
}
