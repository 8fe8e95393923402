// The history of flights: each change of the last 30 days with its author and the values that it replaced. Written with the
// change itself (store/changes.ts); here it is read, marked as undone, and erased.
import { sql } from 'kysely'
import {
  type FlightEdit,
  type HistoryKind,
  type HistoryVia,
  withoutFieldInEdit,
  withoutPersonInEdit,
} from '../domain/flight-edits.ts'
import { fromJson, fromJsonOrNull, toJson } from './codecs.ts'
import { locksRows } from './dialect.ts'
import type { Executor } from './engine.ts'
import { type Builder, first, query, queryByList } from './query.ts'

export interface HistoryEntry {
  changeId: number
  flightId: number
  kind: HistoryKind
  version: number
  at: string
  userId: string | null
  via: HistoryVia
  credential: string | null
  importId: number | null
  edit: FlightEdit | null
  undoneBy: number | null
}
interface EntryRow extends Omit<HistoryEntry, 'edit'> {
  edit: string | null
}
/** As one person sees it. */
export interface SeenEntry extends HistoryEntry {
  /** Whether the flight is in the person's sight, in the log or in the bin. */
  isInSight: boolean
  /** It is in the person's sight, in the bin. */
  isInBin: boolean
  /** It is the change by which the person came onto the flight: what was before it is not theirs to know. */
  isFirst: boolean
}
interface SeenRow extends EntryRow {
  removed: string | null
  since: number | null
}

const columns = [
  'flight_history.change_id as changeId',
  'flight_history.flight_id as flightId',
  'flight_history.kind',
  'flight_history.version',
  'flight_history.at',
  'flight_history.user_id as userId',
  'flight_history.via',
  'flight_history.credential',
  'flight_history.import_id as importId',
  'flight_history.edit',
  'flight_history.undone_by as undoneBy',
] as const

const toEntry = (row: EntryRow): HistoryEntry => ({ ...row, edit: fromJsonOrNull<FlightEdit>(row.edit) })

function toSeen({ removed, since, ...row }: SeenRow): SeenEntry {
  const isInSight = since !== null && removed !== 'unlisted'
  const isFirst = since !== null && since === row.changeId
  return { ...toEntry(row), isInSight, isInBin: isInSight && removed === 'deleted', isFirst }
}

// Reading

/** Rows of the history, with whether and since when a person sees their flight. */
const rowsFor = (db: Builder, viewer: string) =>
  db
    .selectFrom('flight_history')
    .leftJoin('change', (join) =>
      join
        .on('change.viewer', '=', viewer)
        .on('change.type', '=', 'flight')
        .onRef('change.item_id', '=', 'flight_history.flight_id'),
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

/** Changes from the one on by which the viewer came onto the flight, and the viewer's own. */
const seenBy = (flight: boolean) =>
  query<Seen & { number: number; flightId: number }, SeenRow>((db, p) =>
    rowsFor(db, p.viewer)
      .where('flight_history.change_id', '<', p.before)
      .where('flight_history.change_id', '>', p.number)
      .where('flight_history.at', '>', p.after)
      .$if(flight, (rows) => rows.where('flight_history.flight_id', '=', p.flightId))
      .where((eb) =>
        eb.or([
          eb('flight_history.user_id', '=', p.actor),
          eb.and([
            eb('change.since', '<=', eb.ref('flight_history.change_id')),
            eb.or([eb('change.removed', 'is', null), eb('change.removed', '=', 'deleted')]),
          ]),
        ]),
      )
      .orderBy('flight_history.change_id', 'desc')
      .limit(p.limit),
  )
const seenOfAll = seenBy(false)
const seenOfFlight = seenBy(true)

/** What a person sees of all flights, newest first; above a number. */
export const listHistory = async (db: Executor, page: Seen & { number: number }): Promise<SeenEntry[]> =>
  (await seenOfAll(db, { ...page, flightId: 0 })).map(toSeen)

/** Of one flight. */
export const listFlightHistory = async (db: Executor, flightId: number, page: Seen): Promise<SeenEntry[]> =>
  (await seenOfFlight(db, { ...page, flightId, number: 0 })).map(toSeen)

interface Done extends Page {
  number: number
  userId: string
}
const doneRows = ({ byCredential, inEffect = false }: { byCredential: boolean; inEffect?: boolean }) =>
  query<Done & { via: string; credential: string }, SeenRow>((db, p) =>
    rowsFor(db, p.userId)
      .where('flight_history.user_id', '=', p.userId)
      .where('flight_history.change_id', '<', p.before)
      .where('flight_history.change_id', '>', p.number)
      .where('flight_history.at', '>', p.after)
      .$if(inEffect, (rows) =>
        rows
          .where('flight_history.undone_by', 'is', null)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('flight_history as target')
                  .select('target.change_id')
                  .whereRef('target.undone_by', '=', 'flight_history.change_id')
                  .where('target.at', '>', p.after),
              ),
            ),
          ),
      )
      .$if(byCredential, (rows) =>
        rows
          .where('flight_history.via', '=', p.via as HistoryVia)
          .where('flight_history.credential', '=', p.credential),
      )
      .orderBy('flight_history.change_id', 'desc')
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

