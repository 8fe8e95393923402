// Whether a request comes from this machine. Such a caller needs no token to set up the instance or to read metrics.
import type { FastifyRequest } from 'fastify'
import type { Config } from '../base/config.ts'

const localAddress = /^(?:::ffff:)?127\.|^::1$/
const localHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i
const addedByProxies = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * Decided by socket and `Host`. A proxy on this machine also connects from here, on behalf of others. It is recognised by the
 * headers that it adds, by HTTP/1.0 or by the `Origin` of the visitor's page. Only an instance whose own address is on this
 * machine has local callers.
 */
export function isFromThisMachine(
  { raw, socket, headers }: FastifyRequest,
  { origin, addressHeader }: Pick<Config, 'origin' | 'addressHeader'>,
): boolean {
  const forwarded = [...addedByProxies, ...(addressHeader ? [addressHeader] : [])]
  return (
    isLocal(origin) &&
    localAddress.test(socket.remoteAddress ?? '') &&
    localHost.test(headers.host ?? '') &&
    raw.httpVersion !== '1.0' &&
    (headers.origin === undefined || isLocal(headers.origin)) &&
    forwarded.every((name) => headers[name] === undefined)
  )
}

const isLocal = (origin: string): boolean => URL.canParse(origin) && localHost.test(new URL(origin).host)
