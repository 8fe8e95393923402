// One new flight with its passengers. On PostgreSQL, both ways to store it are one statement; the stored flight is then
// built from what was written and the new ids, without reading it back (docs/decisions/005).

import type { Standing } from '../../domain/flights/consent.ts'
import {
  type FlightFields,
  flightColumnNames,
  type PassengerFields,
  passengerFieldNames,
} from '../../domain/flights/fields.ts'
import { insertNew } from '../engine/bulk.ts'
import { columnOf, toColumns } from '../engine/columns.ts'
import type { Executor } from '../engine/engine.ts'
import { CHANGES, EVERYONE, flightsOf } from '../engine/revisions.ts'
import { additionOf, changeColumns, incrementing, recordFlightChanges } from '../history/changes.ts'
import { type Author, historyColumns } from '../history/rows.ts'
import type { Name, StoredFlight, StoredPassenger, StoredValues } from './flights.ts'
import { flightRow, passengerRow } from './writes.ts'

/** `name` is the user's name; undefined for a guest. */
type NewPassenger = PassengerFields & Standing & { customFields: StoredValues; name: Name | undefined }
export interface NewFlight {
  fields: FlightFields
  customFields: StoredValues
  /** In display order. */
  passengers: readonly NewPassenger[]
  seenRecords: string
  at: string
}

interface Ids {
  id: number
  /** In the order of the passengers. */
  passengerIds: number[]
}

const flightColumns = [...flightColumnNames, 'customFields', 'seenRecords', 'createdAt', 'updatedAt'].map(
  columnOf,
)
const passengerColumns = [...passengerFieldNames, 'customFields', 'addedBy', 'keptAt'].map(columnOf)
const given = (columns: readonly string[]) => columns.map((name) => `given.${name}`).join(', ')

/** The last source in `from` provides the rows. */
const insertFlown = (from: string, hasId: boolean) => `flown as (
    insert into flight (${hasId ? 'id, ' : ''}${flightColumns.join(', ')})
    select ${hasId ? 'numbered.id, ' : ''}${given(flightColumns)} from ${from} as given
    returning id, date
  )`
const insertSeated = (from: string) => `seated as (
    insert into flight_passenger (${passengerColumns.join(', ')}, flight_id, flight_date)
    select ${given(passengerColumns)}, flown.id, flown.date from ${from} as given
    returning id, flight_id
  )`

const storeOnly = `with ${insertFlown('json_populate_record(null::flight, $1)', false)},
  ${insertSeated('flown, json_populate_recordset(null::flight_passenger, $2)')}
  select flown.id, (select json_agg(id order by id) from seated) as "passengerIds" from flown`

/**
 * Any number of flights, as `LastStatement.together` sends them. The people on them are locked first, as when a person is
 * deleted: foreign keys are only checked at the end of the statement, when it already holds the counters. Counters are
 * locked after everything that may block, in their fixed order (store/engine/revisions.ts), because other writers wait for
 * them until the commit.
 */
const storeAndRecord = `with numbered as materialized (
    select doc, n, nextval(pg_get_serial_sequence('flight', 'id')) as id
    from json_array_elements($1) with ordinality as given (doc, n)
  ), people as (
    select id from person where id in (select json_array_elements_text(doc->'viewers') from numbered)
    order by id for key share
  ), ${insertFlown(
    `(select count(*) from people) as held, numbered, json_populate_record(null::flight, doc->'flight')`,
    true,
  )}, ${insertSeated(
    `flown join numbered on numbered.id = flown.id,
      json_populate_recordset(null::flight_passenger, doc->'passengers')`,
  )}, counted as (
    insert into revision (name, value)
    select name, count(*)
    from (select count(*) from seated) as done, numbered, json_array_elements_text(doc->'counters') as name
    group by name order by name collate "C" desc
    ${incrementing}
  ), recorded as (
    select doc, n, id, value - (select count(*) from numbered) + n as number
    from counted, numbered where name = '${CHANGES}'
  ), kept as (
    insert into flight_history (${historyColumns.join(', ')})
    select number, id, 'added', 1, doc->>'at', doc->>'userId', doc->>'via', doc->>'credential', null, null, null
    from recorded
  ), entered as (
    insert into change (${changeColumns})
    select viewer, 'flight', id, number, number, 1, null, doc->>'at', null, number
    from recorded, json_array_elements_text(doc->'viewers') as viewer
  )
  select id, number, (select json_agg(seated.id order by seated.id) from seated where flight_id = recorded.id)
    as "passengerIds"
  from recorded order by n`

