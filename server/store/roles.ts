// Roles: what people may do.
import type { ExpressionBuilder } from 'kysely'
import type { Permission } from '../domain/access.ts'
import { fromJson, toJson } from './codecs.ts'
import type { Executor, Row } from './engine.ts'
import { first, query } from './query.ts'
import type { Schema } from './schema.ts'

export interface Role {
  id: string
  name: string
  description: string | null
  permissions: Permission[]
  createdAt: string
  updatedAt: string
  userCount: number
}

const userCount = (eb: ExpressionBuilder<Schema, 'role'>) =>
  eb
    .selectFrom('person')
    .whereRef('person.role_id', '=', 'role.id')
    .select((inner) => inner.fn.countAll<number>().as('n'))
    .as('userCount')

const roleColumns = [
  'role.id',
  'role.name',
  'role.description',
  'role.permissions',
  'role.created_at as createdAt',
  'role.updated_at as updatedAt',
] as const

type RoleRow = Omit<Role, 'permissions' | 'userCount'> & { permissions: string; userCount: number | null }
const toRole = (row: RoleRow): Role => ({
  ...row,
  permissions: fromJson<Permission[]>(row.permissions),
  userCount: Number(row.userCount),
})

const allRoles = query<object, RoleRow>((db) =>
  db
    .selectFrom('role')
    .select([...roleColumns])
    .select(userCount)
    .orderBy('name_folded'),
)
export const listRoles = async (db: Executor): Promise<Role[]> => (await allRoles(db, {})).map(toRole)

const roleById = query<{ id: string }, RoleRow>((db, p) =>
  db
    .selectFrom('role')
    .select([...roleColumns])
    .select(userCount)
    .where('role.id', '=', p.id),
)
export async function findRole(db: Executor, id: string): Promise<Role | undefined> {
  const row = await first(roleById(db, { id }))
  return row && toRole(row)
}

interface RoleText {
  name: string
  description: string | null
  permissions: readonly Permission[]
}
interface RoleWrite {
  id: string
  name: string
  nameFolded: string
  description: string | null
  permissions: string
  now: string
}
const roleWrite = (id: string, role: RoleText, now: string): RoleWrite => ({
  id,
  name: role.name,
  nameFolded: role.name.normalize('NFC').toLowerCase(),
  description: role.description,
  permissions: toJson(role.permissions),
  now,
})

/** A role as a row of its table, for a backup that has lost a person's role. */
export function roleRow(id: string, role: RoleText, at: string): Row {
  const { name, nameFolded, description, permissions } = roleWrite(id, role, at)
  return { id, name, name_folded: nameFolded, description, permissions, created_at: at, updated_at: at }
}

const insertRoleRow = query<RoleWrite, { id: string }>((db, p) =>
  db
    .insertInto('role')
    .values({
      id: p.id,
      name: p.name,
      name_folded: p.nameFolded,
      description: p.description,
      permissions: p.permissions,
      created_at: p.now,
      updated_at: p.now,
    })
    .returning('id'),
)
/** A name that is taken, ignoring case, violates a unique constraint. */
export const insertRole = (tx: Executor, id: string, role: RoleText, now: string) =>
  insertRoleRow(tx, roleWrite(id, role, now))

const updateRoleRow = query<RoleWrite, { id: string }>((db, p) =>
  db
    .updateTable('role')
    .set({
      name: p.name,
      name_folded: p.nameFolded,
      description: p.description,
      permissions: p.permissions,
      updated_at: p.now,
    })
    .where('id', '=', p.id)
    .returning('id'),
)
export const updateRole = (tx: Executor, id: string, role: RoleText, now: string) =>
  updateRoleRow(tx, roleWrite(id, role, now))

const deleteRoleRow = query<{ id: string }, { id: string }>((db, p) =>
  db.deleteFrom('role').where('id', '=', p.id).returning('id'),
)
export const deleteRole = (tx: Executor, id: string) => deleteRoleRow(tx, { id })
