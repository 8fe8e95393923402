// Roles: sets of permissions. To create, change or delete a role, the caller must hold all of its permissions; a
// credential can only give permissions that it holds itself.
import * as z from 'zod'
import { AppError, notFound } from '../../base/errors.ts'
import { randomId } from '../../base/secret/secrets.ts'
import {
  covers,
  holdsAll,
  isPermission,
  normalisedPermissions,
  type Permission,
  permissions,
} from '../../domain/access/access.ts'
import { type Call, credentialWith, operation, person, takes } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import {
  deleteRole as deleteStoredRole,
  findRole,
  insertRole,
  listRoles as listStoredRoles,
  type Role as StoredRole,
  updateRole as updateStoredRole,
} from '../../store/access/roles.ts'
import { findSetting, writeSetting } from '../../store/instance/settings.ts'
import { insertNotice } from '../../store/people/notices.ts'
import { findOwnerId } from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import {
  authorOf,
  orTaken,
  recordBy,
  requireAssignable,
  requireAuthority,
  requireHolds,
} from '../access/authority.ts'
import { list, nothing, onePage, ShortDescription, single, TextId, textId } from '../wire/schemas.ts'
import { countRules } from './role-rules.ts'

const tag = 'Administration'
const access = credentialWith(['roles.manage'])

const Role = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    permissions: z
      .array(z.enum(permissions))
      .describe('As granted. An `.any` permission includes its `.own`, which is then not listed.'),
    userCount: z.int().describe('Number of people who have this role.'),
    oauthMappingCount: z.int().describe('Number of sign-in rules that assign this role.'),
    isDefault: z.boolean().describe('Assigned to new people unless another role is chosen.'),
    createdAt: z.string().meta({ format: 'date-time' }),
    updatedAt: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'Role' })

const RoleInput = z
  .object({
    name: z.string().trim().min(1).max(50).describe('Unique, ignoring case.'),
    description: ShortDescription,
    permissions: z.array(z.enum(permissions)).transform(normalisedPermissions),
  })
  .meta({ id: 'RoleInput' })

const nameTaken = 'role_name_taken'

export const listRoles = operation({
  id: 'list-roles',
  method: 'GET',
  path: '/roles',
  tag,
  summary: 'List roles',
  access,
  output: list(Role),
  async run({ db, services: { config } }) {
    const defaultId = await findSetting(db, { name: 'defaultRoleId' })
    const roles = await listStoredRoles(db)
    const rules = countRules(config, roles)
    return onePage(roles.map((role) => showRole(role, defaultId, rules.get(role.id))))
  },
})

export const getRole = operation({
  id: 'get-role',
  method: 'GET',
  path: '/roles/{id}',
  tag,
  summary: 'Read a role',
  example: { params: { id: 'role-user' } },
  access,
  params: textId,
  output: single(Role),
  errors: ['not_found'],
  run: async ({ input, db, services }) => ({ data: await readRole(db, input.id, services) }),
})

export const createRole = operation({
  id: 'create-role',
  method: 'POST',
  path: '/roles',
  tag,
  summary: 'Create a role',
  example: { body: { name: 'Crew', permissions: ['flight.read.any'] } },
  description:
    'The role can only contain permissions that you have yourself and that a scope of this credential stands for; the web app can give the others.',
  access,
  confirms: true,
  body: takes(RoleInput),
  gives: ({ input }) => input.permissions,
  output: single(Role),
  status: 201,
  errors: ['conflict'],
  location: ({ data }) => `/roles/${data.id}`,
  async run(call) {
    const { principal, input, db, now } = call
    const actor = await requireAuthority(db, principal, ['roles.manage'])
    requireHolds(actor, input.permissions)
    const id = randomId()
    await orTaken(insertRole(db, id, input, now.toISOString()), nameTaken)
    const details = { role: id, name: input.name, permissions: input.permissions }
    await recordBy(authorOf(call), db, 'role.created', { details })
    return { data: await readRole(db, id, call.services) }
  },
})

export const updateRole = operation({
  id: 'update-role',
  method: 'PUT',
  path: '/roles/{id}',
  tag,
  summary: 'Replace a role',
  example: { params: { id: 'role-guest' }, body: { name: 'Guest', permissions: ['flight.read.own'] } },
  description:
    'Applies to everyone who has it with their next request. Needs everything that it grants before and after the change. A credential adds only permissions that one of its scopes stands for, and renames only a role of such permissions.',
  access,
  confirms: true,
  params: textId,
  body: takes(RoleInput),
  target: { find: requireOwnRole },
  // Sign-in rules refer to roles by name: a renamed role may be given to other people, with all of its permissions.
  gives: ({ input, target: { role } }) =>
    input.name === role.name ? gainedBy(role, input.permissions) : input.permissions,
  output: single(Role.extend({ updated: z.literal(true) })),
  errors: ['not_found', 'conflict'],
  async run(call) {
    const { input, target, db, now } = call
    const { id, ...wanted } = input
    requireHolds(target.actor, wanted.permissions)
    await orTaken(updateStoredRole(db, id, wanted, now.toISOString()), nameTaken)
    const details = { role: id, name: wanted.name, permissions: wanted.permissions }
    await recordBy(authorOf(call), db, 'role.updated', { details })
    const gained = gainedBy(target.role, wanted.permissions)
    if (gained.length > 0) await tellOwner(call, { roleId: id, name: wanted.name, permissions: gained })
    return { data: { ...(await readRole(db, id, call.services)), updated: true as const } }
  },
})

