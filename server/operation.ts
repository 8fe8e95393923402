// One operation, one declaration, one door. REST routes, the OpenAPI document, MCP tools, the web client's types and
// the access table are all read from the object that `operation()` returns. Every caller passes `open()`, which checks
// everything there is to check, and gets the result from what it returns: as a value, a response or a stream.
import { hash } from 'node:crypto'
import type * as z from 'zod'
import { requireConfirmed } from './auth/confirmed.ts'
import type { Limits } from './auth/limits.ts'
import type { Mailer } from './auth/mailer.ts'
import {
  credentialMay,
  type Principal,
  requireGiven,
  requirePermission,
  requireScope,
  roleMayUse,
} from './auth/principal.ts'
import type { Provider } from './auth/provider.ts'
import type { SetupToken } from './auth/setup-token.ts'
import type { Background } from './base/background.ts'
import type { BodySize } from './base/body-sizes.ts'
import type { Clock } from './base/clock.ts'
import type { Completions } from './base/completions.ts'
import type { Config } from './base/config.ts'
import { AppError, type ErrorCode, forbidden, insufficientScope, justDeleted } from './base/errors.ts'
import { ZIP_FROM_BYTES, type Zip } from './base/gzip.ts'
import type { IncomingFile } from './base/incoming-files.ts'
import { parseAddress, parseBody } from './base/input.ts'
import type { InstanceSecret } from './base/instance-secret.ts'
import type { Logger } from './base/log.ts'
import type { MaybeLater } from './base/maybe-later.ts'
import type { OutageLog } from './base/outage-log.ts'
import type { ResponseCache } from './base/response-cache.ts'
import type { Spool, SpooledDocument, Write } from './base/spool.ts'
import type { Turns } from './base/turns.ts'
import { isReadOnly, type Permission, type Scope } from './domain/access.ts'
import type { Condition } from './domain/conditions.ts'
import type { Attempt, Progress } from './idempotency.ts'
import type { Imports } from './imports/runner.ts'
import type { Lookups } from './lookup/lookups.ts'
import type { IntakeMetrics } from './metrics/intake.ts'
import type { StepCookie } from './pages/cookies.ts'
import type { Previews } from './preview/previews.ts'
import type { Reference } from './reference/reference.ts'
import type { KeptLogs } from './statistics/kept-logs.ts'
import type { ChangeWaiters } from './store/change-waiters.ts'
import type { ImportFiles } from './store/import-files.ts'
import { findSetting } from './store/settings.ts'
import { type Executor, foreignKeyViolation, requireCommitted, type Store } from './store/store.ts'
import type { Uploads } from './store/uploads.ts'

/** Who may call an operation. There is no default: leaving it out does not compile. */
type Access =
  | { who: 'everyone' }
  | { who: 'anyone with a credential' }
  /** Conditional scopes are needed for some targets or payloads only; the operation checks them itself. */
  | {
      who: 'credential with'
      scopes: readonly Scope[]
      conditional: readonly Scope[]
      /** One of these at least, where it depends on the target or the payload which of them. */
      oneOf?: readonly Scope[]
      /** What the role must permit besides, where no scope stands for it. */
      permissions?: readonly Permission[]
    }
  /** Only through the web app's session. Conditional permissions depend on the payload. */
  | { who: 'person'; permissions: readonly Permission[]; conditional: readonly Permission[] }

export const everyone = { who: 'everyone' } as const
export const anyCredential = { who: 'anyone with a credential' } as const
export const credentialWith = (scopes: Scope[], conditional: Scope[] = []) =>
  ({ who: 'credential with', scopes, conditional }) as const
/** One of these scopes at least; the operation checks which of them the payload needs. */
export const credentialWithOneOf = (oneOf: Scope[], conditional: Scope[] = []) =>
  ({ who: 'credential with', scopes: [], conditional: [...oneOf, ...conditional], oneOf }) as const
/**
 * What the role permits and no scope stands for: these scopes will do, unless all scopes of the credential only read. A key
 * that was made to read changes nothing.
 */
export const credentialOfRole = (scopes: Scope[], permissions: Permission[]) =>
  ({ who: 'credential with', scopes, conditional: [], permissions }) as const
export const person = (permissions: Permission[] = [], conditional: Permission[] = []) =>
  ({ who: 'person', permissions, conditional }) as const

