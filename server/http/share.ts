// The data of a public share for its page, and its picture for link previews. Public to everyone who knows the address, but
// not to other sites: no CORS headers, no cookies, no caching of data. Search engines must not index it (noindex). The data
// has no ETag, which would reveal that the log has changed.
import type { FastifyInstance } from 'fastify'
import { namesTag } from '../domain/flights/conditions.ts'
import { open } from '../door/open.ts'
import { cachedResponse, streamedResponse } from '../door/responses.ts'
import type { Services } from '../door/services.ts'
import { readSharePage } from '../operations/sharing/page.ts'
import { drawShare } from '../operations/sharing/picture.ts'
import { sendStream } from './document.ts'
import { acceptsGzip, sendZippedJson } from './gzip.ts'
import { refuseOtherMethods, sendJson } from './rest.ts'

const dataUrl = readSharePage.path.replace('{slug}', ':slug')
const pictureUrl = drawShare.path.replace('{slug}', ':slug')

/** For the page, its data and its picture, even if the share does not exist. */
export const noIndex = { 'x-robots-tag': 'noindex' }

export function mountShare(app: FastifyInstance, services: Services): void {
  app.get(dataUrl, async (request, reply) => {
    reply.headers({ ...noIndex, 'cache-control': readSharePage.cached?.control })
    const opened = await open(readSharePage, services, undefined, { params: request.params })
    const response = await cachedResponse(opened)
    if (!acceptsGzip(request.headers['accept-encoding'])) return sendJson(reply, await response.bytes())
    const { zipped, plain } = await response.zippedIfLarge()
    if (zipped) await sendZippedJson(request, reply, zipped)
    else sendJson(reply, plain)
  })
  refuseOtherMethods(app, dataUrl, ['GET'])

  app.get(pictureUrl, async (request, reply) => {
    reply.headers({ ...noIndex, 'cache-control': drawShare.cached?.control })
    const opened = await open(drawShare, services, undefined, { params: request.params })
    const picture = await streamedResponse(opened)
    const { etag } = picture.headers
    return etag !== undefined && namesTag(request.headers['if-none-match'], etag)
      ? reply.code(304).header('etag', etag).send()
      : sendStream(picture, request, reply)
  })
  refuseOtherMethods(app, pictureUrl, ['GET'])
}
