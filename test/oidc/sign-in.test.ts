// Signing in with a real identity provider (npm): which account is used, and every response that must be refused.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { hashSecret } from '../../server/base/secret/secrets.ts'
import { hashRecoveryCode } from '../../server/operations/accounts/second-factor.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { findIdentity } from '../../server/store/accounts/identities.ts'
import { findOneTime } from '../../server/store/accounts/one-time.ts'
import {
  deletePerson,
  findPersonByUsername,
  updateEmail,
  updatePassword,
} from '../../server/store/people/people.ts'
import { onBothEngines, type Reply, type TestApp, type TestPerson, testOnSqlite } from '../harness.ts'
import { Browser, type Form, filled, formIn, fromManyAddresses } from '../oauth/browser.ts'
import { startProvider } from './provider.ts'
import { createTrips, me, pathOf } from './trips.ts'

const provider = await startProvider()
after(() => provider.close())
const { someone, trip } = createTrips(provider)
const PASSWORD = 'correct horse battery'
let hash: string
before(async () => {
  hash = await hashPassword(PASSWORD)
})

async function lastFailure(app: TestApp, owner: string) {
  const { json } = await app.request('GET', '/app/api/audit', { cookie: owner })
  return json.data.find((event: { kind: string }) => event.kind === 'sign-in.failed')
}

