import type { Migration } from './migration.ts'

export const trips: Migration = {
  name: '014-trips',
  statements: (t) => [
    // A person's own selection of their flights. It exists without flights too.
    `create table trip (
      id ${t.serialKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      name ${t.text} not null,
      note ${t.text},
      colour ${t.text} not null,
      created_at ${t.text} not null,
      updated_at ${t.text} not null
    )`,
    'create index trip_user on trip (user_id)',

    // Each flight is in at most one trip of each person.
    `create table trip_flight (
      id ${t.serialKey},
      trip_id ${t.integer} not null references trip (id) on delete cascade,
      flight_id ${t.integer} not null references flight (id) on delete cascade,
      user_id ${t.text} not null references person (id) on delete cascade,
      constraint trip_flight_once unique (user_id, flight_id)
    )`,
    'create index trip_flight_trip on trip_flight (trip_id)',
    'create index trip_flight_flight on trip_flight (flight_id)',

    // What a share is about, if not the whole log. A flight is not referred to: its share waits while it is in the bin.
    `alter table share add column flight_id ${t.integer}`,
    `alter table share add column trip_id ${t.integer} references trip (id) on delete cascade`,
    'create index share_trip on share (trip_id) where trip_id is not null',
  ],
}
