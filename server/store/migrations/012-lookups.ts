import type { Migration } from './migration.ts'

export const lookups: Migration = {
  name: '012-lookups',
  statements: (t) => [
    // What providers said, by what they were asked. Nothing in it says who asked.
    `create table lookup_answer (
      provider ${t.text} not null,
      what ${t.text} not null,
      number ${t.text} not null,
      date ${t.text} not null,
      reason ${t.text},
      answer ${t.text},
      asked_at ${t.text} not null,
      expires_at ${t.text},
      primary key (provider, what, number, date)
    )`,
    'create index lookup_answer_expiry on lookup_answer (expires_at)',
    // When a provider may be asked next, by all processes together.
    `create table lookup_pace (
      provider ${t.text} primary key,
      next_at ${t.bigint} not null,
      paused_until ${t.bigint} not null
    )`,
    // How many requests a person has caused on a day.
    `create table lookup_use (
      user_id ${t.text} not null references person (id) on delete cascade,
      provider ${t.text} not null,
      day ${t.text} not null,
      requests ${t.integer} not null,
      primary key (user_id, provider, day)
    )`,
  ],
}
