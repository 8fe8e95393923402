// The OpenAPI 3.1 document of a door, generated from the operation registry.

import { stringify } from 'yaml'
import type * as z from 'zod'
import {
  AppError,
  detail,
  type ErrorCode,
  errorStatus,
  insufficientScope,
  justDeleted,
  notFound,
  preconditionFailed,
  preconditionRequired,
  resyncRequired,
  tooLarge,
  Unavailable,
} from '../base/errors.ts'
import { bodySizes } from '../base/request/body-sizes.ts'
import { type Scope, scopeDescription, scopes } from '../domain/access/access.ts'
import { problem } from '../domain/reasons.ts'
import { webhookEvents } from '../domain/webhooks/webhooks.ts'
import { isConditionalWrite, isOffered, isWrite, type Operation } from '../door/operation.ts'
import { operations } from '../operations/index.ts'
import { webhookBodies, webhookSummaries } from '../operations/webhooks/events.ts'
import { toJsonSchema } from './json-schema.ts'

type Json = Record<string, unknown>

interface DocumentOptions {
  door: 'v1' | 'app'
  /** The instance's address; without it, server URLs are relative. */
  origin?: string
}

export function openApiDocument({ door, origin = '' }: DocumentOptions): Json {
  const components: Json = {}
  const paths: Record<string, Json> = {}
  const offered = operations.filter((op) => isOffered(op, door))
  for (const op of offered) {
    const path = op.path || '/'
    paths[path] ??= {}
    paths[path][op.method.toLowerCase()] = describe(op, door, components)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: door === 'v1' ? 'Contrail API' : 'Contrail web app API',
      version: '1.0.0',
      description:
        door === 'v1'
          ? 'Personal flight logs. Every request except discovery needs a bearer credential: an API key or an OAuth access token.'
          : 'The API of the web app: every v1 operation and those that need a signed-in person, authenticated by session cookie.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${origin}${door === 'v1' ? '/api/v1' : '/app/api'}` }],
    tags: [...new Set(offered.map((op) => op.tag))].map((name) => ({
      name,
      description: tagDescriptions[name] ?? name,
    })),
    paths,
    ...(door === 'v1' ? { webhooks: describeWebhooks(components) } : {}),
    components: {
      schemas: { ...sorted(components), Error: errorSchema(offered) },
      responses: sharedResponses(offered),
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key or an OAuth access token. Scopes: ${scopes.map((scope) => `\`${scope}\` (${scopeDescription(scope)})`).join('; ')}.`,
        },
        ...(door === 'app' ? { session: { type: 'apiKey', in: 'cookie', name: 'contrail' } } : {}),
      },
    },
  }
}

export const openApiYaml = (options: DocumentOptions): string =>
  stringify(openApiDocument(options), { lineWidth: 0, aliasDuplicateObjects: false })

const tagDescriptions: Record<string, string> = {
  Discovery: 'Versions, authentication and scopes.',
  Flights: 'The flight log.',
  History: 'Who changed flights, and undo.',
  Imports: 'Files of other programs, from the first look to the log and back.',
  'Reference data': 'Airports, airlines and aircraft types.',
  'Personal data': 'The caller’s own profile, preferences, countries and shares.',
  Administration: 'People, roles, shared fields and reference data.',
  Webhooks: 'Changes of flights, sent to your own programs.',
  Account: 'Sign-in, API keys and sessions.',
}

function describe(op: Operation, door: 'v1' | 'app', components: Json): Json {
  const { access } = op
  const needed: readonly Scope[] = access.who === 'credential with' ? access.scopes : []
  const conditional = access.who === 'credential with' ? access.conditional : []
  const scheme = door === 'v1' ? 'bearerAuth' : 'session'
  return {
    operationId: `api-${door}-${op.id}`,
    tags: [op.tag],
    summary: op.summary,
    ...described(op, door),
    security: access.who === 'everyone' ? [] : [{ [scheme]: door === 'v1' ? needed : [] }],
    ...(conditional.length ? { 'x-conditional-scopes': conditional } : {}),
    ...parameters(op, components),
    ...requestBody(op, components),
    responses: { ...success(op, door, components), ...failures(op) },
  }
}

/** Only the web app has to confirm who the person is. */
function described({ description, confirms }: Operation, door: 'v1' | 'app'): Json {
  const proof =
    confirms === undefined || door === 'v1'
      ? []
      : [`${confirms === true ? 'Only' : 'In part only'} within five minutes of signing in or confirming.`]
  const texts = [...(description ? [description] : []), ...proof]
  return texts.length > 0 ? { description: texts.join(' ') } : {}
}

/** The requests that the server sends to webhooks. */
const describeWebhooks = (components: Json): Json =>
  Object.fromEntries(
    webhookEvents.map((event) => {
      const schema = jsonSchema(webhookBodies[event], 'output', components)
      const post = {
        operationId: `webhook-${event.replace('.', '-')}`,
        tags: ['Webhooks'],
        summary: webhookSummaries[event],
        description: 'A message of Standard Webhooks 1: verify its signature before you use it.',
        security: [],
        parameters: webhookHeaders.map(([name, description]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
        })),
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {
          '2XX': { description: 'Received. The body is ignored.' },
          410: { description: 'The receiver no longer exists: the webhook is disabled.' },
          '4XX': {
            description: 'Sent again later, as every other status and no response within 15 seconds.',
          },
        },
      }
      return [event, { post }]
    }),
  )

const webhookHeaders = [
  ['webhook-id', 'The same for every attempt to deliver this message.'],
  ['webhook-timestamp', 'When this attempt was made, in Unix seconds.'],
  [
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; several, separated by blanks, after the secret was rotated.',
  ],
] as const

function parameters(op: Operation, components: Json): Json {
  const all = [
    ...Object.entries<z.ZodType>(op.params?.shape ?? {}).map(([name, schema]) =>
      parameter('path', name, schema, components, op.example?.params?.[name]),
    ),
    ...Object.entries<z.ZodType>(op.query?.shape ?? {}).map(([name, schema]) =>
      parameter('query', name, schema, components, op.example?.query?.[name]),
    ),
    ...(keepsResponses(op) ? [idempotencyKey] : []),
    ...conditionParameters(op),
  ]
  return all.length ? { parameters: all } : {}
}

/** Whether a request with an idempotency key gets the response of the first one. */
const keepsResponses = (op: Operation): boolean =>
  op.method === 'POST' && isWrite(op) && (op.door ?? 'v1') === 'v1' && !op.returnsSecret

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text that is new for each request. For 24 hours, a repeat with the same key and body gets the first response again, with the header `Idempotency-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[ -~]+$' },
}

const isConditionalRead = (op: Operation): boolean => op.target?.conditional === true && op.method === 'GET'

function conditionParameters(op: Operation): Json[] {
  const header = (name: string, description: string) => [
    { name, in: 'header', required: false, description, schema: { type: 'string' } },
  ]
  if (isConditionalRead(op)) return header('If-None-Match', 'ETags that are known: 304 if nothing changed.')
  if (!isConditionalWrite(op)) return []
  return header(
    'If-Match',
    'ETags, or `*`: the change is made only if the flight has one of them. Weak ones match nothing. Required if the instance says so (428).',
  )
}

function parameter(
  place: 'path' | 'query',
  name: string,
  schema: z.ZodType,
  components: Json,
  example: unknown,
): Json {
  const { description, pattern, ...rest } = jsonSchema(schema, 'parameter', components)
  const absent = schema.safeParse(undefined)
  return {
    name,
    in: place,
    required: place === 'path' || !absent.success,
    ...(description ? { description } : {}),
    ...(example === undefined ? {} : { example }),
    schema: {
      ...rest,
      // A number in an address is validated as text but documented as a number.
      ...(pattern !== undefined && rest['type'] !== 'integer' ? { pattern } : {}),
      ...(absent.data !== undefined ? { default: absent.data } : {}),
    },
  }
}

function requestBody(op: Operation, components: Json): Json {
  if (!op.body) return {}
  const { schema: declared, optional, mediaTypes = ['application/json'], file } = op.body
  const files = Object.fromEntries((file?.mediaTypes ?? []).map((type) => [type, {}]))
  if (!declared) return { requestBody: { required: true, content: files } }
  const schema = jsonSchema(declared, 'body', components)
  const example = op.example?.body === undefined ? {} : { example: op.example.body }
  return {
    requestBody: {
      required: !optional,
      content: { ...Object.fromEntries(mediaTypes.map((type) => [type, { schema, ...example }])), ...files },
    },
  }
}

/** A link to the created resource: the GET operation at the address in `Location`. */
function links(op: Operation, door: 'v1' | 'app'): Json {
  const address = op.location?.({ data: { id: '{id}' } })
  const found = operations.find((other) => other.method === 'GET' && other.path === address)
  if (!found) return {}
  const link = { operationId: `api-${door}-${found.id}`, parameters: { id: '$response.body#/data/id' } }
  return { links: { read: link } }
}

function success(op: Operation, door: 'v1' | 'app', components: Json): Json {
  const status = op.status ?? 200
  if (status === 204) return { 204: { description: 'Done.' } }
  const headers = {
    ...(op.location ? { Location: locationHeader } : {}),
    ...(op.cached?.key || op.target?.conditional
      ? {
          ETag: {
            description: op.target?.conditional
              ? 'The version of the flight, for If-None-Match and If-Match. The same for every reader.'
              : 'Send it as If-None-Match to get 304 if nothing changed.',
            schema: { type: 'string' },
          },
        }
      : {}),
  }
  const content = Object.fromEntries(
    mediaTypesOf(op, status).map((type) => [type, contentOf(op, type, components)]),
  )
  return {
    [status]: {
      description: status === 201 ? 'Created.' : 'OK.',
      ...(Object.keys(headers).length ? { headers } : {}),
      content,
      ...links(op, door),
    },
    ...(op.otherStatuses?.includes(201)
      ? { 201: { description: 'Created.', headers: { ...headers, Location: locationHeader }, content } }
      : {}),
    ...(op.cached?.key || isConditionalRead(op) ? { 304: { description: 'Not modified.' } } : {}),
  }
}

/** The media types that are documented for a response of an operation. */
export function mediaTypesOf(op: Operation, status: number): readonly string[] {
  if (status === 204 || status === 302 || status === 304) return []
  if (status >= 400) return ['application/json']
  return op.sends?.mediaTypes?.map((type) => type.split(';')[0]!) ?? ['application/json']
}

function contentOf(op: Operation, type: string, components: Json): Json {
  if (type === 'application/json') return { schema: jsonSchema(op.output, 'output', components) }
  const isText = type.startsWith('text/') || type === 'application/yaml' || type.endsWith('json')
  return isText ? { schema: { type: 'string' } } : {}
}

const locationHeader: Json = { description: 'URL of the created resource.', schema: { type: 'string' } }

const errorTexts: Partial<Record<ErrorCode, string>> = {
  bad_request: 'A path or query parameter is not valid.',
  invalid_json: 'The body is not valid JSON.',
  unauthorized: 'The credential is missing, invalid or expired.',
  forbidden:
    'The role does not permit this (`forbidden`) or the credential lacks a scope (`insufficient_scope`).',
  not_found: 'The resource does not exist or is not visible to you.',
  conflict: 'The request conflicts with existing data.',
  gone: 'The token is too old or from before a restore: call again without `since`.',
  precondition_failed: 'The flight is not in the state that If-Match requires. ETag has its current one.',
  payload_too_large: 'The body is too large.',
  validation_failed: 'The body is not valid; `details` lists the fields.',
  precondition_required: 'This instance requires If-Match.',
  too_many_requests:
    'Too many attempts. The request may be repeated after the seconds in Retry-After; a refused one does not count.',
  internal_error: 'An internal error occurred.',
  unavailable:
    'The database cannot be reached or the disk is full. Retry after the number of seconds in Retry-After. If it is unknown whether a write succeeded, the message says so.',
}

/** Every error an operation can return. */
function errorsOf(op: Operation): ErrorCode[] {
  const codes: ErrorCode[] = []
  if (op.params || op.query) codes.push('bad_request')
  if (op.body?.schema) codes.push('invalid_json')
  if (op.access.who !== 'everyone') codes.push('unauthorized', 'forbidden')
  // The web app's door refuses requests from other sites.
  else if (isWrite(op)) codes.push('forbidden')
  // A record that a write refers to may be deleted concurrently.
  if (isWrite(op) && op.method !== 'DELETE') codes.push('conflict')
  if (op.body) codes.push('payload_too_large', 'validation_failed')
  // The number of large bodies that are received concurrently is limited.
  if (bodySizes[op.body?.size ?? 'usual'].bytes > bodySizes.long.bytes) codes.push('too_many_requests')
  // Without a credential, a large body is refused even if nothing reads it.
  else if (op.access.who === 'everyone' && op.method !== 'GET') codes.push('payload_too_large')
  // The key is not valid, or was used for another request.
  if (keepsResponses(op)) codes.push('bad_request', 'validation_failed')
  if (isConditionalWrite(op)) codes.push('precondition_failed', 'precondition_required')
  codes.push(...(op.errors ?? []), 'internal_error', 'unavailable')
  return [...new Set(codes)]
}

/** Every status that is documented for an operation. */
export const statusesOf = (op: Operation): ReadonlySet<number> =>
  new Set([
    op.status ?? 200,
    ...(op.cached?.key || isConditionalRead(op) ? [304] : []),
    ...(op.otherStatuses ?? []),
    ...errorsOf(op).map((code) => errorStatus[code]),
  ])

function failures(op: Operation): Json {
  const byStatus: Json = {}
  for (const code of errorsOf(op)) {
    const status = errorStatus[code]
    const name = retryLater[code]
    if (name !== undefined) {
      byStatus[status] = { $ref: `#/components/responses/${name}` }
      continue
    }
    const text = errorTexts[code] ?? code
    const before = byStatus[status] as { description: string } | undefined
    byStatus[status] = errorResponse(code, before ? `${before.description} ${text}` : text)
  }
  return byStatus
}

const errorResponse = (code: ErrorCode, description: string): Json => ({
  description,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      example: exampleErrors[code].body,
    },
  },
})

