// Operations over HTTP: `/api/v1` for programs, which authenticate by bearer only, and `/app/api` for the web app,
// which has a session cookie. Same operations, same checks, same responses.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Authenticator, SESSION_LIFETIME_MS } from '../auth/authenticate.ts'
import { KNOWN_BROWSER_MS } from '../auth/known-browsers.ts'
import type { Principal } from '../auth/principal.ts'
import type { Config } from '../base/config.ts'
import { AppError, badRequest, forbidden } from '../base/errors.ts'
import { isAmong, namesTag, readCondition } from '../domain/conditions.ts'
import { problem } from '../domain/reasons.ts'
import { Attempt, type Repeatable, respondOnce } from '../idempotency.ts'
import {
  type CachedResponse,
  type Call,
  isOffered,
  isWrite,
  type OpenCall,
  type Operation,
  open,
  requireAccess,
  type Services,
  type StreamedResponse,
  takesSeveral,
  type WebExchange,
} from '../operation.ts'
import { operations } from '../operations/index.ts'
import { knownBrowserCookie, type SessionCookie, stepCookie } from '../pages/cookies.ts'
import type { KeptResponse } from '../store/idempotency.ts'
import { parseJson, UNAUTHENTICATED_BODY_BYTES } from './body.ts'
import { clientAddress } from './client-address.ts'
import { pathOf } from './cors.ts'
import { acceptsGzip, sendZippedJson } from './gzip.ts'
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
}

interface Door {
  root: string
  has(op: Operation): boolean
  cacheControl: string
  authenticate(request: FastifyRequest): Promise<Principal | undefined>
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
    async authenticate(request) {
      requireSameOrigin(request, services.config.origin)
      const principal = await authenticator.session(cookie.read(request.headers.cookie))
      return isMeantFor(request, principal) ? principal : undefined
    },
  })
}

function mountDoor(app: FastifyInstance, parts: Parts, door: Door): void {
  const paths = new Map<string, string[]>()
  for (const op of operations) {
    if (!door.has(op)) continue
    const url = door.root + op.path.replaceAll(/\{(\w+)\}/g, ':$1')
    paths.set(url, [...(paths.get(url) ?? []), op.method])
    app.route({
      method: op.method,
      url,
      config: { operation: op },
      bodyLimit: bodyLimitOf(op, parts.services.config),
      // Before the body is read: a large body without a credential is refused unread.
      async onRequest(request) {
        if (isPublic(op)) return
        request.principal = await door.authenticate(request)
        requireAccess(op, request.principal)
      },
      handler: (request, reply) => respond(op, parts, door, request, reply),
    })
  }
  for (const [url, methods] of paths) refuseOtherMethods(app, url, methods)
}

/** Without a credential only a small body is accepted; with one, access was checked before the body is read. */
function bodyLimitOf({ access, file, body }: Operation, config: Config): number {
  if (access.who === 'everyone') return Math.min(UNAUTHENTICATED_BODY_BYTES, config.bodySizeLimit)
  if (!file) return config.bodySizeLimit
  const { atMostBytes } = file
  const atMost = typeof atMostBytes === 'number' ? atMostBytes : atMostBytes(config)
  // As base64 in JSON, with names and quotes; the operation compares what is in it.
  return body ? Math.ceil(atMost * 1.5) + 10_000 : atMost
}

/** The same for every caller, so it is served without looking at the credential and without a database. */
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
  // Before the body is read.
  app.route({ method: refused, url, onRequest: async (request) => refuse(request), handler: refuse })
}

/**
 * Only a stream returns the reply. It is a thenable, and an async function that returns it makes Fastify watch the
 * socket for the end of the response, which costs more than the rest of a small request together.
 */
async function respond(
  op: Operation,
  { services, cookie }: Parts,
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { headers } = request
  const raw = {
    params: request.params,
    query: queryOf(op, request.query as Record<string, string | string[]>),
    readBody: () =>
      op.bodyIsOptional && isEmpty(request.body)
        ? {}
        : parseJson(request.body, headers['content-type'], op.bodyMembersAtMost, op.textsCheckedLater),
    file: fileOf(op, request),
    condition: readCondition(headers['if-match'], headers['if-none-match']),
  }
  const web = webExchange(request, reply, services, cookie)
  const attempt = attemptOf(op, services, request)
  if (attempt) {
    const response = await respondOnce(attempt, async () => {
      const opened = await open(op, services, request.principal, raw, { web })
      attempt.render = (output) => responseOf(op, door, opened.call, output)
      return opened.value(attempt)
    })
    return void sendKept(reply, response)
  }
  const opened = await open(op, services, request.principal, raw, { web })
  reply.header('cache-control', op.cacheControl ?? door.cacheControl)
  // What a browser may keep is not for the next person who uses it.
  if (op.cacheControl?.startsWith('private, max-age')) reply.header('vary', 'authorization, cookie')
  if (op.translated) reply.header('vary', 'accept-language')
  if (op.stream) return sendStream(await opened.stream(), reply)
  if (op.cacheKey) await sendCached(await opened.response(), request, reply)
  else await sendValue(op, door, reply, opened)
  return undefined
}

const isEmpty = (body: unknown): boolean => !(body instanceof Uint8Array) || body.byteLength === 0

/** Where JSON is possible too, the media type decides. */
function fileOf(op: Operation, { headers, body }: FastifyRequest): Uint8Array | undefined {
  if (!op.file || !(body instanceof Uint8Array)) return undefined
  return op.body && jsonType.test(headers['content-type'] ?? '') ? undefined : body
}
const jsonType = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i

