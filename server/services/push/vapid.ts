// The key pair with which this instance identifies itself to push services (RFC 8292). The private key is sealed with the
// instance secret.
import { generateKeyPairSync, type webcrypto } from 'node:crypto'
import { importJWK, type JWK, SignJWT } from 'jose'
import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { InstanceSecret } from '../../base/secret/instance-secret.ts'
import { HOUR, SECOND } from '../../domain/time/durations.ts'
import { fromJson, toJson } from '../../store/engine/codecs.ts'
import type { Executor } from '../../store/engine/engine.ts'
import { findSetting, lockSetting, writeSetting } from '../../store/instance/settings.ts'
import { unsealOrNot } from '../intake/reach.ts'

const PURPOSE = 'push keys'
const TOKEN_MS = 12 * HOUR
const TOKEN_REUSED_MS = 6 * HOUR
/** Of push services with a token. */
const HOSTS_AT_MOST = 1000

interface StoredKeys {
  /** base64url, as browsers want it. */
  publicKey: string
  /** Sealed JWK. */
  privateKey: string
}

interface OpenKeys {
  publicKey: string
  key: webcrypto.CryptoKey | Uint8Array
}

interface Vapid {
  /** The public key; makes the pair if there is none. Throws if the pair cannot be opened. */
  prepare(tx: Executor): Promise<string>
  /** The `Authorization` header for a push service. Undefined if there is no pair, or if it cannot be opened. */
  authorization(db: Executor): Promise<((endpoint: URL) => Promise<string>) | undefined>
}

interface VapidParts {
  secret: InstanceSecret
  clock: Clock
  /** How the operator of a push service can reach the operator of this instance. */
  subject: string
}

export function createVapid({ secret, clock, subject }: VapidParts): Vapid {
  let known: { stored: string; keys: OpenKeys | undefined } | undefined
  const tokens = new Map<string, { token: string; madeAt: number }>()

  async function openKeys(stored: string): Promise<OpenKeys | undefined> {
    if (known?.stored !== stored) {
      tokens.clear()
      known = { stored, keys: await open(secret, stored) }
    }
    return known.keys
  }

  async function tokenFor({ key }: OpenKeys, { origin }: URL): Promise<string> {
    const now = clock.now()
    const before = tokens.get(origin)
    if (before && Math.abs(now - before.madeAt) < TOKEN_REUSED_MS) return before.token
    if (tokens.size >= HOSTS_AT_MOST) tokens.clear()
    const token = await new SignJWT()
      .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
      .setAudience(origin)
      .setExpirationTime(Math.floor((now + TOKEN_MS) / SECOND))
      .setSubject(subject)
      .sign(key)
    tokens.set(origin, { token, madeAt: now })
    return token
  }

  return {
    async prepare(tx) {
      const stored = (await findSetting(tx, { name: 'pushKeys' })) ?? (await makeKeys(tx, secret))
      const keys = await openKeys(stored)
      if (!keys) throw new AppError('unavailable', 'push_unavailable')
      return keys.publicKey
    },
    async authorization(db) {
      const stored = await findSetting(db, { name: 'pushKeys' })
      const keys = stored === undefined ? undefined : await openKeys(stored)
      return keys && (async (endpoint) => `vapid t=${await tokenFor(keys, endpoint)}, k=${keys.publicKey}`)
    },
  }
}

/** Stores a new pair, unless another process just did; returns the stored one. */
const makeKeys = (tx: Executor, secret: InstanceSecret): Promise<string> =>
  lockSetting(tx, 'pushKeys', newKeys(secret))

/** Replaces the pair: no device can be sent to that registered with the old one. */
export async function resetKeys(tx: Executor, secret: InstanceSecret): Promise<void> {
  await writeSetting(tx, { name: 'pushKeys', value: newKeys(secret) })
}

function newKeys(secret: InstanceSecret): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = privateKey.export({ format: 'jwk' })
  const point = [Buffer.of(4), ...[jwk.x!, jwk.y!].map((part) => Buffer.from(part, 'base64url'))]
  const made: StoredKeys = {
    publicKey: Buffer.concat(point).toString('base64url'),
    privateKey: secret.seal(PURPOSE, JSON.stringify(jwk)),
  }
  return toJson(made)
}

async function open(secret: InstanceSecret, stored: string): Promise<OpenKeys | undefined> {
  const { publicKey, privateKey } = fromJson<StoredKeys>(stored)
  const jwk = unsealOrNot(secret, PURPOSE, privateKey)
  return jwk === undefined ? undefined : { publicKey, key: await importJWK(JSON.parse(jwk) as JWK, 'ES256') }
}

/** For the doctor: the sealed private key of a stored pair. */
export const sealedKey = (stored: string) => ({
  purpose: PURPOSE,
  text: fromJson<StoredKeys>(stored).privateKey,
})
