// Writes some rows of an import inside one transaction: creates flights, restores them from the bin or updates them,
// and records the outcome of each row. No query is run per row.
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { check } from '../../base/request/validation.ts'
import { flightScope, type Permission } from '../../domain/access/access.ts'
import { binnedAfter } from '../../domain/flights/bin.ts'
import {
  type FlightFields,
  flightFieldNames,
  flightFields,
  referenceFields,
} from '../../domain/flights/fields.ts'
import { derivedDuration } from '../../domain/flights/flight.ts'
import { editOf, type FlightEdit } from '../../domain/history/edits.ts'
import type { ImportOptions } from '../../domain/imports/imports.ts'
import { pick } from '../../domain/pick.ts'
import type { Call } from '../../door/operation.ts'
import { roleMay } from '../../services/access/principal.ts'
import type { Draft, Update } from '../../services/imports/drafting/draft.ts'
import { isWantedTwice } from '../../services/imports/verdicts/commit-plan.ts'
import type { Newcomers } from '../../services/imports/verdicts/newcomers.ts'
import { restoreFlights } from '../../store/flights/bin.ts'
import { findFlights, type StoredFlight } from '../../store/flights/flights.ts'
import { packTrack } from '../../store/flights/tracks.ts'
import {
  lockFlights,
  type PassengerSeat,
  seatFields,
  updateLockedFlights,
  updateSeats,
} from '../../store/flights/writes.ts'
import { type FlightChange, recordFlightChanges } from '../../store/history/changes.ts'
import {
  type ExternalId,
  type ExternalIds,
  insertExternalIds,
  listExternalIds,
  listHolders,
  lockExternalIds,
} from '../../store/history/external-ids.ts'
import { lockHistoryOfImport } from '../../store/history/history.ts'
import {
  type CommitRecord,
  type DoneRow,
  findFlightsOfRows,
  findVersions,
  markRows,
  type RejudgedRow,
  rejudgeRows,
  setVersionsOfFlights,
} from '../../store/imports/commits.ts'
import type { Executor } from '../../store/store.ts'
import { importAuthor } from '../flights/author.ts'
import { notifyImported } from '../flights/companions.ts'
import { FlightInput } from '../flights/input.ts'
import { summaryOf, writeTrack } from '../flights/tracks.ts'
import { type CheckedFlight, reachOf, recordsSeen, storeFlights } from '../flights/writing.ts'
import { checkRows, type PlannedRow } from './rows.ts'

/** What an update wrote, for the undo: each value before and after. */
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

/**
 * Rows written together. On SQLite few, because they are checked without a pause; on PostgreSQL with one statement per table,
 * and it stores them while the next ones are checked.
 */
export const ROWS_OF_PART: Record<Executor['kind'], number> = { sqlite: 64, postgres: 250 }

const nameOf = ({ source, value }: ExternalId): string => `${source}\n${value}`
const idsOf = ({ externalIds }: Pick<Draft, 'externalIds'>): ExternalId[] =>
  Object.entries(externalIds).map(([source, value]) => ({ source, value }))

export class ImportBatch {
  readonly #call: Call
  readonly #importId: number
  readonly #options: ImportOptions
  readonly #newcomers: Newcomers
  /** Until now. */
  readonly written: BatchResult = { created: 0, updated: 0 }
  /** Flights restored from the bin. */
  readonly restored: number[] = []
  #done: DoneRow[] = []
  #rejudged: RejudgedRow[] = []
  /** The importer's external ids that occur in this part, with the flight or row that has each. */
  #holders = new Map<string, { flightId: number } | { row: number }>()

  /** `call.db` holds changes back (`holdFlightChanges`); the caller records them together. */
  constructor(call: Call, importId: number, options: ImportOptions, newcomers: Newcomers) {
    this.#call = call
    this.#importId = importId
    this.#options = options
    this.#newcomers = newcomers
  }

  /** Called with all rows of the batch, so that locks are always taken in the same order. */
  async begin(rows: readonly CommitRecord[]): Promise<void> {
    const { db, principal } = this.#call
    // One import per person at a time: two imports with the same flight must not both create it.
    await lockExternalIds(db, principal.user.id)
    await this.#newcomers.load(db)
    const undone = rows.flatMap(({ done, flightId }) => (done === 'undone' ? (flightId ?? []) : []))
    await lockHistoryOfImport(db, this.#importId, undone)
    const ofRows = rows.flatMap(({ ofRow }) => ofRow ?? [])
    const became = await findFlightsOfRows(db, this.#importId, ofRows)
    await lockFlights(db, [...rows.flatMap(({ ofFlightId }) => ofFlightId ?? []), ...became.values()])
  }

  /** Must be called in the order of the file. */
  async write(rows: readonly PlannedRow[]): Promise<void> {
    const { db } = this.#call
    this.#done = []
    this.#rejudged = []
    await this.#findHolders(rows)
    const undone = rows.filter((row) => row.plan === 'restore' && this.#isStillNew(row))
    const lost = await this.#restore(undone)
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

  /** Returns the rows whose flights no longer exist: those flights are created again. */
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
      // A version other than the next one means that a person restored the flight, so it counts as changed.
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

  /** False if the same flight was added to the log after the preview. */
  #isStillNew(row: PlannedRow): boolean {
    const flightId = isWantedTwice(row, this.#options) ? undefined : this.#newcomers.find(row.draft)
    if (flightId === undefined) return true
    this.#rejudged.push({ ...row, verdict: 'duplicate', code: 'duplicate_in_log', of: { flightId } })
    return false
  }

  /**
   * A row with the external id of another of the importer's flights is that flight, so it is not created. If the
   * person wants it anyway, it is created without the id.
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

  /** Returns the flights that changed. */
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

  /** The flight of each row. If the row repeats another row of the file, the flight which that one became. */
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

  /** The part of a row's updates that still applies; undefined if nothing does, or if the flight would become invalid. */
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
    // A duration that was derived from the times is derived from the new ones.
    if (stored.duration === derivedDuration({ ...stored, duration: null })) merged.duration = null
    if (merged.outcome !== 'diverted') merged.plannedToId = null
    const valid = check(FlightInput, merged)
    return 'issues' in valid ? stored : { ...merged, duration: derivedDuration(merged) }
  }

  /** Drops references to records that were deleted since. */
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

/** A copy of its current state, unaffected by later changes to its passengers. */
export const snapshotOf = (flight: StoredFlight): StoredFlight => ({
  ...flight,
  passengers: flight.passengers.map((passenger) => ({ ...passenger })),
})

interface ChangedFlights {
  importId: number
  before: ReadonlyMap<number, StoredFlight>
  after: readonly StoredFlight[]
  seats: readonly PassengerSeat[]
  /** The importer's external ids, by flight. */
  externalIds: { before: ReadonlyMap<number, ExternalIds>; after: ReadonlyMap<number, ExternalIds> }
  tracks: ReadonlyMap<number, KeptTrackChange>
}

/** A new or removed track, with the body of the track that it replaced. */
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
