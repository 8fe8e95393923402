// The change sequence. Every effective write gets the next number as the last step of its transaction: the counter stays
// locked until the commit, so numbers are in commit order and no reader sees a number before all smaller ones. Version
// tags, the change feed, webhooks and feeds are all derived from this sequence (docs/decisions/007).
import { setImmediate } from 'node:timers/promises'
import type { ChangeType, RemovalReason } from '../../domain/history/changes.ts'
import { type FlightEdit, type HistoryKind, mergedEdits } from '../../domain/history/edits.ts'
import { fromJson, toJson } from '../engine/codecs.ts'
import type { Executor, Value } from '../engine/engine.ts'
import { query } from '../engine/query.ts'
import {
  CHANGES,
  EVERYONE,
  flightsOf,
  forgottenFor,
  inLockOrder,
  raiseRevision,
} from '../engine/revisions.ts'
import { type ExternalIds, findExternalIdsOfFlights } from './external-ids.ts'
import { type Author, type HistoryRow, historyColumns } from './rows.ts'

interface Entry {
  viewer: string
  type: ChangeType
  itemId: number
  /** The viewer did not see the item before. */
  isNew: boolean
  version: number
  removed: RemovalReason | null
  externalIds: string | null
  /** How many changes of the same transaction follow this one. */
  behind: number
}

/** What history stores about a change; null if there is nothing to show or undo. */
type Kept =
  | { kind: 'created'; history: 'added' | 'restored' | null }
  | { kind: 'updated'; history: KeptEdit | null }
  | { kind: 'deleted'; history: 'deleted' | null }

/** An edit, with the body of the track that it replaced. */
export interface KeptEdit {
  edit: FlightEdit
  trackBody?: Uint8Array | undefined
}

export type FlightChange = Kept & {
  id: number
  /** The new version; for a deleted flight, one above its last. */
  version: number
  /** The users who see the flight, or saw it until it was deleted. */
  users: readonly string[]
  /** The users who did not see the flight before; for a new flight, all. */
  joined?: readonly string[]
  /** The users who no longer see the flight. */
  left?: readonly string[]
  /** The external ids of a deleted flight, or of a flight that people left, by person. */
  externalIds?: Record<string, ExternalIds> | undefined
}

/** The change to record for a new flight. */
export const additionOf = (id: number, users: readonly string[]): FlightChange => ({
  id,
  version: 1,
  kind: 'created',
  history: 'added',
  users,
})

/**
 * Numbers changes of flights, increments the revisions of everyone affected and stores what history needs. Call it last in a
 * transaction: other writers wait for the counter until it commits. Returns the last number, unless the changes are held
 * back.
 */
export async function recordFlightChanges(
  tx: Executor,
  changes: readonly FlightChange[],
  author: Author,
  at: string,
): Promise<number | undefined> {
  if (changes.length === 0) return undefined
  const held = (tx as Holding)[waiting]
  if (held) {
    held.push(...changes)
    return undefined
  }
  const users = new Set(changes.flatMap((change) => [...change.users, ...(change.left ?? [])]))
  const entries = changes.flatMap((change, i) => entriesOf(change, changes.length - 1 - i))
  const kept = changes.flatMap((change, i) => historyOf(change, author, changes.length - 1 - i) ?? [])
  const increments = { numbers: changes.length, revisions: [...users].map(flightsOf) }
  const last = await writeEntries(tx, { entries, kept, at }, increments)
  if (author.outcome && changes.length === 1) author.outcome.changeId = kept.length > 0 ? last : undefined
  return last
}

function historyOf(
  { id, version, history }: FlightChange,
  { userId, via, credential, importId }: Author,
  behind: number,
): HistoryRow | undefined {
  if (history === null) return undefined
  const isEdit = typeof history === 'object'
  if (isEdit && Object.keys(history.edit).length === 0) return undefined
  const historyKind: HistoryKind = isEdit ? 'changed' : history
  return {
    flightId: id,
    kind: historyKind,
    version,
    userId,
    via,
    credential,
    importId,
    edit: isEdit ? toJson(history.edit) : null,
    track: (isEdit ? history.trackBody : undefined) ?? null,
    behind,
  }
}

const waiting = Symbol('changes that are recorded later')
interface Holding extends Executor {
  [waiting]?: FlightChange[]
}

