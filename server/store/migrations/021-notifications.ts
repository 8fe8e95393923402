import type { Migration } from './migration.ts'

export const notifications: Migration = {
  name: '021-notifications',
  statements: (t) => [
    // A browser or an app that gets notifications. It ends with the session, key or app that registered it; a session that only
    // expires leaves it. Endpoint and keys are sealed; the hash finds the row of an endpoint.
    `create table push_subscription (
      id ${t.largeKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      session_id ${t.bigint} references session (id) on delete cascade,
      api_key_id ${t.bigint} references api_key (id) on delete cascade,
      grant_id ${t.bigint} references oauth_grant (id) on delete cascade,
      endpoint ${t.text} not null,
      keys ${t.text} not null,
      endpoint_hash ${t.text} not null constraint push_subscription_endpoint_taken unique,
      host ${t.text} not null,
      label ${t.text} not null,
      language ${t.text} not null,
      created_at ${t.text} not null,
      last_success_at ${t.text},
      failing_since ${t.text},
      failures ${t.integer} not null
    )`,
    'create index push_subscription_user on push_subscription (user_id)',
    'create index push_subscription_session on push_subscription (session_id)',
    'create index push_subscription_key on push_subscription (api_key_id)',
    'create index push_subscription_grant on push_subscription (grant_id)',

    // `mail` is the address that its owner confirmed by a mailed link. `mails` were sent on `mails_day`.
    `create table notification_settings (
      user_id ${t.text} primary key references person (id) on delete cascade,
      settings ${t.text} not null,
      mail ${t.text},
      mails_day ${t.text},
      mails ${t.integer} not null
    )`,

    // What a person is to be told. The row stays after it was sent: its key prevents a second one.
    `create table notification (
      id ${t.largeKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      key ${t.text} not null constraint notification_key_taken unique,
      kind ${t.text} not null,
      notice_id ${t.bigint},
      flight_id ${t.bigint},
      data ${t.text} not null,
      due_at ${t.text} not null,
      expires_at ${t.text} not null,
      expanded_at ${t.text}
    )`,
    'create index notification_user on notification (user_id)',
    'create index notification_waiting on notification (due_at) where expanded_at is null',
    'create index notification_age on notification (expires_at)',

    // One message to one device or one mailbox, deleted when it is done. `refusals` counts responses that refuse this instance.
    `create table notification_delivery (
      id ${t.largeKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      channel ${t.text} not null,
      subscription_id ${t.bigint} references push_subscription (id) on delete cascade,
      data ${t.text} not null,
      next_attempt_at ${t.text} not null,
      expires_at ${t.text} not null,
      attempts ${t.integer} not null,
      refusals ${t.integer} not null,
      lease ${t.text},
      lease_until ${t.text}
    )`,
    'create index notification_delivery_user on notification_delivery (user_id)',
    'create index notification_delivery_subscription on notification_delivery (subscription_id)',
    'create index notification_delivery_due on notification_delivery (next_attempt_at)',
  ],
}
