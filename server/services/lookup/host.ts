// One request to a provider. The operator configured its address, which may be private. No redirects, a small size limit and a
// short timeout; the key is only sent in a header.
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { connectTo, createResolve, requireAddress } from '../../base/network/outbound.ts'
import { RESPONSE_BYTES_AT_MOST } from '../../domain/entry/lookup.ts'

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

/** The operator chose the host. */
const rules = { privateAddresses: true, loopback: true }

/** GET of an address below the base. Throws HostError. */
export async function getFrom(
  address: string,
  headers: Record<string, string>,
  timeoutMs: number,
): Promise<HostResponse> {
  const url = new URL(address)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const checked = await requireAddress(url, rules, createResolve(timeoutMs))
    return await get(url, checked, headers, signal)
  } catch (error) {
    throw error instanceof HostError ? error : new HostError('no_response', error)
  }
}

function get(
  url: URL,
  address: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<HostResponse> {
  return new Promise((resolve, reject) => {
    const { get: start } = url.protocol === 'https:' ? https : http
    const options = {
      ...connectTo(address),
      signal,
      headers: { accept: 'application/json', 'user-agent': 'contrail', ...headers },
    }
    const request = start(url, options, (response) => readResponse(response).then(resolve, reject))
    request.on('error', reject)
  })
}

async function readResponse(response: IncomingMessage): Promise<HostResponse> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += (chunk as Buffer).byteLength
    if (size > RESPONSE_BYTES_AT_MOST) {
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
