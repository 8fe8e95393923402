// One operation, one declaration. REST routes, the OpenAPI document, MCP tools, the web client's types and the access table
// are all read from the object that `operation()` returns. Callers go through `open()` (open.ts).
import type * as z from 'zod'
import type { Config } from '../base/config.ts'
import type { ErrorCode } from '../base/errors.ts'
import type { BodySize } from '../base/request/body-sizes.ts'
import type { IncomingFile } from '../base/request/incoming-files.ts'
import type { SpooledDocument, Write } from '../base/response/spool.ts'
import type { Permission, Scope } from '../domain/access/access.ts'
import type { Condition } from '../domain/flights/conditions.ts'
import type { StepCookie } from '../pages/cookies.ts'
import type { Principal } from '../services/access/principal.ts'
import type { Executor } from '../store/store.ts'
import type { Progress } from './idempotency.ts'
import type { Services } from './services.ts'

/** Who may call an operation. Required, so that forgetting it does not compile. */
type Access =
  | { who: 'everyone' }
  | { who: 'anyone with a credential' }
  /** Some targets or payloads need the conditional scopes as well; the operation checks those itself. */
  | {
      who: 'credential with'
      scopes: readonly Scope[]
      conditional: readonly Scope[]
      /** At least one of these; the target or the payload decides which. */
      oneOf?: readonly Scope[]
      /** Permissions the role also needs, for which there is no scope. */
      permissions?: readonly Permission[]
    }
  /** Only through the web app's session. Conditional permissions depend on the payload. */
  | { who: 'person'; permissions: readonly Permission[]; conditional: readonly Permission[] }

export const everyone = { who: 'everyone' } as const
export const anyCredential = { who: 'anyone with a credential' } as const
export const credentialWith = (scopes: Scope[], conditional: Scope[] = []) =>
  ({ who: 'credential with', scopes, conditional }) as const
/** At least one of these scopes; the operation checks which one the payload needs. */
export const credentialWithOneOf = (oneOf: Scope[], conditional: Scope[] = []) =>
  ({ who: 'credential with', scopes: [], conditional: [...oneOf, ...conditional], oneOf }) as const
/**
 * For permissions that have no scope of their own: these scopes suffice, unless the credential is read-only. A key
 * made for reading changes nothing.
 */
export const credentialOfRole = (scopes: Scope[], permissions: Permission[]) =>
  ({ who: 'credential with', scopes, conditional: [], permissions }) as const
export const person = (permissions: Permission[] = [], conditional: Permission[] = []) =>
  ({ who: 'person', permissions, conditional }) as const

/** What a web request has besides its input, and what an operation may add to the response. */
export interface WebExchange {
  userAgent: string | undefined
  /** The `Accept-Language` header. */
  languages: string | undefined
  address: string | undefined
  /** Sent directly by a browser on the server's own machine. */
  readonly isFromThisMachine: boolean
  /** The browser's session secret, valid or not. */
  readonly session: string | undefined
  startSession(secret: string): void
  endSession(): void
  /** Proves to which people this browser is known. */
  browserProofs: string | undefined
  keepBrowserProofs(proofs: string): void
  /** What an earlier step of a sign-in stored in this browser. */
  step(name: StepCookie): string | undefined
  /** Without a value, removes it. */
  keepStep(name: StepCookie, value?: string, lifetimeMs?: number): void
  /** Calls the listener when the connection closes, or when the response is sent. */
  onDisconnect(listener: () => void): void
}

/** Set by operations that do not always create something. */
interface Outcome {
  /** The address of what was created, relative to the door's root. If set, the status is 201. */
  created?: string | undefined
  /** The one flight change that the call made, for undoing it. */
  changeId?: number | undefined
}

/** The state behind a response's ETag; set by operations with a conditional target. */
export interface Validator {
  tag?: string
  /** The tag covers everything that the response shows, so a client with a matching copy does not need another. */
  isComplete?: boolean
  /** The operation's cache key covers everything the response depends on, so that it may be cached. */
  isKeyed?: boolean
}

export interface Call<Input = unknown, Who = Principal, Target = unknown> {
  principal: Who
  input: Input
  /** What `target.find` found. */
  target: Target
  /** The condition on the state of the target. A write checks it inside its transaction. */
  condition: Condition | undefined
  validator: Validator
  /** The request's body, for operations that take a file. */
  file?: Uint8Array | undefined
  /** The same for large files. The door closes it. */
  upload?: IncomingFile | undefined
  /** The result of the operation's `prepare`, which ran before the transaction. */
  prepared?: unknown
  /** The open transaction of a write; for reads, the read connection. */
  db: Executor
  /** When the call started. */
  now: Date
  /** What the response carries besides its output. */
  outcome: Outcome
  /** Progress of an earlier attempt, for operations with their own transactions, if the request has a key. */
  progress?: Progress | undefined
  services: Services
  web: WebExchange | undefined
}

