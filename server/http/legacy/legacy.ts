// The deprecated API that existing programs speak: `/api/flight/*` and `/api/stats`, by API key only. It owns shapes,
// codes and local times; access and behaviour are those of v1's operations.

import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import * as z from 'zod'
import { AppError, badRequest } from '../../base/errors.ts'
import { type BodySize, bodySizes } from '../../base/request/body-sizes.ts'
import type { Write } from '../../base/response/spool.ts'
import { type FlightAction, flightScope, type Scope } from '../../domain/access/access.ts'
import { namesTag } from '../../domain/flights/conditions.ts'
import { takesPlace } from '../../domain/flights/outcome.ts'
import { RowId } from '../../domain/row-id.ts'
import { type OpenCall, open, requireAccess } from '../../door/open.ts'
import type { Call, Operation } from '../../door/operation.ts'
import { cachedResponse, streamedResponse } from '../../door/responses.ts'
import type { Services } from '../../door/services.ts'
import {
  type AudienceInput,
  audienceOf,
  audienceRevision,
  requireAudience,
} from '../../operations/flights/audience.ts'
import { createFlight, deleteFlight, getFlight, listFlights } from '../../operations/flights/flights.ts'
import { showFlights } from '../../operations/flights/view.ts'
import { exportFlights } from '../../operations/sharing/export.ts'
import { getLegacyStats } from '../../operations/statistics/stats.ts'
import type { Authenticator } from '../../services/access/authenticate.ts'
import { credentialMay, type Principal, requireScope, roleMay } from '../../services/access/principal.ts'
import { listFlights as listStored, START } from '../../store/flights/flights.ts'
import { parseJson } from '../body.ts'
import { sendDocument, sendStream } from '../document.ts'
import type { LargeBodies } from '../large-bodies.ts'
import { firstOfEach, refuseOtherMethods } from '../rest.ts'
import { headersFor, sendAtOnce } from '../standard-headers.ts'
import { legacyHeaders } from './addresses.ts'
import { legacyErrorBody, parseLegacy } from './errors.ts'
import { legacyFlight } from './flight.ts'
import { saveFlight } from './save.ts'

interface Parts {
  services: Services
  authenticator: Authenticator
  largeBodies: LargeBodies
}