onBothEngines(
  'signing in with a provider',
  (app, engine) => {
    const sqliteTest = testOnSqlite(engine)
    let owner: TestPerson
    let ownerCookie: string
    before(async () => {
      app().clock.set(Date.now())
      owner = await app().person('owner')
      ownerCookie = await owner.session()
      provider.accept(app().config.origin)
    })
    beforeEach(async () => {
      for (const name of Object.keys(provider.faults))
        delete provider.faults[name as keyof typeof provider.faults]
      // An unreachable provider is tried again.
      app().clock.set(Date.now() + 11_000)
      await new Browser(app()).get('/sign-in/oidc')
      app().clock.set(Date.now())
    })
    const withPassword = async (email?: string): Promise<TestPerson> => {
      const person = await app().person()
      await app().store.transaction(async (tx) => {
        await updatePassword(tx, person.id, hash)
        if (email) await updateEmail(tx, { id: person.id, email })
      })
      return person
    }

    /** The message of the sign-in page after a refused sign-in at the provider. */
    async function refused(browser: Browser, reply: Reply, reason: string): Promise<void> {
      assert.equal(reply.status, 303, reply.text)
      const to = new URL(reply.headers.location!, app().config.origin)
      assert.equal(to.pathname, '/sign-in')
      assert.equal(to.searchParams.get('problem'), reason)
      const page = await browser.get(reply.headers.location!)
      assert.equal(page.status, 200)
      assert.match(page.text, /class="problem" role="alert">[^<]+</)
      assert.match(page.text, /name="password"/)
      assert.equal(await me(browser), null)
      const event = await lastFailure(app(), ownerCookie)
      assert.deepEqual(event.details, { way: 'provider', reason })
    }

    test('a new person gets an account and signs in to the same one later', async () => {
      const login = someone({ preferred_username: 'Åsa Öberg', name: 'Åsa Öberg', email: 'asa@example.org' })
      const browser = new Browser(app())
      const back = await trip(browser, login, '/sign-in/oidc?next=/stats')
      assert.equal(back.headers.location, '/stats')
      const first = await me(browser)
      assert.equal(first.username, 'Asa-Oberg')
      assert.equal(first.displayName, 'Åsa Öberg')
      const account = await browser.get('/app/api/account')
      assert.equal(account.json.data.email, 'asa@example.org')
      assert.equal(account.json.data.emailVerified, false, 'the provider does not say so')
      assert.deepEqual(account.json.data.waysIn, {
        password: false,
        passkeys: 0,
        identities: 1,
        secondFactor: false,
      })
      const again = new Browser(app())
      await trip(again, login)
      assert.equal((await me(again)).id, first.id)
      const sessions = await again.get('/app/api/sessions')
      assert.deepEqual(
        sessions.json.data.map((session: { way: string }) => session.way),
        ['provider', 'provider'],
      )
      // Another tab of this browser signs in while this one is at the provider.
      const [tab, before] = [new Browser(app()), again.cookies.get('contrail')!]
      const leaving = await tab.get('/sign-in/oidc')
      tab.cookies.set('contrail', before)
      await tab.get(pathOf(await provider.visit(leaving.headers.location!, login)))
      assert.deepEqual([(await me(tab)).id, await me(again)], [first.id, null], 'a browser has one session')
    })

    test('an address verified by the provider needs no link', async () => {
      for (const email_verified of [true, 'true']) {
        const browser = new Browser(app())
        await trip(browser, someone({ email: 'proved@example.org', email_verified }))
        const { email, emailVerified } = (await browser.get('/app/api/account')).json.data
        assert.deepEqual([email, emailVerified], ['proved@example.org', true])
        // Two people may have it, but the next sign-in would be asked which of them it is.
        const person = await me(browser)
        const body = { username: person.username, displayName: person.displayName, email: null }
        const put = await app().request('PUT', '/app/api/me', { cookie: browser.cookie, body })
        assert.equal(put.status, 204)
      }
    })

    sqliteTest(
      'the request to the provider has a challenge, a state, a nonce and our exact redirect address',
      async () => {
        const url = new URL((await new Browser(app()).get('/sign-in/oidc')).headers.location!)
        const given = Object.fromEntries(url.searchParams)
        assert.equal(given['response_type'], 'code')
        assert.equal(given['redirect_uri'], `${app().config.origin}/sign-in/oidc/callback`)
        assert.equal(given['code_challenge_method'], 'S256')
        for (const name of ['code_challenge', 'state', 'nonce']) assert.match(given[name]!, /^[\w-]{43}$/)
        assert.equal(given['scope'], 'openid profile email')
      },
    )

    test('an unsuitable user name is converted, and numbered if it is taken', async () => {
      const names = [
        ['x', 'x-user'],
        ['someone.with.a.very.long.name', 'someone.with.a.very.'],
        ['Zoë@example.org', 'Zoe'],
        ['日本', 'user'],
      ]
      for (const [preferred, expected] of names) {
        const browser = new Browser(app())
        await trip(browser, someone({ preferred_username: preferred, name: '\u202e' }))
        const user = await me(browser)
        assert.equal(user.username, expected)
        assert.equal(user.displayName.length >= 3, true)
      }
      const another = new Browser(app())
      await trip(another, someone({ preferred_username: '本日', name: '\u202e' }))
      assert.equal((await me(another)).username, 'user-2')
    })

    test('an equal user name is not enough: the account’s password links it, once', async () => {
      const local = await withPassword()
      const login = someone({ preferred_username: local.username.toUpperCase() })
      const browser = new Browser(app())
      const back = await trip(browser, login, '/sign-in/oidc?next=/trips')
      assert.equal(back.headers.location, '/sign-in/link')
      assert.equal(await me(browser), null)
      const page = await browser.get('/sign-in/link')
      assert.match(page.text, new RegExp(local.username))
      const form = formIn({
        ...page,
        text: page.text.split('name="separate"')[0]!.split('<p class="hint">')[0]!,
      })
      const wrong = await browser.post(form.action, filled(form, { password: 'wrong' }))
      assert.equal(wrong.status, 401)
      const right = await browser.post(form.action, filled(form, { password: PASSWORD }))
      assert.equal(right.status, 303, right.text)
      assert.equal(right.headers.location, '/trips')
      assert.equal((await me(browser)).id, local.id)
      const replayed = await browser.post(form.action, filled(form, { password: PASSWORD }))
      assert.match(replayed.headers.location!, /problem=state/)
      const later = new Browser(app())
      assert.equal((await trip(later, login)).headers.location, '/')
      assert.equal((await me(later)).id, local.id)
    })

    test('an account with a second factor is linked only after the code', async () => {
      const local = await withPassword()
      const now = new Date(app().clock.now()).toISOString()
      await app().store.transaction((tx) =>
        tx.query(
          `insert into "second_factor" ("user_id", "secret", "enabled_at", "created_at") values ('${local.id}', 'x', '${now}', '${now}')`,
          [],
        ),
      )
      const browser = new Browser(app())
      const login = someone({ preferred_username: local.username, nickname: 'a group of theirs' })
      await trip(browser, login, '/sign-in/oidc?next=/trips')
      const page = await browser.get('/sign-in/link')
      const form = formIn({ ...page, text: page.text.split('<p class="hint">')[0]! })
      const half = await browser.post(form.action, filled(form, { password: PASSWORD }))
      assert.equal(half.headers.location, '/sign-in/verify?next=%2Ftrips')
      assert.equal(await me(browser), null)
      const wanted = {
        purpose: 'second-factor',
        hash: hashSecret(browser.cookies.get('contrail-pending')!),
        now,
      } as const
      const step = await findOneTime<{ proven: string }>(app().store.read, wanted)
      assert.equal(step?.userId, local.id)
      assert.match(step!.data.proven, /^s1\./)
      for (const secret of [login, 'eyJ', 'a group of theirs'])
        assert.ok(!JSON.stringify(step).includes(secret), secret)
      const named = { issuer: provider.issuer, subject: login }
      assert.equal(await findIdentity(app().store.read, named), undefined)
      const code = 'abcd-efgh-jkmn'
      await app().store.transaction((tx) =>
        tx.query(
          `insert into "recovery_code" ("user_id", "hash") values ('${local.id}', '${hashRecoveryCode(code)}')`,
          [],
        ),
      )
      const send = (recoveryCode: string) =>
        app().request('POST', '/app/api/sign-in/second-factor', {
          cookie: browser.cookie,
          body: { recoveryCode },
        })
      assert.equal((await send('wrong-wrong-wrong')).status, 401)
      assert.equal(await findIdentity(app().store.read, named), undefined)
      assert.equal((await send(code)).status, 204)
      assert.equal((await findIdentity(app().store.read, named))?.userId, local.id)
    })

    test('the link page works in one browser for ten minutes, with the usual password limits', async () => {
      const local = await withPassword()
      const browser = new Browser(app(), undefined, { 'x-client-address': '203.0.113.9' })
      await trip(browser, someone({ preferred_username: local.username }))
      const page = await browser.get('/sign-in/link')
      const form = formIn({ ...page, text: page.text.split('<p class="hint">')[0]! })
      const stranger = new Browser(app())
      assert.match((await stranger.get('/sign-in/link')).headers.location!, /problem=state/)
      assert.match(
        (await stranger.post(form.action, filled(form, { password: PASSWORD }))).headers.location!,
        /state/,
      )
      const foreign = await browser.post(form.action, filled(form, { token: 'x', password: PASSWORD }))
      assert.equal(foreign.status, 400)
      for (let i = 0; i < 5; i++) await browser.post(form.action, filled(form, { password: 'wrong' }))
      assert.equal((await browser.post(form.action, filled(form, { password: PASSWORD }))).status, 429)
      app().clock.advance(601_000)
      assert.match((await browser.get('/sign-in/link')).headers.location!, /problem=state/)
      assert.equal(await me(browser), null)
    })

    const proofForm = async (browser: Browser) => {
      const page = await browser.get('/sign-in/link')
      assert.equal(page.status, 200, page.text)
      return { page, form: formIn({ ...page, text: page.text.split('<p class="hint">')[0]! }) }
    }
    const namesIn = (form: Form) => form.fields.map(([name]) => name)

    test('an address of one account asks only for the password and shows no user name', async () => {
      const local = await withPassword('Zoë.Single@Example.org')
      const other = await withPassword('someone.else@example.org')
      const browser = new Browser(app())
      const email = 'ZOË.single@eXample.ORG'
      assert.equal(
        (await trip(browser, someone({ email, email_verified: true }))).headers.location,
        '/sign-in/link',
      )
      const { page, form } = await proofForm(browser)
      assert.deepEqual(namesIn(form), ['token', 'password'])
      assert.match(page.text, /enter its password once/)
      const wrong = await browser.post(form.action, filled(form, { password: 'wrong' }))
      assert.equal(wrong.status, 401)
      for (const { text } of [page, wrong]) assert.ok(!text.includes(local.username))
      // The browser cannot choose the account.
      const named = [...filled(form, { password: PASSWORD }), ['username', other.username]] as Form['fields']
      assert.equal((await browser.post(form.action, named)).status, 303)
      assert.equal((await me(browser)).id, local.id)
    })

    test('an address of several accounts asks for user name and password and shows neither', async () => {
      const [first, second] = [
        await withPassword('Shared@Example.org'),
        await withPassword('shared@example.org'),
      ]
      const browser = new Browser(app())
      await trip(browser, someone({ email: 'shared@example.org', email_verified: true }))
      const { page, form } = await proofForm(browser)
      assert.deepEqual(namesIn(form), ['token', 'username', 'password'])
      for (const { username } of [first, second]) assert.ok(!page.text.includes(username))
      const fields = filled(form, { username: second.username, password: PASSWORD })
      assert.equal((await browser.post(form.action, fields)).status, 303)
      assert.equal((await me(browser)).id, second.id)
    })

    test('an account deleted before its password is entered is not linked', async () => {
      const local = await withPassword('leaving@example.org')
      const browser = new Browser(app())
      await trip(browser, someone({ email: 'leaving@example.org' }))
      const { form } = await proofForm(browser)
      await app().store.transaction((tx) => deletePerson(tx, local.id, new Date().toISOString()))
      const late = await browser.post(form.action, filled(form, { password: PASSWORD }))
      assert.match(late.headers.location!, /problem=state/)
      assert.equal(await me(browser), null)
    })

    for (const unverified of [false, 'false']) {
      test(`an unverified address (${typeof unverified}) requires the password and is not stored`, async () => {
        const address = `unverified.${typeof unverified}@example.org`
        const local = await withPassword(address)
        const login = someone({ email: address.toUpperCase(), email_verified: unverified })
        const browser = new Browser(app())
        assert.equal((await trip(browser, login)).headers.location, '/sign-in/link')
        assert.equal(await me(browser), null)
        const page = await browser.get('/sign-in/link')
        const separate = formIn({ ...page, text: page.text.split('<p class="hint">')[1]! })
        assert.equal((await browser.post(separate.action, separate.fields)).headers.location, '/')
        assert.notEqual((await me(browser)).id, local.id)
        assert.equal((await browser.get('/app/api/account')).json.data.email, null)
      })
    }

    sqliteTest('the addresses that the account lists for the provider exist', async () => {
      const { provider: shown } = (await new Browser(app(), ownerCookie).get('/app/api/account')).json.data
      const { origin } = app().config
      assert.deepEqual(shown, {
        name: 'Example ID',
        redirectUri: `${origin}/sign-in/oidc/callback`,
        postLogoutRedirectUri: `${origin}/sign-in/signed-out`,
        backChannelLogoutUri: `${origin}/sign-in/oidc/backchannel-logout`,
      })
      const { status } = await app().request('POST', pathOf(shown.backChannelLogoutUri), {
        raw: 'logout_token=x',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      assert.equal(status, 400)
      assert.equal((await app().request('GET', pathOf(shown.postLogoutRedirectUri))).status, 303)
    })

    test('a person without a password can sign in there first, or get a separate account', async () => {
      const local = await app().person()
      const browser = new Browser(app())
      await trip(browser, someone({ preferred_username: local.username }))
      const page = await browser.get('/sign-in/link')
      assert.doesNotMatch(page.text, /name="password"/)
      assert.match(page.text, /Settings: Security/)
      const form = formIn(page)
      assert.equal((await browser.post(form.action, form.fields)).headers.location, '/')
      const user = await me(browser)
      assert.equal(user.username, `${local.username}-2`)
      assert.notEqual(user.id, local.id)
    })

    test('a signed-in user links the provider, whose identity then belongs to no one else', async () => {
      const local = await withPassword()
      const login = someone()
      const browser = new Browser(app(), await local.session())
      assert.deepEqual((await browser.get('/app/api/identities')).json.data, [])
      const begun = await app().request('POST', '/app/api/identities', { cookie: browser.cookie })
      assert.equal(begun.status, 200, begun.text)
      const back = await trip(browser, login, begun.json.data.location)
      assert.equal(back.headers.location, '/settings/security')
      const [identity] = (await browser.get('/app/api/identities')).json.data
      assert.equal(identity.current, true)
      assert.equal(identity.issuer, provider.issuer)
      const other = new Browser(app(), await (await withPassword()).session())
      const taken = await trip(other, login)
      assert.equal(taken.status, 409)
      assert.match(taken.text, /linked to another account/)
      assert.deepEqual((await other.get('/app/api/identities')).json.data, [])
    })

    test('linking needs a recently confirmed session and our own page', async () => {
      const browser = new Browser(app(), await (await withPassword()).session())
      const fromElsewhere = { 'sec-fetch-site': 'cross-site' }
      const other = new Browser(app(), browser.cookie, fromElsewhere)
      const refusal = await other.get('/sign-in/oidc')
      assert.equal(refusal.status, 403)
      assert.match(refusal.text, /\/settings\/security/)
      app().clock.advance(301_000)
      assert.equal((await browser.get('/sign-in/oidc')).status, 403)
      const asked = await app().request('POST', '/app/api/identities', { cookie: browser.cookie })
      assert.equal(asked.json.error.reason, 'confirmation_required')
    })

    test('a link begun by one session cannot be finished by another', async () => {
      const browser = new Browser(app(), await (await withPassword()).session())
      const leaving = await browser.get('/sign-in/oidc')
      const back = await provider.visit(leaving.headers.location!, someone())
      const victim = await withPassword()
      const [name, value] = (await victim.session()).split('=')
      browser.cookies.set(name!, value!)
      assert.equal((await browser.get(pathOf(back))).status, 400)
      assert.deepEqual((await browser.get('/app/api/identities')).json.data, [])
    })

    test('a new sign-in at the provider confirms only a session of the same person', async () => {
      const login = someone()
      const browser = new Browser(app())
      await trip(browser, login)
      const confirmed = async () => (await browser.get('/app/api/account')).json.data.confirmedUntil !== null
      const { id } = await me(browser)
      await app().store.transaction((tx) =>
        tx.query(`update "session" set "confirmed_at" = null where "user_id" = '${id}'`, []),
      )
      assert.equal(await confirmed(), false)
      const leaving = await browser.get('/sign-in/oidc?confirm=1&next=/settings/security')
      const url = new URL(leaving.headers.location!)
      assert.deepEqual([url.searchParams.get('prompt'), url.searchParams.get('max_age')], ['login', '0'])
      const stranger = await browser.get(pathOf(await provider.visit(url.href, someone())))
      assert.equal(stranger.status, 409)
      assert.equal(await confirmed(), false)
      provider.faults.idToken = (claims) => ({ ...claims, auth_time: Number(claims['auth_time']) - 120 })
      const stale = await trip(browser, login, '/sign-in/oidc?confirm=1')
      assert.equal(stale.status, 400)
      assert.equal(await confirmed(), false)
      delete provider.faults.idToken
      const back = await trip(browser, login, '/sign-in/oidc?confirm=1&next=/settings/security')
      assert.equal(back.headers.location, '/settings/security', back.text)
      assert.equal(await confirmed(), true)
    })

    test('unlinking needs confirmation and is refused for the last way in and for other people', async () => {
      const local = await withPassword()
      const login = someone()
      const browser = new Browser(app(), await local.session())
      await trip(browser, login)
      const [{ id }] = (await browser.get('/app/api/identities')).json.data
      const remove = (cookie: string, which = id) =>
        app().request('DELETE', `/app/api/identities/${which}`, { cookie })
      assert.equal((await remove(await (await withPassword()).session())).status, 404)
      assert.equal((await remove(browser.cookie, 999_999)).status, 404)
      assert.equal((await remove(browser.cookie, 'x')).status, 400)
      assert.equal((await remove(browser.cookie)).status, 204)
      const alone = new Browser(app())
      await trip(alone, someone())
      const [{ id: only }] = (await alone.get('/app/api/identities')).json.data
      const last = await remove(alone.cookie, only)
      assert.equal(last.json.error.reason, 'last_way_in')
      app().clock.advance(301_000)
      assert.equal((await remove(alone.cookie, only)).json.error.reason, 'confirmation_required')
    })

    // Faults

    const faults: [string, typeof provider.faults, string][] = [
      ['another nonce', { idToken: (claims) => ({ ...claims, nonce: 'other' }) }, 'nonce'],
      ['no nonce', { idToken: ({ nonce: _, ...claims }) => claims }, 'token'],
      ['another audience', { idToken: (claims) => ({ ...claims, aud: 'another' }) }, 'audience'],
      ['another party', { idToken: (claims) => ({ ...claims, azp: 'another' }) }, 'audience'],
      [
        'several audiences and another party',
        { idToken: (claims) => ({ ...claims, aud: ['contrail', 'another'], azp: 'another' }) },
        'audience',
      ],
      ['another issuer', { idToken: (claims) => ({ ...claims, iss: 'https://evil.example' }) }, 'issuer'],
      ['another signature', { isForged: true }, 'signature'],
      ['no signature', { algorithm: 'none' }, 'algorithm'],
      ['a shared secret as key', { algorithm: 'HS256' }, 'algorithm'],
      [
        'an expired ID token',
        { idToken: (claims) => ({ ...claims, exp: app().clock.now() / 1000 - 90 }) },
        'clock',
      ],
      [
        'a time of issue in the future',
        { idToken: (claims) => ({ ...claims, iat: Date.now() / 1000 + 90 }) },
        'clock',
      ],
      ['no ID token', { answer: { path: /^\/token/, change: ({ id_token: _, ...body }) => body } }, 'token'],
      ['a token endpoint that never answers', { stalls: /^\/token/ }, 'unreachable'],
      [
        'a token endpoint that redirects',
        { instead: { path: /^\/token/, status: 302, headers: { location: '/elsewhere' }, body: '' } },
        'unreachable',
      ],
      ['keys that cannot be read', { instead: { path: /^\/jwks/, status: 500, body: '{}' } }, 'unreachable'],
      [
        'claims of another person',
        { answer: { path: /^\/me/, change: (body) => ({ ...body, sub: 'another' }) } },
        'userinfo',
      ],
      [
        'endless claims',
        { instead: { path: /^\/me/, status: 200, body: JSON.stringify({ a: 'x'.repeat(600_000) }) } },
        'unreachable',
      ],
      [
        'our secret refused',
        { instead: { path: /^\/token/, status: 401, body: '{"error":"invalid_client"}' } },
        'client',
      ],
      [
        'our code refused',
        { instead: { path: /^\/token/, status: 400, body: '{"error":"invalid_grant"}' } },
        'refused',
      ],
    ]
    for (const [what, fault, reason] of faults) {
      sqliteTest(`a response with ${what} signs no one in`, async () => {
        const browser = new Browser(app())
        const leaving = await browser.get('/sign-in/oidc')
        const back = await provider.visit(leaving.headers.location!, someone())
        Object.assign(provider.faults, fault)
        await refused(browser, await browser.get(pathOf(back)), reason)
      })
    }

    sqliteTest('"none" is refused even if the provider announces it', async () => {
      provider.faults.answer = {
        path: /openid-configuration/,
        change: (body) => ({ ...body, id_token_signing_alg_values_supported: ['none', 'RS256'] }),
      }
      provider.faults.algorithm = 'none'
      app().clock.advance(2_000)
      const browser = new Browser(app())
      await refused(browser, await trip(browser, someone()), 'algorithm')
      delete provider.faults.answer
      app().clock.advance(2_000)
      await new Browser(app()).get('/sign-in/oidc')
    })

    sqliteTest('clocks may differ by one minute', async () => {
      for (const [ahead, isFine] of [
        [55_000, true],
        [-55_000, true],
      ] as const) {
        const browser = new Browser(app())
        const begun = Date.now()
        // Our clock is stopped: on a slow machine a sign-in takes longer than the rest of the minute.
        provider.faults.idToken = (claims) => ({
          ...claims,
          iat: Math.floor(begun / 1000),
          exp: Math.floor(Date.now() / 1000),
        })
        app().clock.set(begun + ahead)
        assert.equal((await trip(browser, someone())).headers.location === '/', isFine)
      }
      const browser = new Browser(app())
      const begun = Date.now()
      provider.faults.idToken = (claims) => ({ ...claims, exp: Math.floor(begun / 1000) })
      app().clock.set(begun + 75_000)
      await refused(browser, await trip(browser, someone()), 'clock')
    })

    test('a state is accepted once, in its browser, for ten minutes', async () => {
      const browser = new Browser(app())
      const leave = async () => {
        const leaving = await browser.get('/sign-in/oidc')
        return pathOf(await provider.visit(leaving.headers.location!, someone()))
      }
      const back = await leave()
      const stranger = new Browser(app())
      await stranger.get('/sign-in/oidc')
      await refused(stranger, await stranger.get(back), 'state')
      // It was used up, for the guesser and for everyone else.
      await refused(browser, await browser.get(back), 'state')
      const late = await leave()
      app().clock.advance(601_000)
      await refused(browser, await browser.get(late), 'state')
      app().clock.set(Date.now())
      const altered = (await leave()).replace(/state=(.)/, (_, first) => `state=${first === 'x' ? 'y' : 'x'}`)
      await refused(browser, await browser.get(altered), 'state')
      await refused(browser, await browser.get('/sign-in/oidc/callback'), 'state')
      await refused(browser, await browser.get('/sign-in/oidc/callback?state=x&state=y&code=z'), 'state')
      const [first, second] = [await leave(), await leave()]
      assert.equal((await browser.get(first)).headers.location, '/')
      assert.equal((await browser.get(second)).headers.location, '/')
    })

    sqliteTest('a response of another issuer is refused', async () => {
      const browser = new Browser(app())
      const leave = async () => {
        const leaving = await browser.get('/sign-in/oidc')
        return new URL(await provider.visit(leaving.headers.location!, someone()))
      }
      const other = await leave()
      other.searchParams.set('iss', 'https://evil.example')
      await refused(browser, await browser.get(pathOf(other.href)), 'issuer')
      const none = await leave()
      none.searchParams.delete('iss')
      await refused(browser, await browser.get(pathOf(none.href)), 'issuer')
    })

    sqliteTest('an error instead of a code is shown as cancelled, or as failed', async () => {
      for (const [error, reason] of [
        ['access_denied', 'denied'],
        ['server_error', 'refused'],
      ]) {
        const browser = new Browser(app())
        const leaving = new URL((await browser.get('/sign-in/oidc')).headers.location!)
        const answer = new URLSearchParams({
          error: error!,
          state: leaving.searchParams.get('state')!,
          iss: provider.issuer,
          error_description: '<script>alert(1)</script>',
        })
        await refused(browser, await browser.get(`/sign-in/oidc/callback?${answer}`), reason!)
      }
    })

    test('tokens and codes are in neither the log nor the audit trail', async () => {
      const browser = new Browser(app())
      const leaving = await browser.get('/sign-in/oidc')
      const back = new URL(await provider.visit(leaving.headers.location!, someone()))
      provider.faults.isForged = true
      await browser.get(pathOf(back.href))
      const events = (await app().request('GET', '/app/api/audit', { cookie: ownerCookie })).text
      for (const text of [app().logged.join('\n'), events]) {
        assert.doesNotMatch(text, /eyJ[\w-]{20}/)
        assert.ok(!text.includes(back.searchParams.get('code')!))
        assert.ok(!text.includes(leaving.headers.location!.match(/state=([\w-]+)/)![1]!))
        assert.ok(!text.includes('the-client-secret'))
      }
    })

    sqliteTest(
      'an unreachable provider is reported, tried again after ten seconds and blocks nothing else',
      async () => {
        provider.faults.isDown = true
        const browser = new Browser(app())
        await refused(browser, await browser.get('/sign-in/oidc?next=/stats'), 'unreachable')
        const page = await browser.get('/sign-in')
        assert.match(page.text, /Example ID is not responding<\/span>/)
        assert.match(page.text, /href="\/sign-in\/oidc"/)
        const asked = provider.requests.length
        await refused(browser, await browser.get('/sign-in/oidc'), 'unreachable')
        assert.equal(provider.requests.length, asked)
        provider.faults.isDown = false
        app().clock.advance(11_000)
        assert.equal((await trip(browser, someone())).headers.location, '/')
        assert.match((await new Browser(app()).get('/sign-in')).text, /Sign in with Example ID<\/span>/)
      },
    )

    sqliteTest('a provider that times out is reported', async () => {
      provider.faults.stalls = /openid-configuration/
      const browser = new Browser(app())
      await refused(browser, await browser.get('/sign-in/oidc'), 'unreachable')
    })

    sqliteTest('a provider with another issuer in its metadata is not used', async () => {
      provider.faults.answer = {
        path: /openid-configuration/,
        change: (body) => ({ ...body, issuer: 'https://evil.example' }),
      }
      const browser = new Browser(app())
      await refused(browser, await browser.get('/sign-in/oidc'), 'other_issuer')
    })

    sqliteTest(
      'a provider on this machine cannot redirect the browser or requests to plain http elsewhere',
      async () => {
        provider.faults.answer = {
          path: /openid-configuration/,
          change: (body) => ({ ...body, authorization_endpoint: 'http://198.51.100.1/auth' }),
        }
        const browser = new Browser(app())
        await refused(browser, await browser.get('/sign-in/oidc'), 'unreachable')
      },
    )

    test('a pending app gets its consent after sign-in at the provider', async () => {
      const browser = new Browser(app())
      const next = '/oauth/consent?request=abc'
      const page = await browser.get(`/sign-in?next=${encodeURIComponent(next)}`)
      assert.match(page.text, /href="\/sign-in\/oidc\?next=%2Foauth%2Fconsent%3Frequest%3Dabc"/)
      const back = await trip(browser, someone(), `/sign-in/oidc?next=${encodeURIComponent(next)}`)
      assert.equal(back.headers.location, next)
      const evil = new Browser(app())
      assert.equal((await trip(evil, someone(), '/sign-in/oidc?next=//evil.example')).headers.location, '/')
    })

    sqliteTest('the client may send its secret in the body', async () => {
      provider.accept(app().config.origin, { token_endpoint_auth_method: 'client_secret_post' })
      assert.equal((await trip(new Browser(app()), someone())).headers.location, '/')
      provider.accept(app().config.origin)
    })

    test('a deleted person gets a new account at the next sign-in', async () => {
      const login = someone()
      const browser = new Browser(app())
      await trip(browser, login)
      const { id } = await me(browser)
      const deleted = await app().request('DELETE', '/app/api/me', { cookie: browser.cookie, body: {} })
      assert.equal(deleted.status, 204)
      const again = new Browser(app())
      await trip(again, login)
      assert.notEqual((await me(again)).id, id)
      assert.ok(await findPersonByUsername(app().store.read, (await me(again)).username))
    })
  },
  { ...fromManyAddresses, ...provider.settings() },
)
