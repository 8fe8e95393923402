import type { Migration } from './migration.ts'

export const demo: Migration = {
  name: '003-demo',
  statements: (t) => [
    // Which flights came with a demo log, so that exactly these can be taken away again.
    `create table demo_flight (
      flight_id ${t.integer} primary key references flight (id) on delete cascade,
      user_id ${t.text} not null references person (id) on delete cascade
    )`,
    'create index demo_flight_user on demo_flight (user_id)',
  ],
}
