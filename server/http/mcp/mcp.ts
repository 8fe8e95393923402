// The Model Context Protocol at /api/mcp: Streamable HTTP without sessions, for the 2026-07-28 revision and the ones with a
// handshake. The operations' door decides access and effects. The SDK (server.ts) implements the protocol and is loaded with
// the first message, because many instances never get one.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, forbidden } from '../../base/errors.ts'
import { type BodyBound, largestBody } from '../../base/request/body-sizes.ts'
import { defaultMcpScopes } from '../../domain/access/access.ts'
import type { Services } from '../../door/services.ts'
import { operations } from '../../operations/index.ts'
import type { Authenticator } from '../../services/access/authenticate.ts'
import { decodeJson, mayHideNoText } from '../body.ts'
import { challengeFor } from '../challenge.ts'
import type { LargeBodies } from '../large-bodies.ts'
import { createExchange, type Exchange, MESSAGES_AT_MOST } from './exchange.ts'
import type { McpServer } from './server.ts'

const PATH = '/api/mcp'
/** More than any valid message, its params or its arguments have. The SDK visits each member many times. */
const MEMBERS_AT_MOST = 100
/** JSON-RPC's own codes (section 5.1). */
const rpcCodes = { parseError: -32_700, invalidRequest: -32_600, methodNotFound: -32_601 } as const

interface Parts {
  services: Services
  authenticator: Authenticator
  largeBodies: LargeBodies
}

export function mountMcp(app: FastifyInstance, { services, authenticator, largeBodies }: Parts): void {
  const { config } = services
  const bound = largestBody(operations.flatMap(({ tool, body }) => (tool ? (body?.size ?? 'usual') : [])))
  const bodyLimit = Math.min(bound.bytes, config.bodySizeLimit)
  let loading: Promise<McpServer> | undefined
  const loadServer = () => {
    loading ??= import('./server.ts').then(({ createMcpServer }) => createMcpServer(services))
    return loading
  }
  app.addHook('onClose', async () => (await loading)?.close())

  const authenticate = async (request: FastifyRequest): Promise<void> => {
    request.principal = await authenticator.bearer(request.headers.authorization, 'mcp')
    if (!request.principal) throw unauthorized(request, config.origin)
  }

  app.route({
    method: 'POST',
    url: PATH,
    bodyLimit,
    ...largeBodies(bodyLimit),
    async onRequest(request) {
      requireTrustedAddress(request, config.origin)
      await authenticate(request)
    },
    handler: async (request, reply) =>
      send(reply, await respond(request, createExchange(request.principal!, wantsAllTools(request)))),
  })

  async function respond(request: FastifyRequest, exchange: Exchange): Promise<Response> {
    const message = await readMessage(request, bound, exchange)
    if (message instanceof Response) return message
    const webRequest = new Request(config.origin + PATH, { method: 'POST', headers: forwarded(request) })
    const response = await (await loadServer()).respond(webRequest, message, exchange)
    // A batch has no single response to refuse; the missing scope is reported in the message's own result.
    if (exchange.stepUp === undefined || Array.isArray(message)) return response
    return challenge(exchange, exchange.stepUp, config.origin, idOf(message))
  }

  app.route({
    method: 'GET',
    url: PATH,
    async onRequest(request) {
      requireTrustedAddress(request, config.origin)
      if (wantsStream(request)) await authenticate(request)
    },
    handler: (request, reply) => {
      reply.header('vary', 'Accept')
      if (wantsStream(request)) throw noStream()
      return reply
        .headers({ 'cache-control': 'public, max-age=60', 'content-type': 'application/json' })
        .send(Buffer.from(JSON.stringify(card(config.origin))))
    },
  })
  app.route({
    method: ['DELETE', 'PUT', 'PATCH'],
    url: PATH,
    async onRequest(request) {
      requireTrustedAddress(request, config.origin)
      await authenticate(request)
    },
    handler: () => {
      throw noStream()
    },
  })
}

// Reading the request

/**
 * DNS rebinding: a page can reach a private network through a host name that its owner controls. Such a request has that
 * name as its Host, so only our own name (and, on loopback, every loopback name) is served.
 */
