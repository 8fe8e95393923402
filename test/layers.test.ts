// The architecture as a test: imports point down only, and each library has one home.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

/** What each part may import of the others. A part not named here is a file that every part may use. */
const mayImport: Record<string, string[]> = {
  domain: ['domain'],
  store: ['store', 'domain'],
  reference: ['reference', 'store', 'domain'],
  auth: ['auth', 'store', 'domain'],
  preview: ['preview'],
  operations: ['operations', 'preview', 'reference', 'auth', 'store', 'domain'],
  oauth: ['oauth', 'http', 'operations', 'reference', 'auth', 'store', 'domain'],
  http: ['http', 'oauth', 'operations', 'preview', 'reference', 'auth', 'store', 'domain'],
}

/** Where a library may be imported. */
const homes: Record<string, RegExp> = {
  kysely: /^store\//,
  'better-sqlite3': /^store\//,
  pg: /^store\//,
  fastify: /^(app\.ts|http\/|oauth\/)/,
  '@modelcontextprotocol/': /^http\/mcp/,
  'moment-timezone': /^domain\/time\.ts$/,
  'geographiclib-geodesic': /^domain\/geo\.ts$/,
  '@node-rs/argon2': /^auth\/passwords\.ts$/,
  yaml: /^http\//,
}

const files = globSync('server/**/*.ts').map((file) => relative('server', file))
const partOf = (file: string) => (file.includes('/') ? file.split('/')[0]! : '')

function importsOf(file: string): { target: string; typeOnly: boolean }[] {
  const source = readFileSync(join('server', file), 'utf8')
  return [...source.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'/gm)].map((match) => ({
    target: match[2]!,
    typeOnly: match[1] !== undefined,
  }))
}

test('imports between parts point down only', () => {
  const wrong: string[] = []
  for (const file of files) {
    const allowed = mayImport[partOf(file)]
    if (!allowed) continue
    for (const { target, typeOnly } of importsOf(file)) {
      if (!target.startsWith('.')) continue
      const part = partOf(join(dirname(file), target))
      if (
        part === ''
          ? isRootAllowed(join(dirname(file), target), partOf(file), typeOnly)
          : allowed.includes(part)
      )
        continue
      wrong.push(`${file} imports ${target}`)
    }
  }
  assert.deepEqual(wrong, [])
})

/** Files beside the folders: some belong to everybody, the composition belongs to nobody. */
function isRootAllowed(target: string, part: string, typeOnly: boolean): boolean {
  if (part === 'domain') return false
  const composition = ['app', 'backup', 'backup-schedule', 'cli', 'doctor', 'main', 'seed', 'workers']
  if (composition.some((name) => target === `${name}.ts`)) return false
  if (target === 'operation.ts') return ['operations', 'http', 'oauth'].includes(part) || typeOnly
  return true
}

test('every library has one home', () => {
  const wrong: string[] = []
  for (const file of files) {
    for (const { target } of importsOf(file)) {
      for (const [library, home] of Object.entries(homes)) {
        const uses = library.endsWith('/')
          ? target.startsWith(library)
          : target === library || target.startsWith(`${library}/`)
        if (uses && !home.test(file)) wrong.push(`${file} imports ${target}`)
      }
    }
  }
  assert.deepEqual(wrong, [])
})

test('the domain knows no clock and no input or output', () => {
  for (const file of files.filter((name) => name.startsWith('domain/'))) {
    const source = readFileSync(join('server', file), 'utf8')
    assert.doesNotMatch(source, /Date\.now\(|new Date\(\)|from 'node:/, file)
  }
})
