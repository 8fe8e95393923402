// The identity provider that people may sign in with (OpenID Connect). It is contacted only when someone wants to sign in, so
// an unreachable provider blocks nothing at start. Every response is verified here, including its signature; each failure has a
// short reason that contains nothing from the response.
import type { JSONWebKeySet } from 'jose'
import * as oidc from 'openid-client'
import type { Clock } from '../../base/clock.ts'
import type { OidcConfig } from '../../base/config.ts'
import type { Logger } from '../../base/log.ts'
import { isLoopbackHost } from '../../base/network/outbound.ts'
import type { Claims } from '../../domain/access/role-rules.ts'
import { type LogoutClaims, logoutProblem, verifyLogoutToken } from './logout-token.ts'

/** A person is waiting during each of these requests. */
const TIMEOUT_SECONDS = 5
/** The pause after a failed request. */
const RETRY_MS = 10_000
/** Older metadata is fetched again at the next sign-in, so that no one is sent to an unreachable provider. */
const FRESH_MS = 1_000
/** With `max_age`, a provider returns when the person signed in there (OpenID Connect Core §3.1.2.1). */
const SIGNED_IN_AT_MOST_SECONDS = '2592000'
const CLOCK_TOLERANCE_SECONDS = 60
const RESPONSE_BYTES_AT_MOST = 512 * 1024

export type ProviderProblem =
  /** No response in time, or not the expected one. */
  | 'unreachable'
  /** Its address is not the issuer that it says it is. */
  | 'other_issuer'
  | 'denied'
  /** It answered with another error. */
  | 'refused'
  /** It does not accept our client id or secret. */
  | 'client'
  /** The answer belongs to no request of this browser, or to one that is over. */
  | 'state'
  | 'issuer'
  | 'audience'
  | 'signature'
  | 'algorithm'
  | 'nonce'
  | 'clock'
  /** The person was signed in there already and was not asked again. */
  | 'not_fresh'
  | 'token'
  | 'userinfo'

export class ProviderError extends Error {
  readonly reason: ProviderProblem
  constructor(reason: ProviderProblem) {
    super(`the identity provider: ${reason}`)
    this.reason = reason
  }
}

/** The values that the response is checked against. */
interface Checks {
  state: string
  nonce: string
  verifier: string
}

/** The person, as identified by the provider. */
export interface ProvenIdentity {
  subject: string
  /** The claims of the ID token, with those of the userinfo endpoint added. */
  claims: Claims
  /** The provider's id of the session. */
  session: string | null
  idToken: string
}

export interface Provider {
  readonly issuer: string
  /** Whether the last attempt to reach the provider failed. If that was a while ago, it also starts a new attempt. */
  isDown(): boolean
  /** Where to send the browser. `isFresh`: the person has to sign in there again. */
  begin(isFresh: boolean): Promise<{ url: string; checks: Checks }>
  /** Throws ProviderError. `freshSince`: the person must have signed in there since. */
  finish(answer: URLSearchParams, checks: Checks, freshSince?: Date): Promise<ProvenIdentity>
  /** The provider's address for signing out there too, if it has one. */
  signOutUrl(idToken: string | null, backTo: string): Promise<string | undefined>
  /** Throws ProviderError. */
  readLogoutToken(token: string): Promise<LogoutClaims>
}

interface Parts {
  settings: OidcConfig
  redirectUri: string
  clock: Clock
  log: Logger
}

