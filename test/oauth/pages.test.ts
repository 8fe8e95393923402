// Sign-in, setup and consent pages: they work without scripts, cannot be framed, and do not redirect to other sites.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSetupToken } from '../../server/services/accounts/setup-token.ts'
import { onBothEngines, onSqlite, type Reply, type TestApp, testOnSqlite } from '../harness.ts'
import { authorizePath, Browser, createFlow, filled, formIn, registerClient, requestOf } from './browser.ts'

const setupToken = createSetupToken()
const account = { username: 'ada', displayName: 'Ada L', password: 'correct horse' }

function requireSafePage(page: Reply) {
  assert.match(page.headers['content-type']!, /^text\/html/)
  const policy = page.headers['content-security-policy'] as string
  for (const part of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ]) {
    assert.ok(policy.includes(part), `${part} is missing in ${policy}`)
  }
  assert.equal(page.headers['x-frame-options'], 'DENY')
  assert.equal(page.headers['cache-control'], 'no-store')
  assert.equal(page.headers['referrer-policy'], 'same-origin')
  const own = '<script type="module" src="/sign-in.js"></script>'
  assert.doesNotMatch(page.text.replace(own, ''), /<script|<style|<[^>]* (style|on[a-z]+)=/i)
  assert.equal(policy.includes("script-src 'self'"), page.text.includes(own), policy)
}

async function signIn(app: TestApp, values: Record<string, string>, next?: string): Promise<Reply> {
  const browser = new Browser(app)
  app.clock.advance(60_000)
  const page = await browser.get(`/sign-in${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`)
  return browser.post('/sign-in', filled(formIn(page), values))
}

onSqlite(
  'set-up without a public address',
  (app) => {
    const direct = { host: 'localhost:3000', origin: 'http://localhost:3000' }
    const needsToken = async (headers: Record<string, string>) => {
      const page = await app().request('GET', '/setup', { headers })
      requireSafePage(page)
      const session = await app().request('GET', '/app/api/session', { headers })
      assert.equal(session.json.data.setupRequired, true)
      assert.equal(session.json.data.setupTokenRequired, page.text.includes('name="setupToken"'))
      return session.json.data.setupTokenRequired
    }

    test('a direct visit needs no token, a visit through a proxy needs one', async () => {
      assert.equal(await needsToken({}), false)
      assert.equal(await needsToken(direct), false)
      assert.equal(await needsToken({ ...direct, host: '[::1]:3000' }), false)
      for (const headers of [
        { host: 'flights.example.org' },
        { ...direct, host: 'localhost.example.org' },
        { ...direct, 'x-forwarded-for': '203.0.113.7' },
        { ...direct, 'x-real-ip': '203.0.113.7' },
        { ...direct, forwarded: 'for=203.0.113.7' },
        { ...direct, via: '1.1 proxy' },
        // A proxy that adds no headers: the browser still sends the page's address.
        { ...direct, origin: 'https://flights.example.org' },
        { ...direct, origin: 'null' },
      ])
        assert.equal(await needsToken(headers), true, JSON.stringify(headers))
    })

    test('a direct set-up works without a token; through a proxy it is refused', async () => {
      const send = (headers: Record<string, string>) =>
        app().request('POST', '/app/api/setup', {
          body: account,
          headers: { 'sec-fetch-site': 'same-origin', ...headers },
        })
      assert.equal((await send({ ...direct, 'x-forwarded-for': '203.0.113.7' })).status, 403)
      assert.equal((await send(direct)).status, 204)
    })
  },
  {},
  { setupToken },
)

onSqlite(
  'set-up of an instance with a public address',
  (app) => {
    test('set-up needs the token on the server’s machine too, because a proxy may be undetectable', async () => {
      const page = await app().request('GET', '/setup', { headers: { host: 'localhost:3000' } })
      assert.match(page.text, /name="setupToken"/)
    })
  },
  { origin: 'https://flights.example.org' },
  { setupToken },
)

