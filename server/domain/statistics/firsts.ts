// When something was new: the flight that first went to a country, with an airline and so on.
import type { Named, Place, StatFlight } from './flights.ts'
import { present } from './flights.ts'

export const firstKinds = ['continent', 'country', 'airport', 'airline', 'aircraft'] as const

type FirstItem =
  | { kind: 'continent' | 'country'; code: string }
  | { kind: 'airport'; airport: Place }
  | { kind: 'airline' | 'aircraft'; item: Named }
export type First = FirstItem & { flight: StatFlight }

function itemsOf({ from, to, airline, aircraft }: StatFlight): FirstItem[] {
  const places = present(from, to)
  return [
    ...places.map(({ continent }) => ({ kind: 'continent', code: continent }) as const),
    ...places.map(({ country }) => ({ kind: 'country', code: country }) as const),
    ...places.map((airport) => ({ kind: 'airport', airport }) as const),
    ...present(airline).map((item) => ({ kind: 'airline', item }) as const),
    ...present(aircraft).map((item) => ({ kind: 'aircraft', item }) as const),
  ]
}

const identityOf = (item: FirstItem): string =>
  `${item.kind} ${'code' in item ? item.code : 'airport' in item ? item.airport.id : item.item.id}`

/** In the order of time; of one flight the greatest novelty first. `flights` must be in that order (`inOrder`). */
export function firsts(flights: readonly StatFlight[]): First[] {
  const seen = new Set<string>()
  const found: First[] = []
  for (const flight of flights) {
    for (const item of itemsOf(flight)) {
      const identity = identityOf(item)
      if (seen.has(identity)) continue
      seen.add(identity)
      found.push({ ...item, flight })
    }
  }
  return found
}
