// The authorization server over HTTP. Programs call token, register, revoke and metadata: open to every origin, cookies
// ignored, errors as JSON. Users' browsers visit authorize and consent: same origin only, errors as pages.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { grantableScopes, isLasting, isScope, type Scope } from '../../domain/access/access.ts'
import { MINUTE } from '../../domain/time/durations.ts'
import type { Services } from '../../door/services.ts'
import { formToken, formTokenMatches } from '../../pages/browser.ts'
import { formOf, queryOf } from '../../pages/form.ts'
import { languageOf } from '../../pages/language.ts'
import { seeOther, sendErrorPage, sendPage } from '../../pages/layout.ts'
import { confirmedUntil } from '../../services/access/confirmed.ts'
import { quotaHeaders } from '../../services/access/limits.ts'
import type { Principal } from '../../services/access/principal.ts'
import { clientAddress } from '../client-address.ts'
import { logFailure } from '../request-id.ts'
import { refuseOtherMethods, requireSameOrigin } from '../rest.ts'
import type { PageParts } from '../sign-in/forms.ts'
import { authorize, UntrustedRequest } from './authorize.ts'
import type { ClientDocuments } from './client-documents.ts'
import { type Decider, type Decision, decide, findWaiting } from './consent.ts'
import { consentPage, refusalPage } from './consent-page.ts'
import { appFaultIn, consentTexts } from './consent-texts.ts'
import { OAuthError, oauthErrorFrom } from './errors.ts'
import { authorizationServerMetadata, protectedResourceMetadata } from './metadata.ts'
import { register } from './register.ts'
import { findResource, protectedResources } from './resources.ts'
import { revoke } from './revoke.ts'
import { token } from './token.ts'

const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }
/** Requests a minute from one client address. */
const limits = { authorize: 60, token: 30, revoke: 30, register: 10 } as const

interface OAuthParts extends PageParts {
  documents: ClientDocuments
}

export function mountOAuth(server: FastifyInstance, parts: OAuthParts): void {
  mountMetadata(server, parts.services)
  server.register(async (programs) => {
    mountProgramEndpoints(programs, parts.services)
  })
}

function mountMetadata(server: FastifyInstance, { config }: Pick<Services, 'config'>): void {
  const { v1, mcp } = protectedResources(config.origin)
  const documents: Record<string, unknown> = {
    '/.well-known/oauth-authorization-server': authorizationServerMetadata(
      config.origin,
      config.clientIdDocuments,
    ),
    '/.well-known/oauth-protected-resource': protectedResourceMetadata(config.origin, v1),
    [`/.well-known/oauth-protected-resource${v1.path}`]: protectedResourceMetadata(config.origin, v1),
    [`/.well-known/oauth-protected-resource${mcp.path}`]: protectedResourceMetadata(config.origin, mcp),
  }
  for (const [path, document] of Object.entries(documents)) {
    const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' }
    const bytes = Buffer.from(JSON.stringify(document))
    server.get(path, (_request, reply) => reply.headers(headers).send(bytes))
    refuseOtherMethods(server, path, ['GET'])
  }
}

function mountProgramEndpoints(server: FastifyInstance, services: Services): void {
  const send = (reply: FastifyReply, status: number, body: unknown) =>
    reply
      .code(status)
      .headers({ 'content-type': 'application/json', ...NO_STORE })
      .send(Buffer.from(JSON.stringify(body)))

  server.setErrorHandler<FastifyError>((error, request, reply) => {
    const known = oauthErrorFrom(error) ?? fromFramework(error)
    if (known.status >= 500) logFailure(services, request, error)
    return send(reply.headers(known.headers), known.status, known.body)
  })

  const endpoint = (
    name: 'token' | 'revoke' | 'register',
    handle: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ) => {
    server.post(`/oauth/${name}`, {
      // Counted before the body is read, refused requests included.
      onRequest: async (request) => requireUnderLimit(services, name, request),
      handler: handle,
    })
    refuseOtherMethods(server, `/oauth/${name}`, ['POST'])
  }

  endpoint('token', async (request, reply) =>
    send(reply, 200, await token(services, await formOf(request), request.headers.authorization)),
  )
  endpoint('register', async (request, reply) =>
    send(reply, 201, await register(services, request.body, request.headers['content-type'])),
  )
  endpoint('revoke', async (request, reply) => {
    await revoke(services, await formOf(request), request.headers.authorization)
    return reply
      .code(200)
      .headers({ ...NO_STORE, 'content-length': '0' })
      .send()
  })
}

