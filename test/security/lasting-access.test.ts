// Lasting access that a stolen credential or session could create: a credential gives only what it holds itself, and a
// session gives nothing without a recent confirmation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInRoles, type Permission, permissions, type Scope } from '../../server/domain/access/access.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import { onBothEngines, type Reply } from '../harness.ts'
import {
  approve,
  authorizePath,
  Browser,
  codeExchange,
  codeOf,
  createFlow,
  exchange,
  filled,
  formIn,
  fromManyAddresses,
  openConsent,
  registerClient,
  requestOf,
} from '../oauth/browser.ts'

const SIX_MINUTES = 360_000

const everything = permissions.filter((name) => !name.endsWith('.own') || name === 'flight.share.own')

function requireRefused(reply: Reply, reason: string, params?: object): void {
  const { error } = reply.json ?? {}
  assert.deepEqual([reply.status, error?.reason], [403, reason], reply.text)
  if (params) assert.deepEqual(error.params, params)
}

onBothEngines('what credentials may grant', (app) => {
  let made = 0
  const newRole = async (cookie: string, granted: readonly Permission[]): Promise<string> => {
    const body = { name: `Role ${made++}`, permissions: granted }
    const reply = await app().request('POST', '/app/api/roles', { cookie, body })
    assert.equal(reply.status, 201, reply.text)
    return reply.json.data.id
  }
  const put = (key: string, id: string, body: { name: string; permissions: readonly string[] }) =>
    app().request('PUT', `/api/v1/roles/${id}`, { key, body })
  const owner = once(() => app().person('owner'))

  test('roles.manage alone cannot give a role a permission', async () => {
    const someone = await owner()
    const key = await someone.key(['roles.manage'])
    const [user] = builtInRoles
    requireRefused(
      await put(key, user.id, { name: user.name, permissions: everything }),
      'permission_not_given',
    )
    const body = { name: 'Back door', permissions: ['users.update'] }
    const created = await app().request('POST', '/api/v1/roles', { key, body })
    requireRefused(created, 'permission_not_given', { permission: 'users.update' })
    const read = await app().request('GET', `/api/v1/roles/${user.id}`, { key })
    assert.deepEqual(read.json.data.permissions, user.permissions, 'and the role is as it was')
  })

  test('granting a permission that needs a scope requires that scope', async () => {
    const someone = await owner()
    const cookie = await someone.session()
    const wanted: [Permission, Scope][] = [
      ['flight.read.own', 'flight.read.own'],
      ['flight.delete.any', 'flight.delete.any'],
      ['flight.share.own', 'shares.write'],
      ['users.directory.read', 'users.directory.read'],
    ]
    for (const [permission, scope] of wanted) {
      const id = await newRole(cookie, [])
      const name = `Role of ${permission}`
      const without = await someone.key(['roles.manage', 'profile.read'])
      const refused = await put(without, id, { name, permissions: [permission] })
      assert.deepEqual([refused.status, refused.json.error.code], [403, 'insufficient_scope'], refused.text)
      assert.match(String(refused.headers['www-authenticate']), new RegExp(`scope="roles.manage ${scope}"`))
      const given = await put(await someone.key(['roles.manage', scope]), id, {
        name,
        permissions: [permission],
      })
      assert.equal(given.status, 200, given.text)
    }
    const any = await someone.key(['roles.manage', 'flight.read.any'])
    const narrower = await put(any, await newRole(cookie, []), {
      name: 'Own',
      permissions: ['flight.read.own'],
    })
    assert.equal(narrower.status, 200, 'an .any scope covers the .own')
  })

  test('no credential can grant roles.manage or a permission without a scope', async () => {
    const someone = await owner()
    const [key, cookie] = [await someone.key(), await someone.session()]
    const bySession: Permission[] = permissions.filter((name) =>
      /^(users\.(?!directory)|data|custom_fields|instance|roles|tools)/.test(name),
    )
    assert.equal(bySession.length, 14)
    for (const permission of bySession) {
      const id = await newRole(cookie, [])
      const body = { name: `Role of ${permission}`, permissions: [permission] }
      requireRefused(await put(key, id, body), 'permission_not_given', { permission })
      const given = await app().request('PUT', `/app/api/roles/${id}`, { cookie, body })
      assert.equal(given.status, 200, given.text)
    }
  })

  test('a credential may remove permissions, and may assign only roles that it could have created', async () => {
    const someone = await owner()
    const [key, cookie] = [await someone.key(['roles.manage']), await someone.session()]
    const id = await newRole(cookie, ['users.update', 'flight.read.any'])
    const { name } = (await app().request('GET', `/api/v1/roles/${id}`, { key })).json.data
    // A sign-in rule gives roles by name, so a renamed role is given to other people.
    const renamed = await put(key, id, { name: 'Family', permissions: ['users.update', 'flight.read.any'] })
    requireRefused(renamed, 'permission_not_given')
    const same = await put(key, id, { name, permissions: ['users.update', 'flight.read.any'] })
    assert.equal(same.status, 200, same.text)
    const narrowed = await put(key, id, { name, permissions: [] })
    assert.equal(narrowed.status, 200, narrowed.text)
    requireRefused(await put(key, id, { name, permissions: ['users.update'] }), 'permission_not_given')
    const removed = await app().request('DELETE', `/api/v1/roles/${id}`, { key })
    assert.equal(removed.status, 204, removed.text)
  })

  test('the owner is notified when a role gains permissions, except by the owner in the web app', async () => {
    const someone = await owner()
    const [key, cookie] = [await someone.key(), await someone.session()]
    const notices = async () =>
      (await app().request('GET', '/app/api/notices', { cookie })).json.data
        .filter(({ kind }: { kind: string }) => kind === 'role.gained')
        .map(({ data }: { data: object }) => data)
    const before = (await notices()).length
    const id = await newRole(cookie, [])
    const { name } = (await app().request('GET', `/api/v1/roles/${id}`, { key })).json.data
    const bySession = { name, permissions: ['flight.read.own'] }
    assert.equal(
      (await app().request('PUT', `/app/api/roles/${id}`, { cookie, body: bySession })).status,
      200,
    )
    assert.equal((await put(key, id, bySession)).status, 200)
    assert.equal((await notices()).length, before, 'nothing was gained')
    const gained = await put(key, id, { name, permissions: ['flight.read.any', 'flight.create.own'] })
    assert.equal(gained.status, 200, gained.text)
    const by = { id: someone.id, displayName: someone.displayName }
    const told = { roleId: id, name, permissions: ['flight.read.any', 'flight.create.own'], by }
    assert.deepEqual((await notices())[0], { ...told, isByProgram: true })
    const other = await app().person(['roles.manage', 'flight.read.any', 'flight.create.own', 'users.update'])
    const body = { name, permissions: ['flight.read.any', 'flight.create.own', 'users.update'] }
    const byOther = await app().request('PUT', `/app/api/roles/${id}`, {
      cookie: await other.session(),
      body,
    })
    assert.equal(byOther.status, 200, byOther.text)
    assert.deepEqual((await notices())[0], {
      ...told,
      permissions: ['users.update'],
      by: { id: other.id, displayName: other.displayName },
      isByProgram: false,
    })
    assert.equal((await notices()).length, before + 2)
  })
})

