// The application without a process around it: everything wired together, ready to listen or to be tested.
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { createBackground } from './base/background.ts'
import type { Clock } from './base/clock.ts'
import type { Config } from './base/config.ts'
import { AppError, tooLarge, Unavailable } from './base/errors.ts'
import { type Logger, logSecurityEvent } from './base/log.ts'
import type { Resolve } from './base/network/outbound.ts'
import { createIncomingFiles, incomingFolder } from './base/request/incoming-files.ts'
import { createResponseCache } from './base/response/cache.ts'
import { createCompletions } from './base/response/completions.ts'
import { createZip } from './base/response/gzip.ts'
import { cacheFolder, createKeptFiles } from './base/response/kept-files.ts'
import { createKeptPieces } from './base/response/kept-pieces.ts'
import { createOutageLog } from './base/response/outage-log.ts'
import { createSpool } from './base/response/spool.ts'
import { createInstanceSecret } from './base/secret/instance-secret.ts'
import { createTurns } from './base/turns.ts'
import { version } from './base/version.ts'
import { open } from './door/open.ts'
import type { Services } from './door/services.ts'
import { UNAUTHENTICATED_BODY_BYTES } from './http/body.ts'
import { challengeFor } from './http/challenge.ts'
import { warnWithoutHeader } from './http/client-address.ts'
import {
  type ConnectionTimeouts,
  connectionOptions,
  createArrivals,
  defaultTimeouts,
  letRefusalsArrive,
} from './http/connections.ts'
import { pathOf } from './http/cors.ts'
import { mountDocs } from './http/docs.ts'
import { mountFeeds } from './http/feeds.ts'
import { countRequests, createRequestLogger, mountHealth } from './http/health.ts'
import { createLargeBodies } from './http/large-bodies.ts'
import { isLegacyPath } from './http/legacy/addresses.ts'
import { mountLegacy, sendLegacyError } from './http/legacy/legacy.ts'
import { mountMcp } from './http/mcp/mcp.ts'
import { createClientDocuments, type Outside } from './http/oauth/client-documents.ts'
import { mountOAuth, mountOAuthPages } from './http/oauth/endpoints.ts'
import { openApiYaml } from './http/openapi.ts'
import { mountPages } from './http/pages.ts'
import { createRequestIds, logFailure } from './http/request-id.ts'
import { mountRest, refuseOtherMethods, sendJson } from './http/rest.ts'
import { mountShare } from './http/share.ts'
import { mountSignIn } from './http/sign-in/sign-in.ts'
import { addStandardHeaders, mountStandardHeaders } from './http/standard-headers.ts'
import { mountUploads } from './http/uploads.ts'
import { mountWeb, readWebFiles, type WebFiles } from './http/web.ts'
import { addressesToRegister } from './operations/accounts/ways-in.ts'
import { discovery } from './operations/instance/discovery.ts'
import { createBrowserCookie } from './pages/browser.ts'
import { createSessionCookie } from './pages/cookies.ts'
import { createAuthenticator } from './services/access/authenticate.ts'
import { createLimits } from './services/access/limits.ts'
import { createMailer } from './services/accounts/mailer.ts'
import { createProvider } from './services/accounts/provider.ts'
import type { SetupToken } from './services/accounts/setup-token.ts'
import { createImports } from './services/imports/verdicts/runner.ts'
import { createLookups } from './services/lookup/lookups.ts'
import { createInstanceMetrics } from './services/metrics/instance.ts'
import { createIntakeMetrics, type IntakeMetrics } from './services/metrics/intake.ts'
import { createMetrics, type Family } from './services/metrics/metrics.ts'
import { createPushMetrics, type PushMetrics } from './services/metrics/push.ts'
import { createDrawer } from './services/preview/drawer.ts'
import { createIconDrawer } from './services/preview/icon.ts'
import { createPreviews } from './services/preview/previews.ts'
import { createPush } from './services/push/push.ts'
import { createReference } from './services/reference/reference.ts'
import { createShippedIndexes, type ShippedIndexes } from './services/reference/shipped-indexes.ts'
import { createKeptLogs } from './services/statistics/kept-logs.ts'
import { readSharedState } from './store/engine/revisions.ts'
import { createChangeWaiters } from './store/history/change-waiters.ts'
import { createImportFiles } from './store/imports/files.ts'
import { fileProblem, type Store } from './store/store.ts'
import { createUploads } from './store/uploads/pictures.ts'

const CACHE_BYTES = 32 * 1024 * 1024
/** A document of 10,000 flights takes two megabytes. */
const PIECES_BYTES = 24 * 1024 * 1024
/** Each export holds a snapshot of the database while it is written. */
const EXPORTS_AT_ONCE = 2
const LISTS_AT_ONCE = 3

/** Leaves most connections to PostgreSQL for other requests. */
const BULKS_AT_ONCE = 2

/** Further requests of the same kind are refused, so that none waits for minutes. */
const WAITING_AT_MOST = 100

