// The trips of an imported file. A commit creates the trips that the person does not have, from the flights of their
// rows; an undo deletes those that are unchanged since the import.
import { TRIP_FLIGHTS_AT_MOST, TRIPS_AT_MOST } from '../../domain/limits.ts'
import type { ImportedTrip } from '../../domain/trips/trip.ts'
import type { Call } from '../../door/operation.ts'
import { recordChanges } from '../../store/history/changes.ts'
import { findFlightsOfRows, listRowOutcomes, type RowOutcome } from '../../store/imports/commits.ts'
import { type StoredImport, updateImportedTrips } from '../../store/imports/imports.ts'
import {
  insertTrip,
  listFlightsOfTrip,
  listOwnAmong,
  listTrips,
  listTripsAmong,
  listUntouchedOfImport,
  lockTrips,
  moveIntoTrip,
  type Trip,
  updateTripMoments,
} from '../../store/trips/trips.ts'
import { removeTrip } from '../trips/trips.ts'

/** A flight of the person's own that a row created, or that it duplicates. */
interface Reached {
  flightId: number
  isCreated: boolean
}

/** The state of the log before the trips are written. */
interface Known {
  /** By row. */
  reached: ReadonlyMap<number, Reached>
  trips: Trip[]
  tripOf: Map<number, number>
  /** Trips in the log that match one of the file; each matches at most one. */
  taken: Set<number>
}

/** The last step of a commit. Finished rows are recorded, so that repeating the step changes nothing. */
export async function commitTrips(call: Call, { id, trips }: StoredImport): Promise<void> {
  if (trips.length === 0) return
  await lockTrips(call.db, call.principal.user.id)
  const known = await knownFor(call, id, trips)
  const after: ImportedTrip[] = []
  const changes: TripChange[] = []
  for (const trip of trips) {
    const { change, tripId } = await commitTrip(call, id, trip, known)
    if (tripId !== null) known.taken.add(tripId)
    if (change) changes.push(change)
    const placed = trip.rows.filter((row) => trip.placed.includes(row) || known.reached.has(row))
    after.push({ ...trip, placed, tripId })
  }
  await updateImportedTrips(call.db, id, after)
  await recordChanges(call.db, call.principal.user.id, changes, call.now.toISOString())
}

interface TripChange {
  type: 'trip'
  id: number
  kind: 'created' | 'updated'
}

async function commitTrip(
  call: Call,
  importId: number,
  trip: ImportedTrip,
  known: Known,
): Promise<{ tripId: number | null; change?: TripChange }> {
  const found = trip.rows.flatMap((row) => (trip.placed.includes(row) ? [] : (known.reached.get(row) ?? [])))
  const free = found.filter(({ flightId }) => !known.tripOf.has(flightId))
  const there = trip.tripId ?? sameTrip(trip, found, known)?.id ?? null
  if (there === null) {
    const isDue = trip.rows.length === 0 || free.length > 0
    if (!isDue || known.trips.length >= TRIPS_AT_MOST) return { tripId: null }
    const created = await createFor(call, importId, trip)
    known.trips.push(created)
    await place(call, created.id, free, known)
    return { tripId: created.id, change: { type: 'trip', id: created.id, kind: 'created' } }
  }
  // If the person removed a flight from the trip, or deleted the trip, that stays: only flights new in the log join it.
  const isThere = known.trips.some(({ id }) => id === there)
  const joining = isThere ? free.filter(({ isCreated }) => isCreated) : []
  const joined = await place(call, there, joining, known)
  if (joined > 0) await updateTripMoments(call.db, call.principal.user.id, [there], call.now.toISOString())
  return { tripId: there, ...(joined > 0 && { change: { type: 'trip', id: there, kind: 'updated' } }) }
}

