/** Suggestions of the pickers for airports, airlines and aircraft types. */

import { ApiError } from '../../api/client.ts'
import type { Aircraft, Airline, Airport } from '../../api/types.ts'
import { may } from '../../session/session.svelte.ts'

type Search<Item> = (query: string, options: { personal: boolean; signal: AbortSignal }) => Promise<Item[]>

/** Records in this browser, for use while the server cannot be reached. */
interface OfflineSource {
  airportsHere(text: string): Promise<Airport[]>
  airlinesHere(text: string): Promise<Airline[]>
  aircraftHere(text: string): Promise<Aircraft[]>
}

let loadOffline: (() => Promise<OfflineSource>) | undefined

/** The shell registers the source once: it reads the log and the line's file, which this folder must not import. */
export function useOfflineSource(load: () => Promise<OfflineSource>): void {
  loadOffline = load
}

/** The person's own records come first, and recent ones before anything is typed. */
export const suggest =
  <Item>(search: Search<Item>, here: (offline: OfflineSource) => (text: string) => Promise<Item[]>) =>
  async (text: string, signal: AbortSignal): Promise<Item[]> => {
    const personal = may('flight.read.own')
    if (text === '' && !personal) return []
    try {
      return await search(text, { personal, signal })
    } catch (error) {
      if (!(error instanceof ApiError && error.offline && loadOffline)) throw error
      return here(await loadOffline())(text)
    }
  }
