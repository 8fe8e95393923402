// How a tool is described to an assistant: name, description, arguments and the outer shape of its result. A model reads all
// of it before every conversation, so it contains only what a call needs (test/mcp/cost.txt).
import * as z from 'zod'
import { isConditionalWrite, isWrite, type Operation } from '../../door/operation.ts'
import { toJsonSchema } from '../json-schema.ts'

type Json = Record<string, unknown>
type Io = 'input' | 'output'

export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: Json & { type: 'object' }
  outputSchema: Json & { type: 'object' }
  annotations: {
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint?: true
    openWorldHint: boolean
  }
}

export const toolName = (op: Operation): string => op.tool?.name ?? op.id.replaceAll('-', '_')

/** An argument of tools that change a flight, in place of the header `If-Match`. */
export const Versioned = z.object({
  ifVersion: z.int().min(1).optional().describe('The version you read; refused if it has changed since.'),
})

/** A reference and a name are enough to change a booking, so a model sees references only on request. */
export const INCLUDE_BOOKING = 'includeBooking'

/** An argument of tools that read flights. */
export const DETAIL = 'detail'
export const detailLevels = ['short', 'full'] as const

/** A single requested flight is shown in full; lists and results of writes are short. */
export const takesDetail = (op: Operation): boolean => op.tool?.lines !== undefined && !isWrite(op)
export const usualDetail = ({ tool }: Operation): (typeof detailLevels)[number] =>
  tool?.lines?.includes('data') ? 'full' : 'short'

const detailSchema = (op: Operation): Json => ({
  type: 'string',
  enum: detailLevels,
  description:
    usualDetail(op) === 'short'
      ? 'short (default): one line per flight; full: all fields.'
      : 'full (default): all fields; short: one line.',
})

/** The confirmation of a tool whose operation returns nothing. */
export const confirmationWord = (op: Operation) => (op.method === 'DELETE' ? 'deleted' : 'done')

export function describeTool(op: Operation, describedBy: Operation | undefined): Tool {
  const { title, destructive = op.method === 'DELETE' } = op.tool!
  const readOnly = !isWrite(op)
  return {
    name: toolName(op),
    title,
    description: op.tool!.description ?? [op.summary, op.description].filter(Boolean).join('. '),
    inputSchema: describedBy ? withoutSame(inputSchema(op), inputSchema(describedBy)) : inputSchema(op),
    outputSchema: op.status === 204 ? confirmationSchema(op) : outputSchema(op),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: !readOnly && destructive,
      // Meaningless for read-only tools; clients assume false if it is absent.
      ...(!readOnly && op.method !== 'POST' ? { idempotentHint: true as const } : {}),
      openWorldHint: false,
    },
  }
}

function confirmationSchema(op: Operation): Tool['outputSchema'] {
  const all = { data: { type: 'object' }, ...changeSchema(op) }
  return { type: 'object', properties: all, required: Object.keys(all) }
}

/** Whether the result has the `changeId` by which the change of a flight can be undone. */
export const writesFlight = (op: Operation): boolean =>
  isConditionalWrite(op) || (isWrite(op) && op.tool!.lines?.includes('data') === true)

const changeSchema = (op: Operation): Json =>
  writesFlight(op) ? { changeId: { type: ['integer', 'null'] } } : {}

function inputSchema(op: Operation): Tool['inputSchema'] {
  const properties: Json = {}
  const required: string[] = []
  for (const part of [op.params, op.query, isConditionalWrite(op) ? Versioned : undefined, op.body?.schema]) {
    if (!part) continue
    const schema = inlined(schemaOf(part, 'input'))
    Object.assign(
      properties,
      part === op.query ? mapped(schema['properties'] as Json, oneValue) : schema['properties'],
    )
    required.push(...((schema['required'] as string[] | undefined) ?? []))
  }
  const { without = [], unlisted = [], always = {} } = op.tool!
  for (const name of [...without, ...unlisted, ...Object.keys(always)]) delete properties[name]
  for (const name of op.tool?.shallow ?? []) properties[name] = shallow(properties[name] as Json)
  if (op.tool?.showsBookings) properties[INCLUDE_BOOKING] = { type: 'boolean' }
  if (takesDetail(op)) properties[DETAIL] = detailSchema(op)
  const named = (name: string) => op.tool?.names?.[name] ?? name
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [named(name), value])),
    ...(required.length ? { required: required.map(named) } : {}),
    additionalProperties: false,
  }
}

/** Drops descriptions that another tool has for the same argument. */
function withoutSame(schema: Tool['inputSchema'], other: Tool['inputSchema']): Tool['inputSchema'] {
  const known = other['properties'] as Record<string, Json>
  const properties = Object.entries(schema['properties'] as Record<string, Json>).map(([name, value]) => {
    const { description, ...rest } = value
    return [name, description === known[name]?.['description'] ? rest : value]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

const shallow = ({ type, description, items }: Json): Json => ({
  type,
  description,
  ...(type === 'array' ? { items: { type: (items as Json)['type'] } } : {}),
})

const mapped = (properties: Json, map: (value: Json) => Json): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, map(value as Json)]))

/** A query parameter that may be repeated is described with one value, which is shorter. */
function oneValue(schema: Json): Json {
  if (schema['type'] !== 'array') return schema
  return { ...(schema['items'] as Json), description: schema['description'] }
}

