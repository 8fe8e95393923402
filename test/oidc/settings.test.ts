// The settings of a provider: roles by claims, registration, automatic redirection, passwords, and signing out on both
// sides.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { type TOTP, URI } from 'otpauth'
import { logUnknownRoles } from '../../server/operations/people/role-rules.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import {
  onBothEngines,
  onSqlite,
  type Reply,
  type TestApp,
  type TestPerson,
  testOnSqlite,
} from '../harness.ts'
import { Browser, filled, formIn, fromManyAddresses } from '../oauth/browser.ts'
import { startProvider } from './provider.ts'
import { createTrips, me } from './trips.ts'

const provider = await startProvider()
after(() => provider.close())
const { someone, trip } = createTrips(provider)
const PASSWORD = 'correct horse battery'

async function prepare(app: TestApp, client = {}): Promise<{ owner: TestPerson; cookie: string }> {
  app.clock.set(Date.now())
  provider.accept(app.config.origin, client)
  const owner = await app.person('owner')
  return { owner, cookie: await owner.session() }
}

const rules = [
  { claim: '/groups', contains: 'nobody', role: 'No such role' },
  { claim: '/groups', contains: 'admins', role: 'administrator' },
  { claim: '/realm/roles', contains: 'pilots', role: 'Guest' },
]