/** What a person did, or one of their credentials; newest first. */
export const listDone = async (
  db: Executor,
  page: Done,
  credential: Credential | null,
): Promise<SeenEntry[]> =>
  (credential
    ? await doneByCredential(db, { ...page, ...credential })
    : await doneByPerson(db, { ...page, via: '', credential: '' })
  ).map(toSeen)

/** The same, without what was taken back. An undo and what it took back amount to nothing: neither counts. */
export const listUndoable = async (
  db: Executor,
  page: Done,
  credential: Credential | null,
): Promise<SeenEntry[]> =>
  (credential
    ? await undoableByCredential(db, { ...page, ...credential })
    : await undoableByPerson(db, { ...page, via: '', credential: '' })
  ).map(toSeen)

const seenRow = query<{ changeId: number; viewer: string; after: string }, SeenRow>((db, p) =>
  rowsFor(db, p.viewer)
    .where('flight_history.change_id', '=', p.changeId)
    .where('flight_history.at', '>', p.after),
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

const lockRows = queryByList<number, EntryRow>((db, ids, _p, engine) =>
  db
    .selectFrom('flight_history')
    .select(columns)
    .where('change_id', 'in', ids)
    .orderBy('change_id')
    .$if(locksRows(engine), (rows) => rows.forUpdate()),
)
/** Locks them in the order of their numbers, so that two undos of the same changes wait for each other. */
export async function lockHistory(tx: Executor, ids: readonly number[]): Promise<Map<number, HistoryEntry>> {
  const rows = await lockRows(
    tx,
    [...ids].sort((a, b) => a - b),
  )
  return new Map(rows.map((row) => [row.changeId, toEntry(row)]))
}

const laterRows = query<{ flightId: number; changeId: number }, EntryRow>((db, p) =>
  db
    .selectFrom('flight_history')
    .select(columns)
    .where('flight_id', '=', p.flightId)
    .where('change_id', '>', p.changeId)
    .orderBy('change_id'),
)
/** What happened to a flight after a change. */
export const listLater = async (db: Executor, flightId: number, changeId: number): Promise<HistoryEntry[]> =>
  (await laterRows(db, { flightId, changeId })).map(toEntry)

const setUndone = query<{ changeId: number; by: number }, { id: number }>((db, p) =>
  db
    .updateTable('flight_history')
    .set({ undone_by: p.by })
    .where('change_id', '=', p.changeId)
    .returning('change_id as id'),
)
const setInEffect = query<{ changeId: number }, { id: number }>((db, p) =>
  db
    .updateTable('flight_history')
    .set({ undone_by: null })
    .where('undone_by', '=', p.changeId)
    .returning('change_id as id'),
)
/** Notes that one change took another back. What that other one had taken back is in effect again. */
export async function markUndone(tx: Executor, changeId: number, by: number): Promise<void> {
  await setInEffect(tx, { changeId })
  await setUndone(tx, { changeId, by })
}

// Undoing as a whole what an import did

interface OfImport {
  importId: number
  /** The first change of this transaction. */
  from: number
}

const lockOfImport = queryByList<number, { id: number }, { importId: number }>((db, flightIds, p, engine) =>
  db
    .selectFrom('flight_history')
    .select('change_id as id')
    .where('flight_id', 'in', flightIds)
    .where('import_id', '=', p.importId)
    .orderBy('change_id')
    .$if(locksRows(engine), (rows) => rows.forUpdate()),
)
/** Before the flights are locked, as an undo of single changes does. SQLite has one writer. */
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

/** What an import did to these flights before, and has not been taken back yet. */
const undoneOfImport = (db: Builder, flightIds: number[], p: OfImport) =>
  db
    .updateTable('flight_history')
    .set({ undone_by: newestSince(p.from) })
    .where('flight_id', 'in', flightIds)
    .where('import_id', '=', p.importId)
    .where('change_id', '<', p.from)
    .where('undone_by', 'is', null)
    .returning('change_id as id')

const takeBackOfImport = queryByList<number, { id: number }, OfImport>((db, flightIds, p) =>
  undoneOfImport(db, flightIds, p)
    .where('kind', 'in', ['added', 'changed'])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('flight_history as older')
            .select('older.change_id')
            .whereRef('older.undone_by', '=', 'flight_history.change_id'),
        ),
      ),
    ),
)
/** Notes that what an import did to these flights was taken back by the changes of this transaction. */
export const markImportUndone = (tx: Executor, flightIds: readonly number[], given: OfImport) =>
  takeBackOfImport(tx, flightIds, given)

