// The trips of our own export. They are no records: each is known by the rows of its flights, and a commit makes a trip of
// those that have become flights.
import { TRIPS_AT_MOST } from '../domain/limits.ts'
import type { ImportedTrip } from '../domain/trip.ts'
import type { SourceAccount, SourceRecord, SourceTrip } from './source.ts'

interface TripCollector {
  /** Batches come in the order of the file. */
  add(records: readonly SourceRecord[]): void
  /** The importer's, the oldest first. */
  list(isImporter: (account: SourceAccount) => boolean): ImportedTrip[]
}

export function createTripCollector(): TripCollector {
  const found = new Map<string, { trip: SourceTrip; rows: number[] }>()
  let row = 0
  return {
    add(records) {
      for (const { trips = [], trip: key } of records) {
        row++
        for (const trip of trips)
          if (!found.has(trip.key) && found.size < TRIPS_AT_MOST) found.set(trip.key, { trip, rows: [] })
        if (key !== undefined) found.get(key)?.rows.push(row)
      }
    },
    list: (isImporter) =>
      [...found.values()]
        .filter(({ trip: { owner } }) => owner === null || isImporter(owner))
        .map(({ trip: { name, note, colour, createdAt }, rows }) => ({
          name,
          note,
          colour,
          createdAt,
          rows,
          placed: [],
          tripId: null,
        }))
        .reverse(),
  }
}

/** What a commit did with the trips of the same file stays. */
export const withProgress = (trips: readonly ImportedTrip[], before: readonly ImportedTrip[]) =>
  trips.map((trip) => {
    const same = before.find(
      ({ name, createdAt, rows }) =>
        name === trip.name && createdAt === trip.createdAt && rows[0] === trip.rows[0],
    )
    return same ? { ...trip, placed: same.placed, tripId: same.tripId } : trip
  })
