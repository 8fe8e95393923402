/** The log as the server sends it, and its sort order. */

import type { components } from './schema.d.ts'

export type CompactFlight = components['schemas']['CompactFlight']
export type LogPayload = components['schemas']['Log']

export const instantOf = (text: string | null): number | null => (text === null ? null : Date.parse(text))

interface Ordered {
  id: number
  date: string
  departs: number | null
}

/** Newest first: by day, within a day by departure, flights without a time last. */
export function newestFirst(a: Ordered, b: Ordered): number {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1
  if (a.departs !== b.departs)
    return (b.departs ?? Number.NEGATIVE_INFINITY) - (a.departs ?? Number.NEGATIVE_INFINITY)
  return b.id - a.id
}
