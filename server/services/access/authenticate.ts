// Turns the credential of a request into a principal. A deleted key, an ended session or a changed role takes effect on the
// next request: callers are read from the database, or cached until anything in it changes.
import type { Clock } from '../../base/clock.ts'
import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { type MaybeLater, whenKnown } from '../../base/maybe-later.ts'
import { hashSecret, secretKind } from '../../base/secret/secrets.ts'
import { DAY, HOUR, MINUTE } from '../../domain/time/durations.ts'
import { touchApiKey } from '../../store/access/api-keys.ts'
import {
  findCallersByAccessTokens,
  findCallersByApiKeys,
  findCallersBySessions,
} from '../../store/access/callers.ts'
import { touchGrant } from '../../store/access/oauth/grants.ts'
import { extendSession } from '../../store/accounts/sessions.ts'
import type { Executor, Store } from '../../store/store.ts'
import { everyScope, type Principal, principalFrom, scopeSet } from './principal.ts'

export const SESSION_LIFETIME_MS = 30 * DAY
const TOUCH_EVERY_MS = MINUTE
const SESSION_TOUCH_EVERY_MS = HOUR

export interface Authenticator {
  /** `Authorization` as sent; undefined if it holds no credential that is valid for this resource. */
  bearer(header: string | undefined, resource: Resource): MaybeLater<Principal | undefined>
  session(cookie: string | undefined): MaybeLater<Principal | undefined>
}

/** API keys work everywhere, OAuth tokens only on the resource they were issued for. Legacy accepts only API keys. */
type Resource = 'v1' | 'mcp' | 'legacy'

interface Parts {
  store: Store
  clock: Clock
  log: Logger
  /** Tokens are bound to addresses below the origin. */
  origin: string
}

/** The person and the rights behind one credential. */
interface Caller {
  hash: string
  principal: Principal
  lastUsedAt: string | null
  expiresAt?: string
  /** The address that a token was issued for. */
  resource?: string
}

export function createAuthenticator({ store, clock, log, origin }: Parts): Authenticator {
  const note = createToucher(store, clock, log)
  const byApiKey = createCallers(store, readApiKeys)
  const byToken = createCallers(store, readTokens)
  const bySession = createCallers(store, readSessions)
  const isExpired = ({ expiresAt }: Caller) => expiresAt! <= new Date(clock.now()).toISOString()
  const addresses = { v1: `${origin}/api/v1`, mcp: `${origin}/api/mcp` }

  const useApiKey = (caller: Caller | undefined) => {
    if (caller) note(caller, TOUCH_EVERY_MS, touchApiKey)
    return caller?.principal
  }
  const useTokenFor = (address: string) => (caller: Caller | undefined) => {
    if (!caller || isExpired(caller) || caller.resource !== address) return undefined
    note(caller, TOUCH_EVERY_MS, touchGrant)
    return caller.principal
  }
  const useToken = { v1: useTokenFor(addresses.v1), mcp: useTokenFor(addresses.mcp) }
  const useSession = (caller: Caller | undefined) => {
    if (!caller || isExpired(caller)) return undefined
    note(caller, SESSION_TOUCH_EVERY_MS, (tx, id, seen) =>
      extendSession(tx, {
        id,
        now: seen,
        expiresAt: new Date(clock.now() + SESSION_LIFETIME_MS).toISOString(),
      }),
    )
    return caller.principal
  }

  return {
    bearer(header, resource) {
      const token = bearerToken(header)
      const kind = token && secretKind(token)
      if (kind === 'apiKey') return whenKnown(byApiKey(hashSecret(token!)), useApiKey)
      if (kind !== 'accessToken' || resource === 'legacy') return undefined
      return whenKnown(byToken(hashSecret(token!)), useToken[resource])
    },
    session(cookie) {
      if (!cookie || secretKind(cookie) !== 'session') return undefined
      return whenKnown(bySession(hashSecret(cookie)), useSession)
    },
  }
}