/** An example error for each code. */
const exampleErrors: Record<ErrorCode, AppError> = {
  bad_request: new AppError('bad_request', 'id_not_positive'),
  invalid_json: new AppError('invalid_json', 'invalid_json'),
  unauthorized: new AppError('unauthorized', 'unauthorized'),
  forbidden: new AppError('forbidden', 'forbidden'),
  insufficient_scope: insufficientScope('flight.read.own'),
  not_found: notFound('Flight'),
  method_not_allowed: new AppError('method_not_allowed', problem('method_not_allowed', { method: 'PATCH' })),
  conflict: justDeleted(),
  gone: resyncRequired(),
  precondition_failed: preconditionFailed('version_changed', undefined),
  payload_too_large: tooLarge(65_536),
  validation_failed: new AppError('validation_failed', 'validation_failed', {
    details: [detail(['note'], problem('too_long', { max: 10_000 }), 'too_big')],
  }),
  precondition_required: preconditionRequired(),
  too_many_requests: new AppError('too_many_requests', problem('too_many_attempts', { seconds: 30 })),
  internal_error: new AppError('internal_error', 'internal_error'),
  unavailable: new Unavailable('database_unreachable'),
}

/** Errors after which the same request may succeed later, with the name of their response. */
const retryLater: Partial<Record<ErrorCode, string>> = {
  too_many_requests: 'TooManyRequests',
  unavailable: 'Unavailable',
}

