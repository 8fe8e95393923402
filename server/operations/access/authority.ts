// What the caller may do to roles and to other people, read again inside the transaction of the change: if two administrators
// act concurrently, the second is bound by what the first one changed. Also the author of a change in the audit trail.

import { AppError, forbidden, invalidField, notFound } from '../../base/errors.ts'
import {
  type Authority,
  covers,
  holdsAll,
  mayManage,
  type Permission,
  permissions,
} from '../../domain/access/access.ts'
import type { PlainReason } from '../../domain/reasons.ts'
import type { Call } from '../../door/operation.ts'
import type { Principal } from '../../services/access/principal.ts'
import { type EventKind, type NewEvent, recordEvent } from '../../store/access/audit.ts'
import { findRole, type Role } from '../../store/access/roles.ts'
import { findPerson, lockAuthority, type Person } from '../../store/people/people.ts'
import { type Executor, uniqueViolation } from '../../store/store.ts'

const everything: ReadonlySet<string> = new Set(permissions)

export const authorityOf = ({ isOwner, permissions: stored }: Person): Authority => ({
  isOwner,
  permissions: isOwner ? everything : new Set(stored),
})

/** The caller's current authority, locked until the transaction ends. Throws if it no longer includes `needed`. */
export async function requireAuthority(
  tx: Executor,
  principal: Principal,
  needed: readonly Permission[],
): Promise<Authority> {
  await lockAuthority(tx)
  const person = await findPerson(tx, { id: principal.user.id })
  if (!person) throw new AppError('unauthorized', 'account_deleted')
  const actor = authorityOf(person)
  if (!needed.every((permission) => covers(actor.permissions, permission))) throw forbidden()
  return actor
}

/** A person whom the caller may act on: their permissions are a proper subset of the caller's. */
export async function requireManageable(tx: Executor, actor: Authority, id: string): Promise<Person> {
  const target = await findPerson(tx, { id })
  if (!target) throw notFound('User')
  if (target.isOwner) throw forbidden('owner_only')
  if (!mayManage(actor, authorityOf(target))) {
    throw forbidden('not_manageable')
  }
  return target
}

/** The caller must hold all permissions of a role, before a change and after it. */
export function requireHolds(actor: Authority, wanted: readonly Permission[]): void {
  if (!holdsAll(actor, wanted)) throw forbidden('role_exceeds_yours')
}

/** A role that the caller may assign. */
export async function requireAssignable(tx: Executor, actor: Authority, roleId: string): Promise<Role> {
  const role = await findRole(tx, { id: roleId })
  if (!role) {
    throw invalidField(['roleId'], 'no_such_role')
  }
  requireHolds(actor, role.permissions)
  return role
}

export interface NamedPerson {
  id: string
  username: string
}

/** The author of a change to someone's access, as the audit trail shows it. */
export interface Author {
  now: Date
  /** null: the operator at the command line, who has no account, or the identity provider. */
  actor: NamedPerson | null
  address?: string | undefined
  via?: 'command line' | 'provider'
}

export const authorOf = ({ principal, now, web }: Pick<Call, 'principal' | 'now' | 'web'>): Author => ({
  now,
  actor: principal.user,
  address: web?.address,
})

/** A person who can run commands on the server may do everything; the event names the command line as its source. */
export const operatorAt = (now: Date): Author => ({ now, actor: null, via: 'command line' })

/** Writes the event in the transaction of the change. If people change their own access, only the actor is recorded. */
export function recordBy(
  { now, actor, address, via }: Author,
  tx: Executor,
  kind: EventKind,
  { subject = null, details = {} }: Pick<NewEvent, 'subject' | 'details'> = {},
): Promise<void> {
  return recordEvent(tx, {
    kind,
    now,
    actor,
    address,
    subject: subject?.id === actor?.id ? null : subject,
    details: via === undefined ? details : { ...details, via },
  })
}

/** Runs a write whose only unique constraint is a name; a taken name is a conflict. */
export async function orTaken<Result>(write: Promise<Result>, reason: PlainReason): Promise<Result> {
  try {
    return await write
  } catch (error) {
    if (uniqueViolation(error) === undefined) throw error
    throw new AppError('conflict', reason)
  }
}
