// Checks of the public address of the instance and of a proxy in front of it.
import { isIP } from 'node:net'
import type { Config } from '../base/config.ts'
import { version } from '../base/version.ts'
import { DAY } from '../domain/time/durations.ts'
import { readMailCertificate } from '../services/intake/mail-certificate.ts'
import { type Finding, fail, ok, reasonOf, warn } from './finding.ts'

const TIMEOUT_MS = 10_000

interface Visit {
  /** How far the server's clock is ahead of ours, by the Date header. */
  aheadMs?: number | undefined
  /** The response has headers that a proxy adds. */
  isProxied: boolean
  finding: Finding
}

/** Requests the metadata of the instance at ORIGIN. */
export async function visitOrigin({ origin }: Config): Promise<Visit> {
  let issuer: Response
  let discovery: Response
  let arrivedAt: number
  try {
    issuer = await get(`${origin}/.well-known/oauth-authorization-server`)
    arrivedAt = Date.now()
    discovery = await get(`${origin}/api/v1`)
  } catch (error) {
    const advice =
      'start the server, or check name, certificate, proxy and firewall; a container may be unable to reach its own public address'
    return {
      isProxied: false,
      finding: warn('origin', `${origin} cannot be reached (${reasonOf(error)})`, advice),
    }
  }
  const date = Date.parse(issuer.headers.get('date') ?? '')
  return {
    aheadMs: Number.isNaN(date) ? undefined : date - arrivedAt,
    isProxied: ['via', 'server'].some((name) => issuer.headers.has(name)),
    finding: await compare(origin, issuer, discovery),
  }
}

const get = (url: string) =>
  fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json' },
  })

async function compare(origin: string, issuer: Response, discovery: Response): Promise<Finding> {
  const target = issuer.headers.get('location')
  if (issuer.status >= 300 && issuer.status < 400) {
    return warn(
      'origin',
      `${origin} redirects to ${target ?? 'another address'}`,
      'set ORIGIN to that address',
    )
  }
  const claimed = ((await json(issuer)) as { issuer?: unknown })?.issuer
  const instance = ((await json(discovery)) as { instance?: { name?: unknown; version?: unknown } })?.instance
  if (typeof claimed !== 'string' || instance?.name !== 'Contrail') {
    return fail(
      'origin',
      `the server at ${origin} (status ${discovery.status}) is not Contrail`,
      'check ORIGIN and the target of the proxy',
    )
  }
  if (claimed !== origin) {
    return fail(
      'origin',
      `the server at ${origin} runs with ORIGIN ${claimed}`,
      'give the server and this command the same ORIGIN, then restart it',
    )
  }
  if (instance.version !== version) {
    return warn(
      'origin',
      `version ${instance.version} runs at ${origin}, this is ${version}`,
      'restart the server',
    )
  }
  return ok('origin', `Contrail ${version} at ${origin}`)
}

/** Whether the identity provider responds, with the configured issuer. A failure does not stop people from signing in. */
export async function checkProvider({ issuer, name }: NonNullable<Config['oidc']>): Promise<Finding> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  let response: Response
  try {
    response = await get(address)
  } catch (error) {
    return warn(
      'provider',
      `${name} cannot be reached at ${issuer} (${reasonOf(error)})`,
      'check OIDC_ISSUER',
    )
  }
  const claimed = ((await json(response)) as { issuer?: unknown })?.issuer
  if (typeof claimed !== 'string') {
    const what = `there is no OpenID Connect provider at ${issuer} (status ${response.status})`
    return warn('provider', what, 'set OIDC_ISSUER to the issuer that the provider shows')
  }
  if (!URL.canParse(claimed) || new URL(claimed).href !== new URL(issuer).href)
    return warn(
      'provider',
      `the provider at ${issuer} reports the issuer ${claimed}`,
      `set OIDC_ISSUER=${claimed}`,
    )
  return ok('provider', `${name} responds at ${issuer}`)
}

const json = (response: Response): Promise<unknown> => response.json().catch(() => undefined)

