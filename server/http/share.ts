// The data of a public share, for its page, and the picture that link previews show of it. Open to everyone who knows
// the address, but to no foreign page: it sends no CORS headers, reads no cookie and leaves no data in caches.
import type { FastifyInstance } from 'fastify'
import type { Services } from '../operation.ts'
import { sharePageBytes, sharePicture } from '../operations/share-page.ts'
import { createDrawer } from '../preview/drawer.ts'
import { sendZippedJson, zip } from './gzip.ts'
import { isKnown, refuseOtherMethods } from './rest.ts'

const dataUrl = '/share/:slug/data'
const pictureUrl = '/share/:slug/preview.png'

type Asked = { Params: { slug: string } }

export function mountShare(app: FastifyInstance, services: Services): void {
  app.get<Asked>(dataUrl, async (request, reply) => {
    const zipped = await sharePageBytes(services, request.params.slug, zip)
    reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    return sendZippedJson(request, reply, zipped)
  })
  refuseOtherMethods(app, dataUrl, ['GET'])

  const draw = createDrawer(services.log)
  app.get<Asked>(pictureUrl, async (request, reply) => {
    const picture = await sharePicture(services, request.params.slug, draw)
    // Asked for again each time: with the share its picture is gone.
    reply.header('cache-control', 'no-cache')
    if (!picture) return reply.redirect('/preview.jpg', 302)
    const etag = `"${picture.tag}"`
    reply.headers({ etag, 'content-type': 'image/png' })
    return isKnown(request.headers['if-none-match'], etag)
      ? reply.code(304).send()
      : reply.send(picture.bytes)
  })
  refuseOtherMethods(app, pictureUrl, ['GET'])
}
