// Serves the documentation of the running version, which tools/docs.ts builds: public, but not for search engines, which have
// the public site. Its files are read from disk for each request, because few people open them.
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { languageOf } from '../pages/language.ts'
import { sendErrorPage } from '../pages/layout.ts'
import { errorTexts } from './pages-texts.ts'
import { refuseOtherMethods } from './rest.ts'
import { noIndex } from './share.ts'
import { builtFolder, contentTypes, pageHeaders, pathOf, sendFile, tagOf } from './web.ts'

const ROOT = '/docs/'

/** No segment begins with a dot, and nothing is encoded: no path leaves the folder. */
const safePath = /^(?:[\w-]+\/)*(?:[\w-]+(?:\.[\w-]+)*)?$/

export function mountDocs(server: FastifyInstance, folder = join(builtFolder, 'docs')): void {
  server.get(`${ROOT}*`, (request, reply) => sendPage(folder, request, reply))
  // The router does not tell `/docs` from `/docs/`.
  server.get('/docs', (request, reply) =>
    pathOf(request) === ROOT ? sendPage(folder, request, reply) : redirect(reply, ROOT),
  )
  server.get('/api/docs', (_request, reply) => redirect(reply, `${ROOT}api/`))
  for (const url of ['/docs', `${ROOT}*`, '/api/docs']) refuseOtherMethods(server, url, ['GET'])
}

const redirect = (reply: FastifyReply, to: string) =>
  reply.headers({ ...noIndex, 'cache-control': 'no-cache' }).redirect(to, 302)

async function sendPage(folder: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = pathOf(request).slice(ROOT.length)
  if (!safePath.test(path)) return sendMissing(request, reply)
  const name = nameOf(path)
  const type = contentTypes[extname(name)]
  const plain = type === undefined ? undefined : await readIfPresent(join(folder, name))
  if (type === undefined || plain === undefined) {
    const isFolder = await isPresent(join(folder, path, 'index.html'))
    return isFolder ? redirect(reply, `${ROOT}${path}/`) : sendMissing(request, reply)
  }
  const gzip = await readIfPresent(join(folder, `${name}.gz`))
  const file = {
    type,
    headers: { ...pageHeaders, ...noIndex },
    etag: tagOf(plain),
    cacheControl: /\.(?:woff2|png|webp|jpg)$/.test(name) ? 'public, max-age=86400' : 'no-cache',
    plain,
    packed: gzip ? { gzip } : {},
  }
  return sendFile(file, request, reply)
}

function nameOf(path: string): string {
  if (path === '' || path.endsWith('/')) return `${path}index.html`
  return extname(path) === '' ? `${path}.html` : path
}

const readIfPresent = (file: string) => readFile(file).catch(() => undefined)
const isPresent = (file: string) =>
  stat(file).then(
    (found) => found.isFile(),
    () => false,
  )

function sendMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers(noIndex)
  if (!/\btext\/html\b/.test(request.headers.accept ?? ''))
    return reply.callNotFound() as unknown as FastifyReply
  const language = languageOf(request)
  const { didNotWork: title, reasons } = errorTexts[language]
  return sendErrorPage(reply, 404, { title, message: reasons[404], language })
}
