// The trips of our own export. They are not records: a trip is identified by the rows of its flights, and a commit creates it
// from the rows that have become flights.
import { TRIPS_AT_MOST } from '../../../domain/limits.ts'
import type { ImportedTrip } from '../../../domain/trips/trip.ts'
import type { SourceAccount, SourceRecord, SourceTrip } from '../reading/source.ts'

interface TripCollector {
  /** Call it with batches in file order. */
  add(records: readonly SourceRecord[]): void
  /** The importer's trips, oldest first. */
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

/** Keeps the results of earlier commits for the trips of the same file. */
export const withProgress = (trips: readonly ImportedTrip[], before: readonly ImportedTrip[]) =>
  trips.map((trip) => {
    const same = before.find(
      ({ name, createdAt, rows }) =>
        name === trip.name && createdAt === trip.createdAt && rows[0] === trip.rows[0],
    )
    return same ? { ...trip, placed: same.placed, tripId: same.tripId } : trip
  })
