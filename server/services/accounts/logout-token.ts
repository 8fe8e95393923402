// Logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.4 to §2.6), which a provider sends when a person signs out there.
import {
  createLocalJWKSet,
  decodeJwt,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose'

export interface LogoutClaims {
  /** The id of the token, which may be used once. */
  id: string
  subject: string | null
  session: string | null
}

/** The values that are expected from the provider, and the tolerance for its clock. */
interface Expected {
  issuer: string
  clientId: string
  algorithms: string[]
  now: Date
  toleranceSeconds: number
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Older tokens are refused, so their ids need not be remembered for longer. */
export const LOGOUT_TOKEN_SECONDS = 600

/** Throws an error that `logoutProblem` classifies, or the error of `fetchKeys`. */
export async function verifyLogoutToken(
  token: string,
  { issuer, clientId, algorithms, now, toleranceSeconds }: Expected,
  fetchKeys: () => Promise<JSONWebKeySet>,
): Promise<LogoutClaims> {
  // Cheap checks come before the keys are fetched: anyone can send a token.
  requireLogoutClaims(decodeJwt(token))
  const options = {
    issuer,
    audience: clientId,
    algorithms,
    maxTokenAge: LOGOUT_TOKEN_SECONDS,
    clockTolerance: toleranceSeconds,
    currentDate: now,
  }
  const keysOf: JWTVerifyGetKey = async (header, input) => createLocalJWKSet(await fetchKeys())(header, input)
  const verified = await jwtVerify(token, keysOf, options).catch(async (error) => {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    return verifyWithAny(token, error, options)
  })
  return requireLogoutClaims(verified.payload)
}

/** For a token that names no key, if several may have signed it. */
async function verifyWithAny(
  token: string,
  keys: errors.JWKSMultipleMatchingKeys,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  for await (const key of keys) {
    try {
      return await jwtVerify(token, key, options)
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    }
  }
  throw new errors.JWSSignatureVerificationFailed()
}

/** Why a token is refused. */
export function logoutProblem(error: unknown): 'algorithm' | 'token' | 'signature' {
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return 'algorithm'
  const isToken = [errors.JWTInvalid, errors.JWSInvalid, errors.JWTClaimValidationFailed, errors.JWTExpired]
  return isToken.some((kind) => error instanceof kind) ? 'token' : 'signature'
}

/** The claims of §2.6 that make a token a logout token. */
function requireLogoutClaims(claims: JWTPayload): LogoutClaims {
  const { jti, sub, sid, events } = claims
  const isLogout =
    typeof events === 'object' && events !== null && Object.hasOwn(events, EVENT) && !('nonce' in claims)
  const subject = textOrNothing(sub)
  const session = textOrNothing(sid)
  const isNamed = subject !== undefined && session !== undefined && (subject ?? session) !== null
  if (!isLogout || !isNamed || typeof jti !== 'string' || jti === '')
    throw new errors.JWTInvalid('not a logout token')
  return { id: jti.slice(0, 500), subject, session }
}

/** null if it is absent, undefined if it is not a string. */
const textOrNothing = (value: unknown): string | null | undefined =>
  value === undefined ? null : typeof value === 'string' && value !== '' ? value.slice(0, 500) : undefined
