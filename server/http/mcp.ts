// The Model Context Protocol at /api/mcp: Streamable HTTP without sessions, the 2026-07-28 revision and the ones with
// a handshake on one address. Who is asked, what may be seen and what is done is decided by the operations' own door;
// the protocol itself is the SDK's.
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerOptions,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from '../auth/authenticate.ts'
import type { Principal } from '../auth/principal.ts'
import { defaultMcpScopes, grantableScopes } from '../domain/access.ts'
import { AppError, forbidden } from '../errors.ts'
import { isWrite, type Services } from '../operation.ts'
import { decodeJson, mayHideNoText, requireStorableText } from './body.ts'
import { challengeFor } from './challenge.ts'
import { getPrompt, instructions, listPrompts } from './mcp-prompts.ts'
import { findResource, listResources, listResourceTemplates, readResource } from './mcp-resources.ts'
import { callTool, findTool, listTools, toolError } from './mcp-tools.ts'

const PATH = '/api/mcp'
const unchanging = { ttlMs: 3_600_000, cacheScope: 'public' } as const
const byCredential = { ttlMs: 60_000, cacheScope: 'private' } as const

interface Parts {
  services: Services
  authenticator: Authenticator
}

/** One POST on its way through the SDK. */
interface Exchange {
  principal: Principal
  era: 'modern' | 'legacy'
  /** The text of the body may hold characters that no engine can store. */
  suspicious: boolean
  /** A missing scope that the person could grant: the answer becomes a challenge. */
  stepUp: AppError | undefined
}

