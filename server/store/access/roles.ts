// Roles: what people may do.
import type { ExpressionBuilder } from 'kysely'
import type { Permission } from '../../domain/access/access.ts'
import { pick } from '../../domain/pick.ts'
import { storedLowerCase } from '../../domain/text/fold.ts'
import { fromJson, toJson } from '../engine/codecs.ts'
import { toColumns } from '../engine/columns.ts'
import type { Executor, Row } from '../engine/engine.ts'
import { query, queryFirst } from '../engine/query.ts'
import type { Schema } from '../engine/schema.ts'

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
    .whereRef('person.roleId', '=', 'role.id')
    .select((inner) => inner.fn.countAll<number>().as('n'))
    .as('userCount')

const roleColumns = [
  'role.id',
  'role.name',
  'role.description',
  'role.permissions',
  'role.createdAt',
  'role.updatedAt',
] as const

type RoleRow = Omit<Role, 'permissions' | 'userCount'> & { permissions: string; userCount: number | null }
const toRole = (row: RoleRow): Role => ({
  ...row,
  permissions: fromJson<Permission[]>(row.permissions),
  userCount: Number(row.userCount),
})
export const listRoles = query(
  (db) =>
    db
      .selectFrom('role')
      .select([...roleColumns])
      .select(userCount)
      .orderBy('nameFolded'),
  toRole,
)

export const findRole = queryFirst(
  (db, p: { id: string }) =>
    db
      .selectFrom('role')
      .select([...roleColumns])
      .select(userCount)
      .where('role.id', '=', p.id),
  toRole,
)

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
  nameFolded: storedLowerCase(role.name),
  description: role.description,
  permissions: toJson(role.permissions),
  now,
})

/** A role as a row of its table, for a backup that has lost a person's role. */
export function roleRow(id: string, role: RoleText, at: string): Row {
  const { name, nameFolded, description, permissions } = roleWrite(id, role, at)
  return toColumns({ id, name, nameFolded, description, permissions, createdAt: at, updatedAt: at })
}

const insertRoleRow = query((db, p: RoleWrite) =>
  db
    .insertInto('role')
    .values({
      ...pick(p, ['id', 'name', 'nameFolded', 'description', 'permissions']),
      createdAt: p.now,
      updatedAt: p.now,
    })
    .returning('id'),
)
/** A name that already exists, ignoring case, violates a unique constraint. */
export const insertRole = (tx: Executor, id: string, role: RoleText, now: string) =>
  insertRoleRow(tx, roleWrite(id, role, now))

const updateRoleRow = query((db, p: RoleWrite) =>
  db
    .updateTable('role')
    .set({
      ...pick(p, ['name', 'nameFolded', 'description', 'permissions']),
      updatedAt: p.now,
    })
    .where('id', '=', p.id)
    .returning('id'),
)
export const updateRole = (tx: Executor, id: string, role: RoleText, now: string) =>
  updateRoleRow(tx, roleWrite(id, role, now))
export const deleteRole = query((db, p: { id: string }) =>
  db.deleteFrom('role').where('id', '=', p.id).returning('id'),
)
