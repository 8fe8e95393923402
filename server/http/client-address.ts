// The client's address, for rate limits. IPv6 addresses are counted by /64, the size of one household's network.
import { isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../base/config.ts'
import type { Logger } from '../base/log.ts'

export function clientAddress(
  request: Pick<FastifyRequest, 'headers' | 'socket'>,
  { addressHeader, xffDepth }: Pick<Config, 'addressHeader' | 'xffDepth'>,
): string | undefined {
  // Without the header, the request bypassed the proxy or the proxy does not send it; all of its clients then share one limit.
  const named = addressHeader === undefined ? undefined : request.headers[addressHeader]
  if (addressHeader === undefined || named === undefined) return network(request.socket.remoteAddress)
  return network(fromHeader(String(named), addressHeader, xffDepth))
}

/** Monitoring calls these directly, without the proxy. */
const watched = /^\/(health|readyz|metrics)/

/** Logs the first request that lacks the header. */
export function warnWithoutHeader(server: FastifyInstance, { addressHeader }: Config, log: Logger): void {
  if (addressHeader === undefined) return
  let isLogged = false
  server.addHook('onRequest', (request, _reply, done) => {
    if (!isLogged && request.headers[addressHeader] === undefined && !watched.test(request.url)) {
      isLogged = true
      log.warn('a request lacks the header named by ADDRESS_HEADER; using the address of its connection', {
        header: addressHeader,
        address: network(request.socket.remoteAddress),
        fix: 'check the spelling, that the proxy sends the header, and that only the proxy can reach PORT',
      })
    }
    done()
  })
}

/** Each proxy appends to x-forwarded-for; counting from the right skips the proxies we trust. */
function fromHeader(value: string, name: string, depth: number): string | undefined {
  if (name !== 'x-forwarded-for') return value.trim()
  const list = value.split(',').map((part) => part.trim())
  return list[Math.max(0, list.length - depth)]
}

const LONGEST_ADDRESS = 64

function network(address: string | undefined): string | undefined {
  if (!address) return undefined
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/^\[|\](:\d+)?$/g, '')
  if (!isIPv6(plain)) return plain.slice(0, LONGEST_ADDRESS)
  const [head = '', tail] = plain.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
