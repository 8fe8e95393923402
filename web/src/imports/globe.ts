/** What the globe of an import draws: new routes as flown, routes of the log as planned ones, which are faint and dashed. */

import { routeKey } from '../../../server/domain/statistics/sums.ts'
import type { Flight } from '../api/log.ts'
import type { MapFlight } from '../globe/types.ts'
import type { OverviewRoute } from './types.ts'

export const ROUTES_AT_MOST = 400

interface Routes {
  flights: MapFlight[]
  /** Of the import and not of the log. */
  fresh: number
}

type Known = Pick<Flight, 'from' | 'to'>

const keysOf = (flights: readonly Known[]): Set<string> =>
  new Set(flights.flatMap(({ from, to }) => (from && to ? [routeKey(from, to)] : [])))

export function routesToDraw(log: readonly Known[], found: readonly OverviewRoute[]): Routes {
  const known = keysOf(log)
  const fresh = new Map<string, OverviewRoute>()
  for (const route of found) {
    const key = routeKey(route.from, route.to)
    if (route.from.id !== route.to.id && !known.has(key) && !fresh.has(key)) fresh.set(key, route)
  }
  const drawn = [...fresh.values()].slice(0, ROUTES_AT_MOST)
  return {
    fresh: fresh.size,
    flights: [...asPlanned(log), ...drawn.map(asFlown)],
  }
}

/** Gives all of them the colour of rare routes, as in the legend. With a count of 1, a single route would get a colour from the middle of the ramp. */
const ONCE = 1.001

const asFlown = ({ from, to }: OverviewRoute, i: number): MapFlight => ({
  id: -1 - i,
  from,
  to,
  completed: true,
  count: ONCE,
})

/** The routes of the log, without duplicates. */
function asPlanned(log: readonly Known[]): MapFlight[] {
  const seen = new Set<string>()
  const out: MapFlight[] = []
  for (const { from, to } of log) {
    if (!from || !to || from.id === to.id || seen.has(routeKey(from, to))) continue
    seen.add(routeKey(from, to))
    // They count little, so that the globe turns to the new routes.
    if (out.length < ROUTES_AT_MOST)
      out.push({ id: -10_000 - out.length, from, to, completed: false, count: 0.01 })
  }
  return out
}
