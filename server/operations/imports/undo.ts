// Undoes an import: flights that it created go to the bin, flights that it updated get their old values back. Flights
// that were changed since are kept and listed, unless the person wants them undone too.
import * as z from 'zod'
import { AppError } from '../../base/errors.ts'
import { datePrecisions } from '../../domain/enums.ts'
import type { Price } from '../../domain/flights/fields.ts'
import type { FlightEdit } from '../../domain/history/edits.ts'
import { putBack } from '../../domain/history/put-back.ts'
import { pick } from '../../domain/pick.ts'
import { RowId } from '../../domain/row-id.ts'
import { type Call, credentialWith, operation, takes } from '../../door/operation.ts'
import { MAX_ID } from '../../store/engine/codecs.ts'
import { findFlights, type StoredFlight, type StoredPassenger } from '../../store/flights/flights.ts'
import { findTrackRow } from '../../store/flights/tracks.ts'
import { lockFlights, type PassengerSeat, seatFields } from '../../store/flights/writes.ts'
import {
  deleteExternalIds,
  type ExternalId,
  type ExternalIds,
  listExternalIds,
} from '../../store/history/external-ids.ts'
import { lockHistoryOfImport } from '../../store/history/history.ts'
import {
  type DoneRow,
  findVersions,
  listEditedFlights,
  listUndoRows,
  markRows,
  setVersionsOfFlights,
  type UndoRow,
} from '../../store/imports/commits.ts'
import type { StoredImport } from '../../store/imports/imports.ts'
import { importAuthor } from '../flights/author.ts'
import { flightFacts } from '../flights/companions.ts'
import { binFlights } from '../flights/removal.ts'
import { summaryOf, writeTrack } from '../flights/tracks.ts'
import { showFlights } from '../flights/view.ts'
import { pathId, single } from '../wire/schemas.ts'
import { type KeptTrackChange, snapshotOf, type Written, writeChangedFlights } from './batch.ts'
import { briefImport, type WorkedView } from './preview.ts'
import { Import } from './schema.ts'
import { undoTrips } from './trips.ts'
import { importTag, requireOwnImport, showImport } from './view.ts'
import { type Attempted, attemptOf, type Held, hold, ROWS_AT_ONCE, runNowOrLater, type Step } from './work.ts'

/** A longer list is of no use; the rest appears after these were handled. */
const EDITED_AT_MOST = 1000

const EditedFlight = z
  .object({
    flightId: RowId,
    row: z.int(),
    date: z.string().meta({ format: 'date' }),
    datePrecision: z.enum(datePrecisions),
    from: z.string().nullable().describe('IATA code of the departure airport, else its ICAO code.'),
    to: z.string().nullable(),
    flightNumber: z.string().nullable(),
  })
  .meta({ id: 'EditedFlight' })

const UndoneImport = z
  .object({
    ...Import.shape,
    edited: z
      .array(EditedFlight)
      .describe(
        `Flights that were changed after the import wrote them, ${EDITED_AT_MOST} at most. They were kept, unless \`includeEdited\` was true.`,
      ),
  })
  .meta({ id: 'UndoneImport' })

export const undoImport = operation({
  id: 'undo-import',
  method: 'POST',
  path: '/imports/{id}/undo',
  tag: 'Imports',
  summary: 'Undo an import',
  description:
    'Moves the flights that it created to the bin, deletes the trips that it created, and puts back what it updated. Trips that were changed since stay. Flights that were changed since are kept and listed; `includeEdited` takes them back too. Committing the import again brings the same flights back. A large import is `undoing` in the response and goes on.',
  example: { params: { id: 1 }, body: { includeEdited: false } },
  access: credentialWith(['flight.import.own']),
  params: pathId,
  body: takes(
    z.strictObject({
      includeEdited: z.boolean().default(false).describe('Also flights that were changed since.'),
    }),
    { optional: true },
  ),
  output: single(UndoneImport),
  errors: ['not_found', 'conflict'],
  transaction: 'own',
  tool: {
    title: 'Undo an import',
    description:
      'Take an import back: flights that it added go to the bin, flights that it updated are as before. Flights changed since are kept and listed.',
    destructive: true,
    quotes: ['data.filename', 'data.edited'],
    brief: ({ data }) => ({ data: { ...briefImport(data), edited: data.edited } }),
    says: ({ data }) => undoneText(data),
  },
  async run(call) {
    const { id, includeEdited } = call.input
    const before: UndoAttempt | null = attemptOf(call)
    if (before?.isFinished) return answer(call, await shownNow(call, id), before.edited!)
    const held = await hold(call, id, 'undoing', requireCommitted)
    const edited = await editedBefore(call, held)
    const position = { before: MAX_ID, last: MAX_ID }
    const work = {
      held,
      needed: ['flight.import.own'] as const,
      status: 'undone' as const,
      async batch(batchCall: Call): Promise<Step | null> {
        const rows = await listUndoRows(batchCall.db, {
          importId: id,
          before: position.before,
          limit: ROWS_AT_ONCE,
        })
        if (rows.length === 0) {
          await undoTrips(batchCall, held.given)
          return null
        }
        position.last = rows.at(-1)!.number
        return new UndoBatch(batchCall, id, includeEdited).write(rows)
      },
      advance: () => {
        position.before = position.last
      },
    }
    const { createdCount, updatedCount } = held.given
    const after = await runNowOrLater(call, work, createdCount + updatedCount)
    return answer(call, after, edited)
  },
})

