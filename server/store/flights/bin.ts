// The bin: deleted flights with all their data, until they are restored or erased. They have their own tables, so that
// no other query returns one by mistake. Rows move with all their columns, including those that later migrations add.
import { type AliasableExpression, type InferResult, sql } from 'kysely'
import { createSlices } from '../../base/in-steps.ts'
import {
  type FlightColumns,
  flightColumnNames,
  fromFlightColumns,
  nothingKnown,
  type PassengerFields,
  passengerFieldNames,
  referenceFields,
} from '../../domain/flights/fields.ts'
import { pick } from '../../domain/pick.ts'
import { upsertMany } from '../engine/bulk.ts'
import { fromJson, toJson } from '../engine/codecs.ts'
import { columnOf, fromColumns, selectionOf } from '../engine/columns.ts'
import { columnNames, type EngineKind, foreignKeys, locksRows } from '../engine/dialect.ts'
import type { Executor, Row } from '../engine/engine.ts'
import { type Builder, query, queryByList, queryFirst } from '../engine/query.ts'
import { externalIdsForTombstones, type FlightChange, recordFlightChanges } from '../history/changes.ts'
import { type ExternalId, listHolders, lockExternalIds } from '../history/external-ids.ts'
import { deleteHistoryOf } from '../history/history.ts'
import type { Author } from '../history/rows.ts'
import {
  type PageRequest,
  pageOf,
  type StoredFlight,
  type StoredPassenger,
  type StoredValues,
} from './flights.ts'
import { eraseFlights, listPeopleOn } from './writes.ts'

/** Tables whose rows belong to one flight, by `flight_id`, and are deleted and restored with it. */
export const belongings = ['flight_passenger', 'track', 'demo_flight', 'external_id', 'trip_flight'] as const

/** Columns that the bin's tables also have; all others are in `content`. */
const flightKeeps = ['id', ...referenceFields.map(columnOf), 'custom_fields']
const rowKeeps = ['flight_id', 'user_id', 'custom_fields', 'body']

/** As many ids as fit into one statement; fewer on SQLite, which blocks other requests while it runs one. */
const FLIGHTS_AT_ONCE: Record<EngineKind, number> = { sqlite: 64, postgres: 256 }
/** As many tracks as fit into memory. */
const TRACKS_AT_ONCE = 64

const slicesOf = (ids: readonly number[], length: number): number[][] => {
  const ordered = [...new Set(ids)].sort((a, b) => a - b)
  return Array.from({ length: Math.ceil(ordered.length / length) }, (_, i) =>
    ordered.slice(i * length, (i + 1) * length),
  )
}

const partsOf = (table: string, ids: readonly number[]): number[][] =>
  table === 'track' ? slicesOf(ids, TRACKS_AT_ONCE) : [[...ids]]

// Columns are read from the database: another process with a newer version may have added some.

type Columns = Map<string, string[]>

async function currentColumns(tx: Executor): Promise<Columns> {
  const rows = await tx.query(columnNames[tx.kind](['flight', ...belongings]), [])
  const byTable = Map.groupBy(rows, (row) => row['origin'] as string)
  return new Map([...byTable].map(([table, found]) => [table, found.map((row) => row['name'] as string)]))
}

/** Builds each query once per table and columns. */
function memoized<Made>(make: (table: string, columns: string[]) => Made) {
  const made = new Map<string, Made>()
  return (table: string, columns: string[]): Made => {
    const name = `${table}: ${columns.join()}`
    const found = made.get(name) ?? make(table, columns)
    made.set(name, found)
    return found
  }
}

// Deleting

/** Rows move under the database's column names. */
const asStored = (columns: readonly string[]) => columns.map((name) => sql.ref(name).as(name))

/** Names all columns: PostgreSQL refuses a prepared `select *` after a column is added. */
const lockFlights = memoized((_table, columns) =>
  queryByList((db, ids: number[], _p, engine) =>
    db
      .selectFrom('flight')
      .select(asStored(columns))
      .where('id', 'in', ids)
      .orderBy('id')
      .$if(locksRows(engine), (flights) => flights.forUpdate()),
  ),
)
const rowsOfFlights = memoized((table, columns) =>
  queryByList((db, ids: number[]) =>
    db
      .selectFrom(table as 'flightPassenger')
      .select(asStored(columns))
      .where('flightId', 'in', ids)
      .orderBy(sql.ref(columns.includes('id') ? 'id' : 'flightId')),
  ),
)