function requireTrustedAddress(request: FastifyRequest, origin: string): void {
  const own = new URL(origin).hostname
  const host = hostname(request.headers.host)
  const trusted = host !== undefined && (host === own || (isLoopback(own) && isLoopback(host)))
  if (!trusted) throw forbidden('host_mismatch')
  const from = request.headers.origin
  if (from !== undefined && !/^(null|[a-z][a-z\d+.-]*:\/\/[^\s/?#@\\]+)$/i.test(from)) {
    throw forbidden('origin_malformed')
  }
}

const hostname = (host: string | undefined): string | undefined =>
  host !== undefined && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined
const isLoopback = (name: string) => name === 'localhost' || name === '[::1]' || /^127(\.\d+){3}$/.test(name)

const wantsAllTools = (request: FastifyRequest): boolean =>
  (request.query as { tools?: unknown }).tools === 'all'

const wantsStream = (request: FastifyRequest): boolean =>
  request.headers.accept?.toLowerCase().includes('text/event-stream') ?? false

/** The parsed body, or an error response if it is not a message. */
async function readMessage(request: FastifyRequest, bound: BodyBound, exchange: Exchange): Promise<unknown> {
  let decoded: { text: string; value: unknown }
  try {
    decoded = await decodeJson(request.body, bound)
  } catch (error) {
    return rpcError(400, rpcCodes.parseError, error as AppError, null)
  }
  exchange.suspicious = mayHideNoText(decoded.text)
  const { value } = decoded
  if ([value].flat().some(hasTooManyMembers)) {
    const message = `A message, its params and its arguments may have at most ${MEMBERS_AT_MOST} members each`
    return rpcError(400, rpcCodes.invalidRequest, message, idOf(value))
  }
  if (methodOf(value) === 'subscriptions/listen') {
    // Lists change only with the credential, so there is nothing to listen for.
    return rpcError(404, rpcCodes.methodNotFound, 'Method not found', idOf(value))
  }
  if (Array.isArray(value) && value.length > MESSAGES_AT_MOST) {
    const message = `A batch may have at most ${MESSAGES_AT_MOST} messages; this one has ${value.length}. Split it into several requests`
    return rpcError(400, rpcCodes.invalidRequest, message, null)
  }
  // No call outlives its request, so there is nothing to cancel; in a batch, cancelling would leave a request without response.
  if (!Array.isArray(value)) return value
  const rest = value.filter((message) => methodOf(message) !== 'notifications/cancelled')
  return rest.length === 0 && value.length > 0 ? new Response(null, { status: 202 }) : rest
}

const member = (message: unknown, name: string): unknown =>
  message !== null && typeof message === 'object' ? (message as Record<string, unknown>)[name] : undefined
function hasTooManyMembers(message: unknown): boolean {
  const params = member(message, 'params')
  return [message, params, member(params, 'arguments'), member(params, '_meta')].some(
    (part) => part !== null && typeof part === 'object' && Object.keys(part).length > MEMBERS_AT_MOST,
  )
}
const methodOf = (message: unknown) => member(message, 'method')
const idOf = (message: unknown): string | number | null => {
  const id = member(message, 'id')
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** The headers that the SDK reads. We always send JSON, so every client that accepts JSON is served. */
function forwarded({ headers }: FastifyRequest): Headers {
  const kept = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'content-type' || name.startsWith('mcp-')) kept.set(name, String(value))
  }
  const accept = headers.accept ?? '*/*'
  const takesJson = /application\/json|application\/\*|\*\/\*/i.test(accept)
  kept.set('accept', takesJson ? 'application/json, text/event-stream' : accept)
  return kept
}

// Responses

function rpcError(
  status: number,
  code: number,
  given: string | AppError,
  id: string | number | null,
  headers: Record<string, string> = {},
): Response {
  const error =
    typeof given === 'string'
      ? { code, message: given }
      : { code, message: given.message, data: given.body.error }
  return Response.json({ jsonrpc: '2.0', id, error }, { status, headers })
}

function unauthorized(request: FastifyRequest, origin: string): AppError {
  const error = new AppError('unauthorized', 'unauthorized')
  const header = challengeFor(error, {
    origin,
    resource: PATH,
    scopes: defaultMcpScopes,
    authorization: request.headers.authorization,
  })
  return new AppError(error.code, error.problem, { headers: { 'www-authenticate': header! } })
}

/**
 * One challenge with every scope the call needs. Older clients, those with a handshake, request exactly these scopes and would
 * lose the ones they have, so both are listed for them (2025-11-25, "Scope Challenge Handling"). Newer clients add the two.
 */
function challenge(
  { era, principal }: Exchange,
  error: AppError,
  origin: string,
  id: string | number | null,
): Response {
  const scopes = era === 'legacy' ? [...principal.scopes] : []
  const header = challengeFor(error, { origin, resource: PATH, scopes })
  return rpcError(403, rpcCodes.invalidRequest, error, id, { 'www-authenticate': header! })
}

const noStream = () =>
  new AppError('method_not_allowed', 'post_only', {
    headers: { allow: 'POST, OPTIONS' },
  })

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  for (const [name, value] of response.headers) reply.header(name, value)
  reply.header('cache-control', 'private, no-store').code(response.status)
  const body = Buffer.from(await response.arrayBuffer())
  return body.length > 0 ? reply.send(body) : reply.send()
}

/** Public information: that this is an MCP server, and how to authenticate. */
const card = (origin: string) => ({
  name: 'Contrail',
  protocol: 'Model Context Protocol',
  transport: { type: 'streamable-http', endpoint: `${origin}${PATH}`, stateless: true },
  authentication: {
    methods: ['api_key', 'oauth2_authorization_code_pkce'],
    bearerHeader: 'Authorization: Bearer <credential>',
    protectedResourceMetadata: `${origin}/.well-known/oauth-protected-resource${PATH}`,
  },
  apiDiscovery: `${origin}/api`,
  documentation: `${origin}/api/v1/openapi.yaml`,
})
