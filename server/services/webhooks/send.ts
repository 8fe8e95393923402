// Sends one signed request to a receiver (Standard Webhooks 1). A user chose the receiver's address, so: only checked addresses,
// no redirects, one time limit for everything, and only the beginning of the response is read.
import { createHmac } from 'node:crypto'
import type { Config } from '../../base/config.ts'
import {
  connectTo,
  createResolve,
  type OutboundRules,
  type Resolve,
  requireAddress,
  rulesFor,
} from '../../base/network/outbound.ts'
import { errorOf, post } from '../../base/network/post.ts'
import { type AttemptError, RESPONSE_WITHIN_MS } from '../../domain/webhooks/webhooks.ts'

const RESOLVE_MS = 5_000

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
          const either = AbortSignal.any([tooLate, signal])
          const { status, response } = await post(target, connectTo(address), headers, message.body, either)
          return { status, response, error: null }
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