/** The matching trip in the log: at least two of name, creation time and one flight agree. */
function sameTrip(trip: ImportedTrip, found: readonly Reached[], known: Known): Trip | undefined {
  const sharing = new Set(found.map(({ flightId }) => known.tripOf.get(flightId)))
  const candidates = known.trips.flatMap((there) => {
    const isSameMoment = there.createdAt === trip.createdAt
    const agree = [isSameMoment, sharing.has(there.id), there.name === trip.name]
    const isSame = !known.taken.has(there.id) && agree.filter(Boolean).length >= 2
    // The creation time is the strongest evidence, the name the weakest.
    return isSame ? [{ there, rank: agree.map(Number).join('') }] : []
  })
  return candidates.sort((a, b) => b.rank.localeCompare(a.rank))[0]?.there
}

const createFor = ({ db, principal, now }: Call, importId: number, trip: ImportedTrip): Promise<Trip> => {
  const at = now.toISOString()
  const isPast = trip.createdAt !== null && trip.createdAt < at
  return insertTrip(db, principal.user.id, trip, at, { importId, createdAt: isPast ? trip.createdAt! : at })
}

/** Returns the number of flights that fit. */
async function place(
  { db, principal }: Call,
  tripId: number,
  flights: readonly Reached[],
  { tripOf }: Known,
): Promise<number> {
  const { id: userId } = principal.user
  if (flights.length === 0) return 0
  const room = TRIP_FLIGHTS_AT_MOST - (await listFlightsOfTrip(db, { userId, tripId })).length
  const ids = [...new Set(flights.map(({ flightId }) => flightId))].slice(0, Math.max(0, room))
  await moveIntoTrip(db, userId, tripId, ids)
  for (const id of ids) tripOf.set(id, tripId)
  return ids.length
}

async function knownFor(call: Call, importId: number, trips: readonly ImportedTrip[]): Promise<Known> {
  const { db, principal } = call
  const { id: userId } = principal.user
  const rows = trips.flatMap((trip) => trip.rows)
  const outcomes = await listRowOutcomes(db, rows, { importId })
  const ofRows = await findFlightsOfRows(
    db,
    importId,
    outcomes.flatMap(({ ofRow }) => ofRow ?? []),
  )
  const reached = new Map(
    outcomes.flatMap((row): [number, Reached][] => {
      const flight = reachedBy(row, ofRows)
      return flight ? [[row.number, flight]] : []
    }),
  )
  const ids = [...new Set([...reached.values()].map(({ flightId }) => flightId))]
  const own = await listOwnAmong(db, userId, ids)
  for (const [row, { flightId }] of reached) if (!own.has(flightId)) reached.delete(row)
  return {
    reached,
    trips: await listTrips(db, { userId }),
    tripOf: await listTripsAmong(db, userId, [...own]),
    taken: new Set(trips.flatMap(({ tripId }) => tripId ?? [])),
  }
}

/** A pending, skipped or undone row has no flight. */
function reachedBy(row: RowOutcome, flightsOfRows: ReadonlyMap<number, number>): Reached | undefined {
  const { done, flightId, verdict, ofFlightId, ofRow } = row
  if (flightId !== null && (done === 'created' || done === 'updated'))
    return { flightId, isCreated: done === 'created' }
  if (verdict !== 'duplicate') return undefined
  const same = ofFlightId ?? (ofRow === null ? undefined : flightsOfRows.get(ofRow))
  return same === undefined ? undefined : { flightId: same, isCreated: false }
}

/** The last step of an undo. The next commit handles all rows again. */
export async function undoTrips(call: Call, { id, trips }: StoredImport): Promise<void> {
  if (trips.length === 0) return
  await lockTrips(call.db, call.principal.user.id)
  const untouched = new Set(
    await listUntouchedOfImport(call.db, { userId: call.principal.user.id, importId: id }),
  )
  for (const tripId of untouched) await removeTrip(call, tripId)
  const after = trips.map((trip) => ({
    ...trip,
    placed: [],
    tripId: trip.tripId !== null && untouched.has(trip.tripId) ? null : trip.tripId,
  }))
  await updateImportedTrips(call.db, id, after)
}
