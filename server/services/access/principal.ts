// The caller of an operation: a person, through a credential that may narrow what the person's role permits.
import { forbidden, insufficientScope, notFound } from '../../base/errors.ts'
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
} from '../../domain/access/access.ts'
import type { LegacyFormat } from '../../domain/enums.ts'
import { problem } from '../../domain/reasons.ts'
import { type CallerRow, findCallerByPerson, hasCredential } from '../../store/access/callers.ts'
import type { Executor } from '../../store/engine/engine.ts'

export interface Principal {
  kind: 'apiKey' | 'oauth' | 'session'
  credentialId: number | string
  user: { id: string; username: string; displayName: string }
  role: { id: string; name: string } | null
  isOwner: boolean
  /** The permissions of the role, as stored; check with `roleMay`. */
  permissions: ReadonlySet<string>
  /** The scopes of the credential; check with `credentialMay`. */
  scopes: ReadonlySet<Scope>
  legacyFormat: LegacyFormat
  /** Counters under which this caller's reads may be cached. */
  revisions: {
    flights: number
    /** Counts changes of the names on this caller's flights, and of records that all flights show. */
    names: number
    presentation: number
    /** Counts changes of records and definitions; `names` counts what flights show of them. */
    reference: number
    /** Increments only on a restore. */
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

/** A credential can only grant what its own scopes allow: a role outlives it, and other people have the role. */
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
 * Requires that the caller may do this to one flight. If the role does not permit it, the flight is not found; if only the
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
 * The current state of a request's caller, for work that continues after the request; undefined if the person or the credential
 * no longer exists. Work that the server does for a person has no credential.
 */
export async function principalNow(db: Executor, before: Principal): Promise<Principal | undefined> {
  const { kind, credentialId, scopes: carried, legacyFormat, user } = before
  const row = await findCallerByPerson(db, { userId: user.id })
  if (!row) return undefined
  const isAlive =
    typeof credentialId === 'string' || (await hasCredential(db, { kind, userId: user.id, id: credentialId }))
  return isAlive ? principalFrom(row, { kind, credentialId, scopes: carried, legacyFormat }) : undefined
}

const LISTS_AT_MOST = 1000

/** Parses each stored list once: most requests have one of a few lists. */
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

/** A credential's stored scopes; unknown names are dropped. */
export const scopeSet = rememberLists(isScope)
