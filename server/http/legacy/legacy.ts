// The deprecated API that existing programs speak: `/api/flight/*` and `/api/stats`, by API key only. It owns shapes,
// codes and local times; access and behaviour are those of v1's operations.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import * as z from 'zod'
import type { Authenticator } from '../../auth/authenticate.ts'
import { credentialMay, type Principal, requireScope, roleMay } from '../../auth/principal.ts'
import { AppError, badRequest } from '../../base/errors.ts'
import type { ResponseCache } from '../../base/response-cache.ts'
import { type FlightAction, flightScope, type Scope } from '../../domain/access.ts'
import { namesTag } from '../../domain/conditions.ts'
import { takesPlace } from '../../domain/outcome.ts'
import {
  type Call,
  type OpenCall,
  type Operation,
  open,
  requireAccess,
  type Services,
} from '../../operation.ts'
import {
  type AudienceInput,
  audienceOf,
  audienceRevision,
  requireAudience,
} from '../../operations/audience.ts'
import { exportFlights } from '../../operations/export.ts'
import { showFlights } from '../../operations/flight-view.ts'
import { createFlight, deleteFlight, getFlight, listFlights } from '../../operations/flights.ts'
import { getLegacyStats } from '../../operations/stats.ts'
import { findFlights, listFlightIds } from '../../store/flights.ts'
import { parseJson } from '../body.ts'
import { pathOf } from '../cors.ts'
import { acceptsGzip } from '../gzip.ts'
import { firstOfEach, refuseOtherMethods, sendStream } from '../rest.ts'
import { legacyErrorBody, parseLegacy } from './errors.ts'
import { legacyFlight } from './flight.ts'
import { saveFlight } from './save.ts'

interface Parts {
  services: Services
  authenticator: Authenticator
}

interface Route {
  method: HTTPMethods
  url: string
  /** Refuses callers without any access here before a byte of the body is read. */
  admit?(principal: Principal): void
  respond(exchange: Exchange): Promise<unknown>
}

interface Exchange {
  services: Services
  principal: Principal
  request: FastifyRequest
  reply: FastifyReply
  query: Record<string, string>
}

export function mountLegacy(app: FastifyInstance, { services, authenticator }: Parts): void {
  const list = createList(services.cache)
  const routes: Route[] = [
    { method: 'GET', url: '/api/flight/list', respond: list },
    { method: 'GET', url: '/api/flight/get/:id', respond: getOne },
    { method: 'POST', url: '/api/flight/save', admit: requireMaySave, respond: save },
    {
      method: 'POST',
      url: '/api/flight/delete',
      admit: (principal) => requireAccess(deleteFlight, principal),
      respond: remove,
    },
    { method: 'GET', url: '/api/flight/export', respond: exportAll },
    { method: 'GET', url: '/api/stats', respond: stats },
  ]
  for (const { method, url, admit, respond } of routes) {
    app.route({
      method,
      url,
      bodyLimit: services.config.bodySizeLimit,
      async onRequest(request, reply) {
        reply.headers(legacyHeaders(request.url))
        request.principal = await authenticator.bearer(request.headers.authorization, 'legacy')
        if (!request.principal) throw new AppError('unauthorized', 'unauthorized')
        admit?.(request.principal)
      },
      handler: (request, reply) => {
        const query = firstOfEach(request.query as Record<string, string | string[]>)
        return respond({ services, principal: request.principal!, request, reply, query })
      },
    })
    refuseOtherMethods(app, url, [String(method)])
  }
  app.get('/api/ping', (_request, reply) => reply.type('text/plain; charset=utf-8').send('pong'))
  refuseOtherMethods(app, '/api/ping', ['GET'])
}

// What every response has, errors included

const legacyPath = /^\/api\/(?:flight(?:\/|$)|stats\/?$)/

export const isLegacyPath = (url: string): boolean => legacyPath.test(pathOf(url))

/** RFC 9745 and RFC 8594. */
const deprecated = {
  deprecation: `@${Date.parse('2026-07-01T00:00:00Z') / 1000}`,
  sunset: new Date('2027-12-31T23:59:59Z').toUTCString(),
}