const sharedResponses = (offered: readonly Operation[]): Json =>
  Object.fromEntries(
    errorCodes(offered).flatMap((code) => {
      const name = retryLater[code]
      return name === undefined ? [] : [[name, retryResponse(code)]]
    }),
  )

const retryResponse = (code: ErrorCode): Json => ({
  ...errorResponse(code, errorTexts[code]!),
  headers: {
    'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
  },
})

/** Errors that any address may return although no operation declares them; `forbidden` covers both kinds of refusal. */
const everywhere: readonly ErrorCode[] = ['insufficient_scope', 'method_not_allowed']

const errorCodes = (offered: readonly Operation[]): ErrorCode[] => {
  const used = new Set([...everywhere, ...offered.flatMap(errorsOf)])
  return (Object.keys(errorStatus) as ErrorCode[]).filter((code) => used.has(code))
}

const reasonProperties: Json = {
  reason: {
    type: 'string',
    pattern: '^[a-z][a-z0-9_]*$',
    description: 'Why, as a stable key. New reasons may be added; one is never renamed.',
    example: 'too_long',
  },
  message: { type: 'string', description: 'The reason in English, for people. Its wording may change.' },
  params: {
    type: 'object',
    additionalProperties: true,
    description: 'What belongs to the reason, such as the limit; absent if nothing does.',
    example: { max: 500 },
  },
}

