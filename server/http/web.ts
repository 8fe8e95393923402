// Serves the built web app: its files from memory, one page for every address of the app, and the page of a share with the
// metadata for link previews. `web/` decides what is built.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { AppError, Unavailable } from '../base/errors.ts'
import { namesTag } from '../domain/flights/conditions.ts'
import { open } from '../door/open.ts'
import type { Services } from '../door/services.ts'
import { describeShare } from '../operations/sharing/page.ts'
import { type Html, html } from '../pages/html.ts'
import { languageOf } from '../pages/language.ts'
import { sendErrorPage, sendPage } from '../pages/layout.ts'
import { accepts } from './gzip.ts'
import { sendFailurePage } from './pages.ts'
import { errorTexts } from './pages-texts.ts'
import { refuseOtherMethods } from './rest.ts'
import { noIndex } from './share.ts'

export const builtFolder = join(import.meta.dirname, '../../web/dist')

export const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.yaml': 'application/yaml; charset=utf-8',
}

/** Pages load only from this origin and have no inline scripts or styles. */
const rulesFor = (scripts: string): string =>
  [
    "default-src 'self'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')

export const pageHeaders = {
  'content-security-policy': rulesFor("'self'"),
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** Only the app itself may use the camera, to read boarding passes. */
const appHeaders = {
  ...pageHeaders,
  'permissions-policy': pageHeaders['permissions-policy'].replace('camera=()', 'camera=(self)'),
}

/** A worker has the policy of its own file. Only the one that reads bar codes may compile WebAssembly; no page may. */
const workerHeaders = {
  ...pageHeaders,
  'content-security-policy': rulesFor("'self' 'wasm-unsafe-eval'"),
}

function headersOf(name: string): Record<string, string> {
  if (name === 'index.html') return appHeaders
  return /^assets\/codes-worker-[\w-]+\.js$/.test(name) ? workerHeaders : pageHeaders
}

/** Addresses for programs: unknown ones return 404, even to a browser. */
const programs = /^\/(?:api|app|oauth|assets|fonts|share|feeds|\.well-known)(?:\/|$)/

type Coding = 'br' | 'gzip'

interface WebFile {
  type: string
  headers: Record<string, string>
  etag: string
  cacheControl: string
  plain: Buffer
  packed: Partial<Record<Coding, Buffer>>
}
export type WebFiles = ReadonlyMap<string, WebFile>

export function mountWeb(server: FastifyInstance, services: Services, files: WebFiles): void {
  const [index, share] = [files.get('/index.html'), files.get('/share.html')]
  if (!index || !share) {
    services.log.warn('the web app is not built; run "npm run build" and restart')
    mountUnbuilt(server)
    return
  }
  mountShareTo(server, services, share.plain.toString())
  server.get('/*', (request, reply) => {
    const path = pathOf(request)
    const file = path === '/share.html' ? undefined : files.get(path)
    if (file) return sendFile(file, request, reply)
    if (!isPage(path, request)) return reply.callNotFound()
    return sendFile(index, request, reply)
  })
}

function mountUnbuilt(server: FastifyInstance): void {
  server.get('/*', (request, reply) => {
    if (!isPage(pathOf(request), request)) return reply.callNotFound()
    return sendPage(reply, 503, {
      title: 'Not built yet',
      body: html`<h1>The web app is not built yet</h1>
<p class="lead">Run <code>npm run build</code> where Contrail is installed, then start it again. The API works without it.</p>`,
    })
  })
}

export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!

/**
 * Recognises the address of a missing file: the last segment has an extension or begins with a dot, perhaps as %2E. No page
 * of the app has a dot in its address.
 */
const namesFile = /\.[^./]*$|(?:^|\/)\.|%2e/i

/** A navigating browser accepts HTML; one that loads a script, or a program, does not. `/` is always a page. */
const isPage = (path: string, request: FastifyRequest): boolean =>
  path === '/' ||
  (!programs.test(path) && !namesFile.test(path) && /\btext\/html\b/.test(request.headers.accept ?? ''))

export function sendFile(file: WebFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({
    ...file.headers,
    etag: file.etag,
    'cache-control': file.cacheControl,
    vary: 'accept-encoding',
  })
  if (namesTag(request.headers['if-none-match'], file.etag)) return reply.code(304).send()
  reply.header('content-type', file.type)
  for (const coding of ['br', 'gzip'] as const) {
    const packed = file.packed[coding]
    if (packed && accepts(coding, request.headers['accept-encoding'])) {
      return reply.header('content-encoding', coding).send(packed)
    }
  }
  return reply.send(file.plain)
}

export const tagOf = (bytes: Buffer): string => `W/"${createHash('sha1').update(bytes).digest('base64url')}"`

/** The files of the app by path, already compressed; empty if it was not built. Those of the documentation are not kept. */
export function readWebFiles(folder = builtFolder): WebFiles {
  let names: string[]
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    return new Map()
  }
  const known = new Set(names)
  const read = (name: string) => (known.has(name) ? readFileSync(join(folder, name)) : undefined)
  const files = new Map<string, WebFile>()
  for (const name of names) {
    const type = contentTypes[extname(name)]
    const path = name.replaceAll('\\', '/')
    if (!type || path.startsWith('docs/')) continue
    const plain = readFileSync(join(folder, name))
    const [br, gzip] = [read(`${name}.br`), read(`${name}.gz`)]
    files.set(`/${path}`, {
      type,
      headers: headersOf(path),
      etag: tagOf(plain),
      cacheControl: cacheControlOf(name),
      plain,
      packed: { ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) },
    })
  }
  return files
}

