/** What each country is to a person: what their flights say, and on top of it what they marked by hand. */

import type { FlownStatus, VisitStatus } from '../../../server/domain/reference/countries.ts'

interface Mark {
  status: VisitStatus
  note: string | null
}

export interface CountryEntry {
  status: VisitStatus
  /** What the flights say; null if there are none. */
  flown: FlownStatus | null
  /** Whether a mark by hand says more than the flights do. */
  isMarked: boolean
  note: string | null
}

/** A mark wins over the flights. One that repeats them without a note adds nothing, and is not shown as a mark. */
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
  /** Countries of flights, as map and statistics count them. */
  flown: number
  /** Flown to, and not been to: in transit only, or marked otherwise. */
  notBeen: number
  /** Been to without a flight there. */
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
