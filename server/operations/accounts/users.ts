// The people on this instance, and what administrators can do to their accounts. Everyone may act only on people with
// strictly fewer permissions.
import * as z from 'zod'
import { forbidden } from '../../base/errors.ts'
import { because } from '../../base/request/validation.ts'
import { mayManage } from '../../domain/access/access.ts'
import { pick } from '../../domain/pick.ts'
import { credentialWith, operation, person, takes } from '../../door/operation.ts'
import type { Principal } from '../../services/access/principal.ts'
import { hashPassword } from '../../services/accounts/passwords.ts'
import type { Role as StoredRole } from '../../store/access/roles.ts'
import {
  deletePerson,
  findPerson,
  listPeople,
  type Person,
  updatePassword,
  updatePerson,
  updatePersonRole,
} from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import {
  type Author,
  authorityOf,
  authorOf,
  type NamedPerson,
  orTaken,
  recordBy,
  requireAssignable,
  requireAuthority,
  requireManageable,
} from '../access/authority.ts'
import {
  createPerson,
  DisplayName,
  NewPassword,
  requireDefaultRole,
  requireSoundName,
  StoredDisplayName,
  Username,
} from '../people/create.ts'
import { list, nothing, onePage, single, TextId, textId } from '../wire/schemas.ts'
import { endAccess, endAccessShape } from './end-access.ts'

const tag = 'Administration'
const nameTaken = 'username_taken'

const User = z
  .object({
    id: z.string(),
    username: z.string(),
    displayName: z.string(),
    roleId: z.string().nullable().describe('null for the owner.'),
    roleName: z.string().nullable(),
    isOwner: z.boolean(),
    canManage: z.boolean().describe('Whether you have all permissions of this person, and more.'),
  })
  .meta({ id: 'User' })

export const listUsers = operation({
  id: 'list-users',
  method: 'GET',
  path: '/users',
  tag,
  summary: 'List the people on this instance',
  access: credentialWith(['users.directory.read']),
  output: list(User),
  async run({ principal, db }) {
    return onePage((await listPeople(db)).map((user) => showUser(user, principal)))
  },
})

export const createUser = operation({
  id: 'create-user',
  method: 'POST',
  path: '/users',
  door: 'app',
  tag,
  summary: 'Add a person',
  access: person(['users.create', 'users.roles.assign']),
  confirms: true,
  body: takes(
    z.object({
      username: Username,
      displayName: DisplayName,
      password: NewPassword,
      roleId: TextId.optional().describe(
        'Defaults to the default role. It can only contain permissions that you have yourself.',
      ),
    }),
  ),
  output: single(User),
  status: 201,
  errors: ['conflict', 'too_many_requests'],
  transaction: 'own',
  async run(call) {
    const { principal, input, services } = call
    const { roleId, username, displayName, password } = input
    const passwordHash = await hashPassword(password)
    return services.store.transaction(async (tx) => {
      const actor = await requireAuthority(tx, principal, ['users.create', 'users.roles.assign'])
      const role = await requireAssignable(tx, actor, roleId ?? (await requireDefaultRole(tx)).id)
      const account = { username, displayName, passwordHash, role, roleByHand: roleId !== undefined }
      const { id } = await orTaken(createPerson(tx, account, authorOf(call)), nameTaken)
      return { data: await readUser(tx, id, principal) }
    })
  },
})