const binnedByImport = queryByList<number, { id: number }, OfImport>((db, flightIds, p) =>
  undoneOfImport(db, flightIds, p).where('kind', '=', 'deleted'),
)
const inEffectAgain = queryByList<number, { id: number }>((db, changeIds) =>
  db
    .updateTable('flight_history')
    .set({ undone_by: null })
    .where('undone_by', 'in', changeIds)
    .returning('change_id as id'),
)
/** Notes that the changes of this transaction brought flights back that the undo of an import had moved to the bin. */
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

const trackOf = query<{ changeId: number }, { track: Uint8Array | null }>((db, p) =>
  db.selectFrom('flight_history').select('track').where('change_id', '=', p.changeId),
)
/** The body of the track that a change replaced. */
export const findReplacedTrack = async (db: Executor, changeId: number): Promise<Uint8Array | null> =>
  (await first(trackOf(db, { changeId })))?.track ?? null

// Erasing

const deleteOfFlights = queryByList<number, { id: number }>((db, ids) =>
  db.deleteFrom('flight_history').where('flight_id', 'in', ids).returning('change_id as id'),
)
/** Of flights that are erased: nothing of them is kept. */
export const deleteHistoryOf = (tx: Executor, flightIds: readonly number[]) => deleteOfFlights(tx, flightIds)

const deleteOlder = query<{ before: string }, { id: number }>((db, p) =>
  db.deleteFrom('flight_history').where('at', '<=', p.before).returning('change_id as id'),
)
/** What is from this moment or before it. */
export const deleteHistoryBefore = (tx: Executor, before: string) => deleteOlder(tx, { before })

const namingText = query<{ pattern: string }, { changeId: number; edit: string }>((db, p) =>
  db
    .selectFrom('flight_history')
    .select(['change_id as changeId', sql<string>`edit`.as('edit')])
    .where('edit', 'like', p.pattern),
)
const setEdit = query<{ changeId: number; edit: string }, { id: number }>((db, p) =>
  db
    .updateTable('flight_history')
    .set({ edit: p.edit })
    .where('change_id', '=', p.changeId)
    .returning('change_id as id'),
)
/** A pattern may find more than it is meant to: a letter of an id may be a wildcard. */
async function rewriteEdits(
  tx: Executor,
  pattern: string,
  rewritten: (edit: FlightEdit) => FlightEdit,
): Promise<void> {
  for (const { changeId, edit } of await namingText(tx, { pattern }))
    await setEdit(tx, { changeId, edit: toJson(rewritten(fromJson<FlightEdit>(edit))) })
}

const forgetAuthor = query<{ userId: string }, { id: number }>((db, p) =>
  db
    .updateTable('flight_history')
    .set({ user_id: null, via: 'system', credential: null, import_id: null })
    .where('user_id', '=', p.userId)
    .returning('change_id as id'),
)
/** Of a person who is deleted: their seats and ids on the flights of others, and that it was them. */
export async function forgetPersonInHistory(tx: Executor, userId: string): Promise<void> {
  await rewriteEdits(tx, `%"${userId}"%`, (edit) => withoutPersonInEdit(edit, userId))
  await forgetAuthor(tx, { userId })
}

/** The values of a custom field that is deleted. */
export const forgetFieldInHistory = (tx: Executor, fieldId: number): Promise<void> =>
  rewriteEdits(tx, `%"${fieldId}":%`, (edit) => withoutFieldInEdit(edit, fieldId))
