import type { Migration } from './migration.ts'

export const bin: Migration = {
  name: '004-bin',
  statements: (t) => [
    // Deleted flights, out of every query's sight. Columns that other tables' deletions or queries concern keep their
    // names; all others, those of later migrations included, are in `content` as JSON.
    `create table deleted_flight (
      id ${t.integer} primary key,
      deleted_at ${t.text} not null,
      deleted_by ${t.text} references person (id) on delete set null,
      from_id ${t.integer} references airport (id) on delete set null,
      to_id ${t.integer} references airport (id) on delete set null,
      airline_id ${t.integer} references airline (id) on delete set null,
      aircraft_id ${t.integer} references aircraft (id) on delete set null,
      custom_fields ${t.text},
      content ${t.text} not null
    )`,
    'create index deleted_flight_newest on deleted_flight (deleted_at desc, id desc)',
    'create index deleted_flight_by on deleted_flight (deleted_by)',
    'create index deleted_flight_from on deleted_flight (from_id)',
    'create index deleted_flight_to on deleted_flight (to_id)',
    'create index deleted_flight_airline on deleted_flight (airline_id)',
    'create index deleted_flight_aircraft on deleted_flight (aircraft_id)',

    // The rows of other tables that belonged to it: passengers, the track, the demo mark.
    `create table deleted_flight_row (
      id ${t.serialKey},
      flight_id ${t.integer} not null references deleted_flight (id) on delete cascade,
      origin ${t.text} not null,
      deleted_at ${t.text} not null,
      user_id ${t.text} references person (id) on delete cascade,
      custom_fields ${t.text},
      content ${t.text} not null,
      body ${t.blob}
    )`,
    'create index deleted_flight_row_flight on deleted_flight_row (flight_id)',
    'create index deleted_flight_row_newest on deleted_flight_row (user_id, deleted_at desc, flight_id desc) where user_id is not null',
  ],
}
