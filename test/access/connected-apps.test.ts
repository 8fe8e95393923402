import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onBothEngines } from '../harness.ts'
import {
  approve,
  Browser,
  codeExchange,
  codeOf,
  createFlow,
  exchange,
  postForm,
  REDIRECT_URI,
  refreshExchange,
  statusWith,
} from '../oauth/browser.ts'

onBothEngines('connected applications', (app) => {
  test('list-connected-apps and delete-connected-app: an app is listed with its scopes, and its access ends on deletion', async () => {
    const person = await app().person()
    const browser = new Browser(app(), await person.session())
    const client = await app().request('POST', '/oauth/register', {
      body: { client_name: 'Phone', redirect_uris: [REDIRECT_URI] },
    })
    const flow = createFlow(app(), client.json)
    const back = await approve(browser, flow, 'profile.read')
    const code = codeOf(back)
    const lastUsed = async () => {
      const reply = await app().request('GET', '/app/api/connected-apps', { cookie: await person.session() })
      return Date.parse(reply.json.data[0].lastUsedAt)
    }
    app().clock.advance(10_000)
    const first = await exchange(app(), codeExchange(flow, code))
    assert.equal(await lastUsed(), app().clock.now(), 'the code was exchanged')
    app().clock.advance(1000)
    const tokens = await exchange(app(), refreshExchange(flow, first.refresh_token))
    assert.equal(await lastUsed(), app().clock.now(), 'the token was refreshed')
    app().clock.advance(120_000)
    assert.equal(await statusWith(app(), tokens.access_token), 200)

    const cookie = await person.session()
    const listed = await app().request('GET', '/app/api/connected-apps', { cookie })
    const [found, ...others] = listed.json.data
    assert.equal(others.length, 0)
    assert.equal(found.clientName, 'Phone')
    assert.equal(found.redirectHost, 'client.example')
    assert.equal(found.resource, flow.resource)
    assert.deepEqual(found.scopes, ['profile.read'])

    const stranger = await (await app().person()).session()
    const path = `/app/api/connected-apps/${found.id}`
    assert.equal((await app().request('DELETE', path, { cookie: stranger })).status, 404)
    assert.equal(await statusWith(app(), tokens.access_token), 200)
    assert.equal((await app().request('DELETE', path, { cookie })).status, 204)
    assert.equal(await statusWith(app(), tokens.access_token), 401)
    const refused = await postForm(app(), '/oauth/token', refreshExchange(flow, tokens.refresh_token))
    assert.equal(refused.json.error, 'invalid_grant')
    const trail = await app().request('GET', '/app/api/audit/mine', { cookie })
    assert.deepEqual(
      trail.json.data.map((event: { kind: string }) => event.kind),
      ['app.revoked', 'app.approved'],
    )
  })
})
