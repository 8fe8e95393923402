// What the caller may do to roles and to other people, read again inside the transaction that does it: two
// administrators who act at the same moment act one after the other, each bound by what the first one left.
import type { Principal } from '../auth/principal.ts'
import { AppError, forbidden, invalidField, notFound } from '../base/errors.ts'
import {
  type Authority,
  covers,
  holdsAll,
  mayManage,
  type Permission,
  permissions,
} from '../domain/access.ts'
import type { PlainReason } from '../domain/reasons.ts'
import type { Call } from '../operation.ts'
import { type EventKind, type NewEvent, recordEvent } from '../store/audit.ts'
import { findPerson, lockAuthority, type Person } from '../store/people.ts'
import { findRole, type Role } from '../store/roles.ts'
import { type Executor, uniqueViolation } from '../store/store.ts'

const everything: ReadonlySet<string> = new Set(permissions)

export const authorityOf = ({ isOwner, permissions: stored }: Person): Authority => ({
  isOwner,
  permissions: isOwner ? everything : new Set(stored),
})

/** The caller's authority as it is now and stays until the transaction ends; it must still include `needed`. */
export async function requireAuthority(
  tx: Executor,
  principal: Principal,
  needed: readonly Permission[],
): Promise<Authority> {
  await lockAuthority(tx)
  const person = await findPerson(tx, principal.user.id)
  if (!person) throw new AppError('unauthorized', 'account_deleted')
  const actor = authorityOf(person)
  if (!needed.every((permission) => covers(actor.permissions, permission))) throw forbidden()
  return actor
}

/** A person whom the caller may act on: one whose permissions are fewer, and all the caller's too. */
export async function requireManageable(tx: Executor, actor: Authority, id: string): Promise<Person> {
  const target = await findPerson(tx, id)
  if (!target) throw notFound('User')
  if (target.isOwner) throw forbidden('owner_only')
  if (!mayManage(actor, authorityOf(target))) {
    throw forbidden('not_manageable')
  }
  return target
}

/** Roles are made of what the caller holds, before a change and after it. */
export function requireHolds(actor: Authority, wanted: readonly Permission[]): void {
  if (!holdsAll(actor, wanted)) throw forbidden('role_exceeds_yours')
}

/** A role that the caller may give to somebody. */
export async function requireAssignable(tx: Executor, actor: Authority, roleId: string): Promise<Role> {
  const role = await findRole(tx, roleId)
  if (!role) {
    throw invalidField(['roleId'], 'no_such_role')
  }
  requireHolds(actor, role.permissions)
  return role
}

/** Notes who did this to whom, in the transaction that does it. */
export const recordBy = (
  { principal, now, web }: Call,
  tx: Executor,
  kind: EventKind,
  more: Pick<NewEvent, 'subject' | 'details'>,
): Promise<void> => recordEvent(tx, { kind, now, actor: principal.user, address: web?.address, ...more })

/** Runs a write whose only unique constraint is a name; a taken one is a conflict. */
export async function orTaken<Result>(write: Promise<Result>, reason: PlainReason): Promise<Result> {
  try {
    return await write
  } catch (error) {
    if (uniqueViolation(error) === undefined) throw error
    throw new AppError('conflict', reason)
  }
}
