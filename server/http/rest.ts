// Operations over HTTP: `/api/v1` for programs, which authenticate by bearer token only, and `/app/api` for the web app,
// which has a session cookie. Same operations, same checks, same responses.
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Config } from '../base/config.ts'
import { AppError, badRequest, forbidden, tooLarge } from '../base/errors.ts'
import { type MaybeLater, whenKnown } from '../base/maybe-later.ts'
import { bodySizes } from '../base/request/body-sizes.ts'
import type { IncomingFile, IncomingFiles } from '../base/request/incoming-files.ts'
import { takesSeveral } from '../base/request/input.ts'
import { ZIP_FROM_BYTES } from '../base/response/gzip.ts'
import { isAmong, namesTag, readCondition } from '../domain/flights/conditions.ts'
import { problem } from '../domain/reasons.ts'
import { Attempt, type Repeatable, respondOnce } from '../door/idempotency.ts'
import { type OpenCall, open, type RawInput, requireAccess } from '../door/open.ts'
import { type Call, isOffered, isWrite, type Operation, type WebExchange } from '../door/operation.ts'
import {
  type CachedResponse,
  cachedResponse,
  jsonText,
  longDocument,
  streamedResponse,
} from '../door/responses.ts'
import type { Services } from '../door/services.ts'
import { operations } from '../operations/index.ts'
import { knownBrowserCookie, type SessionCookie, type StepCookie, stepCookie } from '../pages/cookies.ts'
import { type Authenticator, SESSION_LIFETIME_MS } from '../services/access/authenticate.ts'
import type { Principal } from '../services/access/principal.ts'
import { KNOWN_BROWSER_MS } from '../services/accounts/known-browsers.ts'
import type { KeptResponse } from '../store/instance/idempotency.ts'
import { jsonType, parseJson, UNAUTHENTICATED_BODY_BYTES } from './body.ts'
import { clientAddress } from './client-address.ts'
import type { Arrivals } from './connections.ts'
import { pathOf } from './cors.ts'
import { sendStream, sendTagged } from './document.ts'
import { acceptsGzip, sendZippedJson } from './gzip.ts'
import type { LargeBodies } from './large-bodies.ts'
import { type HeaderList, headersFor, sendAtOnce } from './standard-headers.ts'
import { isFromThisMachine } from './this-machine.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | undefined
  }
  interface FastifyContextConfig {
    operation?: Operation
  }
}

interface Parts {
  services: Services
  authenticator: Authenticator
  cookie: SessionCookie
  incoming: IncomingFiles
  arrivals: Arrivals
  largeBodies: LargeBodies
}

interface Door {
  root: string
  has(op: Operation): boolean
  cacheControl: string
  authenticate(request: FastifyRequest): MaybeLater<Principal | undefined>
}

/** One operation at one door, with the headers of its responses. */
interface Route {
  op: Operation
  door: Door
  /** The headers of every response. */
  standard: HeaderList
  /** `standard` plus the caching headers. */
  kept: HeaderList
}

export function mountRest(app: FastifyInstance, parts: Parts): void {
  const { services, authenticator, cookie } = parts
  app.decorateRequest('principal', undefined)
  mountDoor(app, parts, {
    root: '/api/v1',
    has: (op) => isOffered(op, 'v1'),
    cacheControl: 'private, no-store',
    authenticate: (request) => authenticator.bearer(request.headers.authorization, 'v1'),
  })
  mountDoor(app, parts, {
    root: '/app/api',
    has: (op) => isOffered(op, 'app'),
    cacheControl: 'private, no-cache',
    authenticate(request) {
      requireSameOrigin(request, services.config.origin)
      return whenKnown(authenticator.session(cookie.read(request.headers.cookie)), (principal) =>
        isMeantFor(request, principal) ? principal : undefined,
      )
    },
  })
}

function mountDoor(app: FastifyInstance, parts: Parts, door: Door): void {
  const paths = new Map<string, string[]>()
  for (const op of operations) {
    if (!door.has(op)) continue
    const url = door.root + op.path.replaceAll(/\{(\w+)\}/g, ':$1')
    paths.set(url, [...(paths.get(url) ?? []), op.method])
    const route = routeOf(op, door, parts.services.config)
    const mount = op.body?.file?.isLarge ? mountUpload : mountPlain
    const bodyLimit = bodyLimitOf(op, parts.services.config)
    mount(app, parts, {
      method: op.method,
      url,
      config: { operation: op },
      bodyLimit,
      ...parts.largeBodies(bodyLimit),
      // Runs before the body is read: a large body without a credential is refused unread.
      onRequest(request, _reply, done) {
        const admitted = isPublic(op) ? undefined : admit(route, request)
        if (admitted instanceof Promise) admitted.then(() => done(), done)
        else done()
      },
      handler: (request, reply) => respond(route, parts, request, reply),
    })
  }
  for (const [url, methods] of paths) refuseOtherMethods(app, url, methods)
}

