// Which lines and airports of a scene belong to a selection or to what a search found.

import { pairOf } from './parts/tally.ts'
import type { Line, Route, Scene, Spot } from './scene.ts'
import type { MapFlight, Selection } from './types.ts'

export interface Lit {
  lines: Line[]
  spots: Spot[]
}

const nothing: Lit = { lines: [], spots: [] }

export function litBy(scene: Scene, flights: readonly MapFlight[], selection: Selection | null): Lit {
  if (!selection) return nothing
  if (selection.kind === 'airport') return litByAirport(scene, flights, selection.id)
  if (selection.kind === 'route') return litByPair(scene, selection.a, selection.b)
  const track = scene.tracks.find((t) => t.flightId === selection.id)
  const flight = flights.find((f) => f.id === selection.id)
  const pair = flight?.from && flight.to ? litByPair(scene, flight.from.id, flight.to.id) : nothing
  return track ? { lines: [track], spots: pair.spots } : pair
}

export function litByMatch(
  scene: Scene,
  flights: readonly MapFlight[],
  match: { flights: ReadonlySet<number> },
): Lit {
  const tracks = scene.tracks.filter((track) => match.flights.has(track.flightId))
  const tracked = new Set(tracks.map(({ flightId }) => flightId))
  const pairs = new Set<number>()
  const ends = new Set<number>()
  for (const { id, from, to } of flights) {
    if (!match.flights.has(id)) continue
    if (from && to && !tracked.has(id)) pairs.add(pairOf(from.id, to.id))
    for (const airport of [from, to]) if (airport) ends.add(airport.id)
  }
  const routes = scene.routes.filter(({ a, b }) => pairs.has(pairOf(a.id, b.id)))
  return { lines: [...routes, ...tracks], spots: spotsOf(scene, ends) }
}

function spotsOf(scene: Scene, ids: ReadonlySet<number>): Spot[] {
  return scene.spots.filter((spot) => ids.has(spot.airport.id))
}

function litByPair(scene: Scene, a: number, b: number): Lit {
  const lines = scene.routes.filter((r) => (r.a.id === a && r.b.id === b) || (r.a.id === b && r.b.id === a))
  return { lines, spots: spotsOf(scene, new Set([a, b])) }
}

function litByAirport(scene: Scene, flights: readonly MapFlight[], id: number): Lit {
  const routes: Route[] = scene.routes.filter((r) => r.a.id === id || r.b.id === id)
  const ends = new Set([id, ...routes.flatMap((r) => [r.a.id, r.b.id])])
  const own = new Set(flights.filter((f) => f.from?.id === id || f.to?.id === id).map((f) => f.id))
  const tracks = scene.tracks.filter((t) => own.has(t.flightId))
  return { lines: [...routes, ...tracks], spots: spotsOf(scene, ends) }
}

/** The subject's own label comes first, then the busiest of its connections. */
export function labelOrder(lit: Lit, subject: number | null): Spot[] {
  return lit.spots.toSorted((x, y) => Number(y.airport.id === subject) - Number(x.airport.id === subject))
}
