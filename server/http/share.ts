// The data of a public share, for its page, and the picture that link previews show of it. Public to everyone who knows
// the address, but not to other sites: it sends no CORS headers, reads no cookie and leaves no data in caches. Search
// engines must not index it (noindex); the data has no ETag, which would reveal that the log has changed.
import type { FastifyInstance } from 'fastify'
import { namesTag } from '../domain/conditions.ts'
import { open, type Services } from '../operation.ts'
import { readSharePage } from '../operations/share-page.ts'
import { drawShare } from '../operations/share-picture.ts'
import { sendStream } from './document.ts'
import { acceptsGzip, sendZippedJson } from './gzip.ts'
import { refuseOtherMethods, sendJson } from './rest.ts'

const dataUrl = readSharePage.path.replace('{slug}', ':slug')
const pictureUrl = drawShare.path.replace('{slug}', ':slug')

/** For the page, its data and its picture, also where there is no such share. */
export const noIndex = { 'x-robots-tag': 'noindex' }

export function mountShare(app: FastifyInstance, services: Services): void {
  app.get(dataUrl, async (request, reply) => {
    reply.headers({ ...noIndex, 'cache-control': readSharePage.cacheControl })
    const opened = await open(readSharePage, services, undefined, { params: request.params })
    const response = await opened.response()
    if (!acceptsGzip(request.headers['accept-encoding'])) return sendJson(reply, await response.bytes())
    const { zipped, plain } = await response.zippedIfLarge()
    if (zipped) await sendZippedJson(request, reply, zipped)
    else sendJson(reply, plain)
  })
  refuseOtherMethods(app, dataUrl, ['GET'])

  app.get(pictureUrl, async (request, reply) => {
    reply.headers({ ...noIndex, 'cache-control': drawShare.cacheControl })
    const opened = await open(drawShare, services, undefined, { params: request.params })
    const picture = await opened.stream()
    const { etag } = picture.headers
    return etag !== undefined && namesTag(request.headers['if-none-match'], etag)
      ? reply.code(304).header('etag', etag).send()
      : sendStream(picture, request, reply)
  })
  refuseOtherMethods(app, pictureUrl, ['GET'])
}
