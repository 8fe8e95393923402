import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInRoles, type Permission, permissions } from '../../server/domain/access/access.ts'
import { updateRole } from '../../server/store/access/roles.ts'
import type { Executor } from '../../server/store/engine/engine.ts'
import { lockAuthority } from '../../server/store/people/people.ts'
import { onBothEngines } from '../harness.ts'
import { until } from '../until.ts'

const managerPermissions: Permission[] = [
  'roles.manage',
  'users.roles.assign',
  'flight.read.any',
  'users.update',
]

onBothEngines('roles', (app) => {
  const manager = async (granted: Permission[] = managerPermissions) => {
    const someone = await app().person(granted)
    const [key, cookie] = [await someone.key(), await someone.session()]
    return { ...someone, key, cookie }
  }
  const create = (key: string, body: unknown) => app().request('POST', '/api/v1/roles', { key, body })
  let made = 0
  /** A role that any manager may change. */
  const newRole = async (key: string, granted: Permission[] = []): Promise<string> => {
    const reply = await create(key, { name: `Made ${made++}`, permissions: granted })
    assert.equal(reply.status, 201, reply.text)
    return reply.json.data.id
  }

  test('create-role, get-role, list-roles, update-role, delete-role: a role is created, read, changed and deleted', async () => {
    const { key, cookie } = await manager()
    const created = await create(key, {
      name: '  Dispatcher ',
      description: ' Sees all flights ',
      permissions: ['flight.read.own', 'flight.read.any', 'flight.read.any'],
    })
    assert.equal(created.status, 201, created.text)
    const { id, createdAt, ...rest } = created.json.data
    assert.match(id, /^[a-z0-9]{15}$/)
    assert.equal(created.headers.location, `/api/v1/roles/${id}`)
    assert.deepEqual(rest, {
      name: 'Dispatcher',
      description: 'Sees all flights',
      permissions: ['flight.read.any'],
      userCount: 0,
      oauthMappingCount: 0,
      isDefault: false,
      updatedAt: createdAt,
    })
    const read = await app().request('GET', `/api/v1/roles/${id}`, { key })
    assert.deepEqual(read.json, created.json)
    const listed = await app().request('GET', '/api/v1/roles', { key })
    assert.deepEqual(listed.json.page, { nextCursor: null })
    const names = listed.json.data.map((role: { name: string }) => role.name)
    assert.ok(names.indexOf('Administrator') < names.indexOf('Dispatcher'))
    assert.ok(names.indexOf('Dispatcher') < names.indexOf('User'))
    assert.equal(listed.json.data.find((role: { id: string }) => role.id === 'role-user').isDefault, true)

    app().clock.advance(1000)
    const body = { name: 'dispatcher', permissions: [] }
    const updated = await app().request('PUT', `/api/v1/roles/${id}`, { key, body })
    assert.equal(updated.status, 200, updated.text)
    assert.equal(updated.json.data.updated, true)
    assert.deepEqual(
      [
        updated.json.data.id,
        updated.json.data.name,
        updated.json.data.description,
        updated.json.data.permissions,
      ],
      [id, 'dispatcher', null, []],
    )
    assert.ok(updated.json.data.updatedAt > createdAt)

    const deleted = await app().request('DELETE', `/api/v1/roles/${id}`, { key })
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    const trail = await app().request('GET', '/app/api/audit/mine', { cookie })
    assert.deepEqual(
      trail.json.data.map((event: { kind: string; details: { name: string } }) => [
        event.kind,
        event.details.name,
      ]),
      [
        ['role.deleted', 'dispatcher'],
        ['role.updated', 'dispatcher'],
        ['role.created', 'Dispatcher'],
      ],
    )
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await app().request(method, `/api/v1/roles/${id}`, { key })).status, 404)
    }
    assert.equal((await app().request('PUT', `/api/v1/roles/${id}`, { key, body })).status, 404)
  })

  test('create-role, update-role: invalid roles are refused with the fields named', async () => {
    const { key } = await manager()
    const id = await newRole(key)
    const bad: [unknown, string[]][] = [
      [{}, ['name', 'permissions']],
      [{ name: '   ', permissions: [] }, ['name']],
      [{ name: 'x'.repeat(51), permissions: [] }, ['name']],
      [{ name: 'x', description: 'x'.repeat(201), permissions: [] }, ['description']],
      [{ name: 'x', permissions: ['fly.like.an.eagle'] }, ['permissions']],
      [{ name: 'x', permissions: 'roles.manage' }, ['permissions']],
      [{ name: 'a\u0000b', permissions: [] }, ['name']],
      [null, []],
    ]
    for (const [body, fields] of bad) {
      for (const [method, path] of [
        ['POST', '/api/v1/roles'],
        ['PUT', `/api/v1/roles/${id}`],
      ] as const) {
        const reply = await app().request(method, path, { key, body })
        assert.equal(reply.status, 422, reply.text)
        const named = reply.json.error.details.map((detail: { path: string[] }) => detail.path[0])
        assert.deepEqual(named.filter(Boolean), fields)
      }
    }
  })

  test('get-role, update-role, delete-role: an impossible id is not found', async () => {
    const { key } = await manager()
    for (const id of ['nobody', '%00', 'a%20b', '%F0%9F%9B%A9', 'x'.repeat(400), "'--"]) {
      const body = { name: 'Any', permissions: [] }
      assert.equal((await app().request('GET', `/api/v1/roles/${id}`, { key })).status, 404, id)
      assert.equal((await app().request('PUT', `/api/v1/roles/${id}`, { key, body })).status, 404, id)
      assert.equal((await app().request('DELETE', `/api/v1/roles/${id}`, { key })).status, 404, id)
    }
  })

  test('create-role, update-role: names are unique without regard to case', async () => {
    const { key } = await manager()
    const taken = await create(key, { name: 'USER', permissions: [] })
    assert.deepEqual([taken.status, taken.json.error.code], [409, 'conflict'])
    const id = await newRole(key)
    const body = { name: 'administrator', permissions: [] }
    const renamed = await app().request('PUT', `/api/v1/roles/${id}`, { key, body })
    assert.deepEqual([renamed.status, renamed.json.error.code], [409, 'conflict'])
    const [one, other] = await Promise.all([
      create(key, { name: 'Twin', permissions: [] }),
      create(key, { name: 'tWIN', permissions: [] }),
    ])
    assert.deepEqual([one.status, other.status].sort(), [201, 409])
    assert.equal((await create(key, { name: 'Twïn', permissions: [] })).status, 201)
  })

  test('create-role, update-role, delete-role: only permissions of the caller can be given', async () => {
    const { key } = await manager()
    const beyond = await create(key, { name: 'Beyond', permissions: ['flight.delete.own'] })
    assert.deepEqual([beyond.status, beyond.json.error.code], [403, 'forbidden'])
    const body = { name: 'Harmless', permissions: [] }
    for (const id of ['role-administrator', 'role-user']) {
      assert.equal((await app().request('PUT', `/api/v1/roles/${id}`, { key, body })).status, 403)
      assert.equal((await app().request('DELETE', `/api/v1/roles/${id}`, { key })).status, 403)
    }
    const id = await newRole(key)
    const widened = { name: 'Widened', permissions: ['tools.sql.execute'] }
    const reply = await app().request('PUT', `/api/v1/roles/${id}`, { key, body: widened })
    assert.equal(reply.status, 403)
    // `.any` includes `.own`, but not the other way round.
    assert.equal((await create(key, { name: 'Readers', permissions: ['flight.read.own'] })).status, 201)
    const own = await manager(['roles.manage', 'flight.read.own'])
    assert.equal(
      (await create(own.key, { name: 'All readers', permissions: ['flight.read.any'] })).status,
      403,
    )
  })

  test('delete-role: the default role and roles in use are refused', async () => {
    const { key, cookie } = await manager([...permissions])
    const standard = await app().request('DELETE', '/api/v1/roles/role-user', { key })
    assert.deepEqual([standard.status, standard.json.error.code], [409, 'conflict'])
    const id = await newRole(key)
    const someone = await app().person([])
    const path = `/app/api/users/${someone.id}/role`
    assert.equal((await app().request('PUT', path, { cookie, body: { roleId: id } })).status, 200)
    assert.equal((await app().request('GET', `/api/v1/roles/${id}`, { key })).json.data.userCount, 1)
    const used = await app().request('DELETE', `/api/v1/roles/${id}`, { key })
    assert.deepEqual([used.status, used.json.error.code], [409, 'conflict'])
  })

  test('update-role: takes effect on the next request of its users', async () => {
    const { key } = await manager([...permissions])
    const id = await newRole(key, ['users.directory.read'])
    const holder = await app().person([])
    const { cookie } = await manager([...permissions])
    await app().request('PUT', `/app/api/users/${holder.id}/role`, { cookie, body: { roleId: id } })
    const theirs = await holder.key()
    assert.equal((await app().request('GET', '/api/v1/users', { key: theirs })).status, 200)
    const body = { name: 'Bites', permissions: [] }
    assert.equal((await app().request('PUT', `/api/v1/roles/${id}`, { key, body })).status, 200)
    assert.equal((await app().request('GET', '/api/v1/users', { key: theirs })).status, 403)
  })

  test('get-default-role, set-default-role, list-assignable-roles: new people get the default role', async () => {
    const { key, cookie } = await manager()
    const before = await app().request('GET', '/app/api/default-role', { cookie })
    assert.equal(before.json.data.id, 'role-user')
    const id = await newRole(key, ['flight.read.own'])
    const choices = await app().request('GET', '/app/api/assignable-roles', { cookie })
    const ids = choices.json.data.map((role: { id: string }) => role.id)
    assert.ok(ids.includes(id))
    assert.ok(!ids.includes('role-user') && !ids.includes('role-administrator'))

    const set = (roleId: unknown) =>
      app().request('PUT', '/app/api/default-role', { cookie, body: { roleId } })
    assert.equal((await set('role-administrator')).status, 403)
    assert.equal((await set('nobody')).status, 422)
    assert.equal((await set(7)).status, 422)
    const chosen = await set(id)
    assert.equal(chosen.status, 200, chosen.text)
    assert.equal(chosen.json.data.isDefault, true)
    assert.equal((await app().request('GET', '/app/api/default-role', { cookie })).json.data.id, id)
    assert.equal((await app().request('DELETE', `/api/v1/roles/${id}`, { key })).status, 409)
    const owner = await manager([...permissions])
    const back = { cookie: owner.cookie, body: { roleId: 'role-user' } }
    assert.equal((await app().request('PUT', '/app/api/default-role', back)).status, 200)
    assert.equal((await app().request('DELETE', `/api/v1/roles/${id}`, { key })).status, 204)
  })

  /** Counts the transactions of requests. */
  function watchTransactions(): { count: number } {
    const { services } = app()
    const begun = { count: 0 }
    const { store } = services
    services.store = {
      ...store,
      transaction(work) {
        begun.count++
        services.store = store
        return store.transaction(work)
      },
    }
    return begun
  }

  /** SQLite has one writer; on PostgreSQL the other transaction waits for the lock of this one. */
  async function isWaiting(tx: Executor, begun: { count: number }): Promise<boolean> {
    if (app().engine === 'sqlite') return begun.count === 1
    const waiting =
      "/* test */ select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    return (await tx.query(waiting, [])).length === 1
  }

  test('create-role, set-user-role: permissions are checked again after a concurrent change', async () => {
    const rivals = ['POST /api/v1/roles', 'PUT role of a person'] as const
    for (const rival of rivals) {
      const actor = await manager()
      const roleId = (await app().request('GET', '/api/v1/me', { key: actor.key })).json.data.role.id
      const target = await app().person([])
      const harmless = await newRole(actor.key, ['flight.read.any'])
      let waiting: Promise<{ status: number; text: string }> | undefined
      const begun = watchTransactions()
      await app().store.transaction(async (tx) => {
        await lockAuthority(tx)
        await updateRole(tx, roleId, { name: roleId, description: null, permissions: [] }, 'now')
        // Sent while other transactions still see the actor's full role; it must wait for this transaction.
        waiting =
          rival === 'POST /api/v1/roles'
            ? create(actor.key, { name: `Raced ${made++}`, permissions: ['flight.read.any'] })
            : app().request('PUT', `/app/api/users/${target.id}/role`, {
                cookie: actor.cookie,
                body: { roleId: harmless },
              })
        await until('the request waits for this transaction', () => isWaiting(tx, begun))
      })
      const reply = await waiting!
      assert.equal(reply.status, 403, reply.text)
    }
  })

  test('delete-role, set-user-role, set-default-role: one of two conflicting concurrent requests succeeds', async () => {
    const { key, cookie } = await manager([...permissions])
    for (let round = 0; round < 6; round++) {
      const roleId = await newRole(key)
      const target = await app().person([])
      const asDefault = round % 2 === 0
      const [kept, deleted] = await Promise.all([
        asDefault
          ? app().request('PUT', '/app/api/default-role', { cookie, body: { roleId } })
          : app().request('PUT', `/app/api/users/${target.id}/role`, { cookie, body: { roleId } }),
        app().request('DELETE', `/api/v1/roles/${roleId}`, { key }),
      ])
      const outcome = `${kept.status} ${deleted.status}`
      assert.ok(outcome === '200 409' || outcome === '422 204', outcome)
      const exists = (await app().request('GET', `/api/v1/roles/${roleId}`, { key })).status
      assert.equal(exists, kept.status === 200 ? 200 : 404)
    }
    await app().request('PUT', '/app/api/default-role', { cookie, body: { roleId: 'role-user' } })
  })

  test('list-roles: built-in roles have the intended permissions', async () => {
    const { key } = await manager()
    const { data } = (await app().request('GET', '/api/v1/roles', { key })).json
    for (const { id, permissions: granted } of builtInRoles) {
      const role = data.find((entry: { id: string }) => entry.id === id)
      assert.deepEqual(role.permissions, granted)
      assert.ok(!role.permissions.includes('roles.manage'))
    }
  })
})
