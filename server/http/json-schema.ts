// Our declarations as plain JSON Schema (2020-12), for the OpenAPI document and MCP tools.
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
 * Zod closes a tuple with `items: false`. That is correct, but strict validators expect a schema there and reject it. The
 * length is bounded anyway, so the items are described instead.
 */
function describeTuple(schema: Json): void {
  if (schema['items'] !== false) return
  const members = schema['prefixItems'] as Json[]
  const kinds = [...new Map(members.map((member) => [JSON.stringify(member), member])).values()]
  schema['items'] = kinds.length === 1 ? kinds[0] : { anyOf: kinds }
}
