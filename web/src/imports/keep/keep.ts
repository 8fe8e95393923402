/** Keeping a boarding pass for its flight: after a scan or an import, if the person wants it. */

import { endsAt } from '../../../../server/domain/status/travel-day.ts'
import type { Flight } from '../../api/log.ts'
import { type KeptPassInput, keepPass } from '../../api/travel-day.ts'
import { log } from '../../log/log.svelte.ts'
import { session } from '../../session/session.svelte.ts'

const store = 'contrail.keepPasses'

/** The person chose "always" in this browser. It does not hold for another person who signs in there. */
export const keepsAlways = (): boolean => localStorage.getItem(store) === session.user?.id

export function setKeepsAlways(always: boolean): void {
  if (always && session.user) localStorage.setItem(store, session.user.id)
  else localStorage.removeItem(store)
}

/** A pass can be kept for one's own flight that is not over. */
function mayKeep(flight: Flight | undefined, now = Date.now()): boolean {
  const me = session.user?.id
  return (
    flight !== undefined &&
    flight.id > 0 &&
    flight.passengers.some(({ user }) => user === me) &&
    endsAt(flight) > now
  )
}

export interface Kept {
  flightId: number
  body: KeptPassInput
}

/** Those that were kept. A pass that names another flight is refused, which is no failure of what was saved. */
export async function keepAll(passes: readonly Kept[]): Promise<number[]> {
  const results = await Promise.allSettled(passes.map(({ flightId, body }) => keepPass(flightId, body)))
  const kept = passes.flatMap(({ flightId }, i) => (results[i]!.status === 'fulfilled' ? [flightId] : []))
  const refused = results.find((result) => result.status === 'rejected')
  if (kept.length === 0 && refused) throw refused.reason
  return kept
}

export const mayKeepFor = (flightId: number): boolean => mayKeep(log.find(flightId))
