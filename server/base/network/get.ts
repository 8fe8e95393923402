// One small GET of another host, for what the operator configured or turned on. No redirects, a limit of bytes and time, nothing
// about this instance in its headers.
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { connectTo, createResolve, type OutboundRules, requireAddress } from './outbound.ts'

export interface HostResponse {
  status: number
  body: string
  retryAfter: string | undefined
}

/** A problem before there was a usable response. */
export class HostError extends Error {
  readonly reason: 'no_response' | 'bad_response'
  constructor(reason: HostError['reason'], cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

export interface GetOptions {
  /** Which addresses are permitted. */
  rules: OutboundRules
  timeoutMs: number
  bytesAtMost: number
  headers?: Record<string, string>
  /** For tests with a TLS host of their own. */
  ca?: string
}

/** Throws HostError. */
export async function getFrom(address: string, options: GetOptions): Promise<HostResponse> {
  const { rules, timeoutMs } = options
  const url = new URL(address)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const checked = await requireAddress(url, rules, createResolve(timeoutMs))
    return await get(url, checked, options, signal)
  } catch (error) {
    throw error instanceof HostError ? error : new HostError('no_response', error)
  }
}

function get(
  url: URL,
  address: string,
  { headers, ca, bytesAtMost }: GetOptions,
  signal: AbortSignal,
): Promise<HostResponse> {
  return new Promise((resolve, reject) => {
    const { get: start } = url.protocol === 'https:' ? https : http
    const options = {
      ...connectTo(address),
      signal,
      headers: { accept: 'application/json', 'user-agent': 'contrail', ...headers },
      ...(ca === undefined ? {} : { ca }),
    }
    const request = start(url, options, (response) =>
      readResponse(response, bytesAtMost).then(resolve, reject),
    )
    request.on('error', reject)
  })
}

async function readResponse(response: IncomingMessage, bytesAtMost: number): Promise<HostResponse> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += (chunk as Buffer).byteLength
    if (size > bytesAtMost) {
      response.destroy()
      throw new HostError('bad_response')
    }
    chunks.push(chunk as Buffer)
  }
  return {
    status: response.statusCode ?? 0,
    body: Buffer.concat(chunks).toString(),
    retryAfter: response.headers['retry-after'],
  }
}
