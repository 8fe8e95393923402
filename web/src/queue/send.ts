/** One write on the server. Changes made elsewhere meanwhile are merged; fields changed on both sides are returned. */

import { estimatedSeconds } from '../../../server/domain/flights/duration.ts'
import { distanceKm } from '../../../server/domain/geo/geo.ts'
import { ApiError } from '../api/client.ts'
import {
  createFlight,
  deleteFlight,
  deleteFlights,
  getFlight,
  type ReadFlight,
  restoreFlights,
  updateFlight,
} from '../api/flights.ts'
import type { FlightRecord } from '../api/types.ts'
import { type Draft, draftOf, inputOf } from '../draft/draft.ts'
import { type Clash, mergeDrafts, type Path } from '../draft/merge.ts'
import { guessArrivalDate, type Resolve } from '../draft/moments.ts'
import { forgetTrack } from '../globe/parts/tracks.svelte.ts'
import type { Edit, Write } from './write.ts'

/** A draft that was compared with the stored flight. */
export interface Merge {
  /** The flight as it is stored now. */
  stored: ReadFlight
  base: Draft
  draft: Draft
  clashes: Clash[]
  /** Fields changed only elsewhere; their values were adopted. */
  taken: Path[]
}

export type Sent =
  | { is: 'saved'; flight: FlightRecord; taken: Path[] }
  | { is: 'deleted'; ids: number[] }
  | { is: 'restored' }
  | { is: 'changed'; merge: Merge }

const MERGES_AT_MOST = 3
const AN_HOUR = 3600

/** The day of an arrival typed without one follows from the time zones. Until then it is the day of departure. */
export async function withArrivalDay(draft: Draft, resolve?: Resolve): Promise<Draft> {
  const { from, to, times, arrivalDateChosen } = draft
  const { departure, arrival } = times
  const day = departure.date || draft.date
  if (!arrival.time || (arrival.date && (arrivalDateChosen || arrival.date !== day))) return draft
  if (!from || !to || !departure.time) return arrival.date ? draft : atDay(draft, draft.date)
  const expected = estimatedSeconds(distanceKm(from, to), draft.aircraft?.class ?? null) || AN_HOUR
  const start = { airportId: from.id, local: `${day}T${departure.time}`, zone: from.timezone }
  const end = { airportId: to.id, time: arrival.time, zone: to.timezone }
  return atDay(draft, await guessArrivalDate(start, end, expected, resolve))
}

const atDay = (draft: Draft, date: string): Draft => ({
  ...draft,
  times: { ...draft.times, arrival: { ...draft.times.arrival, date } },
})

/** With the body of its request, which stays the same from then on. */
export async function prepared<Any extends Write>(write: Any): Promise<Any> {
  if (write.kind !== 'create' || write.input) return write
  return { ...write, input: await inputOf(await withArrivalDay(write.draft)) }
}

/** `key`: repeating the same request creates nothing. Throws an ApiError if the server refuses it or cannot be reached. */
export async function send(write: Write, key: string): Promise<Sent> {
  if (write.kind === 'create') {
    const { input } = await prepared(write)
    return { is: 'saved', flight: await createFlight(input!, key), taken: [] }
  }
  if (write.kind === 'edit') return sendEdit(write)
  if (write.kind === 'delete') return sendDeletion(write.flights)
  await restoreFlights(write.flights.map(({ id }) => id))
  return { is: 'restored' }
}

/** The flight has changed since it was read. */
export const isChanged = (error: unknown): boolean => error instanceof ApiError && error.status === 412

async function sendEdit({ flight, base, draft }: Edit): Promise<Sent> {
  let merge: Merge = { stored: flight, base, draft, clashes: [], taken: [] }
  for (let merges = 0; ; merges++) {
    try {
      const input = await inputOf(await withArrivalDay(merge.draft))
      const saved = await updateFlight(merge.stored, input)
      if (merge.draft.track.kind !== 'stored') forgetTrack(saved.id)
      return { is: 'saved', flight: saved, taken: merge.taken }
    } catch (error) {
      if (!isChanged(error) || merges === MERGES_AT_MOST) throw error
    }
    merge = await mergedWithStored(merge)
    if (merge.clashes.length > 0) return { is: 'changed', merge }
  }
}

/** Compares a draft with the stored flight. */
export async function mergedWithStored(
  merge: Pick<Merge, 'stored' | 'base' | 'draft' | 'taken'>,
): Promise<Merge> {
  const { id, version, ...flight } = await getFlight(merge.stored.id)
  const base = await draftOf({ id, version, ...flight })
  const { draft, clashes, taken } = mergeDrafts(merge.base, merge.draft, base)
  return { stored: { id, version }, base, draft, clashes, taken: [...merge.taken, ...taken] }
}

/** A single flight is deleted only in the version the person saw. Several go to the bin in any version: nothing is lost. */
async function sendDeletion(flights: readonly ReadFlight[]): Promise<Sent> {
  const [only] = flights
  const ids =
    flights.length === 1 ? await deleteFlight(only!) : await deleteFlights(flights.map(({ id }) => id))
  return { is: 'deleted', ids }
}
