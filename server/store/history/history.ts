// The history of flights: the changes of the last 30 days with their authors and the replaced values. Entries are written
// with the change itself (store/history/changes.ts); this file reads them, marks them as undone and erases them.
import { sql } from 'kysely'
import {
  type FlightEdit,
  type HistoryVia,
  withoutFieldInEdit,
  withoutPersonInEdit,
} from '../../domain/history/edits.ts'
import { fromJson, fromJsonOrNull, toJson } from '../engine/codecs.ts'
import { locksRows } from '../engine/dialect.ts'
import type { Executor } from '../engine/engine.ts'
import { type Builder, first, query, queryByList } from '../engine/query.ts'
import type { RowOf } from '../engine/schema.ts'

export interface HistoryEntry extends Omit<RowOf<'flightHistory'>, 'edit' | 'track'> {
  edit: FlightEdit | null
}
interface EntryRow extends Omit<HistoryEntry, 'edit'> {
  edit: string | null
}
/** An entry as one person sees it. */
export interface SeenEntry extends HistoryEntry {
  /** Whether the person sees the flight, in the log or in the bin. */
  isInSight: boolean
  /** Whether the person sees the flight in the bin. */
  isInBin: boolean
  /** Whether this change added the person to the flight: they may not see what the flight was before. */
  isFirst: boolean
}
interface SeenRow extends EntryRow {
  removed: string | null
  since: number | null
}

const columns = [
  'flightHistory.changeId',
  'flightHistory.flightId',
  'flightHistory.kind',
  'flightHistory.version',
  'flightHistory.at',
  'flightHistory.userId',
  'flightHistory.via',
  'flightHistory.credential',
  'flightHistory.importId',
  'flightHistory.edit',
  'flightHistory.undoneBy',
] as const

const toEntry = (row: EntryRow): HistoryEntry => ({ ...row, edit: fromJsonOrNull<FlightEdit>(row.edit) })

function toSeen({ removed, since, ...row }: SeenRow): SeenEntry {
  const isInSight = since !== null && removed !== 'unlisted'
  const isFirst = since !== null && since === row.changeId
  return { ...toEntry(row), isInSight, isInBin: isInSight && removed === 'deleted', isFirst }
}

// Reading

/** Rows of the history, with whether and since when a person sees the flight. */
const rowsFor = (db: Builder, viewer: string) =>
  db
    .selectFrom('flightHistory')
    .leftJoin('change', (join) =>
      join
        .on('change.viewer', '=', viewer)
        .on('change.type', '=', 'flight')
        .onRef('change.itemId', '=', 'flightHistory.flightId'),
    )
    .select([...columns, 'change.removed', 'change.since'])

interface Page {
  /** Below this number. */
  before: number
  limit: number
  /** Not older than this. */
  after: string
}
interface Seen extends Page {
  viewer: string
  /** Also what this person did on flights that they no longer see. */
  actor: string
}

/** Changes since the viewer was added to the flight, and all of the viewer's own. */
const seenBy = (flight: boolean) =>
  query((db, p: Seen & { number: number; flightId: number }) =>
    rowsFor(db, p.viewer)
      .where('flightHistory.changeId', '<', p.before)
      .where('flightHistory.changeId', '>', p.number)
      .where('flightHistory.at', '>', p.after)
      .$if(flight, (rows) => rows.where('flightHistory.flightId', '=', p.flightId))
      .where((eb) =>
        eb.or([
          eb('flightHistory.userId', '=', p.actor),
          eb.and([
            eb('change.since', '<=', eb.ref('flightHistory.changeId')),
            eb.or([eb('change.removed', 'is', null), eb('change.removed', '=', 'deleted')]),
          ]),
        ]),
      )
      .orderBy('flightHistory.changeId', 'desc')
      .limit(p.limit),
  )
const seenOfAll = seenBy(false)
const seenOfFlight = seenBy(true)

/** The changes of all flights that a person sees, newest first, above a number. */
export const listHistory = async (db: Executor, page: Seen & { number: number }): Promise<SeenEntry[]> =>
  (await seenOfAll(db, { ...page, flightId: 0 })).map(toSeen)

/** The same for one flight. */
export const listFlightHistory = async (db: Executor, flightId: number, page: Seen): Promise<SeenEntry[]> =>
  (await seenOfFlight(db, { ...page, flightId, number: 0 })).map(toSeen)

