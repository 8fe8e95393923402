// How the web app's files are served. The files here are fake; test/e2e opens the real ones in a browser.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { readWebFiles } from '../server/http/web.ts'
import { startTestApp, type TestApp } from './harness.ts'

const asPage = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const script = `console.log(${JSON.stringify('x'.repeat(600))})`

function builtFolder(): string {
  const folder = mkdtempSync(join(process.env['TEST_SCRATCH']!, 'web-'))
  mkdirSync(join(folder, 'assets'))
  const files: Record<string, string | Buffer> = {
    'index.html': '<!doctype html><title>Contrail</title>',
    'share.html': '<!doctype html><title>Flights</title><!-- share-head --><body></body>',
    'sw.js': '// worker',
    'manifest.webmanifest': '{}',
    'assets/app-1a2b.js': script,
    'assets/app-1a2b.js.br': brotliCompressSync(script),
    'assets/app-1a2b.js.gz': gzipSync(script),
    'assets/codes-worker-1a2b.js': script,
    'assets/reader-1a2b.wasm': 'wasm',
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

describe('the web app', () => {
  let app: TestApp & { close(): Promise<void> }
  before(async () => {
    app = await startTestApp(
      'sqlite',
      { origin: 'https://flights.example.org' },
      { webFiles: readWebFiles(builtFolder()) },
    )
  })
  after(() => app?.close())
  const get = (path: string, headers: Record<string, string> = asPage) =>
    app.request('GET', path, { headers })

  test('every address for people returns the page with strict headers, revalidated each time', async () => {
    for (const path of ['/', '/flights/12?year=2024', '/settings/security', '/flights/']) {
      const reply = await get(path)
      assert.equal(reply.status, 200, path)
      assert.match(reply.text, /<title>Contrail/)
      assert.equal(reply.headers['cache-control'], 'no-cache')
      assert.match(reply.headers['content-type']!, /^text\/html/)
      const rules = reply.headers['content-security-policy'] as string
      assert.match(rules, /default-src 'self';/)
      assert.doesNotMatch(rules, /unsafe|https?:|\*/)
      assert.equal(reply.headers['x-frame-options'], 'DENY')
      assert.equal(reply.headers['x-content-type-options'], 'nosniff')
      assert.equal(reply.headers['referrer-policy'], 'same-origin')
      assert.equal(reply.headers['strict-transport-security'], 'max-age=31536000')
    }
    const head = await app.request('HEAD', '/flights/12', { headers: asPage })
    assert.equal(head.status, 200)
    assert.equal(head.text, '')
  })

  test('only the app may use the camera, and only the bar code worker may compile WebAssembly', async () => {
    assert.match(
      (await get('/scan')).headers['permissions-policy'] as string,
      /camera=\(self\), geolocation=\(\)/,
    )
    for (const path of ['/assets/app-1a2b.js', '/sw.js']) {
      const { headers } = await get(path, {})
      assert.match(headers['permissions-policy'] as string, /camera=\(\)/, path)
      assert.doesNotMatch(headers['content-security-policy'] as string, /unsafe/, path)
    }
    const worker = await get('/assets/codes-worker-1a2b.js', {})
    assert.match(worker.headers['content-security-policy'] as string, /script-src 'self' 'wasm-unsafe-eval';/)
    assert.doesNotMatch(worker.headers['content-security-policy'] as string, /'unsafe|https?:|\*/)
    assert.equal((await get('/assets/reader-1a2b.wasm', {})).headers['content-type'], 'application/wasm')
  })

  test('unknown paths are 404 for programs, and under the API for all clients', async () => {
    assert.equal((await get('/flights/12', { accept: '*/*' })).status, 404)
    assert.match(
      (await get('/', { accept: '*/*' })).text,
      /<!doctype html>/i,
      'the way curl and monitors ask',
    )
    for (const path of [
      '/api/nowhere',
      '/api/v1/nowhere',
      '/app/api/nowhere',
      '/oauth/nowhere',
      '/.well-known/nowhere',
      '/assets/app-gone.js',
      '/share/a/b',
    ]) {
      assert.equal((await get(path)).status, 404, path)
    }
    assert.equal((await app.request('POST', '/flights/12', { headers: asPage })).status, 404)
    for (const path of [
      '/foo.php',
      '/.env',
      '/.git/config',
      '/favicon.gif',
      '/assets/none.js',
      '/wp-admin/setup.php?x=1',
      '/flights/12.json',
      '/foo%2Ephp',
    ]) {
      assert.equal((await get(path)).status, 404, path)
    }
    for (const path of [
      '/',
      '/flights',
      '/flights/12',
      '/settings/profile',
      '/nowhere',
      '/flights?text=a.b',
    ]) {
      assert.equal((await get(path)).status, 200, path)
    }
  })

  test('no path leaves the folder, and the template of shares is not served', async () => {
    for (const path of [
      '/../package.json',
      '/assets/../../package.json',
      '/%2e%2e/package.json',
      '/assets',
    ]) {
      assert.equal((await get(path, { accept: '*/*' })).status, 404, path)
    }
    assert.doesNotMatch((await get('/share.html')).text, /share-head/)
  })

  test('files have a tag, permanent caching if their name has a hash, and the smallest accepted encoding', async () => {
    const path = '/assets/app-1a2b.js'
    const plain = await get(path, {})
    assert.equal(plain.text, script)
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(plain.headers['vary'], 'accept-encoding')
    assert.equal(plain.headers['content-encoding'], undefined)
    const raw = async (codings: string) => {
      const response = await app.request('GET', path, { headers: { 'accept-encoding': codings } })
      return response.headers['content-encoding']
    }
    assert.equal(await raw('gzip, deflate, br'), 'br')
    assert.equal(await raw('gzip, br;q=0'), 'gzip')
    assert.equal(await raw('identity'), undefined)
    const again = await get(path, { 'if-none-match': plain.headers.etag! })
    assert.equal(again.status, 304)
    for (const name of ['/sw.js', '/manifest.webmanifest']) {
      assert.equal((await get(name, {})).headers['cache-control'], 'no-cache', name)
    }
  })

  test('a share’s page has a link preview with its owner, while the share exists', async () => {
    const ada = await app.person()
    const key = await ada.key()
    const cookie = (await ada.session()).replace('contrail=', '__Host-contrail=')
    const profile = { username: ada.username, displayName: '"><script>Ada</script>' }
    assert.equal((await app.request('PUT', '/app/api/me', { cookie, body: profile })).status, 204)
    const body = {
      slug: 'flown',
      showStats: true,
      expiresAt: new Date(app.clock.now() + 60_000).toISOString(),
    }
    assert.equal((await app.request('POST', '/api/v1/shares', { key, body })).status, 201)
    const page = await get('/share/flown')
    assert.equal(page.status, 200)
    assert.match(
      page.text,
      /property="og:title" content="Flights of &quot;&gt;&lt;script&gt;Ada&lt;\/script&gt;"/,
    )
    assert.match(page.text, /og:description" content="Map and statistics, shared with Contrail\."/)
    assert.match(page.text, /og:image" content="https:\/\/flights\.example\.org\/share\/flown\/preview\.png"/)
    assert.doesNotMatch(page.text, /<script>|share-head/)
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.equal((await get('/share/flown/data')).headers['x-robots-tag'], 'noindex')
    assert.doesNotMatch(page.headers['content-security-policy'] as string, /unsafe/)
    assert.equal((await get('/share/unknown')).status, 404)
    app.clock.advance(60_000)
    const gone = await get('/share/flown')
    assert.equal(gone.status, 404)
    assert.doesNotMatch(gone.text, /Ada/)
    assert.equal((await app.request('DELETE', '/share/flown')).status, 405)
  })
})

describe('without a built web app', () => {
  let app: TestApp & { close(): Promise<void> }
  before(async () => {
    app = await startTestApp('sqlite', {}, { webFiles: readWebFiles('/nowhere') })
  })
  after(() => app?.close())

  test('the log and the page say how to build it, and the API works', async () => {
    assert.equal(app.logged.filter((line) => line.includes('npm run build')).length, 1)
    const page = await app.request('GET', '/', { headers: asPage })
    assert.equal(page.status, 503)
    assert.match(page.text, /npm run build/)
    assert.equal(page.headers['strict-transport-security'], undefined)
    assert.equal((await app.request('GET', '/api/v1')).status, 200)
    assert.equal((await app.request('GET', '/favicon.ico')).status, 404)
  })
})
