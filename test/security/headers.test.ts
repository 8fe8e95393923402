// Security headers for every class of response: no content sniffing, no framing, no foreign scripts, and no caching of personal
// data.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onSqlite, type Reply } from '../harness.ts'

interface Expected {
  csp: RegExp
  cache: RegExp
  cors: boolean
}

const data = /^default-src 'none'; frame-ancestors 'none'$/
const page = /default-src '(none|self)'.*frame-ancestors 'none'.*base-uri 'none'/
const kept = /^private, no-(store|cache)$/

onSqlite('security headers', (app) => {
  let key: string
  let cookie: string
  let slug: string
  let icon: string
  before(async () => {
    const owner = await app().person('owner')
    key = await owner.key()
    cookie = await owner.session()
    slug = (await app().request('POST', '/api/v1/shares', { key, body: {} })).json.data.slug
    const airline = await app().request('POST', '/app/api/airlines', { cookie, body: { name: 'Ours' } })
    const drawn = await app().request('PUT', `/app/api/airlines/${airline.json.data.id}/icon`, {
      cookie,
      raw: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path d="M0 0h2v2z"/></svg>',
      headers: { 'content-type': 'image/svg+xml' },
    })
    icon = `/api/uploads/${drawn.json.data.iconPath}`
  })

  function requireGuards(what: string, { headers, status }: Reply, { csp, cache, cors }: Expected): void {
    assert.equal(headers['x-content-type-options'], 'nosniff', what)
    assert.match(String(headers['content-security-policy']), csp, what)
    assert.match(String(headers['referrer-policy']), /^(no-referrer|same-origin)$/, what)
    assert.equal(headers['access-control-allow-origin'], cors ? '*' : undefined, what)
    assert.equal(headers['access-control-allow-credentials'], undefined, what)
    assert.equal(headers['x-powered-by'], undefined, what)
    assert.equal(headers['server'], undefined, what)
    if (status !== 204 && status !== 303) assert.match(String(headers['cache-control']), cache, what)
  }

  test('every kind of response has the right security headers', async () => {
    const anyCache = /^(public|no-store)/
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const classes: [string, string, Parameters<ReturnType<typeof app>['request']>[2], number, Expected][] = [
      ['GET', '/api/v1/flights', { key }, 200, { csp: data, cache: kept, cors: true }],
      ['GET', '/api/v1/flights/export', { key }, 200, { csp: data, cache: kept, cors: true }],
      ['GET', '/api/v1/flights', {}, 401, { csp: data, cache: kept, cors: true }],
      ['GET', '/api/v1/flights/99999', { key }, 404, { csp: data, cache: kept, cors: true }],
      ['GET', '/api/v1/nowhere', {}, 404, { csp: data, cache: kept, cors: true }],
      ['PATCH', '/api/v1/flights', {}, 405, { csp: data, cache: kept, cors: true }],
      ['POST', '/api/v1/flights', { key, raw: '{' }, 400, { csp: data, cache: kept, cors: true }],
      ['GET', '/api/v1/flights/%', { key }, 400, { csp: data, cache: kept, cors: true }],
      ['GET', '/api', {}, 200, { csp: data, cache: anyCache, cors: true }],
      ['GET', '/api/v1/openapi.yaml', {}, 200, { csp: data, cache: anyCache, cors: true }],
      ['GET', '/app/api/flights', { cookie }, 200, { csp: data, cache: kept, cors: false }],
      ['GET', '/app/api/flights', {}, 401, { csp: data, cache: kept, cors: false }],
      ['GET', '/api/flight/list', { key }, 200, { csp: data, cache: kept, cors: false }],
      ['GET', '/api/flight/list', {}, 401, { csp: data, cache: /./, cors: false }],
      ['POST', '/api/mcp', {}, 401, { csp: data, cache: kept, cors: true }],
      [
        'POST',
        '/api/mcp',
        { key, body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
        200,
        { csp: data, cache: kept, cors: true },
      ],
      [
        'POST',
        '/oauth/token',
        { raw: 'a=b', headers: form },
        400,
        { csp: data, cache: /no-store/, cors: true },
      ],
      ['POST', '/oauth/register', { raw: '{}' }, 400, { csp: data, cache: /no-store/, cors: true }],
      ['GET', '/.well-known/oauth-authorization-server', {}, 200, { csp: data, cache: anyCache, cors: true }],
      ['GET', '/oauth/authorize', {}, 400, { csp: page, cache: /no-store/, cors: false }],
      ['GET', '/oauth/consent', { cookie }, 400, { csp: page, cache: /no-store/, cors: false }],
      ['GET', '/sign-in', {}, 200, { csp: page, cache: /no-store/, cors: false }],
      ['GET', '/pages.css', {}, 200, { csp: data, cache: anyCache, cors: false }],
      [`GET`, `/share/${slug}/data`, {}, 200, { csp: data, cache: /no-store/, cors: false }],
      ['GET', '/share/none/data', {}, 404, { csp: data, cache: kept, cors: false }],
      ['GET', icon, {}, 200, { csp: /^default-src 'none'.*sandbox/, cache: /^public/, cors: false }],
      ['GET', '/api/uploads/none', {}, 404, { csp: data, cache: kept, cors: false }],
      ['GET', '/nowhere', {}, 404, { csp: data, cache: kept, cors: false }],
    ]
    for (const [method, path, ask, status, expected] of classes) {
      const reply = await app().request(method, path, ask)
      const what = `${method} ${path} ${reply.status}`
      assert.equal(reply.status, status, `${what} ${reply.text.slice(0, 200)}`)
      requireGuards(what, reply, expected)
    }
  })

  test('a preflight allows any origin for the API and none for the web app’s addresses', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'PUT' }
    for (const [path, allowed] of [
      ['/api/v1/flights', true],
      ['//api/v1/flights', true],
      ['/api//v1', true],
      ['/api/mcp', true],
      ['/oauth/token', true],
      ['/app/api/flights', false],
      ['/oauth/consent', false],
      ['/sign-in', false],
      ['/api/v1../../app/api/flights', false],
      ['/api/v1%2f..%2f..%2fapp/api/flights', false],
    ] as const) {
      const reply = await app().request('OPTIONS', path, { headers })
      assert.equal(reply.headers['access-control-allow-origin'], allowed ? '*' : undefined, path)
    }
  })

  test('a page of another site cannot act with a user’s cookie', async () => {
    const writes = [
      ['POST', '/app/api/flights'],
      ['PUT', '/app/api/me'],
      ['DELETE', '/app/api/demo'],
      ['POST', '/app/api/api-keys'],
      ['POST', '/app/api/sign-out'],
      ['POST', '/oauth/consent'],
    ] as const
    for (const [method, path] of writes) {
      for (const from of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `${app().config.origin}.evil.example` },
        {},
      ]) {
        const headers = { cookie, 'content-type': 'text/plain', ...from }
        const reply = await app().request(method, path, { headers, raw: '{}' })
        assert.equal(reply.status, 403, `${method} ${path} ${JSON.stringify(from)} ${reply.text}`)
      }
    }
    // The API for keys ignores cookies.
    for (const path of ['/api/v1/me', '/api/flight/list', '/api/stats']) {
      assert.equal((await app().request('GET', path, { headers: { cookie } })).status, 401, path)
    }
  })
})