/** Whether changes recorded through this executor are held back until the end of a longer transaction. */
export const holdsChanges = (tx: Executor): boolean => (tx as Holding)[waiting] !== undefined

/** The changes that an executor holds back. */
export interface HeldChanges {
  tx: Executor
  /** The number of changes so far, for `dropAfter`. */
  count(): number
  /** Drops later changes, because their writes were rolled back. */
  dropAfter(count: number): void
  /** Call it last in the transaction. Returns the numbers of the changes, by flight. */
  record(author: Author, at: string): Promise<ReadonlyMap<number, number>>
}

/**
 * For a transaction that writes many flights: their changes are recorded together at its end, so that other writers wait
 * for the counter only then.
 */
export function holdFlightChanges(tx: Executor): HeldChanges {
  const held: FlightChange[] = []
  return {
    tx: { ...tx, last: undefined, [waiting]: held } as Holding,
    count: () => held.length,
    dropAfter: (count) => void held.splice(count),
    async record(author, at) {
      const newest = newestOfEach(held)
      const last = (await recordFlightChanges(tx, newest, author, at)) ?? 0
      return new Map(newest.map(({ id }, i) => [id, last - (newest.length - 1 - i)]))
    },
  }
}

/** One change per flight, because a statement cannot write an entry twice. */
function newestOfEach(changes: readonly FlightChange[]): FlightChange[] {
  const byFlight = new Map<number, FlightChange>()
  for (const change of changes) {
    const before = byFlight.get(change.id)
    byFlight.delete(change.id)
    byFlight.set(change.id, before ? together(before, change) : change)
  }
  return [...byFlight.values()]
}

function together(before: FlightChange, after: FlightChange): FlightChange {
  const left = [...(before.left ?? []), ...(after.left ?? [])].filter((user) => !after.users.includes(user))
  return {
    ...after,
    ...keptTogether(before, after),
    joined: [...(before.joined ?? []), ...(after.joined ?? [])].filter((user) => after.users.includes(user)),
    left: [...new Set(left)],
    externalIds: { ...before.externalIds, ...after.externalIds },
  }
}

/** A new flight that is changed in the same transaction is recorded as new. */
function keptTogether(before: FlightChange, after: FlightChange): Kept {
  if (after.kind !== 'updated') return after
  if (before.kind === 'created') return { kind: 'created', history: before.history }
  if (before.kind !== 'updated' || !before.history || !after.history)
    return { kind: 'updated', history: after.history ?? (before.kind === 'updated' ? before.history : null) }
  const edit = mergedEdits(before.history.edit, after.history.edit)
  return {
    kind: 'updated',
    history: { edit, trackBody: before.history.trackBody ?? after.history.trackBody },
  }
}

function entriesOf(
  { id, version, kind, users, joined = [], left = [], externalIds }: FlightChange,
  behind: number,
): Entry[] {
  const ids = externalIds && Object.keys(externalIds).length > 0 ? toJson(externalIds) : null
  const entry = (viewer: string, removed: RemovalReason | null): Entry => ({
    viewer,
    type: 'flight',
    itemId: id,
    isNew: kind === 'created' || joined.includes(viewer),
    version,
    removed,
    externalIds: removed === null ? null : ids,
    behind,
  })
  const removed = kind === 'deleted' ? 'deleted' : null
  return [
    entry(EVERYONE, removed),
    ...users.map((user) => entry(user, removed)),
    ...left.map((user) => entry(user, removed ?? 'unlisted')),
  ]
}

interface OtherChange {
  type: Exclude<ChangeType, 'flight'>
  id: number
  kind: 'created' | 'updated' | 'deleted'
}

/**
 * Numbers changes of other items of a log: a person's, or everyone's if `userId` is null. Call it last in the transaction
 * too. Also increments the person's revision, which covers everything that their change feed shows.
 */
export async function recordChanges(
  tx: Executor,
  userId: string | null,
  changes: readonly OtherChange[],
  at: string,
): Promise<void> {
  if (changes.length === 0) return
  const entries = changes.map(
    ({ type, id, kind }, i): Entry => ({
      viewer: userId ?? EVERYONE,
      type,
      itemId: id,
      isNew: kind === 'created',
      version: 0,
      removed: kind === 'deleted' ? 'deleted' : null,
      externalIds: null,
      behind: changes.length - 1 - i,
    }),
  )
  const revisions = userId === null ? [] : [flightsOf(userId)]
  await writeEntries(tx, { entries, kept: [], at }, { numbers: changes.length, revisions })
}

