// Client ID metadata documents: unauthenticated clients make the server fetch a URL, so most tests are about refusals.
import assert from 'node:assert/strict'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { isPublicAddress } from '../../server/base/network/addresses.ts'
import { DocumentError, internet, type Outside } from '../../server/http/oauth/client-documents.ts'
import { keepsConnections } from '../external-host.ts'
import { onSqlite } from '../harness.ts'
import {
  approve,
  authorizePath,
  Browser,
  codeExchange,
  codeOf,
  createFlow,
  exchange,
  formIn,
  fromManyAddresses,
  postForm,
  requestOf,
  statusWith,
} from './browser.ts'
import { certificate, key } from './localhost-tls.ts'

const PUBLIC = '93.184.215.14'
const CLIENT_ID = 'https://app.example/oauth/client.json'
const REDIRECT = 'https://app.example/callback'
const document = (changes: Record<string, unknown> = {}) =>
  JSON.stringify({ client_id: CLIENT_ID, client_name: 'Example app', redirect_uris: [REDIRECT], ...changes })

/** A fake outside network, and the requests sent to it. */
const world = {
  addresses: [PUBLIC] as string[] | (() => string[]),
  answer: { status: 200, body: document(), cacheControl: undefined as string | undefined },
  fetched: [] as string[],
}
const outside: Outside = {
  async resolve() {
    return typeof world.addresses === 'function' ? world.addresses() : world.addresses
  },
  async fetch(url, address) {
    world.fetched.push(`${url.href} at ${address}`)
    return world.answer
  },
}
const reset = () => {
  world.addresses = [PUBLIC]
  world.answer = { status: 200, body: document(), cacheControl: undefined }
  world.fetched = []
}

onSqlite(
  'client-ID metadata documents',
  (app) => {
    const client = { client_id: CLIENT_ID, redirect_uris: [REDIRECT] }
    const ask = async (changes: Record<string, string> = {}) => {
      const flow = createFlow(app(), client)
      return new Browser(app()).get(authorizePath({ ...requestOf(flow), ...changes }))
    }
    const forget = () => app().clock.advance(86_400_000)

    test('a client with a metadata document completes the whole flow', async () => {
      reset()
      const browser = new Browser(app(), await (await app().person()).session())
      const flow = createFlow(app(), client)
      const page = await browser.follow(authorizePath(requestOf(flow, 'profile.read')))
      assert.match(page.text, /identified by<\/dt><dd>app\.example/)
      formIn(page)
      const tokens = await exchange(
        app(),
        codeExchange(flow, codeOf(await approve(browser, flow, 'profile.read'))),
      )
      assert.equal(await statusWith(app(), tokens.access_token), 200)
      assert.deepEqual(world.fetched, [`${CLIENT_ID} at ${PUBLIC}`], 'fetched once, at the checked address')
    })

    test('an expired document is fetched again, within limits', async () => {
      reset()
      forget()
      world.answer.cacheControl = 'max-age=1'
      await ask()
      app().clock.advance(29_000)
      await ask()
      assert.equal(world.fetched.length, 1, 'at least 30 seconds')
      app().clock.advance(2_000)
      world.answer.body = document({ redirect_uris: ['https://app.example/other'] })
      assert.equal((await ask()).status, 400, 'the old address is not registered')
      assert.equal(world.fetched.length, 2)
    })

    test('special-use addresses are refused before a request, also next to public ones', async () => {
      for (const address of [
        '127.0.0.1',
        '10.1.2.3',
        '172.16.0.1',
        '192.168.1.1',
        '169.254.169.254',
        '100.64.0.1',
        '0.0.0.0',
        '::1',
        '::ffff:127.0.0.1',
        'fe80::1',
        'fd00::1',
        '64:ff9b::7f00:1',
        '2002:7f00:1::1',
      ]) {
        reset()
        forget()
        world.addresses = [PUBLIC, address]
        const reply = await ask()
        assert.deepEqual([reply.status, reply.headers.location], [400, undefined], address)
        assert.deepEqual(world.fetched, [], address)
      }
      for (const id of [
        'https://127.0.0.1/c',
        'https://[::1]/c',
        'https://0x7f.1/c',
        'https://2130706433/c',
      ]) {
        reset()
        assert.equal((await ask({ client_id: id })).status, 400, id)
        assert.deepEqual(world.fetched, [], id)
      }
    })

    test('a connection uses the address of the first lookup when a later one differs', async () => {
      reset()
      forget()
      let looks = 0
      world.addresses = () => (looks++ === 0 ? [PUBLIC] : ['127.0.0.1'])
      assert.equal((await ask()).status, 303)
      assert.deepEqual(world.fetched, [`${CLIENT_ID} at ${PUBLIC}`])
      assert.equal(looks, 1)
    })

    test('faulty documents and addresses show a page, are not cached and never redirect', async () => {
      for (const [body, status] of [
        [document(), 302],
        [document(), 404],
        ['not json', 200],
        ['null', 200],
        [document({ client_id: 'https://app.example/other' }), 200],
        [document({ client_name: undefined }), 200],
        [document({ redirect_uris: [] }), 200],
        [document({ redirect_uris: ['http://app.example/callback'] }), 200],
        [document({ token_endpoint_auth_method: 'client_secret_post' }), 200],
        [document({ client_secret: 'x' }), 200],
      ] as const) {
        reset()
        forget()
        world.answer = { status, body, cacheControl: 'max-age=3600' }
        for (const attempt of [1, 2]) {
          const reply = await ask()
          assert.deepEqual([reply.status, reply.headers.location], [400, undefined], `${status} ${body}`)
          assert.equal(world.fetched.length, attempt)
        }
      }
      reset()
      for (const id of [
        'https://app.example',
        'https://app.example/',
        'https://app.example/a/../c',
        'https://user@app.example/c',
        'https://app.example/c#x',
        'https://APP.example/c',
        'https://app.example:443/c',
      ]) {
        assert.equal((await ask({ client_id: id })).status, 400, id)
      }
      assert.deepEqual(world.fetched, [])
    })

    test('the token endpoint never fetches a document', async () => {
      reset()
      const fields = { grant_type: 'refresh_token', client_id: 'https://new.example/c', refresh_token: 'x' }
      const reply = await postForm(app(), '/oauth/token', fields)
      assert.deepEqual([reply.status, reply.json.error], [401, 'invalid_client'])
      assert.deepEqual(world.fetched, [])
    })
  },
  fromManyAddresses,
  { outside },
)

