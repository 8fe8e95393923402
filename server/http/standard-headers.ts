// The headers that every response has. Most responses get them just before they are sent; those of operations, which are
// most of all, take them as one finished list and are written at once.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { corsHeaders, isOpenToBrowsers, preflightHeaders } from './cors.ts'
import { REQUEST_ID } from './request-id.ts'

/** Names and values in turn, as node:http takes them. */
export type HeaderList = readonly string[]

/** No content sniffing, and data shown as a page may load, run and submit nothing. */
const always = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}
/** Browsers stay on https. */
const secure = { ...always, 'strict-transport-security': 'max-age=31536000' }

/** There are four such lists, made once; which one it is depends on the server's origin and the path. */
const listsOf = (headers: Record<string, string>): { closed: HeaderList; open: HeaderList } => ({
  closed: Object.entries(headers).flat(),
  open: Object.entries({ ...headers, ...corsHeaders }).flat(),
})
const [plainLists, secureLists] = [listsOf(always), listsOf(secure)]

/** Those of every response below an address, but for the request's id. */
export function headersFor(origin: string, url: string): HeaderList {
  const { closed, open } = origin.startsWith('https:') ? secureLists : plainLists
  return isOpenToBrowsers(url) ? open : closed
}

/** What a response says itself stays. */
export function addStandardHeaders(request: FastifyRequest, reply: FastifyReply, origin: string): void {
  reply.header(REQUEST_ID, request.id)
  const list = headersFor(origin, request.url)
  for (let i = 0; i < list.length; i += 2) {
    if (!reply.hasHeader(list[i]!)) reply.header(list[i]!, list[i + 1])
  }
}

export function mountStandardHeaders(server: FastifyInstance, origin: string): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS' || !isOpenToBrowsers(request.url)) return done()
    reply.headers(preflightHeaders).code(204).send()
  })
  server.addHook('onSend', (request, reply, _payload, done) => {
    addStandardHeaders(request, reply, origin)
    done()
  })
}

/** Sends a whole response in one write, past the hooks before sending; those after it run. */
export function sendAtOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  headers: HeaderList,
  ...body: (string | Buffer)[]
): void {
  const list = [REQUEST_ID, request.id, ...headers]
  const cookies = reply.getHeader('set-cookie')
  for (const cookie of cookies === undefined ? [] : [cookies].flat()) list.push('set-cookie', String(cookie))
  if (body.length > 0) list.push('content-length', String(bytesOf(body)))
  const { raw } = reply
  raw.writeHead(status, list)
  // From here on the framework sends nothing. Had the headers been refused, it would send the error.
  reply.hijack()
  // A single piece that is text leaves with the headers.
  for (let i = 0; i < body.length - 1; i++) raw.write(body[i]!)
  raw.end(body.at(-1))
}

const bytesOf = (pieces: readonly (string | Buffer)[]): number =>
  pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
