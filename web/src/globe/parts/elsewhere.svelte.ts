/** The airport that a search names although no flight of the log was there: the globe turns to it too. */

import { searchAirports } from '../../api/flights.ts'
import { i18n } from '../../i18n/i18n.svelte.ts'
import type { Airport, MapFlight } from '../types.ts'
import { airportNamed } from './match.ts'

/** Half a word may mean a place at the other end of the world. */
const AFTER_MS = 250
/** Never the id of a flight. */
const NO_FLIGHT = -2

/** `query` is empty while the log itself has what is searched. To be called while a component is made. */
export function createElsewhere(query: () => string): { readonly visit: MapFlight | null } {
  let airport = $state.raw<Airport | null>(null)
  $effect(() => {
    const text = query()
    airport = null
    if (!text) return
    let isWanted = true
    const timer = setTimeout(async () => {
      // Offline there is nothing to turn to.
      const found = await searchAirports(text).catch(() => [])
      const visits = found.map((from) => ({ id: NO_FLIGHT, from, to: null, completed: false }))
      if (isWanted) airport = airportNamed(text, visits, i18n.cities)
    }, AFTER_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  })
  const visit = $derived(airport && { id: NO_FLIGHT, from: airport, to: airport, completed: false })
  return {
    get visit() {
      return visit
    },
  }
}
