// From the URL to a tool result: the SDK's clients run the OAuth flow unaided, and the user only approves. Also the step-up
// when a call needs more than was approved.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { UnauthorizedError as OldUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { defaultMcpScopes } from '../../server/domain/access/access.ts'
import { onSqlite, type TestApp } from '../harness.ts'
import { Browser, connect, filled, formIn } from '../oauth/browser.ts'
import { legacy, MODERN, modern, wrap } from './clients.ts'

const REDIRECT = 'http://127.0.0.1:7777/callback'
const me = { name: 'contrail-test', version: '1.0.0' }

/** The state that a program keeps between the steps, and a user who approves all requested scopes. */
function createProvider(app: TestApp, browser: Browser) {
  const kept: Record<string, unknown> = {}
  let callback: URL | undefined
  const provider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: 'An assistant', redirect_uris: [REDIRECT] },
    state: () => 'the-state',
    clientInformation: () => kept['client'],
    saveClientInformation: (information: unknown) => {
      kept['client'] = information
    },
    tokens: () => kept['tokens'],
    saveTokens: (tokens: unknown) => {
      kept['tokens'] = tokens
    },
    saveCodeVerifier: (verifier: string) => {
      kept['verifier'] = verifier
    },
    codeVerifier: () => kept['verifier'],
    saveDiscoveryState: (state: unknown) => {
      kept['discovery'] = state
    },
    discoveryState: () => kept['discovery'],
    async redirectToAuthorization(url: URL) {
      assert.equal(url.origin, app.config.origin)
      const form = formIn(await browser.follow(url.pathname + url.search))
      const decided = await browser.post(form.action, filled(form, { decision: 'approve' }))
      callback = new URL(decided.headers.location!)
    },
  }
  return {
    provider: provider as unknown as OAuthClientProvider,
    scopes: () => ((kept['tokens'] as { scope: string }).scope ?? '').split(' '),
    takeCallback: () => {
      assert.ok(callback, 'the user was not sent to the consent page')
      assert.equal(callback.searchParams.get('state'), 'the-state')
      return callback.searchParams
    },
  }
}