const legacyHeaders = (url: string) => ({
  ...deprecated,
  link: `<${successorOf(pathOf(url))}>; rel="successor-version"`,
  'cache-control': 'private, no-store',
})

function successorOf(path: string): string {
  const [, , noun, action, id] = path.split('/')
  if (noun === 'stats') return '/api/v1/stats'
  if (action === 'export') return '/api/v1/flights/export'
  return action === 'get' && id && /^\d+$/.test(id) ? `/api/v1/flights/${id}` : '/api/v1/flights'
}

export function sendLegacyError(error: AppError, request: FastifyRequest, reply: FastifyReply): void {
  if (error.code === 'unauthorized') reply.header('www-authenticate', 'Bearer realm="contrail"')
  sendJson(
    reply.code(error.status).headers({ ...error.headers, ...legacyHeaders(request.url) }),
    legacyErrorBody(error),
  )
}

const sendJson = (reply: FastifyReply, body: object): void =>
  void reply.header('content-type', 'application/json').send(Buffer.from(JSON.stringify(body)))

// One flight

async function getOne({ services, principal, request, reply }: Exchange): Promise<void> {
  requireAccess(getFlight, principal)
  const { id } = request.params as { id: string }
  if (!/^[1-9]\d*$/.test(id)) throw badRequest('flight_id_not_a_number')
  const { data } = await (await open(getFlight, services, principal, { params: { id } })).value()
  return sendJson(reply, { success: true, flight: legacyFlight(data, principal) })
}

/** The body says whether it is a create or an update; a caller who may do neither is refused before it is read. */
function requireMaySave(principal: Principal): void {
  const mayUpdate = credentialMay(principal, 'flight.update.own') && roleMay(principal, 'flight.update.own')
  if (!mayUpdate) requireAccess(createFlight, principal)
}

async function save({ services, principal, request, reply }: Exchange): Promise<void> {
  const body = parseJson(request.body, request.headers['content-type'])
  const id = await saveFlight(services, principal, body)
  return sendJson(reply, id === undefined ? { success: true } : { success: true, id })
}

const DeleteBody = z.object({ id: z.int().positive() })

async function remove({ services, principal, request, reply }: Exchange): Promise<void> {
  const { id } = parseLegacy(DeleteBody, parseJson(request.body, request.headers['content-type']))
  const raw = { params: { id: String(id) } }
  await (await open(deleteFlight, services, principal, raw, { isUnconditional: true })).value()
  return sendJson(reply, { success: true })
}

// Many flights

type AudienceCall = Call<Record<string, unknown> & AudienceInput>

/** A call about one user's or all flights. Unlike in v1, `scope=user` needs the any scope even for the caller's own id,
 * and the list of a user who does not exist is empty. */
function openFor<Op extends Operation>(
  op: Op,
  { services, principal, query }: Exchange,
  action: FlightAction,
): Promise<OpenCall<Op>> {
  const check = (call: Call) => requireLegacyAudience(call as AudienceCall, action)
  return open(op, services, principal, { query: known(op, query) }, { check })
}

/** What the old API takes. It ignores everything else, and v1 refuses what it does not know. */
const known = (op: Operation, query: Exchange['query']) =>
  Object.fromEntries(
    ['scope', 'userId', 'format']
      .filter((name) => query[name] !== undefined && name in op.query.shape)
      .map((name) => [name, query[name]]),
  )

function requireLegacyAudience({ principal, input }: AudienceCall, action: FlightAction): void {
  audienceOf(principal, input)
  if (input.scope !== 'mine') requireScope(principal, flightScope(action, 'any'))
  requireAudience(principal, input, action)
}

async function exportAll(exchange: Exchange): Promise<FastifyReply> {
  const opened = await openFor(exportFlights, exchange, 'export')
  return sendStream(await opened.stream(), exchange.reply)
}