/** What every operation may use, and all state of an application: two in one process share nothing. */
export interface Services {
  store: Store
  config: Config
  clock: Clock
  log: Logger
  logOutage: OutageLog
  reference: Reference
  cache: ResponseCache
  /** Makes and keeps documents that may be long. */
  spool: Spool
  /** When the next flight of a log completes. */
  completions: Completions
  /** Logs as statistics count them. */
  keptLogs: KeptLogs
  limits: Limits
  /** Requests that wait for a change. */
  changeWaiters: ChangeWaiters
  uploads: Uploads
  /** Encrypts what is stored and needed again. */
  secret: InstanceSecret
  /** Exports run a few at a time. */
  exportTurns: Turns
  /** Whole logs and lists too. */
  listTurns: Turns
  /** The transactions of bulk requests too. */
  bulkTurns: Turns
  /** Compresses responses. */
  zip: Zip
  /** What goes on after the response. */
  background: Background
  /** Evaluates what people bring in. */
  imports: Imports
  importFiles: ImportFiles
  intakeMetrics: IntakeMetrics
  /** Asks providers about flights. */
  lookups: Lookups
  /** The pictures that link previews show. */
  previews: Previews
  /** undefined if this instance sends no mails. */
  mailer: Mailer | undefined
  /** The identity provider, if the instance has one. */
  provider: Provider | undefined
  /** Required by the first set-up where strangers could reach it. */
  setupToken: SetupToken | undefined
  version: string
  /** Receives every output before it is sent; the tests check it against its declaration. */
  onOutput?: ((op: Operation, output: unknown) => void) | undefined
}

/** What a web request carries beside its input, and what an operation may add to the response. */
export interface WebExchange {
  userAgent: string | undefined
  /** What the client prefers: `Accept-Language`. */
  languages: string | undefined
  address: string | undefined
  /** Sent directly by a browser on the machine that the server runs on. */
  readonly isFromThisMachine: boolean
  /** The secret of the session that this browser has, valid or not. */
  readonly session: string | undefined
  startSession(secret: string): void
  endSession(): void
  /** The browser's own proof for which people it is a known one. */
  browserProofs: string | undefined
  keepBrowserProofs(proofs: string): void
  /** What an earlier step of a sign-in left in this browser. */
  step(name: StepCookie): string | undefined
  /** Without a value it is removed. */
  keepStep(name: StepCookie, value?: string, lifetimeMs?: number): void
  /** Calls the listener when the connection closes, or when the response is sent. */
  onDisconnect(listener: () => void): void
}

/** Set by operations that may create something or not. */
interface Outcome {
  /** The address of what was created, below the door's root; then the status is 201. */
  created?: string | undefined
  /** The one change of a flight that it made, by which it can be undone. */
  changeId?: number | undefined
}

/** What the ETag of a response stands for; set by operations that are `conditional`. */
interface Validator {
  tag?: string
  /** Nothing that the response shows has changed under this tag, so a client that has it needs no other copy. */
  isComplete?: boolean
  /** Everything that the response depends on is in the operation's cache key, so that it may be kept. */
  isKeyed?: boolean
}

