// Invitations, reset links and the permitted ways to sign in: what administrators do with them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Permission } from '../../server/domain/access/access.ts'
import { INVITATION_MS, RESET_LINK_MS } from '../../server/domain/accounts/sign-in.ts'
import { operatorAt } from '../../server/operations/access/authority.ts'
import { issueInvitation } from '../../server/operations/accounts/invitations.ts'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { findRole } from '../../server/store/access/roles.ts'
import { onBothEngines, onSqlite, type Reply, type TestApp, type TestPerson } from '../harness.ts'

const same = { 'sec-fetch-site': 'same-origin' }
const account = (username: string) => ({ username, displayName: 'Amelia E', password: 'lockheed vega' })
const tokenIn = ({ json }: Reply): string => json.data.url.split('/').at(-1)

function requireRefused({ status, json, text }: Reply, expected: number, reason?: string): void {
  assert.equal(status, expected, text)
  if (reason !== undefined) assert.equal(json.error.reason, reason)
}

const eventsOf = async (app: TestApp, { id }: TestPerson): Promise<string[]> =>
  (
    await app.store.read.query(
      `select kind from audit_event where actor_id = '${id}' or subject_id = '${id}' order by id`,
      [],
    )
  ).map(({ kind }) => String(kind))

onBothEngines('invitations', (app) => {
  const ask = (method: string, path: string, cookie?: string, body?: object) =>
    app().request(method, `/app/api${path}`, { cookie, ...(body && { body }), headers: same })
  const admin = async (role: 'role-administrator' | Permission[] = 'role-administrator') => {
    const someone = await app().person(role)
    return { ...someone, cookie: await someone.session() }
  }
  const invite = async (cookie: string, roleId?: string): Promise<Reply> => {
    const reply = await ask('POST', '/invitations', cookie, roleId === undefined ? {} : { roleId })
    assert.equal(reply.status, 201, reply.text)
    return reply
  }
  const accept = (token: string, username: string) =>
    ask('POST', '/invitations/accept', undefined, { token, ...account(username) })
  let names = 0
  const newName = () => `guest${names++}`

  test('create-invitation, list-invitations, accept-invitation: a new person creates the account and is signed in', async () => {
    const boss = await admin()
    const made = await invite(boss.cookie, 'role-user')
    const { url, ...shown } = made.json.data
    assert.match(url, /^http:\/\/localhost:3000\/invite\/cti_[a-z2-7]{39}$/)
    assert.equal(Date.parse(shown.expiresAt) - Date.parse(shown.createdAt), INVITATION_MS)
    assert.deepEqual([shown.roleId, shown.roleName, shown.createdBy], ['role-user', 'User', boss.username])
    const listed = await ask('GET', '/invitations', boss.cookie)
    assert.deepEqual(listed.json.data, [shown], 'without the link')
    const stored = await app().store.read.query('select * from account_link', [])
    assert.ok(!JSON.stringify(stored).includes(tokenIn(made)), 'only its hash is stored')

    const name = newName()
    const accepted = await accept(tokenIn(made), name)
    assert.equal(accepted.status, 204, accepted.text)
    const cookie = String(accepted.headers['set-cookie']).split(';')[0]!
    const me = await ask('GET', '/me', cookie)
    assert.deepEqual([me.json.data.username, me.json.data.role.id], [name, 'role-user'])
    const sessions = await ask('GET', '/sessions', cookie)
    assert.deepEqual(
      sessions.json.data.map(({ way }: { way: string }) => way),
      ['account'],
    )
    assert.deepEqual((await ask('GET', '/notices', cookie)).json.data, [], 'the first sign-in is no news')
    assert.deepEqual(await eventsOf(app(), me.json.data), ['user.created', 'invitation.used', 'sign-in'])
    assert.deepEqual((await ask('GET', '/invitations', boss.cookie)).json.data, [])
    requireRefused(await accept(tokenIn(made), newName()), 404, 'link_invalid')
    const byHand = await app().store.read.query(
      `select role_by_hand from person where username = '${name}'`,
      [],
    )
    assert.equal(byHand[0]!['role_by_hand'], 1)
  })

  test('an invitation without a role gives the default one, which is not a chosen role', async () => {
    const boss = await admin()
    const made = await invite(boss.cookie)
    assert.deepEqual([made.json.data.roleId, made.json.data.roleName], [null, 'User'])
    assert.equal((await ask('GET', '/invitations', boss.cookie)).json.data[0].roleName, 'User')
    const name = newName()
    assert.equal((await accept(tokenIn(made), name)).status, 204)
    const [row] = await app().store.read.query(
      `select role_id, role_by_hand from person where username = '${name}'`,
      [],
    )
    assert.deepEqual([row!['role_id'], row!['role_by_hand']], ['role-user', 0])
  })

  test('a failed form does not use up the link, and one of two concurrent submissions succeeds', async () => {
    const boss = await admin()
    const token = tokenIn(await invite(boss.cookie, 'role-user'))
    requireRefused(await accept(token, boss.username), 409, 'username_taken')
    requireRefused(await accept(token, boss.username.toUpperCase()), 409, 'username_taken')
    const bad = await ask('POST', '/invitations/accept', undefined, { token, username: 'x' })
    assert.equal(bad.status, 422)
    const replies = await Promise.all([newName(), newName(), newName()].map((name) => accept(token, name)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 404, 404])
    const people = await app().store.read.query(
      `select username from person where username like 'guest%' and username in ('guest${names - 1}', 'guest${names - 2}', 'guest${names - 3}')`,
      [],
    )
    assert.equal(people.length, 1)
  })

  test('an invitation ends after 7 days, on revocation, with its role and with its creator', async () => {
    const boss = await admin()
    const late = tokenIn(await invite(boss.cookie, 'role-user'))
    app().clock.advance(INVITATION_MS - 1000)
    const cookie = await boss.session()
    assert.equal((await ask('GET', '/invitations', cookie)).json.data.length, 1)
    app().clock.advance(1000)
    requireRefused(await accept(late, newName()), 404, 'link_invalid')
    assert.deepEqual((await ask('GET', '/invitations', cookie)).json.data, [])
    await deleteExpired(app().store, app().clock.now())
    assert.deepEqual(await app().store.read.query('select id from account_link', []), [])

    const revoked = await invite(cookie, 'role-user')
    const { id } = revoked.json.data
    assert.equal((await ask('DELETE', `/invitations/${id}`, cookie)).status, 204)
    requireRefused(await ask('DELETE', `/invitations/${id}`, cookie), 404, 'invitation_not_found')
    requireRefused(await accept(tokenIn(revoked), newName()), 404, 'link_invalid')
    assert.ok((await eventsOf(app(), boss)).includes('invitation.revoked'))

    const owner = await app().person('owner')
    const ownerCookie = await owner.session()
    const role = await ask('POST', '/roles', ownerCookie, { name: 'Guests', permissions: [] })
    assert.equal(role.status, 201, role.text)
    const ofRole = tokenIn(await invite(ownerCookie, role.json.data.id))
    assert.equal((await ask('DELETE', `/roles/${role.json.data.id}`, ownerCookie)).status, 204)
    requireRefused(await accept(ofRole, newName()), 404, 'link_invalid')

    const ofMaker = tokenIn(await invite(cookie, 'role-user'))
    assert.equal((await ask('DELETE', `/users/${boss.id}`, ownerCookie)).status, 204)
    requireRefused(await accept(ofMaker, newName()), 404, 'link_invalid')
  })

  test('an invitation grants only what its creator may grant, on creation and on use', async () => {
    const few = await admin(['users.create', 'users.roles.assign', 'flight.read.own'])
    requireRefused(
      await ask('POST', '/invitations', few.cookie, { roleId: 'role-administrator' }),
      403,
      'role_exceeds_yours',
    )
    requireRefused(await ask('POST', '/invitations', few.cookie, { roleId: 'nonsense' }), 422)
    for (const missing of [['users.create'], ['users.roles.assign']] as Permission[][]) {
      const { cookie } = await admin(missing)
      assert.equal((await ask('POST', '/invitations', cookie, {})).status, 403)
      assert.equal((await ask('GET', '/invitations', cookie)).status, 403)
      assert.equal((await ask('DELETE', '/invitations/1', cookie)).status, 403)
    }
    const boss = await admin()
    const token = tokenIn(await invite(boss.cookie, 'role-user'))
    await app().store.transaction((tx) =>
      tx.query(`update person set role_id = 'role-user' where id = '${boss.id}'`, []),
    )
    requireRefused(await accept(token, newName()), 404, 'link_invalid')
    await app().store.transaction((tx) =>
      tx.query(`update person set role_id = 'role-administrator' where id = '${boss.id}'`, []),
    )
    assert.equal((await accept(token, newName())).status, 204)
  })

  test('faulty invitation requests are refused with a reason', async () => {
    const { cookie } = await admin()
    assert.equal((await ask('POST', '/invitations', cookie, { roleId: 5 })).status, 422)
    const token = tokenIn(await invite(cookie, 'role-user'))
    const bad = await ask('POST', '/invitations/accept', cookie, { token, ...account('x') })
    assert.equal(bad.status, 422)
    assert.equal((await ask('GET', '/me', cookie)).status, 200, 'a refused request ends no session')
    const accepted = await ask('POST', '/invitations/accept', cookie, { token, ...account(newName()) })
    assert.equal(accepted.status, 204, accepted.text)
    assert.equal((await ask('GET', '/me', cookie)).status, 401, 'the new session takes the place of the old')
  })

  test('the page names the inviter, and no one for a link from the command line', async () => {
    const boss = await admin()
    const page = async (token: string) => (await app().request('GET', `/invite/${token}`)).text
    await ask('PUT', '/me', boss.cookie, { username: boss.username, displayName: 'Ada <b>Holm</b>' })
    assert.match(
      await page(tokenIn(await invite(boss.cookie))),
      /Ada &lt;b&gt;Holm&lt;\/b&gt; invites you to the flight log at /,
    )
    const { url } = await app().store.transaction(async (tx) =>
      issueInvitation(
        tx,
        { role: (await findRole(tx, { id: 'role-user' }))!, isChosen: true },
        app().config,
        operatorAt(new Date(app().clock.now())),
      ),
    )
    assert.match(await page(url.split('/').at(-1)!), /You are invited to the flight log at /)
  })
})