export function createProvider(parts: Parts): Provider {
  const { settings, redirectUri, clock } = parts
  const discover = createDiscovery(parts)
  /** With the current difference between the machine's clock and ours. */
  const configured = (metadata: oidc.ServerMetadata, secretIn: SecretIn = 'header') =>
    configurationOf(parts, metadata, secretIn)

  async function grant(answer: URLSearchParams, checks: Checks, maxAge: number | undefined) {
    const metadata = await discover.known()
    const url = new URL(redirectUri)
    url.search = answer.toString()
    const exchange = (secretIn: SecretIn) => {
      const configuration = configured(metadata, secretIn)
      const expected = {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.verifier,
        idTokenExpected: true,
        ...(maxAge === undefined ? {} : { maxAge }),
      }
      return oidc
        .authorizationCodeGrant(configuration, url, expected)
        .then((tokens) => ({ configuration, tokens }))
    }
    const first = secretPlaces(settings, metadata)
    try {
      return await exchange(first[0])
    } catch (error) {
      // Providers announce both ways, but some accept only the one that the client was registered with.
      if (first[1] === undefined || !isClientRefusal(error)) throw error
      return await exchange(first[1])
    }
  }

  return {
    issuer: settings.issuer,
    isDown: discover.isDown,
    async begin(isFresh) {
      const metadata = await discover.now()
      const checks = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      }
      const parameters = {
        redirect_uri: redirectUri,
        scope: settings.scope,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
        ...(isFresh ? { prompt: 'login', max_age: '0' } : { max_age: SIGNED_IN_AT_MOST_SECONDS }),
      }
      const url = orProblem(() => oidc.buildAuthorizationUrl(configured(metadata), parameters))
      return { url: requireSafe(url).href, checks }
    },
    async finish(answer, checks, freshSince) {
      const maxAge = freshSince && Math.max(0, Math.ceil((clock.now() - freshSince.getTime()) / 1000))
      try {
        const { configuration, tokens } = await grant(answer, checks, maxAge)
        const claims = tokens.claims()
        if (!claims || !tokens.id_token) throw new ProviderError('token')
        requireIssuedByNow(claims.iat, clock.now())
        // The library checks `azp` only if there are several audiences.
        if (claims.azp !== undefined && claims.azp !== settings.clientId) throw new ProviderError('audience')
        const told = await userInfoOf(configuration, tokens.access_token, claims.sub)
        return {
          subject: requirePlain(claims.sub),
          claims: { ...told, ...claims },
          session: typeof claims['sid'] === 'string' ? requirePlain(claims['sid']) : null,
          idToken: tokens.id_token,
        }
      } catch (error) {
        throw asProblem(error)
      }
    },
    async signOutUrl(idToken, backTo) {
      const metadata = await discover.known()
      if (metadata.end_session_endpoint === undefined) return undefined
      const parameters = {
        post_logout_redirect_uri: backTo,
        ...(idToken === null ? {} : { id_token_hint: idToken }),
      }
      return requireSafe(orProblem(() => oidc.buildEndSessionUrl(configured(metadata), parameters))).href
    },
    async readLogoutToken(token) {
      const metadata = await discover.known()
      const expected = {
        issuer: metadata.issuer,
        clientId: settings.clientId,
        algorithms: metadata.id_token_signing_alg_values_supported ?? ['RS256'],
        now: new Date(clock.now()),
        toleranceSeconds: CLOCK_TOLERANCE_SECONDS,
      }
      try {
        return await verifyLogoutToken(token, expected, () => fetchKeys(metadata.jwks_uri))
      } catch (error) {
        throw error instanceof ProviderError ? error : new ProviderError(logoutProblem(error))
      }
    },
  }
}

type SecretIn = 'header' | 'body'

/** Where the secret is sent: the first choice, and the fallback if that is refused. */
function secretPlaces(
  { clientSecret }: OidcConfig,
  { token_endpoint_auth_methods_supported: ways = ['client_secret_basic'] }: oidc.ServerMetadata,
): [SecretIn, SecretIn?] {
  const [inHeader, inBody] = [ways.includes('client_secret_basic'), ways.includes('client_secret_post')]
  if (clientSecret === undefined || !inBody) return ['header']
  return inHeader ? ['header', 'body'] : ['body']
}

const isClientRefusal = (error: unknown): boolean =>
  (error instanceof oidc.ResponseBodyError && error.error === 'invalid_client') ||
  error instanceof oidc.WWWAuthenticateChallengeError

