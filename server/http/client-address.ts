// Whose request this is, for rate limits. IPv6 counts by /64: that is what one household gets.
import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

export function clientAddress(
  request: Pick<FastifyRequest, 'headers' | 'socket'>,
  { addressHeader, xffDepth }: Pick<Config, 'addressHeader' | 'xffDepth'>,
): string | undefined {
  const named = addressHeader && request.headers[addressHeader]
  const address = named ? fromHeader(String(named), addressHeader, xffDepth) : request.socket.remoteAddress
  return address && network(address)
}

/** In x-forwarded-for each proxy appends; counting from the right passes over the ones we trust. */
function fromHeader(value: string, name: string, depth: number): string | undefined {
  if (name !== 'x-forwarded-for') return value.trim()
  const list = value.split(',').map((part) => part.trim())
  return list[Math.max(0, list.length - depth)]
}

function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/^\[|\](:\d+)?$/g, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
