// Applies to every suite: a transaction that changes permissions must also write an audit event. The harness inspects each SQL
// statement of the application under test, so an operation cannot forget it.
import assert from 'node:assert/strict'
import type { Transaction } from '../server/store/engine/engine.ts'
import type { Store } from '../server/store/store.ts'

/** Statements that change permissions, without columns that only record a use or a preference. */
const changes: readonly [what: string, statement: RegExp][] = [
  ['adds a person', /^insert into "person"/],
  ['deletes a person', /^delete from "person"/],
  [
    'changes a person',
    /^update "person" set .*"(username|display_name|password_hash|role_id|is_owner|email)" =/,
  ],
  ['changes a role', /^(insert into|update|delete from) "role"/],
  ['adds or deletes an API key', /^(insert into|delete from) "api_key"/],
  [
    'changes read access by a feed',
    /^(insert into|delete from) "feed"|^update "feed" set .*"(hash|settings)" =/,
  ],
  ['adds or removes a passkey', /^(insert into|delete from) "passkey"/],
  [
    'changes account creation by a link',
    /^insert into "account_link"|^delete from "account_link" (?!where "expires_at")/,
  ],
  ['starts a session', /^insert into "session"/],
  ['links or unlinks an identity', /^(insert into|delete from) "identity"/],
  ['ends a session', /^delete from "session" where "(user_id|hash)"/],
  [
    'changes the second step of a sign-in',
    /^delete from "(second_factor|recovery_code|trusted_browser)" where "user_id"|^insert into "(recovery_code|trusted_browser)"|^update "second_factor" set .*"enabled_at" =/,
  ],
  [
    'changes where flights are sent',
    /^(insert into|delete from) "webhook"|^update "webhook" set .*"(url|scope|secret)" =/,
  ],
  [
    'changes the rights of an app',
    /^(insert into|delete from) "oauth_grant"|^update "oauth_grant" set .*"scopes" =/,
  ],
]
const event = /^insert into "audit_event"/

export function requireAuditEvents(store: Store): Store {
  return {
    ...store,
    transaction: (work) =>
      store.transaction(async (tx) => {
        const done = new Set<string>()
        let recorded = false
        const watched: Transaction = {
          ...tx,
          query(sql, parameters) {
            for (const [what, statement] of changes) if (statement.test(sql)) done.add(what)
            if (/^insert into "setting"/.test(sql) && parameters.includes('defaultRoleId')) {
              done.add('changes the default role')
            }
            if (event.test(sql)) recorded = true
            return tx.query(sql, parameters)
          },
        }
        const result = await work(watched)
        if (done.size > 0)
          assert.ok(recorded, `no audit event for a transaction that ${[...done].join(', ')}`)
        return result
      }),
  }
}
