// The endpoint: authentication, responses in both protocol eras, and robustness against any input.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultMcpScopes } from '../../server/domain/access/access.ts'
import { onSqlite } from '../harness.ts'
import { accept, legacy, MODERN, modern } from './clients.ts'

const initialize = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})

onSqlite('mcp endpoint', (app) => {
  test('the server card is public and lists the scopes of the requested tools', async () => {
    const card = await app().request('GET', '/api/mcp')
    assert.equal(card.status, 200)
    assert.equal(card.headers.vary, 'Accept')
    assert.equal(card.headers['cache-control'], 'public, max-age=60')
    assert.equal(card.json.name, 'Contrail')
    const { origin } = app().config
    assert.deepEqual(card.json.transport, {
      type: 'streamable-http',
      endpoint: `${origin}/api/mcp`,
      stateless: true,
    })
    assert.equal(
      card.json.authentication.protectedResourceMetadata,
      `${origin}/.well-known/oauth-protected-resource/api/mcp`,
    )
  })

  test('a request without a credential gets 401 with the default scopes and the metadata address', async () => {
    const metadata = `resource_metadata="${app().config.origin}/.well-known/oauth-protected-resource/api/mcp"`
    const challenge = `Bearer realm="contrail", scope="${defaultMcpScopes.join(' ')}", ${metadata}`
    const ada = await app().person()
    const stream = { accept: 'text/event-stream' }
    for (const refused of [
      await modern(app(), undefined, 'tools/list'),
      await legacy(app(), undefined, 'initialize', initialize('2025-11-25')),
      await app().request('GET', '/api/mcp', { headers: stream }),
      await app().request('DELETE', '/api/mcp'),
      await app().request('POST', '/api/mcp', { raw: 'not even JSON' }),
      await app().request('POST', '/api/mcp', { cookie: await ada.session(), body: {} }),
    ]) {
      assert.equal(refused.status, 401)
      assert.equal(refused.json.error.code, 'unauthorized')
      assert.equal(refused.headers['www-authenticate'], challenge)
    }
    const wrong = await modern(app(), 'ctk_nobody', 'tools/list')
    assert.equal(wrong.status, 401)
    assert.match(wrong.headers['www-authenticate']!, /error="invalid_token"/)
  })

  test('streams and sessions are refused', async () => {
    const key = await (await app().person()).key()
    for (const reply of [
      await app().request('GET', '/api/mcp', { key, headers: { accept: 'text/event-stream' } }),
      await app().request('DELETE', '/api/mcp', { key }),
      await app().request('PUT', '/api/mcp', { key }),
    ]) {
      assert.equal(reply.status, 405)
      assert.equal(reply.headers.allow, 'POST, OPTIONS')
      assert.equal(reply.headers['cache-control'], 'private, no-store')
    }
    const begun = await legacy(app(), key, 'initialize', initialize('2025-06-18'))
    assert.equal(begun.headers['mcp-session-id'], undefined)
    const preflight = await app().request('OPTIONS', '/api/mcp', { headers: { origin: 'https://a.example' } })
    assert.equal(preflight.status, 204)
    assert.match(String(preflight.headers['access-control-allow-headers']), /Mcp-Method/)
  })

  test('a foreign Host or a malformed Origin is refused before other checks', async () => {
    const key = await (await app().person()).key()
    const send = (headers: Record<string, string>) => modern(app(), key, 'tools/list', {}, headers)
    for (const host of [
      'evil.example',
      'evil.example:3000',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
    ]) {
      assert.equal((await send({ host })).status, 403, host)
    }
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:8080']) {
      assert.equal((await send({ host })).status, 200, host)
    }
    for (const origin of ['evil', 'https://a.example/path', 'https://u@a.example', 'https://', '']) {
      assert.equal((await send({ origin })).status, 403, origin)
    }
    for (const origin of ['https://claude.ai', 'null', 'vscode-webview://abc']) {
      assert.equal((await send({ origin })).status, 200, origin)
    }
  })

  test('revisions with a handshake are negotiated, and no state is stored', async () => {
    const key = await (await app().person()).key()
    for (const version of ['2025-11-25', '2025-06-18', '2025-03-26']) {
      const { json, status } = await legacy(app(), key, 'initialize', initialize(version))
      assert.equal(status, 200)
      assert.equal(json.result.protocolVersion, version)
      assert.deepEqual(Object.keys(json.result.capabilities).sort(), ['prompts', 'resources', 'tools'])
      const list = await legacy(app(), key, 'tools/list', {}, { 'mcp-protocol-version': version })
      assert.ok(list.json.result.tools.length > 5)
      assert.equal(list.json.result.ttlMs, undefined)
    }
    const future = await legacy(app(), key, 'initialize', initialize('2031-01-01'))
    assert.equal(future.json.result.protocolVersion, '2025-11-25')
    assert.equal((await legacy(app(), key, 'tools/list')).status, 200, 'no header means 2025-03-26')
    assert.equal(
      (await legacy(app(), key, 'tools/list', {}, { 'mcp-protocol-version': '1999-01-01' })).status,
      400,
    )
    assert.deepEqual((await legacy(app(), key, 'ping')).json.result, {})
    assert.equal((await legacy(app(), key, 'no/such')).json.error.code, -32601)
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const noted = await app().request('POST', '/api/mcp', { key, headers: { accept }, body: note })
    assert.deepEqual([noted.status, noted.text], [202, ''])
  })

  test('the 2026 revision has discovery, cache fields and errors with their statuses', async () => {
    const key = await (await app().person()).key()
    const { json } = await modern(app(), key, 'server/discover')
    assert.deepEqual(json.result.supportedVersions, [MODERN])
    assert.equal(json.result.resultType, 'complete')
    assert.equal(json.result._meta['io.modelcontextprotocol/serverInfo'].name, 'contrail')
    assert.match(json.result.instructions, /Today is 2026-06-15/)
    const list = (await modern(app(), key, 'tools/list')).json.result
    assert.deepEqual([list.cacheScope, list.ttlMs > 0], ['private', true])

    const expectations: [string, Record<string, unknown>, Record<string, string>, number, number][] = [
      ['no/such', {}, {}, 404, -32601],
      ['initialize', initialize(MODERN), {}, 404, -32601],
      ['subscriptions/listen', {}, {}, 404, -32601],
      ['tools/list', {}, { 'mcp-method': 'tools/call' }, 400, -32020],
      ['tools/call', { name: 'get_me' }, { 'mcp-name': 'delete_flight' }, 400, -32020],
      ['tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
    ]
    for (const [method, params, headers, status, code] of expectations) {
      const refused = await modern(app(), key, method, params, headers)
      assert.deepEqual([refused.status, refused.json.error.code], [status, code], `${method} ${refused.text}`)
    }
    const encoded = `=?base64?${Buffer.from('get_me').toString('base64')}?=`
    const called = await modern(app(), key, 'tools/call', { name: 'get_me' }, { 'mcp-name': encoded })
    assert.equal(called.json.result.isError, undefined)
    const bare = await legacy(app(), key, 'tools/list', {}, { 'mcp-protocol-version': MODERN })
    assert.deepEqual([bare.status, bare.json.error.code], [400, -32602])
    const later = await app().request('POST', '/api/mcp', {
      key,
      headers: { accept, 'mcp-protocol-version': '2031-01-01', 'mcp-method': 'tools/list' },
      body: {
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/list',
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2031-01-01',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
    })
    assert.deepEqual([later.status, later.json.error.code, later.json.id], [400, -32022, 7])
    assert.deepEqual(later.json.error.data, { supported: [MODERN], requested: '2031-01-01' })
  })

  test('malformed requests are refused with a reason and never with 500', async () => {
    const key = await (await app().person()).key()
    const post = (raw: string | Buffer, headers: Record<string, string> = {}) =>
      app().request('POST', '/api/mcp', { key, raw, headers: { accept, ...headers } })
    for (const raw of ['', '{', 'null', '1', '"x"', '[]', '[1]', '{}', '[{}]', Buffer.from([0xff, 0xfe])]) {
      const reply = await post(raw)
      assert.equal(reply.status, 400, `${raw}: ${reply.text}`)
      assert.equal(reply.json.jsonrpc, '2.0')
    }
    const call = (args: unknown, more: object = {}) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_me', arguments: args },
        ...more,
      })
    for (const raw of [
      call([]),
      call('x'),
      call(null),
      call({}, { id: null }),
      call({}, { id: {} }),
      call({}, { jsonrpc: '1.0' }),
      call({}, { params: 'x' }),
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_flight","arguments":{"id":${'['.repeat(50_000)}"\\u0000"${']'.repeat(50_000)}}}}`,
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
      '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"contrail://flights/../profile"}}',
      '{"jsonrpc":"2.0","id":1,"method":"constructor","params":{}}',
    ]) {
      const reply = await post(raw)
      assert.ok(reply.status < 500, `${raw.slice(0, 80)}: ${reply.text.slice(0, 200)}`)
      assert.ok(
        reply.json.error || reply.json.result.isError,
        `${raw.slice(0, 80)}: ${reply.text.slice(0, 200)}`,
      )
    }
    const tricky =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_me","arguments":{"__proto__":{"x":1}}}}'
    assert.equal((await post(tricky)).status, 200)
    assert.equal((await post(call({}), { 'content-type': 'text/plain' })).status, 415)
    assert.equal((await post(call({}), { accept: 'text/html' })).status, 406)
    assert.equal((await post(call({}), { accept: '*/*' })).status, 200)
    const big = await post(Buffer.alloc(app().config.bodySizeLimit + 1, 32))
    assert.equal(big.status, 413)
    assert.deepEqual(
      app().logged.filter((line) => line.includes('"error"')),
      [],
    )
  })

  test('every call of a batch gets a response, cancelled calls end, and long batches are refused', async () => {
    const key = await (await app().person()).key()
    const post = (body: unknown) => app().request('POST', '/api/mcp', { key, headers: { accept }, body })
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    const reply = await post([ping(1), ping(2), cancel])
    assert.deepEqual(
      reply.json.map(({ id }: { id: number }) => id),
      [1, 2],
    )
    assert.equal((await post([cancel])).status, 202)
    assert.equal((await post(Array.from({ length: 11 }, (_, id) => ping(id)))).status, 400)
    const two = { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize('2025-03-26') }
    assert.equal((await post([two, ping(3)])).status, 400)
  })
})
