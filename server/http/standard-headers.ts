// The headers of every response. Responses of operations, the most frequent ones, take them as a finished list and are written
// in one go; the others get them just before they are sent.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { corsHeaders, isOpenToBrowsers, preflightHeaders } from './cors.ts'
import { REQUEST_ID } from './request-id.ts'

/** Alternating names and values, as node:http accepts them. */
export type HeaderList = readonly string[]

/** No content sniffing; data that is opened as a page cannot load, run or submit anything. */
const always = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}
/** Keeps browsers on https. */
const secure = { ...always, 'strict-transport-security': 'max-age=31536000' }

/** There are four such lists, made once; the server's origin and the path decide which one applies. */
const listsOf = (headers: Record<string, string>): { closed: HeaderList; open: HeaderList } => ({
  closed: Object.entries(headers).flat(),
  open: Object.entries({ ...headers, ...corsHeaders }).flat(),
})
const [plainLists, secureLists] = [listsOf(always), listsOf(secure)]

/** The headers of every response below an address, except the request's id. */
export function headersFor(origin: string, url: string): HeaderList {
  const { closed, open } = origin.startsWith('https:') ? secureLists : plainLists
  return isOpenToBrowsers(url) ? open : closed
}

/** Keeps headers that the response already has. */
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

/** Sends a whole response in one write. Skips the hooks before sending; those after it run. */
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
  // From here on the framework sends nothing. Until here it would have sent an error for invalid headers.
  reply.hijack()
  // Node sends a single piece of text together with the headers.
  for (let i = 0; i < body.length - 1; i++) raw.write(body[i]!)
  raw.end(body.at(-1))
}

const bytesOf = (pieces: readonly (string | Buffer)[]): number =>
  pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
