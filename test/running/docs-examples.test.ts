// The examples in README.md, docs/api.md and docs/mcp.md run as printed against a new instance and return the printed
// results. In a printed response, … means any value, further fields or further items.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { freshDatabase, startTestApp } from '../harness.ts'
import { difference, isObject } from '../printed.ts'
import { contrail } from './processes.ts'

interface Example {
  language: 'sh' | 'js'
  source: string
  /** The response printed directly below the example. */
  expected?: unknown
}

const ELLIPSIS = '…'
const PRINTED_ADDRESS = 'http://localhost:3000'

function examplesIn(markdown: string): Example[] {
  const examples: Example[] = []
  let previous: Example | undefined
  for (const [, language, source] of markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)) {
    if (language === 'json' && previous) previous.expected = JSON.parse(source!)
    previous = undefined
    if (language !== 'sh' && language !== 'js') continue
    previous = { language, source: source! }
    examples.push(previous)
  }
  return examples
}

/** The examples in one shell, because later ones use variables of earlier ones. */
async function runAll(examples: Example[], url: string, env: Record<string, string>) {
  const marker = `--- ${Math.random()} ---`
  const script = examples.flatMap(({ language, source }) => [
    language === 'sh' ? source : `node --input-type=module <<'END_OF_EXAMPLE'\n${source}END_OF_EXAMPLE`,
    `printf '\\n%s\\n' '${marker}'; printf '%s\\n' '${marker}' >&2`,
  ])
  // Prints the status of each response to standard error.
  const prelude = `set -euo pipefail\ncurl() { command curl -w '%{stderr}%{http_code}\\n' "$@"; }`
  const shell = spawn('bash', ['-s'], { env: { ...process.env, ...env } })
  const output = { stdout: '', stderr: '' }
  shell.stdout.on('data', (chunk) => (output.stdout += chunk))
  shell.stderr.on('data', (chunk) => (output.stderr += chunk))
  shell.stdin.end([prelude, ...script].join('\n').replaceAll(PRINTED_ADDRESS, url))
  const [code] = await once(shell, 'close')
  assert.equal(code, 0, output.stderr)
  const [printed, statuses] = [output.stdout.split(marker), output.stderr.split(marker)]
  return examples.map((_, i) => ({
    text: printed[i]!.trim(),
    statuses: statuses[i]!.match(/^\d{3}$/gm) ?? [],
  }))
}

function requireAsPrinted({ source, expected }: Example, text: string, statuses: string[]): void {
  const isError = isObject(expected) && 'error' in expected
  for (const status of statuses)
    assert.equal(status.startsWith(isError ? '4' : '2'), true, `${status} for ${source}`)
  if (expected !== undefined)
    assert.equal(difference(expected, JSON.parse(text)), undefined, `${source}\n${text}`)
}

describe('documentation', () => {
  const pages = {
    'README.md': /^## First flight\n([\s\S]*?)^## /m,
    'docs/api.md': /([\s\S]*)/,
    'docs/mcp.md': /([\s\S]*)/,
  }
  for (const [page, part] of Object.entries(pages)) {
    test(`the examples of ${page} return the printed responses`, async () => {
      const examples = examplesIn(part.exec(readFileSync(page, 'utf8'))![1]!)
      assert.ok(examples.length > 0)
      const database = await freshDatabase('sqlite')
      const app = await startTestApp('sqlite', database, { atOrigin: 'localhost' })
      app.clock.set(Date.now())
      try {
        const owner = 'setup --username ada --password - --display-name'.split(' ')
        assert.equal((await contrail(database, [...owner, 'Ada L'], 'correct horse')).code, 0)
        const env = { DATA_DIR: database.dataDir, DATABASE_URL: '' }
        const results = await runAll(examples, app.url, env)
        for (const [i, { text, statuses }] of results.entries())
          requireAsPrinted(examples[i]!, text, statuses)
      } finally {
        await app.close()
        await database.drop()
      }
    })
  }

  test('a difference from a printed response is found', () => {
    const actual = { data: [{ id: 1, name: 'Ada' }, { id: 2 }], page: null }
    assert.equal(
      difference({ data: [{ id: 1, [ELLIPSIS]: ELLIPSIS }, ELLIPSIS], page: null }, actual),
      undefined,
    )
    assert.equal(difference({ data: ELLIPSIS }, actual), 'response also has page')
    assert.equal(
      difference({ data: [{ id: 1, name: ELLIPSIS }], page: null }, actual),
      'response.data has 2 items',
    )
    assert.equal(
      difference({ data: [{ id: 3, [ELLIPSIS]: ELLIPSIS }, ELLIPSIS], page: null }, actual),
      'response.data[0].id is 1',
    )
    assert.equal(difference({ data: ELLIPSIS, page: null, more: 1 }, actual), 'response.more is undefined')
    assert.equal(difference('A …of (2)', 'A page\nof (2)'), undefined)
    assert.equal(difference('A … of (2)', 'A page of 2'), 'response is "A page of 2"')
  })

  test('examples in the OpenAPI document are records of the reference data', async () => {
    const { schemas } = parse(readFileSync('docs/openapi.yaml', 'utf8')).components
    const app = await startTestApp('sqlite')
    try {
      const key = await (await app.person()).key()
      for (const [name, path] of [
        ['Airport', 'airports'],
        ['Airline', 'airlines'],
        ['Aircraft', 'aircraft'],
      ] as const) {
        const { example } = schemas[name]
        const { json } = await app.request('GET', `/api/v1/${path}/${example.id}`, { key })
        assert.deepEqual(json.data, example, name)
      }
    } finally {
      await app.close()
    }
  })

  test('links between pages lead to existing files', () => {
    const documents = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', ...globSync('docs/**/*.md')]
    for (const document of documents) {
      // What is hidden until the public address is known has no addresses yet.
      const text = readFileSync(document, 'utf8').replace(/^<!-- published\n.*?^-->\n/gms, '')
      for (const [, target] of text.matchAll(/\]\(([^)#:\s]+)(?:#[\w-]*)?\)/g)) {
        assert.ok(existsSync(join(dirname(document), target!)), `${document}: ${target}`)
      }
    }
  })
})
