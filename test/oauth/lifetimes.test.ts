// Every lifetime to the second, with an injected clock; what cleanup deletes and keeps; limits per minute.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE, SECOND } from '../../server/domain/time/durations.ts'
import { UNUSED_CLIENTS_AT_MOST } from '../../server/http/oauth/register.ts'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { onBothEngines, onSqlite, type TestApp } from '../harness.ts'
import {
  approve,
  authorizePath,
  Browser,
  codeExchange,
  codeOf,
  connect,
  createFlow,
  exchange,
  filled,
  fromManyAddresses,
  openConsent,
  postForm,
  refreshExchange,
  registerClient,
  requestOf,
  statusWith,
} from './browser.ts'

const count = async (app: TestApp, table: string) =>
  Number((await app.store.read.query(`select count(*) as n from ${table}`, []))[0]!['n'])
const cleanUp = (app: TestApp) => deleteExpired(app.store, app.clock.now())
const errorOf = async (app: TestApp, fields: Record<string, string | undefined>) =>
  (await postForm(app, '/oauth/token', fields)).json.error

onBothEngines(
  'OAuth lifetimes',
  (app) => {
    test('a code expires after 60 seconds', async () => {
      const browser = new Browser(app(), await (await app().person()).session())
      const flow = createFlow(app(), await registerClient(app()))
      const early = codeOf(await approve(browser, flow, 'profile.read'))
      app().clock.advance(59 * SECOND)
      await exchange(app(), codeExchange(flow, early))
      const late = codeOf(await approve(browser, flow, 'profile.read'))
      app().clock.advance(60 * SECOND)
      assert.equal(await errorOf(app(), codeExchange(flow, late)), 'invalid_grant')
    })

    test('an access token expires after an hour', async () => {
      const { tokens } = await connect(app())
      app().clock.advance(HOUR - SECOND)
      assert.equal(await statusWith(app(), tokens.access_token), 200)
      app().clock.advance(2 * SECOND)
      assert.equal(await statusWith(app(), tokens.access_token), 401)
    })

    test('a refresh token expires 30 days after its last use', async () => {
      const { flow, tokens } = await connect(app())
      app().clock.advance(30 * DAY - SECOND)
      await cleanUp(app())
      const second = await exchange(app(), refreshExchange(flow, tokens.refresh_token))
      app().clock.advance(30 * DAY - SECOND)
      await cleanUp(app())
      const third = await exchange(app(), refreshExchange(flow, second.refresh_token))
      app().clock.advance(30 * DAY)
      assert.equal(await errorOf(app(), refreshExchange(flow, third.refresh_token)), 'invalid_grant')
    })

    test('reuse of an expired refresh token still revokes the family', async () => {
      const { flow, tokens } = await connect(app())
      app().clock.advance(20 * DAY)
      const second = await exchange(app(), refreshExchange(flow, tokens.refresh_token))
      app().clock.advance(20 * DAY)
      await cleanUp(app())
      assert.equal(await errorOf(app(), refreshExchange(flow, tokens.refresh_token)), 'invalid_grant')
      assert.equal(await errorOf(app(), refreshExchange(flow, second.refresh_token)), 'invalid_grant')
    })

    test('a code replayed months later still revokes its tokens', async () => {
      const { flow, code, tokens } = await connect(app())
      let current = tokens
      for (let month = 0; month < 4; month++) {
        app().clock.advance(25 * DAY)
        await cleanUp(app())
        current = await exchange(app(), refreshExchange(flow, current.refresh_token))
      }
      assert.equal(await statusWith(app(), current.access_token), 200)
      assert.equal(await errorOf(app(), codeExchange(flow, code)), 'invalid_grant')
      assert.equal(await statusWith(app(), current.access_token), 401)
    })

    test('an authorization request expires after ten minutes', async () => {
      const person = await app().person()
      const browser = new Browser(app(), await person.session())
      const flow = createFlow(app(), await registerClient(app()))
      const form = await openConsent(browser, flow, 'profile.read')
      app().clock.advance(10 * MINUTE - SECOND)
      assert.equal((await browser.post(form.action, filled(form, { decision: 'approve' }))).status, 303)
      const late = await openConsent(browser, flow, 'profile.read')
      app().clock.advance(10 * MINUTE)
      assert.equal((await browser.post(late.action, filled(late, { decision: 'approve' }))).status, 400)
      const id = late.fields.find(([name]) => name === 'id')![1]
      assert.equal((await browser.get(`/oauth/consent?id=${id}`)).status, 400)
    })

    test('an unapproved registration expires after 24 hours; an approved one is kept', async () => {
      const browser = new Browser(app(), await (await app().person()).session())
      const unused = createFlow(app(), await registerClient(app()))
      const used = createFlow(app(), await registerClient(app()))
      await approve(browser, used, 'profile.read')
      app().clock.advance(DAY - SECOND)
      await cleanUp(app())
      const status = async (flow: typeof used) => (await browser.get(authorizePath(requestOf(flow)))).status
      assert.equal(await status(unused), 303)
      app().clock.advance(SECOND)
      assert.equal(await status(unused), 400, 'also before the cleanup')
      await cleanUp(app())
      assert.equal(await status(used), 303)
    })

    test('cleanup deletes everything that can never be used again', async () => {
      const { person, tokens } = await connect(app())
      await app().request('GET', '/app/api/session', { cookie: await person.session() })
      app().clock.advance(40 * DAY)
      await cleanUp(app())
      for (const table of [
        'oauth_request',
        'oauth_code',
        'oauth_access_token',
        'oauth_refresh_token',
        'oauth_grant',
        'session',
      ]) {
        assert.equal(await count(app(), table), 0, table)
      }
      assert.equal(await statusWith(app(), tokens.access_token), 401)
      assert.ok((await count(app(), 'audit_event')) > 0)
      app().clock.advance(400 * DAY)
      await cleanUp(app())
      assert.equal(await count(app(), 'audit_event'), 0)
    })

    test('unused registrations are limited: the oldest are deleted, approved ones never', async () => {
      const browser = new Browser(app(), await (await app().person()).session())
      const used = createFlow(app(), await registerClient(app()))
      await approve(browser, used, 'profile.read')
      const now = new Date(app().clock.now())
      await app().store.transaction(async (tx) => {
        for (let i = 0; i < UNUSED_CLIENTS_AT_MOST + 50; i++) {
          const expires = new Date(now.getTime() + DAY - 10 * MINUTE + i).toISOString()
          await tx.query(
            `insert into oauth_client (id, source, name, redirect_uris, auth_method, created_at, expires_at)
             values ('flood${i}', 'registration', 'Flood', '[]', 'none', '${now.toISOString()}', '${expires}')`,
            [],
          )
        }
      })
      const fresh = createFlow(app(), await registerClient(app()))
      const rows = await app().store.read.query(
        'select count(*) as n from oauth_client where expires_at is not null',
        [],
      )
      assert.equal(Number(rows[0]!['n']), UNUSED_CLIENTS_AT_MOST)
      for (const flow of [used, fresh]) {
        assert.equal((await browser.get(authorizePath(requestOf(flow)))).status, 303)
      }
    })
  },
  fromManyAddresses,
)