const readApiKeys = async (db: Executor, hashes: readonly string[]): Promise<Caller[]> =>
  (await findCallersByApiKeys(db, hashes)).map((row) => {
    const { hash, credentialId, legacyFormat, lastUsedAt } = row
    const scopes = scopeSet(row.scopes)
    return {
      hash,
      lastUsedAt,
      principal: principalFrom(row, { kind: 'apiKey', credentialId, legacyFormat, scopes }),
    }
  })

const readTokens = async (db: Executor, hashes: readonly string[]): Promise<Caller[]> =>
  (await findCallersByAccessTokens(db, hashes)).map((row) => {
    const { hash, credentialId, lastUsedAt, expiresAt, resource } = row
    const principal = principalFrom(row, { kind: 'oauth', credentialId, scopes: scopeSet(row.scopes) })
    return { hash, lastUsedAt, expiresAt, resource, principal }
  })

const readSessions = async (db: Executor, hashes: readonly string[]): Promise<Caller[]> =>
  (await findCallersBySessions(db, hashes)).map((row) => {
    const { hash, credentialId, lastUsedAt, expiresAt } = row
    const principal = principalFrom(row, { kind: 'session', credentialId, scopes: everyScope })
    return { hash, lastUsedAt, expiresAt, principal }
  })

const CALLERS_AT_MOST = 10_000

/**
 * Callers by the hash of their credential. If the store numbers its states, callers stay cached until the next commit of any
 * kind, so no credential outlives its deletion.
 */
function createCallers(store: Store, read: (db: Executor, hashes: readonly string[]) => Promise<Caller[]>) {
  const find = shareAmongArrivals((hashes) => read(store.read, hashes))
  const known = new Map<string, Caller>()
  let knownAt: number | undefined
  return (hash: string): MaybeLater<Caller | undefined> => {
    const state = store.state?.()
    if (state === undefined) return find(hash)
    if (state !== knownAt) known.clear()
    knownAt = state
    return (
      known.get(hash) ??
      find(hash).then((caller) => {
        // Another request may meanwhile have seen a later state than the one of this row.
        if (caller && state === knownAt && known.size < CALLERS_AT_MOST) known.set(hash, caller)
        return caller
      })
    )
  }
}

/** The token of an `Authorization: Bearer` header, whatever the case of the scheme. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^bearer[ \t]+(\S+)[ \t]*$/i.exec(header ?? '')?.[1]
}

/**
 * Requests that arrive together share one query, whatever their credentials. It runs after the last of them arrived, so none
 * of them sees an older state.
 */
function shareAmongArrivals(
  read: (hashes: readonly string[]) => Promise<Caller[]>,
): (hash: string) => Promise<Caller | undefined> {
  let arrived: { hashes: Set<string>; callers: Promise<ReadonlyMap<string, Caller>> } | undefined
  const begin = () => {
    const hashes = new Set<string>()
    const callers = new Promise<ReadonlyMap<string, Caller>>((resolve) => {
      setImmediate(() => {
        arrived = undefined
        resolve(read([...hashes]).then((found) => new Map(found.map((caller) => [caller.hash, caller]))))
      })
    })
    return { hashes, callers }
  }
  return async (hash) => {
    arrived ??= begin()
    arrived.hashes.add(hash)
    return (await arrived.callers).get(hash)
  }
}

/** Records when a credential was last used, at long intervals and without delaying the request. */
function createToucher(store: Store, clock: Clock, log: Logger) {
  const pending = new Set<string>()
  return (
    { principal: { kind, credentialId }, lastUsedAt }: Caller,
    every: number,
    write: (tx: Executor, id: number, now: string) => Promise<unknown>,
  ) => {
    const now = clock.now()
    if (lastUsedAt && now - Date.parse(lastUsedAt) < every) return
    const name = `${kind}:${credentialId}`
    if (pending.has(name)) return
    pending.add(name)
    store
      .transaction((tx) => write(tx, Number(credentialId), new Date(now).toISOString()))
      .catch((error) => log.warn('could not record the use of a credential', { reason: errorMessage(error) }))
      .finally(() => pending.delete(name))
  }
}