type Shape = z.ZodObject
type AddressOf<Params extends Shape, Query extends Shape> = z.output<Params> & z.output<Query>
type InputOf<Params extends Shape, Query extends Shape, Body extends z.ZodType> = AddressOf<Params, Query> &
  z.output<Body>
type WhoOf<Given extends Access> = Given['who'] extends 'everyone' ? Principal | undefined : Principal

interface Declaration<
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Output extends z.ZodType,
  Given extends Access,
  Target = undefined,
> {
  /** The only name: operationId, MCP tool and constant are derived from it. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the door's root, with `{name}` for path parameters. */
  path: string
  /** `v1`: the public API and the web app. `app`: the web app only. `page`: a public page with its own address. */
  door?: 'v1' | 'app' | 'page'
  tag: string
  summary: string
  description?: string
  access: Given
  /**
   * The operation grants lasting access or removes a way to sign in. A session may call it only within minutes of a
   * confirmation (`confirmation_required`). If a function, only for calls for which it returns true.
   */
  confirms?: true | ((call: Call<InputOf<Params, Query, Body>, WhoOf<Given>>) => boolean | Promise<boolean>)
  /**
   * The permissions that the call gives to other people. A credential can only give those that its own scopes allow.
   * Called inside the transaction, after `target`.
   */
  gives?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>, Target>): readonly Permission[]
  /** A sample request for the API reference; test/examples-of-operations.test.ts sends it. */
  example?: Example
  params?: Params
  query?: Query
  body?: Takes<Body>
  output: Output
  status?: 200 | 201 | 204
  /** Errors besides those implied by access and input. */
  errors?: readonly ErrorCode[]
  /** Statuses besides its own and those of errors. */
  otherStatuses?: readonly (201 | 302 | 304)[]
  /** How the tool is described to AI assistants. Without it, the operation is no tool. */
  tool?: {
    title: string
    /** If different from the operation's name. */
    name?: string
    description?: string
    destructive?: boolean
    /** Assistants have a better tool for this: listed only if all tools are requested, but can always be called. */
    isForPrograms?: true
    /** Paths in the result of text written by others: assistants report it and never follow it as an instruction. */
    quotes?: readonly string[]
    /** Arguments that are set on every call from an assistant and not offered to it. */
    always?: Readonly<Record<string, unknown>>
    /** Arguments described without their members, which the tool's results show. */
    shallow?: readonly string[]
    /** The name of another tool that describes the shared arguments. The description refers to it. */
    describedBy?: string
    /** Parameters not offered to assistants. */
    without?: readonly string[]
    /** The operation rejects unknown arguments itself, together with its other problems. */
    refusesUnknown?: true
    /** Parameters that few assistants need: accepted, but left out of the listed schema. */
    unlisted?: readonly string[]
    /** Assistants may request booking references and prices, which are otherwise removed from every result. */
    showsBookings?: boolean
    /** For results without content: text besides "deleted" or "done". */
    note?: string
    /** For results without content: describes the subject of the call, after it ran. */
    tells?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>>): Promise<object>
    /** Paths (`data`, `data[]`, `data[].flight`) of flights in the result, which assistants get as short lines. */
    lines?: readonly string[]
    /** A shorter result for assistants, where the operation's own has more than a conversation needs. */
    brief?(output: z.output<Output>): object
    /** The result as text, sent with the structured content. */
    says?(output: z.output<Output>): string
    /** Different argument names for assistants: `{ aircraftReg: 'registration' }`. */
    names?: Readonly<Record<string, string>>
  }
  /** The address of what was created. */
  location?(output: z.output<Output>): string
  /** The response contains a secret, which must not be stored: the request cannot have an idempotency key. */
  returnsSecret?: boolean
  /**
   * A write runs in one transaction, unless it manages its `own`. `none` is a POST that only reads, because its input
   * does not fit into an address: it may be repeated, and its response is not stored. A write that is `recorded last`
   * ends with recording its change (store/history/changes.ts), which may then be sent with the commit.
   */
  transaction?: 'own' | 'none' | 'recorded last'
  target?: {
    /**
     * Finds what the call is about, such as the share that the path names, and throws if it does not exist or is
     * hidden. Runs after the body is parsed and after `check`, and for a write inside its transaction.
     */
    find?(call: Call<AddressOf<Params, Query>, WhoOf<Given>, undefined>): Target | Promise<Target>
    /**
     * For conditional requests: throws if what the path names does not exist, is hidden or is in another state. Runs
     * before the body is read, so that 404 and 412 take precedence over 422.
     */
    requireState?(call: Call<AddressOf<Params, Query>, WhoOf<Given>, undefined>): Promise<void>
    /**
     * The response has an ETag. `If-None-Match` applies to a read, `If-Match` to a PUT, PATCH or DELETE; an instance
     * may require `If-Match`.
     */
    conditional?: true
  }
  /** Scopes that depend on the input: checked before anything is read, including from the cache. */
  check?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>>): void | Promise<void>
  /** For a write that first sends requests to other hosts, so that no transaction is open meanwhile. */
  prepare?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>>): Promise<unknown>
  /** Whether the response may be cached, by whom and for how long. */
  cached?: {
    /**
     * Everything the response depends on, revisions included. The response is cached under it, and it becomes the ETag; an
     * operation with a conditional target has its own tag and decides for each response whether it is cached.
     */
    key?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>, Target>): string | Promise<string>
    /** `Cache-Control`, if not the default of its door. */
    control?: string
    /** The response has texts in the language of the request. */
    byLanguage?: true
    /** Reads so much that a replica should do it, if there is one: always, or depending on the parameters. */
    mayLag?: true | ((input: AddressOf<Params, Query>) => boolean)
    /** Has many different responses, most of which are read once, for example when a program walks through all pages. */
    seldom?: true
  }
  run(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>, Target>): Promise<z.input<Output>>
  /** Another form in which the response is sent. */
  sends?: Sends<Call<InputOf<Params, Query, Body>, WhoOf<Given>, Target>>
}