interface Route {
  method: HTTPMethods
  url: string
  bodySize?: BodySize | undefined
  /** Refuses callers without access before any of the body is read. */
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

export function mountLegacy(app: FastifyInstance, { services, authenticator, largeBodies }: Parts): void {
  const routes: Route[] = [
    { method: 'GET', url: '/api/flight/list', respond: list },
    { method: 'GET', url: '/api/flight/get/:id', respond: getOne },
    {
      method: 'POST',
      url: '/api/flight/save',
      bodySize: createFlight.body?.size,
      admit: requireMaySave,
      respond: save,
    },
    {
      method: 'POST',
      url: '/api/flight/delete',
      admit: (principal) => requireAccess(deleteFlight, principal),
      respond: remove,
    },
    { method: 'GET', url: '/api/flight/export', respond: exportAll },
    { method: 'GET', url: '/api/stats', respond: stats },
  ]
  for (const { method, url, bodySize = 'usual', admit, respond } of routes) {
    const bodyLimit = Math.min(bodySizes[bodySize].bytes, services.config.bodySizeLimit)
    app.route({
      method,
      url,
      bodyLimit,
      ...largeBodies(bodyLimit),
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

// Errors

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

/** Only the body says whether this is a create or an update. A caller who may do neither is refused before it is read. */
function requireMaySave(principal: Principal): void {
  const mayUpdate = credentialMay(principal, 'flight.update.own') && roleMay(principal, 'flight.update.own')
  if (!mayUpdate) requireAccess(createFlight, principal)
}

async function save({ services, principal, request, reply }: Exchange): Promise<void> {
  const bound = bodySizes[createFlight.body!.size!]
  const body = await parseJson(request.body, request.headers['content-type'], bound)
  const id = await saveFlight(services, principal, body)
  return sendJson(reply, id === undefined ? { success: true } : { success: true, id })
}

const DeleteBody = z.object({ id: RowId })

async function remove({ services, principal, request, reply }: Exchange): Promise<void> {
  const { id } = parseLegacy(DeleteBody, await parseJson(request.body, request.headers['content-type']))
  const raw = { params: { id: String(id) } }
  await (await open(deleteFlight, services, principal, raw, { isUnconditional: true })).value()
  return sendJson(reply, { success: true })
}

// Many flights

type AudienceCall = Call<Record<string, unknown> & AudienceInput>

/** A call for one user's flights or all flights. Unlike in v1, `scope=user` needs the any scope even for the caller's own
 * id, and the list of a user who does not exist is empty. */
function openFor<Op extends Operation>(
  op: Op,
  { services, principal, query }: Exchange,
  action: FlightAction,
): Promise<OpenCall<Op>> {
  const check = (call: Call) => requireLegacyAudience(call as AudienceCall, action)
  return open(op, services, principal, { query: known(op, query) }, { check })
}

/** The parameters of the old API. It ignores all others, which v1 would refuse. */
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

async function exportAll(exchange: Exchange): Promise<FastifyReply | undefined> {
  const opened = await openFor(exportFlights, exchange, 'export')
  return sendStream(await streamedResponse(opened), exchange.request, exchange.reply)
}

/** Either scope gives access to statistics, because the old documentation recommended keys that may only read flights. */
async function stats(exchange: Exchange): Promise<void> {
  const { request, reply, services } = exchange
  const reader = { ...exchange, principal: statsReader(exchange.principal) }
  const { etag, bytes } = await cachedResponse(await openFor(getLegacyStats, reader, 'read'))
  const found = { ...legacyHeaders(request.url), etag, 'cache-control': 'private, no-cache' }
  const headers = [...headersFor(services.config.origin, request.url), ...Object.entries(found).flat()]
  if (namesTag(request.headers['if-none-match'], etag)) return sendAtOnce(request, reply, 304, headers)
  const v1 = await bytes()
  const typed = [...headers, 'content-type', 'application/json']
  sendAtOnce(request, reply, 200, typed, statsStart, v1.subarray(v1Start.length))
}

/** The document has spherical distances and its old name: `{"data":…}` becomes `{"success":true,"stats":…}`. */
const v1Start = '{"data":'
const statsStart = Buffer.from('{"success":true,"stats":')

const statsScopes: readonly Scope[] = ['stats.read', 'flight.read.own']

const statsReader = (principal: Principal): Principal =>
  statsScopes.some((scope) => credentialMay(principal, scope))
    ? { ...principal, scopes: new Set([...principal.scopes, ...statsScopes]) }
    : principal

/** How many flights are serialised without a pause. */
const FLIGHTS_AT_ONCE = 50

/** Writes a consistent snapshot of all flights: clients delete flights that are missing from a list. */
async function writeList(call: AudienceCall, write: Write): Promise<void> {
  const { principal, db } = call
  const audience = audienceOf(principal, call.input)
  await write('{"success":true,"flights":[')
  let separator = ''
  for (let place = START; ; ) {
    const flights = await listStored(db, audience, place, FLIGHTS_AT_ONCE)
    const views = await showFlights(call, flights.filter(takesPlace))
    const text = JSON.stringify(views.map((view) => legacyFlight(view, principal))).slice(1, -1)
    await write(text === '' ? '' : separator + text)
    if (text !== '') separator = ','
    const last = flights.at(-1)
    if (!last || flights.length < FLIGHTS_AT_ONCE) break
    place = { date: last.date, id: last.id }
  }
  await write(']}')
}

/** The list is unpaged and polled, so it is built once per revision. */
async function list(exchange: Exchange): Promise<FastifyReply | undefined> {
  const { services, principal, request, reply } = exchange
  const call = (await openFor(listFlights, exchange, 'read')).call as AudienceCall
  const { legacyFormat, user, revisions } = principal
  const revision = `${revisions.epoch}/${await audienceRevision(call)}`
  const key = `${services.version}/legacy-list/${legacyFormat}/${user.id}/${revision}`
  const etag = `W/"${hash('sha1', key, 'base64url')}"`
  const found = { etag, 'cache-control': 'private, no-cache', vary: 'accept-encoding' }
  if (namesTag(request.headers['if-none-match'], etag)) return void reply.headers(found).code(304).send()
  const { spool, listTurns, store } = services
  const make = (write: Write) => listTurns(() => store.snapshot((db) => writeList({ ...call, db }, write)))
  const document = { open: (options?: { zipFrom?: number }) => spool.open(key, make, options) }
  const headers = { ...found, 'content-type': 'application/json' }
  return sendDocument(document, { headers, zipFrom: 0 }, request, reply)
}
