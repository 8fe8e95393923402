import type { Migration } from './migration.ts'

export const history: Migration = {
  name: '013-history',
  statements: (t) => [
    // Who changed a flight, when, and which values it had before and after; for 30 days. `track` is the body of the track
    // that was replaced. Rows outlive the flight while it is in the bin, so nothing here refers to it.
    `create table flight_history (
      change_id ${t.bigint} primary key,
      flight_id ${t.integer} not null,
      kind ${t.text} not null,
      version ${t.integer} not null,
      at ${t.text} not null,
      user_id ${t.text},
      via ${t.text} not null,
      credential ${t.text},
      import_id ${t.integer},
      edit ${t.text},
      track ${t.blob},
      undone_by ${t.bigint}
    )`,
    'create index flight_history_flight on flight_history (flight_id, change_id)',
    'create index flight_history_author on flight_history (user_id, change_id) where user_id is not null',
    'create index flight_history_undone on flight_history (undone_by) where undone_by is not null',

    // The change since which a person has been on the flight. Being deleted and restored does not interrupt it, so it is
    // not the one by which the flight appeared last.
    `alter table change add column since ${t.bigint} not null default 0`,
  ],
}
