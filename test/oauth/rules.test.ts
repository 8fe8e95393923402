// Rules of the OAuth server that need no requests: redirect URIs, public addresses, resources, lifetimes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forbidden, Unavailable } from '../../server/base/errors.ts'
import { isPublicAddress } from '../../server/base/network/addresses.ts'
import { invalidGrant, OAuthError, oauthErrorFrom } from '../../server/http/oauth/errors.ts'
import * as lifetimes from '../../server/http/oauth/lifetimes.ts'
import {
  isLoopback,
  isRegistered,
  redirectUriFault,
  withParameters,
} from '../../server/http/oauth/redirect-uris.ts'
import { findResource } from '../../server/http/oauth/resources.ts'

test('bad redirect URIs are refused with the reason, good ones are accepted', () => {
  for (const uri of [
    'https://client.example/cb',
    'https://client.example',
    'https://client.example:8443/cb?x=1&y=%20',
    'HTTPS://client.example/a@b',
    'https://client.example/a;b?c,d',
    'http://localhost/cb',
    'http://localhost:1234/cb',
    'http://127.0.0.1',
    'http://[::1]:80?x',
    `https://client.example/${'x'.repeat(1977)}`,
  ])
    assert.equal(redirectUriFault(uri), undefined, uri)
  for (const [uri, words] of [
    [`https://client.example/${'x'.repeat(1978)}`, /at most 2000/],
    ['https://client.example/#', /fragment/],
    ['https://*.client.example/', /wildcard/],
    ['https://client.example/é', /plain ASCII/],
    ['https://client.example/ x', /plain ASCII/],
    ['https://client.example\\x', /plain ASCII/],
    ['client.example', /absolute URL/],
    ['https://', /absolute URL/],
    ['https://user@client.example/', /username or password/],
    ['https://:secret@client.example/', /username or password/],
    ['https://@client.example/', /username or password/],
    ['http://user@localhost/', /username or password/],
    ['https://client.example;x/cb', /host .* must not contain/],
    ['https://client.example,x.example/cb', /host .* must not contain/],
    ['https:client.example', /must use https/],
    ['https:///client.example', /must use https/],
    ['http://client.example/', /must use https/],
    ['http://127.0.0.2/', /must use https/],
    ['http://127.1/', /must use https/],
    ['http:localhost/', /must use https/],
    ['com.example.app:/cb', /must use https/],
  ] as const)
    assert.match(redirectUriFault(uri) ?? 'none', words, uri)
})

test('a redirect URI must equal a registered one, except for the port of a loopback host', () => {
  const registered = ['https://client.example/cb', 'http://127.0.0.1:1/cb', 'http://[::1]/cb?x=1']
  for (const uri of [
    ...registered,
    'http://127.0.0.1/cb',
    'http://127.0.0.1:65535/cb',
    'http://[::1]:9/cb?x=1',
  ])
    assert.ok(isRegistered(registered, uri), uri)
  for (const uri of [
    'https://client.example:8443/cb',
    'https://client.example/CB',
    'http://localhost:1/cb',
    'http://127.0.0.1:1/other',
    'http://127.0.0.1:65536/cb',
    'http://127.0.0.1:123456/cb',
    'http://[::1]:9/cb',
    'http://[::1]:9/cb?x=2',
    '',
  ])
    assert.ok(!isRegistered(registered, uri), uri)
  assert.ok(isLoopback('http://localhost:8080/') && !isLoopback('https://localhost/'))
})

test('parameters are appended to those of an address', () => {
  const added = (uri: string) => withParameters(uri, { code: 'a b', state: null })
  assert.equal(added('https://a.example/cb'), 'https://a.example/cb?code=a+b')
  assert.equal(added('https://a.example/cb?'), 'https://a.example/cb?code=a+b')
  assert.equal(added('https://a.example/cb?x=1'), 'https://a.example/cb?x=1&code=a+b')
  assert.equal(added('https://a.example/cb?x=1&'), 'https://a.example/cb?x=1&code=a+b')
})

