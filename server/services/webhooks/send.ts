// Sends one signed request to a receiver (Standard Webhooks 1). A user chose the receiver's address, so: only checked addresses,
// no redirects, one time limit for everything, and only the beginning of the response is read.
import { createHmac } from 'node:crypto'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Config } from '../../base/config.ts'
import {
  connectTo,
  createResolve,
  OutboundError,
  type OutboundRules,
  type Resolve,
  requireAddress,
  rulesFor,
} from '../../base/network/outbound.ts'
import { type AttemptError, RESPONSE_BYTES_KEPT, RESPONSE_WITHIN_MS } from '../../domain/webhooks/webhooks.ts'

const RESOLVE_MS = 5_000
/** How long reading the beginning of a body may take after the status is known. */
const BODY_MS = 2_000

interface Message {
  id: string
  /** The time of sending; receivers refuse old messages. */
  at: number
  body: string
}

export interface SendResult {
  status: number | null
  ms: number
  response: string | null
  error: AttemptError | null
}

export interface Sender {
  /** Throws only if aborted, never because of the receiver. */
  send(url: string, message: Message, secrets: readonly string[], signal: AbortSignal): Promise<SendResult>
}

interface SenderParts {
  config: Pick<Config, 'host' | 'origin' | 'webhookPrivateAddresses'>
  version: string
  /** Tests use their own names and shorter limits. */
  resolve?: Resolve | undefined
  timeoutMs?: number | undefined
}

/** The addresses that webhooks may reach on this instance. */
export const webhookRules = (config: SenderParts['config']): OutboundRules =>
  rulesFor(config, config.webhookPrivateAddresses)

export function createSender({
  config,
  version,
  resolve,
  timeoutMs = RESPONSE_WITHIN_MS,
}: SenderParts): Sender {
  const rules = webhookRules(config)
  const resolveName = resolve ?? createResolve(Math.min(RESOLVE_MS, timeoutMs))
  return {
    async send(url, message, secrets, signal) {
      const started = performance.now()
      const tooLate = AbortSignal.timeout(timeoutMs)
      const failed = (error: AttemptError) => ({ status: null, response: null, error })
      const outcome = async () => {
        try {
          const target = new URL(url)
          const address = await requireAddress(target, rules, resolveName)
          const headers = headersFor(message, secrets, version)
          return await post(target, address, headers, message.body, AbortSignal.any([tooLate, signal]))
        } catch (error) {
          signal.throwIfAborted()
          return failed(tooLate.aborted ? 'timeout' : errorOf(error))
        }
      }
      return { ...(await outcome()), ms: Math.round(performance.now() - started) }
    },
  }
}

function headersFor({ id, at, body }: Message, secrets: readonly string[], version: string) {
  const timestamp = String(Math.floor(at / 1000))
  const signatures = secrets.map((secret) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`)
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': `Contrail/${version}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

const sign = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(text)
    .digest('base64')

function errorOf(error: unknown): AttemptError {
  if (error instanceof OutboundError) return error.reason
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO)/.test(code)) {
    return 'certificate_invalid'
  }
  return /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/.test(code)
    ? 'no_connection'
    : 'connection_broken'
}

function post(
  url: URL,
  address: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<Omit<SendResult, 'ms'>> {
  return new Promise((resolve, reject) => {
    let hasStatus = false
    const { request: start } = url.protocol === 'https:' ? https : http
    const request = start(url, { ...connectTo(address), method: 'POST', headers, signal }, (response) => {
      hasStatus = true
      const status = response.statusCode ?? 0
      readBeginning(response).then((text) => {
        request.destroy()
        resolve({ status, response: text, error: null })
      }, reject)
    })
    // The time limit may also end the reading of a body; by then the status is known.
    request.on('error', (error) => {
      if (!hasStatus) reject(error)
    })
    request.end(body)
  })
}

/** Only the status matters: an endless, slow or truncated body is cut without an error. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const cut = setTimeout(() => response.destroy(), BODY_MS)
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer)
      size += (chunk as Buffer).byteLength
      if (size >= RESPONSE_BYTES_KEPT) break
    }
  } catch {
    // Keeps the part that was read.
  } finally {
    clearTimeout(cut)
    response.destroy()
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_KEPT))
  // Removes a truncated character and NULs, which PostgreSQL cannot store.
  return text.replace(/\uFFFD$/, '').replaceAll('\u0000', '')
}
