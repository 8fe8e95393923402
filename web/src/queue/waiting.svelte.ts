/** What every screen knows of the changes that wait to be sent. */

interface Summary {
  count: number
  /** Those that the person has to decide about. */
  asking: number
  flights: ReadonlySet<number>
}
let summary = $state.raw<Summary>({ count: 0, asking: 0, flights: new Set() })

export const waiting = {
  get count(): number {
    return summary.count
  },
  get asking(): number {
    return summary.asking
  },
  /** A change of this flight waits. */
  has: (id: number): boolean => summary.flights.has(id),
}

export function showWaiting(next: Summary): void {
  summary = next
}
