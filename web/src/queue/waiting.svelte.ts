/** What every screen knows about unsent changes. */

interface Summary {
  count: number
  /** Changes that need the person's decision. */
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
  /** This flight has an unsent change. */
  has: (id: number): boolean => summary.flights.has(id),
}

export function showWaiting(next: Summary): void {
  summary = next
}