/** A request body: JSON, a file, or either. If either, the media type decides: JSON, or anything different is the file. */
interface Takes<Body extends z.ZodType> {
  schema?: Body
  /** A missing body is read as an empty object. */
  optional?: true
  /** Media types of the JSON, if there are several. */
  mediaTypes?: readonly string[]
  /** The size limit of the JSON, if larger than usual (base/request/body-sizes.ts). */
  size?: BodySize
  /** A list whose entries the operation reads one at a time: text that cannot be stored only invalidates its own entry. */
  textsCheckedLater?: string
  /** The bytes arrive as `call.file`. Larger files are refused unread. */
  file?: {
    atMostBytes: number | ((config: Config) => number)
    mediaTypes: readonly string[]
    /** Written to disk as it arrives, and passed as `call.upload`. */
    isLarge?: true
  }
}

export const takes = <Body extends z.ZodType>(
  schema: Body,
  options: Omit<Takes<Body>, 'schema'> = {},
): Takes<Body> => ({ schema, ...options })

type Sends<OwnCall> =
  /** The JSON text that `run` would return, where building the objects first costs more. */
  | { jsonText(call: OwnCall): Promise<string>; written?: never; stream?: never; mediaTypes?: never }
  /** Writes the JSON document that `run` returns in slices, where it can be long; needs `cached.key`. */
  | {
      written(call: OwnCall, write: Write): Promise<void>
      jsonText?: never
      stream?: never
      mediaTypes?: never
    }
  /** A response that is not one JSON document, such as an export; replaces `run` on the wire. */
  | {
      stream(call: OwnCall): Promise<StreamedResponse>
      /** For the OpenAPI document. */
      mediaTypes?: readonly string[]
      jsonText?: never
      written?: never
    }

interface Example {
  params?: Record<string, string | number>
  query?: Record<string, string | number>
  body?: unknown
}

export interface StreamedResponse {
  status?: 200 | 302
  headers: Record<string, string>
  body: AsyncIterable<string | Uint8Array> | Uint8Array | LongDocument
}

/** A document whose first bytes are sent before the last ones exist. */
export interface LongDocument {
  open(options?: { zipFrom?: number }): Promise<SpooledDocument>
}

/** An operation without its own types, as registries and doors handle it. */
// biome-ignore lint/suspicious/noExplicitAny: the one place where the declaration's own types are erased
export type Operation = Declaration<any, any, any, any, Access, any>

export const operation = <
  Output extends z.ZodType,
  const Given extends Access,
  Params extends Shape = z.ZodObject<Record<never, never>>,
  Query extends Shape = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodObject<Record<never, never>>,
  Target = undefined,
>(
  declaration: Declaration<Params, Query, Body, Output, Given, Target>,
): Declaration<Params, Query, Body, Output, Given, Target> => declaration

/** Whether one of the two APIs offers it. The web app may use all of v1. */
export const isOffered = ({ door = 'v1' }: Operation, api: 'v1' | 'app'): boolean =>
  door === 'v1' || door === api

/** Whether it changes something that has a version, so that an instance may require the version. */
export const isConditionalWrite = ({ target, method }: Operation): boolean =>
  target?.conditional === true && method !== 'GET' && method !== 'POST'

export const isWrite = (op: Operation): boolean => op.method !== 'GET' && op.transaction !== 'none'
