// An authenticator in software, written from the WebAuthn specification alone: ES256 keys, authenticator data, CBOR and
// COSE. It follows every instruction, including those that no honest authenticator or browser would.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const base64url = (data: string | Buffer): string => Buffer.from(data).toString('base64url')

// CBOR (RFC 8949 §3), as much of it as attestation objects need

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
const integer = (value: number): Buffer => (value >= 0 ? head(0, value) : head(1, -1 - value))
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value])
const text = (value: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
const map = (entries: [Buffer, Buffer][]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()])
const array = (entries: Buffer[]): Buffer => Buffer.concat([head(4, entries.length), ...entries])

/** COSE_Key of an ES256 key (RFC 9053 §7.1.1). */
function coseKey(publicKey: KeyObject): Buffer {
  const { x, y } = publicKey.export({ format: 'jwk' })
  return map([
    [integer(1), integer(2)],
    [integer(3), integer(-7)],
    [integer(-1), integer(1)],
    [integer(-2), bytes(Buffer.from(x!, 'base64url'))],
    [integer(-3), bytes(Buffer.from(y!, 'base64url'))],
  ])
}

export interface Ceremony {
  origin?: string
  rpId?: string
  type?: 'webauthn.create' | 'webauthn.get'
  userVerified?: boolean
  userPresent?: boolean
  counter?: number
  challenge?: string
  userHandle?: string | undefined
  crossOrigin?: boolean
  format?: 'none' | 'apple'
}

interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}

export interface Credential {
  id: string
  userHandle: string
  privateKey: KeyObject
  counter: number
}

export class Authenticator {
  readonly origin: string
  readonly aaguid: string
  constructor(origin: string, aaguid = '00000000-0000-0000-0000-000000000000') {
    this.origin = origin
    this.aaguid = aaguid
  }

  #clientData(type: string, challenge: string, { origin, crossOrigin = false }: Ceremony): string {
    return JSON.stringify({ type, challenge, origin: origin ?? this.origin, crossOrigin })
  }

  /** WebAuthn §6.1 */
  #authenticatorData(rpId: string, counter: number, ceremony: Ceremony, attested?: Buffer): Buffer {
    const { userPresent = true, userVerified = true } = ceremony
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flags = (userPresent ? 1 : 0) | (userVerified ? 4 : 0) | (attested ? 64 : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)])
  }

  /** `navigator.credentials.create` */
  create(options: CreationOptions, ceremony: Ceremony = {}, id = randomBytes(32)) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const aaguid = Buffer.from(this.aaguid.replaceAll('-', ''), 'hex')
    const length = Buffer.from([id.length >> 8, id.length & 255])
    const attested = Buffer.concat([aaguid, length, id, coseKey(publicKey)])
    const counter = ceremony.counter ?? 0
    const data = this.#authenticatorData(ceremony.rpId ?? options.rp.id, counter, ceremony, attested)
    const format = ceremony.format ?? 'none'
    const statement = format === 'none' ? map([]) : map([[text('x5c'), array([bytes(randomBytes(300))])]])
    const attestation = map([
      [text('fmt'), text(format)],
      [text('attStmt'), statement],
      [text('authData'), bytes(data)],
    ])
    const challenge = ceremony.challenge ?? options.challenge
    const clientData = this.#clientData(ceremony.type ?? 'webauthn.create', challenge, ceremony)
    const credential: Credential = { id: base64url(id), userHandle: options.user.id, privateKey, counter }
    const response = {
      id: credential.id,
      rawId: credential.id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(attestation),
        transports: ['internal', 'hybrid'],
      },
      clientExtensionResults: { credProps: { rk: true } },
      authenticatorAttachment: 'platform',
    }
    return { credential, response }
  }

  /** `navigator.credentials.get` */
  get(options: { challenge: string; rpId: string }, credential: Credential, ceremony: Ceremony = {}) {
    const counter = ceremony.counter ?? credential.counter
    const data = this.#authenticatorData(ceremony.rpId ?? options.rpId, counter, ceremony)
    const challenge = ceremony.challenge ?? options.challenge
    const clientData = this.#clientData(ceremony.type ?? 'webauthn.get', challenge, ceremony)
    const signed = Buffer.concat([data, sha256(clientData)])
    const userHandle = 'userHandle' in ceremony ? ceremony.userHandle : credential.userHandle
    return {
      id: credential.id,
      rawId: credential.id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', signed, credential.privateKey)),
        ...(userHandle === undefined ? {} : { userHandle }),
      },
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
    }
  }
}
