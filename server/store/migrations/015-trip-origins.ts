import type { Migration } from './migration.ts'

export const tripOrigins: Migration = {
  name: '015-trip-origins',
  statements: (t) => [
    // The import that created a trip, until someone changes it: an undo deletes what is as the import left it.
    `alter table trip add column import_id ${t.integer}`,
    // The trips of a file, with the rows that are part of them.
    `alter table import add column trips ${t.text} not null default '[]'`,

    // Which trips came with a demo log.
    `create table demo_trip (
      trip_id ${t.integer} primary key references trip (id) on delete cascade,
      user_id ${t.text} not null references person (id) on delete cascade
    )`,
    'create index demo_trip_user on demo_trip (user_id)',
  ],
}
