// Bearer secrets: random, recognisable by prefix and checksum (so that secret scanners can find a leak), stored only
// as SHA-256. A fast hash is enough: unlike a password, 160 random bits cannot be guessed.
import { hash, randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefixes = {
  apiKey: 'ctk_',
  accessToken: 'cta_',
  refreshToken: 'ctr_',
  authorizationCode: 'ctc_',
  session: 'cts_',
  clientSecret: 'ctx_',
  setupToken: 'ctp_',
  feed: 'ctf_',
  invitation: 'cti_',
  resetLink: 'ctl_',
  trustedBrowser: 'ctb_',
  step: 'ctq_',
} as const
type SecretKind = keyof typeof prefixes

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 7

const kindByPrefix = new Map<string, SecretKind>(
  Object.entries(prefixes).map(([kind, prefix]) => [prefix, kind as SecretKind]),
)

interface NewSecret {
  /** Shown to its owner once and never stored. */
  secret: string
  hash: string
}

export function createSecret(kind: SecretKind): NewSecret {
  const body = randomText(SECRET_LENGTH)
  const secret = `${prefixes[kind]}${body}${checksum(prefixes[kind] + body)}`
  return { secret, hash: hashSecret(secret) }
}

export const hashSecret = (secret: string): string => hash('sha256', secret)

/** The kind of secret by prefix and checksum, or undefined if it has none of our formats. */
export function secretKind(secret: string): SecretKind | undefined {
  if (secret.length !== 4 + SECRET_LENGTH + CHECKSUM_LENGTH) return undefined
  const kind = kindByPrefix.get(secret.slice(0, 4))
  const body = secret.slice(0, -CHECKSUM_LENGTH)
  return kind && checksum(body) === secret.slice(-CHECKSUM_LENGTH) ? kind : undefined
}

/** A secret that signs webhooks, in the form of Standard Webhooks. */
export const createSigningSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

/** From 0 to 1. */
export const randomFraction = (): number => randomInt(1_000_000) / 1_000_000

/** Random lower-case letters and digits from a secure source, five bits each. */
export const randomText = (length: number): string =>
  Array.from(randomBytes(length), (byte) => ALPHABET[byte & 31]).join('')

/** Ids of users and roles: 15 characters of [a-z0-9]. */
export const randomId = (): string => Array.from({ length: 15 }, () => randomInt(36).toString(36)).join('')

function checksum(text: string): string {
  let rest = crc32(text)
  let out = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    out += ALPHABET[rest & 31]
    rest >>>= 5
  }
  return out
}
