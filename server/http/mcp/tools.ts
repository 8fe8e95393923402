// Operations as tools for AI assistants: how they are described and how a call passes the door. Independent of the
// protocol's transport.
import * as z from 'zod'
import type { Principal } from '../../auth/principal.ts'
import { AppError, detail } from '../../base/errors.ts'
import { check, toDetail } from '../../base/validation.ts'
import { type Condition, versionCondition } from '../../domain/conditions.ts'
import { problem } from '../../domain/reasons.ts'
import { nearestName } from '../../domain/spelling.ts'
import {
  isConditionalWrite,
  isWrite,
  type Operation,
  open,
  type RawInput,
  requireAccess,
  type Services,
} from '../../operation.ts'
import { operations } from '../../operations/index.ts'
import { toJsonSchema } from '../json-schema.ts'

type Json = Record<string, unknown>
type Io = 'input' | 'output'

interface Tool {
  name: string
  title: string
  description: string
  inputSchema: Json & { type: 'object' }
  outputSchema: Json & { type: 'object' }
  annotations: {
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}

/** What a tool call returns: the same value for programs and, as text, for models. */
interface ToolResult extends Json {
  content: { type: 'text'; text: string }[]
  structuredContent?: Json
  isError?: boolean
}

interface Entry {
  op: Operation
  tool: Tool
}

export const toolName = (op: Operation): string => op.tool?.name ?? op.id.replaceAll('-', '_')

export const findTool = (name: string): Operation | undefined => tools.get(name)?.op

/** The tools that this credential and this role can use, always in the same order; `all` with those for programs. */
export const listTools = (principal: Principal, all = false): Tool[] =>
  [...tools.values()]
    .filter(({ op }) => (all || !op.tool!.isForPrograms) && mayCall(op, principal))
    .map(({ tool }) => tool)

export function mayCall(op: Operation, principal: Principal): boolean {
  try {
    requireAccess(op, principal)
    return true
  } catch {
    return false
  }
}

/**
 * Calls an operation with flat arguments. Throws what the door throws, and what `takeRoom` throws when the result is too
 * large; the caller decides how it is reported.
 */
export async function callTool(
  op: Operation,
  services: Services,
  principal: Principal,
  given: Json,
  takeRoom: (bytes: number) => void,
): Promise<ToolResult> {
  requireAccess(op, principal)
  requireKnownArguments(op, given)
  const { [INCLUDE_BOOKING]: includeBooking, ...own } = given
  requireFlag(includeBooking)
  const raw = spread(op, { ...own, ...op.tool!.always })
  const opened = await open(op, services, principal, raw).catch((error) => {
    throw withPaths(error, op, raw)
  })
  const output = await opened.value()
  const result = op.status === 204 ? confirmation(op, raw) : withQuotes(op, output)
  return toolResult(includeBooking === true ? JSON.stringify(result) : withoutBookings(result), takeRoom)
}

/** Names what is quoted text, where a result has some. */
const withQuotes = ({ tool }: Operation, output: unknown): unknown =>
  tool!.quotes ? { ...(output as Json), userText: tool!.quotes } : output

/** A reference with a name is enough to change a booking, so a model sees it only if it asks. */
const INCLUDE_BOOKING = 'includeBooking'

function requireFlag(value: unknown): void {
  if (value === undefined || value === null || typeof value === 'boolean') return
  throw new AppError('bad_request', 'invalid_arguments', {
    details: [detail([INCLUDE_BOOKING], 'not_a_boolean', 'invalid_type')],
  })
}

/** As JSON, without the booking reference and the price of any flight in it. */
export const withoutBookings = (value: unknown): string =>
  JSON.stringify(value, function (this: Json, key: string, inner: unknown) {
    const isOfFlight = 'outcome' in this || Array.isArray(inner)
    const isHidden = (key === 'bookingReference' || key === 'price') && isOfFlight
    return isHidden ? undefined : inner
  })

function toolResult(text: string, takeRoom: (bytes: number) => void): ToolResult {
  takeRoom(Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text)))
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) as Json }
}

const ERROR_CHARACTERS_AT_MOST = 20_000

/**
 * Where a tool's error has its code, reason and parameters for programs. They are not its structured content, which clients
 * check against the tool's output schema even in an error.
 */
const ERROR_KEY = 'contrail/error'

/** An error as text that a model can act on, cut if it lists very many problems. */
export function toolError(error: AppError): ToolResult {
  const details = error.details?.map(({ path, message }) =>
    path.length ? `- ${path.join('.')}: ${message}` : `- ${message}`,
  )
  const text = [error.message, ...(details ?? [])].join('\n').slice(0, ERROR_CHARACTERS_AT_MOST)
  return { content: [{ type: 'text', text }], isError: true, _meta: { [ERROR_KEY]: error.body.error } }
}