const shownNow = ({ services, principal }: Call, id: number) =>
  requireOwnImport(services.store.read, principal, id)

function answer(call: Call, after: StoredImport, edited: Edited) {
  call.validator.tag = importTag(after)
  return { data: { ...showImport(after), edited } }
}

const EDITED_SAID = 20

function undoneText({
  id,
  filename,
  status,
  committed: { created, updated },
  edited,
}: WorkedView & { edited: z.output<typeof EditedFlight>[] }): string {
  const kept = edited
    .slice(0, EDITED_SAID)
    .map(({ flightId, date, from, to }) => `#${flightId} ${date} ${from ?? '?'}–${to ?? '?'}`)
  const more = edited.length > kept.length ? `, and ${edited.length - kept.length} more` : ''
  return [
    status === 'undoing'
      ? `Import ${id} (${filename}) is being undone. list_imports shows when it is done.`
      : `Import ${id} (${filename}) was undone: what it added is in the bin for 30 days, what it updated has its old values.`,
    ...(created + updated > 0 && status !== 'undoing'
      ? [`Left in the log or already deleted: ${created} added, ${updated} updated.`]
      : []),
    ...(edited.length > 0 ? [`Changed since the import: ${kept.join('; ')}${more}.`] : []),
  ].join(' ')
}

/** An interrupted commit has flights in the log, and an interrupted undo still has some to undo. */
function requireCommitted({ status, committedAt, createdCount, updatedCount }: StoredImport): void {
  const isBegun = committedAt !== null || createdCount + updatedCount > 0
  if (!isBegun && status !== 'committing' && status !== 'undoing')
    throw new AppError('conflict', 'import_not_committed')
}

type Edited = z.input<typeof EditedFlight>[]
interface UndoAttempt extends Attempted {
  edited?: Edited
}

/** The flights that were changed before this undo began, in this attempt of the request or an earlier one. */
async function editedBefore(call: Call, { given, saved }: Held<UndoAttempt>): Promise<Edited> {
  const { progress, services } = call
  if (saved.edited) return saved.edited
  saved.edited = await showEdited({ ...call, db: services.store.read }, given)
  if (progress) await services.store.transaction((tx) => progress.save(tx, saved))
  return saved.edited
}

async function showEdited(call: Call, given: StoredImport): Promise<Edited> {
  const found = await listEditedFlights(call.db, given, EDITED_AT_MOST)
  const flights = await findFlights(
    call.db,
    found.map(({ flightId }) => flightId),
  )
  const shown = new Map((await showFlights(call, flights)).map((flight) => [flight.id, flight]))
  return found.flatMap(({ row, flightId }) => {
    const flight = shown.get(flightId)
    return flight ? [{ row, ...flightFacts(flight) }] : []
  })
}

class UndoBatch {
  readonly #call: Call
  readonly #importId: number
  readonly #includeEdited: boolean
  readonly #done: DoneRow[] = []

  constructor(call: Call, importId: number, includeEdited: boolean) {
    this.#call = call
    this.#importId = importId
    this.#includeEdited = includeEdited
  }

