import type { Migration } from './migration.ts'

export const severalMachines: Migration = {
  name: '017-several-machines',
  statements: (t) => [
    // Pictures and files to import, where the instance keeps them in its database. A path is never used again.
    `create table upload (
      path ${t.text} primary key,
      bytes ${t.blob} not null,
      written_at ${t.text} not null
    )`,

    // Wrong passwords and codes, counted by all processes together. Whose they are is kept as a hash.
    `create table sign_in_try (
      rule ${t.text} not null,
      who ${t.text} not null,
      state ${t.text} not null,
      expires_at ${t.text} not null,
      primary key (rule, who)
    )`,
    'create index sign_in_try_expiry on sign_in_try (rule, expires_at)',
  ],
}