interface Done extends Page {
  number: number
  userId: string
}
const doneRows = ({ byCredential, inEffect = false }: { byCredential: boolean; inEffect?: boolean }) =>
  query((db, p: Done & { via: string; credential: string }) =>
    rowsFor(db, p.userId)
      .where('flightHistory.userId', '=', p.userId)
      .where('flightHistory.changeId', '<', p.before)
      .where('flightHistory.changeId', '>', p.number)
      .where('flightHistory.at', '>', p.after)
      .$if(inEffect, (rows) =>
        rows
          .where('flightHistory.undoneBy', 'is', null)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('flightHistory as target')
                  .select('target.changeId')
                  .whereRef('target.undoneBy', '=', 'flightHistory.changeId')
                  .where('target.at', '>', p.after),
              ),
            ),
          ),
      )
      .$if(byCredential, (rows) =>
        rows
          .where('flightHistory.via', '=', p.via as HistoryVia)
          .where('flightHistory.credential', '=', p.credential),
      )
      .orderBy('flightHistory.changeId', 'desc')
      .limit(p.limit),
  )
const doneByPerson = doneRows({ byCredential: false })
const doneByCredential = doneRows({ byCredential: true })
const undoableByPerson = doneRows({ byCredential: false, inEffect: true })
const undoableByCredential = doneRows({ byCredential: true, inEffect: true })

interface Credential {
  via: HistoryVia
  credential: string
}

/** Changes by a person, or by one of their credentials, newest first. */
export const listDone = async (
  db: Executor,
  page: Done,
  credential: Credential | null,
): Promise<SeenEntry[]> =>
  (credential
    ? await doneByCredential(db, { ...page, ...credential })
    : await doneByPerson(db, { ...page, via: '', credential: '' })
  ).map(toSeen)

/** The same, without undone changes and the undos themselves. */
export const listUndoable = async (
  db: Executor,
  page: Done,
  credential: Credential | null,
): Promise<SeenEntry[]> =>
  (credential
    ? await undoableByCredential(db, { ...page, ...credential })
    : await undoableByPerson(db, { ...page, via: '', credential: '' })
  ).map(toSeen)

const seenRow = query((db, p: { changeId: number; viewer: string; after: string }) =>
  rowsFor(db, p.viewer)
    .where('flightHistory.changeId', '=', p.changeId)
    .where('flightHistory.at', '>', p.after),
)
/** One change; undefined if the person neither sees it nor made it. */
export async function findHistory(
  db: Executor,
  changeId: number,
  userId: string,
  after: string,
): Promise<SeenEntry | undefined> {
  const row = await first(seenRow(db, { changeId, viewer: userId, after }))
  if (!row) return undefined
  const entry = toSeen(row)
  const isSeen = entry.isInSight && row.since! <= changeId
  return isSeen || entry.userId === userId ? entry : undefined
}

// Undoing

const lockRows = queryByList((db, ids: number[], _p, engine) =>
  db
    .selectFrom('flightHistory')
    .select(columns)
    .where('changeId', 'in', ids)
    .orderBy('changeId')
    .$if(locksRows(engine), (rows) => rows.forUpdate()),
)
/** Locks changes in the order of their numbers, so that concurrent undos of the same changes are serialized. */
export async function lockHistory(tx: Executor, ids: readonly number[]): Promise<Map<number, HistoryEntry>> {
  const rows = await lockRows(
    tx,
    [...ids].sort((a, b) => a - b),
  )
  return new Map(rows.map((row) => [row.changeId, toEntry(row)]))
}
/** Later changes of a flight. */
export const listLater = query(
  (db, p: { flightId: number; changeId: number }) =>
    db
      .selectFrom('flightHistory')
      .select(columns)
      .where('flightId', '=', p.flightId)
      .where('changeId', '>', p.changeId)
      .orderBy('changeId'),
  toEntry,
)

const setUndone = query((db, p: { changeId: number; by: number }) =>
  db
    .updateTable('flightHistory')
    .set({ undoneBy: p.by })
    .where('changeId', '=', p.changeId)
    .returning('changeId as id'),
)
const setInEffect = query((db, p: { changeId: number }) =>
  db
    .updateTable('flightHistory')
    .set({ undoneBy: null })
    .where('undoneBy', '=', p.changeId)
    .returning('changeId as id'),
)
/** Records that one change undid another. Changes that the other had undone are in effect again. */
export async function markUndone(tx: Executor, changeId: number, by: number): Promise<void> {
  await setInEffect(tx, { changeId })
  await setUndone(tx, { changeId, by })
}

// Undoing an import as a whole

interface OfImport {
  importId: number
  /** The first change of this transaction. */
  from: number
}

const lockOfImport = queryByList((db, flightIds: number[], p: { importId: number }, engine) =>
  db
    .selectFrom('flightHistory')
    .select('changeId as id')
    .where('flightId', 'in', flightIds)
    .where('importId', '=', p.importId)
    .orderBy('changeId')
    .$if(locksRows(engine), (rows) => rows.forUpdate()),
)
/** Call it before locking the flights, in the same order as an undo of single changes. SQLite has only one writer. */
export async function lockHistoryOfImport(
  tx: Executor,
  importId: number,
  flightIds: readonly number[],
): Promise<void> {
  if (locksRows(tx.kind)) await lockOfImport(tx, flightIds, { importId })
}

