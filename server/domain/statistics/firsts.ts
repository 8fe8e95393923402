// When something was new: the flight that first went to a country, with an airline and so on.
import type { Named, Place, StatFlight } from './flights.ts'
import { present } from './flights.ts'

export const firstKinds = ['continent', 'country', 'airport', 'airline', 'aircraft'] as const

type FirstItem =
  | { kind: 'continent' | 'country'; code: string }
  | { kind: 'airport'; airport: Place }
  | { kind: 'airline' | 'aircraft'; item: Named }
export type First = FirstItem & { flight: StatFlight }

/** What has been before, by kind: most flights have nothing new, so that nothing is built for them. */
type Seen = Record<(typeof firstKinds)[number], Set<string | number>>

function isNew(seen: Set<string | number>, identity: string | number): boolean {
  if (seen.has(identity)) return false
  seen.add(identity)
  return true
}

function newOf({ from, to, airline, aircraft }: StatFlight, seen: Seen): FirstItem[] {
  const found: FirstItem[] = []
  const places = present(from, to)
  for (const kind of ['continent', 'country'] as const)
    for (const place of places) if (isNew(seen[kind], place[kind])) found.push({ kind, code: place[kind] })
  for (const airport of places) if (isNew(seen.airport, airport.id)) found.push({ kind: 'airport', airport })
  if (airline && isNew(seen.airline, airline.id)) found.push({ kind: 'airline', item: airline })
  if (aircraft && isNew(seen.aircraft, aircraft.id)) found.push({ kind: 'aircraft', item: aircraft })
  return found
}

/** In the order of time; of one flight the greatest novelty first. `flights` must be in that order (`inOrder`). */
export function firsts(flights: readonly StatFlight[]): First[] {
  const seen = Object.fromEntries(firstKinds.map((kind) => [kind, new Set()])) as Seen
  return flights.flatMap((flight) => newOf(flight, seen).map((item) => ({ ...item, flight })))
}