onBothEngines(
  'roles from the provider’s claims',
  (app, engine) => {
    const sqliteTest = testOnSqlite(engine)
    let cookie: string
    before(async () => {
      cookie = (await prepare(app())).cookie
    })
    beforeEach(() => app().clock.set(Date.now()))
    const roleOf = async (browser: Browser) => {
      const { id } = await me(browser)
      const { json } = await app().request('GET', '/app/api/users', { cookie })
      return json.data.find((user: { id: string }) => user.id === id).roleName
    }
    const signIn = async (login: string) => {
      const browser = new Browser(app())
      await trip(browser, login)
      return browser
    }

    test('the first matching rule decides at every sign-in, or the default role', async () => {
      const login = someone({ groups: ['flyers', 'admins', 'nobody'] })
      assert.equal(await roleOf(await signIn(login)), 'Administrator')
      const before = provider.people.get(login)!
      provider.people.set(login, { ...before, groups: ['former-admins'] })
      const browser = await signIn(login)
      assert.equal(await roleOf(browser), 'User')
      const { json } = await app().request('GET', '/app/api/audit', { cookie })
      const event = json.data.find(({ kind }: { kind: string }) => kind === 'user.role-changed')
      assert.deepEqual(event.details, { from: 'Administrator', to: 'User', via: 'provider' })
      assert.equal(event.actor, null)
      assert.equal(event.subject.id, (await me(browser)).id)
    })

    sqliteTest('claims of the ID token take precedence over userinfo', async () => {
      const login = someone({ groups: ['admins'] })
      provider.faults.idToken = (claims) => ({ ...claims, groups: ['flyers'] })
      assert.equal(await roleOf(await signIn(login)), 'User')
      delete provider.faults.idToken
    })

    test('a role chosen in Contrail stays, and so does the owner', async () => {
      const login = someone({ groups: [] })
      const browser = await signIn(login)
      const { id } = await me(browser)
      const roles = (await app().request('GET', '/app/api/roles', { cookie })).json.data
      const guest = roles.find(({ name }: { name: string }) => name === 'Guest') ?? roles[0]
      const set = await app().request('PUT', `/app/api/users/${id}/role`, {
        cookie,
        body: { roleId: guest.id },
      })
      assert.equal(set.status, 200)
      provider.people.set(login, { ...provider.people.get(login), groups: ['admins'] })
      assert.equal(await roleOf(await signIn(login)), guest.name)
      const owner = new Browser(app(), cookie)
      const theirs = someone({ groups: ['admins'] })
      await trip(owner, theirs)
      const again = await signIn(theirs)
      assert.equal((await me(again)).isOwner, true)
      assert.equal(await roleOf(again), null)
    })

    test('the rules also apply when a password and a code link the account', async () => {
      const names = { username: 'linked.by.code', displayName: 'Linked by code' }
      const made = await app().request('POST', '/app/api/users', {
        cookie,
        body: { ...names, password: PASSWORD },
      })
      assert.equal(made.status, 201, made.text)
      const own = new Browser(app())
      const door = formIn(await own.get('/sign-in'))
      await own.post(door.action, filled(door, { username: names.username, password: PASSWORD }))
      assert.equal(await roleOf(own), 'User')
      const send = (path: string, body?: unknown) =>
        app().request('POST', `/app/api${path}`, { cookie: own.cookie, body })
      const totp = URI.parse((await send('/second-factor')).json.data.uri) as TOTP
      const codeNow = () => totp.generate({ timestamp: app().clock.now() })
      assert.equal((await send('/second-factor/enable', { code: codeNow() })).status, 200)
      const browser = new Browser(app())
      const login = someone({ preferred_username: names.username, groups: ['admins'] })
      assert.equal((await trip(browser, login)).headers.location, '/sign-in/link')
      const page = await browser.get('/sign-in/link')
      const form = formIn({ ...page, text: page.text.split('<p class="hint">')[0]! })
      const half = await browser.post(form.action, filled(form, { password: PASSWORD }))
      assert.equal(half.headers.location, '/sign-in/verify')
      assert.equal(await roleOf(own), 'User')
      // Each code is accepted once.
      app().clock.advance(30_000)
      const verify = formIn(await browser.get('/sign-in/verify'))
      const done = await browser.post(verify.action, filled(verify, { code: codeNow() }))
      assert.equal(done.status, 303, done.text)
      assert.equal((await me(browser)).id, made.json.data.id)
      assert.equal(await roleOf(browser), 'Administrator')
      const sessions = (await browser.get('/app/api/sessions')).json.data
      assert.equal(sessions.find(({ current }: { current: boolean }) => current).way, 'provider')
    })

    test('the rules are listed for users who manage roles, with missing roles marked', async () => {
      const reply = await app().request('GET', '/app/api/role-rules', { cookie })
      assert.equal(reply.status, 200)
      assert.deepEqual(
        reply.json.data.rules.map(({ roleExists }: { roleExists: boolean }) => roleExists),
        [false, true, reply.json.data.rules[2].roleExists],
      )
      assert.deepEqual(reply.json.data.provider, {
        name: 'Example ID',
        issuer: provider.issuer,
        scope: 'openid profile email groups',
      })
      const roles = (await app().request('GET', '/app/api/roles', { cookie })).json.data
      const administrator = roles.find(({ name }: { name: string }) => name === 'Administrator')
      assert.equal(administrator.oauthMappingCount, 1)
      const one = await app().request('GET', `/app/api/roles/${administrator.id}`, { cookie })
      assert.equal(one.json.data.oauthMappingCount, 1)
      const person = await app().person()
      const refused = await app().request('GET', '/app/api/role-rules', { cookie: await person.session() })
      assert.equal(refused.status, 403)
      const lines: unknown[] = []
      const log = {
        ...app().services.log,
        warn: (message: string, facts: unknown) => void lines.push([message, facts]),
      }
      await logUnknownRoles(app().store.read, app().config, log)
      assert.match(JSON.stringify(lines), /No such role/)
    })
  },
  { ...fromManyAddresses, ...provider.settings({ roles: rules, scope: 'openid profile email groups' }) },
)

