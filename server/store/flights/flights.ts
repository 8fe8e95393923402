// Flights and their passengers. Both always come from one statement, so no reader sees the passengers of one version
// with the fields of another.
import { type AliasableExpression, type InferResult, type SelectQueryBuilder, sql } from 'kysely'
import type { FlightOrder } from '../../domain/enums.ts'
import type { Standing } from '../../domain/flights/consent.ts'
import {
  type FlightFields,
  flightColumnNames,
  fromFlightColumns,
  type PassengerFields,
  passengerFieldNames,
} from '../../domain/flights/fields.ts'
import { pick } from '../../domain/pick.ts'
import { fromJson, MAX_ID } from '../engine/codecs.ts'
import { selectionOf } from '../engine/columns.ts'
import { jsonObjectOf } from '../engine/dialect.ts'
import type { Executor } from '../engine/engine.ts'
import { type Builder, query, queryByList } from '../engine/query.ts'
import type { ExternalIds } from '../history/external-ids.ts'

/** Values of custom fields, by the definition's id. */
export type StoredValues = Record<string, unknown>

export interface StoredPassenger extends PassengerFields, Standing {
  id: number
  username: string | null
  displayName: string | null
  customFields: StoredValues
}
interface TrackSummary {
  pointCount: number
  updatedAt: string
  sourceFormat: string
  sourceName: string | null
}
export interface StoredFlight extends FlightFields {
  id: number
  customFields: StoredValues
  createdAt: string
  updatedAt: string
  version: number
  /** The revisions of people and reference records at its last write; null if unknown. */
  seenRecords: string | null
  /** The import that created it. */
  importId: number | null
  passengers: StoredPassenger[]
  track: TrackSummary | null
}

// Reading: one row per passenger, the flight's columns repeated, folded back together below.

/** The sort column of a list, before the id, and its direction. */
const sorting = {
  newest: ['flight.date', 'desc'],
  oldest: ['flight.date', 'asc'],
  updated: ['flight.updatedAt', 'asc'],
  lastAdded: ['flight.id', 'desc'],
  lastChanged: ['flight.updatedAt', 'desc'],
} as const satisfies Record<FlightOrder, readonly [string, string]>

/** Joins everything that a flight shows to a subquery of flight ids. */
export const joined = (
  db: Builder,
  page: AliasableExpression<{ id: number }>,
  order: FlightOrder = 'newest',
) =>
  joinedInAnyOrder(db, page)
    .orderBy(sorting[order][0], sorting[order][1])
    .orderBy('flight.id', sorting[order][1])
    .orderBy('passenger.id')

const joinedInAnyOrder = (db: Builder, page: AliasableExpression<{ id: number }>) =>
  db
    .selectFrom(page.as('page'))
    .innerJoin('flight', 'flight.id', 'page.id')
    .leftJoin('track', 'track.flightId', 'flight.id')
    .leftJoin('flightPassenger as passenger', 'passenger.flightId', 'flight.id')
    .leftJoin('person', 'person.id', 'passenger.userId')
    .select([
      ...selectionOf('flight', flightColumnNames),
      ...selectionOf('flight', [
        'id',
        'customFields',
        'createdAt',
        'updatedAt',
        'version',
        'seenRecords',
        'importId',
      ]),
      ...selectionOf('track', ['pointCount', 'sourceFormat', 'sourceName']),
      'track.updatedAt as trackUpdatedAt',
      'passenger.id as passengerId',
      ...selectionOf('passenger', passengerFieldNames),
      'passenger.customFields as passengerValues',
      ...selectionOf('passenger', ['addedBy', 'keptAt']),
      ...selectionOf('person', ['username', 'displayName']),
    ])

export type JoinedRow = InferResult<ReturnType<typeof joined>>[number]

/** Rows are ordered by flight, so each flight's rows are adjacent. */
export function foldRows(rows: readonly JoinedRow[]): StoredFlight[] {
  const flights: StoredFlight[] = []
  for (const row of rows) {
    let flight = flights.at(-1)
    if (flight?.id !== row.id) {
      flight = toFlight(row)
      flights.push(flight)
    }
    if (row.passengerId !== null) flight.passengers.push(toPassenger(row))
  }
  return flights
}

const noValues: StoredValues = Object.freeze({})
const values = (json: string | null): StoredValues =>
  json === null ? noValues : fromJson<StoredValues>(json)

const toFlight = (row: JoinedRow): StoredFlight => ({
  id: row.id,
  ...fromFlightColumns(row),
  customFields: values(row.customFields),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  version: row.version,
  seenRecords: row.seenRecords,
  importId: row.importId,
  passengers: [],
  track:
    row.pointCount === null
      ? null
      : {
          pointCount: row.pointCount,
          updatedAt: row.trackUpdatedAt!,
          sourceFormat: row.sourceFormat!,
          sourceName: row.sourceName,
        },
})

const toPassenger = (row: JoinedRow): StoredPassenger => ({
  id: row.passengerId!,
  ...pick(row, passengerFieldNames),
  username: row.username,
  displayName: row.displayName,
  customFields: values(row.passengerValues),
  addedBy: row.addedBy,
  keptAt: row.keptAt,
})