export const changeColumns =
  'viewer, type, item_id, number, appeared, version, removed, at, external_ids, since'

/** A removed item that comes back appears again. A person still sees items in the bin. */
const onConflict = `on conflict (viewer, type, item_id) do update set
  number = excluded.number,
  appeared = case when change.removed is null then change.appeared else excluded.number end,
  since = case when change.removed = 'unlisted' then excluded.number else change.since end,
  version = excluded.version,
  removed = excluded.removed,
  at = excluded.at,
  external_ids = excluded.external_ids`

const addition = `on conflict (name) do update set value = revision.value + excluded.value`
export const incrementing = `${addition} returning name, value`

interface Writes {
  entries: readonly Entry[]
  kept: readonly HistoryRow[]
  at: string
}

/** Returns the last number. */
async function writeEntries(
  tx: Executor,
  writes: Writes,
  { numbers, revisions }: { numbers: number; revisions: readonly string[] },
): Promise<number> {
  const increments = inLockOrder([CHANGES, ...revisions]).map((name) => ({
    name,
    value: name === CHANGES ? numbers : 1,
  }))
  return tx.kind === 'postgres'
    ? writeInOneStatement(tx, writes, increments)
    : writeInSeveralStatements(tx, writes, increments)
}

interface Increment {
  name: string
  value: number
}

/** One round trip, so that writing the entries does not lock the counter for longer. */
const inOneStatement = `with counted as (
    insert into revision (name, value)
    select name, value from json_to_recordset($1) as r (name text, value bigint)
    ${incrementing}
  ), last as (select value from counted where name = '${CHANGES}'), kept as (
    insert into flight_history (${historyColumns.join(', ')})
    select last.value - r.behind, r."flightId", r.kind, r.version, $3, r."userId", r.via, r.credential, r."importId",
      r.edit, decode(r.track, 'hex')
    from last, json_to_recordset($4) as r ("flightId" bigint, kind text, version integer, "userId" text, via text,
      credential text, "importId" bigint, edit text, track text, behind integer)
  )
  insert into change (${changeColumns})
  select r.viewer, r.type, r."itemId", last.value - r.behind, case when r."isNew" then last.value - r.behind else 0 end,
    r.version, r.removed, $3, r."externalIds", case when r."isNew" then last.value - r.behind else 0 end
  from last, json_to_recordset($2) as r (viewer text, type text, "itemId" bigint, "isNew" boolean, version integer,
    removed text, "externalIds" text, behind integer)
  ${onConflict} returning number`

async function writeInOneStatement(
  tx: Executor,
  { entries, kept, at }: Writes,
  increments: readonly Increment[],
): Promise<number> {
  const rows = kept.map((row) => ({ ...row, track: row.track && Buffer.from(row.track).toString('hex') }))
  const run = tx.last?.query ?? tx.query
  const written = await run(inOneStatement, [
    JSON.stringify(increments),
    JSON.stringify(entries),
    at,
    JSON.stringify(rows),
  ])
  return written.reduce((most, row) => Math.max(most, row['number'] as number), 0)
}

/** Rows per statement. Each length is prepared once, so only these lengths and one for many rows are used. */
const TOGETHER_AT_MOST = 8
const MANY = 64

type Statements = ReadonlyMap<number, string>
const rowsOf = (values: number, statement: (rows: string) => string): Statements =>
  new Map(
    [...Array(TOGETHER_AT_MOST + 1).keys(), MANY].map((count) => {
      const rows = Array(count).fill(`(${Array(values).fill('?').join(', ')})`)
      return [count, statement(rows.join(', '))]
    }),
  )
const increment = rowsOf(2, (rows) => `insert into revision (name, value) values ${rows} ${addition}`)
const insertEntries = rowsOf(
  10,
  (rows) => `insert into change (${changeColumns}) values ${rows} ${onConflict}`,
)
const insertHistory = rowsOf(
  historyColumns.length,
  (rows) => `insert into flight_history (${historyColumns.join(', ')}) values ${rows}`,
)

const numberOfLast = 'select value from revision where name = ?'

