// The headers that every response has. Most responses get them just before they are sent; those of operations, which are
// most of all, take them as one finished list and are written at once.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { corsHeaders, isOpenToBrowsers, preflightHeaders } from './cors.ts'
import { REQUEST_ID } from './request-id.ts'

/** Names and values in turn, as node:http takes them. */
export type HeaderList = readonly string[]

/** No content sniffing, data shown as a page may load, run and submit nothing, and browsers stay on https. */
const headersOfAll = (origin: string): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  ...(origin.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
})

/** Those of every response below an address, but for the request's id. */
export const standardHeaders = (origin: string, url: string): HeaderList =>
  Object.entries({ ...headersOfAll(origin), ...(isOpenToBrowsers(url) ? corsHeaders : {}) }).flat()

/** What a response says itself stays. */
export function addStandardHeaders(request: FastifyRequest, reply: FastifyReply, origin: string): void {
  reply.header(REQUEST_ID, request.id)
  const all = { ...headersOfAll(origin), ...(isOpenToBrowsers(request.url) ? corsHeaders : {}) }
  for (const [name, value] of Object.entries(all)) if (!reply.hasHeader(name)) reply.header(name, value)
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
