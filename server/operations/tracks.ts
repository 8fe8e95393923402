// Recorded tracks: stored whole, apart from the flight, so that no list ever reads one.
import type { Executor } from '../store/store.ts'
import { deleteTrack, upsertTrack } from '../store/tracks.ts'
import type { TrackInput } from './schemas.ts'

/** Stores or, with null, deletes a flight's track. */
export async function writeTrack(tx: Executor, flightId: number, track: TrackInput | null, now: string) {
  if (track === null) await deleteTrack(tx, flightId)
  else await upsertTrack(tx, flightId, track, now)
}