/** Moves flights with all their data to the bin. Returns the ids of those that existed. */
export async function moveToBin(
  tx: Executor,
  ids: readonly number[],
  author: Author,
  now: Date,
): Promise<number[]> {
  const changes: FlightChange[] = []
  const deletedAt = now.toISOString()
  const columns = await currentColumns(tx)
  const slices = createSlices()
  for (const slice of slicesOf(ids, FLIGHTS_AT_ONCE[tx.kind])) {
    await slices.next()
    const flights = (await lockFlights('flight', columns.get('flight')!)(tx, slice)).map(withNextVersion)
    const found = flights.map((flight) => flight['id'] as number)
    changes.push(...(await deletionsOf(tx, flights, 'deleted')))
    const stamp = { deleted_at: deletedAt, deleted_by: author.userId }
    await insertAll(
      tx,
      'deleted_flight',
      flights.map((flight) => Object.assign(packed(flight, flightKeeps), stamp)),
    )
    for (const origin of belongings) {
      for (const part of partsOf(origin, found)) {
        const rows = await rowsOfFlights(origin, columns.get(origin)!)(tx, part)
        await insertAll(
          tx,
          'deleted_flight_row',
          rows.map((row) => Object.assign(packed(row, rowKeeps), { origin, deleted_at: deletedAt })),
        )
      }
    }
    await slices.next()
    await eraseFlights(tx, found)
  }
  await recordFlightChanges(tx, changes, author, deletedAt)
  return changes.map((change) => change.id)
}

/** A flight gets a new version when it is deleted, and again when it is restored. */
const withNextVersion = (row: Row): Row => ({ ...row, version: Number(row['version'] ?? 1) + 1 })

/** The changes to record for deleting these flights; read before their rows are gone. */
async function deletionsOf(
  tx: Executor,
  flights: readonly Row[],
  history: 'deleted' | null,
): Promise<FlightChange[]> {
  const ids = flights.map((flight) => flight['id'] as number)
  const people = await listPeopleOn(tx, ids)
  const externalIds = await externalIdsForTombstones(tx, ids)
  return flights.map((flight) => {
    const id = flight['id'] as number
    return {
      id,
      version: flight['version'] as number,
      kind: 'deleted',
      history,
      users: (people.get(id) ?? []).map(({ userId }) => userId),
      externalIds: externalIds.get(id),
    }
  })
}

function packed(row: Row, kept: readonly string[]): Row {
  const rest = { ...row }
  const columns: Row = {}
  for (const name of kept) {
    columns[name] = row[name] ?? null
    // JSON omits undefined values.
    rest[name] = undefined
  }
  columns['content'] = toJson(rest)
  return columns
}

const unpacked = ({ content, ...columns }: Row): Row => ({
  ...fromJson<Row>(content as string),
  ...columns,
})

/** None of the rows may exist yet. Rows deleted at different times may have different columns. */
async function insertAll(tx: Executor, table: string, rows: readonly Row[]): Promise<void> {
  for (const [columns, alike] of Map.groupBy(rows, (row) => Object.keys(row).join())) {
    await upsertMany(tx, table, columns.split(','), [], alike)
  }
}

// Restoring

const lockDeletedRows = queryByList((db, ids: number[], p: { after: string }, engine) =>
  db
    .selectFrom('deletedFlight')
    .select(asStored([...flightKeeps, 'content']))
    .where('id', 'in', ids)
    .where('deletedAt', '>', p.after)
    .orderBy('id')
    .$if(locksRows(engine), (flights) => flights.forUpdate()),
)
const deletedRowsOf = queryByList((db, ids: number[], p: { origin: string }) =>
  db
    .selectFrom('deletedFlightRow')
    .select(asStored([...rowKeeps, 'content']))
    .where('flightId', 'in', ids)
    .where('origin', '=', p.origin)
    .orderBy('id'),
)
const eraseRows = queryByList((db, ids: number[]) =>
  db.deleteFrom('deletedFlight').where('id', 'in', ids).returning('id'),
)