/** The old documentation recommended keys that may only read flights: either scope gives access to statistics. */
async function stats(exchange: Exchange): Promise<void> {
  const { request, reply } = exchange
  const reader = { ...exchange, principal: statsReader(exchange.principal) }
  const { etag, bytes } = await (await openFor(getLegacyStats, reader, 'read')).response()
  const found = { etag, 'cache-control': 'private, no-cache' }
  if (namesTag(request.headers['if-none-match'], etag)) return void reply.headers(found).code(304).send()
  const v1 = await bytes()
  const body = Buffer.concat([statsStart, v1.subarray(v1Start.length)])
  reply.headers({ ...found, 'content-type': 'application/json' }).send(body)
}

/** The same document, with distances on the sphere, under its old name: `{"data":…}` becomes `{"success":true,"stats":…}`, byte for byte. */
const v1Start = '{"data":'
const statsStart = Buffer.from('{"success":true,"stats":')

const statsScopes: readonly Scope[] = ['stats.read', 'flight.read.own']

const statsReader = (principal: Principal): Principal =>
  statsScopes.some((scope) => credentialMay(principal, scope))
    ? { ...principal, scopes: new Set([...principal.scopes, ...statsScopes]) }
    : principal

const FLIGHTS_AT_ONCE = 256
const PIECE_BYTES = 512 * 1024

/**
 * Which flights there are is read in one statement, and their contents after it: a flight that exists while the list
 * is made is in it exactly once, whatever is edited meanwhile. Readers delete what a list lacks.
 */
async function* listText(call: AudienceCall): AsyncIterable<string> {
  const { principal, db } = call
  const audience = audienceOf(principal, call.input)
  const ids = await listFlightIds(db, audience)
  yield '{"success":true,"flights":['
  let separator = ''
  for (let start = 0; start < ids.length; start += FLIGHTS_AT_ONCE) {
    const flights = await findFlights(db, ids.slice(start, start + FLIGHTS_AT_ONCE))
    const views = await showFlights(
      call,
      flights.filter(
        (flight) =>
          takesPlace(flight) && (audience === null || flight.passengers.some((on) => on.userId === audience)),
      ),
    )
    if (views.length === 0) continue
    const text = JSON.stringify(views.map((view) => legacyFlight(view, principal)))
    yield separator + text.slice(1, -1)
    separator = ','
  }
  yield ']}'
}

/**
 * The list is unpaged and polled. It is made once per revision, kept compressed (a twelfth of its size) and complete
 * before its first byte is sent; clients that accept gzip get the stored bytes.
 */
function createList(cache: ResponseCache): Route['respond'] {
  const underWay = new Map<string, Promise<Buffer>>()

  const zipped = (key: string, call: AudienceCall): Promise<Buffer> => {
    let making = underWay.get(key)
    if (!making) {
      making = gzip(listText(call))
        .then((bytes) => {
          cache.set(key, bytes)
          return bytes
        })
        .finally(() => underWay.delete(key))
      underWay.set(key, making)
    }
    return making
  }

  return async (exchange) => {
    const { services, principal, request, reply } = exchange
    const call = (await openFor(listFlights, exchange, 'read')).call as AudienceCall
    const revision = await audienceRevision(call)
    const key = `${services.version}/legacy-list/${principal.legacyFormat}/${principal.user.id}/${revision}`
    const etag = `W/"${createHash('sha1').update(key).digest('base64url')}"`
    const found = { etag, 'cache-control': 'private, no-cache', vary: 'accept-encoding' }
    if (namesTag(request.headers['if-none-match'], etag)) return void reply.headers(found).code(304).send()
    const bytes = cache.get(key) ?? (await zipped(key, call))
    reply.headers({ ...found, 'content-type': 'application/json' })
    if (acceptsGzip(request.headers['accept-encoding'])) {
      return void reply.header('content-encoding', 'gzip').send(bytes)
    }
    return reply.send(Readable.from([bytes]).pipe(createGunzip({ chunkSize: PIECE_BYTES })))
  }
}

async function gzip(text: AsyncIterable<string>): Promise<Buffer> {
  const pieces: Buffer[] = []
  await pipeline(
    Readable.from(text),
    createGzip({ level: 1, chunkSize: PIECE_BYTES }),
    async (zipped: AsyncIterable<Buffer>) => {
      for await (const piece of zipped) pieces.push(piece)
    },
  )
  return Buffer.concat(pieces)
}
