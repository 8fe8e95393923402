// The client's address, for rate limits. IPv6 counts by /64, which is what one household gets.
import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../base/config.ts'

export function clientAddress(
  request: Pick<FastifyRequest, 'headers' | 'socket'>,
  { addressHeader, xffDepth }: Pick<Config, 'addressHeader' | 'xffDepth'>,
): string | undefined {
  if (addressHeader === undefined) return network(request.socket.remoteAddress)
  // Without the header the address is unknown: the socket's is that of the proxy, the same for every client.
  const named = request.headers[addressHeader]
  return named === undefined ? undefined : network(fromHeader(String(named), addressHeader, xffDepth))
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
