// The architecture as a test: imports point down only, without cycles, each library is imported from one place only, and the web app
// imports nothing from the server but its rules.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

/** The floors of `server/`, from the roof to the ground. A file may import its own floor and those below. */
const floors = [
  'cli',
  'process',
  'doctor',
  'app.ts',
  'oauth',
  'sign-in',
  'http',
  'operations',
  'operation.ts',
  'idempotency.ts',
  'lookup',
  'imports',
  'resolve',
  'webhooks',
  'intake',
  'preview',
  'metrics',
  'backup',
  'statistics',
  'reference',
  'auth',
  'pages',
  'store',
  'base',
  'domain',
]

/** Where a library may be imported. */
const homes: Record<string, RegExp> = {
  kysely: /^store\//,
  'better-sqlite3': /^store\//,
  pg: /^store\//,
  fastify: /^(app\.ts|http\/|oauth\/|sign-in\/|pages\/)/,
  '@modelcontextprotocol/': /^http\/mcp\//,
  './zone-rules.ts': /^domain\/time\.ts$/,
  './zone-rules.json': /^domain\/zone-rules\.ts$/,
  'geographiclib-geodesic': /^domain\/geo\.ts$/,
  '@node-rs/argon2': /^auth\/passwords\.ts$/,
  '@simplewebauthn/server': /^auth\/passkeys\.ts$/,
  'openid-client': /^auth\/provider\.ts$/,
  nodemailer: /^auth\/mailer\.ts$/,
  yaml: /^(http|imports)\//,
  'read-excel-file': /^imports\/content\//,
  fflate: /^imports\/content\//,
  htmlparser2: /^imports\/content\//,
  'ical.js': /^imports\/content\//,
  'zxing-wasm': /^imports\/content\/barcodes\.ts$/,
  unpdf: /^imports\/content\/(pdf|drawn)\.ts$/,
  'postal-mime': /^imports\/content\/mail\.ts$/,
  'd3-geo': /^domain\/card\.ts$/,
  'topojson-client': /^preview\//,
  '@resvg/resvg-js': /^preview\//,
  'prom-client': /^metrics\//,
  imapflow: /^intake\/imap\.ts$/,
  'smtp-server': /^process\/mail-in\.ts$/,
}

const serverFiles = globSync('server/**/*.ts')
const webFiles = globSync(['web/src/**/*.ts', 'web/src/**/*.svelte'])
const floorOf = (file: string) => relative('server', file).split('/')[0]!

/** Everything a file names in an import, an export or a call of `import()`; type-only imports too. */
function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  const pattern = /^\s*(?:import|export)\b[^'"`;=(]*?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
  return [...source.matchAll(pattern)].map((match) => (match[1] ?? match[2])!)
}

/** Those of our own files, without what follows `?`, as paths from the root. */
const ownImportsOf = (file: string) =>
  importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => join(dirname(file), target.split('?')[0]!))

test('every folder and file of the server has a floor', () => {
  const unknown = serverFiles.filter((file) => !floors.includes(floorOf(file)))
  assert.deepEqual(unknown, [])
  const known = new Set(serverFiles.map(floorOf))
  assert.deepEqual(
    floors.filter((floor) => !known.has(floor)),
    [],
  )
})

test('imports between floors point down only', () => {
  const wrong = serverFiles.flatMap((file) =>
    ownImportsOf(file)
      .filter(
        (target) =>
          !target.startsWith('server/') || floors.indexOf(floorOf(target)) < floors.indexOf(floorOf(file)),
      )
      .map((target) => `${file} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('no imports go in a circle', () => {
  const graph = new Map([...serverFiles, ...webFiles].map((file) => [file, ownImportsOf(file)]))
  const finished = new Set<string>()
  const circles: string[] = []
  const walk = (file: string, path: string[]) => {
    if (finished.has(file)) return
    const start = path.indexOf(file)
    if (start >= 0) return void circles.push([...path.slice(start), file].join(' → '))
    for (const target of graph.get(file) ?? []) walk(target, [...path, file])
    finished.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  assert.deepEqual(circles, [])
})

test('the web app imports itself, the rules of server/domain and assets', () => {
  const wrong = webFiles.flatMap((file) =>
    ownImportsOf(file)
      .filter((target) => !/^(web\/src|server\/domain|assets)\//.test(target))
      .map((target) => `${file} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('the server reads nothing of the web app but what its build made', () => {
  for (const file of serverFiles) assert.doesNotMatch(readFileSync(file, 'utf8'), /web\/(?!dist)\w/, file)
})

test('every library has one home', () => {
  const wrong: string[] = []
  for (const file of serverFiles) {
    for (const target of importsOf(file)) {
      for (const [library, home] of Object.entries(homes)) {
        const uses = library.endsWith('/')
          ? target.startsWith(library)
          : target === library || target.startsWith(`${library}/`)
        if (uses && !home.test(relative('server', file))) wrong.push(`${file} imports ${target}`)
      }
    }
  }
  assert.deepEqual(wrong, [])
})

test('what must happen in one place happens there only', () => {
  const places: [string, RegExp, RegExp][] = [
    ['codes are resolved in resolve/', /\b(find|list)\w+By(Former)?Code\b/, /^(resolve|store)\//],
    ['people are created in operations/people.ts', /\binsertPerson\b/, /^(operations\/people\.ts|store\/)/],
  ]
  for (const [law, words, place] of places) {
    const users = serverFiles.filter((file) => words.test(readFileSync(file, 'utf8')))
    assert.ok(users.length > 1, law)
    assert.deepEqual(
      users.filter((file) => !place.test(relative('server', file))),
      [],
      law,
    )
  }
})

test('the domain knows no clock and no input or output', () => {
  for (const file of serverFiles.filter((name) => floorOf(name) === 'domain')) {
    assert.doesNotMatch(readFileSync(file, 'utf8'), /Date\.now\(|new Date\(\)|from 'node:/, file)
  }
})

test('ARCHITECTURE.md lists the floors in their order and names only files that exist', () => {
  const page = readFileSync('ARCHITECTURE.md', 'utf8')
  const rows = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].map((match) => match[1]!)
  const listed = rows.flatMap((row) =>
    [...row.matchAll(/`([^`]+)`/g)].map((match) => match[1]!.replace(/\/$/, '')),
  )
  assert.deepEqual(listed, floors)
  const paths = [...page.matchAll(/`((?:[\w-]+\/)*[\w.-]+(?:\/|\.(?:ts|js|txt|md)))`/g)].map(
    (match) => match[1]!,
  )
  const places = ['', 'server', 'server/store', 'server/http', 'server/operations']
  const missing = paths.filter((path) => !places.some((place) => existsSync(join(place, path))))
  assert.deepEqual(missing, [])
  assert.ok(page.split('\n').length <= 75, 'it fits on one page')
})
