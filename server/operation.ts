// One operation, one declaration, one door. REST routes, the OpenAPI document, MCP tools, the web client's types and
// the access table are all read from the object that `operation()` returns, and every caller passes `invoke()`.
import * as z from 'zod'
import type { Limits } from './auth/limits.ts'
import { type Principal, requirePermission, requireScope } from './auth/principal.ts'
import type { SetupToken } from './auth/setup-token.ts'
import type { Clock } from './base/clock.ts'
import type { Config } from './base/config.ts'
import {
  AppError,
  badRequest,
  detail,
  type ErrorCode,
  type ErrorDetail,
  forbidden,
  justDeleted,
} from './base/errors.ts'
import { findTooLongList } from './base/list-bounds.ts'
import type { Logger } from './base/log.ts'
import type { ResponseCache } from './base/response-cache.ts'
import { check, problemOf, toDetail } from './base/validation.ts'
import type { Permission, Scope } from './domain/access.ts'
import { isFieldProblem, type Problem, problem } from './domain/reasons.ts'
import type { Reference } from './reference/reference.ts'
import { type Executor, foreignKeyViolation, type Store } from './store/store.ts'
import type { Uploads } from './store/uploads.ts'

/** Who may call an operation. There is no default: leaving it out does not compile. */
export type Access =
  | { who: 'everyone' }
  | { who: 'anyone with a credential' }
  /** Conditional scopes are needed for some targets or payloads only; the operation checks them itself. */
  | { who: 'credential with'; scopes: readonly Scope[]; conditional: readonly Scope[] }
  /** Only through the web app's session. Conditional permissions depend on the payload. */
  | { who: 'person'; permissions: readonly Permission[]; conditional: readonly Permission[] }

export const everyone = { who: 'everyone' } as const
export const anyCredential = { who: 'anyone with a credential' } as const
export const credentialWith = (scopes: Scope[], conditional: Scope[] = []) =>
  ({ who: 'credential with', scopes, conditional }) as const
export const person = (permissions: Permission[] = [], conditional: Permission[] = []) =>
  ({ who: 'person', permissions, conditional }) as const

/** What every operation may use. */
export interface Services {
  store: Store
  config: Config
  clock: Clock
  log: Logger
  reference: Reference
  cache: ResponseCache
  limits: Limits
  uploads: Uploads
  /** Asked for by the first set-up where strangers could reach it. */
  setupToken: SetupToken | undefined
  version: string
  /** Sees every output before it leaves; the tests check it against its declaration. */
  onOutput?: ((op: Operation, output: unknown) => void) | undefined
}

/** What a web request brings beside its input, and what an operation may ask of the answer. */
export interface WebExchange {
  userAgent: string | undefined
  address: string | undefined
  startSession(secret: string): void
  endSession(): void
  /** For which people this browser is a known one, as it says itself. */
  browserProofs: string | undefined
  keepBrowserProofs(proofs: string): void
}

export interface Call<Input = unknown, Who = Principal> {
  principal: Who
  input: Input
  /** The request's body where the operation takes a file. */
  file?: Uint8Array | undefined
  /** The open transaction of a write, the reading side otherwise. */
  db: Executor
  /** When the call began. */
  now: Date
  services: Services
  web: WebExchange | undefined
}

type Shape = z.ZodObject
type InputOf<Params extends Shape, Query extends Shape, Body extends z.ZodType> = z.output<Params> &
  z.output<Query> &
  z.output<Body>
type WhoOf<Given extends Access> = Given['who'] extends 'everyone' ? Principal | undefined : Principal

export interface Declaration<
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Output extends z.ZodType,
  Given extends Access,
> {
  /** Its one name: operationId, MCP tool and constant are spelled after it. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the door's root, with `{name}` for path parameters. */
  path: string
  /** `v1`: the public API and the web app. `app`: the web app alone. `page`: a public page, at its own address. */
  door?: 'v1' | 'app' | 'page'
  tag: string
  summary: string
  description?: string
  access: Given
  params?: Params
  query?: Query
  body?: Body
  /** A body that is a file and not JSON; its bytes come as `call.file`. Larger ones are refused unread. */
  file?: { atMostBytes: number; mediaTypes: readonly string[] }
  output: Output
  status?: 200 | 201 | 204
  /** Errors beyond those that access and input imply. */
  errors?: readonly ErrorCode[]
  /** Offered to AI assistants; how the tool presents itself. */
  tool?: {
    title: string
    description?: string
    destructive?: boolean
    /** Parameters that assistants are not offered. */
    without?: readonly string[]
    /** What an answer without content says beside "deleted" or "done". */
    note?: string
  }
  /** Where the created thing is found. */
  location?(output: z.output<Output>): string
  cacheControl?: string
  /** A write runs as one transaction unless it says that it manages its own. */
  managesTransaction?: boolean
  /** Scopes and targets that must be settled before anything is read, or answered from the cache. */
  check?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>>): void | Promise<void>
  /**
   * Everything the answer depends on, revisions included. The bytes are kept under it and it becomes the ETag.
   */
  cacheKey?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>>): string | Promise<string>
  /** Its answers are many and most are read once, as by a program that walks through all pages. */
  isSeldomRepeated?: boolean
  run(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>>): Promise<z.input<Output>>
  /** An answer that is not one JSON document, such as an export; replaces `run` on the wire. */
  stream?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>>): Promise<StreamedResponse>
}

export interface StreamedResponse {
  headers: Record<string, string>
  body: AsyncIterable<string | Uint8Array>
}

/** An operation whose types have served their purpose: what registries and doors handle. */
// biome-ignore lint/suspicious/noExplicitAny: the one place where the declaration's own types are let go
export type Operation = Declaration<any, any, any, any, Access>