onSqlite(
  'OAuth for MCP',
  (app) => {
    for (const mode of [{ pin: MODERN }, 'auto', 'legacy'] as const) {
      test(`the 2.x client (${JSON.stringify(mode)}) connects from the bare URL and steps up`, async () => {
        app().clock.advance(60_000)
        const ada = await app().person()
        const way = createProvider(app(), new Browser(app(), await ada.session()))
        const transport = () =>
          new StreamableHTTPClientTransport(new URL(`${app().url}/api/mcp`), { authProvider: way.provider })
        const first = transport()
        const stranger = new Client(me, { versionNegotiation: { mode } })
        await assert.rejects(stranger.connect(first), UnauthorizedError)
        await first.finishAuth(way.takeCallback())
        assert.deepEqual(way.scopes().sort(), [...defaultMcpScopes].sort())

        const connected = transport()
        const client = new Client(me, { versionNegotiation: { mode } })
        await client.connect(connected)
        const { listTools, callTool, close } = wrap('2.x', client)
        const names = (await listTools()).tools.map(({ name }) => name)
        assert.ok(names.includes('find_flights') && !names.includes('log_flight'))
        const profile = await callTool('get_me')
        assert.equal(profile.structuredContent.data.id, ada.id)
        assert.equal(profile.structuredContent.data.credential.kind, 'oauth')

        // Not listed but called: the client must request more scopes, then the call works.
        const flight = { date: '2026-02-20', from: 'CPH', to: 'JFK' }
        await assert.rejects(callTool('log_flight', flight), UnauthorizedError)
        await connected.finishAuth(way.takeCallback())
        const logged = await callTool('log_flight', flight)
        assert.equal(logged.isError ?? false, false, JSON.stringify(logged))
        assert.ok(way.scopes().includes('flight.create.own') && way.scopes().includes('stats.read'))
        await close()
      })
    }

    test('the 1.x client connects from the bare URL', async () => {
      app().clock.advance(60_000)
      const ada = await app().person()
      const way = createProvider(app(), new Browser(app(), await ada.session()))
      type OldOptions = NonNullable<ConstructorParameters<typeof OldTransport>[1]>
      const transport = () =>
        new OldTransport(new URL(`${app().url}/api/mcp`), {
          authProvider: way.provider as unknown as NonNullable<OldOptions['authProvider']>,
        })
      type Connectable = Parameters<OldClient['connect']>[0]
      const first = transport()
      await assert.rejects(new OldClient(me).connect(first as Connectable), OldUnauthorizedError)
      await first.finishAuth(way.takeCallback().get('code')!)
      const old = new OldClient(me)
      await old.connect(transport() as Connectable)
      const client = wrap('1.x', old)
      assert.ok((await client.listTools()).tools.some(({ name }) => name === 'find_flights'))
      const profile = await client.callTool('get_me')
      assert.equal(profile.structuredContent.data.id, ada.id)
      await client.close()
    })

    test('a missing scope gets 403 with everything to request, unless the role could never grant it', async () => {
      app().clock.advance(60_000)
      const resource = `${app().config.origin}/api/mcp`
      const { tokens } = await connect(app(), 'profile.read flight.read.own', { resource })
      const key = tokens.access_token
      const metadata = `resource_metadata="${app().config.origin}/.well-known/oauth-protected-resource/api/mcp"`
      const challengeOf = (header: string | undefined) => {
        assert.match(header!, /^Bearer .*error="insufficient_scope"/)
        assert.ok(header!.includes(metadata))
        return / scope="([^"]*)"/.exec(header!)![1]!.split(' ')
      }

      const call = { name: 'log_flight', arguments: { date: '2026-01-01', from: 'CPH', to: 'OSL' } }
      const refused = await modern(app(), key, 'tools/call', call)
      assert.equal(refused.status, 403)
      assert.equal(refused.json.jsonrpc, '2.0')
      assert.equal(refused.json.id, 1)
      assert.ok(refused.json.error.message.includes('flight.create.own'))
      assert.deepEqual(challengeOf(refused.headers['www-authenticate']), [
        'flight.read.own',
        'flight.create.own',
        'reference_data.read',
      ])
      // Clients of the handshake era request only the named scopes, so the challenge also names those they have.
      const older = await legacy(app(), key, 'tools/call', call)
      assert.equal(older.status, 403)
      assert.deepEqual(challengeOf(older.headers['www-authenticate']).sort(), [
        'flight.create.own',
        'flight.read.own',
        'profile.read',
        'reference_data.read',
      ])

      // A scope that only this input needs, which the role cannot grant: nothing to step up to.
      const all = await modern(app(), key, 'tools/call', {
        name: 'list_flights',
        arguments: { scope: 'all' },
      })
      assert.equal(all.status, 200)
      assert.equal(all.json.result.isError, true)

      const { tokens: few } = await connect(app(), 'profile.read', { resource })
      const uri = 'contrail://flights/recent'
      const read = await modern(app(), few.access_token, 'resources/read', { uri })
      assert.equal(read.status, 403)
      assert.deepEqual(challengeOf(read.headers['www-authenticate']), ['flight.read.own'])

      const batch = await app().request('POST', '/api/mcp', {
        key,
        body: [{ jsonrpc: '2.0', id: 5, method: 'tools/call', params: call }],
      })
      assert.equal(batch.status, 200)
      assert.match(
        batch.json[0]?.result.content[0].text ?? batch.json.result.content[0].text,
        /flight\.create\.own/,
      )
    })

    test('a token for another resource is refused', async () => {
      app().clock.advance(60_000)
      const { tokens } = await connect(app())
      const refused = await modern(app(), tokens.access_token, 'tools/list')
      assert.equal(refused.status, 401)
      assert.match(refused.headers['www-authenticate']!, /error="invalid_token"/)
    })
  },
  {},
  { atOrigin: true },
)