onBothEngines('reset links', (app) => {
  const ask = (method: string, path: string, cookie?: string, body?: object) =>
    app().request(method, `/app/api${path}`, { cookie, ...(body && { body }), headers: same })
  const signIn = (username: string, password: string) =>
    ask('POST', '/sign-in', undefined, { username, password })
  const admin = async (role: 'role-administrator' | Permission[] = 'role-administrator') => {
    const someone = await app().person(role)
    return { ...someone, cookie: await someone.session() }
  }
  const link = async (cookie: string, id: string, body: object = {}): Promise<string> => {
    const reply = await ask('POST', `/users/${id}/reset-link`, cookie, body)
    assert.equal(reply.status, 201, reply.text)
    assert.match(reply.json.data.url, /^http:\/\/localhost:3000\/reset\/ctl_[a-z2-7]{39}$/)
    return tokenIn(reply)
  }
  const use = (token: string, password = 'a new password') =>
    ask('POST', '/reset-links/use', undefined, { token, password })
  const addFactor = (id: string) =>
    app().store.transaction(async (tx) => {
      const at = '2026-06-01T00:00:00.000Z'
      await tx.query(
        `insert into second_factor (user_id, secret, enabled_at, created_at) values ('${id}', 'x', '${at}', '${at}')`,
        [],
      )
      await tx.query(`insert into recovery_code (user_id, hash) values ('${id}', 'hash-${id}')`, [])
      await tx.query(
        `insert into trusted_browser (hash, user_id, expires_at) values ('hash-${id}', '${id}', '2027-01-01T00:00:00.000Z')`,
        [],
      )
    })
  const left = async (id: string) =>
    Object.fromEntries(
      await Promise.all(
        ['session', 'api_key', 'second_factor', 'recovery_code', 'trusted_browser'].map(async (table) => [
          table,
          (await app().store.read.query(`select user_id from ${table} where user_id = '${id}'`, [])).length,
        ]),
      ),
    )

  test('create-reset-link, use-reset-link: a new password is set and the sessions end', async () => {
    const boss = await admin()
    const ada = await app().person()
    const cookie = await ada.session()
    await ada.key()
    await addFactor(ada.id)
    const token = await link(boss.cookie, ada.id)
    const ways = await ask('GET', '/users/ways-in', boss.cookie)
    const before = ways.json.data.find(({ userId }: { userId: string }) => userId === ada.id)
    assert.deepEqual(
      [before.password, before.passkeys, before.identities, before.secondFactor],
      [false, 0, 0, true],
    )
    assert.equal(Date.parse(before.resetLinkUntil), app().clock.now() + RESET_LINK_MS)
    const [{ browser_key: keyBefore }] = (await app().store.read.query(
      `select browser_key from person where id = '${ada.id}'`,
      [],
    )) as [{ browser_key: string }]

    assert.equal((await use(token)).status, 204)
    assert.equal((await ask('GET', '/me', cookie)).status, 401)
    assert.deepEqual(await left(ada.id), {
      session: 0,
      api_key: 1,
      second_factor: 1,
      recovery_code: 1,
      trusted_browser: 0,
    })
    requireRefused(await signIn(ada.username, 'a new password'), 401, 'second_factor_required')
    const [{ browser_key: keyAfter }] = (await app().store.read.query(
      `select browser_key from person where id = '${ada.id}'`,
      [],
    )) as [{ browser_key: string }]
    assert.notEqual(keyAfter, keyBefore, 'no browser is known any more')
    assert.deepEqual(await eventsOf(app(), ada), [
      'reset-link.created',
      'user.password-reset',
      'session.ended',
      'reset-link.used',
    ])
    requireRefused(await use(token), 404, 'link_invalid')
    const after = (await ask('GET', '/users/ways-in', boss.cookie)).json.data.find(
      ({ userId }: { userId: string }) => userId === ada.id,
    )
    assert.deepEqual([after.password, after.resetLinkUntil], [true, null])
  })

  test('a reset link ends keys, apps and the second factor if that was chosen', async () => {
    const boss = await admin()
    const ada = await app().person()
    await ada.key()
    await addFactor(ada.id)
    const token = await link(boss.cookie, ada.id, { endApiKeys: true, endApps: true, endSecondFactor: true })
    assert.equal((await use(token)).status, 204)
    assert.deepEqual(await left(ada.id), {
      session: 0,
      api_key: 0,
      second_factor: 0,
      recovery_code: 0,
      trusted_browser: 0,
    })
    assert.equal((await signIn(ada.username, 'a new password')).status, 204)
  })

  test('a reset link ends when replaced, revoked, after 24 hours and with a new password', async () => {
    const boss = await admin()
    const ada = await app().person()
    const [first, second] = [await link(boss.cookie, ada.id), await link(boss.cookie, ada.id)]
    requireRefused(await use(first), 404, 'link_invalid')
    assert.equal((await ask('DELETE', `/users/${ada.id}/reset-link`, boss.cookie)).status, 204)
    requireRefused(await use(second), 404, 'link_invalid')
    requireRefused(
      await ask('DELETE', `/users/${ada.id}/reset-link`, boss.cookie),
      404,
      'reset_link_not_found',
    )
    const late = await link(boss.cookie, ada.id)
    app().clock.advance(RESET_LINK_MS)
    requireRefused(await use(late), 404, 'link_invalid')

    const cookie = await ada.session()
    const changed = await link(await boss.session(), ada.id)
    const own = await ask('PUT', '/me/password', cookie, { newPassword: 'my own password' })
    assert.equal(own.status, 204, own.text)
    requireRefused(await use(changed), 404, 'link_invalid')
    const ended = await link(await boss.session(), ada.id)
    assert.equal((await ask('POST', '/sign-out-everywhere', cookie, {})).status, 200)
    requireRefused(await use(ended), 404, 'link_invalid')
  })

  test('one of two concurrent uses succeeds, and a bad password does not use up the link', async () => {
    const boss = await admin()
    const ada = await app().person()
    const token = await link(boss.cookie, ada.id)
    assert.equal((await use(token, 'short')).status, 422)
    const replies = await Promise.all(['password one', 'password two'].map((each) => use(token, each)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 404])
    const winner = replies[0]!.status === 204 ? 'password one' : 'password two'
    assert.equal((await signIn(ada.username, winner)).status, 204)
  })

  test('reset links are only for people below their creator, on creation and on use', async () => {
    const boss = await admin()
    const peer = await admin()
    const owner = await app().person('owner')
    const plain = await admin(['users.directory.read'])
    const make = (cookie: string, id: string) => ask('POST', `/users/${id}/reset-link`, cookie, {})
    requireRefused(await make(boss.cookie, peer.id), 403, 'not_manageable')
    requireRefused(await make(boss.cookie, owner.id), 403, 'owner_only')
    requireRefused(await make(boss.cookie, boss.id), 403, 'own_password_in_settings')
    requireRefused(await make(await owner.session(), owner.id), 403, 'own_password_in_settings')
    assert.equal((await make(plain.cookie, peer.id)).status, 403)
    assert.equal((await ask('DELETE', `/users/${peer.id}/reset-link`, plain.cookie)).status, 403)
    requireRefused(await ask('DELETE', `/users/${peer.id}/reset-link`, boss.cookie), 403, 'not_manageable')

    const ada = await app().person()
    const token = await link(boss.cookie, ada.id)
    const promote = (roleId: string) => ask('PUT', `/users/${ada.id}/role`, undefined, { roleId })
    const ownerCookie = await owner.session()
    assert.equal((await promote('role-user')).status, 401)
    await ask('PUT', `/users/${ada.id}/role`, ownerCookie, { roleId: 'role-administrator' })
    requireRefused(await use(token), 404, 'link_invalid')
    await ask('PUT', `/users/${ada.id}/role`, ownerCookie, { roleId: 'role-user' })
    assert.equal((await use(token)).status, 204)

    const ofMaker = await link(boss.cookie, ada.id)
    await ask('DELETE', `/users/${boss.id}`, ownerCookie)
    requireRefused(await use(ofMaker), 404, 'link_invalid')
  })

  test('faulty requests for reset links are refused with a reason', async () => {
    const { cookie } = await admin()
    const ada = await app().person()
    assert.equal((await ask('POST', '/users/unknown/reset-link', cookie, {})).status, 404)
    assert.equal((await ask('DELETE', '/users/unknown/reset-link', cookie)).status, 404)
    assert.equal((await ask('POST', `/users/${ada.id}/reset-link`, cookie, { endApps: 'yes' })).status, 422)
    assert.equal((await ask('POST', '/reset-links/use', undefined, {})).status, 422)
    requireRefused(await ask('POST', '/sign-in/forgot', undefined, { username: 'x' }), 409, 'mail_off')
    requireRefused(await ask('POST', '/me/email/verification', cookie, {}), 409, 'mail_off')
    const reader = await admin(['users.directory.read'])
    assert.equal(
      (await ask('GET', '/users/ways-in', reader.cookie)).status,
      403,
      'not for everyone with the directory',
    )
    const cleaner = await admin(['users.directory.read', 'users.delete'])
    assert.equal((await ask('GET', '/users/ways-in', cleaner.cookie)).status, 200)
  })
})

