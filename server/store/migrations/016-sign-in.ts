import type { Migration } from './migration.ts'

export const signIn: Migration = {
  name: '016-sign-in',
  statements: (t) => [
    // Used for mails of this instance only: never to find an account.
    `alter table person add column email ${t.text}`,
    // A role that someone chose is not changed by the rules for what a provider says.
    `alter table person add column role_by_hand ${t.integer} not null default 1`,
    // Part of what proofs of known browsers are made with, so that they can be ended without a new password.
    `alter table person add column browser_key ${t.text} not null default ''`,

    // Who a person is at an identity provider.
    `create table identity (
      id ${t.serialKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      issuer ${t.text} not null,
      subject ${t.text} not null,
      label ${t.text} not null,
      created_at ${t.text} not null,
      last_used_at ${t.text} not null,
      constraint identity_taken unique (issuer, subject)
    )`,
    'create index identity_user on identity (user_id)',

    `alter table session add column address ${t.text}`,
    `alter table session add column way ${t.text} not null default 'password'`,
    // When the person last proved who they are.
    `alter table session add column confirmed_at ${t.text}`,
    // How the provider knows this session, so that signing out there or here ends both.
    `alter table session add column identity_id ${t.integer} references identity (id) on delete set null`,
    `alter table session add column provider_session ${t.text}`,
    `alter table session add column id_token ${t.text}`,
    'create index session_identity on session (identity_id)',

    `create table passkey (
      id ${t.serialKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      credential_id ${t.text} not null constraint passkey_taken unique,
      public_key ${t.text} not null,
      counter ${t.bigint} not null,
      transports ${t.text} not null,
      name ${t.text} not null,
      created_at ${t.text} not null,
      last_used_at ${t.text}
    )`,
    'create index passkey_user on passkey (user_id)',

    // The secret is sealed. It counts from the first code on, which shows that the app has it.
    `create table second_factor (
      user_id ${t.text} primary key references person (id) on delete cascade,
      secret ${t.text} not null,
      enabled_at ${t.text},
      created_at ${t.text} not null
    )`,
    `create table recovery_code (
      id ${t.serialKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      hash ${t.text} not null,
      used_at ${t.text}
    )`,
    'create index recovery_code_user on recovery_code (user_id)',
    `create table trusted_browser (
      hash ${t.text} primary key,
      user_id ${t.text} not null references person (id) on delete cascade,
      expires_at ${t.text} not null
    )`,
    'create index trusted_browser_user on trusted_browser (user_id)',

    // Links that an administrator gives to someone: to make an account, or to set a new password.
    `create table account_link (
      id ${t.serialKey},
      purpose ${t.text} not null,
      hash ${t.text} not null unique,
      user_id ${t.text} references person (id) on delete cascade,
      role_id ${t.text} references role (id) on delete cascade,
      created_by ${t.text} references person (id) on delete set null,
      created_at ${t.text} not null,
      expires_at ${t.text} not null,
      end_api_keys ${t.integer} not null,
      end_apps ${t.integer} not null,
      end_second_factor ${t.integer} not null
    )`,
    'create index account_link_user on account_link (user_id)',
    'create index account_link_role on account_link (role_id)',

    // What one request leaves for the next, which takes it once: challenges, states, steps of a sign-in.
    `create table one_time (
      hash ${t.text} primary key,
      purpose ${t.text} not null,
      browser ${t.text},
      user_id ${t.text} references person (id) on delete cascade,
      data ${t.text} not null,
      expires_at ${t.text} not null
    )`,
    'create index one_time_user on one_time (user_id)',
    'create index one_time_expiry on one_time (expires_at)',
  ],
}
