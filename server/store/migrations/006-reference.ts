import type { Migration } from './migration.ts'

export const reference: Migration = {
  name: '006-reference',
  statements: (t) => [
    // Orders matches of a search that are otherwise equal; the shipped set fills it in.
    `alter table airport add column importance ${t.integer} not null default 0`,
    `alter table airline add column importance ${t.integer} not null default 0`,
    `alter table aircraft add column importance ${t.integer} not null default 0`,

    // A year or a day. The company that took over the code or the flights.
    `alter table airline add column active_from ${t.text}`,
    `alter table airline add column active_to ${t.text}`,
    `alter table airline add column successor_id ${t.integer}`,

    `alter table aircraft add column class ${t.text}`,

    // What a code meant when. A code that occurs here meant nothing else; one that does not has no history. Comes from
    // the shipped set and is replaced with it.
    `create table code_period (
      kind ${t.text} not null,
      code ${t.text} not null,
      record_id ${t.integer} not null,
      valid_from ${t.text},
      valid_to ${t.text}
    )`,
    'create index code_period_code on code_period (kind, code)',
  ],
}