// Arguments

const UNKNOWN_SHOWN = 20

/** Ignoring a misspelt argument silently would lose what the user said. */
function requireKnownArguments(op: Operation, given: Json): void {
  const known = Object.keys(tools.get(toolName(op))!.tool.inputSchema['properties'] as Json)
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const named = unknown.slice(0, UNKNOWN_SHOWN).map((name) => {
    const near = nearestName(name, known)
    return near === undefined ? name : `${name} (did you mean ${near}?)`
  })
  throw new AppError('bad_request', problem('unknown_argument', { named, known }))
}

/** Puts flat arguments where the operation expects them; parameters of an address are text. */
function spread(op: Operation, given: Json): RawInput {
  const address = (shape: Record<string, unknown> | undefined) =>
    Object.fromEntries(
      Object.keys(shape ?? {}).flatMap((name) => {
        const value = given[name]
        return value === undefined || value === null ? [] : [[name, asText(value)]]
      }),
    )
  const { ifVersion, ...others } = isConditionalWrite(op) ? given : { ...given, ifVersion: undefined }
  const taken = new Set([...Object.keys(op.params?.shape ?? {}), ...Object.keys(op.query?.shape ?? {})])
  return {
    params: address(op.params?.shape),
    query: address(op.query?.shape),
    body: Object.fromEntries(Object.entries(others).filter(([name]) => !taken.has(name))),
    condition: conditionOf(given['id'], ifVersion),
  }
}

/** Offered by tools that change a flight, in place of the header `If-Match`. */
const Versioned = z.object({
  ifVersion: z.int().min(1).optional().describe('The version you read; refused if it has changed since.'),
})

function conditionOf(flightId: unknown, ifVersion: unknown): Condition | undefined {
  const checked = check(Versioned, { ifVersion: ifVersion ?? undefined })
  if ('issues' in checked) {
    throw new AppError('bad_request', 'invalid_arguments', { details: checked.issues.map(toDetail) })
  }
  const version = checked.data.ifVersion
  return version === undefined ? undefined : versionCondition(Number(flightId), version)
}

const asText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value

/** REST reports only the first problem of an address; a model needs to know which argument is meant. */
function withPaths(error: unknown, op: Operation, raw: RawInput): unknown {
  if (!(error instanceof AppError) || error.code !== 'bad_request' || error.details) return error
  const found = [op.params && check(op.params, raw.params), op.query && check(op.query, raw.query)]
  const details = found.flatMap((checked) =>
    checked && 'issues' in checked ? checked.issues.map(toDetail) : [],
  )
  return details.length ? new AppError('bad_request', 'invalid_arguments', { details }) : error
}

// The result of a tool whose operation returns nothing

const confirmationWord = (op: Operation) => (op.method === 'DELETE' ? 'deleted' : 'done')

const confirmation = (op: Operation, raw: RawInput): Json => ({
  ...(op.params?.parse(raw.params) as Json | undefined),
  [confirmationWord(op)]: true,
  ...(op.tool?.note ? { note: op.tool.note } : {}),
})

function confirmationSchema(op: Operation): Tool['outputSchema'] {
  const { properties = {} } = op.params ? schemaOf(op.params, 'input') : {}
  const all = {
    ...(properties as Json),
    [confirmationWord(op)]: { type: 'boolean', const: true },
    ...(op.tool?.note ? { note: { type: 'string' } } : {}),
  }
  return { type: 'object', properties: all, required: Object.keys(all), additionalProperties: false }
}

// Schemas

function describeTool(op: Operation): Tool {
  const { title, destructive = op.method === 'DELETE' } = op.tool!
  const readOnly = !isWrite(op)
  return {
    name: toolName(op),
    title,
    description: op.tool!.description ?? [op.summary, op.description].filter(Boolean).join('. '),
    inputSchema: inputSchema(op),
    outputSchema: op.status === 204 ? confirmationSchema(op) : outputSchema(op),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: !readOnly && destructive,
      idempotentHint: readOnly || op.method !== 'POST',
      openWorldHint: false,
    },
  }
}