/** The pages of the flow, mounted in the scope whose errors are pages. */
export function mountOAuthPages(server: FastifyInstance, parts: OAuthParts): void {
  server.get('/oauth/authorize', (request, reply) => startAuthorization(parts, request, reply))
  refuseOtherMethods(server, '/oauth/authorize', ['GET'])
  server.get('/oauth/consent', (request, reply) => showConsent(parts, request, reply))
  server.post('/oauth/consent', (request, reply) => submitConsent(parts, request, reply))
  refuseOtherMethods(server, '/oauth/consent', ['GET', 'POST'])
}

async function startAuthorization(parts: OAuthParts, request: FastifyRequest, reply: FastifyReply) {
  try {
    requireUnderLimit(parts.services, 'authorize', request)
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    // Nothing is verified yet, so there is no safe address to redirect to.
    return reply
      .code(error.status)
      .headers({ ...error.headers, ...NO_STORE })
      .send(error.body)
  }
  const person = await signedIn(parts, request)
  const visitor = { browser: parts.browser.ensure(request, reply), userId: person?.user.id ?? null }
  try {
    const onward = await authorize(parts, queryOf(request), visitor)
    if ('back' in onward) {
      if (onward.approved) return seeOther(reply, onward.back)
      return sendPage(reply, 400, refusalPage(languageOf(request), onward))
    }
    const consent = `/oauth/consent?id=${onward.requestId}`
    return seeOther(reply, person ? consent : `/sign-in?next=${encodeURIComponent(consent)}`)
  } catch (error) {
    if (!(error instanceof UntrustedRequest)) throw error
    const language = languageOf(request)
    const { cannotConnect: title } = consentTexts[language]
    return sendErrorPage(reply, 400, { title, message: appFaultIn(language, error), language })
  }
}

async function showConsent(parts: OAuthParts, request: FastifyRequest, reply: FastifyReply) {
  const { services, browser } = parts
  const query = queryOf(request)
  const requestId = query.all('id')[0]?.replaceAll('\u0000', '') ?? ''
  const person = await signedIn(parts, request)
  if (!person) {
    return seeOther(reply, `/sign-in?next=${encodeURIComponent(`/oauth/consent?id=${requestId}`)}`)
  }
  const secret = browser.read(request)
  const decider = secret && { requestId, browser: secret, person, address: undefined }
  const waiting = decider && (await findWaiting(services, decider))
  if (!waiting) return sendExpired(request, reply)
  const { client, granted } = waiting
  const { redirectUri, resource, scopes } = waiting.request
  const page = consentPage({
    language: languageOf(request),
    requestId,
    token: consentToken(secret, requestId, person),
    username: person.user.username,
    client,
    redirectUri,
    resource: findResource(services.config.origin, resource) ?? { url: resource },
    requested: scopes,
    grantable: grantableScopes(person.permissions),
    granted,
    chosen: query.all('scope').filter(isScope),
  })
  return sendPage(reply, 200, page, formTargets(redirectUri))
}

