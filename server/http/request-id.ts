// Every request has an id: the proxy's, where it sends a sane one, else one of ours. Answers that report a problem
// carry it, and so do the log's lines about them.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Unavailable } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'

const HEADER = 'x-request-id'
const sane = /^[\w.:/+=-]{1,100}$/

/** Counted up behind a random start: unique among processes, and as good as free. */
export function createRequestIds(): (request: IncomingMessage) => string {
  const start = randomBytes(6).toString('base64url')
  let next = 0
  return ({ headers }) => {
    const given = headers[HEADER]
    return typeof given === 'string' && sane.test(given) ? given : `${start}-${(next++).toString(36)}`
  }
}

/** Lets whoever got this answer name it to whoever reads the log. */
export const addRequestId = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.header(HEADER, request.id)

/** What of an address may be written down: queries may hold secrets, and who knows a share's address may open it. */
export const pathOf = (request: FastifyRequest): string =>
  request.url.split('?', 1)[0]!.replace(/^(\/+share\/+)[^/]+/, '$1…')

export function logFailure(log: Logger, request: FastifyRequest, error: unknown): void {
  const facts = { request: request.id, method: request.method, path: pathOf(request) }
  if (error instanceof Unavailable) logOutage(log, facts, error)
  else log.error('request failed', { ...facts, error })
}

/** Failures closer together than this belong to one outage. */
const OUTAGE_GAP_MS = 30_000
const lastFailures = new WeakMap<Logger, { at: number; reason: string }>()

/** One line per outage and reason, with the first request that met it; the others are there at the debug level. */
export function logOutage(log: Logger, facts: Record<string, unknown>, error: Unavailable): void {
  const reason = error.message
  const last = lastFailures.get(log)
  const at = performance.now()
  const isNew = last?.reason !== reason || at - last.at > OUTAGE_GAP_MS
  lastFailures.set(log, { at, reason })
  if (isNew) log.error('storage unavailable', { ...facts, reason, error: error.cause })
  else log.debug('storage unavailable', { ...facts, reason })
}