/** Restores flights that were deleted after this time. Returns the ids of those that existed. */
export async function restoreFlights(
  tx: Executor,
  ids: readonly number[],
  after: string,
  author: Author,
  now: string,
): Promise<number[]> {
  const changes: FlightChange[] = []
  const columns = await currentColumns(tx)
  const slices = createSlices()
  for (const slice of slicesOf(ids, FLIGHTS_AT_ONCE[tx.kind])) {
    await slices.next()
    const flights = await lockDeletedRows(tx, slice, { after })
    const found = flights.map((flight) => flight['id'] as number)
    const renewed = flights.map((flight): Row => ({ ...withNextVersion(unpacked(flight)), updated_at: now }))
    await putBack(tx, 'flight', columns, renewed)
    for (const table of belongings) {
      for (const part of partsOf(table, found)) {
        const own = (await deletedRowsOf(tx, part, { origin: table })).map(unpacked)
        if (table === 'external_id') await putBackIds(tx, columns, own)
        else await putBack(tx, table, columns, own)
      }
    }
    await eraseRows(tx, found)
    const people = await listPeopleOn(tx, found)
    changes.push(
      ...renewed.map((flight): FlightChange => {
        const id = flight['id'] as number
        const users = (people.get(id) ?? []).map(({ userId }) => userId)
        return { id, version: flight['version'] as number, kind: 'created', history: 'restored', users }
      }),
    )
  }
  await recordFlightChanges(tx, changes, author, now)
  return changes.map((change) => change.id)
}

const nameOf = ({ source, value }: ExternalId): string => `${source}\n${value}`

/** An external id that the person has since given to another flight stays with that flight. */
async function putBackIds(tx: Executor, columns: Columns, unpackedRows: readonly Row[]): Promise<void> {
  if (unpackedRows.length === 0) return
  const byPerson = Map.groupBy(unpackedRows, (row) => row['user_id'] as string)
  await lockExternalIds(tx, ...byPerson.keys())
  const free: Row[] = []
  for (const [userId, rows] of byPerson) {
    const ids = rows as unknown as ExternalId[]
    const held = new Set((await listHolders(tx, userId, ids)).map(nameOf))
    free.push(...rows.filter((row) => !held.has(nameOf(row as unknown as ExternalId))))
  }
  await putBack(tx, 'external_id', columns, free)
}

async function putBack(
  tx: Executor,
  table: string,
  columns: Columns,
  unpackedRows: readonly Row[],
): Promise<void> {
  if (unpackedRows.length === 0) return
  const rows = unpackedRows.map((row) => {
    const names = columns.get(table)!.filter((name) => name in row)
    return Object.fromEntries(names.map((name) => [name, row[name]]))
  })
  await insertAll(tx, table, await withoutDanglingKeys(tx, table, rows))
}

interface ForeignKey {
  name: string
  target: string
  key: string
  rule: string
}

/**
 * A record that a row refers to may have been deleted while the row was in the bin. Does what the foreign key would have
 * done outside the bin: drops the row or sets the column to null.
 */
async function withoutDanglingKeys(tx: Executor, table: string, rows: readonly Row[]): Promise<Row[]> {
  let kept = [...rows]
  for (const row of await tx.query(foreignKeys[tx.kind](table), [])) {
    const { name, target, key, rule } = row as unknown as ForeignKey
    const referred = new Set<unknown>(kept.flatMap((found) => found[name] ?? []))
    const present = await keysAmong(target, [key])(tx, [...referred] as (string | number)[])
    const missing = referred.difference(new Set(present.map((found) => found.key)))
    if (missing.size === 0) continue
    if (rule === 'cascade') kept = kept.filter((found) => !missing.has(found[name]))
    else kept = kept.map((found) => (missing.has(found[name]) ? { ...found, [name]: null } : found))
  }
  return kept
}

const keysAmong = memoized((table, [key]) =>
  queryByList((db, values: (string | number)[]) =>
    db
      .selectFrom(table as 'flight')
      .select(sql.ref(key!).as('key'))
      .where(sql.ref<string | number>(key!), 'in', values),
  ),
)

// Erasing

/** Erases flights in the bin, with their history. Returns the ids of those that existed. */
export async function eraseDeletedFlights(tx: Executor, ids: readonly number[]): Promise<number[]> {
  const erased = (await eraseRows(tx, ids)).map((row) => row.id)
  await deleteHistoryOf(tx, erased)
  return erased
}

/** Erases flights from the log, with their history. Returns the changes, which the caller records. */
export async function eraseFromLog(tx: Executor, ids: readonly number[]): Promise<FlightChange[]> {
  const changes: FlightChange[] = []
  const slices = createSlices()
  for (const slice of slicesOf(ids, FLIGHTS_AT_ONCE[tx.kind])) {
    await slices.next()
    const flights = (await lockFlights('flight', ['id', 'version'])(tx, slice)).map(withNextVersion)
    changes.push(...(await deletionsOf(tx, flights, null)))
    await eraseFlights(tx, slice)
    await deleteHistoryOf(tx, slice)
  }
  return changes
}
/** Erases flights that were deleted at or before this time. */
export const eraseFlightsDeletedBefore = query((db, p: { after: string }) =>
  db.deleteFrom('deletedFlight').where('deletedAt', '<=', p.after).returning('id'),
)