async function writeTogether(tx: Executor, statements: Statements, rows: readonly Value[][]): Promise<void> {
  for (let start = 0; start < rows.length; ) {
    const count = rows.length - start >= MANY ? MANY : Math.min(TOGETHER_AT_MOST, rows.length - start)
    const some = rows.slice(start, start + count)
    await tx.query(statements.get(count)!, some.flat())
    start += count
    // SQLite runs synchronously: other requests are served in between.
    if (count === MANY) await setImmediate()
  }
}

async function writeInSeveralStatements(
  tx: Executor,
  { entries, kept, at }: Writes,
  increments: readonly Increment[],
): Promise<number> {
  await writeTogether(
    tx,
    increment,
    increments.map(({ name, value }) => [name, value]),
  )
  // Read, not returned: in a savepoint, SQLite would copy every page that a statement with `returning` changes.
  const [counter] = await tx.query(numberOfLast, [CHANGES])
  const last = counter!['value'] as number
  const rows = entries.map((entry): Value[] => {
    const number = last - entry.behind
    const { viewer, type, itemId, isNew, version, removed, externalIds } = entry
    const seen = isNew ? number : 0
    return [viewer, type, itemId, number, seen, version, removed, at, externalIds, seen]
  })
  await writeTogether(tx, insertEntries, rows)
  await writeTogether(
    tx,
    insertHistory,
    kept.map((row): Value[] => {
      const { flightId, kind, version, userId, via, credential, importId, edit, track } = row
      return [last - row.behind, flightId, kind, version, at, userId, via, credential, importId, edit, track]
    }),
  )
  return last
}
/** For a person who is deleted. */
export const deleteChangesOf = query((db, p: { viewer: string }) =>
  db.deleteFrom('change').where('viewer', '=', p.viewer).returning('number'),
)

const deleteTombstones = query((db, p: { before: string }) =>
  db
    .deleteFrom('change')
    .where('removed', 'is not', null)
    .where('at', '<', p.before)
    .returning(['viewer', 'number']),
)
/**
 * Deletes the tombstones of removals before a certain time, and stores the highest deleted number per viewer: a reader at a
 * lower number may have missed a removal.
 */
export async function forgetTombstones(tx: Executor, before: string): Promise<void> {
  const forgotten = await deleteTombstones(tx, { before })
  const byViewer = Map.groupBy(forgotten, ({ viewer }) => forgottenFor(viewer))
  for (const name of inLockOrder(byViewer.keys())) {
    const highest = byViewer.get(name)!.reduce((most, { number }) => Math.max(most, number), 0)
    await raiseRevision(tx, { name, value: highest })
  }
}

/** The external ids for the tombstones of these flights; read before the rows are gone. */
export async function externalIdsForTombstones(
  tx: Executor,
  flightIds: readonly number[],
): Promise<Map<number, Record<string, ExternalIds>>> {
  const byFlight = new Map<number, Record<string, ExternalIds>>()
  for (const { flightId, userId, source, value } of await findExternalIdsOfFlights(tx, flightIds)) {
    const byUser = byFlight.get(flightId) ?? {}
    byUser[userId] = { ...byUser[userId], [source]: value }
    byFlight.set(flightId, byUser)
  }
  return byFlight
}

// Reading

export interface Change {
  type: ChangeType
  id: number
  number: number
  /** The number of the change since which the viewer sees it; 0 if unknown. */
  appeared: number
  version: number
  removed: RemovalReason | null
  at: string
  /** The external ids of a removed flight, by person. */
  externalIds: Record<string, ExternalIds>
}

interface Range {
  viewer: string
  after: number
  limit: number
}

const rowsAfter = query((db, p: Range & { type: ChangeType }) =>
  db
    .selectFrom('change')
    .select(['type', 'itemId as id', 'number', 'appeared', 'version', 'removed', 'at', 'externalIds'])
    .where('viewer', '=', p.viewer)
    .where('type', '=', p.type)
    .where('number', '>', p.after)
    .orderBy('number')
    .limit(p.limit),
)

/** The newest change of each item that a viewer sees, if it is above a number; oldest first. */
export async function listChanges(
  db: Executor,
  viewer: string,
  type: ChangeType,
  after: number,
  limit: number,
): Promise<Change[]> {
  const rows = await rowsAfter(db, { viewer, type, after, limit })
  return rows.map((row) => ({
    ...row,
    externalIds: row.externalIds === null ? {} : fromJson<Change['externalIds']>(row.externalIds),
  }))
}