export function mountMcp(app: FastifyInstance, { services, authenticator }: Parts): void {
  const { config, log } = services
  const exchanges = new WeakMap<Request, Exchange>()
  const onerror = (error: Error) => log.debug('mcp request refused', { reason: error.message })
  const modern = createMcpHandler(({ requestInfo }) => createServer(services, exchanges.get(requestInfo!)!), {
    legacy: 'reject',
    onerror,
  })
  app.addHook('onClose', () => modern.close())

  const authenticate = async (request: FastifyRequest): Promise<void> => {
    request.principal = await authenticator.bearer(request.headers.authorization, 'mcp')
    if (!request.principal) throw unauthorized(request, config.origin)
  }

  app.route({
    method: 'POST',
    url: PATH,
    async onRequest(request) {
      requireTrustedAddress(request, config.origin)
      await authenticate(request)
    },
    handler: async (request, reply) => {
      return send(
        reply,
        await answer(request, {
          principal: request.principal!,
          era: 'modern',
          suspicious: false,
          stepUp: undefined,
        }),
      )
    },
  })

  async function answer(request: FastifyRequest, exchange: Exchange): Promise<Response> {
    const message = readMessage(request, exchange)
    if (message instanceof Response) return message
    const webRequest = new Request(config.origin + PATH, { method: 'POST', headers: forwarded(request) })
    exchanges.set(webRequest, exchange)
    if (await isLegacyRequest(webRequest, message)) exchange.era = 'legacy'
    const response =
      exchange.era === 'legacy'
        ? await answerLegacy(webRequest, message, createServer(services, exchange), onerror)
        : await modern.fetch(webRequest, { parsedBody: message })
    // A batch has no single answer to refuse: there the missing scope is told per message.
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

// The server that one request gets

const options: ServerOptions = {
  capabilities: { tools: {}, resources: {}, prompts: {} },
  instructions,
  cacheHints: {
    'server/discover': unchanging,
    'tools/list': byCredential,
    'prompts/list': byCredential,
    'resources/list': byCredential,
    'resources/templates/list': byCredential,
  },
  // The default one compiles a validator of its own for every request. It would check answers of people to our
  // questions, and we ask none.
  jsonSchemaValidator: {
    getValidator: () => {
      throw new Error('nothing is elicited')
    },
  },
}

function createServer(services: Services, exchange: Exchange): Server {
  const { principal } = exchange
  const { version, config } = services
  const server = new Server(
    { name: 'contrail', title: 'Contrail', version, websiteUrl: config.origin },
    options,
  )
  server.setRequestHandler('tools/list', () => ({ tools: listTools(principal) }))
  server.setRequestHandler('tools/call', ({ params }) =>
    runTool(services, exchange, params.name, params.arguments ?? {}),
  )
  server.setRequestHandler('resources/list', () => ({ resources: listResources(principal) }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: listResourceTemplates(principal),
  }))
  server.setRequestHandler('resources/read', ({ params }) => runRead(services, exchange, params.uri))
  server.setRequestHandler('prompts/list', () => ({ prompts: listPrompts(principal) }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = getPrompt(params.name, params.arguments ?? {})
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${params.name}`)
    return prompt
  })
  return server
}

/** What goes wrong with the input is told to the model as a result, so that it can do better. */
async function runTool(services: Services, exchange: Exchange, name: string, given: Record<string, unknown>) {
  const op = findTool(name)
  if (!op) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`)
  try {
    services.limits.toolCall(exchange.principal.credentialId)
    if (exchange.suspicious) requireStorableText(given)
    return await callTool(op, services, exchange.principal, given)
  } catch (error) {
    const known = ownError(error, services, { tool: name, write: isWrite(op) })
    noteStepUp(exchange, known)
    return toolError(known)
  }
}

async function runRead(services: Services, exchange: Exchange, uri: string) {
  const resource = findResource(uri)
  if (!resource) throw new ResourceNotFoundError(uri)
  try {
    return await readResource(resource, services, exchange.principal, uri)
  } catch (error) {
    const known = ownError(error, services, { resource: uri })
    if (known.code === 'not_found') throw new ResourceNotFoundError(uri)
    noteStepUp(exchange, known)
    const code =
      known.code === 'internal_error' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest
    throw new ProtocolError(code, known.message)
  }
}

/** Anything that is not ours to tell is logged and stays with us. */
function ownError(error: unknown, { log }: Services, context: Record<string, unknown>): AppError {
  if (error instanceof AppError) return error
  log.error('mcp request failed', { ...context, error })
  return new AppError('internal_error', 'Something went wrong; it has been logged')
}

/** A key cannot be widened, and a scope that the role cannot grant would be asked for in vain. */
function noteStepUp(exchange: Exchange, error: AppError): void {
  const { principal } = exchange
  if (error.code !== 'insufficient_scope' || principal.kind !== 'oauth') return
  const grantable = grantableScopes(principal.permissions)
  if (error.scopes.every((scope) => grantable.includes(scope))) exchange.stepUp = error
}

/** One handshake-era message or batch, answered as JSON; nothing is remembered. */
async function answerLegacy(
  request: Request,
  message: unknown,
  server: Server,
  onerror: (error: Error) => void,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  server.onerror = onerror
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

// Reading the request

/**
 * Browsers let any page reach addresses inside a private network through a name the page's owner controls. Such a
 * request carries that name as its Host, so only our own name (and, on loopback, every loopback name) is answered.
 */
function requireTrustedAddress(request: FastifyRequest, origin: string): void {
  const own = new URL(origin).hostname
  const asked = hostname(request.headers.host)
  const trusted = asked !== undefined && (asked === own || (isLoopback(own) && isLoopback(asked)))
  if (!trusted) throw forbidden('The Host header does not match the ORIGIN of this instance')
  const from = request.headers.origin
  if (from !== undefined && !/^(null|[a-z][a-z\d+.-]*:\/\/[^\s/?#@\\]+)$/i.test(from)) {
    throw forbidden('The Origin header is malformed')
  }
}

const hostname = (host: string | undefined): string | undefined =>
  host !== undefined && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined
const isLoopback = (name: string) => name === 'localhost' || name === '[::1]' || /^127(\.\d+){3}$/.test(name)

const wantsStream = (request: FastifyRequest): boolean =>
  request.headers.accept?.toLowerCase().includes('text/event-stream') ?? false

/** The parsed body, or the refusal of one that is no message. */
function readMessage(request: FastifyRequest, exchange: Exchange): unknown {
  let decoded: { text: string; value: unknown }
  try {
    decoded = decodeJson(request.body)
  } catch (error) {
    return rpcError(400, ProtocolErrorCode.ParseError, (error as AppError).message, null)
  }
  exchange.suspicious = mayHideNoText(decoded.text)
  const { value } = decoded
  if (methodOf(value) === 'subscriptions/listen') {
    // Lists change with the credential alone, so there is nothing to listen for.
    return rpcError(404, ProtocolErrorCode.MethodNotFound, 'Method not found', idOf(value))
  }
  // Nothing outlives its request, so there is nothing to cancel; within a batch it would leave a request unanswered.
  if (!Array.isArray(value)) return value
  const rest = value.filter((message) => methodOf(message) !== 'notifications/cancelled')
  return rest.length === 0 && value.length > 0 ? new Response(null, { status: 202 }) : rest
}

const member = (message: unknown, name: string): unknown =>
  message !== null && typeof message === 'object' ? (message as Record<string, unknown>)[name] : undefined
const methodOf = (message: unknown) => member(message, 'method')
const idOf = (message: unknown): string | number | null => {
  const id = member(message, 'id')
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** The headers that the protocol reads. We always answer JSON, so whoever takes JSON is served. */
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

// Answers

function rpcError(
  status: number,
  code: number,
  message: string,
  id: string | number | null,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status, headers })
}

function unauthorized(request: FastifyRequest, origin: string): AppError {
  const error = new AppError('unauthorized', 'A valid bearer credential is required')
  const header = challengeFor(error, {
    origin,
    resource: PATH,
    scopes: defaultMcpScopes,
    authorization: request.headers.authorization,
  })
  return new AppError(error.code, error.message, { headers: { 'www-authenticate': header! } })
}

/**
 * Everything the call needs in one challenge. Clients of the handshake era ask for exactly what it names and would
 * lose what they have, so there it names that too (2025-11-25, "Scope Challenge Handling"); newer ones add it up.
 */
function challenge(
  { era, principal }: Exchange,
  error: AppError,
  origin: string,
  id: string | number | null,
): Response {
  const scopes = era === 'legacy' ? [...principal.scopes] : []
  const header = challengeFor(error, { origin, resource: PATH, scopes })
  return rpcError(403, ProtocolErrorCode.InvalidRequest, error.message, id, { 'www-authenticate': header! })
}

const noStream = () =>
  new AppError('method_not_allowed', 'There are no sessions and no streams here; send messages by POST', {
    headers: { allow: 'POST, OPTIONS' },
  })

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  for (const [name, value] of response.headers) reply.header(name, value)
  reply.header('cache-control', 'private, no-store').code(response.status)
  const body = Buffer.from(await response.arrayBuffer())
  return body.length > 0 ? reply.send(body) : reply.send()
}

/** What anybody may know: that this is an MCP server and how to get in. */
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