onSqlite(
  'a provider without registration and without passwords',
  (app) => {
    let owner: TestPerson
    let cookie: string
    let hash: string
    before(async () => {
      app().clock.set(Date.now())
      provider.accept(app().config.origin)
      assert.equal(
        (await app().request('GET', '/sign-in/oidc?next=/stats')).headers.location,
        '/setup?next=%2Fstats',
      )
      // A public client, which has no secret.
      ;({ owner, cookie } = await prepare(app(), { token_endpoint_auth_method: 'none' }))
      hash = await hashPassword(PASSWORD)
    })
    beforeEach(() => app().clock.set(Date.now()))

    test('the sign-in page redirects to the provider, except on request or after an error', async () => {
      const browser = new Browser(app())
      const next = encodeURIComponent('/oauth/consent?request=1')
      assert.equal(
        (await browser.get(`/sign-in?next=${next}`)).headers.location,
        `/sign-in/oidc?next=${next}`,
      )
      const asked = (await browser.get('/sign-in?local=1')).text
      assert.match(asked, /Sign in with Example ID/)
      const inGerman = /href="([^"]+)" lang="de"/.exec(asked)![1]!.replaceAll('&amp;', '&')
      assert.match(
        (await browser.get(inGerman)).text,
        /<html lang="de">/,
        'another language stays on the page',
      )
      const failed = await browser.get('/sign-in/oidc/callback?state=x')
      assert.equal((await browser.get(failed.headers.location!)).status, 200)
      const shown = await browser.get('/sign-in?local=1&problem=constructor')
      assert.doesNotMatch(shown.text, /role="alert"/)
    })

    test('a person without an account is told whom to ask', async () => {
      const browser = new Browser(app())
      const back = await trip(browser, someone())
      assert.equal(back.status, 403)
      assert.match(back.text, /No account yet/)
      assert.match(back.text, /Ask the person who runs it/)
      assert.equal(await me(browser), null)
      const { json } = await app().request('GET', '/app/api/audit', { cookie })
      assert.equal(json.data[0].details.reason, 'not_registered')
    })

    test('a local password that cannot sign in still proves the account for linking', async () => {
      const local = await app().person()
      await app().store.transaction(async (tx) => {
        await updatePassword(tx, local.id, hash)
        await updatePassword(tx, owner.id, hash)
      })
      const browser = new Browser(app())
      await trip(browser, someone({ preferred_username: local.username }))
      const page = formIn(await browser.get('/sign-in/link'))
      const wrong = await browser.post(page.action, filled(page, { password: `${PASSWORD}x` }))
      assert.equal(wrong.status, 401)
      const second = formIn(wrong)
      assert.equal((await browser.post(second.action, filled(second, { password: PASSWORD }))).status, 303)
      assert.equal((await me(browser)).id, local.id)
      const theirs = new Browser(app())
      await trip(theirs, someone({ preferred_username: owner.username }))
      const form = formIn(await theirs.get('/sign-in/link'))
      const forced = await theirs.post(form.action, filled(form, { separate: '1' }))
      assert.match(forced.headers.location!, /problem=refused/)
      assert.equal(await me(theirs), null)
      await trip(theirs, someone({ preferred_username: owner.username }))
      const again = formIn(await theirs.get('/sign-in/link'))
      assert.equal((await theirs.post(again.action, filled(again, { password: PASSWORD }))).status, 303)
      assert.equal((await me(theirs)).isOwner, true)
    })
  },
  {
    ...fromManyAddresses,
    ...provider.settings({ auto: true, register: false, passwords: false, clientSecret: undefined }),
  },
)

onSqlite(
  'responses without a pending sign-in',
  (app) => {
    test('unmatched responses record a few events a minute, then none', async () => {
      const path = '/sign-in/oidc/callback?state=stray&code=x'
      const statuses = []
      for (let n = 0; n < 40; n++) statuses.push((await app().request('GET', path)).status)
      assert.equal(statuses[0], 303)
      assert.equal(statuses.at(-1), 429)
      const rows = await app().store.read.query(
        "select id from audit_event where kind = 'sign-in.failed'",
        [],
      )
      assert.ok(rows.length < 35, `${rows.length} events`)
    })
  },
  provider.settings({}),
)