export interface AppParts {
  store: Store
  config: Config
  clock: Clock
  log: Logger
  setupToken?: SetupToken | undefined
  /** How client metadata documents are fetched: from the internet, except in tests. */
  outside?: Outside | undefined
  /** How long lookups wait for their turn and for a provider; tests use other values. */
  lookup?: { wait?: (ms: number) => Promise<unknown>; timeoutMs?: number } | undefined
  /** How push services are found, and how long they may take; tests use other values. */
  push?: { resolve?: Resolve; timeoutMs?: number } | undefined
  /** The built web app, if it has been read already. */
  webFiles?: WebFiles | undefined
  /** Where the built documentation is; tests have another one. */
  docsFolder?: string | undefined
  /** The search indexes of the shipped records, if another application of the process has them. */
  shippedIndexes?: ShippedIndexes | undefined
  /** Timeouts for slow peers; tests use shorter ones. */
  timeouts?: ConnectionTimeouts | undefined
  /** How many entries each limit keeps; tests fill them. */
  limitEntries?: number | undefined
  onOutput?: Services['onOutput']
  /** The process's counters for arriving mails, files and calendars; created here unless another application shares its own. */
  intakeMetrics?: IntakeMetrics | undefined
  /** The same for notifications. */
  pushMetrics?: PushMetrics | undefined
  /** The metrics of all processes that share the port; only this process's if not set. */
  joinMetrics?: ((own: Family[]) => Promise<readonly Family[]>) | undefined
}

interface App {
  server: FastifyInstance
  services: Services
  readMetrics(): Promise<Family[]>
}

export function createApp(parts: AppParts): App {
  const { config, clock, log, setupToken, outside, onOutput } = parts
  const intakeMetrics = parts.intakeMetrics ?? createIntakeMetrics()
  const pushMetrics = parts.pushMetrics ?? createPushMetrics()
  const metrics = createMetrics(async () => [...(await intakeMetrics.read()), ...(await pushMetrics.read())])
  const changeWaiters = createChangeWaiters(metrics.watch(parts.store))
  const { store } = changeWaiters
  const cache = createResponseCache(CACHE_BYTES)
  const zip = createZip()
  const files = createKeptFiles({
    folder: cacheFolder(config.dataDir),
    capBytes: config.responseCacheDisk,
    salt: `${version} ${config.origin}`,
    readState: () => readSharedState(store.read),
    log,
  })
  const reference = createReference(
    parts.shippedIndexes ?? createShippedIndexes({ dataDir: config.dataDir, log }),
    files,
  )
  const uploadParts = { config, store, clock }
  const importFiles = createImportFiles(uploadParts)
  const secret = createInstanceSecret(config)
  const services: Services = {
    store,
    config,
    clock,
    log,
    logOutage: createOutageLog(log),
    reference,
    cache,
    spool: createSpool({ files, cache, zip, log }),
    keptPieces: createKeptPieces(PIECES_BYTES),
    completions: createCompletions(),
    keptLogs: createKeptLogs(reference),
    limits: createLimits({
      clock,
      store,
      onReached: (limit, address) => logSecurityEvent(log, 'limit.reached', { address, limit }),
      entriesAtMost: parts.limitEntries,
    }),
    changeWaiters,
    uploads: createUploads(uploadParts),
    secret,
    exportTurns: createTurns({ atOnce: EXPORTS_AT_ONCE, waitingAtMost: WAITING_AT_MOST }),
    listTurns: createTurns({ atOnce: LISTS_AT_ONCE, waitingAtMost: WAITING_AT_MOST }),
    bulkTurns: createTurns({ atOnce: BULKS_AT_ONCE, waitingAtMost: WAITING_AT_MOST }),
    zip,
    background: createBackground(log),
    imports: createImports({
      store,
      files: importFiles,
      reference,
      clock,
      log,
      kitineraryPath: config.kitineraryPath ?? null,
    }),
    importFiles,
    intakeMetrics,
    lookups: createLookups({ store, config, clock, log, ...parts.lookup }),
    push: createPush({ config, secret, clock, version, ...parts.push }),
    previews: createPreviews(createDrawer(log), cache),
    drawIcon: createIconDrawer(log),
    mailer: config.smtp && createMailer(config.smtp, log),
    provider:
      config.oidc &&
      createProvider({
        settings: config.oidc,
        redirectUri: addressesToRegister(config).redirectUri,
        clock,
        log,
      }),
    setupToken,
    version,
    onOutput,
  }
  const timeouts = parts.timeouts ?? defaultTimeouts
  const arrivals = createArrivals(timeouts)
  const incoming = createIncomingFiles(incomingFolder(config.dataDir))
  const server = Fastify({
    logger: false,
    ...connectionOptions(timeouts),
    // For routes without a credential; the others accept more.
    bodyLimit: Math.min(UNAUTHENTICATED_BODY_BYTES, config.bodySizeLimit),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 500 },
    genReqId: createRequestIds(),
    // No hook runs before this handler.
    frameworkErrors: (error, request, reply) => {
      addStandardHeaders(request, reply as FastifyReply, config.origin)
      return sendError(services, error, request, reply as FastifyReply)
    },
    // Clients send all kinds of bodies; only a body that an operation declares is parsed.
    onProtoPoisoning: 'ignore',
  })
  acceptAnyBody(server)
  arrivals.limit(server)
  letRefusalsArrive(server)
  const { countUnmatched } = countRequests(server, metrics, createRequestLogger(config, log))
  server.addHook('onReady', () => files.start())
  server.addHook('onReady', () => incoming.sweep())
  server.addHook('onClose', async () => metrics.stop())
  server.addHook('preClose', async () => changeWaiters.stop())
  server.addHook('onClose', () => services.spool.stop())
  server.addHook('onClose', () => services.background.stop())
  server.addHook('onClose', () => services.imports.stop())
  server.addHook('onClose', async () => services.push.stop())
  mountStandardHeaders(server, config.origin)
  server.setErrorHandler<FastifyError>((error, request, reply) => sendError(services, error, request, reply))
  server.setNotFoundHandler((request, reply) => {
    countUnmatched(request, reply.code(404))
    return sendError(services, new AppError('not_found', 'not_found'), request, reply)
  })
  warnWithoutHeader(server, config, log)
  const authenticator = createAuthenticator({ store, clock, log, origin: config.origin })
  const cookie = createSessionCookie(config.origin)
  const largeBodies = createLargeBodies()
  mountRest(server, { services, authenticator, cookie, incoming, arrivals, largeBodies })
  mountLegacy(server, { services, authenticator, largeBodies })
  mountMcp(server, { services, authenticator, largeBodies })
  mountDocuments(server, services)
  mountUploads(server, services)
  mountShare(server, services)
  mountFeeds(server, services)
  const documents = createClientDocuments(clock, outside)
  const oauth = { services, authenticator, cookie, browser: createBrowserCookie(config.origin), documents }
  mountOAuth(server, oauth)
  mountPages(server, services, (pages) => {
    mountSignIn(pages, oauth)
    mountOAuthPages(pages, oauth)
  })
  mountDocs(server, parts.docsFolder)
  mountWeb(server, services, parts.webFiles ?? readWebFiles())
  const readMetrics = () => metrics.read(services.cache, store.pool?.())
  const join = parts.joinMetrics ?? (async (own) => own)
  const readInstance = createInstanceMetrics({ store, config, clock })
  // Each process has its own counters; the instance's metrics are read once, by the process that gets the request.
  const readAll = async () => (await Promise.all([readMetrics().then(join), readInstance()])).flat()
  mountHealth(server, { store, config, readMetrics: readAll })
  return { server, services, readMetrics }
}

