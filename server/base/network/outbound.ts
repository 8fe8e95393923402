// Requests to hosts that users or unknown clients choose. The name is resolved once, all its addresses must be permitted, and
// the connection goes to the address that was checked. Redirects are never followed.
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './addresses.ts'

/** Which addresses may be reached in addition to public ones. */
export interface OutboundRules {
  /** All private addresses, as in a home network. */
  privateAddresses: boolean
  /** This machine, addressed as such: for instances that run on loopback only. */
  loopback: boolean
}

/**
 * Which addresses users may have the server contact. This machine is permitted only if the instance is for this machine
 * alone, judged by the address it listens on and by its public address (behind a proxy only the first is loopback), or if
 * the operator permits private addresses.
 */
export const rulesFor = (
  { host, origin }: { host: string; origin: string },
  privateAddresses: boolean,
): OutboundRules => ({
  privateAddresses,
  loopback: privateAddresses || (isLoopbackHost(host) && isLoopbackHost(new URL(origin).hostname)),
})

export const publicOnly: OutboundRules = { privateAddresses: false, loopback: false }

/** All addresses of a host name. */
export type Resolve = (hostname: string) => Promise<string[]>

export class OutboundError extends Error {
  readonly reason: 'address_refused' | 'name_not_found'
  constructor(reason: OutboundError['reason']) {
    super(reason === 'address_refused' ? 'the address is refused' : 'the host name could not be resolved')
    this.reason = reason
  }
}

/** Returns the address to connect to. Throws OutboundError. */
export async function requireAddress(url: URL, rules: OutboundRules, resolve: Resolve): Promise<string> {
  const hostname = hostOf(url)
  const addresses = isIP(hostname) ? [hostname] : await resolve(hostname).catch(() => [])
  const [address] = addresses
  if (address === undefined) throw new OutboundError('name_not_found')
  // One private address among public ones would be enough to reach the private network.
  const permitted = addresses.every((each) => mayReach(hostname, each, rules))
  if (!permitted) throw new OutboundError('address_refused')
  return address
}

/** Whether a host is refused without resolving its name: an IP address that is not permitted, or a name of this machine. */
export function isRefusedLiteral(url: URL, rules: OutboundRules): boolean {
  const hostname = hostOf(url)
  if (isIP(hostname)) return !mayReach(hostname, hostname, rules)
  return isLoopbackHost(hostname) && !rules.loopback && !rules.privateAddresses
}

/** Without the brackets of an IPv6 address. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

const mayReach = (hostname: string, address: string, rules: OutboundRules): boolean =>
  rules.privateAddresses ||
  isPublicAddress(address) ||
  (rules.loopback && isLoopbackHost(hostname) && isLoopbackAddress(address))

const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))

/** Whether a host, as written in a URL, is this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name)
}

/** Limits how long a name server that does not respond can keep a caller waiting. */
export const createResolve =
  (timeoutMs: number): Resolve =>
  async (hostname) => {
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new OutboundError('name_not_found')), timeoutMs)
    })
    try {
      const found = await Promise.race([lookup(hostname, { all: true }), tooLate])
      return found.map((entry) => entry.address)
    } finally {
      clearTimeout(timer)
    }
  }

/** Options of `node:http(s)` that connect to a checked address: the name is verified by TLS but never looked up again. */
export const connectTo = (address: string): { lookup: LookupFunction; agent: false } => ({
  lookup: (_name, options, done) =>
    options.all ? done(null, [{ address, family: isIP(address) }]) : done(null, address, isIP(address)),
  agent: false,
})