export const updateUser = operation({
  id: 'update-user',
  method: 'PUT',
  path: '/users/{id}',
  door: 'app',
  tag,
  summary: 'Change a person’s names or set a new password',
  description:
    'A new password ends all sessions of the person, and optionally their API keys and connected apps.',
  access: person(['users.update']),
  confirms: true,
  params: textId,
  body: takes(
    z
      .object({
        username: Username,
        displayName: StoredDisplayName,
        password: NewPassword.optional(),
        ...endAccessShape,
      })
      .refine((body) => body.password !== undefined || !(body.endApiKeys || body.endApps), {
        path: ['password'],
        message: because('new_password_required'),
      }),
  ),
  output: single(User),
  errors: ['not_found', 'conflict', 'too_many_requests'],
  transaction: 'own',
  async run(call) {
    const { principal, input, services } = call
    const { id, password, endApiKeys, endApps, ...names } = input
    const passwordHash = password === undefined ? undefined : await hashPassword(password)
    return services.store.transaction(async (tx) => {
      const actor = await requireAuthority(tx, principal, ['users.update'])
      const subject = await requireManageable(tx, actor, id)
      requireSoundName((await readUser(tx, id, principal)).displayName, names.displayName)
      await orTaken(updatePerson(tx, id, names), nameTaken)
      await recordBy(authorOf(call), tx, 'user.updated', { subject, details: names })
      if (passwordHash !== undefined) {
        await resetPassword(tx, subject, { passwordHash, endApiKeys, endApps }, authorOf(call))
      }
      return { data: await readUser(tx, id, principal) }
    })
  },
})

/** Sets a person's password and ends their sessions, and on request their API keys and apps. */
export async function resetPassword(
  tx: Executor,
  subject: NamedPerson,
  { passwordHash, ...wanted }: { passwordHash: string; endApiKeys: boolean; endApps: boolean },
  author: Author,
): Promise<void> {
  await updatePassword(tx, subject.id, passwordHash)
  await recordBy(author, tx, 'user.password-reset', { subject })
  await endAccess(tx, subject, wanted, author)
}

export const setUserRole = operation({
  id: 'set-user-role',
  method: 'PUT',
  path: '/users/{id}/role',
  door: 'app',
  tag,
  summary: 'Give a person another role',
  description:
    'Takes effect on the person’s next request. The role can only contain permissions that you have yourself.',
  access: person(['users.roles.assign']),
  confirms: true,
  params: textId,
  body: takes(z.object({ roleId: TextId })),
  output: single(User),
  errors: ['not_found'],
  async run(call) {
    const { principal, input, db } = call
    const actor = await requireAuthority(db, principal, ['users.roles.assign'])
    const target = await requireManageable(db, actor, input.id)
    const role = await requireAssignable(db, actor, input.roleId)
    await assignRole(db, target, role, authorOf(call))
    return { data: await readUser(db, target.id, principal) }
  },
})

/** False for the owner, who never has a role. Sign-in rules may change a role unless an administrator chose it. */
export async function assignRole(
  tx: Executor,
  subject: Person,
  role: StoredRole,
  author: Author,
  byHand = true,
): Promise<boolean> {
  if (!(await updatePersonRole(tx, subject.id, role.id, byHand))) return false
  const details = { from: subject.roleName, to: role.name }
  await recordBy(author, tx, 'user.role-changed', { subject, details })
  return true
}

export const deleteUser = operation({
  id: 'delete-user',
  method: 'DELETE',
  path: '/users/{id}',
  door: 'app',
  tag,
  summary: 'Delete a person',
  description:
    'Deletes their API keys, sessions, shares and countries, the flights that no one else is on, and the flights that others were added to but have not kept. Other flights with another person or a guest stay, without them.',
  access: person(['users.delete']),
  confirms: true,
  params: textId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
  async run(call) {
    const { principal, input, db, now } = call
    const actor = await requireAuthority(db, principal, ['users.delete'])
    if (input.id === principal.user.id) throw forbidden('own_account_in_settings')
    const target = await requireManageable(db, actor, input.id)
    await deletePerson(db, target.id, now.toISOString())
    await recordBy(authorOf(call), db, 'user.deleted', { subject: target })
  },
})

async function readUser(tx: Executor, id: string, principal: Principal): Promise<z.input<typeof User>> {
  return showUser((await findPerson(tx, { id }))!, principal)
}

const showUser = (user: Person, principal: Principal): z.input<typeof User> => ({
  ...pick(user, ['id', 'username', 'displayName', 'roleId', 'roleName', 'isOwner']),
  canManage: mayManage(principal, authorityOf(user)),
})
