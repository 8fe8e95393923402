/** The totals of one's own log as the server counts them: on a slow connection they are there long before a long log. */

import { client, dataOf } from '../api/client.ts'
import { resource } from '../lib/resource.svelte.ts'
import { isFiltered } from '../log/filters.ts'
import { log } from '../log/log.svelte.ts'

export interface Totals {
  flights: number
  distanceKm: number
  airports: number
  countries: number
}

/** Null unless the log is on its way. */
export function earlyTotals(): { readonly value: Totals | null } {
  const isWanted = () => log.isArriving && !isFiltered(log.filters)
  const stats = resource(
    (signal) => dataOf(client.GET('/stats', { params: { query: {} }, signal })),
    isWanted,
  )
  return {
    get value() {
      if (!stats.value || !isWanted()) return null
      const { flights, distanceKm, airports, countries } = stats.value
      return { flights, distanceKm, airports, countries: countries.count }
    },
  }
}