function configurationOf(
  { settings, clock }: Parts,
  metadata: oidc.ServerMetadata,
  secretIn: SecretIn,
): oidc.Configuration {
  const { clientId, clientSecret } = settings
  const secret = secretIn === 'header' ? oidc.ClientSecretBasic : oidc.ClientSecretPost
  const configuration = new oidc.Configuration(
    metadata,
    clientId,
    {
      [oidc.clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
      [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    },
    clientSecret === undefined ? oidc.None() : secret(clientSecret),
  )
  configuration.timeout = TIMEOUT_SECONDS
  configuration[oidc.customFetch] = boundedFetch
  if (isLoopback(settings.issuer)) oidc.allowInsecureRequests(configuration)
  // Otherwise only TLS would protect the content of the ID token.
  oidc.enableNonRepudiationChecks(configuration)
  return configuration
}

const isLoopback = (issuer: string): boolean => new URL(issuer).protocol === 'http:'

/** Metadata of a provider on this machine could contain http addresses of other machines. */
function requireSafe(url: URL): URL {
  if (url.protocol === 'https:' || isLoopbackHost(url.hostname)) return url
  throw new ProviderError('unreachable')
}

/** Limits the size of responses. Redirects are not followed; the library sets that. */
const boundedFetch: oidc.CustomFetch = async (address, options) => {
  const url = requireSafe(new URL(address))
  // The library's options work with fetch; only their types differ.
  const response = await fetch(url, options as RequestInit)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > RESPONSE_BYTES_AT_MOST) throw new ProviderError('unreachable')
    chunks.push(chunk)
  }
  const { status, statusText, headers } = response
  const body = [204, 205, 304].includes(status) ? null : Buffer.concat(chunks)
  return new Response(body, { status, statusText, headers })
}

async function fetchKeys(address: string | undefined): Promise<JSONWebKeySet> {
  if (address === undefined) throw new ProviderError('unreachable')
  try {
    const response = await boundedFetch(address, {
      method: 'GET',
      headers: { accept: 'application/json' },
      body: undefined,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
    })
    return (await response.json()) as JSONWebKeySet
  } catch {
    throw new ProviderError('unreachable')
  }
}

/** The claims of the userinfo endpoint; empty if the provider has none. */
async function userInfoOf(
  configuration: oidc.Configuration,
  accessToken: string,
  subject: string,
): Promise<Claims> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {}
  try {
    return await oidc.fetchUserInfo(configuration, accessToken, subject)
  } catch (error) {
    // Without these claims a person could get a wrong role.
    const problem = asProblem(error).reason
    throw new ProviderError(problem === 'unreachable' ? problem : 'userinfo')
  }
}

/** The library checks the expiry of a token, but not whether it was issued in the future. */
function requireIssuedByNow(issuedAt: number, now: number): void {
  if (issuedAt > now / 1000 + CLOCK_TOLERANCE_SECONDS) throw new ProviderError('clock')
}

/** Ids are short and without control characters (OpenID Connect Core §2), which a database might reject. */
function requirePlain(id: string): string {
  if (/^[^\p{Cc}\p{Cs}]{1,255}$/u.test(id)) return id
  throw new ProviderError('token')
}

function orProblem<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw asProblem(error)
  }
}

// The provider's metadata

