// Uploaded pictures, public to everyone who knows the address. The content of a path never changes. A picture that is opened
// as a page cannot run, load or submit anything.
import type { FastifyInstance } from 'fastify'
import { notFound } from '../base/errors.ts'
import { imageTypes } from '../domain/formats/image.ts'
import type { Services } from '../door/services.ts'
import { refuseOtherMethods } from './rest.ts'

const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  // Dashboards on other origins show flights with their airlines.
  'cross-origin-resource-policy': 'cross-origin',
}

export function mountUploads(server: FastifyInstance, { uploads }: Pick<Services, 'uploads'>): void {
  server.get<{ Params: { '*': string } }>('/api/uploads/*', async (request, reply) => {
    const file = await uploads.read(request.params['*'])
    if (!file) throw notFound('File')
    return reply.headers({ ...headers, 'content-type': imageTypes[file.type] }).send(file.bytes)
  })
  refuseOtherMethods(server, '/api/uploads/*', ['GET'])
}
