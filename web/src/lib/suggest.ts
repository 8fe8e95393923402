/** What the pickers of airports, airlines and aircraft types offer. */

import { may } from '../session/session.svelte.ts'

type Search<Item> = (query: string, options: { personal: boolean; signal: AbortSignal }) => Promise<Item[]>

/** The person's own records come first, and the recent ones before anything is typed. */
export const suggest =
  <Item>(search: Search<Item>) =>
  async (text: string, signal: AbortSignal): Promise<Item[]> => {
    const personal = may('flight.read.own')
    return text === '' && !personal ? [] : search(text, { personal, signal })
  }