/** The first and last address of each special block, and the public ones next to them. */
const blocks: [string, string, ...string[]][] = [
  ['0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '239.255.255.255', '223.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['2001::', '2001:1ff:ffff::1', '2000:ffff::1', '2001:200::1'],
  ['2001:db8::', '2001:db8:ffff::1', '2001:db7:ffff::1', '2001:db9::1'],
  ['2002::', '2002:ffff::1', '2001:ffff::1', '2003::1'],
  ['2620:4f:8000::', '2620:4f:8000:ffff::1', '2620:4f:7fff::1', '2620:4f:8001::1'],
  ['3fff::', '3fff:fff:ffff::1', '3ffe:ffff::1', '3fff:1000::1'],
  ['::', '1fff:ffff::1', '2000::1'],
  ['4000::', 'ffff::1', '3fff:f000::1'],
]

test('special-use addresses are not public, up to the ends of their blocks', () => {
  for (const [first, last, ...beside] of blocks) {
    for (const address of [first, last]) assert.ok(!isPublicAddress(address), address)
    for (const address of beside) assert.ok(isPublicAddress(address), address)
  }
  const others = [
    '::1',
    '::ffff:8.8.8.8',
    'fe80::1%eth0',
    '2606:4700::1111%eth0',
    'fc00::1',
    'client.example',
    '',
  ]
  for (const address of others) assert.ok(!isPublicAddress(address), address)
})

test('a resource matches its address in any case and with a trailing slash', () => {
  const origin = 'https://log.example'
  const name = (given: string) => findResource(origin, given)?.name
  for (const given of [
    `${origin}/api/v1`,
    `${origin}/api/v1/`,
    'HTTPS://LOG.example/api/v1',
    'https://log.example:443/api/v1',
  ])
    assert.equal(name(given), 'v1', given)
  assert.equal(name(`${origin}/api/mcp`), 'mcp')
  for (const path of ['/api/v1', '/api/mcp'])
    assert.equal(findResource(origin, origin + path)?.url, origin + path)
  for (const given of [
    origin,
    `${origin}/api`,
    `${origin}/api/v1//`,
    `${origin}/API/v1`,
    `${origin}/api/v1?x`,
    'https://log.example:8443/api/v1',
    'http://log.example/api/v1',
    'https://user@log.example/api/v1',
    'https://evil.example/api/v1',
    '/api/v1',
    '',
  ])
    assert.equal(name(given), undefined, given)
})

test('codes, tokens and consents are valid as long as documented', () => {
  const { after, ...all } = lifetimes
  const [second, day] = [1000, 24 * 3600 * 1000]
  assert.deepEqual(
    { ...all },
    {
      REQUEST_MS: 600 * second,
      CODE_MS: 60 * second,
      ACCESS_TOKEN_MS: 3600 * second,
      REFRESH_TOKEN_MS: 30 * day,
      UNUSED_CLIENT_MS: day,
      SPENT_CODE_MS: day,
      USED_REFRESH_TOKEN_MS: 90 * day,
      DEAD_GRANT_MS: day,
      AUDIT_EVENT_MS: 400 * day,
    },
  )
  assert.equal(after(0, 1500), '1970-01-01T00:00:01.500Z')
})

test('server errors become OAuth errors, and internal details stay hidden', () => {
  const own = invalidGrant('x')
  assert.deepEqual([own.status, own.body], [400, { error: 'invalid_grant', error_description: 'x' }])
  assert.equal(oauthErrorFrom(own), own)
  assert.equal(oauthErrorFrom(new TypeError('secret')), undefined)
  const refused = oauthErrorFrom(forbidden())
  assert.deepEqual([refused?.code, refused?.status], ['invalid_request', 403])
  const away = oauthErrorFrom(new Unavailable('server_starting'))
  assert.deepEqual([away?.code, away?.status], ['temporarily_unavailable', 503])
  assert.ok(Number(away?.headers['retry-after']) > 0)
  const limited = new OAuthError('invalid_client', 'x', { status: 401, headers: { a: 'b' } })
  assert.deepEqual([limited.status, limited.headers], [401, { a: 'b' }])
})
