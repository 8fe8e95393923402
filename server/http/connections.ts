// Connections before and after a request: timeouts, the response to bytes that are not HTTP, and closing the last
// connections. A slow peer loses its connection and never delays other clients.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../base/errors.ts'
import type { PlainReason } from '../domain/reasons.ts'
import { MINUTE } from '../domain/time/durations.ts'

export interface ConnectionTimeouts {
  /** Milliseconds within which the headers of a request must arrive, and the whole request. */
  headersMs: number
  requestMs: number
  /** For uploads, in place of `requestMs`: this many bytes must arrive in every period of `progressMs`. */
  progressMs: number
  progressBytes: number
  /** Milliseconds without a byte in either direction, including while a response is being read. */
  silenceMs: number
  /** Milliseconds that an idle connection is kept open; longer than the minute that proxies keep theirs. */
  keepAliveMs: number
  /** How often `headersMs` and `requestMs` are checked. */
  checkMs: number
}

/**
 * The largest allowed body takes two minutes at 1.4 Mbit/s; no statement may run longer than 30 s. An upload may take any
 * time as long as it arrives at 0.2 Mbit/s or more.
 */
export const defaultTimeouts: ConnectionTimeouts = {
  headersMs: 15_000,
  requestMs: 120_000,
  progressMs: 10_000,
  progressBytes: 256 * 1024,
  silenceMs: MINUTE,
  keepAliveMs: 72_000,
  checkMs: 5_000,
}

export const connectionOptions = (given: ConnectionTimeouts) => ({
  http: { headersTimeout: given.headersMs, connectionsCheckingInterval: given.checkMs },
  // Not enforced by node:http, which has one timeout for all requests.
  requestTimeout: 0,
  connectionTimeout: given.silenceMs,
  keepAliveTimeout: given.keepAliveMs,
  clientErrorHandler: refuse,
})

/** The code that node:http uses. */
const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT'

const refusals: Record<string, [status: string, reason: PlainReason]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers_too_large'],
  [TOO_SLOW]: ['408 Request Timeout', 'request_too_slow'],
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

export interface Arrivals {
  /** Limits the time for every body, whether or not a route reads it. */
  limit(server: FastifyInstance): void
  /** Lets an upload take any time while it makes progress. */
  expectProgress(request: IncomingMessage): void
}

export function createArrivals({ requestMs, progressMs, progressBytes }: ConnectionTimeouts): Arrivals {
  const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()
  return {
    limit: ({ server }) =>
      void server.on('request', (request: IncomingMessage) => {
        if (!hasBody(request)) return
        const timer = setTimeout(() => giveUp(request), requestMs)
        timers.set(request, timer)
        request.once('close', () => clearTimeout(timer))
      }),
    expectProgress(request) {
      clearTimeout(timers.get(request))
      let before = request.socket.bytesRead
      const timer = setInterval(() => {
        const { bytesRead } = request.socket
        if (bytesRead - before < progressBytes) giveUp(request)
        before = bytesRead
      }, progressMs)
      request.once('close', () => clearInterval(timer))
    },
  }
}

function giveUp(request: IncomingMessage): void {
  if (!request.complete) refuse(Object.assign(new Error(), { code: TOO_SLOW }), request.socket)
}

/** Bytes that are not a request reach no route or handler, but still get a response in our error shape. */
function refuse(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason] = refusals[error.code ?? ''] ?? ['400 Bad Request', 'not_http']
  const body = JSON.stringify(new AppError('bad_request', reason).body)
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** How long, and how much, a peer may continue to send of a refused body. */
const LINGER_MS = 2_000

/**
 * A body is refused while the peer is still sending it. If the connection closed immediately, the peer's system would
 * discard the response, so the rest of the body is read and dropped for a moment.
 */
export function letRefusalsArrive(server: FastifyInstance): void {
  server.addHook('onError', (request, _reply, error, done) => {
    if (!request.raw.complete && isAnsweredEarly(error)) linger(request.raw.socket)
    done()
  })
}

/** The body is too large, or there are too many: the rest of it may be long. */
const isAnsweredEarly = (error: Error & { statusCode?: number; status?: number }): boolean =>
  [413, 429, 503].includes(error.statusCode ?? error.status ?? 0)

function linger(socket: Socket): void {
  // node:http calls this when the last response of a connection is written.
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
    socket.once('end', () => socket.destroy())
    socket.end()
  }
}

/**
 * Accepts no new connections and waits for responses in progress, for at most `ms`. Returns whether all of them were sent.
 */
export async function drain(server: FastifyInstance, ms: number): Promise<boolean> {
  const { server: listener } = server
  // A connection that was in use when closing began stays open afterwards for a next request, which may never come.
  const closing = setInterval(() => listener.closeIdleConnections(), 100)
  let isComplete = true
  const timer = setTimeout(() => {
    isComplete = false
    listener.closeAllConnections()
  }, ms)
  try {
    await server.close()
    return isComplete
  } finally {
    clearInterval(closing)
    clearTimeout(timer)
  }
}
