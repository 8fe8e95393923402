/** A flight with its queued change, if there is one. */

import { ApiError } from '../api/client.ts'
import { getFlight } from '../api/flights.ts'
import type { FlightRecord } from '../api/types.ts'
import { loadQueue, whenKnown } from './parts.ts'
import { waiting } from './waiting.svelte.ts'

export async function loadFlight(id: number, signal?: AbortSignal): Promise<FlightRecord> {
  await whenKnown()
  if (!waiting.has(id)) return getFlight(id, signal)
  const { queue } = await loadQueue()
  const shown = queue.shownFlight(id)
  if (!shown || id < 0) return shown ?? getFlight(id, signal)
  // Fields that the form does not show keep their stored values.
  const stored = await getFlight(id, signal).catch((error: unknown) => {
    // Never opened on this device: only the queued change is known.
    if (error instanceof ApiError && error.offline) return shown
    throw error
  })
  const { createdAt, importId, externalIds } = stored
  return { ...stored, ...shown, createdAt, importId, externalIds }
}
