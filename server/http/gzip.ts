// Large answers go out compressed: a log of ten thousand flights is six megabytes plain and half a megabyte zipped.
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Below this, compressing costs more than it saves. */
export const ZIP_FROM_BYTES = 64 * 1024

export const zip = promisify(gzip) as (bytes: Buffer) => Promise<Buffer>
const unzip = promisify(gunzip) as (bytes: Buffer) => Promise<Buffer>

const named = {
  gzip: /^\s*(?:x-)?gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/i,
  br: /^\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/i,
}

/** Whether `Accept-Encoding` names the coding, and not with a weight of zero. */
export const accepts = (coding: keyof typeof named, header: string | string[] | undefined): boolean =>
  String(header ?? '')
    .split(',')
    .some((item) => named[coding].test(item))

export const acceptsGzip = (header: string | string[] | undefined): boolean => accepts('gzip', header)

/** Sends JSON that lies there zipped: as it is to whoever takes it, plain to the others. */
export async function sendZippedJson(
  request: FastifyRequest,
  reply: FastifyReply,
  zipped: Buffer,
): Promise<void> {
  reply.headers({ 'content-type': 'application/json', vary: 'accept-encoding' })
  if (acceptsGzip(request.headers['accept-encoding'])) reply.header('content-encoding', 'gzip').send(zipped)
  else reply.send(await unzip(zipped))
}