const provider = {
  issuer: 'https://id.example.org',
  clientId: 'contrail',
  clientSecret: undefined,
  name: 'Example',
  scope: 'openid',
  register: true,
  auto: false,
  passwords: false,
  roles: [],
}

onSqlite(
  'links where only the owner may have a password',
  (app) => {
    test('reset links for others are refused, and earlier ones do not work', async () => {
      const boss = await app().person('role-administrator')
      const cookie = await boss.session()
      const ada = await app().person()
      const post = (path: string, body: object) => app().request('POST', `/app/api${path}`, { cookie, body })
      requireRefused(await post('/invitations', { roleId: 'role-user' }), 409, 'passwords_off')
      requireRefused(await post(`/users/${ada.id}/reset-link`, {}), 409, 'passwords_off')
      const { oidc } = app().config
      Object.assign(oidc!, { passwords: true })
      const invitation = tokenIn(await post('/invitations', { roleId: 'role-user' }))
      const reset = tokenIn(await post(`/users/${ada.id}/reset-link`, {}))
      Object.assign(oidc!, { passwords: false })
      const stranger = (path: string, body: object) =>
        app().request('POST', `/app/api${path}`, { headers: same, body })
      const accepted = await stranger('/invitations/accept', { token: invitation, ...account('newcomer') })
      requireRefused(accepted, 409, 'passwords_off')
      requireRefused(await stranger('/reset-links/use', { token: reset, password: 'a new password' }), 404)
    })
  },
  { oidc: provider },
)