onSqlite(
  'OAuth limits',
  (app) => {
    const limits = [
      ['POST', '/oauth/token', 30],
      ['POST', '/oauth/revoke', 30],
      ['POST', '/oauth/register', 10],
      ['GET', '/oauth/authorize', 60],
    ] as const
    for (const [method, path, limit] of limits) {
      test(`${path} allows ${limit} requests a minute from one address`, async () => {
        const from = (address: string) =>
          app().request(method, path, { headers: { 'x-forwarded-for': `1.2.3.4, ${address}` } })
        for (let i = 0; i < limit; i++) assert.notEqual((await from('192.0.2.1')).status, 429)
        app().clock.advance(20 * SECOND)
        const over = await from('192.0.2.1')
        assert.equal(over.status, 429)
        assert.equal(over.json.error, 'temporarily_unavailable')
        assert.equal(over.headers['retry-after'], '40')
        assert.notEqual((await from('192.0.2.2')).status, 429)
        app().clock.advance(40 * SECOND)
        assert.notEqual((await from('192.0.2.1')).status, 429)
        for (let i = 0; i < limit; i++) await from(`2001:db8:0:1::${i}`)
        assert.equal((await from('2001:db8:0:1:ffff::1')).status, 429, 'IPv6 counts by /64')
        assert.notEqual((await from('2001:db8:0:2::1')).status, 429)
      })
    }

    test('CORS is open for the endpoints of programs, and closed where cookies are read', async () => {
      const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' }
      for (const path of ['/oauth/token', '/oauth/register', '/oauth/revoke']) {
        const preflight = await app().request('OPTIONS', path, { headers })
        assert.equal(preflight.status, 204, path)
        assert.equal(preflight.headers['access-control-allow-origin'], '*')
        assert.equal(preflight.headers['access-control-allow-credentials'], undefined)
      }
      for (const path of ['/oauth/authorize', '/oauth/consent', '/sign-in', '/setup']) {
        const reply = await app().request('GET', path, { headers })
        assert.equal(reply.headers['access-control-allow-origin'], undefined, path)
      }
    })
  },
  { addressHeader: 'x-forwarded-for', xffDepth: 1 },
)
