// A push service on loopback, and the browsers that subscribe to it. It checks the token of the sender (RFC 8292) and decrypts
// messages with its own code (RFC 8188, RFC 8291), which the example of the RFC proves.
import assert from 'node:assert/strict'
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLogger } from '../../server/base/log.ts'
import { createMailer } from '../../server/services/accounts/mailer.ts'
import type { CountNotification } from '../../server/services/push/deliveries.ts'
import type { Push } from '../../server/services/push/push.ts'
import { createReminders } from '../../server/services/push/reminders.ts'
import { createSender } from '../../server/services/push/sender.ts'
import { keepsConnections } from '../external-host.ts'
import type { TestApp } from '../harness.ts'

export interface Pushed {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
  json: any
}

type Respond = (response: ServerResponse, pushed: Pushed) => void
export const withStatus =
  (status: number, headers: Record<string, string> = {}, body = ''): Respond =>
  (response) =>
    response.writeHead(status, headers).end(body)

interface Browser {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

export interface PushService {
  url: string
  received: Pushed[]
  respond: Respond
  /** A new subscription, as the browser's `toJSON()` returns it. */
  subscribe(path?: string): Browser
  /** Messages since the last call. */
  take(): Pushed[]
  close(): Promise<void>
}

export async function startPushService(now: () => number): Promise<PushService> {
  const browsers = new Map<string, { ecdh: ECDH; auth: Buffer }>()
  const server = http.createServer(keepsConnections, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const browser = browsers.get(request.url!)
      if (!browser) return void response.writeHead(404).end()
      const body = Buffer.concat(chunks)
      requireToken(request.headers, service.url, now())
      const text = decrypt(body, browser.ecdh, browser.auth).toString()
      const pushed = { path: request.url!, headers: request.headers, body, json: JSON.parse(text) }
      service.received.push(pushed)
      service.respond(response, pushed)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const service: PushService = {
    url: `http://127.0.0.1:${port}`,
    received: [],
    respond: withStatus(201),
    subscribe(path = `/send/${randomBytes(8).toString('hex')}`) {
      const ecdh = createECDH('prime256v1')
      const auth = randomBytes(16)
      const p256dh = ecdh.generateKeys('base64url')
      browsers.set(path, { ecdh, auth })
      return { endpoint: `${service.url}${path}`, keys: { p256dh, auth: auth.toString('base64url') } }
    },
    take: () => service.received.splice(0),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return service
}

/** Throws unless the sender is identified, for this service, for at most a day. */
export function requireToken(headers: IncomingHttpHeaders, origin: string, now: number): void {
  const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(String(headers.authorization)) ?? []
  assert.ok(token && key, `no token: ${headers.authorization}`)
  const point = Buffer.from(key, 'base64url')
  const part = (from: number, to: number) => point.subarray(from, to).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: part(1, 33), y: part(33, 65) }
  const [head, claims, signature] = token.split('.') as [string, string, string]
  const json = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
  assert.equal(json(head).alg, 'ES256')
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const bytes = Buffer.from(signature, 'base64url')
  const given = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  assert.ok(verify('sha256', Buffer.from(`${head}.${claims}`), given, bytes), 'the signature is right')
  const { aud, exp, sub } = json(claims)
  assert.equal(aud, origin)
  assert.ok(exp * 1000 > now && exp * 1000 <= now + 24 * 3_600_000, 'valid, for at most a day')
  assert.match(sub, /^(https:|mailto:)/)
}

const derive = (salt: Buffer, secret: Buffer, info: Buffer | string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** RFC 8291 §3.4 and RFC 8188 §2, for one record. */
export function decrypt(body: Buffer, receiver: ECDH, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  const keyLength = body[20]!
  const sender = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  assert.ok(record.length <= recordSize, 'one record')
  const shared = receiver.computeSecret(sender)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver.getPublicKey(), sender])
  const secret = derive(auth, shared, info, 32)
  const key = derive(salt, secret, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(salt, secret, 'Content-Encoding: nonce\0', 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  assert.equal(padded[end], 2, 'the last record')
  return padded.subarray(0, end)
}

/** What the primary process runs, with the clock of the test. */
export function createTestTravel(
  app: TestApp,
  count: CountNotification = () => {},
  push: Push = app.services.push,
) {
  const { store, clock, config } = app
  const log = createLogger('debug', (line) => void app.logged.push(line))
  const mailer = config.smtp && createMailer(config.smtp, log)
  const sender = createSender({ store, config, clock, log, push, mailer, count })
  const reminders = createReminders({ store, clock })
  return {
    sender,
    reminders,
    /** Finds what is due and sends it. */
    async run() {
      await reminders.look()
      await sender.sendDue()
    },
  }
}
