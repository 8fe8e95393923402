import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Permission, permissions } from '../../server/domain/access/access.ts'
import { CONFIRMED_MS } from '../../server/domain/accounts/sign-in.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'

const account = { username: 'amelia', displayName: 'Amelia E', password: 'lockheed vega' }

onBothEngines('users', (app) => {
  let owner: TestPerson
  const admin = async (role: 'role-administrator' | Permission[] = 'role-administrator') => {
    const someone = await app().person(role)
    return { ...someone, cookie: await someone.session(), apiKey: await someone.key() }
  }
  const theOwner = async () => {
    owner ??= await app().person('owner')
    return { ...owner, cookie: await owner.session(), apiKey: await owner.key() }
  }
  const signIn = (username: string, password: string) =>
    app().request('POST', '/app/api/sign-in', {
      headers: { 'sec-fetch-site': 'same-origin' },
      body: { username, password },
    })
  const logFlight = async (apiKey: string, passengers: object[], more: object = {}): Promise<number> => {
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('LHR')]
    const body = { date: '2026-02-20', fromId, toId, passengers, ...more }
    const reply = await app().request('POST', '/api/v1/flights', { key: apiKey, body })
    assert.equal(reply.status, 201, reply.text)
    return reply.json.data.id
  }

  test('list-users: all people are listed, with whether the caller may manage them', async () => {
    const boss = await theOwner()
    const [one, peer] = [await admin(), await admin()]
    const plain = await app().person()
    const find = async (apiKey: string) => {
      const { status, json } = await app().request('GET', '/api/v1/users', { key: apiKey })
      assert.equal(status, 200)
      assert.deepEqual(json.page, { nextCursor: null })
      return new Map<string, Record<string, unknown>>(
        json.data.map((user: { id: string }) => [user.id, user]),
      )
    }
    const seen = await find(one.apiKey)
    assert.deepEqual(seen.get(plain.id), {
      id: plain.id,
      username: plain.username,
      displayName: plain.displayName,
      roleId: 'role-user',
      roleName: 'User',
      isOwner: false,
      canManage: true,
    })
    assert.equal(seen.get(peer.id)!['canManage'], false)
    assert.equal(seen.get(one.id)!['canManage'], false)
    assert.deepEqual(
      [seen.get(boss.id)!['canManage'], seen.get(boss.id)!['isOwner'], seen.get(boss.id)!['roleId']],
      [false, true, null],
    )
    const byOwner = await find(boss.apiKey)
    assert.equal(byOwner.get(one.id)!['canManage'], true)
    assert.equal(byOwner.get(boss.id)!['canManage'], false)
    const byPlain = await find(await plain.key(['users.directory.read']))
    assert.equal(byPlain.get(one.id)!['canManage'], false)
  })

  test('create-user: the new person can sign in, with the default or a given role', async () => {
    const { cookie } = await admin()
    const created = await app().request('POST', '/app/api/users', { cookie, body: account })
    assert.equal(created.status, 201, created.text)
    const { id, ...rest } = created.json.data
    assert.match(id, /^[a-z0-9]{15}$/)
    assert.deepEqual(rest, {
      username: 'amelia',
      displayName: 'Amelia E',
      roleId: 'role-user',
      roleName: 'User',
      isOwner: false,
      canManage: true,
    })
    assert.ok(!created.text.includes(account.password))
    assert.equal((await signIn('Amelia', account.password)).status, 204)
    const again = await app().request('POST', '/app/api/users', {
      cookie,
      body: { ...account, username: 'AMELIA' },
    })
    assert.deepEqual([again.status, again.json.error.code], [409, 'conflict'])
    const peer = { ...account, username: 'peer', roleId: 'role-administrator' }
    const made = await app().request('POST', '/app/api/users', { cookie, body: peer })
    assert.deepEqual([made.status, made.json.data.canManage], [201, false])
  })

  test('create-user: bad input and roles above the caller’s are refused', async () => {
    const { cookie } = await admin()
    const bad: [object, string][] = [
      [{ username: 'ab' }, 'username'],
      [{ username: 'no blanks' }, 'username'],
      [{ displayName: 'x' }, 'displayName'],
      [{ password: 'short' }, 'password'],
      [{ roleId: 'nobody' }, 'roleId'],
      [{ roleId: 'a\u0000' }, 'roleId'],
    ]
    for (const [part, field] of bad) {
      const body = { ...account, username: 'newcomer', ...part }
      const reply = await app().request('POST', '/app/api/users', { cookie, body })
      assert.equal(reply.status, 422, reply.text)
      assert.deepEqual(reply.json.error.details[0].path, [field])
    }
    const weak = await admin(['users.create', 'users.roles.assign'])
    const body = { ...account, username: 'newcomer' }
    const refused = await app().request('POST', '/app/api/users', { cookie: weak.cookie, body })
    assert.deepEqual([refused.status, refused.json.error.code], [403, 'forbidden'])
  })

  test('update-user: names change everywhere, and a new password ends the sessions', async () => {
    const { cookie } = await admin()
    const target = await app().person()
    const theirs = await target.session()
    const theirKey = await target.key()
    await logFlight(theirKey, [{ userId: target.id }])
    const path = `/app/api/users/${target.id}`
    const names = { username: 'renamed', displayName: 'Re Named' }
    const listed = await app().request('GET', '/api/v1/flights', { key: theirKey })
    assert.equal(listed.json.data[0].passengers[0].user.displayName, target.displayName)

    const renamed = await app().request('PUT', path, { cookie, body: names })
    assert.equal(renamed.status, 200, renamed.text)
    assert.equal(renamed.json.data.displayName, 'Re Named')
    const after = await app().request('GET', '/api/v1/flights', { key: theirKey })
    assert.equal(after.json.data[0].passengers[0].user.displayName, 'Re Named')
    assert.equal((await app().request('GET', '/app/api/me', { cookie: theirs })).status, 200)

    const reset = { ...names, password: 'spirit of st louis' }
    assert.equal((await app().request('PUT', path, { cookie, body: reset })).status, 200)
    assert.equal((await app().request('GET', '/app/api/me', { cookie: theirs })).status, 401)
    assert.equal((await signIn('renamed', reset.password)).status, 204)

    const trail = await app().request('GET', '/app/api/audit/mine', { cookie })
    const happened = trail.json.data.map(({ kind, subject }: { kind: string; subject: { id: string } }) => [
      kind,
      subject.id,
    ])
    assert.deepEqual(
      happened,
      ['session.ended', 'user.password-reset', 'user.updated', 'user.updated'].map((kind) => [
        kind,
        target.id,
      ]),
    )
    assert.ok(!trail.text.includes(reset.password))

    const other = await app().person()
    const taken = { ...names, username: other.username.toUpperCase() }
    assert.equal((await app().request('PUT', path, { cookie, body: taken })).status, 409)
    assert.equal(
      (await app().request('PUT', path, { cookie, body: { ...names, password: 'x' } })).status,
      422,
    )
    assert.equal((await app().request('PUT', '/app/api/users/nobody', { cookie, body: names })).status, 404)
    assert.equal((await app().request('PUT', '/app/api/users/%00', { cookie, body: names })).status, 404)
  })

  test('update-user, set-user-role, delete-user: peers, superiors and the owner are refused', async () => {
    const [actor, peer] = [await admin(), await admin()]
    const boss = await theOwner()
    const superior = await admin([...permissions])
    for (const target of [peer, superior, boss, actor]) {
      const attempts = [
        ['PUT', '', { username: 'hijacked', displayName: 'Hijacked', password: 'hijacked!' }],
        ['PUT', '/role', { roleId: 'role-user' }],
        ['DELETE', '', undefined],
      ] as const
      for (const [method, more, body] of attempts) {
        const path = `/app/api/users/${target.id}${more}`
        const reply = await app().request(method, path, { cookie: actor.cookie, body })
        assert.deepEqual([reply.status, reply.json.error.code], [403, 'forbidden'], `${method} ${more}`)
      }
    }
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { username: 'newcomer', displayName: 'New Comer' } : undefined
      const reply = await app().request(method, `/app/api/users/${boss.id}`, { cookie: boss.cookie, body })
      assert.equal(reply.status, 403)
    }
  })

  test('set-user-role: takes effect on the next request, within the caller’s permissions', async () => {
    const { cookie } = await admin()
    const target = await app().person()
    const theirKey = await target.key()
    const path = `/app/api/users/${target.id}/role`
    assert.equal((await app().request('GET', '/api/v1/flights?scope=all', { key: theirKey })).status, 403)
    const body = { roleId: 'role-administrator' }
    const promoted = await app().request('PUT', path, { cookie, body })
    assert.equal(promoted.status, 200, promoted.text)
    assert.deepEqual([promoted.json.data.roleName, promoted.json.data.canManage], ['Administrator', false])
    assert.equal((await app().request('GET', '/api/v1/flights?scope=all', { key: theirKey })).status, 200)
    // Now a peer.
    assert.equal((await app().request('PUT', path, { cookie, body })).status, 403)

    const other = await app().person()
    const otherPath = `/app/api/users/${other.id}/role`
    const unknown = await app().request('PUT', otherPath, { cookie, body: { roleId: 'nobody' } })
    assert.equal(unknown.status, 422)
    assert.equal((await app().request('PUT', otherPath, { cookie, body: {} })).status, 422)
    assert.equal((await app().request('PUT', '/app/api/users/unknown/role', { cookie, body })).status, 404)
    const assigner = await admin(['users.roles.assign'])
    const nothing = await app().person([])
    const beyond = await app().request('PUT', `/app/api/users/${nothing.id}/role`, {
      cookie: assigner.cookie,
      body: { roleId: 'role-user' },
    })
    assert.equal(beyond.status, 403)
  })

  test('delete-user: the person’s data is deleted, and the logs of others stay correct', async () => {
    const { cookie, apiKey } = await admin()
    const [leaving, staying] = [await app().person(), await app().person()]
    const [leavingKey, stayingKey] = [await leaving.key(), await staying.key()]
    const theirSession = await leaving.session()
    const alone = await logFlight(leavingKey, [{ userId: leaving.id }], {
      track: {
        coordinates: [
          [12, 55],
          [0, 51],
        ],
        sourceFormat: 'gpx',
      },
    })
    const together = await logFlight(apiKey, [{ userId: leaving.id }, { userId: staying.id }])
    const withGuest = await logFlight(leavingKey, [{ userId: leaving.id }, { guestName: 'Bob' }])
    await app().store.transaction(async (tx) => {
      const values = `'${leaving.id}', 'DK', 'visited'`
      await tx.query(`insert into visited_country (user_id, code, status) values (${values})`, [])
      const share = `'${leaving.id}', 'gone-soon', '2026-01-01T00:00:00Z', '{}'`
      await tx.query(`insert into share (user_id, slug, created_at, settings) values (${share})`, [])
    })
    // Everything below was requested before, so that a stale cached response would be noticed.
    const lists: [string, string][] = [
      ['/api/v1/flights', stayingKey],
      ['/api/v1/flights?scope=all', apiKey],
      [`/api/v1/flights?scope=user&userId=${leaving.id}`, apiKey],
      ['/api/v1/users', apiKey],
    ]
    for (const [path, key] of lists) {
      assert.ok((await app().request('GET', path, { key })).text.includes(leaving.id), path)
    }
    const deleted = await app().request('DELETE', `/app/api/users/${leaving.id}`, { cookie })
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    for (const [path, key] of lists) {
      const { status, text } = await app().request('GET', path, { key })
      assert.equal(status, path.includes('userId=') ? 400 : 200)
      assert.ok(!text.includes(leaving.id), path)
    }
    assert.equal((await app().request('GET', '/api/v1/me', { key: leavingKey })).status, 401)
    assert.equal((await app().request('GET', '/app/api/me', { cookie: theirSession })).status, 401)
    const read = async (id: number) => app().request('GET', `/api/v1/flights/${id}`, { key: apiKey })
    assert.equal((await read(alone)).status, 404)
    const names = async (id: number) =>
      (await read(id)).json.data.passengers.map(
        (passenger: { user: { id: string } | null; guestName: string | null }) =>
          passenger.user?.id ?? passenger.guestName,
      )
    assert.deepEqual(await names(together), [staying.id])
    assert.deepEqual(await names(withGuest), ['Bob'])
    assert.equal((await app().request('DELETE', `/app/api/users/${leaving.id}`, { cookie })).status, 404)
    assert.equal((await app().request('DELETE', '/app/api/users/%00', { cookie })).status, 404)
    for (const table of ['api_key', 'session', 'flight_passenger', 'visited_country', 'share']) {
      const rows = await app().store.read.query(`select user_id from ${table}`, [])
      assert.ok(!rows.some((row) => row['user_id'] === leaving.id), table)
    }
    const tracks = await app().store.read.query('select flight_id from track', [])
    assert.ok(!tracks.some((row) => row['flight_id'] === alone))
  })

  test('delete-user: concurrent changes leave no flight without a passenger', async () => {
    const { cookie, apiKey } = await admin()
    for (let round = 0; round < 4; round++) {
      const [leaving, other] = [await app().person(), await app().person()]
      const [leavingKey, otherKey] = [await leaving.key(), await other.key()]
      const shared = await logFlight(apiKey, [{ userId: leaving.id }, { userId: other.id }])
      const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('LHR')]
      const body = { date: '2026-03-01', fromId, toId, passengers: [{ userId: leaving.id }] }
      const [deleted, added, left] = await Promise.all([
        app().request('DELETE', `/app/api/users/${leaving.id}`, { cookie }),
        app().request('POST', '/api/v1/flights', { key: leavingKey, body }),
        app().request('PUT', `/api/v1/flights/${shared}`, { key: otherKey, body }),
      ])
      assert.equal(deleted.status, 204, deleted.text)
      assert.ok([201, 401, 409, 422].includes(added.status), added.text)
      assert.ok([200, 404, 409, 422].includes(left.status), left.text)
      const all = await app().request('GET', '/api/v1/flights?scope=all&limit=100', { key: apiKey })
      for (const flight of all.json.data) assert.notEqual(flight.passengers.length, 0)
    }
  })

  test('delete-me: needs the password unless just signed in, and is refused for the owner', async () => {
    const someone = await app().person()
    const cookie = await someone.session()
    const passwordHash = await hashPassword('kitty hawk')
    await app().store.transaction((tx) => updatePassword(tx, someone.id, passwordHash))
    const ask = (password: unknown, as = cookie) =>
      app().request('DELETE', '/app/api/me', { cookie: as, body: { password } })
    assert.equal((await ask('wrong one')).status, 422)
    app().clock.advance(CONFIRMED_MS)
    assert.equal((await ask(undefined)).json.error.reason, 'confirmation_required')
    assert.equal((await app().request('DELETE', '/app/api/me', { cookie })).status, 400)
    assert.equal((await ask('kitty hawk', (await theOwner()).cookie)).status, 403)
    assert.equal((await app().request('GET', '/app/api/me', { cookie })).status, 200)
    const gone = await ask('kitty hawk')
    assert.equal(gone.status, 204, gone.text)
    assert.match(String(gone.headers['set-cookie']), /Max-Age=0|Expires=/i)
    assert.equal((await app().request('GET', '/app/api/me', { cookie })).status, 401)
    const fresh = await (await app().person()).session()
    assert.equal((await ask(undefined, fresh)).status, 204, 'an account without a password')
  })
})
