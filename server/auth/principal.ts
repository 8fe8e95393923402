// The caller of an operation: a person, through a credential that may narrow what the person's role permits.
import { forbidden, insufficientScope, notFound } from '../base/errors.ts'
import {
  covers,
  type FlightAction,
  flightScope,
  isPermission,
  isScope,
  type Permission,
  permissionForScope,
  permissions,
  type Reach,
  type Scope,
  scopes,
  scopeToGive,
} from '../domain/access.ts'
import type { LegacyFormat } from '../domain/enums.ts'
import { problem } from '../domain/reasons.ts'
import { type CallerRow, findCallerByPerson, hasCredential } from '../store/callers.ts'
import type { Executor } from '../store/engine.ts'

export interface Principal {
  kind: 'apiKey' | 'oauth' | 'session'
  credentialId: number | string
  user: { id: string; username: string; displayName: string }
  role: { id: string; name: string } | null
  isOwner: boolean
  /** What the role permits, as stored; check with `roleMay`. */
  permissions: ReadonlySet<string>
  /** What the credential carries; check with `credentialMay`. */
  scopes: ReadonlySet<Scope>
  legacyFormat: LegacyFormat
  /** Counters under which this caller's reads may be cached. */
  revisions: {
    flights: number
    /** Of the names that their flights show, and of what all flights show. */
    names: number
    presentation: number
    /** Of records and definitions themselves; what flights show of them is counted above. */
    reference: number
    /** Rises with a restore only. */
    epoch: number
  }
}

const everyPermission: ReadonlySet<string> = new Set(permissions)
export const everyScope: ReadonlySet<Scope> = new Set(scopes)

export const roleMay = (principal: Principal, permission: Permission): boolean =>
  covers(principal.permissions, permission)

export const credentialMay = (principal: Principal, scope: Scope): boolean => covers(principal.scopes, scope)

export const roleMayUse = (principal: Principal, scope: Scope): boolean => {
  const permission = permissionForScope(scope)
  return permission === null || roleMay(principal, permission)
}

export function requirePermission(principal: Principal, permission: Permission): void {
  if (!roleMay(principal, permission)) throw forbidden()
}

/** The credential carries the scope, and the role permits using it. */
export function requireScope(principal: Principal, scope: Scope, needed: readonly Scope[] = [scope]): void {
  if (!credentialMay(principal, scope)) throw insufficientScope(scope, needed)
  if (!roleMayUse(principal, scope)) throw forbidden()
}

/** A credential gives only what its own scopes allow: a role outlives it, and other people have it. */
export function requireGiven(principal: Principal, given: readonly Permission[]): void {
  if (principal.kind === 'session') return
  const needed = given.map((permission) => {
    const scope = scopeToGive(permission)
    if (!scope) throw forbidden(problem('permission_not_given', { permission }))
    return scope
  })
  const missing = needed.find((scope) => !credentialMay(principal, scope))
  if (missing) throw insufficientScope(missing, ['roles.manage', ...needed])
}

/**
 * Whether the caller may do this to one flight. If the role does not permit it, the flight is not found; if only the
 * credential does not, the error names the missing scope.
 */
export function requireFlightAccess(
  principal: Principal,
  action: FlightAction,
  reach: Reach,
  needed: readonly Scope[] = [],
): void {
  const scope = flightScope(action, reach)
  if (!roleMay(principal, scope as Permission)) throw notFound('Flight')
  if (!credentialMay(principal, scope)) throw insufficientScope(scope, [...needed, scope])
}

type StoredCaller = Omit<CallerRow, 'credentialId' | 'scopes' | 'legacyFormat' | 'lastUsedAt'>

export function principalFrom(
  row: StoredCaller,
  credential: Pick<Principal, 'kind' | 'credentialId' | 'scopes'> & Partial<Pick<Principal, 'legacyFormat'>>,
): Principal {
  return {
    legacyFormat: 'codes',
    ...credential,
    user: { id: row.userId, username: row.username, displayName: row.displayName },
    role: row.roleId === null ? null : { id: row.roleId, name: row.roleName ?? '' },
    isOwner: row.isOwner === 1,
    permissions: row.isOwner === 1 ? everyPermission : permissionSet(row.permissions ?? '[]'),
    revisions: {
      flights: row.flightsRevision ?? 0,
      names: row.namesRevision ?? 0,
      presentation: row.presentationRevision ?? 0,
      reference: row.referenceRevision ?? 0,
      epoch: row.epoch ?? 0,
    },
  }
}

/**
 * The caller of a request as of now, for work that goes on after it: undefined if the person or the credential is gone. What the server
 * does for a person has no credential.
 */
export async function principalNow(db: Executor, before: Principal): Promise<Principal | undefined> {
  const { kind, credentialId, scopes: carried, legacyFormat, user } = before
  const row = await findCallerByPerson(db, user.id)
  if (!row) return undefined
  const isAlive =
    typeof credentialId === 'string' || (await hasCredential(db, { kind, userId: user.id, id: credentialId }))
  return isAlive ? principalFrom(row, { kind, credentialId, scopes: carried, legacyFormat }) : undefined
}

const LISTS_AT_MOST = 1000

/** Parses each stored list once: most requests carry one of a few lists. */
function rememberLists<Name extends string>(belongs: (name: string) => name is Name) {
  const known = new Map<string, ReadonlySet<Name>>()
  return (json: string): ReadonlySet<Name> => {
    let set = known.get(json)
    if (!set) {
      if (known.size >= LISTS_AT_MOST) known.clear()
      set = new Set((JSON.parse(json) as string[]).filter(belongs))
      known.set(json, set)
    }
    return set
  }
}

const permissionSet = rememberLists(isPermission)

/** A credential's stored scopes; names we no longer know are dropped. */
export const scopeSet = rememberLists(isScope)