onBothEngines(
  'consent for an app',
  (app) => {
    test('an access token cannot grant more than its scopes', async () => {
      const owner = await app().person('owner')
      const browser = new Browser(app(), await owner.session())
      const flow = createFlow(app(), await registerClient(app()))
      const code = codeOf(await approve(browser, flow, 'roles.manage'))
      const { access_token } = await exchange(app(), codeExchange(flow, code))
      const body = { name: 'User', permissions: ['users.update'] }
      const given = await app().request('PUT', '/api/v1/roles/role-user', { key: access_token, body })
      requireRefused(given, 'permission_not_given')
    })

    test('on an old session, lasting access needs confirmation and the choice is kept', async () => {
      const ada = await app().person()
      const hash = await hashPassword('kitty hawk')
      await app().store.transaction((tx) => updatePassword(tx, ada.id, hash))
      const cookie = await ada.session()
      const browser = new Browser(app(), cookie)
      const flow = createFlow(app(), await registerClient(app()))
      app().clock.advance(SIX_MINUTES)
      const reading = await approve(browser, flow, 'profile.read flight.read.own')
      assert.ok(reading.searchParams.get('code'), 'an app that only reads own data needs none')
      const form = await openConsent(browser, flow, 'profile.read flight.read.own flight.create.own')
      const chosen = ['flight.read.own', 'flight.create.own', 'stats.read']
      const asked = await browser.post(form.action, filled(form, { decision: 'approve', scope: chosen }))
      assert.equal(asked.status, 303, asked.text)
      const way = new URL(asked.headers.location!, app().config.origin)
      assert.equal(way.pathname, '/confirm')
      const back = way.searchParams.get('next')!
      const still = formIn(await browser.get(back))
      const refused = await browser.post(still.action, filled(still, { decision: 'approve' }))
      assert.match(refused.headers.location!, /^\/confirm\?/, 'the way round it leads nowhere')
      const denied = await openConsent(browser, flow, 'flight.create.own')
      const answer = await browser.post(denied.action, filled(denied, { decision: 'deny' }))
      assert.match(answer.headers.location!, /error=access_denied/, 'denying needs none')
      const body = { password: 'kitty hawk' }
      assert.equal((await app().request('POST', '/app/api/confirm', { cookie, body })).status, 204)
      const again = formIn(await browser.get(back))
      const ticked = again.fields.filter(([name]) => name === 'scope').map(([, value]) => value)
      assert.deepEqual(ticked.toSorted(), chosen.toSorted())
      const approved = await browser.post(again.action, filled(again, { decision: 'approve' }))
      const code = codeOf(new URL(approved.headers.location!))
      const tokens = await exchange(app(), codeExchange(flow, code))
      assert.deepEqual(tokens.scope.split(' ').toSorted(), chosen.toSorted())
      const own = new Browser(app(), await ada.session())
      const other = await own.follow(authorizePath(requestOf(flow, 'flight.create.own')))
      assert.equal(other.status, 200)
    })
  },
  fromManyAddresses,
)

/** Made once per application. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined
  return () => (value ??= make())
}