const newestSince = (from: number) =>
  sql<number>`(select max(newer.change_id) from flight_history as newer
    where newer.flight_id = flight_history.flight_id and newer.change_id >= ${from})`

/** The earlier changes of these flights by an import that have not been undone yet. */
const undoneOfImport = (db: Builder, flightIds: number[], p: OfImport) =>
  db
    .updateTable('flightHistory')
    .set({ undoneBy: newestSince(p.from) })
    .where('flightId', 'in', flightIds)
    .where('importId', '=', p.importId)
    .where('changeId', '<', p.from)
    .where('undoneBy', 'is', null)
    .returning('changeId as id')
/** Records that this transaction undid the changes of these flights by an import. */
export const markImportUndone = queryByList((db, flightIds: number[], p: OfImport) =>
  undoneOfImport(db, flightIds, p)
    .where('kind', 'in', ['added', 'changed'])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('flightHistory as older')
            .select('older.changeId')
            .whereRef('older.undoneBy', '=', 'flightHistory.changeId'),
        ),
      ),
    ),
)

const binnedByImport = queryByList((db, flightIds: number[], p: OfImport) =>
  undoneOfImport(db, flightIds, p).where('kind', '=', 'deleted'),
)
const inEffectAgain = queryByList((db, changeIds: number[]) =>
  db
    .updateTable('flightHistory')
    .set({ undoneBy: null })
    .where('undoneBy', 'in', changeIds)
    .returning('changeId as id'),
)
/** Records that this transaction restored flights that the undo of an import had moved to the bin. */
export async function markImportRedone(
  tx: Executor,
  flightIds: readonly number[],
  given: OfImport,
): Promise<void> {
  const undone = await binnedByImport(tx, flightIds, given)
  await inEffectAgain(
    tx,
    undone.map(({ id }) => id),
  )
}

const trackOf = query((db, p: { changeId: number }) =>
  db.selectFrom('flightHistory').select('track').where('changeId', '=', p.changeId),
)
/** The body of the track that a change replaced. */
export const findReplacedTrack = async (db: Executor, changeId: number): Promise<Uint8Array | null> =>
  (await first(trackOf(db, { changeId })))?.track ?? null

// Erasing

/** For flights that are erased. */
export const deleteHistoryOf = queryByList((db, ids: number[]) =>
  db.deleteFrom('flightHistory').where('flightId', 'in', ids).returning('changeId as id'),
)

/** Entries from this time or earlier. */
export const deleteHistoryBefore = query((db, p: { before: string }) =>
  db.deleteFrom('flightHistory').where('at', '<=', p.before).returning('changeId as id'),
)

const namingText = query((db, p: { pattern: string }) =>
  db
    .selectFrom('flightHistory')
    .select(['changeId', sql<string>`edit`.as('edit')])
    .where('edit', 'like', p.pattern),
)
const setEdit = query((db, p: { changeId: number; edit: string }) =>
  db
    .updateTable('flightHistory')
    .set({ edit: p.edit })
    .where('changeId', '=', p.changeId)
    .returning('changeId as id'),
)
/** A pattern may match too many rows, because an id may contain a wildcard; `rewritten` must not change those. */
async function rewriteEdits(
  tx: Executor,
  pattern: string,
  rewritten: (edit: FlightEdit) => FlightEdit,
): Promise<void> {
  for (const { changeId, edit } of await namingText(tx, { pattern }))
    await setEdit(tx, { changeId, edit: toJson(rewritten(fromJson<FlightEdit>(edit))) })
}

const forgetAuthor = query((db, p: { userId: string }) =>
  db
    .updateTable('flightHistory')
    .set({ userId: null, via: 'system', credential: null, importId: null })
    .where('userId', '=', p.userId)
    .returning('changeId as id'),
)
/** For a person who is deleted: removes their seats and ids on other people's flights, and their name as author. */
export async function forgetPersonInHistory(tx: Executor, userId: string): Promise<void> {
  await rewriteEdits(tx, `%"${userId}"%`, (edit) => withoutPersonInEdit(edit, userId))
  await forgetAuthor(tx, { userId })
}

/** Removes the values of a deleted custom field. */
export const forgetFieldInHistory = (tx: Executor, fieldId: number): Promise<void> =>
  rewriteEdits(tx, `%"${fieldId}":%`, (edit) => withoutFieldInEdit(edit, fieldId))
