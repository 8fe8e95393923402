import type { Migration } from './migration.ts'

export const feeds: Migration = {
  name: '009-feeds',
  statements: (t) => [
    // Feeds by secret address. The address is stored only as a hash.
    `create table feed (
      id ${t.serialKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      hash ${t.text} not null,
      last_four ${t.text} not null,
      kind ${t.text} not null,
      name ${t.text} not null,
      settings ${t.text} not null,
      created_at ${t.text} not null,
      updated_at ${t.text} not null,
      last_read_at ${t.text},
      constraint feed_taken unique (hash)
    )`,
    'create index feed_of_user on feed (user_id)',
  ],
}
