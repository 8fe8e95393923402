/** The status of each country for a person: from their flights, overridden by their marks. */

import type { FlownStatus, VisitStatus } from '../../../server/domain/reference/countries.ts'

interface Mark {
  status: VisitStatus
  note: string | null
}

export interface CountryEntry {
  status: VisitStatus
  /** The status from the flights; null if there are none. */
  flown: FlownStatus | null
  /** Whether a mark adds something to what the flights say. */
  isMarked: boolean
  note: string | null
}

/** A mark overrides the flights. One that repeats them without a note adds nothing, and is not shown as a mark. */
export function entriesOf(
  flown: ReadonlyMap<string, FlownStatus>,
  marks: ReadonlyMap<string, Mark>,
): Map<string, CountryEntry> {
  const entries = new Map<string, CountryEntry>()
  for (const [code, status] of flown)
    entries.set(code, { status, flown: status, isMarked: false, note: null })
  for (const [code, { status, note }] of marks) {
    const known = flown.get(code) ?? null
    entries.set(code, { status, flown: known, isMarked: status !== known || note !== null, note })
  }
  return entries
}

export const isBeen = ({ status }: Pick<CountryEntry, 'status'>): boolean =>
  status === 'lived' || status === 'visited'

interface Tally {
  been: number
  /** Countries of flights, as counted on map and statistics. */
  flown: number
  /** Flown to, but not visited: transit only, or marked differently. */
  notBeen: number
  /** Visited without a flight there. */
  byHand: number
}

/** `been` is `flown` without `notBeen`, with `byHand`. */
export function tallyOf(entries: ReadonlyMap<string, CountryEntry>): Tally {
  const all = [...entries.values()]
  return {
    been: all.filter(isBeen).length,
    flown: all.filter(({ flown }) => flown !== null).length,
    notBeen: all.filter((entry) => entry.flown !== null && !isBeen(entry)).length,
    byHand: all.filter((entry) => entry.flown === null && isBeen(entry)).length,
  }
}
