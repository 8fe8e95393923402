// Our declarations as plain JSON Schema (2020-12), for the OpenAPI document and for MCP tools alike.
import * as z from 'zod'

type Json = Record<string, unknown>

export const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => describeTuple(jsonSchema as Json),
  })
  return rest
}

/**
 * Zod closes a tuple with `items: false`, which is correct, but strict validators refuse it because they expect a schema
 * there. The length is bounded anyway, so the items can be described instead.
 */
function describeTuple(schema: Json): void {
  if (schema['items'] !== false) return
  const members = schema['prefixItems'] as Json[]
  const kinds = [...new Map(members.map((member) => [JSON.stringify(member), member])).values()]
  schema['items'] = kinds.length === 1 ? kinds[0] : { anyOf: kinds }
}
