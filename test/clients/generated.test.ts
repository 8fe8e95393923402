// Clients generated from the OpenAPI document with the generator's default options compile and work: every operation's
// example is written as a call of openapi-fetch, with the types of openapi-typescript.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import type { Operation } from '../../server/door/operation.ts'
import { openApiDocument } from '../../server/http/openapi.ts'
import { operations } from '../../server/operations/index.ts'
import { onSqlite } from '../harness.ts'

const run = promisify(execFile)
const modules = resolve('node_modules')
const offered = operations.filter((op) => (op.door ?? 'v1') === 'v1')

const client = `import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

const client = createClient<paths>({
  baseUrl: \`\${process.env['URL']}/api/v1\`,
  headers: { authorization: \`Bearer \${process.env['KEY']}\` },
})
`

const simplest = `${client}
const { data, error } = await client.POST('/flights', { body: { date: '2026-02-20', fromId: 2542, toId: 3622 } })
if (error) throw new Error(error.error.message)
const { response } = await client.DELETE('/flights/{id}', {
  params: { path: { id: data.data.id }, query: { permanently: true } },
})
console.log(data.data.date, response.status)
`

/** The program in which every statement is one operation's example. */
const program = (ops: readonly Operation[]): string =>
  client +
  ops
    .filter((op) => !op.body?.file || op.body.schema)
    .map(({ method, path, example = {} }) => {
      const { params, query, body } = example
      const given = {
        ...(params || query ? { params: { ...(params && { path: params }), ...(query && { query }) } } : {}),
        ...(body === undefined ? {} : { body }),
      }
      return `await client.${method}(${JSON.stringify(path || '/')}, ${JSON.stringify(given)})\n`
    })
    .join('')

let folder: string
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'generated-client-'))
  symlinkSync(modules, join(folder, 'node_modules'))
  mkdirSync(join(folder, 'src'))
  const types = astToString(await openapiTS(openApiDocument({ door: 'v1' }) as unknown as OpenAPI3))
  writeFileSync(join(folder, 'src/api.d.ts'), types)
  writeFileSync(join(folder, 'src/simplest.ts'), simplest)
  writeFileSync(join(folder, 'src/examples.ts'), program(offered))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2024',
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
})

test('the generated types of every operation accept its example', async () => {
  const tsc = join(modules, '@typescript/native/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error) => error)
  assert.equal(stdout, '')
})

onSqlite('generated clients', (app) => {
  test('generated clients log a flight with the required fields and delete it', async () => {
    const KEY = await (await app().person()).key()
    const { stdout } = await run(process.execPath, [join(folder, 'src/simplest.ts')], {
      env: { ...process.env, URL: app().url, KEY },
    })
    assert.equal(stdout, '2026-02-20 204\n')
  })
})
