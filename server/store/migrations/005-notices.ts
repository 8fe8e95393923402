import type { Migration } from './migration.ts'

export const notices: Migration = {
  name: '005-notices',
  statements: (t) => [
    // Who added a passenger, and when that person kept the flight. No reference: the one who added may be gone. Rows
    // from before have neither, which means that these people stand there by right.
    `alter table flight_passenger add column added_by ${t.text}`,
    `alter table flight_passenger add column kept_at ${t.text}`,

    // No reference to the flight: it may be deleted and come back.
    `create table notice (
      id ${t.serialKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      kind ${t.text} not null,
      at ${t.text} not null,
      data ${t.text} not null,
      read_at ${t.text},
      flight_id ${t.integer},
      left_at ${t.text}
    )`,
    'create index notice_newest on notice (user_id, id desc)',
    'create index notice_flight on notice (flight_id, user_id) where flight_id is not null',
  ],
}
