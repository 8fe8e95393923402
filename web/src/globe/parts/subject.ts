// Content of the panel for a selected airport, route or flight: sums over the visible flights.
import type { Flight } from '../../api/log.ts'
import type { Airport } from '../../api/types.ts'
import type { Selection } from '../types.ts'

interface Share<T> {
  item: T
  count: number
}

export interface Subject {
  kind: Selection['kind']
  /** Newest first. */
  flights: Flight[]
  airport: Airport | null
  ends: [Airport, Airport] | null
  first: Flight | null
  last: Flight | null
  departures: number
  arrivals: number
  planned: number
  airlines: Share<string | null>[]
  /** Airports at the other end, most flown first. */
  partners: Share<Airport>[]
  distanceKm: number | null
}

function matches(flight: Flight, selection: Selection): boolean {
  const from = flight.from?.id
  const to = flight.to?.id
  if (selection.kind === 'airport') return from === selection.id || to === selection.id
  if (selection.kind === 'flight') return flight.id === selection.id
  return (from === selection.a && to === selection.b) || (from === selection.b && to === selection.a)
}

function rank<T>(values: Iterable<T>, key: (value: T) => unknown): Share<T>[] {
  const byKey = new Map<unknown, Share<T>>()
  for (const item of values) {
    const known = byKey.get(key(item))
    if (known) known.count++
    else byKey.set(key(item), { item, count: 1 })
  }
  return [...byKey.values()].sort((a, b) => b.count - a.count)
}

export function describe(flights: readonly Flight[], selection: Selection): Subject | null {
  const own = flights.filter((flight) => matches(flight, selection))
  const newest = own[0]
  if (!newest) return null
  const flown = own.filter((flight) => flight.completed)
  const id = selection.kind === 'airport' ? selection.id : null
  const airport = id === null ? null : newest.from?.id === id ? newest.from : newest.to
  const others = own.flatMap((f) => (f.from?.id === id ? f.to : f.from) ?? []).filter((a) => a.id !== id)
  return {
    kind: selection.kind,
    flights: own,
    airport,
    ends: id === null && newest.from && newest.to ? [newest.from, newest.to] : null,
    first: flown.at(-1) ?? null,
    last: flown[0] ?? null,
    departures: own.filter((f) => f.from?.id === id).length,
    arrivals: own.filter((f) => f.to?.id === id).length,
    planned: own.length - flown.length,
    airlines: rank(
      own.map((f) => f.airline?.name ?? null),
      (name) => name,
    ),
    partners: id === null ? [] : rank(others, (a) => a.id),
    distanceKm: newest.distanceKm,
  }
}
