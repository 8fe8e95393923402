// The airports of each flight number in a file: what most of its rows say helps with the row that does not say it.
import { canonicalFlightNumber } from '../../../domain/flights/number.ts'
import type { Airport } from '../../../store/reference/records.ts'
import type { SourceFlight } from '../reading/source.ts'

/** A log has a few thousand numbers. */
const NUMBERS_AT_MOST = 20_000

export interface FlownNumbers {
  note(flight: Pick<SourceFlight, 'flightNumber'>, ends: { from: Airport | null; to: Airport | null }): void
  /** The airports at one end of the flights with these numbers, the most frequent first. */
  at(side: 'from' | 'to', numbers: Iterable<string>): Airport[]
}

type Counted = Map<number, { airport: Airport; count: number }>

export function createFlownNumbers(): FlownNumbers {
  const known = new Map<string, Record<'from' | 'to', Counted>>()
  const canonical = new Map<string, string>()

  function numberOf(written: string): string {
    const number = canonical.get(written) ?? canonicalFlightNumber(written)
    canonical.set(written, number)
    return number
  }

  function add(counted: Counted, airport: Airport | null): void {
    if (!airport) return
    const entry = counted.get(airport.id) ?? { airport, count: 0 }
    entry.count++
    counted.set(airport.id, entry)
  }

  return {
    note({ flightNumber }, { from, to }) {
      if (!flightNumber || (!from && !to) || canonical.size >= NUMBERS_AT_MOST) return
      const number = numberOf(flightNumber)
      const ends = known.get(number) ?? { from: new Map(), to: new Map() }
      known.set(number, ends)
      add(ends.from, from)
      add(ends.to, to)
    },
    at: (side, numbers) =>
      [...numbers]
        .flatMap((number) => [...(known.get(number)?.[side].values() ?? [])])
        .sort((a, b) => b.count - a.count)
        .map(({ airport }) => airport),
  }
}
