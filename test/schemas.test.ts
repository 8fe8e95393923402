// Every published schema avoids constructs that strict validators reject.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApiDocument } from '../server/http/openapi.ts'
import { onBothEngines } from './harness.ts'
import { modern } from './mcp/clients.ts'

type Found = [path: string, schema: Record<string, unknown>]

/** Every object in a document, with where it stands. */
function* objectsIn(value: unknown, path = ''): Generator<Found> {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>]
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, `${path}/${key}`)
}

function requireStrictlySound(document: unknown): void {
  let lists = 0
  for (const [path, schema] of objectsIn(document)) {
    assert.notEqual(schema['items'], false, `${path}: items is false`)
    if (schema['type'] !== 'array' || path.endsWith('/properties')) continue
    lists++
    assert.equal(typeof schema['items'], 'object', `${path}: a list without items`)
    if (!schema['prefixItems']) continue
    const { length } = schema['prefixItems'] as unknown[]
    assert.deepEqual([schema['minItems'], schema['maxItems']], [length, length], path)
  }
  assert.ok(lists > 0)
}

test('the OpenAPI documents of both doors', () => {
  for (const door of ['v1', 'app'] as const) requireStrictlySound(openApiDocument({ door }))
})

onBothEngines('schemas of tools', (app) => {
  test('the list of tools', async () => {
    const owner = await app().person('owner')
    requireStrictlySound((await modern(app(), await owner.key(), 'tools/list')).json.result.tools)
  })
})