export interface Call<Input = unknown, Who = Principal, Target = unknown> {
  principal: Who
  input: Input
  /** What the operation's `target` found. */
  target: Target
  /** What the request requires of the state of its target. A write checks it inside its transaction. */
  condition: Condition | undefined
  validator: Validator
  /** The request's body where the operation takes a file. */
  file?: Uint8Array | undefined
  /** The same where files are large. The door ends it. */
  upload?: IncomingFile | undefined
  /** What the operation's `prepare` found, before the transaction. */
  prepared?: unknown
  /** The open transaction of a write, the reading side otherwise. */
  db: Executor
  /** When the call began. */
  now: Date
  /** What the response says beside its output. */
  outcome: Outcome
  /** How far an earlier attempt came; for operations that manage their transaction, if the request has a key. */
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
  /** Its one name: operationId, MCP tool and constant are derived from it. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the door's root, with `{name}` for path parameters. */
  path: string
  /** `v1`: the public API and the web app. `app`: the web app alone. `page`: a public page, at its own address. */
  door?: 'v1' | 'app' | 'page'
  tag: string
  summary: string
  description?: string
  access: Given
  /**
   * It gives lasting access, or takes a way in away: a session may call it only within minutes of a proof of who it is
   * (`confirmation_required`). With a function, only the calls for which it returns true.
   */
  confirms?: true | ((call: Call<InputOf<Params, Query, Body>, WhoOf<Given>>) => boolean | Promise<boolean>)
  /**
   * The permissions that it gives to other people: a credential gives only those that its own scopes allow. Asked inside the
   * transaction, after `target`.
   */
  gives?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>, Target>): readonly Permission[]
  /** A request that the API reference shows; test/examples-of-operations.test.ts sends it. */
  example?: Example
  params?: Params
  query?: Query
  body?: Body
  /** A request without a body is one with an empty object. */
  bodyIsOptional?: boolean
  /** Of the body, if it is JSON in another form too. */
  mediaTypes?: readonly string[]
  /** How large its JSON may be, if more than usual (base/body-sizes.ts). */
  bodySize?: BodySize
  /** A list of the body whose entries the operation reads one by one: text that cannot be stored refuses its entry only. */
  textsCheckedLater?: string
  /**
   * A body that is a file and not JSON; its bytes come as `call.file`. Larger ones are refused unread. With a `body` too, the
   * media type decides: JSON is the body, everything else is the file.
   */
  file?: {
    atMostBytes: number | ((config: Config) => number)
    mediaTypes: readonly string[]
    /** It is written to disk while it arrives, and comes as `call.upload`. */
    isLarge?: true
  }
  output: Output
  status?: 200 | 201 | 204
  /** Errors beyond those that access and input imply. */
  errors?: readonly ErrorCode[]
  /** Statuses beyond its own and those of errors. */
  otherStatuses?: readonly (201 | 302 | 304)[]
  /** Offered to AI assistants; how the tool is described. */
  tool?: {
    title: string
    /** Where it is not the operation's own. */
    name?: string
    description?: string
    destructive?: boolean
    /** An assistant has a better way: it is listed only where all tools are asked for, and can always be called. */
    isForPrograms?: true
    /** Paths in the result of what others wrote: data that an assistant reports and never follows. */
    quotes?: readonly string[]
    /** Arguments that an assistant's call always has, and is not offered. */
    always?: Readonly<Record<string, unknown>>
    /** Arguments that are described without their members, which the tool's results show. */
    shallow?: readonly string[]
    /** A tool that describes the arguments that both have; its name is in the description of this one. */
    describedBy?: string
    /** Parameters that assistants are not offered. */
    without?: readonly string[]
    /** The operation refuses unknown arguments itself, with what else is wrong. */
    refusesUnknown?: true
    /** Parameters that few assistants need: accepted, and not described to all. */
    unlisted?: readonly string[]
    /** Assistants may ask for booking references and prices, which are otherwise left out of every result. */
    showsBookings?: boolean
    /** What a result without content says beside "deleted" or "done". */
    note?: string
    /** What is told of the subject of a call whose result has no content, after it ran. */
    tells?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>>): Promise<object>
    /** Paths in the result (`data`, `data[]`, `data[].flight`) of flights, which an assistant gets as short lines. */
    lines?: readonly string[]
    /** The result as an assistant gets it, where the operation's own says more than a conversation needs. */
    brief?(output: z.output<Output>): object
    /** The result in words, as the text beside the structured content. */
    says?(output: z.output<Output>): string
    /** What assistants call an argument, where the operation has another name: `{ aircraftReg: 'registration' }`. */
    names?: Readonly<Record<string, string>>
  }
  /** The address of what was created. */
  location?(output: z.output<Output>): string
  cacheControl?: string
  /** Its texts are in the language of the request. */
  translated?: boolean
  /** The response contains a secret, which is not kept: the request cannot have an idempotency key. */
  returnsSecret?: boolean
  /**
   * Its response has an ETag. `If-None-Match` applies to a read, and `If-Match` to a PUT, PATCH or DELETE; an instance may
   * require the latter.
   */
  conditional?: boolean
  /** A POST that only reads, because its input does not fit into an address: it may be repeated, and no response is kept. */
  changesNothing?: true
  /** A write runs as one transaction unless it says that it manages its own. */
  managesTransaction?: boolean
  /** A write that ends with recording its change (store/changes.ts), which may then be sent with the commit. */
  recordsLast?: true
  /**
   * Looks up what the call is about, such as the share that the path names, and throws if it is absent or hidden. It
   * runs after the body is parsed and after `check`. A write that runs in a transaction gets its target from that
   * transaction.
   */
  target?(call: Call<AddressOf<Params, Query>, WhoOf<Given>, undefined>): Target | Promise<Target>
  /**
   * For requests with a condition: throws if what the path names is absent, hidden or in another state. It runs before the
   * body is read, so that 404 and 412 come before 422.
   */
  requireState?(call: Call<AddressOf<Params, Query>, WhoOf<Given>, undefined>): Promise<void>
  /** Scopes that depend on the input: checked before anything is read, or taken from the cache. */
  check?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>>): void | Promise<void>
  /** For a write that has to ask other hosts first: nothing waits for them inside a transaction. */
  prepare?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>>): Promise<unknown>
  /**
   * Everything the response depends on, revisions included. The bytes are kept under it and it becomes the ETag; a
   * `conditional` operation has its own tag and says of each response whether it is kept.
   */
  cacheKey?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>, Target>): string | Promise<string>
  /** Reads so much that a replica of the database had better do it, if there is one: always, or with some parameters. */
  mayLag?: true | ((input: AddressOf<Params, Query>) => boolean)
  /** Its responses are many and most are read once, as by a program that walks through all pages. */
  isSeldomRepeated?: boolean
  run(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>, Target>): Promise<z.input<Output>>
  /** The JSON text of what `run` returns, where making objects of it first costs more; used on the wire. */
  jsonText?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>, Target>): Promise<string>
  /**
   * Writes the JSON document that `run` returns, a slice at a time, where it can be long; used on the wire, together with
   * `cacheKey`.
   */
  write?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>, Target>, write: Write): Promise<void>
  /** A response that is not one JSON document, such as an export; replaces `run` on the wire. */
  stream?(call: Call<InputOf<Params, Query, Body>, WhoOf<Given>, Target>): Promise<StreamedResponse>
  /** The media types that `stream` sends, for the OpenAPI document. */
  streams?: readonly string[]
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