const errorSchema = (offered: readonly Operation[]) => ({
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'reason', 'message'],
      properties: {
        code: { type: 'string', enum: errorCodes(offered) },
        ...reasonProperties,
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['code', 'path', 'reason', 'message'],
            properties: {
              code: { type: 'string' },
              path: { type: 'array', items: { type: 'string' } },
              ...reasonProperties,
            },
          },
        },
      },
    },
  },
})

/** Named schemas are moved to components: Zod's own `#/$defs` references would not resolve here. */
function jsonSchema(schema: z.ZodType, use: 'parameter' | 'body' | 'output', components: Json): Json {
  const document = toJsonSchema(schema, use === 'output' ? 'output' : 'input')
  const { $defs, ...rest } = (use === 'body' ? withoutDefaults(document) : document) as Json & {
    $defs?: Json
  }
  for (const [name, definition] of Object.entries($defs ?? {})) {
    components[name] = stripped(rewritten(definition))
  }
  return stripped(rewritten(rest)) as Json
}

/** Client generators treat a field with a default as required, so the defaults of requests are in the description. */
function withoutDefaults(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutDefaults)
  if (schema === null || typeof schema !== 'object') return schema
  const { default: given, ...rest } = schema as Json
  const text = typeof given === 'string' ? given : JSON.stringify(given ?? null)
  const words = ['', 'null', '[]', '{}'].includes(text) ? '' : `Default: \`${text}\`.`
  const inner = Object.entries(rest).map(([key, value]) => {
    if (dataKeywords.has(key)) return [key, value]
    return [key, mapKeywords.has(key) ? mapped(value as Json) : withoutDefaults(value)]
  })
  const description = [rest['description'], words].filter(Boolean).join(' ')
  return { ...Object.fromEntries(inner), ...(description ? { description } : {}) }
}

const mapped = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutDefaults(schema)]))

/** Keywords whose value is data, and keywords that hold schemas by name. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'example', 'examples'])
const mapKeywords: ReadonlySet<string> = new Set(['$defs', 'properties'])

const rewritten = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'))

/** OpenAPI names components by their key; an `id` inside them would be redundant. */
function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value as Json).filter(
    ([key, inner]) => !(key === 'id' && typeof inner === 'string' && 'type' in (value as Json)),
  )
  return Object.fromEntries(entries.map(([key, inner]) => [key, stripped(inner)]))
}

const sorted = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