async function sendValue(
  op: Operation,
  door: Door,
  reply: FastifyReply,
  opened: OpenCall<Operation>,
): Promise<void> {
  const output = await opened.value()
  const { condition, validator } = opened.call
  const isKnown =
    op.method === 'GET' && validator.isComplete && isAmong(condition?.noneMatch ?? [], validator.tag)
  if (isKnown) reply.header('etag', validator.tag).code(304).send()
  else sendResponse(reply, responseOf(op, door, opened.call, output))
}

/** The response to a call that succeeded. */
function responseOf(op: Operation, door: Door, call: Call, output: unknown): KeptResponse {
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

function sendResponse(reply: FastifyReply, { status, headers, body }: KeptResponse): void {
  reply.code(status).headers(headers)
  if (body === null) reply.removeHeader('cache-control').send()
  else reply.send(Buffer.from(body))
}

/** The same for a request with a key, which may have been made before. */
function sendKept(reply: FastifyReply, response: Repeatable): void {
  if (response.isRepeated) reply.header('idempotency-replayed', 'true')
  sendResponse(reply.header('cache-control', 'private, no-store'), response)
}

const keyForm = /^[\x20-\x7e]{1,200}$/

/**
 * Of a POST with an `Idempotency-Key`. Other methods, and what changes nothing, may be repeated as they are. The key of a
 * person at the web app outlives the session: a change that waited offline may be sent after signing in again.
 */
function attemptOf(op: Operation, services: Services, request: FastifyRequest): Attempt | undefined {
  const { principal, headers, body, url } = request
  const key = headers['idempotency-key']
  if (key === undefined || op.method !== 'POST' || !isWrite(op) || !principal || op.door === 'app')
    return undefined
  if (typeof key !== 'string' || !keyForm.test(key)) throw badRequest('idempotency_key_form')
  if (op.returnsSecret) throw badRequest('idempotency_key_refused')
  const hash = createHash('sha256').update(`${url.split('?')[1] ?? ''}\n`)
  if (body instanceof Uint8Array) hash.update(body)
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
  response: CachedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.header('etag', response.etag)
  if (namesTag(request.headers['if-none-match'], response.etag)) return void reply.code(304).send()
  if (!acceptsGzip(request.headers['accept-encoding'])) return sendJson(reply, await response.bytes())
  const { zipped, plain } = await response.zippedIfLarge()
  if (!zipped) return sendJson(reply, plain)
  // The same content in another form of bytes: a strong tag would promise equal bytes.
  await sendZippedJson(request, reply.header('etag', `W/${response.etag}`), zipped)
}

export const sendJson = (reply: FastifyReply, body: string | Buffer): void =>
  void reply
    .header('content-type', 'application/json')
    .send(typeof body === 'string' ? Buffer.from(body) : body)

export const sendStream = (
  { status = 200, headers, body }: StreamedResponse,
  reply: FastifyReply,
): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .send(body instanceof Readable || body instanceof Uint8Array ? body : Readable.from(body))

/** A repeated query parameter means its first value. */
export function firstOfEach(query: Record<string, string | string[]>): Record<string, string> {
  const first: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) first[name] = Array.isArray(value) ? value[0]! : value
  return first
}

/** The same, except for parameters that take several values. */
function queryOf(op: Operation, query: Record<string, string | string[]>): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = firstOfEach(query)
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value) && takesSeveral(op.query?.shape[name])) values[name] = value
  }
  return values
}

export function webExchange(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  cookie: SessionCookie,
): WebExchange {
  return {
    userAgent: request.headers['user-agent'],
    languages: request.headers['accept-language'],
    // Few operations need it, and finding it is not free.
    get address() {
      return clientAddress(request, services.config)
    },
    get isFromThisMachine() {
      return isFromThisMachine(request, services.config)
    },
    startSession: (secret) => void reply.header('set-cookie', cookie.set(secret, SESSION_LIFETIME_MS / 1000)),
    endSession: () => void reply.header('set-cookie', cookie.clear()),
    get browserProofs() {
      return knownBrowserCookie(services.config.origin).read(request.headers.cookie)
    },
    keepBrowserProofs(proofs) {
      const { set } = knownBrowserCookie(services.config.origin)
      reply.header('set-cookie', set(proofs, KNOWN_BROWSER_MS / 1000))
    },
    step: (name) => stepCookie(services.config.origin, name).read(request.headers.cookie),
    keepStep(name, value, lifetimeMs = 0) {
      const cookieOf = stepCookie(services.config.origin, name)
      reply.header(
        'set-cookie',
        value === undefined ? cookieOf.clear() : cookieOf.set(value, lifetimeMs / 1000),
      )
    },
    onDisconnect: (listener) => void reply.raw.once('close', listener),
  }
}

/**
 * A change that waited in the browser names the person who made it: another person may have signed in there since, and the
 * cookie alone would make it theirs.
 */
const isMeantFor = ({ headers }: FastifyRequest, principal: Principal | undefined): boolean =>
  headers['x-contrail-person'] === undefined || headers['x-contrail-person'] === principal?.user.id

/**
 * Browsers send cookies with requests that other sites cause too. Sec-Fetch-Site shows which those are; without it,
 * the `Origin` must be ours. A write needs one of the two.
 */
export function requireSameOrigin(request: FastifyRequest, origin: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const site = request.headers['sec-fetch-site']
  const same = site === undefined ? request.headers.origin === origin : site === 'same-origin'
  if (!same) throw forbidden(problem('cross_origin', { origin }))
}
