/** A stored log and its changes since then. */

import type { LogPayload } from '../api/flights-of-log.ts'

/**
 * The log after a response; the stored one itself if nothing changed. Records that no flight refers to any more stay, because a
 * filter may still name them. Home airports are always sent: they may change without a flight.
 */
export function inStep(kept: LogPayload, response: LogPayload): LogPayload {
  if (!response.partial) return response
  if (response.removed.length === 0 && response.flights.length === 0) return withHomes(kept, response)
  const replaced = new Set([...response.removed, ...response.flights.map(({ id }) => id)])
  return {
    ...response,
    partial: false,
    removed: [],
    flights: [...kept.flights.filter(({ id }) => !replaced.has(id)), ...response.flights],
    airports: { ...kept.airports, ...response.airports },
    airlines: { ...kept.airlines, ...response.airlines },
    aircraft: { ...kept.aircraft, ...response.aircraft },
    users: { ...kept.users, ...response.users },
  }
}

const withHomes = (kept: LogPayload, { homes }: LogPayload): LogPayload =>
  homes && JSON.stringify(homes) !== JSON.stringify(kept.homes) ? { ...kept, homes } : kept