function inputSchema(op: Operation): Tool['inputSchema'] {
  const properties: Json = {}
  const required: string[] = []
  for (const part of [op.params, op.query, isConditionalWrite(op) ? Versioned : undefined, op.body]) {
    if (!part) continue
    const schema = inlined(schemaOf(part, 'input'))
    Object.assign(
      properties,
      part === op.query ? mapped(schema['properties'] as Json, oneValue) : schema['properties'],
    )
    required.push(...((schema['required'] as string[] | undefined) ?? []))
  }
  for (const name of [...(op.tool?.without ?? []), ...Object.keys(op.tool?.always ?? {})])
    delete properties[name]
  for (const name of op.tool?.shallow ?? []) properties[name] = shallow(properties[name] as Json)
  if (op.tool?.showsBookings) properties[INCLUDE_BOOKING] = { type: 'boolean' }
  return {
    type: 'object',
    properties,
    ...(required.length ? { required } : {}),
    additionalProperties: false,
  }
}

const shallow = ({ type, description }: Json): Json => ({ type, description })

const mapped = (properties: Json, map: (value: Json) => Json): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, map(value as Json)]))

/** A parameter that may be repeated in an address: an assistant gives one value, which is shorter to describe. */
function oneValue(schema: Json): Json {
  if (schema['type'] !== 'array') return schema
  return { ...(schema['items'] as Json), description: schema['description'] }
}

/**
 * The outer shape of a result: its members, and whether each is an object, a list or a value. A model sees the fields in the
 * result; describing them all made up two thirds of the list of tools, which every conversation pays for.
 */
function outputSchema(op: Operation): Tool['outputSchema'] {
  const { properties = {}, required, $defs } = schemaOf(op.output, 'output') as Described
  const shown = Object.entries(properties).map(([name, inner]) => [name, kindOf(inner, $defs)])
  const quoted = op.tool!.quotes ? { userText: { type: 'array', items: { type: 'string' } } } : {}
  return { type: 'object', properties: { ...Object.fromEntries(shown), ...quoted }, required }
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
    items,
    anyOf: choices,
  } = typeof reference === 'string' ? definitions[nameIn(reference)]! : own
  if (Array.isArray(choices)) return { type: choices.map((choice) => kindOf(choice, definitions)['type']) }
  return type === 'array' ? { type, items: kindOf(items as Json, definitions) } : { type }
}

const nameIn = (reference: string) => reference.replace('#/$defs/', '')

const schemaOf = (schema: z.ZodType, io: Io): Json => rooted(tidied(toJsonSchema(schema, io), io) as Json)

/** A named schema is only a reference; readers look for `type` at the top. */
function rooted(schema: Json): Json {
  const { $ref: reference, $defs: definitions = {}, ...own } = schema as { $ref?: string; $defs?: Json }
  if (reference === undefined) return schema
  const { [nameIn(reference)]: target, ...others } = definitions as Record<string, Json>
  return { ...target, ...own, ...(Object.keys(others).length ? { $defs: others } : {}) }
}

/** Several clients read `properties` only: what a model must write is inlined, not behind a reference. */
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

/** Plain JSON Schema: our own annotations in its terms, and no text rules on what is shown as a number. */
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
    // Below these the keys are names, not keywords.
    return [[key, tidied(inner, io, !['properties', '$defs', 'patternProperties'].includes(key))]]
  })
  const all = Object.fromEntries(entries)
  return isSchema ? withoutNeedless(mergedNull(all), io) : all
}

/** `anyOf` a type and null is that type or null. */
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

/** The same in fewer words: a model reads all of it before every conversation. */
function withoutNeedless(schema: Json, io: Io): Json {
  const { format, items } = schema
  const needless = (key: string, value: unknown): boolean => {
    const empty = isObject(value) && Object.keys(value).length === 0
    if (key === 'default') return value === null || empty || (Array.isArray(value) && value.length === 0)
    if (key === 'additionalProperties') return empty || io === 'output'
    if (key === 'propertyNames' || key === 'examples') return true
    // A model sees the results themselves.
    if (key === 'description' || key === 'enum') return io === 'output'
    // A model writes no empty and no very long text here, and no id below 1; the server refuses them.
    if (key === 'minLength') return value === 1
    if (key === 'exclusiveMinimum') return value === 0
    if (key === 'maxLength' || key === 'maxItems') return (value as number) >= 200
    // Clients validate results with the schema, and RFC 3339's date-time is narrower than what may be stored.
    if (key === 'format') return io === 'output'
    if (key === 'pattern') return format !== undefined
    return key === 'prefixItems' && isObject(items) && items['anyOf'] === undefined
  }
  return Object.fromEntries(Object.entries(schema).filter(([key, value]) => !needless(key, value)))
}

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

// At the end, because describing a tool uses constants from all of this file.
const tools: ReadonlyMap<string, Entry> = new Map(
  operations.filter((op) => op.tool).map((op) => [toolName(op), { op, tool: describeTool(op) }]),
)