/** Bodies arrive as bytes; they are parsed for the operation after access was checked. */
function acceptAnyBody(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  // The framework refuses an invalid media type; we accept the body without it.
  server.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request
    if (headers['content-type'] !== undefined && request.mediaType === undefined) {
      delete headers['content-type']
    }
    done()
  })
}

function mountDocuments(server: FastifyInstance, services: Services): void {
  server.get('/api', async (_request, reply) => {
    const opened = await open(discovery, services, undefined, {})
    sendJson(reply.header('cache-control', discovery.cached?.control), JSON.stringify(await opened.value()))
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

const headersOfBody = ['etag', 'content-encoding', 'content-length', 'content-disposition']

/** Every error is sent from here, in one shape. Internal errors are logged and sent without their details. */
function sendError(
  services: Services,
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const known = error instanceof AppError ? error : fromFramework(error, request)
  if (known.status >= 500) logFailure(services, request, known instanceof Unavailable ? known : error)
  if (isLegacyPath(request.url)) {
    sendLegacyError(known, request, reply)
    return
  }
  const challenge = challengeFor(known, {
    origin: services.config.origin,
    resource: '/api/v1',
    scopes: operationScopes(request),
    authorization: request.headers.authorization,
  })
  if (challenge && pathOf(request.url).startsWith('/api/v1')) reply.header('www-authenticate', challenge)
  // A document that failed before its first byte may have set some.
  for (const name of headersOfBody) reply.removeHeader(name)
  reply
    .code(known.status)
    .headers({ ...known.headers, 'content-type': 'application/json', 'cache-control': 'private, no-store' })
    .send(Buffer.from(JSON.stringify(known.body)))
}

function operationScopes(request: FastifyRequest) {
  const access = request.routeOptions?.config?.operation?.access
  return access?.who === 'credential with' ? access.scopes : []
}

/** Fastify's own errors as ours. */
function fromFramework(error: FastifyError, request: FastifyRequest): AppError {
  if (error.statusCode === 413) return tooLarge(request.routeOptions.bodyLimit)
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('bad_request', 'bad_request')
  }
  const problem = fileProblem(error)
  if (problem !== undefined) return new Unavailable(problem, error)
  return new AppError('internal_error', 'internal_error')
}