const usersOf = ({ passengers }: NewFlight): string[] => passengers.flatMap(({ userId }) => userId ?? [])

const rowsOf = ({ fields, customFields, passengers, seenRecords, at }: NewFlight) => ({
  flight: { ...flightRow(fields, customFields, at, seenRecords), createdAt: at },
  passengers: passengers.map((passenger) => passengerRow(passenger, passenger.customFields)),
})

/** The parameters of the PostgreSQL statements. */
function documentOf(flight: NewFlight) {
  const rows = rowsOf(flight)
  return { flight: toColumns(rows.flight), passengers: rows.passengers.map((row) => toColumns(row)) }
}

/** Does not record the change; the caller does so after writing what belongs to the flight. */
export async function insertNewFlight(tx: Executor, flight: NewFlight): Promise<StoredFlight> {
  if (tx.kind === 'sqlite') return toStored(flight, await insertRows(tx, flight))
  const rows = documentOf(flight)
  const [written] = await tx.query(storeOnly, [JSON.stringify(rows.flight), JSON.stringify(rows.passengers)])
  return toStored(flight, written as unknown as Ids)
}

/** Also records the change, so it must be the last write of its transaction. */
export async function insertRecordedFlight(
  tx: Executor,
  flight: NewFlight,
  author: Author,
): Promise<StoredFlight> {
  const users = usersOf(flight)
  if (tx.kind === 'sqlite') {
    const ids = await insertRows(tx, flight)
    await recordFlightChanges(tx, [additionOf(ids.id, users)], author, flight.at)
    return toStored(flight, ids)
  }
  const { userId, via, credential } = author
  const viewers = [EVERYONE, ...users]
  const counters = [CHANGES, ...users.map(flightsOf)]
  const document = { ...documentOf(flight), viewers, counters, at: flight.at, userId, via, credential }
  const written = tx.last
    ? await tx.last.together(storeAndRecord, document)
    : (await tx.query(storeAndRecord, [JSON.stringify([document])]))[0]!
  if (author.outcome) author.outcome.changeId = written['number'] as number
  return toStored(flight, written as unknown as Ids)
}

/** Without `returning`: in a savepoint, SQLite would copy every page that such a statement changes. */
async function insertRows(tx: Executor, flight: NewFlight): Promise<Ids> {
  const rows = rowsOf(flight)
  const [id] = await insertNew(tx, 'flight', [{ ...rows.flight, id: 0 }])
  const on = { flightId: id!, flightDate: flight.fields.date, id: 0 }
  const passengers = rows.passengers.map((passenger) => ({ ...passenger, ...on }))
  return { id: id!, passengerIds: await insertNew(tx, 'flightPassenger', passengers) }
}

/** Equals what a read would return, except for the track, which is written later. */
const toStored = (flight: NewFlight, { id, passengerIds }: Ids): StoredFlight => ({
  id,
  ...flight.fields,
  customFields: flight.customFields,
  createdAt: flight.at,
  updatedAt: flight.at,
  version: 1,
  seenRecords: flight.seenRecords,
  importId: null,
  passengers: flight.passengers.map(
    ({ name, ...passenger }, i): StoredPassenger => ({
      ...passenger,
      id: passengerIds[i]!,
      username: name?.username ?? null,
      displayName: name?.displayName ?? null,
    }),
  ),
  track: null,
})
