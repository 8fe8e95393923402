// Writes some rows of an import inside one transaction: flights that are created, brought back from the bin or updated,
// and what became of each row. Nothing here costs a query per row.
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { roleMay } from '../auth/principal.ts'
import { check } from '../base/validation.ts'
import { flightScope, type Permission } from '../domain/access.ts'
import { binnedAfter } from '../domain/bin.ts'
import { derivedDuration } from '../domain/flight.ts'
import { editOf, type FlightEdit } from '../domain/flight-edits.ts'
import {
  type FlightFields,
  flightFieldNames,
  flightFields,
  pick,
  referenceFields,
} from '../domain/flight-fields.ts'
import type { ImportOptions } from '../domain/imports.ts'
import { isWantedTwice } from '../imports/commit-plan.ts'
import type { Draft, Update } from '../imports/draft.ts'
import type { Newcomers } from '../imports/newcomers.ts'
import type { Call } from '../operation.ts'
import { type FlightChange, recordFlightChanges } from '../store/changes.ts'
import { restoreFlights } from '../store/deleted-flights.ts'
import {
  type ExternalId,
  type ExternalIds,
  insertExternalIds,
  listExternalIds,
  listHolders,
  lockExternalIds,
} from '../store/external-ids.ts'
import {
  lockFlights,
  type PassengerSeat,
  seatFields,
  updateLockedFlights,
  updateSeats,
} from '../store/flight-writes.ts'
import { findFlights, type StoredFlight } from '../store/flights.ts'
import { lockHistoryOfImport } from '../store/history.ts'
import {
  type CommitRecord,
  type DoneRow,
  findFlightsOfRows,
  findVersions,
  markRows,
  type RejudgedRow,
  rejudgeRows,
  setVersionsOfFlights,
} from '../store/import-commits.ts'
import { packTrack } from '../store/tracks.ts'
import { importAuthor } from './authors.ts'
import { notifyImported } from './companions.ts'
import { FlightInput } from './flight-input.ts'
import { type CheckedFlight, reachOf, recordsSeen, storeFlights } from './flight-writing.ts'
import { checkRows, type PlannedRow } from './import-rows.ts'
import { summaryOf, writeTrack } from './tracks.ts'

/** What an update wrote, for the undo: each value as it was and as it became. */
export interface Written {
  fields: Record<string, [was: unknown, became: unknown]>
  seat: Record<string, [was: unknown, became: unknown]>
  externalIds: ExternalIds
  track: boolean
}

interface BatchResult {
  created: number
  updated: number
}

/** Rows that are worked on together, with one statement for each table; a batch has several such parts. */
export const ROWS_OF_PART = 250

const nameOf = ({ source, value }: ExternalId): string => `${source}\n${value}`
const idsOf = ({ externalIds }: Pick<Draft, 'externalIds'>): ExternalId[] =>
  Object.entries(externalIds).map(([source, value]) => ({ source, value }))

export class ImportBatch {
  readonly #call: Call
  readonly #importId: number
  readonly #options: ImportOptions
  readonly #newcomers: Newcomers
  /** So far. */
  readonly written: BatchResult = { created: 0, updated: 0 }
  /** Flights that it brought back from the bin. */
  readonly restored: number[] = []
  #done: DoneRow[] = []
  #rejudged: RejudgedRow[] = []
  /** The importer's external ids among those of the part, with the flights or rows that have them. */
  #holders = new Map<string, { flightId: number } | { row: number }>()

  /** `call.db` holds changes back (`holdFlightChanges`): they are recorded together, by the caller. */
  constructor(call: Call, importId: number, options: ImportOptions, newcomers: Newcomers) {
    this.#call = call
    this.#importId = importId
    this.#options = options
    this.#newcomers = newcomers
  }