/**
 * The outer shape of a result: its members, each an object, a list or a value. A model sees the fields in the result itself;
 * describing all of them made up two thirds of the list of tools, which every conversation pays for.
 */
function outputSchema(op: Operation): Tool['outputSchema'] {
  const { properties = {}, required = [], $defs } = schemaOf(op.output, 'output') as Described
  const shown = Object.entries(properties).map(([name, inner]) => [name, kindOf(inner, $defs)])
  const change = 'changeId' in properties ? {} : changeSchema(op)
  return {
    type: 'object',
    properties: { ...Object.fromEntries(shown), ...change },
    required: [...required, ...Object.keys(change)],
  }
}

interface Described {
  properties?: Record<string, Json>
  required?: string[]
  $defs?: Record<string, Json>
}

function kindOf(schema: Json, definitions: Described['$defs'] = {}): Json {
  const { $ref: reference, ...own } = schema
  const {
    type,
    anyOf: choices,
    items,
  } = typeof reference === 'string' ? definitions[nameIn(reference)]! : own
  if (Array.isArray(choices))
    return { type: [...new Set(choices.flatMap((choice) => kindOf(choice, definitions)['type']))] }
  // Strict validators reject an array without `items`.
  return type === 'array' ? { type, items: kindOf(items as Json, definitions) } : { type }
}

const nameIn = (reference: string) => reference.replace('#/$defs/', '')

const schemaOf = (schema: z.ZodType, io: Io): Json => rooted(tidied(toJsonSchema(schema, io), io) as Json)

/** A named schema is only a reference; clients look for `type` at the top level. */
function rooted(schema: Json): Json {
  const { $ref: reference, $defs: definitions = {}, ...own } = schema as { $ref?: string; $defs?: Json }
  if (reference === undefined) return schema
  const { [nameIn(reference)]: target, ...others } = definitions as Record<string, Json>
  return { ...target, ...own, ...(Object.keys(others).length ? { $defs: others } : {}) }
}

/** Inlines references in arguments: several clients read only `properties`. */
function inlined(schema: Json): Json {
  const { $defs: definitions = {}, ...rest } = schema as { $defs?: Record<string, Json> }
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (!isObject(value)) return value
    const { $ref: reference, ...own } = value
    const target = typeof reference === 'string' ? definitions[nameIn(reference)] : undefined
    const entries = Object.entries({ ...target, ...own })
    return Object.fromEntries(entries.map(([key, inner]) => [key, visit(inner)]))
  }
  return visit(rest) as Json
}

const textOnly = new Set(['pattern', 'format', 'minLength', 'maxLength'])

/** Plain JSON Schema: our own annotations are translated, and numbers have no keywords for strings. */
function tidied(value: unknown, io: Io, isSchema = true): unknown {
  if (Array.isArray(value)) return value.map((item) => tidied(item, io, isSchema))
  if (!isObject(value)) return value
  const isText = value['type'] === 'string' || value['type'] === undefined
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (!isSchema) return [[key, tidied(inner, io)]]
    if (key === 'id' && typeof inner === 'string') return []
    if (key === 'example') return [['examples', [inner]]]
    if (['default', 'const', 'enum', 'examples'].includes(key)) return [[key, inner]]
    if (textOnly.has(key) && !isText) return []
    if (Math.abs(inner as number) === Number.MAX_SAFE_INTEGER) return []
    // Inside these, keys are names and not keywords.
    return [[key, tidied(inner, io, !['properties', '$defs', 'patternProperties'].includes(key))]]
  })
  const all = Object.fromEntries(entries)
  return isSchema ? withoutNeedless(mergedNull(all), io) : all
}

/** Merges `anyOf` of a type and null into one `type` list. */
function mergedNull(schema: Json): Json {
  const { anyOf: choices, ...own } = schema
  if (!Array.isArray(choices) || choices.length !== 2) return schema
  const [some, none] = choices as [Json, Json]
  if (none['type'] !== 'null' || typeof some['type'] !== 'string') return schema
  const values = some['enum']
  return {
    ...some,
    ...own,
    type: [some['type'], 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  }
}

/** Drops keywords that a model does not need: it reads the schema before every conversation. */
function withoutNeedless(schema: Json, io: Io): Json {
  const { items } = schema
  const needless = (key: string, value: unknown): boolean => {
    const empty = isObject(value) && Object.keys(value).length === 0
    if (key === 'default')
      return value === null || value === false || empty || (Array.isArray(value) && value.length === 0)
    if (key === 'additionalProperties') return empty || io === 'output'
    if (key === 'propertyNames' || key === 'examples') return true
    // A model sees the result itself.
    if (key === 'description' || key === 'enum') return io === 'output'
    // Models rarely write empty or very long texts, or ids below 1; if they do, the server explains the error.
    if (['minLength', 'maxLength', 'minItems', 'pattern'].includes(key)) return true
    if (key === 'exclusiveMinimum') return value === 0
    if (key === 'minimum') return value === 1 && schema['maximum'] === undefined
    if (key === 'maxItems') return (value as number) >= 200
    // Clients validate results with the schema, and RFC 3339's date-time is narrower than our stored times.
    if (key === 'format') return io === 'output'
    return key === 'prefixItems' && isObject(items) && items['anyOf'] === undefined
  }
  return Object.fromEntries(Object.entries(schema).filter(([key, value]) => !needless(key, value)))
}

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