const mountPlain = (app: FastifyInstance, _parts: Parts, route: RouteOptions): void => void app.route(route)

/** A body that is not JSON is written to disk as it arrives. */
function mountUpload(
  app: FastifyInstance,
  { incoming, services, arrivals }: Parts,
  route: RouteOptions,
): void {
  const op = route.config!.operation!
  const atMost = fileLimitOf(op, services.config)
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(jsonType, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.addContentTypeParser('*', async (request: FastifyRequest, body: IncomingMessage) => {
      if (Number(request.headers['content-length']) > atMost) throw tooLarge(atMost)
      arrivals.expectProgress(request.raw)
      return incoming.receive(request.principal!.user.id, body, atMost)
    })
    scope.route({
      ...route,
      async handler(request, reply) {
        try {
          return await route.handler.call(this, request, reply)
        } finally {
          await uploadOf(op, request)?.end()
        }
      },
    })
  })
}

const admit = ({ op, door }: Route, request: FastifyRequest): MaybeLater<void> =>
  whenKnown(door.authenticate(request), (principal) => {
    request.principal = principal
    requireAccess(op, principal)
  })

function routeOf(op: Operation, door: Door, { origin }: Config): Route {
  const standard = headersFor(origin, door.root + op.path)
  const { byLanguage, control } = op.cached ?? {}
  const vary = byLanguage
    ? 'accept-language'
    : // A response in a browser's cache is not for the next person who signs in there.
      control?.startsWith('private, max-age') && 'authorization, cookie'
  const kept = [...standard, 'cache-control', control ?? door.cacheControl]
  return { op, door, standard, kept: vary ? [...kept, 'vary', vary] : kept }
}

/** Without a credential only a small body is accepted; with one, access is checked before the body is read. */
function bodyLimitOf(op: Operation, config: Config): number {
  const { access, body: { file, size = 'usual' } = {} } = op
  if (access.who === 'everyone') return Math.min(UNAUTHENTICATED_BODY_BYTES, config.bodySizeLimit)
  const ofJson = Math.min(bodySizes[size].bytes, config.bodySizeLimit)
  return file && !file.isLarge ? Math.max(ofJson, fileLimitOf(op, config)) : ofJson
}

function fileLimitOf({ body }: Operation, config: Config): number {
  const { atMostBytes } = body!.file!
  return typeof atMostBytes === 'number' ? atMostBytes : atMostBytes(config)
}

/** Equal for every caller, so it is served without checking the credential and without the database. */
const isPublic = (op: Operation): boolean => op.access.who === 'everyone' && op.door !== 'app'

const everyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']

/** Other methods on a known path get 405 with the allowed ones. */
export function refuseOtherMethods(app: FastifyInstance, url: string, methods: readonly string[]): void {
  const allowed = everyMethod.filter(
    (method) => methods.includes(method) || (method === 'HEAD' && methods.includes('GET')),
  )
  const refuse = (request: FastifyRequest) => {
    throw new AppError('method_not_allowed', problem('method_not_allowed', { method: request.method }), {
      headers: { allow: allowed.join(', ') },
    })
  }
  const refused = [...everyMethod, 'TRACE'].filter((method) => !allowed.includes(method))
  // Refused before the body is read.
  app.route({ method: refused, url, onRequest: async (request) => refuse(request), handler: refuse })
}

/**
 * Returns the reply only for a stream. The reply is a thenable: if an async function returns it, Fastify watches the socket for
 * the end of the response, which costs more than everything else in a small request.
 */
async function respond(
  route: Route,
  { services, cookie }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { op } = route
  const raw = rawInput(op, request)
  const web = webExchange(request, reply, services, cookie)
  const attempt = attemptOf(op, services, request)
  if (attempt) {
    const response = await respondOnce(attempt, async () => {
      const opened = await open(op, services, request.principal, raw, { web })
      attempt.render = (output) => responseOf(route, opened.call, output)
      return opened.value(attempt)
    })
    return void sendKept(route, request, reply, response)
  }
  const opened = await open(op, services, request.principal, raw, { web })
  if (op.sends?.stream)
    return sendStream(await streamedResponse(opened), request, addHeaders(reply, route.kept))
  if (op.sends?.written)
    return sendTagged(await longDocument(opened), ZIP_FROM_BYTES, request, addHeaders(reply, route.kept))
  if (op.cached?.key && !op.target?.conditional)
    await sendCached(route, await cachedResponse(opened), request, reply)
  else await sendValue(route, request, reply, opened)
  return undefined
}

