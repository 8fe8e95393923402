// Sends documents that may be long and may still be in progress. In that case the length is unknown, and a failure closes
// the connection before the end of the response.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Unavailable } from '../base/errors.ts'
import type { SpooledDocument } from '../base/response/spool.ts'
import { namesTag } from '../domain/flights/conditions.ts'
import type { LongDocument, StreamedResponse } from '../door/operation.ts'
import { acceptsGzip } from './gzip.ts'

interface Form {
  headers: Record<string, string>
  /** The size in bytes from which it is compressed, for clients that accept gzip. */
  zipFrom?: number
  /** The tag of the plain form. The compressed form gets it as a weak tag: a strong one would promise equal bytes. */
  etag?: string
}

/** Resolves to the reply if it is a stream, which Fastify must wait for. */
export async function sendDocument(
  document: LongDocument,
  { headers, zipFrom, etag }: Form,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const isZippable = zipFrom !== undefined && acceptsGzip(request.headers['accept-encoding'])
  // Opened before the headers are set: a failure here becomes an error response without them.
  const spooled = await document.open(isZippable ? { zipFrom } : {})
  const bytes = await lengthFor(request, spooled)
  const { body, isZipped } = spooled
  reply.headers(headers)
  if (etag !== undefined) reply.header('etag', isZipped ? `W/${etag}` : etag)
  if (isZipped) reply.headers({ 'content-encoding': 'gzip', vary: varyingBy(reply, 'accept-encoding') })
  if (body instanceof Uint8Array) return void reply.send(body)
  if (bytes !== undefined) reply.header('content-length', bytes)
  if (request.method !== 'HEAD') return reply.send(body)
  // Otherwise the framework would read it to the end.
  body.destroy()
  return reply.send(Readable.from([]))
}

function varyingBy(reply: FastifyReply, name: string): string {
  const named = String(reply.getHeader('vary') ?? '')
  if (named === '' || named === name) return name
  return `${named}, ${name}`
}

/** HTTP/1.0 has no chunks: without a length, a truncated document looks complete. */
async function lengthFor(
  { method, raw }: FastifyRequest,
  { body, bytes, length }: SpooledDocument,
): Promise<number | undefined> {
  const isHead = method === 'HEAD'
  if (!isHead && raw.httpVersion !== '1.0') return bytes
  try {
    const known = await length()
    if (known === undefined && !isHead) throw new Unavailable('files_unreadable')
    return known
  } catch (error) {
    if (body instanceof Readable) body.destroy()
    throw error
  }
}

/** Sends a long JSON document with its ETag. */
export async function sendTagged(
  document: LongDocument & { etag: string },
  zipFrom: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { etag } = document
  if (namesTag(request.headers['if-none-match'], etag))
    return void reply.header('etag', etag).code(304).send()
  return sendDocument(
    document,
    { headers: { 'content-type': 'application/json' }, zipFrom, etag },
    request,
    reply,
  )
}

export async function sendStream(
  { status = 200, headers, body }: StreamedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if ('open' in body) return sendDocument(body, { headers }, request, reply)
  const isReady = body instanceof Readable || body instanceof Uint8Array
  return reply
    .code(status)
    .headers(headers)
    .send(isReady ? body : Readable.from(body))
}