onBothEngines('the e-mail address of a profile', (app) => {
  test('the address is optional, kept if absent, and needs confirmation to change', async () => {
    const ada = await app().person()
    const cookie = await ada.session()
    const names = { username: ada.username, displayName: ada.displayName }
    const put = (more: object) => app().request('PUT', '/app/api/me', { cookie, body: { ...names, ...more } })
    const email = async () => (await app().request('GET', '/app/api/account', { cookie })).json.data.email
    assert.equal(await email(), null)
    assert.equal((await put({ email: ' ada@example.org ' })).status, 204)
    assert.equal(await email(), 'ada@example.org')
    assert.equal((await put({})).status, 204)
    assert.equal(await email(), 'ada@example.org')
    const bad = [
      '',
      'ada',
      'a@b, c@d',
      'a@b\r\nBcc: c@d',
      '<a@b>',
      'a b@c',
      'a@b@c',
      `${'a'.repeat(250)}@b.example`,
    ]
    for (const each of bad) assert.equal((await put({ email: each })).status, 422, each)
    const other = await app().person()
    const same = { username: other.username, displayName: other.displayName, email: 'ada@example.org' }
    const shared = await app().request('PUT', '/app/api/me', { cookie: await other.session(), body: same })
    assert.equal(shared.status, 204, 'two people may have one')

    app().clock.advance(5 * 60_000)
    requireRefused(await put({ email: 'eve@example.org' }), 403, 'confirmation_required')
    requireRefused(await put({ email: null }), 403, 'confirmation_required')
    assert.equal((await put({ email: 'ada@example.org', displayName: 'Ada L' })).status, 204, 'it stays')
    assert.equal(await email(), 'ada@example.org')
    const trail = await app().store.read.query('select details from audit_event', [])
    assert.ok(!JSON.stringify(trail).includes('@example.org'), 'the trail does not repeat it')
    assert.ok(!app().logged.join('').includes('@example.org'))
    assert.ok(!(await app().request('GET', '/api/v1/me', { key: await ada.key() })).text.includes('@example'))
  })
})