onSqlite(
  'client-ID metadata documents switched off',
  (app) => {
    test('no document is fetched, and the server metadata says so', async () => {
      reset()
      const flow = createFlow(app(), { client_id: CLIENT_ID, redirect_uris: [REDIRECT] })
      assert.equal((await new Browser(app()).get(authorizePath(requestOf(flow)))).status, 400)
      assert.deepEqual(world.fetched, [])
      const metadata = await app().request('GET', '/.well-known/oauth-authorization-server')
      assert.equal(metadata.json.client_id_metadata_document_supported, false)
    })
  },
  { clientIdDocuments: false },
  { outside },
)

describe('fetching a document over TLS', () => {
  let server: https.Server
  let port: number
  before(async () => {
    server = https.createServer({ key, cert: certificate, ...keepsConnections }, (request, response) => {
      if (request.url === '/redirect') return void response.writeHead(302, { location: '/ok' }).end('{}')
      if (request.url === '/huge') return void response.end('x'.repeat(1_000_000))
      if (request.url === '/slow') return void response.write('{')
      if (request.url === '/silent') return
      response.writeHead(200, { 'cache-control': 'max-age=60' }).end(`{"host":"${request.headers.host}"}`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const fetch = (path: string, options = {}, host = 'client.example') =>
    internet({ ca: certificate, timeoutMs: 30_000, ...options }).fetch(
      new URL(`https://${host}:${port}${path}`),
      '127.0.0.1',
    )

  test('a fetch connects to the given address under the given name', async () => {
    const found = await fetch('/ok')
    assert.equal(found.status, 200)
    assert.equal(found.cacheControl, 'max-age=60')
    assert.equal(found.body, `{"host":"client.example:${port}"}`)
  })

  test('a fetch does not follow redirects', async () => {
    assert.equal((await fetch('/redirect')).status, 302)
  })

  test('a fetch fails on a huge, slow, silent or wrongly named host', async () => {
    await assert.rejects(fetch('/huge'), DocumentError)
    await assert.rejects(fetch('/slow', { timeoutMs: 300 }), DocumentError)
    await assert.rejects(fetch('/silent', { timeoutMs: 300 }), DocumentError)
    await assert.rejects(fetch('/ok', {}, 'other.example'), DocumentError)
    await assert.rejects(
      internet().fetch(new URL(`https://localhost:${port}/ok`), '127.0.0.1'),
      DocumentError,
    )
  })

  test('public addresses are accepted', () => {
    for (const address of [PUBLIC, '8.8.8.8', '2606:4700::1111']) assert.ok(isPublicAddress(address), address)
    assert.ok(!isPublicAddress('nonsense'))
  })
})
