// Recorded tracks of the flights on the map: loaded a few at a time, kept while the app is open.
import { getTrack } from '../../api/flights.ts'
import type { Flight } from '../../api/log.ts'
import type { TrackPoints } from '../types.ts'

const LIMIT = 80
const AT_ONCE = 4

let known = $state.raw<ReadonlyMap<number, TrackPoints>>(new Map())
const requested = new Set<number>()

export const tracks = {
  get known(): ReadonlyMap<number, TrackPoints> {
    return known
  },
}

/** Newest first. If a track cannot be loaded, the flight is drawn as a great circle. */
export async function loadTracks(flights: readonly Flight[]): Promise<void> {
  const wanted = flights.filter((flight) => flight.track && !requested.has(flight.id)).slice(0, LIMIT)
  for (const flight of wanted) requested.add(flight.id)
  for (let start = 0; start < wanted.length; start += AT_ONCE) {
    const batch = wanted.slice(start, start + AT_ONCE)
    const responses = await Promise.all(batch.map(({ id }) => getTrack(id).catch(() => forgetTrack(id))))
    const next = new Map(known)
    responses.forEach((track, index) => {
      if (track && track.coordinates.length > 1) next.set(batch[index]!.id, track.coordinates)
    })
    known = next
  }
}

/** It could not be loaded, or is another one now: the next visit of a map asks for it again. */
export function forgetTrack(id: number): void {
  requested.delete(id)
  if (known.has(id)) known = new Map([...known].filter(([one]) => one !== id))
}
