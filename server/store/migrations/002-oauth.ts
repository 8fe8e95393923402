import type { Migration } from './migration.ts'

export const oauth: Migration = {
  name: '002-oauth',
  statements: (t) => [
    // `expires_at` stands while nobody has approved the client; unused clients go, used ones stay.
    `create table oauth_client (
      id ${t.text} primary key,
      source ${t.text} not null,
      name ${t.text} not null,
      redirect_uris ${t.text} not null,
      auth_method ${t.text} not null,
      secret_hash ${t.text},
      created_at ${t.text} not null,
      expires_at ${t.text}
    )`,
    'create index oauth_client_unused on oauth_client (expires_at) where expires_at is not null',

    // An authorization request between its arrival and the person's decision.
    `create table oauth_request (
      id ${t.text} primary key,
      browser_hash ${t.text} not null,
      client_id ${t.text} not null references oauth_client (id) on delete cascade,
      user_id ${t.text} references person (id) on delete cascade,
      redirect_uri ${t.text} not null,
      resource ${t.text} not null,
      scopes ${t.text} not null,
      state ${t.text},
      code_challenge ${t.text} not null,
      expires_at ${t.text} not null
    )`,
    'create index oauth_request_expiry on oauth_request (expires_at)',
    'create index oauth_request_client on oauth_request (client_id)',
    'create index oauth_request_user on oauth_request (user_id)',

    `create table oauth_grant (
      id ${t.serialKey},
      client_id ${t.text} not null references oauth_client (id) on delete cascade,
      user_id ${t.text} not null references person (id) on delete cascade,
      resource ${t.text} not null,
      scopes ${t.text} not null,
      redirect_uri ${t.text} not null,
      created_at ${t.text} not null,
      updated_at ${t.text} not null,
      last_used_at ${t.text},
      constraint one_grant_each unique (client_id, user_id, resource)
    )`,
    'create index oauth_grant_user on oauth_grant (user_id)',

    // A code that was used stays as long as the tokens it led to, so that its replay is recognised.
    `create table oauth_code (
      hash ${t.text} primary key,
      grant_id ${t.integer} not null references oauth_grant (id) on delete cascade,
      family ${t.text} not null,
      redirect_uri ${t.text} not null,
      code_challenge ${t.text} not null,
      scopes ${t.text} not null,
      expires_at ${t.text} not null,
      used_at ${t.text}
    )`,
    'create index oauth_code_grant on oauth_code (grant_id)',
    'create index oauth_code_expiry on oauth_code (expires_at)',

    `create table oauth_access_token (
      hash ${t.text} primary key,
      grant_id ${t.integer} not null references oauth_grant (id) on delete cascade,
      family ${t.text} not null,
      scopes ${t.text} not null,
      expires_at ${t.text} not null
    )`,
    'create index oauth_access_token_grant on oauth_access_token (grant_id)',
    'create index oauth_access_token_family on oauth_access_token (family)',
    'create index oauth_access_token_expiry on oauth_access_token (expires_at)',

    // Used tokens stay beside the family's living one, so that their reuse is recognised.
    `create table oauth_refresh_token (
      hash ${t.text} primary key,
      grant_id ${t.integer} not null references oauth_grant (id) on delete cascade,
      family ${t.text} not null,
      scopes ${t.text} not null,
      expires_at ${t.text} not null,
      used_at ${t.text}
    )`,
    'create index oauth_refresh_token_grant on oauth_refresh_token (grant_id)',
    'create index oauth_refresh_token_family on oauth_refresh_token (family)',

    // Names are copied: the trail outlives the people in it.
    `create table audit_event (
      id ${t.serialKey},
      happened_at ${t.text} not null,
      kind ${t.text} not null,
      actor_id ${t.text},
      actor_name ${t.text},
      subject_id ${t.text},
      subject_name ${t.text},
      address ${t.text},
      details ${t.text} not null
    )`,
    'create index audit_event_actor on audit_event (actor_id, id)',
    'create index audit_event_subject on audit_event (subject_id, id)',
    'create index audit_event_time on audit_event (happened_at)',
  ],
}
