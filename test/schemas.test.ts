// Every published schema avoids constructs that strict validators reject.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApiDocument } from '../server/http/openapi.ts'
import { onSqlite } from './harness.ts'
import { modern } from './mcp/clients.ts'

type Found = [path: string, schema: Record<string, unknown>]

/** Every object in a document, with its path. */
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

test('the OpenAPI documents of both interfaces', () => {
  for (const door of ['v1', 'app'] as const) requireStrictlySound(openApiDocument({ door }))
})

/** Also of a list, and of a value that may be null. */
function integersIn(schema: Record<string, unknown>): Record<string, unknown>[] {
  const inner = [schema['items'], ...((schema['anyOf'] as unknown[]) ?? [])].filter(
    (one) => typeof one === 'object',
  )
  return [
    ...(schema['type'] === 'integer' ? [schema] : []),
    ...inner.flatMap((one) => integersIn(one as Record<string, unknown>)),
  ]
}

test('every id that is a number is declared with 64 bits', () => {
  /** A count, and a number within one response. */
  const noIds =
    /(limits\/properties\/externalIds|Shared(Airport|Map\/properties\/airports\/items)\/properties\/id)$/
  for (const door of ['v1', 'app'] as const) {
    let ids = 0
    for (const [path, schema] of objectsIn(openApiDocument({ door }))) {
      const isParameter = schema['in'] === 'path'
      if (noIds.test(path) || !(isParameter || /\/properties\/(ids?|\w+Ids?)$/.test(path))) continue
      const given = isParameter ? (schema['schema'] as Record<string, unknown>) : schema
      for (const { format } of integersIn(given)) {
        assert.equal(format, 'int64', `${door} ${path}`)
        ids++
      }
    }
    assert.ok(ids > 100, String(ids))
  }
})

test('an export documents the media type of each format', () => {
  const { paths } = openApiDocument({ door: 'v1' }) as {
    paths: Record<string, { get: { responses: Record<string, { content: object }> } }>
  }
  assert.deepEqual(Object.keys(paths['/flights/export']!.get.responses['200']!.content).sort(), [
    'application/geo+json',
    'application/json',
    'application/yaml',
    'text/calendar',
    'text/csv',
  ])
})

test('every response that asks for a later retry has Retry-After', () => {
  for (const door of ['v1', 'app'] as const) {
    const { paths, components } = openApiDocument({ door }) as {
      paths: Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>
      components: { responses: Record<string, { headers?: object }> }
    }
    const used = new Set<string>()
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        for (const status of ['429', '503']) {
          const reference = responses[status]?.$ref
          if (!responses[status]) continue
          assert.ok(reference, `${method} ${path} ${status}`)
          const name = reference.replace('#/components/responses/', '')
          assert.ok(
            'Retry-After' in (components.responses[name]?.headers ?? {}),
            `${method} ${path} ${status}`,
          )
          used.add(name)
        }
      }
    }
    assert.deepEqual(Object.keys(components.responses).sort(), [...used].sort())
    assert.ok(used.has('TooManyRequests'), door)
  }
})

onSqlite('examples', (app) => {
  test('an example with an id shows the record with that id', async () => {
    const key = await (await app().person()).key()
    const { components } = openApiDocument({ door: 'v1' }) as {
      components: { schemas: Record<string, { example?: { id: number } }> }
    }
    const addresses = { Airport: 'airports', Airline: 'airlines', Aircraft: 'aircraft' }
    for (const [name, address] of Object.entries(addresses)) {
      const example = components.schemas[name]?.example
      assert.ok(example, name)
      const reply = await app().request('GET', `/api/v1/${address}/${example.id}`, { key })
      assert.deepEqual(reply.json.data, example)
    }
  })
})

onSqlite('schemas of tools', (app) => {
  test('the list of tools', async () => {
    const owner = await app().person('owner')
    requireStrictlySound((await modern(app(), await owner.key(), 'tools/list')).json.result.tools)
  })
})
