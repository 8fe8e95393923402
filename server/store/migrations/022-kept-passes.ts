import type { Migration } from './migration.ts'

export const keptPasses: Migration = {
  name: '022-kept-passes',
  statements: (t) => [
    // The boarding pass that a person keeps until the flight has landed. It ends with their place on the flight. `code` (the bar
    // code) and `pass_update` (the airline's service that has its changes) open the booking, so both are sealed.
    `create table kept_pass (
      passenger_id ${t.bigint} primary key references flight_passenger (id) on delete cascade,
      user_id ${t.text} not null references person (id) on delete cascade,
      code ${t.text} not null,
      pass_update ${t.text},
      host ${t.text},
      kept_at ${t.text} not null
    )`,
    'create index kept_pass_user on kept_pass (user_id)',
  ],
}
