// The MCP SDK: parses one message of either era, calls our handlers and formats the response.
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
import { AppError, Unavailable } from '../../base/errors.ts'
import { requireStorableText } from '../../base/request/storable-text.ts'
import { grantableScopes } from '../../domain/access/access.ts'
import { MINUTE } from '../../domain/time/durations.ts'
import { isWrite } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { todayFor } from '../../operations/people/describe-me.ts'
import { type Exchange, inTurn, jsonBytes, requireRoom, takeRoom } from './exchange.ts'
import { writeInstructions } from './instructions.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { findResource, listResources, listResourceTemplates, readResource } from './resources.ts'
import { callTool, findTool, listTools, toolError, wordsFor } from './tools.ts'

const byCredential = { ttlMs: MINUTE, cacheScope: 'private' } as const

export interface McpServer {
  /** Handles one message or one batch. Records in the exchange what the caller needs to know. */
  respond(request: Request, message: unknown, exchange: Exchange): Promise<Response>
  close(): Promise<void>
}

export function createMcpServer(services: Services): McpServer {
  const exchanges = new WeakMap<Request, Exchange>()
  const onerror = (error: Error) => services.log.debug('mcp request refused', { reason: error.message })
  const modern = createMcpHandler(({ requestInfo }) => createServer(services, exchanges.get(requestInfo!)!), {
    legacy: 'reject',
    onerror,
  })
  return {
    async respond(request, message, exchange) {
      exchanges.set(request, exchange)
      if (isGreeting(message)) exchange.instructions = await writeInstructions(services, exchange.principal)
      if (!(await isLegacyRequest(request, message))) return modern.fetch(request, { parsedBody: message })
      exchange.era = 'legacy'
      return respondLegacy(request, message, createServer(services, exchange), onerror)
    },
    close: async () => modern.close(),
  }
}

const greetings = ['initialize', 'server/discover']

/** Only responses to these carry the instructions, which need the database. */
const isGreeting = (message: unknown): boolean =>
  [message].flat().some((one) => greetings.includes((one as { method?: unknown } | null)?.method as string))

// The server that one request gets

const options: ServerOptions = {
  capabilities: { tools: {}, resources: {}, prompts: {} },
  cacheHints: {
    'server/discover': byCredential,
    'tools/list': byCredential,
    'prompts/list': byCredential,
    'resources/list': byCredential,
    'resources/templates/list': byCredential,
  },
  // The default compiles a validator for every request, to check what users enter on elicitation. We never elicit input.
  jsonSchemaValidator: {
    getValidator: () => {
      throw new Error('nothing is elicited')
    },
  },
}

function createServer(services: Services, exchange: Exchange): Server {
  const { principal, listsAllTools } = exchange
  const { version, config } = services
  const server = new Server(
    { name: 'contrail', title: 'Contrail', version, websiteUrl: config.origin },
    exchange.instructions === undefined ? options : { ...options, instructions: exchange.instructions },
  )
  server.setRequestHandler('tools/list', () => ({ tools: listTools(principal, listsAllTools) }))
  server.setRequestHandler('tools/call', ({ params }) =>
    inTurn(exchange, () => runTool(services, exchange, params.name, params.arguments ?? {})),
  )
  server.setRequestHandler('resources/list', () => ({ resources: listResources(principal) }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: listResourceTemplates(principal),
  }))
  server.setRequestHandler('resources/read', ({ params }) =>
    inTurn(exchange, () => runRead(services, exchange, params.uri)),
  )
  server.setRequestHandler('prompts/list', () => ({ prompts: listPrompts(principal) }))
  server.setRequestHandler('prompts/get', ({ params }) =>
    readPrompt(services, exchange, params.name, params.arguments ?? {}),
  )
  return server
}

/** Problems with the input are returned to the model as a result, so that it can correct them. */
async function runTool(services: Services, exchange: Exchange, name: string, given: Record<string, unknown>) {
  const op = findTool(name)
  if (!op) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`)
  try {
    services.limits.toolCall(exchange.principal.credentialId)
    if (exchange.suspicious) requireStorableText(given, op.body?.textsCheckedLater)
    requireRoom(exchange)
    return await callTool(op, services, exchange.principal, given, (bytes) =>
      takeRoom(exchange, bytes, isWrite(op)),
    )
  } catch (error) {
    const known = ownError(error, services, { tool: name, write: isWrite(op) })
    noteStepUp(exchange, known)
    return toolError(known, exchange.principal, op)
  }
}

async function runRead(services: Services, exchange: Exchange, uri: string) {
  const resource = findResource(uri)
  if (!resource) throw new ResourceNotFoundError(uri)
  try {
    requireRoom(exchange)
    const read = await readResource(resource, services, exchange.principal, uri)
    takeRoom(exchange, jsonBytes(read))
    return read
  } catch (error) {
    const known = ownError(error, services, { resource: uri })
    if (known.code === 'not_found') throw new ResourceNotFoundError(uri)
    noteStepUp(exchange, known)
    const code = known.status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest
    throw new ProtocolError(code, wordsFor(known, exchange.principal), known.body.error)
  }
}

async function readPrompt(
  services: Services,
  exchange: Exchange,
  name: string,
  given: Record<string, string>,
) {
  const { principal } = exchange
  const now = new Date(services.clock.now())
  const today = await todayFor({ services, principal, db: services.store.read, now })
  const prompt = getPrompt(principal, name, given, today)
  if ('problem' in prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, prompt.problem)
  takePromptRoom(exchange, prompt)
  return prompt
}

/** A prompt repeats text that the caller sent, which may be long. */
function takePromptRoom(exchange: Exchange, prompt: unknown): void {
  try {
    takeRoom(exchange, jsonBytes(prompt))
  } catch (error) {
    const { message, body } = error as AppError
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, body.error)
  }
}

/** Internal errors are logged; the caller gets a general message. */
function ownError(error: unknown, services: Services, context: Record<string, unknown>): AppError {
  if (error instanceof Unavailable) services.logOutage(context, error)
  if (error instanceof AppError) return error
  services.log.error('mcp request failed', { ...context, error })
  return new AppError('internal_error', 'internal_error')
}

/** Only for OAuth tokens, because the scopes of a key are fixed, and only for a scope that the role can grant. */
function noteStepUp(exchange: Exchange, error: AppError): void {
  const { principal } = exchange
  if (error.code !== 'insufficient_scope' || principal.kind !== 'oauth') return
  const grantable = grantableScopes(principal.permissions)
  if (error.scopes.every((scope) => grantable.includes(scope))) exchange.stepUp = error
}

/** One handshake-era message or batch, with a JSON response; no session is kept. */
async function respondLegacy(
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
