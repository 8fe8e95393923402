// For monitoring: liveness, readiness and metrics.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Config } from '../base/config.ts'
import { AppError, Unavailable } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import { hashSecret } from '../base/secret/secrets.ts'
import { bearerToken } from '../services/access/authenticate.ts'
import { type Family, type Metrics, metricsText } from '../services/metrics/metrics.ts'
import type { Store } from '../store/store.ts'
import { clientAddress } from './client-address.ts'
import { pathOf } from './request-id.ts'
import { refuseOtherMethods } from './rest.ts'
import { isFromThisMachine } from './this-machine.ts'

const READY_WITHIN_MS = 2_000

interface Parts {
  store: Store
  config: Config
  /** The metrics of every process that serves this address. */
  readMetrics(): Promise<readonly Family[]>
}

export function mountHealth(server: FastifyInstance, { store, config, readMetrics }: Parts): void {
  const sendStatus = (reply: FastifyReply, status: number, body: object) =>
    reply
      .code(status)
      .headers({ 'content-type': 'application/json', 'cache-control': 'no-store' })
      .send(Buffer.from(JSON.stringify(body)))
  const findProblem = createReadyProbe(store)

  server.get('/healthz', (_request, reply) => sendStatus(reply, 200, { status: 'alive' }))
  server.get('/readyz', async (_request, reply) => {
    const reason = await findProblem()
    return reason === undefined
      ? sendStatus(reply, 200, { status: 'ready' })
      : sendStatus(reply, 503, { status: 'unavailable', reason })
  })
  server.get('/metrics', async (request, reply) => {
    requireMayMeasure(request, config)
    return reply
      .headers({ 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' })
      .send(await metricsText(await readMetrics()))
  })
  for (const path of ['/healthz', '/readyz', '/metrics']) refuseOtherMethods(server, path, ['GET'])
}

const NO_ANSWER = 'The database is not responding'

/**
 * Why requests cannot be served; undefined if they can. Concurrent requests share one probe of the database, because the
 * endpoint is public.
 */
function createReadyProbe(store: Store): () => Promise<string | undefined> {
  let underWay: Promise<string | undefined> | undefined
  return async () => {
    underWay ??= probe(store).finally(() => {
      underWay = undefined
    })
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, READY_WITHIN_MS, NO_ANSWER)
    })
    return Promise.race([underWay, tooLate]).finally(() => clearTimeout(timer))
  }
}

/** A full disk does not count: reads still work, and writes resume as soon as there is space. */
async function probe(store: Store): Promise<string | undefined> {
  try {
    store.requirePresent?.()
    await store.read.query('select name from migration limit 1', [])
    return undefined
  } catch (error) {
    return error instanceof Unavailable && error.problem.reason === 'database_file_gone'
      ? error.message
      : NO_ANSWER
  }
}

/** If a token is configured, callers need it. Otherwise only programs on this machine may read metrics. */
function requireMayMeasure(request: FastifyRequest, config: Config): void {
  const { metricsToken } = config
  if (metricsToken === undefined) {
    if (isFromThisMachine(request, config)) return
    throw new AppError('not_found', 'not_found')
  }
  const given = bearerToken(request.headers.authorization) ?? ''
  // Hashes always have the same length.
  if (timingSafeEqual(Buffer.from(hashSecret(given)), Buffer.from(hashSecret(metricsToken)))) return
  throw new AppError('unauthorized', 'metrics_token_required', {
    headers: { 'www-authenticate': 'Bearer realm="metrics"' },
  })
}

/** Wrong username or password, and too many attempts. */
const refused: ReadonlySet<number> = new Set([401, 429])
/** Routes that accept a password, a code or a passkey from someone who is not signed in. */
const signInRoutes: ReadonlySet<string> = new Set([
  'sign-in',
  'POST /sign-in',
  'sign-in-with-second-factor',
  'POST /sign-in/verify',
  'sign-in-with-passkey',
])
/** Counts responses by group, including those without a route, and logs each request with its operation if that is configured. */
export function countRequests(
  server: FastifyInstance,
  metrics: Metrics,
  logRequest: RequestLogger | undefined,
): { countUnmatched: (request: FastifyRequest, reply: FastifyReply) => void } {
  /** Requests with the right password; the code comes next. */
  const goesOn = new WeakSet<FastifyRequest>()
  const noteStep = (request: FastifyRequest, _: FastifyReply, error: Error, done: () => void) => {
    if (error instanceof AppError && error.problem.reason === 'second_factor_required') goesOn.add(request)
    done()
  }
  server.addHook('onRoute', (route) => {
    const operation = nameOf(route)
    const requests = metrics.requestsOf(groupOf(route))
    const signsIn = signInRoutes.has(operation)
    const onResponse = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      requests.count(reply.statusCode, reply.elapsedTime)
      if (signsIn && refused.has(reply.statusCode) && !goesOn.has(request)) metrics.countFailedSignIn()
      logRequest?.(request, reply, operation)
      done()
    }
    if (signsIn) route.onError = [route.onError ?? [], noteStep].flat()
    route.onResponse = [route.onResponse ?? [], onResponse].flat()
  })
  const unmatched = metrics.requestsOf(UNMATCHED)
  return {
    countUnmatched(request, reply) {
      unmatched.count(reply.statusCode, reply.elapsedTime)
      logRequest?.(request, reply, UNMATCHED)
    },
  }
}

type RequestLogger = (request: FastifyRequest, reply: FastifyReply, operation: string) => void

/** Logs each request at `info` if ACCESS_LOG is on, else at `debug`; undefined if that level is not written. */
export function createRequestLogger(config: Config, log: Logger): RequestLogger | undefined {
  if (!config.accessLog && config.logLevel !== 'debug') return undefined
  const write = config.accessLog ? log.info : log.debug
  return (request, reply, operation) =>
    write('request', {
      address: clientAddress(request, config),
      status: reply.statusCode,
      method: request.method,
      path: pathOf(request),
      ms: Math.round(reply.elapsedTime * 10) / 10,
      operation,
      request: request.id,
      user: request.principal?.user.username,
    })
}

function nameOf({ method, url, config }: RouteOptions): string {
  if (config?.operation) return config.operation.id
  return Array.isArray(method) ? 'method-not-allowed' : `${method === 'HEAD' ? 'GET' : method} ${url}`
}

const UNMATCHED = 'not-found'

/** The groups of routes that are no operations. */
const groupsByPath: [RegExp, string][] = [
  [/^\/(?:healthz|readyz|metrics)$/, 'monitoring'],
  [/^\/api\/(?:flight\/.*|stats|ping)$/, 'legacy'],
  [/^\/api\/mcp$/, 'mcp'],
  [/^\/(?:oauth|\.well-known)\//, 'oauth'],
  [/^\/(?:sign-in|invite|reset|setup)(?:\/|$)/, 'sign-in'],
]

/**
 * The section of the API reference, or the way in. Series by operation would be thousands; the log names the operation of a
 * request.
 */
function groupOf({ method, url, config }: RouteOptions): string {
  if (config?.operation) return config.operation.tag.toLowerCase().replaceAll(' ', '-')
  if (Array.isArray(method)) return UNMATCHED
  return groupsByPath.find(([paths]) => paths.test(url))?.[1] ?? 'pages'
}
