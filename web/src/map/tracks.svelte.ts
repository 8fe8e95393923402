// Recorded tracks for the map: fetched a few at a time when a drawn flight has one, kept while the app is open.
import { getTrack } from '../api/flights.ts'
import type { Flight } from '../api/log.ts'
import type { TrackPoints } from './types.ts'

const LIMIT = 80
const AT_ONCE = 4

let known = $state.raw<ReadonlyMap<number, TrackPoints>>(new Map())
const asked = new Set<number>()

export const tracks = {
  get known(): ReadonlyMap<number, TrackPoints> {
    return known
  },
}

/** The newest first; a track that cannot be had leaves the great circle in its place. */
export async function loadTracks(flights: readonly Flight[]): Promise<void> {
  const wanted = flights.filter((flight) => flight.track && !asked.has(flight.id)).slice(0, LIMIT)
  for (const flight of wanted) asked.add(flight.id)
  for (let start = 0; start < wanted.length; start += AT_ONCE) {
    const batch = wanted.slice(start, start + AT_ONCE)
    const answers = await Promise.all(batch.map((flight) => getTrack(flight.id).catch(() => null)))
    const next = new Map(known)
    answers.forEach((track, index) => {
      if (track && track.coordinates.length > 1) next.set(batch[index]!.id, track.coordinates)
    })
    known = next
  }
}