  /** With all rows of the batch: locks are taken in the same order by everyone. */
  async begin(rows: readonly CommitRecord[]): Promise<void> {
    const { db, principal } = this.#call
    // One import of a person at a time, so that two with the same flight do not both create it.
    await lockExternalIds(db, principal.user.id)
    await this.#newcomers.load(db)
    const undone = rows.flatMap(({ done, flightId }) => (done === 'undone' ? (flightId ?? []) : []))
    await lockHistoryOfImport(db, this.#importId, undone)
    const ofRows = rows.flatMap(({ ofRow }) => ofRow ?? [])
    const became = await findFlightsOfRows(db, this.#importId, ofRows)
    await lockFlights(db, [...rows.flatMap(({ ofFlightId }) => ofFlightId ?? []), ...became.values()])
  }

  /** Some rows, after those before them in the file. */
  async write(rows: readonly PlannedRow[]): Promise<void> {
    const { db } = this.#call
    this.#done = []
    this.#rejudged = []
    await this.#findHolders(rows)
    const lost = await this.#restore(rows.filter(({ plan }) => plan === 'restore'))
    await this.#create([...rows.filter(({ plan }) => plan === 'create'), ...lost])
    const updated = await this.#update(rows.filter(({ plan }) => plan === 'update'))
    await setImmediate()
    await markRows(db, this.#importId, this.#done)
    await setVersionsOfFlights(db, this.#importId, updated)
    await rejudgeRows(db, this.#importId, this.#rejudged)
    for (const { done } of this.#done) if (done !== 'undone') this.written[done]++
  }

  async #findHolders(rows: readonly PlannedRow[]): Promise<void> {
    const { db, principal } = this.#call
    const ids = rows.flatMap(({ draft }) => idsOf(draft))
    const held = ids.length === 0 ? [] : await listHolders(db, principal.user.id, ids)
    this.#holders = new Map(held.map((id) => [nameOf(id), { flightId: id.flightId }]))
  }

  // Flights that an undo moved to the bin

  /** Returns the rows whose flights are nowhere any more: they are created again. */
  async #restore(rows: readonly PlannedRow[]): Promise<PlannedRow[]> {
    const { db, now } = this.#call
    if (rows.length === 0) return []
    const ids = rows.map(({ flightId }) => flightId!)
    const author = importAuthor(this.#call, this.#importId)
    const restored = new Set(
      await restoreFlights(db, ids, binnedAfter(now.getTime()), author, now.toISOString()),
    )
    this.restored.push(...restored)
    const versions = await findVersions(db, ids)
    const present = rows.filter(({ flightId }) => versions.has(flightId!))
    for (const { number, flightId, flightVersion } of present) {
      // One that was restored by hand has been changed since, if its version is not the next one.
      const version = restored.has(flightId!) ? versions.get(flightId!)! : flightVersion! + 1
      this.#done.push({ number, done: 'created', flightId, flightVersion: version, before: null })
    }
    return rows.filter(({ flightId }) => !versions.has(flightId!))
  }

  // New flights

  async #create(rows: readonly PlannedRow[]): Promise<void> {
    const { db, now } = this.#call
    if (rows.length === 0) return
    const free = rows.filter((row) => this.#isStillNew(row)).flatMap((row) => this.#withFreeIds(row) ?? [])
    const checked = await checkRows(this.#call, free)
    const flights: { row: PlannedRow; flight: CheckedFlight }[] = []
    for (const [i, result] of checked.entries()) {
      const row = free[i]!
      if ('refused' in result) {
        const { verdict, code, draft } = result.refused
        this.#rejudged.push({ ...row, verdict, code, draft, of: null })
      } else {
        flights.push({ row, flight: result.flight })
        if (result.warnings.length > 0)
          this.#rejudged.push({ ...row, warnings: [...row.warnings, ...result.warnings], of: row.of })
      }
    }
    if (flights.length === 0) return
    await setImmediate()
    const changes = await storeFlights(
      this.#call,
      flights.map(({ flight }) => flight),
      this.#importId,
    )
    await notifyImported(
      this.#call,
      this.#importId,
      flights.map(({ flight }, i) => ({ ...flight.fields, ...changes[i]! })),
    )
    await recordFlightChanges(db, changes, importAuthor(this.#call, this.#importId), now.toISOString())
    this.#newcomers.note(changes.map(({ id }) => id))
    for (const [i, { row }] of flights.entries()) {
      const { id, version } = changes[i]!
      this.#done.push({
        number: row.number,
        done: 'created',
        flightId: id,
        flightVersion: version,
        before: null,
      })
    }
  }

  /** Not, if the same flight came into the log after the preview. */
  #isStillNew(row: PlannedRow): boolean {
    const flightId = isWantedTwice(row, this.#options) ? undefined : this.#newcomers.find(row.draft)
    if (flightId === undefined) return true
    this.#rejudged.push({ ...row, verdict: 'duplicate', code: 'duplicate_in_log', of: { flightId } })
    return false
  }

  /**
   * A row with an id that another flight of the importer has is that flight, so it is not created; where the person wants
   * it nevertheless, it goes without the id.
   */
  #withFreeIds(row: PlannedRow): PlannedRow | undefined {
    const ids = idsOf(row.draft)
    const taken = ids.filter((id) => this.#holders.has(nameOf(id)))
    if (taken.length > 0 && !isWantedTwice(row, this.#options)) {
      const of = this.#holders.get(nameOf(taken[0]!))!
      const code = 'flightId' in of ? 'duplicate_in_log' : 'duplicate_in_file'
      this.#rejudged.push({ ...row, verdict: 'duplicate', code, of })
      return undefined
    }
    const free = ids.filter((id) => !taken.includes(id))
    for (const id of free) this.#holders.set(nameOf(id), { row: row.number })
    if (taken.length === 0) return row
    const externalIds = Object.fromEntries(free.map(({ source, value }) => [source, value]))
    return { ...row, draft: { ...row.draft, externalIds } }
  }

  // Flights that are in the log

  /** Returns the flights that it changed. */
  async #update(rows: readonly PlannedRow[]): Promise<StoredFlight[]> {
    if (rows.length === 0) return []
    const { db, now, principal } = this.#call
    const targets = await this.#targetsOf(rows)
    const ids = [...new Set(targets.values())]
    await lockFlights(db, ids)
    const flights = new Map((await findFlights(db, ids)).map((flight) => [flight.id, flight]))
    const before = new Map([...flights].map(([id, flight]) => [id, snapshotOf(flight)]))
    const named = await listExternalIds(db, principal.user.id, ids)
    const idsBefore = new Map(named)
    const tracks = new Map<number, KeptTrackChange>()
    const changed = new Map<number, StoredFlight>()
    const seats: PassengerSeat[] = []
    const newIds: (ExternalId & { flightId: number })[] = []
    for (const row of rows) {
      const id = targets.get(row.number)
      const flight = id === undefined ? undefined : (changed.get(id) ?? flights.get(id))
      if (!flight || !this.#mayUpdate(flight)) continue
      const update = await this.#updateOf(row, flight, named.get(flight.id) ?? {})
      if (!update) continue
      const { written, fields } = update
      const next = { ...flight, ...fields, version: flights.get(flight.id)!.version + 1 }
      const own = flight.passengers.find(({ userId }) => userId === principal.user.id)
      if (own && Object.keys(written.seat).length > 0) {
        Object.assign(own, becameOf(written.seat))
        seats.push({ id: own.id, ...pick(own, seatFields) })
      }
      for (const id of idsOf(written)) newIds.push({ ...id, flightId: flight.id })
      named.set(flight.id, { ...named.get(flight.id), ...written.externalIds })
      if (written.track) {
        const packed = await packTrack(row.draft.track as never)
        const at = now.toISOString()
        await writeTrack(db, flight.id, packed, at)
        next.track = summaryOf({ ...packed, updatedAt: at })
        tracks.set(flight.id, { track: [null, summaryOf({ ...packed, createdAt: at, updatedAt: at })] })
      }
      changed.set(flight.id, next)
      this.#done.push({
        number: row.number,
        done: 'updated',
        flightId: flight.id,
        flightVersion: next.version,
        before: written,
      })
    }
    if (newIds.length > 0) await insertExternalIds(db, principal.user.id, newIds)
    const [importId, after] = [this.#importId, [...changed.values()]]
    const externalIds = { before: idsBefore, after: named }
    await writeChangedFlights(this.#call, { importId, before, after, seats, externalIds, tracks })
    return [...changed.values()]
  }

  /** The flight that each row is about; of a row of the same file, the flight that it became. */
  async #targetsOf(rows: readonly PlannedRow[]): Promise<Map<number, number>> {
    const ofRows = rows.flatMap(({ of }) => (of && 'row' in of ? of.row : []))
    const stored = await findFlightsOfRows(this.#call.db, this.#importId, ofRows)
    const here = new Map(this.#done.flatMap(({ number, flightId }) => (flightId ? [[number, flightId]] : [])))
    return new Map(
      rows.flatMap(({ number, of }) => {
        if (!of) return []
        const id = 'flightId' in of ? of.flightId : (here.get(of.row) ?? stored.get(of.row))
        return id === undefined ? [] : [[number, id] as const]
      }),
    )
  }

  #mayUpdate(flight: StoredFlight): boolean {
    const { principal } = this.#call
    return roleMay(principal, flightScope('update', reachOf(principal, flight)) as Permission)
  }

  /** What of a row's updates still applies; undefined if nothing does, or if the flight would not be valid. */
  async #updateOf(
    { draft, updates }: PlannedRow,
    flight: StoredFlight,
    named: ExternalIds,
  ): Promise<{ written: Written; fields: FlightFields } | undefined> {
    const fields = await this.#newFields(flight, updates)
    const own = flight.passengers.find(({ userId }) => userId === this.#call.principal.user.id)
    const seat: Written['seat'] = {}
    for (const name of own ? seatFields : []) {
      const update = updates.find(({ field }) => field === name)
      if (update && own![name] === update.from) seat[name] = [update.from, update.to]
    }
    const track =
      flight.track === null && draft.track !== null && updates.some(({ field }) => field === 'track')
    const free = idsOf(draft).filter((id) => named[id.source] === undefined && !this.#holders.has(nameOf(id)))
    for (const id of free) this.#holders.set(nameOf(id), { flightId: flight.id })
    const externalIds = Object.fromEntries(free.map(({ source, value }) => [source, value]))
    const written: Written = { fields: differencesOf(flight, fields), seat, externalIds, track }
    const isNothing = Object.keys({ ...written.fields, ...seat, ...externalIds }).length === 0 && !track
    return isNothing ? undefined : { written, fields }
  }

  async #newFields(flight: StoredFlight, updates: readonly Update[]): Promise<FlightFields> {
    const stored = pick(flight, flightFieldNames)
    const wanted = updates.filter(
      ({ field, from }) =>
        (flightFieldNames as string[]).includes(field) &&
        isDeepStrictEqual(stored[field as keyof FlightFields], from),
    )
    const values = Object.fromEntries(wanted.map(({ field, to }) => [field, to]))
    const present = await this.#withoutUnknown(values)
    if (Object.keys(present).length === 0) return stored
    const merged = { ...stored, ...present }
    // A duration that follows from the times follows from the new ones.
    if (stored.duration === derivedDuration({ ...stored, duration: null })) merged.duration = null
    if (merged.outcome !== 'diverted') merged.plannedToId = null
    const valid = check(FlightInput, merged)
    return 'issues' in valid ? stored : { ...merged, duration: derivedDuration(merged) }
  }

  /** Records that were deleted since are not referred to. */
  async #withoutUnknown(values: Record<string, unknown>): Promise<Partial<FlightFields>> {
    const names = referenceFields.filter((name) => values[name] !== undefined)
    const { services, db, principal } = this.#call
    const ids = (to: 'airports' | 'airlines' | 'aircraft') =>
      names.flatMap((name) => (flightFields[name].to === to ? (values[name] as number) : []))
    const records = await services.reference.records(db, principal.revisions.reference, {
      airports: ids('airports'),
      airlines: ids('airlines'),
      aircraft: ids('aircraft'),
    })
    const gone = new Set<string>(
      names.filter((name) => !records[flightFields[name].to].has(values[name] as number)),
    )
    return Object.fromEntries(Object.entries(values).filter(([name]) => !gone.has(name)))
  }
}

const becameOf = (written: Written['seat']): object =>
  Object.fromEntries(Object.entries(written).map(([name, [, became]]) => [name, became]))

const differencesOf = (flight: FlightFields, fields: FlightFields): Written['fields'] =>
  Object.fromEntries(
    flightFieldNames.flatMap((name) =>
      isDeepStrictEqual(flight[name], fields[name]) ? [] : [[name, [flight[name], fields[name]]]],
    ),
  )

/** As it is now, whatever is done to its passengers. */
export const snapshotOf = (flight: StoredFlight): StoredFlight => ({
  ...flight,
  passengers: flight.passengers.map((passenger) => ({ ...passenger })),
})

interface ChangedFlights {
  importId: number
  before: ReadonlyMap<number, StoredFlight>
  after: readonly StoredFlight[]
  seats: readonly PassengerSeat[]
  /** The importer's, by flight. */
  externalIds: { before: ReadonlyMap<number, ExternalIds>; after: ReadonlyMap<number, ExternalIds> }
  tracks: ReadonlyMap<number, KeptTrackChange>
}

/** Another track, or none, and the body of the one that it replaced. */
export interface KeptTrackChange {
  track: NonNullable<FlightEdit['track']>
  trackBody?: Uint8Array | undefined
}

/** Stores locked flights with their new values and versions, and records the changes. */
export async function writeChangedFlights(
  call: Call,
  { importId, before, after: flights, seats, externalIds, tracks }: ChangedFlights,
): Promise<void> {
  const { db, principal, now } = call
  if (flights.length === 0) return
  const at = now.toISOString()
  await updateLockedFlights(db, flights, at, recordsSeen(principal))
  await updateSeats(db, seats)
  const changes = flights.map((flight): FlightChange => {
    const { id, version, passengers } = flight
    const users = passengers.flatMap(({ userId }) => userId ?? [])
    const { track, trackBody } = tracks.get(id) ?? {}
    const edit = editOf(before.get(id)!, flight, {
      idsBefore: { [principal.user.id]: externalIds.before.get(id) ?? {} },
      idsAfter: { [principal.user.id]: externalIds.after.get(id) ?? {} },
      track,
    })
    return { id, version, kind: 'updated', history: { edit, trackBody }, users }
  })
  await recordFlightChanges(db, changes, importAuthor(call, importId), at)
}
