// Attacks, client mistakes and unlucky timing, each with the expected result.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecret } from '../../server/base/secret/secrets.ts'
import { deleteClient } from '../../server/store/access/oauth/clients.ts'
import { insertRole } from '../../server/store/access/roles.ts'
import { updatePersonRole } from '../../server/store/people/people.ts'
import { onBothEngines, type TestApp, type TestPerson, testOnSqlite } from '../harness.ts'
import {
  approve,
  authorizePath,
  Browser,
  codeExchange,
  codeOf,
  connect,
  createFlow,
  createPkce,
  exchange,
  filled,
  fromManyAddresses,
  openConsent,
  postForm,
  REDIRECT_URI,
  refreshExchange,
  registerClient,
  requestOf,
  statusWith,
} from './browser.ts'

const token = (app: TestApp, fields: Record<string, string | undefined>, headers = {}) =>
  postForm(app, '/oauth/token', fields, headers)

async function refused(
  app: TestApp,
  fields: Record<string, string | undefined>,
  error: string,
  status = 400,
): Promise<void> {
  const reply = await token(app, fields)
  assert.deepEqual([reply.status, reply.json.error], [status, error], reply.text)
  assert.equal(reply.headers['cache-control'], 'no-store')
}

/** The person's audit trail, newest first. */
async function eventsOf(app: TestApp, person: TestPerson): Promise<{ kind: string; details: object }[]> {
  return (await app.request('GET', '/app/api/audit/mine', { cookie: await person.session() })).json.data
}

