// The identity provider reports here that someone has signed out there (OpenID Connect Back-Channel Logout 1.0); the sessions
// that began with the provider end. No browser is involved, so the credential is the token's signature, not a cookie.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../base/errors.ts'
import { endSessionsOfProvider } from '../../operations/accounts/provider-sign-out.ts'
import { formOf } from '../../pages/form.ts'
import { ProviderError } from '../../services/accounts/provider.ts'
import { refuseOtherMethods, webExchange } from '../rest.ts'
import type { PageParts } from './forms.ts'

const PER_MINUTE = 120
const path = '/sign-in/oidc/backchannel-logout'

export function mountBackChannelLogout(server: FastifyInstance, parts: PageParts): void {
  server.post(path, (request, reply) => receive(parts, request, reply))
  refuseOtherMethods(server, path, ['POST'])
}

async function receive(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const { services, cookie } = parts
  if (!services.provider) throw notFound('Provider')
  const web = webExchange(request, reply, services, cookie)
  const wait = services.limits.oauth('backchannel-logout', web.address, PER_MINUTE)
  if (wait > 0) return refuse(reply.header('retry-after', String(wait)), 429, 'too many requests')
  const token = (await formOf(request)).one('logout_token')
  if (token === undefined) return refuse(reply, 400, 'logout_token is missing')
  try {
    const claims = await services.provider.readLogoutToken(token)
    const visit = { services, now: new Date(services.clock.now()), web }
    if (await endSessionsOfProvider(visit, claims))
      return reply.code(200).header('cache-control', 'no-store').send()
    return refuse(reply, 400, 'the token was used before')
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return refuse(reply, 400, `the token is refused: ${error.reason}`)
  }
}

const refuse = (reply: FastifyReply, status: number, description: string) =>
  reply
    .code(status)
    .headers({ 'content-type': 'application/json', 'cache-control': 'no-store' })
    .send(JSON.stringify({ error: 'invalid_request', error_description: description }))