/** A document of which the first bytes are sent before the last are made. */
export interface LongDocument {
  open(options?: { zipFrom?: number }): Promise<SpooledDocument>
}

/** An operation whose own types are erased: what registries and doors handle. */
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

/** Whether one of the two APIs has it. The web app may use all of v1. */
export const isOffered = ({ door = 'v1' }: Operation, api: 'v1' | 'app'): boolean =>
  door === 'v1' || door === api

/** Whether it changes something that has a version, and so may require one. */
export const isConditionalWrite = ({ conditional, method }: Operation): boolean =>
  conditional === true && method !== 'GET' && method !== 'POST'

export const isWrite = (op: Operation): boolean => op.method !== 'GET' && !op.changesNothing

/** Input as it was sent, not yet validated. The body may be read late: a bad address is reported before a bad body. */
export interface RawInput {
  params?: unknown
  query?: unknown
  body?: unknown
  readBody?: () => MaybeLater<unknown>
  file?: Uint8Array | undefined
  upload?: IncomingFile | undefined
  condition?: Condition | undefined
}

type AnyCall = Call<Record<string, unknown>>

/** Credential, then scopes, then role: all before any input is read. */
export function requireAccess(op: Operation, principal: Principal | undefined): void {
  const { access } = op
  if (access.who === 'everyone') return
  if (!principal) throw new AppError('unauthorized', 'unauthorized')
  if (access.who === 'credential with') {
    for (const scope of access.scopes) requireScope(principal, scope, access.scopes)
    if (access.oneOf) requireOneOf(principal, access.oneOf)
    if (access.permissions) requireOfRole(principal, access.permissions)
  }
  if (access.who === 'person') {
    if (principal.kind !== 'session') throw forbidden('web_app_only')
    for (const permission of access.permissions) requirePermission(principal, permission)
  }
}

function requireOneOf(principal: Principal, oneOf: readonly Scope[]): void {
  const carried = oneOf.filter((scope) => credentialMay(principal, scope))
  if (carried.length === 0) throw insufficientScope(oneOf[0]!, oneOf)
  if (!carried.some((scope) => roleMayUse(principal, scope))) throw forbidden()
}

function requireOfRole(principal: Principal, permissions: readonly Permission[]): void {
  if ([...principal.scopes].every((scope) => isReadOnly(scope))) throw forbidden('credential_only_reads')
  for (const permission of permissions) requirePermission(principal, permission)
}

interface Opening {
  web?: WebExchange | undefined
  /** In place of the operation's own, where an older contract has other rules for the same thing. */
  check?(call: AnyCall): void | Promise<void>
  /** The caller's protocol has no conditions, so that none can be required. */
  isUnconditional?: boolean
}

/**
 * The way into an operation: access, proof of identity, path and query, the condition, the body, `check`, proof where the
 * input decides whether it is needed, the target. The result may run. Path and query problems are errors of the request;
 * body problems carry details.
 */