onBothEngines(
  'OAuth under attack',
  (app, engine) => {
    const sqliteTest = testOnSqlite(engine)
    test('a code replayed by its own client revokes every token of the grant', async () => {
      const { person, flow, code, tokens } = await connect(app())
      assert.equal(await statusWith(app(), tokens.access_token), 200)
      await refused(app(), codeExchange(flow, code), 'invalid_grant')
      assert.equal(await statusWith(app(), tokens.access_token), 401)
      await refused(app(), refreshExchange(flow, tokens.refresh_token), 'invalid_grant')
      const [event] = await eventsOf(app(), person)
      assert.deepEqual([event!.kind, event!.details], ['app.code-replayed', { app: 'Test client' }])
    })

    test('a code replayed by another client changes nothing', async () => {
      const { flow, code, tokens } = await connect(app())
      const stranger = createFlow(app(), await registerClient(app()), { pkce: flow.pkce })
      await refused(app(), codeExchange(stranger, code), 'invalid_grant')
      assert.equal(await statusWith(app(), tokens.access_token), 200)
      await exchange(app(), refreshExchange(flow, tokens.refresh_token))
    })

    test('a refresh token used twice revokes the whole family with the newest access token', async () => {
      const { person, flow, tokens } = await connect(app())
      const second = await exchange(app(), refreshExchange(flow, tokens.refresh_token))
      const third = await exchange(app(), refreshExchange(flow, second.refresh_token))
      assert.equal(await statusWith(app(), third.access_token), 200)
      await refused(app(), refreshExchange(flow, tokens.refresh_token), 'invalid_grant')
      for (const { access_token } of [tokens, second, third]) {
        assert.equal(await statusWith(app(), access_token), 401)
      }
      await refused(app(), refreshExchange(flow, third.refresh_token), 'invalid_grant')
      const trail = await app().request('GET', '/app/api/audit/mine', { cookie: await person.session() })
      assert.equal(trail.json.data[0].kind, 'app.refresh-token-reused')
    })

    test('a refresh token used by another client is refused and stays valid', async () => {
      const { flow, tokens } = await connect(app())
      const stranger = createFlow(app(), await registerClient(app()))
      await refused(app(), refreshExchange(stranger, tokens.refresh_token), 'invalid_grant')
      await exchange(app(), refreshExchange(flow, tokens.refresh_token))
    })

    test('one of 20 concurrent code exchanges succeeds, and the replays revoke its tokens', async () => {
      const browser = new Browser(app(), await (await app().person()).session())
      const flow = createFlow(app(), await registerClient(app()))
      const code = codeOf(await approve(browser, flow, 'profile.read'))
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => token(app(), codeExchange(flow, code))),
      )
      const won = replies.filter((reply) => reply.status === 200)
      assert.equal(won.length, 1)
      assert.ok(replies.every((reply) => reply.status === 200 || reply.json.error === 'invalid_grant'))
      assert.equal(await statusWith(app(), won[0]!.json.access_token), 401)
    })

    test('one of 20 concurrent refreshes succeeds, and the reuse revokes the family', async () => {
      const { flow, tokens } = await connect(app())
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => token(app(), refreshExchange(flow, tokens.refresh_token))),
      )
      const won = replies.filter((reply) => reply.status === 200)
      assert.equal(won.length, 1)
      assert.ok(replies.every((reply) => reply.status === 200 || reply.json.error === 'invalid_grant'))
      assert.equal(await statusWith(app(), won[0]!.json.access_token), 401)
      await refused(app(), refreshExchange(flow, won[0]!.json.refresh_token), 'invalid_grant')
    })

    test('a token is accepted only at its own resource, and never at the legacy API', async () => {
      const rest = await connect(app())
      assert.equal(await statusWith(app(), rest.tokens.access_token), 200)
      assert.equal(await statusWith(app(), rest.tokens.access_token, '/api/flight/list'), 401)
      assert.equal(await statusWith(app(), rest.tokens.access_token, '/app/api/me'), 401)
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
      const ask = { headers: { accept: 'application/json, text/event-stream' }, body: list }
      const atMcp = await app().request('POST', '/api/mcp', { ...ask, key: rest.tokens.access_token })
      assert.equal(atMcp.status, 401)

      const mcp = await connect(app(), 'profile.read', { resource: `${app().config.origin}/api/mcp` })
      assert.equal(await statusWith(app(), mcp.tokens.access_token), 401)
      const allowed = await app().request('POST', '/api/mcp', { ...ask, key: mcp.tokens.access_token })
      assert.notEqual(allowed.status, 401)
      const query = `/api/v1/me?access_token=${rest.tokens.access_token}`
      assert.equal((await app().request('GET', query)).status, 401)
    })

    test('another resource at the token endpoint is refused and consumes nothing', async () => {
      const browser = new Browser(app(), await (await app().person()).session())
      const flow = createFlow(app(), await registerClient(app()))
      const code = codeOf(await approve(browser, flow, 'profile.read'))
      const mcp = `${app().config.origin}/api/mcp`
      await refused(app(), { ...codeExchange(flow, code), resource: mcp }, 'invalid_grant')
      await refused(app(), { ...codeExchange(flow, code), resource: undefined }, 'invalid_request')
      await refused(app(), { ...codeExchange(flow, code), resource: 'https://x.example' }, 'invalid_target')
      const { refresh_token } = await exchange(app(), codeExchange(flow, code))
      await refused(app(), { ...refreshExchange(flow, refresh_token), resource: mcp }, 'invalid_grant')
      await exchange(app(), refreshExchange(flow, refresh_token))
    })

    test('a wrong verifier, address or secret never consumes the code', async () => {
      const browser = new Browser(app(), await (await app().person()).session())
      const flow = createFlow(
        app(),
        await registerClient(app(), { token_endpoint_auth_method: 'client_secret_post' }),
      )
      const good = codeExchange(flow, codeOf(await approve(browser, flow, 'profile.read')))
      await refused(app(), { ...good, code_verifier: createPkce().verifier }, 'invalid_grant')
      await refused(app(), { ...good, code_verifier: 'short' }, 'invalid_grant')
      await refused(app(), { ...good, code_verifier: flow.pkce.challenge }, 'invalid_grant')
      await refused(app(), { ...good, code_verifier: undefined }, 'invalid_request')
      await refused(app(), { ...good, redirect_uri: `${REDIRECT_URI}/` }, 'invalid_grant')
      await refused(app(), { ...good, redirect_uri: undefined }, 'invalid_request')
      await refused(app(), { ...good, client_secret: undefined }, 'invalid_client', 401)
      await refused(app(), { ...good, client_secret: `${good['client_secret']}x` }, 'invalid_client', 401)
      await refused(app(), { ...good, client_id: 'client_unknown' }, 'invalid_client', 401)
      await refused(app(), { ...good, grant_type: 'password' }, 'unsupported_grant_type')
      await refused(app(), { ...good, grant_type: '__proto__' }, 'unsupported_grant_type')
      await refused(app(), { ...good, code: 'ctc_x\u0000' }, 'invalid_request')
      await exchange(app(), good)
    })

    sqliteTest('two client authentications and a failed Basic get different errors', async () => {
      const client = await registerClient(app(), { token_endpoint_auth_method: 'client_secret_basic' })
      const flow = createFlow(app(), client)
      const basic = (secret: string) => ({
        authorization: `Basic ${Buffer.from(`${client.client_id}:${secret}`).toString('base64')}`,
      })
      const both = await token(app(), codeExchange(flow, 'ctc_x'), basic(client.client_secret!))
      assert.deepEqual([both.status, both.json.error], [400, 'invalid_request'])
      const fields = { ...codeExchange(flow, 'ctc_x'), client_secret: undefined }
      const wrong = await token(app(), fields, basic('wrong'))
      assert.equal(wrong.status, 401)
      assert.match(wrong.headers['www-authenticate']!, /^Basic /)
      const encoded = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
      for (const broken of ['Basic !!!', 'Basic ', encoded('%zz:x'), encoded('client%00:x')]) {
        const reply = await token(app(), fields, { authorization: broken })
        assert.ok([400, 401].includes(reply.status), `${broken}: ${reply.status}`)
      }
      const posted = await token(app(), { ...fields, client_secret: 'wrong' })
      assert.deepEqual([posted.status, posted.headers['www-authenticate']], [401, undefined])
      await refused(app(), { ...fields, client_id: undefined }, 'invalid_request')
      const other = { ...fields, client_id: 'client_other' }
      const mismatched = await token(app(), other, basic(client.client_secret!))
      assert.deepEqual([mismatched.status, mismatched.json.error], [400, 'invalid_request'])
      const unnamed = await token(app(), { ...fields, client_id: undefined }, basic(client.client_secret!))
      assert.equal(unnamed.json.error, 'invalid_grant', 'the header names the client')
      await refused(app(), fields, 'invalid_client', 401)
      const right = await token(app(), fields, basic(client.client_secret!))
      assert.deepEqual([right.status, right.json.error], [400, 'invalid_grant'])
      const secretOfPublic = createFlow(app(), await registerClient(app()))
      const emptySecret = { authorization: encoded(`${secretOfPublic.client.client_id}:`) }
      const anyCode = await token(app(), codeExchange(secretOfPublic, 'ctc_x'), emptySecret)
      assert.equal(anyCode.json.error, 'invalid_grant', 'an empty secret is refused')
      await refused(
        app(),
        { ...codeExchange(secretOfPublic, 'ctc_x'), client_secret: 'x' },
        'invalid_client',
        401,
      )
    })

    sqliteTest('malformed form bodies are refused with OAuth errors', async () => {
      for (const [type, raw] of [
        ['application/json', '{"grant_type":"refresh_token"}'],
        ['text/plain', 'grant_type=refresh_token'],
        ['multipart/form-data', 'x'],
        ['multipart/form-data; boundary=x', 'nonsense'],
        ['application/x-www-form-urlencoded', ''],
        ['application/x-www-form-urlencoded', 'grant_type=a&grant_type=b'],
        ['application/x-www-form-urlencoded', `grant_type=${'x'.repeat(40_000)}`],
      ] as const) {
        const headers = { 'content-type': type, 'x-client-address': `203.0.113.${raw.length % 250}` }
        const reply = await app().request('POST', '/oauth/token', { raw, headers })
        assert.ok([400, 413].includes(reply.status), `${type}: ${reply.status}`)
        assert.equal(reply.json.error, 'invalid_request')
      }
      const { flow, tokens } = await connect(app())
      const form = Object.entries(refreshExchange(flow, tokens.refresh_token)).filter(([, value]) => value)
      const raw = `${form.map(([name, value]) => `--------edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--------edge--\r\n`
      const headers = { 'content-type': 'Multipart/Form-Data; boundary=------edge' }
      assert.equal((await app().request('POST', '/oauth/token', { raw, headers })).status, 200)
    })

    sqliteTest('an error of an unapproved client is a page with its host, not a redirect', async () => {
      const flow = createFlow(app(), await registerClient(app()))
      const wrong = authorizePath({ ...requestOf(flow), state: '"><b>', scope: 'admin' })
      const person = new Browser(app(), await (await app().person()).session())
      for (const browser of [new Browser(app()), person]) {
        const page = await browser.get(wrong)
        assert.deepEqual([page.status, page.headers.location], [400, undefined])
        assert.match(page.text, /Return to client\.example</)
        assert.doesNotMatch(page.text, /<b>/)
        const link = /<a class="button quiet" rel="noreferrer" href="(https:[^"]+)"/.exec(page.text)!
        const back = new URL(link[1]!.replaceAll('&amp;', '&'))
        assert.equal(back.origin + back.pathname, REDIRECT_URI)
        assert.deepEqual(
          ['error', 'state', 'iss'].map((name) => back.searchParams.get(name)),
          ['invalid_scope', '"><b>', app().config.origin],
        )
      }
      await approve(person, flow, 'profile.read')
      for (const browser of [new Browser(app()), person]) {
        const reply = await browser.get(wrong)
        assert.equal(reply.status, 303, reply.text)
        assert.match(reply.headers.location!, /^https:\/\/client\.example\/callback\?error=invalid_scope/)
      }
    })

    sqliteTest(
      'missing or plain PKCE and bad response types, targets and scopes redirect with state and iss',
      async () => {
        const { flow } = await connect(app())
        const browser = new Browser(app())
        const good = requestOf(flow, 'profile.read')
        for (const [change, error] of [
          [{ code_challenge_method: 'plain' }, 'invalid_request'],
          [{ code_challenge_method: undefined }, 'invalid_request'],
          [{ code_challenge: undefined }, 'invalid_request'],
          [{ code_challenge: 'short' }, 'invalid_request'],
          [{ response_type: 'token' }, 'unsupported_response_type'],
          [{ response_type: undefined }, 'invalid_request'],
          [{ response_mode: 'fragment' }, 'invalid_request'],
          [{ resource: undefined }, 'invalid_request'],
          [{ resource: 'https://elsewhere.example/api/v1' }, 'invalid_target'],
          [{ resource: `${app().config.origin}/api/v1/../v1` }, 'invalid_target'],
          [{ resource: `${app().config.origin}/api` }, 'invalid_target'],
          [{ resource: `${app().config.origin}@evil.example/api/v1` }, 'invalid_target'],
          [{ scope: 'profile.read admin' }, 'invalid_scope'],
          [{ scope: 'constructor' }, 'invalid_scope'],
        ] as const) {
          const reply = await browser.get(authorizePath({ ...good, ...change }))
          assert.equal(reply.status, 303, JSON.stringify(change))
          const back = new URL(reply.headers.location!)
          assert.equal(back.origin + back.pathname, REDIRECT_URI)
          assert.equal(back.searchParams.get('error'), error, JSON.stringify(change))
          assert.equal(back.searchParams.get('state'), 'the-state')
          assert.equal(back.searchParams.get('iss'), app().config.origin)
          assert.equal(back.searchParams.get('code'), null)
        }
        const twice = await browser.get(`${authorizePath(good)}&scope=stats.read`)
        assert.match(twice.headers.location!, /error=invalid_request/)
        const upper = { ...good, resource: `HTTP://LOCALHOST:3000/api/v1/` }
        const explicit = { ...good, response_mode: 'query' }
        for (const accepted of [upper, explicit])
          assert.match((await browser.get(authorizePath(accepted))).headers.location!, /^\/sign-in/)
      },
    )

    sqliteTest('an unregistered redirect URI shows a page and never redirects', async () => {
      const registered = 'https://client.example/callback?x=1'
      const flow = createFlow(app(), await registerClient(app(), { redirect_uris: [registered] }))
      const browser = new Browser(app())
      for (const uri of [
        'https://evil.example/callback?x=1',
        'https://client.example.evil.example/callback?x=1',
        'https://client.example/callback',
        'https://client.example/callback?x=1&y=2',
        'https://client.example/callback/?x=1',
        'https://client.example/callback/../callback?x=1',
        'https://client.example/%63allback?x=1',
        'https://client.example:443/callback?x=1',
        'https://client.example:8443/callback?x=1',
        'https://CLIENT.example/callback?x=1',
        'https://user@client.example/callback?x=1',
        'https://client.example@evil.example/callback?x=1',
        'https://client.example/callback?x=1#fragment',
        'https://client.example/callback?x=1#',
        'http://client.example/callback?x=1',
        'https://client.example\\@evil.example/callback?x=1',
        '//client.example/callback?x=1',
        'javascript:alert(1)',
        ' https://client.example/callback?x=1',
        'https://client.example/callback?x=1\u0000',
      ]) {
        const reply = await browser.get(authorizePath({ ...requestOf(flow), redirect_uri: uri }))
        assert.equal(reply.status, 400, uri)
        assert.equal(reply.headers.location, undefined, uri)
        assert.match(reply.headers['content-type']!, /^text\/html/)
        assert.ok(!reply.text.includes('evil.example'), 'the page repeats an untrusted value')
      }
      for (const path of [
        authorizePath({ ...requestOf(flow), client_id: 'client_unknown' }),
        authorizePath({ ...requestOf(flow), client_id: undefined }),
        authorizePath({ ...requestOf(flow), client_id: `${flow.client.client_id}\u0000` }),
        authorizePath({ ...requestOf(flow), redirect_uri: undefined }),
        `${authorizePath(requestOf(flow))}&client_id=client_unknown`,
        `${authorizePath(requestOf(flow))}&redirect_uri=https%3A%2F%2Fevil.example`,
      ]) {
        const reply = await browser.get(path)
        assert.deepEqual([reply.status, reply.headers.location], [400, undefined], path)
      }
      const back = await approve(
        new Browser(app(), await (await app().person()).session()),
        { ...flow, redirectUri: registered },
        'profile.read',
      )
      assert.equal(back.searchParams.get('x'), '1', 'its own query is kept')
    })

    sqliteTest('a native app may use any port of its own loopback host, and nothing more', async () => {
      const uris = ['http://127.0.0.1/callback', 'http://[::1]:1234/callback', 'http://localhost:4567/']
      const flow = createFlow(app(), await registerClient(app(), { redirect_uris: uris }))
      const browser = new Browser(app(), await (await app().person()).session())
      const status = async (uri: string) =>
        (await browser.get(authorizePath({ ...requestOf(flow), redirect_uri: uri }))).status
      for (const uri of ['http://127.0.0.1:49152/callback', 'http://[::1]/callback', 'http://localhost:1/']) {
        assert.equal(await status(uri), 303, uri)
      }
      for (const uri of [
        'http://localhost:1/callback',
        'http://127.0.0.1:1/other',
        'http://127.0.0.1:1/callback?x',
        'https://127.0.0.1:1/callback',
        'http://127.0.0.1:99999/callback',
        'http://127.0.0.1:1@evil.example/callback',
        'http://127.0.0.2:1/callback',
        'http://127.1:1/callback',
        'http://127.0.0.1.evil.example/callback',
      ]) {
        assert.equal(await status(uri), 400, uri)
      }
      const redirectUri = 'http://127.0.0.1:50000/callback'
      const native = { ...flow, redirectUri }
      const page = await browser.follow(authorizePath(requestOf(native, 'profile.read')))
      assert.match(page.text, /runs on your own computer/)
      const code = codeOf(await approve(browser, native, 'profile.read'))
      await refused(app(), { ...codeExchange(native, code), redirect_uri: uris[0] }, 'invalid_grant')
      await exchange(app(), codeExchange(native, code))
    })

    test('scopes can be narrowed and widened at consent up to the role', async () => {
      const person = await app().person()
      const browser = new Browser(app(), await person.session())
      const flow = createFlow(app(), await registerClient(app()))
      const form = await openConsent(browser, flow, 'profile.read flight.read.own roles.manage')
      assert.ok(!form.boxes.includes('roles.manage'), 'a scope beyond the role is offered')
      assert.deepEqual(
        form.fields.filter(([name]) => name === 'scope').map(([, value]) => value),
        ['flight.read.own', 'profile.read'],
      )
      const widened = codeOf(await approve(browser, flow, 'profile.read', ['stats.read', 'flight.read.own']))
      const tokens = await exchange(app(), codeExchange(flow, widened))
      assert.equal(tokens.scope, 'flight.read.own stats.read')

      for (const scope of ['roles.manage', 'flight.read.any', 'nonsense']) {
        const beyond = await approve(browser, flow, 'profile.read', ['profile.read', scope])
        assert.equal(beyond.searchParams.get('error'), 'invalid_scope')
        assert.equal(beyond.searchParams.get('code'), null)
      }
      const none = await approve(browser, flow, 'profile.read', [])
      assert.equal((await exchange(app(), codeExchange(flow, codeOf(none)))).scope, '')
    })

    test('a later, narrower consent narrows the next refresh; the scope parameter never widens', async () => {
      const { browser, flow, tokens } = await connect(app(), 'profile.read flight.read.own stats.read')
      const narrower = { ...refreshExchange(flow, tokens.refresh_token), scope: ' stats.read  stats.read ' }
      const narrow = await exchange(app(), narrower)
      assert.equal(narrow.scope, 'stats.read')
      const more = { ...refreshExchange(flow, narrow.refresh_token), scope: 'stats.read shares.write' }
      await refused(app(), more, 'invalid_scope')
      const whole = await exchange(app(), refreshExchange(flow, narrow.refresh_token))
      assert.equal(whole.scope.split(' ').length, 3, 'a narrow access token does not narrow the grant')

      await approve(browser, flow, 'profile.read')
      const after = await exchange(app(), refreshExchange(flow, whole.refresh_token))
      assert.equal(after.scope, 'profile.read')
      await approve(browser, flow, 'profile.read stats.read')
      const wider = await exchange(app(), refreshExchange(flow, after.refresh_token))
      assert.equal(wider.scope, 'profile.read', 'a wider consent widens an old family')
    })

    test('a narrowed role, a deleted user and a deleted client take effect on the next request', async () => {
      const { person, tokens, flow } = await connect(app(), 'profile.read flight.read.own')
      const read = () => statusWith(app(), tokens.access_token, '/api/v1/flights')
      assert.equal(await read(), 200)
      await app().store.transaction(async (tx) => {
        const nothing = { name: `Nothing ${person.id}`, description: null, permissions: [] }
        await insertRole(tx, `role-${person.id}`, nothing, '2026-01-01T00:00:00Z')
        await updatePersonRole(tx, person.id, `role-${person.id}`)
      })
      assert.equal(await read(), 403)

      const owner = await (await app().person('owner')).session()
      const gone = await app().request('DELETE', `/app/api/users/${person.id}`, { cookie: owner })
      assert.equal(gone.status, 204, gone.text)
      assert.equal(await statusWith(app(), tokens.access_token), 401)
      await refused(app(), refreshExchange(flow, tokens.refresh_token), 'invalid_grant')

      const other = await connect(app())
      await app().store.transaction((tx) => deleteClient(tx, { id: other.flow.client.client_id }))
      assert.equal(await statusWith(app(), other.tokens.access_token), 401)
      await refused(app(), refreshExchange(other.flow, other.tokens.refresh_token), 'invalid_client', 401)
    })

    test('consent is decided once, by the person and in the browser that it was shown to', async () => {
      const ada = await app().person()
      const flow = createFlow(app(), await registerClient(app()))
      const browser = new Browser(app(), await ada.session())
      const form = await openConsent(browser, flow, 'profile.read')
      const yes = filled(form, { decision: 'approve' })
      const id = form.fields.find(([name]) => name === 'id')![1]

      const eve = new Browser(app(), await (await app().person()).session())
      const elsewhere = await eve.post(form.action, yes)
      assert.equal(elsewhere.status, 400, 'another browser and person')
      for (const [name, value] of browser.cookies) if (name !== 'contrail') eve.cookies.set(name, value)
      assert.equal((await eve.post(form.action, yes)).status, 400, 'another person in the same browser')
      assert.equal((await eve.get(`/oauth/consent?id=${id}`)).status, 400, 'shown to another person')
      const adaElsewhere = new Browser(app(), await ada.session())
      assert.equal(
        (await adaElsewhere.get(`/oauth/consent?id=${id}`)).status,
        400,
        'shown in another browser',
      )
      assert.equal((await adaElsewhere.post(form.action, yes)).status, 400)

      const signedOut = new Browser(app())
      for (const [name, value] of browser.cookies) if (name !== 'contrail') signedOut.cookies.set(name, value)
      assert.equal((await signedOut.post(form.action, yes)).status, 401)

      const replies = await Promise.all([browser.post(form.action, yes), browser.post(form.action, yes)])
      assert.deepEqual(replies.map((reply) => reply.status).sort(), [303, 400])
      assert.equal((await browser.post(form.action, yes)).status, 400, 'replayed')
    })

    sqliteTest('a denied consent is reported to the client and grants nothing', async () => {
      const browser = new Browser(app(), await (await app().person()).session())
      const flow = createFlow(app(), await registerClient(app()))
      const form = await openConsent(browser, flow, 'profile.read')
      const reply = await browser.post(form.action, filled(form, { decision: 'deny' }))
      const back = new URL(reply.headers.location!)
      assert.equal(reply.status, 303)
      assert.deepEqual(
        ['error', 'state', 'iss', 'code'].map((name) => back.searchParams.get(name)),
        ['access_denied', 'the-state', app().config.origin, null],
      )
    })

    sqliteTest('forms from another site are refused at sign-in, set-up and consent', async () => {
      const browser = new Browser(app(), await (await app().person()).session())
      const flow = createFlow(app(), await registerClient(app()))
      const form = await openConsent(browser, flow, 'profile.read')
      const yes = filled(form, { decision: 'approve' })
      const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
      const sibling = { 'sec-fetch-site': 'same-site', origin: 'http://evil.localhost:3000' }
      for (const path of ['/oauth/consent', '/sign-in', '/setup']) {
        for (const headers of [foreign, sibling]) {
          assert.equal((await browser.post(path, yes, headers)).status, 403, path)
        }
        const raw = new URLSearchParams(yes).toString()
        const type = { 'content-type': 'application/x-www-form-urlencoded', cookie: browser.cookie }
        const withoutOrigin = await app().request('POST', path, { raw, headers: type })
        assert.equal(withoutOrigin.status, 403, `${path} without Origin`)
      }
      const noToken = yes.filter(([name]) => name !== 'token')
      assert.equal((await browser.post(form.action, noToken)).status, 400)
      assert.equal((await browser.post(form.action, [...noToken, ['token', 'x'.repeat(43)]])).status, 400)
      assert.equal((await browser.post(form.action, yes)).status, 303, 'the real form still works')
    })

    test('revocation ends an own access token alone, an own refresh token’s family, and no foreign token', async () => {
      const { person, flow, tokens } = await connect(app())
      const stranger = createFlow(app(), await registerClient(app()))
      const revoke = (of: typeof flow, secret?: string) =>
        postForm(app(), '/oauth/revoke', { client_id: of.client.client_id, token: secret })
      const unissued = createSecret('refreshToken').secret
      for (const secret of [tokens.access_token, tokens.refresh_token, unissued, 'nonsense']) {
        const reply = await revoke(stranger, secret)
        assert.deepEqual([reply.status, reply.text], [200, ''])
      }
      assert.equal(await statusWith(app(), tokens.access_token), 200)
      assert.equal((await revoke(flow)).json.error, 'invalid_request')
      const unknown = await postForm(app(), '/oauth/revoke', { client_id: 'client_unknown', token: 'x' })
      assert.equal(unknown.status, 401)

      await revoke(flow, tokens.access_token)
      assert.equal(await statusWith(app(), tokens.access_token), 401)
      const second = await exchange(app(), refreshExchange(flow, tokens.refresh_token))
      await revoke(flow, tokens.refresh_token)
      assert.equal(await statusWith(app(), second.access_token), 401, 'a used one ends the family too')
      await refused(app(), refreshExchange(flow, second.refresh_token), 'invalid_grant')
      const [event] = await eventsOf(app(), person)
      assert.deepEqual(
        [event!.kind, event!.details],
        ['app.revoked', { app: 'Test client', by: 'the app itself' }],
      )
    })

    test('secrets are neither logged nor stored', async () => {
      const { tokens, code, browser } = await connect(app())
      const secrets = [tokens.access_token, tokens.refresh_token, code, ...browser.cookies.values()]
      const lines = app().logged.join('\n')
      for (const secret of secrets) assert.ok(!lines.includes(secret))
      assert.doesNotMatch(lines, /ct[acrxs]_[a-z2-7]{32}/)
      for (const table of [
        'oauth_code',
        'oauth_access_token',
        'oauth_refresh_token',
        'oauth_request',
        'session',
      ]) {
        const rows = JSON.stringify(await app().store.read.query(`select * from ${table}`, []))
        for (const secret of secrets) assert.ok(!rows.includes(secret), table)
      }
    })
  },
  fromManyAddresses,
)
