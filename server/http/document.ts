// Sends documents that may be long, and of which the last byte may not be made yet: then the length is unknown, and a
// failure closes the connection before the end of the response.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Unavailable } from '../base/errors.ts'
import type { SpooledDocument } from '../base/spool.ts'
import { namesTag } from '../domain/conditions.ts'
import type { LongDocument, StreamedResponse } from '../operation.ts'
import { acceptsGzip } from './gzip.ts'

interface Form {
  headers: Record<string, string>
  /** Zipped for clients that accept it, if it has so many bytes. */
  zipFrom?: number
  /** Of the plain form. The zipped one has the same content in other bytes, which a strong tag would promise to be equal. */
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
  // The headers follow: if it fails now, the response is an error without them.
  const spooled = await document.open(isZippable ? { zipFrom } : {})
  const bytes = await lengthFor(request, spooled)
  const { body, isZipped } = spooled
  reply.headers(headers)
  if (etag !== undefined) reply.header('etag', isZipped ? `W/${etag}` : etag)
  if (isZipped) reply.headers({ 'content-encoding': 'gzip', vary: varyingBy(reply, 'accept-encoding') })
  if (body instanceof Uint8Array) return void reply.send(body)
  if (bytes !== undefined) reply.header('content-length', bytes)
  if (request.method !== 'HEAD') return reply.send(body)
  // The framework would read it to its end.
  body.destroy()
  return reply.send(Readable.from([]))
}

function varyingBy(reply: FastifyReply, name: string): string {
  const named = String(reply.getHeader('vary') ?? '')
  if (named === '' || named === name) return name
  return `${named}, ${name}`
}

/** HTTP/1.0 has no chunks: without a length, a document that breaks off looks whole. */
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

/** A long JSON document under its tag. */
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
