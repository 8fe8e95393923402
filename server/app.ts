// The application without a process around it: everything wired together, ready to listen or to be tested.
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { createAuthenticator } from './auth/authenticate.ts'
import { createLimits } from './auth/limits.ts'
import type { SetupToken } from './auth/setup-token.ts'
import type { Clock } from './base/clock.ts'
import type { Config } from './base/config.ts'
import { AppError, Unavailable } from './base/errors.ts'
import { type Logger, logSecurityEvent } from './base/log.ts'
import { createResponseCache } from './base/response-cache.ts'
import { version } from './base/version.ts'
import { UNAUTHENTICATED_BODY_BYTES } from './http/body.ts'
import { challengeFor } from './http/challenge.ts'
import {
  type ConnectionTimeouts,
  connectionOptions,
  defaultTimeouts,
  letRefusalsArrive,
} from './http/connections.ts'
import { addCors, corsHeaders, isOpenToBrowsers, pathOf } from './http/cors.ts'
import { countRequests, createRequestLogger, mountHealth } from './http/health.ts'
import { isLegacyPath, mountLegacy, sendLegacyError } from './http/legacy/legacy.ts'
import { mountMcp } from './http/mcp/mcp.ts'
import { openApiYaml } from './http/openapi.ts'
import { mountPages } from './http/pages.ts'
import { addRequestId, createRequestIds, logFailure } from './http/request-id.ts'
import { mountRest, refuseOtherMethods } from './http/rest.ts'
import { mountShare } from './http/share.ts'
import { mountUploads } from './http/uploads.ts'
import { mountWeb } from './http/web.ts'
import { createInstanceMetrics } from './metrics/instance.ts'
import { createMetrics, type Family } from './metrics/metrics.ts'
import { createClientDocuments, type Outside } from './oauth/client-documents.ts'
import { mountOAuth, mountOAuthPages } from './oauth/endpoints.ts'
import type { Services } from './operation.ts'
import { discovery } from './operations/discovery.ts'
import { createBrowserCookie } from './pages/browser.ts'
import { createSessionCookie } from './pages/cookies.ts'
import { createReference } from './reference/reference.ts'
import { mountSignIn } from './sign-in/sign-in.ts'
import { fileProblem, type Store } from './store/store.ts'
import { createUploads } from './store/uploads.ts'

const CACHE_BYTES = 32 * 1024 * 1024

export interface AppParts {
  store: Store
  config: Config
  clock: Clock
  log: Logger
  setupToken?: SetupToken | undefined
  /** How client metadata documents are fetched; the internet unless a test says otherwise. */
  outside?: Outside | undefined
  /** Where the built web app lies, if not where the build puts it. */
  webFolder?: string | undefined
  /** How long slow peers are waited for; tests have less time. */
  timeouts?: ConnectionTimeouts | undefined
  /** How much each limit remembers; tests fill it. */
  limitEntries?: number | undefined
  onOutput?: Services['onOutput']
  /** The metrics of all processes that share the port; this one's alone unless there are more. */
  joinMetrics?: ((own: Family[]) => Promise<readonly Family[]>) | undefined
}

export interface App {
  server: FastifyInstance
  services: Services
  readMetrics(): Promise<Family[]>
}