function createDiscovery({ settings, clock, log }: Parts) {
  const { issuer, clientId } = settings
  let found: { metadata: oidc.ServerMetadata; at: number } | undefined
  let failed: { error: ProviderError; at: number } | undefined
  let running: Promise<oidc.ServerMetadata> | undefined

  const isWithin = (at: number, ms: number) => clock.now() >= at && clock.now() - at < ms

  async function ask(): Promise<oidc.ServerMetadata> {
    try {
      const execute = isLoopback(issuer) ? [oidc.allowInsecureRequests] : []
      const options = { timeout: TIMEOUT_SECONDS, execute, [oidc.customFetch]: boundedFetch }
      const configuration = await oidc.discovery(new URL(issuer), clientId, undefined, undefined, options)
      const metadata = configuration.serverMetadata()
      // The library does not compare the issuer if the address is that of the document.
      if (new URL(metadata.issuer).href !== new URL(issuer).href) throw new ProviderError('other_issuer')
      if (failed) log.info('the identity provider is reachable again', { issuer })
      failed = undefined
      found = { metadata, at: clock.now() }
      return metadata
    } catch (error) {
      const problem = asProblem(error)
      if (!failed) log.warn('the identity provider cannot be used', { issuer, reason: problem.reason })
      failed = { error: problem, at: clock.now() }
      throw problem
    }
  }

  async function now(): Promise<oidc.ServerMetadata> {
    if (failed && isWithin(failed.at, RETRY_MS)) throw failed.error
    if (!failed && found && isWithin(found.at, FRESH_MS)) return found.metadata
    running ??= ask().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    now,
    /** The last known metadata: a browser that comes back has just been at the provider. */
    known: async () => found?.metadata ?? (await now()),
    isDown() {
      // The next page shows the result.
      if (failed && !isWithin(failed.at, RETRY_MS)) void now().catch(() => {})
      return failed !== undefined
    },
  }
}

// Problems of a response

const deepCause = (error: Error): Error & { cause?: unknown; code?: unknown } =>
  error.cause instanceof Error ? error.cause : error

function asProblem(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  if (error instanceof Error && error.cause instanceof ProviderError) return error.cause
  if (error instanceof oidc.AuthorizationResponseError)
    return new ProviderError(error.error === 'access_denied' ? 'denied' : 'refused')
  if (isClientRefusal(error)) return new ProviderError('client')
  if (error instanceof oidc.ResponseBodyError) return new ProviderError('refused')
  return new ProviderError(error instanceof Error ? problemOf(error) : 'token')
}

function problemOf(error: Error & { code?: unknown }): ProviderProblem {
  const inner = deepCause(error)
  const { claim, attribute } = (inner.cause ?? error.cause ?? {}) as { claim?: unknown; attribute?: unknown }
  switch (error.code) {
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return claim === 'auth_time' ? 'not_fresh' : 'clock'
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
      return claimProblems[String(claim)] ?? 'token'
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
      return attribute === 'issuer' ? 'other_issuer' : 'token'
    case 'OAUTH_KEY_SELECTION_FAILED':
      return 'signature'
    case 'OAUTH_UNSUPPORTED_OPERATION':
      return 'algorithm'
    case 'OAUTH_INVALID_RESPONSE':
      return invalidProblem(inner.message)
    case 'OAUTH_TIMEOUT':
    case 'OAUTH_ABORT':
    case 'OAUTH_RESPONSE_IS_NOT_CONFORM':
    case 'OAUTH_RESPONSE_IS_NOT_JSON':
    case 'OAUTH_HTTP_REQUEST_FORBIDDEN':
    case 'OAUTH_REQUEST_PROTOCOL_FORBIDDEN':
      return 'unreachable'
    default:
      // fetch throws a TypeError if there is no connection.
      return error instanceof TypeError || inner instanceof TypeError ? 'unreachable' : 'token'
  }
}

const claimProblems: Record<string, ProviderProblem> = {
  aud: 'audience',
  azp: 'audience',
  iss: 'issuer',
  nonce: 'nonce',
  auth_time: 'not_fresh',
}

/** The library has one code for these and distinguishes them by text. */
function invalidProblem(message: string): ProviderProblem {
  if (/signature/.test(message)) return 'signature'
  if (/"alg"/.test(message)) return 'algorithm'
  if (/"iss"/.test(message)) return 'issuer'
  if (/"state"/.test(message)) return 'state'
  if (/"azp"/.test(message)) return 'audience'
  return /auth_time/.test(message) ? 'not_fresh' : 'token'
}
