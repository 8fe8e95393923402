// Discovery metadata and client registration.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECOND } from '../../server/domain/time/durations.ts'
import { onSqlite } from '../harness.ts'
import { REDIRECT_URI } from './browser.ts'

onSqlite('OAuth registration and metadata', (app) => {
  const register = (body: unknown) => {
    app().clock.advance(10 * SECOND)
    return app().request('POST', '/oauth/register', { body })
  }
  const good = { client_name: ' Café <b>✈</b> ', redirect_uris: [REDIRECT_URI, REDIRECT_URI] }

  test('a registration is returned in full, with a secret only for confidential clients', async () => {
    const reply = await register({
      ...good,
      application_type: 'native',
      client_uri: 'https://client.example',
      scope: 'profile.read nonsense',
      grant_types: ['authorization_code'],
      unknown: 1,
    })
    assert.equal(reply.status, 201)
    assert.equal(reply.headers['cache-control'], 'no-store')
    const { client_id, ...rest } = reply.json
    assert.match(client_id, /^client_[A-Za-z0-9_-]{24}$/)
    assert.deepEqual(rest, {
      client_id_issued_at: Math.floor(app().clock.now() / 1000),
      client_name: 'Café <b>✈</b>',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      client_uri: 'https://client.example',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'profile.read',
    })
    const secret = await register({ ...good, token_endpoint_auth_method: 'client_secret_post' })
    assert.match(secret.json.client_secret, /^ctx_/)
    assert.equal(secret.json.client_secret_expires_at, 0)
  })

  test('every fault is reported with an RFC 7591 error', async () => {
    for (const [change, error] of [
      [{ client_name: null }, 'invalid_client_metadata'],
      [{ client_name: ' ' }, 'invalid_client_metadata'],
      [{ client_name: 'x'.repeat(101) }, 'invalid_client_metadata'],
      [{ client_name: 'Bank\u202e!live' }, 'invalid_client_metadata'],
      [{ client_name: 'a\u0000b' }, 'invalid_client_metadata'],
      [{ redirect_uris: undefined }, 'invalid_redirect_uri'],
      [{ redirect_uris: [] }, 'invalid_redirect_uri'],
      [{ redirect_uris: 'https://a.example' }, 'invalid_redirect_uri'],
      [
        { redirect_uris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) },
        'invalid_redirect_uri',
      ],
      [{ token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
      [{ grant_types: ['implicit'] }, 'invalid_client_metadata'],
      [{ response_types: ['token'] }, 'invalid_client_metadata'],
      [{ logo_uri: 'javascript:alert(1)' }, 'invalid_client_metadata'],
      [{ logo_uri: 'https://' }, 'invalid_client_metadata'],
    ] as const) {
      const reply = await register({ ...good, ...change })
      assert.deepEqual([reply.status, reply.json.error], [400, error], JSON.stringify(change))
    }
    for (const uri of [
      'http://client.example/cb',
      'http://localhost.evil.example/cb',
      'http://127.0.0.1@evil.example/',
      'https://user:pass@client.example/cb',
      'https://client.example/cb#x',
      'https://*.client.example/cb',
      'https://client.example/\ncb',
      'https://client.example\\cb',
      'com.example.app:/cb',
      'javascript:alert(1)',
      'https:client.example',
      '/cb',
      '',
    ]) {
      const reply = await register({ ...good, redirect_uris: [uri] })
      assert.deepEqual([reply.status, reply.json.error], [400, 'invalid_redirect_uri'], uri)
    }
    for (const raw of ['', '{', 'null', '[]', '"x"']) {
      app().clock.advance(10 * SECOND)
      const reply = await app().request('POST', '/oauth/register', { raw })
      assert.deepEqual([reply.status, reply.json.error], [400, 'invalid_client_metadata'], raw)
    }
    const huge = await register({ ...good, software_id: 'x'.repeat(40_000) })
    assert.equal(huge.status, 413)
    assert.equal(huge.json.error, 'invalid_request')
  })

  test('metadata is correct and uses the configured origin, not Host', async () => {
    const { origin } = app().config
    const headers = { host: 'evil.example' }
    const reply = await app().request('GET', '/.well-known/oauth-authorization-server', { headers })
    assert.equal(reply.headers['cache-control'], 'public, max-age=300')
    assert.equal(reply.headers['access-control-allow-origin'], '*')
    assert.ok(!reply.text.includes('evil.example'))
    const server = reply.json
    assert.equal(server.issuer, origin)
    assert.deepEqual(server.code_challenge_methods_supported, ['S256'])
    assert.deepEqual(server.protected_resources, [`${origin}/api/v1`, `${origin}/api/mcp`])
    assert.equal(server.scopes_supported.length, 30)
    assert.equal(server.authorization_response_iss_parameter_supported, true)
    assert.equal(server.client_id_metadata_document_supported, true)
    for (const [path, resource, scopes] of [
      ['', '/api/v1', 30],
      ['/api/v1', '/api/v1', 30],
      ['/api/mcp', '/api/mcp', 8],
    ] as const) {
      const found = await app().request('GET', `/.well-known/oauth-protected-resource${path}`)
      assert.equal(found.json.resource, origin + resource)
      assert.deepEqual(found.json.authorization_servers, [origin])
      assert.equal(found.json.scopes_supported.length, scopes)
    }
    assert.equal((await app().request('GET', '/.well-known/oauth-protected-resource/api/x')).status, 404)
    const wrong = await app().request('GET', '/oauth/token')
    assert.deepEqual([wrong.status, wrong.headers.allow], [405, 'POST'])
  })
})