export function checkEncryption({ origin }: Config): Finding {
  const { protocol, hostname } = new URL(origin)
  if (protocol === 'https:') return ok('encryption', 'ORIGIN is https')
  if (isThisMachine(hostname)) return ok('encryption', 'ORIGIN is plain http on this machine alone')
  return warn(
    'encryption',
    'ORIGIN is plain http: passwords and tokens are sent unencrypted',
    'put a proxy with a certificate in front and set ORIGIN to its https address',
  )
}

/** Whether browsers will register for notifications. */
export function checkPush({ push, origin }: Config): Finding {
  const name = 'push'
  if (!push) return ok(name, 'notifications to browsers are turned off')
  const { protocol, hostname } = new URL(origin)
  if (protocol === 'https:' || isThisMachine(hostname))
    return ok(name, 'browsers can register for notifications')
  return warn(
    name,
    'browsers accept notifications only over https or on localhost',
    'set ORIGIN to an https address, or PUSH=false',
  )
}

const isThisMachine = (host: string): boolean =>
  ['localhost', '[::1]'].includes(host) || (isIP(host) === 4 && host.startsWith('127.'))

/**
 * Whether the settings for the client's address fit the proxy. Contrail serves plain http on PORT, so an ORIGIN with
 * another scheme or port means a proxy; the addresses of past sign-ins show whether it forwards the client's address.
 */
export function checkProxy(config: Config, isProxied: boolean, addresses: readonly string[]): Finding {
  const { origin, port, addressHeader, xffDepth } = config
  const url = new URL(origin)
  const originPort = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const signs = [
    url.protocol === 'https:' && 'ORIGIN is https',
    originPort !== port && `ORIGIN has port ${originPort} and PORT is ${port}`,
    isProxied && 'responses have a proxy’s headers',
  ].filter(Boolean)
  const isBehindProxy = signs.length > 0
  if (isBehindProxy && addressHeader === undefined) {
    return warn(
      'proxy',
      `there seems to be a proxy (${signs.join(', ')}) but ADDRESS_HEADER is not set: all clients share one limit for sign-ins`,
      'set ADDRESS_HEADER=x-forwarded-for and XFF_DEPTH to the number of proxies',
    )
  }
  if (!isBehindProxy && addressHeader !== undefined) {
    return warn(
      'proxy',
      'ADDRESS_HEADER is set but nothing indicates a proxy: any client can claim any address',
      'unset ADDRESS_HEADER, or let only the proxy reach PORT',
    )
  }
  if (!isBehindProxy) return ok('proxy', 'none, and ADDRESS_HEADER is not set')
  const seen = new Set(addresses)
  if (addresses.length >= 5 && seen.size === 1 && isPrivate(addresses[0]!)) {
    return warn(
      'proxy',
      `the last ${addresses.length} sign-ins all came from ${addresses[0]}, which may be a proxy`,
      `check that the proxy sends ${addressHeader} and that XFF_DEPTH (${xffDepth}) is the number of proxies`,
    )
  }
  return ok('proxy', `the client’s address is taken from ${addressHeader}, depth ${xffDepth}`)
}

const isPrivate = (address: string): boolean =>
  /^(10\.|127\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|0:0:0:0|::1|f[cd]|fe80)/i.test(address)

const RENEWED_BEFORE_MS = 7 * DAY

/** Whether forwarded mails are received, and whether senders can encrypt. */
export function checkMails({ port, domain, tls }: NonNullable<Config['mailIn']>, now: number): Finding {
  const where = `received on port ${port} for ${domain}`
  if (!tls)
    return ok('mails', `${where}, without encryption: MAIL_IN_TLS_CERT and MAIL_IN_TLS_KEY are not set`)
  const { expiresAt } = readMailCertificate(tls)
  const until = new Date(expiresAt).toISOString().slice(0, 10)
  if (expiresAt < now + RENEWED_BEFORE_MS) {
    const state = expiresAt < now ? 'expired on' : 'is valid only until'
    return warn('mails', `${where}; the certificate ${state} ${until}`, `renew ${tls.cert}`)
  }
  return ok('mails', `${where}, with encryption (STARTTLS); the certificate is valid until ${until}`)
}