function rawInput(op: Operation, request: FastifyRequest): RawInput {
  const { headers } = request
  return {
    params: request.params,
    query: queryOf(op, request.query as Record<string, string | string[]>),
    readBody: () =>
      op.body?.optional && isEmpty(request.body)
        ? {}
        : parseJson(
            request.body,
            headers['content-type'],
            bodySizes[op.body?.size ?? 'usual'],
            op.body?.textsCheckedLater,
          ),
    file: fileOf(op, request),
    upload: uploadOf(op, request),
    condition: readCondition(headers['if-match'], headers['if-none-match']),
  }
}

/** For responses that Fastify writes in pieces. */
function addHeaders(reply: FastifyReply, list: HeaderList): FastifyReply {
  for (let i = 0; i < list.length; i += 2) reply.header(list[i]!, list[i + 1]!)
  return reply
}

const isEmpty = (body: unknown): boolean => !(body instanceof Uint8Array) || body.byteLength === 0

/** If the operation accepts JSON too, the media type decides. */
function fileOf(op: Operation, { headers, body }: FastifyRequest): Uint8Array | undefined {
  if (!op.body?.file || op.body.file.isLarge || !(body instanceof Uint8Array)) return undefined
  return op.body.schema && jsonType.test(headers['content-type'] ?? '') ? undefined : body
}

/** The upload, if the body is a large file; JSON was read into memory. */
const uploadOf = (op: Operation, { body }: FastifyRequest): IncomingFile | undefined =>
  op.body?.file?.isLarge && body && !(body instanceof Uint8Array) ? (body as IncomingFile) : undefined

async function sendValue(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  opened: OpenCall<Operation>,
): Promise<void> {
  if (route.op.method !== 'GET') {
    const response = responseOf(route, opened.call, await opened.value())
    return sendResponse(request, reply, route.kept, route, response)
  }
  const text = await jsonText(opened)
  const { condition, validator } = opened.call
  const headers = validator.tag === undefined ? route.kept : [...route.kept, 'etag', validator.tag]
  if (validator.isComplete && isAmong(condition?.noneMatch ?? [], validator.tag))
    sendAtOnce(request, reply, 304, headers)
  else sendAtOnce(request, reply, 200, [...headers, 'content-type', 'application/json'], text)
}

/** The response to a successful call. */
function responseOf({ op, door }: Route, call: Call, output: unknown): KeptResponse {
  if (op.status === 204) return { status: 204, headers: {}, body: null }
  const { created } = call.outcome
  const { tag } = call.validator
  const location = created ?? op.location?.(output)
  return {
    status: created === undefined ? (op.status ?? 200) : 201,
    headers: {
      ...(location === undefined ? {} : { location: door.root + location }),
      ...(tag === undefined ? {} : { etag: tag }),
      'content-type': 'application/json',
    },
    body: JSON.stringify(output),
  }
}

function sendResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  kept: HeaderList,
  { standard }: Route,
  { status, headers, body }: KeptResponse,
): void {
  const list = [...(body === null ? standard : kept)]
  for (const name in headers) list.push(name, headers[name]!)
  sendAtOnce(request, reply, status, list, ...(body === null ? [] : [body]))
}

/** Sends the response to a request with an idempotency key, which may be a repeated one. */
function sendKept(route: Route, request: FastifyRequest, reply: FastifyReply, response: Repeatable): void {
  const repeated = response.isRepeated ? ['idempotency-replayed', 'true'] : []
  const { standard } = route
  const kept = [...standard, ...repeated, 'cache-control', 'private, no-store']
  sendResponse(request, reply, kept, { ...route, standard: [...standard, ...repeated] }, response)
}

const keyForm = /^[\x20-\x7e]{1,200}$/

/**
 * The attempt of a POST with an `Idempotency-Key`. Other methods and reads are safe to repeat. In the web app a key outlives
 * the session: a change made offline may be sent after signing in again.
 */
function attemptOf(op: Operation, services: Services, request: FastifyRequest): Attempt | undefined {
  const { principal, headers, body, url } = request
  const key = headers['idempotency-key']
  if (key === undefined || op.method !== 'POST' || !isWrite(op) || !principal || op.door === 'app')
    return undefined
  if (typeof key !== 'string' || !keyForm.test(key)) throw badRequest('idempotency_key_form')
  if (op.returnsSecret) throw badRequest('idempotency_key_refused')
  const hash = createHash('sha256').update(`${url.split('?')[1] ?? ''}\n`)
  const content = uploadOf(op, request)?.sha256 ?? body
  if (typeof content === 'string' || content instanceof Uint8Array) hash.update(content)
  return new Attempt(services, {
    credential:
      principal.kind === 'session'
        ? `person:${principal.user.id}`
        : `${principal.kind}:${principal.credentialId}`,
    method: op.method,
    path: pathOf(url).replace(/\/$/, ''),
    key,
    bodyHash: hash.digest('base64url'),
  })
}

