// The data of a public share, for its page. Open to everyone who knows the address, but to no foreign page: it sends
// no CORS headers, reads no cookie and leaves nothing in caches.
import type { FastifyInstance } from 'fastify'
import type { Services } from '../operation.ts'
import { sharePageBytes } from '../operations/share-page.ts'
import { sendZippedJson, zip } from './gzip.ts'
import { refuseOtherMethods } from './rest.ts'

const url = '/share/:slug/data'

export function mountShare(app: FastifyInstance, services: Services): void {
  app.get<{ Params: { slug: string } }>(url, async (request, reply) => {
    const zipped = await sharePageBytes(services, request.params.slug, zip)
    reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    return sendZippedJson(request, reply, zipped)
  })
  refuseOtherMethods(app, url, ['GET'])
}