/** The deleted flights that a person was on. */
export const listBinOf = query(
  (db, p: { userId: string }) =>
    db
      .selectFrom('deletedFlightRow')
      .select('flightId as id')
      .where('userId', '=', p.userId)
      .where('origin', '=', 'flight_passenger'),
  (row) => row.id,
)

const eraseUnowned = queryByList((db, ids: number[]) =>
  db
    .deleteFrom('deletedFlight')
    .where('id', 'in', ids)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('deletedFlightRow as part')
            .select('part.id')
            .whereRef('part.flightId', '=', 'deletedFlight.id')
            .where('part.origin', '=', 'flight_passenger')
            .where('part.userId', 'is not', null),
        ),
      ),
    )
    .returning('id'),
)
/** Erases those of these deleted flights that no user is on any more, so that none sees them in a bin. */
export async function eraseUnownedDeletedFlights(tx: Executor, ids: readonly number[]): Promise<void> {
  const erased = await eraseUnowned(tx, ids)
  await deleteHistoryOf(
    tx,
    erased.map(({ id }) => id),
  )
}

// Passengers

/** Whether a person was on a flight that was deleted after this time; undefined if there is no such flight. */
export const wasPassenger = queryFirst(
  (db, p: { id: number; userId: string; after: string }) =>
    db
      .selectFrom('deletedFlight')
      .leftJoin('deletedFlightRow as part', (join) =>
        join
          .onRef('part.flightId', '=', 'deletedFlight.id')
          .on('part.origin', '=', 'flight_passenger')
          .on('part.userId', '=', p.userId),
      )
      .select((eb) => eb.case().when('part.id', 'is', null).then(0).else(1).end().as('isOn'))
      .where('deletedFlight.id', '=', p.id)
      .where('deletedFlight.deletedAt', '>', p.after),
  (row): boolean => row.isOn === 1,
)

const peopleInBin = queryByList((db, ids: number[]) =>
  db
    .selectFrom('deletedFlightRow')
    .select(['flightId', sql<string>`user_id`.as('userId')])
    .where('flightId', 'in', ids)
    .where('origin', '=', 'flight_passenger')
    .where('userId', 'is not', null),
)
/** The users on these deleted flights, by flight. */
export async function listPeopleInBin(db: Executor, ids: readonly number[]): Promise<Map<number, string[]>> {
  const byFlight = Map.groupBy(await peopleInBin(db, ids), ({ flightId }) => flightId)
  return new Map([...byFlight].map(([id, rows]) => [id, rows.map(({ userId }) => userId)]))
}

const ownAmong = queryByList((db, ids: number[], p: { userId: string }) =>
  db
    .selectFrom('flightPassenger')
    .select('flightId as id')
    .where('flightId', 'in', ids)
    .where('userId', '=', p.userId),
)
const ownDeletedAmong = queryByList((db, ids: number[], p: { userId: string }) =>
  db
    .selectFrom('deletedFlightRow')
    .select('flightId as id')
    .where('flightId', 'in', ids)
    .where('origin', '=', 'flight_passenger')
    .where('userId', '=', p.userId),
)
/** Those of these flights that a person is on, or was on when the flight was deleted. */
export async function listOwnAmong(
  db: Executor,
  ids: readonly number[],
  userId: string,
  where: 'log' | 'bin',
): Promise<number[]> {
  const among = where === 'log' ? ownAmong : ownDeletedAmong
  return (await among(db, ids, { userId })).map((row) => row.id)
}
/** The days of flights on this route that the person deleted. */
export const listDaysInBin = query(
  (db, p: { userId: string; fromId: number; toId: number }) =>
    db
      .selectFrom('deletedFlight')
      .select('content')
      .where('deletedBy', '=', p.userId)
      .where('fromId', '=', p.fromId)
      .where('toId', '=', p.toId),
  ({ content }) => String(fromJson<Row>(content)['date']),
)

// Reading

export interface DeletedFlight extends StoredFlight {
  deletedAt: string
  deletedBy: { id: string; displayName: string } | null
}

