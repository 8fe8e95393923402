import type { Migration } from './migration.ts'

export const changes: Migration = {
  name: '007-changes',
  statements: (t) => [
    // Incremented by every effective write of the flight. `seen_records` holds the revisions of people and of reference
    // records that the last write saw.
    `alter table flight add column version ${t.integer} not null default 1`,
    `alter table flight add column seen_records ${t.text}`,

    `alter table flight add column outcome ${t.text} not null default 'flown'`,
    `alter table flight add column planned_to_id ${t.integer} references airport (id) on delete set null`,
    `alter table flight add column booking_reference ${t.text}`,
    `alter table flight add column operating_airline_id ${t.integer} references airline (id) on delete set null`,
    `alter table flight add column operating_flight_number ${t.text}`,
    `alter table flight add column price_amount ${t.text}`,
    `alter table flight add column price_currency ${t.text}`,
    // The import that added it.
    `alter table flight add column import_id ${t.integer}`,
    'create index flight_planned_to on flight (planned_to_id) where planned_to_id is not null',
    'create index flight_operating_airline on flight (operating_airline_id) where operating_airline_id is not null',
    'create index flight_import on flight (import_id) where import_id is not null',
    'create index flight_updated on flight (updated_at, id)',

    `alter table deleted_flight add column planned_to_id ${t.integer} references airport (id) on delete set null`,
    `alter table deleted_flight add column operating_airline_id ${t.integer} references airline (id) on delete set null`,
    'create index deleted_flight_planned_to on deleted_flight (planned_to_id) where planned_to_id is not null',
    'create index deleted_flight_operating_airline on deleted_flight (operating_airline_id) where operating_airline_id is not null',

    // The counter of all flights becomes the sequence that numbers every change.
    `update revision set name = 'changes' where name = 'flights'`,

    // The newest change of each item, once for each person who sees it and once for those who see everything
    // (viewer '*'). A row that says "removed" is a tombstone.
    `create table change (
      viewer ${t.text} not null,
      type ${t.text} not null,
      item_id ${t.integer} not null,
      number ${t.bigint} not null,
      appeared ${t.bigint} not null,
      version ${t.integer} not null,
      removed ${t.text},
      at ${t.text} not null,
      external_ids ${t.text},
      primary key (viewer, type, item_id)
    )`,
    'create index change_number on change (viewer, number)',
    'create index change_removed on change (at) where removed is not null',

    `create table external_id (
      id ${t.serialKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      source ${t.text} not null,
      value ${t.text} not null,
      flight_id ${t.integer} not null references flight (id) on delete cascade,
      constraint external_id_taken unique (user_id, source, value),
      constraint external_id_repeated unique (flight_id, user_id, source)
    )`,

    // What a request with an idempotency key was answered. Until that is known, what has been done of it so far.
    `create table idempotency (
      credential ${t.text} not null,
      method ${t.text} not null,
      path ${t.text} not null,
      key ${t.text} not null,
      body_hash ${t.text} not null,
      status ${t.integer},
      headers ${t.text},
      body ${t.text},
      progress ${t.text},
      created_at ${t.text} not null,
      touched_at ${t.text} not null,
      primary key (credential, method, path, key)
    )`,
    'create index idempotency_age on idempotency (created_at)',
  ],
}