  async write(rows: readonly UndoRow[]): Promise<Step> {
    const { db } = this.#call
    const ids = rows.map(({ flightId }) => flightId)
    await lockHistoryOfImport(db, this.#importId, ids)
    await lockFlights(db, ids)
    const changed = await this.#putBack(rows.filter(({ done }) => done === 'updated'))
    await setVersionsOfFlights(db, this.#importId, changed)
    const versions = new Map(changed.map(({ id, version }) => [id, version]))
    const created = rows
      .filter(({ done }) => done === 'created')
      .map((row) => ({ ...row, flightVersion: versions.get(row.flightId) ?? row.flightVersion }))
    await this.#bin(created)
    await markRows(db, this.#importId, this.#done)
    // A row that created a flight keeps the flight's id.
    const updated = this.#done.filter(({ flightId }) => flightId === null).length
    return { rows: rows.length, created: updated - this.#done.length, updated: -updated }
  }

  /** Flights that are not in the log were deleted by a person and stay in their state. */
  async #bin(rows: readonly UndoRow[]): Promise<void> {
    const { db } = this.#call
    const versions = await findVersions(
      db,
      rows.map(({ flightId }) => flightId),
    )
    const taken = rows.filter(
      ({ flightId, flightVersion }) =>
        versions.has(flightId) && (this.#includeEdited || versions.get(flightId) === flightVersion),
    )
    const ids = taken.map(({ flightId }) => flightId)
    await binFlights(this.#call, ids, importAuthor(this.#call, this.#importId))
    for (const { number, flightId } of taken) {
      const flightVersion = versions.get(flightId)! + 1
      this.#done.push({ number, done: 'undone', flightId, flightVersion, before: null })
    }
  }

  /** Returns the flights that changed. */
  async #putBack(rows: readonly UndoRow[]): Promise<StoredFlight[]> {
    if (rows.length === 0) return []
    const ids = [...new Set(rows.map(({ flightId }) => flightId))]
    const flights = new Map((await findFlights(this.#call.db, ids)).map((flight) => [flight.id, flight]))
    const { db, principal } = this.#call
    const idsBefore = await listExternalIds(db, principal.user.id, ids)
    const idsNow = new Map(ids.map((id) => [id, { ...idsBefore.get(id) }]))
    const tracks = new Map<number, KeptTrackChange>()
    const asTheyWere = new Map([...flights].map(([id, flight]) => [id, snapshotOf(flight)]))
    const changed = new Map<number, StoredFlight>()
    const seats: PassengerSeat[] = []
    const freedIds: ExternalId[] = []
    for (const { number, flightId, flightVersion, before } of rows) {
      const stored = flights.get(flightId)
      if (stored && stored.version !== flightVersion && !this.#includeEdited) continue
      this.#done.push({ number, done: 'undone', flightId: null, flightVersion: null, before: null })
      if (!stored) continue
      const flight = changed.get(flightId) ?? { ...stored, version: stored.version + 1 }
      const isEdited = stored.version !== flightVersion
      const written = before as Written
      if (written.track && !isEdited) tracks.set(flightId, await this.#removeTrack(flightId))
      const restored = this.#restoreValues(flight, idsNow.get(flightId)!, written)
      if (restored.seat) seats.push(restored.seat)
      freedIds.push(...restored.freedIds)
      changed.set(flightId, flight)
    }
    await deleteExternalIds(db, principal.user.id, freedIds)
    const [importId, after] = [this.#importId, [...changed.values()]]
    const externalIds = { before: idsBefore, after: idsNow }
    await writeChangedFlights(this.#call, {
      importId,
      before: asTheyWere,
      after,
      seats,
      externalIds,
      tracks,
    })
    return [...changed.values()]
  }

  async #removeTrack(flightId: number): Promise<KeptTrackChange> {
    const { db, now } = this.#call
    const before = await findTrackRow(db, flightId)
    await writeTrack(db, flightId, null, now.toISOString())
    return { track: [before ? summaryOf(before) : null, null], trackBody: before?.body }
  }

  /** Keeps values that were changed after the import wrote them. Changes the flight and `ids`. */
  #restoreValues(
    flight: StoredFlight,
    ids: ExternalIds,
    written: Written,
  ): { seat?: PassengerSeat; freedIds: ExternalId[] } {
    const userId = this.#call.principal.user.id
    const own = flight.passengers.find((passenger) => passenger.userId === userId)
    const now = { ...flight, ids: { [userId]: ids } }
    const { free, fields, passengers } = putBack(editOfWritten(written, userId, own), now)
    Object.assign(flight, fields)
    const freedIds = Object.keys(free.externalIds?.[userId] ?? {}).map((source) => {
      const value = ids[source]!
      delete ids[source]
      return { source, value }
    })
    const restored = free.passengers && passengers.find(({ id }) => id === own!.id)
    if (!own || !restored) return { freedIds }
    const values = pick(restored, seatFields)
    Object.assign(own, values)
    return { seat: { id: own.id, ...values }, freedIds }
  }
}

/** What an update wrote, as an edit in the history. */
function editOfWritten(
  { fields, seat, externalIds }: Written,
  userId: string,
  own: StoredPassenger | undefined,
): FlightEdit {
  const seats = (side: 0 | 1) =>
    Object.fromEntries(Object.entries(seat).map(([name, pair]) => [name, pair[side]]))
  const ids = Object.entries(externalIds).map(([source, value]) => [source, [null, value]] as const)
  const price = fields['price']?.map(inOrder)
  return {
    fields: { ...fields, ...(price ? { price } : {}) } as NonNullable<FlightEdit['fields']>,
    ...(own && Object.keys(seat).length > 0
      ? {
          passengers: [
            [
              { ...own, ...seats(0) },
              { ...own, ...seats(1) },
            ],
          ],
        }
      : {}),
    externalIds: { [userId]: Object.fromEntries(ids) as Record<string, [null, string]> },
  }
}

/** Rows of earlier versions may have the members in another order. */
const inOrder = (price: unknown) => price && pick(price as Price, ['amount', 'currency'])