onBothEngines(
  'signing out',
  (app, engine) => {
    const sqliteTest = testOnSqlite(engine)
    let cookie: string
    before(async () => {
      cookie = (await prepare(app())).cookie
    })
    beforeEach(() => app().clock.set(Date.now()))
    const signedIn = async (login: string) => {
      const browser = new Browser(app())
      await trip(browser, login)
      return browser
    }
    const post = (browser: Browser, path: string, body?: unknown) =>
      app().request('POST', path, { cookie: browser.cookie, body })
    const keep = (browser: Browser, reply: Reply) => {
      for (const line of reply.headers['set-cookie'] ?? []) {
        const [name, value] = line.split(';')[0]!.split('=')
        if (value === '') browser.cookies.delete(name!)
        else browser.cookies.set(name!, value!)
      }
    }
    const tell = (token: string, headers = {}) =>
      app().request('POST', '/sign-in/oidc/backchannel-logout', {
        raw: new URLSearchParams({ logout_token: token }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      })
    const sidOf = async (browser: Browser) => {
      const user = await me(browser)
      const rows = (await app().store.read.query(
        `select "provider_session" as "sid", "id_token" as "token" from "session" where "user_id" = '${user.id}'`,
        [],
      )) as { sid: string; token: string }[]
      return rows[0]!
    }

    for (const path of ['/app/api/sign-out', '/app/api/sign-out-everywhere']) {
      test(`sign-out here (${path}) also signs out at the provider and returns`, async () => {
        const browser = await signedIn(someone())
        keep(browser, await post(browser, path, path.endsWith('everywhere') ? {} : undefined))
        const left = await browser.get('/sign-in/signed-out')
        const url = new URL(left.headers.location!)
        assert.equal(url.origin + url.pathname, `${provider.issuer}/session/end`)
        assert.equal(url.searchParams.get('client_id'), 'contrail')
        assert.match(url.searchParams.get('id_token_hint')!, /^eyJ/)
        assert.equal(
          url.searchParams.get('post_logout_redirect_uri'),
          `${app().config.origin}/sign-in/signed-out`,
        )
        assert.equal((await fetch(url)).status, 200)
        assert.equal((await browser.get('/sign-in/signed-out')).headers.location, '/sign-in?local=1')
      })
    }

    test('other sessions end without the provider, and so does every session if it is down', async () => {
      const person = await app().person()
      const browser = new Browser(app(), await person.session())
      keep(browser, await post(browser, '/app/api/sign-out'))
      assert.equal((await browser.get('/sign-in/signed-out')).headers.location, '/sign-in?local=1')
    })

    test('the ID token is stored sealed', async () => {
      const { token } = await sidOf(await signedIn(someone()))
      assert.match(token, /^s1\./)
    })

    test('a logout token ends its session, or all sessions of its person', async () => {
      const login = someone()
      const [first, second] = [await signedIn(login), await signedIn(login)]
      const other = await signedIn(someone())
      const { sid } = await sidOf(first)
      const reply = await tell(provider.logoutToken({ sid, sub: login }))
      assert.equal(reply.status, 200, reply.text)
      assert.equal(reply.headers['cache-control'], 'no-store')
      const left = [await me(first), await me(second)].filter(Boolean)
      assert.equal(left.length, 1)
      assert.equal((await tell(provider.logoutToken({ sub: login }))).status, 200)
      assert.deepEqual([await me(first), await me(second)], [null, null])
      assert.notEqual(await me(other), null)
      const { json } = await app().request('GET', '/app/api/audit', { cookie })
      assert.equal(json.data[0].kind, 'session.ended')
      assert.equal(json.data[0].details.via, 'provider')
    })

    const event = 'http://schemas.openid.net/event/backchannel-logout'
    const now = () => Math.floor(Date.now() / 1000)
    const attacks: [string, () => string][] = [
      ['another key', () => provider.logoutToken({ sub: login }, { isForged: true })],
      ['another issuer', () => provider.logoutToken({ sub: login, iss: 'https://evil.example' })],
      ['another audience', () => provider.logoutToken({ sub: login, aud: 'another' })],
      ['a nonce', () => provider.logoutToken({ sub: login, nonce: 'x' })],
      ['no event', () => provider.logoutToken({ sub: login, events: {} })],
      ['another event', () => provider.logoutToken({ sub: login, events: { [`${event}x`]: {} } })],
      ['no id', () => provider.logoutToken({ sub: login, jti: undefined })],
      ['an empty id', () => provider.logoutToken({ sub: login, jti: '' })],
      ['a person that is not a text', () => provider.logoutToken({ sub: 7, sid: 'x' })],
      ['a session without a name', () => provider.logoutToken({ sub: login, sid: '' })],
      ['neither person nor session', () => provider.logoutToken({})],
      ['no time', () => provider.logoutToken({ sub: login, iat: undefined })],
      ['a time long past', () => provider.logoutToken({ sub: login, iat: now() - 700 })],
      ['a time in the future', () => provider.logoutToken({ sub: login, iat: now() + 90 })],
      ['an expiry in the past', () => provider.logoutToken({ sub: login, exp: now() - 90 })],
      [
        'no algorithm',
        () =>
          `${provider
            .logoutToken({ sub: login }, { header: { alg: 'none' } })
            .split('.')
            .slice(0, 2)
            .join('.')}.`,
      ],
      ['a shared secret', () => provider.logoutToken({ sub: login }, { header: { alg: 'HS256' } })],
      ['another algorithm', () => provider.logoutToken({ sub: login }, { header: { alg: 'PS256' } })],
      ['an unknown key', () => provider.logoutToken({ sub: login }, { header: { kid: 'another' } })],
      ['a critical extension', () => provider.logoutToken({ sub: login }, { header: { crit: ['x'] } })],
      ['not a token', () => 'nothing'],
    ]
    let login: string
    sqliteTest('a faulty logout token is refused', async () => {
      login = someone()
      const browser = await signedIn(login)
      for (const [what, make] of attacks) {
        // Tokens use the clock of the machine, which advances.
        app().clock.set(Date.now())
        const reply = await tell(make())
        assert.equal(reply.status, 400, what)
        assert.equal(reply.headers['cache-control'], 'no-store')
        assert.equal(reply.json.error, 'invalid_request')
        assert.notEqual(await me(browser), null, what)
      }
      assert.equal((await tell('')).status, 400)
      const token = provider.logoutToken({ sub: login })
      assert.equal((await tell(token)).status, 200)
      const back = await signedIn(login)
      assert.equal((await tell(token)).status, 400)
      assert.notEqual(await me(back), null)
    })

    sqliteTest('a logout token without a key id is tried with each key', async () => {
      const login = someone()
      const browser = await signedIn(login)
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const another = { ...publicKey.export({ format: 'jwk' }), kid: 'another', use: 'sig' }
      provider.faults.answer = {
        path: /^\/jwks/,
        change: ({ keys }) => ({ keys: [{ kty: 'RSA', n: '!' }, another, ...(keys as object[])] }),
      }
      const header = { kid: undefined }
      const forged = await tell(provider.logoutToken({ sub: login }, { header, isForged: true }))
      assert.equal(forged.json.error_description, 'the token is refused: signature')
      assert.notEqual(await me(browser), null)
      const shared = await tell(provider.logoutToken({ sub: login }, { header: { alg: 'HS256' } }))
      assert.equal(shared.json.error_description, 'the token is refused: algorithm')
      const stale = await tell(provider.logoutToken({ sub: login, iat: now() - 700 }, { header }))
      assert.equal(stale.json.error_description, 'the token is refused: token')
      assert.equal((await tell(provider.logoutToken({ sub: login }, { header }))).status, 200)
      assert.equal(await me(browser), null)
      provider.faults.answer = { path: /^\/jwks/, change: () => ({ keys: 'none' }) }
      assert.equal((await tell(provider.logoutToken({ sub: login }))).status, 400)
      delete provider.faults.answer
    })

    test('the provider itself signs out sessions that began there', async () => {
      const large = await app().request('POST', '/sign-in/oidc/backchannel-logout', {
        raw: 'x'.repeat(20_000),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      assert.equal(large.status, 413)
      assert.equal((await app().request('GET', '/sign-in/oidc/backchannel-logout')).status, 405)
    })
  },
  { ...fromManyAddresses, ...provider.settings() },
)

onSqlite('an instance without a provider', (app) => {
  test('the provider pages return an explanation', async () => {
    const owner = await app().person('owner')
    const cookie = await owner.session()
    for (const path of ['/sign-in/oidc', '/sign-in/oidc/callback?state=x', '/sign-in/link'])
      assert.equal((await app().request('GET', path)).status, 404, path)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const told = { raw: 'logout_token=x', headers: form }
    assert.equal((await app().request('POST', '/sign-in/oidc/backchannel-logout', told)).status, 404)
    assert.equal((await app().request('GET', '/sign-in/signed-out')).headers.location, '/sign-in?local=1')
    const link = await app().request('POST', '/app/api/identities', { cookie })
    assert.equal(link.json.error.reason, 'provider_not_found')
    const shown = await app().request('GET', '/app/api/role-rules', { cookie })
    assert.deepEqual(shown.json.data, { provider: null, rules: [] })
    assert.doesNotMatch((await app().request('GET', '/sign-in')).text, /\/sign-in\/oidc/)
  })
})