export function createApp(parts: AppParts): App {
  const { config, clock, log, setupToken, outside, webFolder, onOutput } = parts
  const metrics = createMetrics()
  const store = metrics.watch(parts.store)
  const services: Services = {
    store,
    config,
    clock,
    log,
    reference: createReference(),
    cache: createResponseCache(CACHE_BYTES),
    limits: createLimits(
      clock,
      (limit, address) => logSecurityEvent(log, 'limit.reached', { address, limit }),
      parts.limitEntries,
    ),
    uploads: createUploads(config.dataDir),
    setupToken,
    version,
    onOutput,
  }
  const headers = headersOfAll(config.origin)
  const server = Fastify({
    logger: false,
    ...connectionOptions(parts.timeouts ?? defaultTimeouts),
    // Where nobody has to say who they are; routes that ask first take more.
    bodyLimit: Math.min(UNAUTHENTICATED_BODY_BYTES, config.bodySizeLimit),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 500 },
    genReqId: createRequestIds(),
    // No hook runs before these.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...headers, ...(isOpenToBrowsers(request.url) ? corsHeaders : {}) })
      return sendError(services, error, request, reply as FastifyReply)
    },
    // Programs differ in what they send along; only a body an operation wants is looked at.
    onProtoPoisoning: 'ignore',
  })
  acceptAnyBody(server)
  letRefusalsArrive(server)
  const { countUnmatched } = countRequests(server, metrics, createRequestLogger(config, log))
  server.addHook('onClose', async () => metrics.stop())
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
  addCors(server)
  server.setErrorHandler<FastifyError>((error, request, reply) => sendError(services, error, request, reply))
  server.setNotFoundHandler((request, reply) => {
    countUnmatched(request, reply.code(404))
    return sendError(services, new AppError('not_found', 'There is nothing at this address'), request, reply)
  })
  const authenticator = createAuthenticator({ store, clock, log, origin: config.origin })
  const cookie = createSessionCookie(config.origin)
  mountRest(server, { services, authenticator, cookie })
  mountLegacy(server, { services, authenticator })
  mountMcp(server, { services, authenticator })
  mountDocuments(server, services)
  mountUploads(server, services)
  mountShare(server, services)
  const documents = createClientDocuments(clock, outside)
  const oauth = { services, authenticator, cookie, browser: createBrowserCookie(config.origin), documents }
  mountOAuth(server, oauth)
  mountPages(server, services, (pages) => {
    mountSignIn(pages, oauth)
    mountOAuthPages(pages, oauth)
  })
  mountWeb(server, services, webFolder)
  const readMetrics = () => metrics.read(services.cache, store.pool?.())
  const join = parts.joinMetrics ?? (async (own) => own)
  const readInstance = createInstanceMetrics({ store, config, clock })
  // Each process counts for itself; what belongs to the instance is read once, by the one that is asked.
  const readAll = async () => (await Promise.all([readMetrics().then(join), readInstance()])).flat()
  mountHealth(server, { store, config, readMetrics: readAll })
  return { server, services, readMetrics }
}

/** Bodies arrive as bytes: what they mean is decided by the operation, after it has been decided who may call it. */
function acceptAnyBody(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  // The framework refuses what is no media type at all; to us the body is the same without it.
  server.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request
    if (headers['content-type'] !== undefined && request.mediaType === undefined) {
      delete headers['content-type']
    }
    done()
  })
}

/**
 * On every answer that does not know better: a type is what we say it is, data shown as a page may load, run and submit
 * nothing, and whoever came by https stays there.
 */
const headersOfAll = (origin: string): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  ...(origin.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
})

function mountDocuments(server: FastifyInstance, services: Services): void {
  server.get('/api', async (_request, reply) => {
    const document = await discovery.run({ services } as Parameters<typeof discovery.run>[0])
    return reply
      .headers({ 'cache-control': discovery.cacheControl!, 'content-type': 'application/json' })
      .send(Buffer.from(JSON.stringify(document)))
  })
  refuseOtherMethods(server, '/api', ['GET'])
  let yaml: string | undefined
  server.get('/api/v1/openapi.yaml', (_request, reply) => {
    yaml ??= openApiYaml({ door: 'v1', origin: services.config.origin })
    return reply
      .headers({ 'cache-control': 'public, max-age=300', 'content-type': 'application/yaml; charset=utf-8' })
      .send(yaml)
  })
  refuseOtherMethods(server, '/api/v1/openapi.yaml', ['GET'])
}

/** Everything that goes wrong ends here, in one shape. What is not ours to tell is logged and stays with us. */
function sendError(
  { config, log }: Services,
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const known = error instanceof AppError ? error : fromFramework(error)
  if (known.status >= 500) logFailure(log, request, known instanceof Unavailable ? known : error)
  addRequestId(request, reply)
  if (isLegacyPath(request.url)) {
    sendLegacyError(known, request, reply)
    return
  }
  const challenge = challengeFor(known, {
    origin: config.origin,
    resource: '/api/v1',
    scopes: operationScopes(request),
    authorization: request.headers.authorization,
  })
  if (challenge && pathOf(request.url).startsWith('/api/v1')) reply.header('www-authenticate', challenge)
  reply
    .code(known.status)
    .headers({ ...known.headers, 'content-type': 'application/json', 'cache-control': 'private, no-store' })
    .send(Buffer.from(JSON.stringify(known.body)))
}

function operationScopes(request: FastifyRequest) {
  const access = request.routeOptions?.config?.operation?.access
  return access?.who === 'credential with' ? access.scopes : []
}

/** Fastify's own refusals in our words. */
function fromFramework(error: FastifyError): AppError {
  if (error.statusCode === 413) return new AppError('payload_too_large', 'The body is too large')
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('bad_request', 'The request is malformed')
  }
  const problem = fileProblem(error)
  if (problem !== undefined) return new Unavailable(problem, error)
  return new AppError('internal_error', 'Something went wrong; it has been logged')
}