onBothEngines(
  'OAuth pages',
  (app, engine) => {
    const sqliteTest = testOnSqlite(engine)
    test('a new instance is set up once, with the token from its log', async () => {
      const browser = new Browser(app(), undefined, { 'x-forwarded-host': 'flights.example.org' })
      const page = await browser.follow('/sign-in?next=%2Fflights')
      requireSafePage(page)
      const form = formIn(page)
      assert.equal(form.action, '/setup')
      const wrong = await browser.post('/setup', filled(form, { ...account, setupToken: 'ctp_guess' }))
      assert.equal(wrong.status, 403)
      requireSafePage(wrong)
      assert.ok(wrong.text.includes('value="Ada L"'), 'the typed text is kept')
      assert.ok(!wrong.text.includes(account.password))
      assert.match(wrong.text, /id="setupToken-mistake">The set-up token is wrong/)
      const all = filled(formIn(wrong), {
        displayName: 'A',
        username: 'a b',
        password: 'short',
        setupToken: 'ctp_guess',
      })
      const several = await browser.post('/setup', all)
      assert.equal(several.status, 422)
      requireSafePage(several)
      assert.match(
        several.text,
        /role="alert">Please check: Your name, Username, Password, and Set-up token\.</,
      )
      for (const name of ['displayName', 'username', 'password', 'setupToken'])
        assert.match(several.text, new RegExp(`id="${name}-mistake">[A-Z]`), 'reported together')
      assert.equal(several.text.match(/aria-invalid="true"/g)?.length, 4)
      assert.match(several.text, /name="displayName"[^>]* value="A"[^>]* autofocus/)
      assert.match(several.text, /name="username"[^>]* value="a b"/)
      assert.match(several.text, /name="setupToken"[^>]* value="ctp_guess"/)
      assert.match(several.text, /name="password"[^>]* value=""/)
      assert.match(several.text, /<title>Error: Set up · Contrail</)
      assert.doesNotMatch(several.text, /id="username-hint"/, 'the mistake says it already')
      assert.match(wrong.text, /id="password-hint">Enter your password again\./, 'it is not sent back')
      const short = filled(formIn(wrong), { ...account, password: 'short', setupToken: setupToken.secret })
      const tooShort = await browser.post('/setup', short)
      assert.equal(tooShort.status, 422)
      assert.match(tooShort.text, /id="password-mistake">Must have at least 8 characters\.</)
      const inGerman = await browser.post('/setup', all, { 'accept-language': 'fr;q=0.5, de-AT' })
      assert.match(inGerman.text, /<html lang="de">/)
      assert.match(inGerman.text, /<title>Fehler: Einrichten/)
      assert.match(inGerman.text, /id="password-mistake">Mindestens 8 Zeichen\.</)
      assert.match(inGerman.text, /id="setupToken-mistake">Das Einrichtungs-Token ist falsch\./)
      requireSafePage(inGerman)

      const right = filled(form, { ...account, setupToken: setupToken.secret })
      const replies = await Promise.all([browser.post('/setup', right), browser.post('/setup', right)])
      assert.deepEqual(replies.map((reply) => reply.status).sort(), [303, 409])
      assert.equal(replies.find((reply) => reply.status === 303)!.headers.location, '/flights')
      const session = await app().request('GET', '/app/api/session', { cookie: browser.cookie })
      assert.equal(session.json.data.user.username, 'ada')
      assert.equal((await browser.get('/setup')).headers.location, '/sign-in')
      assert.equal((await browser.get('/sign-in')).headers.location, '/', 'signed in already')
    })

    test('sign-in reports wrong passwords, continues after right ones and delays after too many', async () => {
      const wrong = await signIn(app(), { username: 'ada', password: 'wrong' })
      assert.equal(wrong.status, 401)
      requireSafePage(wrong)
      assert.match(wrong.text, /id="problem" class="problem" role="alert">Username or password is wrong\./)
      assert.match(wrong.text, /name="password"[^>]* aria-describedby="problem" aria-invalid="true"/)
      assert.match(wrong.text, /<title>Error: Sign in/)
      const unknown = await signIn(app(), { username: 'nobody', password: 'wrong' })
      assert.equal(unknown.status, 401)
      assert.match(unknown.text, /Username or password is wrong\./)

      const right = await signIn(app(), { username: 'ADA', password: account.password }, '/flights?year=2026')
      assert.equal(right.status, 303)
      assert.equal(right.headers.location, '/flights?year=2026')
      assert.match(String(right.headers['set-cookie']), /contrail=cts_[^;]+; Path=\/; HttpOnly; SameSite=Lax/)

      const browser = new Browser(app())
      const form = formIn(await browser.get('/sign-in'))
      const attempt = () => browser.post('/sign-in', filled(form, { username: 'ada', password: 'wrong' }))
      for (let i = 0; i < 5; i++) await attempt()
      const limited = await attempt()
      assert.equal(limited.status, 429)
      assert.ok(Number(limited.headers['retry-after']) > 0)
      assert.match(limited.text, /Try again in <span data-countdown="\d+">\d+\u00a0s/)
    })

    sqliteTest('sign-in redirects only to this site', async () => {
      for (const next of [
        'https://evil.example/',
        '//evil.example/',
        '/\\evil.example',
        '\\\\evil.example',
        '/\t/evil.example',
        'javascript:alert(1)',
        '/..//evil.example',
        '/%0d%0aSet-Cookie:x=y/../',
      ]) {
        const reply = await signIn(app(), { username: 'ada', password: account.password }, next)
        assert.equal(reply.status, 303, next)
        const onward = new URL(reply.headers.location!, app().config.origin)
        assert.equal(onward.origin, app().config.origin, next)
        assert.ok(!reply.headers.location!.startsWith('//'), next)
      }
    })

    sqliteTest('a sign-in form works only in the browser that requested it', async () => {
      const attacker = new Browser(app())
      const form = formIn(await attacker.get('/sign-in'))
      const victim = new Browser(app())
      await victim.get('/sign-in')
      const reply = await victim.post(
        '/sign-in',
        filled(form, { username: 'ada', password: account.password }),
      )
      assert.equal(reply.status, 400)
      assert.ok(!victim.cookies.has('contrail'))
      const again = await victim.post(
        '/sign-in',
        filled(formIn(reply), { username: 'ada', password: account.password }),
      )
      assert.equal(again.status, 303, 'the form that came back works')
    })

    sqliteTest('consent cannot be framed and shows a client’s texts as text', async () => {
      const name = '<img src=x onerror=alert(1)> & "friends"'
      const flow = createFlow(app(), await registerClient(app(), { client_name: name }))
      const browser = new Browser(app(), await (await app().person()).session())
      const page = await browser.follow(authorizePath({ ...requestOf(flow), state: '"><script>' }))
      assert.equal(page.status, 200)
      requireSafePage(page)
      assert.ok(
        page.text.includes('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;friends&quot;'.slice(0, 20)),
      )
      assert.doesNotMatch(page.text, /<img/)
      assert.match(page.text, />Approve<\/button>/)
      assert.match(page.text, />Deny<\/button>/)
      assert.match(page.text, /client\.example/)
    })

    sqliteTest('errors are shown as pages with the stylesheet', async () => {
      for (const path of ['/oauth/authorize', '/oauth/consent?id=x', '/oauth/consent?id=%00']) {
        const browser = new Browser(app(), await (await app().person()).session())
        const page = await browser.follow(path)
        assert.equal(page.status, 400, path)
        requireSafePage(page)
      }
      const browser = new Browser(app())
      const json = await app().request('POST', '/sign-in', {
        body: {},
        headers: { 'sec-fetch-site': 'same-origin' },
      })
      assert.equal(json.status, 400)
      requireSafePage(json)
      const page = await browser.follow('/sign-in')
      const sheet = /href="(\/pages\.css[^"]*)"/.exec(page.text)![1]!
      const css = await browser.get(sheet)
      assert.match(css.headers['content-type']!, /^text\/css/)
      assert.match(css.text, /prefers-color-scheme: dark/)
      const picture = /src="(\/globe\.svg[^"]*)"/.exec(page.text)![1]!
      const globe = await browser.get(picture)
      assert.match(globe.headers['content-type']!, /^image\/svg\+xml/)
      assert.ok(globe.text.length < 60_000, `${globe.text.length} bytes`)
      assert.doesNotMatch(globe.text, /<script|\son\w+=|href=/)
    })
  },
  {},
  { setupToken },
)

onSqlite(
  'pages under https',
  (app) => {
    test('every cookie is bound to this host', async () => {
      const browser = new Browser(
        app(),
        (await (await app().person('owner')).session()).replace('contrail=', '__Host-contrail='),
      )
      const flow = createFlow(app(), await registerClient(app()))
      const page = await browser.get(authorizePath(requestOf(flow, 'profile.read')))
      assert.match(page.headers.location!, /^\/oauth\/consent/, 'the session is known')
      const [cookie] = page.headers['set-cookie']!
      assert.match(
        cookie!,
        /^__Host-contrail-browser=\w+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/,
      )
      const form = formIn(await browser.follow(page.headers.location!))
      const back = await browser.post(form.action, filled(form, { decision: 'approve' }))
      assert.equal(new URL(back.headers.location!).searchParams.get('iss'), 'https://flights.example')
    })
  },
  { origin: 'https://flights.example' },
)
