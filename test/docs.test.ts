// The documentation: what is built from this checkout, what fails the build, and how an instance serves it.
import assert from 'node:assert/strict'
import { cpSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import packageJson from '../package.json' with { type: 'json' }
import { operations } from '../server/operations/index.ts'
import { renderDocs, writeDocs } from '../tools/docs.ts'
import { startTestApp, type TestApp } from './harness.ts'

const scratch = (name: string) => mkdtempSync(join(process.env['TEST_SCRATCH']!, name))
const asPage = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const LIMIT_BYTES = 6_000_000

/** What the documentation is made of. */
/** As they are before the public address is known. */
function copyOfSources(): string {
  const root = scratch('docs-sources-')
  for (const name of ['README.md', 'CHANGELOG.md', 'docs'])
    cpSync(name, join(root, name), { recursive: true })
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({ ...packageJson, repository: 'github:OWNER/contrail' }),
  )
  return root
}

const files = renderDocs('.')
const folder = scratch('docs-')
const bytes = writeDocs(files, folder)
const pageOf = (name: string) => String(files.get(name))

describe('the documentation of this checkout', () => {
  test('has every page, the examples that they name, and no placeholder, in at most 6 MB', () => {
    for (const name of ['index', 'operations', 'programs', 'changelog', 'decisions/index', 'api/index'])
      assert.match(pageOf(`${name}.html`), /<h1/, name)
    assert.ok(files.has('examples/sync.mjs'))
    for (const [name, content] of files)
      assert.doesNotMatch(/\.(?:html|json)$/.test(name) ? String(content) : '', /\bOWNER\b/, name)
    assert.ok(bytes <= LIMIT_BYTES, `${bytes} bytes`)
  })

  test('pages have no script or style of their own, and load nothing from elsewhere', () => {
    for (const [name, content] of files) {
      if (!name.endsWith('.html')) continue
      assert.doesNotMatch(String(content), /<script>| style="|<style| on\w+="/, name)
      assert.doesNotMatch(
        String(content),
        /(?:<script[^>]* src|<img[^>]* src|<link[^>]* href)="https?:/,
        name,
      )
    }
  })

  test('the reference has every operation of API v1 under its id, and an example that runs', () => {
    const reference = [...files].filter(([name]) => name.startsWith('api/')).map(([, text]) => String(text))
    for (const { id, door = 'v1' } of operations)
      if (door === 'v1')
        assert.ok(
          reference.some((text) => text.includes(`<h2 id="api-v1-${id}">`)),
          id,
        )
    const flights = pageOf('api/flights.html')
    assert.match(
      flights,
      /curl -s &quot;\$CONTRAIL\/api\/v1\/flights&quot; \\\n {2}-H &quot;Authorization: Bearer \$KEY&quot;/,
    )
    assert.match(flights, /<code>flight\.create\.own<\/code>/)
    assert.match(pageOf('api/webhooks.html'), /<h2 id="webhook-flight-created">/)
  })

  test('a version of the changelog has an anchor', () => {
    const root = copyOfSources()
    const text = '# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2027-01-15\n\n### Added\n\n- A door.\n'
    writeFileSync(join(root, 'CHANGELOG.md'), text)
    writeFileSync(
      join(root, 'docs/README.md'),
      read(root, 'docs/README.md').replaceAll('CHANGELOG.md', 'CHANGELOG.md#v1.1.0'),
    )
    assert.throws(() => renderDocs(root), /docs\/README\.md has no link to CHANGELOG\.md/)
    cpSync('docs/README.md', join(root, 'docs/README.md'))
    writeFileSync(
      join(root, 'docs/operations.md'),
      '# Running\n\n## First settings\n\n[Was added](../CHANGELOG.md#v1.1.0)\n',
    )
    replaceIn(root, /\]\(operations\.md#[^)]*\)/g, '](operations.md)')
    const page = String(renderDocs(root).get('changelog.html'))
    assert.match(page, /<h2 id="v1\.1\.0"><a href="#v1\.1\.0">1\.1\.0 · 2027-01-15<\/a>/)
    assert.doesNotMatch(page, /Unreleased/)
  })
})

const read = (root: string, file: string) => readFileSync(join(root, file), 'utf8')
/** In every document. */
function replaceIn(root: string, from: RegExp, to: string): void {
  for (const name of ['README.md', 'CHANGELOG.md', ...globSync('docs/*.md', { cwd: root })])
    writeFileSync(join(root, name), read(root, name).replace(from, to))
}

describe('the build fails, and says why, with', () => {
  const append = (root: string, file: string, text: string) =>
    writeFileSync(join(root, file), `${read(root, file)}\n${text}\n`)
  const faults: [string, (root: string) => void, RegExp][] = [
    [
      'a link to a section that is not there',
      (root) => append(root, 'docs/mcp.md', '[x](api.md#nowhere)'),
      /mcp\.html: the link programs#nowhere leads nowhere/,
    ],
    [
      'a page that no menu has',
      (root) => writeFileSync(join(root, 'docs/more.md'), '# More'),
      /docs\/more\.md is in no group of `navigation`/,
    ],
    [
      'a page that docs/README.md leaves out',
      (root) => writeFileSync(join(root, 'docs/README.md'), '# Documentation'),
      /docs\/README\.md has no link to docs\/mcp\.md/,
    ],
    [
      'a README without its run section',
      (root) => writeFileSync(join(root, 'README.md'), '# Contrail'),
      /README\.md has no section "## Run it"/,
    ],
  ]
  for (const [what, spoil, message] of faults)
    test(what, () => {
      const root = copyOfSources()
      spoil(root)
      assert.throws(() => renderDocs(root), message)
    })

  test('links to files of the project lead to its site when that is known', () => {
    const root = copyOfSources()
    assert.match(String(renderDocs(root).get('index.html')), /<td>ARCHITECTURE, CONTRIBUTING<\/td>/)
    writeFileSync(join(root, 'package.json'), read(root, 'package.json').replace('OWNER', 'ada'))
    assert.match(
      String(renderDocs(root).get('index.html')),
      /<a href="https:\/\/github\.com\/ada\/contrail\/blob\/v[\d.]+\/ARCHITECTURE\.md">/,
    )
  })
})

describe('an instance', () => {
  let app: TestApp & { close(): Promise<void> }
  before(async () => {
    app = await startTestApp('sqlite', {}, { docsFolder: folder })
  })
  after(() => app?.close())
  const get = (path: string, headers: Record<string, string> = asPage) =>
    app.request('GET', path, { headers })

  test('serves its documentation to everyone, but not to search engines, with strict headers', async () => {
    for (const path of [
      '/docs/',
      '/docs/operations',
      '/docs/changelog.html',
      '/docs/api/',
      '/docs/api/flights',
    ]) {
      const { status, headers, text } = await get(path)
      assert.equal(status, 200, path)
      assert.match(text, /^<!doctype html>/)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['x-robots-tag'], 'noindex')
      assert.equal(headers['cache-control'], 'no-cache')
      assert.match(
        headers['content-security-policy'] as string,
        /default-src 'self'; script-src 'self'; style-src 'self';/,
      )
    }
  })

  test('sends files with their type, compressed to those who accept it, and not again to those who have them', async () => {
    const types = {
      'assets/docs.css': 'text/css; charset=utf-8',
      'assets/docs.js': 'text/javascript; charset=utf-8',
      'assets/search.json': 'application/json',
      'assets/inter-latin.woff2': 'font/woff2',
      'openapi.yaml': 'application/yaml; charset=utf-8',
      'examples/sync.mjs': 'text/javascript; charset=utf-8',
      'pictures/sign-in.png': 'image/png',
    }
    for (const [name, type] of Object.entries(types)) {
      const { status, headers } = await get(`/docs/${name}`, {})
      assert.deepEqual([status, headers['content-type']], [200, type], name)
    }
    const packed = await get('/docs/operations', { ...asPage, 'accept-encoding': 'gzip' })
    assert.equal(packed.headers['content-encoding'], 'gzip')
    const { etag } = (await get('/docs/operations')).headers
    assert.equal((await get('/docs/operations', { ...asPage, 'if-none-match': etag! })).status, 304)
  })

  test('leads to folders with a slash at their end, and from the old place of such a page', async () => {
    const moved = {
      '/docs': '/docs/',
      '/docs/api': '/docs/api/',
      '/docs/decisions': '/docs/decisions/',
      '/api/docs': '/docs/api/',
    }
    for (const [from, to] of Object.entries(moved)) {
      const { status, headers } = await get(from)
      assert.deepEqual([status, headers.location], [302, to], from)
    }
  })

  test('has no other file below /docs/, and takes only GET', async () => {
    writeFileSync(join(folder, '../secret.html'), 'secret')
    for (const path of [
      '/docs/nowhere',
      '/docs/../secret.html',
      '/docs/%2e%2e/secret.html',
      '/docs/..%2fsecret.html',
      '/docs/..\\secret.html',
      '/docs/api/../../secret',
      '/docs/.gz',
      '/docs/operations.html.gz',
      '/docs/assets/',
      '/docs/%00',
    ]) {
      const { status, text } = await get(path)
      assert.equal(status, 404, path)
      assert.doesNotMatch(text, /^secret/, path)
    }
    const missing = await get('/docs/nowhere', { ...asPage, 'accept-language': 'de' })
    assert.match(missing.text, /Diese Adresse gibt es nicht\.[\s\S]*href="\/docs\/">Dokumentation</)
    assert.equal((await get('/docs/nowhere', { accept: '*/*' })).json.error.code, 'not_found')
    assert.equal((await app.request('POST', '/docs/operations')).status, 405)
  })
})
