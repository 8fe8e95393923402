import type { Migration } from './migration.ts'

/** Everywhere on PostgreSQL where the id of a row is kept, or the number of a row of a file. */
const columns: Record<string, readonly string[]> = {
  account_link: ['id'],
  aircraft: ['id'],
  airline: ['id', 'successor_id'],
  airport: ['id'],
  api_key: ['id'],
  audit_event: ['id'],
  change: ['item_id'],
  code_period: ['record_id'],
  custom_field: ['id'],
  deleted_flight: [
    'id',
    'from_id',
    'to_id',
    'airline_id',
    'aircraft_id',
    'planned_to_id',
    'operating_airline_id',
  ],
  deleted_flight_row: ['id', 'flight_id'],
  demo_flight: ['flight_id'],
  demo_trip: ['trip_id'],
  external_id: ['id', 'flight_id'],
  feed: ['id'],
  flight: [
    'id',
    'from_id',
    'to_id',
    'airline_id',
    'aircraft_id',
    'planned_to_id',
    'operating_airline_id',
    'import_id',
  ],
  flight_history: ['flight_id', 'import_id'],
  flight_passenger: ['id', 'flight_id'],
  identity: ['id'],
  import: ['id'],
  import_answer: ['id'],
  import_row: ['id', 'import_id', 'flight_id', 'of_flight_id', 'number', 'of_row'],
  mail_address: ['id'],
  mailbox: ['id'],
  notice: ['id', 'flight_id', 'import_id'],
  oauth_access_token: ['grant_id'],
  oauth_code: ['grant_id'],
  oauth_grant: ['id'],
  oauth_refresh_token: ['grant_id'],
  passkey: ['id'],
  recovery_code: ['id'],
  session: ['id', 'identity_id'],
  share: ['id', 'flight_id', 'trip_id'],
  subscription: ['id'],
  track: ['flight_id'],
  trip: ['id', 'import_id'],
  trip_flight: ['id', 'trip_id', 'flight_id'],
  visited_country: ['id'],
  webhook: ['id'],
  webhook_delivery: ['id', 'webhook_id', 'flight_id'],
}

export const largeIds: Migration = {
  name: '020-large-ids',
  // Integers of SQLite have 64 bits. PostgreSQL rewrites each table once, with its indexes; a sequence takes the type of its
  // column, and foreign keys are checked again.
  statements: (t) =>
    t.integer === t.bigint
      ? []
      : Object.entries(columns).map(
          ([table, names]) =>
            `alter table ${table} ${names.map((name) => `alter column ${name} type ${t.bigint}`).join(', ')}`,
        ),
}
