// What a share is about if not the whole log: one flight or one trip, taken out of the log that its owner may publish.
import { byDeparture } from '../domain/journey.ts'
import type { ShareSubject } from '../domain/share-words.ts'
import { isPublishable } from '../store/flight-log.ts'
import type { Executor } from '../store/store.ts'
import { findTrip, listFlightsOfTrip } from '../store/trips.ts'
import type { FlownLog } from './flown-flights.ts'
import { legOf } from './journeys.ts'
import type { SharedSubject } from './share-schema.ts'

/** What the page says of it; null of the whole log. Undefined if it is gone, in the bin, or no longer the owner's. */
export async function findSubject(
  db: Executor,
  ownerId: string,
  { flightId, tripId }: ShareSubject,
): Promise<SharedSubject | null | undefined> {
  if (flightId !== null) return (await isPublishable(db, ownerId, flightId)) ? { kind: 'flight' } : undefined
  if (tripId === null) return null
  const trip = await findTrip(db, ownerId, tripId)
  return trip && { kind: 'trip', name: trip.name, colour: trip.colour }
}

/** The part of the log that it is about, in the order in which it is flown. */
export async function logOfSubject(
  db: Executor,
  ownerId: string,
  { flightId, tripId }: ShareSubject,
  log: FlownLog,
): Promise<FlownLog> {
  if (flightId === null && tripId === null) return log
  const ids = new Set(flightId !== null ? [flightId] : await listFlightsOfTrip(db, ownerId, tripId!))
  const kept = log.flights
    .map((flight, i) => ({ flight, completion: log.completions[i]! }))
    .filter(({ flight }) => ids.has(flight.id))
    .map((one) => ({ ...one, leg: legOf(one.flight, log.records) }))
    .sort((a, b) => byDeparture(a.leg, b.leg))
  return {
    flights: kept.map(({ flight }) => flight),
    records: log.records,
    completions: Float64Array.from(kept, ({ completion }) => completion),
  }
}
