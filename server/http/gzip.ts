// Which content codings a client accepts, and how compressed JSON is sent.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { unzip } from '../base/response/gzip.ts'

const named = {
  gzip: /^\s*(?:x-)?gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/i,
  br: /^\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/i,
}

/** Whether `Accept-Encoding` names the coding with a weight above zero. */
export const accepts = (coding: keyof typeof named, header: string | string[] | undefined): boolean =>
  String(header ?? '')
    .split(',')
    .some((item) => named[coding].test(item))

export const acceptsGzip = (header: string | string[] | undefined): boolean => accepts('gzip', header)

/** Sends JSON that is stored compressed: unchanged to clients that accept gzip, decompressed to others. */
export async function sendZippedJson(
  request: FastifyRequest,
  reply: FastifyReply,
  zipped: Buffer,
): Promise<void> {
  const vary = [reply.getHeader('vary'), 'accept-encoding'].filter((name) => name !== undefined).join(', ')
  reply.headers({ 'content-type': 'application/json', vary })
  if (acceptsGzip(request.headers['accept-encoding'])) reply.header('content-encoding', 'gzip').send(zipped)
  else reply.send(await unzip(zipped))
}
