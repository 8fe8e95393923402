// One POST to a checked address (outbound.ts). The receiver is not trusted: redirects are not followed, and only the beginning of
// the response is read.
import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { OutboundError } from './outbound.ts'

/** How long reading the beginning of a body may take after the status is known. */
const BODY_MS = 2_000
/** How much of a response is read. */
const RESPONSE_BYTES_READ = 1024

/** Why there was no response. */
export type PostError =
  | 'address_refused'
  | 'name_not_found'
  | 'no_connection'
  | 'certificate_invalid'
  | 'timeout'
  | 'connection_broken'

export function errorOf(error: unknown): PostError {
  if (error instanceof OutboundError) return error.reason
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO)/.test(code)) {
    return 'certificate_invalid'
  }
  return /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/.test(code)
    ? 'no_connection'
    : 'connection_broken'
}

interface PostResult {
  status: number
  /** The beginning of the body. */
  response: string
  retryAfter: string | undefined
}

type Connection = Pick<RequestOptions, 'lookup' | 'agent'>

/** `connection` has the checked address: `connectTo`, or an agent whose sockets lead to it. */
export function post(
  url: URL,
  connection: Connection,
  headers: Record<string, string>,
  body: string | Uint8Array,
  signal: AbortSignal,
): Promise<PostResult> {
  return new Promise((resolve, reject) => {
    let hasStatus = false
    const { request: start } = url.protocol === 'https:' ? https : http
    const request = start(url, { ...connection, method: 'POST', headers, signal }, (response) => {
      hasStatus = true
      const status = response.statusCode ?? 0
      const retryAfter = response.headers['retry-after']
      readBeginning(response).then((text) => {
        // A connection whose response was read to its end can be used again.
        if (!response.complete) request.destroy()
        resolve({ status, response: text, retryAfter })
      }, reject)
    })
    // The time limit may also end the reading of a body; by then the status is known.
    request.on('error', (error) => {
      if (hasStatus) return
      // The other side closed an idle connection just when it was used again.
      const wasIdle = request.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
      if (wasIdle) post(url, connection, headers, body, signal).then(resolve, reject)
      else reject(error)
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
      if (size >= RESPONSE_BYTES_READ) break
    }
  } catch {
    // Keeps the part that was read.
  } finally {
    clearTimeout(cut)
    if (!response.complete) response.destroy()
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_READ))
  // Removes a truncated character and NULs, which PostgreSQL cannot store.
  return text.replace(/\uFFFD$/, '').replaceAll('\u0000', '')
}
