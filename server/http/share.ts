// The data of a public share, for its page, and the picture that link previews show of it. Open to everyone who knows
// the address, but to no foreign page: it sends no CORS headers, reads no cookie and leaves no data in caches. Search
// engines are asked to keep out; the data has no ETag, which would tell that the log has changed.
import type { FastifyInstance } from 'fastify'
import { prepareCall, type Services } from '../operation.ts'
import { readSharePage, sharePicture } from '../operations/share-page.ts'
import { createDrawer } from '../preview/drawer.ts'
import { acceptsGzip, sendZippedJson } from './gzip.ts'
import { cachedResponse, isKnown, refuseOtherMethods, sendJson } from './rest.ts'

const dataUrl = readSharePage.path.replace('{slug}', ':slug')
const pictureUrl = '/share/:slug/preview.png'

/** For the page, its data and its picture alike, also where there is none. */
export const keepOut = { 'x-robots-tag': 'noindex' }

type Asked = { Params: { slug: string } }

export function mountShare(app: FastifyInstance, services: Services): void {
  app.get<Asked>(dataUrl, async (request, reply) => {
    reply.headers({ ...keepOut, 'cache-control': readSharePage.cacheControl })
    const call = prepareCall(readSharePage, services, undefined, { params: request.params })
    const answer = await cachedResponse(readSharePage, call)
    if (!acceptsGzip(request.headers['accept-encoding'])) return sendJson(reply, await answer.bytes())
    const { zipped, plain } = await answer.zippedIfLarge()
    if (zipped) await sendZippedJson(request, reply, zipped)
    else sendJson(reply, plain)
  })
  refuseOtherMethods(app, dataUrl, ['GET'])

  const draw = createDrawer(services.log)
  app.get<Asked>(pictureUrl, async (request, reply) => {
    // Asked for again each time: with the share its picture is gone.
    reply.headers({ ...keepOut, 'cache-control': 'no-cache' })
    const picture = await sharePicture(services, request.params.slug, draw)
    if (!picture) return reply.redirect('/preview.jpg', 302)
    const etag = `"${picture.tag}"`
    reply.headers({ etag, 'content-type': 'image/png' })
    return isKnown(request.headers['if-none-match'], etag)
      ? reply.code(304).send()
      : reply.send(picture.bytes)
  })
  refuseOtherMethods(app, pictureUrl, ['GET'])
}
