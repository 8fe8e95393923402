/** What the pickers of airports, airlines and aircraft types offer. */

import { ApiError } from '../api/client.ts'
import { may } from '../session/session.svelte.ts'

type Search<Item> = (query: string, options: { personal: boolean; signal: AbortSignal }) => Promise<Item[]>
type Here = typeof import('./suggest-here.ts')

/**
 * The person's own records come first, and the recent ones before anything is typed. While the server cannot be reached,
 * `here` searches what this browser has.
 */
export const suggest =
  <Item>(search: Search<Item>, here: (own: Here) => (text: string) => Promise<Item[]>) =>
  async (text: string, signal: AbortSignal): Promise<Item[]> => {
    const personal = may('flight.read.own')
    if (text === '' && !personal) return []
    try {
      return await search(text, { personal, signal })
    } catch (error) {
      if (!(error instanceof ApiError && error.offline)) throw error
      return here(await import('./suggest-here.ts'))(text)
    }
  }
