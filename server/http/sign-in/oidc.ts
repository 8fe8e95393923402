// The trip to the identity provider and back: /sign-in/oidc redirects there, /sign-in/oidc/callback receives the response.
// Every failure ends at the sign-in page with one sentence that says what to do; the other ways to sign in stay available.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OidcConfig } from '../../base/config.ts'
import { notFound } from '../../base/errors.ts'
import { isLoopbackHost } from '../../base/network/outbound.ts'
import { fill } from '../../domain/text/messages.ts'
import {
  arrive,
  beginTrip,
  confirmPrincipal,
  finishTrip,
  linkToPrincipal,
  recordFailure,
  type TripPurpose,
  takeTrip,
} from '../../operations/accounts/provider-sign-in.ts'
import { findWayOut } from '../../operations/accounts/provider-sign-out.ts'
import type { Visit } from '../../operations/accounts/sign-in.ts'
import { addressesToRegister } from '../../operations/accounts/ways-in.ts'
import { queryOf } from '../../pages/form.ts'
import { html } from '../../pages/html.ts'
import { seeOther, sendPage } from '../../pages/layout.ts'
import { confirmedUntil } from '../../services/access/confirmed.ts'
import type { Principal } from '../../services/access/principal.ts'
import { type ProvenIdentity, ProviderError } from '../../services/accounts/provider.ts'
import { ownerExists } from '../../store/people/people.ts'
import { refuseOtherMethods } from '../rest.ts'
import { mountBackChannelLogout } from './back-channel-logout.ts'
import { type PageParts, safeNext, textsFor, visitOf, withNext } from './forms.ts'
import { mountLink, signInWithProblem } from './link.ts'
import { type ProviderTexts, problemTold, providerTexts } from './oidc-texts.ts'

/** Each trip makes us call the provider. */
const TRIPS_PER_MINUTE = 30

export function mountProvider(server: FastifyInstance, parts: PageParts): void {
  server.get('/sign-in/oidc', (request, reply) => leave(parts, request, reply))
  server.get('/sign-in/oidc/callback', (request, reply) => comeBack(parts, request, reply))
  server.get('/sign-in/signed-out', (request, reply) => showSignedOut(parts, request, reply))
  for (const path of ['/sign-in/oidc', '/sign-in/oidc/callback', '/sign-in/signed-out'])
    refuseOtherMethods(server, path, ['GET'])
  mountLink(server, parts)
  mountBackChannelLogout(server, parts)
}

/** The context of one request to these pages. */
interface Stop {
  visit: Visit
  settings: OidcConfig
  texts: ProviderTexts
  principal: Principal | undefined
  request: FastifyRequest
  reply: FastifyReply
}

async function stopOf(parts: PageParts, request: FastifyRequest, reply: FastifyReply): Promise<Stop> {
  const { services, authenticator, cookie } = parts
  const settings = services.config.oidc
  if (!settings) throw notFound('Provider')
  return {
    visit: visitOf(parts, request, reply),
    settings,
    texts: providerTexts[textsFor(request).language],
    principal: await authenticator.session(cookie.read(request.headers.cookie)),
    request,
    reply,
  }
}

async function leave(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { services } = parts
  const next = safeNext(queryOf(request).all('next')[0], services.config.origin)
  if (!(await ownerExists(services.store.read))) return seeOther(reply, withNext('/setup', next))
  const stop = await stopOf(parts, request, reply)
  const { visit, principal, texts } = stop
  const wait = services.limits.oauth('provider', visit.web?.address, TRIPS_PER_MINUTE)
  if (wait > 0) return sendNote(stop, 429, texts.tooMany, next, { 'retry-after': String(wait) })
  const purpose = purposeOf(request, principal)
  if (!(await mayLeave(stop, purpose))) return sendNote(stop, 403, texts.notFromHere, '/settings/security')
  try {
    return seeOther(reply, await beginTrip(visit, { purpose, next, principal }))
  } catch (error) {
    return fail(stop, error, next)
  }
}

function purposeOf(request: FastifyRequest, principal: Principal | undefined): TripPurpose {
  if (!principal) return 'sign-in'
  return queryOf(request).all('confirm')[0] === '1' ? 'confirm' : 'link'
}

/**
 * Another site must not be able to send a signed-in person to the provider with the attacker's account: it would be linked and
 * give permanent access to this account.
 */