/** A position in the list "date descending, then id descending"; the next page begins after it. */
export interface Position {
  date: string
  id: number
}
/** Sorts before every row, because letters sort after digits. */
export const START: Position = { date: 'start', id: MAX_ID }

export interface PageRequest extends Position {
  limit: number
}

/** One page of rows by date, then id, newest first. All lists of flights and of deleted flights are read this way. */
export const pageOf = <DB, Tables extends keyof DB, Output>(
  rows: SelectQueryBuilder<DB, Tables, Output>,
  dateColumn: string,
  idColumn: string,
  { date, id, limit }: PageRequest,
) => {
  const [byDate, byId] = [sql.ref<string>(dateColumn), sql.ref<number>(idColumn)]
  return rows
    .where(sql<boolean>`(${byDate}, ${byId}) < (${date}, ${id})`)
    .orderBy(byDate, 'desc')
    .orderBy(byId, 'desc')
    .limit(limit)
}

/**
 * Newest flight first, as `joined` orders them. Sorted here because SQLite would copy every column of every row to sort
 * them, although it finds them in this order.
 */
const newestFirst = (rows: readonly JoinedRow[]): JoinedRow[] =>
  rows.toSorted(
    (a, b) =>
      (a.date < b.date ? 1 : a.date > b.date ? -1 : 0) ||
      b.id - a.id ||
      (a.passengerId ?? 0) - (b.passengerId ?? 0),
  )

const pageOfUser = query((db, p: PageRequest & { userId: string }) => {
  const own = db.selectFrom('flightPassenger').select('flightId as id').where('userId', '=', p.userId)
  return joinedInAnyOrder(db, pageOf(own, 'flightDate', 'flightId', p))
})
const pageOfAll = query((db, p: PageRequest) =>
  joinedInAnyOrder(db, pageOf(db.selectFrom('flight').select('id'), 'date', 'id', p)),
)

/** The rows of flights after a position, newest first; everyone's if `userId` is null. */
export async function listFlightRows(
  db: Executor,
  userId: string | null,
  position: Position,
  limit: number,
): Promise<JoinedRow[]> {
  const request = { ...position, limit }
  return newestFirst(
    userId === null ? await pageOfAll(db, request) : await pageOfUser(db, { ...request, userId }),
  )
}

/** The same as flights. */
export const listFlights = async (...page: Parameters<typeof listFlightRows>): Promise<StoredFlight[]> =>
  foldRows(await listFlightRows(...page))

interface Versioned {
  id: number
  date: string
  version: number
}

const versionsOfUser = query((db, p: PageRequest & { userId: string }) => {
  const own = db.selectFrom('flightPassenger').select('flightId as id').where('userId', '=', p.userId)
  return db
    .selectFrom(pageOf(own, 'flightDate', 'flightId', p).as('page'))
    .innerJoin('flight', 'flight.id', 'page.id')
    .select(['flight.id', 'flight.date', 'flight.version'])
    .orderBy('flight.date', 'desc')
    .orderBy('flight.id', 'desc')
})
const versionsOfAll = query((db, p: PageRequest) =>
  pageOf(db.selectFrom('flight').select(['id', 'date', 'version']), 'date', 'id', p),
)

/** Which flights a log has after a position, newest first, and their versions. Everyone's if `userId` is null. */
export const listVersions = (
  db: Executor,
  userId: string | null,
  position: Position,
  limit: number,
): Promise<Versioned[]> =>
  userId === null
    ? versionsOfAll(db, { ...position, limit })
    : versionsOfUser(db, { ...position, limit, userId })

export interface Name {
  id: string
  displayName: string
  username: string
}
const flightById = query((db, p: { id: number }) =>
  joined(db, db.selectFrom('flight').select('id').where('id', '=', p.id)),
)
export const findFlight = async (db: Executor, id: number): Promise<StoredFlight | undefined> =>
  foldRows(await flightById(db, { id }))[0]

/** A row of a flight with the viewer's external ids, as JSON. */
export type ViewedRow = JoinedRow & { externalIds: string | null }
/** The rows of one flight, in one round trip. */
export const findFlightRows = query((db, p: { id: number; viewer: string }, engine) =>
  joined(db, db.selectFrom('flight').select('id').where('id', '=', p.id)).select(
    sql<string | null>`(select cast(${sql.raw(jsonObjectOf[engine])}(source, value) as text) from
        (select source, value from external_id
          where flight_id = flight.id and user_id = ${p.viewer} order by source) as named)`.as('externalIds'),
  ),
)

export const externalIdsIn = ({ externalIds }: ViewedRow): ExternalIds =>
  externalIds === null ? {} : fromJson<ExternalIds>(externalIds)

const flightsByIds = queryByList((db, ids: number[]) =>
  joined(db, db.selectFrom('flight').select('id').where('id', 'in', ids)),
)
/** The flights that exist, newest first. Pass no more ids than fit into one statement, so that all come from one snapshot. */
export const findFlights = async (db: Executor, ids: readonly number[]): Promise<StoredFlight[]> =>
  foldRows(await flightsByIds(db, ids))
