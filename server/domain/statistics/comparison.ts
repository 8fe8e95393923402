// Compares the logs of two people: what each has flown, what both have seen and what only one of them has.
import { airportCode } from '../reference/code-periods.ts'
import { byId } from './figures.ts'
import type { StatFlight } from './flights.ts'
import { rankAirlines, rankAirports, rankCountries } from './rankings.ts'
import { totals } from './sums.ts'

export interface Seen {
  code: string
  name?: string
}

interface Sights {
  countries: ReadonlyMap<string, Seen>
  airports: ReadonlyMap<string, Seen>
  airlines: ReadonlyMap<string, Seen>
}
type Kind = keyof Sights
const kinds = ['countries', 'airports', 'airlines'] as const satisfies Kind[]

/** The most flown first. */
export type SeenOfEach = Record<Kind, Seen[]>

interface LogFigures {
  flights: number
  distanceKm: number
  countries: number
  airports: number
  airlines: number
}

export interface LogComparison {
  a: LogFigures
  b: LogFigures
  onlyA: SeenOfEach
  onlyB: SeenOfEach
  both: SeenOfEach
}

const mostFirst = <Item extends { count: number }>(list: readonly Item[]) =>
  list.toSorted((x, y) => y.count - x.count)

/** Records are compared by id: two airlines may have had the same code. */
function sightsOf(flights: readonly StatFlight[]): Sights {
  return {
    countries: new Map(mostFirst(rankCountries(flights)).map(({ item: code }) => [code, { code }])),
    airports: new Map(
      mostFirst(rankAirports(flights)).map(({ item }) => [
        String(item.id),
        { code: airportCode(item), name: item.name },
      ]),
    ),
    airlines: new Map(
      mostFirst(rankAirlines(flights)).map(({ item: { id, iata, icao, name } }) => [
        String(id),
        { code: iata ?? icao ?? name, name },
      ]),
    ),
  }
}

const select = (sights: Sights, isWanted: (kind: Kind, identity: string) => boolean): SeenOfEach =>
  Object.fromEntries(
    kinds.map((kind) => [
      kind,
      [...sights[kind]].filter(([identity]) => isWanted(kind, identity)).map(([, seen]) => seen),
    ]),
  ) as SeenOfEach

export function figuresOfLog(flights: readonly StatFlight[]): LogFigures {
  const { flights: count, distanceKm, countries, airports, airlines } = totals(flights)
  return { flights: count, distanceKm: Math.round(distanceKm), countries, airports, airlines }
}

/** Flights must be completed. */
export function compareLogs(ofA: readonly StatFlight[], ofB: readonly StatFlight[]): LogComparison {
  const [a, b] = [sightsOf(byId(ofA)), sightsOf(byId(ofB))]
  return {
    a: figuresOfLog(ofA),
    b: figuresOfLog(ofB),
    onlyA: select(a, (kind, identity) => !b[kind].has(identity)),
    onlyB: select(b, (kind, identity) => !a[kind].has(identity)),
    both: select(a, (kind, identity) => b[kind].has(identity)),
  }
}
