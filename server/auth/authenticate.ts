// Turns what a request carries into a principal. Reads the database on every request, so that a deleted key, an ended
// session or a changed role takes effect on the next request.
import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import { hashSecret, secretKind } from '../base/secrets.ts'
import { touchApiKey } from '../store/api-keys.ts'
import { findCallerByAccessToken, findCallerByApiKey, findCallerBySession } from '../store/callers.ts'
import { touchGrant } from '../store/oauth-grants.ts'
import { extendSession } from '../store/sessions.ts'
import type { Executor, Store } from '../store/store.ts'
import { everyScope, type Principal, principalFrom, scopeSet } from './principal.ts'

const DAY = 86_400_000
export const SESSION_LIFETIME_MS = 30 * DAY
const TOUCH_EVERY_MS = 60_000
const SESSION_TOUCH_EVERY_MS = 3_600_000

export interface Authenticator {
  /** `Authorization` as sent; undefined if it holds no credential that is valid for this resource. */
  bearer(header: string | undefined, resource: Resource): Promise<Principal | undefined>
  session(cookie: string | undefined): Promise<Principal | undefined>
}

/** API keys work everywhere; an OAuth token only on the resource it was issued for; legacy takes API keys only. */
type Resource = 'v1' | 'mcp' | 'legacy'

interface Parts {
  store: Store
  clock: Clock
  log: Logger
  /** Tokens are bound to addresses below it. */
  origin: string
}

export function createAuthenticator({ store, clock, log, origin }: Parts): Authenticator {
  const touch = createToucher(store, log)
  const findByApiKey = shareAmongArrivals((hash) => findCallerByApiKey(store.read, hash))
  const nowText = () => new Date(clock.now()).toISOString()
  const findBySession = shareAmongArrivals((hash) => findCallerBySession(store.read, hash, nowText()))
  const findByTokenFor = (path: string) =>
    shareAmongArrivals((hash) => findCallerByAccessToken(store.read, hash, origin + path, nowText()))
  const findByToken = { v1: findByTokenFor('/api/v1'), mcp: findByTokenFor('/api/mcp') }

  async function apiKey(token: string): Promise<Principal | undefined> {
    const row = await findByApiKey(hashSecret(token))
    if (!row) return undefined
    const { credentialId, legacyFormat } = row
    touch(`key:${credentialId}`, row.lastUsedAt, clock.now(), TOUCH_EVERY_MS, (tx, now) =>
      touchApiKey(tx, credentialId, now),
    )
    return principalFrom(row, { kind: 'apiKey', credentialId, legacyFormat, scopes: scopeSet(row.scopes) })
  }

  async function accessToken(token: string, resource: 'v1' | 'mcp'): Promise<Principal | undefined> {
    const row = await findByToken[resource](hashSecret(token))
    if (!row) return undefined
    const { credentialId } = row
    touch(`grant:${credentialId}`, row.lastUsedAt, clock.now(), TOUCH_EVERY_MS, (tx, seen) =>
      touchGrant(tx, credentialId, seen),
    )
    return principalFrom(row, { kind: 'oauth', credentialId, scopes: scopeSet(row.scopes) })
  }

  return {
    async bearer(header, resource) {
      const token = bearerToken(header)
      const kind = token && secretKind(token)
      if (kind === 'apiKey') return apiKey(token!)
      return kind === 'accessToken' && resource !== 'legacy' ? accessToken(token!, resource) : undefined
    },
    async session(cookie) {
      if (!cookie || secretKind(cookie) !== 'session') return undefined
      const row = await findBySession(hashSecret(cookie))
      if (!row) return undefined
      const now = clock.now()
      const { credentialId } = row
      touch(`session:${credentialId}`, row.lastUsedAt, now, SESSION_TOUCH_EVERY_MS, (tx, seen) =>
        extendSession(tx, credentialId, seen, new Date(now + SESSION_LIFETIME_MS).toISOString()),
      )
      return principalFrom(row, { kind: 'session', credentialId, scopes: everyScope })
    },
  }
}

/** The token of an `Authorization: Bearer` header, whatever the case of the scheme. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^bearer[ \t]+(\S+)[ \t]*$/i.exec(header ?? '')?.[1]
}

/**
 * Requests that are read from their sockets together and carry one credential, such as those of a page that opens, share
 * one query. It runs after the last of them arrived, so each sees what was true when it arrived.
 */
function shareAmongArrivals<Row>(find: (hash: string) => Promise<Row>): (hash: string) => Promise<Row> {
  const arrived = new Map<string, Promise<Row>>()
  return (hash) => {
    let shared = arrived.get(hash)
    if (!shared) {
      shared = new Promise((resolve) => {
        setImmediate(() => {
          arrived.delete(hash)
          resolve(find(hash))
        })
      })
      arrived.set(hash, shared)
    }
    return shared
  }
}

/** Records when a credential was last used: seldom, and without delaying the request. */
function createToucher(store: Store, log: Logger) {
  const pending = new Set<string>()
  return (
    name: string,
    last: string | null,
    now: number,
    every: number,
    write: (tx: Executor, now: string) => Promise<unknown>,
  ) => {
    if ((last && now - Date.parse(last) < every) || pending.has(name)) return
    pending.add(name)
    store
      .transaction((tx) => write(tx, new Date(now).toISOString()))
      .catch((error) => log.warn('could not note the use of a credential', { reason: String(error) }))
      .finally(() => pending.delete(name))
  }
}