/** A role whose permissions the caller holds completely. */
async function requireOwnRole({ principal, input, db }: Call<{ id: string }>) {
  const actor = await requireAuthority(db, principal, ['roles.manage'])
  const role = await findRole(db, { id: input.id })
  if (!role) throw notFound('Role')
  requireHolds(actor, role.permissions)
  return { actor, role }
}

const gainedBy = (role: StoredRole, wanted: readonly Permission[]): Permission[] => {
  const held = new Set<string>(role.permissions)
  return wanted.filter((permission) => !covers(held, permission))
}

/** Except for changes that the owner made in the web app. */
async function tellOwner(
  { principal, db, now }: Call,
  gain: { roleId: string; name: string; permissions: Permission[] },
): Promise<void> {
  const { user, isOwner, kind } = principal
  const isByProgram = kind !== 'session'
  const userId = await findOwnerId(db)
  if (userId === undefined || (isOwner && !isByProgram)) return
  const by = { id: user.id, displayName: user.displayName }
  const data = { ...gain, by, isByProgram }
  await insertNotice(db, { userId, kind: 'role.gained', at: now.toISOString(), flightId: null, data })
}

export const deleteRole = operation({
  id: 'delete-role',
  method: 'DELETE',
  path: '/roles/{id}',
  tag,
  summary: 'Delete a role',
  example: { params: { id: 'role-former' } },
  description: 'The default role and a role that people have cannot be deleted.',
  access,
  confirms: true,
  params: textId,
  target: { find: requireOwnRole },
  output: nothing,
  status: 204,
  errors: ['not_found', 'conflict'],
  async run(call) {
    const { db } = call
    const { role } = call.target
    if (role.id === (await findSetting(db, { name: 'defaultRoleId' }))) {
      throw new AppError('conflict', 'role_is_default')
    }
    if (role.userCount > 0) {
      throw new AppError('conflict', 'role_in_use')
    }
    await deleteStoredRole(db, { id: role.id })
    await recordBy(authorOf(call), db, 'role.deleted', { details: { role: role.id, name: role.name } })
  },
})

// Choosing a person's role needs the permission to assign roles, not the one to manage them.

const RoleChoice = z
  .object({ id: z.string(), name: z.string(), description: z.string().nullable(), isDefault: z.boolean() })
  .meta({ id: 'RoleChoice' })

export const listAssignableRoles = operation({
  id: 'list-assignable-roles',
  method: 'GET',
  path: '/assignable-roles',
  door: 'app',
  tag,
  summary: 'List the roles that you may assign',
  access: person(['users.roles.assign']),
  output: list(RoleChoice),
  async run({ principal, db }) {
    const defaultId = await findSetting(db, { name: 'defaultRoleId' })
    const roles = (await listStoredRoles(db)).filter((role) => holdsAll(principal, role.permissions))
    return onePage(roles.map((role) => showChoice(role, defaultId)))
  },
})

export const getDefaultRole = operation({
  id: 'get-default-role',
  method: 'GET',
  path: '/default-role',
  door: 'app',
  tag,
  summary: 'Read the default role',
  access: person(['users.roles.assign']),
  output: single(RoleChoice),
  async run({ db }) {
    const id = await findSetting(db, { name: 'defaultRoleId' })
    return { data: showChoice((await findRole(db, { id: id! }))!, id) }
  },
})

export const setDefaultRole = operation({
  id: 'set-default-role',
  method: 'PUT',
  path: '/default-role',
  door: 'app',
  tag,
  summary: 'Set the default role',
  access: person(['roles.manage', 'users.roles.assign']),
  confirms: true,
  body: takes(z.object({ roleId: TextId })),
  output: single(RoleChoice),
  async run(call) {
    const { principal, input, db } = call
    const actor = await requireAuthority(db, principal, ['roles.manage', 'users.roles.assign'])
    const role = await requireAssignable(db, actor, input.roleId)
    await writeSetting(db, { name: 'defaultRoleId', value: role.id })
    await recordBy(authorOf(call), db, 'role.made-default', { details: { role: role.id, name: role.name } })
    return { data: showChoice(role, role.id) }
  },
})

async function readRole(
  db: Executor,
  id: string,
  { config }: Pick<Services, 'config'>,
): Promise<z.input<typeof Role>> {
  const role = await findRole(db, { id })
  if (!role) throw notFound('Role')
  return showRole(role, await findSetting(db, { name: 'defaultRoleId' }), countRules(config, [role]).get(id))
}

const showRole = (role: StoredRole, defaultId: string | undefined, ruleCount = 0): z.input<typeof Role> => ({
  ...role,
  // Drops permissions that only earlier versions had.
  permissions: role.permissions.filter(isPermission),
  oauthMappingCount: ruleCount,
  isDefault: role.id === defaultId,
})

const showChoice = ({ id, name, description }: StoredRole, defaultId: string | undefined) => ({
  id,
  name,
  description,
  isDefault: id === defaultId,
})
