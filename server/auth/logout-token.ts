// Logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.4 to §2.6): what a provider sends when a person has signed out there.
import { constants, createPublicKey, type KeyObject, verify, type webcrypto } from 'node:crypto'

export type JsonWebKey = webcrypto.JsonWebKey & Record<string, unknown>

export interface LogoutClaims {
  /** Of the token itself, which counts once. */
  id: string
  subject: string | null
  session: string | null
}

type Claims = Record<string, unknown>

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** A token that was on its way for longer is refused: its id is not remembered for longer either. */
export const LOGOUT_TOKEN_SECONDS = 600

interface Signed {
  claims: Claims
  isSignedBy(keys: readonly JsonWebKey[]): boolean
}

/** A JWT in its three parts, with one of these algorithms; undefined if it is none. */
export function readSigned(token: string, algorithms: readonly string[]): Signed | undefined {
  const parts = token.split('.')
  const [header, claims] = parts.slice(0, 2).map(jsonIn)
  const alg = header?.['alg']
  if (parts.length !== 3 || !claims || typeof alg !== 'string' || header?.['crit'] !== undefined)
    return undefined
  if (!algorithms.includes(alg) || !(alg in signatures)) return undefined
  const check = signatures[alg]!
  const data = Buffer.from(parts.slice(0, 2).join('.'))
  const signature = Buffer.from(parts[2]!, 'base64url')
  const isFor = (key: JsonWebKey) =>
    key.kty === check.kty &&
    (key['use'] ?? 'sig') === 'sig' &&
    (key['alg'] ?? alg) === alg &&
    (check.curve === undefined || key.crv === check.curve) &&
    (header?.['kid'] === undefined || key['kid'] === header['kid'])
  return {
    claims,
    isSignedBy: (keys) => keys.filter(isFor).some((key) => isMadeBy(key, check, data, signature)),
  }
}

interface Signature {
  kty: 'RSA' | 'EC' | 'OKP'
  curve?: string
  hash: string | null
  options: object
}
const rsa = (bits: number): Signature => ({ kty: 'RSA', hash: `sha${bits}`, options: {} })
const pss = (bits: number): Signature => ({
  ...rsa(bits),
  options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
})
const ec = (bits: number, curve: string): Signature => ({
  kty: 'EC',
  curve,
  hash: `sha${bits}`,
  options: { dsaEncoding: 'ieee-p1363' },
})
const edwards: Signature = { kty: 'OKP', curve: 'Ed25519', hash: null, options: {} }

/** Those with a public key only: a secret that both sides know proves nothing. */
const signatures: Readonly<Record<string, Signature>> = Object.assign(Object.create(null), {
  RS256: rsa(256),
  RS384: rsa(384),
  RS512: rsa(512),
  PS256: pss(256),
  PS384: pss(384),
  PS512: pss(512),
  ES256: ec(256, 'P-256'),
  ES384: ec(384, 'P-384'),
  ES512: ec(512, 'P-521'),
  EdDSA: edwards,
  Ed25519: edwards,
})

function isMadeBy(jwk: JsonWebKey, { hash, options }: Signature, data: Buffer, signature: Buffer): boolean {
  let key: KeyObject
  try {
    key = createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return false
  }
  return verify(hash, data, { key, ...options }, signature)
}

function jsonIn(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Claims)
      : undefined
  } catch {
    return undefined
  }
}

/** What the token says, if everything about it is as it must be. */
export function requireLogoutClaims(
  claims: Claims,
  { issuer, clientId, now }: { issuer: string; clientId: string; now: number },
  tolerance: number,
): LogoutClaims | undefined {
  const { iss, aud, iat, exp, jti, sub, sid, events } = claims
  const seconds = now / 1000
  const isForUs = iss === issuer && [aud].flat().includes(clientId)
  const isNow =
    typeof iat === 'number' &&
    iat <= seconds + tolerance &&
    iat >= seconds - LOGOUT_TOKEN_SECONDS &&
    (exp === undefined || (typeof exp === 'number' && exp > seconds - tolerance))
  const isLogout =
    typeof events === 'object' && events !== null && Object.hasOwn(events, EVENT) && !('nonce' in claims)
  const subject = textOrNothing(sub)
  const session = textOrNothing(sid)
  const isNamed = subject !== undefined && session !== undefined && (subject ?? session) !== null
  if (!isForUs || !isNow || !isLogout || !isNamed || typeof jti !== 'string' || jti === '') return undefined
  return { id: jti.slice(0, 500), subject, session }
}

/** null if it is absent, undefined if it is something else than a text. */
const textOrNothing = (value: unknown): string | null | undefined =>
  value === undefined ? null : typeof value === 'string' && value !== '' ? value.slice(0, 500) : undefined