export async function open<Op extends Operation>(
  op: Op,
  services: Services,
  principal: Principal | undefined,
  raw: RawInput,
  { web, check = op.check, isUnconditional = false }: Opening = {},
): Promise<OpenCall<Op>> {
  requireAccess(op, principal)
  const call: AnyCall = {
    // Operations open to everyone declare that the principal may be missing; the others were checked.
    principal: principal as Principal,
    input: {},
    target: undefined,
    condition: raw.condition,
    validator: {},
    file: raw.file,
    upload: raw.upload,
    db: services.store.read,
    now: new Date(services.clock.now()),
    outcome: {},
    services,
    web,
  }
  if (op.confirms === true) await requireProof(call)
  if (op.params) Object.assign(call.input, parseAddress(op.params, raw.params))
  if (op.query) Object.assign(call.input, parseAddress(op.query, raw.query))
  if (op.mayLag && services.store.replica) await readFromReplica(op, call)
  if (!isUnconditional && isConditionalWrite(op) && (await needsCondition(call)))
    call.condition = { ...raw.condition, isRequired: true }
  if (op.requireState && call.condition) await op.requireState(withoutTarget(call))
  if (op.body && raw.file === undefined && raw.upload === undefined)
    Object.assign(call.input, parseBody(op.body, raw.readBody ? await raw.readBody() : raw.body))
  if (check) await check(call)
  if (typeof op.confirms === 'function' && (await op.confirms(call))) await requireProof(call)
  if (op.target && !isTransaction(op)) call.target = await findTarget(op, call)
  return new OpenCall(op, call)
}

/** A key or a token was made with a proof, and is narrower than its person. */
async function requireProof(call: AnyCall): Promise<void> {
  if (call.principal.kind === 'session') await requireConfirmed(call)
}

/** All reads of the call go to the replica, which has everything that was committed when the call came; or none does. */
async function readFromReplica({ mayLag }: Operation, call: AnyCall): Promise<void> {
  if (mayLag !== true && !mayLag!(call.input)) return
  const { store } = call.services
  const replica = await store.replica!()
  if (!replica) return
  call.services = { ...call.services, store: { ...store, ...replica } }
  call.db = replica.read
}

/** The target of a call whose body is not read yet, or that has none. */
const findTarget = (op: Operation, call: AnyCall): unknown => op.target!(withoutTarget(call))
const withoutTarget = (call: AnyCall) => call as Call<Record<string, unknown>, Principal, undefined>

/** Whether the instance refuses a conditional write unless it names the version that was read. The web app is trusted to. */
const needsCondition = async ({ services, principal, condition }: AnyCall): Promise<boolean> =>
  condition?.match === undefined && principal.kind !== 'session' && (await isConditionRequired(services))

/** The setting `requireIfMatch`, by the environment or by the owner. */
export const isConditionRequired = async ({ config, store }: Services): Promise<boolean> =>
  config.requireIfMatch || (await findSetting(store.read, 'requireIfMatch')) === 'true'

/** Whether an operation runs inside one transaction. */
const isTransaction = (op: Operation): boolean => isWrite(op) && !op.managesTransaction

/** A call that passed every check, made by `open` alone. */
class OpenCall<Op extends Operation> {
  readonly call: AnyCall
  readonly #op: Op

  constructor(op: Op, call: AnyCall) {
    this.#op = op
    this.call = call
  }