async function mayLeave({ visit, principal, request }: Stop, purpose: TripPurpose): Promise<boolean> {
  if (purpose === 'sign-in' || !principal) return true
  const site =
    request.headers['sec-fetch-site'] ?? (isTrustworthy(visit.services.config.origin) ? 'none' : undefined)
  if (site !== 'same-origin' && site !== 'none' && visit.web?.step('link-begun') === undefined) return false
  visit.web?.keepStep('link-begun')
  return purpose === 'confirm' || (await confirmedUntil({ ...visit, principal })) !== undefined
}

/** Browsers send `Sec-Fetch-Site` only on these origins; if it is missing there, the client is not a browser. */
function isTrustworthy(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' || isLoopbackHost(hostname)
}

async function comeBack(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const stop = await stopOf(parts, request, reply)
  const { visit, principal } = stop
  const answer = new URLSearchParams(request.raw.url?.split('?').slice(1).join('?') ?? '')
  const trip = await takeTrip(visit, answer.get('state') ?? '')
  if (!trip) return strayed(stop)
  const { purpose, next } = trip
  // The session that began the trip has ended, or another one has begun.
  if (purpose !== 'sign-in' && Number(principal?.credentialId) !== trip.sessionId)
    return fail(stop, new ProviderError('state'), next)
  let proven: ProvenIdentity
  try {
    proven = await finishTrip(visit, trip, answer)
  } catch (error) {
    return fail(stop, error, next)
  }
  if (purpose === 'sign-in' || !principal) return receive(stop, proven, next)
  return purpose === 'link' ? link(stop, principal, proven, next) : confirm(stop, principal, proven, next)
}

/** Any client can send such a request, so only a few a minute are recorded. */
function strayed(stop: Stop) {
  const { visit, texts } = stop
  const wait = visit.services.limits.oauth('provider-callback', visit.web?.address, TRIPS_PER_MINUTE)
  if (wait > 0) return sendNote(stop, 429, texts.tooMany, '/', { 'retry-after': String(wait) })
  return fail(stop, new ProviderError('state'), '/')
}

async function receive(stop: Stop, proven: ProvenIdentity, next: string) {
  const { visit, settings, texts, reply } = stop
  const arrival = await arrive(visit, proven, next)
  if (arrival === 'signed in') return seeOther(reply, next)
  if (arrival === 'prove the account') return seeOther(reply, '/sign-in/link')
  await recordFailure(visit, 'not_registered')
  const { title, text } = texts.notRegistered
  return sendNote(stop, 403, fill(text, { name: settings.name }), next, {}, title)
}

async function link(stop: Stop, principal: Principal, proven: ProvenIdentity, next: string) {
  const { visit, settings, texts } = stop
  if ((await linkToPrincipal(visit, principal, proven)) === 'linked') return seeOther(stop.reply, next)
  await recordFailure(visit, 'taken', principal.user)
  return sendNote(stop, 409, fill(texts.taken, { name: settings.name }), next)
}

async function confirm(stop: Stop, principal: Principal, proven: ProvenIdentity, next: string) {
  const { visit, settings, texts } = stop
  if (await confirmPrincipal(visit, principal, proven)) return seeOther(stop.reply, next)
  await recordFailure(visit, 'other_person', principal.user)
  return sendNote(stop, 409, fill(texts.otherPerson, { name: settings.name }), next)
}

/** Shows the problem on the sign-in page, or here if the person is already signed in. */
async function fail(stop: Stop, error: unknown, next: string) {
  if (!(error instanceof ProviderError)) throw error
  const { visit, principal, texts, settings, reply } = stop
  await recordFailure(visit, error.reason, principal?.user ?? null)
  if (!principal) return seeOther(reply, signInWithProblem(error.reason, next))
  return sendNote(stop, 400, problemTold(texts, error.reason, settings.name)!, next)
}

function sendNote(
  { texts, principal, request, reply }: Stop,
  status: number,
  text: string,
  next: string,
  headers: Record<string, string> = {},
  title: string = texts.failed,
) {
  const { language } = textsFor(request)
  const [href, label] = principal
    ? next === '/settings/security'
      ? [next, texts.toSecurity]
      : [next, texts.goOn]
    : [withNext('/sign-in?local=1', next).replace('?next', '&next'), texts.toSignIn]
  return sendPage(reply.headers(headers), status, {
    title,
    language,
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
<p><a class="button" href="${href}">${label}</a></p>`,
  })
}

/** After signing out here, redirects to the provider if the session began there; the provider redirects back. */
async function showSignedOut(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { postLogoutRedirectUri } = addressesToRegister(parts.services.config)
  const wayOut = await findWayOut(visitOf(parts, request, reply), postLogoutRedirectUri)
  return seeOther(reply, wayOut ?? '/sign-in?local=1')
}
