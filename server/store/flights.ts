// Flights and who was on them. A flight and its passengers always come from one statement, so no reader sees the
// passengers of one version beside the fields of another.
import { type AliasableExpression, type InferResult, type SelectQueryBuilder, sql } from 'kysely'
import type { FlightOrder } from '../domain/enums.ts'
import {
  type FlightFields,
  flightColumnNames,
  fromFlightColumns,
  type PassengerFields,
  passengerFieldNames,
  pick,
} from '../domain/flight-fields.ts'
import type { Standing } from '../domain/standing.ts'
import { fromJson, MAX_ID } from './codecs.ts'
import { selectionOf } from './columns.ts'
import { jsonObjectOf } from './dialect.ts'
import type { Executor } from './engine.ts'
import type { ExternalIds } from './external-ids.ts'
import { type Builder, query, queryByList } from './query.ts'

/** Values of custom fields by the definition's id. */
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
  /** The revisions of people and reference records that its last write saw; null if unknown. */
  seenRecords: string | null
  /** The import that created it. */
  importId: number | null
  passengers: StoredPassenger[]
  track: TrackSummary | null
}

// Reading: one row per passenger, the flight's columns repeated, folded back together below.

/** What a list is ordered by, before the id, and in which direction. */
const sorting = {
  newest: ['flight.date', 'desc'],
  oldest: ['flight.date', 'asc'],
  updated: ['flight.updated_at', 'asc'],
  lastAdded: ['flight.id', 'desc'],
  lastChanged: ['flight.updated_at', 'desc'],
} as const satisfies Record<FlightOrder, readonly [string, string]>

/** Joins everything a flight shows onto a sub-query of flight ids. */
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
    .leftJoin('track', 'track.flight_id', 'flight.id')
    .leftJoin('flight_passenger as passenger', 'passenger.flight_id', 'flight.id')
    .leftJoin('person', 'person.id', 'passenger.user_id')
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
      'track.updated_at as trackUpdatedAt',
      'passenger.id as passengerId',
      ...selectionOf('passenger', passengerFieldNames),
      'passenger.custom_fields as passengerValues',
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

/** A place in the list "date descending, then id descending": rows strictly after it come next. */
export interface Position {
  date: string
  id: number
}
/** Sorts before every row, because letters sort after digits. */
export const START: Position = { date: 'start', id: MAX_ID }

export interface PageRequest extends Position {
  limit: number
}

/** One page of rows by date, then id, newest first; every list of flights and of deleted flights is read this way. */
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
 * The newest flight first, as `joined` orders them. SQLite would copy every column of every row to sort them, though it
 * finds them in this order; so they are compared here.
 */
const newestFirst = (rows: readonly JoinedRow[]): JoinedRow[] =>
  rows.toSorted(
    (a, b) =>
      (a.date < b.date ? 1 : a.date > b.date ? -1 : 0) ||
      b.id - a.id ||
      (a.passengerId ?? 0) - (b.passengerId ?? 0),
  )

const pageOfUser = query<PageRequest & { userId: string }, JoinedRow>((db, p) => {
  const own = db.selectFrom('flight_passenger').select('flight_id as id').where('user_id', '=', p.userId)
  return joinedInAnyOrder(db, pageOf(own, 'flight_date', 'flight_id', p))
})
const pageOfAll = query<PageRequest, JoinedRow>((db, p) =>
  joinedInAnyOrder(db, pageOf(db.selectFrom('flight').select('id'), 'date', 'id', p)),
)

/** The rows of flights of one person, or of all people when `userId` is null, after a position, newest first. */
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

export interface Name {
  id: string
  displayName: string
  username: string
}
const flightById = query<{ id: number }, JoinedRow>((db, p) =>
  joined(db, db.selectFrom('flight').select('id').where('id', '=', p.id)),
)
export const findFlight = async (db: Executor, id: number): Promise<StoredFlight | undefined> =>
  foldRows(await flightById(db, { id }))[0]

/** A row of a flight with the external ids that its viewer gave it, as JSON. */
export type ViewedRow = JoinedRow & { externalIds: string | null }

const flightFor = query<{ id: number; viewer: string }, ViewedRow>((db, p, engine) =>
  joined(db, db.selectFrom('flight').select('id').where('id', '=', p.id)).select(
    sql<string | null>`(select cast(${sql.raw(jsonObjectOf[engine])}(source, value) as text) from
        (select source, value from external_id
          where flight_id = flight.id and user_id = ${p.viewer} order by source) as named)`.as('externalIds'),
  ),
)
/** The rows of one flight. One statement, because on PostgreSQL each is a round trip. */
export const findFlightRows = (db: Executor, id: number, viewer: string): Promise<ViewedRow[]> =>
  flightFor(db, { id, viewer })

export const externalIdsIn = ({ externalIds }: ViewedRow): ExternalIds =>
  externalIds === null ? {} : fromJson<ExternalIds>(externalIds)

const flightsByIds = queryByList<number, JoinedRow>((db, ids) =>
  joined(db, db.selectFrom('flight').select('id').where('id', 'in', ids)),
)
/** Those that exist, newest first. Pass at most as many ids as one statement takes, so that all are of one snapshot. */
export const findFlights = async (db: Executor, ids: readonly number[]): Promise<StoredFlight[]> =>
  foldRows(await flightsByIds(db, ids))