async function submitConsent(parts: OAuthParts, request: FastifyRequest, reply: FastifyReply) {
  const { services, browser } = parts
  requireSameOrigin(request, services.config.origin)
  const form = await formOf(request)
  const person = await signedIn(parts, request)
  if (!person) return sendNotSignedIn(request, reply)
  const requestId = form.one('id') ?? ''
  const secret = browser.read(request)
  const proven =
    secret !== undefined && formTokenMatches(form.one('token'), secret, ...consentPurpose(requestId, person))
  if (!proven) return sendExpired(request, reply)
  const address = clientAddress(request, services.config)
  const decider: Decider = { requestId, browser: secret, person, address }
  const decision: Decision =
    form.one('decision') === 'approve' ? { approved: true, scopes: form.all('scope') } : { approved: false }
  if (decision.approved && (await needsProof(parts, person, form.all('scope').filter(isScope))))
    return seeOther(reply, confirmFirst(requestId, form.all('scope').filter(isScope)))
  const onward = await decide(services, decider, decision)
  return onward === undefined ? sendExpired(request, reply) : seeOther(reply, onward)
}

/** An unlocked screen is not enough to let an app write, or read other people's flights. */
async function needsProof({ services }: OAuthParts, principal: Principal, scopes: readonly Scope[]) {
  if (!scopes.some(isLasting)) return false
  const now = new Date(services.clock.now())
  return (await confirmedUntil({ principal, db: services.store.read, now })) === undefined
}

/** The web app asks the person to confirm who they are and returns to the same choice. */
function confirmFirst(requestId: string, scopes: readonly Scope[]): string {
  const chosen = new URLSearchParams([['id', requestId], ...scopes.map((scope) => ['scope', scope])])
  return `/confirm?next=${encodeURIComponent(`/oauth/consent?${chosen}`)}`
}

/** The form is valid for one request, one user and one session. */
const consentPurpose = (requestId: string, { user, credentialId }: Principal) =>
  ['consent', requestId, user.id, credentialId] as const
const consentToken = (secret: string, requestId: string, person: Principal) =>
  formToken(secret, ...consentPurpose(requestId, person))

function sendNotSignedIn(request: FastifyRequest, reply: FastifyReply) {
  const language = languageOf(request)
  const { notSignedIn: title, notSignedInText: message } = consentTexts[language]
  return sendErrorPage(reply, 401, { title, message, language })
}

function sendExpired(request: FastifyRequest, reply: FastifyReply) {
  const language = languageOf(request)
  const { expired: title, expiredText: message } = consentTexts[language]
  return sendErrorPage(reply, 400, { title, message, language })
}

const signedIn = ({ authenticator, cookie }: OAuthParts, request: FastifyRequest) =>
  authenticator.session(cookie.read(request.headers.cookie))

/**
 * Where the consent form may lead apart from this site: only to the client. Chromium checks the redirect after the form
 * against this list. CSP cannot express an IPv6 address, so for [::1] the whole scheme is allowed.
 */
function formTargets(redirectUri: string): string[] {
  const { origin, hostname } = new URL(redirectUri)
  return [hostname.startsWith('[') ? 'http:' : origin]
}

function requireUnderLimit(
  { limits: counters, config }: Pick<Services, 'limits' | 'config'>,
  name: keyof typeof limits,
  request: FastifyRequest,
) {
  const wait = counters.oauth(name, clientAddress(request, config), limits[name])
  if (wait === 0) return
  const quota = { name: `oauth-${name}`, count: limits[name], ms: MINUTE }
  throw new OAuthError('temporarily_unavailable', `Too many requests; try again in ${wait} seconds`, {
    status: 429,
    headers: { 'retry-after': String(wait), ...quotaHeaders([quota], 0, wait) },
  })
}

/** Fastify's own errors as OAuth errors. */
function fromFramework({ statusCode: status }: FastifyError): OAuthError {
  if (status === undefined || status < 400 || status >= 500)
    return new OAuthError('server_error', 'An internal error occurred and was logged', { status: 500 })
  const description = status === 413 ? 'The body is too large' : 'The request is malformed'
  return new OAuthError('invalid_request', description, { status })
}