export const operation = <
  Output extends z.ZodType,
  const Given extends Access,
  Params extends Shape = z.ZodObject<Record<never, never>>,
  Query extends Shape = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodObject<Record<never, never>>,
>(
  declaration: Declaration<Params, Query, Body, Output, Given>,
): Declaration<Params, Query, Body, Output, Given> => declaration

/** Whether one of the two APIs has it. The web app may use all of v1. */
export const isOffered = ({ door = 'v1' }: Operation, api: 'v1' | 'app'): boolean =>
  door === 'v1' || door === api

export const isWrite = (op: Operation): boolean => op.method !== 'GET'

/** Input as it came in, not yet believed. The body may be read late: a bad address is reported before a bad body. */
export interface RawInput {
  params?: unknown
  query?: unknown
  body?: unknown
  readBody?: () => unknown
  file?: Uint8Array | undefined
}

/** Credential, then scopes, then role: all before a single byte of input is looked at. */
export function requireAccess(op: Operation, principal: Principal | undefined): void {
  const { access } = op
  if (access.who === 'everyone') return
  if (!principal) throw new AppError('unauthorized', 'unauthorized')
  if (access.who === 'credential with') {
    for (const scope of access.scopes) requireScope(principal, scope, access.scopes)
  }
  if (access.who === 'person') {
    if (principal.kind !== 'session') throw forbidden('web_app_only')
    for (const permission of access.permissions) requirePermission(principal, permission)
  }
}

/** Input parsed into a call; path and query problems are the request's, body problems carry details. */
export function prepareCall(
  op: Operation,
  services: Services,
  principal: Principal | undefined,
  raw: RawInput,
  web?: WebExchange,
): Call<Record<string, unknown>, Principal> {
  const input = {
    ...(op.params ? parseAddress(op.params, raw.params) : {}),
    ...(op.query ? parseAddress(op.query, raw.query) : {}),
    ...(op.body ? parseBody(op.body, raw.readBody ? raw.readBody() : raw.body) : {}),
  }
  return {
    // Operations open to everyone declare that the principal may be missing; the others were checked.
    principal: principal as Principal,
    input,
    file: raw.file,
    db: services.store.read,
    now: new Date(services.clock.now()),
    services,
    web,
  }
}

/** Runs a prepared call; a write runs inside one transaction. */
export async function execute(
  op: Operation,
  call: Call<Record<string, unknown>, Principal>,
): Promise<unknown> {
  const { store, onOutput } = call.services
  try {
    const output =
      !isWrite(op) || op.managesTransaction
        ? await op.run(call)
        : await store.transaction((tx) => op.run({ ...call, db: tx }))
    onOutput?.(op, output)
    return output
  } catch (error) {
    // Everything named was there when it was checked, and deleted by somebody else before it was written.
    if (!foreignKeyViolation(error)) throw error
    throw justDeleted()
  }
}

/** The whole way through the door, for callers that want the value: MCP, the legacy API, the command line. */
export async function invoke<Op extends Operation>(
  op: Op,
  services: Services,
  principal: Principal | undefined,
  raw: RawInput,
): Promise<z.output<Op['output']>> {
  requireAccess(op, principal)
  const call = prepareCall(op, services, principal, raw)
  await op.check?.(call)
  return (await execute(op, call)) as z.output<Op['output']>
}

function parseAddress(schema: Shape, value: unknown): Record<string, unknown> {
  const checked = check(schema, withoutTrackers(value ?? {}))
  if ('issues' in checked) throw badRequest(addressProblem(schema, checked.issues[0]!))
  // PostgreSQL cannot store U+0000; bodies are checked while they are read.
  for (const [name, given] of Object.entries(checked.data)) {
    if (typeof given === 'string' && given.includes('\u0000'))
      throw badRequest(problem('parameter_not_storable', { parameter: name }))
  }
  return checked.data
}

/** Errors of an address have no `details`, so the reason itself names the parameter. */
function addressProblem(schema: Shape, issue: z.core.$ZodIssue): Problem {
  if (issue.code === 'unrecognized_keys') {
    return problem('unknown_parameter', { names: issue.keys, known: Object.keys(schema.shape) })
  }
  const found = problemOf(issue)
  if (!isFieldProblem(found)) return found
  return problem('invalid_parameter', { parameter: issue.path.join('.'), problem: found })
}

/** Parameters that other programs append to addresses, such as `utm_source`, are ignored. */
const withoutTrackers = (given: object) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !/^(?:utm)?_/.test(name)))

const DETAILS_AT_MOST = 50

function parseBody(schema: z.ZodType, value: unknown): Record<string, unknown> {
  const tooLong = findTooLongList(schema, value)
  if (tooLong) throw new AppError('validation_failed', 'validation_failed', { details: [tooLong] })
  const checked = check(schema, value)
  if ('data' in checked) return checked.data as Record<string, unknown>
  const details = checked.issues
    .slice(0, DETAILS_AT_MOST)
    .flatMap((issue) => (issue.code === 'unrecognized_keys' ? unknownKeys(schema, issue) : toDetail(issue)))
  throw new AppError('validation_failed', 'validation_failed', { details })
}

const UNKNOWN_KEYS_SHOWN = 20

/** One detail for each key that the body must not have, with the keys that it may have. */
function unknownKeys(schema: z.ZodType, issue: z.core.$ZodIssueUnrecognizedKeys): ErrorDetail[] {
  const known = issue.path.length === 0 && schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return issue.keys
    .slice(0, UNKNOWN_KEYS_SHOWN)
    .map((key) => detail([...issue.path, key], problem('unknown_field', { field: key, known }), issue.code))
}
