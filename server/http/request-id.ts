// Every request has an id: the proxy's if it sends a valid one, otherwise one of ours. Every response carries it, and so do
// the log lines about failures.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Unavailable } from '../base/errors.ts'
import type { Services } from '../door/services.ts'

/** A caller can give this id to the operator, who finds it in the log. */
export const REQUEST_ID = 'x-request-id'
const valid = /^[\w.:/+=-]{1,100}$/

/** A random start and a counter: unique among processes, and cheap. */
export function createRequestIds(): (request: IncomingMessage) => string {
  const start = randomBytes(6).toString('base64url')
  let next = 0
  return ({ headers }) => {
    const given = headers[REQUEST_ID]
    return typeof given === 'string' && valid.test(given) ? given : `${start}-${(next++).toString(36)}`
  }
}

/** The part of an address that may be logged: queries may hold secrets, and so do addresses of shares, feeds and links. */
export const pathOf = (request: FastifyRequest): string =>
  asRouted(request.url.split('?', 1)[0]!)
    .replace(/^(\/+(?:share|feeds|invite|reset)\/+)[^/]+/, '$1…')
    // Secrets in mistyped addresses are masked too.
    .replaceAll(/ct[a-z]_[a-z2-7]{20,}/g, '…')

/** The path as the router compares it, which is decoded. */
function asRouted(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

export function logFailure(services: Services, request: FastifyRequest, error: unknown): void {
  const facts = { request: request.id, method: request.method, path: pathOf(request) }
  if (error instanceof Unavailable) services.logOutage(facts, error)
  else services.log.error('request failed', { ...facts, error })
}
