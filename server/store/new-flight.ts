// One new flight with its passengers. On PostgreSQL each of the two ways to store it is one statement; what is shown of the
// flight afterwards follows from what was written and the ids (docs/decisions/138).
import {
  type FlightFields,
  flightColumnNames,
  type PassengerFields,
  passengerFieldNames,
} from '../domain/flight-fields.ts'
import type { Standing } from '../domain/standing.ts'
import { insertNew } from './bulk.ts'
import { additionOf, changeColumns, incrementing, recordFlightChanges } from './changes.ts'
import { columnOf } from './columns.ts'
import type { Executor } from './engine.ts'
import { flightRow, passengerRow } from './flight-writes.ts'
import type { Name, StoredFlight, StoredPassenger, StoredValues } from './flights.ts'
import { type Author, historyColumns } from './history-rows.ts'
import { CHANGES, EVERYONE, flightsOf } from './revisions.ts'

/** `name` is that of a user. */
type NewPassenger = PassengerFields & Standing & { customFields: StoredValues; name: Name | undefined }
export interface NewFlight {
  fields: FlightFields
  customFields: StoredValues
  /** In the order in which they are shown. */
  passengers: readonly NewPassenger[]
  seenRecords: string
  at: string
}

interface Ids {
  id: number
  /** In the order of the passengers. */
  passengerIds: number[]
}

const flightColumns = [
  ...flightColumnNames.map(columnOf),
  'custom_fields',
  'seen_records',
  'created_at',
  'updated_at',
]
const passengerColumns = [...passengerFieldNames.map(columnOf), 'custom_fields', 'added_by', 'kept_at']
const given = (columns: readonly string[]) => columns.map((name) => `given.${name}`).join(', ')

/** `from` ends with the rows. */
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
 * Any number of flights, as `LastStatement.together` sends them. Their people are locked first, as the deletion of one does:
 * foreign keys are checked at the end of a statement, when this one holds the counters already. The counters come after all
 * that may wait, in their order (store/revisions.ts): others wait for them until the commit.
 */
const storeAndRecord = `with numbered as materialized (
    select doc, n, nextval(pg_get_serial_sequence('flight', 'id'))::integer as id
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
  flight: { ...flightRow(fields, customFields, at, seenRecords), created_at: at },
  passengers: passengers.map((passenger) => passengerRow(passenger, passenger.customFields)),
})

/** Without recording it: something else belongs to it, which is written first. */
export async function insertNewFlight(tx: Executor, flight: NewFlight): Promise<StoredFlight> {
  if (tx.kind === 'sqlite') return toStored(flight, await insertRows(tx, flight))
  const rows = rowsOf(flight)
  const [written] = await tx.query(storeOnly, [JSON.stringify(rows.flight), JSON.stringify(rows.passengers)])
  return toStored(flight, written as unknown as Ids)
}

/** And records it, as the last thing in its transaction. */
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
  const document = { ...rowsOf(flight), viewers, counters, at: flight.at, userId, via, credential }
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
  const on = { flight_id: id!, flight_date: flight.fields.date, id: 0 }
  const passengers = rows.passengers.map((passenger) => ({ ...passenger, ...on }))
  return { id: id!, passengerIds: await insertNew(tx, 'flight_passenger', passengers) }
}

/** As it would be read, but for a track, which is written later. */
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
