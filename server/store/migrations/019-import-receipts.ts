import type { Migration } from './migration.ts'

export const importReceipts: Migration = {
  name: '019-import-receipts',
  statements: (t) => [
    // What the last commit did to the log, as it was then.
    `alter table import add column receipt ${t.text}`,
    // How risky it is what was left out or assumed of a record; 0 if nothing was.
    `alter table import_row add column risk ${t.integer} not null default 0`,
  ],
}