/** Files with a hash in their name never change; files that refer to other files are revalidated each time. */
function cacheControlOf(name: string): string {
  if (name.startsWith('assets')) return 'public, max-age=31536000, immutable'
  if (/^(?:index\.html|sw\.js|sign-in\.js|manifest\.webmanifest)$/.test(name)) return 'no-cache'
  return `public, max-age=${name.startsWith('fonts') ? 2_592_000 : 3600}`
}

const HEAD_MARK = '<!-- share-head -->'

function mountShareTo(server: FastifyInstance, services: Services, template: string): void {
  const [before, after] = template.split(HEAD_MARK)
  if (after === undefined) throw new Error(`share.html has no ${HEAD_MARK}`)
  server.get(shareUrl, async (request, reply) => {
    reply.headers(noIndex)
    let share: DescribedShare
    try {
      const opened = await open(describeShare, services, undefined, { params: request.params })
      share = (await opened.value()).data
    } catch (error) {
      if (error instanceof Unavailable) return sendFailurePage(services, error, request, reply)
      if (!(error instanceof AppError && error.code === 'not_found')) throw error
      const language = languageOf(request)
      const { nothingShared: title, nothingSharedText: message } = errorTexts[language]
      return sendErrorPage(reply, 404, { title, message, language })
    }
    return reply
      .headers({
        ...pageHeaders,
        'content-type': contentTypes['.html'],
        'cache-control': describeShare.cached?.control,
      })
      .send(before + shareHead(services.config.origin, share).text + after)
  })
  refuseOtherMethods(server, shareUrl, ['GET'])
}

const shareUrl = describeShare.path.replace('{slug}', ':slug')
type DescribedShare = z.output<typeof describeShare.output>['data']

/** Metadata for link previews: whose flights, and which parts are shown. */
function shareHead(origin: string, share: DescribedShare): Html {
  const parts = [
    share.showMap && 'map',
    share.showStats && 'statistics',
    share.showFlightList && (share.subject?.kind === 'flight' ? 'details' : 'list of flights'),
  ].filter((part) => part !== false)
  const title = shareTitle(share)
  const listed = new Intl.ListFormat('en').format(parts)
  const description = listed ? `${capitalised(listed)}, shared with Contrail.` : 'Shared with Contrail.'
  return html`<meta name="robots" content="noindex" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="Contrail" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${origin}/share/${share.slug}" />
    <meta property="og:image" content="${origin}${share.showMap ? html`/share/${share.slug}/preview.png` : '/preview.jpg'}" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta name="twitter:card" content="summary_large_image" />`
}

function shareTitle({ subject, displayName }: DescribedShare): string {
  if (subject?.kind === 'trip') return `${subject.name}, a trip of ${displayName}`
  return subject ? `A flight of ${displayName}` : `Flights of ${displayName}`
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
