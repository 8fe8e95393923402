/** Addresses that the flight page links to. */

import { type Filters, flightsHref } from '../../log/filters.ts'
import { log } from '../../log/log.svelte.ts'

/** The list of flights behind a number, for the same people. */
export const listHref = (filters: Partial<Filters>): string =>
  flightsHref({ people: log.filters.people, ...filters })

/** Another flight of the same people. */
export const flightHref = (id: number): string =>
  flightsHref({ people: log.filters.people }, `/flights/${id}`)
