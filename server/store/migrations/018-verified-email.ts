import type { Migration } from './migration.ts'

export const verifiedEmail: Migration = {
  name: '018-verified-email',
  statements: (t) => [
    // A mailed link has shown that the address is the person's. Addresses from before stay in use.
    `alter table person add column email_verified ${t.integer} not null default 1`,
  ],
}
