import type { Migration } from './migration.ts'

export const intake: Migration = {
  name: '011-intake',
  statements: (t) => [
    // A folder of a person's mail that is read now and then. The password is sealed. `uid_validity` and `last_uid` are the
    // position in the folder; a process that reads it holds the lease.
    `create table mailbox (
      id ${t.serialKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      host ${t.text} not null,
      port ${t.integer} not null,
      security ${t.text} not null,
      username ${t.text} not null,
      password ${t.text} not null,
      folder ${t.text} not null,
      uid_validity ${t.bigint},
      last_uid ${t.bigint} not null,
      since ${t.text} not null,
      status ${t.text} not null,
      problem ${t.text},
      failing_since ${t.text},
      failures ${t.integer} not null,
      messages ${t.integer} not null,
      last_checked_at ${t.text},
      next_check_at ${t.text} not null,
      lease ${t.text},
      lease_until ${t.text},
      created_at ${t.text} not null,
      updated_at ${t.text} not null
    )`,
    'create index mailbox_user on mailbox (user_id)',
    'create index mailbox_due on mailbox (next_check_at)',
    // The address to which a person forwards mails. The token is sealed, to be shown again; its hash finds the person.
    `create table mail_address (
      id ${t.serialKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      token ${t.text} not null,
      hash ${t.text} not null constraint mail_address_hash_taken unique,
      senders ${t.text} not null,
      messages ${t.integer} not null,
      last_mail_at ${t.text},
      created_at ${t.text} not null,
      constraint mail_address_user_taken unique (user_id)
    )`,
    // A calendar that is read now and then. Its address is often a secret and sealed. `memory` is JSON: what earlier
    // readings saw, so that nothing is told or created twice.
    `create table subscription (
      id ${t.serialKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      url ${t.text} not null,
      host ${t.text} not null,
      name ${t.text} not null,
      etag ${t.text},
      last_modified ${t.text},
      memory ${t.text} not null,
      status ${t.text} not null,
      problem ${t.text},
      http_status ${t.integer},
      failing_since ${t.text},
      failures ${t.integer} not null,
      last_checked_at ${t.text},
      last_changed_at ${t.text},
      next_check_at ${t.text} not null,
      lease ${t.text},
      lease_until ${t.text},
      created_at ${t.text} not null,
      updated_at ${t.text} not null
    )`,
    'create index subscription_user on subscription (user_id)',
    'create index subscription_due on subscription (next_check_at)',
    // A notice about an import ends with it.
    `alter table notice add column import_id ${t.integer} references import (id) on delete cascade`,
    'create index notice_import on notice (import_id) where import_id is not null',
  ],
}
