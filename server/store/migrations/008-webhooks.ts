import type { Migration } from './migration.ts'

export const webhooks: Migration = {
  name: '008-webhooks',
  statements: (t) => [
    // `position` is the number of the last change for which deliveries exist. A process that delivers holds the lease.
    `create table webhook (
      id ${t.serialKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      url ${t.text} not null,
      description ${t.text} not null,
      events ${t.text} not null,
      scope ${t.text} not null,
      payload ${t.text} not null,
      credential ${t.text} not null,
      scopes ${t.text} not null,
      secret ${t.text} not null,
      old_secret ${t.text},
      old_secret_until ${t.text},
      status ${t.text} not null,
      stopped_because ${t.text},
      failing_since ${t.text},
      position ${t.bigint} not null,
      lease ${t.text},
      lease_until ${t.text},
      created_at ${t.text} not null,
      updated_at ${t.text} not null
    )`,
    'create index webhook_user on webhook (user_id)',

    // A ping has no number and no flight.
    `create table webhook_delivery (
      id ${t.serialKey},
      webhook_id ${t.integer} not null references webhook (id) on delete cascade,
      number ${t.bigint},
      event ${t.text} not null,
      flight_id ${t.integer},
      removal ${t.text},
      at ${t.text} not null,
      state ${t.text} not null,
      attempts ${t.text} not null,
      attempt_count ${t.integer} not null,
      first_attempt_at ${t.text},
      next_attempt_at ${t.text},
      created_at ${t.text} not null,
      constraint webhook_delivery_repeated unique (webhook_id, number)
    )`,
    `create index webhook_delivery_waiting on webhook_delivery (webhook_id, next_attempt_at) where state = 'waiting'`,
    'create index webhook_delivery_newest on webhook_delivery (webhook_id, id)',
    'create index webhook_delivery_age on webhook_delivery (created_at)',
  ],
}