  /** Runs it and returns what it returns. A write runs inside one transaction, in which an attempt keeps the response. */
  async value(attempt?: Attempt): Promise<z.output<Op['output']>> {
    const [op, call] = [this.#op, this.call]
    const { onOutput } = call.services
    try {
      const output = isTransaction(op)
        ? await this.#inTransaction(attempt)
        : await (attempt?.across((progress) => run(op, { ...call, progress })) ?? run(op, call))
      onOutput?.(op, output)
      return output as z.output<Op['output']>
    } catch (error) {
      // Everything the request names existed when it was checked, and another request deleted it before the write.
      if (!foreignKeyViolation(error)) throw error
      throw justDeleted()
    }
  }

  async #inTransaction(attempt: Attempt | undefined): Promise<unknown> {
    const prepared = await this.#op.prepare?.(this.call)
    return this.call.services.store.transaction((tx) => {
      const isEnd = this.#op.recordsLast && !attempt
      const db = isEnd ? { ...tx, last: tx.end } : tx
      const work = () => runInside(this.#op, { ...this.call, prepared, db })
      return attempt ? attempt.inside(tx, work) : work()
    })
  }

  /** The JSON of what `value` returns. That of a conditional read may be known, with its tag. */
  async text(): Promise<string> {
    if (!this.#op.cacheKey) return this.#jsonText()
    const key = await this.#key()
    const known = this.call.services.cache.get(key)
    if (known) {
      const { text, validator } = unpack(known)
      Object.assign(this.call.validator, validator)
      return text
    }
    const text = await this.#jsonText()
    if (this.call.validator.isKeyed) this.#keep(key, pack(text, this.call.validator))
    return text
  }

  /** For operations with a cache key: equal requests under equal revisions have equal bytes, which may be known. */
  async response(): Promise<CachedResponse> {
    const op = this.#op
    const { cache, zip } = this.call.services
    const key = await this.#key()
    // In front: a key may end with what a client typed.
    const zippedKey = `gzip ${key}`
    const keep = this.#keep
    const bytes = async (): Promise<Buffer> => {
      const known = cache.get(key)
      if (known) return known
      const made = Buffer.from(await this.#jsonText())
      keep(key, made)
      return made
    }
    return {
      etag: tagOf(key),
      bytes,
      async zippedIfLarge() {
        const known = cache.get(zippedKey)
        if (known) return { zipped: known }
        const plain = await bytes()
        if (plain.byteLength < ZIP_FROM_BYTES) return { plain }
        const zipped = await zip(zippedKey, plain, op.access.who === 'everyone' ? 'stranger' : 'known')
        keep(zippedKey, zipped)
        return { zipped }
      },
    }
  }

  async #jsonText(): Promise<string> {
    if (!this.#op.jsonText) return JSON.stringify(await this.value())
    const text = await this.#op.jsonText(this.call)
    this.call.services.onOutput?.(this.#op, JSON.parse(text))
    return text
  }

  /** For operations that write a long document: made once for equal requests under equal revisions. */
  async document(): Promise<LongDocument & { etag: string }> {
    const [op, call] = [this.#op, this.call]
    const { spool } = call.services
    const key = await this.#key(`${call.principal.revisions.epoch}/`)
    return {
      etag: tagOf(key),
      open: (options) => spool.open(key, (write) => writeChecked(op, call, write), options),
    }
  }

  /** Another version of the program, or another operation, has other responses. */
  async #key(among = ''): Promise<string> {
    const op = this.#op
    requireCommitted(this.call.db)
    return `${this.call.services.version}/${op.id}/${among}${await op.cacheKey!(this.call)}`
  }

  get #keep(): ResponseCache['set'] {
    const { cache } = this.call.services
    return this.#op.isSeldomRepeated ? cache.setOnSecondMiss : cache.set
  }

  /** For operations that declare a stream. */
  stream(): Promise<StreamedResponse> {
    return this.#op.stream!(this.call)
  }
}

/** A tag contains no line break. */
const pack = (text: string, { tag, isComplete }: Validator): Buffer =>
  Buffer.from(`${isComplete ? 'complete' : ''}${tag}\n${text}`)

function unpack(bytes: Buffer): { text: string; validator: Validator } {
  const all = bytes.toString()
  const [start, end] = [all.indexOf('"'), all.indexOf('\n')]
  return { text: all.slice(end + 1), validator: { tag: all.slice(start, end), isComplete: start > 0 } }
}

const tagOf = (key: string): string => `"${hash('sha1', key, 'base64url')}"`

/** Tests check the whole text against the declaration. */
async function writeChecked(op: Operation, call: AnyCall, write: Write): Promise<void> {
  const { onOutput } = call.services
  if (!onOutput) return op.write!(call, write)
  let text = ''
  await op.write!(call, (piece) => {
    text += piece
    return write(piece)
  })
  onOutput(op, JSON.parse(text))
}

export type { OpenCall }

export interface CachedResponse {
  etag: string
  bytes(): Promise<Buffer>
  zippedIfLarge(): Promise<{ zipped: Buffer; plain?: never } | { zipped?: never; plain: Buffer }>
}

/** Inside the transaction of a write, its target is the one that the transaction sees. */
async function runInside(op: Operation, call: AnyCall): Promise<unknown> {
  if (op.target) call.target = await findTarget(op, call)
  if (op.gives) requireGiven(call.principal, op.gives(call))
  return run(op, call)
}

/** The only place where an operation runs (test/door.test.ts). */
const run = (op: Operation, call: AnyCall): Promise<unknown> => op.run(call)