async function sendCached(
  { kept }: Route,
  response: CachedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const tagged = [...kept, 'etag', response.etag]
  if (namesTag(request.headers['if-none-match'], response.etag))
    return sendAtOnce(request, reply, 304, tagged)
  const send = (bytes: Buffer) =>
    sendAtOnce(request, reply, 200, [...tagged, 'content-type', 'application/json'], bytes)
  if (!acceptsGzip(request.headers['accept-encoding'])) return send(await response.bytes())
  const { zipped, plain } = await response.zippedIfLarge()
  if (!zipped) return send(plain)
  // Weak, because a strong tag would promise equal bytes.
  await sendZippedJson(request, addHeaders(reply, kept).header('etag', `W/${response.etag}`), zipped)
}

export const sendJson = (reply: FastifyReply, body: string | Buffer): void =>
  void reply
    .header('content-type', 'application/json')
    .send(typeof body === 'string' ? Buffer.from(body) : body)

/** Takes the first value of a repeated query parameter. */
export function firstOfEach(query: Record<string, string | string[]>): Record<string, string> {
  const first: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) first[name] = Array.isArray(value) ? value[0]! : value
  return first
}

/** As `firstOfEach`, but keeps all values of parameters that accept several. */
function queryOf(op: Operation, query: Record<string, string | string[]>): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = firstOfEach(query)
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value) && takesSeveral(op.query?.shape[name])) values[name] = value
  }
  return values
}

export const webExchange = (
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  cookie: SessionCookie,
): WebExchange => new FastifyExchange(request, reply, services, cookie)

/** Looks things up only on demand, because few operations use it. */
class FastifyExchange implements WebExchange {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #services: Services
  readonly #cookie: SessionCookie

  constructor(request: FastifyRequest, reply: FastifyReply, services: Services, cookie: SessionCookie) {
    this.#request = request
    this.#reply = reply
    this.#services = services
    this.#cookie = cookie
  }

  get userAgent() {
    return this.#request.headers['user-agent']
  }
  get languages() {
    return this.#request.headers['accept-language']
  }
  get address() {
    return clientAddress(this.#request, this.#services.config)
  }
  get isFromThisMachine() {
    return isFromThisMachine(this.#request, this.#services.config)
  }
  get browserProofs() {
    return knownBrowserCookie(this.#services.config.origin).read(this.#request.headers.cookie)
  }

  get session() {
    return this.#cookie.read(this.#request.headers.cookie)
  }
  startSession(secret: string) {
    this.#setCookie(this.#cookie.set(secret, SESSION_LIFETIME_MS / 1000))
  }
  endSession() {
    this.#setCookie(this.#cookie.clear())
  }
  keepBrowserProofs(proofs: string) {
    this.#setCookie(knownBrowserCookie(this.#services.config.origin).set(proofs, KNOWN_BROWSER_MS / 1000))
  }
  step(name: StepCookie) {
    return stepCookie(this.#services.config.origin, name).read(this.#request.headers.cookie)
  }
  keepStep(name: StepCookie, value?: string, lifetimeMs = 0) {
    const cookie = stepCookie(this.#services.config.origin, name)
    this.#setCookie(value === undefined ? cookie.clear() : cookie.set(value, lifetimeMs / 1000))
  }
  onDisconnect(listener: () => void) {
    this.#reply.raw.once('close', listener)
  }

  #setCookie(cookie: string) {
    this.#reply.header('set-cookie', cookie)
  }
}

/**
 * A change that was queued in the browser names the person who made it: someone else may have signed in there since, and with
 * the cookie alone the change would become theirs.
 */
const isMeantFor = ({ headers }: FastifyRequest, principal: Principal | undefined): boolean =>
  headers['x-contrail-person'] === undefined || headers['x-contrail-person'] === principal?.user.id

/**
 * Browsers send cookies with requests that other sites trigger, too. `Sec-Fetch-Site` identifies those; without it, a write
 * needs our `Origin`.
 */
export function requireSameOrigin(request: FastifyRequest, origin: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const site = request.headers['sec-fetch-site']
  const same = site === undefined ? request.headers.origin === origin : site === 'same-origin'
  if (!same) throw forbidden(problem('cross_origin', { origin }))
}
