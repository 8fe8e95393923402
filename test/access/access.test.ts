// How permissions and scopes relate, and who may manage whom.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Authority,
  builtInRoles,
  covers,
  effectivePermissions,
  grantableScopes,
  holdsAll,
  isPermission,
  isScope,
  mayManage,
  normalisedPermissions,
  type Permission,
  permissionForScope,
  permissions,
  readOnlyScopes,
  scopes,
} from '../../server/domain/access/access.ts'

const one = (...held: Permission[]): Authority => ({ isOwner: false, permissions: new Set(held) })
const owner: Authority = { isOwner: true, permissions: new Set() }

test('the any permission includes own, and no other permission includes another', () => {
  for (const held of permissions)
    for (const name of permissions) {
      const isCovered = held === name || (held.endsWith('.any') && name === held.replace(/any$/, 'own'))
      assert.equal(covers(new Set([held]), name), isCovered, `${held} ${name}`)
    }
  assert.ok(!covers(new Set(), 'flight.read.own'))
})

test('effective permissions include all implied ones, normalised permissions have no duplicates', () => {
  const held = new Set<Permission>(['flight.delete.any', 'flight.read.own', 'roles.manage'])
  const effective = ['flight.read.own', 'flight.delete.own', 'flight.delete.any', 'roles.manage']
  assert.deepEqual(effectivePermissions(held), effective)
  assert.deepEqual(effectivePermissions(held), effective, 'again')
  assert.deepEqual(
    normalisedPermissions(['roles.manage', 'flight.delete.any', 'flight.delete.own', 'flight.read.own']),
    ['flight.read.own', 'flight.delete.any', 'roles.manage'],
  )
})

test('people can give only their own permissions, and manage only people with strictly fewer', () => {
  const editor = one('flight.update.any', 'users.update')
  assert.ok(holdsAll(editor, ['flight.update.own', 'users.update']))
  assert.ok(!holdsAll(editor, ['flight.update.own', 'users.create']))
  assert.ok(holdsAll(owner, [...permissions]))
  const cases: [string, Authority, Authority, boolean][] = [
    ['the owner, anyone', owner, one(...permissions), true],
    ['anyone, the owner', one(...permissions), owner, false],
    ['the owner, themselves', owner, owner, false],
    ['less', editor, one('flight.update.any'), true],
    ['only the narrower form', one('flight.update.any'), one('flight.update.own'), true],
    ['as much', editor, one('users.update', 'flight.update.any'), false],
    ['other things', editor, one('roles.manage'), false],
    ['no one, no one', one(), one(), false],
  ]
  for (const [name, actor, target, may] of cases) assert.equal(mayManage(actor, target), may, name)
})

test('a scope can be granted by roles with its permission', () => {
  const free = scopes.filter((scope) => permissionForScope(scope) === null)
  assert.deepEqual(grantableScopes(new Set()), free)
  assert.deepEqual(grantableScopes(new Set(permissions)), scopes)
  assert.deepEqual(
    grantableScopes(new Set(['flight.share.own'])).filter((scope) => !free.includes(scope)),
    ['shares.read', 'shares.write'],
  )
})

test('read-only scopes are marked, and no others', () => {
  const reads = scopes.filter((scope) => /\.(read|export)\b/.test(scope))
  assert.deepEqual(readOnlyScopes, reads)
  assert.ok(isScope('profile.read') && !isScope('toString') && !isScope('users.create'))
  assert.ok(isPermission('users.create') && !isPermission('profile.read'))
})

test('built-in roles have the intended permissions', () => {
  const [user, administrator] = builtInRoles
  const own = permissions.filter((name) => /^flight\..*\.own$/.test(name))
  assert.deepEqual([...user.permissions].sort(), [...own, 'users.directory.read'].sort())
  const missing = permissions.filter((name) => !covers(new Set<string>(administrator.permissions), name))
  assert.deepEqual(missing, ['roles.manage', 'tools.sql.execute'])
})