const joined = (db: Builder, page: AliasableExpression<{ id: number }>) =>
  db
    .selectFrom(page.as('page'))
    .innerJoin('deletedFlight as flight', 'flight.id', 'page.id')
    .leftJoin('person as deleter', 'deleter.id', 'flight.deletedBy')
    .leftJoin('deletedFlightRow as part', 'part.flightId', 'flight.id')
    .leftJoin('person', 'person.id', 'part.userId')
    .select([
      'flight.id',
      'flight.deletedAt',
      'deleter.id as deleterId',
      'deleter.displayName as deleterName',
      ...selectionOf('flight', referenceFields),
      'flight.customFields',
      'flight.content',
      'part.origin',
      'part.userId',
      'person.username',
      'person.displayName',
      'part.customFields as partValues',
      'part.content as partContent',
    ])
    .orderBy('flight.deletedAt', 'desc')
    .orderBy('flight.id', 'desc')
    .orderBy('part.id')

type BinRow = InferResult<ReturnType<typeof joined>>[number]

interface BinPage extends PageRequest {
  after: string
}
const pageOfUser = query((db, p: BinPage & { userId: string }) => {
  const own = db
    .selectFrom('deletedFlightRow')
    .select('flightId as id')
    .where('userId', '=', p.userId)
    .where('origin', '=', 'flight_passenger')
    .where('deletedAt', '>', p.after)
  return joined(db, pageOf(own, 'deletedAt', 'flightId', p))
})
const pageOfAll = query((db, p: BinPage) => {
  const all = db.selectFrom('deletedFlight').select('id').where('deletedAt', '>', p.after)
  return joined(db, pageOf(all, 'deletedAt', 'id', p))
})

/**
 * Flights that were deleted after a certain time and come after a position, latest deletion first; everyone's if `userId`
 * is null. A position's date is the time of the deletion.
 */
export async function listDeletedFlights(
  db: Executor,
  userId: string | null,
  page: BinPage,
): Promise<DeletedFlight[]> {
  const rows = userId === null ? await pageOfAll(db, page) : await pageOfUser(db, { ...page, userId })
  return [...Map.groupBy(rows, (row) => row.id).values()].map(toDeletedFlight)
}

const byIds = queryByList((db, ids: number[]) =>
  joined(db, db.selectFrom('deletedFlight').select('id').where('id', 'in', ids)),
)
/** Those of these flights that are in the bin. */
export async function findDeletedFlights(db: Executor, ids: readonly number[]): Promise<DeletedFlight[]> {
  const rows = await byIds(db, ids)
  return [...Map.groupBy(rows, (row) => row.id).values()].map(toDeletedFlight)
}

function toDeletedFlight(rows: BinRow[]): DeletedFlight {
  const [head] = rows as [BinRow]
  const live = fromJson<Row>(head.content)
  const columns = fromColumns<FlightColumns>(live, flightColumnNames, nothingKnown)
  const track = rows.find((row) => row.origin === 'track')
  return {
    ...fromFlightColumns({ ...columns, ...pick(head, referenceFields) }),
    id: head.id,
    customFields: values(head.customFields),
    createdAt: live['created_at'] as string,
    updatedAt: live['updated_at'] as string,
    version: Number(live['version'] ?? 1),
    seenRecords: null,
    importId: (live['import_id'] ?? null) as number | null,
    passengers: rows
      .filter((row) => row.origin === 'flight_passenger')
      .map(toPassenger)
      .sort((a, b) => a.id - b.id),
    track: track ? toTrackSummary(fromJson<Row>(track.partContent!)) : null,
    deletedAt: head.deletedAt,
    deletedBy: head.deleterId === null ? null : { id: head.deleterId, displayName: head.deleterName! },
  }
}

function toPassenger(row: BinRow): StoredPassenger {
  const live: Row = { ...fromJson<Row>(row.partContent!), user_id: row.userId }
  return {
    ...fromColumns<PassengerFields>(live, passengerFieldNames),
    id: live['id'] as number,
    username: row.username,
    displayName: row.displayName,
    customFields: values(row.partValues),
    addedBy: (live['added_by'] ?? null) as string | null,
    keptAt: (live['kept_at'] ?? null) as string | null,
  }
}

const toTrackSummary = (track: Row) => ({
  pointCount: track['point_count'] as number,
  updatedAt: track['updated_at'] as string,
  sourceFormat: track['source_format'] as string,
  sourceName: track['source_name'] as string | null,
})

const values = (json: string | null): StoredValues => (json === null ? {} : fromJson<StoredValues>(json))
