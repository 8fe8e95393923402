/** Addresses that the flight page leads to. */

import { type Filters, flightsHref } from '../../log/filters.ts'

/** The list behind a number. */
export const listHref = (filters: Partial<Filters>): string => flightsHref(filters)

export const flightHref = (id: number): string => `/flights/${id}`
